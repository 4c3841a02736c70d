//! The two generations of a solve's checkpoints: where they are, and which one is read or replaced.

use super::frames::{CheckpointHead, Frames, Saved};
use crate::{
    memory::OutOfMemory,
    observer::Observer,
    save::save,
    solve_error::SolveError,
    warning::{CheckpointError, Warning},
};
use dragnet_formats::value::Plies;
use std::{
    cmp::Reverse,
    ffi::OsString,
    fs,
    io::{self, ErrorKind::NotFound},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// A solve that has not run longer leaves no checkpoint when it is stopped.
const WORTH_KEEPING: Duration = Duration::from_secs(2);

/// Why a solve cannot resume from a checkpoint.
#[derive(Debug)]
pub(crate) enum Unrestored {
    /// The checkpoint is not usable.
    Checkpoint(CheckpointError),
    /// A solve from the start would fail as well: it would not have the memory, or the observer stops it.
    Solve(SolveError),
}

impl From<CheckpointError> for Unrestored {
    fn from(error: CheckpointError) -> Unrestored {
        Unrestored::Checkpoint(error)
    }
}

impl From<SolveError> for Unrestored {
    fn from(error: SolveError) -> Unrestored {
        Unrestored::Solve(error)
    }
}

impl From<OutOfMemory> for Unrestored {
    fn from(error: OutOfMemory) -> Unrestored {
        Unrestored::Solve(error.into())
    }
}

/// Returns the files of the two generations of checkpoints of the table `table`.
pub(super) fn generations(table: &Path) -> [PathBuf; 2] {
    ["1", "2"].map(|generation| {
        let mut name = OsString::from(".");
        name.push(table.file_name().unwrap_or_default());
        name.push(".check-");
        name.push(generation);
        table.with_file_name(name)
    })
}

/// The checkpoints of one solve.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    /// The files of the two generations.
    paths: [PathBuf; 2],
    /// Index of the generation that is written next.
    next: AtomicUsize,
    interval: Duration,
    sync: bool,
    key: u128,
    /// When the work began.
    begin: Instant,
}

impl Checkpoints {
    /// Returns the checkpoints of the solve for `table`, a file path. `key` identifies the game and its
    /// numbering of cells: two solves with one key have the same states.
    pub(crate) fn new(table: &Path, key: u128, interval: Duration, sync: bool) -> Checkpoints {
        Checkpoints {
            paths: generations(table),
            next: AtomicUsize::new(0),
            interval,
            sync,
            key,
            begin: Instant::now(),
        }
    }

    /// Returns the time from one checkpoint to the next.
    pub(super) fn interval(&self) -> Duration {
        self.interval
    }

    /// Returns whether the work has run so long that a checkpoint is worth its time.
    pub(crate) fn worth_keeping(&self) -> bool {
        self.begin.elapsed() >= WORTH_KEEPING.min(self.interval)
    }

    /// Returns the file that is written next.
    pub(super) fn next_path(&self) -> &Path {
        &self.paths[self.next.load(Relaxed)]
    }

    fn preamble(&self, level: Plies) -> CheckpointHead {
        CheckpointHead { level, key: self.key }
    }

    /// Writes the checkpoint of `level` in place of the older generation; `state` puts the state into it.
    /// Stops without a warning once `cancelled` is true. The observer hears of the checkpoint, or of what
    /// went wrong.
    pub(crate) fn write(
        &self,
        level: Plies,
        observer: &dyn Observer,
        cancelled: &AtomicBool,
        state: impl FnOnce(&mut Frames) -> io::Result<()>,
    ) {
        let path = self.next_path();
        let saved = save(path, self.sync, |file| {
            let mut frames = Frames::new(file, self.preamble(level), cancelled)?;
            state(&mut frames)?;
            frames.finish()
        });
        match saved {
            Ok(bytes) => {
                self.next.fetch_xor(1, Relaxed);
                observer.checkpoint(level, bytes);
            }
            Err(_) if cancelled.load(Relaxed) => {}
            Err(source) => observer.warning(&Warning::NotWritten { path: path.to_owned(), level, source }),
        }
    }

    /// Calls `restore` with checkpoints of this solve, the newest first, until it succeeds, and returns its
    /// result. Warns the observer of each checkpoint that exists and is not used.
    pub(crate) fn resume<T>(
        &self,
        observer: &dyn Observer,
        restore: impl Fn(&mut Saved) -> Result<T, Unrestored>,
    ) -> Result<Option<T>, SolveError> {
        let warn = |generation: usize, source| {
            observer.warning(&Warning::Unused { path: self.paths[generation].clone(), source });
        };
        let mut found = Vec::new();
        for (generation, path) in self.paths.iter().enumerate() {
            match Saved::open(path) {
                Ok(saved) if saved.preamble() == self.preamble(saved.level()) => {
                    found.push((generation, saved));
                }
                Ok(_) => warn(generation, CheckpointError::Other),
                Err(CheckpointError::Io(error)) if error.kind() == NotFound => {}
                Err(error) => warn(generation, error),
            }
        }
        found.sort_by_key(|(_, saved)| Reverse(saved.level()));
        for (generation, mut saved) in found {
            let restored = restore(&mut saved).and_then(|state| {
                saved.finish()?;
                Ok(state)
            });
            match restored {
                Ok(state) => {
                    self.next.store(1 - generation, Relaxed);
                    return Ok(Some(state));
                }
                Err(Unrestored::Checkpoint(error)) => warn(generation, error),
                Err(Unrestored::Solve(error)) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Warns the observer of all checkpoints. For engines that write none: another one has written these.
    pub(crate) fn pass_over(&self, observer: &dyn Observer) {
        for path in self.paths.iter().filter(|path| path.exists()) {
            let source = Saved::open(path).map_or_else(|error| error, |_| CheckpointError::Other);
            observer.warning(&Warning::Unused { path: path.clone(), source });
        }
    }

    /// Removes both generations. A file that cannot be removed does no harm.
    pub(crate) fn remove(&self) {
        for path in &self.paths {
            let _ = fs::remove_file(path);
        }
    }
}
