//! What is kept of the DTW while solving: a log of what was decided when, one for each overlay of the thief. It is written once, in
//! a row, and takes a fifth of a byte per position or so: what a level decides is mostly the same for several cells of the police.

use super::{
    grid::{Grid, Overlay},
    lane::{ROWS, Words},
    sets::ones,
};
use crate::{
    checkpoint::{CheckpointError, Frames, Saved, Unrestored},
    memory::{Array, OutOfMemory},
};
use dragnet_formats::value::{Plies, Value};
use std::{io, sync::Arc};

/// Entries one after the other. An entry is
///
/// * a byte: by how much the police tile's number is greater than that of the entry before, 1 to [`Log::MOST_STEP`]; or
///   [`Log::TILE`] and the number itself in four bytes; 0 ends the chunk. Before it may stand [`Log::CODE`] and two bytes, or
///   [`Log::LONG_CODE`] and four: the code of all entries that follow in the chunk, the first of which counts its tile from -1;
/// * a byte: the length of the rest; or [`Log::LONG`] and the length in two bytes;
/// * a bit for each row of the tile: the rows that have new positions, as a sparse word: a byte that tells which of the word's
///   eight bytes are not 0, and these;
/// * for these rows the bits of the new positions, once for rows that follow one another and have the same: a byte each, if they
///   are at most eight and that is not longer, with [`Log::LAST`] in the last, and [`Log::REPEATED`] too if a byte follows with
///   the number of rows that repeat the first; else one byte, [`Log::WORD`] plus the number of these, and the row's sparse word.
///
/// All numbers are little-endian.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// Nobody changes these any more.
    full: Vec<Arc<Array<u8>>>,
    /// The last one.
    open: Option<Array<u8>>,
    /// Bytes of the last chunk that are in use.
    used: usize,
    /// The code of the last chunk's last entry.
    code: u32,
    /// Its tile, or [`Log::NO_TILE`].
    tile: u32,
    /// The first refusal of the system to give memory; what was to be noted then is lost.
    refused: Option<OutOfMemory>,
}

/// One entry of a log.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry<'a> {
    pub(super) tile: u32,
    pub(super) code: u32,
    length: usize,
    /// From the rows on.
    rest: &'a [u8],
}

/// Appends bytes, and may write over up to eight behind them.
struct Pen<'a> {
    bytes: &'a mut [u8],
    at: usize,
}

impl Pen<'_> {
    /// The low `len` bytes of `word`.
    #[inline(always)]
    fn put(&mut self, word: u64, len: usize) {
        self.bytes[self.at..self.at + 8].copy_from_slice(&word.to_le_bytes());
        self.at += len;
    }

    fn put_sparse(&mut self, word: u64) {
        let (some, bytes) = thin(word);
        self.put(some.into(), 1);
        self.put(bytes, some.count_ones() as usize);
    }
}

/// Which of the word's bytes are not 0, and these, from the lowest on.
#[inline(always)]
fn thin(word: u64) -> (u8, u64) {
    let (mut some, mut bytes, mut left) = (0, 0, word);
    for at in 0..bytes_of(word) {
        let place = left.trailing_zeros() / 8;
        let byte = left >> (8 * place) & 0xFF;
        bytes |= byte << (8 * at);
        some |= 1 << place;
        left ^= byte << (8 * place);
    }
    (some, bytes)
}

/// How many of the word's bytes are not 0.
#[inline(always)]
fn bytes_of(word: u64) -> u32 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    ((((word & LOW) + LOW) | word) & !LOW).count_ones()
}

/// The word of which [`thin`] says this.
#[inline(always)]
fn widen(some: u8, bytes: u64) -> u64 {
    let mut word = 0;
    for (at, place) in ones(some.into()).enumerate() {
        word |= (bytes >> (8 * at) & 0xFF) << (8 * place);
    }
    word
}

/// The level in which positions of this code are decided.
fn level_of(code: u32) -> Option<Plies> {
    Value::from_code(code)?.dtw()
}

/// The eight bytes from `at` on, or 0 if there are fewer.
#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

