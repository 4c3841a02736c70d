//! The value of a position, and how it follows from the values of its successors.

use crate::{
    cell::Side,
    rules::{Stuck, Undecided},
};
use serde::{Deserialize, Serialize};
use std::{cmp::Ordering, fmt};

/// The side that wins a position of a pursuit game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The police wins.
    Police,
    /// The thief wins.
    Thief,
    /// Neither side can force a win.
    Draw,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Police => "police",
            Outcome::Thief => "thief",
            Outcome::Draw => "draw",
        })
    }
}

impl Outcome {
    /// Returns the outcome with a draw counted for the side that the rules say.
    #[must_use]
    pub fn counted(self, undecided: Undecided) -> Outcome {
        match (self, undecided) {
            (Outcome::Draw, Undecided::Police) => Outcome::Police,
            (Outcome::Draw, Undecided::Thief) => Outcome::Thief,
            _ => self,
        }
    }

    /// Returns the side that wins, or `None` for a draw.
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::Police => Some(Side::Police),
            Outcome::Thief => Some(Side::Thief),
            Outcome::Draw => None,
        }
    }
}

impl From<Side> for Outcome {
    fn from(winner: Side) -> Outcome {
        match winner {
            Side::Police => Outcome::Police,
            Side::Thief => Outcome::Thief,
        }
    }
}

/// A distance in plies, at most [`MAX_DTW`]. A ply is one turn of one side.
pub type Plies = u32;

/// The greatest distance that a table can hold.
pub const MAX_DTW: Plies = (1 << 30) - 1;

/// A value as one signed number: see [`Value::score_for_mover`].
pub type Score = i32;

/// A score above every distance.
const BEYOND: Score = MAX_DTW as Score + 1;

/// The value of a position, seen by the side to move, with its distance to win (DTW) in plies: the winner
/// takes the quickest way, the loser the slowest.
///
/// ```
/// use dragnet_formats::{cell::Side, value::{Outcome, Value}};
///
/// let value = Value::Win(9);
/// assert_eq!(value.outcome(Side::Police), Outcome::Police);
/// assert_eq!(value.dtw(), Some(9));
/// assert_eq!(Value::from_code(value.code()), Some(value));
/// assert_eq!(value.one_ply_before(), Value::Loss(10));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins.
    Win(Plies),
    /// Neither side can force a win.
    Draw,
    /// The side to move loses.
    Loss(Plies),
}

impl Value {
    /// Returns the number that stands for the value in files and digests: 0 for a draw, else 1 + 2·dtw, plus
    /// 1 for a win.
    #[must_use]
    #[inline]
    pub fn code(self) -> u32 {
        match self {
            Value::Draw => 0,
            Value::Loss(dtw) => 1 + 2 * dtw,
            Value::Win(dtw) => 2 + 2 * dtw,
        }
    }

    /// Returns the value that `code` stands for, or `None` if its distance is greater than [`MAX_DTW`].
    #[must_use]
    #[inline]
    pub fn from_code(code: u32) -> Option<Value> {
        let dtw = code.wrapping_sub(1) >> 1;
        match (code, code & 1) {
            (0, _) => Some(Value::Draw),
            _ if dtw > MAX_DTW => None,
            (_, 1) => Some(Value::Loss(dtw)),
            _ => Some(Value::Win(dtw)),
        }
    }

    /// Returns the distance to win, or `None` for a draw.
    #[must_use]
    #[inline]
    pub fn dtw(self) -> Option<Plies> {
        match self {
            Value::Draw => None,
            Value::Win(dtw) | Value::Loss(dtw) => Some(dtw),
        }
    }

    /// Returns the side that wins if `turn` is to move.
    #[must_use]
    #[inline]
    pub fn outcome(self, turn: Side) -> Outcome {
        match self {
            Value::Draw => Outcome::Draw,
            Value::Win(_) => turn.into(),
            Value::Loss(_) => turn.other().into(),
        }
    }

    /// Returns the value of a terminal position in which `winner` has won and `turn` would be to move.
    #[must_use]
    #[inline]
    pub fn terminal(winner: Side, turn: Side) -> Value {
        if winner == turn { Value::Win(0) } else { Value::Loss(0) }
    }

    /// Returns how good the position is for the side that has just moved into it: positive if that side wins,
    /// greater for a shorter win; negative if it loses, less negative for a longer loss; 0 for a draw. With
    /// scores a side's choice is a maximum, and the change of sides a change of sign. A distance greater than
    /// [`MAX_DTW`] counts as [`MAX_DTW`].
    #[must_use]
    #[inline]
    pub fn score_for_mover(self) -> Score {
        match self {
            Value::Loss(dtw) => BEYOND - dtw.min(MAX_DTW) as Score,
            Value::Draw => 0,
            Value::Win(dtw) => dtw.min(MAX_DTW) as Score - BEYOND,
        }
    }

