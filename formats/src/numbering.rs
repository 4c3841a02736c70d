//! The number of a position in a table: tiles, blocks and slots, computed and never searched.

mod teams;

pub use teams::{TeamList, TeamPlace, Teams};

use crate::{
    board::{Board, Square},
    cell::Cell,
    pieces::Pieces,
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

    /// A tile of one square.
    pub const ONE: TileSize = TileSize { rows: 1, cols: 1 };

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

    /// Squares of a tile.
    #[must_use]
    pub fn squares(self) -> u64 {
        u64::from(self.rows) * u64::from(self.cols)
    }
}

/// Where a cell stands in a [`Tiling`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the tile among those with an open cell.
    pub tile: u32,
    /// How many open cells the tile has.
    pub size: u32,
    /// Number of the cell among its tile's open cells.
    pub rank: u8,
}

/// A board's open cells in tiles of one size, to find the place of a cell. 2 bytes of memory per square and 12 per tile.
#[derive(Clone, Debug)]
pub struct Tiling {
    /// For each row of the board the number of its first tile in `tiles`.
    rows: Vec<u32>,
    /// For each column of the board what it adds to that.
    cols: Vec<u32>,
    /// All tiles in reading order, those without an open cell included.
    tiles: Vec<Tile>,
    /// For each square its rank in its tile, or [`Tiling::WALL`].
    ranks: Vec<u16>,
    /// Per tile with an open cell how many open cells the tiles before it have; one more entry at the end.
    starts: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tile {
    /// Its number among those with an open cell; of no meaning if it has none.
    number: u32,
    /// Its open cells.
    size: u32,
}

impl Tiling {
    const WALL: u16 = u16::MAX;

    /// The tiles of `board`.
    #[must_use]
    pub fn new(board: &Board, size: TileSize) -> Tiling {
        let (height, width) = (u32::from(board.height()), u32::from(board.width()));
        let (tile_rows, tile_cols) = (u32::from(size.rows), u32::from(size.cols));
        let across = width.div_ceil(tile_cols);
        let rows: Vec<u32> = (0..height).map(|row| row / tile_rows * across).collect();
        let cols: Vec<u32> = (0..width).map(|col| col / tile_cols).collect();
        let mut tiles = vec![Tile::default(); (height.div_ceil(tile_rows) * across) as usize];
        let mut ranks = Vec::with_capacity(board.squares().len());
        for (squares, &row) in board.squares().chunks_exact(width as usize).zip(&rows) {
            for (part, tile) in squares.chunks(tile_cols as usize).zip(&mut tiles[row as usize..]) {
                for &square in part {
                    let open = square != Square::Wall;
                    ranks.push(if open { tile.size as u16 } else { Tiling::WALL });
                    tile.size += u32::from(open);
                }
            }
        }
        let mut starts = vec![0];
        let mut cells = 0;
        for tile in &mut tiles {
            tile.number = starts.len() as u32 - 1;
            cells += tile.size;
            if tile.size > 0 {
                starts.push(cells);
            }
        }
        Tiling { rows, cols, tiles, ranks, starts }
    }

    /// How many tiles [`Tiling::new`] would make, at the cost of a byte per tile in a row.
    #[must_use]
    pub fn count(board: &Board, size: TileSize) -> u32 {
        let (width, tile_cols) = (usize::from(board.width()), usize::from(size.cols));
        let mut open = vec![false; width.div_ceil(tile_cols)];
        let mut count = 0;
        for band in board.squares().chunks(width * usize::from(size.rows)) {
            open.fill(false);
            for row in band.chunks_exact(width) {
                for (open, part) in open.iter_mut().zip(row.chunks(tile_cols)) {
                    *open |= part.iter().any(|&square| square != Square::Wall);
                }
            }
            count += open.iter().filter(|&&open| open).count() as u32;
        }
        count
    }

    /// The number of tiles with an open cell.
    #[must_use]
    #[inline]
    pub fn tile_count(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The number of open cells.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.starts.last().map_or(0, |&cells| cells as usize)
    }

