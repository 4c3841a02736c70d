//! Files that already have the name of a table which is to be made.

use crate::failure::Failure;
use dragnet_generator::Plan;
use dragnet_probe::{ProbeError, Table, TableError};
use std::{io::ErrorKind, path::Path};

/// The state of the file with the name of a planned table.
pub(crate) enum Existing {
    /// No file.
    Nothing,
    /// The very table that is planned, finished and undamaged.
    Finished,
    /// Another or a damaged table, which is to be replaced.
    Other(&'static str),
}

impl Existing {
    /// Looks at `path`, and reads the whole table if it is the planned one.
    ///
    /// # Errors
    /// When there is a file that is no table of a known version: it is not replaced unless the user asks for
    /// that.
    pub(crate) fn at(path: &Path, plan: &Plan) -> Result<Existing, Failure> {
        match Table::open(path) {
            Ok(table) => {
                let (found, planned) = (table.header(), plan.header());
                Ok(if found.board != planned.board {
                    Existing::Other("a table of another board")
                } else if found.rules != planned.rules {
                    Existing::Other("a table of other rules")
                } else if (found.police_tile, found.thief_tile) != (planned.police_tile, planned.thief_tile) {
                    Existing::Other("a table that favours something else")
                } else if table.verify_checksums(|_| ()).is_err() {
                    Existing::Other("a damaged table")
                } else {
                    Existing::Finished
                })
            }
            Err(ProbeError::File { source, .. }) if source.kind() == ErrorKind::NotFound => {
                Ok(Existing::Nothing)
            }
            Err(error @ ProbeError::File { .. }) => Err(error.into()),
            Err(ProbeError::Table(TableError::Magic { found })) if !found.is_empty() => {
                Err(Failure::input(format!("{} is in the way and is no Dragnet table", path.display()))
                    .with_hint("--force replaces it"))
            }
            Err(ProbeError::Table(error @ TableError::Version { .. })) => {
                Err(Failure::input(format!("{} is in the way: {error}", path.display()))
                    .with_hint("--force replaces it"))
            }
            Err(ProbeError::Table(TableError::Kind { .. })) => Ok(Existing::Other("a table of another game")),
            Err(_) => Ok(Existing::Other("a damaged table")),
        }
    }
}
