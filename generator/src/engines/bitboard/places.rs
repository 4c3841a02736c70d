//! From what was decided when to the palette of a block and to each position's place in it.

use super::{
    grid::Grid,
    lane::{ROWS, Words},
    log::{Entry, Log},
    sets::ones,
};

/// A log by police tiles.
pub(super) struct Sorted<'a> {
    /// Police tile after police tile, in the order in which they were noted; with the cells of which they say something.
    entries: Vec<(Entry<'a>, u64)>,
    /// Where each police tile's entries begin; one more at the end.
    starts: Vec<u32>,
}

impl<'a> Sorted<'a> {
    /// `cells`: whether it will be asked of which cells an entry says something.
    pub(super) fn new(grid: &Grid, log: &'a Log, cells: bool) -> Sorted<'a> {
        let cells_of = |entry: &Entry| {
            let mut cells = 0;
            entry.for_each_row(|_, word| cells |= word);
            cells
        };
        let with_cells = |entry| (entry, if cells { cells_of(&entry) } else { !0 });
        let noted: Vec<(Entry, u64)> = log.entries().map(with_cells).collect();
        let mut starts = vec![0; grid.police.len() + 2];
        noted.iter().for_each(|(entry, _)| starts[entry.tile as usize + 2] += 1);
        for tile in 2..starts.len() {
            starts[tile] += starts[tile - 1];
        }
        let mut entries = vec![(Entry::default(), 0); noted.len()];
        for entry in noted {
            let next = &mut starts[entry.0.tile as usize + 1];
            entries[*next as usize] = entry;
            *next += 1;
        }
        Sorted { entries, starts }
    }

    /// What was decided with the police in tile `tile`, with the cells of which that says something.
    #[inline(always)]
    pub(super) fn of(&self, tile: usize) -> &[(Entry<'a>, u64)] {
        &self.entries[self.starts[tile] as usize..self.starts[tile + 1] as usize]
    }
}

/// A palette: the codes of a block, rising.
pub(super) struct Palette {
    /// A bit for each code.
    marks: Vec<u64>,
    /// How many codes stand before each word of these.
    before: Vec<u32>,
    codes: Vec<u32>,
}

impl Palette {
    /// A palette that can have codes up to `greatest`.
    pub(super) fn new(greatest: u32) -> Palette {
        let words = greatest as usize / 64 + 1;
        Palette { marks: vec![0; words], before: vec![0; words], codes: Vec::new() }
    }

    /// Makes it that of these codes.
    #[inline(always)]
    pub(super) fn set(&mut self, codes: impl Iterator<Item = u32>) {
        self.marks.fill(0);
        codes.for_each(|code| self.marks[code as usize / 64] |= 1 << (code % 64));
        self.codes.clear();
        for ((first, &marks), before) in (0..).step_by(64).zip(&self.marks).zip(&mut self.before) {
            *before = self.codes.len() as u32;
            self.codes.extend(ones(marks).map(|bit| first + bit as u32));
        }
    }

    pub(super) fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The place of one of its codes.
    #[inline(always)]
    fn place(&self, code: u32) -> u64 {
        let word = code as usize / 64;
        let lower = self.marks[word] & ((1 << (code % 64)) - 1);
        u64::from(self.before[word] + lower.count_ones())
    }
}

/// The places of positions in a palette of rising codes, whose first is the draw's. What is over counts as a draw. Word i of a
/// row has in byte b the place of bit 8b + i of the thief's cells.
pub(super) struct Places {
    /// The low bytes of the places.
    pub(super) low: [Words; 8],
    /// The high bytes, if the palette has more than 256 codes.
    pub(super) high: Option<Box<[Words; 8]>>,
}

impl Places {
    /// The places of the positions of a police tile of `height` rows, given what was decided there, in a palette of all its codes.
    #[inline(always)]
    pub(super) fn new(decided: &[(Entry, u64)], height: usize, palette: &Palette) -> Places {
        let high = (palette.codes.len() > 256)
            .then(|| Box::new(bytes(decided, height, |code| palette.place(code) >> 8)));
        Places { low: bytes(decided, height, |code| palette.place(code)), high }
    }
}

/// The lowest bytes of what `place` says of codes.
#[inline(always)]
fn bytes(decided: &[(Entry, u64)], height: usize, place: impl Fn(u32) -> u64) -> [Words; 8] {
    let mut rows = [[0; 8]; ROWS];
    for (entry, _) in decided {
        let place = place(entry.code);
        let masks: [u64; 8] = std::array::from_fn(|bit| (place >> bit & 1).wrapping_neg());
        entry.for_each_row(|row, word| {
            rows[row].iter_mut().zip(masks).for_each(|(plane, mask)| *plane |= word & mask);
        });
    }
    let mut planes = [[0; ROWS]; 8];
    for (eight, rows) in rows.as_chunks::<8>().0[..height.div_ceil(8)].iter().enumerate() {
        for (bit, plane) in planes.iter_mut().enumerate() {
            plane.as_chunks_mut::<8>().0[eight] = std::array::from_fn(|row| rows[row][bit]);
        }
    }
    transpose_bits(&mut planes);
    planes
}

/// Turns eight planes of bits into eight words of bytes: byte b of word i gets bit 8b + i of all planes, plane 0 lowest.
#[inline(always)]
fn transpose_bits(words: &mut [Words; 8]) {
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
