//! The palette of a block: its distinct codes, rising.

use super::super::words::ones;

/// A palette, and each code's index in it.
pub(super) struct Palette {
    /// A bit for each code that is in the palette.
    marks: Vec<u64>,
    /// For each word of `marks` the number of codes before it.
    before: Vec<u32>,
    codes: Vec<u32>,
}

impl Palette {
    /// Creates an empty palette for codes up to `greatest`.
    pub(super) fn new(greatest: u32) -> Palette {
        let words = greatest as usize / 64 + 1;
        Palette { marks: vec![0; words], before: vec![0; words], codes: Vec::new() }
    }

    /// Replaces the codes of the palette.
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

    /// Returns the codes, rising.
    pub(super) fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// Returns the index of one of the codes.
    #[inline(always)]
    pub(super) fn index(&self, code: u32) -> u64 {
        let word = code as usize / 64;
        let lower = self.marks[word] & ((1 << (code % 64)) - 1);
        u64::from(self.before[word] + lower.count_ones())
    }
}
