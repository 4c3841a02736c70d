//! The tables of a run whose boards have been checked together: which are finished, and how the others are
//! made.

use crate::{
    failure::Failure,
    input::{
        any_plan::AnyPlan,
        arguments::{EngineName, name_of},
        limits::{Refusal, Room},
        planned::PlannedTable,
    },
    lock::lock,
    machine,
    make::{
        checked::CheckedTable,
        existing::Existing,
        finished::{DoorCounts, FinishedTable},
        journal::{Record, stamp},
        state::{LEFT_OUT, RunState},
    },
    messages::Kind,
    output::{
        human,
        progress::{self, Progress},
    },
    report::{
        entry::{NOT_BEGUN, TableEntry},
        history::now,
        portrait::Portrait,
        status::Status,
    },
    signals, version,
};
use dragnet_formats::pieces::Pieces;
use dragnet_generator::{
    CheckpointFile, CheckpointInterval, GenerateError, Generator, Observer, Stage, Warning, checkpoints_of,
    schedule::{self, Order, Task},
};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};
use tracing::{info, warn};

/// Tables whose boards have been checked together, and which are scheduled together.
pub(super) struct Lot<'a> {
    pub(super) run: &'a RunState<'a>,
    /// The number of the first table in the list.
    pub(super) first: usize,
    pub(super) tables: &'a [PlannedTable],
    pub(super) checked: Vec<CheckedTable>,
    /// The level of the newest checkpoint that this run has written of a table or resumed from, by its name.
    pub(super) levels: Mutex<HashMap<String, u32>>,
}

/// Blocks of a finished table that a run reads, other ones each time: damage of one block among so many is
/// found at once, and of a larger table sooner or later. `--recheck` reads all.
const SAMPLE: u64 = 16;

