//! The harness of files of pursuit tables and partial tables.

use crate::{
    definition::{Turn, check_message, turn, verified},
    sealed::ask_both,
};
use dragnet_formats::{
    game::{Places, PursuitGame, PursuitGameError},
    stop::StopCheck,
    stored::StoredGame,
    team_numbers::TeamNumbers,
};
use dragnet_probe::{
    AnyTable, Cell, Choice, Header, Keep, LineEnd, Open, Outcome, PartialTable, Pieces, Position, ProbeError,
    ReadAt, Side, Table, TableSection as Section, Value,
};
use std::{collections::BTreeSet, fmt::Debug, io};

/// The number of places of each side that are asked for, and in each of several worlds.
const FEW_CELLS: [usize; 2] = [5, 3];
/// The number of worlds that are asked for.
const FEW_WORLDS: usize = 4;
/// The number of a table's blocks that are read whole.
const FEW_BLOCKS: u64 = 24;
/// The most places of a side and moves of a game that is held against its definition.
const MOST_PLACES: usize = 500;

/// The fate of a file that was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Asked {
    /// The file was refused when it was opened.
    NotOpened,
    /// The table's game or a value is wrong, and `verify` says so.
    Wrong,
    /// Moves of one turn of the police lead to different worlds, and `verify` says so.
    Torn,
    /// The table is right, and `verify` says so, unless a board's game is written in another way.
    Right,
    /// The table was asked, and is too large or of a kind that is not verified.
    NotVerified,
}

/// Checks that any bytes are a table or an error, and that a table answers any question with an answer or an
/// error.
///
/// Answers agree with each other: the value of a position with the values after its moves, one question with
/// many, the stored codes with the values, a line with the value that it begins with; those from memory with
/// those from a source that is read piece by piece. Ends and moves are those of the game in the table. A
/// table that the check of all checksums accepts answers everything, unless a move leads to no place.
/// `verify` takes small tables that are right, and no others. The bytes are tried as they are, and with the
/// data length and every checksum corrected.
///
/// # Panics
/// Panics if a promise is broken.
pub fn table(bytes: &[u8]) {
    ask_both(bytes, ask);
}

/// A source that is read piece by piece.
pub(crate) struct InPieces(pub(crate) Vec<u8>);

