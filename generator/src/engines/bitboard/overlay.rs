//! Which tiles of the thief share a word.
//!
//! Half of a tile of a game map is walls. Two such tiles are laid over one another, one of them moved by some rows and columns if need be,
//! so that no two open cells fall on one bit: an *overlay*. Moves within a tile are by as many bits wherever it lies, so that one
//! shift does them for all tiles of an overlay.

use dragnet_formats::{
    board::Board,
    cell::Cell,
    numbering::{Place, TileSize, Tiling, word_tile},
};

/// A tile is laid over one of so many overlays that were begun last, or begins one.
const LOOK_BACK: usize = 64;

/// A tile of more cells than this is not torn apart: in several pieces it has more kinds of moves.
const TEAR: u32 = 16;

/// Where a cell is among those of the thief.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) overlay: u32,
    /// Its bit in the overlay's words.
    pub(super) bit: u32,
}

/// Where the cells of a tile are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seat {
    overlay: u32,
    moved: Moved,
}

/// By how many rows and columns a tile is moved. What leaves it on one side comes in on the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Moved {
    down: u8,
    right: u8,
}

/// All tiles of a board whose squares are the bits of a word, laid over one another.
#[derive(Debug)]
pub(super) struct Overlays {
    size: TileSize,
    tiling: Tiling,
    /// By tile.
    seats: Vec<Seat>,
    /// For each overlay the bits that are taken.
    taken: Vec<u64>,
}

impl Overlays {
    pub(super) fn new(board: &Board) -> Overlays {
        let size = word_tile(board);
        let tiling = Tiling::new(board, size);
        let mut tiles = vec![0u64; tiling.tile_count() as usize];
        let mut overlays =
            Overlays { size, tiling, seats: Vec::with_capacity(tiles.len()), taken: Vec::new() };
        for cell in board.open_cells() {
            if let Some(place) = overlays.place(cell) {
                tiles[place.tile as usize] |= 1 << overlays.bit_if_moved(cell, Moved::default());
            }
        }
        for tile in tiles {
            let seat = overlays.seat(tile);
            overlays.seats.push(seat);
        }
        overlays
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.taken.len()
    }

    /// Where the cell is among the tiles.
    pub(super) fn place(&self, cell: Cell) -> Option<Place> {
        self.tiling.place(cell)
    }

    /// Where a cell of tile number `tile` is.
    pub(super) fn spot(&self, tile: u32, cell: Cell) -> Spot {
        let Seat { overlay, moved } = self.seats[tile as usize];
        Spot { overlay, bit: self.bit_if_moved(cell, moved) }
    }

    fn bit_if_moved(&self, cell: Cell, moved: Moved) -> u32 {
        let (rows, cols) = (u32::from(self.size.rows()), u32::from(self.size.cols()));
        let row = (u32::from(cell.row) + u32::from(moved.down)) % rows;
        row * cols + (u32::from(cell.col) + u32::from(moved.right)) % cols
    }

    /// Gives a tile with these cells a seat.
    fn seat(&mut self, tile: u64) -> Seat {
        let first = self.taken.len().saturating_sub(LOOK_BACK);
        let mut moves = None;
        for torn in [false, true] {
            if torn && tile.count_ones() > TEAR {
                break;
            }
            // The last first: near tiles often change in the same levels.
            for (overlay, taken) in self.taken.iter_mut().enumerate().skip(first).rev() {
                if taken.count_ones() + tile.count_ones() > u64::BITS {
                    continue;
                }
                let moves = moves.get_or_insert_with(|| moves_of(tile, self.size));
                let fits =
                    |(cells, _, is_torn): &&(u64, Moved, bool)| *is_torn == torn && cells & *taken == 0;
                if let Some(&(cells, moved, _)) = moves.iter().find(fits) {
                    *taken |= cells;
                    return Seat { overlay: overlay as u32, moved };
                }
            }
        }
        self.taken.push(tile);
        Seat { overlay: self.taken.len() as u32 - 1, moved: Moved::default() }
    }
}

/// The cells of `tile` moved in each possible way, not at all first, and whether that tears it apart.
fn moves_of(tile: u64, size: TileSize) -> Vec<(u64, Moved, bool)> {
    let (rows, cols) = (size.rows(), size.cols());
    let squares: Vec<(u8, u8)> =
        (0..64).filter(|bit| tile >> bit & 1 == 1).map(|bit| (bit / cols, bit % cols)).collect();
    let ways = (0..rows).flat_map(|down| (0..cols).map(move |right| Moved { down, right }));
    ways.map(|moved| {
        let to = |&(row, col): &(u8, u8)| (row + moved.down, col + moved.right);
        let cells = squares.iter().map(to).map(|(row, col)| 1 << (row % rows * cols + col % cols));
        let mut around = squares.iter().map(to).map(|(row, col)| (row >= rows, col >= cols));
        let first = around.next();
        (cells.sum(), moved, around.any(|around| Some(around) != first))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::{
        board::{Square, make},
        numbering::EIGHT,
    };
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_two_cells_share_a_bit_and_tiles_are_moved_as_a_whole(
            height in 1usize..40, width in 1usize..40, walls in 0.0..0.95f64, seed in any::<u64>(),
        ) {
            let board = make::random(height, width, walls, seed).unwrap();
            let overlays = Overlays::new(&board);
            let mut taken = vec![0u64; overlays.count()];
            let mut moves = vec![None; overlays.tiling.tile_count() as usize];
            for cell in board.open_cells() {
                let tile = overlays.place(cell).unwrap().tile;
                let Spot { overlay, bit } = overlays.spot(tile, cell);
                let by = |to: u32, from: u16| (to + 8 - u32::from(from) % 8) % 8;
                let moved = (by(bit / 8, cell.row), by(bit % 8, cell.col));
                prop_assert_eq!(*moves[tile as usize].get_or_insert((overlay, moved)), (overlay, moved));
                prop_assert_eq!(taken[overlay as usize] >> bit & 1, 0);
                taken[overlay as usize] |= 1 << bit;
            }
            prop_assert_eq!(&taken, &overlays.taken);
            prop_assert!(taken.iter().all(|&taken| taken != 0));
        }
    }

    fn count(rows: usize, cols: usize, open: impl Fn(usize, usize) -> bool + Copy) -> usize {
        let squares = (0..rows).flat_map(|row| (0..cols).map(move |col| open(row, col)));
        let squares = squares.map(|open| if open { Square::Open } else { Square::Wall }).collect();
        Overlays::new(&Board::new(rows, cols, squares).unwrap()).count()
    }

    #[test]
    fn thin_tiles_share_words_and_full_ones_do_not() {
        assert_eq!(count(64, 64, |_, _| true), 64);
        // A corridor of 64 tiles, in each word eight of them, one below the other.
        assert_eq!(count(1, 512, |_, _| true), 8);
        // Two triangles make a square.
        assert_eq!(count(8, 16, |row, col| if col < 8 { col <= row } else { col - 8 > row }), 1);
        // Diagonals have nowhere to go in one piece, but eight of them fill a square.
        assert_eq!(count(64, 64, |row, col| row == col), 1);
        // Two cells side by side are torn apart by the edge in each of the eight rows.
        let torn = moves_of(0b11, EIGHT).iter().filter(|(.., torn)| *torn).count();
        assert_eq!(torn, 8);
    }
}
