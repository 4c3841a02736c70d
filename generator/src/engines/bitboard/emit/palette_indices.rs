//! The palette index of every position of a block, by two transpositions: from planes of bits to bytes for
//! each row, and from these to bytes for each thief cell.

use super::{
    super::{
        log::LogEntry,
        words::{ROWS, Words, ones},
    },
    palette::Palette,
    terminal_slots::TerminalSlots,
};

/// The palette indices of the positions of one police tile in one overlay. What the log has nothing of counts
/// as a draw, the first code of the palette. Byte b of word i of a row belongs to thief cell 8b + i.
pub(super) struct PaletteIndices {
    /// The low bytes of the indices.
    low: [Words; 8],
    /// The high bytes, if the palette has more than 256 codes.
    high: Option<Box<[Words; 8]>>,
}

/// The palette indices of up to 8 rows in one overlay: a word for each thief cell, the first row's byte
/// lowest.
pub(super) struct RunIndices {
    /// The low bytes of the indices.
    pub(super) low: Words,
    /// The high bytes, if the palette has more than 256 codes.
    pub(super) high: Option<Box<Words>>,
}

impl PaletteIndices {
    /// Looks up the positions of a police tile of `height` rows. `entries` are all that the log has of the
    /// tile, and the palette has all of their codes.
    #[inline(always)]
    pub(super) fn new<'a>(
        entries: impl Iterator<Item = LogEntry<'a>> + Clone,
        height: usize,
        palette: &Palette,
    ) -> PaletteIndices {
        let high = (palette.codes().len() > 256)
            .then(|| Box::new(index_bytes(entries.clone(), height, |code| palette.index(code) >> 8)));
        PaletteIndices { low: index_bytes(entries, height, |code| palette.index(code)), high }
    }

    /// Returns the indices of the rows that begin with `start`, up to 8 of them.
    #[inline(always)]
    pub(super) fn run(&self, start: usize) -> RunIndices {
        let high = self.high.as_ref().map(|high| Box::new(transpose_rows(high, start)));
        RunIndices { low: transpose_rows(&self.low, start), high }
    }
}

/// Returns the lowest bytes of what `index` returns for the positions' codes, laid out as in
/// [`PaletteIndices`].
#[inline(always)]
fn index_bytes<'a>(
    entries: impl Iterator<Item = LogEntry<'a>>,
    height: usize,
    index: impl Fn(u32) -> u64,
) -> [Words; 8] {
    // Bit j of a position's index in plane j. The planes of a row stand together while the entries are
    // spread: an entry has few rows.
    let mut rows = [[0; 8]; ROWS];
    for entry in entries {
        let index = index(entry.code);
        let masks: [u64; 8] = std::array::from_fn(|bit| (index >> bit & 1).wrapping_neg());
        entry.for_each_run(|run, word| {
            let new = masks.map(|mask| word & mask);
            ones(run).for_each(|row| rows[row].iter_mut().zip(new).for_each(|(plane, new)| *plane |= new));
        });
    }
    // The rows of a plane stand together for the transposition, which does the same to many rows.
    let mut planes = [[0; ROWS]; 8];
    for (eight, rows) in rows.as_chunks::<8>().0[..height.div_ceil(8)].iter().enumerate() {
        for (bit, plane) in planes.iter_mut().enumerate() {
            plane.as_chunks_mut::<8>().0[eight] = std::array::from_fn(|row| rows[row][bit]);
        }
    }
    transpose_bits(&mut planes);
    planes
}

/// Transposes eight planes of bits to eight words of bytes: byte b of word i gets bit 8b + i of all planes,
/// plane 0's lowest.
#[inline(always)]
fn transpose_bits(planes: &mut [Words; 8]) {
    const STEPS: [(usize, u64); 3] =
        [(4, 0x0F0F_0F0F_0F0F_0F0F), (2, 0x3333_3333_3333_3333), (1, 0x5555_5555_5555_5555)];
    for (distance, mask) in STEPS {
        swap_bits(planes, distance, distance as u32, mask);
    }
}

/// Returns for each thief cell the bytes of the 8 rows from `start` on in one word, the first row's byte
/// lowest.
#[inline(always)]
fn transpose_rows(bytes: &[Words; 8], start: usize) -> Words {
    const STEPS: [(usize, u64); 3] =
        [(4, 0x0000_0000_FFFF_FFFF), (2, 0x0000_FFFF_0000_FFFF), (1, 0x00FF_00FF_00FF_00FF)];
    // Eight rows that exist; those before `start` are shifted out at the end.
    let first = start.min(ROWS - 8);
    let mut words = [[0; 8]; 8];
    for (row, words) in words.iter_mut().enumerate() {
        for (word, from) in words.iter_mut().zip(bytes) {
            *word = from[first + row];
        }
    }
    for (distance, mask) in STEPS {
        swap_bits(&mut words, distance, 8 * distance as u32, mask);
    }
    std::array::from_fn(|bit| words[bit / 8][bit % 8] >> (8 * (start - first)))
}

/// Swaps, in each pair of words at `distance`, the bits of the lower under `mask << shift` with those of the
/// upper under `mask`: one step of a transposition.
#[inline(always)]
fn swap_bits<const N: usize>(words: &mut [[u64; N]; 8], distance: usize, shift: u32, mask: u64) {
    for i in (0..8).filter(|i| i & distance == 0) {
        let (low, high) = words.split_at_mut(i + distance);
        for (a, b) in low[i].iter_mut().zip(&mut high[0]) {
            let swap = (*a >> shift ^ *b) & mask;
            *b ^= swap;
            *a ^= swap << shift;
        }
    }
}

/// The palette indices of a block in the order of its slots.
pub(super) struct SlotIndices {
    /// The low bytes.
    pub(super) low: Vec<u8>,
    /// The high bytes; empty if the palette has at most 256 codes.
    pub(super) high: Vec<u8>,
    len: usize,
}

impl SlotIndices {
    /// Creates an empty list for so many slots and a palette of so many codes.
    pub(super) fn new(slots: usize, palette: usize) -> SlotIndices {
        // Words of eight are written at the end too: room for one more.
        let room = slots + 8;
        let high = if palette > 256 { vec![0; room] } else { Vec::new() };
        SlotIndices { low: vec![0; room], high, len: 0 }
    }

    /// Appends the low `count` bytes, up to 8, of a word of low and a word of high bytes.
    #[inline(always)]
    pub(super) fn push(&mut self, count: usize, low: u64, high: u64) {
        self.low[self.len..self.len + 8].copy_from_slice(&low.to_le_bytes());
        if !self.high.is_empty() {
            self.high[self.len..self.len + 8].copy_from_slice(&high.to_le_bytes());
        }
        self.len += count;
    }

    /// Ends the list. Terminal slots may have any value: they repeat the one before, which compresses best.
    pub(super) fn finish(mut self, terminal: &[TerminalSlots]) -> SlotIndices {
        for bytes in [&mut self.low, &mut self.high] {
            bytes.truncate(self.len);
            repeat_before(bytes, terminal);
        }
        self
    }
}

/// Lets the slots of `terminal` repeat the one before; at the start, the first slot that is not among them.
fn repeat_before(indices: &mut [u8], terminal: &[TerminalSlots]) {
    let first =
        terminal.iter().fold(0, |first, run| if run.slots.start == first { run.slots.end } else { first });
    // Without any other slot all keep what they have.
    let Some(&first) = indices.get(first) else { return };
    for TerminalSlots { slots, .. } in terminal {
        let before = slots.start.checked_sub(1).map_or(first, |before| indices[before]);
        indices[slots.clone()].fill(before);
    }
}
