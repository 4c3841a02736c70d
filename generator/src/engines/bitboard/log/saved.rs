//! Logs in checkpoints (`PROTOCOL.md` §9).

use super::{
    Log, LogEnd,
    entry::{ALONE, Entries, LONGEST},
    frame::Frame,
    level_of,
    store::{CHUNK, LogStore},
};
use crate::{
    checkpoint::{FrameHead, Frames, LogFrame, Saved, Unrestored},
    log_error::LogError,
    memory::reserve_exact,
    warning::CheckpointError,
};
use dragnet_formats::value::Plies;
use std::{io, ops::ControlFlow, sync::Arc};

/// Returns the error of a checkpoint whose logs are not as long as it says.
fn wrong_length() -> CheckpointError {
    CheckpointError::State { what: "the length of a log" }
}

/// A log as it was between two levels, while the log itself grows on.
#[derive(Debug)]
pub(crate) struct SavedLog {
    store: Arc<LogStore>,
    /// The full chunks, shared with the log.
    full: Vec<Arc<Frame>>,
    last: LastChunk,
}

/// The bytes of a log's last chunk that were in use.
#[derive(Debug)]
enum LastChunk {
    /// A copy.
    Copied(Box<[u8]>),
    /// So many bytes of a chunk that has become full since.
    Full(Arc<Frame>, usize),
}

impl SavedLog {
    /// Appends the frames to the file of the logs that are not there yet.
    pub(crate) fn put_in_file(&self, frames: &Frames) -> io::Result<()> {
        self.full.iter().try_for_each(|frame| {
            frames.go_on()?;
            frame.put_in_file(&self.store)
        })
    }

    /// Writes into a checkpoint what the file of the logs has not got.
    pub(crate) fn save(&self, frames: &mut Frames) -> io::Result<()> {
        let mut unpacked = Vec::new();
        let last = match &self.last {
            LastChunk::Copied(bytes) => &bytes[..],
            LastChunk::Full(frame, used) => {
                frame.unpack(&self.store, &mut unpacked).map_err(io::Error::other)?;
                &unpacked[..*used]
            }
        };
        frames.put(&(self.full.len() as u32).to_le_bytes())?;
        frames.put(&(last.len() as u32).to_le_bytes())?;
        frames.put(last)
    }
}

/// The frames of a log that are being found in the file of the logs, by their numbers.
pub(crate) struct FoundFrames(Vec<Option<Arc<Frame>>>);

impl FoundFrames {
    /// Returns the number of frames that the log has.
    pub(crate) fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// Takes a frame. Of those with one number the last counts: those before it were written by a run that
    /// was killed, after the checkpoint from which the solve went on. For the same reason a frame may belong
    /// to no log that the checkpoint has.
    pub(crate) fn take(&mut self, head: &FrameHead<LogFrame>, at: u64) {
        if let Some(place) = self.0.get_mut(head.about.number.get() as usize) {
            *place = Frame::in_file(*head, at).map(Arc::new);
        }
    }
}

impl Log {
    /// Returns the log as it was when it ended at `end`.
    pub(crate) fn snapshot(&self, end: LogEnd) -> SavedLog {
        let last = match self.full.get(end.full) {
            Some(frame) => LastChunk::Full(Arc::clone(frame), end.used),
            None => LastChunk::Copied(self.open[..end.used].into()),
        };
        SavedLog { store: Arc::clone(&self.store), full: self.full[..end.full].to_vec(), last }
    }

    /// Returns how many chunks the logs of a game with so many positions for a side and so many overlays have
    /// at most.
    pub(crate) fn most_chunks(positions: u64, overlays: usize) -> u64 {
        // A position takes the most bytes in an entry of its own.
        let full = positions * ALONE as u64 / (CHUNK - LONGEST) as u64;
        full + overlays as u64
    }

    /// Reads what [`SavedLog::save`] has written of the log of `slice`, if it has at most `chunks` chunks.
    /// Returns the log without its frames, and room for these. The entries are not checked; [`Log::check`]
    /// does that.
    pub(crate) fn restored(
        slice: u32,
        store: &Arc<LogStore>,
        saved: &mut Saved,
        chunks: u64,
    ) -> Result<(Log, FoundFrames), Unrestored> {
        let (count, used) = (saved.u32()?, saved.u32()? as usize);
        if u64::from(count) > chunks || used > CHUNK {
            return Err(wrong_length().into());
        }
        let mut log = Log::new(slice, Arc::clone(store));
        log.open = reserve_exact(CHUNK)?;
        log.open.resize(used, 0);
        saved.read(&mut log.open)?;
        log.open.resize(CHUNK, 0);
        log.used = used;
        Ok((log, FoundFrames(vec![None; count as usize])))
    }

    /// Gives the log its frames, if all have been found.
    pub(crate) fn put_frames(&mut self, found: FoundFrames) -> Result<(), CheckpointError> {
        self.full = found.0.into_iter().collect::<Option<_>>().ok_or_else(wrong_length)?;
        Ok(())
    }

    /// Returns whether a solve up to level `last` whose level 0 has logged `start` could have logged these
    /// entries for an overlay with the thief cells `open`. `rows_of` returns the police rows of a tile.
    /// Whether a position is decided twice is not looked at here. Makes a log that could be ready to grow on.
    ///
    /// # Errors
    /// When a frame cannot be unpacked.
    pub(crate) fn check(
        &mut self,
        rows_of: impl Fn(u32) -> Option<u64>,
        open: u64,
        start: &Log,
        last: Plies,
    ) -> Result<bool, LogError> {
        if !self.begins_with(start)? {
            return Ok(false);
        }
        let (mut right, mut level, mut of_start, mut previous) = (true, 0, 0, self.previous);
        self.visit_chunks(0, |at, chunk| {
            let mut entries = Entries::of(chunk);
            let first = self.full.get(at).map(|frame| frame.first());
            let mut is_first = first.is_some();
            while let Some(entry) = entries.next() {
                let before = level;
                level = level_of(entry.code).unwrap_or(Plies::MAX);
                right &= rows_of(entry.tile).is_some_and(|rows| entries.is_possible(&entry, rows, open));
                right &= (before..=last).contains(&level);
                right &= !std::mem::take(&mut is_first) || first == Some(entry.code);
                if !right {
                    return Ok::<_, LogError>(ControlFlow::Break(()));
                }
                of_start += usize::from(level == 0);
            }
            // A frame has an entry, and all its bytes belong to entries.
            let used = self.full.get(at).map_or(self.used, |frame| frame.unpacked_len());
            right &= !is_first && entries.at == used;
            previous = entries.previous;
            Ok(if right { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })?;
        self.previous = previous;
        let mut expected = 0;
        start.visit_entries(0, |_| {
            expected += 1;
            ControlFlow::Continue(())
        })?;
        Ok(right && of_start == expected)
    }

    /// Returns whether the bytes of `start` are the first ones of this log.
    fn begins_with(&self, start: &Log) -> Result<bool, LogError> {
        let mut chunks = Vec::new();
        start.visit_chunks(0, |at, chunk| {
            let in_use = start.full.get(at).map_or(start.used, |frame| frame.unpacked_len());
            chunks.push(chunk[..in_use].to_vec());
            Ok::<_, LogError>(ControlFlow::Continue(()))
        })?;
        let mut same = 0;
        self.visit_chunks(0, |at, chunk| {
            let right = chunks.get(at).is_some_and(|start| chunk.starts_with(start));
            same += usize::from(right);
            Ok::<_, LogError>(if right { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })?;
        Ok(same >= chunks.len())
    }
}
