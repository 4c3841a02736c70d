//! `dragnet plan`: what would be made, and what it needs.

use super::{output, print_json, print_line};
use crate::{
    failure::Failure,
    input::{
        arguments::{EngineName, name_of},
        limits::{Refusal, existing_folder},
        table_arguments::TableArguments,
        table_list::{ListedTable, TableList, setting},
    },
    machine,
    make::{
        calibration::{Calibration, Cost},
        folder,
        journal::{self, Record},
        planned_table::{self, PlannedTable},
    },
    messages::{columns, printable},
    output::human,
};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    io::{Write, stdout},
    path::Path,
    time::Duration,
};

/// Show which tables would be made, and what they need: positions, engine, memory, time, room on the disk
///
/// Takes the boards, sizes or manifest of 'dragnet generate', checks everything that it would check, and
/// makes nothing. 'memory' is what a table likely takes. If that is more than the limit, the table is made
/// all the same, more slowly, with a part of it in the scratch folder: 'least' is the memory that works then,
/// and 'scratch' the room on the disk that is likely. Exit status 3 if a table has no room in any way, if the
/// disk has too little for the tables, or if the folder cannot serve.
///
/// Times and bytes with a ~ are rough: they are those of boards of this kind on another machine. With
/// --measure it solves small pieces of the boards to find out how fast this machine is at boards of their
/// kind and how small their tables become; times and bytes are then right within a factor of two or three. Of
/// tables that are made already it has the true ones.
#[derive(Args)]
#[command(after_help = AFTER_HELP, after_long_help = format!("{AFTER_HELP}\n\n{}", crate::input::manifest::HELP))]
pub(crate) struct PlanCommand {
    #[command(flatten)]
    tables: TableArguments,
    /// Measure small pieces of the boards for better estimates of seconds and bytes
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
#[derive(Serialize, JsonSchema)]
pub(crate) struct Forecast<'a> {
    /// Name of the table.
    name: &'a str,
    /// Where the board comes from.
    origin: String,
    /// Rows of the board.
    height: u16,
    /// Columns of the board.
    width: u16,
    /// Open cells.
    cells: u64,
    /// Positions, both sides to move.
    positions: u64,
    /// Engine that would solve the game.
    #[schemars(extend("enum" = ["counters", "bitboard"]))]
    engine: String,
    /// Memory that making the table likely takes if all stays there.
    memory_bytes: u64,
    /// Least memory that works, with logs and sets in the scratch folder. That of the engine `counters` is
    /// `memory_bytes`.
    least_memory_bytes: u64,
    /// Bytes in the scratch folder that are likely then.
    scratch_bytes: u64,
    /// Whether the table has room within the limits; otherwise it is left out.
    fits: bool,
    /// Which figures are within the limits: `memory_bytes`; or else `least_memory_bytes` and `scratch_bytes`,
    /// with which the solve is slower. `null` if the table is left out.
    within: Option<Within>,
    /// Whether the table is made with all threads and nothing beside it.
    alone: bool,
    /// Probable mistake about the board. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<&'a str>,
    /// Whether the table is made already.
    made: bool,
    /// Rough time of solving and writing, as on the machine of the project's benchmarks.
    rough_seconds: f64,
    /// Rough length of the file, by the kind of the board.
    rough_bytes: u64,
    /// Time of solving and writing: that of a table that is made already, or with `--measure` an estimate on
    /// this machine. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// Length of the file: that of a table that is made already, or with `--measure` an estimate. Absent
    /// otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
}

/// The figures of a table that are within the limits.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Within {
    /// The memory that is likely.
    Memory,
    /// The least memory, and the scratch.
    Scratch,
}

impl<'a> Forecast<'a> {
    fn new(
        listed: &'a ListedTable,
        planned: &'a PlannedTable,
        cost: Option<Cost>,
        made: Option<&Record>,
        in_memory: &Result<bool, Refusal>,
        threads: usize,
    ) -> Forecast<'a> {
        let (needs, board) = (planned.task.needs, &setting(&planned.plan).board);
        let made_in = |record: &Record| record.entry.seconds();
        Forecast {
            name: &listed.name,
            origin: listed.origin.to_string(),
            height: board.height(),
            width: board.width(),
            cells: board.open_count() as u64,
            positions: planned.task.positions,
            engine: name_of(&EngineName::from(planned.plan.engine())),
            memory_bytes: needs.likely,
            least_memory_bytes: needs.least,
            scratch_bytes: needs.scratch,
            fits: in_memory.is_ok(),
            within: in_memory.as_ref().ok().map(|&is| if is { Within::Memory } else { Within::Scratch }),
            alone: planned.task.is_large(),
            warning: planned.warning.as_deref(),
            made: made.is_some(),
            rough_seconds: planned.effort as f64 / 1e9 / threads as f64,
            rough_bytes: planned.rough_bytes,
            seconds: made.and_then(made_in).or(cost.map(|cost| cost.seconds)),
            bytes: made.and_then(|record| record.entry.bytes).or(cost.map(|cost| cost.bytes)),
        }
    }

    /// Returns the seconds, and whether they are rough.
    fn time(&self) -> (f64, bool) {
        (self.seconds.unwrap_or(self.rough_seconds), self.seconds.is_none())
    }

    /// Returns the bytes, and whether they are rough.
    fn room(&self) -> (u64, bool) {
        (self.bytes.unwrap_or(self.rough_bytes), self.bytes.is_none())
    }
}

