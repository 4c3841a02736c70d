//! The harness of table files.

use crate::sealed::ask_both;
use dragnet_formats::pieces::teams;
use dragnet_probe::{Cell, Choice, LineEnd, Position, ProbeError, Side, Table, Value};

/// The number of a table's open cells that are asked for.
const FEW_CELLS: usize = 5;
/// The number of a table's blocks that are read whole.
const FEW_BLOCKS: u64 = 24;
/// The most bytes of an error message.
const LONGEST_MESSAGE: usize = 300;

/// Checks that any bytes are a table or an error, and that a table answers any question with an answer or an
/// error.
///
/// Answers agree with each other: the value of a position with the values after its moves, one question with
/// many, the stored codes with the values, a line with the value that it begins with. A table that the check
/// of all checksums accepts answers everything. The bytes are tried as they are, and with the data length and
/// every checksum corrected.
///
/// # Panics
/// Panics if a promise is broken.
pub fn table(bytes: &[u8]) {
    ask_both(bytes, ask);
}

fn ask(bytes: Vec<u8>) {
    let table = match Table::from_bytes(bytes) {
        Ok(table) => table,
        Err(error) => return check_message(&error),
    };
    blocks(&table);
    let positions = positions(&table);
    let answers: Vec<_> = positions.iter().map(|&at| answer(&table, at)).collect();
    match table.values(&positions) {
        Ok(values) => assert!(answers.iter().zip(&values).all(|(one, many)| one.as_ref().ok() == Some(many))),
        Err(ProbeError::InBatch { index, .. }) => assert!(answers[index].is_err()),
        Err(error) => panic!("{error:?}"),
    }
    for &at in &positions {
        line(&table, at);
    }
    let whole = table.check_sums(|_| {});
    if let Err(error) = &whole {
        check_message(error);
    } else {
        assert!(answers.iter().all(Result::is_ok), "a table is accepted that has no answer");
    }
    let off = Position::new(Cell::new(u16::MAX, 0), Cell::new(0, u16::MAX), Side::Police);
    assert!(table.value(off).is_err() && table.best_moves(off).is_err() && table.line(off).is_err());
}

pub(crate) fn check_message(error: &ProbeError) {
    let message = error.to_string();
    assert!(!message.is_empty() && message.len() <= LONGEST_MESSAGE, "{message}");
}

/// Returns the positions on the first, the last and some cells between, with either side to move.
fn positions(table: &Table) -> Vec<Position> {
    let open: Vec<Cell> = table.board().open_cells().collect();
    let officers = table.rules().officers;
    // The more officers, the more teams of few cells.
    let few = open.len().min(FEW_CELLS.div_ceil(officers.into()));
    let cells: Vec<Cell> = (0..few).map(|i| open[i * (open.len() - 1) / (few - 1).max(1)]).collect();
    let pairs = teams(&cells, officers).flat_map(|police| cells.iter().map(move |&thief| (police, thief)));
    pairs.flat_map(|(police, thief)| Side::BOTH.map(|turn| Position::new(police, thief, turn))).collect()
}

/// Returns the value of a position, after checking that it agrees with everything else that the table says of
/// it.
///
/// # Errors
/// Returns the error of the table.
///
/// # Panics
/// Panics if a promise is broken.
pub(crate) fn answer(table: &Table, at: Position) -> Result<Value, ProbeError> {
    let (value, moves) = (table.value(at), table.best_moves(at));
    if let Ok(value) = value {
        assert_eq!(Value::from_code(value.code()), Some(value), "{at}: a value out of range");
    }
    if let Some(winner) = table.winner(at)? {
        assert_eq!(value?, Value::terminal(winner, at.turn), "{at}");
        assert_eq!(moves?, [], "{at}");
        return Ok(Value::terminal(winner, at.turn));
    }
    if let Ok(moves) = &moves {
        assert!(moves.is_sorted_by(|a, b| a.value.compare_for_mover(b.value).is_le()), "{at}: {moves:?}");
        for choice in moves {
            assert_eq!(choice.position, at.after(choice.to));
            assert_eq!(table.value(choice.position)?, choice.value, "{at}: after the move to {}", choice.to);
        }
    }
    if at.turn == Side::Thief {
        // A value with the thief to move is derived from the values after his moves alone.
        let made = moves?.first().map_or(table.rules().stuck.value(), Choice::worth);
        assert_eq!(value?, made, "{at}");
        return Ok(made);
    }
    value
}

/// Checks that a line agrees with the values: a won or lost position ends as its value says and after as many
/// plies, and a draw ends in a repetition.
fn line(table: &Table, at: Position) {
    let Ok(line) = table.line(at) else { return };
    assert!(line.start == at && Some(line.value) == table.value(at).ok());
    let mut here = at;
    for step in &line.moves {
        assert!(step.side == here.turn && step.position == here.after(step.to), "{at}: {line:?}");
        here = step.position;
    }
    match line.end {
        LineEnd::Won(side) => {
            assert_eq!(line.value.outcome(at.turn).winner(), Some(side), "{at}: {line:?}");
            assert_eq!(line.value.dtw(), Some(line.moves.len() as u32), "{at}: {line:?}");
        }
        LineEnd::Repetition => assert_eq!(line.value, Value::Draw, "{at}: {line:?}"),
    }
}

/// Checks that whole blocks have as many codes as slots, that each code is a value, and that single questions
/// agree.
fn blocks(table: &Table) {
    let numbering = table.numbering();
    let count = numbering.block_count();
    let mut codes = Vec::new();
    for block in (0..count.min(FEW_BLOCKS)).chain([count - 1]) {
        match table.block_codes(block, &mut codes) {
            Ok(()) => {
                assert_eq!(codes.len(), numbering.slots(block) as usize);
                assert!(codes.iter().all(|&code| Value::from_code(code).is_some()), "a code out of range");
                assert!(table.block_entry(block).is_ok());
            }
            Err(error) => check_message(&error),
        }
    }
    for beyond in [count, u64::MAX / 512, u64::MAX] {
        assert!(table.block_codes(beyond, &mut codes).is_err() && table.block_entry(beyond).is_err());
    }
    for at in positions(table).into_iter().filter(|at| at.turn == Side::Police) {
        let place = numbering.locate(at.police, at.thief).expect("open cells");
        let ends = table.winner(at).expect("a position").is_some();
        if !ends && table.block_codes(place.block, &mut codes).is_ok() {
            let value = Value::from_code(codes[place.slot as usize]);
            assert_eq!(table.value(at).ok(), value, "{at}");
        }
    }
}
