//! A table of either kind.

use crate::{GameTable, Options, ProbeError, Table, storage::Storage};
use dragnet_formats::container::{Preamble, TableKind};
use std::{borrow::Cow, path::Path};

/// A table of whichever kind the file is.
///
/// ```
/// use dragnet_probe::AnyTable;
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/stones.dtb");
/// match AnyTable::open(path)? {
///     AnyTable::Pursuit(table) => println!("a board of {} open cells", table.board().open_count()),
///     AnyTable::Game(table) => assert_eq!(table.positions(), 7),
/// }
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
#[derive(Debug)]
pub enum AnyTable {
    /// A pursuit table.
    Pursuit(Box<Table>),
    /// A game table.
    Game(Box<GameTable>),
}

impl AnyTable {
    /// Opens the table in a file, as safely as [`Table::open`] does.
    ///
    /// # Errors
    /// When the file cannot be read or is no table.
    pub fn open(path: impl AsRef<Path>) -> Result<AnyTable, ProbeError> {
        AnyTable::open_with(path, Options::default())
    }

    /// Opens the table in a file like [`AnyTable::open`], with options.
    ///
    /// # Errors
    /// As for [`AnyTable::open`].
    pub fn open_with(path: impl AsRef<Path>, options: Options) -> Result<AnyTable, ProbeError> {
        AnyTable::in_storage(Storage::file(path.as_ref())?, options)
    }

    /// Opens the table in these bytes: a `Vec<u8>`, or a `&'static [u8]` from `include_bytes!`.
    ///
    /// # Errors
    /// When the bytes are no table.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<AnyTable, ProbeError> {
        AnyTable::in_storage(Storage::bytes(bytes), Options::default())
    }

    pub(crate) fn in_storage(storage: Storage, options: Options) -> Result<AnyTable, ProbeError> {
        let kind = |start: &[u8]| Preamble::read(start).map(|(_, header)| TableKind::of_header(header));
        let kind = match &storage {
            Storage::File(file) => file.parse_start(|start, _| kind(start))?,
            Storage::Memory(memory) => kind(memory.as_ref())?,
        };
        match kind {
            TableKind::Pursuit => Ok(AnyTable::Pursuit(Box::new(Table::in_storage(storage, options)?))),
            TableKind::Game => Ok(AnyTable::Game(Box::new(GameTable::in_storage(storage, options)?))),
        }
    }
}
