//! `dragnet plan`: what would be made, and what it needs.

use super::{output, print_json, print_line};
use crate::{
    failure::Failure,
    input::{
        any_plan::AnyPlan,
        arguments::name_of,
        limits::Memory,
        planned::{PlannedTable, TableList},
        request::TableArguments,
    },
    machine,
    make::{
        calibration::{Calibration, Cost},
        checked::{CheckedTable, check},
    },
    messages::{columns, printable},
    output::human,
};
use clap::Args;
use serde::Serialize;
use std::{
    io::{Write, stdout},
    path::Path,
    time::Duration,
};

/// Show which tables would be made, and what they need: positions, engine, memory, threads
///
/// Takes the boards, sizes or manifest of 'dragnet generate', checks everything that it would check, and
/// makes nothing. Exit status 3 if a table does not fit into the memory, or if disk or folder cannot serve.
///
/// With --measure it solves small pieces of the boards to find out how fast this machine is at boards of
/// their kind and how small their tables become, and adds times and bytes; these are right within a factor of
/// two or three. 'dragnet estimate' is 'dragnet plan --measure', 'dragnet batch check' is 'dragnet plan'.
#[derive(Args)]
#[command(after_help = AFTER_HELP, after_long_help = format!("{AFTER_HELP}\n\n{}", crate::input::manifest::HELP))]
pub(crate) struct PlanCommand {
    #[command(flatten)]
    tables: TableArguments,
    /// Measure small pieces of the boards, and add seconds on this machine and bytes on disk
    #[arg(long)]
    measure: bool,
    /// One JSON object per table instead of the list
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet plan castle.txt arena.map --exit first
  dragnet plan --size 256x256 --measure
  dragnet plan batch.toml";

/// The needs of one table.
#[derive(Serialize)]
struct Forecast<'a> {
    name: &'a str,
    /// Where the board comes from.
    origin: String,
    height: u16,
    width: u16,
    /// Open cells.
    cells: u64,
    /// Positions of the game, both sides to move.
    positions: u64,
    engine: String,
    /// The most bytes of memory of a process that makes only this table. An estimate from above.
    memory_bytes: u64,
    /// Whether that is within the limit. Tables that do not fit are left out.
    fits: bool,
    /// Whether the table is made with all threads and nothing beside it.
    alone: bool,
    /// A probable mistake about the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<&'a str>,
    /// Estimated seconds of solving and writing with all threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// Estimated bytes of the table's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
}

impl<'a> Forecast<'a> {
    fn new(
        planned: &'a PlannedTable,
        checked: &'a CheckedTable,
        cost: Option<Cost>,
        memory: u64,
    ) -> Forecast<'a> {
        Forecast {
            name: &planned.name,
            origin: planned.origin.to_string(),
            height: checked.height,
            width: checked.width,
            cells: checked.cells,
            positions: checked.task.positions,
            engine: name_of(&checked.engine),
            memory_bytes: checked.task.process_memory(),
            fits: checked.task.fits(memory),
            alone: checked.task.is_large(),
            warning: checked.warning.as_deref(),
            seconds: cost.map(|cost| cost.seconds),
            bytes: cost.map(|cost| cost.bytes),
        }
    }
}

/// Sums over the tables that fit.
#[derive(Default)]
struct Sums {
    tables: usize,
    positions: u64,
    seconds: f64,
    bytes: u64,
    /// Tables whose time and bytes cannot be measured by a piece of their board.
    unmeasured: u64,
}

impl Sums {
    fn add(&mut self, forecast: &Forecast) {
        if forecast.fits {
            self.tables += 1;
            self.positions = self.positions.saturating_add(forecast.positions);
            self.seconds += forecast.seconds.unwrap_or(0.0);
            self.bytes = self.bytes.saturating_add(forecast.bytes.unwrap_or(0));
            self.unmeasured += u64::from(forecast.bytes.is_none());
        }
    }
}

impl Sums {
    /// Checks that every table of the list fits into the memory, and all together onto the disk.
    fn require_room(&self, list: &TableList) -> Result<(), Failure> {
        let left_out = list.tables.len() - self.tables;
        if left_out > 0 {
            let tables = human::counted(left_out as u64, "table needs", "tables need");
            return Err(Failure::Trouble(anyhow::anyhow!("{tables} too much memory and will be left out"))
                .with_hint(Memory::HINT));
        }
        let folder = existing_folder(&list.out);
        let free = machine::disk_free(folder)
            .map_err(|error| Failure::from(error).about(format!("cannot look at {}", folder.display())))?;
        if self.bytes > free {
            let (bytes, free) = (human::bytes(self.bytes), human::bytes(free));
            return Err(Failure::Trouble(anyhow::anyhow!(
                "the tables need about {bytes}, and {free} are free on the disk"
            )));
        }
        Ok(())
    }
}

