//! The grid, which does not change while solving: the board cut in tiles of 64 squares, and the moves between
//! them as word operations.

use super::{
    overlay::{CellBit, Overlays},
    police::{PoliceRow, PoliceTile, SingleOfficer},
    thief::Overlay,
    words::ROWS,
};
use crate::games::pursuit::Pursuit;
use dragnet_formats::{cell::Cell, numbering::Place, pieces::Pieces};
use std::ops::Range;

/// The board in police tiles and overlays.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) police: Vec<PoliceTile>,
    /// The thief cells by overlay.
    pub(super) overlays: Vec<Overlay>,
    /// The rows and moves of the police, if it is one officer.
    pub(super) single: Option<SingleOfficer>,
    /// The row of each team, if there are several officers.
    team_rows: Vec<PoliceRow>,
    /// The bit of each thief cell, by the cell's number in reading order.
    pub(super) bits: Vec<CellBit>,
}

impl Grid {
    /// Creates the grid of the board of `game`, whose tiles `overlays` has packed.
    pub(super) fn new(game: &Pursuit, overlays: &Overlays) -> Grid {
        let cells: Vec<Cell> = game.board().open_cells().collect();
        let bits: Vec<CellBit> = cells.iter().map(|&cell| overlays.bit(cell)).collect();
        let reading: Vec<u32> = (0..cells.len() as u32).collect();
        let thief_moves = game.thief_moves(&reading);
        let mut numbers = vec![Vec::new(); overlays.count()];
        for (number, bit) in (0..).zip(&bits) {
            numbers[bit.overlay as usize].push(number);
        }
        let mut grid = Grid {
            police: Vec::new(),
            overlays: (numbers.iter())
                .map(|numbers| Overlay::new(numbers, &thief_moves, game.exits(), &bits))
                .collect(),
            single: None,
            team_rows: Vec::new(),
            bits,
        };
        if game.rules().officers == 1 {
            let places: Vec<Place> = cells.iter().map(|&cell| overlays.place(cell)).collect();
            grid.add_cells(game, &cells, SingleOfficer::new(game, &places));
        } else {
            grid.add_teams(game);
        }
        grid
    }

    /// Adds the police tiles of one officer. `cells` are in reading order.
    fn add_cells(&mut self, game: &Pursuit, cells: &[Cell], single: SingleOfficer) {
        for rows in single.tiles() {
            let team_of = |row: usize| {
                let cell = cells[single.cells(row)[0] as usize];
                let team = game.police().find(&Pieces::one(cell)).expect("each open cell is a team of one");
                team as usize
            };
            let tile = self.police_tile(game, rows.clone(), |row| single.cells(row), team_of);
            self.police.push(PoliceTile {
                dependents: single.dependents(rows.clone()),
                king: single.king(game.board(), cells, rows),
                ..tile
            });
        }
        self.single = Some(single);
    }

    /// Adds the police tiles of several officers: up to 64 teams that follow each other in a police tile of
    /// the table.
    fn add_teams(&mut self, game: &Pursuit) {
        let list = game.police().list();
        for table_tile in 0..game.numbering().police().tile_count() {
            let teams = list.range_of(table_tile);
            for first in teams.clone().step_by(ROWS) {
                let rows = first..teams.end.min(first + ROWS);
                let number = self.police.len() as u32;
                self.team_rows.extend((0..rows.len()).map(|at| PoliceRow::new(number, at)));
                let tile = self.police_tile(game, rows, |row| list.cells(row), |row| row);
                self.police.push(tile);
            }
        }
    }

    /// Creates the tile of `rows`, of which `cells` returns the officers' cells in reading order and
    /// `team_of` the team's place in the list of all.
    fn police_tile<'a>(
        &self,
        game: &Pursuit,
        rows: Range<usize>,
        cells: impl Fn(usize) -> &'a [u32],
        team_of: impl Fn(usize) -> usize,
    ) -> PoliceTile {
        let (mut stuck, mut arrived, mut stands) = (0, 0, Vec::new());
        for (at, row) in rows.clone().enumerate() {
            let team = team_of(row);
            stuck |= u64::from(game.police().stuck(team as u64)) << at;
            arrived |= u64::from(game.police_arrived(team)) << at;
            stands.extend(cells(row).iter().map(|&cell| self.bits[cell as usize].overlay));
        }
        stands.sort_unstable();
        stands.dedup();
        PoliceTile {
            first: rows.start,
            rows: rows.len(),
            stuck,
            arrived,
            stands,
            dependents: Vec::new(),
            king: None,
        }
    }

    /// Returns the number of open cells.
    pub(super) fn cell_count(&self) -> usize {
        self.bits.len()
    }

    /// Returns the row of a team, given its place in the list of all.
    #[inline(always)]
    pub(super) fn row(&self, game: &Pursuit, team: usize) -> PoliceRow {
        if let Some(single) = &self.single {
            return single.row(game.police().list().cells(team)[0]);
        }
        self.team_row(team as u64)
    }

    /// Returns the row of a team of several officers, given its place in the list of all.
    #[inline(always)]
    pub(super) fn team_row(&self, team: u64) -> PoliceRow {
        self.team_rows[team as usize]
    }

    /// Returns the cells of the officers in the row at `row` in the order of all rows, by their numbers in
    /// reading order.
    #[inline(always)]
    fn officers<'a>(&'a self, game: &'a Pursuit, row: usize) -> &'a [u32] {
        match &self.single {
            Some(single) => single.cells(row),
            None => game.police().list().cells(row),
        }
    }

    /// Returns the bits of `overlay` on whose cells an officer of the row at `row` in the order of all rows
    /// stands.
    pub(super) fn captured(&self, game: &Pursuit, row: usize, overlay: usize) -> u64 {
        let mut captured = 0;
        for &cell in self.officers(game, row) {
            let CellBit { overlay: there, bit } = self.bits[cell as usize];
            if there as usize == overlay {
                captured |= 1 << bit;
            }
        }
        captured
    }
}
