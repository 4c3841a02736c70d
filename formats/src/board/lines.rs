//! The parts that the readers of board texts share: lines, words, rows, and errors with the right place.

use super::{Board, Square, error::ParseBoardError};
use crate::cell::Cell;

/// The lines of a decoded text. A line end at the end of the text begins no further line.
#[derive(Clone)]
pub(super) struct TextLines<'a> {
    rest: &'a str,
    /// The number of the line read last, 0 before the first.
    number: usize,
    /// The line and column of the first character after what was read.
    end: (usize, usize),
}

/// One line, without its line end.
#[derive(Clone, Copy)]
pub(super) struct TextLine<'a> {
    /// The line's number, from 1.
    pub(super) number: usize,
    pub(super) text: &'a str,
}

impl<'a> TextLines<'a> {
    pub(super) fn new(text: &'a str) -> TextLines<'a> {
        TextLines { rest: text, number: 0, end: (1, 1) }
    }

    /// Returns the next line, which must be there.
    pub(super) fn require(&mut self, expected: &str) -> Result<TextLine<'a>, ParseBoardError> {
        self.next().ok_or_else(|| self.error_at_end(expected))
    }

    /// Returns the error for a file that ends where `expected` should stand.
    pub(super) fn error_at_end(&self, expected: &str) -> ParseBoardError {
        let found = if self.number == 0 { "an empty file" } else { "the end of the file" };
        self.error_at_end_with(expected.to_owned(), found.to_owned())
    }

    /// Returns the error for what was found when the file ended.
    pub(super) fn error_at_end_with(&self, expected: String, found: String) -> ParseBoardError {
        let (line, column) = self.end;
        ParseBoardError { line, column, expected, found }
    }

    /// Returns whether only empty lines are left.
    pub(super) fn only_empty_left(&self) -> bool {
        self.clone().all(|line| line.text.is_empty())
    }
}

impl<'a> Iterator for TextLines<'a> {
    type Item = TextLine<'a>;

    fn next(&mut self) -> Option<TextLine<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (text, ended) = match self.rest.split_once('\n') {
            Some((text, rest)) => {
                self.rest = rest;
                (text, true)
            }
            None => (std::mem::take(&mut self.rest), false),
        };
        self.number += 1;
        let line = TextLine { number: self.number, text };
        self.end = if ended { (self.number + 1, 1) } else { (self.number, line.len() + 1) };
        Some(line)
    }
}

impl<'a> TextLine<'a> {
    /// Returns the number of characters.
    pub(super) fn len(&self) -> usize {
        self.text.chars().count()
    }

    pub(super) fn error(
        &self,
        column: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> ParseBoardError {
        ParseBoardError { line: self.number, column, expected: expected.into(), found: found.into() }
    }

    /// Returns the words of a header line, separated by spaces and tabs.
    pub(super) fn words(self) -> HeaderWords<'a> {
        HeaderWords { line: self, rest: self.text, column: 1 }
    }

    /// Appends the first `limit` squares of this line, which is row `row` of the board, and returns how many
    /// squares the whole line has. The caller checks before that `row` and `limit` are sizes of a board, and
    /// compares the length afterwards, so that a bad character is reported before a wrong length.
    pub(super) fn read_row(
        &self,
        row: usize,
        limit: usize,
        squares: &mut Vec<Square>,
        square: &mut impl FnMut(&TextLine<'_>, Cell, char) -> Result<Square, ParseBoardError>,
    ) -> Result<usize, ParseBoardError> {
        for (col, c) in self.text.chars().take(limit).enumerate() {
            squares.push(square(self, Cell::new(row as u16, col as u16), c)?);
        }
        Ok(self.len())
    }
}

/// Iterates over the words of a header line.
pub(super) struct HeaderWords<'a> {
    line: TextLine<'a>,
    rest: &'a str,
    /// The column of the first character of `rest`.
    column: usize,
}

/// A number of a header line, and its place.
#[derive(Clone, Copy)]
pub(super) struct AnnouncedSide {
    value: usize,
    line: usize,
    column: usize,
}

impl<'a> HeaderWords<'a> {
    fn is_blank(c: char) -> bool {
        c == ' ' || c == '\t'
    }

    /// Returns the next word and its column. At the end of the line the word is empty.
    fn next(&mut self) -> (usize, &'a str) {
        let rest = self.rest.trim_start_matches(Self::is_blank);
        // Blanks are one byte each.
        let column = self.column + self.rest.len() - rest.len();
        let (word, rest) = rest.split_at(rest.find(Self::is_blank).unwrap_or(rest.len()));
        self.rest = rest;
        self.column = column + word.chars().count();
        (column, word)
    }

