//! Every legal move with its value.

use crate::{Position, ProbeError, Table};
use dragnet_formats::{cell::Cell, value::Value};

/// A legal move and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Where the piece goes.
    pub to: Cell,
    /// The position after the move.
    pub position: Position,
    /// The value of that position, seen by its side to move, the opponent: a move to a loss in 3 wins in 4.
    pub value: Value,
}

impl Table {
    /// Every legal move, best first: quick wins, slow wins, draws, slow losses, quick losses; equals in reading order.
    /// Empty if the game is over or the side to move is stuck.
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged.
    pub fn best_moves(&self, position: Position) -> Result<Vec<Choice>, ProbeError> {
        self.check_position(position)?;
        if self.terminal(position.police, position.thief).is_some() {
            return Ok(Vec::new());
        }
        let steps = self.steps(position.turn);
        let mut moves = Vec::with_capacity(steps.most_moves());
        steps.moves_from(self.board(), position.mover(), &mut moves);
        let mut choices = Vec::with_capacity(moves.len());
        for to in moves {
            let after = position.after(to);
            choices.push(Choice { to, position: after, value: self.value_unchecked(after)? });
        }
        choices.sort_by(|a, b| a.value.compare_for_mover(b.value));
        Ok(choices)
    }
}
