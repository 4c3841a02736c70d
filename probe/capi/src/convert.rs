//! What C says into what Rust says, and back.

mod rules;

use crate::{
    border::Out,
    failure::Failure,
    types::{self, access, result, side, square},
};
use dragnet_probe::{
    Access, Board, Cell, Choice, Counts, Graph, LineMove, Options, Outcome, Pieces, Position, Side, Square,
    TablebaseOptions, Value,
};
use std::{
    ffi::{CStr, c_char},
    path::{Path, PathBuf},
};

/// A number that means nothing.
fn unknown(what: &str, expected: &str, found: i32) -> Failure {
    Failure::argument(format_args!("{what}: expected {expected}, found {found}"))
}

fn yes_or_no(number: i32, what: &str) -> Result<bool, Failure> {
    match number {
        0 => Ok(false),
        1 => Ok(true),
        found => Err(unknown(what, "0 or 1", found)),
    }
}

/// A path as the system has it: any bytes on Unix, UTF-8 elsewhere.
pub(crate) fn path(text: &CStr) -> Result<PathBuf, Failure> {
    #[cfg(unix)]
    let path = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(text.to_bytes());
    #[cfg(not(unix))]
    let path =
        text.to_str().map_err(|error| Failure::argument(format_args!("a path is not UTF-8: {error}")))?;
    Ok(path.into())
}

/// The bytes that [`path`] reads back.
pub(crate) fn path_bytes(path: &Path) -> Vec<u8> {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec();
    #[cfg(not(unix))]
    return path.to_string_lossy().into_owned().into_bytes();
}

/// Writes as much of a text as there is room for, and a NUL, as `snprintf` does.
pub(crate) fn copy_text(
    text: &[u8],
    out: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
    name: &str,
) -> Result<(), Failure> {
    let (buffer, length) = (out.buffer(capacity, name)?, length.place("length")?);
    let room = text.len().min(buffer.capacity().saturating_sub(1));
    buffer.fill(text[..room].iter().chain(&[0]).map(|&byte| byte as c_char));
    length.put(text.len());
    Ok(())
}

/// The number of a side, or of nobody.
pub(crate) fn side_number(side: Option<Side>) -> i32 {
    match side {
        None => side::NOBODY,
        Some(Side::Police) => side::POLICE,
        Some(Side::Thief) => side::THIEF,
    }
}

/// The number of a square.
pub(crate) fn square_number(square: Square) -> u8 {
    match square {
        Square::Wall => square::WALL,
        Square::Open => square::OPEN,
        Square::Exit => square::EXIT,
    }
}

/// Height and width that a board may have; cheap, so that squares are looked at only if they can be there.
pub(crate) fn board_size(height: u32, width: u32) -> Result<(usize, usize), Failure> {
    let (height, width) = (height as usize, width as usize);
    Board::check_size(height, width).map_err(Failure::argument)?;
    Ok((height, width))
}

/// The board with these squares.
pub(crate) fn board(height: usize, width: usize, numbers: &[u8]) -> Result<Board, Failure> {
    Board::new(height, width, squares(numbers)?).map_err(Failure::argument)
}

/// The board of the graph with these edges, whose vertices are these squares.
pub(crate) fn graph(numbers: &[u8], edges: &[types::Edge]) -> Result<Board, Failure> {
    let edges = edges.iter().map(|edge| (edge.from.into(), edge.to.into()));
    Board::of_edges(&squares(numbers)?, edges).map_err(Failure::argument)
}

/// The edges of a graph, vertex after vertex.
pub(crate) fn edges(graph: &Graph) -> impl Iterator<Item = types::Edge> + '_ {
    (0..graph.vertices()).flat_map(|from| {
        let edge = move |&to: &u32| types::Edge { from: from as u16, to: to as u16 };
        graph.successors(from).iter().map(edge)
    })
}

fn squares(numbers: &[u8]) -> Result<Vec<Square>, Failure> {
    let read = |(i, &number): (usize, &u8)| match number {
        square::WALL => Ok(Square::Wall),
        square::OPEN => Ok(Square::Open),
        square::EXIT => Ok(Square::Exit),
        found => Err(unknown(&format!("squares[{i}]"), "a square, 0 to 2", found.into())),
    };
    numbers.iter().enumerate().map(read).collect()
}

impl TryFrom<types::Position> for Position {
    type Error = Failure;

    fn try_from(position: types::Position) -> Result<Position, Failure> {
        let cell = |cell: types::Cell| Cell::new(cell.row, cell.col);
        let turn = match position.turn {
            side::POLICE => Side::Police,
            side::THIEF => Side::Thief,
            found => return Err(unknown("turn", "DRAGNET_POLICE (1) or DRAGNET_THIEF (2)", found)),
        };
        let officers = match position.officers {
            0 => 1,
            found => usize::try_from(found).unwrap_or(usize::MAX),
        };
        let cells = position.police.get(..officers).ok_or_else(|| {
            unknown("officers", &format!("a number from 0 to {}", types::MAX_OFFICERS), position.officers)
        })?;
        let mut police = [cell(cells[0]); types::MAX_OFFICERS];
        for (to, &from) in police.iter_mut().zip(cells) {
            *to = cell(from);
        }
        let police = Pieces::new(&police[..officers]).map_err(Failure::argument)?;
        Ok(Position::new(police, cell(position.thief), turn))
    }
}

impl types::Value {
    /// The value of a position with this side to move.
    pub(crate) fn of(value: Value, turn: Side) -> types::Value {
        let outcome: Outcome = value.outcome(turn);
        types::Value { outcome: side_number(outcome.winner()), dtw: value.dtw().unwrap_or(types::NO_DTW) }
    }
}

impl types::Move {
    fn of(side: Side, pieces: Pieces, after: Position, value: Value) -> types::Move {
        let mut to = [types::Cell { row: 0, col: 0 }; types::MAX_OFFICERS];
        for (to, from) in to.iter_mut().zip(&*pieces) {
            *to = types::Cell { row: from.row, col: from.col };
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
        types::Options { cache_bytes: options.cache_bytes, access, reserved: 0 }
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
        Ok(Options::default().cache_bytes(options.cache_bytes).access(access))
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
        let open_tables = usize::try_from(options.open_tables).unwrap_or(usize::MAX);
        Ok(TablebaseOptions::default().open_tables(open_tables).table(options.table.try_into()?))
    }
}