impl Log {
    /// Pages of a chunk beyond those in use take no memory.
    pub(super) const CHUNK: usize = 1 << 17;
    /// A code and an entry of 64 words, and what the pen may write over.
    const LONGEST: usize = 5 + 5 + 3 + 9 + ROWS * 10 + 8;
    const MOST_STEP: u32 = 0xFC;
    const TILE: u64 = 0xFD;
    const CODE: u64 = 0xFE;
    const LONG_CODE: u64 = 0xFF;
    const LONG: usize = 0xFF;
    const LAST: u64 = 0x80;
    const REPEATED: u64 = 0x40;
    const WORD: u64 = 0x40;
    /// The tile before the first, which is one more.
    const NO_TILE: u32 = u32::MAX;

    /// Notes the code of newly decided positions of police tile `tile`: those of `new`, which has words other than 0 for `rows`
    /// alone.
    #[inline(always)]
    pub(super) fn push(&mut self, tile: u32, code: u32, rows: u64, new: &Words) {
        if self.open.is_none() || self.used + Log::LONGEST > Log::CHUNK {
            match Array::in_small_pages(Log::CHUNK as u64) {
                Ok(chunk) => self.full.extend(self.open.replace(chunk).map(Arc::new)),
                Err(refused) => {
                    self.refused.get_or_insert(refused);
                    return;
                }
            }
            (self.used, self.code) = (0, 0);
        }
        let Some(chunk) = &mut self.open else { return };
        let mut pen = Pen { bytes: chunk.get_mut(), at: self.used };
        if self.code != code {
            (self.code, self.tile) = (code, Log::NO_TILE);
            let (kind, len) = if code < 1 << 16 { (Log::CODE, 3) } else { (Log::LONG_CODE, 5) };
            pen.put(u64::from(code) << 8 | kind, len);
        }
        match tile.wrapping_sub(self.tile) {
            step @ 1..=Log::MOST_STEP => pen.put(step.into(), 1),
            _ => pen.put(u64::from(tile) << 8 | Log::TILE, 5),
        }
        self.tile = tile;
        let length = pen.at;
        pen.at += 1;
        pen.put_sparse(rows);
        let mut rows = ones(rows).map(|row| new[row]).peekable();
        while let Some(word) = rows.next() {
            let mut repeats = 0u64;
            while rows.next_if_eq(&word).is_some() {
                repeats += 1;
            }
            let (count, repeated) = (u64::from(word.count_ones()), u64::from(repeats > 0));
            if count > 8 || count + repeated > 2 + u64::from(bytes_of(word)) {
                pen.put(Log::WORD + repeats, 1);
                pen.put_sparse(word);
            } else {
                let (mut bits, mut left) =
                    ((Log::LAST + repeated * Log::REPEATED) << (8 * (count - 1)), word);
                for place in 0..8 {
                    bits |= u64::from(left.trailing_zeros() & 63) << (8 * place);
                    left &= left.wrapping_sub(1);
                }
                pen.put(bits, count as usize);
                pen.put(repeats, repeated as usize);
            }
        }
        let (begin, mut end) = (length + 1, pen.at);
        if end - begin < Log::LONG {
            pen.bytes[length] = (end - begin) as u8;
        } else {
            pen.bytes.copy_within(begin..end, begin + 2);
            pen.bytes[length] = Log::LONG as u8;
            pen.bytes[begin..begin + 2].copy_from_slice(&((end - begin) as u16).to_le_bytes());
            end += 2;
        }
        // The pen has written over what follows.
        pen.bytes[end] = 0;
        self.used = end;
    }

    /// Whether the system has refused memory.
    pub(super) fn refused(&self) -> bool {
        self.refused.is_some()
    }

    /// Memory that it has.
    pub(super) fn bytes(&self) -> u64 {
        ((self.full.len() + usize::from(self.open.is_some())) * Log::CHUNK) as u64
    }

    /// What the system said then.
    pub(super) fn take_refusal(&mut self) -> Option<OutOfMemory> {
        self.refused.take()
    }

    fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.full.iter().map(|chunk| chunk.get()).chain(self.open.iter().map(Array::get))
    }

    /// All entries, in the order in which they were noted.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.entries_from(0)
    }

    /// The same but for chunks that have only entries of levels below `level`.
    pub(super) fn entries_from(&self, level: Plies) -> impl Iterator<Item = Entry<'_>> {
        // Levels rise.
        let first = |chunk: &[u8]| Entries::of(chunk).next().and_then(|entry| level_of(entry.code));
        let chunks: Vec<&[u8]> = self.chunks().collect();
        let below = chunks.partition_point(|chunk| first(chunk) < Some(level));
        // The last of these may have entries of the level too.
        chunks.into_iter().skip(below.saturating_sub(1)).flat_map(Entries::of)
    }
}

