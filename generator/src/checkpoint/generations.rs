//! The two generations of a solve's checkpoints: where they are, and which one is read or replaced.

use super::{
    block_file::{blocks_path, remove_blocks},
    framed_file::{FramedFile, Preamble},
    frames::{Frames, Saved, preamble},
    interval::CheckpointInterval,
    log_file::{LogFile, LogFrame},
    scratch::{SetRoom, log_path},
};
use crate::{
    budget::Budget,
    lock::{exclusive, lock},
    log_error::LogError,
    memory::OutOfMemory,
    observer::Observer,
    ranks::TransportError,
    save::{folder_of, is_full, save},
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
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// A solve that has not run longer leaves no checkpoint when it is stopped.
const WORTH_KEEPING: Duration = Duration::from_secs(2);
/// A finished solve of which less than this was done since the last checkpoint is not saved while its table
/// is encoded. A checkpoint takes a thread some hundredths of the time of its solve.
const WORTH_FINISHING: Duration = Duration::from_secs(10);

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
        match error {
            SolveError::Log(error) => error.into(),
            error => Unrestored::Solve(error),
        }
    }
}

impl From<LogError> for Unrestored {
    fn from(error: LogError) -> Unrestored {
        match error {
            LogError::OutOfMemory(error) => error.into(),
            LogError::Io(error) => CheckpointError::Io(error).into(),
            error @ LogError::Sets(_) => Unrestored::Solve(error.into()),
            LogError::Damaged { .. } => CheckpointError::State { what: "a log" }.into(),
        }
    }
}

impl From<TransportError> for Unrestored {
    fn from(error: TransportError) -> Unrestored {
        Unrestored::Solve(error.into())
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
    /// The logs, to which both generations refer.
    log: Arc<LogFile>,
    /// The file of the logs beside the table. The logs are there unless there is a scratch folder.
    log_beside: PathBuf,
    /// The memory that the table may take while it is made.
    budget: Arc<Budget>,
    interval: CheckpointInterval,
    sync: bool,
    key: u128,
    /// When the work began.
    begin: Instant,
    kept: Mutex<Kept>,
}

/// The checkpoints that there are of a solve, and what they cost.
#[derive(Debug)]
struct Kept {
    /// Index of the generation that is written next: never that of the newest checkpoint.
    next: usize,
    /// The level of the newest checkpoint.
    level: Option<Plies>,
    /// When the state of the newest checkpoint was reached; else when the work began.
    since: Instant,
    /// How long the last checkpoint took to write.
    cost: Duration,
    /// Why the last checkpoint was not written.
    refused: Option<io::ErrorKind>,
}

impl Checkpoints {
    /// Returns the checkpoints of the solve for `table`, a file path, whose logs are in the folder `scratch`
    /// or else beside the table. `key` identifies the game and its numbering of cells: two solves with one
    /// key have the same states.
    pub(crate) fn new(
        table: &Path,
        scratch: Option<&Path>,
        key: u128,
        interval: CheckpointInterval,
        sync: bool,
    ) -> Checkpoints {
        let begin = Instant::now();
        let kept = Kept { next: 0, level: None, since: begin, cost: Duration::ZERO, refused: None };
        Checkpoints {
            paths: generations(table),
            log: Arc::new(LogFile::new(log_path(table, scratch), key, sync)),
            log_beside: log_path(table, None),
            budget: Arc::default(),
            interval,
            sync,
            key,
            begin,
            kept: Mutex::new(kept),
        }
    }

    /// Limits the memory that the table may take while it is made.
    pub(crate) fn limit_memory(&mut self, bytes: u64) {
        self.budget = Arc::new(Budget::new(bytes));
    }

    /// Returns the memory that the table may take while it is made.
    pub(crate) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// Returns the room of the sets' words, if memory is limited: what has none is in the folder of the logs.
    pub(crate) fn set_room(&self) -> Option<SetRoom> {
        let room =
            || SetRoom { budget: Arc::clone(&self.budget), folder: folder_of(self.log.path()).to_owned() };
        self.budget.is_limited().then(room)
    }

    /// Returns the file of the logs.
    pub(crate) fn log(&self) -> &Arc<LogFile> {
        &self.log
    }

    /// Returns the file of the encoded blocks that wait for the table.
    pub(crate) fn blocks_path(&self) -> PathBuf {
        blocks_path(self.log.path())
    }

