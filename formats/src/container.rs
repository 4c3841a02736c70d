//! The file as a whole: preamble, header, index pages and blocks (`FORMAT.md` §2, §5).

pub mod layout;

pub mod index;

mod kind;

mod structure;

pub mod reader;

pub mod writer;

pub use kind::{BlockNumbering, TableHeader, TableKind};
pub use reader::Reader;
pub use structure::{BlockStatistics, Structure};
pub use writer::Writer;

use crate::{codec::BlockError, header::GameHeaderError, header::HeaderError};

/// Why bytes are not a whole, undamaged table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Not a table at all.
    #[error(
        "not a Dragnet table: expected it to begin with the bytes {:02x?}, found {found:02x?}",
        layout::MAGIC
    )]
    Magic {
        /// The first bytes, at most eight.
        found: Vec<u8>,
    },
    /// Of a version that this program does not know.
    #[error(
        "expected format version {}, found {found}{}",
        layout::VERSION,
        if *found > layout::VERSION { ": a newer Dragnet can read it" } else { "" }
    )]
    Version {
        /// The version in the file.
        found: u16,
    },
    /// A field of the preamble that must be zero is not.
    #[error("expected 0 at byte {offset}, found {found}")]
    Reserved {
        /// Where in the file.
        offset: u64,
        /// What is there.
        found: u64,
    },
    /// The file is shorter than it says.
    #[error("the table is cut short: expected {expected} bytes, found {found}")]
    Truncated {
        /// Bytes that it must have, as far as is known.
        expected: u64,
        /// Bytes that there are.
        found: u64,
    },
    /// The file is longer than it says.
    #[error("expected {expected} bytes, found {found}: something follows the table's end")]
    Trailing {
        /// Bytes that it must have.
        expected: u64,
        /// Bytes that there are.
        found: u64,
    },
    /// The header is longer than any header can be.
    #[error("expected a header of at most {} bytes, found {found}", crate::header::MAX_HEADER_LEN)]
    HeaderLength {
        /// The length in the file.
        found: u32,
    },
    /// The preamble or the header has been altered.
    #[error("the header is damaged: expected checksum {expected:08x}, found {found:08x}")]
    HeaderChecksum {
        /// The checksum in the file.
        expected: u32,
        /// That of the bytes.
        found: u32,
    },
    /// A whole header, of a table of another kind.
    #[error("expected the table of {expected}, found that of {found}: {} reads it", found.reader())]
    Kind {
        /// The kind that was to be read.
        expected: TableKind,
        /// The kind that is there.
        found: TableKind,
    },
    /// The header of a pursuit game is whole but says something impossible.
    #[error("the header is wrong: {0}")]
    Header(#[from] HeaderError),
    /// The header of positions by number is whole but says something impossible.
    #[error("the header is wrong: {0}")]
    GameHeader(#[from] GameHeaderError),
    /// A page of the index has been altered.
    #[error("page {page} of the index is damaged: expected checksum {expected:08x}, found {found:08x}")]
    IndexChecksum {
        /// Number of the page.
        page: u64,
        /// The checksum in the file.
        expected: u32,
        /// That of the bytes.
        found: u32,
    },
    /// An index entry that cannot be.
    #[error("the index entry of block {block} is wrong: {entry:016x}")]
    Entry {
        /// Number of the block.
        block: u64,
        /// The entry.
        entry: u64,
    },
    /// A block's bytes are wrong.
    #[error("block {block} is damaged: {source}")]
    Block {
        /// Number of the block.
        block: u64,
        /// What is wrong.
        source: BlockError,
    },
    /// Two blocks share a part of their bytes, or bytes belong to no block.
    #[error("expected the block that begins at byte {expected} of the data, found one at byte {found}")]
    Extents {
        /// Where the extents before it end.
        expected: u64,
        /// Where the next begins, or the data ends.
        found: u64,
    },
}

/// Why a table could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The output refuses.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The header of a pursuit game says something impossible.
    #[error("the header is wrong: {0}")]
    Header(#[from] HeaderError),
    /// The header of positions by number says something impossible.
    #[error("the header is wrong: {0}")]
    GameHeader(#[from] GameHeaderError),
    /// More data than an index entry can point into.
    #[error("the table needs more than {} bytes of blocks", layout::MAX_DATA_LEN)]
    TooMuchData,
    /// Too few or too many blocks were pushed.
    #[error("expected {expected} blocks, found {found}")]
    BlockCount {
        /// Blocks of the header's numbering.
        expected: u64,
        /// Blocks pushed.
        found: u64,
    },
}
