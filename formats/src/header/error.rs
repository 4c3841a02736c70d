//! The reasons why header bytes are not the header of a pursuit table.

use crate::{
    numbering::{SlotsError, TileSizeError},
    pieces::PiecesError,
};

/// The reason why header bytes are not the header of a pursuit table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// The bytes do not hold the fields.
    #[error("its fields cannot be read: {message}")]
    Fields {
        /// The message of bincode.
        message: String,
    },
    /// More than [`MAX_HEADER_LEN`] bytes: a board with too many squares or edges.
    #[error("board and rules take more than the {MAX_HEADER_LEN} bytes that a header may have")]
    TooLong,
    /// A tile size is impossible.
    #[error(transparent)]
    TileSize(#[from] TileSizeError),
    /// The tiles are too large for so many officers.
    #[error(transparent)]
    Slots(#[from] SlotsError),
    /// More positions than can be counted.
    #[error(
        "{teams} teams of officers and {cells} cells for the thief make more positions than a table can have"
    )]
    TooManyPositions {
        /// The number of teams of officers.
        teams: u64,
        /// The number of cells for the thief.
        cells: u64,
    },
    /// The board has no open cell, so there is no position.
    #[error("the board has no open cell")]
    NoOpenCell,
    /// The outcomes do not add up to the number of positions.
    #[error("expected outcomes of {expected} positions for each side to move, found {found}")]
    Counts {
        /// The number of teams of officers times open cells.
        expected: u64,
        /// The sum in the file.
        found: u64,
    },
    /// A field is impossible.
    #[error("expected {expected}, found {found}")]
    Field {
        /// A text for "expected ...".
        expected: &'static str,
        /// The number in the file.
        found: u64,
    },
    /// There are no pieces of a kind, or too many.
    #[error(transparent)]
    Pieces(#[from] PiecesError),
}

/// The most bytes that a header may have.
pub const MAX_HEADER_LEN: u32 = 1 << 20;
