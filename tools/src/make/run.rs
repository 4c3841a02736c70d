//! The one way in which tables are made: all of a list, as many side by side as the limits allow, and nothing
//! twice.

use crate::{
    failure::Failure,
    input::{
        arguments::{EngineName, name_of},
        limits::Memory,
        planned::{PlannedTable, TableList},
    },
    lock::lock,
    machine,
    make::{
        checked::{CheckedTable, check, key},
        existing::Existing,
        journal::{FolderLock, Journal, Record, stamp},
        progress::{Announce, RunProgress},
    },
    messages::Kind,
    output::{
        human,
        progress::{self, Progress},
    },
    report::{
        entry::{NOT_BEGUN, Status, TableEntry},
        portrait::Portrait,
    },
    signals,
};
use dragnet_formats::{cell::Cell, pieces::Pieces};
use dragnet_generator::{
    GenerateError, Generator, Observer, Plan, Report, Stage, Warning, checkpoints_of, save,
    schedule::{self, Order, Task},
};
use dragnet_probe::Table;
use std::{
    fs,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use tracing::{info, warn};

/// How tables are made, beside what their list says.
pub(crate) struct RunOptions {
    /// Threads in place of those of the list.
    pub(crate) threads: Option<usize>,
    /// Whether tables are flushed to the disk.
    pub(crate) sync: bool,
    /// Whether every table is made anew.
    pub(crate) force: bool,
    /// Whether to wait for another run in the same folder.
    pub(crate) wait: bool,
    /// Time between the checkpoints of a long solve, in place of that of the list.
    pub(crate) checkpoints: Option<Duration>,
    /// Whether entries have portraits, for a report.
    pub(crate) portraits: bool,
    /// Which tables are reported on standard error.
    pub(crate) announce: Announce,
}

/// Time between the checkpoints of a long solve unless the user says otherwise.
const CHECKPOINTS: Duration = Duration::from_secs(10 * 60);

/// Exit status of a run that has left out something for want of memory, disk or time.
const LEFT_OUT: u8 = 3;

/// The counts of a run.
#[derive(Debug, Default)]
pub(crate) struct RunCounts {
    /// Tables that are finished, made now or before.
    pub(crate) finished: usize,
    /// Tables that could not be made or were left out.
    pub(crate) failed: usize,
    /// The worst exit status of all tables, 0 if all are finished; that of the signal if one has kept a table
    /// from being finished.
    pub(crate) status: u8,
    /// The first table of the list that a signal or the time limit kept from being finished.
    pub(crate) interrupted: Option<usize>,
    /// Tables that were interrupted before they were begun.
    pub(crate) not_begun: usize,
}

/// The end of a run. The output folder stays locked until this is dropped.
pub(crate) struct RunEnd {
    pub(crate) counts: RunCounts,
    /// Wall time.
    pub(crate) elapsed: Duration,
    /// The failure of writing the journal anew, which must not hide what has been done.
    pub(crate) journal: Result<(), Failure>,
    _lock: FolderLock,
}

/// Makes the tables of `list`, and hands the entry of each with its number to `done` as soon as the table is
/// done, one at a time. Waits for another run in the same folder unless told otherwise.
pub(crate) fn run(
    list: &TableList,
    options: &RunOptions,
    done: &(dyn Fn(usize, TableEntry) + Sync),
) -> Result<RunEnd, Failure> {
    let begin = Instant::now();
    signals::watch(progress::say, "a long solve writes a checkpoint first")?;
    let threads = list.limits.threads(options.threads);
    let memory = list.limits.memory();
    // Nothing is written before the first lot has proved usable.
    let mut checked_first =
        list.lots().next().map(|tables| check(tables, threads, |_| Ok(()))).transpose()?;
    let out = list.out.as_path();
    fs::create_dir_all(out)
        .map_err(|error| Failure::from(error).about(format!("cannot make the folder {}", out.display())))?;
    let progress = RunProgress::new(list.tables.len(), options.announce);
    let folder_lock = FolderLock::take(out, options.wait, || {
        let text = format!("another run is working in {}; waiting for it to end", out.display());
        progress::say(Kind::Note, &text);
    })?;
    for name in save::remove_leftovers(out)? {
        info!(event = "removed", file = %name.display());
    }
    let journal = Journal::open(out)?;
    let manifest = list.manifest.as_ref().map(|path| tracing::field::display(path.display()));
    let number = RunNumber::now();
    info!(
        event = "begin",
        run = number.0,
        manifest,
        tables = list.tables.len(),
        threads,
        memory = memory.limit()
    );
    let deadline = list.limits.time.and_then(|time| begin.checked_add(time));
    let run = RunState { list, options, journal, deadline, progress, done, counts: Mutex::default() };
    let mut first = 0;
    for tables in list.lots() {
        let checked = match checked_first.take() {
            Some(checked) => checked,
            None if run.is_stopped() => {
                run.count_interrupted(first);
                break;
            }
            None => check(tables, threads, |_| Ok(()))?,
        };
        Lot { run: &run, first, tables, checked }.make(threads, memory)?;
        first += tables.len();
    }
    run.progress.finish();
    let mut counts = run.counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    if counts.interrupted.is_some() && signals::received() {
        counts.status = signals::status();
    }
    let elapsed = begin.elapsed();
    info!(event = "end", run = number.0, seconds = elapsed.as_secs_f64(), status = counts.status);
    Ok(RunEnd { counts, elapsed, journal: Journal::tidy(out), _lock: folder_lock })
}

/// The number of a run, which distinguishes its events from those of other runs in the same log: its first
/// millisecond, counted from 1970.
struct RunNumber(u64);

impl RunNumber {
    fn now() -> RunNumber {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        RunNumber(since.as_millis() as u64)
    }
}

/// The state that all tables of a run share.
struct RunState<'a> {
    list: &'a TableList,
    options: &'a RunOptions,
    journal: Journal,
    deadline: Option<Instant>,
    progress: RunProgress,
    done: &'a (dyn Fn(usize, TableEntry) + Sync),
    counts: Mutex<RunCounts>,
}

