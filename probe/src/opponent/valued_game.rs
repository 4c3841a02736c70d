//! Games in which opponents play: pursuit with exact values.

use crate::{Position, ProbeError, Table, moves::Choice};
use dragnet_formats::{
    board::Board,
    cell::Side,
    game::{MoveRows, MoveTable},
    rules::{Stuck, Undecided},
    value::{Plies, Value},
};

/// The most moves of a side in all worlds together that [`ValuedGame::moves`] reads of a table: about a
/// second of work. The moves of a king on the largest grid of all worlds are a seventh of that.
const MOST_READ: usize = 1 << 28;

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
    /// together, and none by which a piece stays; `None` if there are more than `most`, or to find them would
    /// take too long.
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

impl ValuedGame for Table {
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
        let worlds = self.header().worlds;
        let squares = places.squares().len();
        let mut numbers = vec![None; squares];
        (0..).zip(places.square_numbers()).for_each(|(place, square)| numbers[square as usize] = Some(place));
        let mut rows = MoveRows::new(places.count(), most);
        // The table of all moves of all worlds might take gigabytes.
        let (mut others, mut left) = (Vec::new(), MOST_READ);
        // The place from which each place was reached last.
        let mut reached = vec![u32::MAX; places.count()];
        for ((place, square), cell) in (0..).zip(places.square_numbers()).zip(places.cells()) {
            others.clear();
            reached[place as usize] = place;
            for world in 0..worlds {
                let differences = self.table_game().differences(side, world, cell);
                left = left.checked_sub(differences.len())?;
                let origin = world as usize * squares + square as usize;
                for &difference in differences {
                    let to = origin.checked_add_signed(difference as isize)?;
                    let to: u32 = numbers[to % squares].filter(|_| to < worlds as usize * squares)?;
                    if reached[to as usize] != place {
                        reached[to as usize] = place;
                        others.push(to);
                    }
                }
            }
            others.sort_unstable();
            rows.push(others.iter().copied()).ok()?;
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
