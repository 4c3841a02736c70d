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

/// The places of a grid in tiles, called cells here. The tiles are of one size, or of one for each kind of
/// pieces, whose grids stand one below the other. Takes 2 bytes of memory per square and 12 per tile.
#[derive(Clone, Debug)]
pub struct Tiling {
    width: usize,
    rows: Vec<Row>,
    /// For each kind and each column of the board the number to add to the index of a row's first tile.
    cols: Vec<u32>,
    /// All tiles in reading order, including those without an open cell.
    tiles: Vec<Tile>,
    /// For each square the rank in its tile, or [`Tiling::WALL`].
    ranks: Vec<u16>,
    /// For each tile with an open cell the number of open cells in the tiles before it; one more entry at the
    /// end.
    starts: Vec<u32>,
}

/// A row of the grid.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The index of its first tile in `tiles`.
    tile: u32,
    /// The index of its first column in `cols`.
    cols: u32,
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
        Tiling::of_kinds(places, [(places.height(), size)])
    }

    /// Creates the tiles of places of kinds whose grids stand one below the other: each with its number of
    /// rows and the size of its tiles, one kind's tiles after the other's.
    ///
    /// # Panics
    /// If the kinds have not as many rows as the places.
    #[must_use]
    pub fn of_kinds(places: &Places, kinds: impl IntoIterator<Item = (u16, TileSize)>) -> Tiling {
        let width = usize::from(places.width());
        let (mut rows, mut cols, mut first) = (Vec::with_capacity(places.height().into()), Vec::new(), 0);
        for (height, size) in kinds {
            let (height, tile_rows) = (u32::from(height), u32::from(size.rows()));
            let across = (width as u32).div_ceil(size.cols().into());
            let kind_cols = cols.len() as u32;
            let row = |row: u32| Row { tile: first + row / tile_rows * across, cols: kind_cols };
            rows.extend((0..height).map(row));
            cols.extend((0..width as u32).map(|col| col / u32::from(size.cols())));
            first += height.div_ceil(tile_rows) * across;
        }
        assert_eq!(rows.len(), usize::from(places.height()), "the rows of all kinds");
        let mut tiles = vec![Tile::default(); first as usize];
        let mut ranks = Vec::with_capacity(places.squares().len());
        for (squares, row) in places.squares().chunks_exact(width).zip(&rows) {
            for (&open, col) in squares.iter().zip(&cols[row.cols as usize..]) {
                let tile = &mut tiles[(row.tile + col) as usize];
                ranks.push(if open { tile.size as u16 } else { Tiling::WALL });
                tile.size += u32::from(open);
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
        Tiling { width, rows, cols, tiles, ranks, starts }
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

    /// Returns for each tile with an open cell the number of open cells before it, and that of all.
    pub(super) fn starts(&self) -> &[u32] {
        &self.starts
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
        let (number, col) = (usize::from(cell.row), usize::from(cell.col));
        let row = self.rows.get(number).filter(|_| col < self.width)?;
        let tile = self.tiles.get((row.tile + self.cols.get(row.cols as usize + col)?) as usize)?;
        let rank = *self.ranks.get(number * self.width + col)?;
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
        for (ranks, row) in self.ranks.chunks_exact(self.width).zip(&self.rows) {
            let cols = &self.cols[row.cols as usize..];
            for (&rank, col) in ranks.iter().zip(cols).filter(|&(&rank, _)| rank != Tiling::WALL) {
                let tile = self.tiles[(row.tile + col) as usize].number;
                order[self.starts[tile as usize] as usize + usize::from(rank)] = number;
                number += 1;
            }
        }
        order
    }

    /// Returns the number of bytes of memory that the tiling takes.
    #[must_use]
    pub fn memory(&self) -> usize {
        (self.cols.len() + self.starts.len()) * size_of::<u32>()
            + size_of_val(&*self.rows)
            + size_of_val(&*self.tiles)
            + size_of_val(&*self.ranks)
    }
}
