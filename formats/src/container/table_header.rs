//! The traits through which a container knows a table's header and numbering.

use super::{
    error::{TableError, WriteError},
    kind::TableKind,
};
use crate::header::{
    GameHeader, GameHeaderError, GameNumbering, GameSummary, Header, HeaderError, PartialHeader,
    SectionedNumbering, Summary,
};
use std::fmt;

/// A table's header, as the container needs it.
pub trait TableHeader: Sized + Sync {
    /// The kind of table that has these headers.
    const KIND: TableKind;

    /// The numbering of the positions.
    type Numbering: BlockNumbering + fmt::Debug;

    /// The summary of all values of a table.
    type Summary: Send + Sync;

    /// The reason why bytes are not such a header.
    type Error: Into<TableError> + Into<WriteError>;

    /// Returns the header's bytes.
    ///
    /// # Errors
    /// When a reader would refuse them.
    fn to_bytes(&self) -> Result<Vec<u8>, Self::Error>;

    /// Reads the header in `bytes`, which are of this [kind](TableHeader::KIND). Takes memory in proportion
    /// to their number.
    ///
    /// # Errors
    /// When the bytes are not a header whose table could exist.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Self::Error>;

    /// Returns the number of blocks, at most 2^40; quicker than creating the numbering.
    fn block_count(&self) -> u64;

    /// Creates the numbering of the positions.
    fn numbering(&self) -> Self::Numbering;

    /// Reads the header in `bytes` if they are of this kind.
    ///
    /// # Errors
    /// [`TableError::Kind`] for a table of another kind, else as for [`TableHeader::from_bytes`].
    fn read(bytes: &[u8]) -> Result<Self, TableError> {
        let found = TableKind::of(bytes)?;
        if found != Self::KIND {
            return Err(TableError::Kind { expected: Self::KIND, found });
        }
        Self::from_bytes(bytes).map_err(Into::into)
    }
}

impl TableKind {
    /// Returns the kind of a table whose header has these bytes, by its first fields. A header without them
    /// counts as pursuit, which refuses it.
    ///
    /// # Errors
    /// When the first field is a number that no table has.
    pub fn of(header: &[u8]) -> Result<TableKind, TableError> {
        let field = |at: usize| header.get(at..at + 4).map(|field| [field[0], field[1], field[2], field[3]]);
        match (field(0).map(u32::from_le_bytes), field(4).map(u32::from_le_bytes)) {
            (Some(GameHeader::GAME), _) => Ok(TableKind::Game),
            (Some(0), Some(1..)) => Ok(TableKind::Partial),
            (Some(0) | None, _) => Ok(TableKind::Pursuit),
            (Some(found), _) => Err(TableError::Table { found }),
        }
    }
}

/// The division of a table's positions into blocks.
pub trait BlockNumbering {
    /// Returns the number of blocks.
    fn block_count(&self) -> u64;

    /// Returns the number of slots of block number `block`, or 0 if there is no such block.
    fn slots(&self, block: u64) -> u32;

    /// Returns the number of slots of all blocks together.
    fn slot_count(&self) -> u64;

    /// Returns the number of bytes of memory that the numbering takes.
    fn memory(&self) -> usize;
}

impl TableHeader for Header {
    const KIND: TableKind = TableKind::Pursuit;
    type Numbering = SectionedNumbering;
    type Summary = Summary;
    type Error = HeaderError;

    fn to_bytes(&self) -> Result<Vec<u8>, HeaderError> {
        self.to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Header, HeaderError> {
        Header::from_bytes(bytes)
    }

    fn block_count(&self) -> u64 {
        self.block_count()
    }

    fn numbering(&self) -> SectionedNumbering {
        self.numbering()
    }
}

impl BlockNumbering for SectionedNumbering {
    fn block_count(&self) -> u64 {
        self.block_count()
    }

    #[inline]
    fn slots(&self, block: u64) -> u32 {
        self.slots(block)
    }

    fn slot_count(&self) -> u64 {
        self.slot_count()
    }

    fn memory(&self) -> usize {
        self.positions().memory()
    }
}

impl TableHeader for PartialHeader {
    const KIND: TableKind = TableKind::Partial;
    type Numbering = SectionedNumbering;
    type Summary = ();
    type Error = HeaderError;

    fn to_bytes(&self) -> Result<Vec<u8>, HeaderError> {
        self.to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Result<PartialHeader, HeaderError> {
        PartialHeader::from_bytes(bytes)
    }

    fn block_count(&self) -> u64 {
        self.game.block_count()
    }

    fn numbering(&self) -> SectionedNumbering {
        self.game.numbering()
    }
}

impl TableHeader for GameHeader {
    const KIND: TableKind = TableKind::Game;
    type Numbering = GameNumbering;
    type Summary = GameSummary;
    type Error = GameHeaderError;

    fn to_bytes(&self) -> Result<Vec<u8>, GameHeaderError> {
        self.to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Result<GameHeader, GameHeaderError> {
        GameHeader::from_bytes(bytes)
    }

    fn block_count(&self) -> u64 {
        self.numbering.block_count()
    }

    fn numbering(&self) -> GameNumbering {
        self.numbering
    }
}

impl BlockNumbering for GameNumbering {
    #[inline]
    fn block_count(&self) -> u64 {
        self.block_count()
    }

    #[inline]
    fn slots(&self, block: u64) -> u32 {
        let positions = self.positions_of(block);
        (positions.end - positions.start) as u32
    }

    fn slot_count(&self) -> u64 {
        self.positions()
    }

    fn memory(&self) -> usize {
        0
    }
}
