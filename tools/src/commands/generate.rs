//! `dragnet generate`: from boards to tables.

use super::{print_json, print_line};
#[cfg(feature = "mpi")]
use crate::{
    failure::TROUBLE,
    mpi::{self, MpiJob},
};
use crate::{
    failure::{Failure, unless_closed},
    input::{shard::Shard, table_arguments::TableArguments, table_list::TableList},
    make::{
        end_command::run_end_command,
        log,
        progress::Announce,
        run::{Ranks, RunEnd, RunOptions, RunOutcome, run},
    },
    messages::{self, Kind, columns, printable},
    output::human,
    report::{
        self,
        entry::TableEntry,
        history::{History, StatusCounts},
        place::Place,
        status::Status,
        totals::RunReport,
    },
    signals,
};
use clap::Args;
#[cfg(feature = "mpi")]
use dragnet_generator::{Generator, Observer, ranks::Transport};
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(feature = "mpi")]
use std::sync::Arc;
use std::{collections::BTreeMap, io::stdout, path::PathBuf, time::Duration};

/// Make a table for each board
///
/// Each BOARD is a file in the text form ('#' or '*' wall, '.' or space open, 'E' exit, 'P' and 'T' start
/// cells), the contest form (a first line "rows columns"), or a MovingAI .map. Its table is DIR/NAME.dtb. Of
/// a folder all boards are taken, also those in folders within it. Without a board and without --size the
/// built-in default set is made: every open board from 3x3 to 12x12 with a corner exit, and some mazes,
/// rooms and random boards. A single TOML file in place of the boards is a manifest, which lists tables,
/// output folder and limits ('dragnet plan --help' shows one).
///
/// As many small tables are made side by side as there are threads, and large ones one after another with all
/// threads. A table that needs more memory than --memory, the manifest's limit, or three quarters of the
/// machine's, is made with scratch files, or left out if that is no help. Finished tables that are still
/// right are kept: a journal in DIR/.dragnet knows them. So the same command goes on after an interruption,
/// and makes only what is missing or has changed. A table has its name only when it is complete. A long solve
/// leaves checkpoints beside its table, from which the same command resumes; the engine counters takes none.
/// Several runs may work in a folder, on several machines: each makes tables that no other has claimed, and
/// takes over those of a run that is killed.
///
/// The lines on standard output have the order of the boards. A manifest ends with a summary instead, and
/// with report.html and report.json in its output folder.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Generate {
    #[command(flatten)]
    tables: TableArguments,
    /// Make every N-th table of a manifest, from the I-th on, for tasks that have no folder in common: --out
    /// names a folder of the task's own. Runs that share a folder need no such division
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Do not flush tables to the disk: for scratch output that a loss of power may take
    #[arg(long)]
    no_sync: bool,
    /// Make every table anew, even over a file that is no table
    #[arg(long)]
    force: bool,
    /// Check every checksum of the tables that are finished, at the speed of the disk; without this a few
    /// blocks of each are read, other ones in each run
    #[arg(long, conflicts_with = "force")]
    recheck: bool,
    /// One JSON object per table instead of lines or summary
    #[arg(long)]
    json: bool,
    /// Minutes between the checkpoints of a long solve [default: what the manifest says, or 1 and as many
    /// more as keep their cost below 5 % of the time]
    #[arg(long, value_name = "MINUTES", value_parser = minutes)]
    checkpoints: Option<Duration>,
    /// Append the events of the run to this file, a line of JSON each. The first and the last event of a run
    /// have its number
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Solve each board together with the other ranks of an MPI job, which 'mpirun' or 'srun' starts: the
    /// tables have the same bytes. Needs a program that was built with '--features mpi'
    #[arg(long, conflicts_with = "shard")]
    mpi: bool,
    /// End when other runs in the same folder have claimed all tables that are left, instead of waiting for
    /// them and taking over what one leaves unfinished
    #[arg(long)]
    no_wait: bool,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet generate                                   the default set, in tables/
  dragnet generate castle.txt keep.txt --out tables
  dragnet generate arena.map --exit 0,3 --exit 12,7
  dragnet generate --size 3x3..16x16 --favour speed
  dragnet generate maze.map --rules chase --exit none
  dragnet generate castle.txt --officers 2
  dragnet generate --graph streets.txt --officers 2
  dragnet generate batch.toml --log batch.log
  dragnet generate batch.toml --shard 3/200 --out 3  the third of 200 parts";

