//! Checkpoints as files that a user may list and remove.

use super::{
    block_file::{BlockFile, blocks_path},
    framed_file::FramedFile,
    frames::Saved,
    generations::generations,
    log_file::LogFrame,
    scratch::{log_path, table_of_log, tables_with_scratch},
};
use crate::save::{self, Leftover};
use dragnet_formats::value::Plies;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// A file of a solve's checkpoints: a generation, beside the table that is being made, or the logs to which
/// both generations refer or encoded blocks of the table, beside it or in a scratch folder.
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

/// The kinds of files of checkpoints.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Generation,
    Log,
    Blocks,
}

/// Returns a file of the checkpoints of `table`, if it is there.
fn found(table: &Path, path: PathBuf, kind: Kind) -> Option<CheckpointFile> {
    let metadata = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
    let level = Saved::open(&path).ok().map(|saved| saved.level());
    Some(CheckpointFile {
        path,
        table: table.to_owned(),
        level,
        is_log: kind == Kind::Log,
        is_blocks: kind == Kind::Blocks,
        bytes: metadata.len(),
    })
}

/// Returns the files of the checkpoints that there are of the table `table` beside it, the newest generation
/// first, then the logs, and the encoded blocks last. Looks at their first bytes only.
#[must_use]
pub fn checkpoints_of(table: &Path) -> Vec<CheckpointFile> {
    let files = generations(table).into_iter().map(|path| (path, Kind::Generation));
    let log = log_path(table, None);
    let blocks = blocks_path(&log);
    let mut found: Vec<CheckpointFile> = files
        .chain([(log, Kind::Log), (blocks, Kind::Blocks)])
        .filter_map(|(path, kind)| found(table, path, kind))
        .collect();
    found.sort_by_key(|file| (file.is_blocks, file.is_log, std::cmp::Reverse(file.level)));
    found
}

/// Returns the files of the checkpoints in a folder of tables, table after table in the order of their names.
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
            generation.or(table_of_log(name))
        });
        tables.extend(table.map(|table| folder.join(table)));
    }
    tables.sort();
    tables.dedup();
    Ok(tables.iter().flat_map(|table| checkpoints_of(table)).collect())
}

/// Returns the logs and the encoded blocks in the folder `scratch` of tables in `folder`, in the order of the
/// tables' names. Those of tables in other folders are left out.
///
/// # Errors
/// When the scratch folder cannot be read.
pub fn scratch_logs(folder: &Path, scratch: &Path) -> io::Result<Vec<CheckpointFile>> {
    let tables = tables_with_scratch(folder, scratch)?;
    let files = tables.iter().flat_map(|table| {
        let log = log_path(table, Some(scratch));
        let blocks = blocks_path(&log);
        [found(table, log, Kind::Log), found(table, blocks, Kind::Blocks)]
    });
    Ok(files.flatten().collect())
}

/// Removes what a process that was killed has left behind in `folder` and no later run can use: the temporary
/// files of tables and checkpoints, and logs and encoded blocks to which no checkpoint refers.
///
/// Leaves alone what belongs to a table for whose path `is_own` returns false. If other processes make tables
/// in the folder at the same time, `is_own` must refuse theirs: between the creation of a log and its first
/// checkpoint it looks like one that was left behind.
///
/// # Errors
/// When the folder cannot be read.
pub fn remove_leftovers(folder: &Path, is_own: impl Fn(&Path) -> bool) -> io::Result<Vec<Leftover>> {
    let mut found =
        save::remove_leftovers(folder, |path| save::table_of(path).is_some_and(|table| is_own(&table)))?;
    found.extend(remove_logs_alone(checkpoints_in(folder)?, is_own));
    Ok(found)
}

/// Removes from the folder `scratch` the logs and encoded blocks of tables in `folder` to which no checkpoint
/// refers, of the tables for whose paths `is_own` returns true.
///
/// # Errors
/// When the scratch folder cannot be read.
pub fn remove_scratch_leftovers(
    folder: &Path,
    scratch: &Path,
    is_own: impl Fn(&Path) -> bool,
) -> io::Result<Vec<Leftover>> {
    Ok(remove_logs_alone(scratch_logs(folder, scratch)?, is_own))
}

/// Removes the logs and encoded blocks among `files` whose table is own and has no generation, and on which
/// no process works.
fn remove_logs_alone(files: Vec<CheckpointFile>, is_own: impl Fn(&Path) -> bool) -> Vec<Leftover> {
    let is_alone = |table: &Path| generations(table).iter().all(|path| fs::symlink_metadata(path).is_err());
    let is_left = |file: &CheckpointFile| {
        let is_free = || {
            file.is_log && FramedFile::<LogFrame>::is_free(&file.path)
                || file.is_blocks && BlockFile::is_free(&file.path)
        };
        is_own(&file.table) && is_alone(&file.table) && is_free()
    };
    files.into_iter().filter(is_left).map(|file| Leftover::remove(file.path)).collect()
}
