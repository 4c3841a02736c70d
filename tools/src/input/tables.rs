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
    /// Returns the files, those of a folder in the order of their names.
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
            let found = tables_in(path)?;
            if found.is_empty() {
                let message = "expected a folder with tables, NAME.dtb, found none there";
                return Err(Failure::input(message).in_file(path));
            }
            files.extend(found);
        }
        Ok(files)
    }
}

/// Returns the tables in a folder, in the order of their names.
pub(crate) fn tables_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let cannot =
        |error: std::io::Error| Failure::from(error).about(format!("cannot read {}", folder.display()));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if path.extension().is_some_and(|extension| extension == "dtb") && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