/// Reads a number of minutes, above 0 and at most a year.
fn minutes(text: &str) -> Result<Duration, String> {
    let minutes = text.parse().ok().filter(|&minutes: &f64| minutes > 0.0 && minutes <= 525_600.0);
    minutes
        .map(|minutes| Duration::from_secs_f64(60.0 * minutes))
        .ok_or_else(|| format!("expected a number of minutes above 0, found {text:?}"))
}

impl Generate {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.mpi { self.run_with_ranks() } else { self.run_here(None) }
    }

    /// Makes the tables together with the other ranks of an MPI job.
    #[cfg(not(feature = "mpi"))]
    fn run_with_ranks(self) -> Result<(), Failure> {
        Err(Failure::input("--mpi: expected a program that was built for MPI, found one that was not")
            .with_hint("build it where the job runs: cargo install --path tools --features mpi"))
    }

    /// Makes the tables together with the other ranks of an MPI job. Rank 0 does all that is to be seen.
    #[cfg(feature = "mpi")]
    fn run_with_ranks(self) -> Result<(), Failure> {
        let job = MpiJob::join()?;
        let transport = job.transport();
        if transport.rank() > 0 {
            return self.help(transport);
        }
        let ranks = Ranks { transport: Arc::clone(&transport), end_all: mpi::end_all };
        let result = self.run_here(Some(ranks));
        if let Err(error) = Generator::new(1)?.with_ranks(transport).dismiss_ranks() {
            Failure::from(error).report();
            mpi::end_all(TROUBLE);
        }
        result
    }

    /// Helps rank 0 until it is done. A failure here ends all ranks.
    #[cfg(feature = "mpi")]
    fn help(&self, transport: Arc<dyn Transport>) -> Result<(), Failure> {
        /// Stops when a signal has come.
        struct Stop;

        impl Observer for Stop {
            fn stop(&self) -> bool {
                signals::received()
            }
        }

        let rank = transport.rank();
        let helped = || -> Result<(), Failure> {
            // Rank 0 says what happens.
            signals::watch(|_, _| {}, "")?;
            let generator = Generator::new(self.tables.threads.given().unwrap_or(0))?;
            Ok(generator.with_ranks(transport).help(&Stop)?)
        };
        helped().map_err(|failure| {
            let status = failure.status();
            failure.about(format!("rank {rank}")).report();
            mpi::end_all(status)
        })
    }

    /// Makes the tables, together with `ranks` if there are any.
    fn run_here(self, ranks: Option<Ranks>) -> Result<(), Failure> {
        let list = match self.shard {
            Some(shard) => self.tables.list_of_shard(shard)?,
            None => self.tables.list()?,
        };
        if let Some(path) = &self.log {
            log::begin(path)?;
        }
        if list.manifest.is_some() { self.run_manifest(&list, ranks) } else { self.run_boards(&list, ranks) }
    }

    fn options(&self, portraits: bool, announce: Announce, ranks: Option<Ranks>) -> RunOptions {
        RunOptions {
            threads: self.tables.threads.given(),
            sync: !self.no_sync,
            force: self.force,
            recheck: self.recheck,
            wait: !self.no_wait,
            checkpoints: self.checkpoints,
            portraits,
            announce,
            ranks,
        }
    }

    /// Makes the tables of a manifest, then prints the summary. The last run in the folder writes the report
    /// of all tables and runs the command at the end, whatever has failed before.
    fn run_manifest(&self, list: &TableList, ranks: Option<Ranks>) -> Result<(), Failure> {
        let entries = Mutex::new(BTreeMap::new());
        let printed = Mutex::new(Ok(()));
        let end = run(list, &self.options(true, Announce::All, ranks), &|number, entry| {
            if self.json {
                let answer = GenerateAnswer { entry: entry.clone(), made: None };
                // Tables matter more than what is printed.
                let mut printed = printed.lock();
                if printed.is_ok() {
                    *printed = unless_closed(print_json(&answer));
                }
            }
            entries.lock().insert(number, entry);
        })?;
        let RunEnd { mut outcome, summary, history, not_named, journal, is_last, lock, status } = end;
        let title = list.manifest.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        let entries = std::mem::take(&mut *entries.lock()).into_values().collect();
        let history = history.read().unwrap_or_else(|failure| {
            messages::say(Kind::Warning, &failure.text());
            History::default()
        });
        let report = RunReport::new(title, entries).of_run(&summary, history, not_named);
        let printed = match self.json {
            true => printed.into_inner(),
            false => unless_closed(report::print(&report)),
        };
        let has_report = is_last && !list.is_part;
        let written = match has_report {
            true => report::write(&report, &list.out, &Place::alone(&list.out)),
            false => Ok(()),
        };
        let failed = printed.and(journal).and(written);
        outcome.add(&failed);
        status.end(outcome.status);
        // The command may begin another run in the folder.
        drop(lock);
        if has_report && let Err(failure) = run_end_command(list, &outcome, &summary) {
            // Tables matter more than what comes after them.
            messages::say(Kind::Warning, &failure.text());
        }
        failed?;
        if outcome.interrupted.is_some() {
            return Err(interrupted(list, &outcome, summary.counts));
        }
        if outcome.status > 0 { Err(Failure::Silent(outcome.status)) } else { Ok(()) }
    }

    /// Makes the tables of boards and sizes, and prints a line for each.
    fn run_boards(&self, list: &TableList, ranks: Option<Ranks>) -> Result<(), Failure> {
        let widest = list.tables.iter().map(|table| table.name.len()).max().unwrap_or(0);
        let lines = Mutex::new(Lines {
            json: self.json,
            widest,
            next: 0,
            waiting: BTreeMap::new(),
            failure: None,
            sums: Sums::default(),
        });
        let end = run(list, &self.options(false, Announce::Failures, ranks), &|number, entry| {
            lines.lock().add(number, entry);
        })?;
        let RunEnd { mut outcome, journal, summary, lock: _lock, status, .. } = end;
        let sums = lines.lock().finish().and_then(|sums| journal.map(|()| sums));
        outcome.add(&sums);
        status.end(outcome.status);
        let sums = sums?;
        let total = list.tables.len();
        if outcome.interrupted.is_some() {
            return Err(interrupted(list, &outcome, summary.counts));
        }
        let not_made = summary.counts.not_made();
        if not_made > 0 && total > 1 {
            messages::say(Kind::Error, &format!("{not_made} of {total} tables could not be made"));
        }
        if outcome.status > 0 {
            return Err(Failure::Silent(outcome.status));
        }
        if self.tables.are_default() && !self.json { unless_closed(sums.print(list)) } else { Ok(()) }
    }
}

