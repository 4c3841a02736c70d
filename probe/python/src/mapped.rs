//! Tables in memory maps: the only file of the module with `unsafe` code.
//!
//! Rust demands a promise that nobody changes a mapped file. Python has no way to demand it; the docstrings
//! of
//! `Table.open_mapped` and `GameTable.open_mapped` say so as their contract.

use dragnet_probe::{GameTable, Options, ProbeError, Table};
use std::path::Path;

/// Opens a pursuit table as a memory map.
pub(crate) fn open_table(path: &Path, options: Options) -> Result<Table, ProbeError> {
    // SAFETY: the docstring of `Table.open_mapped`, the only caller, demands that nobody changes the file.
    unsafe { Table::open_mapped(path, options) }
}

/// Opens a game table as a memory map.
pub(crate) fn open_game_table(path: &Path, options: Options) -> Result<GameTable, ProbeError> {
    // SAFETY: the docstring of `GameTable.open_mapped`, the only caller, demands that nobody changes the
    // file.
    unsafe { GameTable::open_mapped(path, options) }
}
