//! The status of a run in its output folder, from which other programs learn how far it has come.

use crate::{
    failure::Failure,
    machine,
    make::folder::{is_alive, status_path, workers},
    messages::{self, Kind},
    report::{
        entry::TableEntry,
        history::{StatusCounts, now},
        status::Status,
    },
};
use dragnet_generator::{
    Stage,
    save::{require_file, save},
};
use parking_lot::{Condvar, Mutex};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{
    fs,
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
    sync::Arc,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Time between two states of the file.
const INTERVAL: Duration = Duration::from_secs(1);
/// The most tables that could not be made which the file names.
pub(super) const TROUBLES: usize = 20;
/// The share of all work, as one in so many, from which on the time of the end is estimated. Earlier it
/// is often wrong by more than a factor of two.
pub(super) const TENTH: u64 = 10;

/// The stage in which a table is solved.
const SOLVING: &str = "solving";

/// The status of a run, which the run `N` writes to `.dragnet/worker-N.json` each second.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RunStatus {
    /// Number of the run.
    pub(crate) run: u64,
    /// Number of the run among those that work in the folder at a time, the least that was free.
    pub(crate) worker: u32,
    /// Number of the process.
    pub(crate) process: u32,
    /// Name of the machine. Absent if the system does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) host: Option<String>,
    /// The manifest. Absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) manifest: Option<String>,
    /// When the run began, in the form of RFC 3339.
    pub(crate) began: String,
    /// When this was written.
    pub(crate) updated: String,
    /// Since the run began.
    pub(crate) seconds: f64,
    /// Tables of the list.
    pub(crate) tables: u64,
    #[serde(flatten)]
    pub(crate) counts: StatusCounts,
    /// Positions of all tables that have been checked.
    pub(crate) positions: u64,
    /// Positions of the tables that are made or kept.
    pub(crate) positions_done: u64,
    /// Positions of the tables that were made in this run.
    pub(crate) positions_made: u64,
    /// Rough nanoseconds of work of one thread for all tables that have been checked.
    pub(crate) effort: u64,
    /// The part of it for tables that are done, interrupted ones excepted, and for what is done of those at
    /// work.
    pub(crate) effort_done: u64,
    /// The part of it that was done in this run.
    pub(crate) effort_made: u64,
    /// Estimate of the time until the end, from the work that is left. Absent while it cannot be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds_left: Option<f64>,
    /// Whether the run waits for tables that others are making.
    pub(crate) waiting: bool,
    /// Tables at which the run is at work.
    pub(crate) working: Vec<TableStatus>,
    /// Newest tables that could not be made, the last one last.
    pub(crate) troubles: Vec<Trouble>,
    /// Exit status. Absent until the run has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u8>,
}

/// A table at which a run is at work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct TableStatus {
    /// Name of the table.
    pub(crate) name: String,
    /// Stage of the work.
    #[schemars(extend("enum" = ["solving", "writing"]))]
    pub(crate) stage: String,
    /// Level that has been solved. Absent before the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) level: Option<u32>,
    /// Positions decided, or blocks encoded.
    pub(crate) done: u64,
    /// All positions, or all blocks.
    pub(crate) total: u64,
    /// Since the table was begun.
    pub(crate) seconds: f64,
}

/// A table that could not be made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Trouble {
    /// Name of the table.
    pub(crate) name: String,
    /// Outcome of the table.
    pub(crate) status: Status,
    /// Reason why it was not made.
    pub(crate) message: String,
}

/// Returns the status in the file `path`; `None` if there is no file.
///
/// # Errors
/// When the file cannot be read, or holds something else.
fn read(path: &Path) -> Result<Option<RunStatus>, Failure> {
    let bytes = match require_file(path).and_then(|()| fs::read(path)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::cannot("read", path, error)),
    };
    let read = serde_json::from_slice(&bytes);
    read.map(Some)
        .map_err(|error| Failure::input(format!("expected the status of a run: {error}")).in_file(path))
}

/// The state of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum RunPhase {
    Running,
    Ended,
    /// The process has not ended by itself, and is no more.
    Killed,
}

/// Time between two looks at a status that may be written anew.
const LOOK: Duration = Duration::from_millis(250);

