//! The reasons why rules cannot be played.

use super::move_set::MoveSet;
use super::terrain::Loot;
use crate::{
    cell::{Cell, Side},
    pieces::PiecesError,
};

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
    /// A number of officers for rules with several kinds of them.
    #[error(
        "expected no number of officers beside rules with several kinds of them, whose blocks have a count each"
    )]
    SeveralKinds,
    /// A letter of the board that no rule explains.
    #[error(
        "cell {cell} has the letter {letter:?}; expected one that a rule explains: ground, ways, cover, opaque, loot or start"
    )]
    Letter {
        /// The cell.
        cell: Cell,
        /// The letter.
        letter: char,
    },
    /// A number of directions in which nobody looks.
    #[error("expected 4 or 8 directions to look in, found {found}")]
    Look {
        /// The number of directions.
        found: u8,
    },
    /// Officers who look, on a board whose edges are joined.
    #[error("expected no wrap with officers who look: a step over a joined edge has no one direction")]
    LookWrap,
    /// A cone without a direction.
    #[error("expected no angle of sight, or officers who look (look = 4 or 8)")]
    AngleWithoutLook,
    /// A rule of officers that a thief does not have.
    #[error("expected no {rule} for the thief: it is a rule of officers")]
    OfficersOnly {
        /// The rule.
        rule: &'static str,
    },
    /// Ground on which officers wait, of whom only one moves in a turn.
    #[error(
        "expected team = \"all\" with ground that takes officers more than 1 turn: who waits has to move"
    )]
    SlowTeam,
    /// Shadows on a board with thin walls.
    #[error("expected lines = \"supercover\" for sight on a board with thin walls, found shadows")]
    ThinShadows,
    /// A letter of loot that no square has.
    #[error("expected squares with the letter {letter:?} of the loot, found none")]
    NoLoot {
        /// The letter.
        letter: char,
    },
    /// More loot than a thief can keep.
    #[error("expected at most {} squares with loot, or letters of it in order, found {found}", Loot::MAX)]
    MuchLoot {
        /// The number of squares or letters.
        found: usize,
    },
    /// A need that cannot be met.
    #[error("expected a need of 1 to {most} of the loot, found {found}")]
    LootNeeded {
        /// The most loot there is.
        most: usize,
        /// The number needed.
        found: u8,
    },
    /// Layers that make a grid too large: directions or loot, times turns on ground.
    #[error(
        "expected at most 256 layers of a kind, for directions, loot and turns to wait, of at most 65,535 rows and \
         4,194,304 squares in all; found {layers} layers, {rows} rows and {squares} squares"
    )]
    Layers {
        /// The most layers of a kind.
        layers: u64,
        /// The most rows of a side.
        rows: u64,
        /// The most squares of a kind.
        squares: u64,
    },
    /// A limit that is none.
    #[error("expected a limit of 1 to 4095 plies, found {found}")]
    Limit {
        /// The number of plies.
        found: u16,
    },
    /// A rule by which a place is more than a cell, or the game has several worlds.
    #[error(
        "expected no {rule}: policies and cop numbers are of games in which a piece has one place on each cell"
    )]
    NotOnCells {
        /// The rule.
        rule: &'static str,
    },
}
