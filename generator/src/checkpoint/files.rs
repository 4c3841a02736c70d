//! Checkpoints as files that a user may list and remove.

use super::{frames::Saved, generations::generations};
use dragnet_formats::value::Plies;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// A checkpoint of a solve, as a file beside the table that is being made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointFile {
    /// The file.
    pub path: PathBuf,
    /// The table that is being made.
    pub table: PathBuf,
    /// The level at whose end it was taken; `None` if this version cannot read the file.
    pub level: Option<Plies>,
    /// The size in bytes.
    pub bytes: u64,
}

/// Returns the checkpoints that there are of the table `table`, the newest first. Looks at their first bytes
/// only.
#[must_use]
pub fn checkpoints_of(table: &Path) -> Vec<CheckpointFile> {
    let mut found: Vec<CheckpointFile> = generations(table)
        .into_iter()
        .filter_map(|path| {
            let metadata = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
            let level = Saved::open(&path).ok().map(|saved| saved.level());
            Some(CheckpointFile { path, table: table.to_owned(), level, bytes: metadata.len() })
        })
        .collect();
    found.sort_by_key(|file| std::cmp::Reverse(file.level));
    found
}

/// Returns the checkpoints in a folder, table after table in the order of their names.
///
/// # Errors
/// When the folder cannot be read.
pub fn checkpoints_in(folder: &Path) -> io::Result<Vec<CheckpointFile>> {
    let mut tables = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let table = name.to_str().and_then(|name| {
            let table = name.strip_prefix('.')?;
            table.strip_suffix(".check-1").or(table.strip_suffix(".check-2"))
        });
        tables.extend(table.map(|table| folder.join(table)));
    }
    tables.sort();
    tables.dedup();
    Ok(tables.iter().flat_map(|table| checkpoints_of(table)).collect())
}
