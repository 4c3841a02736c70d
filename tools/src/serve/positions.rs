//! Routes about positions: their values, their moves, lines, and many at once.

use super::{
    batch::{self, Form, JsonQuestion},
    body,
    problem::{OfTable, Problem},
    question::{Asked, Question},
    state::{Answerless, State},
};
use crate::{
    answers::{LineAnswer, PositionAnswer},
    output::human,
};
use axum::{
    Json,
    body::Bytes,
    extract::{Path, State as Shared, rejection::BytesRejection},
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use dragnet_formats::value::{Plies, Value};
use dragnet_probe::{AnyTable, Position, Side};
use serde::Serialize;
use std::sync::Arc;

/// The answer about a position, and the unit of its distances.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct WithUnit<T> {
    /// The unit of every distance: plies, single moves of one side.
    unit: &'static str,
    #[serde(flatten)]
    answer: T,
}

impl<T> WithUnit<T> {
    fn new(answer: T) -> WithUnit<T> {
        WithUnit { unit: "plies", answer }
    }
}

/// The value of a position in a pursuit table or a game table.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(untagged)]
pub(super) enum AnyAnswer {
    /// In a pursuit table.
    Pursuit(PositionAnswer),
    /// In a table of a game on a graph.
    Vertex(VertexAnswer),
}

/// The value of a position in a table of a game on a graph, for the player to move.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct VertexAnswer {
    /// The number of the position.
    vertex: u64,
    /// The result for the player to move: won, lost or drawn.
    result: &'static str,
    /// The distance to the end in plies, null for a draw.
    dtw: Option<Plies>,
}

/// The value of a position, and all moves best first.
#[utoipa::path(
    get,
    path = "/v1/tables/{name}/position",
    tag = "positions",
    params(("name" = String, Path, description = "Name of the table"), Asked),
    responses(
        (status = 200, body = WithUnit<AnyAnswer>),
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
    state.long_work(move |state| position_of(state, &question)).await
}

fn position_of(state: &State, question: &Question) -> Result<Response, Problem> {
    state.answer(question, |table| {
        let answer = match table {
            AnyTable::Pursuit(table) => {
                let position = question.asked.position(table.rules().officers)?;
                let (value, moves) = (table.value(position)?, table.best_moves(position)?);
                AnyAnswer::Pursuit(PositionAnswer::new(position, value, &moves, table.rules().undecided))
            }
            AnyTable::Game(table) => {
                let vertex = question.asked.vertex()?;
                let value = table.value(vertex)?;
                AnyAnswer::Vertex(VertexAnswer { vertex, result: human::result(value), dtw: value.dtw() })
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
        (status = 200, body = WithUnit<LineAnswer>),
        OfTable,
    ),
)]
pub(super) async fn line(Shared(state): Shared<Arc<State>>, question: Question) -> Result<Response, Problem> {
    let line = move |state: &State| {
        state.answer(&question, |table| {
            let AnyTable::Pursuit(table) = table else {
                return Err(Problem::bad_request(
                    "expected a pursuit table, found one that holds no moves with their values",
                )
                .into());
            };
            let line = table.line(question.asked.position(table.rules().officers)?)?;
            state.metrics.positions(line.moves.len() as u64 + 1);
            Ok(Json(WithUnit::new(LineAnswer::from(&line))))
        })
    };
    state.long_work(line).await
}

/// The values of many positions, in their order.
#[derive(Serialize, utoipa::ToSchema)]
struct Values {
    /// The unit of every distance: plies, single moves of one side.
    unit: &'static str,
    values: Vec<BatchValue>,
}

/// The value of one position of many.
#[derive(Serialize, utoipa::ToSchema)]
struct BatchValue {
    /// The side that wins, or draw; in a table of a game on a graph won, lost or drawn.
    outcome: &'static str,
    /// The distance to the win in plies, null for a draw.
    dtw: Option<Plies>,
}

/// The values of many positions at once.
///
/// A body of `application/json` is a list of positions, or of numbers in a table of a game on a graph. A body
/// of `application/octet-stream` has each position as unsigned 16-bit numbers, little-endian: row and column
/// of each officer, row and column of the thief, and the side to move (0 police, 1 thief); in a table of a
/// game on a graph as a 64-bit number. It is answered by a 32-bit number for each position: 0 for a draw,
/// else 1 + 2 × distance, and 1 more if the side to move wins.
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
    let body = body::read(body, &state)?;
    state.long_work(move |state| state.with_table(&name, |table| values(state, table, form, &body))).await
}

fn values(state: &State, table: &AnyTable, form: Form, body: &[u8]) -> Result<Response, Answerless> {
    let most = state.limits.batch;
    match table {
        AnyTable::Pursuit(table) => {
            let positions = batch::positions(form, body, table.rules().officers, most)?;
            let values = table.values(&positions)?;
            state.metrics.positions(values.len() as u64);
            let words = |(value, position): (&Value, &Position)| BatchValue {
                outcome: outcome(value.outcome(position.turn).winner()),
                dtw: value.dtw(),
            };
            Ok(answer(form, &values, || values.iter().zip(&positions).map(words).collect()))
        }
        AnyTable::Game(table) => {
            let numbers = batch::numbers(form, body, most)?;
            let values = table.values(&numbers)?;
            state.metrics.positions(values.len() as u64);
            let words = |value: &Value| BatchValue { outcome: human::result(*value), dtw: value.dtw() };
            Ok(answer(form, &values, || values.iter().map(words).collect()))
        }
        AnyTable::Partial(_) => Err(Problem::partial_table().into()),
    }
}

fn outcome(winner: Option<Side>) -> &'static str {
    match winner {
        Some(Side::Police) => "police",
        Some(Side::Thief) => "thief",
        None => "draw",
    }
}

fn answer(form: Form, values: &[Value], words: impl FnOnce() -> Vec<BatchValue>) -> Response {
    match form {
        Form::Json => Json(Values { unit: "plies", values: words() }).into_response(),
        Form::Numbers => {
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.code().to_le_bytes()).collect();
            ([(header::CONTENT_TYPE, batch::NUMBERS)], bytes).into_response()
        }
    }
}
