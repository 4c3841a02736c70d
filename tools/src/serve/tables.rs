//! Routes about whole tables.

use super::{
    conditional::Tag,
    positions::{AnyQuery, Asked, position_of},
    problem::Problem,
    raw,
    state::{Answerless, State},
};
use crate::{
    catalogue::{self, Item},
    picture,
    report::portrait::Portrait,
    statistics::{self, PursuitStatistics},
};
use axum::{
    Json,
    body::Bytes,
    extract::{Path, Request, State as Shared},
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use dragnet_probe::AnyTable;
use serde::Serialize;
use std::sync::Arc;

/// The things that are served.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Catalogue {
    /// The version of this form.
    version: u32,
    /// Where the list is: in the program, which answers.
    home: &'static str,
    /// The unit of every distance.
    unit: &'static str,
    items: Vec<Item>,
}

/// Lists tables, boards and graphs.
#[utoipa::path(get, path = "/v1/tables", tag = "tables", responses((status = 200, body = Catalogue)))]
pub(super) async fn list(Shared(state): Shared<Arc<State>>) -> Json<Catalogue> {
    Json(Catalogue {
        version: catalogue::VERSION,
        home: "program",
        unit: "plies",
        items: state.library.list(),
    })
}

/// Facts about a table.
#[utoipa::path(get, path = "/v1/tables/{name}", tag = "tables", params(("name" = String, Path, description = "Name of the table")),
    responses((status = 200, body = Item), (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 500, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn facts(
    Shared(state): Shared<Arc<State>>,
    Path(name): Path<String>,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    state.with_table(&name, |table| {
        let tag = Tag::new(table, asked.digest())?;
        Ok(tag.not_modified(&headers).unwrap_or_else(|| tag.on(Json(Item::of_table(&name, table)))))
    })
}

/// Counts, longest wins with an example each, and the histogram of distances, as `dragnet stats --json`
/// prints them. Reads the whole table.
#[utoipa::path(get, path = "/v1/tables/{name}/statistics", tag = "tables", params(("name" = String, Path, description = "Name of the table")),
    responses((status = 200, body = Object), (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 500, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn statistics(
    Shared(state): Shared<Arc<State>>,
    Path(name): Path<String>,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    statistics_of(&state, name, asked, headers).await
}

pub(super) async fn statistics_of(
    state: &Arc<State>,
    name: String,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    state
        .whole_table(move |state| {
            state.with_table(&name, |table| {
                let tag = Tag::new(table, asked.digest())?;
                if let Some(known) = tag.not_modified(&headers) {
                    return Ok(known);
                }
                let as_json = |text| tag.on(([(header::CONTENT_TYPE, "application/json")], text));
                if let Some(text) = state.kept(&name, tag.digest()) {
                    return Ok(as_json(text));
                }
                let failed = |failure| Answerless::Problem(Problem::of_failure(&failure, &name));
                let mut json = match table {
                    AnyTable::Pursuit(table) => PursuitStatistics::of(table).map_err(failed)?.json(&name),
                    AnyTable::Game(table) => {
                        let histogram = statistics::of_game_table(table).map_err(failed)?;
                        statistics::game_table_json(&name, table, &histogram)
                    }
                };
                json["unit"] = "plies".into();
                let text = Bytes::from(json.to_string());
                state.keep(&name, tag.digest(), text.clone());
                Ok(as_json(text))
            })
        })
        .await
}

/// A picture of the board: what becomes of a thief on each cell, from the best cell of the police.
#[utoipa::path(get, path = "/v1/tables/{name}/picture.png", tag = "pictures", params(("name" = String, Path, description = "Name of the table")),
    responses((status = 200, body = Vec<u8>, content_type = "image/png"), (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn png(
    Shared(state): Shared<Arc<State>>,
    Path(name): Path<String>,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    state
        .whole_table(move |state| {
            state.with_table(&name, |table| {
                let tag = Tag::new(table, asked.digest())?;
                if let Some(known) = tag.not_modified(&headers) {
                    return Ok(known);
                }
                let AnyTable::Pursuit(table) = table else {
                    return Err(Problem::bad_request("a game on a graph has no board to draw").into());
                };
                let failed = |failure| Answerless::Problem(Problem::of_failure(&failure, &name));
                let portrait = Portrait::of(table, None).map_err(failed)?;
                let bytes = STANDARD.decode(&portrait.picture).map_err(|_| Problem::internal())?;
                Ok(tag.on(([(header::CONTENT_TYPE, "image/png")], bytes)))
            })
        })
        .await
}

/// A picture of optimal play from a position, drawn over the board.
#[utoipa::path(get, path = "/v1/tables/{name}/picture.svg", tag = "pictures", params(("name" = String, Path, description = "Name of the table"), AnyQuery),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn svg(
    Shared(state): Shared<Arc<State>>,
    Path(name): Path<String>,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    state
        .long_work(move |state| {
            state.with_table(&name, |table| {
                let tag = Tag::new(table, asked.digest())?;
                if let Some(known) = tag.not_modified(&headers) {
                    return Ok(known);
                }
                let AnyTable::Pursuit(table) = table else {
                    return Err(Problem::bad_request("a game on a graph has no board to draw").into());
                };
                let line = table.line(position_of(&asked, table.rules().officers)?)?;
                let failed = |failure| Answerless::Problem(Problem::of_failure(&failure, &name));
                let text = picture::svg(table, &line).map_err(failed)?;
                Ok(tag.on(([(header::CONTENT_TYPE, "image/svg+xml")], text)))
            })
        })
        .await
}

/// The file of a table, or a part of it by Range.
#[utoipa::path(get, path = "/v1/tables/{name}/raw", tag = "tables", params(("name" = String, Path, description = "Name of the table")),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"), (status = 206, body = Vec<u8>, content_type = "application/octet-stream"),
        (status = 404, body = Problem, content_type = "application/problem+json"), (status = 416, body = Vec<u8>, content_type = "application/octet-stream")))]
pub(super) async fn raw_table(
    Shared(state): Shared<Arc<State>>,
    Path(name): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    raw::table(&state, &name, request).await
}

/// Returns a file under the address that the catalogue gives it: `tables/NAME.dtb`, `tables/NAME.stats.json`,
/// `boards/…` or `graphs/…`.
pub(super) async fn file(
    Shared(state): Shared<Arc<State>>,
    Path(file): Path<String>,
    asked: Asked,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Problem> {
    if let Some(name) = file.strip_suffix(".dtb") {
        return raw::table(&state, name, request).await;
    }
    if let Some(name) = file.strip_suffix(".stats.json") {
        return statistics_of(&state, name.to_owned(), asked, headers).await;
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
        Some(found) => raw::file(&found.path, "text/plain; charset=utf-8", request).await,
        None => Err(Problem::not_found(format!("no board or graph here is called {file:?}"))),
    }
}

/// The catalogue in the form that the application reads.
pub(super) async fn catalogue_json(state: Shared<Arc<State>>) -> Response {
    let mut response = list(state).await.into_response();
    let no_store = header::HeaderValue::from_static("no-cache");
    response.headers_mut().insert(header::CACHE_CONTROL, no_store);
    response
}
