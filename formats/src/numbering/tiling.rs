//! The tiles of a board, and the places of cells in them.

use super::tiles::TileSize;
use crate::{cell::Cell, game::Places};

/// The place of a cell in a [`Tiling`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the tile among those with an open cell.
    pub tile: u32,
    /// The number of open cells of the tile.
    pub size: u32,
    /// The number of the cell among its tile's open cells.
    pub rank: u8,
}

/// The places of a grid in tiles of one size, called cells here. Takes 2 bytes of memory per square and 12
/// per tile.
#[derive(Clone, Debug)]
pub struct Tiling {
    /// For each row of the board the index of its first tile in `tiles`.
    rows: Vec<u32>,
    /// For each column of the board the number to add to that index.
    cols: Vec<u32>,
    /// All tiles in reading order, including those without an open cell.
    tiles: Vec<Tile>,
    /// For each square the rank in its tile, or [`Tiling::WALL`].
    ranks: Vec<u16>,
    /// For each tile with an open cell the number of open cells in the tiles before it; one more entry at the
    /// end.
    starts: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tile {
    /// The tile's number among those with an open cell. Has no meaning if the tile has none.
    number: u32,
    /// The number of open cells.
    size: u32,
}

impl Tiling {
    const WALL: u16 = u16::MAX;

    /// Creates the tiles of these places.
    #[must_use]
    pub fn new(places: &Places, size: TileSize) -> Tiling {
        let (height, width) = (u32::from(places.height()), u32::from(places.width()));
        let (tile_rows, tile_cols) = (u32::from(size.rows()), u32::from(size.cols()));
        let across = width.div_ceil(tile_cols);
        let rows: Vec<u32> = (0..height).map(|row| row / tile_rows * across).collect();
        let cols: Vec<u32> = (0..width).map(|col| col / tile_cols).collect();
        let mut tiles = vec![Tile::default(); (height.div_ceil(tile_rows) * across) as usize];
        let mut ranks = Vec::with_capacity(places.squares().len());
        for (squares, &row) in places.squares().chunks_exact(width as usize).zip(&rows) {
            for (part, tile) in squares.chunks(tile_cols as usize).zip(&mut tiles[row as usize..]) {
                for &open in part {
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

    /// Returns the number of tiles that [`Tiling::new`] would make, at the cost of a byte per tile in a row.
    #[must_use]
    pub fn count(places: &Places, size: TileSize) -> u32 {
        let (width, tile_cols) = (usize::from(places.width()), usize::from(size.cols()));
        let mut open = vec![false; width.div_ceil(tile_cols)];
        let mut count = 0;
        for band in places.squares().chunks(width * usize::from(size.rows())) {
            open.fill(false);
            for row in band.chunks_exact(width) {
                for (open, part) in open.iter_mut().zip(row.chunks(tile_cols)) {
                    *open |= part.contains(&true);
                }
            }
            count += open.iter().filter(|&&open| open).count() as u32;
        }
        count
    }

    /// Returns the number of tiles with an open cell.
    #[must_use]
    #[inline]
    pub fn tile_count(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// Returns the number of open cells.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.starts[self.starts.len() - 1] as usize
    }

    /// Returns the place of the cell, or `None` for a wall and off the board.
    #[must_use]
    #[inline(always)]
    pub fn place(&self, cell: Cell) -> Option<Place> {
        let (row, col) = (usize::from(cell.row), usize::from(cell.col));
        let tile = self.tiles.get((self.rows.get(row)? + self.cols.get(col)?) as usize)?;
        let rank = *self.ranks.get(row * self.cols.len() + col)?;
        (rank != Tiling::WALL).then_some(Place { tile: tile.number, size: tile.size, rank: rank as u8 })
    }

    /// Returns the indices of the open cells of `tile` in the list of all open cells, tile after tile.
    ///
    /// # Panics
    /// If there is no such tile.
    #[must_use]
    #[inline]
    pub fn range_of(&self, tile: u32) -> std::ops::Range<usize> {
        self.starts[tile as usize] as usize..self.starts[tile as usize + 1] as usize
    }

    /// Returns the number of open cells of `tile`, or 0 if there is no such tile.
    #[must_use]
    #[inline]
    pub fn size_of(&self, tile: u32) -> u32 {
        match self.starts.get(tile as usize..) {
            Some([start, end, ..]) => end - start,
            _ => 0,
        }
    }

    /// Returns the numbers of all open cells in reading order, tile after tile. The cells of a tile are at
    /// [`Tiling::range_of`].
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

    /// Returns the number of bytes of memory that the tiling takes.
    #[must_use]
    pub fn memory(&self) -> usize {
        (self.rows.len() + self.cols.len() + self.starts.len()) * size_of::<u32>()
            + size_of_val(&*self.tiles)
            + size_of_val(&*self.ranks)
    }
}
