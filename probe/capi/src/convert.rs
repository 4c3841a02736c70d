//! Conversions between the structures of C and the types of the probe library.

mod rules;

mod opponent;

pub(crate) use opponent::{target, usual_target};

use crate::{
    border::Out,
    failure::Failure,
    types::{self, access, result, side},
};
use dragnet_probe::{
    Access, Board, Cell, Choice, Counts, Graph, LineMove, Options, Outcome, Pieces, Position, Side, Square,
    TablebaseOptions, Value,
};
use std::{
    ffi::{CStr, c_char},
    path::{Path, PathBuf},
};

/// Returns the failure for a number that is not a value of `field`.
fn unknown(field: &str, expected: &str, found: i32) -> Failure {
    Failure::argument(format_args!("{field}: expected {expected}, found {found}"))
}

fn boolean(number: i32, field: &str) -> Result<bool, Failure> {
    match number {
        0 => Ok(false),
        1 => Ok(true),
        found => Err(unknown(field, "0 or 1", found)),
    }
}

/// Converts the text of a path: arbitrary bytes on Unix, UTF-8 elsewhere.
pub(crate) fn path(text: &CStr) -> Result<PathBuf, Failure> {
    #[cfg(unix)]
    let path = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(text.to_bytes());
    #[cfg(not(unix))]
    let path = text
        .to_str()
        .map_err(|error| Failure::argument(format_args!("expected a path in UTF-8, found {error}")))?;
    Ok(path.into())
}

/// Returns a path as bytes that [`path`] converts back.
pub(crate) fn path_bytes(path: &Path) -> Vec<u8> {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec();
    #[cfg(not(unix))]
    return path.to_string_lossy().into_owned().into_bytes();
}

/// Writes a text, cut to the capacity of the buffer, and a NUL, as `snprintf` does.
pub(crate) fn copy_text(
    text: &[u8],
    out: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
    name: &str,
) -> Result<(), Failure> {
    let (buffer, length) = (out.buffer(capacity, name)?, length.single("length")?);
    let written = text.len().min(buffer.capacity().saturating_sub(1));
    buffer.fill(text[..written].iter().chain(&[0]).map(|&byte| byte as c_char));
    length.write(text.len());
    Ok(())
}

/// Returns the number of a side, or of nobody.
pub(crate) fn side_number(side: Option<Side>) -> i32 {
    match side {
        None => side::NOBODY,
        Some(Side::Police) => side::POLICE,
        Some(Side::Thief) => side::THIEF,
    }
}

/// Returns the side of a number that must be a side's.
pub(crate) fn one_side(number: i32, name: &str) -> Result<Side, Failure> {
    match number {
        side::POLICE => Ok(Side::Police),
        side::THIEF => Ok(Side::Thief),
        found => Err(unknown(name, "DRAGNET_POLICE (1) or DRAGNET_THIEF (2)", found)),
    }
}

/// Checks the size of a board, before the caller's squares are read.
pub(crate) fn board_size(height: u32, width: u32) -> Result<(usize, usize), Failure> {
    let (height, width) = (height as usize, width as usize);
    Board::check_size(height, width).map_err(Failure::argument)?;
    Ok((height, width))
}

/// Returns the board with these squares.
pub(crate) fn board(height: usize, width: usize, numbers: &[u8]) -> Result<Board, Failure> {
    Board::new(height, width, squares(numbers)?).map_err(Failure::argument)
}

/// Returns the graph with these squares as vertices and these edges.
pub(crate) fn graph(numbers: &[u8], edges: &[types::Edge]) -> Result<Board, Failure> {
    let edges = edges.iter().map(|edge| (edge.from.into(), edge.to.into()));
    Board::of_edges(&squares(numbers)?, edges).map_err(Failure::argument)
}

/// Returns the edges of a graph, vertex by vertex.
pub(crate) fn edges(graph: &Graph) -> impl Iterator<Item = types::Edge> + '_ {
    (0..graph.vertices()).flat_map(|from| {
        let edge = move |&to: &u32| types::Edge { from: from as u16, to: to as u16 };
        graph.successors(from).iter().map(edge)
    })
}

fn squares(numbers: &[u8]) -> Result<Vec<Square>, Failure> {
    let read = |(i, &number): (usize, &u8)| {
        let unknown = || unknown(&format!("squares[{i}]"), "a square, 0 to 2", number.into());
        Square::from_byte(number).ok_or_else(unknown)
    };
    numbers.iter().enumerate().map(read).collect()
}

