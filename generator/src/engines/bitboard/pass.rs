//! One pass over all slices: which sets grow, out of what, and what the last level has changed.

use super::{
    flags::Flags,
    grid::Grid,
    set_words::{OverlayWords, StandingWords},
    sets::Set,
    words::{Cross, Words, rows_with_bits},
};
use crate::{games::pursuit::Pursuit, stop::StopRequest};
use dragnet_formats::{cell::Side, value::Plies};

/// The positions that a level has added to one set in one block. There are as many as blocks: it takes 16
/// bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth {
    /// The police tile of the block.
    pub(super) tile: u32,
    /// Where the thief stands in the new positions.
    pub(super) cross: Cross,
    /// The police rows with new positions, one bit each.
    pub(super) rows: u64,
}

/// The growth of one set in one slice in the last level in which the set grew. It fills cache lines of its
/// own: threads write those of neighbouring slices at the same time.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub(super) struct Changed(pub(super) Vec<Growth>);

impl Changed {
    /// Makes the whole set in a slice its growth. `block` returns the block of a police tile of the slice.
    pub(super) fn mark_all<'w>(&mut self, grid: &Grid, slice: Slice, block: impl Fn(u32) -> &'w Words) {
        self.0.clear();
        for tile in grid.cut.tiles(slice.range) {
            let words = &block(tile - slice.first)[..grid.rows(tile)];
            let rows = rows_with_bits(words);
            if rows != 0 {
                let cells = words.iter().fold(0, |cells, word| cells | word);
                self.0.push(Growth { tile, cross: Cross::of(cells), rows });
            }
        }
    }
}

/// A pass: the two sets of a group grow by what follows from the other two, which nobody changes meanwhile.
pub(super) struct Pass<'a> {
    pub(super) game: &'a Pursuit,
    pub(super) grid: &'a Grid,
    pub(super) level: Plies,
    /// The set that grows, by side to move.
    pub(super) growing: [Set; 2],
    /// The set that stands, by side to move and slice. The growing set of the other side finds new positions
    /// from it; that of the same side skips its positions, which are decided.
    pub(super) standing: [StandingWords<'a>; 2],
    /// The growth of the standing set in the last level, by side to move and slice.
    pub(super) changed: [&'a [Changed]; 2],
    /// Several officers: the police tiles from which a turn leads into what the last level has changed.
    pub(super) flags: &'a Flags,
    /// Whether new positions must wait for [`join_held_back`](super::level::join_held_back), because another
    /// pass of this level still reads what the last one has changed.
    pub(super) hold_back: bool,
    /// A pass that is stopped leaves its work half done.
    pub(super) stop: StopRequest<'a>,
}

/// A slice: one overlay and one range of police tiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    pub(super) overlay: usize,
    /// The number of the range.
    pub(super) range: usize,
    /// The first police tile.
    pub(super) first: u32,
}

impl Slice {
    /// Returns the slice with this number among all.
    pub(super) fn new(grid: &Grid, number: usize) -> Slice {
        let ranges = grid.cut.count();
        let (overlay, range) = (number / ranges, number % ranges);
        Slice { overlay, range, first: grid.cut.tiles(range).start }
    }
}

impl<'a> Pass<'a> {
    /// Returns what the last level has changed in one slice of the standing set with `side` to move.
    pub(super) fn changed(&self, side: Side, overlay: usize, range: usize) -> &'a [Growth] {
        &self.changed[side as usize][self.grid.slice(overlay, range)].0
    }

    /// Returns the standing set with `side` to move in one overlay.
    #[inline(always)]
    pub(super) fn standing(&self, side: Side, overlay: usize) -> OverlayWords<'a> {
        self.standing[side as usize].overlay(self.grid, overlay)
    }
}
