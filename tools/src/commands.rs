//! The subcommands, one file each.

mod takers;
pub(crate) mod generate;
pub(crate) mod plan;
pub(crate) mod batch;
pub(crate) mod checkpoints;
pub(crate) mod report;
pub(crate) mod site;
pub(crate) mod pack;
pub(crate) mod info;
pub(crate) mod stats;
pub(crate) mod verify;
pub(crate) mod graph;
pub(crate) mod probe;
pub(crate) mod line;
pub(crate) mod dump;
pub(crate) mod answer;
pub(crate) mod stealth;
pub(crate) mod board;
pub(crate) mod cops;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod bench;
pub(crate) mod completions;
pub(crate) mod man;
pub(crate) mod help;
mod subject;
mod strength;
pub(crate) mod show;
pub(crate) mod policy;
pub(crate) mod play;
#[cfg(feature = "serve")]
pub(crate) mod view;

use crate::{
    failure::{Failure, unless_closed},
    input::{boards, mapped, tables::TablePaths},
    output::console::{output, print_json, print_line},
    output::human,
};
use dragnet_probe::{AnyTable, Open, ProbeError, TableError};
use std::path::Path;

/// How a command opens a table of which it reads some blocks.
#[derive(clap::Args)]
struct TableAccess {
    /// Map the table into memory instead of reading it, which is faster
    ///
    /// The file must not be written to or cut short meanwhile; else answers may be wrong, or the system may
    /// end the program. Replacing the file by renaming another one is safe.
    #[arg(long)]
    mapped: bool,
}

impl TableAccess {
    /// Opens the table in a file.
    fn open(&self, path: &Path) -> Result<AnyTable, Failure> {
        let table = if self.mapped { mapped::table(path) } else { Open::path(path) };
        open_as(table, path)
    }
}

/// Opens the table in a file.
fn open(path: &Path) -> Result<AnyTable, Failure> {
    open_as(Open::path(path), path)
}

/// Opens a table, which is the one in a file.
fn open_as(table: Open, path: &Path) -> Result<AnyTable, Failure> {
    table.any().map_err(|error| not_opened(error, path))
}

/// Calls `show` with each table, whose name stands above what it prints if there are several and no JSON is
/// asked for. Of several tables a failure is reported at once and the others go on; the status is then the
/// worst of all.
fn show_each(
    tables: &TablePaths,
    json: bool,
    show: impl Fn(&Path) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let files = tables.files()?;
    if let [file] = &files[..] {
        return show(file);
    }
    let titled = |file: &Path| {
        if json {
            return show(file);
        }
        print_line(&human::path(file))?;
        show(file)?;
        print_line("")
    };
    let mut worst = 0;
    for file in &files {
        match titled(file) {
            Ok(()) => {}
            Err(failure) if failure.output_closed() => return Err(failure),
            Err(failure) => {
                worst = worst.max(failure.status());
                let _ = failure.report();
            }
        }
    }
    if worst == 0 { Ok(()) } else { Err(Failure::Silent(worst)) }
}

fn not_opened(error: ProbeError, path: &Path) -> Failure {
    match error {
        // The message names the file itself.
        ProbeError::File { .. } => Failure::from(error),
        ProbeError::Table(TableError::Magic { .. }) if boards::is_board(path) => {
            let generate = format!("dragnet generate {}", path.display());
            Failure::input("expected a table; this looks like a board")
                .in_file(path)
                .with_hint(format!("'{generate}' makes its table"))
        }
        error => Failure::from(error).in_file(path),
    }
}

/// Checks that the file `path` does not exist, is a table, or may be replaced because of `force`.
fn may_replace(path: &Path, force: bool) -> Result<(), Failure> {
    if path.is_dir() {
        let message = format!("--out: expected the path of a file, found the folder {}", path.display());
        let example = path.join("NAME.dtb");
        return Err(Failure::input(message).with_hint(format!("--out {} is a file in it", example.display())));
    }
    if path.exists() && !force {
        open(path).map_err(|failure| {
            failure.about(format!("{} is in the way", path.display())).with_hint("--force replaces a file")
        })?;
    }
    Ok(())
}
