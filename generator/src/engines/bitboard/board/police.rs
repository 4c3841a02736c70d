//! The tiles of the police: which rows there are. They are the same in every world.

use super::{super::words::ROWS, corridors, police_tiles::CellOrder};
use crate::games::pursuit::Pursuit;
use dragnet_formats::numbering::{Place, Tiling};
use std::ops::Range;

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

/// The cells of an officer in tiles of up to 64. If he is the only one they are the rows of the police.
#[derive(Debug)]
pub(crate) struct OfficerTiles {
    order: CellOrder,
    /// The row of each cell by its place.
    place_rows: Vec<PoliceRow>,
    /// The row of each cell, by the cell's number in reading order.
    rows: Vec<PoliceRow>,
}

impl OfficerTiles {
    /// Lays out the open cells of the board of `game`, tile after tile of `tiling`. `places` has their tiles
    /// of 64 squares, in reading order.
    pub(crate) fn new(game: &Pursuit, tiling: &Tiling, places: &[Place]) -> OfficerTiles {
        let walk = corridors::walk(&game.places()[0], game.officers());
        let order = walk.map_or_else(|| CellOrder::new(tiling, places), CellOrder::of_walk);
        let mut rows = vec![PoliceRow::default(); places.len()];
        for (tile, range) in (0..).zip(order.tiles()) {
            for (at, &number) in order.cells(range).iter().enumerate() {
                rows[number as usize] = PoliceRow::new(tile, at);
            }
        }
        let all = order.cells(0..places.len()).iter();
        OfficerTiles { place_rows: all.map(|&number| rows[number as usize]).collect(), order, rows }
    }

    /// Returns the number of tiles.
    #[inline(always)]
    pub(crate) fn tile_count(&self) -> usize {
        self.order.tile_count()
    }

    /// Returns the places of each tile's cells in the order of all cells.
    pub(crate) fn tiles(&self) -> impl Iterator<Item = Range<usize>> {
        self.order.tiles()
    }

    /// Returns the place of a tile's first cell in the order of all cells.
    #[inline(always)]
    pub(crate) fn first(&self, tile: u32) -> usize {
        self.order.start(tile)
    }

    /// Returns the places of a tile's cells in the order of all cells.
    #[inline(always)]
    pub(crate) fn range(&self, tile: u32) -> Range<usize> {
        self.order.start(tile)..self.order.start(tile + 1)
    }

    /// Returns the row at a place in the order of all cells.
    #[inline(always)]
    pub(crate) fn row_at(&self, place: usize) -> PoliceRow {
        self.place_rows[place]
    }

    /// Returns the cell at a place in the order of all cells, by its number in reading order.
    #[inline(always)]
    pub(crate) fn cell(&self, place: usize) -> u32 {
        self.order.cells(place..place + 1)[0]
    }

    /// Returns the place of a row in the order of all cells.
    #[inline(always)]
    pub(crate) fn place(&self, row: PoliceRow) -> usize {
        self.order.start(row.tile) + row.at()
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
}
