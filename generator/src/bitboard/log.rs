//! What is kept of the DTW while solving: a log of what was decided when, one for each overlay of the thief. It is written once, in
//! a row, and takes a quarter of a byte per position or so: what a level decides is mostly the same for several cells of the police.

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
/// * three bytes: the police tile's number plus one; or [`Log::CODE`], and four bytes more, the code of all entries that
///   follow in the chunk; 0 ends it;
/// * two bytes: the length of the rest;
/// * a bit for each row of the tile, in as many bytes as that takes: the rows that have new positions;
/// * for these rows the bits of the new positions, once for rows that follow one another and have the same: a byte each if
///   there are at most eight, with [`Log::LAST`] in the last, and [`Log::REPEATED`] too if a byte follows with the number of
///   rows that repeat the first; else one byte, [`Log::WORD`] plus the number of these, and the row's word.
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
    /// The first refusal of the system to give memory; what was to be noted then is lost.
    refused: Option<OutOfMemory>,
}

/// One entry of a log.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry<'a> {
    pub(super) tile: u32,
    pub(super) code: u32,
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
    const LONGEST: usize = 7 + 5 + 8 + ROWS * 9 + 8;
    const CODE: u64 = 0xFF_FFFF;
    const LAST: u64 = 0x80;
    const REPEATED: u64 = 0x40;
    const WORD: u64 = 0x40;

    /// Notes the code of newly decided positions of police tile `tile`, which has `height` rows: those of `new`, which has words
    /// other than 0 for `rows` alone.
    #[inline(always)]
    pub(super) fn push(&mut self, tile: u32, height: usize, code: u32, rows: u64, new: &Words) {
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
            self.code = code;
            pen.put(Log::CODE | u64::from(code) << 24, 7);
        }
        pen.put(u64::from(tile) + 1, 3);
        let length = pen.at;
        pen.at += 2;
        pen.put(rows, height.div_ceil(8));
        let mut rows = ones(rows).map(|row| new[row]).peekable();
        while let Some(word) = rows.next() {
            let mut repeats = 0u64;
            while rows.next_if_eq(&word).is_some() {
                repeats += 1;
            }
            let count = word.count_ones();
            if count > 8 {
                pen.put(Log::WORD + repeats, 1);
                pen.put(word, 8);
            } else {
                let repeated = u64::from(repeats > 0);
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
        // The pen has written over what follows.
        let end = pen.at;
        pen.bytes[end..end + 3].fill(0);
        pen.bytes[length..length + 2].copy_from_slice(&((end - length - 2) as u16).to_le_bytes());
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
        // A chunk begins with a code, and levels rise.
        let first = |chunk: &[u8]| level_of((word_at(chunk, 0) >> 24) as u32);
        let chunks: Vec<&[u8]> = self.chunks().collect();
        let below = chunks.partition_point(|chunk| first(chunk) < Some(level));
        // The last of these may have entries of the level too.
        chunks.into_iter().skip(below.saturating_sub(1)).flat_map(|bytes| {
            let (mut code, mut at) = (0, 0);
            std::iter::from_fn(move || {
                let mut first = word_at(bytes, at) & 0xFF_FFFF;
                if first == Log::CODE {
                    code = (word_at(bytes, at) >> 24) as u32;
                    at += 7;
                    first = word_at(bytes, at) & 0xFF_FFFF;
                }
                let tile = first.checked_sub(1)? as u32;
                let rest = at + 5;
                at = rest + (word_at(bytes, at) >> 24 & 0xFFFF) as usize;
                Some(Entry { tile, code, rest: &bytes[rest..] })
            })
        })
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
        const ALONE: u64 = 7 + 5 + 8 + 1;
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
        let (mut code, mut level) = (0, 0);
        for (at, chunk) in self.chunks().enumerate() {
            let end = check_chunk(chunk, grid, here, |new| {
                let before = std::mem::replace(&mut level, level_of(new)?);
                code = new;
                (before <= level && level <= last).then_some(())
            });
            if end.is_none() || at == self.full.len() && end != Some(self.used) {
                return false;
            }
        }
        self.code = code;
        let of_start = self.entries().take_while(|entry| level_of(entry.code) == Some(0)).count();
        begins && of_start == start.entries().count()
    }
}