    /// The place of the cell, or `None` for a wall and off the board.
    #[must_use]
    #[inline(always)]
    pub fn place(&self, cell: Cell) -> Option<Place> {
        let (row, col) = (usize::from(cell.row), usize::from(cell.col));
        let tile = self.tiles.get((self.rows.get(row)? + self.cols.get(col)?) as usize)?;
        let rank = *self.ranks.get(row * self.cols.len() + col)?;
        (rank != Tiling::WALL).then_some(Place { tile: tile.number, size: tile.size, rank: rank as u8 })
    }

    /// The open cells of `tile` as places in the list of all open cells, tile after tile.
    ///
    /// # Panics
    /// If there is no such tile.
    #[must_use]
    #[inline]
    pub fn range_of(&self, tile: u32) -> std::ops::Range<usize> {
        self.starts[tile as usize] as usize..self.starts[tile as usize + 1] as usize
    }

    /// The number of open cells of `tile`, or 0 if there is no such tile.
    #[must_use]
    #[inline]
    pub fn size_of(&self, tile: u32) -> u32 {
        match self.starts.get(tile as usize..) {
            Some([start, end, ..]) => end - start,
            _ => 0,
        }
    }

    /// All open cells by their numbers in reading order, tile after tile. Those of one tile are at [`Tiling::range_of`].
    #[must_use]
    pub fn order(&self) -> Vec<u32> {
        let mut order = vec![0; self.cell_count()];
        let mut number = 0;
        for (ranks, row) in self.ranks.chunks_exact(self.cols.len()).zip(&self.rows) {
            for (&rank, col) in ranks.iter().zip(&self.cols).filter(|&(&rank, _)| rank != Tiling::WALL) {
                let tile = self.tiles[(row + col) as usize].number;
                order[self.starts[tile as usize] as usize + usize::from(rank)] = number;
                number += 1;
            }
        }
        order
    }

    /// Bytes of memory that this takes.
    #[must_use]
    pub fn memory(&self) -> usize {
        (self.rows.len() + self.cols.len() + self.starts.len()) * size_of::<u32>()
            + size_of_val(&*self.tiles)
            + size_of_val(&*self.ranks)
    }
}

/// A block: the positions of one police tile and one thief tile, with the police to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockTiles {
    /// The tile of the team.
    pub police: u64,
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
    /// How many slots the block has.
    pub slots: u32,
}

/// The numbering of all positions with the police to move, for one board, two tile sizes and a number of officers.
#[derive(Clone, Debug)]
pub struct Numbering {
    police: Teams,
    thief: Tiling,
}

impl Numbering {
    /// The most slots of a block.
    pub const MAX_SLOTS: u64 = 1 << 16;

    /// The numbering of `board` for `officers` officers in tiles of these sizes, whose blocks have at most
    /// [`Numbering::MAX_SLOTS`] slots: see [`Numbering::check`].
    #[must_use]
    pub fn new(board: &Board, police_tile: TileSize, thief_tile: TileSize, officers: u8) -> Numbering {
        Numbering { police: Teams::new(board, police_tile, officers), thief: Tiling::new(board, thief_tile) }
    }

    /// Whether blocks of these tiles are small enough for `officers` officers.
    ///
    /// # Errors
    /// With the slots that a block might have.
    pub fn check(police_tile: TileSize, thief_tile: TileSize, officers: u8) -> Result<(), SlotsError> {
        let teams = police_tile.squares().saturating_pow(officers.into());
        let found = teams.saturating_mul(thief_tile.squares());
        if found > Numbering::MAX_SLOTS { Err(SlotsError { found }) } else { Ok(()) }
    }

    /// The tiles in which the police is looked up.
    #[must_use]
    #[inline(always)]
    pub fn police(&self) -> &Teams {
        &self.police
    }

    /// The tiles in which the thief is looked up.
    #[must_use]
    #[inline(always)]
    pub fn thief(&self) -> &Tiling {
        &self.thief
    }

    /// How many blocks the table has.
    #[must_use]
    pub fn block_count(&self) -> u64 {
        self.police.tile_count() * u64::from(self.thief.tile_count())
    }

    /// Which tiles block number `block` pairs.
    ///
    /// # Panics
    /// If the board has no open cell.
    #[must_use]
    pub fn tiles(&self, block: u64) -> BlockTiles {
        let thief_tiles = u64::from(self.thief.tile_count());
        BlockTiles { police: block / thief_tiles, thief: (block % thief_tiles) as u32 }
    }

