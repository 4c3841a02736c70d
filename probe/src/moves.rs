//! Every legal move with its value.

use crate::{
    Position, ProbeError, Table,
    lookup::{Lookup, Spots, winner},
};
use dragnet_formats::{
    cell::{Cell, Side},
    value::Value,
};

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

impl Choice {
    /// The value for the side that moves so: what its position would be worth if this were its only move.
    #[must_use]
    pub fn worth(&self) -> Value {
        self.value.one_ply_before()
    }
}

impl Table {
    /// Who has won the position without a move: the police with both on one cell, the thief on an exit. `None` if the game goes
    /// on, or ends because the side to move is stuck: then the position's DTW is 0.
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall.
    pub fn winner(&self, position: Position) -> Result<Option<Side>, ProbeError> {
        let (police, thief) = self.spots(position)?;
        Ok(winner(&police, &thief))
    }

    /// Every legal move, best first: quick wins, slow wins, draws, slow losses, quick losses; equals in reading order.
    /// Empty if the game is over or the side to move is stuck.
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged.
    pub fn best_moves(&self, position: Position) -> Result<Vec<Choice>, ProbeError> {
        let (police, thief) = self.spots(position)?;
        if winner(&police, &thief).is_some() {
            return Ok(Vec::new());
        }
        let mut lookup = Lookup::new(self);
        let moves = self.spots_from(position.turn, position.mover());
        let mut choices = Vec::with_capacity(moves.len());
        let replies = match position.turn {
            Side::Police => self.spots_from(Side::Thief, thief.cell),
            Side::Thief => Spots::new(),
        };
        for to in &moves {
            let turn = position.turn.other();
            let (police, thief) = match position.turn {
                Side::Police => (to, &thief),
                Side::Thief => (&police, to),
            };
            let value = match (winner(police, thief), turn) {
                (Some(winner), _) => Value::terminal(winner, turn),
                (None, Side::Police) => lookup.value(police, thief)?,
                (None, Side::Thief) => lookup.before_replies(police, &replies)?,
            };
            choices.push(Choice { to: to.cell, position: position.after(to.cell), value });
        }
        choices.sort_by(|a, b| a.value.compare_for_mover(b.value));
        Ok(choices)
    }
}
