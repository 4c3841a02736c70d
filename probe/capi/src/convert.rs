//! Conversions between the structures of C and the types of the probe library.

mod opponent;

pub(crate) use opponent::target;

use crate::{
    border::Out,
    failure::Failure,
    types::{self, result, side, stuck, team},
};
use dragnet_probe::{
    Cell, Choice, Counts, LineMove, Outcome, Pieces, Position, Side, Stuck, Team, Undecided, Value,
};
use std::{ffi::c_char, path::Path};

/// Returns the failure for a number that is not a value of `field`.
fn unknown(field: &str, expected: &str, found: i32) -> Failure {
    Failure::argument(format_args!("{field}: expected {expected}, found {found}"))
}

/// Returns a path as bytes that `In::path` converts back.
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

/// Returns the number of who moves in a turn of the police.
pub(crate) fn team_number(team: Team) -> i32 {
    match team {
        Team::All => team::ALL,
        Team::One => team::ONE,
    }
}

/// Returns the number of what becomes of a side that has no move.
pub(crate) fn stuck_number(stuck: Stuck) -> i32 {
    match stuck {
        Stuck::Loses => stuck::LOSES,
        Stuck::Wins => stuck::WINS,
    }
}

/// Returns the number of the side for which a draw counts, or of nobody.
pub(crate) fn undecided_number(undecided: Undecided) -> i32 {
    side_number(Outcome::Draw.counted(undecided).winner())
}

impl From<Cell> for types::Cell {
    fn from(cell: Cell) -> types::Cell {
        types::Cell { row: cell.row, col: cell.col }
    }
}

/// Returns the cells of a side's pieces, and 0,0 for each that is not there.
fn cells(pieces: &[Cell]) -> [types::Cell; types::MAX_OFFICERS] {
    let mut cells = [types::Cell { row: 0, col: 0 }; types::MAX_OFFICERS];
    for (to, &from) in cells.iter_mut().zip(pieces) {
        *to = from.into();
    }
    cells
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
        Ok(Position::new(police, cell(position.thief), turn).in_world(position.world))
    }
}

impl From<Position> for types::Position {
    fn from(position: Position) -> types::Position {
        types::Position {
            police: cells(&position.police),
            thief: position.thief.into(),
            turn: side_number(Some(position.turn)),
            officers: position.police.len() as i32,
            world: position.world,
        }
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
        types::Move {
            side: side_number(Some(side)),
            count: pieces.len() as i32,
            to: cells(&pieces),
            world: after.world,
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
