//! The four sets of decided positions.

use dragnet_formats::{
    cell::Side,
    value::{Plies, Value},
};
use std::ops::{Index, IndexMut};

/// A set of decided positions. The next level of a set depends on one other set alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    /// Police to move, won for it: some move leads into [`Set::ThiefLoses`].
    PoliceWins,
    /// Police to move, lost for it: every move leads into [`Set::ThiefWins`].
    PoliceLoses,
    /// Thief to move, won for it: some move leads into [`Set::PoliceLoses`].
    ThiefWins,
    /// Thief to move, lost for it: every move leads into [`Set::PoliceWins`].
    ThiefLoses,
}

impl Set {
    pub(crate) const COUNT: usize = 4;

    pub(crate) const ALL: [Set; Set::COUNT] =
        [Set::PoliceWins, Set::PoliceLoses, Set::ThiefWins, Set::ThiefLoses];

    /// Returns the side to move.
    pub(crate) fn mover(self) -> Side {
        match self {
            Set::PoliceWins | Set::PoliceLoses => Side::Police,
            Set::ThiefWins | Set::ThiefLoses => Side::Thief,
        }
    }

    /// Returns whether the side to move wins: one move is enough then, else all are needed.
    pub(crate) fn wins(self) -> bool {
        matches!(self, Set::PoliceWins | Set::ThiefWins)
    }

    /// Returns the side that wins the positions of the set.
    pub(crate) fn winner(self) -> Side {
        match self {
            Set::PoliceWins | Set::ThiefLoses => Side::Police,
            Set::PoliceLoses | Set::ThiefWins => Side::Thief,
        }
    }

    /// Returns the code of the value of a position that joins the set in `level`.
    pub(crate) fn code(self, level: Plies) -> u32 {
        if self.wins() { Value::Win(level) } else { Value::Loss(level) }.code()
    }
}

/// A value for each side to move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BySide<T>(pub(crate) [T; 2]);

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, side: Side) -> &T {
        &self.0[side as usize]
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    #[inline(always)]
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self.0[side as usize]
    }
}

/// Two sets that grow in the same pass: they read only the two sets of the other group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// [`Set::PoliceWins`] and [`Set::ThiefWins`].
    Wins,
    /// [`Set::PoliceLoses`] and [`Set::ThiefLoses`].
    Losses,
}

impl Group {
    pub(crate) const BOTH: [Group; 2] = [Group::Wins, Group::Losses];

    /// Returns the group that this one reads.
    pub(crate) fn other(self) -> Group {
        match self {
            Group::Wins => Group::Losses,
            Group::Losses => Group::Wins,
        }
    }

    /// Returns the two sets.
    pub(crate) fn sets(self) -> BySide<Set> {
        BySide(match self {
            Group::Wins => [Set::PoliceWins, Set::ThiefWins],
            Group::Losses => [Set::PoliceLoses, Set::ThiefLoses],
        })
    }
}
