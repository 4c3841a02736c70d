//! Tables in memory maps: the only file of the module with `unsafe` code.
//!
//! Rust demands a promise that nobody changes a mapped file. Python has no way to demand it; the docstring of
//! `Open.mapped` says so as its contract.

use dragnet_probe::Open;
use std::path::Path;

/// Returns the table in a file, to be opened as a memory map.
pub(crate) fn open(path: &Path) -> Open {
    // SAFETY: the docstring of `Open.mapped`, the only caller, demands that nobody changes the file.
    unsafe { Open::mapped(path) }
}
