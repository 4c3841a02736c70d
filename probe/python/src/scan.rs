//! Reads and checks whole pursuit tables, one police tile after the other.

use crate::{
    batch::ValueColumns,
    errors::{damaged_error, table_error},
    signals::Signals,
    value::{distance, outcome_code},
};
use dragnet_probe::{Scan, Side, Summary, Table, Value};
use pyo3::prelude::*;
use std::{ops::ControlFlow, path::Path};

/// Returns the values of all positions of a world with `turn` to move: a row for each team in the order of
/// team numbers, a column for each cell of the thief.
pub(crate) fn all_values(
    table: &Table,
    path: Option<&Path>,
    turn: Side,
    world: u32,
) -> PyResult<ValueColumns> {
    let scan = Scan::new(table).map_err(|error| table_error(&error, path))?;
    let cells = scan.cells().len();
    let mut outcomes = vec![0; scan.teams().len() * cells];
    let mut distances = vec![0; scan.teams().len() * cells];
    // Rows have the cells of all worlds.
    let of_world = world as usize * cells..(world as usize + 1) * cells;
    let mut thief_to_move = Vec::new();
    let mut signals = Signals::new();
    for tile in 0..scan.police_tiles() {
        signals.check()?;
        for (team, row) in scan.team_rows(tile).map_err(|error| table_error(&error, path))?.iter() {
            let row = match turn {
                Side::Police => row,
                Side::Thief => {
                    scan.thief_to_move(team, row, &mut thief_to_move)
                        .map_err(|error| table_error(&error, path))?;
                    &thief_to_move
                }
            };
            let start = scan.teams().number(team) as usize * cells;
            let entries = outcomes[start..start + cells].iter_mut().zip(&mut distances[start..start + cells]);
            for ((outcome, dtw), &score) in entries.zip(&row[of_world.clone()]) {
                let value = Value::from_score(score);
                *outcome = outcome_code(value.outcome(turn));
                *dtw = distance(value.dtw());
            }
        }
    }
    Ok((outcomes, distances))
}

/// Checks every checksum, and that the header's counts, longest wins and digest agree with the values.
pub(crate) fn check_sums(table: &Table, path: Option<&Path>) -> PyResult<()> {
    let mut signals = Signals::new();
    let mut interrupted = None;
    let checked = table.check_sums_while(|_, _| match signals.check() {
        Ok(()) => ControlFlow::Continue(()),
        Err(raised) => {
            interrupted = Some(raised);
            ControlFlow::Break(())
        }
    });
    if let Some(raised) = interrupted {
        return Err(raised);
    }
    checked.map_err(|error| table_error(&error, path))?;
    let scan = Scan::new(table).map_err(|error| table_error(&error, path))?;
    let mut found = Summary::default();
    for tile in 0..scan.police_tiles() {
        signals.check()?;
        found.merge(&scan.summary_of_tile(tile).map_err(|error| table_error(&error, path))?);
    }
    let stored = &table.header().summary;
    if found == *stored {
        return Ok(());
    }
    let message = format!("the header contradicts the values: expected {stored:?}, found {found:?}");
    Err(damaged_error(path, &message))
}
