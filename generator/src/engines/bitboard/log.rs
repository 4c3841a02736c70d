//! The log of what was decided when, one for each overlay: all that is kept of the DTW while solving. It is
//! written once, from front to back, which leaves the caches to the sets.

mod entry;
mod saved;

use super::words::Words;
use crate::memory::{Array, OutOfMemory};
use dragnet_formats::value::{Plies, Value};
use entry::{Entries, LONGEST, Previous};
use std::sync::Arc;
pub(super) use {entry::LogEntry, saved::SavedLog};

/// Bytes of a chunk. Its pages are taken one by one where something is written, so that a chunk in use costs
/// on the average half a page more than its entries.
pub(super) const CHUNK: usize = 1 << 17;

/// The entries of one overlay, in the order of levels, in chunks of [`CHUNK`] bytes.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The chunks that are full. Nobody changes them any more, so a checkpoint shares them.
    full: Vec<Arc<Array<u8>>>,
    /// The last chunk.
    open: Option<Array<u8>>,
    /// Bytes of the last chunk that are in use.
    used: usize,
    /// The last entry of the last chunk.
    previous: Previous,
    /// The first refusal of the system to give memory. What was to be noted then is lost.
    refused: Option<OutOfMemory>,
}

/// The end of a log at some time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LogMark {
    /// The number of full chunks.
    full: usize,
    /// Bytes of the last chunk that are in use.
    used: usize,
}

/// Returns the level in which positions of this code are decided.
fn level_of(code: u32) -> Option<Plies> {
    Value::from_code(code)?.dtw()
}

impl Log {
    /// Appends the newly decided positions of police tile `tile` with the code of their value. `new` has
    /// words other than 0 for `rows` alone.
    #[inline(always)]
    pub(super) fn push(&mut self, tile: u32, code: u32, rows: u64, new: &Words) {
        if self.open.is_none() || self.used + LONGEST > CHUNK {
            match Array::in_small_pages(CHUNK as u64) {
                Ok(chunk) => self.full.extend(self.open.replace(chunk).map(Arc::new)),
                Err(refused) => {
                    self.refused.get_or_insert(refused);
                    return;
                }
            }
            (self.used, self.previous) = (0, Previous::default());
        }
        let chunk = self.open.as_mut().expect("a chunk has just been taken").get_mut();
        self.used = entry::write(chunk, self.used, &mut self.previous, (tile, code), rows, new);
    }

    /// Returns the end of the log as it is now.
    pub(super) fn mark(&self) -> LogMark {
        LogMark { full: self.full.len(), used: self.used }
    }

    /// Returns whether the system has refused memory.
    pub(super) fn refused(&self) -> bool {
        self.refused.is_some()
    }

    /// Takes the system's first refusal.
    pub(super) fn take_refusal(&mut self) -> Option<OutOfMemory> {
        self.refused.take()
    }

    /// Returns the number of chunks.
    pub(super) fn chunk_count(&self) -> u64 {
        self.full.len() as u64 + u64::from(self.open.is_some())
    }

    /// Returns the bytes of all chunks.
    pub(super) fn bytes(&self) -> u64 {
        self.chunk_count() * CHUNK as u64
    }

    fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.full.iter().map(|chunk| chunk.get()).chain(self.open.iter().map(Array::get))
    }

    /// Returns all entries, in the order in which they were noted.
    pub(super) fn entries(&self) -> impl Iterator<Item = LogEntry<'_>> {
        self.chunks().flat_map(Entries::of)
    }

    /// Returns the entries, but for those in chunks that have only levels below `level`.
    pub(super) fn entries_from(&self, level: Plies) -> impl Iterator<Item = LogEntry<'_>> {
        let first_level = |chunk: &[u8]| Entries::of(chunk).next().and_then(|entry| level_of(entry.code));
        let chunks: Vec<&[u8]> = self.chunks().collect();
        // Levels rise from chunk to chunk. The last chunk that begins below the level may reach into it.
        let below = chunks.partition_point(|chunk| first_level(chunk) < Some(level));
        chunks.into_iter().skip(below.saturating_sub(1)).flat_map(Entries::of)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::words::{ROWS, first_bits, ones, rows_with_bits},
        *,
    };
    use dragnet_formats::value::MAX_DTW;
    use proptest::prelude::*;

    /// The police rows of each tile.
    const TILES: [usize; 5] = [64, 64, 17, 1, 40];
    const OPEN: u64 = 0xFFFF_F00F_7E3C_1881;

    fn rows_of(tile: u32) -> Option<u64> {
        TILES.get(tile as usize).map(|&rows| first_bits(rows))
    }

    /// A police tile, how many levels after the last, and which of four words how many rows have.
    type Noted = (usize, Plies, Vec<(usize, usize)>);

    fn noted() -> impl Strategy<Value = (Vec<Noted>, [u64; 3])> {
        let rows = prop::collection::vec((0usize..4, 1usize..5), 1..40);
        let levels = prop_oneof![50 => 0u32..3, 1 => 30_000u32..40_000];
        let entry = (0..TILES.len(), levels, rows);
        (prop::collection::vec(entry, 1..1200), any::<[u64; 3]>())
    }

    /// An entry's tile, code, and rows with their words.
    type Expected = (u32, u32, Vec<(usize, u64)>);

    /// Returns a log in which this is noted, and what its entries should say.
    fn log(noted: &[Noted], words: [u64; 3]) -> (Log, Vec<Expected>) {
        // None, any, few, one.
        let words = [
            0,
            words[0] & OPEN,
            words[1] & words[2] & 0x1111_1111_1111_1111 & OPEN,
            OPEN & OPEN.wrapping_neg() << (words[0] % 8),
        ];
        let (mut log, mut level, mut expected) = (Log::default(), 1, Vec::new());
        for (tile, levels, runs) in noted {
            level += levels;
            let mut new = [0; ROWS];
            let choices = runs.iter().flat_map(|&(choice, rows)| std::iter::repeat_n(choice, rows));
            for (word, choice) in new.iter_mut().zip(choices).take(TILES[*tile]) {
                *word = words[choice];
            }
            let rows = rows_with_bits(&new);
            if rows != 0 {
                let code = Value::Win(level).code();
                log.push(*tile as u32, code, rows, &new);
                expected.push((*tile as u32, code, ones(rows).map(|row| (row, new[row])).collect()));
            }
        }
        (log, expected)
    }

    fn read(log: &Log) -> Vec<Expected> {
        let entry = |entry: LogEntry| {
            let mut rows = Vec::new();
            entry.for_each_row(|row, word| rows.push((row, word)));
            assert_eq!(entry.rows, rows.iter().map(|(row, _)| 1u64 << row).sum());
            (entry.tile, entry.code, rows)
        };
        log.entries().map(entry).collect()
    }

    proptest! {
        #[test]
        fn entries_read_as_they_were_written_and_pass_the_check((noted, words) in noted()) {
            let (mut log, expected) = log(&noted, words);
            prop_assert_eq!(read(&log), expected);
            prop_assert!(log.check(rows_of, OPEN, &Log::default(), MAX_DTW));
        }

        #[test]
        fn entries_from_a_level_are_all_entries_of_the_level_and_later(
            (noted, words) in noted(), at in any::<prop::sample::Index>(),
        ) {
            let (log, expected) = log(&noted, words);
            prop_assume!(!expected.is_empty());
            let level = level_of(expected[at.index(expected.len())].1).unwrap();
            let later = |code: u32| level_of(code) >= Some(level);
            let found = log.entries_from(level).filter(|entry| later(entry.code)).count();
            prop_assert_eq!(found, expected.iter().filter(|(_, code, _)| later(*code)).count());
        }

        #[test]
        fn damaged_entries_that_pass_the_check_are_possible(
            (noted, words) in noted(), damage in prop::collection::vec(any::<(prop::sample::Index, u8)>(), 1..4),
        ) {
            let (mut log, _) = log(&noted, words);
            let used = log.used;
            if let Some(chunk) = &mut log.open {
                for (at, byte) in damage {
                    chunk.get_mut()[at.index(used)] = byte;
                }
            }
            if log.check(rows_of, OPEN, &Log::default(), MAX_DTW) {
                for (tile, code, rows) in read(&log) {
                    prop_assert!(level_of(code).is_some() && !rows.is_empty());
                    for (row, word) in rows {
                        prop_assert!(row < TILES[tile as usize] && word != 0 && word & !OPEN == 0);
                    }
                }
            }
        }
    }
}
