//! `dragnet checkpoints`: what interrupted solves have left behind.

use super::{output, print_json};
use crate::{failure::Failure, make::folder::FolderLock, messages::columns, output::human};
use clap::Args;
use dragnet_formats::value::Plies;
use dragnet_generator::{CheckpointFile, checkpoints_in, scratch_logs};
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    fs,
    io::{Write, stdout},
    path::{Path, PathBuf},
};

/// List the checkpoints of interrupted solves, or remove them with --clear --yes
///
/// A long solve that is interrupted keeps up to two checkpoints beside its table, from which the same command
/// resumes, and a log that both need, in the scratch folder if there is one; they are removed when the table
/// is finished. They are hidden files, and the log can be large. While a run works in the folder it needs
/// them, and they are not removed.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CheckpointsCommand {
    /// The folder of the tables
    #[arg(value_name = "DIR", default_value = "tables")]
    folder: PathBuf,
    /// The scratch folder in which the logs and encoded blocks of these tables are
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// Remove the checkpoints, if --yes stands beside it: their solves begin anew
    #[arg(long)]
    clear: bool,
    /// Remove what is listed
    #[arg(long, requires = "clear")]
    yes: bool,
    /// One JSON object per checkpoint
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet checkpoints
  dragnet checkpoints tables --clear --yes";

/// One object per file: the checkpoints of a table, and the log that they share.
#[derive(Serialize, JsonSchema)]
pub(crate) struct CheckpointAnswer<'a> {
    /// The table that is being made.
    table: &'a Path,
    /// The file.
    path: &'a Path,
    /// The level at whose end it was taken. `null` if this version cannot read it, and for the log.
    level: Option<Plies>,
    /// Size of the file.
    bytes: u64,
    /// Whether it has been removed.
    removed: bool,
}

impl CheckpointsCommand {
    /// Returns the files of the checkpoints, table after table.
    fn files(&self) -> Result<Vec<CheckpointFile>, Failure> {
        let cannot = |folder: &Path, error: std::io::Error| Failure::cannot("read the folder", folder, error);
        let mut found = checkpoints_in(&self.folder).map_err(|error| cannot(&self.folder, error))?;
        if let Some(scratch) = &self.scratch {
            found.extend(scratch_logs(&self.folder, scratch).map_err(|error| cannot(scratch, error))?);
            found.sort_by(|one, other| one.table.cmp(&other.table));
        }
        Ok(found)
    }

    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut found = self.files()?;
        let mut lock = None;
        if self.clear && !found.is_empty() {
            lock = Some(FolderLock::alone(&self.folder)?);
            // The run before may have changed them until now.
            found = self.files()?;
        }
        let mut output = output();
        let widest = found.iter().map(|file| name(file).chars().count()).max().unwrap_or(0);
        for file in &found {
            if self.yes {
                fs::remove_file(&file.path).map_err(|error| Failure::cannot("remove", &file.path, error))?;
            }
            if self.json {
                print_json(&CheckpointAnswer {
                    table: &file.table,
                    path: &file.path,
                    level: file.level,
                    bytes: file.bytes,
                    removed: self.yes,
                })?;
                continue;
            }
            let level = match file.level {
                Some(level) => format!("level {level}"),
                None if file.is_log => "log".to_owned(),
                None if file.is_blocks => "blocks".to_owned(),
                None => "of another version".to_owned(),
            };
            let bytes = human::bytes(file.bytes);
            let parts = [
                (0, format!("{:widest$}", name(file))),
                (1, format!("{level:>18}")),
                (2, format!("{bytes:>10}")),
                (3, human::path(&file.path)),
            ];
            writeln!(output, "{}", human::fitted(&parts, columns(&stdout())))?;
        }
        drop(lock);
        if !self.json {
            let bytes = human::bytes(found.iter().map(|file| file.bytes).sum());
            let checkpoints = found.iter().filter(|file| !file.is_log && !file.is_blocks).count();
            let count = human::counted(checkpoints as u64, "checkpoint", "checkpoints");
            let (removed, advice) = match (found.is_empty(), self.clear, self.yes) {
                (false, true, true) => (" removed", ""),
                (false, true, false) => ("", "; --yes removes them"),
                _ => ("", ""),
            };
            writeln!(output, "{count}{removed}, {bytes}{advice}")?;
        }
        Ok(output.flush()?)
    }
}

/// Returns the name of the table that is being made.
fn name(file: &CheckpointFile) -> String {
    human::path(Path::new(file.table.file_stem().unwrap_or_default()))
}