impl RunState<'_> {
    /// Returns whether the work is to stop soon.
    fn is_stopped(&self) -> bool {
        signals::received() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Counts that the run has stopped before the table with this number was finished.
    fn count_interrupted(&self, number: usize) {
        let mut counts = lock(&self.counts);
        counts.interrupted = Some(counts.interrupted.map_or(number, |first| first.min(number)));
        counts.status = counts.status.max(LEFT_OUT);
    }

    /// Counts, logs, shows and hands on the entry of a table that is done. `status` is the exit status that
    /// it causes.
    fn end(&self, number: usize, entry: TableEntry, status: u8) {
        if entry.status == Status::Interrupted {
            self.count_interrupted(number);
        }
        let mut counts = lock(&self.counts);
        counts.not_begun += usize::from(entry.is_not_begun());
        counts.status = counts.status.max(status);
        counts.finished += usize::from(entry.status.is_finished());
        counts.failed += usize::from(matches!(entry.status, Status::Failed | Status::Skipped));
        drop(counts);
        let message = entry.note().unwrap_or_default();
        match entry.status {
            Status::Made | Status::Kept => info!(
                event = %entry.status, board = entry.name, positions = entry.positions, digest = entry.digest,
                bytes = entry.bytes, solve_seconds = entry.solve_seconds, write_seconds = entry.write_seconds, message
            ),
            _ => warn!(event = %entry.status, board = entry.name, message),
        }
        self.progress.done(&entry);
        progress::suspended(|| (self.done)(number, entry));
    }
}

/// Tables whose boards have been checked together, and which are scheduled together.
struct Lot<'a> {
    run: &'a RunState<'a>,
    /// The number of the first table in the list.
    first: usize,
    tables: &'a [PlannedTable],
    checked: Vec<CheckedTable>,
}

