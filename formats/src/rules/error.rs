//! What is wrong with rules that cannot be played.

use super::movement::MoveSet;
use crate::{cell::Side, pieces::PiecesError};

/// Why rules cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// No officer at all, or too many.
    #[error(transparent)]
    Pieces(#[from] PiecesError),
    /// No step at all.
    #[error("expected at least 1 for the {rule} of the {side}, found 0")]
    Zero {
        /// `steps` or `reach`.
        rule: &'static str,
        /// Whose.
        side: Side,
    },
    /// Steps along edges on a board of squares, or others on a graph.
    #[error("expected {expected} for the moves of the {side}: the board is {board}")]
    MovesOnBoard {
        /// What the board takes.
        expected: &'static str,
        /// Whose moves.
        side: Side,
        /// What it is.
        board: &'static str,
    },
    /// A rule of boards of squares that says nothing on a graph.
    #[error("expected no {rule} on a graph: only boards of squares have {what}")]
    SquaresOnly {
        /// The rule.
        rule: &'static str,
        /// What it is about.
        what: &'static str,
    },
    /// More offsets than a side may have.
    #[error("expected at most {} offsets for the {side}, found {found}", MoveSet::MAX_OFFSETS)]
    TooManyOffsets {
        /// Whose offsets.
        side: Side,
        /// How many there are.
        found: usize,
    },
    /// Staying is not a step.
    #[error("the {side} has the offset [0, 0]; staying is not a step: set may_pass instead")]
    ZeroOffset {
        /// Whose offsets.
        side: Side,
    },
    /// One offset stands twice.
    #[error("the {side} has the offset [{}, {}] twice", offset.0, offset.1)]
    RepeatedOffset {
        /// Whose offsets.
        side: Side,
        /// The offset.
        offset: (i16, i16),
    },
}
