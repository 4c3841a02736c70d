//! `dragnet verify` of a game table.

use crate::{
    failure::Failure,
    game_table::summary,
    input::{graphs::NamedGame, limits::Memory},
    output::progress::Progress,
};
use dragnet_formats::{doors::DoorBoard, graph::Vertex, value::Value};
use dragnet_generator::WrongValue;
use dragnet_probe::GameTable;
use dragnet_verify::{VerifyError, summary_difference, verify_game};
use std::{fmt::Display, path::Path};

/// Verifies the whole table if its game is given or in its header, and else checks its checksums and counts.
/// Works on the threads of the current pool.
pub(super) fn check(
    table: &GameTable,
    game: Option<&NamedGame>,
    path: &Path,
    memory: Memory,
) -> Result<(), Failure> {
    let limit = memory.limit();
    let progress = Progress::of_table(path, "blocks", table.numbering().block_count());
    let checked = match (game, table.header().doors.as_deref()) {
        (Some(_), Some(_)) => {
            Err(Failure::input("--graph is for graphs, and this table is of a board with doors"))
        }
        (Some(named), None) => {
            verify_game(table, &named.game, limit, &progress).map_err(|error| match error {
                VerifyError::Value(wrong) => failure(&wrong, &named.names.of(wrong.position as Vertex)),
                VerifyError::Memory { needed, .. } => memory.refused("the check", needed),
                error => named.failure(error),
            })
        }
        (None, Some(game)) => verify_game(table, game, limit, &progress).map_err(|error| match error {
            VerifyError::Value(wrong) => failure(&wrong, &door_position(game, wrong.position)),
            VerifyError::OtherGame(difference) => {
                Failure::Check(anyhow::anyhow!("the values are not of this board with doors: {difference}"))
            }
            VerifyError::Memory { needed, .. } => memory.refused("the check", needed),
            error => error.into(),
        }),
        (None, None) => check_counts(table, &progress),
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

/// Names a position on a board with doors.
fn door_position(game: &DoorBoard, number: u64) -> String {
    let at = game.position(number).expect("the numbers of a table are those of its game");
    let doors = (game.doors().iter().enumerate()).map(|(door, at_door)| {
        let state = if game.is_open(door, at.keys, at.phase) { "open" } else { "closed" };
        format!("door {} {state}", at_door.cell)
    });
    let doors: Vec<String> = doors.collect();
    format!(
        "police {}, thief {}, {} to move, phase {}, {}",
        at.police,
        at.thief,
        at.turn,
        at.phase,
        doors.join(", ")
    )
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
