//! The characters of squares, in the text form and the contest form.

use crate::{
    board::{
        Board, Square,
        error::{ParseBoardError, WriteBoardError},
        lines::TextLine,
        scenario::Scenario,
    },
    cell::Cell,
};
use std::collections::BTreeMap;

/// The alphabet, for error messages.
const EXPECTED: &str = "one of '*' or '#' (wall), '.' or ' ' (open), 'E' (exit), '>', '<', '^' or 'v' (one-way), \
                        'P' or 'T' (start cells), or another letter, which the rules explain";

/// The start cells and the letters found so far, for the text form and the contest form.
#[derive(Default)]
pub(in crate::board) struct Marks {
    letters: BTreeMap<Cell, char>,
    police: Vec<Cell>,
    /// The thief's cell, and its line and column for the message about a second one.
    thief: Option<(Cell, (usize, usize))>,
}

impl Marks {
    /// Returns the square that `c` at `cell` stands for, and notes a start cell or a letter.
    pub(in crate::board) fn square(
        &mut self,
        line: &TextLine<'_>,
        cell: Cell,
        c: char,
    ) -> Result<Square, ParseBoardError> {
        self.square_in_column(line, cell, c, usize::from(cell.col) + 1)
    }

    /// Returns the square like [`Marks::square`], for a character in this column of its line.
    pub(super) fn square_in_column(
        &mut self,
        line: &TextLine<'_>,
        cell: Cell,
        c: char,
        column: usize,
    ) -> Result<Square, ParseBoardError> {
        match c {
            '*' => Ok(Square::Wall),
            ' ' => Ok(Square::Open),
            'P' => {
                self.police.push(cell);
                Ok(Square::Open)
            }
            'T' => match self.thief {
                None => {
                    self.thief = Some((cell, (line.number, column)));
                    Ok(Square::Open)
                }
                Some((_, (number, at))) => {
                    let expected = format!("one 'T' only, the one at line {number}, column {at}");
                    Err(line.error(column, expected, "a second 'T'"))
                }
            },
            _ if Board::is_letter(c) => {
                self.letters.insert(cell, c);
                Ok(Square::Open)
            }
            _ => Square::from_letter(c).ok_or_else(|| line.error(column, EXPECTED, format!("{c:?}"))),
        }
    }

    pub(in crate::board) fn scenario(self, board: Board) -> Scenario {
        let board = Board { letters: self.letters, ..board };
        Scenario { board, police: self.police, thief: self.thief.map(|(cell, _)| cell) }
    }
}

/// The character of which the line between two floors consists.
pub(super) const FLOOR: char = '=';

/// Returns the character of each square, in reading order.
pub(super) fn characters(scenario: &Scenario) -> Result<Vec<char>, WriteBoardError> {
    let board = &scenario.board;
    let mut starts: Vec<(Cell, char)> = scenario.police.iter().map(|&cell| (cell, 'P')).collect();
    starts.extend(scenario.thief.map(|cell| (cell, 'T')));
    starts.sort_unstable();
    for &(cell, _) in &starts {
        board.require_open(cell)?;
        if let Some(letter) = board.character(cell).filter(|&letter| letter != Square::Open.letter()) {
            return Err(WriteBoardError::StartOnLetter { cell, letter });
        }
    }
    if let Some(two) = starts.windows(2).find(|two| two[0].0 == two[1].0) {
        return Err(WriteBoardError::SharedStart { cell: two[0].0 });
    }
    let mut starts = starts.into_iter().peekable();
    let character = |(cell, _): (Cell, Square)| {
        let mark = starts.next_if(|&(start, _)| start == cell).map(|(_, mark)| mark);
        mark.or_else(|| board.character(cell)).expect("a cell of the board")
    };
    Ok(board.cells().map(character).collect())
}
