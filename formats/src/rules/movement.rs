//! The moves of a side, as data.

use super::{
    capture::Capture,
    move_set::MoveSet,
    terrain::{Ground, Letter},
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt};

/// The moves of one side, or of one kind of officers, and what else is said of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Movement {
    /// The steps.
    pub moves: MoveSet,
    /// Whether a piece may stay where it is; `true` if a rules file does not say.
    pub may_pass: bool,
    /// The most steps of a move, at least 1. Each may be repeated up to `reach` times, is a legal step, and
    /// no piece is in the way of another: a piece that is stepped over is not captured, and an exit that the
    /// thief leaves again is no escape.
    pub steps: u8,
    /// The most times that a step may be taken in its direction, at least 1: a king's step with a reach of 7
    /// is a queen's on a chess board. All squares on the way must be open.
    pub reach: u8,
    /// Whether a piece glides, as on ice: a step is repeated in its direction, without a limit, until the
    /// next one is not allowed, and the piece stops there and nowhere before. Needs a `reach` of 1. Absent
    /// from JSON if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub glide: bool,
    /// The number of directions in which an officer looks, 4 or 8; absent from JSON if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look: Option<u8>,
    /// The cost of letters of the board for these pieces, if it is not that for all.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub ground: BTreeMap<Letter, Ground>,
    /// How these officers capture, if that is not what the rules say of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture: Option<Capture>,
    /// The name of a piece, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The letter of the squares on which these officers start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Letter>,
}

impl Movement {
    /// Creates the moves that are single steps of `moves`; the side may pass.
    #[must_use]
    pub const fn new(moves: MoveSet) -> Movement {
        Movement {
            moves,
            may_pass: true,
            steps: 1,
            reach: 1,
            glide: false,
            look: None,
            ground: BTreeMap::new(),
            capture: None,
            name: None,
            start: None,
        }
    }

    /// Returns these moves without passing: the side must move if it can.
    #[must_use]
    pub fn without_pass(self) -> Movement {
        Movement { may_pass: false, ..self }
    }

    /// Returns the most cells to which a step and its repetitions lead on a board of squares.
    #[must_use]
    pub fn most_targets(&self) -> u64 {
        self.moves.offsets().len() as u64 * u64::from(self.reach)
    }

    /// Returns the most rows and the most columns by which a piece moves in a turn on a board of squares.
    #[must_use]
    pub fn farthest(&self) -> (u64, u64) {
        let repeated = if self.glide { u16::MAX.into() } else { u64::from(self.reach) };
        let steps = u64::from(self.steps) * repeated;
        let longest = |of: fn(&(i16, i16)) -> i16| {
            let lengths = self.moves.offsets().iter().map(|offset| u64::from(of(offset).unsigned_abs()));
            lengths.max().unwrap_or(0) * steps
        };
        (longest(|&(down, _)| down), longest(|&(_, right)| right))
    }
}

impl fmt::Display for Movement {
    /// Writes the moves in words, as in `king up to 7 times in a direction or pass`.
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.moves.fmt(text)?;
        if self.reach > 1 {
            write!(text, " up to {} times in a direction", self.reach)?;
        }
        if self.glide {
            text.write_str(" as far as nothing stops it")?;
        }
        if self.steps > 1 {
            write!(text, ", up to {} steps", self.steps)?;
        }
        if let Some(directions) = self.look {
            write!(text, ", looking in one of {directions} directions")?;
        }
        text.write_str(if self.may_pass { " or pass" } else { "" })
    }
}
