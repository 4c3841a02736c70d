//! A board with the start cells that its text marks.

use super::{Board, contest, movingai, text};
use crate::cell::Cell;

/// A board and the cells on which the sides start, as a board text gives them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// The board itself; start cells are open cells of it.
    pub board: Board,
    /// Cells marked `P`, in reading order. More than one for several officers.
    pub police: Vec<Cell>,
    /// The cell marked `T`, if any.
    pub thief: Option<Cell>,
}

/// Why a text is not a board: the place, what was expected and what was found there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
pub struct ParseBoardError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What a correct text has at this place.
    pub expected: String,
    /// What this text has.
    pub found: String,
}

impl Scenario {
    /// The scenario without start cells.
    #[must_use]
    pub fn from_board(board: Board) -> Scenario {
        Scenario { board, police: Vec::new(), thief: None }
    }

    /// Reads any of the three forms, told apart by the first line: `type …` begins a MovingAI map, a line with
    /// a digit the contest form, everything else is the text form.
    ///
    /// # Errors
    /// With line and column, when the bytes are not a board in the form that the first line announces.
    pub fn parse(bytes: &[u8]) -> Result<Scenario, ParseBoardError> {
        let first = bytes.split(|&b| b == b'\n').next().unwrap_or_default();
        let first = first.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(first);
        if first.starts_with(b"type ") || first.starts_with(b"type\t") {
            movingai::parse(bytes)
        } else if first.iter().any(u8::is_ascii_digit) {
            contest::parse(bytes)
        } else {
            text::parse(bytes)
        }
    }
}