/// Returns the statuses that runs have left in the output folder `out`, in the order of their workers.
///
/// Clocks are not asked, since those of other machines may differ. A run holds its lock as long as it lives.
/// Where the file system keeps locks from other machines, a run whose lock is free writes its status anew
/// within `patience`, or is killed.
///
/// Warns of a status that cannot be read, or is something else, if there are others.
///
/// # Errors
/// When the folder or the only status cannot be read, or that is something else.
pub(crate) fn look(out: &Path, patience: Duration) -> Result<Vec<(RunStatus, RunPhase)>, Failure> {
    let (mut found, mut silent, mut unread) = (Vec::new(), Vec::new(), Vec::new());
    for worker in workers(out)? {
        let path = status_path(out, worker);
        let status = match read(&path) {
            Ok(Some(status)) => status,
            Ok(None) => continue,
            Err(failure) => {
                unread.push(failure);
                continue;
            }
        };
        let phase = match status.status {
            Some(_) => RunPhase::Ended,
            None if is_alive(out, worker) => RunPhase::Running,
            None => {
                silent.push((found.len(), path));
                RunPhase::Killed
            }
        };
        found.push((status, phase));
    }
    if found.is_empty() && !unread.is_empty() {
        return Err(unread.swap_remove(0));
    }
    unread.iter().for_each(|failure| messages::say(Kind::Warning, &failure.text()));
    let begin = Instant::now();
    while !silent.is_empty() && begin.elapsed() < patience {
        thread::sleep(LOOK);
        let mut still = Vec::new();
        for (at, path) in silent {
            match read(&path).ok().flatten() {
                Some(now) if now.beat() != found[at].0.beat() => {
                    let phase = if now.status.is_some() { RunPhase::Ended } else { RunPhase::Running };
                    found[at] = (now, phase);
                }
                _ => still.push((at, path)),
            }
        }
        silent = still;
    }
    Ok(found)
}

/// The status of a run, and the thread that writes it to its file.
pub(crate) struct StatusFile {
    shared: Arc<Shared>,
    writer: Option<JoinHandle<()>>,
}

struct Shared {
    path: PathBuf,
    begin: Instant,
    state: Mutex<State>,
    ended: Condvar,
}

struct State {
    status: RunStatus,
    /// When each table at work was begun, and its work.
    begun: Vec<Begun>,
    ended: bool,
}

/// A table that has been begun.
struct Begun {
    at: Instant,
    /// The effort of the table, as [`RunStatus::effort`] counts it.
    effort: u64,
    /// The share of its positions that a checkpoint had decided.
    resumed: f64,
}

/// Returns the share `part` of `whole`, both of anything.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl Shared {
    /// Returns the status as it is now.
    fn now(&self) -> RunStatus {
        let elapsed = self.begin.elapsed();
        let state = self.state.lock();
        let mut status = state.status.clone();
        status.updated = now();
        status.seconds = elapsed.as_secs_f64();
        for (table, begun) in status.working.iter_mut().zip(&state.begun) {
            table.seconds = begun.at.elapsed().as_secs_f64();
            // To write a table takes little beside solving it.
            let solved = if table.stage == SOLVING { share(table.done, table.total) } else { 1.0 };
            let of_all = |share: f64| (begun.effort as f64 * share.max(0.0)).round() as u64;
            status.effort_done = status.effort_done.saturating_add(of_all(solved));
            status.effort_made = status.effort_made.saturating_add(of_all(solved - begun.resumed));
        }
        status.seconds_left = status.left().map(|left| left.as_secs_f64());
        status
    }

    /// Writes the file whole. A failure costs nothing but this state of it.
    fn write(&self) {
        let status = self.now();
        let _ = save(&self.path, false, |mut file| -> std::io::Result<_> {
            serde_json::to_writer_pretty(&mut file, &status)?;
            file.write_all(b"\n")?;
            Ok((file, ()))
        });
    }
}

impl RunStatus {
    /// Returns the status of the run `run`, which begins now as this worker and makes `tables` tables.
    pub(crate) fn new(run: u64, worker: u32, manifest: Option<String>, tables: usize) -> RunStatus {
        RunStatus {
            run,
            worker,
            process: std::process::id(),
            host: machine::host(),
            manifest,
            began: now(),
            updated: now(),
            seconds: 0.0,
            tables: tables as u64,
            counts: StatusCounts::default(),
            positions: 0,
            positions_done: 0,
            positions_made: 0,
            effort: 0,
            effort_done: 0,
            effort_made: 0,
            seconds_left: None,
            waiting: false,
            working: Vec::new(),
            troubles: Vec::new(),
            status: None,
        }
    }

