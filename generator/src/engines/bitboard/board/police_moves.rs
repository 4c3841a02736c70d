//! The moves of an officer in one world: which lead from one row to another.

use super::{
    super::words::{ROWS, ones},
    police::{OfficerTiles, PoliceRow, TileRows},
};
use crate::{games::pursuit::Pursuit, solve_error::SolveError, stop::StopRequest};
use dragnet_formats::{
    cell::Cell,
    game::{MoveRows, Places},
    numbering::EIGHT,
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

/// Words of memory that are read and written to find the places before a tile of an open board, with moves
/// of some dozen cells.
const WORDS: usize = 1 << 16;

/// The moves of an officer from and to the cells of one tile.
#[derive(Debug)]
pub(crate) struct TileMoves {
    /// The tiles with moves into this one, and the rows here into which they lead.
    pub(crate) dependents: Vec<TileRows>,
    /// The squares of the cells, if [`King`] moves are all that there are.
    pub(crate) king: Option<King>,
    /// Several officers: the places from which there is a move into this tile, rising.
    pub(crate) into: Vec<u32>,
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

/// The moves of an officer in one world, between the rows of [`OfficerTiles`].
#[derive(Debug)]
pub(crate) struct OfficerMoves {
    /// The world to which the moves lead.
    pub(crate) world_after: u32,
    pub(crate) tiles: Vec<TileMoves>,
    /// For each place where its part of `steps` begins; one more at the end.
    step_starts: Vec<u32>,
    /// The rows to which there is a move from each place.
    steps: Vec<PoliceRow>,
    /// For each place where its part of `back` begins; one more at the end.
    back_starts: Vec<u32>,
    /// The rows from which there is a move to each place, tile by tile.
    back: Vec<TileRows>,
}

impl OfficerMoves {
    /// Returns the moves of an officer of `game` in a world.
    ///
    /// # Errors
    /// When they lead to several worlds, or the work is to stop.
    pub(crate) fn new(
        game: &Pursuit,
        officer: &OfficerTiles,
        world: u32,
        stop: StopRequest,
    ) -> Result<OfficerMoves, SolveError> {
        let ask = || stop.ask();
        let check = &mut StopCheck::new(&ask);
        let (police, count) = (game.police(), officer.cell_count());
        let mut numbers = vec![0; count];
        for (number, &reading) in (0..).zip(police.reading()) {
            numbers[reading as usize] = number;
        }
        let (mut world_after, mut rows, mut row) = (None, MoveRows::new(count, u32::MAX), Vec::new());
        for place in 0..count {
            row.clear();
            for (cell, after) in police.steps(numbers[officer.cell(place) as usize], world) {
                let first = *world_after.get_or_insert(after);
                if first != after {
                    return Err(SolveError::Worlds { world, first, other: after });
                }
                row.push(officer.place(officer.row(police.reading()[cell as usize])) as u32);
            }
            // Sorting looks at each some times.
            check.steps(8 * row.len())?;
            row.sort_unstable();
            rows.push(row.iter().copied()).expect("a game has no more than 2^32 moves");
        }
        let places = rows.finish();
        let places_back = places.transposed_unless(check)?;
        let (mut step_starts, mut steps) = (vec![0], Vec::new());
        for place in 0..count {
            check.steps(2 * places.of(place).len())?;
            steps.extend(places.of(place).iter().map(|&to| officer.row_at(to as usize)));
            step_starts.push(steps.len() as u32);
        }
        let (mut back_starts, mut back) = (vec![0], Vec::new());
        let row_of = |place: u32| officer.row_at(place as usize);
        for place in 0..count {
            check.steps(4 * places_back.of(place).len())?;
            // The list rises and the rows of a tile are consecutive: its tiles are runs.
            for from in places_back.of(place).chunk_by(|&a, &b| row_of(a).tile == row_of(b).tile) {
                let rows = from.iter().map(|&place| 1u64 << row_of(place).at()).sum();
                back.push(TileRows { tile: row_of(from[0]).tile, rows });
            }
            back_starts.push(back.len() as u32);
        }
        let world_after = world_after.unwrap_or(world);
        let moves = OfficerMoves { world_after, tiles: Vec::new(), step_starts, steps, back_starts, back };
        let cells: Vec<Cell> = game.places()[0].cells().collect();
        let ranges: Vec<Range<usize>> = officer.tiles().collect();
        let tile = |range: &Range<usize>| match stop.ask() {
            true => Err(Stopped),
            false => Ok(TileMoves {
                dependents: moves.dependents(range.clone()),
                king: moves.king(officer, &game.places()[0], &cells, range.clone()),
                into: Vec::new(),
            }),
        };
        let mut tiles: Vec<TileMoves> = ranges.par_iter().map(tile).collect::<Result<_, _>>()?;
        if game.officers() > 1 {
            for (tile, range) in tiles.iter_mut().zip(ranges) {
                check.steps(WORDS)?;
                tile.into = moves.places_into(officer, range);
            }
        }
        Ok(OfficerMoves { tiles, ..moves })
    }

    /// Returns the rows to which there is a move from a place.
    #[inline(always)]
    pub(crate) fn steps(&self, place: usize) -> &[PoliceRow] {
        &self.steps[self.step_starts[place] as usize..self.step_starts[place + 1] as usize]
    }

    /// Returns the rows from which there is a move to a place.
    #[inline(always)]
    pub(crate) fn moves_back(&self, place: usize) -> &[TileRows] {
        &self.back[self.back_starts[place] as usize..self.back_starts[place + 1] as usize]
    }

    /// Returns the places from which there is a move to a place.
    #[inline(always)]
    pub(crate) fn places_before(&self, officer: &OfficerTiles, place: u32) -> impl Iterator<Item = u32> {
        self.moves_back(place as usize).iter().flat_map(|from| {
            let first = officer.first(from.tile) as u32;
            ones(from.rows).map(move |row| first + row as u32)
        })
    }

    /// Returns the places, rising, from which there is a move into the tile of these places.
    fn places_into(&self, officer: &OfficerTiles, tile: Range<usize>) -> Vec<u32> {
        let mut places = Vec::new();
        places.extend(tile.flat_map(|place| self.places_before(officer, place as u32)));
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Returns the tiles with moves into the tile of these places, with the rows into which they lead.
    fn dependents(&self, tile: Range<usize>) -> Vec<TileRows> {
        let mut dependents: Vec<TileRows> = Vec::new();
        for (at, place) in tile.enumerate() {
            for from in self.moves_back(place) {
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
    fn king(
        &self,
        officer: &OfficerTiles,
        places: &Places,
        cells: &[Cell],
        tile: Range<usize>,
    ) -> Option<King> {
        let side = SIDE as u16;
        let first = officer.row_at(tile.start).tile;
        let cell_of = |place: usize| cells[officer.cell(place) as usize];
        let corner_of = |cell: Cell| (cell.row / side * side, cell.col / side * side);
        let (top, left) = corner_of(cell_of(tile.start));
        let square = |cell: Cell| ((cell.row + 1 - top) * NEAR_SIDE as u16 + (cell.col + 1 - left)) as u8;
        let near = |a: u16, b: u16| a.abs_diff(b) <= 1;
        let mut king = King { squares: Vec::with_capacity(tile.len()), around: Vec::new() };
        let mut around: Vec<PoliceRow> = Vec::new();
        for place in tile.clone() {
            let here = cell_of(place);
            if corner_of(here) != (top, left) {
                return None;
            }
            // As many moves as open squares around, and none that leads further: the two are the same
            // squares.
            let open = squares_around(places, here).filter(|&cell| places.is_place(cell)).count();
            let moves = self.steps(place);
            let reaches = |&to: &PoliceRow| {
                let there = cell_of(officer.place(to));
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
            let cells = rows.iter().map(|&row| (row.at() as u8, square(cell_of(officer.place(row)))));
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
