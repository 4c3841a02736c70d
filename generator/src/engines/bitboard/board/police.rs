//! The tiles of the police: which rows there are, and which moves lead from one to another.

use super::{
    super::words::{ROWS, ones},
    corridors,
    police_tiles::CellOrder,
};
use crate::{games::pursuit::Pursuit, stop::StopRequest};
use dragnet_formats::{
    cell::Cell,
    game::Places,
    numbering::{EIGHT, Place, Tiling},
    stop::{StopCheck, Stopped},
};
use rayon::prelude::*;
use std::ops::Range;

/// Rows and columns of a tile of one officer.
const SIDE: usize = EIGHT.rows() as usize;
const _: () = assert!(EIGHT.rows() == 8 && EIGHT.cols() == 8);
const _: () = assert!(SIDE * SIDE == ROWS);
/// Rows and columns of a tile with one square around it.
pub(crate) const NEAR_SIDE: usize = SIDE + 2;
/// Squares of a tile with one square around it.
pub(crate) const NEAR: usize = NEAR_SIDE * NEAR_SIDE;

/// One tile of the cells of an officer: up to 64 of them.
#[derive(Debug)]
pub(crate) struct OfficerTile {
    /// The place of the first cell in the order of all cells.
    pub(crate) first: usize,
    /// The number of cells.
    pub(crate) rows: usize,
    /// The tiles with moves into this one, and the rows here into which they lead.
    pub(crate) dependents: Vec<TileRows>,
    /// The squares of the cells, if [`King`] moves are all that there are.
    pub(crate) king: Option<King>,
}

impl OfficerTile {
    /// Returns the places of the cells in the order of all cells.
    #[inline(always)]
    pub(crate) fn range(&self) -> Range<usize> {
        self.first..self.first + self.rows
    }
}

/// A row of the police: one cell of one officer, or one team of several. Rows are in order of their tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PoliceRow {
    pub(crate) tile: u32,
    /// The row's number in its tile.
    at: u8,
}

impl PoliceRow {
    /// Returns the row at `at` in a tile.
    #[inline(always)]
    pub(crate) fn new(tile: u32, at: usize) -> PoliceRow {
        PoliceRow { tile, at: at as u8 }
    }

    /// Returns the row's number in its tile.
    #[inline(always)]
    pub(crate) fn at(self) -> usize {
        usize::from(self.at) % ROWS
    }
}

/// Some rows of one police tile, one bit each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileRows {
    pub(crate) tile: u32,
    pub(crate) rows: u64,
}

/// A police tile from each of whose cells the officer can step to every open square at most one step away,
/// his own included, and nowhere else. The AND over all moves is then taken along the rows and the columns of
/// the tile. Squares are numbered row by row, with the squares around the tile: [`NEAR_SIDE`] to a row.
#[derive(Debug)]
pub(crate) struct King {
    /// The square of each row of the tile.
    pub(crate) squares: Vec<u8>,
    /// The open cells around the tile, by their tiles.
    pub(crate) around: Vec<KingRim>,
}

/// The cells of one tile that stand around another.
#[derive(Debug)]
pub(crate) struct KingRim {
    pub(crate) tile: u32,
    /// For each cell the number of its row in the tile, and its square in [`King`].
    pub(crate) cells: Vec<(u8, u8)>,
}

/// The cells of an officer in tiles, and his moves between them. If he is the only one they are the rows of
/// the police.
#[derive(Debug)]
pub(crate) struct OfficerTiles {
    order: CellOrder,
    /// The row of each cell by its place.
    place_rows: Vec<PoliceRow>,
    pub(crate) tiles: Vec<OfficerTile>,
    /// The row of each cell, by the cell's number in reading order.
    rows: Vec<PoliceRow>,
    /// For each cell of `order` where its part of `steps` begins; one more at the end.
    step_starts: Vec<u32>,
    /// The rows to which there is a move from each cell of `order`.
    steps: Vec<PoliceRow>,
    /// For each cell of `order` where its part of `back` begins; one more at the end.
    back_starts: Vec<u32>,
    /// The rows from which there is a move to each cell of `order`, tile by tile.
    back: Vec<TileRows>,
}

