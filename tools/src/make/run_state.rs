//! The state of a run that all its tables share: settings, counts, and what a finished table is added to.

use crate::{
    failure::Failure,
    input::table_list::TableList,
    make::{
        folder::{FolderLock, Worker},
        journal::Journal,
        progress::{Announce, RunProgress},
        status::StatusFile,
    },
    messages::Kind,
    output::progress,
    report::{
        entry::TableEntry,
        history::{HistoryFile, TableEvent, now},
        status::Status,
    },
    signals,
};
use dragnet_generator::{ranks::Transport, schedule::Order};
use parking_lot::Mutex;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
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
    /// Whether every checksum of the finished tables is checked.
    pub(crate) recheck: bool,
    /// Whether to wait for the tables that other runs in the same folder are making.
    pub(crate) wait: bool,
    /// Time between the checkpoints of a long solve, in place of what the list says.
    pub(crate) checkpoints: Option<Duration>,
    /// Whether entries have portraits, for a report.
    pub(crate) portraits: bool,
    /// Which tables are reported on standard error.
    pub(crate) announce: Announce,
    /// The other ranks that solve each board together with this one.
    pub(crate) ranks: Option<Ranks>,
}

/// The ranks of a job, of which this one is number 0.
pub(crate) struct Ranks {
    pub(crate) transport: Arc<dyn Transport>,
    /// Ends all of them at once with an exit status.
    pub(crate) end_all: fn(u8) -> !,
}

/// Exit status of a run that has left out something for want of memory, disk or time.
pub(super) const LEFT_OUT: u8 = 3;

/// How a run has ended, beside the counts of its tables.
#[derive(Debug, Default)]
pub(crate) struct RunOutcome {
    /// The worst exit status of all tables, 0 if all are finished; that of the signal if one has kept a table
    /// from being finished.
    pub(crate) status: u8,
    /// The first table of the list that a signal or the time limit kept from being finished.
    pub(crate) interrupted: Option<usize>,
    /// Tables that were interrupted before they were begun.
    pub(crate) not_begun: usize,
}

impl RunOutcome {
    /// Takes the exit status of what has failed after the tables, if all of them are finished.
    pub(crate) fn add<T>(&mut self, result: &Result<T, Failure>) {
        if self.status == 0 {
            self.status = result.as_ref().err().map_or(0, Failure::status);
        }
    }
}

/// Returns the number of a run that begins now, which distinguishes its events from those of other runs: its
/// first millisecond, counted from 1970.
pub(super) fn run_number() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64
}

/// The state that all tables of a run share.
pub(super) struct RunState<'a> {
    pub(super) list: &'a TableList,
    pub(super) options: &'a RunOptions,
    /// The order in which the tables are made.
    pub(super) order: Order,
    pub(super) journal: Journal,
    /// The number of the run.
    pub(super) number: u64,
    pub(super) folder: FolderLock,
    pub(super) worker: Worker,
    pub(super) deadline: Option<Instant>,
    pub(super) progress: RunProgress,
    pub(super) status: StatusFile,
    pub(super) history: HistoryFile,
    /// Whether the history could not be written, which is said once.
    pub(super) history_failed: AtomicBool,
    pub(super) done: &'a (dyn Fn(usize, TableEntry) + Sync),
    pub(super) outcome: Mutex<RunOutcome>,
}

impl RunState<'_> {
    /// Returns whether the work is to stop soon.
    pub(super) fn is_stopped(&self) -> bool {
        signals::received() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns the exit status of the run, if it ends now.
    pub(super) fn exit_status(&self) -> u8 {
        let outcome = self.outcome.lock();
        let by_signal = outcome.interrupted.is_some() && signals::received();
        if by_signal { signals::status() } else { outcome.status }
    }

    /// Counts that the run has stopped before the table with this number was finished.
    pub(super) fn count_interrupted(&self, number: usize) {
        let mut outcome = self.outcome.lock();
        outcome.interrupted = Some(outcome.interrupted.map_or(number, |first| first.min(number)));
        outcome.status = outcome.status.max(LEFT_OUT);
    }

    /// Counts, logs, shows and hands on the entry of a table of this effort that is done. `status` is the
    /// exit status that it causes.
    pub(super) fn end(&self, number: usize, entry: TableEntry, effort: u64, status: u8) {
        if entry.status == Status::Interrupted {
            self.count_interrupted(number);
        }
        let mut outcome = self.outcome.lock();
        outcome.not_begun += usize::from(entry.is_not_begun());
        outcome.status = outcome.status.max(status);
        drop(outcome);
        let message = entry.note().unwrap_or_default();
        match entry.status {
            Status::Made | Status::Kept => info!(
                event = %entry.status, board = entry.name, positions = entry.positions, digest = entry.digest,
                bytes = entry.bytes, solve_seconds = entry.solve_seconds, write_seconds = entry.write_seconds, message
            ),
            _ => warn!(event = %entry.status, board = entry.name, message),
        }
        self.status.done(&entry, effort);
        self.progress.done(&entry, &self.status.now());
        if entry.status != Status::Kept && !entry.is_not_begun() {
            self.remember(&entry);
        }
        progress::suspended(|| (self.done)(number, entry));
    }

    /// Adds the outcome of a table to the history.
    fn remember(&self, entry: &TableEntry) {
        let event = TableEvent {
            run: self.number,
            worker: self.worker.number,
            at: now(),
            status: entry.status,
            seconds: entry.seconds(),
            message: entry.note(),
        };
        self.with_history(|history| history.add_table(&entry.name, event));
    }

    /// Changes the history. A failure costs nothing but what was to be remembered, and is reported once.
    pub(super) fn with_history(&self, change: impl FnOnce(&HistoryFile) -> Result<(), Failure>) {
        if let Err(failure) = change(&self.history)
            && !self.history_failed.swap(true, Ordering::Relaxed)
        {
            progress::say(Kind::Warning, &failure.text());
        }
    }
}
