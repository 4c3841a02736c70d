//! Every position of a table, one row after the other.

use crate::{
    batch::Columns,
    errors::{damaged, of_table},
    signals::Signals,
    value::{code, distance},
};
use dragnet_formats::{
    codec::value_of,
    moves::{MoveTable, Steps},
    numbering::TeamList,
};
use dragnet_probe::{PoliceOnExit, ProbeError, Side, Square, Summary, Table, TableError, Value};
use pyo3::prelude::*;
use std::path::Path;

/// Reads a table block by block and hands out the values of each team of officers against all thief cells. Cells are
/// numbered in reading order over the open ones, teams as the content digest numbers them.
struct Sweep<'a> {
    table: &'a Table,
    path: Option<&'a Path>,
    cells: usize,
    teams: TeamList,
    /// The cells tile by tile, in the thief's tiles.
    thief_order: Vec<u32>,
    exits: Vec<u32>,
    /// Whether the police wins with an officer on an exit.
    police_exits: bool,
    /// The thief's moves.
    moves: MoveTable,
}

impl<'a> Sweep<'a> {
    fn new(table: &'a Table, path: Option<&'a Path>) -> Sweep<'a> {
        let board = table.board();
        let exits = (0..).zip(board.open_cells());
        Sweep {
            table,
            path,
            cells: board.open_count(),
            teams: table.numbering().police().list(),
            thief_order: table.numbering().thief().order(),
            exits: exits
                .filter(|&(_, cell)| board.square(cell) == Some(Square::Exit))
                .map(|(i, _)| i)
                .collect(),
            police_exits: table.rules().police_on_exit == PoliceOnExit::Wins,
            moves: MoveTable::new(board, &Steps::new(table.rules(), Side::Thief)),
        }
    }

    /// Calls `row` with each team, by its place in the list, and the values with the police to move, thief cell by thief cell.
    fn rows(&self, mut row: impl FnMut(usize, &[Value]) -> PyResult<()>) -> PyResult<()> {
        let mut values = Vec::new();
        let mut codes = Vec::new();
        let mut signals = Signals::new();
        for tile in 0..self.table.numbering().police().tile_count() {
            signals.check()?;
            let teams = self.teams.range_of(tile);
            values.clear();
            values.resize(teams.len() * self.cells, Value::Draw);
            self.read(tile, teams.len(), &mut values, &mut codes)
                .map_err(|error| of_table(&error, self.path))?;
            for (team, values) in teams.zip(values.chunks_exact_mut(self.cells)) {
                self.put_ends_right(team, Side::Police, values);
                row(team, values)?;
            }
        }
        Ok(())
    }

    /// Gives the positions of a row that are over their values, with `turn` to move.
    fn put_ends_right(&self, team: usize, turn: Side, row: &mut [Value]) {
        let officers = self.teams.cells(team);
        let caught = Value::terminal(Side::Police, turn);
        if self.police_exits && officers.iter().any(|officer| self.exits.binary_search(officer).is_ok()) {
            row.fill(caught);
        }
        for &exit in &self.exits {
            row[exit as usize] = Value::terminal(Side::Thief, turn);
        }
        for &officer in officers {
            row[officer as usize] = caught;
        }
    }

    /// Puts the stored values of a police tile of so many teams into `values`, a row for each.
    fn read(
        &self,
        tile: u64,
        rows: usize,
        values: &mut [Value],
        codes: &mut Vec<u32>,
    ) -> Result<(), ProbeError> {
        let thief = self.table.numbering().thief();
        for thief_tile in 0..thief.tile_count() {
            let block = tile * u64::from(thief.tile_count()) + u64::from(thief_tile);
            self.table.block_codes(block, codes)?;
            let numbers = &self.thief_order[thief.range_of(thief_tile)];
            for (&number, codes) in numbers.iter().zip(codes.chunks_exact(rows)) {
                for (row, &code) in codes.iter().enumerate() {
                    let value = value_of(code).map_err(|source| TableError::Block { block, source })?;
                    values[row * self.cells + number as usize] = value;
                }
            }
        }
        Ok(())
    }

    /// The values with the thief to move in the same positions as a row that has them with the police to move.
    fn thief_to_move(&self, team: usize, row: &[Value], values: &mut Vec<Value>) {
        let stuck = self.table.rules().stuck;
        values.clear();
        values.extend((0..self.cells).map(|thief| {
            let mut successors = dragnet_formats::value::Successors::default();
            for &to in self.moves.of(thief) {
                successors.add(row[to as usize]);
            }
            successors.value(stuck)
        }));
        self.put_ends_right(team, Side::Thief, values);
    }
}

/// The values of all positions with `turn` to move: a row for each team by its number, a column for each thief cell.
pub(crate) fn all_values(table: &Table, path: Option<&Path>, turn: Side) -> PyResult<Columns> {
    let sweep = Sweep::new(table, path);
    let mut outcomes = vec![0; sweep.teams.len() * sweep.cells];
    let mut distances = vec![0; sweep.teams.len() * sweep.cells];
    let mut thief_to_move = Vec::new();
    sweep.rows(|team, row| {
        let row = match turn {
            Side::Police => row,
            Side::Thief => {
                sweep.thief_to_move(team, row, &mut thief_to_move);
                &thief_to_move
            }
        };
        let number = sweep.teams.number(team) as usize;
        let columns = number * sweep.cells..(number + 1) * sweep.cells;
        let places = outcomes[columns.clone()].iter_mut().zip(&mut distances[columns]);
        for ((outcome, dtw), value) in places.zip(row) {
            *outcome = code(value.outcome(turn));
            *dtw = distance(value.dtw());
        }
        Ok(())
    })?;
    Ok((outcomes, distances))
}

/// Checks every checksum, and counts, longest wins and digest against the values.
pub(crate) fn verify(table: &Table, path: Option<&Path>) -> PyResult<()> {
    table.verify_checksums(|_| ()).map_err(|error| of_table(&error, path))?;
    let sweep = Sweep::new(table, path);
    let mut found = Summary::default();
    let mut thief_to_move = Vec::new();
    sweep.rows(|team, row| {
        sweep.thief_to_move(team, row, &mut thief_to_move);
        let first = sweep.teams.number(team) * sweep.cells as u64;
        for (number, value) in (first..).zip(row) {
            found.add_police_to_move(number, *value);
        }
        thief_to_move.iter().for_each(|&value| found.add_thief_to_move(value));
        Ok(())
    })?;
    let stored = &table.header().summary;
    if found == *stored {
        return Ok(());
    }
    Err(damaged(
        path,
        &format!("its values do not agree with its header: expected {stored:?}, found {found:?}"),
    ))
}
