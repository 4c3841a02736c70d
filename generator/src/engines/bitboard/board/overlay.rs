//! Which tiles of the thief's cells share a word.
//!
//! Half of a tile of a game map is walls. Two such tiles are laid over one another, one of them shifted by
//! some rows and columns if need be, so that no two open cells fall on one bit: an *overlay*. A move within a
//! tile changes the bit number by as much wherever the tile is shifted to, so that one word shift makes it
//! for all tiles of an overlay.

use super::corridors;
use crate::{observer::GridSquare, ranks::owners_of};
use dragnet_formats::{
    cell::Cell,
    game::Places,
    numbering::{Place, TileSize, Tiling, word_tile},
};

/// How many of the overlays begun last a tile is tried on before it begins a new one. This bounds the time of
/// packing. The 602 tiles of the map den520d need 513 overlays when looking back on 4, 503 on 16, 494 on 64
/// and 486 on all; on smaller game maps 64 is as good as all.
const LOOK_BACK: usize = 64;

/// The bit of a thief cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellBit {
    pub(crate) overlay: u32,
    /// The number of the bit in the overlay's words.
    pub(crate) bit: u32,
}

/// The overlay on which a tile lies, and how far it is shifted there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TilePlacement {
    overlay: u32,
    offset: Offset,
}

/// The number of rows and columns by which a tile is shifted. What leaves it on one side comes in on the
/// other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Offset {
    down: u8,
    right: u8,
}

/// The thief's cells as bits of words. Cells of one overlay are bits of the same words. Each world has
/// overlays of its own, as many as the others, with the same cells.
#[derive(Debug)]
pub(crate) struct Overlays {
    /// The bit of each cell of the first world, by its number in reading order.
    bits: Vec<CellBit>,
    /// The number of overlays of a world.
    of_world: usize,
    worlds: u32,
    /// Whether the words have the cells of a walk through corridors.
    pub(crate) is_walked: bool,
}

impl Overlays {
    /// Cuts the walk through the thief's places into words if they are corridors and there is one officer,
    /// and otherwise packs the tiles in reading order. The other worlds follow the first.
    pub(crate) fn new(places: &Places, officers: u8, worlds: u32) -> Overlays {
        if let Some(walk) = corridors::walk(places, officers) {
            let mut bits = vec![CellBit { overlay: 0, bit: 0 }; walk.len()];
            for (at, &number) in (0..).zip(&walk) {
                bits[number as usize] = CellBit { overlay: at / u64::BITS, bit: at % u64::BITS };
            }
            return Overlays { bits, of_world: walk.len().div_ceil(64), worlds, is_walked: true };
        }
        let packed = PackedTiles::new(places);
        let bits = places.cells().map(|cell| packed.bit(cell)).collect();
        Overlays { bits, of_world: packed.taken.len(), worlds, is_walked: false }
    }

    /// Returns the number of overlays of all worlds together.
    pub(crate) fn count(&self) -> usize {
        self.worlds as usize * self.of_world
    }

    /// Returns the world of an overlay.
    pub(crate) fn world(&self, overlay: usize) -> u32 {
        (overlay / self.of_world) as u32
    }

    /// Returns the overlay of another world that has the cells of this one.
    pub(crate) fn in_world(&self, world: u32, overlay: usize) -> u32 {
        (world as usize * self.of_world + overlay % self.of_world) as u32
    }

    /// Returns the bit of each cell, by its number in reading order, world after world.
    pub(crate) fn bits(&self) -> Vec<CellBit> {
        let in_world = |world| {
            self.bits
                .iter()
                .map(move |bit| CellBit { overlay: self.in_world(world, bit.overlay as usize), ..*bit })
        };
        (0..self.worlds).flat_map(in_world).collect()
    }

    /// Returns for each overlay of the first world the square of 8×8 in which its first cell of `places`
    /// lies.
    fn squares_of_world(&self, places: &Places) -> Vec<GridSquare> {
        let mut squares = vec![None; self.of_world];
        for (cell, bit) in places.cells().zip(&self.bits) {
            let square = GridSquare { row: cell.row / 8, col: cell.col / 8 };
            squares[bit.overlay as usize].get_or_insert(square);
        }
        squares.into_iter().flatten().collect()
    }

    /// Returns for each overlay the square of 8×8 in which its first cell of `places` lies.
    pub(crate) fn squares(&self, places: &Places) -> Vec<GridSquare> {
        self.squares_of_world(places).repeat(self.worlds as usize)
    }

    /// Returns for each overlay, whose cells lie in `places`, the one of `ranks` ranks that owns it. Overlays
    /// of the same cells belong to one rank.
    pub(crate) fn owners(&self, places: &Places, ranks: usize) -> Vec<usize> {
        owners_of(&self.squares_of_world(places), ranks).repeat(self.worlds as usize)
    }
}

/// The tiles of a board that are as large as a word, laid over one another.
#[derive(Debug)]
struct PackedTiles {
    size: TileSize,
    tiling: Tiling,
    /// Where each tile lies.
    placements: Vec<TilePlacement>,
    /// The bits that are taken in each overlay.
    taken: Vec<u64>,
}

