//! The moves of a side, as data.

use serde::{Deserialize, Serialize};

/// The moves of one side.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Movement {
    /// The steps.
    pub moves: MoveSet,
    /// Whether a piece may stay where it is; `true` if a rules file does not say.
    #[serde(default = "yes")]
    pub may_pass: bool,
    /// The most steps of a move, at least 1. Each may be repeated up to `reach` times, is a legal step, and
    /// no piece is in the way of another: a piece that is stepped over is not captured, and an exit that the
    /// thief leaves again is no escape.
    #[serde(default = "one")]
    pub steps: u8,
    /// The most times that a step may be taken in its direction, at least 1: a king's step with a reach of 7
    /// is a queen's on a chess board. All squares on the way must be open.
    #[serde(default = "one")]
    pub reach: u8,
}

fn yes() -> bool {
    true
}

fn one() -> u8 {
    1
}

impl Movement {
    /// Creates the moves that are single steps of `moves`; the side may pass.
    #[must_use]
    pub const fn new(moves: MoveSet) -> Movement {
        Movement { moves, may_pass: true, steps: 1, reach: 1 }
    }

    /// Returns these moves without passing: the side must move if it can.
    #[must_use]
    pub fn without_pass(self) -> Movement {
        Movement { may_pass: false, ..self }
    }
}

/// The steps of a side.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MoveSet {
    /// The 8 neighbours.
    King,
    /// The 4 neighbours in row and column.
    Orthogonal,
    /// The 4 diagonal neighbours.
    Diagonal,
    /// A chess knight's 8 leaps.
    Knight,
    /// Any list of (rows down, columns right).
    Offsets(Vec<(i16, i16)>),
    /// The edges of the graph that is the board.
    Edges,
}

impl MoveSet {
    /// The most offsets that [`MoveSet::Offsets`] may hold.
    pub const MAX_OFFSETS: usize = 255;

    /// Returns the steps as (rows down, columns right); none for [`MoveSet::Edges`], which depend on the
    /// board.
    #[must_use]
    pub fn offsets(&self) -> &[(i16, i16)] {
        match self {
            MoveSet::King => &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)],
            MoveSet::Orthogonal => &[(-1, 0), (0, -1), (0, 1), (1, 0)],
            MoveSet::Diagonal => &[(-1, -1), (-1, 1), (1, -1), (1, 1)],
            MoveSet::Knight => &[(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)],
            MoveSet::Offsets(list) => list,
            MoveSet::Edges => &[],
        }
    }
}
