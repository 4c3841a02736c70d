//! A table of any kind.

use crate::{GameTable, Options, PartialTable, ProbeError, ReadAt, Table, source::Source};
use bytes::Bytes;
use dragnet_formats::container::{Preamble, TableError, TableKind};
use std::path::Path;

/// A table of whichever kind the file is.
///
/// ```
/// use dragnet_probe::AnyTable;
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/stones.dtb");
/// match AnyTable::open(path)? {
///     AnyTable::Pursuit(table) => println!("a board of {} open cells", table.board().open_count()),
///     AnyTable::Game(table) => assert_eq!(table.positions(), 7),
///     AnyTable::Partial(table) => println!("{}", table.keep()),
/// }
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
#[derive(Debug)]
pub enum AnyTable {
    /// A pursuit table.
    Pursuit(Box<Table>),
    /// A game table.
    Game(Box<GameTable>),
    /// A partial table.
    Partial(Box<PartialTable>),
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
        AnyTable::in_source(Source::file(path.as_ref())?, options)
    }

    /// Opens the table in a source of your own: see [`Table::from_source`].
    ///
    /// # Errors
    /// When the source cannot be read or is no table.
    pub fn from_source_with(source: impl ReadAt + 'static, options: Options) -> Result<AnyTable, ProbeError> {
        AnyTable::in_source(Source::new(Box::new(source))?, options)
    }

    /// Opens the table in these bytes: a `Vec<u8>`, a `&'static [u8]` from `include_bytes!`, or [`Bytes`].
    ///
    /// # Errors
    /// When the bytes are no table.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<AnyTable, ProbeError> {
        AnyTable::from_bytes_with(bytes, Options::default())
    }

    /// Opens the table in these bytes like [`AnyTable::from_bytes`], with options.
    ///
    /// # Errors
    /// As for [`AnyTable::from_bytes`].
    pub fn from_bytes_with(bytes: impl Into<Bytes>, options: Options) -> Result<AnyTable, ProbeError> {
        let bytes = bytes.into();
        Ok(match kind(&bytes)? {
            TableKind::Pursuit => AnyTable::Pursuit(Box::new(Table::from_bytes_with(bytes, options)?)),
            TableKind::Game => AnyTable::Game(Box::new(GameTable::from_bytes_with(bytes, options)?)),
            TableKind::Partial => AnyTable::Partial(Box::new(PartialTable::from_bytes_with(bytes, options)?)),
        })
    }

    fn in_source(source: Source, options: Options) -> Result<AnyTable, ProbeError> {
        Ok(match source.parse_start(|start, _| kind(start))? {
            TableKind::Pursuit => AnyTable::Pursuit(Box::new(Table::in_source(source, options)?)),
            TableKind::Game => AnyTable::Game(Box::new(GameTable::in_source(source, options)?)),
            TableKind::Partial => AnyTable::Partial(Box::new(PartialTable::in_source(source, options)?)),
        })
    }
}

/// Returns the kind of table that begins with these bytes.
fn kind(start: &[u8]) -> Result<TableKind, TableError> {
    Preamble::read(start).and_then(|(_, header)| TableKind::of(header))
}
