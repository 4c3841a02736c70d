//! The reasons why rules cannot be played.

use super::movement::MoveSet;
use crate::{cell::Side, pieces::PiecesError};

/// The reason why rules cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// No officer, or too many.
    #[error(transparent)]
    Pieces(#[from] PiecesError),
    /// No step, or no reach.
    #[error("expected at least 1 for the {rule} of the {side}, found 0")]
    Zero {
        /// `steps` or `reach`.
        rule: &'static str,
        /// The side that cannot move.
        side: Side,
    },
    /// A limit for the repetitions of a step that has none.
    #[error(
        "expected a reach of 1 for the {side}, who glides as far as nothing stops a piece; found {found}"
    )]
    GlideReach {
        /// The side that glides.
        side: Side,
        /// The reach.
        found: u8,
    },
    /// Steps along edges on a board of squares, or other steps on a graph.
    #[error("expected {expected} for the {of}: the board is {board}")]
    MovesOnBoard {
        /// The moves that the board allows.
        expected: &'static str,
        /// The moves or captures of a side, in words.
        of: &'static str,
        /// The kind of board.
        board: &'static str,
    },
    /// A rule of boards of squares that has no meaning on a graph.
    #[error("expected no {rule} on a graph: only boards of squares have {what}")]
    SquaresOnly {
        /// The rule.
        rule: &'static str,
        /// The part of a board of squares that the rule is about.
        what: &'static str,
    },
    /// More offsets than a set of steps may have.
    #[error("expected at most {} offsets for the {of}, found {found}", MoveSet::MAX_OFFSETS)]
    TooManyOffsets {
        /// The moves or captures of a side, in words.
        of: &'static str,
        /// The number of offsets.
        found: usize,
    },
    /// An offset that is staying, which is not a step.
    #[error("the {of} have the offset [0, 0]; staying is not a step: may_pass allows it")]
    ZeroOffset {
        /// The moves or captures of a side, in words.
        of: &'static str,
    },
    /// An offset that occurs twice.
    #[error("the {of} have the offset [{}, {}] twice", offset.0, offset.1)]
    RepeatedOffset {
        /// The moves or captures of a side, in words.
        of: &'static str,
        /// The offset.
        offset: (i16, i16),
    },
}
