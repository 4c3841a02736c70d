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
    pub(super) const ALL: [Set; Set::COUNT] =
        [Set::PoliceWins, Set::PoliceLoses, Set::ThiefWins, Set::ThiefLoses];

    /// The other set with the same side to move.
    pub(super) fn rival(self) -> Set {
        match self {
            Set::PoliceWins => Set::PoliceLoses,
            Set::PoliceLoses => Set::PoliceWins,
            Set::ThiefWins => Set::ThiefLoses,
            Set::ThiefLoses => Set::ThiefWins,
        }
    }

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

/// The numbers of the bits that are set, rising.
#[inline(always)]
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
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
