//! What is kept of the DTW: a log of what was decided when. When the game is solved it gives, block by block, each position's place
//! in a palette.

use super::{
    grid::Grid,
    level::{ROWS, Words as Rows},
    sets::ones,
};
use crate::memory::{OutOfMemory, Words};
use dragnet_formats::value::Value;

/// What has been decided in one thief tile, level after level: written once, in a row, and read when the game is
/// solved. For each police tile that a level adds to: its number and the code in one word, the rows in one, and one
/// for each of them with the new positions. No first word is 0.
#[derive(Debug, Default)]
pub(super) struct Log {
    chunks: Vec<Words<u64>>,
    /// Words of the last chunk that are in use.
    used: usize,
    /// The first refusal of the system to give memory; what was to be noted then is lost.
    refused: Option<OutOfMemory>,
}

impl Log {
    /// 128 KiB; pages beyond those in use take no memory.
    const CHUNK: usize = 1 << 14;

    /// Notes the code of newly decided positions of police tile `tile`: those of `new`, which has words other than 0 for `rows`
    /// alone.
    #[inline(always)]
    pub(super) fn push(&mut self, tile: u32, code: u32, rows: u64, new: &Rows) {
        let len = 2 + rows.count_ones() as usize;
        if self.chunks.is_empty() || self.used + len > Log::CHUNK {
            match Words::new(Log::CHUNK as u64) {
                Ok(chunk) => self.chunks.push(chunk),
                Err(refused) => {
                    self.refused.get_or_insert(refused);
                    return;
                }
            }
            self.used = 0;
        }
        if let Some(chunk) = self.chunks.last_mut() {
            let entry = &mut chunk.get_mut()[self.used..self.used + len];
            entry[0] = u64::from(code) << 32 | u64::from(tile);
            entry[1] = rows;
            for (to, row) in entry[2..].iter_mut().zip(ones(rows)) {
                *to = new[row];
            }
            self.used += len;
        }
    }

    /// Whether the system has refused memory.
    pub(super) fn refused(&mut self) -> Result<(), OutOfMemory> {
        self.refused.take().map_or(Ok(()), Err)
    }

    /// The entry at a place of [`Sorted`].
    #[inline(always)]
    fn entry(&self, at: usize) -> Entry<'_> {
        let words = &self.chunks[at / Log::CHUNK].get()[at % Log::CHUNK..];
        let rows = words[1];
        Entry { tile: words[0] as u32, code: (words[0] >> 32) as u32, rows, new: &words[2..2 + rows.count_ones() as usize] }
    }

    /// Where the entries begin, in the order in which they were noted.
    fn starts(&self) -> impl Iterator<Item = usize> {
        (self.chunks.iter().zip((0..).step_by(Log::CHUNK))).flat_map(|(chunk, first)| {
            let words = chunk.get();
            let mut at = 0;
            std::iter::from_fn(move || {
                let begin = at;
                at += 2 + words.get(begin + 1)?.count_ones() as usize;
                (words[begin] != 0).then_some(first + begin)
            })
        })
    }
}

/// What has been noted at once.
struct Entry<'a> {
    tile: u32,
    code: u32,
    rows: u64,
    new: &'a [u64],
}

/// A log by police tiles.
pub(super) struct Sorted<'a> {
    log: &'a Log,
    /// Police tile after police tile, where its entries are in the log, in the order in which they were noted.
    entries: Vec<usize>,
    /// Where each police tile's entries begin; one more at the end.
    starts: Vec<u32>,
}

/// The places of the positions of one block: place 0 is a draw or a position that is over, place i the i-th code that came up.
/// Word i of a row has in byte b that of bit 8b + i of the thief's cells.
pub(super) struct Places {
    /// The codes by place.
    pub(super) codes: Vec<u32>,
    /// The low bytes of the places.
    pub(super) low: [Rows; 8],
    /// The high bytes, if some place is over 255.
    pub(super) high: Option<Box<[Rows; 8]>>,
}

impl<'a> Sorted<'a> {
    pub(super) fn new(grid: &Grid, log: &'a Log) -> Sorted<'a> {
        let mut starts = vec![0; grid.police.len() + 2];
        let tile = |at| log.entry(at).tile as usize;
        log.starts().for_each(|at| starts[tile(at) + 2] += 1);
        for tile in 2..starts.len() {
            starts[tile] += starts[tile - 1];
        }
        let mut entries = vec![0; starts[grid.police.len() + 1] as usize];
        for at in log.starts() {
            let next = &mut starts[tile(at) + 1];
            entries[*next as usize] = at;
            *next += 1;
        }
        Sorted { log, entries, starts }
    }

    fn entries(&self, tile: usize) -> impl Iterator<Item = Entry<'a>> {
        let range = self.starts[tile] as usize..self.starts[tile + 1] as usize;
        self.entries[range].iter().map(|&at| self.log.entry(at))
    }

    /// The places of the positions with the police in tile `tile`.
    #[inline(always)]
    pub(super) fn places(&self, tile: usize) -> Places {
        let mut codes = vec![Value::Draw.code()];
        let (mut low, mut high) = ([[0; ROWS]; 8], None);
        for entry in self.entries(tile) {
            let mut new = [0; ROWS];
            for (row, word) in ones(entry.rows).zip(entry.new) {
                new[row] = *word;
            }
            for bit in ones(codes.len() as u64) {
                let plane = if bit < 8 {
                    &mut low[bit]
                } else {
                    &mut high.get_or_insert_with(|| Box::new([[0; ROWS]; 8]))[bit - 8]
                };
                plane.iter_mut().zip(&new).for_each(|(plane, new)| *plane |= new);
            }
            codes.push(entry.code);
        }
        transpose_bits(&mut low);
        if let Some(high) = &mut high {
            transpose_bits(high);
        }
        Places { codes, low, high }
    }

    /// The code of one position.
    pub(super) fn code(&self, tile: usize, row: usize, thief_bit: u32) -> u32 {
        let rank = |rows: u64| (rows & ((1 << row) - 1)).count_ones() as usize;
        self.entries(tile)
            .find(|entry| entry.rows >> row & 1 == 1 && entry.new[rank(entry.rows)] >> thief_bit & 1 == 1)
            .map_or(Value::Draw.code(), |entry| entry.code)
    }
}

/// Turns eight planes of bits into eight words of bytes: byte b of word i gets bit 8b + i of all planes, plane 0 lowest.
#[inline(always)]
fn transpose_bits(words: &mut [Rows; 8]) {
    const STEPS: [(usize, u64); 3] =
        [(4, 0x0F0F_0F0F_0F0F_0F0F), (2, 0x3333_3333_3333_3333), (1, 0x5555_5555_5555_5555)];
    for (distance, mask) in STEPS {
        exchange(words, distance, distance as u32, mask);
    }
}

/// Swaps, in each pair of words at `distance`, the bits of the lower under `mask << shift` with those of the upper under
/// `mask`.
#[inline(always)]
pub(super) fn exchange<const N: usize>(words: &mut [[u64; N]; 8], distance: usize, shift: u32, mask: u64) {
    for i in (0..8).filter(|i| i & distance == 0) {
        let (low, high) = words.split_at_mut(i + distance);
        for (a, b) in low[i].iter_mut().zip(&mut high[0]) {
            let swap = (*a >> shift ^ *b) & mask;
            *b ^= swap;
            *a ^= swap << shift;
        }
    }
}