    /// Returns what changes each time that the status is written: the run, and how long it has lasted.
    fn beat(&self) -> (u64, u64) {
        (self.run, self.seconds.to_bits())
    }

    /// Returns the time until the end, if enough has been made to estimate it.
    fn left(&self) -> Option<Duration> {
        let left = self.effort.saturating_sub(self.effort_done);
        let enough = self.effort_made > 0 && self.effort_done >= self.effort / TENTH;
        (enough && self.status.is_none()).then(|| {
            let seconds = self.seconds * left as f64 / self.effort_made as f64;
            Duration::from_secs_f64(seconds.min(1e9))
        })
    }
}

impl StatusFile {
    /// Begins the status file of a run in the output folder `out`.
    pub(crate) fn begin(out: &Path, status: RunStatus) -> StatusFile {
        let shared = Arc::new(Shared {
            path: status_path(out, status.worker),
            begin: Instant::now(),
            state: Mutex::new(State { status, begun: Vec::new(), ended: false }),
            ended: Condvar::new(),
        });
        let writer = Arc::clone(&shared);
        let each_second = move || {
            loop {
                writer.write();
                let mut state = writer.state.lock();
                writer.ended.wait_while_for(&mut state, |state| !state.ended, INTERVAL);
                if state.ended {
                    return;
                }
            }
        };
        // Without the thread there is no file until the end, and no harm.
        let writer = thread::Builder::new().name("status".to_owned()).spawn(each_second).ok();
        StatusFile { shared, writer }
    }

    /// Changes the status.
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.shared.state.lock());
    }

    /// Adds a table that has been checked, of this effort.
    pub(crate) fn checked(&self, positions: u64, effort: u64) {
        self.change(|state| {
            state.status.positions = state.status.positions.saturating_add(positions);
            state.status.effort = state.status.effort.saturating_add(effort);
        });
    }

    /// Adds a table at which the run is at work, of this effort.
    pub(crate) fn begun(&self, name: &str, positions: u64, effort: u64) {
        self.change(|state| {
            state.begun.push(Begun { at: Instant::now(), effort, resumed: 0.0 });
            state.status.working.push(TableStatus {
                name: name.to_owned(),
                stage: SOLVING.to_owned(),
                level: None,
                done: 0,
                total: positions,
                seconds: 0.0,
            });
        });
    }

    /// Says whether the run waits for tables that others are making.
    pub(crate) fn waiting(&self, waiting: bool) {
        self.change(|state| state.status.waiting = waiting);
    }

    /// Changes what is said of the table `name`.
    fn working(&self, name: &str, change: impl FnOnce(&mut TableStatus)) {
        self.change(|state| {
            state.status.working.iter_mut().find(|table| table.name == name).map(change);
        });
    }

    /// Says that the table `name` is at this stage now.
    pub(crate) fn stage(&self, name: &str, stage: Stage) {
        self.working(name, |table| {
            (table.stage, table.done, table.total) = match stage {
                Stage::Solving { positions } => (SOLVING.to_owned(), 0, positions),
                Stage::Writing { blocks } => ("writing".to_owned(), 0, blocks),
                Stage::Asking { positions } => ("asking".to_owned(), 0, positions),
                Stage::Bounding { positions } => ("bounding".to_owned(), 0, positions),
                Stage::Verifying { positions } => ("verifying".to_owned(), 0, positions),
            };
        });
    }

    /// Says that a checkpoint of the table `name` had decided `done` positions.
    pub(crate) fn resumed(&self, name: &str, done: u64) {
        self.change(|state| {
            let mut tables = state.status.working.iter_mut().zip(&mut state.begun);
            if let Some((table, begun)) = tables.find(|(table, _)| table.name == name) {
                table.done = done;
                begun.resumed = share(done, table.total);
            }
        });
    }

    /// Says that `done` positions of the table `name` are decided, all to this level.
    pub(crate) fn level(&self, name: &str, level: u32, done: u64) {
        self.working(name, |table| (table.level, table.done) = (Some(level), done));
    }

    /// Says that `done` blocks of the table `name` are encoded.
    pub(crate) fn written(&self, name: &str, done: u64) {
        self.working(name, |table| table.done = done);
    }

    /// Counts a table of this effort at which the run works no more.
    pub(crate) fn done(&self, entry: &TableEntry, effort: u64) {
        self.change(|state| {
            let status = &mut state.status;
            let at = status.working.iter().position(|table| table.name == entry.name);
            let resumed = at.map_or(0.0, |at| {
                status.working.remove(at);
                state.begun.remove(at).resumed
            });
            status.counts.add(entry.status);
            let positions = entry.positions.unwrap_or(0);
            if entry.status.is_finished() {
                status.positions_done = status.positions_done.saturating_add(positions);
            }
            if entry.status != Status::Interrupted {
                status.effort_done = status.effort_done.saturating_add(effort);
            }
            if entry.status == Status::Made {
                status.positions_made = status.positions_made.saturating_add(positions);
                let made = (effort as f64 * (1.0 - resumed)).round() as u64;
                status.effort_made = status.effort_made.saturating_add(made);
            }
            if !entry.status.is_finished() && !entry.is_not_begun() {
                if status.troubles.len() == TROUBLES {
                    status.troubles.remove(0);
                }
                let message = entry.message.clone().unwrap_or_else(|| "no checkpoint is kept".to_owned());
                let name = entry.name.clone();
                status.troubles.push(Trouble { name, status: entry.status, message });
            }
        });
    }

    /// Returns the status as it is now.
    pub(crate) fn now(&self) -> RunStatus {
        self.shared.now()
    }

    /// Writes the file for the last time: the run has ended with this exit status.
    pub(crate) fn end(mut self, exit_status: u8) {
        self.stop(Some(exit_status));
    }

    fn stop(&mut self, exit_status: Option<u8>) {
        let Some(writer) = self.writer.take() else { return };
        self.change(|state| {
            state.ended = true;
            state.status.status = exit_status;
        });
        self.shared.ended.notify_all();
        let _ = writer.join();
        if exit_status.is_some() {
            self.shared.write();
        }
    }
}

