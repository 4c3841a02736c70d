//! Many positions in one request, as JSON or as numbers.
//!
//! The form of numbers is for those who ask millions: a position is the row and the column of each officer
//! and of the thief and the side to move (0 the police, 1 the thief), 16 bits each, little-endian; in a game
//! table it is its number in 64 bits. An answer is the code of FORMAT.md in 32 bits, little-endian: 0 for a
//! draw, otherwise 1 + 2 times the distance in plies, and 1 more if the side to move wins.

use super::{body, problem::Problem};
use crate::answers::JsonPieces;
use axum::http::{HeaderMap, StatusCode};
use dragnet_probe::{Cell, Pieces, Position, Side};
use serde::Deserialize;

/// The form of a request's body, and of its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Json,
    Numbers,
}

pub(super) const NUMBERS: &str = "application/octet-stream";

impl Form {
    /// Returns the form that the request says its body has.
    pub(super) fn of(headers: &HeaderMap) -> Result<Form, Problem> {
        match body::media_type(headers) {
            body::JSON => Ok(Form::Json),
            NUMBERS => Ok(Form::Numbers),
            other => Err(body::wrong_type(&format!("{} or {NUMBERS}", body::JSON), other)),
        }
    }
}

/// An element of a batch in JSON, for the description of the interface.
#[derive(utoipa::ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the description alone is made from it; tables differ in what they take")]
pub(super) enum JsonQuestion {
    /// A position of a pursuit table.
    Position(JsonPosition),
    /// The number of a position in a table of a game on a graph.
    Number(u64),
}

/// A position in JSON.
#[derive(Deserialize, utoipa::ToSchema)]
pub(super) struct JsonPosition {
    /// The cell of the officer, or a list of the cells of several.
    #[schema(schema_with = crate::answers::schemas::pieces)]
    police: JsonPieces,
    /// The row and column of the thief.
    thief: [u16; 2],
    /// The side to move.
    #[schema(schema_with = crate::answers::schemas::side)]
    turn: Side,
}

impl JsonPosition {
    /// Returns the position, the `index`th of those asked from 0.
    fn position(self, index: usize) -> Result<Position, Problem> {
        let police = Pieces::try_from(self.police)
            .map_err(|error| Problem::bad_request(format!("position {index}: police: {error}")))?;
        Ok(Position { police, thief: Cell::new(self.thief[0], self.thief[1]), turn: self.turn })
    }
}

/// Returns the positions of a pursuit table in a body.
pub(super) fn positions(
    form: Form,
    body: &[u8],
    officers: u8,
    most: usize,
) -> Result<Vec<Position>, Problem> {
    match form {
        Form::Json => {
            let read: Vec<JsonPosition> = body::from_json(body)?;
            require(read.len(), most)?;
            read.into_iter().enumerate().map(|(index, position)| position.position(index)).collect()
        }
        Form::Numbers => {
            let width = 2 * (2 * usize::from(officers) + 3);
            records(body, width, most)?
                .enumerate()
                .map(|(index, record)| record_position(record, index))
                .collect()
        }
    }
}

/// Returns the numbers of positions of a game table in a body.
pub(super) fn numbers(form: Form, body: &[u8], most: usize) -> Result<Vec<u64>, Problem> {
    match form {
        Form::Json => {
            let read: Vec<u64> = body::from_json(body)?;
            require(read.len(), most)?;
            Ok(read)
        }
        Form::Numbers => {
            let number = |record: &[u8]| u64::from_le_bytes(record.try_into().expect("records have 8 bytes"));
            Ok(records(body, 8, most)?.map(number).collect())
        }
    }
}

fn records(body: &[u8], width: usize, most: usize) -> Result<std::slice::ChunksExact<'_, u8>, Problem> {
    if !body.len().is_multiple_of(width) {
        let detail = format!("expected positions of {width} bytes each, found {} bytes", body.len());
        return Err(Problem::bad_request(detail));
    }
    require(body.len() / width, most)?;
    Ok(body.chunks_exact(width))
}

fn record_position(record: &[u8], index: usize) -> Result<Position, Problem> {
    let number = |at: usize| u16::from_le_bytes([record[2 * at], record[2 * at + 1]]);
    let cell = |at: usize| Cell::new(number(2 * at), number(2 * at + 1));
    let officers = (record.len() / 2 - 3) / 2;
    let mut cells = [Cell::new(0, 0); Pieces::MAX];
    for (officer, place) in cells.iter_mut().enumerate().take(officers) {
        *place = cell(officer);
    }
    let police = Pieces::new(&cells[..officers])
        .map_err(|error| Problem::bad_request(format!("position {index}: police: {error}")))?;
    let turn = match number(2 * officers + 2) {
        0 => Side::Police,
        1 => Side::Thief,
        found => {
            let detail = format!("position {index}: side to move: expected 0 or 1, found {found}");
            return Err(Problem::bad_request(detail));
        }
    };
    Ok(Position { police, thief: cell(officers), turn })
}

fn require(found: usize, most: usize) -> Result<(), Problem> {
    if found <= most {
        return Ok(());
    }
    let detail = format!("expected at most {most} positions in a request, found {found}");
    Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail))
}
