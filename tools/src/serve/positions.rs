//! Routes about positions: their values, their moves, lines, and many at once.

use super::{
    batch::{Form, JsonQuestion, PieceByPiece, Values},
    client::Wanted,
    described::{AnyAnswer, LineReply, PositionReply, VertexAnswer, WithUnit},
    problem::{OfTable, Problem},
    question::{Asked, Question},
    request_body,
    state::State,
};
use crate::table::answers::{LineAnswer, PositionAnswer};
use axum::{
    Json,
    body::Bytes,
    extract::{Path, State as Shared, rejection::BytesRejection},
    http::HeaderMap,
    response::Response,
};
use dragnet_probe::{AnyTable, ProbeError};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// The value of a position, and all moves best first.
#[utoipa::path(
    get,
    path = "/v1/tables/{name}/position",
    tag = "positions",
    params(("name" = String, Path, description = "Name of the table"), Asked),
    responses(
        (status = 200, body = PositionReply),
        OfTable,
    ),
)]
pub(super) async fn position(
    Shared(state): Shared<Arc<State>>,
    question: Question,
) -> Result<Response, Problem> {
    if state.is_quick(&question.name) {
        return position_of(&state, &question);
    }
    state.long_work(move |state, _| position_of(state, &question)).await
}

fn position_of(state: &State, question: &Question) -> Result<Response, Problem> {
    state.answer(question, |table| {
        let answer = match table {
            AnyTable::Pursuit(table) => {
                let position = question.asked.position(table.officers())?;
                let (value, moves) = (table.value(position)?, table.best_moves(position)?);
                AnyAnswer::Pursuit(PositionAnswer::new(position, value, &moves, table.undecided()))
            }
            AnyTable::Game(table) => {
                let vertex = question.asked.vertex()?;
                let value = table.value(vertex)?;
                AnyAnswer::Vertex(VertexAnswer { vertex, result: value.into(), dtw: value.dtw() })
            }
            AnyTable::Partial(_) => return Err(Problem::partial_table().into()),
        };
        state.metrics.positions(1);
        Ok(Json(WithUnit::new(answer)))
    })
}

/// Optimal play from a position to the end.
#[utoipa::path(
    get,
    path = "/v1/tables/{name}/line",
    tag = "positions",
    params(("name" = String, Path, description = "Name of the table"), Asked),
    responses(
        (status = 200, body = LineReply),
        OfTable,
    ),
)]
pub(super) async fn line(Shared(state): Shared<Arc<State>>, question: Question) -> Result<Response, Problem> {
    let line = move |state: &State, wanted: &Wanted| {
        state.answer(&question, |table| {
            let AnyTable::Pursuit(table) = table else {
                return Err(Problem::bad_request(
                    "expected a pursuit table, found one that holds no moves with their values",
                )
                .into());
            };
            let position = question.asked.position(table.officers())?;
            let line = table.line_while(position, |_| wanted.go_on())?.ok_or_else(Problem::given_up)?;
            state.metrics.positions(line.moves.len() as u64 + 1);
            Ok(Json(WithUnit::new(LineAnswer::from(&line))))
        })
    };
    state.long_work(line).await
}

/// The values of many positions at once.
///
/// A body of `application/json` is a list of positions, or of numbers in a table of a game on a graph. A body
/// of `application/octet-stream` has each position as unsigned 16-bit numbers, little-endian: row and column
/// of each officer, row and column of the thief, the side to move (0 police, 1 thief), and the world; in a
/// table of a game on a graph as a 64-bit number. It is answered by a 32-bit number for each position: 0 for
/// a draw, else 1 + 2 × distance, and 1 more if the side to move wins.
#[utoipa::path(
    post,
    path = "/v1/tables/{name}/positions",
    tag = "positions",
    params(("name" = String, Path, description = "Name of the table")),
    request_body(content((Vec<JsonQuestion> = "application/json"), (Vec<u8> = "application/octet-stream"))),
    responses(
        (status = 200, content((Values = "application/json"), (Vec<u8> = "application/octet-stream"))),
        OfTable,
        (status = 413, response = inline(Problem)),
        (status = 415, response = inline(Problem)),
    ),
)]
pub(super) async fn positions(
    Shared(state): Shared<Arc<State>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    let form = Form::of(&headers)?;
    let body = request_body::read(body, &state)?;
    let mut work = Batch { name, form, body, again: true, pieces: None };
    // Between two turns others have their turns. A client that leaves ends this loop.
    loop {
        let turn = state.long_work(move |state, _| work.turn(state)).await?;
        match turn {
            Turn::Done(response) => return Ok(response),
            Turn::Next(next) => work = *next,
        }
    }
}

/// The time after which a batch lets others have their turns.
const TURN: Duration = Duration::from_millis(50);

/// The state of a batch after a turn.
enum Turn {
    Done(Response),
    Next(Box<Batch>),
}

/// A batch of positions on its way to their values.
struct Batch {
    name: String,
    form: Form,
    body: Bytes,
    /// Whether the table is opened once more if its file has changed.
    again: bool,
    pieces: Option<Pieces>,
}

/// A batch that is being answered from one table.
struct Pieces {
    table: Arc<AnyTable>,
    batch: PieceByPiece,
}

impl Batch {
    /// Answers pieces of the batch until its turn is over.
    fn turn(mut self, state: &State) -> Result<Turn, Problem> {
        let begin = Instant::now();
        loop {
            let pieces = match self.pieces.take() {
                Some(pieces) => pieces,
                None => {
                    let table = state.table(&self.name)?;
                    let batch = PieceByPiece::new(&table, self.form, &self.body, state.limits.batch)?;
                    Pieces { table, batch }
                }
            };
            let pieces = self.pieces.insert(pieces);
            match pieces.batch.answer_piece(&pieces.table) {
                Ok(true) => {}
                Ok(false) => {
                    state.metrics.positions(pieces.batch.len() as u64);
                    return Ok(Turn::Done(pieces.batch.response(self.form)));
                }
                Err(ProbeError::Changed { .. }) if self.again => {
                    state.library.close(&self.name);
                    (self.again, self.pieces) = (false, None);
                }
                Err(error) => return Err(Problem::of_probe(&error, &self.name)),
            }
            if begin.elapsed() > TURN {
                return Ok(Turn::Next(Box::new(self)));
            }
        }
    }
}