impl Lot<'_> {
    /// Makes the tables of the lot that the journal does not know as finished.
    fn make(&self, threads: usize, memory: Memory) -> Result<(), Failure> {
        let RunState { list, options, .. } = *self.run;
        self.run.progress.checked(self.checked.iter().map(|table| table.task.positions).sum());
        let left: Vec<usize> = (0..self.tables.len()).filter(|&table| !self.is_known(table)).collect();
        for &table in &left {
            let task = &self.checked[table].task;
            if !task.fits(memory.limit()) {
                self.skip(table, task.process_memory(), memory);
            }
        }
        let tasks: Vec<Task> = left.iter().map(|&table| self.checked[table].task).collect();
        let checkpoints = options.checkpoints.or(list.limits.checkpoints).unwrap_or(CHECKPOINTS);
        let generator = |threads| {
            let generator = Generator::new(threads)?.with_checkpoints(checkpoints);
            Ok(if options.sync { generator } else { generator.without_sync() })
        };
        schedule::run(&tasks, threads, memory.limit(), Order::Auto, generator, |task, generator| {
            self.work(left[task], generator);
        })
        .map_err(|error| Failure::from(error).about("cannot start the threads"))
    }

    /// Returns the entry of a table of which only the board is known.
    fn entry(&self, table: usize, status: Status) -> TableEntry {
        let checked = &self.checked[table];
        TableEntry {
            height: Some(checked.height),
            width: Some(checked.width),
            cells: Some(checked.cells),
            positions: Some(checked.task.positions),
            warning: checked.warning.clone(),
            ..TableEntry::new(&self.tables[table].name, status)
        }
    }

    fn end(&self, table: usize, entry: TableEntry, status: u8) {
        self.run.end(self.first + table, entry, status);
    }

    /// Leaves out a table that needs more memory than the limit.
    fn skip(&self, table: usize, needed: u64, memory: Memory) {
        let entry = TableEntry {
            message: Some(format!("{}; {}", memory.refusal(needed), Memory::HINT)),
            memory_bytes: Some(needed),
            ..self.entry(table, Status::Skipped)
        };
        self.end(table, entry, LEFT_OUT);
    }

    /// Returns whether the journal has the table as finished, and its file is as it was then. If so, the
    /// table is done.
    fn is_known(&self, table: usize) -> bool {
        let RunState { list, options, journal, .. } = self.run;
        let name = &self.tables[table].name;
        let Some(record) = journal.record(name).filter(|_| !options.force) else { return false };
        let path = list.path(name);
        let is_unchanged = record.key == self.checked[table].key
            && stamp(&path).is_some_and(|(modified, bytes)| {
                modified == record.modified && Some(bytes) == record.entry.bytes
            });
        if !is_unchanged || options.portraits && record.entry.portrait.is_none() {
            return false;
        }
        let Ok(found) = Table::open(&path) else { return false };
        let entry = TableEntry {
            engine: record.entry.engine.clone(),
            solve_seconds: record.entry.solve_seconds,
            write_seconds: record.entry.write_seconds,
            portrait: record.entry.portrait.clone(),
            warning: self.checked[table].warning.clone(),
            ..TableEntry::of(name, Status::Kept, &path, &found)
        };
        let is_known = entry.digest == record.entry.digest;
        if is_known {
            self.end(table, entry, 0);
        }
        is_known
    }

    /// Ends a table that a signal or the time limit kept from being finished, after it was begun.
    fn interrupt(&self, table: usize) {
        let why = if signals::received() { "interrupted" } else { "the time limit was reached" };
        let path = self.run.list.path(&self.tables[table].name);
        let kept = checkpoints_of(&path).into_iter().find_map(|file| Some((file.level?, file.path)));
        let message = match kept {
            Some((level, path)) => {
                format!("{why}; the checkpoint of level {level} is kept: {}", path.display())
            }
            None => why.to_owned(),
        };
        self.end_unfinished(table, message);
    }

    /// Ends a table that is not finished because the run has stopped.
    fn end_unfinished(&self, table: usize, message: String) {
        let entry = TableEntry { message: Some(message), ..self.entry(table, Status::Interrupted) };
        self.end(table, entry, LEFT_OUT);
    }

    /// Makes a table, or finds it finished.
    fn work(&self, table: usize, generator: &Generator) {
        if self.run.is_stopped() {
            return self.end_unfinished(table, NOT_BEGUN.to_owned());
        }
        match self.make_or_find(table, generator) {
            Ok(entry) => self.end(table, entry, 0),
            Err(Failure::Silent(_)) => self.interrupt(table),
            Err(failure) => {
                let entry = TableEntry { message: Some(failure.text()), ..self.entry(table, Status::Failed) };
                self.end(table, entry, failure.status());
            }
        }
    }

    fn make_or_find(&self, table: usize, generator: &Generator) -> Result<TableEntry, Failure> {
        let (planned, checked) = (&self.tables[table], &self.checked[table]);
        let name = &planned.name;
        let path = self.run.list.path(name);
        let scenario = planned.scenario()?;
        let police = scenario.police.clone();
        let plan = planned.plan(scenario)?;
        if key(&plan) != checked.key {
            return Err(Failure::Trouble(anyhow::anyhow!(
                "{} has changed since the run began",
                planned.origin
            ))
            .with_hint("run it again"));
        }
        let existing = if self.run.options.force { Existing::Nothing } else { Existing::at(&path, &plan)? };
        if let Existing::Finished = existing {
            return self.finish(table, &police, generator, None);
        }
        self.require_disk()?;
        let (positions, memory) = (checked.task.positions, checked.task.memory);
        info!(event = "start", board = name.as_str(), positions, memory);
        progress::say(Kind::Detail, &format!("{name}: begun, {} positions", human::count(positions)));
        let report = self.generate(name, &plan, generator)?;
        let entry = self.finish(table, &police, generator, Some(&report))?;
        let Existing::Other(what) = existing else { return Ok(entry) };
        Ok(TableEntry { replaced: Some(what.to_owned()), ..entry })
    }

    /// Checks that the disk has as much free space as the limits ask for.
    fn require_disk(&self) -> Result<(), Failure> {
        let TableList { out, limits, .. } = self.run.list;
        let Some(least) = limits.disk_free else { return Ok(()) };
        let free = machine::disk_free(out)
            .map_err(|error| Failure::from(error).about(format!("cannot look at {}", out.display())))?;
        if free >= least {
            return Ok(());
        }
        let (free, least) = (human::bytes(free), human::bytes(least));
        Err(Failure::Trouble(anyhow::anyhow!("{free} are free on the disk, and {least} are to be left")))
    }

    fn generate(&self, name: &str, plan: &Plan, generator: &Generator) -> Result<Report, Failure> {
        let path = self.run.list.path(name);
        let progress = self.run.progress.table(name, plan.positions());
        let report = generator.generate(plan, &path, &Watch { run: self.run, name, progress: &progress });
        progress.finish();
        report.map_err(|error| match error {
            GenerateError::Stopped => Failure::Silent(LEFT_OUT),
            error => Failure::of_table(error, &path),
        })
    }

    /// Returns the entry of a finished table, and adds it to the journal. `police` are the officers of the
    /// board file.
    fn finish(
        &self,
        table: usize,
        police: &[Cell],
        generator: &Generator,
        report: Option<&Report>,
    ) -> Result<TableEntry, Failure> {
        let name = &self.tables[table].name;
        let path = self.run.list.path(name);
        let stamp = stamp(&path);
        let made = Table::open(&path)?;
        let portrait = match self.run.options.portraits {
            true => {
                // The officers of the file, if there are as many as play.
                let start =
                    (police.len() == usize::from(made.rules().officers)).then(|| Pieces::new(police).ok());
                Some(generator.install(|| Portrait::of(&made, start.flatten()))?)
            }
            false => None,
        };
        let status = if report.is_some() { Status::Made } else { Status::Kept };
        let entry = TableEntry {
            engine: report.map(|report| name_of(&EngineName::from(report.engine))),
            solve_seconds: report.map(|report| report.solving.as_secs_f64()),
            write_seconds: report.map(|report| report.writing.as_secs_f64()),
            process_peak_memory_bytes: report.and_then(|_| machine::peak_memory()),
            portrait,
            warning: self.checked[table].warning.clone(),
            ..TableEntry::of(name, status, &path, &made)
        };
        if let Some((modified, _)) = stamp {
            let record = Record { key: self.checked[table].key.clone(), modified, entry: entry.clone() };
            if let Err(failure) = self.run.journal.add(&record) {
                // The table is finished all the same; the next run reads it once more.
                progress::say(Kind::Warning, &format!("{}: {}", entry.name, failure.text()));
            }
        }
        Ok(entry)
    }
}

/// The observer of one table of a run.
struct Watch<'a> {
    run: &'a RunState<'a>,
    name: &'a str,
    progress: &'a Progress,
}

impl Observer for Watch<'_> {
    fn stage(&self, stage: Stage) {
        self.progress.stage(stage);
    }

    fn level(&self, level: u32, decided: u64) {
        self.progress.level(level, decided);
    }

    fn written(&self, blocks: u64) {
        self.progress.written(blocks);
    }

    fn resumed(&self, level: u32, decided: u64) {
        info!(event = "resumed", board = self.name, level, decided);
        self.progress.resumed(level, decided);
    }

    fn checkpoint(&self, level: u32, bytes: u64) {
        info!(event = "checkpoint", board = self.name, level, bytes);
        let text = format!("{}: checkpoint of level {level}, {}", self.name, human::bytes(bytes));
        progress::say(Kind::Detail, &text);
    }

    fn warning(&self, warning: &Warning) {
        warn!(event = "warning", board = self.name, message = %warning);
        self.progress.warning(warning);
    }

    fn stop(&self) -> bool {
        self.run.is_stopped()
    }
}
