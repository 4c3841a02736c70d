//! Which tiles of the thief share a word.
//!
//! Half of a tile of a game map is walls. Two such tiles are laid over one another, one of them moved by some squares if need be, so
//! that no two open cells fall on one bit: an *overlay*. Moves within a tile are by as many bits wherever it lies, so that one
//! shift does them for all tiles of an overlay.

use dragnet_formats::{
    board::Board,
    cell::Cell,
    numbering::{TileSize, Tiling},
};

/// A tile is laid over one of so many overlays that were begun last, or begins one.
const LOOK_BACK: usize = 64;

/// Where the cells of a tile are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seat {
    /// Number of the overlay.
    pub(crate) overlay: u32,
    /// By how many bits it is moved.
    pub(crate) by: i32,
}

/// All tiles of a board, laid over one another.
#[derive(Debug)]
pub(crate) struct Overlays {
    /// By tile.
    seats: Vec<Seat>,
    /// For each overlay the bits that are taken.
    taken: Vec<u64>,
}

impl Overlays {
    /// Those of the tiles of `tiling`, which must be that of `board` in tiles of this size, of at most 64 squares.
    pub(crate) fn new(board: &Board, tiling: &Tiling, size: TileSize) -> Overlays {
        let mut tiles = vec![0u64; tiling.tile_count() as usize];
        for cell in board.open_cells() {
            if let Some(place) = tiling.place(cell) {
                tiles[place.tile as usize] |= 1 << bit(cell, size);
            }
        }
        let mut overlays = Overlays { seats: Vec::with_capacity(tiles.len()), taken: Vec::new() };
        for tile in tiles {
            let seat = overlays.seat(tile, size);
            overlays.seats.push(seat);
        }
        overlays
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.taken.len()
    }

    /// Where the cells of tile number `tile` are.
    pub(crate) fn seat_of(&self, tile: u32) -> Seat {
        self.seats[tile as usize]
    }

    /// Gives a tile with these cells a seat.
    fn seat(&mut self, tile: u64, size: TileSize) -> Seat {
        let first = self.taken.len().saturating_sub(LOOK_BACK);
        let mut moves = None;
        for (overlay, taken) in (0..).zip(&mut self.taken).skip(first) {
            if taken.count_ones() + tile.count_ones() > u64::BITS {
                continue;
            }
            let moves = moves.get_or_insert_with(|| moves_of(tile, size));
            if let Some(&by) = moves.iter().find(|&&by| moved(tile, by) & *taken == 0) {
                *taken |= moved(tile, by);
                return Seat { overlay, by };
            }
        }
        self.taken.push(tile);
        Seat { overlay: self.taken.len() as u32 - 1, by: 0 }
    }
}

/// The bit of a cell in its tile, as long as that is not moved.
pub(super) fn bit(cell: Cell, tile: TileSize) -> u32 {
    let (rows, cols) = (u16::from(tile.rows()), u16::from(tile.cols()));
    u32::from(cell.row % rows * cols + cell.col % cols)
}

/// The bits of `tile` moved by so many.
fn moved(tile: u64, by: i32) -> u64 {
    if by >= 0 { tile << by } else { tile >> -by }
}

/// By how many bits the cells of `tile` can be moved so that all stay in the tile, each in its new row and column; the nearest
/// places first.
fn moves_of(tile: u64, size: TileSize) -> Vec<i32> {
    let (rows, cols) = (i32::from(size.rows()), i32::from(size.cols()));
    let squares = || (0..rows * cols).filter(|&bit| tile >> bit & 1 == 1);
    let span = |length: i32, coordinate: &dyn Fn(i32) -> i32| {
        let (least, greatest) = (squares().map(coordinate).min(), squares().map(coordinate).max());
        -least.unwrap_or(0)..length - greatest.unwrap_or(0)
    };
    let (down, right) = (span(rows, &|bit| bit / cols), span(cols, &|bit| bit % cols));
    let mut moves: Vec<(i32, i32)> =
        down.flat_map(|down| right.clone().map(move |right| (down, right))).collect();
    moves.sort_by_key(|(down, right)| down.abs() + right.abs());
    moves.into_iter().map(|(down, right)| down * cols + right).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{EIGHT, word_tile};
    use dragnet_formats::board::{Square, make};
    use proptest::prelude::*;

    fn overlays(board: &Board) -> (Tiling, Overlays) {
        let tiling = Tiling::new(board, word_tile(board));
        let overlays = Overlays::new(board, &tiling, word_tile(board));
        (tiling, overlays)
    }

    proptest! {
        #[test]
        fn no_two_cells_share_a_bit_and_tiles_are_moved_as_a_whole(
            height in 1usize..40, width in 1usize..40, walls in 0.0..0.95f64, seed in any::<u64>(),
        ) {
            let board = make::random(height, width, walls, seed).unwrap();
            let (tiling, overlays) = overlays(&board);
            let mut taken = vec![0u64; overlays.count()];
            let mut moves = vec![None; tiling.tile_count() as usize];
            for cell in board.open_cells() {
                let tile = tiling.place(cell).unwrap().tile;
                let Seat { overlay, by } = overlays.seat_of(tile);
                let before = bit(cell, EIGHT) as i32;
                let after = before + by;
                prop_assert!((0..64).contains(&after));
                let moved = (after / 8 - before / 8, after % 8 - before % 8);
                prop_assert_eq!(*moves[tile as usize].get_or_insert(moved), moved);
                prop_assert_eq!(taken[overlay as usize] >> after & 1, 0);
                taken[overlay as usize] |= 1 << after;
            }
            prop_assert_eq!(&taken, &overlays.taken);
            prop_assert!(taken.iter().all(|&taken| taken != 0));
        }
    }

    #[test]
    fn thin_tiles_share_words_and_full_ones_do_not() {
        assert_eq!(overlays(&make::open(64, 64).unwrap()).1.count(), 64);
        // A corridor of 64 tiles, in each word eight of them, one below the other.
        assert_eq!(overlays(&make::open(1, 512).unwrap()).1.count(), 8);
        // Two triangles make a square.
        let open = |row, col| if col < 8 { col <= row } else { col - 8 > row };
        let squares = (0..8).flat_map(|row| (0..16).map(move |col| open(row, col)));
        let squares = squares.map(|open| if open { Square::Open } else { Square::Wall }).collect();
        let (_, overlays) = overlays(&Board::new(8, 16, squares).unwrap());
        assert_eq!(overlays.seats, [Seat { overlay: 0, by: 0 }; 2]);
        assert_eq!(overlays.taken, [u64::MAX]);
    }
}