impl OfficerTiles {
    /// Lays out the open cells of the board of `game`, tile after tile of `tiling`. `cells` has all in
    /// reading order, and `places` their tiles of 64 squares.
    ///
    /// # Errors
    /// When the work is to stop.
    pub(crate) fn new(
        game: &Pursuit,
        tiling: &Tiling,
        cells: &[Cell],
        places: &[Place],
        stop: StopRequest,
    ) -> Result<OfficerTiles, Stopped> {
        let ask = || stop.ask();
        let check = &mut StopCheck::new(&ask);
        let walk = corridors::walk(&game.places()[0], game.officers());
        let order = walk.map_or_else(|| CellOrder::new(tiling, places), CellOrder::of_walk);
        let mut rows = vec![PoliceRow::default(); places.len()];
        for (tile, range) in (0..).zip(order.tiles()) {
            for (at, &number) in order.cells(range).iter().enumerate() {
                rows[number as usize] = PoliceRow::new(tile, at);
            }
        }
        let mut numbers = vec![0; places.len()];
        for (number, &reading) in (0..).zip(game.police().reading()) {
            numbers[reading as usize] = number;
        }
        let all = order.cells(0..places.len());
        let numbers: Vec<u32> = all.iter().map(|&reading| numbers[reading as usize]).collect();
        let steps = game.police().moves().renumbered(&numbers, check)?;
        let moves_back = steps.transposed_unless(check)?;
        let row_of = |cell: u32| rows[all[cell as usize] as usize];
        let (mut step_starts, mut step_rows) = (vec![0], Vec::new());
        for cell in 0..places.len() {
            check.steps(2 * steps.of(cell).len())?;
            step_rows.extend(steps.of(cell).iter().map(|&to| row_of(to)));
            step_starts.push(step_rows.len() as u32);
        }
        let (mut back_starts, mut back) = (vec![0], Vec::new());
        for row in 0..places.len() {
            check.steps(4 * moves_back.of(row).len())?;
            // The list rises and the rows of a tile are consecutive: its tiles are runs.
            for from in moves_back.of(row).chunk_by(|&a, &b| row_of(a).tile == row_of(b).tile) {
                let rows = from.iter().map(|&row| 1u64 << row_of(row).at()).sum();
                back.push(TileRows { tile: row_of(from[0]).tile, rows });
            }
            back_starts.push(back.len() as u32);
        }
        let ranges: Vec<Range<usize>> = order.tiles().collect();
        let officer = OfficerTiles {
            place_rows: all.iter().map(|&number| rows[number as usize]).collect(),
            order,
            tiles: Vec::new(),
            rows,
            step_starts,
            steps: step_rows,
            back_starts,
            back,
        };
        let tile = |range: &Range<usize>| match stop.ask() {
            true => Err(Stopped),
            false => Ok(OfficerTile {
                first: range.start,
                rows: range.len(),
                dependents: officer.dependents(range.clone()),
                king: officer.king(&game.places()[0], cells, range.clone()),
            }),
        };
        let tiles = ranges.par_iter().map(tile).collect::<Result<_, _>>()?;
        Ok(OfficerTiles { tiles, ..officer })
    }

    /// Returns the row at a place in the order of all cells.
    #[inline(always)]
    pub(crate) fn row_at(&self, place: usize) -> PoliceRow {
        self.place_rows[place]
    }

    /// Returns the cell at `at` in the order of all cells, by its number in reading order.
    #[inline(always)]
    pub(crate) fn cells(&self, at: usize) -> &[u32] {
        self.order.cells(at..at + 1)
    }

    /// Returns the place of a row in the order of all cells.
    #[inline(always)]
    pub(crate) fn place(&self, row: PoliceRow) -> usize {
        self.order.start(row.tile) + row.at()
    }

    /// Returns the rows to which there is a move from the cell at `at` in the order of all cells.
    #[inline(always)]
    pub(crate) fn steps(&self, at: usize) -> &[PoliceRow] {
        &self.steps[self.step_starts[at] as usize..self.step_starts[at + 1] as usize]
    }

