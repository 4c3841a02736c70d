//! The tiles of the police: which rows there are, and which moves lead from one to another.

use super::{lane::ROWS, sets::first};
use crate::games::pursuit::Pursuit;
use dragnet_formats::{
    board::Board,
    cell::Cell,
    moves::MoveTable,
    numbering::{EIGHT, Place, Tiling},
};
use std::ops::Range;

/// Rows and columns of a tile of one officer.
const SIDE: usize = EIGHT.rows() as usize;
const _: () = assert!(EIGHT.rows() == 8 && EIGHT.cols() == 8);
/// A tile and one square around it.
pub(super) const NEAR_SIDE: usize = SIDE + 2;
pub(super) const NEAR: usize = NEAR_SIDE * NEAR_SIDE;

/// Tiles are cut anew if they have so many cells each, or fewer. With more, losses of the police take longer in tiles that are
/// no squares than is won by fewer blocks.
const FEW: usize = 36;

/// One tile of the police. For one officer its rows are open cells of a tile of the board, or of some that have few; for several
/// they are up to 64 teams that follow each other in a table.
#[derive(Debug)]
pub(super) struct PoliceTile {
    /// The number of its first row.
    pub(super) first: usize,
    /// How many rows it has.
    pub(super) rows: usize,
    /// Rows without a move.
    pub(super) stuck: u64,
    /// Rows in which the police has won with an officer on an exit.
    pub(super) arrived: u64,
    /// The overlays in which the officers of its rows stand, rising.
    pub(super) stands: Vec<u32>,
    /// The tiles with moves into this one, of one officer.
    pub(super) dependents: Vec<Rows>,
    /// If there is one officer, the cells are those of one tile of the board, and each cell's moves are all open squares at most one step
    /// away, its own included: where they are.
    pub(super) king: Option<King>,
}

impl PoliceTile {
    /// All rows.
    pub(super) fn all(&self) -> u64 {
        first(self.rows)
    }

    /// Their numbers.
    #[inline(always)]
    pub(super) fn range(&self) -> Range<usize> {
        self.first..self.first + self.rows
    }
}

/// A row of a police tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) tile: u32,
    /// Its number in the tile.
    pub(super) at: usize,
}

/// Some rows of a police tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub(super) tile: u32,
    pub(super) rows: u64,
}

/// A police tile laid out on squares, with the squares around it.
#[derive(Debug)]
pub(super) struct King {
    /// For each row its square, counted with those around the tile.
    pub(super) squares: Vec<u8>,
    /// The rows around the tile, by their numbers, each with its square, counted with those around.
    pub(super) around: Vec<(u32, u8)>,
}

/// The rows of one officer: his cells, tile after tile.
#[derive(Debug)]
pub(super) struct Single {
    /// The cells by their numbers in reading order.
    order: Vec<u32>,
    /// For each tile the number of its first row; one more at the end.
    starts: Vec<u32>,
    /// By number in reading order the cell's row.
    rows: Vec<Row>,
    /// The moves, by the numbers of rows.
    pub(super) steps: MoveTable,
    /// For each row the part of `back` with the rows from which there is a move to it.
    back_starts: Vec<u32>,
    back: Vec<Rows>,
}

impl Single {
    /// `places` are those of all cells, by their numbers in reading order, in tiles of 64 squares.
    pub(super) fn new(game: &Pursuit, places: &[Place]) -> Single {
        let (order, starts) = tiles(game.numbering().police().tiling(), places);
        let mut rows = vec![Row::default(); order.len()];
        for (tile, range) in (0..).zip(starts.windows(2)) {
            for (at, &number) in order[range[0] as usize..range[1] as usize].iter().enumerate() {
                rows[number as usize] = Row { tile, at };
            }
        }
        let mut of_game = vec![0; order.len()];
        for (i, &number) in (0..).zip(game.police().reading()) {
            of_game[number as usize] = i;
        }
        let order_there: Vec<u32> = order.iter().map(|&number| of_game[number as usize]).collect();
        let steps = game.police().moves().renumbered(&order_there);
        let moves_back = steps.transposed();
        let tile_of = |row: u32| rows[order[row as usize] as usize].tile;
        let (mut back_starts, mut back) = (vec![0], Vec::new());
        for row in 0..order.len() {
            // The rows of a tile are consecutive.
            for from in moves_back.of(row).chunk_by(|&a, &b| tile_of(a) == tile_of(b)) {
                let tile = tile_of(from[0]);
                let start = starts[tile as usize];
                back.push(Rows { tile, rows: from.iter().map(|&row| 1u64 << (row - start)).sum() });
            }
            back_starts.push(back.len() as u32);
        }
        Single { order, starts, rows, steps, back_starts, back }
    }

    /// The numbers of each tile's rows.
    pub(super) fn tiles(&self) -> impl Iterator<Item = Range<usize>> {
        self.starts.windows(2).map(|range| range[0] as usize..range[1] as usize)
    }

    /// The one cell of row number `row`, by its number in reading order.
    #[inline(always)]
    pub(super) fn cells(&self, row: usize) -> &[u32] {
        &self.order[row..=row]
    }

    /// The row of the cell with this number in reading order.
    #[inline(always)]
    pub(super) fn row(&self, number: u32) -> Row {
        self.rows[number as usize]
    }

    /// The rows from which there is a move to row number `row`.
    #[inline(always)]
    pub(super) fn moves_back(&self, row: usize) -> &[Rows] {
        &self.back[self.back_starts[row] as usize..self.back_starts[row + 1] as usize]
    }

