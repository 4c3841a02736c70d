//! The `.map` form of the MovingAI benchmarks.
//!
//! Four header lines (`type octile`, then `height H` and `width W` in either order, then `map`) stand before
//! H rows of W characters: `.`, `G` and `S` are open, `@`, `O`, `T` and `W` are walls. Any one word may stand
//! after `type`: the rules say how pieces move, not the board. A map names no exit and no start. Line ends
//! are those of the [text form](super::text); empty lines after the last row mean nothing.
//!
//! Swamp (`S`) and trees (`T`) have no meaning of their own: a map is read for the squares on which a piece
//! may stand.

use super::{
    Board, Square,
    error::ParseBoardError,
    lines::{TextLine, TextLines, read_announced},
    scenario::Scenario,
};
use crate::{cell::Cell, plain_text::decode};

/// The alphabet, for error messages.
const EXPECTED: &str = "one of '.', 'G' or 'S' (open), '@', 'O', 'T' or 'W' (wall)";

fn square(line: &TextLine<'_>, cell: Cell, c: char) -> Result<Square, ParseBoardError> {
    match c {
        '.' | 'G' | 'S' => Ok(Square::Open),
        '@' | 'O' | 'T' | 'W' => Ok(Square::Wall),
        _ => Err(line.error(usize::from(cell.col) + 1, EXPECTED, format!("{c:?}"))),
    }
}

/// Reads a MovingAI map; the scenario has no exits and no starts.
///
/// # Errors
/// At the first place, in reading order, where the bytes are not such a map: a header line that is missing,
/// doubled or wrong, a board larger than [`Board::check_size`] allows (refused before anything is allocated),
/// more or fewer rows or squares in a row than the header announces, a character without meaning, or bytes
/// that are not UTF-8.
pub fn parse(bytes: &[u8]) -> Result<Scenario, ParseBoardError> {
    let text = decode(bytes)?;
    let mut lines = TextLines::new(&text);
    let mut words = lines.require("'type octile'")?.words();
    words.word("'type octile'", |word| word == "type")?;
    words.word("a word after 'type', for example 'octile'", |_| true)?;
    words.end()?;

    let (mut height, mut width) = (None, None);
    let (height, width) = loop {
        let expected = match (height, width) {
            (Some(height), Some(width)) => break (height, width),
            (None, None) => "'height' or 'width' and a number",
            (None, Some(_)) => "'height' and a number",
            (Some(_), None) => "'width' and a number",
        };
        let mut words = lines.require(expected)?.words();
        let key = words.word(expected, |word| {
            (word == "height" && height.is_none()) || (word == "width" && width.is_none())
        })?;
        if key == "height" {
            height = Some(words.number("the number of rows")?);
        } else {
            width = Some(words.number("the number of columns")?);
        }
        words.end()?;
    };

    let mut words = lines.require("'map'")?.words();
    words.word("'map'", |word| word == "map")?;
    words.end()?;
    Ok(Scenario::from_board(read_announced(lines, height, width, square)?))
}

/// Writes a map that [`parse`] reads, walls as `@` and all other squares as `.`.
///
/// The form has no exits: they are written as open squares. A caller that needs them keeps [`Board::exits`]
/// beside the map, for [`Board::with_exits`] after reading.
#[must_use]
pub fn write(board: &Board) -> String {
    let mut text = format!("type octile\nheight {}\nwidth {}\nmap\n", board.height(), board.width());
    text.reserve(board.squares().len() + usize::from(board.height()));
    for (cell, square) in board.cells() {
        text.push(if square == Square::Wall { '@' } else { '.' });
        if cell.col + 1 == board.width() {
            text.push('\n');
        }
    }
    text
}
