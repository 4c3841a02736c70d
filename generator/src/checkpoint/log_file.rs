//! The file of a solve's logs, to which checkpoints refer (`PROTOCOL.md` §9).
//!
//! All threads append and read through one lock. A frame is appended behind the last byte and never written
//! again, so the bytes that a checkpoint names stay as they are while the solve goes on.

use super::framed_file::{FrameHead, FrameKind, FramedFile, Mark, Preamble, is_unlocked};
use crate::{lock::lock, save::require_file, warning::CheckpointError};
use std::{
    convert::Infallible,
    fs::{self, File},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    sync::Mutex,
};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned, little_endian::U32};

/// The numbers of a frame: a full chunk of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct LogFrame {
    /// The number of the log: that of its slice.
    pub(crate) log: U32,
    /// The number of frames before it in its log.
    pub(crate) number: U32,
    /// The code of its first entry.
    pub(crate) first: U32,
    /// The bytes of the chunk.
    pub(crate) unpacked: U32,
}

impl FrameKind for LogFrame {
    const MAGIC: [u8; 8] = *b"\x89DTL\r\n\x1A\n";
}

/// The file of the logs of one solve.
#[derive(Debug)]
pub(crate) struct LogFile {
    path: PathBuf,
    preamble: Preamble,
    sync: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    /// The file is created when the first frame is appended.
    Unopened,
    Open {
        file: FramedFile<LogFrame>,
        /// Whether this run created the file or emptied it, so that only its own checkpoints can name frames.
        is_new: bool,
    },
    /// Another process works on the file.
    Foreign,
}

impl LogFile {
    /// Creates the handle of the file `path`, without a look at it. `key` identifies the solve.
    pub(super) fn new(path: PathBuf, key: u128, sync: bool) -> LogFile {
        LogFile {
            path,
            preamble: Preamble::new::<LogFrame>(0, key),
            sync,
            state: Mutex::new(State::Unopened),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the seed of the frames' checksums.
    pub(crate) fn seed(&self) -> u32 {
        self.preamble.seed()
    }

    fn wrong(&self, what: &'static str) -> CheckpointError {
        CheckpointError::Log { path: self.path.clone(), what }
    }

    /// Opens the file that an earlier run has left, if there is one.
    ///
    /// # Errors
    /// When another process works on it: then nothing is to be read or written. When the file cannot be read
    /// or is another one: then it is as if there were none.
    pub(super) fn open(&self) -> Result<(), CheckpointError> {
        let file = match FramedFile::open(&self.path, self.preamble, false) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                *lock(&self.state) = State::Foreign;
                return Err(error.into());
            }
            file => file?,
        };
        if file.is_empty() {
            return Err(self.wrong("is damaged, or of another board, other rules or another version"));
        }
        *lock(&self.state) = State::Open { file, is_new: false };
        Ok(())
    }

    /// Returns whether another process works on the file.
    pub(super) fn is_foreign(&self) -> bool {
        matches!(*lock(&self.state), State::Foreign)
    }

    /// Appends a frame, and returns where its packed bytes begin. If that fails the file ends where it did.
    ///
    /// # Errors
    /// When the file system refuses, or another process works on the file.
    pub(crate) fn append(&self, head: &FrameHead<LogFrame>, packed: &[u8]) -> io::Result<u64> {
        let mut state = lock(&self.state);
        if let State::Unopened = *state {
            *state = State::Open { file: FramedFile::open(&self.path, self.preamble, true)?, is_new: true };
        }
        let State::Open { file, .. } = &mut *state else { return Err(ErrorKind::WouldBlock.into()) };
        file.append(head, packed)
    }

