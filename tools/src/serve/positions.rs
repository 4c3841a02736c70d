//! Routes about positions: their values, their moves, lines, and many at once.

use super::{
    batch::{self, Form, JsonPosition},
    conditional::Tag,
    problem::Problem,
    state::{Answerless, State},
};
use crate::answers::{LineAnswer, PositionAnswer};
use axum::{
    Json,
    body::Bytes,
    extract::{FromRequestParts, Path, State as Shared, rejection::BytesRejection},
    http::{HeaderMap, StatusCode, header, request::Parts},
    response::Response,
};
use dragnet_formats::value::{Plies, Value};
use dragnet_probe::{AnyTable, Cell, Pieces, Position, Side};
use serde::Serialize;
use std::sync::Arc;

/// The parameters of a question.
#[derive(Debug, Default)]
pub(super) struct Asked {
    police: Option<String>,
    thief: Option<String>,
    turn: Option<String>,
    vertex: Option<String>,
    digest: Option<String>,
}

/// The parameters of a question, for the description.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "it is read by the derived description alone")]
pub(super) struct AnyQuery {
    /// Row and column of the officer, as in 7,1; several officers are joined by ; or +.
    police: Option<String>,
    /// Row and column of the thief.
    thief: Option<String>,
    /// The side to move: police or thief; police if absent.
    turn: Option<String>,
    /// The number of a position, in a table of a game on a graph.
    vertex: Option<u64>,
    /// The digest that the table must have. The answer may then be kept for ever.
    digest: Option<String>,
}

impl Asked {
    pub(super) fn digest(&self) -> Option<&str> {
        self.digest.as_deref()
    }
}

impl<S: Sync> FromRequestParts<S> for Asked {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Asked, Problem> {
        let query = parts.uri.query().unwrap_or("");
        let mut asked = Asked::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let field = match name.as_ref() {
                "police" => &mut asked.police,
                "thief" => &mut asked.thief,
                "turn" => &mut asked.turn,
                "vertex" => &mut asked.vertex,
                "digest" => &mut asked.digest,
                other => {
                    let known = "police, thief, turn, vertex or digest";
                    return Err(Problem::bad_request(format!(
                        "expected a parameter {known}, found {other:?}"
                    )));
                }
            };
            if field.replace(value.into_owned()).is_some() {
                return Err(Problem::bad_request(format!("expected {name} once, found it again")));
            }
        }
        Ok(asked)
    }
}

/// Returns the position of a pursuit game that was asked for.
pub(super) fn position_of(asked: &Asked, officers: u8) -> Result<Position, Problem> {
    if asked.vertex.is_some() {
        return Err(Problem::bad_request("vertex: this table has police and thief"));
    }
    let missing = |name: &str| Problem::bad_request(format!("{name}: expected ROW,COL, found nothing"));
    let wrong = |name: &str, error: &dyn std::fmt::Display| Problem::bad_request(format!("{name}: {error}"));
    let police = asked.police.as_deref().ok_or_else(|| missing("police"))?.replace([';', ' '], "+");
    let police: Pieces = police.parse().map_err(|error| wrong("police", &error))?;
    if police.cells().len() != usize::from(officers) {
        let found = police.cells().len();
        return Err(wrong("police", &format!("expected the cells of {officers} officers, found {found}")));
    }
    let thief = asked.thief.as_deref().ok_or_else(|| missing("thief"))?;
    let thief: Cell = thief.parse().map_err(|error| wrong("thief", &error))?;
    let turn = match asked.turn.as_deref() {
        None => Side::Police,
        Some(turn) => turn.parse().map_err(|error| wrong("turn", &error))?,
    };
    Ok(Position { police, thief, turn })
}

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

