//! The lines between floors.

use super::marks::FLOOR;
use crate::board::{
    Board,
    error::ParseBoardError,
    lines::{TextLine, TextLines},
};

/// The floors of a text that is being read.
#[derive(Default)]
pub(super) struct Floors {
    /// The number of floors that have ended.
    ended: usize,
    /// The number of rows in those.
    rows: usize,
}

impl Floors {
    /// Returns whether `line` ends a floor. `rows` is the number of rows read so far.
    pub(super) fn ended_by(
        &mut self,
        line: &TextLine<'_>,
        length: usize,
        rows: usize,
    ) -> Result<bool, ParseBoardError> {
        if !line.text.starts_with(FLOOR) {
            return Ok(false);
        }
        let odd = line.text.chars().position(|c| c != FLOOR);
        if let Some(at) = odd.or((line.len() != length).then(|| line.len().min(length))) {
            let expected = format!("a line of {length} '{FLOOR}' between two floors");
            return Err(line.error(at + 1, expected, format!("{:?}", line.text)));
        }
        self.end(rows).map_err(|(expected, found)| line.error(1, expected, found))?;
        Ok(true)
    }

    /// Ends a floor. An error says what was expected and found.
    fn end(&mut self, rows: usize) -> Result<(), (String, String)> {
        let (here, first) = (rows - self.rows, self.rows / self.ended.max(1));
        if here == 0 || self.ended > 0 && here != first {
            let expected = if self.ended > 0 { first.to_string() } else { "at least 1".to_owned() };
            let number = self.ended + 1;
            return Err((format!("{expected} rows on floor {number}, as on the first"), here.to_string()));
        }
        (self.ended, self.rows) = (self.ended + 1, rows);
        Ok(())
    }

    /// Returns the board with its floors, the last of which has ended with the text.
    pub(super) fn cut(mut self, board: Board, lines: &TextLines<'_>) -> Result<Board, ParseBoardError> {
        let ended = self.end(board.height().into());
        ended.map_err(|(expected, found)| lines.error_at_end_with(expected, found))?;
        Ok(board.with_floors(self.ended as u16).expect("floors of equally many rows"))
    }
}
