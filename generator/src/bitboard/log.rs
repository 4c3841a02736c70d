//! What is kept of the DTW while solving: a log of what was decided when, one for each tile of the thief. It is written once, in
//! a row, and takes about a byte per position, less where many of a row are decided at once, more where few of a block are.

use super::{
    grid::Grid,
    level::{ROWS, Words},
    sets::ones,
};
use crate::memory::{Array, OutOfMemory};

/// Entries one after the other. An entry is
///
/// * three bytes: the police tile's number plus one; or [`Log::CODE`], and four bytes more, the code of all entries that
///   follow in the chunk; 0 ends it;
/// * two bytes: the length of the rest;
/// * a bit for each row of the tile, in as many bytes as that takes: the rows that have new positions;
/// * for each of these rows the bits of the new positions: a byte each if there are at most eight, with [`Log::LAST`] in
///   the last; else [`Log::WORD`] and the row's word.
///
/// All numbers are little-endian.
#[derive(Debug, Default)]
pub(super) struct Log {
    chunks: Vec<Array<u8>>,
    /// Bytes of the last chunk that are in use.
    used: usize,
    /// The code of the last chunk's last entry.
    code: u32,
    /// The first refusal of the system to give memory; what was to be noted then is lost.
    refused: Option<OutOfMemory>,
}

/// One entry of a log.
#[derive(Clone, Copy, Debug)]
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

fn word_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

impl Log {
    /// Pages of a chunk beyond those in use take no memory.
    const CHUNK: usize = 1 << 17;
    /// A code and an entry of 64 words, and what the pen may write over.
    const LONGEST: usize = 7 + 5 + 8 + ROWS * 9 + 8;
    const CODE: u64 = 0xFF_FFFF;
    const LAST: u64 = 0x80;
    const WORD: u8 = 0x40;

    /// Notes the code of newly decided positions of police tile `tile`, which has `height` rows: those of `new`, which has words
    /// other than 0 for `rows` alone.
    #[inline(always)]
    pub(super) fn push(&mut self, tile: u32, height: usize, code: u32, rows: u64, new: &Words) {
        if self.chunks.is_empty() || self.used + Log::LONGEST > Log::CHUNK {
            match Array::in_small_pages(Log::CHUNK as u64) {
                Ok(chunk) => self.chunks.push(chunk),
                Err(refused) => {
                    self.refused.get_or_insert(refused);
                    return;
                }
            }
            (self.used, self.code) = (0, 0);
        }
        let Some(chunk) = self.chunks.last_mut() else { return };
        let mut pen = Pen { bytes: chunk.get_mut(), at: self.used };
        if self.code != code {
            self.code = code;
            pen.put(Log::CODE | u64::from(code) << 24, 7);
        }
        pen.put(u64::from(tile) + 1, 3);
        let length = pen.at;
        pen.at += 2;
        pen.put(rows, height.div_ceil(8));
        for row in ones(rows) {
            let word = new[row];
            let count = word.count_ones();
            if count > 8 {
                pen.put(Log::WORD.into(), 1);
                pen.put(word, 8);
            } else {
                let (mut bits, mut left) = (Log::LAST << (8 * (count - 1)), word);
                for place in 0..8 {
                    bits |= u64::from(left.trailing_zeros() & 63) << (8 * place);
                    left &= left.wrapping_sub(1);
                }
                pen.put(bits, count as usize);
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
        (self.chunks.len() * Log::CHUNK) as u64
    }

    /// What the system said then.
    pub(super) fn take_refusal(&mut self) -> Option<OutOfMemory> {
        self.refused.take()
    }

    /// All entries, in the order in which they were noted.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.chunks.iter().flat_map(|chunk| {
            let bytes = chunk.get();
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
        for row in ones(self.rows(height)) {
            if self.rest[at] == Log::WORD {
                each(row, word_at(self.rest, at + 1));
                at += 9;
            } else {
                let bits = word_at(self.rest, at);
                let count = (bits & 0x8080_8080_8080_8080).trailing_zeros() / 8 + 1;
                let bit = |place: u32| u64::from(place < count) << (bits >> (8 * place) & 63);
                each(row, (0..8).map(bit).fold(0, |word, bit| word | bit));
                at += count as usize;
            }
        }
    }
}

/// A log by police tiles.
pub(super) struct Sorted<'a> {
    /// Police tile after police tile, in the order in which they were noted.
    entries: Vec<Entry<'a>>,
    /// Where each police tile's entries begin; one more at the end.
    starts: Vec<u32>,
}

impl<'a> Sorted<'a> {
    pub(super) fn new(grid: &Grid, log: &'a Log) -> Sorted<'a> {
        let noted: Vec<Entry> = log.entries().collect();
        let mut starts = vec![0; grid.police.len() + 2];
        noted.iter().for_each(|entry| starts[entry.tile as usize + 2] += 1);
        for tile in 2..starts.len() {
            starts[tile] += starts[tile - 1];
        }
        let mut entries = vec![Entry { tile: 0, code: 0, rest: &[] }; noted.len()];
        for entry in noted {
            let next = &mut starts[entry.tile as usize + 1];
            entries[*next as usize] = entry;
            *next += 1;
        }
        Sorted { entries, starts }
    }

    /// What was decided with the police in tile `tile`.
    #[inline(always)]
    pub(super) fn of(&self, tile: usize) -> &[Entry<'a>] {
        &self.entries[self.starts[tile] as usize..self.starts[tile + 1] as usize]
    }
}
