//! A pursuit game of one officer, for the `counters` engine.

use super::pursuit::Pursuit;
use crate::game::{Game, Reversible, Start};
use std::ops::Range;

/// A pursuit game that is known to have one officer. Keeps the code for teams out of the hot loop over
/// predecessors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneOfficer<'a>(&'a Pursuit);

impl<'a> OneOfficer<'a> {
    /// Returns the view of `game`, or `None` if it has several officers.
    pub(crate) fn new(game: &'a Pursuit) -> Option<OneOfficer<'a>> {
        game.single().then_some(OneOfficer(game))
    }
}

impl Game for OneOfficer<'_> {
    fn positions(&self) -> u64 {
        self.0.positions()
    }

    fn start(&self, position: u64) -> Start {
        self.0.start(position)
    }

    fn keeps_turn(&self, _position: u64) -> bool {
        false
    }

    fn for_each_successor(&self, position: u64, each: impl FnMut(u64)) {
        self.0.for_each_successor(position, each);
    }
}

impl Reversible for OneOfficer<'_> {
    #[inline]
    fn has_kept_turns(&self) -> bool {
        false
    }

    fn lanes(&self) -> usize {
        self.0.lanes()
    }

    #[inline]
    fn lane(&self, position: u64) -> usize {
        self.0.lane(position)
    }

    fn for_each_start(&self, range: Range<u64>, each: impl FnMut(u64, Start, u32)) {
        self.0.for_each_start(range, each);
    }

    #[inline]
    fn for_each_predecessor(&self, position: u64, mut each: impl FnMut(u64)) {
        let (row, thief) = self.0.split(position);
        let (targets, first, step) = self.0.predecessors_of_one(row, thief);
        for &to in targets {
            each(first + u64::from(to) * step);
        }
    }
}
