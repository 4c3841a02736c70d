//! The log of what was decided when, one for each slice: all that is kept of the DTW while solving. It is
//! written once, from front to back, which leaves the caches to the sets.

mod entry;

mod store;

mod frame;

mod saved;

mod loose;

mod parts;

use super::words::{Words, ones};
use crate::{
    log_error::LogError,
    memory::{OutOfMemory, grow_exact, reserve_exact},
};
use dragnet_formats::value::{Plies, Value};
use entry::{Entries, LONGEST, Previous};
use frame::{Frame, FramePlace};
use std::{
    io,
    ops::{ControlFlow, Range},
    sync::Arc,
};
pub(super) use {
    entry::LogEntry,
    loose::{LooseEntries, visit_loose_entries},
    parts::LogPart,
    saved::SavedLog,
    store::{CHUNK, LogStore, PACKED_FROM},
};

/// Bytes of a log's first chunk when it is begun. It grows up to [`CHUNK`]: on small boards most logs stay
/// short.
const FIRST: usize = 1 << 10;

/// The entries of one slice, in the order of levels. Chunks that are full become frames, which are
/// unpacked where somebody reads them.
#[derive(Debug)]
pub(super) struct Log {
    /// The number of the slice.
    slice: u32,
    store: Arc<LogStore>,
    /// The chunks that are full. Nobody changes them any more, so a checkpoint shares them.
    full: Vec<Arc<Frame>>,
    /// The last chunk, and zeros behind it.
    open: Vec<u8>,
    /// Bytes of the last chunk that are in use.
    used: usize,
    /// The last entry of the last chunk.
    previous: Previous,
}

/// The end of a log at some time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LogEnd {
    /// The number of full chunks.
    full: usize,
    /// Bytes of the last chunk that are in use.
    used: usize,
}

impl LogEnd {
    /// Returns the number of full chunks.
    pub(super) fn full(self) -> usize {
        self.full
    }

    /// Returns about how many bytes are before it, unpacked: full chunks have up to [`CHUNK`].
    pub(super) fn bytes(self) -> u64 {
        (self.full * CHUNK + self.used) as u64
    }
}

/// The chunks of a log, unpacked.
#[derive(Debug)]
pub(super) struct UnpackedLog<'a> {
    /// The bytes of the chunks that were packed or in the file.
    bytes: Vec<u8>,
    chunks: Vec<UnpackedChunk<'a>>,
}

/// The bytes of a chunk, and zeros behind them.
#[derive(Debug)]
enum UnpackedChunk<'a> {
    /// Bytes of [`UnpackedLog::bytes`].
    Own(Range<usize>),
    /// The bytes of a frame that was never packed.
    Shared(Arc<Vec<u8>>),
    /// The last chunk of the log.
    Last(&'a [u8]),
}

impl UnpackedLog<'_> {
    /// Returns the chunks, in the order in which they were filled.
    pub(super) fn chunks(&self) -> impl Iterator<Item = Chunk<'_>> {
        self.chunks.iter().map(|chunk| {
            Chunk(match chunk {
                UnpackedChunk::Own(range) => &self.bytes[range.clone()],
                UnpackedChunk::Shared(bytes) => bytes,
                UnpackedChunk::Last(bytes) => bytes,
            })
        })
    }
}

/// A chunk of a log that is not packed.
#[derive(Clone, Copy)]
pub(super) struct Chunk<'a>(&'a [u8]);

impl<'a> Chunk<'a> {
    /// Calls `each` with all entries, in the order in which they were noted, and with the place of each.
    #[inline(always)]
    pub(super) fn visit_entries(self, mut each: impl FnMut(LogEntry<'a>, u16)) {
        let mut entries = Entries::of(self.0);
        while let Some(entry) = entries.next() {
            // A chunk has at most `CHUNK` bytes.
            each(entry, entries.head as u16);
        }
    }

    /// Returns the entry with this place, tile and code.
    #[inline(always)]
    pub(super) fn entry(self, place: u16, tile: u32, code: u32) -> LogEntry<'a> {
        LogEntry::at(self.0, place.into(), tile, code)
    }
}

/// Returns the level in which positions of this code are decided.
fn level_of(code: u32) -> Option<Plies> {
    Value::from_code(code)?.dtw()
}

impl Log {
    /// Creates the empty log of the slice with the number `slice`.
    pub(super) fn new(slice: u32, store: Arc<LogStore>) -> Log {
        Log { slice, store, full: Vec::new(), open: Vec::new(), used: 0, previous: Previous::default() }
    }

