//! Looking up positions that are near each other: each block once.

use crate::{Table, blocks::Views};
use dragnet_formats::{
    cell::{Cell, Side},
    container::TableError,
    header::Header,
    numbering::{Place, TeamPlace},
    pieces::Pieces,
    value::{Successors, Value},
};
use smallvec::SmallVec;

/// A cell where the thief stands or could stand, and where tables have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) cell: Cell,
    pub(crate) place: Place,
    /// Whether the game is over with the thief here.
    pub(crate) exit: bool,
}

/// The same of the police.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TeamSpot {
    pub(crate) officers: Pieces,
    pub(crate) place: TeamPlace,
    /// Whether the game is over with an officer on an exit, as here.
    pub(crate) arrived: bool,
}

/// The spots that a side may move to; for most rules without heap memory.
pub(crate) type Spots<S> = SmallVec<[S; 10]>;

/// Looks up positions of one table, each block once if they are near each other.
pub(crate) struct Lookup<'a> {
    table: &'a Table,
    views: Views<'a, Header>,
}

impl<'a> Lookup<'a> {
    #[inline]
    pub(crate) fn new(table: &'a Table) -> Lookup<'a> {
        Lookup { table, views: Views::new(table.blocks()) }
    }

    /// The value of a position that is not over, with the thief to move.
    #[inline(never)]
    pub(crate) fn with_thief_to_move(
        &mut self,
        police: &TeamSpot,
        thief: &Spot,
    ) -> Result<Value, TableError> {
        self.before_replies(police, &self.table.spots_from(thief.cell))
    }

    /// The value of a position that is not over, with the thief to move, who can get to `replies`.
    #[inline]
    pub(crate) fn before_replies(
        &mut self,
        police: &TeamSpot,
        replies: &[Spot],
    ) -> Result<Value, TableError> {
        let mut successors = Successors::default();
        for thief in replies {
            successors.add(match winner(police, thief) {
                Some(winner) => Value::terminal(winner, Side::Police),
                None => self.value(police, thief)?,
            });
        }
        Ok(successors.value(self.table.rules().stuck))
    }

    /// The value of a position that is not over, with the police to move.
    #[inline]
    pub(crate) fn value(&mut self, police: &TeamSpot, thief: &Spot) -> Result<Value, TableError> {
        self.views.value(self.table.numbering().location(police.place, thief.place))
    }
}

/// Who has won without a move, if the position is over.
#[inline]
pub(crate) fn winner(police: &TeamSpot, thief: &Spot) -> Option<Side> {
    if police.officers.contains(&thief.cell) {
        Some(Side::Police)
    } else if thief.exit {
        Some(Side::Thief)
    } else if police.arrived {
        Some(Side::Police)
    } else {
        None
    }
}
