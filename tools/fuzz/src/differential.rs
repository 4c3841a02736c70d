//! The harness that compares damaged tables with the whole tables that they were.

use crate::{
    bytes::Choices,
    definition::verified,
    mutation::mutate,
    sealed::{Seal, Seals},
    table::{answer, positions},
    whole::{WHOLES, Whole, is_stored},
};
use dragnet_formats::{codec::BlockError, header::Section, stop::StopCheck};
use dragnet_probe::{Open, ProbeError, Table, TableError, Value};

/// The fate of a damaged table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// The damage changed nothing.
    Unchanged,
    /// The table was refused when it was opened.
    NotOpened(&'static str),
    /// The table was opened, and refused by the check of all checksums. Every answer was right or an error.
    Refused(&'static str),
    /// The table has a part that was altered under a right checksum, and was refused by the check of all
    /// checksums. Answers from that part may be wrong.
    ForgedRefused(&'static str),
    /// The table was altered under right checksums, and accepted. Each answer is a value, and may be wrong:
    /// `verify` refuses it.
    ForgedAccepted,
    /// The table was altered under right checksums, accepted, and is right.
    ForgedRight,
}

/// Damages a small whole table as the bytes say, and asks the damaged table for everything.
///
/// A part of a table is its header, a page of its index, or the bytes of a block. A damaged table keeps these
/// promises:
///
/// * *A part with a wrong checksum* gives no answer. If it is the header or a block of the game, the table is
///   not opened. If it is a page or another block, each question that needs it gets an error, and the check
///   of all checksums fails.
/// * *An unchanged part* under an unchanged header and game gives exactly the answers of the whole table. So
///   a table without a forged part answers right or not at all, and the check of all checksums accepts it
///   only if no byte has changed.
/// * *A forged part*, altered under a right checksum, cannot be recognised by the format. Its answers are
///   errors or values that a table can hold, at most [`MAX_DTW`](dragnet_formats::value::MAX_DTW) plies. A
///   value with the thief to move still agrees with the values after his moves. `verify` takes the table if
///   its values are those of its game, and the game is that of its source; then only.
///
/// No table causes a panic, a hang, or memory out of proportion, and a table that the check accepts answers
/// everything.
///
/// # Panics
/// Panics if a promise is broken.
pub fn table_differential(bytes: &[u8]) {
    damaged(bytes);
}

/// Runs [`table_differential`] and returns the fate of the table.
///
/// # Panics
/// Panics if a promise is broken.
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
    let table = match Open::bytes(file.to_vec()).pursuit() {
        Ok(table) => table,
        Err(error) => {
            assert_ne!(file, whole.file, "the whole table is refused");
            return Fate::NotOpened(kind(&error));
        }
    };
    assert_ne!(seals.header, Seal::Broken, "opened with a wrong checksum");
    let game = worst_of_game(&seals, &table);
    assert_ne!(game, Seal::Broken, "opened with a wrong checksum");
    let answered = if seals.header == Seal::Whole && game == Seal::Whole {
        assert_eq!(file.len(), whole.file.len(), "opened at another length");
        ask_whole(whole, &seals, &table)
    } else {
        ask_forged(&table)
    };
    let is_right = verified(&table);
    let broken = seals.blocks.contains(&Seal::Broken);
    // A table that has never been asked must fail the check in the same way.
    let fresh = Open::bytes(file.to_vec()).pursuit().expect("it was opened before");
    let (found, again) = (table.check_sums(|_| {}), fresh.check_sums(|_| {}));
    assert_eq!(found.as_ref().err().map(kind), again.as_ref().err().map(kind));
    match found {
        Ok(_) => {
            assert!(!broken, "accepted with a wrong checksum");
            let leads_nowhere = table.game(&mut StopCheck::never()).is_err();
            assert!(answered || leads_nowhere, "accepted, and a question has no answer");
            assert!(file == whole.file || seals.forged(), "accepted with another byte");
            match (file == whole.file, is_right) {
                (true, right) => {
                    assert_eq!(right, Some(true), "the whole table is wrong");
                    Fate::Unchanged
                }
                (false, Some(true)) => Fate::ForgedRight,
                (false, _) => Fate::ForgedAccepted,
            }
        }
        Err(error) if seals.forged() => Fate::ForgedRefused(kind(&error)),
        Err(error) => {
            assert_ne!(file, whole.file, "the whole table is refused");
            Fate::Refused(kind(&error))
        }
    }
}

/// Asks a table with an unchanged header for everything. Returns whether it answered every question.
fn ask_whole(whole: &Whole, seals: &Seals, table: &Table) -> bool {
    let forged = seals.forged();
    let mut all = true;
    for &(at, expected) in &whole.values {
        let answer = answer(table, at);
        all &= answer.is_ok();
        if is_stored(table, at) {
            let place = table.numbering().locate(at.world, at.police, at.thief).expect("places");
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

/// Asks a table with a forged header or game for the positions of a few cells. Returns whether it answered
/// every question.
fn ask_forged(table: &Table) -> bool {
    let mut all = true;
    for at in positions(table.header()) {
        let answer = answer(table, at);
        all &= answer.is_ok_and(|value| Value::from_code(value.code()).is_some());
    }
    all
}

/// Returns the worst seal of the blocks of the game, which a reader needs when it opens a table.
fn worst_of_game(seals: &Seals, table: &Table) -> Seal {
    let numbering = table.header().numbering();
    let sections = table.header().sections().filter(|&section| section != Section::Points);
    let blocks = sections.flat_map(|section| numbering.section(section).collect::<Vec<_>>());
    let seal = |block: u64| seals.blocks.get(block as usize).copied().unwrap_or(seals.header);
    blocks.map(|at| seal(at.block)).fold(Seal::Whole, |worst, seal| match (worst, seal) {
        (Seal::Broken, _) | (_, Seal::Broken) => Seal::Broken,
        (Seal::Forged, _) | (_, Seal::Forged) => Seal::Forged,
        _ => Seal::Whole,
    })
}

/// Returns the kind of an error, in a word.
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
        TableError::Table { .. } => "kind of table",
        TableError::Header(_) => "header",
        TableError::Section { section, .. } => section.name(),
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
