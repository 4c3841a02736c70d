//! Makes the tables of a run that have been planned together, but those that are finished.

use crate::{
    failure::Failure,
    input::{
        arguments::{EngineName, name_of},
        limits::Refusal,
        table_list::{ListedTable, setting},
    },
    machine,
    make::{
        calibration::Calibration,
        existing::Existing,
        folder::LOOK,
        journal::{Record, stamp},
        planned_table::PlannedTable,
        run_state::{LEFT_OUT, RunState},
    },
    messages::Kind,
    output::{
        human,
        progress::{self, Progress},
    },
    report::{
        entry::{NOT_BEGUN, TableEntry},
        history::now,
        status::Status,
    },
    signals,
    table::{portrait::Portrait, repacked::Repacked, statistics::Reading},
    version,
};
use dragnet_formats::{header::Header, pieces::Pieces, stop::StopCheck, stored::PackedGame};
use dragnet_generator::{
    CheckpointInterval, GenerateError, Generator, Observer, Report, Stage, Warning, checkpoints_of,
    schedule::{self, Order, Task},
};
use dragnet_probe::{Open, ProbeError, Table, TableError};
use parking_lot::Mutex;
use std::{
    collections::HashMap,
    io,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Instant,
};
use tracing::{info, warn};

/// Tables that have been planned together, and that are scheduled together.
pub(super) struct TableMaker<'a> {
    run: &'a RunState<'a>,
    /// The number of the first table in the list.
    first: usize,
    listed: &'a [ListedTable],
    planned: Vec<PlannedTable>,
    /// The numbers of the tables in `listed`, by their names.
    numbers: HashMap<&'a str, usize>,
    /// How far each table is.
    stages: Mutex<Vec<TableStage>>,
    /// The level of the newest checkpoint that this run has written of a table or resumed from, by its name.
    levels: Mutex<HashMap<String, u32>>,
}

/// How far a table of a run is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TableStage {
    /// Nobody is known to have finished it.
    Pending,
    /// A thread of this run is making it, or looking whether it is finished.
    Begun,
    /// The entry of the table has been handed on.
    Done,
}

/// Blocks of a finished table that a run reads, other ones each time: damage of one block among so many is
/// found at once, and of a larger table sooner or later. `--recheck` reads all.
const SAMPLE: u64 = 16;

