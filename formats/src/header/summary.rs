//! The summary of all values of a table: counts, longest wins, content digest.

use crate::{
    cell::Side,
    digest::digest_term,
    value::{Outcome, Plies, Value},
};
use serde::{Deserialize, Serialize};

/// The number of positions with each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Counts {
    /// The positions that the police wins.
    pub police: u64,
    /// The positions that the thief wins.
    pub thief: u64,
    /// The positions that neither side can win.
    pub draw: u64,
}

impl Counts {
    /// Adds `n` positions with this outcome.
    #[inline]
    pub fn add(&mut self, outcome: Outcome, n: u64) {
        match outcome {
            Outcome::Police => self.police += n,
            Outcome::Thief => self.thief += n,
            Outcome::Draw => self.draw += n,
        }
    }

    /// Returns the number of positions, at most `u64::MAX` for absurd counts.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.police.saturating_add(self.thief).saturating_add(self.draw)
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.police += other.police;
        self.thief += other.thief;
        self.draw += other.draw;
    }
}

/// The longest win of each side, in plies; 0 if the side wins no position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Longest {
    /// The greatest DTW of a position that the police wins.
    pub police: Plies,
    /// The greatest DTW of a position that the thief wins.
    pub thief: Plies,
}

impl Longest {
    /// Adds a position won by `outcome` in `dtw` plies. A draw has no distance and changes nothing.
    #[inline]
    pub fn add(&mut self, outcome: Outcome, dtw: Plies) {
        match outcome {
            Outcome::Police => self.police = self.police.max(dtw),
            Outcome::Thief => self.thief = self.thief.max(dtw),
            Outcome::Draw => {}
        }
    }
}

/// The counts, longest wins and digest of a pursuit table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Summary {
    /// The outcomes of the positions with the police to move.
    pub police_to_move: Counts,
    /// The outcomes of the positions with the thief to move.
    pub thief_to_move: Counts,
    /// The longest wins, with either side to move.
    pub longest: Longest,
    /// The content digest: the wrapping sum of [`digest_term`](crate::digest::digest_term).
    pub digest: u64,
}

impl Summary {
    /// Returns the summary of a table with this many positions for each side to move, every one a draw, and
    /// with digest 0: for headers of which only board, rules and numbering matter.
    #[must_use]
    pub fn of_draws(positions: u64) -> Summary {
        let draws = Counts { draw: positions, ..Counts::default() };
        Summary { police_to_move: draws, thief_to_move: draws, ..Summary::default() }
    }

    /// Adds the position with the police to move that has this number in the digest, and this value.
    #[inline]
    pub fn add_police_to_move(&mut self, number: u64, value: Value) {
        let outcome = value.outcome(Side::Police);
        self.police_to_move.add(outcome, 1);
        self.longest.add(outcome, value.dtw().unwrap_or(0));
        self.digest = self.digest.wrapping_add(digest_term(number, value.code()));
    }

    /// Adds a position with the thief to move and this value.
    #[inline]
    pub fn add_thief_to_move(&mut self, value: Value) {
        let outcome = value.outcome(Side::Thief);
        self.thief_to_move.add(outcome, 1);
        self.longest.add(outcome, value.dtw().unwrap_or(0));
    }

    /// Adds the summary of other positions of the table.
    pub fn merge(&mut self, other: &Summary) {
        self.police_to_move += other.police_to_move;
        self.thief_to_move += other.thief_to_move;
        self.longest.police = self.longest.police.max(other.longest.police);
        self.longest.thief = self.longest.thief.max(other.longest.thief);
        self.digest = self.digest.wrapping_add(other.digest);
    }
}
