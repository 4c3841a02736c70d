//! `dragnet verify` of a game table.

use crate::{
    failure::Failure,
    game_table::summary,
    input::{graphs::NamedGame, limits::Memory},
    output::progress::Progress,
};
use dragnet_formats::{graph::Vertex, value::Value};
use dragnet_generator::WrongValue;
use dragnet_probe::GameTable;
use dragnet_verify::{VerifyError, summary_difference, verify_game};
use std::{fmt::Display, path::Path};

/// Verifies the whole table if its game is given, and else checks its checksums and counts.
/// Works on the threads of the current pool.
pub(super) fn check(
    table: &GameTable,
    game: Option<&NamedGame>,
    path: &Path,
    memory: Memory,
) -> Result<(), Failure> {
    let limit = memory.limit();
    let progress = Progress::of_table(path, "blocks", table.numbering().block_count());
    let checked = match game {
        Some(named) => verify_game(table, &named.game, limit, &progress).map_err(|error| match error {
            VerifyError::Value(wrong) => failure(&wrong, &named.names.of(wrong.position as Vertex)),
            VerifyError::Memory { needed, .. } => memory.refused("the check", needed),
            error => named.failure(error),
        }),
        None => check_counts(table, &progress),
    };
    progress.finish();
    checked.map_err(|failure| failure.in_file(path))
}

/// Checks the checksums of a table whose game is not known, and that its values have the counts, the longest
/// wins and the digest of its header.
fn check_counts(table: &GameTable, progress: &Progress) -> Result<(), Failure> {
    table.check_sums(|_| ())?;
    let derived = summary(table, progress)?;
    table.check_unchanged()?;
    match summary_difference(table.summary(), &derived) {
        None => Ok(()),
        Some(difference) => {
            Err(Failure::Check(anyhow::anyhow!("the header does not agree with the values: {difference}")))
        }
    }
}

/// Returns the failure of a table with a wrong value of the position called `name`.
fn failure(wrong: &WrongValue, name: &impl Display) -> Failure {
    let words = |value| match value {
        Value::Win(dtw) => format!("won in {dtw}"),
        Value::Loss(dtw) => format!("lost in {dtw}"),
        Value::Draw => "drawn".to_owned(),
    };
    let expected = wrong.expected.map_or_else(|| "too far from its end".to_owned(), words);
    let found = words(wrong.found);
    Failure::Check(anyhow::anyhow!(
        "{name}: its successors say that it is {expected}, the table that it is {found}"
    ))
}