impl ReadAt for InPieces {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let rest = self.0.get(offset as usize..).unwrap_or_default();
        bytes.copy_from_slice(rest.get(..bytes.len()).ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// Asks the table in these bytes.
///
/// # Panics
/// If a promise is broken.
pub(crate) fn ask(bytes: Vec<u8>) -> Asked {
    let again = Open::source(InPieces(bytes.clone())).any();
    match (Open::bytes(bytes).any(), again) {
        (Ok(AnyTable::Pursuit(table)), Ok(AnyTable::Pursuit(again))) => ask_pursuit(&table, &again),
        (Ok(AnyTable::Partial(table)), Ok(AnyTable::Partial(again))) => ask_partial(&table, &again),
        (Ok(AnyTable::Game(_)), Ok(AnyTable::Game(_))) => Asked::NotVerified,
        (Err(error), Err(again)) => {
            check_message(&error);
            assert_eq!(error.to_string(), again.to_string());
            Asked::NotOpened
        }
        (table, again) => panic!("{table:?} from memory, {again:?} from a source"),
    }
}

fn ask_pursuit(table: &Table, again: &Table) -> Asked {
    blocks(table);
    view(table);
    let game = table.game(&mut StopCheck::never());
    let positions = positions(table.header());
    let answers: Vec<_> = positions.iter().map(|&at| answer(table, at)).collect();
    for (&at, found) in positions.iter().zip(&answers) {
        same(at, found, &again.value(at));
        same(at, &table.best_moves(at), &again.best_moves(at));
        same(at, &table.best_move(at), &again.best_move(at));
        line(table, at);
        if let Ok(stored) = &game {
            by_definition(table, &stored.game, at);
        }
    }
    match table.values(&positions) {
        Ok(values) => assert!(answers.iter().zip(&values).all(|(one, many)| one.as_ref().ok() == Some(many))),
        Err(ProbeError::InBatch { index, .. }) => assert!(answers[index].is_err()),
        Err(error) => panic!("{error:?}"),
    }
    let whole = table.check_sums(|_| {});
    same(positions[0], &whole, &again.check_sums(|_| {}));
    match &whole {
        Ok(_) => assert!(
            game.is_err() || answers.iter().all(Result::is_ok),
            "a table is accepted that has no answer"
        ),
        Err(error) => check_message(error),
    }
    let off = Position::new(Cell::new(u16::MAX, 0), Cell::new(0, u16::MAX), Side::Police);
    let in_no_world = [table.header().worlds, u32::MAX].map(|world| positions[0].in_world(world));
    for none in in_no_world.into_iter().chain([off]) {
        assert!(table.value(none).is_err() && table.best_moves(none).is_err() && table.line(none).is_err());
    }
    match verified(table) {
        None => Asked::NotVerified,
        Some(false) if game.is_ok_and(|stored| is_torn(&stored.game)) => Asked::Torn,
        Some(false) => Asked::Wrong,
        Some(true) => Asked::Right,
    }
}

/// Checks that two readers say the same.
fn same<T: PartialEq + Debug>(at: Position, one: &Result<T, ProbeError>, other: &Result<T, ProbeError>) {
    match (one, other) {
        (Ok(one), Ok(other)) => assert_eq!(one, other, "{at}"),
        // Which of several faults is found first may differ.
        (Err(one), Err(other)) => [one, other].into_iter().for_each(check_message),
        _ => panic!("{at}: {one:?} from memory, {other:?} from a source"),
    }
}

/// Returns the positions in the first, the last and some worlds between, on the first, the last and some
/// places between, with either side to move.
pub(crate) fn positions(header: &Header) -> Vec<Position> {
    // The more officers, the more teams of few cells.
    let few = FEW_CELLS[usize::from(header.worlds > 1)].div_ceil(header.officers().max(1).into());
    let spread = |all: usize, few: usize| {
        let few = all.min(few);
        (0..few).map(move |i| i * (all - 1) / (few - 1).max(1))
    };
    let (mut first_row, mut police, mut kinds) = (0, Vec::new(), Vec::new());
    for kind in &header.kinds {
        let cells: Vec<Cell> =
            kind.places.cells().map(|Cell { row, col }| Cell::new(first_row + row, col)).collect();
        police.extend(spread(cells.len(), few).map(|at| cells[at]));
        kinds.push((cells.len().min(few) as u32, kind.pieces));
        first_row += kind.places.height();
    }
    let cells: Vec<Cell> = header.thief.places.cells().collect();
    let thieves: Vec<Cell> = spread(cells.len(), few).map(|at| cells[at]).collect();
    let teams = TeamNumbers::new(kinds).teams(&police);
    let pairs = teams.flat_map(|police| thieves.iter().map(move |&thief| (police, thief)));
    let both = |(police, thief)| Side::BOTH.map(|turn| Position::new(police, thief, turn));
    let of_one: Vec<Position> = pairs.flat_map(both).collect();
    let worlds = spread(header.worlds as usize, FEW_WORLDS).map(|world| world as u32);
    worlds.flat_map(|world| of_one.iter().map(move |at| at.in_world(world))).collect()
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
        let place = |choice: &Choice| (choice.to, choice.position.world);
        let before = |a: &Choice, b: &Choice| {
            a.value.compare_for_mover(b.value).then_with(|| place(a).cmp(&place(b))).is_lt()
        };
        assert!(moves.is_sorted_by(before), "{at}: {moves:?}");
        for choice in moves {
            assert_eq!(choice.position, at.after(choice.to).in_world(choice.position.world));
            assert_eq!(table.value(choice.position)?, choice.value, "{at}: after the move to {}", choice.to);
        }
    }
    if at.turn == Side::Thief {
        // A value with the thief to move is derived from the values after his moves alone.
        let made = moves?.first().map_or(table.header().stuck.value(), Choice::worth);
        assert_eq!(value?, made, "{at}");
        return Ok(made);
    }
    value
}

/// Checks that a position's end or moves are those of the game.
fn by_definition(table: &Table, game: &PursuitGame, at: Position) {
    if is_large(game) {
        return;
    }
    let (winner, moves) = (table.winner(at).expect("a position"), table.best_moves(at));
    match turn(game, at) {
        Turn::Over(side) => assert_eq!(winner, Some(side), "{at}"),
        Turn::Torn => {
            assert_eq!(winner, None, "{at}");
            assert!(moves.is_err() && table.best_move(at).is_err(), "{at}: moves to several worlds");
        }
        Turn::Moves(expected) => {
            assert_eq!(winner, None, "{at}");
            if let Ok(moves) = moves {
                let found: BTreeSet<(u32, Pieces)> =
                    moves.iter().map(|choice| (choice.position.world, choice.to)).collect();
                assert_eq!(found, expected, "{at}");
            }
        }
    }
}

fn is_torn(game: &PursuitGame) -> bool {
    matches!(game.check(), Err(PursuitGameError::Turn { .. }))
}

fn is_large(game: &PursuitGame) -> bool {
    let places = game.places.iter().map(Places::count);
    let moves = game.moves.iter().map(|moves| moves.len() / moves.places().max(1));
    places.max() > Some(MOST_PLACES) || moves.max() > Some(MOST_PLACES / 5)
}

/// Checks that a line is of legal moves and agrees with the values: a won or lost position ends as its value
/// says and after as many plies, and a draw ends in a repetition.
fn line(table: &Table, at: Position) {
    let Ok(line) = table.line(at) else { return };
    assert!(line.start == at && Some(line.value) == table.value(at).ok());
    let mut here = at;
    for step in &line.moves {
        let to = (step.position.world, step.to);
        assert!(step.position == here.after(step.to).in_world(to.0), "{at}: {line:?}");
        assert!(step.side == here.turn && is_move(table, here, to), "{at}: {line:?}");
        here = step.position;
    }
    assert_eq!(line.end.winner(), line.value.outcome(at.turn).winner(), "{at}: {line:?}");
    match line.end {
        LineEnd::Repetition => assert_eq!(line.value, Value::Draw, "{at}: {line:?}"),
        _ => assert_eq!(line.value.dtw(), Some(line.moves.len() as u32), "{at}: {line:?}"),
    }
}

/// Returns whether a turn leads from a position to the world and the cells `to`.
fn is_move(table: &Table, from: Position, to: (u32, Pieces)) -> bool {
    match from.turn {
        Side::Police => table.team_moves(from.world, from.police).expect("moves").any(|team| team == to),
        Side::Thief => {
            let moves = table.piece_moves(Side::Thief, from.world, from.thief).expect("moves");
            moves.into_iter().any(|destination| (destination.world, destination.cell.into()) == to)
        }
    }
}

/// Checks that the board has the squares of the game, whatever the source says.
fn view(table: &Table) {
    let (header, board) = (table.header(), table.board());
    assert_eq!((board.height(), board.width()), (header.rows(), header.columns()));
    for kind in header.all_kinds() {
        let on_board = |cell: Cell| board.is_open(Cell::new(cell.row % header.rows(), cell.col));
        assert!(kind.places.cells().all(on_board), "a place on a wall");
    }
    if let Some(setting) = table.setting() {
        assert_eq!(&setting.board, board);
    }
}

/// Checks that whole blocks have as many codes as slots, that each code of a position is a value, and that
/// single questions agree.
fn blocks(table: &Table) {
    let (all, numbering) = (table.header().numbering(), table.numbering());
    let (count, positions_end) = (all.block_count(), numbering.block_count());
    let mut codes = Vec::new();
    for block in (0..count.min(FEW_BLOCKS)).chain([positions_end - 1, positions_end, count - 1]) {
        match table.block_codes(block, &mut codes) {
            Ok(()) => {
                assert_eq!(codes.len(), all.slots(block) as usize);
                assert!(codes.iter().all(|&code| Value::from_code(code).is_some()), "a code out of range");
                assert!(table.block_entry(block).is_ok());
            }
            Err(error) => check_message(&error),
        }
    }
    for beyond in [count, u64::MAX / 512, u64::MAX] {
        assert!(table.block_codes(beyond, &mut codes).is_err() && table.block_entry(beyond).is_err());
    }
    for at in positions(table.header()).into_iter().filter(|at| at.turn == Side::Police) {
        let place = numbering.locate(at.world, at.police, at.thief).expect("places");
        let ends = table.winner(at).expect("a position").is_some();
        if !ends && table.block_codes(place.block, &mut codes).is_ok() {
            let value = Value::from_code(codes[place.slot as usize]);
            assert_eq!(table.value(at).ok(), value, "{at}");
        }
    }
}

/// Asks a partial table for all that it keeps: an outcome is that of the terminal rule or a possible one, a
/// move is legal.
fn ask_partial(table: &PartialTable, again: &PartialTable) -> Asked {
    let (header, keep) = (&table.header().game, table.keep());
    let section = |section: Section| table.section(section);
    let game = StoredGame::unpack(header, section, &mut StopCheck::never());
    let game = game.ok().map(|stored| stored.game).filter(|game| !is_large(game));
    let in_no_world = positions(header)[0].in_world(header.worlds);
    assert!(table.outcome(in_no_world).is_err() && table.best_move(in_no_world).is_err());
    for at in positions(header) {
        let (outcome, best) = (table.outcome(at), table.best_move(at));
        same(at, &outcome, &again.outcome(at));
        same(at, &best, &again.best_move(at));
        let is_kept = |error: Option<&ProbeError>| !matches!(error, Some(ProbeError::NotKept { .. }));
        assert_eq!(is_kept(outcome.as_ref().err()), keep == Keep::Outcomes, "{at}");
        assert_eq!(is_kept(best.as_ref().err()), keep == Keep::MovesOf(at.turn), "{at}");
        let Some(expected) = game.as_ref().map(|game| turn(game, at)) else { continue };
        match (&outcome, &best, expected) {
            (Ok(outcome), _, Turn::Over(winner)) => assert_eq!(*outcome, Outcome::from(winner), "{at}"),
            (_, Ok(best), Turn::Over(_)) => assert_eq!(*best, None, "{at}"),
            (_, Ok(Some(best)), Turn::Moves(moves)) => {
                assert!(moves.contains(&(best.world, best.moved())), "{at}: {best}");
                assert_eq!(*best, at.after(best.moved()).in_world(best.world));
            }
            (_, Ok(None), Turn::Moves(moves)) => assert!(moves.is_empty(), "{at}"),
            _ => {}
        }
    }
    let whole = table.check_sums(|_| {});
    same(positions(header)[0], &whole, &again.check_sums(|_| {}));
    Asked::NotVerified
}