/// The value of a position in a table of either kind.
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
#[utoipa::path(get, path = "/v1/tables/{name}/position", tag = "positions", params(("name" = String, Path, description = "Name of the table"), AnyQuery),
    responses((status = 200, body = WithUnit<AnyAnswer>), (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json"), (status = 409, body = Problem, content_type = "application/problem+json"),
        (status = 500, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn position(
    Shared(state): Shared<Arc<State>>,
    Path(name): Path<String>,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if state.is_quick(&name) {
        return answer_position(&state, &name, &asked, &headers);
    }
    state.long_work(move |state| answer_position(state, &name, &asked, &headers)).await
}

fn answer_position(
    state: &State,
    name: &str,
    asked: &Asked,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    state.with_table(name, |table| {
        let tag = Tag::new(table, asked.digest())?;
        if let Some(known) = tag.not_modified(headers) {
            return Ok(known);
        }
        let response = match table {
            AnyTable::Pursuit(table) => {
                let position = position_of(asked, table.rules().officers)?;
                let (value, moves) = (table.value(position)?, table.best_moves(position)?);
                let answer = PositionAnswer::new(position, value, &moves, table.rules().undecided);
                tag.on(Json(WithUnit::new(AnyAnswer::Pursuit(answer))))
            }
            AnyTable::Game(table) => {
                let expected = "vertex: expected the number of a position";
                let number = asked
                    .vertex
                    .as_deref()
                    .ok_or_else(|| Problem::bad_request(format!("{expected}, found nothing")))?;
                let vertex = number
                    .parse()
                    .map_err(|_| Problem::bad_request(format!("{expected}, found {number:?}")))?;
                let value = table.value(vertex)?;
                let answer = VertexAnswer { vertex, result: result(value), dtw: value.dtw() };
                tag.on(Json(WithUnit::new(AnyAnswer::Vertex(answer))))
            }
        };
        state.metrics.positions(1);
        Ok(response)
    })
}

fn result(value: Value) -> &'static str {
    match value {
        Value::Win(_) => "won",
        Value::Loss(_) => "lost",
        Value::Draw => "drawn",
    }
}

/// Optimal play from a position to the end.
#[utoipa::path(get, path = "/v1/tables/{name}/line", tag = "positions", params(("name" = String, Path, description = "Name of the table"), AnyQuery),
    responses((status = 200, body = WithUnit<LineAnswer>), (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn line(
    Shared(state): Shared<Arc<State>>,
    Path(name): Path<String>,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    state
        .long_work(move |state| {
            state.with_table(&name, |any| {
                let tag = Tag::new(any, asked.digest())?;
                if let Some(known) = tag.not_modified(&headers) {
                    return Ok(known);
                }
                let AnyTable::Pursuit(table) = any else {
                    return Err(Problem::bad_request("a table of a game on a graph holds no moves").into());
                };
                let line = table.line(position_of(&asked, table.rules().officers)?)?;
                state.metrics.positions(line.moves.len() as u64 + 1);
                Ok(tag.on(Json(WithUnit::new(LineAnswer::from(&line)))))
            })
        })
        .await
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
#[utoipa::path(post, path = "/v1/tables/{name}/positions", tag = "positions", params(("name" = String, Path, description = "Name of the table")),
    request_body(content((Vec<JsonPosition> = "application/json"), (Vec<u8> = "application/octet-stream"))),
    responses((status = 200, content((Values = "application/json"), (Vec<u8> = "application/octet-stream"))),
        (status = 400, body = Problem, content_type = "application/problem+json"), (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 413, body = Problem, content_type = "application/problem+json"), (status = 415, body = Problem, content_type = "application/problem+json"),
        (status = 503, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn positions(
    Shared(state): Shared<Arc<State>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    let form = Form::of(&headers)?;
    let body = body_of(body, &state)?;
    state.long_work(move |state| state.with_table(&name, |table| values(state, table, form, &body))).await
}

/// Returns the body of a request, if it could be read and is not too long.
pub(super) fn body_of(body: Result<Bytes, BytesRejection>, state: &State) -> Result<Bytes, Problem> {
    body.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let detail = format!("expected a body of at most {} bytes, found more", state.limits.body);
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
        }
        status => Problem::new(status, error.body_text()),
    })
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
            let words = |value: &Value| BatchValue { outcome: result(*value), dtw: value.dtw() };
            Ok(answer(form, &values, || values.iter().map(words).collect()))
        }
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
    use axum::response::IntoResponse;
    match form {
        Form::Json => Json(Values { unit: "plies", values: words() }).into_response(),
        Form::Numbers => {
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.code().to_le_bytes()).collect();
            ([(header::CONTENT_TYPE, batch::NUMBERS)], bytes).into_response()
        }
    }
}
