//! The text form of boards with thin walls.

use super::{
    floors::Floors,
    marks::{FLOOR, Marks, characters},
};
use crate::{
    board::{
        ThinWalls,
        error::{ParseBoardError, WriteBoardError},
        lines::{TextLine, TextLines, board, check_size},
        scenario::Scenario,
    },
    cell::Cell,
};

// The characters of a corner, and of walls above a square and left of it.
const CORNER: char = '+';
const ABOVE: char = '-';
const LEFT: char = '|';

/// Reads the form. Walls at the rim of a floor mean nothing.
pub(super) fn parse(mut lines: TextLines<'_>) -> Result<Scenario, ParseBoardError> {
    let (mut marks, mut walls) = (Marks::default(), ThinWalls::default());
    let (mut squares, mut floors) = (Vec::new(), Floors::default());
    let first = lines.require("a line of edges, such as +-+ +")?;
    let length = first.len();
    let width = length / 2;
    check_size(1, width.max(1), first.number, 1)?;
    edges(&first, length, |_| ())?;
    let mut height = 0;
    while let Some(row) = lines.next() {
        if row.text.is_empty() && lines.only_empty_left() {
            break;
        }
        if floors.ended_by(&row, length, height)? {
            edges(&lines.require("a line of edges, such as +-+ +")?, length, |_| ())?;
            continue;
        }
        check_size(height + 1, width, row.number, 1)?;
        let at = |col: usize| Cell::new(height as u16, col as u16);
        check_length(&row, length)?;
        for (place, c) in row.text.chars().enumerate() {
            if place % 2 == 1 {
                squares.push(marks.square_in_column(&row, at(place / 2), c, place + 1)?);
            } else if is_wall(&row, place, c, LEFT)? && place > 0 && place + 1 < length {
                walls.insert(at(place / 2 - 1), at(place / 2));
            }
        }
        let below = lines.require("a line of edges below the row, such as +-+ +")?;
        let goes_on = lines.clone().next().is_some_and(|next| !next.text.starts_with(FLOOR))
            && !lines.only_empty_left();
        edges(&below, length, |col| {
            if goes_on {
                walls.insert(at(col), Cell::new(height as u16 + 1, col as u16));
            }
        })?;
        height += 1;
    }
    if height == 0 {
        return Err(lines.error_at_end("a row of squares"));
    }
    let board = floors.cut(board(height, width, squares), &lines)?;
    Ok(marks.scenario(board.with_thin_walls(walls)))
}

/// Reads a line of edges, and tells `wall` the column of each wall.
fn edges(line: &TextLine<'_>, length: usize, mut wall: impl FnMut(usize)) -> Result<(), ParseBoardError> {
    check_length(line, length)?;
    for (place, c) in line.text.chars().enumerate() {
        if place % 2 == 0 {
            if c != CORNER {
                return Err(line.error(place + 1, "'+', a corner", format!("{c:?}")));
            }
        } else if is_wall(line, place, c, ABOVE)? {
            wall(place / 2);
        }
    }
    Ok(())
}

fn check_length(line: &TextLine<'_>, length: usize) -> Result<(), ParseBoardError> {
    let found = line.len();
    if found == length && length % 2 == 1 && length > 1 {
        return Ok(());
    }
    let expected = match length % 2 == 1 && length > 1 {
        true => format!("{length} characters as in line 1"),
        false => "a corner, then an edge and a corner for each square, as in +-+ +".to_owned(),
    };
    Err(line.error(found.min(length) + 1, expected, found.to_string()))
}

fn is_wall(line: &TextLine<'_>, place: usize, c: char, wall: char) -> Result<bool, ParseBoardError> {
    match c {
        ' ' => Ok(false),
        _ if c == wall => Ok(true),
        _ => Err(line.error(place + 1, format!("'{wall}', a thin wall, or ' '"), format!("{c:?}"))),
    }
}

/// Writes the form, with walls at the rim of each floor.
pub(super) fn write(scenario: &Scenario) -> Result<String, WriteBoardError> {
    let board = &scenario.board;
    let width = usize::from(board.width());
    let walls = board.thin_walls();
    let characters = characters(scenario)?;
    let mut text = String::new();
    let edges = |text: &mut String, row: u16| {
        let rim = row.is_multiple_of(board.floor_height());
        for col in 0..board.width() {
            let wall = rim || walls.between(Cell::new(row - 1, col), Cell::new(row, col));
            text.extend([CORNER, if wall { ABOVE } else { ' ' }]);
        }
        text.extend([CORNER, '\n']);
    };
    for (row, characters) in (0_u16..).zip(characters.chunks(width)) {
        if row > 0 && row.is_multiple_of(board.floor_height()) {
            edges(&mut text, row);
            text.extend(std::iter::repeat_n(FLOOR, 2 * width + 1));
            text.push('\n');
        }
        edges(&mut text, row);
        for (col, &c) in (0..).zip(characters) {
            let wall = col == 0 || walls.between(Cell::new(row, col - 1), Cell::new(row, col));
            text.extend([if wall { LEFT } else { ' ' }, c]);
        }
        text.extend([LEFT, '\n']);
    }
    edges(&mut text, 0);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use crate::board::text;

    #[test]
    fn thin_walls_are_written_as_they_are_read() {
        let form = "+-+-+-+\n|P . .|\n+ +-+ +\n|.|T m|\n+-+-+-+\n=======\n+-+-+-+\n|# E .|\n+ + + +\n|. .|.|\n+-+-+-+\n";
        let scenario = text::parse(form.as_bytes()).unwrap();
        assert_eq!((scenario.board.height(), scenario.board.floors()), (4, 2));
        let walls: Vec<String> =
            scenario.board.thin_walls().iter().map(|(one, other)| format!("{one}|{other}")).collect();
        assert_eq!(walls, ["0,1|1,1", "1,0|1,1", "3,1|3,2"]);
        assert_eq!(text::write(&scenario).unwrap(), form);
        let unframed = form.replace("|P", " P").replace(".|\n", ". \n");
        assert_eq!(text::parse(unframed.as_bytes()).unwrap(), scenario);
    }

    #[test]
    fn what_is_no_board_with_thin_walls_is_refused_with_its_place() {
        for (form, message) in [
            ("+", "line 1, column 2: expected a corner, then"),
            ("+-+\n", "line 2, column 1: expected a row of squares"),
            ("+-+\n|.|\n", "line 3, column 1: expected a line of edges below"),
            ("+-+-+\n|.x|.\n+-+-+\n", "line 2, column 3: expected '|', a thin wall"),
            ("+-+\n|?|\n+-+\n", "line 2, column 2: expected one of '*'"),
            ("+-+\n|.|\n*-+\n", "line 3, column 1: expected '+', a corner"),
            ("+-+\n|.|\n+-+\n===\n+-+\n|.|\n+-+\n|.|\n+-+\n", "expected 1 rows on floor 2"),
            ("..\n=\n..\n", "line 2, column 2: expected a line of 2 '='"),
            ("..\n==\n..\n..\n", "expected 1 rows on floor 2"),
        ] {
            let error = text::parse(form.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(message), "{form:?}: {error}");
        }
    }
}