impl PackedTiles {
    fn new(places: &Places) -> PackedTiles {
        let size = word_tile(places);
        let tiling = Tiling::new(places, size);
        let mut tiles = vec![0u64; tiling.tile_count() as usize];
        let mut packed =
            PackedTiles { size, tiling, placements: Vec::with_capacity(tiles.len()), taken: Vec::new() };
        for cell in places.cells() {
            tiles[packed.place(cell).tile as usize] |= 1 << packed.bit_at(cell, Offset::default());
        }
        for tile in tiles {
            let placement = packed.pack(tile);
            packed.placements.push(placement);
        }
        packed
    }

    /// Returns the tile of a place.
    fn place(&self, cell: Cell) -> Place {
        self.tiling.place(cell).expect("a place lies in a tile")
    }

    /// Returns the bit of a place.
    fn bit(&self, cell: Cell) -> CellBit {
        let TilePlacement { overlay, offset } = self.placements[self.place(cell).tile as usize];
        CellBit { overlay, bit: self.bit_at(cell, offset) }
    }

    /// Returns the bit number of a cell whose tile is shifted by `offset`.
    fn bit_at(&self, cell: Cell, offset: Offset) -> u32 {
        let (rows, cols) = (u32::from(self.size.rows()), u32::from(self.size.cols()));
        let row = (u32::from(cell.row) + u32::from(offset.down)) % rows;
        row * cols + (u32::from(cell.col) + u32::from(offset.right)) % cols
    }

    /// Lays a tile with these cells on an overlay that has room for it, or begins a new one.
    fn pack(&mut self, tile: u64) -> TilePlacement {
        let oldest = self.taken.len().saturating_sub(LOOK_BACK);
        let mut shifted = None;
        // The last overlay first: near tiles often change in the same levels, and then a level looks at fewer
        // overlays.
        for (overlay, taken) in self.taken.iter_mut().enumerate().skip(oldest).rev() {
            if taken.count_ones() + tile.count_ones() > u64::BITS {
                continue;
            }
            let shifted = shifted.get_or_insert_with(|| shifted_in_one_piece(tile, self.size));
            if let Some(&(cells, offset)) = shifted.iter().find(|(cells, _)| cells & *taken == 0) {
                *taken |= cells;
                return TilePlacement { overlay: overlay as u32, offset };
            }
        }
        self.taken.push(tile);
        TilePlacement { overlay: self.taken.len() as u32 - 1, offset: Offset::default() }
    }
}

/// Returns the cells of `tile` at each offset at which they stay in one piece, unshifted first. A tile that
/// the edge cuts in two would need more kinds of word shifts for its moves.
fn shifted_in_one_piece(tile: u64, size: TileSize) -> Vec<(u64, Offset)> {
    let (rows, cols) = (size.rows(), size.cols());
    let squares: Vec<(u8, u8)> =
        (0..64).filter(|bit| tile >> bit & 1 == 1).map(|bit| (bit / cols, bit % cols)).collect();
    let mut shifted = Vec::new();
    for down in 0..rows {
        for right in 0..cols {
            let mut wraps = squares.iter().map(|(row, col)| (row + down >= rows, col + right >= cols));
            let first = wraps.next();
            if wraps.all(|wrap| Some(wrap) == first) {
                let bit = |&(row, col): &(u8, u8)| (row + down) % rows * cols + (col + right) % cols;
                let cells = squares.iter().map(|square| 1 << bit(square)).sum();
                shifted.push((cells, Offset { down, right }));
            }
        }
    }
    shifted
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::board::make;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_two_cells_share_a_bit_and_tiles_are_shifted_in_one_piece(
            height in 2usize..40, width in 1usize..40, walls in 0.0..0.95f64, seed in any::<u64>(),
        ) {
            let places = make::random(height, width, walls, seed).unwrap().places();
            let overlays = PackedTiles::new(&places);
            let mut taken = vec![0u64; overlays.taken.len()];
            let mut shifts = vec![None; overlays.tiling.tile_count() as usize];
            for cell in places.cells() {
                let tile = overlays.place(cell).tile;
                let CellBit { overlay, bit } = overlays.bit(cell);
                let shift = (
                    (bit / 8) as i32 - i32::from(cell.row % 8),
                    (bit % 8) as i32 - i32::from(cell.col % 8),
                );
                let first = *shifts[tile as usize].get_or_insert((overlay, shift));
                prop_assert_eq!(first, (overlay, shift));
                prop_assert_eq!(taken[overlay as usize] >> bit & 1, 0);
                taken[overlay as usize] |= 1 << bit;
            }
            prop_assert_eq!(&taken, &overlays.taken);
            prop_assert!(taken.iter().all(|&taken| taken != 0));
        }
    }

    fn count(rows: usize, cols: usize, open: impl Fn(usize, usize) -> bool + Copy) -> usize {
        let squares = (0..rows).flat_map(|row| (0..cols).map(move |col| open(row, col)));
        PackedTiles::new(&Places::new(rows as u16, cols as u16, squares.collect())).taken.len()
    }

    #[test]
    fn thin_tiles_share_words_and_full_ones_do_not() {
        assert_eq!(count(64, 64, |_, _| true), 64);
        // A corridor of 64 tiles, in each word eight of them, one below the other.
        assert_eq!(count(1, 512, |_, _| true), 8);
        // Two triangles make a square.
        assert_eq!(count(8, 16, |row, col| if col < 8 { col <= row } else { col - 8 > row }), 1);
        // Diagonals reach from edge to edge of their tiles, so that none can be shifted in one piece.
        assert_eq!(count(64, 64, |row, col| row == col), 8);
    }
}
