//! The reasons why a table cannot be read or written.

use super::{
    kind::TableKind,
    layout::{MAGIC, MAX_DATA_LEN, VERSION},
};
use crate::{
    codec::BlockError,
    game::ListsError,
    header::{GameHeaderError, HeaderError, MAX_HEADER_LEN, Section},
};

/// The reason why bytes are not a whole, undamaged table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The bytes are not a table.
    #[error("not a Dragnet table: expected it to begin with the bytes {:02x?}, found {found:02x?}", MAGIC)]
    Magic {
        /// The first bytes, at most eight.
        found: Vec<u8>,
    },
    /// The table has a version that this crate does not know.
    #[error(
        "expected format version {}, found {found}{}",
        VERSION,
        if *found > VERSION { ": a newer Dragnet can read it" } else { "" }
    )]
    Version {
        /// The version in the file.
        found: u16,
    },
    /// The header is of a table that this crate does not know.
    #[error("expected table 0 (pursuit) or 1 (a game whose positions are numbers), found {found}")]
    Table {
        /// The number in the file.
        found: u32,
    },
    /// A field of the preamble that must be zero is not.
    #[error("expected 0 at byte {offset}, found {found}")]
    Reserved {
        /// The place in the file.
        offset: u64,
        /// The value found there.
        found: u64,
    },
    /// The file is shorter than it says.
    #[error("the table is cut short: expected {expected} bytes, found {found}")]
    Truncated {
        /// The number of bytes that the file must have, as far as is known.
        expected: u64,
        /// The number of bytes that there are.
        found: u64,
    },
    /// The file is longer than it says.
    #[error("expected {expected} bytes, found {found}: something follows the table's end")]
    Trailing {
        /// The number of bytes that the file must have.
        expected: u64,
        /// The number of bytes that there are.
        found: u64,
    },
    /// The header is longer than any header can be.
    #[error("expected a header of at most {} bytes, found {found}", MAX_HEADER_LEN)]
    HeaderLength {
        /// The length in the file.
        found: u32,
    },
    /// The preamble or the header has been altered.
    #[error("the header is damaged: expected checksum {expected:08x}, found {found:08x}")]
    HeaderChecksum {
        /// The checksum in the file.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// The header is whole, and of the other kind of table.
    #[error("expected {expected}, found {found}: open it as {found}")]
    Kind {
        /// The kind that was to be read.
        expected: TableKind,
        /// The kind that is there.
        found: TableKind,
    },
    /// A section of a pursuit table is whole but says something impossible.
    #[error("{} are wrong: {source}", section.name())]
    Section {
        /// The section.
        section: Section,
        /// The reason.
        source: ListsError,
    },
    /// The header of a pursuit table is whole but says something impossible.
    #[error("the header is wrong: {0}")]
    Header(#[from] HeaderError),
    /// The header of a game table is whole but says something impossible.
    #[error("the header is wrong: {0}")]
    GameHeader(#[from] GameHeaderError),
    /// A page of the index has been altered.
    #[error("page {page} of the index is damaged: expected checksum {expected:08x}, found {found:08x}")]
    IndexChecksum {
        /// The number of the page.
        page: u64,
        /// The checksum in the file.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// An index entry is impossible.
    #[error("the index entry of block {block} is wrong: {entry:016x}")]
    Entry {
        /// The number of the block.
        block: u64,
        /// The entry.
        entry: u64,
    },
    /// The bytes of a block are wrong.
    #[error("block {block} is damaged: {source}")]
    Block {
        /// The number of the block.
        block: u64,
        /// The fault.
        source: BlockError,
    },
    /// Two blocks share a part of their bytes, or bytes belong to no block.
    #[error("expected the block that begins at byte {expected} of the data, found one at byte {found}")]
    Extents {
        /// The place where the extents before it end.
        expected: u64,
        /// The place where the next extent begins, or the data ends.
        found: u64,
    },
}

/// The reason why a table could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The output refuses.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The header of a pursuit table says something impossible.
    #[error("the header is wrong: {0}")]
    Header(#[from] HeaderError),
    /// The header of a game table says something impossible.
    #[error("the header is wrong: {0}")]
    GameHeader(#[from] GameHeaderError),
    /// More data than an index entry can point into.
    #[error("the table needs more than {} bytes of blocks", MAX_DATA_LEN)]
    TooMuchData,
    /// Too few or too many blocks were pushed.
    #[error("expected {expected} blocks, found {found}")]
    BlockCount {
        /// The number of blocks of the header's numbering.
        expected: u64,
        /// The number of blocks pushed.
        found: u64,
    },
}