impl<'a> TableMaker<'a> {
    /// Returns the maker of the tables `listed`, of which the first has the number `first` in the list.
    pub(super) fn new(
        run: &'a RunState<'a>,
        first: usize,
        listed: &'a [ListedTable],
        planned: Vec<PlannedTable>,
    ) -> TableMaker<'a> {
        let numbered = listed.iter().enumerate();
        TableMaker {
            run,
            first,
            listed,
            planned,
            numbers: numbered.map(|(number, table)| (table.name.as_str(), number)).collect(),
            stages: Mutex::new(vec![TableStage::Pending; listed.len()]),
            levels: Mutex::default(),
        }
    }

    /// Makes the tables that the journal does not know as finished, and waits for those that other
    /// runs are making. What is left is pending.
    pub(super) fn make(&self, threads: usize) -> Result<(), Failure> {
        self.planned.iter().for_each(|table| self.run.status.checked(table.task.positions, table.effort));
        self.run.progress.show(&self.run.status.now());
        (0..self.listed.len()).for_each(|table| self.keep_if_known(table, !self.run.options.force));
        self.make_pending(threads)?;
        self.run.status.waiting(true);
        while self.wait_for_others()? {
            self.run.status.waiting(false);
            self.make_pending(threads)?;
            self.run.status.waiting(true);
        }
        self.run.status.waiting(false);
        Ok(())
    }

    /// Makes the pending tables that no other run has claimed and that have room within the limits. Leaves
    /// out those that have none, unless another run may have it.
    pub(super) fn make_pending(&self, threads: usize) -> Result<(), Failure> {
        let RunState { list, options, order, .. } = *self.run;
        let has_others = self.run.worker.has_others(&list.out);
        let mut begun = Vec::new();
        for table in self.pending() {
            match self.is_in_memory(table) {
                Ok(_) => begun.push(table),
                Err(_) if has_others => {}
                Err(refusal) => self.skip(table, &refusal),
            }
        }
        let tasks: Vec<Task> = begun.iter().map(|&table| self.task(table)).collect();
        let memory = list.limits.memory().limit();
        // The ranks make one table at a time.
        let order = if options.ranks.is_some() { Order::OneByOne } else { order };
        let generator = |threads| self.generator(threads);
        schedule::run(&tasks, threads, memory, order, generator, |task, generator| {
            self.work(begun[task], generator);
        })
        .map_err(Failure::of_threads)
    }

    /// Waits while other runs are making tables of these. Returns whether one of them is free now and has
    /// room here.
    fn wait_for_others(&self) -> Result<bool, Failure> {
        let (mut looks, mut is_said) = (0, false);
        loop {
            self.keep_what_others_made()?;
            let pending = self.pending();
            if pending.is_empty() || self.run.is_stopped() {
                return Ok(false);
            }
            let (mut of_others, mut free_with_room) = (0_u64, false);
            for table in pending {
                match self.run.folder.claim(&self.listed[table].name) {
                    Ok(None) => of_others += 1,
                    _ => free_with_room |= self.is_in_memory(table).is_ok(),
                }
            }
            // Without room here, a table may be the next one of a run that is just between two of them.
            looks = if of_others > 0 { 0 } else { looks + 1 };
            if free_with_room || looks > 1 || !self.run.options.wait {
                return Ok(free_with_room);
            }
            if of_others > 0 && !is_said {
                is_said = true;
                let tables = human::counted(of_others, "table", "tables");
                let text = format!("waiting for {tables} that other runs are making");
                progress::say(Kind::Note, &text);
            }
            thread::sleep(LOOK);
        }
    }

    /// Ends the tables that are left: the run was stopped, other runs are making them, or they have no room.
    pub(super) fn end_pending(&self) {
        for table in self.pending() {
            let claim = self.run.folder.claim(&self.listed[table].name);
            match self.is_in_memory(table) {
                _ if self.run.is_stopped() => self.end_unfinished(table, Some(NOT_BEGUN.to_owned())),
                Err(refusal) if !matches!(claim, Ok(None)) => self.skip(table, &refusal),
                _ => {
                    let message = Some("another run is making it".to_owned());
                    self.end(table, TableEntry { message, ..self.entry(table, Status::Skipped) }, 0);
                }
            }
        }
    }

    /// Returns the numbers of the tables that nobody is known to have finished.
    pub(super) fn pending(&self) -> Vec<usize> {
        let stages = self.stages.lock();
        (0..self.listed.len()).filter(|&table| stages[table] == TableStage::Pending).collect()
    }

    /// Begins with a pending table; false if it is none.
    fn begin(&self, table: usize) -> bool {
        let stage = &mut self.stages.lock()[table];
        *stage == TableStage::Pending && {
            *stage = TableStage::Begun;
            true
        }
    }

    /// Ends the pending tables that other runs have finished since the last look.
    fn keep_what_others_made(&self) -> Result<(), Failure> {
        let names = self.run.journal.read_on()?;
        let numbers = names.iter().filter_map(|name| self.numbers.get(name.as_str()));
        numbers.for_each(|&table| self.keep_if_known(table, true));
        Ok(())
    }

    /// Ends a pending table if the journal counts, and has it as finished.
    fn keep_if_known(&self, table: usize, journal_counts: bool) {
        if journal_counts && self.begin(table) && !self.is_known(table) {
            self.stages.lock()[table] = TableStage::Pending;
        }
    }

    /// Returns whether a table is likely to stay in memory while it is made. If not, scratch files have room.
    fn is_in_memory(&self, table: usize) -> Result<bool, Refusal> {
        let list = self.run.list;
        list.limits.is_in_memory(self.task(table).needs, &list.path(&self.listed[table].name))
    }

    /// Returns a generator with this number of threads, and with the settings of the run.
    fn generator(&self, threads: usize) -> io::Result<Generator> {
        let RunState { list, options, .. } = *self.run;
        let checkpoints = options.checkpoints.or(list.limits.checkpoints);
        let checkpoints = checkpoints.map_or(CheckpointInterval::Adaptive, CheckpointInterval::Every);
        let generator = Generator::new(threads)?.with_checkpoints(checkpoints);
        let generator = match &list.limits.scratch {
            Some(scratch) => generator.with_scratch(scratch),
            None => generator,
        };
        let generator = match &options.ranks {
            Some(ranks) => generator.with_ranks(Arc::clone(&ranks.transport)),
            None => generator,
        };
        Ok(if options.sync { generator } else { generator.without_sync() })
    }

    /// Removes the checkpoints of a table that is found finished: a run that was killed in between has left
    /// them.
    fn remove_checkpoints(&self, table: usize) -> Result<(), Failure> {
        let name = &self.listed[table].name;
        let path = self.run.list.path(name);
        if !checkpoints_of(&path).is_empty() {
            let plan = &self.planned[table].plan;
            self.generator(1)?.remove_checkpoints(plan, &path, &Progress::new(name, "files", 0));
        }
        Ok(())
    }

    /// Says that a table may take longer, since not all of it is likely to stay in memory while it is made.
    fn announce_scratch(&self, table: usize) {
        let (name, limits) = (&self.listed[table].name, &self.run.list.limits);
        let needed = human::needed_bytes(self.task(table).needs.likely);
        let limit = human::bytes(limits.memory().limit());
        info!(event = "scratch", board = name);
        let text = format!(
            "{name}: may take longer, since a part waits in scratch files: in memory all would need about \
             {needed}, and the limit is {limit}"
        );
        progress::say(Kind::Note, &text);
    }

    /// Returns what the scheduler is to know of a table.
    fn task(&self, table: usize) -> Task {
        let task = self.planned[table].task;
        match &self.run.options.ranks {
            Some(ranks) => task.with_ranks(ranks.transport.ranks()),
            None => task,
        }
    }

    /// Returns the entry of a table of which only the board is known.
    fn entry(&self, table: usize, status: Status) -> TableEntry {
        let PlannedTable { plan, task, warning, .. } = &self.planned[table];
        let board = &setting(plan).board;
        TableEntry {
            height: Some(board.height()),
            width: Some(board.width()),
            cells: Some(board.open_count() as u64),
            positions: Some(task.positions),
            warning: warning.clone(),
            ..TableEntry::new(&self.listed[table].name, status)
        }
    }

    fn end(&self, table: usize, entry: TableEntry, status: u8) {
        self.stages.lock()[table] = TableStage::Done;
        self.run.end(self.first + table, entry, self.planned[table].effort, status);
    }

    /// Leaves out a table that has no room within the limits.
    fn skip(&self, table: usize, refusal: &Refusal) {
        let entry = TableEntry {
            message: Some(format!("{}; {}", refusal.message, refusal.hint)),
            memory_bytes: Some(self.task(table).needs.likely),
            ..self.entry(table, Status::Skipped)
        };
        self.end(table, entry, LEFT_OUT);
    }

    /// Returns whether the journal has the table as finished, and its file is as it was then. If so, the
    /// table is done.
    fn is_known(&self, table: usize) -> bool {
        let RunState { list, options, journal, .. } = self.run;
        let name = &self.listed[table].name;
        let Some(record) = journal.record(name) else { return false };
        let path = list.path(name);
        let is_unchanged = record.is_of(&self.planned[table].key, &path);
        if !is_unchanged || options.portraits && record.entry.portrait.is_none() {
            return false;
        }
        let Ok(found) = Open::path(&path).pursuit() else { return false };
        let described = TableEntry::new(name, Status::Kept).with_table(&path, &found);
        let has_values = described.has_values_of(&record.entry);
        let whole = || match options.recheck {
            true => found.check_sums(|_| ()).is_ok(),
            false => self.sample_is_whole(&found),
        };
        let is_known = has_values && whole();
        if is_known {
            // The table is finished whether they can be removed or not.
            let _ = self.remove_checkpoints(table);
            let warning = self.planned[table].warning.clone();
            let entry = record.entry.clone();
            let entry =
                TableEntry { status: Status::Kept, path: described.path, replaced: None, warning, ..entry };
            self.end(table, entry, 0);
        }
        is_known
    }

    /// Returns whether some blocks of the table, other ones in each run, are undamaged.
    fn sample_is_whole(&self, table: &Table) -> bool {
        let blocks = table.header().block_count();
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
        let kept = self.checkpoint(table);
        // The status says that a signal has interrupted it.
        let message = if signals::received() { kept } else { Some(why_and(OUT_OF_TIME, kept)) };
        self.end_unfinished(table, message);
    }

    /// Leaves out a table that took longer than a board may take. The run goes on with the others.
    fn give_up(&self, table: usize) {
        let limit = self.run.list.limits.board_time;
        let limit = human::duration(limit.expect("only its own limit stops a table while the run goes on"));
        let why = format!("took longer than a board may take, {limit}");
        let message = why_and(&why, self.checkpoint(table));
        let entry = TableEntry { message: Some(message), ..self.entry(table, Status::Skipped) };
        self.end(table, entry, LEFT_OUT);
    }

    /// Returns which checkpoint of a table is kept, if one is.
    fn checkpoint(&self, table: usize) -> Option<String> {
        let name = &self.listed[table].name;
        let level = self.levels.lock().get(name).copied()?;
        // Others in the folder may be of another game, or have lost their log.
        let files = checkpoints_of(&self.run.list.path(name));
        let file = files.into_iter().find(|file| file.level == Some(level))?;
        Some(format!("the checkpoint of level {level} is kept: {}", file.path.display()))
    }

    /// Ends a table that is not finished because the run has stopped.
    fn end_unfinished(&self, table: usize, message: Option<String>) {
        let entry = TableEntry { message, ..self.entry(table, Status::Interrupted) };
        self.end(table, entry, LEFT_OUT);
    }

    /// Makes a table, or finds it finished, unless another run has claimed it.
    fn work(&self, table: usize, generator: &Generator) {
        if self.run.is_stopped() {
            return;
        }
        let claim = match self.run.folder.claim(&self.listed[table].name) {
            Ok(Some(claim)) => self.keep_what_others_made().map(|()| claim),
            Ok(None) => return,
            Err(failure) => Err(failure),
        };
        if !self.begin(table) {
            return;
        }
        match claim.map_err(NotMade::Failed).and_then(|_claim| self.make_or_find(table, generator)) {
            Ok(entry) => self.end(table, entry, 0),
            Err(NotMade::NoRoom(refusal)) => self.skip(table, &refusal),
            Err(NotMade::Failed(Failure::Silent(_))) if self.run.is_stopped() => self.interrupt(table),
            Err(NotMade::Failed(Failure::Silent(_))) => self.give_up(table),
            Err(NotMade::Failed(failure)) => {
                let entry = TableEntry { message: Some(failure.text()), ..self.entry(table, Status::Failed) };
                self.end(table, entry, failure.status());
            }
        }
    }

    fn make_or_find(&self, table: usize, generator: &Generator) -> Result<TableEntry, NotMade> {
        let PlannedTable { plan, task, .. } = &self.planned[table];
        let name = &self.listed[table].name;
        let path = self.run.list.path(name);
        let record = self.run.journal.record(name);
        let record = record.as_deref();
        let stop = || self.run.is_stopped();
        let existing = match self.run.options.force {
            true => Existing::Nothing,
            false => Existing::at(&path, plan, record, &mut StopCheck::new(&stop))?,
        };
        let replaced = match existing {
            Existing::Finished => {
                self.remove_checkpoints(table)?;
                return Ok(self.finish(table, generator, TableEntry::new(name, Status::Kept))?);
            }
            Existing::Nothing => None,
            Existing::Damaged(what) => Some(what),
            Existing::SameGame { other, table: found, packed } => {
                self.run.list.limits.require_disk(&self.run.list.out)?;
                self.rewrite(table, generator, &found, &packed)?;
                self.remove_checkpoints(table)?;
                let of_values = other.entry_in(record).cloned();
                let entry = TableEntry {
                    status: Status::Kept,
                    replaced: Some(other.what.to_owned()),
                    portrait: None,
                    ..of_values.unwrap_or_else(|| TableEntry::new(name, Status::Kept))
                };
                return Ok(self.finish(table, generator, entry)?);
            }
            Existing::Other(other) => {
                other.require_cheap(&path, record)?;
                Some(other.what)
            }
        };
        let limits = &self.run.list.limits;
        limits.require_disk(&self.run.list.out)?;
        // The tables before it have taken some of the disk.
        let in_memory = self.is_in_memory(table)?;
        if !in_memory {
            self.announce_scratch(table);
        }
        self.require_room_for_table(table, in_memory, generator)?;
        let (positions, memory) = (task.positions, self.task(table).given_memory(limits.memory().limit()));
        info!(event = "start", board = name.as_str(), positions, memory);
        progress::say(Kind::Detail, &format!("{name}: begun, {} positions", human::count(positions)));
        let entry = self.generate(table, generator)?;
        let replaced = replaced.map(str::to_owned);
        Ok(self.finish(table, generator, TableEntry { replaced, ..entry })?)
    }

    /// Checks that there is room on the disk for the table itself, before it is solved for long: a table that
    /// is certainly too large is left out, and of one that may be too large a warning is given. Where room is
    /// scarce, pieces of the board are solved to find out.
    fn require_room_for_table(
        &self,
        table: usize,
        in_memory: bool,
        generator: &Generator,
    ) -> Result<(), NotMade> {
        let &PlannedTable { ref plan, effort, rough_bytes, .. } = &self.planned[table];
        if effort < LONG {
            return Ok(());
        }
        let (list, name) = (&self.run.list, &self.listed[table].name);
        let path = list.path(name);
        let free = machine::disk_free(&list.out).map_err(Failure::from)?;
        // The table takes the room of its own checkpoints.
        let room = checkpoints_of(&path).iter().fold(free, |room, file| room.saturating_add(file.bytes));
        if rough_bytes.saturating_mul(PLENTY) <= room {
            return Ok(());
        }
        // A piece needs no more memory than the board, and the other ranks help with tables alone. A piece of
        // a board with doors has other doors.
        let is_tried = in_memory && self.run.options.ranks.is_none() && setting(plan).doors.is_empty();
        let bytes = if is_tried { Calibration::new(generator).cost(plan)?.bytes } else { rough_bytes };
        let (about, free) = (human::needed_bytes(bytes), human::bytes(free));
        let message = format!("needs about {about} on the disk, and {free} are free");
        if bytes / 2 > room {
            return Err(Refusal { message, hint: "make room on the disk and run it again" }.into());
        }
        if bytes > room {
            progress::say(Kind::Warning, &format!("{name}: {message}"));
        }
        Ok(())
    }

    /// Writes the planned table with the values of `found`, whose place it takes and which is of the same
    /// game. `packed` is the game as the new table stores it.
    fn rewrite(
        &self,
        table: usize,
        generator: &Generator,
        found: &Table,
        packed: &PackedGame,
    ) -> Result<(), Failure> {
        let path = self.run.list.path(&self.listed[table].name);
        let header = Header { summary: found.header().summary, ..packed.header.clone() };
        let values =
            Repacked::new(found, header.numbering()).map_err(|error| Failure::from(error).in_file(&path))?;
        let encoding = self.planned[table].plan.encoding();
        self.watched(table, |watch| {
            watch.stage(Stage::Writing { blocks: header.block_count() });
            generator.write(&values, &header, &packed.blocks(), encoding, &path, watch)
        })
        .map_err(|error| Failure::of_table(error, &path))?;
        Ok(())
    }

    /// Does the work on a table whose observer is passed to `work`, and shows its progress.
    fn watched<T>(&self, table: usize, work: impl FnOnce(&Watch) -> T) -> T {
        let plan = &self.planned[table].plan;
        let name = &self.listed[table].name;
        let progress = self.run.progress.table(name, plan.positions());
        self.run.status.begun(name, plan.positions(), self.planned[table].effort);
        let deadline = self.run.list.limits.board_time.and_then(|time| Instant::now().checked_add(time));
        let (levels, sent) = (&self.levels, AtomicU64::new(0));
        let done = work(&Watch { run: self.run, name, deadline, progress: &progress, levels, sent });
        progress.finish();
        done
    }

    /// Makes a table. Returns its entry, as far as it tells how the table was made.
    fn generate(&self, table: usize, generator: &Generator) -> Result<TableEntry, Failure> {
        let plan = &self.planned[table].plan;
        let name = &self.listed[table].name;
        let path = self.run.list.path(name);
        let (report, sent, is_asked_to_stop) = self.watched(table, |watch| {
            let report = generator.generate(plan, &path, watch);
            (report, watch.sent.load(Relaxed), watch.stop())
        });
        if let Some(ranks) = &self.run.options.ranks {
            let ranks = ranks.transport.ranks();
            info!(event = "exchanged", board = name, ranks, bytes = sent);
            let bytes = human::count(sent);
            progress::say(Kind::Detail, &format!("{name}: {ranks} ranks have sent each other {bytes} bytes"));
        }
        let Report { engine, solving, writing, .. } = report.map_err(|error| match error {
            GenerateError::Stopped => {
                if !is_asked_to_stop {
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
        })?;
        Ok(TableEntry {
            engine: Some(name_of(&EngineName::from(engine))),
            solve_seconds: Some(solving.as_secs_f64()),
            write_seconds: Some(writing.as_secs_f64()),
            made_at: Some(now()),
            made_by: Some(version::SHORT.to_owned()),
            ..TableEntry::new(name, Status::Made)
        })
    }

    /// Completes the entry of a finished table, and adds it to the journal.
    fn finish(&self, table: usize, generator: &Generator, entry: TableEntry) -> Result<TableEntry, Failure> {
        let path = self.run.list.path(&self.listed[table].name);
        let PlannedTable { plan, key, warning, .. } = &self.planned[table];
        let stamp = stamp(&path);
        let made = Open::path(&path).pursuit().map_err(|error| match error {
            ProbeError::Table(TableError::Kind { .. }) => {
                Failure::Trouble(anyhow::anyhow!("{} was replaced while it was made", path.display()))
            }
            error => error.into(),
        })?;
        let mut entry = TableEntry { warning: warning.clone(), ..entry }.with_table(&path, &made);
        if self.run.options.portraits {
            // The officers of the board file, if there are as many as play.
            let police = &setting(plan).police;
            let start = (police.len() == usize::from(made.officers())).then(|| Pieces::new(police).ok());
            let draw = || Portrait::of(&made, start.flatten(), Reading::OF_COMMAND);
            entry.portrait = Some(unless_stopped(generator.install(draw))?);
        }
        if entry.status == Status::Made {
            entry.process_peak_memory_bytes = machine::peak_memory();
        }
        if let Some((modified, _)) = stamp {
            self.add(Record { key: key.clone(), modified, entry: entry.clone() });
        }
        Ok(entry)
    }

    /// Adds a record to the journal. If that fails, the table is finished all the same; the next run reads it
    /// once more.
    fn add(&self, record: Record) {
        let name = record.entry.name.clone();
        if let Err(failure) = self.run.journal.add(record) {
            progress::say(Kind::Warning, &format!("{name}: {}", failure.text()));
        }
    }
}

/// The effort from which on a table is not begun without room for it: about a second.
const LONG: u64 = 1_000_000_000;
/// A disk with so many times the rough bytes of a table has room for it.
const PLENTY: u64 = 8;

/// Why there is no table.
enum NotMade {
    Failed(Failure),
    /// The table is left out.
    NoRoom(Refusal),
}

impl From<Failure> for NotMade {
    fn from(failure: Failure) -> NotMade {
        NotMade::Failed(failure)
    }
}

impl From<Refusal> for NotMade {
    fn from(refusal: Refusal) -> NotMade {
        NotMade::NoRoom(refusal)
    }
}

/// Why a run ends that has taken as long as it may.
const OUT_OF_TIME: &str = "the time limit was reached";

/// Returns the reason why a table is not finished, and which checkpoint is kept.
fn why_and(why: &str, kept: Option<String>) -> String {
    kept.map_or(why.to_owned(), |kept| format!("{why}; {kept}"))
}

/// The observer of one table of a run.
struct Watch<'a> {
    run: &'a RunState<'a>,
    name: &'a str,
    /// When the table has taken as long as a board may take.
    deadline: Option<Instant>,
    progress: &'a Progress,
    /// See [`TableMaker::levels`].
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
        self.levels.lock().insert(self.name.to_owned(), level);
        self.run.status.resumed(self.name, decided);
        self.progress.resumed(level, decided);
    }

    fn checkpoint(&self, level: u32, bytes: u64) {
        info!(event = "checkpoint", board = self.name, level, bytes);
        self.levels.lock().insert(self.name.to_owned(), level);
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

/// Returns what was read of a finished table. If the reading was stopped, the table is left out: a later run
/// finds it, and reads it.
fn unless_stopped<T>(read: Result<T, Failure>) -> Result<T, Failure> {
    read.map_err(|failure| match failure {
        Failure::Silent(_) => Failure::Silent(LEFT_OUT),
        failure => failure,
    })
}
