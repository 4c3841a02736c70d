//! One pass over all overlays: which sets grow, out of what, and what the last level has changed.

use super::{grid::Grid, overlay_set::OverlaySet, sets::Set, words::Cross};
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

/// The growth of one set in one overlay in the last level in which the set grew. It fills cache lines of its
/// own: threads write those of neighbouring overlays at the same time.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub(super) struct Changed(pub(super) Vec<Growth>);

/// A pass: the two sets of a group grow by what follows from the other two, which nobody changes meanwhile.
pub(super) struct Pass<'a> {
    pub(super) game: &'a Pursuit,
    pub(super) grid: &'a Grid,
    pub(super) level: Plies,
    /// The set that grows, by side to move.
    pub(super) growing: [Set; 2],
    /// The set that stands, by side to move and overlay. The growing set of the other side finds new
    /// positions from it; that of the same side skips its positions, which are decided.
    pub(super) standing: [&'a [OverlaySet]; 2],
    /// The growth of the standing set in the last level, by side to move and overlay.
    pub(super) changed: [&'a [Changed]; 2],
    /// Whether new positions must wait for [`join_held_back`](super::level::join_held_back), because another
    /// pass of this level still reads what the last one has changed.
    pub(super) hold_back: bool,
    /// A pass that is stopped leaves its work half done.
    pub(super) stop: StopRequest<'a>,
}

impl<'a> Pass<'a> {
    /// Returns whether moves of `side` lead from positions with the thief in `overlay` into what the last
    /// level has changed. A move of the police stays in the overlay.
    pub(super) fn concerns(&self, side: Side, overlay: usize) -> bool {
        let changed = self.changed[side.other() as usize];
        match side {
            Side::Police => !changed[overlay].0.is_empty(),
            Side::Thief => self.grid.overlays[overlay]
                .targets
                .iter()
                .any(|target| !changed[target.overlay as usize].0.is_empty()),
        }
    }

    /// Returns the standing set with `side` to move in one overlay.
    #[inline(always)]
    pub(super) fn standing(&self, side: Side, overlay: usize) -> &'a OverlaySet {
        &self.standing[side as usize][overlay]
    }
}
