//! Damaged tables beside the whole ones that they were.

use crate::{
    bytes::Choices,
    mutation::mutate,
    sealed::{Seal, Seals},
    table::answer,
    whole::{WHOLES, Whole},
};
use dragnet_formats::{codec::BlockError, pieces::teams};
use dragnet_probe::{ProbeError, Side, Table, TableError, Value};

/// What became of a damaged table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// The damage changed nothing.
    Unchanged,
    /// Refused when it was opened.
    NotOpened(&'static str),
    /// Opened, and refused by the check of all checksums; every answer was right or an error.
    Refused(&'static str),
    /// The same of a table with a part that is altered under a right checksum; answers from that part may be others.
    ForgedRefused(&'static str),
    /// Altered under right checksums, and accepted: each answer is a value, and most may be others.
    ForgedAccepted,
}

/// Damages a small whole table as the bytes say and asks the damaged one for everything.
///
/// A part of a table is its header, a page of its index, or the bytes of a block. The promise, for a damaged table:
///
/// * *A part with a wrong checksum*: no answer comes from it. If it is the header the table is not opened; if it is a page
///   or a block, each question that needs it gets an error, and the check of all checksums fails.
/// * *Every part that is as it was*: if the header is, answers that come from such parts alone are exactly those of the
///   whole table. So a table without a forged part answers right or not at all, and is accepted by the check of all
///   checksums only if not one byte is another.
/// * *A part that is forged*, another under a right checksum: the format cannot know. Its answers are errors or values
///   that a table can hold, at most [`MAX_DTW`](dragnet_formats::value::MAX_DTW) plies; a value with the thief to move
///   is still that of his moves.
///
/// And always: no panic, no hang, no memory out of proportion, and a table that the check accepts answers everything.
///
/// # Panics
/// When a promise is broken.
pub fn table_differential(bytes: &[u8]) {
    damaged(bytes);
}

/// As [`table_differential`]; tells what became of the table.
///
/// # Panics
/// When a promise is broken.
pub fn damaged(bytes: &[u8]) -> Fate {
    let mut choices = Choices(bytes);
    let which = choices.below(WHOLES.len());
    let whole = &WHOLES[which];
    let donor = &WHOLES[(which + 1) % WHOLES.len()];
    let file = mutate(&whole.file, &donor.file, &mut choices);
    compare(whole, &file)
}

fn compare(whole: &Whole, file: &[u8]) -> Fate {
    let seals = Seals::new(file, &whole.file);
    let table = match Table::from_bytes(file.to_vec()) {
        Ok(table) => table,
        Err(error) => {
            assert_ne!(file, whole.file, "the whole table is refused");
            return Fate::NotOpened(kind(&error));
        }
    };
    assert_ne!(seals.header, Seal::Broken, "opened with a wrong checksum");
    let answered = if seals.header == Seal::Whole {
        assert_eq!(file.len(), whole.file.len(), "opened at another length");
        ask_whole(whole, &seals, &table)
    } else {
        ask_forged(&table)
    };
    let broken = seals.blocks.contains(&Seal::Broken);
    // A check of a table that has never been asked finds the same.
    let fresh = Table::from_bytes(file.to_vec()).expect("it was opened before");
    let (found, again) = (table.verify_checksums(|_| {}), fresh.verify_checksums(|_| {}));
    assert_eq!(found.as_ref().err().map(kind), again.as_ref().err().map(kind));
    match found {
        Ok(_) => {
            assert!(!broken, "accepted with a wrong checksum");
            assert!(answered, "accepted, and a question has no answer");
            assert!(file == whole.file || seals.forged(), "accepted with another byte");
            if file == whole.file { Fate::Unchanged } else { Fate::ForgedAccepted }
        }
        Err(error) if seals.forged() => Fate::ForgedRefused(kind(&error)),
        Err(error) => {
            assert_ne!(file, whole.file, "the whole table is refused");
            Fate::Refused(kind(&error))
        }
    }
}

/// Asks a table with the whole one's header for everything; whether it answered all.
fn ask_whole(whole: &Whole, seals: &Seals, table: &Table) -> bool {
    let forged = seals.forged();
    let mut all = true;
    for &(at, expected) in &whole.values {
        let answer = answer(table, at);
        all &= answer.is_ok();
        let over = table.winner(at).expect("a position").is_some();
        if at.turn == Side::Police && !over {
            let place = table.numbering().locate(at.police, at.thief).expect("open cells");
            match (seals.blocks[place.block as usize], &answer) {
                (Seal::Whole, answer) => assert_eq!(answer.as_ref().ok(), Some(&expected), "{at}"),
                (Seal::Broken, answer) => assert!(answer.is_err(), "{at}: an answer without a checksum"),
                (Seal::Forged, _) => {}
            }
        } else if let (Ok(value), false) = (answer, forged) {
            assert_eq!(value, expected, "{at}");
        }
    }
    all
}

/// Asks a table with a header of its own for everything, if it is not too much; whether it answered all.
fn ask_forged(table: &Table) -> bool {
    const FEW_CELLS: usize = 10;
    let officers = table.rules().officers;
    let cells: Vec<_> = table.board().open_cells().take(FEW_CELLS.div_ceil(officers.into())).collect();
    let mut all = true;
    for police in teams(&cells, officers) {
        for &thief in &cells {
            for turn in Side::BOTH {
                let answer = answer(table, dragnet_probe::Position::new(police, thief, turn));
                all &= answer.as_ref().is_ok_and(|value| Value::from_code(value.code()).is_some());
            }
        }
    }
    all
}

/// The kind of an error, in a word.
fn kind(error: &ProbeError) -> &'static str {
    let ProbeError::Table(error) = error else { panic!("no error of a table: {error:?}") };
    match error {
        TableError::Magic { .. } => "magic",
        TableError::Version { .. } => "version",
        TableError::Reserved { .. } => "reserved",
        TableError::Truncated { .. } => "truncated",
        TableError::Trailing { .. } => "trailing",
        TableError::HeaderLength { .. } => "header length",
        TableError::HeaderChecksum { .. } => "header checksum",
        TableError::Kind { .. } => "kind of game",
        TableError::Header(_) => "header",
        TableError::IndexChecksum { .. } => "index checksum",
        TableError::Entry { .. } => "index entry",
        TableError::Extents { .. } => "extents",
        TableError::Block { source, .. } => match source {
            BlockError::Length { .. } => "block length",
            BlockError::Checksum { .. } => "block checksum",
            BlockError::Field { .. } => "block field",
            BlockError::Palette { .. } => "block palette",
            BlockError::Index { .. } => "block index",
            BlockError::Code { .. } => "block code",
            BlockError::Zstd { .. } => "block zstd",
            _ => panic!("an unknown error: {source:?}"),
        },
        _ => panic!("an unknown error: {error:?}"),
    }
}
