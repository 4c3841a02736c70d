//! The sets of decided positions, and their bits.

use dragnet_formats::{
    cell::Side,
    value::{Plies, Value},
};

/// A set of decided positions. Only the next level of one set depends on another: police wins on thief loses, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// Police to move, won for it: some move into [`Set::ThiefLoses`].
    PoliceWins,
    /// Police to move, lost for it: every move into [`Set::ThiefWins`].
    PoliceLoses,
    /// Thief to move, won for it: some move into [`Set::PoliceLoses`].
    ThiefWins,
    /// Thief to move, lost for it: every move into [`Set::PoliceWins`].
    ThiefLoses,
}

impl Set {
    pub(super) const COUNT: usize = 4;

    pub(super) fn mover(self) -> Side {
        match self {
            Set::PoliceWins | Set::PoliceLoses => Side::Police,
            Set::ThiefWins | Set::ThiefLoses => Side::Thief,
        }
    }

    /// Whether one move is enough, or all are needed.
    pub(super) fn wins(self) -> bool {
        matches!(self, Set::PoliceWins | Set::ThiefWins)
    }

    /// The code of a position that joins the set in `level`.
    pub(super) fn code(self, level: Plies) -> u32 {
        if self.wins() { Value::Win(level) } else { Value::Loss(level) }.code()
    }
}

/// Sets that grow in one pass: they read the other two only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Wins,
    Losses,
}

impl Group {
    pub(super) const BOTH: [Group; 2] = [Group::Wins, Group::Losses];

    pub(super) fn other(self) -> Group {
        match self {
            Group::Wins => Group::Losses,
            Group::Losses => Group::Wins,
        }
    }

    /// By side to move.
    pub(super) fn sets(self) -> [Set; 2] {
        match self {
            Group::Wins => [Set::PoliceWins, Set::ThiefWins],
            Group::Losses => [Set::PoliceLoses, Set::ThiefLoses],
        }
    }
}

/// The numbers of the bits that are set, rising.
#[inline(always)]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        (word != 0).then(|| {
            word &= word - 1;
            bit as usize
        })
    })
}

/// The first `count` bits.
pub(super) fn first(count: usize) -> u64 {
    if count >= 64 { !0 } else { (1 << count) - 1 }
}