impl Drop for StatusFile {
    fn drop(&mut self) {
        self.stop(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two open boards of many positions are done, and a maze of few that takes longer is half done.
    #[test]
    fn the_time_left_comes_from_work_and_not_from_positions() {
        let folder = tempfile::tempdir().unwrap();
        let file = StatusFile::begin(folder.path(), RunStatus::new(1, 1, None, 3));
        for (positions, effort) in [(900, 100), (900, 100), (200, 1600)] {
            file.checked(positions, effort);
        }
        let made = |name: &str| TableEntry { positions: Some(900), ..TableEntry::new(name, Status::Made) };
        for name in ["open", "wide"] {
            file.begun(name, 900, 100);
            file.done(&made(name), 100);
        }
        let status = RunStatus { seconds: 10.0, ..file.now() };
        assert_eq!((status.positions_done, status.positions), (1800, 2000));
        assert_eq!((status.effort_done, status.effort_made, status.effort), (200, 200, 1800));
        assert_eq!(status.left(), Some(Duration::from_secs(80)));
        file.begun("maze", 200, 1600);
        file.level("maze", 3, 100);
        let status = RunStatus { seconds: 50.0, ..file.now() };
        assert_eq!((status.effort_done, status.left()), (1000, Some(Duration::from_secs(40))));
    }

    #[test]
    fn what_a_checkpoint_had_decided_does_not_count_as_work_of_this_run() {
        let folder = tempfile::tempdir().unwrap();
        let file = StatusFile::begin(folder.path(), RunStatus::new(1, 1, None, 1));
        file.checked(1000, 1000);
        file.begun("maze", 1000, 1000);
        file.resumed("maze", 900);
        file.level("maze", 30, 950);
        let status = RunStatus { seconds: 5.0, ..file.now() };
        assert_eq!((status.effort_done, status.effort_made), (950, 50));
        assert_eq!(status.left(), Some(Duration::from_secs(5)));
        let made = TableEntry { positions: Some(1000), ..TableEntry::new("maze", Status::Made) };
        file.done(&made, 1000);
        let status = file.now();
        assert_eq!((status.effort_done, status.effort_made), (1000, 100));
    }
}