    /// Removes the file of the encoded blocks if there is no checkpoint of the solve.
    pub(crate) fn remove_lone_blocks(&self) {
        if lock(&self.kept).level.is_none() {
            let _ = remove_blocks(&self.blocks_path());
        }
    }

    /// Returns the time from the last checkpoint to the next.
    pub(super) fn interval(&self) -> Duration {
        self.interval.after(lock(&self.kept).cost)
    }

    /// Returns whether the work has run so long that a checkpoint is worth its time when the work stops.
    pub(crate) fn worth_keeping(&self) -> bool {
        self.begin.elapsed() >= WORTH_KEEPING.min(self.interval.after(Duration::ZERO))
    }

    /// Returns whether so much was done since the last checkpoint that one of the finished solve is worth its
    /// time while the table is encoded.
    pub(crate) fn worth_finishing(&self) -> bool {
        let least = WORTH_FINISHING.min(self.interval.after(Duration::ZERO));
        lock(&self.kept).since.elapsed() >= least
    }

    /// Returns whether there is a checkpoint of `level` or a later one.
    pub(crate) fn has(&self, level: Plies) -> bool {
        lock(&self.kept).level.is_some_and(|kept| kept >= level)
    }

    /// Returns the file that is written next.
    pub(super) fn next_path(&self) -> &Path {
        &self.paths[lock(&self.kept).next]
    }

    fn preamble(&self, level: Plies) -> Preamble {
        preamble(level, self.key)
    }

    /// Writes the checkpoint of `level` in place of the older generation; `state` puts the state into it. If
    /// the disk is full the older generation is removed first, and the newer one stays. Stops without a
    /// warning once `cancelled` is true. The observer hears of the checkpoint, or of what went wrong, unless
    /// the last one was refused for the same reason.
    pub(crate) fn write(
        &self,
        level: Plies,
        observer: &dyn Observer,
        cancelled: &AtomicBool,
        state: impl Fn(&mut Frames) -> io::Result<()>,
    ) {
        let path = self.next_path();
        let begin = Instant::now();
        let attempt = || {
            save(path, self.sync, |file| {
                let mut frames = Frames::new(file, self.preamble(level), cancelled)?;
                state(&mut frames)?;
                frames.finish()
            })
        };
        let saved = attempt().or_else(|error: io::Error| match is_full(&error) {
            true if fs::remove_file(path).is_ok() => attempt(),
            _ => Err(error),
        });
        if saved.is_err() && cancelled.load(Relaxed) {
            return;
        }
        let mut kept = lock(&self.kept);
        kept.cost = begin.elapsed();
        let refused = saved.as_ref().err().map(io::Error::kind);
        let is_known = refused == std::mem::replace(&mut kept.refused, refused);
        if saved.is_ok() {
            (kept.next, kept.level, kept.since) = (1 - kept.next, Some(level), begin);
        }
        drop(kept);
        match saved {
            Ok(bytes) => observer.checkpoint(level, bytes),
            Err(_) if is_known => {}
            Err(source) => observer.warning(&Warning::NotWritten { path: path.to_owned(), level, source }),
        }
    }

    /// Calls `restore` with checkpoints of this solve, the newest first, until it succeeds, and returns its
    /// result. Warns the observer of each checkpoint that exists and is not used.
    pub(crate) fn resume<T>(
        &self,
        observer: &dyn Observer,
        mut restore: impl FnMut(&mut Saved) -> Result<T, Unrestored>,
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
        if found.is_empty() {
            return Ok(None);
        }
        if let Err(source) = self.log.open() {
            observer.warning(&Warning::Unused { path: self.log.path().to_owned(), source });
            if self.log.is_foreign() {
                return Ok(None);
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
                    let mut kept = lock(&self.kept);
                    (kept.next, kept.level) = (1 - generation, Some(saved.level()));
                    return Ok(Some(state));
                }
                Err(Unrestored::Checkpoint(error)) => warn(generation, error),
                Err(Unrestored::Solve(error)) => return Err(error),
            }
        }
        self.log.begin_anew();
        Ok(None)
    }

