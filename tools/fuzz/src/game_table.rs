//! The harness of files of game tables.

use crate::{definition::check_message, sealed::ask_both};
use dragnet_probe::{GameTable, Open, ProbeError, Value};

/// The number of positions that are asked for, from the first to the last.
const FEW: u64 = 40;
/// The number of blocks that are read whole.
const FEW_BLOCKS: u64 = 24;

/// Checks that any bytes are a game table or an error, and that a table answers any number with a value or an
/// error.
///
/// Answers agree with each other: one question with many, with the stored codes and with the order of moves.
/// A table that the check of all checksums accepts answers everything. The bytes are tried as they are, and
/// with the data length and every checksum corrected.
///
/// # Panics
/// Panics if a promise is broken.
pub fn game_table(bytes: &[u8]) {
    ask_both(bytes, ask);
}

fn ask(bytes: Vec<u8>) {
    let table = match Open::bytes(bytes).game() {
        Ok(table) => table,
        Err(error) => return check_message(&error),
    };
    let header = table.header();
    assert_eq!(header.summary.positions(), header.positions());
    assert!(header.name.len() <= 255 && !header.name.contains(char::is_control));
    blocks(&table);
    let last = table.positions() - 1;
    let few = FEW.min(table.positions());
    let asked: Vec<u64> =
        (0..few).map(|i| (u128::from(last) * u128::from(i) / u128::from(few.max(2) - 1)) as u64).collect();
    let answers: Vec<_> = asked.iter().map(|&position| table.value(position)).collect();
    match table.values(&asked) {
        Ok(values) => assert!(answers.iter().zip(&values).all(|(one, many)| one.as_ref().ok() == Some(many))),
        Err(ProbeError::InBatch { index, .. }) => assert!(answers[index].is_err()),
        Err(error) => panic!("{error:?}"),
    }
    match table.rank(asked.iter().copied()) {
        Ok(choices) => {
            assert_eq!(choices.len(), asked.len());
            assert!(choices.is_sorted_by(|a, b| a.value.compare_for_mover(b.value).is_le()));
        }
        Err(error) => check_message(&error),
    }
    for value in answers.iter().flatten() {
        assert_eq!(Value::from_code(value.code()), Some(*value), "a value out of range");
    }
    match table.check_sums(|_| {}) {
        Ok(_) => assert!(answers.iter().all(Result::is_ok), "a table is accepted that has no answer"),
        Err(error) => check_message(&error),
    }
    for beyond in [table.positions(), u64::MAX] {
        assert!(table.value(beyond).is_err() && table.values(&[beyond]).is_err());
    }
}

/// Whole blocks have as many codes as positions, all of them values, and the same as single questions.
fn blocks(table: &GameTable) {
    let numbering = table.numbering();
    let count = numbering.block_count();
    let mut codes = Vec::new();
    for block in (0..count.min(FEW_BLOCKS)).chain([count - 1]) {
        match table.block_codes(block, &mut codes) {
            Ok(()) => {
                let positions = numbering.positions_of(block);
                assert_eq!(codes.len() as u64, positions.end - positions.start);
                assert!(table.block_entry(block).is_ok());
                for (position, &code) in positions.zip(&codes).step_by(61) {
                    assert_eq!(table.value(position).ok(), Value::from_code(code), "position {position}");
                }
            }
            Err(error) => check_message(&error),
        }
    }
    for beyond in [count, u64::MAX] {
        assert!(table.block_codes(beyond, &mut codes).is_err() && table.block_entry(beyond).is_err());
    }
}
