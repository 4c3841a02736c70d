//! Looking up positions that are near each other: each block once.

use crate::{
    ProbeError,
    block_reader::{BlockReader, Views},
    placement::{PlacedTeam, PlacedThief, Placement, winner},
};
use dragnet_formats::{
    cell::Side,
    header::Header,
    value::{Successors, Value},
};

/// Looks up positions of one table, each block once if they are near each other.
pub(crate) struct Lookup<'a> {
    placement: Placement<'a>,
    views: Views<'a, Header>,
}

impl<'a> Lookup<'a> {
    #[inline]
    pub(crate) fn new(blocks: &'a BlockReader<Header>, placement: Placement<'a>) -> Lookup<'a> {
        Lookup { placement, views: Views::new(blocks) }
    }

    /// Returns the value of a position that is not terminal, with the thief to move.
    #[inline(never)]
    pub(crate) fn with_thief_to_move(
        &mut self,
        police: &PlacedTeam,
        thief: &PlacedThief,
    ) -> Result<Value, ProbeError> {
        self.before_replies(police, &self.placement.thief_moves(thief.cell))
    }

    /// Returns the value of a position that is not terminal, with the thief to move, who can get to
    /// `replies`.
    #[inline]
    pub(crate) fn before_replies(
        &mut self,
        police: &PlacedTeam,
        replies: &[PlacedThief],
    ) -> Result<Value, ProbeError> {
        let mut successors = Successors::default();
        for thief in replies {
            successors.add(match winner(police, thief) {
                Some(winner) => Value::terminal(winner, Side::Police),
                None => self.value(police, thief)?,
            });
        }
        Ok(successors.value(self.placement.rules().stuck))
    }

    /// Returns the value of a position that is not terminal, with the police to move.
    #[inline]
    pub(crate) fn value(&mut self, police: &PlacedTeam, thief: &PlacedThief) -> Result<Value, ProbeError> {
        self.views.value(self.placement.location(police, thief))
    }
}
