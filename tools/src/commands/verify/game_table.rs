//! `dragnet verify` of a game table.

use super::{difference, wrong_header};
use crate::{
    failure::Failure,
    game_table::{Values, summary},
    input::graphs::NamedGame,
    output::progress::Progress,
};
use dragnet_formats::{doors::DoorBoard, graph::Vertex, value::Value};
use dragnet_generator::{Game, WrongValue, game_table, verify::first_wrong};
use dragnet_probe::{GameHeader, GameSummary, GameTable, ProbeError};
use std::{convert::Infallible, path::Path};

/// Checks the whole table, and each value if its game is given, on the threads of the current pool.
pub(super) fn check(table: &GameTable, game: Option<&NamedGame>, path: &Path) -> Result<(), Failure> {
    check_all(table, game, path).map_err(|failure| failure.in_file(path))
}

fn check_all(table: &GameTable, game: Option<&NamedGame>, path: &Path) -> Result<(), Failure> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    table.verify_checksums(|_| ()).map_err(|error: ProbeError| Failure::from(error))?;
    let doors = table.header().doors.as_deref();
    match (game, doors) {
        (Some(_), Some(_)) => {
            return Err(Failure::input("--graph is for graphs, and this table is of a board with doors"));
        }
        (Some(named), None) => {
            named.check(table.header())?;
            derive_all(table, &named.game, |position| named.names.of(position as Vertex).to_string())?;
        }
        (None, Some(game)) => {
            check_key(table.header(), game)?;
            derive_all(table, game, |position| door_position(game, position))?;
        }
        (None, None) => {}
    }
    let progress = Progress::new(&name, "blocks", table.numbering().block_count());
    let derived = summary(table, &progress);
    progress.finish();
    let derived = derived?;
    table.check_unchanged()?;
    match first_difference(table.summary(), &derived) {
        None => Ok(()),
        Some(difference) if game.is_some() || doors.is_some() => Err(wrong_header(&difference)),
        Some(difference) => {
            Err(Failure::Check(anyhow::anyhow!("the header does not agree with the values: {difference}")))
        }
    }
}

/// Derives each value again from the moves of `game`, whose positions `name` names.
fn derive_all(table: &GameTable, game: &impl Game, name: impl Fn(u64) -> String) -> Result<(), Failure> {
    let values = Values::read(table)?;
    let value = |position| Ok::<_, Infallible>(values.of(position));
    match first_wrong(game, value) {
        Ok(Some(wrong)) => Err(Failure::Check(anyhow::anyhow!(message(&wrong, &name(wrong.position))))),
        Ok(None) => Ok(()),
    }
}

/// Checks that the key in the header is that of the board with doors beside it.
fn check_key(header: &GameHeader, game: &DoorBoard) -> Result<(), Failure> {
    let (found, expected) = (header.key, game_table::key(game));
    if found == expected {
        return Ok(());
    }
    Err(Failure::Check(anyhow::anyhow!(
        "expected the key {expected:016x} of this board with doors, found {found:016x}"
    )))
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

fn message(wrong: &WrongValue, name: &str) -> String {
    let words = |value| match value {
        Value::Win(dtw) => format!("won in {dtw}"),
        Value::Loss(dtw) => format!("lost in {dtw}"),
        Value::Draw => "drawn".to_owned(),
    };
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
