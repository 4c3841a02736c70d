//! Routes about whole tables.

use super::{
    access,
    client::Wanted,
    described::{AnyStatistics, StatisticsReply, WithUnit},
    files,
    problem::{OfTable, Problem},
    question::{Asked, Question},
    request_body,
    state::{Answerless, State},
};
use crate::{
    catalogue::{self, Catalogue, Item},
    table::{
        picture,
        portrait::Portrait,
        statistics::{self, GameStatisticsAnswer, PursuitStatistics, Reading},
    },
};
use axum::{
    Json,
    body::Bytes,
    extract::{Path, Request, State as Shared},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use dragnet_probe::{AnyTable, Table};
use dragnet_verify::VerifyError;
use serde::Serialize;
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// Lists tables, boards and graphs.
#[utoipa::path(
    get,
    path = "/v1/tables",
    tag = "tables",
    responses((status = 200, body = Catalogue)),
)]
pub(super) async fn list(Shared(state): Shared<Arc<State>>) -> Result<Json<Catalogue>, Problem> {
    // Files are looked at again now and then.
    let items = spawn_blocking(move || state.library.list()).await.map_err(|_| Problem::internal())?;
    Ok(Json(Catalogue::of_program(items)))
}

/// Facts about a table.
#[utoipa::path(
    get,
    path = "/v1/tables/{name}",
    tag = "tables",
    params(("name" = String, Path, description = "Name of the table")),
    responses(
        (status = 200, body = Item),
        OfTable,
    ),
)]
pub(super) async fn facts(
    Shared(state): Shared<Arc<State>>,
    question: Question,
) -> Result<Response, Problem> {
    state.answer(&question, |table| Ok(Json(Item::of_table(&question.name, table))))
}

/// Counts, longest wins with an example each, and the histogram of distances, as `dragnet stats --json`
/// prints them. Reads the whole table.
#[utoipa::path(
    get,
    path = "/v1/tables/{name}/statistics",
    tag = "tables",
    params(("name" = String, Path, description = "Name of the table")),
    responses(
        (status = 200, body = StatisticsReply),
        OfTable,
        (status = 403, response = inline(Problem)),
        (status = 413, response = inline(Problem)),
    ),
)]
pub(super) async fn statistics(
    Shared(state): Shared<Arc<State>>,
    question: Question,
) -> Result<Response, Problem> {
    access::require_own_site(&state, &question.headers)?;
    let statistics = move |state: &State, wanted: &Wanted| {
        let name = &question.name;
        let stop = || wanted.is_given_up();
        let reading = Reading { memory: state.memory, stop: &stop };
        state.answer(&question, |table| {
            let text = state.kept_or(name, table.digest(), || {
                let failed = |failure| Answerless::Problem(Problem::of_failure(&failure, name));
                let answer = match table {
                    AnyTable::Pursuit(table) => {
                        let statistics = PursuitStatistics::of(table, reading).map_err(failed)?;
                        AnyStatistics::Pursuit(statistics.json(name.clone()))
                    }
                    AnyTable::Game(table) => {
                        let histogram = statistics::of_game_table(table, reading).map_err(failed)?;
                        AnyStatistics::Game(GameStatisticsAnswer::new(name.clone(), table, &histogram))
                    }
                    AnyTable::Partial(_) => {
                        return Err(Problem::partial_table().into());
                    }
                };
                let text = serde_json::to_string(&WithUnit::new(answer));
                Ok(Bytes::from(text.map_err(|_| Problem::internal())?))
            })?;
            Ok(([(header::CONTENT_TYPE, request_body::JSON)], text))
        })
    };
    state.whole_table(statistics).await
}

/// Whether a table is right.
#[derive(Serialize, utoipa::ToSchema)]
struct Verified {
    /// Whether every value is right, and the header. A damaged table is a problem.
    ok: bool,
    /// The first fault, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Checks every checksum of a pursuit table, and every value against its successors, as `dragnet verify`
/// does. Reads the whole table.
#[utoipa::path(
    get,
    path = "/v1/tables/{name}/verify",
    tag = "tables",
    params(("name" = String, Path, description = "Name of the table")),
    responses(
        (status = 200, body = Verified),
        OfTable,
        (status = 403, response = inline(Problem)),
        (status = 413, response = inline(Problem)),
    ),
)]
pub(super) async fn verify(
    Shared(state): Shared<Arc<State>>,
    question: Question,
) -> Result<Response, Problem> {
    access::require_own_site(&state, &question.headers)?;
    let verify = move |state: &State, wanted: &Wanted| {
        state.with_table(&question.name, |table| {
            let verified = match table {
                AnyTable::Pursuit(table) => dragnet_verify::verify(table, state.memory, wanted),
                AnyTable::Game(_) => {
                    return Err(Problem::bad_request("the table of a graph does not hold its moves").into());
                }
                AnyTable::Partial(_) => return Err(Problem::partial_table().into()),
            };
            match verified {
                Ok(()) => Ok(Json(Verified { ok: true, error: None }).into_response()),
                Err(VerifyError::Stopped) => Err(Problem::given_up().into()),
                Err(VerifyError::Probe(error)) => Err(error.into()),
                Err(error @ VerifyError::Memory { .. }) => {
                    Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, error).into())
                }
                Err(error) => {
                    Ok(Json(Verified { ok: false, error: Some(error.to_string()) }).into_response())
                }
            }
        })
    };
    state.whole_table(verify).await
}

