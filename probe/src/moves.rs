//! Every legal move with its value.

use crate::{Position, ProbeError, Table, placement::winner};
use dragnet_formats::{
    cell::Side,
    pieces::Pieces,
    value::{Outcome, Value},
};

/// A legal move and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Where the piece goes; where all officers stand then, if there are several.
    pub to: Pieces,
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
        let (police, thief) = self.placement().place(position)?;
        Ok(winner(&police, &thief))
    }

    /// Every legal move, best first: quick wins, slow wins, draws, slow losses, quick losses; equals in reading order.
    /// Empty if the game is over or the side to move is stuck.
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged.
    pub fn best_moves(&self, position: Position) -> Result<Vec<Choice>, ProbeError> {
        let (police, thief) = self.placement().place(position)?;
        if winner(&police, &thief).is_some() {
            return Ok(Vec::new());
        }
        let mut lookup = self.lookup();
        let turn = position.turn.other();
        let mut choices = Vec::new();
        match position.turn {
            Side::Police => {
                let replies = self.placement().thief_moves(thief.cell);
                let moves = self.placement().team_moves(&police.officers);
                choices.reserve_exact(moves.len());
                for police in &moves {
                    let value = match winner(police, &thief) {
                        Some(winner) => Value::terminal(winner, turn),
                        None => lookup.before_replies(police, &replies)?,
                    };
                    choices.push(Choice {
                        to: police.officers,
                        position: position.after(police.officers),
                        value,
                    });
                }
            }
            Side::Thief => {
                let moves = self.placement().thief_moves(thief.cell);
                choices.reserve_exact(moves.len());
                for thief in &moves {
                    let value = match winner(&police, thief) {
                        Some(winner) => Value::terminal(winner, turn),
                        None => lookup.value(&police, thief)?,
                    };
                    choices.push(Choice {
                        to: thief.cell.into(),
                        position: position.after(thief.cell),
                        value,
                    });
                }
            }
        }
        choices.sort_by(|a, b| a.value.compare_for_mover(b.value));
        Ok(choices)
    }

    /// Who wins the position in the end; a draw counts for whom the rules say.
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged.
    pub fn outcome(&self, position: Position) -> Result<Outcome, ProbeError> {
        Ok(self.value(position)?.outcome(position.turn).counted(self.rules().undecided))
    }
}
