//! Many positions in one request, as JSON or as numbers.
//!
//! The form of numbers is for those who ask millions: a position is the row and the column of each officer
//! and of the thief and the side to move (0 the police, 1 the thief), 16 bits each, little-endian; in a game
//! table it is its number in 64 bits. An answer is the code of FORMAT.md in 32 bits, little-endian: 0 for a
//! draw, otherwise 1 + 2 times the distance in plies, and 1 more if the side to move wins.

use super::{problem::Problem, request_body};
use crate::output::json::{JsonCell, JsonPieces, PlayerResult};
use axum::{
    Json,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use dragnet_formats::value::{Plies, Value};
use dragnet_probe::{AnyTable, Cell, Pieces, Position, ProbeError, Side};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The form of a request's body, and of its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Json,
    Numbers,
}

const NUMBERS: &str = "application/octet-stream";

impl Form {
    /// Returns the form that the request says its body has.
    pub(super) fn of(headers: &HeaderMap) -> Result<Form, Problem> {
        match request_body::media_type(headers) {
            request_body::JSON => Ok(Form::Json),
            NUMBERS => Ok(Form::Numbers),
            other => Err(request_body::wrong_type(&format!("{} or {NUMBERS}", request_body::JSON), other)),
        }
    }
}

/// An element of a batch in JSON, for the description of the interface.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "the description alone is made from it; tables differ in what they take")]
pub(super) enum JsonQuestion {
    /// A position of a pursuit table.
    Position(JsonPosition),
    /// The number of a position in a table of a game on a graph.
    Number(u64),
}

/// A position in JSON.
#[derive(Deserialize, JsonSchema)]
pub(super) struct JsonPosition {
    /// The cell of the officer, or a list of the cells of several.
    police: JsonPieces,
    /// The row and column of the thief.
    thief: JsonCell,
    /// The side to move.
    turn: Side,
    /// The world; 0 if it is left out.
    #[serde(default)]
    world: u32,
}

impl JsonPosition {
    /// Returns the position, the `index`th of those asked from 0.
    fn position(self, index: usize) -> Result<Position, Problem> {
        let police = Pieces::try_from(self.police)
            .map_err(|error| Problem::bad_request(format!("position {index}: police: {error}")))?;
        Ok(Position { world: self.world, police, thief: self.thief.into(), turn: self.turn })
    }
}

/// The values of many positions, in their order.
#[derive(Serialize, JsonSchema)]
pub(super) struct Values {
    /// The unit of every distance: plies, single moves of one side.
    unit: &'static str,
    values: Vec<BatchValue>,
}

/// The value of one position of many.
#[derive(Serialize, JsonSchema)]
struct BatchValue {
    /// The side that wins, or draw; in a table of a game on a graph won, lost or drawn.
    outcome: String,
    /// The distance to the win in plies, null for a draw.
    dtw: Option<Plies>,
}

/// Positions that are looked up before the next look at the clock: of a table whose every move must be found
/// by many steps they take some dozen milliseconds.
const PIECE: usize = 64;

/// A batch that is answered piece by piece.
pub(super) struct PieceByPiece {
    questions: Questions,
    /// The places of the questions, in the order of their blocks in the file: a block is read once.
    order: Vec<u32>,
    /// How many of `order` are answered.
    done: usize,
    /// The values in the order of the questions, as far as they are known.
    values: Vec<Value>,
}

/// The questions of a batch.
enum Questions {
    /// Positions of a pursuit table.
    Positions(Vec<Position>),
    /// Numbers of positions of a game table.
    Numbers(Vec<u64>),
}