    /// Fills `bytes` with those of the file from `at` on.
    ///
    /// # Errors
    /// When the file system refuses, or the file ends before.
    pub(crate) fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let State::Open { file, .. } = &*lock(&self.state) else { return Err(ErrorKind::NotFound.into()) };
        file.read(at, bytes)
    }

    /// Returns the mark of all frames, for a checkpoint to name. With sync on, they are on the disk.
    ///
    /// # Errors
    /// When the file system refuses, the file has lost its name, or another process works on it.
    pub(crate) fn keep(&self) -> io::Result<Mark> {
        let (file, end) = match &*lock(&self.state) {
            State::Unopened => return Ok(Mark::default()),
            State::Foreign => return Err(ErrorKind::WouldBlock.into()),
            State::Open { file, .. } => (file.file().try_clone()?, file.end()),
        };
        // Frames that are appended meanwhile are not named.
        if self.sync {
            file.sync_all()?;
        }
        if !self.is_named(&file)? {
            return Err(io::Error::new(ErrorKind::NotFound, "the file of the logs is gone"));
        }
        Ok(end)
    }

    /// Returns whether the open file has its name still.
    fn is_named(&self, file: &File) -> io::Result<bool> {
        let named = match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            named => named?,
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let open = file.metadata()?;
            Ok((named.dev(), named.ino()) == (open.dev(), open.ino()))
        }
        #[cfg(not(unix))]
        Ok(named.is_file() && named.len() == file.metadata()?.len())
    }

    /// Calls `each` with the head and the place of all frames before `end`, in the order in which they were
    /// appended. Then the next frame is appended there.
    ///
    /// # Errors
    /// When the file has not these frames, or they are damaged.
    pub(crate) fn scan(
        &self,
        end: Mark,
        mut each: impl FnMut(&FrameHead<LogFrame>, u64),
    ) -> Result<(), CheckpointError> {
        let mut state = lock(&self.state);
        let file = match &mut *state {
            State::Open { file, .. } => file,
            _ if end == Mark::default() => return Ok(()),
            _ => return Err(self.wrong("is missing")),
        };
        let Ok(()) = file.scan(end.bytes, |head, at, _| {
            each(head, at);
            Ok::<_, Infallible>(())
        });
        match file.end() {
            // No log has a frame yet.
            found if found == end || end == Mark::default() => Ok(()),
            found if found.bytes == end.bytes => Err(self.wrong("has other frames")),
            _ => Err(self.wrong("is cut short or damaged")),
        }
    }

    /// Lets the next frame be the first one: no checkpoint is used.
    pub(super) fn begin_anew(&self) {
        if let State::Open { file, .. } = &mut *lock(&self.state) {
            file.begin_anew();
        }
    }

    /// Returns whether the checkpoints of the table may be removed: no other process works on it.
    pub(super) fn is_ours(&self) -> bool {
        match &*lock(&self.state) {
            State::Open { .. } => true,
            _ if require_file(&self.path).is_err() => true,
            _ => File::open(&self.path).is_ok_and(|file| is_unlocked(&file)) || !self.path.exists(),
        }
    }

    /// Returns the bytes of the file, if there is one.
    pub(super) fn bytes(&self) -> Option<u64> {
        Some(fs::symlink_metadata(&self.path).ok().filter(fs::Metadata::is_file)?.len())
    }

    /// Removes the file. Nobody must need its frames any more.
    ///
    /// # Errors
    /// When the file cannot be removed, which does no harm.
    pub(super) fn remove(&self) -> io::Result<()> {
        let mut state = lock(&self.state);
        let is_lost =
            matches!(&*state, State::Open { file, .. } if !self.is_named(file.file()).unwrap_or(false));
        let removed = if !is_lost && self.bytes().is_some() { fs::remove_file(&self.path) } else { Ok(()) };
        *state = State::Unopened;
        removed
    }

    /// Closes the file. Removes it if this run created it and no checkpoint names it. Nobody must need its
    /// frames any more.
    pub(super) fn close(&self, is_used: bool) {
        let is_new = matches!(&*lock(&self.state), State::Open { is_new: true, .. });
        if is_new && !is_used {
            let _ = self.remove();
        }
        *lock(&self.state) = State::Unopened;
    }
}

#[cfg(test)]
mod tests;