/// The entries of a chunk, in turn.
struct Entries<'a> {
    bytes: &'a [u8],
    /// Where the next begins.
    at: usize,
    /// Of the last, or 0.
    code: u32,
    /// Of the last, or [`Log::NO_TILE`].
    tile: u32,
}

impl<'a> Entries<'a> {
    fn of(bytes: &'a [u8]) -> Entries<'a> {
        Entries { bytes, at: 0, code: 0, tile: Log::NO_TILE }
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    #[inline]
    fn next(&mut self) -> Option<Entry<'a>> {
        let mut head = word_at(self.bytes, self.at);
        while head & 0xFF >= Log::CODE {
            let short = head & 0xFF == Log::CODE;
            self.code = (head >> 8) as u32 & if short { 0xFFFF } else { !0 };
            self.tile = Log::NO_TILE;
            self.at += if short { 3 } else { 5 };
            head = word_at(self.bytes, self.at);
        }
        match head & 0xFF {
            0 => return None,
            Log::TILE => {
                self.tile = (head >> 8) as u32;
                self.at += 5;
            }
            step => {
                self.tile = self.tile.wrapping_add(step as u32);
                self.at += 1;
            }
        }
        let (mut length, mut rest) = (word_at(self.bytes, self.at) as usize & 0xFF, self.at + 1);
        if length == Log::LONG {
            (length, rest) = (word_at(self.bytes, rest) as usize & 0xFFFF, rest + 2);
        }
        self.at = rest + length;
        Some(Entry { tile: self.tile, code: self.code, length, rest: self.bytes.get(rest..)? })
    }
}

/// Check-points.
impl Log {
    /// The log as it is now, while it grows on.
    pub(super) fn kept(&self) -> Kept {
        let last = self.open.as_ref().map_or(&[][..], |chunk| &chunk.get()[..self.used]);
        Kept { full: self.full.clone(), last: last.into() }
    }

    /// More chunks than the logs of all `lanes` overlays of a game with this many positions for a side can have.
    pub(super) fn most_chunks(positions: u64, lanes: usize) -> u64 {
        // An entry has a position at least, and takes the most bytes for each if it has no more.
        const ALONE: u64 = 5 + 5 + 1 + 2 + 1;
        let full = positions * ALONE / (Log::CHUNK - Log::LONGEST) as u64;
        full + lanes as u64
    }

