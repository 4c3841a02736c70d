//! One pass over all slices: which sets grow, out of what, and what the last level has changed.

use super::{
    super::{
        board::{Grid, SliceTile},
        sets::{BySide, Group, OverlayWords, Set, StandingWords},
        words::{Cross, Words, rows_with_bits},
    },
    flags::Flags,
};
use crate::{games::pursuit::Pursuit, stop::StopRequest};
use dragnet_formats::{cell::Side, value::Plies};

/// The positions that a level has added to one set in one block. There are as many as blocks: it takes 16
/// bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    /// The police tile of the block.
    pub(crate) tile: u32,
    /// Where the thief stands in the new positions.
    pub(crate) cross: Cross,
    /// The police rows with new positions, one bit each.
    pub(crate) rows: u64,
}

/// The growth of one set in one slice in the last level in which the set grew. It fills cache lines of its
/// own: threads write those of neighbouring slices at the same time.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Changed(pub(crate) Vec<Growth>);

impl Changed {
    /// Marks every position of the set in a slice as changed. `block` returns the block of a police tile.
    pub(crate) fn mark_all<'w>(&mut self, grid: &Grid, slice: Slice, block: impl Fn(SliceTile) -> &'w Words) {
        self.0.clear();
        for tile in grid.cut.tiles(slice.range) {
            let words = &block(slice.at(tile))[..grid.rows(tile)];
            let rows = rows_with_bits(words);
            if rows != 0 {
                let cells = words.iter().fold(0, |cells, word| cells | word);
                self.0.push(Growth { tile, cross: Cross::of(cells), rows });
            }
        }
    }
}

/// One pass: extends the two sets of a group from the other two, which are read-only meanwhile.
pub(crate) struct Pass<'a> {
    pub(crate) game: &'a Pursuit,
    pub(crate) grid: &'a Grid,
    pub(crate) level: Plies,
    pub(crate) group: Group,
    /// The sets that grow: those of the group.
    pub(crate) growing: BySide<Set>,
    /// The sets that stand. The growing set of the other side finds new positions from one; that of the same
    /// side skips its positions, which are decided.
    pub(crate) standing: BySide<StandingWords<'a>>,
    /// The growth of the standing sets in the last level, by slice.
    pub(crate) changed: BySide<&'a [Changed]>,
    /// Several officers: the police tiles from which a turn leads into what the last level has changed.
    pub(crate) flags: &'a Flags,
    /// Whether new positions must wait for [`join_deferred`](super::grow::join_deferred), because another
    /// pass of this level still reads what the last one has changed.
    pub(crate) defers: bool,
    /// A pass that is stopped leaves its work half done.
    pub(crate) stop: StopRequest<'a>,
}

/// A slice: one overlay and one range of police tiles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice {
    pub(crate) overlay: usize,
    /// The number of the range.
    pub(crate) range: usize,
    /// The first police tile.
    pub(crate) first: u32,
}

impl Slice {
    /// Returns the slice with this number among all.
    pub(crate) fn new(grid: &Grid, number: usize) -> Slice {
        let ranges = grid.cut.count();
        let (overlay, range) = (number / ranges, number % ranges);
        Slice { overlay, range, first: grid.cut.tiles(range).start }
    }

    /// Returns the number of a police tile in the slice. That of a tile of another slice is no such number.
    #[inline(always)]
    pub(crate) fn at(self, tile: u32) -> SliceTile {
        SliceTile(tile.wrapping_sub(self.first))
    }

    /// Returns the police tile that has a number in the slice.
    #[inline(always)]
    pub(crate) fn tile(self, at: SliceTile) -> u32 {
        self.first + at.0
    }
}

impl<'a> Pass<'a> {
    /// Returns what the last level has changed in one slice of the standing set with `side` to move.
    pub(crate) fn changed(&self, side: Side, overlay: usize, range: usize) -> &'a [Growth] {
        &self.changed[side][self.grid.slice(overlay, range)].0
    }

    /// Returns the standing set with `side` to move in one overlay.
    #[inline(always)]
    pub(crate) fn standing(&self, side: Side, overlay: usize) -> OverlayWords<'a> {
        self.standing[side].overlay(self.grid, overlay)
    }
}
