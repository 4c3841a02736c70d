//! The reasons why a text is not a board, or a scenario has no text.

use super::BoardError;
use crate::{cell::Cell, plain_text::NotText};

/// The reason why a text is not a board: the place, and what was expected and found there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
pub struct ParseBoardError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// Text that would be correct at this place.
    pub expected: String,
    /// Text that stands at this place.
    pub found: String,
}

impl From<NotText> for ParseBoardError {
    fn from(error: NotText) -> ParseBoardError {
        let (line, column, found) = match error {
            NotText::Byte { line, column, byte } => (line, column, format!("the byte 0x{byte:02X}")),
            NotText::Zero => (1, 1, "UTF-16 with the character U+0000".to_owned()),
            NotText::PartOfCharacter => (1, 1, "UTF-16 with a part of a character".to_owned()),
            NotText::LongLine => (1, 1, "a line that is too long".to_owned()),
        };
        ParseBoardError { line, column, expected: "a character of a text in UTF-8".to_owned(), found }
    }
}

/// The reason why a scenario has no text: each square is one character, so a start cannot share its cell with
/// an exit or another start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteBoardError {
    /// A start off the board or on a wall.
    #[error("start {0}")]
    Start(#[from] BoardError),
    /// A start on a square with a letter of its own, such as an exit: the text would lose one of the two.
    #[error(
        "start cell {cell} is a square {letter}; expected one without a letter, as a text cannot mark both"
    )]
    StartOnLetter {
        /// The cell of both.
        cell: Cell,
        /// The letter of the square.
        letter: char,
    },
    /// Two starts on one cell: the text would lose one of them.
    #[error(
        "cell {cell} is the start of more than one piece; expected one piece a cell, as a text cannot mark more"
    )]
    SharedStart {
        /// The cell of both.
        cell: Cell,
    },
    /// A board that only the text form can say.
    #[error("the contest form has neither floors nor thin walls; the text form has")]
    TextOnly,
}