    fn error(&self, column: usize, expected: &str, word: &str) -> ParseBoardError {
        let found = match word {
            "" if self.line.text.is_empty() => "an empty line".to_owned(),
            "" => "the end of the line".to_owned(),
            _ => quote(word),
        };
        self.line.error(column, expected, found)
    }

    /// Returns the next word, which `accept` must accept.
    pub(super) fn word(
        &mut self,
        expected: &str,
        accept: impl FnOnce(&str) -> bool,
    ) -> Result<&'a str, ParseBoardError> {
        let (column, word) = self.next();
        if word.is_empty() || !accept(word) {
            return Err(self.error(column, expected, word));
        }
        Ok(word)
    }

    /// Returns the next word as the length of a side of a board.
    pub(super) fn number(&mut self, what: &str) -> Result<AnnouncedSide, ParseBoardError> {
        let (column, word) = self.next();
        let value = match word.parse::<u16>() {
            // `parse` accepts a sign.
            Ok(value) if value > 0 && !word.starts_with('+') => usize::from(value),
            _ => return Err(self.error(column, &format!("{what}, a number from 1 to {}", u16::MAX), word)),
        };
        Ok(AnnouncedSide { value, line: self.line.number, column })
    }

    /// Checks that no word follows.
    pub(super) fn end(mut self) -> Result<(), ParseBoardError> {
        match self.next() {
            (_, "") => Ok(()),
            (column, word) => Err(self.error(column, "the end of the line", word)),
        }
    }
}

/// Refuses sizes that no board has, at the place that makes the board too large.
pub(super) fn check_size(
    height: usize,
    width: usize,
    line: usize,
    column: usize,
) -> Result<(), ParseBoardError> {
    match Board::check_size(height, width) {
        Ok(_) => Ok(()),
        Err(_) => Err(ParseBoardError {
            line,
            column,
            expected: format!(
                "a board of at most {} squares with no side over {}",
                Board::MAX_SQUARES,
                u16::MAX
            ),
            found: format!("{height}x{width}"),
        }),
    }
}

/// Creates the board of squares that a reader has counted itself, whose size has passed [`check_size`].
pub(super) fn board(height: usize, width: usize, squares: Vec<Square>) -> Board {
    Board::new(height, width, squares).expect("a board of a checked size with all its squares")
}

/// Reads all lines left as the rows of a board whose size stands in header lines.
pub(super) fn read_announced(
    mut lines: TextLines<'_>,
    height: AnnouncedSide,
    width: AnnouncedSide,
    mut square: impl FnMut(&TextLine<'_>, Cell, char) -> Result<Square, ParseBoardError>,
) -> Result<Board, ParseBoardError> {
    let (h, w) = (height.value, width.value);
    let (line, column) = (height.line, height.column).max((width.line, width.column));
    check_size(h, w, line, column)?;
    // No more than the file can fill, however large a board it announces.
    let mut squares = Vec::with_capacity((h * w).min(lines.rest.len()));
    for row in 0..h {
        let expected = format!("row {} of the {h} that line {} announces", row + 1, height.line);
        let line = lines.require(&expected)?;
        if line.text.is_empty() {
            return Err(line.error(1, expected, "an empty line"));
        }
        let found = line.read_row(row, w, &mut squares, &mut square)?;
        if found != w {
            let expected = format!("{} as line {} announces", count_squares(w), width.line);
            return Err(line.error(found.min(w) + 1, expected, found.to_string()));
        }
    }
    for line in lines {
        if !line.text.is_empty() {
            let rows = if h == 1 { "row" } else { "rows" };
            let expected =
                format!("the end of the file after the {h} {rows} that line {} announces", height.line);
            return Err(line.error(1, expected, format!("one more line, {}", quote(line.text))));
        }
    }
    Ok(board(h, w, squares))
}

/// Returns `n` squares, in words.
pub(super) fn count_squares(n: usize) -> String {
    format!("{n} square{}", if n == 1 { "" } else { "s" })
}

/// Returns the text in quotes, cut short: the line at fault may be megabytes long.
pub(super) fn quote(text: &str) -> String {
    const SHOWN: usize = 32;
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((at, _)) => format!("{:?} and more", &text[..at]),
    }
}
