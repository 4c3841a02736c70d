//! The subcommands, one file each.

pub(crate) mod generate;
pub(crate) mod plan;
pub(crate) mod batch;
pub(crate) mod report;
pub(crate) mod pack;
pub(crate) mod info;
pub(crate) mod stats;
pub(crate) mod verify;
pub(crate) mod graph;
pub(crate) mod probe;
pub(crate) mod line;
pub(crate) mod dump;
pub(crate) mod answer;
pub(crate) mod board;
pub(crate) mod cops;
pub(crate) mod bench;

use crate::{
    failure::{Failure, unless_closed},
    output::console::{output, print_json},
};
use dragnet_probe::{Access, AnyTable, Options, ProbeError, Table, TableError};
use std::path::Path;

/// Opens the pursuit table in a file.
fn open(path: &Path) -> Result<Table, Failure> {
    open_with(path, Options::default())
}

/// Opens the table of either kind in a file of which everything will be read.
fn open_whole(path: &Path) -> Result<AnyTable, Failure> {
    open_any(path, Options::default().access(Access::Whole))
}

/// Opens the pursuit table in a file with these options.
pub(crate) fn open_with(path: &Path, options: Options) -> Result<Table, Failure> {
    Table::open_with(path, options).map_err(|error| not_opened(error, path))
}

/// Opens the table of either kind in a file with these options.
fn open_any(path: &Path, options: Options) -> Result<AnyTable, Failure> {
    AnyTable::open_with(path, options).map_err(|error| not_opened(error, path))
}

fn not_opened(error: ProbeError, path: &Path) -> Failure {
    match error {
        // These name the file themselves.
        ProbeError::File { .. } => Failure::from(error),
        ProbeError::Table(TableError::Kind { expected, found }) => Failure::input(format!(
            "expected the table of {expected}, found that of {found}: probe, stats, info, verify, dump and pack take it"
        ))
        .in_file(path),
        error => Failure::from(error).in_file(path),
    }
}

/// Checks that the file `path` does not exist, is a table, or may be replaced because of `force`.
fn may_replace(path: &Path, force: bool) -> Result<(), Failure> {
    if path.exists() && !force {
        open_any(path, Options::default()).map_err(|failure| {
            failure.about(format!("{} is in the way; --force replaces a file", path.display()))
        })?;
    }
    Ok(())
}
