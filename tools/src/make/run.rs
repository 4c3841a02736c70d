//! A batch: all tables of a manifest, with as much side by side as its limits allow, and nothing done twice.

use crate::{
    commands::generate::{Found, find},
    failure::{Failure, say, unless_closed},
    input::{
        arguments::{EngineName, name_of},
        manifest::{self, Manifest, Planned},
    },
    lock::lock,
    machine,
    make::journal::{Journal, Lock, Record, stamp},
    output::{
        console::print_json,
        human,
        progress::{Lines, Progress},
    },
    report::{self, Entry, Report, Status, portrait::Portrait},
    signals,
};
use dragnet_formats::{board::Scenario, pieces::Pieces};
use dragnet_generator::{
    GenerateError, Generator, Observer, Stage, Warning, save,
    schedule::{self, Task},
};
use dragnet_probe::Table;
use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use tracing::{info, warn};

/// How a batch is run, beside what its manifest says.
pub(crate) struct How {
    /// Threads, in place of the manifest's.
    pub(crate) threads: Option<usize>,
    /// Whether tables are flushed to the disk.
    pub(crate) sync: bool,
    /// Whether every table is made anew.
    pub(crate) force: bool,
    /// Whether to wait for another batch in the same folder.
    pub(crate) wait: bool,
    /// Whether entries are printed as JSON, in place of the summary.
    pub(crate) json: bool,
    /// Time between the check-points of a long solve, in place of the manifest's.
    pub(crate) check_points: Option<Duration>,
}

/// Time between the check-points of a long solve unless somebody says otherwise.
pub(crate) const CHECK_POINTS: Duration = Duration::from_secs(10 * 60);

/// A table with what its board says of it.
pub(crate) struct Plan {
    pub(crate) table: Planned,
    pub(crate) task: Task,
    pub(crate) key: String,
    pub(crate) height: u16,
    pub(crate) width: u16,
    pub(crate) cells: u64,
    pub(crate) engine: EngineName,
}

/// Reads every board of a manifest. Tells all boards that cannot be used, not only the first.
pub(crate) fn plan(manifest: &Manifest, threads: usize) -> Result<Vec<Plan>, Failure> {
    let mut plans = Vec::new();
    let mut bad: Option<Failure> = None;
    for table in &manifest.tables {
        let planned = table.scenario().and_then(|scenario| {
            let job = table.job(&scenario);
            let task = Task::new(&job.plan()?, threads);
            Ok(Plan {
                task,
                key: manifest::key(&job)?,
                height: job.board.height(),
                width: job.board.width(),
                cells: job.board.open_count() as u64,
                engine: job.engine.chosen().into(),
                table: table.clone(),
            })
        });
        match planned {
            Ok(plan) => plans.push(plan),
            Err(failure) => {
                if let Some(failure) = bad.replace(failure.about(&table.name)) {
                    let _ = failure.report();
                }
            }
        }
    }
    bad.map_or(Ok(plans), Err)
}

/// The memory that the process may take.
pub(crate) fn memory_limit(manifest: &Manifest) -> u64 {
    manifest.limits.memory.unwrap_or_else(|| machine::memory().map_or(u64::MAX, |bytes| bytes / 4 * 3))
}

/// The number of threads that a batch has.
pub(crate) fn threads(manifest: &Manifest, given: Option<usize>) -> usize {
    let asked = given.or(manifest.limits.threads).filter(|&threads| threads > 0);
    asked.unwrap_or_else(machine::processors)
}

/// All that the tables of a batch share while it runs.
struct Batch<'a> {
    how: &'a How,
    out: &'a Path,
    plans: &'a [Plan],
    journal: &'a Journal,
    deadline: Option<Instant>,
    disk_free: u64,
    lines: Lines,
    /// By table what became of it; nothing as long as it has not been begun.
    entries: Mutex<Vec<Option<Entry>>>,
    /// The worst exit status of a failure.
    worst: Mutex<u8>,
}

/// Exit status of a batch that has left out something for want of memory, disk or time.
const LEFT_OUT: u8 = 3;

