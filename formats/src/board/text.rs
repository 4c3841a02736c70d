//! The text form of a board: one character for each square, one line for each row.
//!
//! | Character          | Square                                                   |
//! |--------------------|----------------------------------------------------------|
//! | `*`, `#`           | wall                                                     |
//! | `.`, space         | open                                                     |
//! | `E`                | exit                                                     |
//! | `>`, `<`, `^`, `v` | open, a piece leaves it to this side only                |
//! | `P`                | open, a police officer starts here; any number of them   |
//! | `T`                | open, the thief starts here; at most one                 |
//!
//! | other letters      | open, with a letter that the rules explain               |
//!
//! All rows have the same length. A line of `=`, as long as a row, ends a floor and begins the next. The
//! board is a [plain text](crate::plain_text), whose last line end may be missing. Empty lines after the last
//! row mean nothing; anywhere else they are errors. There are no comments.
//!
//! A text whose first character is `+` has [thin walls](super::ThinWalls): lines of edges and of squares
//! alternate, and each line begins and ends with an edge.
//!
//! ```text
//! +-+-+-+
//! |P . .|
//! + +-+ +
//! |.|T .|
//! +-+-+-+
//! ```

mod marks;

mod floors;

mod walled;

use super::{
    error::{ParseBoardError, WriteBoardError},
    lines::{TextLines, board, check_size, count_squares},
    scenario::Scenario,
};
use crate::plain_text::decode;
use floors::Floors;
pub(super) use marks::Marks;
use marks::{FLOOR, characters};

/// Reads the text form.
///
/// # Errors
/// At the first place, in reading order, where the bytes are not the text form: a character without meaning
/// (also a tab), a row longer or shorter than the first,
/// a second `T`, an empty line before or between rows, no row at all, or a board larger than
/// [`Board::check_size`](super::Board::check_size) allows.
///
/// ```
/// use dragnet_formats::board::text;
///
/// let scenario = text::parse(b"P..\n.#T\n")?;
/// assert_eq!((scenario.board.height(), scenario.board.width()), (2, 3));
/// assert_eq!(text::write(&scenario).unwrap(), "P..\n.#T\n");
/// # Ok::<(), dragnet_formats::board::ParseBoardError>(())
/// ```
pub fn parse(bytes: &[u8]) -> Result<Scenario, ParseBoardError> {
    let text = decode(bytes)?;
    let mut lines = TextLines::new(&text);
    if text.starts_with('+') {
        return walled::parse(lines);
    }
    let mut marks = Marks::default();
    let mut squares = Vec::new();
    let mut floors = Floors::default();

    let first = lines.require("a row of squares")?;
    if first.text.is_empty() {
        return Err(first.error(1, "a row of squares", "an empty line"));
    }
    let longest = usize::from(u16::MAX);
    let width = first.read_row(0, longest, &mut squares, &mut |line, cell, c| marks.square(line, cell, c))?;
    check_size(1, width, first.number, longest + 1)?;

    // Blanks at the end of a line cannot be seen, and they are open squares.
    let blanks = |text: &str| text.len() - text.trim_end_matches(' ').len();
    let first_blanks = blanks(first.text);
    let mut height = 1;
    while let Some(line) = lines.next() {
        let expected = || match first_blanks {
            0 => format!("{} as in line 1", count_squares(width)),
            blanks => format!("{} as in line 1, with the blanks at its end ({blanks})", count_squares(width)),
        };
        if line.text.is_empty() {
            if lines.only_empty_left() {
                break;
            }
            return Err(line.error(1, expected(), "an empty line"));
        }
        if floors.ended_by(&line, width, height)? {
            continue;
        }
        check_size(height + 1, width, line.number, 1)?;
        let found =
            line.read_row(height, width, &mut squares, &mut |line, cell, c| marks.square(line, cell, c))?;
        if found != width {
            let found_text = match blanks(line.text) {
                0 => found.to_string(),
                blanks => format!("{found}, with the blanks at its end ({blanks})"),
            };
            return Err(line.error(found.min(width) + 1, expected(), found_text));
        }
        height += 1;
    }
    Ok(marks.scenario(floors.cut(board(height, width, squares), &lines)?))
}

/// Writes the text form, walls as `#` and open squares as `.`; it ends with a newline. [`parse`] reads the
/// same scenario back, with the police in reading order.
///
/// # Errors
/// When a start is off the board, on a wall, on a square with a letter of its own such as an exit, or on the
/// cell of another start.
pub fn write(scenario: &Scenario) -> Result<String, WriteBoardError> {
    if !scenario.board.thin_walls().is_empty() {
        return walled::write(scenario);
    }
    let mut text = String::new();
    write_rows(scenario, &mut text)?;
    Ok(text)
}

/// Appends the rows, for the text form and the contest form.
pub(super) fn write_rows(scenario: &Scenario, text: &mut String) -> Result<(), WriteBoardError> {
    let board = &scenario.board;
    let width = usize::from(board.width());
    text.reserve(board.squares().len() + usize::from(board.height()));
    for (row, characters) in (0_u16..).zip(characters(scenario)?.chunks(width)) {
        if row > 0 && row.is_multiple_of(board.floor_height()) {
            text.extend(std::iter::repeat_n(FLOOR, width));
            text.push('\n');
        }
        text.extend(characters);
        text.push('\n');
    }
    Ok(())
}