    /// Appends the newly decided positions of police tile `tile` with the code of their value. `new` has
    /// words other than 0 for `rows` alone.
    #[inline(always)]
    pub(super) fn push(&mut self, tile: u32, code: u32, rows: u64, new: &Words) -> Result<(), OutOfMemory> {
        if self.used + LONGEST > self.open.len() {
            self.make_room()?;
        }
        let words = ones(rows).map(|row| new[row]);
        self.used = entry::write(&mut self.open, self.used, &mut self.previous, (tile, code), rows, words);
        Ok(())
    }

    /// Makes room for the longest entry in the last chunk: lets it grow, or packs it and begins the next.
    #[cold]
    fn make_room(&mut self) -> Result<(), OutOfMemory> {
        while self.open.len() < CHUNK {
            let longer = (2 * self.open.len()).clamp(FIRST, CHUNK);
            let more = longer - self.open.len();
            grow_exact(&mut self.open, more)?;
            self.open.resize(longer, 0);
            if self.used + LONGEST <= longer {
                return Ok(());
            }
        }
        let first = Entries::of(&self.open).next().map_or(0, |entry| entry.code);
        let frame = Frame::of_chunk(&self.store, self.next_place(), first, &self.open[..self.used])?;
        if self.store.is_past_limit()
            && let Err(error) = frame.put_in_file(&self.store)
        {
            self.store.refuse(error);
        }
        self.full.push(Arc::new(frame));
        self.open[..self.used].fill(0);
        (self.used, self.previous) = (0, Previous::default());
        Ok(())
    }

    fn next_place(&self) -> FramePlace {
        FramePlace { log: self.slice, number: self.full.len() as u32 }
    }

    /// Returns the end of the log as it is now.
    pub(super) fn end(&self) -> LogEnd {
        LogEnd { full: self.full.len(), used: self.used }
    }

    /// Returns the bytes of the log, packed.
    pub(super) fn bytes(&self) -> u64 {
        self.full.iter().map(|frame| frame.packed_len() as u64).sum::<u64>() + self.open.len() as u64
    }

    /// Moves all full chunks that are in memory to the file of the logs.
    ///
    /// # Errors
    /// When the file refuses.
    pub(super) fn leave_memory(&self) -> io::Result<()> {
        self.full.iter().try_for_each(|frame| frame.put_in_file(&self.store))
    }

    /// Takes all that is in the file of the logs into memory.
    ///
    /// # Errors
    /// When the file refuses or is damaged, or there is no memory.
    pub(super) fn take_back(&self) -> Result<(), LogError> {
        self.full.iter().try_for_each(|frame| frame.take_back(&self.store))
    }

    /// Returns what the logs of all slices share.
    pub(super) fn store(&self) -> &Arc<LogStore> {
        &self.store
    }