    /// The log that [`Kept::save`] has saved, if it has at most `chunks` chunks. Its entries are not checked.
    pub(super) fn restore(saved: &mut Saved, chunks: u64) -> Result<Log, Unrestored> {
        let (count, used) = (saved.u32()?, saved.u32()? as usize);
        let lengths = if count == 0 { 0..=0 } else { 1..=Log::CHUNK };
        if u64::from(count) > chunks || !lengths.contains(&used) {
            return Err(CheckpointError::State { what: "the length of a log" }.into());
        }
        let mut log = Log { used, ..Log::default() };
        for left in (0..count).rev() {
            let mut chunk = Array::in_small_pages(Log::CHUNK as u64)?;
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

    /// Whether a solve up to level `last` that has noted `start` in level 0 could have noted these entries for the overlay
    /// `here`. Does not look whether a position has been decided before.
    pub(super) fn check(&mut self, grid: &Grid, here: &Overlay, start: &Log, last: Plies) -> bool {
        let in_use = |at: usize| if at < start.full.len() { Log::CHUNK } else { start.used };
        let same = |(at, (new, old)): (usize, (&[u8], &[u8]))| new.starts_with(&old[..in_use(at)]);
        let begins = self.bytes() >= start.bytes() && self.chunks().zip(start.chunks()).enumerate().all(same);
        let (mut level, mut open) = (0, (self.code, self.tile));
        for (at, chunk) in self.chunks().enumerate() {
            let mut entries = Entries::of(chunk);
            let could_be = entries.by_ref().all(|entry| {
                let before = level;
                level = level_of(entry.code).unwrap_or(Plies::MAX);
                (before..=last).contains(&level) && entry.could_be(grid, here)
            });
            if !could_be {
                return false;
            }
            if at == self.full.len() {
                if entries.at != self.used {
                    return false;
                }
                open = (entries.code, entries.tile);
            }
        }
        (self.code, self.tile) = open;
        let of_start = self.entries().take_while(|entry| level_of(entry.code) == Some(0)).count();
        begins && of_start == start.entries().count()
    }
}

/// A log as it was at some time.
#[derive(Debug)]
pub(super) struct Kept {
    full: Vec<Arc<Array<u8>>>,
    /// What was in use of the last chunk.
    last: Box<[u8]>,
}

impl Kept {
    /// Puts it into a check-point.
    pub(super) fn save(&self, frames: &mut Frames) -> io::Result<()> {
        let chunks = self.full.len() + usize::from(!self.last.is_empty());
        frames.put(&(chunks as u32).to_le_bytes())?;
        frames.put(&(self.last.len() as u32).to_le_bytes())?;
        self.full.iter().try_for_each(|chunk| frames.put(chunk.get()))?;
        frames.put(&self.last)
    }
}

impl Entry<'_> {
    /// The rows that have new positions, and where their words begin.
    #[inline(always)]
    fn head(&self) -> (u64, usize) {
        let some = word_at(self.rest, 0) as u8;
        (widen(some, word_at(self.rest, 1)), 1 + some.count_ones() as usize)
    }

    /// The rows that have new positions.
    #[inline(always)]
    pub(super) fn rows(&self) -> u64 {
        self.head().0
    }

    /// Gives each of these rows with the word of its new positions.
    #[inline(always)]
    pub(super) fn for_each_row(&self, mut each: impl FnMut(usize, u64)) {
        let (rows, mut at) = self.head();
        let mut rows = ones(rows);
        while let Some(row) = rows.next() {
            let run = Run::at(self.rest, at);
            each(row, run.word);
            rows.by_ref().take(run.repeats.into()).for_each(|row| each(row, run.word));
            at = run.end;
        }
    }

    /// Whether a solve could have noted this for the overlay `here`, in some level.
    fn could_be(&self, grid: &Grid, here: &Overlay) -> bool {
        let Some(police) = grid.police.get(self.tile as usize) else { return false };
        let (rows, mut at) = self.head();
        let mut left = rows.count_ones();
        while left > 0 {
            let bits = word_at(self.rest, at);
            let run = Run::at(self.rest, at);
            if !Run::is_word(bits) && bits & Run::ENDS == 0 || left <= u32::from(run.repeats) {
                return false;
            }
            left -= 1 + u32::from(run.repeats);
            at = run.end;
        }
        let mut open = rows != 0 && rows & !police.all() == 0 && at == self.length;
        if open {
            self.for_each_row(|_, word| open &= word != 0 && word & !here.open == 0);
        }
        open
    }
}

/// Rows of an entry that follow one another and have the same new positions.
struct Run {
    word: u64,
    /// How many rows there are behind the first.
    repeats: u8,
    /// Where the next run begins.
    end: usize,
}

impl Run {
    /// [`Log::LAST`] in each byte.
    const ENDS: u64 = Log::LAST * 0x0101_0101_0101_0101;

    /// Whether these are the first bytes of a run with a sparse word.
    #[inline(always)]
    fn is_word(bits: u64) -> bool {
        bits & (Log::LAST | Log::WORD) == Log::WORD
    }

