//! A position of the pursuit game.

use dragnet_formats::{
    cell::{Cell, Side},
    pieces::Pieces,
};
use std::fmt;

/// A position of a pursuit game: the cells of all pieces and the side to move.
///
/// ```
/// use dragnet_probe::{Cell, Position, Side};
///
/// let position = Position::new(Cell::new(0, 0), Cell::new(2, 3), Side::Police);
/// assert_eq!(position.after(Cell::new(1, 0)), Position::new(Cell::new(1, 0), Cell::new(2, 3), Side::Thief));
/// let officers = [Cell::new(0, 0), Cell::new(3, 1)];
/// assert_eq!(Position::new(officers, Cell::new(2, 3), Side::Thief).mover().cell(), Cell::new(2, 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The officers' cells.
    pub police: Pieces,
    /// The thief's cell.
    pub thief: Cell,
    /// The side to move.
    pub turn: Side,
}

impl Position {
    /// Returns the position with the police on `police`: a [`Cell`], or an array or the [`Pieces`] of several
    /// officers' cells.
    #[must_use]
    #[inline]
    pub fn new(police: impl Into<Pieces>, thief: Cell, turn: Side) -> Position {
        Position { police: police.into(), thief, turn }
    }

    /// Returns the pieces of the side to move.
    #[must_use]
    pub fn mover(self) -> Pieces {
        match self.turn {
            Side::Police => self.police,
            Side::Thief => self.thief.into(),
        }
    }

    /// Returns the position after the side to move has moved its pieces to `to`; for the thief the first cell
    /// of `to` counts. The move need not be legal.
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
