//! How the cells of one officer are cut into police tiles: tile by tile of the table, sparse ones cut anew.

use super::super::words::ROWS;
use dragnet_formats::numbering::{Place, Tiling};
use std::ops::Range;

/// Tiles of 64 squares with a mean of at most so many cells are merged. Cutting them anew takes 7 to 10 % off
/// the solve of mazes (33 cells to a tile) and up to 5 % off that of game maps. Denser tiles keep their
/// square shape, which the AND over king moves needs: losing it costs more than fewer blocks save.
const FEW: usize = 36;

/// The open cells of a board, police tile after police tile.
#[derive(Debug)]
pub(crate) struct CellOrder {
    /// The cells, by their numbers in reading order. A cell's place here is the number of its row.
    cells: Vec<u32>,
    /// For each police tile the number of its first row; one more at the end.
    starts: Vec<u32>,
}

impl CellOrder {
    /// Cuts the cells of each police tile of the table into tiles of up to 64. `places` has for each cell in
    /// reading order its tile of 64 squares: that is the police tile, except where [`FEW`] cells make new
    /// ones.
    pub(crate) fn new(table: &Tiling, places: &[Place]) -> CellOrder {
        let (mut cells, mut starts) = (table.order(), vec![0]);
        for tile in 0..table.tile_count() {
            let range = table.range_of(tile);
            let numbers = &mut cells[range.clone()];
            let mut start = range.start;
            for len in cut(numbers, |&number| places[number as usize].tile) {
                start += len;
                starts.push(start as u32);
            }
        }
        CellOrder { cells, starts }
    }

    /// Cuts the walk through corridors into tiles of 64.
    pub(crate) fn of_walk(walk: Vec<u32>) -> CellOrder {
        let starts = (0..walk.len()).step_by(ROWS).chain([walk.len()]).map(|start| start as u32).collect();
        CellOrder { cells: walk, starts }
    }

    /// Returns the number of tiles.
    #[inline(always)]
    pub(crate) fn tile_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the numbers of each tile's rows.
    pub(crate) fn tiles(&self) -> impl Iterator<Item = Range<usize>> {
        self.starts.windows(2).map(|range| range[0] as usize..range[1] as usize)
    }

    /// Returns the place of a tile's first row in the order of all rows.
    #[inline(always)]
    pub(crate) fn start(&self, tile: u32) -> usize {
        self.starts[tile as usize] as usize
    }

    /// Returns the cells of these rows, by their numbers in reading order.
    #[inline(always)]
    pub(crate) fn cells(&self, rows: Range<usize>) -> &[u32] {
        &self.cells[rows]
    }
}

/// Sorts the cells of one of the table's tiles into police tiles, and returns the number of cells of each.
fn cut(cells: &mut [u32], square_tile: impl Fn(&u32) -> u32) -> Vec<usize> {
    let mut squares: Vec<u32> = cells.iter().map(&square_tile).collect();
    squares.sort_unstable();
    squares.dedup();
    let fewest = cells.len().div_ceil(ROWS);
    if fewest < squares.len() && cells.len() <= FEW * squares.len() {
        // The table's order makes runs of eight rows; tiles of a multiple of eight cut as few of them as can
        // be.
        let most = cells.len().div_ceil(fewest).next_multiple_of(8).min(ROWS);
        cells.chunks(most).map(<[u32]>::len).collect()
    } else {
        cells.sort_by_key(&square_tile);
        cells.chunk_by(|a, b| square_tile(a) == square_tile(b)).map(<[u32]>::len).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::{
        board::make,
        cell::Cell,
        numbering::{SIXTEEN, word_tile},
    };
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #[test]
        fn each_cell_is_in_one_tile_and_sparse_tiles_are_as_few_as_can_be(
            height in 1usize..50, width in 1usize..50, walls in 0.0..0.95f64, seed in any::<u64>(),
        ) {
            let board = make::random(height, width, walls, seed).unwrap();
            let cells: Vec<Cell> = board.open_cells().collect();
            let tiling = Tiling::new(&board.places(), word_tile(&board.places()));
            let places: Vec<Place> = cells.iter().map(|&cell| tiling.place(cell).unwrap()).collect();
            let order = CellOrder::new(&Tiling::new(&board.places(), SIXTEEN), &places);
            let mut seen = order.cells.clone();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..cells.len() as u32).collect::<Vec<_>>());
            prop_assert_eq!(order.starts.last().copied(), Some(cells.len() as u32));
            let table_tile = |number: u32| (cells[number as usize].row / 16, cells[number as usize].col / 16);
            let square_tile = |number: u32| places[number as usize].tile;
            let mut by_table_tile: BTreeMap<_, Vec<&[u32]>> = BTreeMap::new();
            for range in order.tiles() {
                let tile = order.cells(range);
                prop_assert!((1..=ROWS).contains(&tile.len()));
                prop_assert!(tile.iter().all(|&number| table_tile(number) == table_tile(tile[0])));
                by_table_tile.entry(table_tile(tile[0])).or_default().push(tile);
            }
            for tiles in by_table_tile.values() {
                let squares: BTreeSet<u32> =
                    tiles.iter().flat_map(|tile| tile.iter().map(|&number| square_tile(number))).collect();
                let count: usize = tiles.iter().map(|tile| tile.len()).sum();
                let fewest = count.div_ceil(ROWS);
                if fewest < squares.len() && count <= FEW * squares.len() {
                    prop_assert_eq!(tiles.len(), fewest);
                    prop_assert!(tiles[..fewest - 1].iter().all(|tile| tile.len().is_multiple_of(8)));
                } else {
                    prop_assert_eq!(tiles.len(), squares.len());
                    for tile in tiles {
                        prop_assert!(tile.iter().all(|&number| square_tile(number) == square_tile(tile[0])));
                    }
                }
            }
        }
    }
}
