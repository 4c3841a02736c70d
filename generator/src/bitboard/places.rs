//! What is kept of the DTW: each position's place in the palette of its block, as planes of bits.

use super::{grid::Grid, sets::ones};
use crate::memory::{OutOfMemory, Words};
use dragnet_formats::value::Value;

/// What has been decided in one thief tile, level after level: written once, in a row, and turned into [`Places`] when the game
/// is solved. For each police tile that a level adds to: its number and the code in one word, the rows in one, and one
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
    pub(super) fn push(&mut self, tile: u32, code: u32, rows: u64, new: &[u64; 64]) {
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

    /// All that was noted: police tile, code, rows, words of these rows.
    fn entries(&self) -> impl Iterator<Item = (usize, u32, u64, &[u64])> {
        self.chunks.iter().flat_map(|chunk| {
            let mut rest = chunk.get();
            std::iter::from_fn(move || {
                let (&[first, rows], words) = rest.split_first_chunk()?;
                if first == 0 {
                    return None;
                }
                let (words, after) = words.split_at(rows.count_ones() as usize);
                rest = after;
                Some((first as u32 as usize, (first >> 32) as u32, rows, words))
            })
        })
    }
}

/// The places of all positions of one thief tile, and the palettes.
#[derive(Debug)]
pub(super) struct Places {
    /// Police tile after police tile, plane after plane, row after row: a word of thief cells. Plane j has bit j of the places.
    words: Words<u64>,
    /// Where each police tile's words begin; one more at the end.
    starts: Vec<usize>,
    /// Police tile after police tile the codes that came up, in that order. Place 0 is none of them: a draw, or a position
    /// that is over.
    codes: Vec<u32>,
    /// Where each police tile's codes begin; one more at the end.
    code_starts: Vec<u32>,
}

/// The low and the high bytes of the places of up to 64 police cells. Word `i` of a row has in byte `b` the byte of bit
/// 8b + i of the thief's cells.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    pub(super) low: [[u64; 64]; 8],
    /// Only if some place is over 255.
    pub(super) high: Option<Box<[[u64; 64]; 8]>>,
}

/// Planes that a palette of this many codes needs.
fn planes(codes: u32) -> usize {
    (u32::BITS - codes.leading_zeros()) as usize
}

impl Places {
    /// The places of what `log` has noted.
    pub(super) fn new(grid: &Grid, log: &Log) -> Result<Places, OutOfMemory> {
        let mut code_starts = vec![0; grid.police.len() + 1];
        log.entries().for_each(|(tile, ..)| code_starts[tile + 1] += 1);
        let mut starts = vec![0; grid.police.len() + 1];
        for (tile, police) in grid.police.iter().enumerate() {
            starts[tile + 1] = starts[tile] + planes(code_starts[tile + 1]) * police.rows;
            code_starts[tile + 1] += code_starts[tile];
        }
        let mut words = Words::new(starts[grid.police.len()] as u64)?;
        let all = words.get_mut();
        let mut codes = vec![0; code_starts[grid.police.len()] as usize];
        let mut next = code_starts.clone();
        for (tile, code, rows, new) in log.entries() {
            codes[next[tile] as usize] = code;
            next[tile] += 1;
            let place = next[tile] - code_starts[tile];
            let height = grid.police[tile].rows;
            for bit in ones(place.into()) {
                let plane = &mut all[starts[tile] + bit * height..][..height];
                for (row, new) in ones(rows).zip(new) {
                    plane[row] |= new;
                }
            }
        }
        Ok(Places { words, starts, codes, code_starts })
    }

    fn palette(&self, tile: usize) -> &[u32] {
        &self.codes[self.code_starts[tile] as usize..self.code_starts[tile + 1] as usize]
    }

    /// The codes of police tile `tile` by place; place 0 is the draw's.
    pub(super) fn codes(&self, tile: usize) -> impl Iterator<Item = u32> + '_ {
        std::iter::once(Value::Draw.code()).chain(self.palette(tile).iter().copied())
    }

    /// The code of one position.
    pub(super) fn code(&self, tile: usize, row: usize, rows: usize, thief_bit: u32) -> u32 {
        let planes = self.words.get()[self.starts[tile]..self.starts[tile + 1]].chunks_exact(rows);
        let place = (planes.enumerate())
            .map(|(bit, plane)| (plane[row] >> thief_bit & 1) << bit)
            .sum::<u64>() as usize;
        place.checked_sub(1).map_or(Value::Draw.code(), |place| self.palette(tile)[place])
    }

    /// The places of police tile `tile`, which has `rows` cells.
    #[inline(always)]
    pub(super) fn spread(&self, tile: usize, rows: usize) -> Spread {
        let planes = &self.words.get()[self.starts[tile]..self.starts[tile + 1]];
        let low = planes.len().min(8 * rows);
        let high = (planes.len() > low).then(|| Box::new(bytes(&planes[low..], rows)));
        Spread { low: bytes(&planes[..low], rows), high }
    }
}

/// The bytes of up to eight planes of `rows` words.
#[inline(always)]
fn bytes(planes: &[u64], rows: usize) -> [[u64; 64]; 8] {
    let mut words = [[0; 64]; 8];
    for (words, plane) in words.iter_mut().zip(planes.chunks_exact(rows)) {
        words[..rows].copy_from_slice(plane);
    }
    transpose_bits(&mut words);
    words
}

/// Turns eight planes of bits into eight words of bytes: byte b of word i gets bit 8b + i of all planes, plane 0 lowest.
#[inline(always)]
fn transpose_bits(words: &mut [[u64; 64]; 8]) {
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
