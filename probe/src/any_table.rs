//! A table of either kind.

use crate::{GameTable, Options, ProbeError, Table, source::Source};
use dragnet_formats::container::{TableKind, layout::Preamble};
use std::path::Path;

/// A table of whichever kind the file is.
#[derive(Debug)]
pub enum AnyTable {
    /// Of a pursuit game.
    Pursuit(Box<Table>),
    /// Of a game whose positions are numbers.
    Game(Box<GameTable>),
}

impl AnyTable {
    /// Opens the file as a memory map, as [`Table::open`] and [`GameTable::open`] do.
    ///
    /// # Errors
    /// When the file cannot be read or is no table.
    pub fn open(path: impl AsRef<Path>) -> Result<AnyTable, ProbeError> {
        AnyTable::open_with(path, Options::default())
    }

    /// As [`AnyTable::open`], with options.
    ///
    /// # Errors
    /// As for [`AnyTable::open`].
    pub fn open_with(path: impl AsRef<Path>, options: Options) -> Result<AnyTable, ProbeError> {
        let source = Source::map(path.as_ref(), options.access)?;
        let (_, header) = Preamble::read(source.as_ref())?;
        match TableKind::of_header(header) {
            TableKind::Pursuit => Ok(AnyTable::Pursuit(Box::new(Table::from_source(source, options)?))),
            TableKind::Game => Ok(AnyTable::Game(Box::new(GameTable::from_source(source, options)?))),
        }
    }
}