    /// The tiles with moves into the tile of these rows.
    pub(super) fn dependents(&self, range: Range<usize>) -> Vec<Rows> {
        let mut dependents: Vec<Rows> = Vec::new();
        for (at, row) in range.enumerate() {
            for from in self.moves_back(row) {
                match dependents.iter_mut().find(|other| other.tile == from.tile) {
                    Some(known) => known.rows |= 1 << at,
                    None => dependents.push(Rows { tile: from.tile, rows: 1 << at }),
                }
            }
        }
        dependents
    }

    /// See [`PoliceTile::king`]. `cells` are all, in reading order.
    pub(super) fn king(&self, board: &Board, cells: &[Cell], range: Range<usize>) -> Option<King> {
        if board.graph().is_some() {
            return None;
        }
        let side = SIDE as u16;
        let cell_at = |row: usize| cells[self.order[row] as usize];
        let corner = cell_at(range.start);
        let (top, left) = (corner.row / side * side, corner.col / side * side);
        let near = |a: u16, b: u16| a.abs_diff(b) <= 1;
        let mut king = King { squares: Vec::with_capacity(range.len()), around: Vec::new() };
        // Counted from the one above and left of the tile.
        let square = |cell: Cell| ((cell.row + 1 - top) * NEAR_SIDE as u16 + (cell.col + 1 - left)) as u8;
        for row in range.clone() {
            let here = cell_at(row);
            if (here.row / side * side, here.col / side * side) != (top, left) {
                return None;
            }
            // As many moves as open squares around, and none that leads further: those are the same.
            let around = |at: u16, length: u16| at.saturating_sub(1)..=(at + 1).min(length - 1);
            let open = around(here.row, board.height())
                .flat_map(|row| around(here.col, board.width()).map(move |col| Cell::new(row, col)))
                .filter(|&cell| board.is_open(cell))
                .count();
            let moves = self.steps.of(row);
            let reaches = |&to: &u32| {
                let there = cell_at(to as usize);
                near(there.row, here.row) && near(there.col, here.col)
            };
            if moves.len() != open || !moves.iter().all(reaches) {
                return None;
            }
            king.squares.push(square(here));
            let outside = moves.iter().filter(|&&to| !range.contains(&(to as usize)));
            king.around.extend(outside.map(|&to| (to, square(cell_at(to as usize)))));
        }
        king.around.sort_unstable();
        king.around.dedup();
        Some(king)
    }
}

/// The cells of a board by their numbers in reading order, tile after tile, and where the tiles begin. `places` are tiles of up to 64
/// cells. Where those in one tile of the table have few cells they are cut anew, into rows of cells: that is fewer blocks, with as
/// many rows.
fn tiles(table: &Tiling, places: &[Place]) -> (Vec<u32>, Vec<u32>) {
    let (mut order, mut starts) = (table.order(), vec![0]);
    for tile in 0..table.tile_count() {
        let numbers = &mut order[table.range_of(tile)];
        let mut start = table.range_of(tile).start;
        let tile_of = |&number: &u32| places[number as usize].tile;
        let mut own: Vec<u32> = numbers.iter().map(tile_of).collect();
        own.sort_unstable();
        own.dedup();
        let few = numbers.len().div_ceil(ROWS);
        let lengths: Vec<usize> = if few < own.len() && numbers.len() <= FEW * own.len() {
            // Of the table's runs of eight rows as few are cut as can be.
            let most = numbers.len().div_ceil(few).next_multiple_of(8).min(ROWS);
            numbers.chunks(most).map(<[u32]>::len).collect()
        } else {
            numbers.sort_by_key(tile_of);
            numbers.chunk_by(|a, b| tile_of(a) == tile_of(b)).map(<[u32]>::len).collect()
        };
        for len in lengths {
            start += len;
            starts.push(start as u32);
        }
    }
    (order, starts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::{
        board::make,
        numbering::{SIXTEEN, word_tile},
    };
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #[test]
        fn each_cell_is_in_one_tile_and_few_cells_are_in_few_tiles(
            height in 1usize..50, width in 1usize..50, walls in 0.0..0.95f64, seed in any::<u64>(),
        ) {
            let board = make::random(height, width, walls, seed).unwrap();
            let cells: Vec<Cell> = board.open_cells().collect();
            let tiling = Tiling::new(&board, word_tile(&board));
            let places: Vec<Place> = cells.iter().map(|&cell| tiling.place(cell).unwrap()).collect();
            let (order, starts) = tiles(&Tiling::new(&board, SIXTEEN), &places);
            let mut seen = order.clone();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..cells.len() as u32).collect::<Vec<_>>());
            prop_assert_eq!(starts.last().copied(), Some(cells.len() as u32));
            let four = |number: u32| (cells[number as usize].row / 16, cells[number as usize].col / 16);
            let own = |number: u32| places[number as usize].tile;
            let mut fours: BTreeMap<_, Vec<&[u32]>> = BTreeMap::new();
            for range in starts.windows(2) {
                let tile = &order[range[0] as usize..range[1] as usize];
                prop_assert!((1..=ROWS).contains(&tile.len()));
                prop_assert!(tile.iter().all(|&number| four(number) == four(tile[0])));
                fours.entry(four(tile[0])).or_default().push(tile);
            }
            for tiles in fours.values() {
                let all: BTreeSet<u32> = tiles.iter().flat_map(|tile| tile.iter().map(|&number| own(number))).collect();
                let count: usize = tiles.iter().map(|tile| tile.len()).sum();
                let few = count.div_ceil(ROWS);
                if few < all.len() && count <= FEW * all.len() {
                    prop_assert_eq!(tiles.len(), few);
                    prop_assert!(tiles[..few - 1].iter().all(|tile| tile.len().is_multiple_of(8)));
                } else {
                    prop_assert_eq!(tiles.len(), all.len());
                    prop_assert!(tiles.iter().all(|tile| tile.iter().all(|&number| own(number) == own(tile[0]))));
                }
            }
        }
    }
}
