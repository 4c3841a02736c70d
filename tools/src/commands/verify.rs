//! `dragnet verify`: is a table whole, and is every value right?

mod against;
mod game_table;
mod pursuit;

use super::{open_whole, open_with, print_json, print_line, unless_closed};
use crate::{
    failure::Failure,
    input::{
        arguments::Threads,
        graphs::{NamedGame, TableGraph},
        tables::TablePaths,
    },
    output::{human, progress::Progress},
};
use clap::Args;
use dragnet_probe::{Access, AnyTable, Options, Table};
use serde::Serialize;
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

/// Check every checksum, and every value against its successors
///
/// Each stored value is derived again from the values after each move, without the engines. Only one
/// assignment of values agrees with the rules everywhere, so a table that passes is right. Exit status 1 if
/// one fails.
///
/// The table of a graph does not hold its moves: add the graph from which it was made. Without the graph, its
/// checksums, counts and digest are checked. Of a partial table the checksums are checked: add the pursuit
/// table from which it was made, and each outcome or move is held against that.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Verify {
    #[command(flatten)]
    tables: TablePaths,
    #[command(flatten)]
    graph: TableGraph,
    /// Check what a partial table keeps against this pursuit table, from which it was made
    #[arg(long, value_name = "FULL")]
    against: Option<PathBuf>,
    /// Check the checksums alone, at the speed of the disk: finds damage, not wrong values
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    threads: Threads,
    /// One JSON object per table
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet verify tables
  dragnet verify --quick tables/*.dtb
  dragnet verify game.dtb --graph game.txt --names
  dragnet verify small/castle.dtb --against tables/castle.dtb";

/// The result of checking one table.
#[derive(Serialize)]
struct TableCheck<'a> {
    table: &'a Path,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// Whether each value was derived again: not with `--quick`, nor of a game table without its graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions_per_second: Option<f64>,
}

/// The facts about a table that has passed.
struct Passed {
    positions: u64,
    bytes: u64,
    derived: bool,
}

/// The tables that were checked, by what came out.
#[derive(Default)]
struct Outcomes {
    right: u64,
    whole: u64,
    damaged: Vec<String>,
    unread: Vec<String>,
}

impl Outcomes {
    /// Returns the last line: `14 right, 1 damaged: castle`.
    fn line(&self) -> String {
        let counts = [
            (self.right, "right", &[][..]),
            (self.whole, "whole", &[]),
            (self.damaged.len() as u64, "damaged", &self.damaged),
            (self.unread.len() as u64, "not checked", &self.unread),
        ];
        let parts: Vec<String> = (counts.into_iter().filter(|&(count, ..)| count > 0))
            .map(|(count, what, names)| match names {
                [] => format!("{} {what}", human::count(count)),
                names => format!("{} {what}: {}", human::count(count), names.join(" ")),
            })
            .collect();
        parts.join(", ")
    }
}

impl Verify {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let files = self.tables.files()?;
        if !self.graph.is_empty() && files.len() > 1 {
            return Err(Failure::input("--graph is about one table"));
        }
        if self.against.is_some() && (files.len() > 1 || self.quick || !self.graph.is_empty()) {
            return Err(Failure::input("--against is about one partial table, without --quick and --graph"));
        }
        if !self.graph.is_empty() && self.quick {
            return Err(Failure::input("--quick looks at checksums alone and takes no --graph"));
        }
        let game = self.threads.run(|| self.graph.read())??;
        let full =
            self.against.as_deref().map(|full| open_with(full, Options::default().access(Access::Whole)));
        let full = full.transpose()?;
        let (mut worst, mut outcomes) = (0, Outcomes::default());
        for path in &files {
            let begin = Instant::now();
            let report = match self.check(path, game.as_ref(), full.as_ref()) {
                Ok(Passed { positions, bytes, derived }) => {
                    *(if derived { &mut outcomes.right } else { &mut outcomes.whole }) += 1;
                    let seconds = begin.elapsed().as_secs_f64();
                    TableCheck {
                        table: path,
                        ok: true,
                        error: None,
                        positions: Some(positions),
                        bytes: Some(bytes),
                        derived: Some(derived),
                        seconds: Some(seconds),
                        positions_per_second: Some(positions as f64 / seconds),
                    }
                }
                Err(failure) => {
                    // A damaged table has failed the check; a file that cannot be read has not been checked.
                    let failure = match failure {
                        Failure::Input(error) => Failure::Check(error),
                        other => other,
                    };
                    worst = worst.max(failure.status());
                    let name = human::path(path);
                    match &failure {
                        Failure::Check(_) => outcomes.damaged.push(name),
                        _ => outcomes.unread.push(name),
                    }
                    if !self.json {
                        let _ = failure.report();
                        continue;
                    }
                    TableCheck {
                        table: path,
                        ok: false,
                        error: Some(failure.text()),
                        positions: None,
                        bytes: None,
                        derived: None,
                        seconds: None,
                        positions_per_second: None,
                    }
                }
            };
            unless_closed(self.show(&report))?;
        }
        if files.len() > 1 && !self.json {
            unless_closed(print_line(&outcomes.line()))?;
        }
        if worst == 0 { Ok(()) } else { Err(Failure::Silent(worst)) }
    }

    /// Checks the table in a file.
    fn check(&self, path: &Path, game: Option<&NamedGame>, full: Option<&Table>) -> Result<Passed, Failure> {
        let table = open_whole(path)?;
        if self.quick {
            return quick(&table, path);
        }
        match table {
            AnyTable::Partial(table) => {
                let Some(full) = full else { return quick(&AnyTable::Partial(table), path) };
                self.threads.run(|| against::check(&table, full, path))??;
                let (positions, bytes) = (table.header().game.positions(), table.file_len());
                Ok(Passed { positions, bytes, derived: true })
            }
            AnyTable::Pursuit(_) | AnyTable::Game(_) if full.is_some() => Err(Failure::input(
                "--against is for partial tables, and this one has all values: verify it alone",
            )
            .in_file(path)),
            AnyTable::Pursuit(_) if game.is_some() => {
                Err(Failure::input("--graph is for game tables, and this is a pursuit table").in_file(path))
            }
            AnyTable::Pursuit(table) => {
                self.threads.run(|| pursuit::check(&table, path))??;
                let (positions, bytes) = (table.header().positions(), table.file_len());
                Ok(Passed { positions, bytes, derived: true })
            }
            AnyTable::Game(table) => {
                self.threads.run(|| game_table::check(&table, game, path))??;
                let (positions, bytes) = (table.positions(), table.file_len());
                let derived = game.is_some() || table.header().doors.is_some();
                Ok(Passed { positions, bytes, derived })
            }
        }
    }

    fn show(&self, report: &TableCheck) -> Result<(), Failure> {
        if self.json {
            return print_json(report);
        }
        let (Some(positions), Some(bytes), Some(seconds)) = (report.positions, report.bytes, report.seconds)
        else {
            return Ok(());
        };
        let table = human::path(report.table);
        let rate = |number: u64| (number as f64 / seconds) as u64;
        let size = human::count(positions);
        let found = if self.quick {
            format!("whole, {}, {} per second", human::bytes(bytes), human::bytes(rate(bytes)))
        } else if report.derived == Some(false) {
            format!(
                "whole, {size} positions; for their values give --graph, or --against for a partial table"
            )
        } else {
            format!("right, {size} positions, {} per second", human::count(rate(positions)))
        };
        print_line(&format!("{table}: {found}"))
    }
}

/// Checks the checksums of a table.
fn quick(table: &AnyTable, path: &Path) -> Result<Passed, Failure> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let (blocks, positions, bytes) = match table {
        AnyTable::Pursuit(table) => {
            (table.header().block_count(), table.header().positions(), table.file_len())
        }
        AnyTable::Game(table) => (table.numbering().block_count(), table.positions(), table.file_len()),
        AnyTable::Partial(table) => {
            (table.numbering().block_count(), table.header().game.positions(), table.file_len())
        }
    };
    let progress = Progress::new(&name, "blocks", blocks);
    let done = |blocks| progress.set(blocks, String::new);
    let checked = match table {
        AnyTable::Pursuit(table) => table.verify_checksums(done).and_then(|_| table.check_unchanged()),
        AnyTable::Game(table) => table.verify_checksums(done).and_then(|_| table.check_unchanged()),
        AnyTable::Partial(table) => table.verify_checksums(done).and_then(|_| table.check_unchanged()),
    };
    progress.finish();
    checked.map_err(|error| Failure::from(error).in_file(path))?;
    Ok(Passed { positions, bytes, derived: false })
}

fn wrong_header(difference: &str) -> Failure {
    Failure::Check(anyhow::anyhow!("every value is right, but not the header: {difference}"))
}

/// Returns a sentence about the first of `numbers` whose found and expected value differ, or else about the
/// digest.
fn difference<'a>(
    numbers: impl IntoIterator<Item = (&'a str, (u64, u64))>,
    (found, expected): (u64, u64),
) -> Option<String> {
    numbers
        .into_iter()
        .find(|(_, (found, expected))| found != expected)
        .map(|(name, (found, expected))| format!("expected {expected} {name}, found {found}"))
        .or_else(|| {
            (found != expected).then(|| format!("expected digest {expected:016x}, found {found:016x}"))
        })
}
