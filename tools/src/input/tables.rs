//! Tables on the command line: files, and folders that hold some.

use crate::failure::Failure;
use clap::Args;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The tables that a command reads.
#[derive(Args)]
pub(crate) struct TablePaths {
    /// Tables, or folders, of which all tables are taken
    #[arg(required = true, value_name = "TABLE|DIR")]
    paths: Vec<PathBuf>,
}

impl TablePaths {
    /// Returns the files, those of a folder in the order of their paths.
    ///
    /// # Errors
    /// When a folder cannot be read or holds no table.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for path in &self.paths {
            if !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let found = tables_below(path)?;
            if found.is_empty() {
                let message = "expected a folder with tables, NAME.dtb, found none there";
                return Err(Failure::input(message).in_file(path));
            }
            files.extend(found);
        }
        Ok(files)
    }
}

/// Returns the files in a folder and in the folders within it, in the order of their paths. Leaves out what
/// is hidden, and follows links to files alone: a link to a folder may lead back.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let cannot = |error: std::io::Error| Failure::cannot("read", folder, error);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let path = entry.path();
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if path.is_file() {
            files.push(path);
        } else if path.is_dir() && !path.is_symlink() {
            files.extend(files_below(&path)?);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the tables in a folder and in the folders within it: see [`files_below`].
pub(crate) fn tables_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = files_below(folder)?;
    files.retain(|path| has_ending(path));
    Ok(files)
}

/// Returns the tables in a folder alone, in the order of their names.
pub(crate) fn tables_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = tables_below(folder)?;
    files.retain(|path| path.parent() == Some(folder));
    Ok(files)
}

/// Returns whether a file has a table's name, `NAME.dtb`.
fn has_ending(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "dtb")
}