/// Runs the batch of the manifest in the file `path`.
pub(crate) fn run(path: &Path, how: &How) -> Result<(), Failure> {
    let begin = Instant::now();
    signals::watch()?;
    let manifest = Manifest::read(path)?;
    let threads = threads(&manifest, how.threads);
    let plans = plan(&manifest, threads)?;
    let out = manifest.out.as_path();
    std::fs::create_dir_all(out)
        .map_err(|error| Failure::from(error).about(format!("cannot make the folder {}", out.display())))?;
    let _lock = Lock::take(out, how.wait, || {
        say(&format!("dragnet: another batch is working in {}; waiting for it to end", out.display()));
    })?;
    for name in save::remove_leftovers(out)? {
        info!(event = "removed", file = %name.display());
    }
    let journal = Journal::open(out)?;
    let memory = memory_limit(&manifest);
    info!(event = "begin", manifest = %path.display(), tables = plans.len(), threads, memory);
    let batch = Batch {
        how,
        out,
        plans: &plans,
        journal: &journal,
        deadline: manifest.limits.time.and_then(|time| begin.checked_add(time)),
        disk_free: manifest.limits.disk_free.unwrap_or(0),
        lines: Lines::new(plans.len(), plans.iter().map(|plan| plan.task.positions).sum()),
        entries: Mutex::new(vec![None; plans.len()]),
        worst: Mutex::new(0),
    };
    let left: Vec<usize> = (0..plans.len()).filter(|&table| !batch.is_known(table)).collect();
    for &table in &left {
        let task = &plans[table].task;
        if !task.fits(memory) {
            let needs = human::bytes(task.process_memory());
            let entry = Entry {
                message: Some(format!(
                    "needs about {needs} of memory, and the limit is {}",
                    human::bytes(memory)
                )),
                memory_bytes: Some(task.process_memory()),
                ..batch.entry(table, Status::Skipped)
            };
            batch.end(table, entry, LEFT_OUT);
        }
    }
    let tasks: Vec<Task> = left.iter().map(|&table| plans[table].task).collect();
    let check_points = how.check_points.or(manifest.limits.check_points).unwrap_or(CHECK_POINTS);
    let generator = |threads| {
        let generator = Generator::new(threads)?.with_checkpoints(check_points);
        Ok(if how.sync { generator } else { generator.without_sync() })
    };
    schedule::run(&tasks, threads, memory, generator, |task, generator| batch.work(left[task], generator))
        .map_err(|error| Failure::from(error).about("cannot start the threads"))?;
    batch.lines.finish();
    let Batch { entries, worst, .. } = batch;
    let entries = entries.into_inner().unwrap_or_else(PoisonError::into_inner);
    let worst = worst.into_inner().unwrap_or_else(PoisonError::into_inner);
    // What cannot be written now must not hide what has been done.
    let tidied = Journal::tidy(out);
    let entries: Vec<Entry> = entries.into_iter().flatten().collect();
    let mut report = Report::new(path.display().to_string(), entries);
    report.totals.elapsed_seconds = Some(begin.elapsed().as_secs_f64());
    info!(event = "end", seconds = begin.elapsed().as_secs_f64(), status = worst);
    if !how.json {
        unless_closed(report.print())?;
    }
    tidied.and_then(|()| report::write(&report, out))?;
    if signals::received() {
        return Err(Failure::Silent(signals::status()));
    }
    if worst > 0 { Err(Failure::Silent(worst)) } else { Ok(()) }
}