/// Returns the folder, or the nearest one above it that exists.
fn existing_folder(folder: &Path) -> &Path {
    let existing = folder.ancestors().find(|folder| folder.exists());
    existing.filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// Returns why the output folder of the list cannot serve, if that is so: it is no folder, is not to be
/// written to, or its disk has less free space than the limits ask for.
fn folder_trouble(list: &TableList) -> Result<(), Failure> {
    let folder = existing_folder(&list.out);
    let cannot = |error: std::io::Error| {
        Failure::from(error).about(format!("cannot write to the folder {}", folder.display()))
    };
    if !folder.is_dir() {
        let message = anyhow::anyhow!("expected an output folder, found a file: {}", folder.display());
        return Err(Failure::Trouble(message));
    }
    // The file has no name and is gone at once.
    tempfile::tempfile_in(folder).map_err(cannot)?;
    list.limits.require_disk(folder)
}

impl PlanCommand {
    /// Returns the command with `--measure`.
    pub(crate) fn measured(self) -> PlanCommand {
        PlanCommand { measure: true, ..self }
    }

    pub(crate) fn run(self) -> Result<(), Failure> {
        let list = self.tables.list()?;
        let folder = folder_trouble(&list);
        let threads = list.limits.threads(self.tables.threads.given());
        let memory = list.limits.memory().limit();
        let generator = self.tables.threads.generator()?;
        let mut calibration = Calibration::new(&generator);
        let mut sums = Sums::default();
        let widest = list.tables.iter().map(|table| table.name.len()).max().unwrap_or(0).max(5);
        for (number, tables) in list.lots().enumerate() {
            let mut costs = Vec::new();
            let checked = check(tables, threads, |plan| {
                costs.push(match plan {
                    AnyPlan::Pursuit(plan) if self.measure => Some(calibration.cost(plan)?),
                    // A piece of a board with doors has other doors.
                    _ => None,
                });
                Ok(())
            })?;
            let rows: Vec<Forecast> = (tables.iter().zip(&checked).zip(costs))
                .map(|((planned, checked), cost)| Forecast::new(planned, checked, cost, memory))
                .collect();
            rows.iter().for_each(|row| sums.add(row));
            if self.json {
                rows.iter().try_for_each(print_json)?;
            } else {
                self.print(&rows, widest, threads, number == 0)?;
            }
        }
        if !self.json {
            self.print_sums(&list, &sums, threads, memory)?;
        }
        folder?;
        sums.require_room(&list)
    }

    /// Prints the lines of tables, below the headings if `headed` is set.
    fn print(&self, rows: &[Forecast], widest: usize, threads: usize, headed: bool) -> Result<(), Failure> {
        let columns = columns(&stdout());
        let mut output = output();
        let mut line = |cells: [String; 8]| {
            let [name, size, positions, engine, memory, time, bytes, with] = cells;
            // The greatest numbers are left out first where the terminal is narrow.
            let mut parts = vec![
                (0, format!("{name:widest$}")),
                (4, format!("{size:>9}")),
                (1, format!("{positions:>17}")),
                (6, format!("{engine:8}")),
                (2, format!("{memory:>10}")),
            ];
            if self.measure {
                parts.extend([(3, format!("{time:>12}")), (3, format!("{bytes:>10}"))]);
            }
            parts.push((5, with));
            writeln!(output, "{}", human::fitted(&parts, columns))
        };
        if headed {
            line(
                ["table", "size", "positions", "engine", "memory", "time", "bytes", "with"]
                    .map(str::to_owned),
            )?;
        }
        for row in rows {
            let with = match (row.fits, row.alone) {
                (false, _) => "left out: too much memory".to_owned(),
                (true, true) if threads == 1 => "1 thread".to_owned(),
                (true, true) => format!("{threads} threads"),
                (true, false) => "1 thread, others beside it".to_owned(),
            };
            line([
                printable(row.name).into_owned(),
                format!("{}x{}", row.height, row.width),
                human::count(row.positions),
                row.engine.clone(),
                human::bytes(row.memory_bytes),
                row.seconds.map(time).unwrap_or_default(),
                row.bytes.map(human::bytes).unwrap_or_default(),
                with,
            ])?;
        }
        Ok(output.flush()?)
    }

    fn print_sums(&self, list: &TableList, sums: &Sums, threads: usize, memory: u64) -> Result<(), Failure> {
        let costs = match self.measure {
            true if sums.unmeasured > 0 => {
                let without = human::counted(sums.unmeasured, "table with doors", "tables with doors");
                let (time, bytes) = (time(sums.seconds), human::bytes(sums.bytes));
                format!(", {time}, {bytes} without the time and the bytes of {without}")
            }
            true => format!(", {}, {}", time(sums.seconds), human::bytes(sums.bytes)),
            false => String::new(),
        };
        print_line(&format!(
            "{} of {} tables into {}, {} positions{costs}; {threads} threads, {} of memory",
            sums.tables,
            list.tables.len(),
            human::path(&list.out),
            human::count(sums.positions),
            human::bytes(memory),
        ))
    }
}

/// Returns an estimated time: of a short one its milliseconds too.
fn time(seconds: f64) -> String {
    match seconds {
        60.0.. => human::duration(Duration::from_secs_f64(seconds.min(1e11))),
        _ => format!("{seconds:.3} s"),
    }
}