/// Sums over the tables that fit.
#[derive(Default)]
struct Sums {
    tables: usize,
    positions: u64,
    /// Seconds and bytes of the tables that are still to be made.
    seconds: f64,
    bytes: u64,
    /// Tables that are made already.
    made: u64,
    /// Whether some of these seconds or bytes are rough.
    is_rough: bool,
    /// Why the first table that is left out has no room.
    refusal: Option<Failure>,
}

impl Sums {
    fn add(&mut self, forecast: &Forecast) {
        if !forecast.fits && !forecast.made {
            return;
        }
        self.tables += 1;
        self.positions = self.positions.saturating_add(forecast.positions);
        if forecast.made {
            self.made += 1;
            return;
        }
        let ((seconds, is_rough), (bytes, are_rough)) = (forecast.time(), forecast.room());
        self.seconds += seconds;
        self.bytes = self.bytes.saturating_add(bytes);
        self.is_rough |= is_rough || are_rough;
    }
}

impl Sums {
    /// Notes why a table is left out, if none has been left out before.
    fn leave_out(&mut self, name: &str, refusal: Refusal) {
        self.refusal.get_or_insert_with(|| {
            Failure::from(Refusal { message: format!("{name} {}", refusal.message), ..refusal })
        });
    }

    /// Checks that every table of the list has room, and all together on the disk.
    fn require_room(self, list: &TableList) -> Result<(), Failure> {
        if let Some(refusal) = self.refusal {
            let left_out = (list.tables.len() - self.tables) as u64;
            let tables = human::counted(left_out, "table has no room", "tables have no room");
            return Err(refusal.about(format!("{tables} and will be left out")));
        }
        let folder = existing_folder(&list.out);
        let free = machine::disk_free(folder).map_err(|error| Failure::cannot("look at", folder, error))?;
        let left = list.limits.disk_free.unwrap_or(0);
        if self.bytes.saturating_add(left) <= free {
            return Ok(());
        }
        let (bytes, free) = (human::bytes(self.bytes), human::bytes(free));
        let of_which = match left {
            0 => String::new(),
            left => format!(", of which {} are to be left", human::bytes(left)),
        };
        let failure = Failure::Trouble(anyhow::anyhow!(
            "the tables need about {bytes}, and {free} are free on the disk{of_which}"
        ));
        Err(match self.is_rough {
            true => failure.with_hint("--measure estimates it better"),
            false => failure,
        })
    }
}

/// Returns why a folder of tables or of scratch files cannot serve, if that is so: it is no folder, or is not
/// to be written to. `what` says in the message what was expected.
fn folder_trouble(folder: &Path, what: &str) -> Result<(), Failure> {
    let folder = existing_folder(folder);
    let cannot = |error: std::io::Error| Failure::cannot("write to the folder", folder, error);
    if !folder.is_dir() {
        let message = anyhow::anyhow!("expected {what}, found a file: {}", folder.display());
        return Err(Failure::Trouble(message));
    }
    // The file has no name and is gone at once.
    tempfile::tempfile_in(folder).map_err(cannot)?;
    Ok(())
}

/// Returns why the folders of the list cannot serve, if that is so, or their disks have less free space than
/// the limits ask for.
fn require_folders(list: &TableList) -> Result<(), Failure> {
    folder_trouble(&list.out, "an output folder")?;
    folder_trouble(&list.out.join(folder::FOLDER), "a folder")?;
    if let Some(scratch) = &list.limits.scratch {
        folder_trouble(scratch, "a scratch folder")?;
    }
    list.limits.require_disk(existing_folder(&list.out))
}

