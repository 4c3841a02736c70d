//! Games in which opponents play: pursuit with exact values, with or without doors.

use crate::{DoorTable, Position, ProbeError, Table, moves::Choice};
use dragnet_formats::{
    board::Board,
    cell::Side,
    doors::DoorPosition,
    rules::Rules,
    value::{Plies, Value},
};
use std::{fmt::Debug, hash::Hash};

/// A game of pursuit with the exact value of every position: a [`Table`], a [`DoorTable`], or a program's own
/// choice among tables.
pub trait ValuedGame {
    /// A position: the pieces and the side to move, and what else the game knows.
    type Position: Copy + Debug + Eq + Hash;

    /// Returns the board, with all doors open.
    fn board(&self) -> &Board;

    /// Returns the rules.
    fn rules(&self) -> &Rules;

    /// Returns the longest win of either side, in plies, or a little more.
    fn longest(&self) -> Plies;

    /// Returns the pieces and the side to move.
    fn pieces(position: Self::Position) -> Position;

    /// Returns the position with other pieces and all else as it is.
    #[must_use]
    fn with_pieces(position: Self::Position, pieces: Position) -> Self::Position;

    /// Returns the value of a position for the side to move.
    ///
    /// # Errors
    /// When there is no such position, or the table is damaged.
    fn value(&self, position: Self::Position) -> Result<Value, ProbeError>;

    /// Returns the side that has won the position without a move, if any.
    ///
    /// # Errors
    /// When there is no such position.
    fn winner(&self, position: Self::Position) -> Result<Option<Side>, ProbeError>;

    /// Puts every legal move into `choices`, in place of what is there, best first: quick wins, slow wins,
    /// draws, slow losses, quick losses; equals in reading order.
    ///
    /// # Errors
    /// When there is no such position, or the table is damaged.
    fn best_moves_into(
        &self,
        position: Self::Position,
        choices: &mut Vec<Choice<Self::Position>>,
    ) -> Result<(), ProbeError>;

    /// Returns the values of many positions, in their order.
    ///
    /// # Errors
    /// When there is no position like one of them, or the table is damaged.
    fn values(&self, positions: &[Self::Position]) -> Result<Vec<Value>, ProbeError> {
        positions.iter().map(|&position| self.value(position)).collect()
    }
}

impl<D: AsRef<[u8]>> ValuedGame for Table<D> {
    type Position = Position;

    fn board(&self) -> &Board {
        self.board()
    }

    fn rules(&self) -> &Rules {
        self.rules()
    }

    fn longest(&self) -> Plies {
        let longest = self.header().summary.longest;
        longest.police.max(longest.thief)
    }

    fn pieces(position: Position) -> Position {
        position
    }

    fn with_pieces(_: Position, pieces: Position) -> Position {
        pieces
    }

    fn value(&self, position: Position) -> Result<Value, ProbeError> {
        self.value(position)
    }

    fn winner(&self, position: Position) -> Result<Option<Side>, ProbeError> {
        self.winner(position)
    }

    fn best_moves_into(&self, position: Position, choices: &mut Vec<Choice>) -> Result<(), ProbeError> {
        self.best_moves_into(position, choices)
    }

    fn values(&self, positions: &[Position]) -> Result<Vec<Value>, ProbeError> {
        self.values(positions)
    }
}

impl<D: AsRef<[u8]>> ValuedGame for DoorTable<D> {
    type Position = DoorPosition;

    fn board(&self) -> &Board {
        self.game().board()
    }

    fn rules(&self) -> &Rules {
        self.game().rules()
    }

    fn longest(&self) -> Plies {
        self.table().summary().longest()
    }

    fn pieces(position: DoorPosition) -> Position {
        Position::new(position.police, position.thief, position.turn)
    }

    fn with_pieces(position: DoorPosition, pieces: Position) -> DoorPosition {
        DoorPosition { police: pieces.police.cell(), thief: pieces.thief, turn: pieces.turn, ..position }
    }

    fn value(&self, position: DoorPosition) -> Result<Value, ProbeError> {
        self.value(position)
    }

    fn winner(&self, position: DoorPosition) -> Result<Option<Side>, ProbeError> {
        self.winner(position)
    }

    fn best_moves_into(
        &self,
        position: DoorPosition,
        choices: &mut Vec<Choice<DoorPosition>>,
    ) -> Result<(), ProbeError> {
        self.best_moves_into(position, choices)
    }
}
