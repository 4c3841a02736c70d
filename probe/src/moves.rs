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
    /// The cell to which the piece goes, or the cells of all officers after the move if there are several.
    pub to: Pieces,
    /// The position after the move.
    pub position: Position,
    /// The value of that position, seen by its side to move, the opponent: a move to a loss in 3 wins in 4.
    pub value: Value,
}

impl Choice {
    /// Returns the value for the side that moves so: what its position would be worth if this were its only
    /// move.
    #[must_use]
    pub fn worth(&self) -> Value {
        self.value.one_ply_before()
    }
}

impl Table {
    /// Returns the side that has won the position without a move: the police with both on one cell, the thief
    /// on an exit. `None` if the game goes on, or ends because the side to move is stuck: then the position's
    /// DTW is 0.
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall.
    pub fn winner(&self, position: Position) -> Result<Option<Side>, ProbeError> {
        let (police, thief) = self.placement().place(position)?;
        Ok(winner(&police, &thief))
    }

    /// Returns every legal move, best first: quick wins, slow wins, draws, slow losses, quick losses; equals
    /// in reading order. Empty if the position is terminal or the side to move is stuck.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Position, Side, Table, Value};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Table::open(path)?;
    /// let moves = table.best_moves(Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police))?;
    /// assert_eq!((moves[0].to.cell(), moves[0].value), (Cell::new(1, 0), Value::Loss(4)));
    /// assert_eq!(moves[0].worth(), Value::Win(5)); // what the move makes of the position before it
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
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

    /// Returns who wins the position in the end; a draw counts for the side that the rules name, if they name
    /// one.
    ///
    /// # Errors
    /// When a piece stands off the board or on a wall, or the table is damaged.
    pub fn outcome(&self, position: Position) -> Result<Outcome, ProbeError> {
        Ok(self.value(position)?.outcome(position.turn).counted(self.rules().undecided))
    }
}
