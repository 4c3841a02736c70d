//! Games in which opponents play: pursuit with exact values.

use crate::{Position, ProbeError, Table, moves::Choice};
use dragnet_formats::{
    board::Board,
    cell::Side,
    game::{MoveRows, MoveTable},
    rules::{Stuck, Undecided},
    stop::StopCheck,
    value::{Plies, Value},
};

/// A game of pursuit with the exact value of every position: a [`Table`], or a program's own choice among
/// tables.
pub trait ValuedGame {
    /// Returns the board.
    fn board(&self) -> &Board;

    /// Returns the value of a position whose side to move has no move.
    fn stuck(&self) -> Stuck;

    /// Returns the side for which a position counts that neither side can win by force.
    fn undecided(&self) -> Undecided;

    /// Returns a number that is equal for equal games, such as the content digest.
    fn digest(&self) -> u64;

    /// Returns the moves of a side from each open cell, numbered in reading order, those of all worlds
    /// together, and none by which a piece stays; `None` if there are more than `most`.
    fn moves(&self, side: Side, most: u32) -> Option<MoveTable>;

    /// Returns the longest win of either side, in plies, or a little more.
    fn longest(&self) -> Plies;

    /// Returns the value of a position for the side to move.
    ///
    /// # Errors
    /// When there is no such position, or the table is damaged.
    fn value(&self, position: Position) -> Result<Value, ProbeError>;

    /// Returns the side that has won the position without a move, if any.
    ///
    /// # Errors
    /// When there is no such position.
    fn winner(&self, position: Position) -> Result<Option<Side>, ProbeError>;

    /// Puts every legal move into `choices`, in place of what is there, best first: quick wins, slow wins,
    /// draws, slow losses, quick losses; equals in reading order.
    ///
    /// # Errors
    /// When there is no such position, or the table is damaged.
    fn best_moves_into(&self, position: Position, choices: &mut Vec<Choice>) -> Result<(), ProbeError>;

    /// Returns the values of many positions, in their order.
    ///
    /// # Errors
    /// When there is no position like one of them, or the table is damaged.
    fn values(&self, positions: &[Position]) -> Result<Vec<Value>, ProbeError> {
        positions.iter().map(|&position| self.value(position)).collect()
    }
}

impl<D: AsRef<[u8]>> ValuedGame for Table<D> {
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
        let places = self.header().places(side);
        // Instinct knows squares: pieces that look somewhere, or are of several kinds, have none.
        if places != self.board().places() {
            return None;
        }
        let (worlds, places) = (self.header().worlds, places.count() as u32);
        let most_of_all = most.saturating_add(places).saturating_mul(worlds);
        let moves = self.move_table(side, most_of_all, &mut StopCheck::never()).ok()?;
        let mut rows = MoveRows::new(places as usize, most);
        for place in 0..places {
            let in_worlds = (0..worlds).flat_map(|world| moves.of_part(world, worlds, place));
            let mut others: Vec<u32> = in_worlds.map(|&to| to % places).filter(|&to| to != place).collect();
            others.sort_unstable();
            others.dedup();
            rows.push(others).ok()?;
        }
        Some(rows.finish())
    }

    fn longest(&self) -> Plies {
        let longest = self.header().summary.longest;
        longest.police.max(longest.thief)
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