/// Sums over the tables that were printed.
#[derive(Clone, Copy, Default)]
struct Sums {
    positions: u64,
    bytes: u64,
}

impl Sums {
    /// Prints how much there is, and the commands that show it.
    fn print(self, list: &TableList) -> Result<(), Failure> {
        let tables = human::counted(list.tables.len() as u64, "table", "tables");
        let (positions, bytes, out) =
            (human::count(self.positions), human::bytes(self.bytes), human::path(&list.out));
        print_line(&format!("{tables} in {out}, {positions} positions, {bytes}"))?;
        let view = if cfg!(feature = "serve") {
            format!("'dragnet view {out}' shows them, ")
        } else {
            String::new()
        };
        let one = list.tables.last().map_or_else(PathBuf::new, |table| list.path(&table.name));
        print_line(&format!("{view}'dragnet play {}' is a game", human::path(&one)))
    }
}

/// Says how far a run has come that a signal or its time limit has ended. Returns the failure.
fn interrupted(list: &TableList, outcome: &RunOutcome, counts: StatusCounts) -> Failure {
    let (total, finished) = (list.tables.len() as u64, counts.finished());
    let by = if signals::received() { "interrupted" } else { "the time limit was reached" };
    let name = |first: usize| &list.tables[first].name;
    let unfinished = match (outcome.interrupted.map(name), total - finished - counts.not_made()) {
        (Some(name), several @ 2..) => format!(", {name} and {} more are not", several - 1),
        (Some(name), _) => format!(", {name} is not"),
        (None, _) => String::new(),
    };
    let not_begun = match outcome.not_begun {
        0 => String::new(),
        several => format!(" ({several} had not begun)"),
    };
    let text = format!(
        "{by}; {finished} of {total} tables are finished{unfinished}{not_begun}; the same command goes on"
    );
    messages::say(Kind::Note, &text);
    Failure::Silent(outcome.status)
}