    #[inline(always)]
    fn at(bytes: &[u8], at: usize) -> Run {
        let bits = word_at(bytes, at);
        if Run::is_word(bits) {
            let some = (bits >> 8) as u8;
            let word = widen(some, word_at(bytes, at + 2));
            return Run { word, repeats: bits as u8 & 63, end: at + 2 + some.count_ones() as usize };
        }
        let count = ((bits & Run::ENDS).trailing_zeros() / 8 + 1).min(8);
        let bit = |place: u32| u64::from(place < count) << (bits >> (8 * place) & 63);
        let word = (0..8).map(bit).fold(0, |word, bit| word | bit);
        let end = at + count as usize;
        let repeated = bits >> (8 * (count - 1)) & Log::REPEATED != 0;
        let repeats = if repeated { word_at(bytes, end) as u8 } else { 0 };
        Run { word, repeats, end: end + usize::from(repeated) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engines::bitboard::overlay::Overlays, games::pursuit::Pursuit};
    use dragnet_formats::{board::make, numbering::TileSize, rules::Rules, value::MAX_DTW};
    use proptest::prelude::*;

    fn grid() -> Grid {
        let board = make::random(13, 21, 0.2, 4).unwrap();
        let tile = TileSize::new(8, 8).unwrap();
        let overlays = Overlays::new(&board);
        Grid::new(&Pursuit::new(board, Rules::classic(), tile, tile).unwrap(), &overlays)
    }

    /// A police tile, how many levels after the last, and which of four words how many rows have.
    type Noted = (prop::sample::Index, Plies, Vec<(usize, usize)>);

    fn noted() -> impl Strategy<Value = (Vec<Noted>, [u64; 3])> {
        let rows = prop::collection::vec((0usize..4, 1usize..5), 1..40);
        let levels = prop_oneof![50 => 0u32..3, 1 => 30_000u32..40_000];
        let entry = (any::<prop::sample::Index>(), levels, rows);
        (prop::collection::vec(entry, 1..1200), any::<[u64; 3]>())
    }

    /// An entry's tile, code, and rows with their words.
    type Told = (u32, u32, Vec<(usize, u64)>);

    /// A log of overlay 0 in which this is noted; what it should tell.
    fn log(grid: &Grid, noted: &[Noted], words: [u64; 3]) -> (Log, Vec<Told>) {
        let open = grid.thief[0].open;
        // None, any, few, one.
        let words = [
            0,
            words[0] & open,
            words[1] & words[2] & 0x1111_1111_1111_1111 & open,
            open & open.wrapping_neg(),
        ];
        let (mut log, mut level, mut told) = (Log::default(), 1, Vec::new());
        for (tile, levels, runs) in noted {
            level += levels;
            let tile = tile.index(grid.police.len());
            let height = grid.police[tile].rows;
            let mut new = [0; ROWS];
            let choices = runs.iter().flat_map(|&(choice, rows)| std::iter::repeat_n(choice, rows));
            new.iter_mut().zip(choices).take(height).for_each(|(word, choice)| *word = words[choice]);
            let rows = (0..).zip(&new).map(|(row, word)| u64::from(*word != 0) << row).sum();
            if rows != 0 {
                let code = Value::Win(level).code();
                log.push(tile as u32, code, rows, &new);
                told.push((tile as u32, code, ones(rows).map(|row| (row, new[row])).collect()));
            }
        }
        (log, told)
    }

    fn told(log: &Log) -> Vec<Told> {
        let entry = |entry: Entry| {
            let mut rows = Vec::new();
            entry.for_each_row(|row, word| rows.push((row, word)));
            assert_eq!(entry.rows(), rows.iter().map(|(row, _)| 1u64 << row).sum());
            (entry.tile, entry.code, rows)
        };
        log.entries().map(entry).collect()
    }

    proptest! {
        #[test]
        fn what_is_noted_is_told_again_and_could_be_so((noted, words) in noted()) {
            let grid = grid();
            let (mut log, expected) = log(&grid, &noted, words);
            prop_assert_eq!(told(&log), expected);
            prop_assert!(log.check(&grid, &grid.thief[0], &Log::default(), MAX_DTW));
        }

        #[test]
        fn what_could_not_be_noted_is_found(
            (noted, words) in noted(), damage in prop::collection::vec(any::<(prop::sample::Index, u8)>(), 1..4),
        ) {
            let grid = grid();
            let (mut log, _) = log(&grid, &noted, words);
            let used = log.used;
            if let Some(chunk) = &mut log.open {
                for (at, byte) in damage {
                    chunk.get_mut()[at.index(used)] = byte;
                }
            }
            if log.check(&grid, &grid.thief[0], &Log::default(), MAX_DTW) {
                for (tile, code, rows) in told(&log) {
                    let police = &grid.police[tile as usize];
                    prop_assert!(level_of(code).is_some() && !rows.is_empty());
                    for (row, word) in rows {
                        prop_assert!(row < police.rows && word != 0 && word & !grid.thief[0].open == 0);
                    }
                }
            }
        }
    }
}
