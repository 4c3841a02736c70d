//! The subcommands, one file each.

pub(crate) mod answer;
pub(crate) mod batch;
pub(crate) mod bench;
pub(crate) mod board;
pub(crate) mod cops;
pub(crate) mod dump;
pub(crate) mod estimate;
pub(crate) mod generate;
pub(crate) mod graph;
pub(crate) mod info;
pub(crate) mod line;
pub(crate) mod pack;
pub(crate) mod probe;
pub(crate) mod report;
pub(crate) mod stats;
pub(crate) mod verify;

use crate::{
    failure::{Failure, unless_closed},
    output::console::{output, print_json},
};
use dragnet_probe::{Access, AnyTable, Options, ProbeError, Table, TableError};
use std::path::Path;

/// The table of a pursuit game in a file.
fn open(path: &Path) -> Result<Table, Failure> {
    open_with(path, Options::default())
}

/// The table of either kind in a file, all of which will be read.
fn open_whole(path: &Path) -> Result<AnyTable, Failure> {
    open_any(path, Options::default().access(Access::Whole))
}

/// The table of a pursuit game in a file, opened with options.
pub(crate) fn open_with(path: &Path, options: Options) -> Result<Table, Failure> {
    Table::open_with(path, options).map_err(|error| not_opened(error, path))
}

/// The table of either kind in a file, opened with options.
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

/// Makes sure that a file of this name, if there is one, is a table or may be replaced by `force`.
fn may_replace(path: &Path, force: bool) -> Result<(), Failure> {
    if path.exists() && !force {
        open_any(path, Options::default()).map_err(|failure| {
            failure.about(format!("{} is in the way; --force replaces a file", path.display()))
        })?;
    }
    Ok(())
}
