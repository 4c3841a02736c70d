//! Errors in the bytes of a block.

use crate::value::{MAX_DTW, Value};

/// A block's bytes are not what its index entry says they are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockError {
    /// The block has another length than its own fields ask for.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// Bytes that the block's own fields ask for.
        expected: usize,
        /// Bytes that there are.
        found: usize,
    },
    /// The checksum in the file is not the checksum of the bytes.
    #[error("expected checksum {expected:08x}, found {found:08x}: the bytes have been altered")]
    Checksum {
        /// The checksum in the file.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// A field has a value that it may not have.
    #[error("expected {expected}, found {found}")]
    Field {
        /// The values that are allowed.
        expected: &'static str,
        /// The value that is there.
        found: u64,
    },
    /// The codes of the palette do not rise.
    #[error("the palette does not rise at entry {entry}")]
    Palette {
        /// The first entry that is not greater than the one before.
        entry: usize,
    },
    /// A slot's index is not in the palette.
    #[error("slot {slot} has index {index}, and the palette has {entries} entries")]
    Index {
        /// The slot.
        slot: u32,
        /// The slot's index.
        index: u16,
        /// Length of the palette.
        entries: usize,
    },
    /// A code stands for a distance beyond the limit.
    #[error("code {code} stands for a distance of more than {MAX_DTW} plies")]
    Code {
        /// The code.
        code: u32,
    },
    /// Zstandard refuses the frame.
    #[error("zstd: {message}")]
    Zstd {
        /// The message of the library.
        message: String,
    },
    /// The system refuses the memory that zstd needs to decompress the block. The block may be sound.
    #[error("the system refuses the memory to decompress it")]
    OutOfMemory,
    /// The block is compressed with zstd, and this build has no zstd.
    #[error(
        "expected a packed block, found one compressed with zstd: this build has no zstd and cannot read tables \
         optimised for size; enable the feature `zstd`, or pack the table for speed"
    )]
    NoZstd,
}

/// Returns the value that a stored code stands for.
///
/// # Errors
/// [`BlockError::Code`] if the distance is beyond [`MAX_DTW`].
#[inline]
pub fn value_of(code: u32) -> Result<Value, BlockError> {
    Value::from_code(code).ok_or(BlockError::Code { code })
}