/// Prints finished tables in the order of their numbers, whichever is finished first.
struct Lines {
    json: bool,
    /// Columns of the longest name.
    widest: usize,
    /// The number of the table to be printed next.
    next: usize,
    /// Tables that are done before one with a smaller number.
    waiting: BTreeMap<usize, TableEntry>,
    /// The first failure to print, after which nothing is printed.
    failure: Option<Failure>,
    sums: Sums,
}

impl Lines {
    fn add(&mut self, number: usize, entry: TableEntry) {
        self.waiting.insert(number, entry);
        while let Some(entry) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.print(&entry);
        }
    }

    /// Prints the tables behind one that was not made. Returns the sums, or the first failure to print,
    /// unless the output was closed.
    fn finish(&mut self) -> Result<Sums, Failure> {
        for entry in std::mem::take(&mut self.waiting).into_values() {
            self.print(&entry);
        }
        unless_closed(self.failure.take().map_or(Ok(()), Err))?;
        Ok(self.sums)
    }

    fn print(&mut self, entry: &TableEntry) {
        self.sums.positions += entry.positions.filter(|_| entry.status.is_finished()).unwrap_or(0);
        self.sums.bytes += entry.bytes.unwrap_or(0);
        if entry.status.is_finished() && self.failure.is_none() {
            let printed = if self.json {
                print_json(&GenerateAnswer::of_board(entry))
            } else {
                print(entry, self.widest)
            };
            self.failure = printed.err();
        }
    }
}

/// A table that is done.
#[derive(Serialize, JsonSchema)]
pub(crate) struct GenerateAnswer {
    #[serde(flatten)]
    entry: TableEntry,
    /// Whether the table was solved now; `false` if its values were there already. Absent with a manifest.
    #[serde(skip_serializing_if = "Option::is_none")]
    made: Option<bool>,
}

impl GenerateAnswer {
    /// Returns the answer about a finished table of boards and sizes.
    fn of_board(entry: &TableEntry) -> GenerateAnswer {
        let entry = entry.clone();
        if entry.status == Status::Made {
            return GenerateAnswer { entry, made: Some(true) };
        }
        // Of a table that was kept nothing is said about the work of an earlier run.
        let entry = TableEntry { engine: None, solve_seconds: None, write_seconds: None, ..entry };
        GenerateAnswer { entry, made: Some(false) }
    }
}

/// Prints the line of a finished table.
fn print(entry: &TableEntry, widest: usize) -> Result<(), Failure> {
    let (Some(positions), Some(police_to_move), Some(thief_to_move), Some(longest), Some(bytes), Some(bits)) = (
        entry.positions,
        entry.police_to_move,
        entry.thief_to_move,
        entry.longest,
        entry.bytes,
        entry.bits_per_position,
    ) else {
        panic!("the entry of a finished table has all that its header holds");
    };
    let share = |a, b| human::percent(a + b, positions);
    let mut end = match (entry.status, entry.solve_seconds, entry.write_seconds) {
        (Status::Made, Some(solve), Some(write)) => format!("{:.2} s", solve + write),
        _ if entry.replaced.is_some() => "values as they were".to_owned(),
        _ => "as it was".to_owned(),
    };
    if let Some(what) = &entry.replaced {
        end += &format!(", replaced {what}");
    }
    // The greatest numbers are left out first where the terminal is narrow.
    let parts = [
        (0, format!("{:widest$}", printable(&entry.name))),
        (2, format!("{:>13} positions", human::count(positions))),
        (
            3,
            format!(
                "police {:>7} thief {:>7} draw {:>7}",
                share(police_to_move.police, thief_to_move.police),
                share(police_to_move.thief, thief_to_move.thief),
                share(police_to_move.draw, thief_to_move.draw)
            ),
        ),
        (4, format!("longest {}/{}", longest.police, longest.thief)),
        (5, format!("{}, {bits:.2} bits each", human::bytes(bytes))),
        (1, end),
    ];
    print_line(&human::fitted(&parts, columns(&stdout())))
}
