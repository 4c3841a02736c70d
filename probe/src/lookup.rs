//! Looking up positions that are near each other: each block once.

use crate::{
    ProbeError,
    block_reader::{BlockReader, Views},
    effort::Effort,
    placement::{PlacedTeam, PlacedThief, Placement},
};
use dragnet_formats::{
    cell::Side,
    header::Header,
    pieces::Pieces,
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

    /// Returns the finder of places in the table.
    #[inline(always)]
    pub(crate) fn placement(&self) -> Placement<'a> {
        self.placement
    }

    /// Returns the value of a position that is not terminal, with the thief to move.
    #[inline(never)]
    pub(crate) fn with_thief_to_move(
        &mut self,
        officers: &Pieces,
        police: &PlacedTeam,
        thief: &PlacedThief,
        effort: &mut Effort,
    ) -> Result<Value, ProbeError> {
        let placement = self.placement;
        let moves = placement.game.moves_of(Side::Thief, thief.world, thief.cell, effort)?;
        let replies = moves.iter().filter_map(|to| placement.place_thief(to.world, to.cell));
        self.before_replies(officers, police, replies, effort)
    }

    /// Returns the value of a position that is not terminal, with the thief to move, who can get to
    /// `replies`.
    #[inline]
    pub(crate) fn before_replies(
        &mut self,
        officers: &Pieces,
        police: &PlacedTeam,
        replies: impl Iterator<Item = PlacedThief>,
        effort: &mut Effort,
    ) -> Result<Value, ProbeError> {
        let placement = self.placement;
        before_replies(placement, officers, police, replies, effort, |police, thief, effort| {
            self.value(police, thief, effort)
        })
    }

    /// Returns the value of a position that is not terminal, with the police to move.
    #[inline]
    pub(crate) fn value(
        &mut self,
        police: &PlacedTeam,
        thief: &PlacedThief,
        effort: &mut Effort,
    ) -> Result<Value, ProbeError> {
        effort.take_values(1)?;
        self.views.value(self.placement.location(police, thief), effort)
    }
}

/// Returns the value of a position that is not terminal, with the thief to move, who can get to `replies`.
/// `value` returns the values of those that are not terminal, with the team in the thief's world.
#[inline(always)]
pub(crate) fn before_replies(
    placement: Placement<'_>,
    officers: &Pieces,
    police: &PlacedTeam,
    replies: impl Iterator<Item = PlacedThief>,
    effort: &mut Effort,
    mut value: impl FnMut(&PlacedTeam, &PlacedThief, &mut Effort) -> Result<Value, ProbeError>,
) -> Result<Value, ProbeError> {
    let mut successors = Successors::default();
    for thief in replies {
        let police = &placement.team_in_world(officers, police, thief.world);
        successors.add(match placement.winner_within(officers, police, &thief, effort)? {
            Some(winner) => {
                effort.take_values(1)?;
                Value::terminal(winner, Side::Police)
            }
            None => value(police, &thief, effort)?,
        });
    }
    Ok(successors.value(placement.header.stuck))
}
