//! Games in which opponents play: pursuit with exact values, with or without doors.

use crate::{DoorTable, Position, ProbeError, Table, moves::Choice};
use dragnet_formats::{
    board::Board,
    cell::Side,
    doors::DoorPosition,
    game::{MoveRows, MoveTable},
    moves::Steps,
    rules::{Stuck, Undecided},
    stop::StopCheck,
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

    /// Returns the value of a position whose side to move has no move.
    fn stuck(&self) -> Stuck;

    /// Returns the side for which a position counts that neither side can win by force.
    fn undecided(&self) -> Undecided;

    /// Returns a number that is equal for equal games, such as the content digest.
    fn digest(&self) -> u64;

    /// Returns the moves of a side from each open cell, numbered in reading order, as if all doors were open
    /// and no piece could stay; `None` if there are more than `most`.
    fn moves(&self, side: Side, most: u32) -> Option<MoveTable>;

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

    fn stuck(&self) -> Stuck {
        self.header().stuck
    }

    fn undecided(&self) -> Undecided {
        self.undecided()
    }

    fn digest(&self) -> u64 {
        self.header().summary.digest
    }

    fn moves(&self, side: Side, most: u32) -> Option<MoveTable> {
        let kind = self.header().kind(side);
        // Instinct knows squares: pieces that look somewhere have none.
        if kind.places != self.board().places() {
            return None;
        }
        let with_stays = most.saturating_add(kind.places.count() as u32);
        let moves = self.move_table(side, with_stays, &mut StopCheck::never()).ok()?;
        let mut rows = MoveRows::new(moves.places(), most);
        for place in 0..moves.places() {
            let others = moves.of(place).iter().copied().filter(|&to| to as usize != place);
            rows.push(others).ok()?;
        }
        Some(rows.finish())
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

    fn stuck(&self) -> Stuck {
        self.game().rules().stuck
    }

    fn undecided(&self) -> Undecided {
        self.game().rules().undecided
    }

    fn digest(&self) -> u64 {
        self.table().summary().digest
    }

    fn moves(&self, side: Side, most: u32) -> Option<MoveTable> {
        let mut rules = self.game().rules().clone();
        let movement = match side {
            Side::Police => &mut rules.police,
            Side::Thief => &mut rules.thief,
        };
        movement.may_pass = false;
        MoveTable::at_most(self.game().board(), &Steps::new(&rules, side), most).ok()
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