impl Lot<'_> {
    /// Makes the tables of the lot that the journal does not know as finished.
    pub(super) fn make(&self, threads: usize) -> Result<(), Failure> {
        let RunState { list, options, .. } = *self.run;
        let ranks = options.ranks.as_ref().map(|ranks| &ranks.transport);
        self.run.status.checked(self.checked.iter().map(|table| table.task.positions).sum());
        self.run.progress.show(&self.run.status.now());
        let left: Vec<usize> = (0..self.tables.len()).filter(|&table| !self.is_known(table)).collect();
        let mut begun = Vec::with_capacity(left.len());
        for table in left {
            let path = list.path(&self.tables[table].name);
            match list.limits.room(self.task(table).needs, &path) {
                Ok(room) => {
                    if room == Room::SetsInScratch {
                        self.announce_sets_in_scratch(table);
                    }
                    begun.push(table);
                }
                Err(refusal) => self.skip(table, &refusal),
            }
        }
        let tasks: Vec<Task> = begun.iter().map(|&table| self.task(table)).collect();
        let checkpoints = options.checkpoints.or(list.limits.checkpoints);
        let checkpoints = checkpoints.map_or(CheckpointInterval::Adaptive, CheckpointInterval::Every);
        let generator = |threads| {
            let generator = Generator::new(threads)?.with_checkpoints(checkpoints);
            let generator = match &list.limits.scratch {
                Some(scratch) => generator.with_scratch(scratch),
                None => generator,
            };
            let generator = match ranks {
                Some(ranks) => generator.with_ranks(Arc::clone(ranks)),
                None => generator,
            };
            Ok(if options.sync { generator } else { generator.without_sync() })
        };
        let memory = list.limits.memory().limit();
        // The ranks make one table at a time.
        let order = if ranks.is_some() { Order::OneByOne } else { list.order };
        schedule::run(&tasks, threads, memory, order, generator, |task, generator| {
            self.work(begun[task], generator);
        })
        .map_err(|error| Failure::from(error).about("cannot start the threads"))
    }

    /// Says that a table will take longer, since its sets do not fit into the memory.
    fn announce_sets_in_scratch(&self, table: usize) {
        let (name, limits) = (&self.tables[table].name, &self.run.list.limits);
        let needed = human::needed_bytes(self.task(table).needs.memory_without_logs);
        let limit = human::bytes(limits.memory().limit());
        info!(event = "sets-in-scratch", board = name);
        let text = format!(
            "{name}: takes longer, since its sets wait in scratch files: in memory they would need about \
             {needed}, and the limit is {limit}"
        );
        progress::say(Kind::Note, &text);
    }

    /// Returns what the scheduler is to know of a table.
    fn task(&self, table: usize) -> Task {
        let task = self.checked[table].task;
        match &self.run.options.ranks {
            Some(ranks) => task.with_ranks(ranks.transport.ranks()),
            None => task,
        }
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

    /// Leaves out a table that has no room within the limits.
    fn skip(&self, table: usize, refusal: &Refusal) {
        let entry = TableEntry {
            message: Some(format!("{}; {}", refusal.message, refusal.hint)),
            memory_bytes: Some(self.task(table).needs.memory),
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
        let lacks_portrait = options.portraits && self.tables[table].doors.is_empty();
        if !is_unchanged || lacks_portrait && record.entry.portrait.is_none() {
            return false;
        }
        let Ok(Some(found)) = FinishedTable::open(&path) else { return false };
        let made = record.entry.clone();
        let entry = TableEntry {
            engine: made.engine,
            solve_seconds: made.solve_seconds,
            write_seconds: made.write_seconds,
            process_peak_memory_bytes: made.process_peak_memory_bytes,
            made_at: made.made_at,
            made_by: made.made_by,
            police_to_move: made.police_to_move,
            thief_to_move: made.thief_to_move,
            longest: made.longest,
            portrait: made.portrait,
            warning: self.checked[table].warning.clone(),
            ..found.entry(name, Status::Kept, &path)
        };
        let whole = || match options.recheck {
            true => found.is_whole(),
            false => self.sample_is_whole(&found),
        };
        let is_known = entry.digest == made.digest && whole();
        if is_known {
            let start = &self.checked[table].start;
            if record.start != *start {
                // The board has other marks now, or the record was made before there were any in it.
                self.add(&Record { start: start.clone(), ..record.clone() });
            }
            self.end(table, entry, 0);
        }
        is_known
    }

    /// Returns whether some blocks of the table, other ones in each run, are undamaged.
    fn sample_is_whole(&self, table: &FinishedTable) -> bool {
        let blocks = table.block_count();
        let mut codes = Vec::new();
        // Steps of the golden ratio spread over all blocks, and so do the first ones of run after run.
        let step = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let block = |number: u64| {
            let place = step(self.run.number.wrapping_mul(SAMPLE).wrapping_add(number));
            ((u128::from(place) * u128::from(blocks)) >> 64) as u64
        };
        (0..SAMPLE.min(blocks)).all(|number| {
            let block = if blocks <= SAMPLE { number } else { block(number) };
            table.block_codes(block, &mut codes).is_ok()
        })
    }

    /// Ends a table that a signal or the time limit of the run kept from being finished, after it was begun.
    fn interrupt(&self, table: usize) {
        let why = if signals::received() { "interrupted" } else { "the time limit was reached" };
        self.end_unfinished(table, self.with_checkpoint(table, why));
    }

    /// Leaves out a table that took longer than a board may take. The run goes on with the others.
    fn give_up(&self, table: usize) {
        let limit = self.run.list.limits.board_time;
        let limit = human::duration(limit.expect("only its own limit stops a table while the run goes on"));
        let message = self.with_checkpoint(table, &format!("took longer than a board may take, {limit}"));
        let entry = TableEntry { message: Some(message), ..self.entry(table, Status::Skipped) };
        self.end(table, entry, LEFT_OUT);
    }

    /// Returns the reason why a table is not finished, with the checkpoint that is kept if there is one.
    fn with_checkpoint(&self, table: usize, why: &str) -> String {
        let name = &self.tables[table].name;
        let level = lock(&self.levels).get(name).copied();
        // Others in the folder may be of another game, or have lost their log.
        let of_level = |file: &CheckpointFile| file.level.is_some() && file.level == level;
        match checkpoints_of(&self.run.list.path(name)).into_iter().find(of_level).zip(level) {
            Some((file, level)) => {
                format!("{why}; the checkpoint of level {level} is kept: {}", file.path.display())
            }
            None => why.to_owned(),
        }
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
            Err(Failure::Silent(_)) if self.run.is_stopped() => self.interrupt(table),
            Err(Failure::Silent(_)) => self.give_up(table),
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
        let plan = planned.plan(planned.scenario()?)?;
        if plan.key() != checked.key {
            return Err(Failure::Trouble(anyhow::anyhow!(
                "{} has changed since the run began",
                planned.origin
            ))
            .with_hint("run it again"));
        }
        let existing = if self.run.options.force { Existing::Nothing } else { Existing::at(&path, &plan)? };
        let replaced = match existing {
            Existing::Finished => return self.finish(table, generator, None),
            Existing::Nothing => None,
            Existing::Damaged => Some("a damaged table"),
            Existing::Other(other) => {
                other.require_cheap(&path, self.run.journal.record(name))?;
                Some(other.what)
            }
        };
        let limits = &self.run.list.limits;
        limits.require_disk(&self.run.list.out)?;
        // The tables before it have taken some of the disk.
        limits.room(self.task(table).needs, &path)?;
        let (positions, memory) =
            (checked.task.positions, self.task(table).given_memory(limits.memory().limit()));
        info!(event = "start", board = name.as_str(), positions, memory);
        progress::say(Kind::Detail, &format!("{name}: begun, {} positions", human::count(positions)));
        let making = self.generate(name, &plan, generator)?;
        let entry = self.finish(table, generator, Some(&making))?;
        Ok(TableEntry { replaced: replaced.map(str::to_owned), ..entry })
    }

    fn generate(&self, name: &str, plan: &AnyPlan, generator: &Generator) -> Result<Making, Failure> {
        let path = self.run.list.path(name);
        let progress = self.run.progress.table(name, plan.positions());
        self.run.status.begun(name, plan.positions());
        let deadline = self.run.list.limits.board_time.and_then(|time| Instant::now().checked_add(time));
        let (levels, sent) = (&self.levels, AtomicU64::new(0));
        let watch = Watch { run: self.run, name, deadline, progress: &progress, levels, sent };
        let report = match plan {
            AnyPlan::Pursuit(plan) => generator.generate(plan, &path, &watch).map(|report| Making {
                engine: report.engine.into(),
                solving: report.solving,
                writing: report.writing,
            }),
            AnyPlan::Doors(plan) => generator.generate_doors(plan, &path, &watch).map(|report| Making {
                engine: EngineName::Counters,
                solving: report.solving,
                writing: report.writing,
            }),
        };
        progress.finish();
        if let Some(ranks) = &self.run.options.ranks {
            let (ranks, sent) = (ranks.transport.ranks(), watch.sent.load(Relaxed));
            info!(event = "exchanged", board = name, ranks, bytes = sent);
            let bytes = human::count(sent);
            progress::say(Kind::Detail, &format!("{name}: {ranks} ranks have sent each other {bytes} bytes"));
        }
        report.map_err(|error| match error {
            GenerateError::Stopped => {
                if !watch.stop() {
                    // Another rank was asked to stop.
                    signals::note_of_another_process();
                }
                Failure::Silent(LEFT_OUT)
            }
            error => {
                let ends_ranks = error.ends_ranks();
                let failure = Failure::of_table(error, &path);
                if let Some(ranks) = self.run.options.ranks.as_ref().filter(|_| ends_ranks) {
                    progress::say(Kind::Error, &format!("{name}: {}", failure.text()));
                    (ranks.end_all)(failure.status());
                }
                failure
            }
        })
    }

    /// Returns the entry of a finished table, and adds it to the journal.
    fn finish(
        &self,
        table: usize,
        generator: &Generator,
        making: Option<&Making>,
    ) -> Result<TableEntry, Failure> {
        let name = &self.tables[table].name;
        let path = self.run.list.path(name);
        let stamp = stamp(&path);
        let made = FinishedTable::open(&path)?.ok_or_else(|| {
            Failure::Trouble(anyhow::anyhow!("{} was replaced while it was made", path.display()))
        })?;
        let status = if making.is_some() { Status::Made } else { Status::Kept };
        let mut entry = made.entry(name, status, &path);
        if let FinishedTable::Doors(made) = &made {
            entry = generator.install(|| DoorCounts::of(made))?.counted(entry);
        }
        let portrait = match &made {
            FinishedTable::Pursuit(made) if self.run.options.portraits => {
                // The officers of the board file, if there are as many as play.
                let police = &self.checked[table].start.police;
                let start =
                    (police.len() == usize::from(made.rules().officers)).then(|| Pieces::new(police).ok());
                Some(generator.install(|| Portrait::of(made, start.flatten()))?)
            }
            _ => None,
        };
        let entry = TableEntry {
            engine: making.map(|making| name_of(&making.engine)),
            solve_seconds: making.map(|making| making.solving.as_secs_f64()),
            write_seconds: making.map(|making| making.writing.as_secs_f64()),
            process_peak_memory_bytes: making.and_then(|_| machine::peak_memory()),
            made_at: making.map(|_| now()),
            made_by: making.map(|_| version::SHORT.to_owned()),
            portrait,
            warning: self.checked[table].warning.clone(),
            ..entry
        };
        if let Some((modified, _)) = stamp {
            let CheckedTable { key, start, .. } = &self.checked[table];
            let (key, start) = (key.clone(), start.clone());
            self.add(&Record { key, modified, start, entry: entry.clone() });
        }
        Ok(entry)
    }

    /// Adds a record to the journal. If that fails, the table is finished all the same; the next run reads it
    /// once more.
    fn add(&self, record: &Record) {
        if let Err(failure) = self.run.journal.add(record) {
            progress::say(Kind::Warning, &format!("{}: {}", record.entry.name, failure.text()));
        }
    }
}

/// How a table was made.
struct Making {
    engine: EngineName,
    solving: Duration,
    writing: Duration,
}

/// The observer of one table of a run.
struct Watch<'a> {
    run: &'a RunState<'a>,
    name: &'a str,
    /// When the table has taken as long as a board may take.
    deadline: Option<Instant>,
    progress: &'a Progress,
    /// See [`Lot::levels`].
    levels: &'a Mutex<HashMap<String, u32>>,
    /// The bytes that the ranks have sent each other after the levels of the solve.
    sent: AtomicU64,
}

