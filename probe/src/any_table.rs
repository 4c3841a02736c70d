//! A table of any kind.

use crate::{GameTable, PartialTable, ProbeError, Table};
use dragnet_formats::container::{BlockStatistics, TableKind};
use std::{ops::ControlFlow, sync::Arc};

/// A table of whichever kind a file is.
///
/// ```
/// use dragnet_probe::{AnyTable, Open};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/stones.dtb");
/// match Open::path(path).any()? {
///     AnyTable::Pursuit(table) => println!("a board of {} open cells", table.board().open_count()),
///     AnyTable::Game(table) => assert_eq!(table.positions(), 7),
///     AnyTable::Partial(table) => println!("{}", table.keep()),
/// }
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
#[derive(Clone, Debug)]
pub enum AnyTable {
    /// A pursuit table.
    Pursuit(Arc<Table>),
    /// A game table.
    Game(Arc<GameTable>),
    /// A partial table.
    Partial(Arc<PartialTable>),
}

/// Returns what `$of` is for a table of any kind, which it calls `$table`.
macro_rules! of_each {
    ($any:expr, $table:ident => $of:expr) => {
        match $any {
            AnyTable::Pursuit($table) => $of,
            AnyTable::Game($table) => $of,
            AnyTable::Partial($table) => $of,
        }
    };
}

impl AnyTable {
    /// Returns the kind of the table.
    #[must_use]
    pub fn kind(&self) -> TableKind {
        match self {
            AnyTable::Pursuit(_) => TableKind::Pursuit,
            AnyTable::Game(_) => TableKind::Game,
            AnyTable::Partial(_) => TableKind::Partial,
        }
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        match self {
            AnyTable::Pursuit(table) => table.header().positions(),
            AnyTable::Game(table) => table.positions(),
            AnyTable::Partial(table) => table.header().game.positions(),
        }
    }

    /// Returns the digest of all values: for a partial table that of the table from which it was made.
    #[must_use]
    pub fn digest(&self) -> u64 {
        match self {
            AnyTable::Pursuit(table) => table.header().summary.digest,
            AnyTable::Game(table) => table.summary().digest,
            AnyTable::Partial(table) => table.header().game.summary.digest,
        }
    }

    /// Returns the length of the whole table in bytes.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        of_each!(self, table => table.file_len())
    }

    /// Checks every checksum and everything that can be checked without solving, until `progress` breaks it
    /// off: it is called after each block, with the number of blocks done and of all blocks.
    ///
    /// # Errors
    /// The first damage found, [`ProbeError::Changed`] if the file has changed since it was opened, or
    /// [`ProbeError::Stopped`].
    pub fn check_sums_while(
        &self,
        progress: impl FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<BlockStatistics, ProbeError> {
        of_each!(self, table => table.check_sums_while(progress))
    }

    /// Checks that the table's file has not changed since it was opened.
    ///
    /// # Errors
    /// [`ProbeError::Changed`] if the file has changed.
    pub fn check_unchanged(&self) -> Result<(), ProbeError> {
        of_each!(self, table => table.check_unchanged())
    }
}