    /// Returns the value with this [score](Value::score_for_mover).
    #[must_use]
    #[inline]
    pub fn from_score(score: Score) -> Value {
        let dtw = BEYOND.saturating_sub(score.saturating_abs()).max(0) as Plies;
        match score {
            0 => Value::Draw,
            1.. => Value::Loss(dtw),
            _ => Value::Win(dtw),
        }
    }

    /// Returns the value of the position seen by the side that is not to move.
    #[must_use]
    #[inline]
    pub fn for_other_side(self) -> Value {
        match self {
            Value::Win(dtw) => Value::Loss(dtw),
            Value::Draw => Value::Draw,
            Value::Loss(dtw) => Value::Win(dtw),
        }
    }

    /// Returns the value of a position whose best successor has this value: seen by the other side, one ply
    /// longer. No real game comes near [`MAX_DTW`]; the distance in a forged table stays within it.
    #[must_use]
    #[inline]
    pub fn one_ply_before(self) -> Value {
        let longer = |dtw: Plies| dtw.saturating_add(1).min(MAX_DTW);
        match self {
            Value::Loss(dtw) => Value::Win(longer(dtw)),
            Value::Draw => Value::Draw,
            Value::Win(dtw) => Value::Loss(longer(dtw)),
        }
    }

    /// Compares two successors of a position, each seen by the *opponent*, who is to move there. The better
    /// one for the mover is `Less`, so that sorting puts the best move first: quick wins, slow wins, draws,
    /// slow losses, quick losses.
    #[must_use]
    #[inline]
    pub fn compare_for_mover(self, other: Value) -> Ordering {
        other.score_for_mover().cmp(&self.score_for_mover())
    }
}

/// The best value among a position's successors, each seen by the opponent who is to move there.
///
/// ```
/// use dragnet_formats::{rules::Stuck, value::{Successors, Value}};
///
/// let mut successors = Successors::default();
/// successors.add(Value::Win(4));
/// assert_eq!(successors.value(Stuck::Loses), Value::Loss(5));
/// successors.add(Value::Loss(2));
/// assert_eq!(successors.value(Stuck::Loses), Value::Win(3));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Successors {
    /// The score of the best successor, or [`Successors::NONE`].
    best: Score,
}

impl Default for Successors {
    fn default() -> Successors {
        Successors { best: Successors::NONE }
    }
}

impl Successors {
    /// A score below every value's.
    const NONE: Score = Score::MIN;

    /// Adds one more successor.
    #[inline]
    pub fn add(&mut self, value: Value) {
        self.best = self.best.max(value.score_for_mover());
    }

    /// Returns the value of the position whose successors have been added; `stuck` decides if there were
    /// none.
    #[must_use]
    #[inline]
    pub fn value(self, stuck: Stuck) -> Value {
        if self.best == Successors::NONE {
            return stuck.value();
        }
        Value::from_score(self.best).one_ply_before()
    }
}

impl Stuck {
    /// Returns the value of a position without a move.
    #[must_use]
    pub fn value(self) -> Value {
        match self {
            Stuck::Loses => Value::Loss(0),
            Stuck::Wins => Value::Win(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[Value]) -> Value {
        let mut successors = Successors::default();
        values.iter().for_each(|&v| successors.add(v));
        successors.value(Stuck::Loses)
    }

    #[test]
    fn codes_round_trip_and_end_at_the_limit() {
        for value in [Value::Draw, Value::Win(0), Value::Loss(0), Value::Win(MAX_DTW), Value::Loss(MAX_DTW)] {
            assert_eq!(Value::from_code(value.code()), Some(value));
            assert_eq!(Value::from_score(value.score_for_mover()), value);
        }
        assert_eq!(Value::from_code(Value::Win(MAX_DTW).code() + 1), None);
        assert_eq!(Value::from_code(u32::MAX), None);
    }

    #[test]
    fn winner_takes_the_shortest_way_and_loser_the_longest() {
        use Value::{Draw, Loss, Win};
        assert_eq!(of(&[Win(3), Loss(4), Draw, Loss(2)]), Win(3));
        assert_eq!(of(&[Win(3), Draw, Win(9)]), Draw);
        assert_eq!(of(&[Win(3), Win(9), Win(0)]), Loss(10));
        assert_eq!(of(&[]), Loss(0));
        assert_eq!(Successors::default().value(Stuck::Wins), Win(0));
    }

    #[test]
    fn best_move_sorts_first() {
        use Value::{Draw, Loss, Win};
        let mut values = [Win(8), Draw, Loss(5), Win(2), Loss(1)];
        values.sort_by(|a, b| a.compare_for_mover(*b));
        assert_eq!(values, [Loss(1), Loss(5), Draw, Win(8), Win(2)]);
    }
}