impl Observer for Watch<'_> {
    fn stage(&self, stage: Stage) {
        if let Stage::Writing { blocks } = stage {
            info!(event = "writing", board = self.name, blocks);
        }
        self.run.status.stage(self.name, stage);
        self.progress.stage(stage);
    }

    fn level(&self, level: u32, decided: u64) {
        self.run.status.level(self.name, level, decided);
        self.progress.level(level, decided);
    }

    fn written(&self, blocks: u64) {
        self.run.status.written(self.name, blocks);
        self.progress.written(blocks);
    }

    fn exchanged(&self, bytes: u64) {
        self.sent.fetch_add(bytes, Relaxed);
    }

    fn resumed(&self, level: u32, decided: u64) {
        info!(event = "resumed", board = self.name, level, decided);
        lock(self.levels).insert(self.name.to_owned(), level);
        self.progress.resumed(level, decided);
    }

    fn checkpoint(&self, level: u32, bytes: u64) {
        info!(event = "checkpoint", board = self.name, level, bytes);
        lock(self.levels).insert(self.name.to_owned(), level);
        let text = format!("{}: checkpoint of level {level}, {}", self.name, human::bytes(bytes));
        progress::say(Kind::Detail, &text);
    }

    fn warning(&self, warning: &Warning) {
        warn!(event = "warning", board = self.name, message = %warning);
        self.progress.warning(warning);
    }

    fn stop(&self) -> bool {
        self.run.is_stopped() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