    /// Returns the row of the cell with this number in reading order.
    #[inline(always)]
    pub(crate) fn row(&self, number: u32) -> PoliceRow {
        self.rows[number as usize]
    }

    /// Returns the number of cells.
    pub(crate) fn cell_count(&self) -> usize {
        self.rows.len()
    }

    /// Returns the places, rising, from which there is a move into a tile.
    pub(crate) fn places_into(&self, tile: &OfficerTile) -> Vec<u32> {
        let mut places = Vec::new();
        places.extend(tile.range().flat_map(|place| self.places_before(place as u32)));
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Returns the places from which there is a move to a place.
    #[inline(always)]
    pub(crate) fn places_before(&self, place: u32) -> impl Iterator<Item = u32> {
        self.moves_back(place as usize).iter().flat_map(|from| {
            let first = self.order.start(from.tile) as u32;
            ones(from.rows).map(move |row| first + row as u32)
        })
    }

    /// Returns the rows from which there is a move to the cell at `at` in the order of all cells.
    #[inline(always)]
    pub(crate) fn moves_back(&self, at: usize) -> &[TileRows] {
        &self.back[self.back_starts[at] as usize..self.back_starts[at + 1] as usize]
    }

    /// Returns the tiles with moves into the tile of these rows, with the rows into which they lead.
    fn dependents(&self, tile: Range<usize>) -> Vec<TileRows> {
        let mut dependents: Vec<TileRows> = Vec::new();
        for (at, row) in tile.enumerate() {
            for from in self.moves_back(row) {
                match dependents.iter_mut().find(|other| other.tile == from.tile) {
                    Some(known) => known.rows |= 1 << at,
                    None => dependents.push(TileRows { tile: from.tile, rows: 1 << at }),
                }
            }
        }
        dependents
    }

    /// Returns the squares of a tile's rows if the tile is one of [`King`]. `cells` are all open cells in
    /// reading order.
    fn king(&self, places: &Places, cells: &[Cell], tile: Range<usize>) -> Option<King> {
        let side = SIDE as u16;
        let first = self.row(self.cells(tile.start)[0]).tile;
        let cell_of = |at: usize| cells[self.cells(at)[0] as usize];
        let corner_of = |cell: Cell| (cell.row / side * side, cell.col / side * side);
        let (top, left) = corner_of(cell_of(tile.start));
        let square = |cell: Cell| ((cell.row + 1 - top) * NEAR_SIDE as u16 + (cell.col + 1 - left)) as u8;
        let near = |a: u16, b: u16| a.abs_diff(b) <= 1;
        let mut king = King { squares: Vec::with_capacity(tile.len()), around: Vec::new() };
        let mut around: Vec<PoliceRow> = Vec::new();
        for row in tile.clone() {
            let here = cell_of(row);
            if corner_of(here) != (top, left) {
                return None;
            }
            // As many moves as open squares around, and none that leads further: the two are the same
            // squares.
            let open = squares_around(places, here).filter(|&cell| places.is_place(cell)).count();
            let moves = self.steps(row);
            let reaches = |&to: &PoliceRow| {
                let there = cell_of(self.place(to));
                near(there.row, here.row) && near(there.col, here.col)
            };
            if moves.len() != open || !moves.iter().all(reaches) {
                return None;
            }
            king.squares.push(square(here));
            around.extend(moves.iter().filter(|to| to.tile != first));
        }
        around.sort_unstable();
        around.dedup();
        for rows in around.chunk_by(|a, b| a.tile == b.tile) {
            let cells = rows.iter().map(|&row| (row.at() as u8, square(cell_of(self.place(row)))));
            king.around.push(KingRim { tile: rows[0].tile, cells: cells.collect() });
        }
        Some(king)
    }
}

/// Returns the squares of a grid at most one king's step away from a cell, its own included.
fn squares_around(places: &Places, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
    let beside = |at: u16, length: u16| at.saturating_sub(1)..=(at + 1).min(length - 1);
    let cols = beside(cell.col, places.width());
    beside(cell.row, places.height()).flat_map(move |row| cols.clone().map(move |col| Cell::new(row, col)))
}
