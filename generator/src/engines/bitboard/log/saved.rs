//! Logs in checkpoints (`PROTOCOL.md` §9).

use super::{
    CHUNK, Log, LogMark,
    entry::{ALONE, Entries, LONGEST},
    level_of,
};
use crate::{
    checkpoint::{Frames, Saved, Unrestored},
    memory::Array,
    warning::CheckpointError,
};
use dragnet_formats::value::Plies;
use std::{io, sync::Arc};

/// A log as it was between two levels, while the log itself grows on.
#[derive(Debug)]
pub(in super::super) struct SavedLog {
    /// The full chunks, shared with the log.
    full: Vec<Arc<Array<u8>>>,
    /// A copy of the bytes of the last chunk that were in use.
    last: Box<[u8]>,
}

impl SavedLog {
    /// Writes the log into a checkpoint.
    pub(in super::super) fn save(&self, frames: &mut Frames) -> io::Result<()> {
        let chunks = self.full.len() + usize::from(!self.last.is_empty());
        frames.put(&(chunks as u32).to_le_bytes())?;
        frames.put(&(self.last.len() as u32).to_le_bytes())?;
        self.full.iter().try_for_each(|chunk| frames.put(chunk.get()))?;
        frames.put(&self.last)
    }
}

impl Log {
    /// Returns the log as it was when it ended at `mark`.
    pub(in super::super) fn snapshot(&self, mark: LogMark) -> SavedLog {
        let last = self.full.get(mark.full).map(Arc::as_ref).or(self.open.as_ref());
        let last = last.map_or(&[][..], |chunk| &chunk.get()[..mark.used]);
        SavedLog { full: self.full[..mark.full].to_vec(), last: last.into() }
    }

    /// Returns how many chunks the logs of a game with so many positions for a side and so many overlays have
    /// at most.
    pub(in super::super) fn most_chunks(positions: u64, overlays: usize) -> u64 {
        // A position takes the most bytes in an entry of its own.
        let full = positions * ALONE as u64 / (CHUNK - LONGEST) as u64;
        full + overlays as u64
    }

    /// Reads the log that [`SavedLog::save`] has written, if it has at most `chunks` chunks. The entries are
    /// not checked; [`Log::check`] does that.
    pub(in super::super) fn restore(saved: &mut Saved, chunks: u64) -> Result<Log, Unrestored> {
        let (count, used) = (saved.u32()?, saved.u32()? as usize);
        let lengths = if count == 0 { 0..=0 } else { 1..=CHUNK };
        if u64::from(count) > chunks || !lengths.contains(&used) {
            return Err(CheckpointError::State { what: "the length of a log" }.into());
        }
        let mut log = Log { used, ..Log::default() };
        for left in (0..count).rev() {
            let mut chunk = Array::in_small_pages(CHUNK as u64)?;
            let bytes: &mut [u8] = chunk.get_mut();
            if left > 0 {
                saved.read(bytes)?;
                log.full.push(Arc::new(chunk));
            } else {
                saved.read(&mut bytes[..used])?;
                log.open = Some(chunk);
            }
        }
        Ok(log)
    }

    /// Returns whether a solve up to level `last` whose level 0 has logged `start` could have logged these
    /// entries for an overlay with the thief cells `open`. `rows_of` returns the police rows of a tile.
    /// Whether a position is decided twice is not looked at here. Makes a log that could be ready to grow on.
    pub(in super::super) fn check(
        &mut self,
        rows_of: impl Fn(u32) -> Option<u64>,
        open: u64,
        start: &Log,
        last: Plies,
    ) -> bool {
        if !self.begins_with(start) {
            return false;
        }
        let (mut level, mut previous) = (0, self.previous);
        for (at, chunk) in self.chunks().enumerate() {
            let mut entries = Entries::of(chunk);
            while let Some(entry) = entries.next() {
                let before = level;
                level = level_of(entry.code).unwrap_or(Plies::MAX);
                let possible = rows_of(entry.tile).is_some_and(|rows| entry.is_possible(rows, open));
                let right = possible && entries.has_right_length(&entry);
                if !right || !(before..=last).contains(&level) {
                    return false;
                }
            }
            if at == self.full.len() {
                if entries.at != self.used {
                    return false;
                }
                previous = entries.previous;
            }
        }
        self.previous = previous;
        let of_start = self.entries().take_while(|entry| level_of(entry.code) == Some(0)).count();
        of_start == start.entries().count()
    }

    /// Returns whether the bytes of `start` are the first ones of this log.
    fn begins_with(&self, start: &Log) -> bool {
        if self.bytes() < start.bytes() {
            return false;
        }
        self.chunks().zip(start.chunks()).enumerate().all(|(at, (ours, theirs))| {
            let in_use = if at < start.full.len() { CHUNK } else { start.used };
            ours.starts_with(&theirs[..in_use])
        })
    }
}
