//! The kinds of tables, which differ in their headers and in where a position is, and in nothing else.

use super::{TableError, WriteError};
use crate::{
    header::{GameHeader, GameHeaderError, GameNumbering, GameSummary},
    header::{Header, HeaderError, Summary},
    numbering::Numbering,
};
use std::fmt;

/// What kind of game a table is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableKind {
    /// Pursuit on a board: [`Header`].
    Pursuit,
    /// A game whose positions are numbers: [`GameHeader`].
    Game,
}

impl TableKind {
    /// The kind of table whose header has these bytes, by its first field. A number that no table has counts as pursuit, whose
    /// header refuses it.
    #[must_use]
    pub fn of_header(bytes: &[u8]) -> TableKind {
        match bytes.first_chunk() {
            Some(&game) if u32::from_le_bytes(game) == GameHeader::GAME => TableKind::Game,
            _ => TableKind::Pursuit,
        }
    }

    /// The type of `dragnet-probe` that reads such a table; the other languages call it so too.
    #[must_use]
    pub fn reader(self) -> &'static str {
        match self {
            TableKind::Pursuit => "Table",
            TableKind::Game => "GameTable",
        }
    }
}

impl fmt::Display for TableKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TableKind::Pursuit => "a pursuit game",
            TableKind::Game => "a game whose positions are numbers",
        })
    }
}

/// What the container asks of a table's header.
pub trait TableHeader: Sized {
    /// Which headers these are.
    const KIND: TableKind;

    /// Where the positions are.
    type Numbering: BlockNumbering + fmt::Debug;

    /// What a table says of all its values.
    type Summary: Send;

    /// Why bytes are not such a header.
    type Error: Into<TableError> + Into<WriteError>;

    /// The header's bytes.
    ///
    /// # Errors
    /// When a reader would refuse them.
    fn to_bytes(&self) -> Result<Vec<u8>, Self::Error>;

    /// The header in `bytes`, which are of this [kind](TableHeader::KIND). Takes memory in proportion to their number.
    ///
    /// # Errors
    /// When they are not a header whose table could exist.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Self::Error>;

    /// How many blocks there are, at most 2^40; quicker than making the numbering.
    fn block_count(&self) -> u64;

    /// Where the positions are.
    fn numbering(&self) -> Self::Numbering;

    /// The header in `bytes`, if they are of this kind.
    ///
    /// # Errors
    /// [`TableError::Kind`] for a table of another kind, else as for [`TableHeader::from_bytes`].
    fn read(bytes: &[u8]) -> Result<Self, TableError> {
        let found = TableKind::of_header(bytes);
        if found != Self::KIND {
            return Err(TableError::Kind { expected: Self::KIND, found });
        }
        Self::from_bytes(bytes).map_err(Into::into)
    }
}

/// How the positions of a table are divided into blocks.
pub trait BlockNumbering {
    /// How many blocks there are.
    fn block_count(&self) -> u64;

    /// How many slots block number `block` has, or 0 if there is no such block.
    fn slots(&self, block: u64) -> u32;

    /// How many slots all blocks have together.
    fn slot_count(&self) -> u64;

    /// Bytes of memory that the numbering takes.
    fn memory(&self) -> usize;
}

impl TableHeader for Header {
    const KIND: TableKind = TableKind::Pursuit;
    type Numbering = Numbering;
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

    fn numbering(&self) -> Numbering {
        self.numbering()
    }
}

impl BlockNumbering for Numbering {
    #[inline]
    fn block_count(&self) -> u64 {
        self.block_count()
    }

    #[inline]
    fn slots(&self, block: u64) -> u32 {
        self.slots(block)
    }

    fn slot_count(&self) -> u64 {
        self.police().count().saturating_mul(self.thief().cell_count() as u64)
    }

    fn memory(&self) -> usize {
        self.memory()
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
