//! `dragnet verify`: is a table whole, and is every value right?

mod game_table;
mod moves;

use super::{open_whole, output, print_json, unless_closed};
use crate::{
    failure::{Failure, message},
    input::{arguments::Threads, graphs::TableGraph},
    output::{human, progress::Progress},
};
use clap::Args;
use dragnet_formats::{cell::Side, header::Summary, value::Value};
use dragnet_probe::{AnyTable, Scan, Table};
use moves::PoliceMoves;
use rayon::prelude::*;
use serde::Serialize;
use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

/// Check every checksum, and every value against its successors
///
/// Each stored value is derived again from the values after each move, without the engines. Only one
/// assignment of values agrees with the rules everywhere, so a table that passes is right. Exit status 1 if
/// one fails.
///
/// A game table does not hold its moves: add the graph from which it was made. Without the graph, its
/// checksums, counts and digest are checked.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Verify {
    /// The tables
    #[arg(required = true, value_name = "TABLE")]
    tables: Vec<PathBuf>,
    #[command(flatten)]
    graph: TableGraph,
    #[command(flatten)]
    threads: Threads,
    /// One JSON object per table
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet verify tables/*.dtb
  dragnet verify game.dtb --graph game.txt --names";

#[derive(Serialize)]
struct TableCheck<'a> {
    table: &'a Path,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    /// Whether each value was derived again; for tables that do not know their moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions_per_second: Option<f64>,
}

impl Verify {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if !self.graph.is_empty() && self.tables.len() > 1 {
            return Err(Failure::input("--graph is about one table"));
        }
        let game = self.threads.run(|| self.graph.read())??;
        let mut worst = 0;
        for path in &self.tables {
            let begin = Instant::now();
            let checked = open_whole(path).and_then(|table| match table {
                AnyTable::Pursuit(_) if game.is_some() => {
                    Err(Failure::input("--graph is for game tables, and this is a pursuit table")
                        .in_file(path))
                }
                AnyTable::Pursuit(table) => {
                    self.threads.run(|| check(&table, path))??;
                    Ok((table.header().positions(), None))
                }
                AnyTable::Game(table) => {
                    self.threads.run(|| game_table::check(&table, game.as_ref(), path))??;
                    Ok((table.positions(), Some(game.is_some())))
                }
            });
            let report = match checked {
                Ok((positions, derived)) => {
                    let rate = positions as f64 / begin.elapsed().as_secs_f64();
                    TableCheck {
                        table: path,
                        ok: true,
                        error: None,
                        positions: Some(positions),
                        derived,
                        positions_per_second: Some(rate),
                    }
                }
                Err(failure) => {
                    // A damaged table has failed the check; a file that cannot be read has not been checked.
                    let failure = match failure {
                        Failure::Input(error) => Failure::Check(error),
                        other => other,
                    };
                    worst = worst.max(failure.status());
                    if !self.json {
                        let _ = failure.report();
                        continue;
                    }
                    let (Failure::Check(error) | Failure::Input(error) | Failure::Trouble(error)) = failure
                    else {
                        return Err(failure);
                    };
                    let error = Some(message(&error));
                    let (positions, positions_per_second) = (None, None);
                    TableCheck {
                        table: path,
                        ok: false,
                        error,
                        positions,
                        derived: None,
                        positions_per_second,
                    }
                }
            };
            unless_closed(self.show(&report))?;
        }
        if worst == 0 { Ok(()) } else { Err(Failure::Silent(worst)) }
    }

    fn show(&self, report: &TableCheck) -> Result<(), Failure> {
        if self.json {
            return print_json(report);
        }
        let (Some(positions), Some(rate)) = (report.positions, report.positions_per_second) else {
            return Ok(());
        };
        let mut output = output();
        let table = human::path(report.table);
        let (positions, rate) = (human::count(positions), human::count(rate as u64));
        let found = match report.derived {
            Some(false) => format!("whole, {positions} positions; for their values give --graph"),
            _ => format!("right, {positions} positions, {rate} per second"),
        };
        writeln!(output, "{table}: {found}")?;
        Ok(output.flush()?)
    }
}

/// Checks the whole table.
fn check(table: &Table, path: &Path) -> Result<(), Failure> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    table.verify_checksums(|_| ()).map_err(|error| Failure::from(error).in_file(path))?;
    let scan = Scan::new(table);
    let progress = Progress::new(&name, "thief tiles", scan.thief_tiles().into());
    let derived = derive_all(&scan, &progress);
    progress.finish();
    let derived = derived.map_err(|failure| failure.in_file(path))?;
    table.check_unchanged()?;
    match first_difference(&table.header().summary, &derived) {
        None => Ok(()),
        Some(difference) => Err(wrong_header(&difference).in_file(path)),
    }
}

fn wrong_header(difference: &str) -> Failure {
    Failure::Check(anyhow::anyhow!("every value is right, but not the header: {difference}"))
}

/// Returns the first statement of the header that the values contradict.
fn first_difference(stored: &Summary, derived: &Summary) -> Option<String> {
    let numbers = |summary: &Summary| {
        let (police, thief) = (summary.police_to_move, summary.thief_to_move);
        let counts = [police.police, police.thief, police.draw, thief.police, thief.thief, thief.draw];
        counts.into_iter().chain([summary.longest.police.into(), summary.longest.thief.into()])
    };
    const NAMES: [&str; 8] = [
        "police wins with the police to move",
        "thief wins with the police to move",
        "draws with the police to move",
        "police wins with the thief to move",
        "thief wins with the thief to move",
        "draws with the thief to move",
        "plies in the longest win of the police",
        "plies in the longest win of the thief",
    ];
    let pairs = NAMES.into_iter().zip(numbers(stored).zip(numbers(derived)));
    difference(pairs, (stored.digest, derived.digest))
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

/// Derives every value again. Returns counts, longest wins and digest of the stored values, if all are right.
fn derive_all(scan: &Scan, progress: &Progress) -> Result<Summary, Failure> {
    let moves = PoliceMoves::new(scan);
    let done = AtomicU64::new(0);
    let tile = |tile| {
        let rows = scan.thief_rows(tile)?;
        let mut summary = Summary::default();
        for (&thief, (police_row, thief_row)) in
            rows.thief.iter().zip(rows.police_to_move.iter().zip(&rows.thief_to_move))
        {
            if let Some((team, derived)) = moves.first_wrong(scan, thief, police_row, thief_row) {
                let position = scan.position(team, thief, Side::Police);
                let [found, expected] = [police_row[team], derived]
                    .map(|score| human::value(Value::from_score(score), Side::Police));
                return Err(Failure::Check(anyhow::anyhow!(
                    "{}: its successors say that {expected}, the table that {found}",
                    human::position(scan.table().board(), &position)
                )));
            }
            scan.add_thief_row(&mut summary, thief, Side::Police, police_row);
            scan.add_thief_row(&mut summary, thief, Side::Thief, thief_row);
        }
        progress.set(done.fetch_add(1, Ordering::Relaxed) + 1, String::new);
        Ok(summary)
    };
    (0..scan.thief_tiles()).into_par_iter().map(tile).try_reduce(Summary::default, |mut sum, part| {
        sum.merge(&part);
        Ok(sum)
    })
}