    /// Warns the observer of all checkpoints. For engines that write none: another one has written these.
    pub(crate) fn pass_over(&self, observer: &dyn Observer) {
        for path in self.paths.iter().filter(|path| path.exists()) {
            let source = Saved::open(path).map_or_else(|error| error, |_| CheckpointError::Other);
            observer.warning(&Warning::Unused { path: path.clone(), source });
        }
    }

    /// Returns whether the logs are in a scratch folder.
    fn has_scratch(&self) -> bool {
        self.log.path() != self.log_beside
    }

    /// Returns the bytes that the file of the logs can give to the table: none if it is in a scratch folder,
    /// which may be on another disk.
    fn room_of_log(&self) -> u64 {
        if self.has_scratch() { 0 } else { self.log.bytes().unwrap_or(0) }
    }

    /// Removes a checkpoint, the older generation first, to make room for `needed` bytes of the finished
    /// table, and tells the observer. With the newer one goes the file of the logs, unless that is in a
    /// scratch folder; `take_back` is called before, which takes what was written there into memory again.
    /// Returns false, and removes nothing, if all these files together have less than that: then they are
    /// worth more than the room; if the logs in the file are more than may be in memory; or if `take_back`
    /// fails.
    pub(crate) fn make_room<E>(
        &self,
        needed: u64,
        observer: &dyn Observer,
        take_back: impl FnOnce() -> Result<(), E>,
    ) -> bool {
        let mut kept = lock(&self.kept);
        let [older, newer] = [&self.paths[kept.next], &self.paths[1 - kept.next]];
        let bytes = |path: &Path| Some(fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?.len());
        let log = self.room_of_log();
        let all = [older, newer].into_iter().filter_map(|path| bytes(path)).fold(log, u64::saturating_add);
        if all < needed || all == 0 || !self.log.is_ours() {
            return false;
        }
        let (path, bytes) = match (bytes(older), bytes(newer)) {
            (Some(bytes), _) => {
                if fs::remove_file(older).is_err() {
                    return false;
                }
                (older.as_path(), bytes)
            }
            (None, newer_bytes) => {
                let may_take_back = log <= self.budget.left();
                let is_free = self.has_scratch() || may_take_back && take_back().is_ok();
                if !is_free || newer_bytes.is_some() && fs::remove_file(newer).is_err() {
                    return false;
                }
                kept.level = None;
                if !self.has_scratch() {
                    let _ = self.log.remove();
                }
                let path = if newer_bytes.is_some() { newer.as_path() } else { self.log.path() };
                (path, newer_bytes.unwrap_or(0) + log)
            }
        };
        drop(kept);
        observer.warning(&Warning::MadeRoom { path: path.to_owned(), bytes });
        true
    }

    /// Removes both generations and then the files of the logs and of the encoded blocks, unless another
    /// process works with them. The observer hears of a file that cannot be removed. What an earlier run
    /// without the scratch folder has left beside the table is removed too.
    pub(crate) fn remove(&self, observer: &dyn Observer) {
        if !self.log.is_ours() {
            return;
        }
        let told = |path: &Path, removed: io::Result<()>| match removed {
            Err(source) if source.kind() != NotFound => {
                observer.warning(&Warning::NotRemoved { path: path.to_owned(), source });
            }
            _ => {}
        };
        for path in &self.paths {
            told(path, fs::remove_file(path));
        }
        told(self.log.path(), self.log.remove());
        if self.has_scratch() {
            if FramedFile::<LogFrame>::is_free(&self.log_beside) {
                told(&self.log_beside, fs::remove_file(&self.log_beside));
            }
            let blocks = blocks_path(&self.log_beside);
            told(&blocks, remove_blocks(&blocks));
        }
        let blocks = self.blocks_path();
        told(&blocks, remove_blocks(&blocks));
    }

    /// Returns whether there are generations, all of them of this solve.
    pub(crate) fn are_left(&self) -> bool {
        let is_there = |path: &&PathBuf| fs::symlink_metadata(path).is_ok();
        let is_own = |path: &PathBuf| Saved::open(path).is_ok_and(|saved| saved.preamble().key() == self.key);
        let mut there = self.paths.iter().filter(is_there).peekable();
        there.peek().is_some() && there.all(is_own)
    }
}

impl Drop for Checkpoints {
    /// Closes the file of the logs, for another run may need it before the solution is gone.
    fn drop(&mut self) {
        let is_used = exclusive(&mut self.kept).level.is_some();
        self.log.close(is_used);
    }
}