/// Where the entries of a chunk end, if all of them can be and `code` agrees to their codes.
fn check_chunk(
    bytes: &[u8],
    grid: &Grid,
    here: &Overlay,
    mut code: impl FnMut(u32) -> Option<()>,
) -> Option<usize> {
    let word = |at: usize| bytes.get(at..)?.first_chunk().map(|word| u64::from_le_bytes(*word));
    let mut at = 0;
    loop {
        let mut head = word(at)?;
        if head & 0xFF_FFFF == Log::CODE || at == 0 {
            code((head >> 24) as u32).filter(|()| head & 0xFF_FFFF == Log::CODE)?;
            at += 7;
            head = word(at)?;
        } else if head & 0xFF_FFFF == 0 {
            return Some(at);
        }
        let tile = (head as u32 & 0xFF_FFFF).checked_sub(1)?;
        let police = grid.police.get(tile as usize)?;
        let length = (head >> 24 & 0xFFFF) as usize;
        let rest = bytes.get(at + 5..)?;
        let entry = Entry { tile, code: 0, rest };
        let rows = entry.rows(police.rows);
        let (mut next, mut left) = (police.rows.div_ceil(8), rows.count_ones());
        while left > 0 {
            let bits = word(at + 5 + next)?;
            if !Run::is_word(bits) && bits & Run::ENDS == 0 {
                return None;
            }
            let run = Run::at(rest, next);
            left = left.checked_sub(1 + u32::from(run.repeats))?;
            next = run.end;
            rest.get(next..)?;
        }
        let mut open = rows != 0 && rows & !police.all() == 0 && next == length;
        if open {
            entry.for_each_row(police.rows, |_, word| open &= word != 0 && word & !here.open == 0);
        }
        if !open {
            return None;
        }
        at += 5 + length;
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
    /// The rows that have new positions, given the number of the tile's rows.
    #[inline(always)]
    pub(super) fn rows(&self, height: usize) -> u64 {
        word_at(self.rest, 0) & (!0 >> (64 - 8 * height.div_ceil(8)))
    }

    /// Gives each of these rows with the word of its new positions.
    #[inline(always)]
    pub(super) fn for_each_row(&self, height: usize, mut each: impl FnMut(usize, u64)) {
        let mut at = height.div_ceil(8);
        let mut rows = ones(self.rows(height));
        while let Some(row) = rows.next() {
            let run = Run::at(self.rest, at);
            each(row, run.word);
            rows.by_ref().take(run.repeats.into()).for_each(|row| each(row, run.word));
            at = run.end;
        }
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

    /// Whether these are the first bytes of a run with a whole word.
    #[inline(always)]
    fn is_word(bits: u64) -> bool {
        bits & (Log::LAST | Log::WORD) == Log::WORD
    }

    #[inline(always)]
    fn at(bytes: &[u8], at: usize) -> Run {
        let bits = word_at(bytes, at);
        if Run::is_word(bits) {
            return Run { word: word_at(bytes, at + 1), repeats: bits as u8 & 63, end: at + 9 };
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
    use crate::{bitboard::overlay::Overlays, pursuit::Pursuit};
    use dragnet_formats::{board::make, numbering::TileSize, rules::Rules};
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
        let entry = (any::<prop::sample::Index>(), 0u32..3, rows);
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
                log.push(tile as u32, height, code, rows, &new);
                told.push((tile as u32, code, ones(rows).map(|row| (row, new[row])).collect()));
            }
        }
        (log, told)
    }

    fn told(grid: &Grid, log: &Log) -> Vec<Told> {
        let entry = |entry: Entry| {
            let (height, mut rows) = (grid.police[entry.tile as usize].rows, Vec::new());
            entry.for_each_row(height, |row, word| rows.push((row, word)));
            assert_eq!(entry.rows(height), rows.iter().map(|(row, _)| 1u64 << row).sum());
            (entry.tile, entry.code, rows)
        };
        log.entries().map(entry).collect()
    }

    proptest! {
        #[test]
        fn what_is_noted_is_told_again_and_could_be_so((noted, words) in noted()) {
            let grid = grid();
            let (mut log, expected) = log(&grid, &noted, words);
            prop_assert_eq!(told(&grid, &log), expected);
            prop_assert!(log.check(&grid, &grid.thief[0], &Log::default(), 2400));
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
            if log.check(&grid, &grid.thief[0], &Log::default(), 2400) {
                for (tile, code, rows) in told(&grid, &log) {
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