/// A picture of the board: what becomes of a thief on each cell, from the best cell of the police.
#[utoipa::path(
    get,
    path = "/v1/tables/{name}/picture.png",
    tag = "pictures",
    params(("name" = String, Path, description = "Name of the table")),
    responses(
        (status = 200, body = Vec<u8>, content_type = "image/png"),
        OfTable,
        (status = 403, response = inline(Problem)),
        (status = 413, response = inline(Problem)),
    ),
)]
pub(super) async fn png(Shared(state): Shared<Arc<State>>, question: Question) -> Result<Response, Problem> {
    access::require_own_site(&state, &question.headers)?;
    let picture = move |state: &State, wanted: &Wanted| {
        let stop = || wanted.is_given_up();
        let reading = Reading { memory: state.memory, stop: &stop };
        state.answer(&question, |table| {
            let portrait = Portrait::of(drawable(table)?, None, reading)
                .map_err(|failure| Problem::of_failure(&failure, &question.name))?;
            Ok(([(header::CONTENT_TYPE, "image/png")], portrait.picture))
        })
    };
    state.whole_table(picture).await
}

/// A picture of optimal play from a position, drawn over the board.
#[utoipa::path(
    get,
    path = "/v1/tables/{name}/picture.svg",
    tag = "pictures",
    params(("name" = String, Path, description = "Name of the table"), Asked),
    responses(
        (status = 200, body = String, content_type = "image/svg+xml"),
        OfTable,
        (status = 403, response = inline(Problem)),
    ),
)]
pub(super) async fn svg(Shared(state): Shared<Arc<State>>, question: Question) -> Result<Response, Problem> {
    access::require_own_site(&state, &question.headers)?;
    let picture = move |state: &State, wanted: &Wanted| {
        state.answer(&question, |table| {
            let table = drawable(table)?;
            let position = question.asked.position(table.officers())?;
            let line = table.line_while(position, |_| wanted.go_on())?.ok_or_else(Problem::given_up)?;
            let text = picture::svg(table, &line)
                .map_err(|failure| Problem::of_failure(&failure, &question.name))?;
            Ok(([(header::CONTENT_TYPE, "image/svg+xml")], text))
        })
    };
    state.long_work(picture).await
}

/// Returns the table of a pursuit game, which has a board.
fn drawable(table: &AnyTable) -> Result<&Table, Problem> {
    match table {
        AnyTable::Pursuit(table) => Ok(table),
        AnyTable::Game(_) => Err(Problem::bad_request("a game on a graph has no board to draw")),
        AnyTable::Partial(_) => Err(Problem::partial_table()),
    }
}

/// The file of a table, or a part of it by Range.
#[utoipa::path(
    get,
    path = "/v1/tables/{name}/raw",
    tag = "tables",
    params(("name" = String, Path, description = "Name of the table")),
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/octet-stream"),
        (status = 206, body = Vec<u8>, content_type = "application/octet-stream"),
        (status = 404, response = inline(Problem)),
        (status = 416, body = Vec<u8>, content_type = "application/octet-stream"),
    ),
)]
pub(super) async fn raw_table(
    Shared(state): Shared<Arc<State>>,
    Path(name): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    files::table(&state, &name, request).await
}

/// Returns a file under the address that the catalogue gives it: `tables/NAME.dtb` or
/// `tables/NAME.stats.json`.
pub(super) async fn file(
    state: Shared<Arc<State>>,
    question: Question,
    request: Request,
) -> Result<Response, Problem> {
    let file = &question.name;
    if let Some(name) = file.strip_suffix(".dtb") {
        return files::table(&state, name, request).await;
    }
    if let Some(name) = file.strip_suffix(".stats.json") {
        return statistics(state, Question { name: name.to_owned(), ..question }).await;
    }
    Err(Problem::not_found(format!("expected the name of a table and .dtb or .stats.json, found {file:?}")))
}

/// Returns the text of a board or a graph.
pub(super) async fn text(
    Shared(state): Shared<Arc<State>>,
    Path(file): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let items = state.library.items();
    let file = catalogue::encoded(&file);
    let found = ["boards", "graphs"].iter().find_map(|folder| items.get(&format!("{folder}/{file}")));
    match found {
        Some(found) => files::file(&found.path, "text/plain; charset=utf-8", request).await,
        None => Err(Problem::not_found(format!("no board or graph here is called {file:?}"))),
    }
}

/// The catalogue in the form that the application reads.
pub(super) async fn catalogue_json(state: Shared<Arc<State>>) -> Response {
    let mut response = list(state).await.into_response();
    let ask_again = header::HeaderValue::from_static("no-cache");
    response.headers_mut().insert(header::CACHE_CONTROL, ask_again);
    response
}
