//! Check-points of long solves, from which a later run goes on (`PROTOCOL.md` §9): where they are and which one is taken.

mod frames;
mod keeper;

pub(crate) use frames::{Frames, Saved};
pub(crate) use keeper::Keeper;

use crate::{memory::OutOfMemory, observer::Observer, save::save};
use dragnet_formats::{container::WriteError, header::Header, value::Plies};
use frames::Preamble;
use std::{
    cmp::Reverse,
    ffi::OsString,
    fs,
    io::{self, ErrorKind::NotFound},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    time::{Duration, Instant},
};
use xxhash_rust::xxh3::xxh3_128;

/// The version of check-points that this program writes and reads.
pub const VERSION: u16 = 6;

/// A solve that has not run longer leaves no check-point when it is stopped.
const WORTH_KEEPING: Duration = Duration::from_secs(2);

/// Why a file is not a check-point of a solve.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Not a check-point at all.
    #[error("it does not begin like a check-point")]
    Magic,
    /// Of a version that this program does not know.
    #[error("expected version {VERSION}, found {found}")]
    Version {
        /// The version in the file.
        found: u16,
    },
    /// The first bytes have been altered.
    #[error("its first bytes are damaged: expected checksum {expected:08x}, found {found:08x}")]
    Preamble {
        /// The checksum in the file.
        expected: u32,
        /// That of the bytes.
        found: u32,
    },
    /// Whole, perhaps, but of another solve.
    #[error("it is of another board, other rules or another engine")]
    Other,
    /// The file ends too soon.
    #[error("it is cut short")]
    Truncated,
    /// A frame has been altered.
    #[error("frame {frame} is damaged")]
    Frame {
        /// Number of the frame.
        frame: u64,
    },
    /// Something comes after what the engine saves.
    #[error("something follows its end")]
    Trailing,
    /// The frames are whole, but no solve has saved this.
    #[error("it says something impossible of {what}")]
    State {
        /// What of.
        what: &'static str,
    },
}

/// What went wrong with a check-point. It does not end the work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// A check-point was found, and the solve goes on from an older one or begins at the start.
    #[error("the check-point {} is not used: {source}", path.display())]
    Unused {
        /// The file.
        path: PathBuf,
        /// Why.
        source: CheckpointError,
    },
    /// A check-point could not be written.
    #[error("the check-point {} was not written: {source}", path.display())]
    NotWritten {
        /// The file that it was to be.
        path: PathBuf,
        /// The level of the solve.
        level: Plies,
        /// Why.
        source: io::Error,
    },
}

/// Why a solve cannot go on from a check-point.
#[derive(Debug)]
pub(crate) enum Unrestored {
    /// It is the check-point's fault.
    Checkpoint(CheckpointError),
    /// Not even the start would have the memory.
    OutOfMemory(OutOfMemory),
}

impl From<CheckpointError> for Unrestored {
    fn from(error: CheckpointError) -> Unrestored {
        Unrestored::Checkpoint(error)
    }
}

impl From<OutOfMemory> for Unrestored {
    fn from(error: OutOfMemory) -> Unrestored {
        Unrestored::OutOfMemory(error)
    }
}

/// Whose check-points they are, as the file says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Saver {
    Counters = 1,
    Bitboard = 2,
}

/// The check-points of one solve.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    /// The two generations.
    paths: [PathBuf; 2],
    /// Which of them is written next.
    next: AtomicUsize,
    interval: Duration,
    sync: bool,
    saver: Saver,
    key: u128,
    /// When the work began.
    begin: Instant,
}

impl Checkpoints {
    /// Those for the table `table` with this header, whose summary is of draws; its tile sizes are those by which the
    /// engine numbers cells.
    ///
    /// # Errors
    /// When no table could have the header.
    pub(crate) fn new(
        table: &Path,
        saver: Saver,
        header: &Header,
        interval: Duration,
        sync: bool,
    ) -> Result<Checkpoints, WriteError> {
        Ok(Checkpoints {
            paths: ["1", "2"].map(|generation| {
                let mut name = OsString::from(".");
                name.push(table.file_name().unwrap_or_default());
                name.push(".check-");
                name.push(generation);
                table.with_file_name(name)
            }),
            next: AtomicUsize::new(0),
            interval,
            sync,
            saver,
            key: xxh3_128(&header.to_bytes()?),
            begin: Instant::now(),
        })
    }

    /// Whether the work has come so far that a check-point is worth its time.
    pub(crate) fn worth_keeping(&self) -> bool {
        self.begin.elapsed() >= WORTH_KEEPING.min(self.interval)
    }

    /// The file that is written next.
    fn next_path(&self) -> &Path {
        &self.paths[self.next.load(Relaxed)]
    }

    fn preamble(&self, level: Plies) -> Preamble {
        Preamble { saver: self.saver as u16, level, key: self.key }
    }

    /// Writes the check-point of level `level` with the state that `state` puts into it, in place of the older generation. Gives
    /// it up when `over` becomes true. The observer hears of it, or of what went wrong.
    pub(crate) fn write(
        &self,
        level: Plies,
        observer: &dyn Observer,
        over: &AtomicBool,
        state: impl FnOnce(&mut Frames) -> io::Result<()>,
    ) {
        let path = self.next_path();
        let saved = save(path, self.sync, |file| {
            let mut frames = Frames::new(file, self.preamble(level), over)?;
            state(&mut frames)?;
            frames.finish()
        });
        match saved {
            Ok(bytes) => {
                self.next.fetch_xor(1, Relaxed);
                observer.checkpoint(level, bytes);
            }
            Err(_) if over.load(Relaxed) => {}
            Err(source) => observer.warning(&Warning::NotWritten { path: path.to_owned(), level, source }),
        }
    }

    /// Whether this solve could have written it, as far as the preamble says.
    fn wrote(&self, saved: &Saved) -> bool {
        self.preamble(saved.level()) == saved.preamble()
    }

    /// Whether there is a file for one of the generations, and none that this solve could have written.
    pub(crate) fn are_of_another(&self) -> bool {
        let own = |path: &PathBuf| Saved::open(path).is_ok_and(|saved| self.wrote(&saved));
        self.paths.iter().any(|path| path.exists()) && !self.paths.iter().any(own)
    }

    /// What `restore` makes of the newest check-point of which it can make something, if there is one. The observer is warned of
    /// those that are there and not used.
    pub(crate) fn resume<T>(
        &self,
        observer: &dyn Observer,
        restore: impl Fn(&mut Saved) -> Result<T, Unrestored>,
    ) -> Result<Option<T>, OutOfMemory> {
        let warn = |generation: usize, source| {
            observer.warning(&Warning::Unused { path: self.paths[generation].clone(), source });
        };
        let mut found = Vec::new();
        for (generation, path) in self.paths.iter().enumerate() {
            match Saved::open(path) {
                Ok(saved) if self.wrote(&saved) => found.push((generation, saved)),
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
                Err(Unrestored::OutOfMemory(refused)) => return Err(refused),
            }
        }
        Ok(None)
    }

    /// Takes both generations away. What cannot be removed is in nobody's way.
    pub(crate) fn remove(&self) {
        for path in &self.paths {
            let _ = fs::remove_file(path);
        }
    }
}
