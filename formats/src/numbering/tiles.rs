//! The sizes of tiles, and the sizes that a table has.

use crate::{board::Board, codec::Favour};

/// The number of rows and columns of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileSize {
    rows: u8,
    cols: u8,
}

/// A tile size that a table cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a tile of at least 1x1 and at most {} squares, found {rows}x{cols}", TileSize::MAX_SQUARES)]
pub struct TileSizeError {
    /// The number of rows asked for.
    pub rows: u8,
    /// The number of columns asked for.
    pub cols: u8,
}

impl TileSize {
    /// The most squares of a tile, so that a rank fits in a byte and a block has at most 65,536 slots.
    pub const MAX_SQUARES: u16 = 256;

    /// The size of a tile of one square.
    pub const ONE: TileSize = TileSize { rows: 1, cols: 1 };

    /// Creates the size of a tile of `rows` × `cols` squares.
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

    /// Returns the number of rows of a tile.
    #[must_use]
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// Returns the number of columns of a tile.
    #[must_use]
    pub const fn cols(self) -> u8 {
        self.cols
    }

    /// Returns the number of squares of a tile.
    #[must_use]
    pub fn squares(self) -> u64 {
        u64::from(self.rows) * u64::from(self.cols)
    }
}

/// The most slots of a block.
pub(super) const MAX_SLOTS: u64 = 1 << 16;

/// Tile sizes that are too large for a number of officers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected tiles with blocks of at most {MAX_SLOTS} slots, found up to {found}")]
pub struct SlotsError {
    /// The most slots that a block might have.
    pub found: u64,
}

/// The size of tiles of 8×8 squares, whose cells are the bits of a word.
pub const EIGHT: TileSize = tile(8, 8);
/// The size of tiles of 16×16 squares.
pub const SIXTEEN: TileSize = tile(16, 16);
/// The size of tiles of 64 vertices of a graph, which are the bits of a word.
pub const ROW: TileSize = tile(1, 64);

/// Returns the size of the tiles on `board` whose cells are the bits of a word: [`EIGHT`], or [`ROW`] on a
/// graph.
#[must_use]
pub fn word_tile(board: &Board) -> TileSize {
    if board.graph().is_some() { ROW } else { EIGHT }
}

/// Returns the sizes of the police's and the thief's tiles in a table of `board` with this many officers.
///
/// Large police tiles compress better: 16×16 × 8×8 takes 0.40 bits per position of a random 64×64 board at
/// zstd level 4, and 8×8 × 8×8 takes 0.51. Small ones are quicker to check at the first touch and need
/// narrower indices when they are read in place: 2.26 bits per position instead of 2.76. Several officers
/// share the slots that a block can have.
///
/// ```
/// use dragnet_formats::{board::make, codec::Favour, numbering::{EIGHT, SIXTEEN, tile_sizes}};
///
/// let board = make::open(20, 30)?;
/// assert_eq!(tile_sizes(&board, 1, Favour::Size), (SIXTEEN, EIGHT));
/// assert_eq!(tile_sizes(&board, 1, Favour::Speed), (EIGHT, EIGHT));
/// # Ok::<(), dragnet_formats::board::BoardError>(())
/// ```
#[must_use]
pub fn tile_sizes(board: &Board, officers: u8, favour: Favour) -> (TileSize, TileSize) {
    let on_squares = match (officers, favour) {
        (0 | 1, Favour::Speed) => EIGHT,
        (0 | 1, Favour::Size) => SIXTEEN,
        (2, _) => tile(4, 4),
        (3, _) => tile(2, 4),
        (4 | 5, _) => tile(2, 2),
        (_, _) => tile(1, 2),
    };
    if board.graph().is_none() {
        return (on_squares, EIGHT);
    }
    // 256 does not fit a byte, and 255 would split a word.
    (tile(1, on_squares.squares().min(192) as u8), ROW)
}

const fn tile(rows: u8, cols: u8) -> TileSize {
    match TileSize::new(rows, cols) {
        Ok(size) => size,
        Err(_) => panic!("a tile of at most 256 squares"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_of_0_or_more_than_256_squares_are_refused() {
        assert!(TileSize::new(16, 16).is_ok());
        for (rows, cols) in [(0, 8), (8, 0), (16, 17), (255, 255)] {
            assert_eq!(TileSize::new(rows, cols), Err(TileSizeError { rows, cols }));
        }
    }
}
