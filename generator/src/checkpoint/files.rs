//! Checkpoints as files that a user may list and remove.

use super::{
    block_file::{blocks_path, is_free_blocks},
    frames::Saved,
    generations::generations,
    log_file::{is_free_log, log_path},
};
use crate::save;
use dragnet_formats::value::Plies;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// A file of a solve's checkpoints, beside the table that is being made: a generation, the logs to which both
/// generations refer, or encoded blocks of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointFile {
    /// The file.
    pub path: PathBuf,
    /// The table that is being made.
    pub table: PathBuf,
    /// The level at whose end it was taken; `None` if this version cannot read the file, or the file has the
    /// logs.
    pub level: Option<Plies>,
    /// Whether the file has the logs. Without it the generations are of no use.
    pub is_log: bool,
    /// Whether the file has encoded blocks, which spare a later run their encoding.
    pub is_blocks: bool,
    /// The size in bytes.
    pub bytes: u64,
}

/// Returns the files of the checkpoints that there are of the table `table`, the newest generation first,
/// then the logs, and the encoded blocks last. Looks at their first bytes only.
#[must_use]
pub fn checkpoints_of(table: &Path) -> Vec<CheckpointFile> {
    let mut found: Vec<CheckpointFile> = generations(table)
        .into_iter()
        .map(|path| (path, false, false))
        .chain([(log_path(table), true, false), (blocks_path(&log_path(table)), false, true)])
        .filter_map(|(path, is_log, is_blocks)| {
            let bytes = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?.len();
            let level = Saved::open(&path).ok().map(|saved| saved.level());
            Some(CheckpointFile { path, table: table.to_owned(), level, is_log, is_blocks, bytes })
        })
        .collect();
    found.sort_by_key(|file| (file.is_blocks, file.is_log, std::cmp::Reverse(file.level)));
    found
}

/// Returns the files of the checkpoints in a folder, table after table in the order of their names.
///
/// # Errors
/// When the folder cannot be read.
pub fn checkpoints_in(folder: &Path) -> io::Result<Vec<CheckpointFile>> {
    let mut tables = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let table = name.to_str().and_then(|name| {
            let name = name.strip_prefix('.')?;
            let generation = name.strip_suffix(".check-1").or(name.strip_suffix(".check-2"));
            generation.or(log_of(name))
        });
        tables.extend(table.map(|table| folder.join(table)));
    }
    tables.sort();
    tables.dedup();
    Ok(tables.iter().flat_map(|table| checkpoints_of(table)).collect())
}

/// Returns the table of the logs or the encoded blocks with this name, without the dot before it.
fn log_of(name: &str) -> Option<&str> {
    let table = name.strip_suffix(".log").or(name.strip_suffix(".blocks"))?;
    (table.len() > save::TABLE.len() && table.ends_with(save::TABLE)).then_some(table)
}

/// Removes from `folder` what a process that was killed has left behind there and no later run can use: the
/// temporary files of tables and checkpoints, logs to which no checkpoint refers, and encoded blocks of a
/// table without checkpoints. Returns their paths.
///
/// # Errors
/// When the folder cannot be read or a file cannot be removed.
pub fn remove_leftovers(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut removed = save::remove_leftovers(folder)?;
    for file in checkpoints_in(folder)? {
        let is_alone = || generations(&file.table).iter().all(|path| fs::symlink_metadata(path).is_err());
        let is_free =
            || file.is_log && is_free_log(&file.path) || file.is_blocks && is_free_blocks(&file.path);
        if is_alone() && is_free() {
            fs::remove_file(&file.path)?;
            removed.push(file.path);
        }
    }
    Ok(removed)
}
