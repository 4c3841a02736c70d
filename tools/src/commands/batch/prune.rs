//! `dragnet batch prune`: tables that a manifest no longer names.

use crate::{
    failure::Failure,
    input::{manifest, tables::tables_in},
    make::{
        folder::FolderLock,
        journal::{self, Journal},
    },
    output::{
        console::{output, print_json},
        human,
    },
};
use clap::Args;
use dragnet_generator::{checkpoints_in, scratch_logs};
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    collections::HashSet,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

/// List the tables in the output folder that a manifest no longer names, and remove them with --yes
///
/// Only tables that generate has made there, as the journal of the folder knows, and checkpoints of tables
/// that the manifest does not name. Other files are left alone.
#[derive(Args)]
#[command(after_help = "Examples:\n  dragnet batch prune night.toml\n  dragnet batch prune night.toml --yes")]
pub(crate) struct Prune {
    /// The manifest
    manifest: PathBuf,
    /// Remove what is listed
    #[arg(long)]
    yes: bool,
    /// One JSON object per file
    #[arg(long)]
    json: bool,
}

/// A file that the manifest no longer names.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PrunedFile<'a> {
    /// The file.
    path: &'a Path,
    /// Size of the file.
    bytes: u64,
    /// Whether it has been removed.
    removed: bool,
}

impl Prune {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let list = manifest::read(&self.manifest)?;
        let out = &list.out;
        if !out.is_dir() {
            return Err(Failure::input(format!("expected a folder, found none: {}", out.display())));
        }
        let lock = FolderLock::alone(out)?;
        let journal = Journal::open(out)?;
        let named: HashSet<&str> = list.tables.iter().map(|table| table.name.as_str()).collect();
        let is_named = |path: &Path| name(path).is_none_or(|name| named.contains(name));
        let cannot = |error: std::io::Error| Failure::cannot("read the folder", out, error);
        let (mut files, mut others) = (Vec::new(), 0);
        for path in tables_in(out)? {
            match name(&path).filter(|_| !is_named(&path)) {
                Some(name) if journal.record(name).is_some() => files.push(path),
                Some(_) => others += 1,
                None => {}
            }
        }
        let mut checkpoints = checkpoints_in(out).map_err(cannot)?;
        // A scratch folder that has not been made yet has no logs.
        if let Some(scratch) = list.limits.scratch.as_deref().filter(|scratch| scratch.exists()) {
            checkpoints.extend(
                scratch_logs(out, scratch)
                    .map_err(|error| Failure::cannot("read the folder", scratch, error))?,
            );
        }
        files.extend(checkpoints.into_iter().filter(|file| !is_named(&file.table)).map(|file| file.path));
        self.remove(&files)?;
        if self.yes {
            journal::tidy(out, true)?;
        }
        drop(lock);
        self.print_end(&files, others)
    }

    /// Lists the files, and removes them if that was asked for.
    fn remove(&self, files: &[PathBuf]) -> Result<(), Failure> {
        let mut output = output();
        for path in files {
            let bytes = fs::metadata(path).map_or(0, |metadata| metadata.len());
            if self.yes {
                fs::remove_file(path).map_err(|error| Failure::cannot("remove", path, error))?;
            }
            if self.json {
                output.flush()?;
                print_json(&PrunedFile { path, bytes, removed: self.yes })?;
            } else {
                writeln!(output, "{}  {}", human::path(path), human::bytes(bytes))?;
            }
        }
        Ok(output.flush()?)
    }

    fn print_end(&self, files: &[PathBuf], others: u64) -> Result<(), Failure> {
        if self.json {
            return Ok(());
        }
        let mut output = output();
        let count = human::counted(files.len() as u64, "file", "files");
        let what = match (files.is_empty(), self.yes) {
            (true, _) => "; nothing to remove",
            (false, true) => " removed",
            (false, false) => " that the manifest does not name; --yes removes them",
        };
        writeln!(output, "{count}{what}")?;
        if others > 0 {
            let others = human::counted(others, "table is", "tables are");
            writeln!(output, "{others} left alone: generate has not made them here")?;
        }
        Ok(output.flush()?)
    }
}

/// Returns the name of a table from the path of its file.
fn name(path: &Path) -> Option<&str> {
    path.file_stem()?.to_str()
}
