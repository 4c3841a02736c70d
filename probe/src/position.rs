//! A position of the pursuit game.

use dragnet_formats::cell::{Cell, Side};
use std::fmt;

/// Where both pieces stand and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The police officer's cell.
    pub police: Cell,
    /// The thief's cell.
    pub thief: Cell,
    /// Who is to move.
    pub turn: Side,
}

impl Position {
    /// The cell of the piece that is to move.
    #[must_use]
    pub fn mover(self) -> Cell {
        match self.turn {
            Side::Police => self.police,
            Side::Thief => self.thief,
        }
    }

    /// The position after the side to move has moved to `to`. Legality is not looked at.
    #[must_use]
    pub fn after(self, to: Cell) -> Position {
        let turn = self.turn.other();
        match self.turn {
            Side::Police => Position { police: to, turn, ..self },
            Side::Thief => Position { thief: to, turn, ..self },
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "police {}, thief {}, {} to move", self.police, self.thief, self.turn)
    }
}
