//! The number of a position in a table: tiles, blocks and slots, computed and never searched.

use crate::{
    board::{Board, Square},
    cell::Cell,
};

/// Rows and columns of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileSize {
    rows: u8,
    cols: u8,
}

/// A tile size that a table cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a tile of at least 1x1 and at most {} squares, found {rows}x{cols}", TileSize::MAX_SQUARES)]
pub struct TileSizeError {
    /// Rows asked for.
    pub rows: u8,
    /// Columns asked for.
    pub cols: u8,
}

impl TileSize {
    /// The most squares of a tile, so that a rank fits in a byte and a block has at most 65,536 slots.
    pub const MAX_SQUARES: u16 = 256;

    /// A tile of `rows` × `cols` squares.
    ///
    /// # Errors
    /// When a side is 0 or the tile has more than [`TileSize::MAX_SQUARES`] squares.
    pub const fn new(rows: u8, cols: u8) -> Result<TileSize, TileSizeError> {
        let squares = rows as u16 * cols as u16;
        if squares == 0 || squares > TileSize::MAX_SQUARES {
            return Err(TileSizeError { rows, cols });
        }
        Ok(TileSize { rows, cols })
    }

    /// Rows of a tile.
    #[must_use]
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// Columns of a tile.
    #[must_use]
    pub const fn cols(self) -> u8 {
        self.cols
    }
}

/// Where a cell stands in a [`Tiling`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the tile among those with an open cell.
    pub tile: u32,
    /// Number of the cell among its tile's open cells.
    pub rank: u8,
}

/// A board's open cells in tiles of one size. 8 bytes per square.
#[derive(Clone, Debug)]
pub struct Tiling {
    width: u16,
    /// Per square `tile << 8 | rank`, or [`Tiling::WALL`].
    places: Vec<u32>,
    /// Per tile the place of its first cell in `cells`; one more entry at the end.
    starts: Vec<u32>,
    /// Numbers in reading order of the open cells, tile after tile.
    cells: Vec<u32>,
}

impl Tiling {
    const WALL: u32 = u32::MAX;

    /// The tiles of `board`.
    #[must_use]
    pub fn new(board: &Board, size: TileSize) -> Tiling {
        let (height, width) = (usize::from(board.height()), usize::from(board.width()));
        let (rows, cols) = (usize::from(size.rows), usize::from(size.cols));
        let squares = board.squares();
        let mut number = Vec::with_capacity(squares.len());
        let mut count = 0;
        for &square in squares {
            number.push(count);
            count += u32::from(square != Square::Wall);
        }
        let mut places = vec![Tiling::WALL; squares.len()];
        let mut starts = Vec::with_capacity(height.div_ceil(rows) * width.div_ceil(cols) + 1);
        let mut cells = Vec::with_capacity(count as usize);
        starts.push(0);
        for top in (0..height).step_by(rows) {
            for left in (0..width).step_by(cols) {
                let first = cells.len();
                let tile = starts.len() as u32 - 1;
                for row in top..height.min(top + rows) {
                    for i in row * width + left..row * width + width.min(left + cols) {
                        if squares[i] != Square::Wall {
                            places[i] = tile << 8 | (cells.len() - first) as u32;
                            cells.push(number[i]);
                        }
                    }
                }
                if cells.len() > first {
                    starts.push(cells.len() as u32);
                }
            }
        }
        Tiling { width: board.width(), places, starts, cells }
    }

    /// How many tiles [`Tiling::new`] would make, at the cost of a bit per tile.
    #[must_use]
    pub fn count(board: &Board, size: TileSize) -> u32 {
        let across = usize::from(board.width()).div_ceil(size.cols.into());
        let down = usize::from(board.height()).div_ceil(size.rows.into());
        let mut open = vec![0u64; (across * down).div_ceil(64)];
        for cell in board.open_cells() {
            let tile = usize::from(cell.row / u16::from(size.rows)) * across
                + usize::from(cell.col / u16::from(size.cols));
            open[tile / 64] |= 1 << (tile % 64);
        }
        open.iter().map(|word| word.count_ones()).sum()
    }

    /// The number of tiles with an open cell.
    #[must_use]
    pub fn tile_count(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The place of the cell, or `None` for a wall. `cell` must be on the board that was tiled.
    #[must_use]
    #[inline]
    pub fn place(&self, cell: Cell) -> Option<Place> {
        let i = usize::from(cell.row) * usize::from(self.width) + usize::from(cell.col);
        match *self.places.get(i)? {
            Tiling::WALL => None,
            place => Some(Place { tile: place >> 8, rank: place as u8 }),
        }
    }

    /// The numbers in reading order of the open cells of `tile`, rising with their ranks.
    ///
    /// # Panics
    /// If there is no such tile.
    #[must_use]
    #[inline]
    pub fn cells_of(&self, tile: u32) -> &[u32] {
        &self.cells[self.range_of(tile)]
    }

    /// The places of the cells of `tile` in [`Tiling::order`].
    ///
    /// # Panics
    /// If there is no such tile.
    #[must_use]
    #[inline]
    pub fn range_of(&self, tile: u32) -> std::ops::Range<usize> {
        self.starts[tile as usize] as usize..self.starts[tile as usize + 1] as usize
    }

    /// All open cells by their numbers in reading order, tile after tile.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.cells
    }
}