impl PieceByPiece {
    /// Reads the questions of a body, of which there may be `most`, about `table`.
    pub(super) fn new(
        table: &AnyTable,
        form: Form,
        body: &[u8],
        most: usize,
    ) -> Result<PieceByPiece, Problem> {
        let (questions, keys): (_, Vec<u64>) = match table {
            AnyTable::Pursuit(table) => {
                let positions = positions(form, body, table.officers(), most)?;
                // A position that has no block is refused when it is looked up, before all others.
                let block = |position: &Position| {
                    let Position { world, police, thief, .. } = *position;
                    table.numbering().locate(world, police, thief).map_or(0, |at| at.block + 1)
                };
                let keys = positions.iter().map(block).collect();
                (Questions::Positions(positions), keys)
            }
            AnyTable::Game(table) => {
                let numbers = numbers(form, body, most)?;
                let key = |&number: &u64| if number < table.positions() { number + 1 } else { 0 };
                let keys = numbers.iter().map(key).collect();
                (Questions::Numbers(numbers), keys)
            }
            AnyTable::Partial(_) => return Err(Problem::partial_table()),
        };
        let mut order: Vec<u32> = (0..keys.len() as u32).collect();
        order.sort_by_key(|&place| keys[place as usize]);
        Ok(PieceByPiece { questions, order, done: 0, values: vec![Value::Draw; keys.len()] })
    }

    /// Returns the number of questions.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Answers the next piece from `table`. Returns whether there was one.
    ///
    /// # Errors
    /// [`ProbeError::InBatch`] with the place of a question that has no answer; [`ProbeError::Changed`].
    pub(super) fn answer_piece(&mut self, table: &AnyTable) -> Result<bool, ProbeError> {
        let piece = &self.order[self.done..][..PIECE.min(self.order.len() - self.done)];
        let values = match (&self.questions, table) {
            (Questions::Positions(positions), AnyTable::Pursuit(table)) => {
                let asked: Vec<Position> = piece.iter().map(|&place| positions[place as usize]).collect();
                table.values(&asked)
            }
            (Questions::Numbers(numbers), AnyTable::Game(table)) => {
                let asked: Vec<u64> = piece.iter().map(|&place| numbers[place as usize]).collect();
                table.values(&asked)
            }
            _ => unreachable!("the questions were read for this table"),
        };
        let values = values.map_err(|error| match error {
            ProbeError::InBatch { index, source } => match *source {
                changed @ ProbeError::Changed { .. } => changed,
                source => ProbeError::InBatch { index: piece[index] as usize, source: Box::new(source) },
            },
            error => error,
        })?;
        for (&place, value) in piece.iter().zip(values) {
            self.values[place as usize] = value;
        }
        self.done += piece.len();
        Ok(self.done < self.order.len())
    }

    /// Returns the answer in a form, once there are no more pieces.
    pub(super) fn response(&self, form: Form) -> Response {
        if form == Form::Numbers {
            let bytes: Vec<u8> = self.values.iter().flat_map(|value| value.code().to_le_bytes()).collect();
            return ([(header::CONTENT_TYPE, NUMBERS)], bytes).into_response();
        }
        let word = |(place, value): (usize, &Value)| BatchValue {
            outcome: match &self.questions {
                Questions::Positions(positions) => value.outcome(positions[place].turn).to_string(),
                Questions::Numbers(_) => PlayerResult::from(*value).to_string(),
            },
            dtw: value.dtw(),
        };
        let values = self.values.iter().enumerate().map(word).collect();
        Json(Values { unit: "plies", values }).into_response()
    }
}

/// Returns the positions of a pursuit table in a body.
fn positions(form: Form, body: &[u8], officers: u8, most: usize) -> Result<Vec<Position>, Problem> {
    match form {
        Form::Json => {
            let read: Vec<JsonPosition> = request_body::from_json(body)?;
            require(read.len(), most)?;
            read.into_iter().enumerate().map(|(index, position)| position.position(index)).collect()
        }
        Form::Numbers => {
            let width = 2 * (2 * usize::from(officers) + 4);
            records(body, width, most)?
                .enumerate()
                .map(|(index, record)| record_position(record, index))
                .collect()
        }
    }
}

/// Returns the numbers of positions of a game table in a body.
fn numbers(form: Form, body: &[u8], most: usize) -> Result<Vec<u64>, Problem> {
    match form {
        Form::Json => {
            let read: Vec<u64> = request_body::from_json(body)?;
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
    let officers = record.len() / 4 - 2;
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
    let world = number(2 * officers + 3).into();
    Ok(Position { world, police, thief: cell(officers), turn })
}

fn require(found: usize, most: usize) -> Result<(), Problem> {
    if found <= most {
        return Ok(());
    }
    let detail = format!("expected at most {most} positions in a request, found {found}");
    Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail))
}
