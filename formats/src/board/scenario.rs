//! A board with the start cells that its text marks.

use super::Board;
use crate::cell::Cell;

/// A board and the cells on which the sides start, as a board text has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// The board; start cells are open cells of it.
    pub board: Board,
    /// The cells marked `P`, in reading order: one for each officer.
    pub police: Vec<Cell>,
    /// The cell marked `T`, if any.
    pub thief: Option<Cell>,
}

impl Scenario {
    /// Creates a scenario without start cells.
    #[must_use]
    pub fn from_board(board: Board) -> Scenario {
        Scenario { board, police: Vec::new(), thief: None }
    }
}
