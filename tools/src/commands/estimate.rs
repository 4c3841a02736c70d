//! `dragnet estimate`: what tables will cost, before they are made.

use super::{output, print_json};
use crate::{
    failure::Failure,
    input::{
        arguments::{self, Exit, Making},
        boards,
        manifest::{Manifest, is_manifest},
        size::SizeRange,
    },
    make::calibration::{Calibration, Cost},
    output::human,
};
use clap::Args;
use dragnet_formats::header::Header;
use dragnet_generator::Job;
use serde::Serialize;
use std::{io::Write, path::PathBuf};

/// Say what tables will cost: positions, memory, seconds on this machine, bytes on disk
///
/// Solves small pieces of the boards to find out how quick this machine is at boards of their kind and how small their
/// tables become. Seconds and bytes are right within a factor of two or three.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Estimate {
    /// Board files, or one manifest of a batch
    #[arg(value_name = "BOARD|MANIFEST", required_unless_present = "size")]
    boards: Vec<PathBuf>,
    /// Open boards of every size in a range, or of one size
    #[arg(long, value_name = "RxC[..RxC]")]
    size: Vec<SizeRange>,
    /// Where the thief escapes, in place of the boards' own exits; may be repeated
    #[arg(long, value_name = "ROW,COL|first|none")]
    exit: Vec<Exit>,
    #[command(flatten)]
    making: Making,
    /// One JSON object per table instead of the list
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet estimate castle.txt arena.map --exit first
  dragnet estimate --size 256x256
  dragnet estimate batch.toml";

/// What one table will cost.
#[derive(Serialize)]
struct Row {
    name: String,
    cells: u64,
    positions: u64,
    memory_bytes: u64,
    seconds: f64,
    bytes: u64,
}

impl Estimate {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let generator = self.making.threads.generator()?;
        let mut calibration = Calibration::new(&generator);
        let threads = self.making.threads.count();
        let mut rows = Vec::new();
        let mut add = |name: &str, job: &Job| -> Result<(), Failure> {
            let cells = job.board.open_count() as u64;
            boards::require_open_cell(&job.board)?;
            let Cost { seconds, bytes } = calibration.cost(job)?;
            let memory_bytes = job.plan()?.memory_needed(threads);
            let name = name.to_owned();
            let positions = 2 * Header::positions_of(&job.board, &job.rules)?;
            rows.push(Row { name, cells, positions, memory_bytes, seconds, bytes });
            Ok(())
        };
        match &self.boards[..] {
            [manifest] if is_manifest(manifest) => {
                for table in Manifest::read(manifest)?.tables {
                    let scenario = table.scenario().map_err(|failure| failure.about(&table.name))?;
                    add(&table.name, &table.job(&scenario)).map_err(|failure| failure.about(&table.name))?;
                }
            }
            _ => self.jobs(&mut add)?,
        }
        self.show(&rows)
    }

    /// The jobs of boards and sizes.
    fn jobs(&self, add: &mut impl FnMut(&str, &Job) -> Result<(), Failure>) -> Result<(), Failure> {
        let rules = self.making.rules()?;
        let job = |board, exits: &[Exit]| -> Result<Job, Failure> {
            Ok(self.making.job(arguments::with_exits(board, exits)?, &rules))
        };
        for path in &self.boards {
            let board = self.making.board(path)?;
            let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
            job(board, &self.exit)
                .and_then(|job| add(&name, &job))
                .map_err(|failure| failure.in_file(path))?;
        }
        let exits = if self.exit.is_empty() { &[Exit::First][..] } else { &self.exit };
        for size in self.size.iter().flat_map(|range| range.sizes()) {
            let board = boards::open(size).map_err(|error| Failure::Input(error.into()))?;
            add(&boards::open_name(size), &job(board, exits)?)?;
        }
        Ok(())
    }

    fn show(&self, rows: &[Row]) -> Result<(), Failure> {
        if self.json {
            return rows.iter().try_for_each(print_json);
        }
        let widest = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(5);
        let mut output = output();
        writeln!(
            output,
            "{:widest$}  {:>17}  {:>10}  {:>9}  {:>10}",
            "table", "positions", "memory", "seconds", "bytes"
        )?;
        for row in rows {
            writeln!(
                output,
                "{:widest$}  {:>17}  {:>10}  {:>9.3}  {:>10}",
                row.name,
                human::count(row.positions),
                human::bytes(row.memory_bytes),
                row.seconds,
                human::bytes(row.bytes),
            )?;
        }
        if rows.len() > 1 {
            let most = rows.iter().map(|row| row.memory_bytes).max().unwrap_or(0);
            writeln!(
                output,
                "{:widest$}  {:>17}  {:>10}  {:>9.3}  {:>10}",
                "all",
                human::count(rows.iter().map(|row| row.positions).sum()),
                human::bytes(most),
                rows.iter().map(|row| row.seconds).sum::<f64>(),
                human::bytes(rows.iter().map(|row| row.bytes).sum()),
            )?;
        }
        Ok(output.flush()?)
    }
}
