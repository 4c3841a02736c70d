//! `dragnet verify` of a game table.

use super::{difference, wrong_header};
use crate::{
    failure::Failure,
    game_table::{Values, summary},
    input::graphs::NamedGame,
    output::progress::Progress,
};
use dragnet_formats::{graph::Vertex, value::Value};
use dragnet_generator::{WrongValue, verify::first_wrong};
use dragnet_probe::{GameSummary, GameTable, ProbeError};
use std::{convert::Infallible, path::Path};

/// Checks the whole table, and each value if its game is given, on the threads of the current pool.
pub(super) fn check(table: &GameTable, game: Option<&NamedGame>, path: &Path) -> Result<(), Failure> {
    check_all(table, game, path).map_err(|failure| failure.in_file(path))
}

fn check_all(table: &GameTable, game: Option<&NamedGame>, path: &Path) -> Result<(), Failure> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    table.verify_checksums(|_| ()).map_err(|error: ProbeError| Failure::from(error))?;
    if let Some(named) = game {
        named.check(table.header())?;
        let values = Values::read(table)?;
        let value = |position| Ok::<_, Infallible>(values.of(position));
        if let Ok(Some(wrong)) = first_wrong(&named.game, value) {
            return Err(Failure::Check(anyhow::anyhow!(message(&wrong, named))));
        }
    }
    let progress = Progress::new(&name, "blocks", table.numbering().block_count());
    let derived = summary(table, &progress);
    progress.finish();
    let derived = derived?;
    table.check_unchanged()?;
    match first_difference(table.summary(), &derived) {
        None => Ok(()),
        Some(difference) if game.is_some() => Err(wrong_header(&difference)),
        Some(difference) => {
            Err(Failure::Check(anyhow::anyhow!("the header does not agree with the values: {difference}")))
        }
    }
}

fn message(wrong: &WrongValue, named: &NamedGame) -> String {
    let words = |value| match value {
        Value::Win(dtw) => format!("won in {dtw}"),
        Value::Loss(dtw) => format!("lost in {dtw}"),
        Value::Draw => "drawn".to_owned(),
    };
    let name = named.names.of(wrong.position as Vertex);
    let expected = wrong.expected.map_or_else(|| "too far from its end".to_owned(), words);
    format!("{name}: its successors say that it is {expected}, the table that it is {}", words(wrong.found))
}

/// Returns the first statement of the header that the values contradict.
fn first_difference(stored: &GameSummary, derived: &GameSummary) -> Option<String> {
    const NAMES: [&str; 5] = [
        "won positions",
        "lost positions",
        "drawn positions",
        "plies as the longest of a won position",
        "plies as the longest of a lost position",
    ];
    let numbers = |summary: &GameSummary| {
        let longest = [summary.longest_win, summary.longest_loss].map(u64::from);
        [summary.won, summary.lost, summary.drawn, longest[0], longest[1]]
    };
    let pairs = NAMES.into_iter().zip(numbers(stored).into_iter().zip(numbers(derived)));
    difference(pairs, (stored.digest, derived.digest))
}
