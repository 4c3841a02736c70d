//! Which police tiles of several officers the next pass is to look at.
//!
//! A team has so many moves that the tiles with a move into a changed one lie in many slices. So they are
//! flagged before the pass, by the slices in which something has changed, and each slice takes its own flags.

use super::super::{
    board::{Grid, SliceTile},
    words::{WORD, ones},
};
use crate::memory::{OutOfMemory, grow_exact};
use std::{
    iter,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// A bit for each police tile of each own slice.
#[derive(Debug, Default)]
pub(crate) struct Flags {
    words: Vec<AtomicU64>,
    /// The number of words of a slice.
    each: usize,
}

impl Flags {
    /// Creates the flags for the teams of `grid`: none for a single officer.
    pub(crate) fn new(grid: &Grid) -> Result<Flags, OutOfMemory> {
        let each = if grid.teams.is_some() { grid.cut.tiles(0).len().div_ceil(WORD) } else { 0 };
        let mut words = Vec::new();
        grow_exact(&mut words, each * grid.own_slices())?;
        words.resize_with(each * grid.own_slices(), AtomicU64::default);
        Ok(Flags { words, each })
    }

    /// Flags a tile of a slice.
    pub(crate) fn set(&self, slice: usize, at: SliceTile) {
        let word = &self.words[slice * self.each + at.index() / WORD];
        let bit = 1 << (at.index() % WORD);
        // Most tiles are flagged already, and a look is cheaper than an exchange between threads.
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }

    /// Takes the flags of a slice: the tiles, rising.
    pub(crate) fn take(&self, slice: usize) -> impl Iterator<Item = SliceTile> {
        let words = &self.words[slice * self.each..][..self.each];
        (0..).step_by(WORD).zip(words).flat_map(|(first, word)| {
            // Nobody flags tiles while others take them, so this needs no exchange.
            let taken = word.load(Relaxed);
            if taken != 0 {
                word.store(0, Relaxed);
            }
            iter::repeat(first).zip(ones(taken)).map(|(first, bit)| SliceTile(first + bit as u32))
        })
    }
}
