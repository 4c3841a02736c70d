//! A position of the pursuit game.

use dragnet_formats::{
    cell::{Cell, Side},
    pieces::Pieces,
};
use std::fmt;

/// A position of a pursuit game: the world, the cells of all pieces and the side to move.
///
/// ```
/// use dragnet_probe::{Cell, Position, Side};
///
/// let position = Position::new(Cell::new(0, 0), Cell::new(2, 3), Side::Police);
/// assert_eq!(position.after(Cell::new(1, 0)), Position::new(Cell::new(1, 0), Cell::new(2, 3), Side::Thief));
/// let officers = [Cell::new(0, 0), Cell::new(3, 1)];
/// let later = Position::new(officers, Cell::new(2, 3), Side::Thief).in_world(5);
/// assert_eq!((later.mover().cell(), later.world), (Cell::new(2, 3), 5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The number of the world: 0, but for games with several.
    pub world: u32,
    /// The officers' cells.
    pub police: Pieces,
    /// The thief's cell.
    pub thief: Cell,
    /// The side to move.
    pub turn: Side,
}

impl Position {
    /// Returns the position in world 0 with the police on `police`: a [`Cell`], or an array or the [`Pieces`]
    /// of several officers' cells.
    #[must_use]
    #[inline]
    pub fn new(police: impl Into<Pieces>, thief: Cell, turn: Side) -> Position {
        Position { world: 0, police: police.into(), thief, turn }
    }

    /// Returns the same position in another world.
    #[must_use]
    pub fn in_world(self, world: u32) -> Position {
        Position { world, ..self }
    }

    /// Returns the pieces of the side to move.
    #[must_use]
    pub fn mover(self) -> Pieces {
        match self.turn {
            Side::Police => self.police,
            Side::Thief => self.thief.into(),
        }
    }

    /// Returns the pieces of the side that is not to move: those that have moved last.
    #[must_use]
    pub fn moved(self) -> Pieces {
        Position { turn: self.turn.other(), ..self }.mover()
    }

    /// Returns the position after the side to move has moved its pieces to `to` in the same world; for the
    /// thief the first cell of `to` counts. The move need not be legal.
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
        if self.world > 0 {
            write!(f, "world {}, ", self.world)?;
        }
        write!(f, "police {}, thief {}, {} to move", self.police, self.thief, self.turn)
    }
}

/// Where a move leads a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Destination {
    /// The number of the world.
    pub world: u32,
    /// The cell.
    pub cell: Cell,
}
