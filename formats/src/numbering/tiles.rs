//! The sizes of tiles.

use crate::game::Places;

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

/// Returns the size of the tiles of `places` whose cells are the bits of a word: [`EIGHT`], or [`ROW`] where
/// all places are in one row, as those of a graph are.
#[must_use]
pub fn word_tile(places: &Places) -> TileSize {
    if places.height() == 1 { ROW } else { EIGHT }
}

/// Returns the size of a tile that is known to be allowed.
pub(crate) const fn tile(rows: u8, cols: u8) -> TileSize {
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