    /// The number of slots of block number `block`, or 0 if there is no such block.
    #[must_use]
    #[inline]
    pub fn slots(&self, block: u64) -> u32 {
        let tiles = self.tiles(block);
        self.police.size_of(tiles.police) * self.thief.size_of(tiles.thief)
    }

    /// Where the position is stored, or `None` if one of the cells is a wall or off the board, or the team has another size.
    #[must_use]
    #[inline]
    pub fn locate(&self, police: impl Into<Pieces>, thief: Cell) -> Option<Location> {
        Some(self.location(self.police.place(&police.into())?, self.thief.place(thief)?))
    }

    /// Where the position is stored whose pieces stand at these places.
    #[must_use]
    #[inline(always)]
    pub fn location(&self, police: TeamPlace, thief: Place) -> Location {
        Location {
            block: police.tile * u64::from(self.thief.tile_count()) + u64::from(thief.tile),
            slot: u32::from(thief.rank) * police.size + police.rank,
            slots: thief.size * police.size,
        }
    }

    /// Bytes of memory that this takes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.police.tiling().memory() + self.thief.memory()
    }
}

/// Tiles that are too large for blocks of a number of officers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected tiles with blocks of at most {} slots, found up to {found}", Numbering::MAX_SLOTS)]
pub struct SlotsError {
    /// The most slots that a block might have.
    pub found: u64,
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
            (pr, pc, tr, tc) in (1u8..6, 1u8..6, 1u8..6, 1u8..6), officers in 1u8..4,
        ) {
            // Few cells for several officers: there are many teams.
            let mut left = if officers == 3 { 9 } else { 25 };
            let squares = walls.iter().map(|&wall| {
                left -= i32::from(!wall);
                if wall || officers > 1 && left < 0 { Square::Wall } else { Square::Open }
            });
            let board = Board::new(height, width, squares.collect()).unwrap();
            let tile = |r, c| TileSize::new(r, c).unwrap();
            let numbering = Numbering::new(&board, tile(pr, pc), tile(tr, tc), officers);
            let cells: Vec<Cell> = board.open_cells().collect();
            let mut order = numbering.police().tiling().order();
            let list = numbering.police().list();
            let (mut seen, mut numbers) = (HashSet::new(), HashSet::new());
            for tile in 0..numbering.police().tile_count() {
                let range = list.range_of(tile);
                let size = range.len() as u32;
                prop_assert_eq!(size, numbering.police().size_of(tile));
                for (rank, team) in (0..).zip(range) {
                    let at: Vec<Cell> = list.cells(team).iter().map(|&number| cells[number as usize]).collect();
                    let place = numbering.police().place(&Pieces::new(&at).unwrap()).unwrap();
                    prop_assert_eq!(place, TeamPlace { tile, size, rank });
                    prop_assert_eq!(list.index(place), team);
                    prop_assert!(list.number(team) < numbering.police().count());
                    prop_assert!(numbers.insert(list.number(team)));
                    for &thief in &cells {
                        let at = numbering.location(place, numbering.thief().place(thief).unwrap());
                        prop_assert!(at.block < numbering.block_count());
                        prop_assert!(at.slot < at.slots);
                        prop_assert_eq!(at.slots, numbering.slots(at.block));
                        prop_assert!(seen.insert((at.block, at.slot)));
                    }
                }
            }
            prop_assert_eq!(list.len(), numbers.len());
            prop_assert_eq!(numbers.len() as u64, numbering.police().count());
            let all: u64 = (0..numbering.block_count()).map(|b| u64::from(numbering.slots(b))).sum();
            prop_assert_eq!(all, seen.len() as u64);
            let tiling = numbering.police().tiling();
            for (number, &cell) in (0..).zip(&cells) {
                let place = tiling.place(cell).unwrap();
                let range = tiling.range_of(place.tile);
                prop_assert_eq!(order[range][usize::from(place.rank)], number);
            }
            order.sort_unstable();
            prop_assert_eq!(Tiling::count(&board, tile(pr, pc)), tiling.tile_count());
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