impl Batch<'_> {
    fn path(&self, table: usize) -> PathBuf {
        self.out.join(format!("{}.dtb", self.plans[table].table.name))
    }

    /// The entry of a table of which only the board is known.
    fn entry(&self, table: usize, status: Status) -> Entry {
        let plan = &self.plans[table];
        Entry {
            height: Some(plan.height),
            width: Some(plan.width),
            cells: Some(plan.cells),
            positions: Some(plan.task.positions),
            ..Entry::new(&plan.table.name, status)
        }
    }

    /// Whether the journal says that the table is finished, and its file is as it was then. If so, that is its entry.
    fn is_known(&self, table: usize) -> bool {
        let plan = &self.plans[table];
        let Some(record) = self.journal.record(&plan.table.name).filter(|_| !self.how.force) else {
            return false;
        };
        let path = self.path(table);
        let as_it_was = record.key == plan.key
            && stamp(&path).is_some_and(|(modified, bytes)| {
                modified == record.modified && Some(bytes) == record.entry.bytes
            })
            && Table::open(&path).is_ok_and(|found| {
                let digest = format!("{:016x}", found.header().summary.digest);
                record.entry.digest.as_ref() == Some(&digest)
            });
        if as_it_was {
            let entry = Entry {
                status: Status::Kept,
                path: Some(path.display().to_string()),
                ..record.entry.clone()
            };
            self.end(table, entry, 0);
        }
        as_it_was
    }

    /// What became of a table.
    fn end(&self, table: usize, entry: Entry, status: u8) {
        let mut worst = lock(&self.worst);
        *worst = status.max(*worst);
        drop(worst);
        let message = entry.message.clone().unwrap_or_default();
        match entry.status {
            Status::Made | Status::Kept => info!(
                event = %entry.status, board = entry.name, positions = entry.positions, digest = entry.digest,
                bytes = entry.bytes, solve_seconds = entry.solve_seconds, write_seconds = entry.write_seconds, message
            ),
            _ => warn!(event = %entry.status, board = entry.name, message),
        }
        self.lines.ended(&entry);
        if self.how.json {
            // Whoever closed our output goes without it; the tables matter more.
            let _ = print_json(&entry);
        }
        lock(&self.entries)[table] = Some(entry);
    }

    /// Whether to stop soon.
    fn stop(&self) -> bool {
        signals::received() || self.late()
    }

    fn late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn interrupted(&self, table: usize) {
        let why = if signals::received() { "interrupted" } else { "the time limit was reached" };
        let entry = Entry { message: Some(why.to_owned()), ..self.entry(table, Status::Interrupted) };
        self.end(table, entry, LEFT_OUT);
    }

    /// Makes a table, or finds that it is there.
    fn work(&self, table: usize, generator: &Generator) {
        if self.stop() {
            return self.interrupted(table);
        }
        match self.make(table, generator) {
            Ok(entry) => self.end(table, entry, 0),
            Err(Failure::Silent(_)) => self.interrupted(table),
            Err(failure) => {
                let entry = Entry { message: Some(failure.text()), ..self.entry(table, Status::Failed) };
                self.end(table, entry, failure.status());
            }
        }
    }

    fn make(&self, table: usize, generator: &Generator) -> Result<Entry, Failure> {
        let plan = &self.plans[table];
        let name = &plan.table.name;
        let path = self.path(table);
        let scenario = plan.table.scenario()?;
        let job = plan.table.job(&scenario);
        if manifest::key(&job)? != plan.key {
            return Err(Failure::Trouble(anyhow::anyhow!(
                "{} has changed since the batch began; run it again",
                plan.table.origin
            )));
        }
        let found = if self.how.force { Found::Nothing } else { find(&job, &path)? };
        if let Found::Finished(..) = found {
            return self.finish(table, &scenario, generator, None);
        }
        let free = machine::disk_free(self.out)
            .map_err(|error| Failure::from(error).about(format!("cannot look at {}", self.out.display())))?;
        if free < self.disk_free {
            return Err(Failure::Trouble(anyhow::anyhow!(
                "{} are free on the disk, and {} are to be left",
                human::bytes(free),
                human::bytes(self.disk_free)
            )));
        }
        info!(
            event = "start",
            board = name.as_str(),
            positions = plan.task.positions,
            memory = plan.task.memory
        );
        let progress = self.lines.board(name, plan.task.positions);
        let report =
            generator.generate(&job.plan()?, &path, &Watch { batch: self, name, progress: &progress });
        progress.finish();
        let report = report.map_err(|error| match error {
            GenerateError::Stopped => Failure::Silent(LEFT_OUT),
            error => Failure::of_table(error, &path),
        })?;
        let entry = self.finish(table, &scenario, generator, Some(&report))?;
        Ok(match found {
            Found::Other(what) => Entry { message: Some(format!("replaced {what}")), ..entry },
            _ => entry,
        })
    }

    /// The entry of a finished table, which is noted in the journal.
    fn finish(
        &self,
        table: usize,
        scenario: &Scenario,
        generator: &Generator,
        report: Option<&dragnet_generator::Report>,
    ) -> Result<Entry, Failure> {
        let plan = &self.plans[table];
        let path = self.path(table);
        let modified = stamp(&path);
        let made = Table::open(&path)?;
        // The officers of the file, if there are as many as play.
        let start =
            Some(&scenario.police).filter(|police| police.len() == usize::from(made.rules().officers));
        let start = start.and_then(|police| Pieces::new(police).ok());
        let portrait = generator.install(|| Portrait::of(&made, start))?;
        let status = if report.is_some() { Status::Made } else { Status::Kept };
        let entry = Entry {
            engine: report.map(|report| name_of(&EngineName::from(report.engine))),
            solve_seconds: report.map(|report| report.solving.as_secs_f64()),
            write_seconds: report.map(|report| report.writing.as_secs_f64()),
            portrait: Some(portrait),
            ..Entry::of(&plan.table.name, status, &path, &made)
        };
        if let Some((modified, _)) = modified {
            let record = Record { key: plan.key.clone(), modified, entry: entry.clone() };
            if let Err(failure) = self.journal.add(&record) {
                // The table stands all the same; the next run will look at it once more.
                self.lines.say(&format!("dragnet: {}: warning: {}", entry.name, failure.text()));
            }
        }
        Ok(entry)
    }
}

/// Watches one table of a batch.
struct Watch<'a> {
    batch: &'a Batch<'a>,
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
        info!(event = "check-point", board = self.name, level, bytes);
    }

    fn warning(&self, warning: &Warning) {
        warn!(event = "warning", board = self.name, message = %warning);
        self.progress.warning(warning);
    }

    fn stop(&self) -> bool {
        self.batch.stop()
    }
}