/// A block: the positions of one police tile and one thief tile, with the police to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockTiles {
    /// The police officer's tile.
    pub police: u32,
    /// The thief's tile.
    pub thief: u32,
}

/// A position's place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// Number of the block.
    pub block: u64,
    /// Number of the position's slot in the block.
    pub slot: u32,
}

/// The numbering of all positions with the police to move, for one board and two tile sizes.
#[derive(Clone, Debug)]
pub struct Numbering {
    police: Tiling,
    thief: Tiling,
}

impl Numbering {
    /// The numbering of `board` in tiles of these sizes.
    #[must_use]
    pub fn new(board: &Board, police_tile: TileSize, thief_tile: TileSize) -> Numbering {
        Numbering { police: Tiling::new(board, police_tile), thief: Tiling::new(board, thief_tile) }
    }

    /// The tiles in which the police officer is looked up.
    #[must_use]
    pub fn police(&self) -> &Tiling {
        &self.police
    }

    /// The tiles in which the thief is looked up.
    #[must_use]
    pub fn thief(&self) -> &Tiling {
        &self.thief
    }

    /// How many blocks the table has.
    #[must_use]
    pub fn block_count(&self) -> u64 {
        u64::from(self.police.tile_count()) * u64::from(self.thief.tile_count())
    }

    /// Which tiles block number `block` pairs.
    ///
    /// # Panics
    /// If the board has no open cell.
    #[must_use]
    pub fn tiles(&self, block: u64) -> BlockTiles {
        let thief_tiles = u64::from(self.thief.tile_count());
        BlockTiles { police: (block / thief_tiles) as u32, thief: (block % thief_tiles) as u32 }
    }

    /// The number of slots of block number `block`.
    ///
    /// # Panics
    /// If there is no such block.
    #[must_use]
    pub fn slots(&self, block: u64) -> u32 {
        let tiles = self.tiles(block);
        (self.police.cells_of(tiles.police).len() * self.thief.cells_of(tiles.thief).len()) as u32
    }

    /// Where the position is stored, or `None` if one of the cells is a wall. Both must be on the board.
    #[must_use]
    #[inline]
    pub fn locate(&self, police: Cell, thief: Cell) -> Option<Location> {
        let (p, t) = (self.police.place(police)?, self.thief.place(thief)?);
        let police_cells = self.police.range_of(p.tile).len() as u32;
        Some(Location {
            block: u64::from(p.tile) * u64::from(self.thief.tile_count()) + u64::from(t.tile),
            slot: u32::from(t.rank) * police_cells + u32::from(p.rank),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    proptest! {
        #[test]
        fn every_position_has_a_slot_of_its_own(
            (height, width, walls) in (1usize..12, 1usize..12)
                .prop_flat_map(|(h, w)| (Just(h), Just(w), prop::collection::vec(any::<bool>(), h * w))),
            (pr, pc, tr, tc) in (1u8..6, 1u8..6, 1u8..6, 1u8..6),
        ) {
            let squares = walls.iter().map(|&w| if w { Square::Wall } else { Square::Open }).collect();
            let board = Board::new(height, width, squares).unwrap();
            let tile = |r, c| TileSize::new(r, c).unwrap();
            let numbering = Numbering::new(&board, tile(pr, pc), tile(tr, tc));
            let mut seen = HashSet::new();
            for p in board.open_cells() {
                for t in board.open_cells() {
                    let at = numbering.locate(p, t).unwrap();
                    prop_assert!(at.block < numbering.block_count());
                    prop_assert!(at.slot < numbering.slots(at.block));
                    prop_assert!(seen.insert((at.block, at.slot)));
                }
            }
            let all: u64 = (0..numbering.block_count()).map(|b| u64::from(numbering.slots(b))).sum();
            prop_assert_eq!(all, seen.len() as u64);
            let mut order = numbering.police().order().to_vec();
            order.sort_unstable();
            prop_assert_eq!(Tiling::count(&board, tile(pr, pc)), numbering.police().tile_count());
            prop_assert!(order.iter().copied().eq(0..board.open_count() as u32));
        }
    }

    #[test]
    fn a_tile_has_1_to_256_squares() {
        assert!(TileSize::new(16, 16).is_ok());
        for (rows, cols) in [(0, 8), (8, 0), (16, 17), (255, 255)] {
            assert_eq!(TileSize::new(rows, cols), Err(TileSizeError { rows, cols }));
        }
    }
}