    /// Unpacks the log.
    pub(super) fn unpack(&self) -> Result<UnpackedLog<'_>, LogError> {
        let mut chunks = Vec::with_capacity(self.full.len() + 1);
        let mut room = 0;
        for frame in &self.full {
            chunks.push(match frame.shared(&self.store)? {
                Some(bytes) => UnpackedChunk::Shared(bytes),
                None => {
                    room += frame.unpacked_room();
                    UnpackedChunk::Own(room - frame.unpacked_room()..room)
                }
            });
        }
        let mut bytes = reserve_exact(room)?;
        for (frame, chunk) in self.full.iter().zip(&chunks) {
            if let UnpackedChunk::Own(_) = chunk {
                frame.unpack(&self.store, &mut bytes)?;
            }
        }
        chunks.push(UnpackedChunk::Last(&self.open));
        Ok(UnpackedLog { bytes, chunks })
    }

    /// Calls `each` with one chunk after the other, from number `from` on and with zeros behind it, until it
    /// breaks. No more than one is unpacked at a time.
    fn visit_chunks<E: From<LogError>>(
        &self,
        from: usize,
        mut each: impl FnMut(usize, &[u8]) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let mut bytes = Vec::new();
        for (at, frame) in self.full.iter().enumerate().skip(from) {
            bytes.clear();
            grow_exact(&mut bytes, frame.unpacked_room()).map_err(LogError::from)?;
            frame.unpack(&self.store, &mut bytes)?;
            if each(at, &bytes)?.is_break() {
                return Ok(());
            }
        }
        each(self.full.len(), &self.open).map(drop)
    }

    /// Calls `each` with the entries in the order in which they were noted, but for those in chunks that have
    /// only levels below `level`, until it breaks.
    pub(super) fn visit_entries(
        &self,
        level: Plies,
        mut each: impl FnMut(LogEntry) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        // Levels rise from chunk to chunk. The last chunk that begins below the level may reach into it.
        let below = self.full.partition_point(|frame| level_of(frame.first()) < Some(level));
        self.visit_chunks(below.saturating_sub(1), |_, chunk| Ok(Entries::of(chunk).try_for_each(&mut each)))
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

    fn empty() -> Log {
        Log::new(7, Arc::default())
    }

    /// Returns a log in which this is noted, and what its entries should say.
    fn log(noted: &[Noted], words: [u64; 3]) -> (Log, Vec<Expected>) {
        // None, any, few, one.
        let words = [
            0,
            words[0] & OPEN,
            words[1] & words[2] & 0x1111_1111_1111_1111 & OPEN,
            OPEN & OPEN.wrapping_neg() << (words[0] % 8),
        ];
        let (mut log, mut level, mut expected) = (empty(), 1, Vec::new());
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
                log.push(*tile as u32, code, rows, &new).unwrap();
                expected.push((*tile as u32, code, ones(rows).map(|row| (row, new[row])).collect()));
            }
        }
        (log, expected)
    }

    fn read(log: &Log) -> Vec<Expected> {
        let entry = |entry: LogEntry| {
            let mut rows = Vec::new();
            entry.for_each_run(|run, word| rows.extend(ones(run).map(|row| (row, word))));
            assert_eq!(entry.rows, rows.iter().map(|(row, _)| 1u64 << row).sum::<u64>());
            (entry.tile, entry.code, rows)
        };
        let (unpacked, mut read) = (log.unpack().unwrap(), Vec::new());
        for chunk in unpacked.chunks() {
            chunk.visit_entries(|found, place| {
                let again = chunk.entry(place, found.tile, found.code);
                assert_eq!(entry(again), entry(found));
                read.push(entry(found));
            });
        }
        read
    }

    proptest! {
        #[test]
        fn entries_read_as_they_were_written_and_pass_the_check((noted, words) in noted()) {
            let (mut log, expected) = log(&noted, words);
            prop_assert_eq!(read(&log), expected);
            prop_assert!(log.check(rows_of, OPEN, &empty(), MAX_DTW).unwrap());
        }

        #[test]
        fn entries_from_a_level_are_all_entries_of_the_level_and_later(
            (noted, words) in noted(), at in any::<prop::sample::Index>(),
        ) {
            let (log, expected) = log(&noted, words);
            prop_assume!(!expected.is_empty());
            let level = level_of(expected[at.index(expected.len())].1).unwrap();
            let later = |code: u32| level_of(code) >= Some(level);
            let mut found = 0;
            log.visit_entries(level, |entry| {
                found += usize::from(later(entry.code));
                ControlFlow::Continue(())
            })
            .unwrap();
            prop_assert_eq!(found, expected.iter().filter(|(_, code, _)| later(*code)).count());
        }

        #[test]
        fn damaged_entries_that_pass_the_check_are_possible(
            (noted, words) in noted(), damage in prop::collection::vec(any::<(prop::sample::Index, u8)>(), 1..4),
            damage_first in any::<bool>(),
        ) {
            let (mut log, _) = log(&noted, words);
            // Words without positions leave nothing that could be damaged.
            prop_assume!(log.used > 0);
            // The last chunk is damaged, or else the first.
            match log.full.first_mut().filter(|_| damage_first) {
                None => damage.iter().for_each(|(at, byte)| log.open[at.index(log.used)] = *byte),
                Some(frame) => {
                    let mut chunk = Vec::new();
                    frame.unpack(&log.store, &mut chunk).unwrap();
                    chunk.truncate(frame.unpacked_len());
                    let len = chunk.len();
                    damage.iter().for_each(|(at, byte)| chunk[at.index(len)] = *byte);
                    let place = FramePlace { log: log.slice, number: 0 };
                    *frame = Arc::new(Frame::of_chunk(&log.store, place, frame.first(), &chunk).unwrap());
                }
            }
            if log.check(rows_of, OPEN, &empty(), MAX_DTW).is_ok_and(|right| right) {
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
