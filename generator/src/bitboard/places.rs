//! What is kept of the DTW: each position's place in the palette of its block, as planes of bits.

use super::{grid::PoliceTile, sets::ones};
use dragnet_formats::value::Value;

/// The planes and palettes of one thief tile.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Plane j has bit j of all places: for each police cell in tile order a word of thief cells.
    planes: Vec<Vec<u64>>,
    /// For each police tile the codes that came up, in that order. Place 0 is none of them: a draw, or a position that is
    /// over.
    palettes: Vec<Vec<u32>>,
}

/// The low and the high bytes of the places of up to 64 police cells. Word `i` of a row has in byte `b` the byte of bit
/// 8b + i of the thief's cells.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    pub(super) low: [[u64; 64]; 8],
    /// Only if some place is over 255.
    pub(super) high: Option<Box<[[u64; 64]; 8]>>,
}

impl Places {
    pub(super) fn new(police_tiles: usize) -> Places {
        Places { planes: Vec::new(), palettes: vec![Vec::new(); police_tiles] }
    }

    /// Notes the code of newly decided positions: `new` has a word for each row of police tile `tile`, other than 0 for
    /// `rows` alone. `stride` is the length of a plane.
    #[inline(always)]
    pub(super) fn write(
        &mut self,
        police: &PoliceTile,
        tile: usize,
        stride: usize,
        new: &[u64; 64],
        rows: u64,
        code: u32,
    ) {
        let palette = &mut self.palettes[tile];
        palette.push(code);
        let place = palette.len();
        while self.planes.len() <= place.ilog2() as usize {
            self.planes.push(vec![0; stride]);
        }
        let many = rows.count_ones() > 8;
        for (bit, plane) in self.planes.iter_mut().enumerate() {
            if place >> bit & 1 == 0 {
                continue;
            }
            let plane = &mut plane[police.range()];
            if many {
                plane.iter_mut().zip(new).for_each(|(word, new)| *word |= new);
            } else {
                ones(rows).for_each(|row| plane[row] |= new[row]);
            }
        }
    }

    /// The codes of police tile `tile` by place; place 0 is the draw's.
    pub(super) fn codes(&self, tile: usize) -> impl Iterator<Item = u32> + '_ {
        std::iter::once(Value::Draw.code()).chain(self.palettes[tile].iter().copied())
    }

    /// The code of one position.
    pub(super) fn code(&self, tile: usize, cell: usize, thief_bit: u32) -> u32 {
        let place = (self.planes.iter().enumerate())
            .map(|(bit, plane)| (plane[cell] >> thief_bit & 1) << bit)
            .sum::<u64>() as usize;
        place.checked_sub(1).map_or(Value::Draw.code(), |place| self.palettes[tile][place])
    }

    /// The places of the police cells `cells` (at most 64) of tile `tile`.
    #[inline(always)]
    pub(super) fn spread(&self, tile: usize, cells: std::ops::Range<usize>) -> Spread {
        // Planes beyond what the palette needs are 0 here, or not there.
        let planes = (self.palettes[tile].len() + 1).next_power_of_two().trailing_zeros() as usize;
        let byte = |first: usize| {
            let mut words = [[0; 64]; 8];
            for (words, plane) in words.iter_mut().zip(&self.planes[first.min(planes)..planes]) {
                words[..cells.len()].copy_from_slice(&plane[cells.clone()]);
            }
            transpose_bits(&mut words);
            words
        };
        Spread { low: byte(0), high: (planes > 8).then(|| Box::new(byte(8))) }
    }
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
