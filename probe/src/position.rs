//! A position of the pursuit game.

use dragnet_formats::{
    cell::{Cell, Side},
    pieces::Pieces,
};
use std::fmt;

/// Where all pieces stand and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The officers' cells.
    pub police: Pieces,
    /// The thief's cell.
    pub thief: Cell,
    /// Who is to move.
    pub turn: Side,
}

impl Position {
    /// The position with the police on `police`, a [`Cell`] or the [`Pieces`] of several officers.
    #[must_use]
    #[inline]
    pub fn new(police: impl Into<Pieces>, thief: Cell, turn: Side) -> Position {
        Position { police: police.into(), thief, turn }
    }

    /// The pieces of the side that is to move.
    #[must_use]
    pub fn mover(self) -> Pieces {
        match self.turn {
            Side::Police => self.police,
            Side::Thief => self.thief.into(),
        }
    }

    /// The position after the side to move has moved so that its pieces stand on `to`: of the thief the first is taken. Legality is
    /// not looked at.
    #[must_use]
    pub fn after(self, to: impl Into<Pieces>) -> Position {
        let (to, turn) = (to.into(), self.turn.other());
        match self.turn {
            Side::Police => Position { police: to, turn, ..self },
            Side::Thief => Position { thief: to.cell(), turn, ..self },
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "police {}, thief {}, {} to move", self.police, self.thief, self.turn)
    }
}