impl From<Cell> for types::Cell {
    fn from(cell: Cell) -> types::Cell {
        types::Cell { row: cell.row, col: cell.col }
    }
}

impl TryFrom<types::Position> for Position {
    type Error = Failure;

    fn try_from(position: types::Position) -> Result<Position, Failure> {
        let cell = |cell: types::Cell| Cell::new(cell.row, cell.col);
        let turn = one_side(position.turn, "turn")?;
        let officers = match position.officers {
            0 => Some(1),
            found => usize::try_from(found).ok().filter(|&officers| officers <= types::MAX_OFFICERS),
        };
        let officers = officers.ok_or_else(|| {
            unknown("officers", &format!("a number from 0 to {}", types::MAX_OFFICERS), position.officers)
        })?;
        let cells = &position.police[..officers];
        let mut police = [cell(cells[0]); types::MAX_OFFICERS];
        for (to, &from) in police.iter_mut().zip(cells) {
            *to = cell(from);
        }
        let police = Pieces::new(&police[..officers]).map_err(Failure::argument)?;
        Ok(Position::new(police, cell(position.thief), turn))
    }
}

impl types::Value {
    /// Converts the value of a position with `turn` to move.
    pub(crate) fn of(value: Value, turn: Side) -> types::Value {
        let outcome: Outcome = value.outcome(turn);
        types::Value { outcome: side_number(outcome.winner()), dtw: value.dtw().unwrap_or(types::NO_DTW) }
    }
}

impl types::Move {
    fn of(side: Side, pieces: Pieces, after: Position, value: Value) -> types::Move {
        let mut to = [types::Cell { row: 0, col: 0 }; types::MAX_OFFICERS];
        for (to, &from) in to.iter_mut().zip(&*pieces) {
            *to = from.into();
        }
        types::Move {
            side: side_number(Some(side)),
            count: pieces.len() as i32,
            to,
            value: types::Value::of(value, after.turn),
        }
    }
}

impl From<&Choice> for types::Move {
    fn from(choice: &Choice) -> types::Move {
        types::Move::of(choice.position.turn.other(), choice.to, choice.position, choice.value)
    }
}

impl From<&LineMove> for types::Move {
    fn from(ply: &LineMove) -> types::Move {
        types::Move::of(ply.side, ply.to, ply.position, ply.value)
    }
}

impl From<Value> for types::GameValue {
    fn from(value: Value) -> types::GameValue {
        let result = match value {
            Value::Draw => result::DRAWN,
            Value::Win(_) => result::WON,
            Value::Loss(_) => result::LOST,
        };
        types::GameValue { result, dtw: value.dtw().unwrap_or(types::NO_DTW) }
    }
}

impl From<Counts> for types::Counts {
    fn from(counts: Counts) -> types::Counts {
        types::Counts { police: counts.police, thief: counts.thief, draw: counts.draw }
    }
}

impl From<Options> for types::Options {
    fn from(options: Options) -> types::Options {
        let access = match options.access {
            Access::Random => access::RANDOM,
            Access::Whole => access::WHOLE,
        };
        types::Options { access, reserved: 0 }
    }
}

impl TryFrom<types::Options> for Options {
    type Error = Failure;

    fn try_from(options: types::Options) -> Result<Options, Failure> {
        if options.reserved != 0 {
            return Err(Failure::argument(format_args!("reserved: expected 0, found {}", options.reserved)));
        }
        let access = match options.access {
            access::RANDOM => Access::Random,
            access::WHOLE => Access::Whole,
            found => return Err(unknown("access", "0 or 1", found)),
        };
        Ok(Options::default().access(access))
    }
}

impl From<TablebaseOptions> for types::TablebaseOptions {
    fn from(options: TablebaseOptions) -> types::TablebaseOptions {
        types::TablebaseOptions { table: options.table.into(), open_tables: options.open_tables as u64 }
    }
}

impl TryFrom<types::TablebaseOptions> for TablebaseOptions {
    type Error = Failure;

    fn try_from(options: types::TablebaseOptions) -> Result<TablebaseOptions, Failure> {
        // More tables than a computer can address are as good as no limit.
        let open_tables = usize::try_from(options.open_tables).unwrap_or(usize::MAX);
        Ok(TablebaseOptions::default().open_tables(open_tables).table(options.table.try_into()?))
    }
}
