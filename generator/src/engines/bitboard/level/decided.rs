//! Which blocks nobody will read any more.
//!
//! A position is read only where one that leads to it, or the position itself, is still to be decided. So the
//! words of most blocks are read for the last time before the end of a solve, and can be dropped then: what
//! was decided in them, and when, is in the logs.

use super::{
    super::{board::Grid, words::first_bits},
    pass::Slice,
    slice_state::SliceState,
};
use crate::stop::StopRequest;
use dragnet_formats::{cell::Side, game::Team};
use std::cell::Cell;

/// Where positions are undecided.
#[derive(Clone, Copy)]
pub(crate) struct Undecided<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) team: Team,
    /// The states of the own slices.
    pub(crate) slices: &'a [SliceState],
    pub(crate) stop: StopRequest<'a>,
}

impl Undecided<'_> {
    /// Returns whether some position with `mover` to move is undecided in a block of an own slice.
    #[inline(always)]
    fn has(&self, mover: Side, overlay: usize, tile: u32) -> bool {
        let cut = self.grid.cut;
        // The solvers of other slices look at the positions there themselves.
        let slice = self.slices.get(self.grid.slice(overlay, cut.range_of(tile)));
        slice.is_some_and(|slice| slice.undecided[mover][cut.at(tile).index()] != 0)
    }

    /// Returns whether a pass may still read the sets with `mover` to move in a block: there, or where a move
    /// leads into the block. Once the work is to stop, the answer has no meaning.
    pub(crate) fn is_read(&self, mover: Side, slice: Slice, tile: u32) -> bool {
        let overlay = slice.overlay;
        self.has(mover, overlay, tile)
            || match mover {
                Side::Police => {
                    let mut before = self.grid.overlays[overlay].before.iter();
                    before.any(|&before| self.has(Side::Thief, before as usize, tile))
                }
                Side::Thief => self.a_turn_leads_to(overlay, tile),
            }
    }

    /// Returns whether from an undecided position with the police to move a turn leads into a block.
    fn a_turn_leads_to(&self, overlay: usize, tile: u32) -> bool {
        let mut before = self.grid.overlays[overlay].police_before.iter();
        before.any(|&before| self.a_turn_leads_from(before as usize, tile))
    }

    /// Returns whether from an undecided position of an overlay with the police to move a turn leads into a
    /// police tile.
    fn a_turn_leads_from(&self, overlay: usize, tile: u32) -> bool {
        let (officer, moves) = (&self.grid.officer, self.grid.moves(overlay));
        let Some(teams) = &self.grid.teams else {
            let mut dependents = moves.tiles[tile as usize].dependents.iter();
            return dependents.any(|from| self.has(Side::Police, overlay, from.tile));
        };
        let (found, rows) = (Cell::new(false), first_bits(self.grid.rows(tile)));
        let mut pieces = 0;
        let ends = || found.get() || self.stop.ask_at_times(&mut pieces);
        teams.for_each_dependent(officer, moves, self.team, (tile, rows), ends, |from| {
            found.set(found.get() || self.has(Side::Police, overlay, from));
        });
        found.get()
    }
}