impl PlanCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let list = self.tables.list()?;
        let folders = require_folders(&list);
        let threads = list.limits.threads(self.tables.threads.given());
        let memory = list.limits.memory().limit();
        let generator = self.tables.threads.generator()?;
        let mut calibration = Calibration::new(&generator);
        let mut sums = Sums::default();
        let known = journal::newest(&list.out)?;
        let widest = list.tables.iter().map(|table| table.name.len()).max().unwrap_or(0).max(5);
        for (number, tables) in list.lots().enumerate() {
            let planned = planned_table::plan(tables, threads)?;
            let mut rows = Vec::with_capacity(planned.len());
            for (listed, planned) in tables.iter().zip(&planned) {
                let path = list.path(&listed.name);
                // A piece of a board with doors has other doors.
                let is_tried = self.measure && setting(&planned.plan).doors.is_empty();
                let cost = is_tried.then(|| calibration.cost(&planned.plan)).transpose()?;
                let made = known.get(&listed.name).filter(|record| record.is_of(&planned.key, &path));
                let in_memory = list.limits.is_in_memory(planned.task.needs, &path);
                rows.push(Forecast::new(listed, planned, cost, made, &in_memory, threads));
                if let (Err(refusal), None) = (in_memory, made) {
                    sums.leave_out(&listed.name, refusal);
                }
            }
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
        folders?;
        sums.require_room(&list)
    }

    /// Prints the lines of tables, below the headings if `headed` is set.
    fn print(&self, rows: &[Forecast], widest: usize, threads: usize, headed: bool) -> Result<(), Failure> {
        let columns = columns(&stdout());
        let mut output = output();
        let mut line = |cells: [String; 10]| {
            let [name, size, positions, engine, memory, least, scratch, time, bytes, with] = cells;
            // The greatest numbers are left out first where the terminal is narrow.
            let mut parts = vec![
                (0, format!("{name:widest$}")),
                (4, format!("{size:>9}")),
                (1, format!("{positions:>17}")),
                (6, format!("{engine:8}")),
                (2, format!("{memory:>10}")),
                (3, format!("{least:>10}")),
                (3, format!("{scratch:>10}")),
            ];
            parts.extend([(2, format!("{time:>12}")), (2, format!("{bytes:>11}"))]);
            parts.push((5, with));
            writeln!(output, "{}", human::fitted(&parts, columns))
        };
        if headed {
            line(
                [
                    "table",
                    "size",
                    "positions",
                    "engine",
                    "memory",
                    "least",
                    "scratch",
                    "time",
                    "bytes",
                    "with",
                ]
                .map(str::to_owned),
            )?;
        }
        for row in rows {
            let threads = if row.alone { threads } else { 1 };
            let threads = human::counted(threads as u64, "thread", "threads");
            let with = match (row.within, row.alone) {
                (None, _) => "left out: no room".to_owned(),
                (Some(Within::Scratch), _) => format!("{threads}, a part in scratch: slower"),
                (Some(Within::Memory), true) => threads,
                (Some(Within::Memory), false) => format!("{threads}, others beside it"),
            };
            let with = if row.made { format!("{with}; made already") } else { with };
            line([
                printable(row.name).into_owned(),
                format!("{}x{}", row.height, row.width),
                human::count(row.positions),
                row.engine.clone(),
                human::needed_bytes(row.memory_bytes),
                human::needed_bytes(row.least_memory_bytes),
                human::needed_bytes(row.scratch_bytes),
                roughly(row.time(), time),
                roughly(row.room(), human::bytes),
                with,
            ])?;
        }
        Ok(output.flush()?)
    }

    fn print_sums(&self, list: &TableList, sums: &Sums, threads: usize, memory: u64) -> Result<(), Failure> {
        let made = match sums.made {
            0 => String::new(),
            made => format!(", {} made already", human::count(made)),
        };
        let costs = match sums.made == sums.tables as u64 {
            true => String::new(),
            false => format!(
                ", {}, {}",
                roughly((sums.seconds, sums.is_rough), time),
                roughly((sums.bytes, sums.is_rough), human::bytes)
            ),
        };
        let threads = human::counted(threads as u64, "thread", "threads");
        print_line(&format!(
            "{} of {} tables into {}{made}, {} positions{costs}; {threads}, {} of memory",
            sums.tables,
            list.tables.len(),
            human::path(&list.out),
            human::count(sums.positions),
            human::bytes(memory),
        ))
    }
}

/// Returns a figure in words, with a `~` before it if it is rough.
fn roughly<T>((figure, is_rough): (T, bool), words: impl Fn(T) -> String) -> String {
    format!("{}{}", if is_rough { "~" } else { "" }, words(figure))
}

/// Returns an estimated time: of a short one its milliseconds too.
fn time(seconds: f64) -> String {
    match seconds {
        60.0.. => human::duration(Duration::from_secs_f64(seconds.min(1e11))),
        _ => format!("{seconds:.3} s"),
    }
}
