//! The contest form of a board, as programming contests have it: a line `n m`, then n rows of m squares.
//!
//! The first line has the number of rows and the number of columns, both at least 1, separated by spaces or
//! tabs, which may also stand around them. Exactly n rows follow, in the alphabet and with the line ends of
//! the [text form](super::text). Empty lines after the last row mean nothing; anywhere else they are errors.

use super::{
    error::{ParseBoardError, WriteBoardError},
    lines::{TextLines, read_announced},
    scenario::Scenario,
    text::{Marks, write_rows},
};
use crate::plain_text::decode;

/// Reads the contest form.
///
/// # Errors
/// At the first place, in reading order, where the bytes are not the contest form: a first line that is not
/// two numbers, a board larger than [`Board::check_size`](super::Board::check_size) allows (refused before
/// anything is allocated), more or fewer rows or squares in a row than the first line announces, and
/// everything that is wrong within a row of the [text form](super::text::parse).
pub fn parse(bytes: &[u8]) -> Result<Scenario, ParseBoardError> {
    let text = decode(bytes)?;
    let mut lines = TextLines::new(&text);
    let mut words = lines.require("the numbers of rows and columns, for example '8 10'")?.words();
    let height = words.number("the number of rows")?;
    let width = words.number("the number of columns")?;
    words.end()?;
    let mut marks = Marks::default();
    let board = read_announced(lines, height, width, |line, cell, c| marks.square(line, cell, c))?;
    Ok(marks.scenario(board))
}

/// Writes the contest form: the size, then the rows as [`text::write`](super::text::write) writes them.
/// [`parse`] reads the same scenario back, with the police in reading order.
///
/// # Errors
/// When a start is off the board, on a wall, on a square with a letter of its own such as an exit, or on the
/// cell of another start, or the board has floors or thin walls.
pub fn write(scenario: &Scenario) -> Result<String, WriteBoardError> {
    if scenario.board.floors() > 1 || !scenario.board.thin_walls().is_empty() {
        return Err(WriteBoardError::TextOnly);
    }
    let mut text = format!("{} {}\n", scenario.board.height(), scenario.board.width());
    write_rows(scenario, &mut text)?;
    Ok(text)
}
