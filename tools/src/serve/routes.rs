//! All routes, and the description of them for programs.

use super::{
    access, pages, positions, problem::Problem, request_body, solve::SolveRequest, state::State, tables,
};
use crate::{catalogue::Item, failure::Failure};
use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Request, State as Shared, rejection::BytesRejection},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
    routing::get,
};
use std::sync::Arc;
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::{
        CompressionLayer,
        predicate::{NotForContentType, Predicate, SizeAbove},
    },
    cors::{AllowOrigin, Any, CorsLayer},
    timeout::TimeoutLayer,
};
use utoipa::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The fewest bytes of an answer that is compressed.
const COMPRESSED: u64 = 1024;

/// The description of the interface.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Dragnet",
        description = "Endgame tablebases of pursuit games: values, moves and lines of positions. Cells are rows and columns from 0; distances are plies, single moves of one side.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    tags(
        (name = "tables", description = "Whole tables"),
        (name = "positions", description = "Positions and lines"),
        (name = "pictures", description = "Pictures"),
        (name = "solving", description = "Boards that are solved for the client"),
        (name = "server", description = "The server itself")
    )
)]
struct Description;

/// Returns the server's routes.
pub(super) fn router(state: &Arc<State>) -> Result<Router, Failure> {
    let (router, mut description) = OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(tables::list))
        .routes(routes!(tables::facts))
        .routes(routes!(tables::statistics))
        .routes(routes!(tables::verify))
        .routes(routes!(tables::png))
        .routes(routes!(tables::svg))
        .routes(routes!(tables::raw_table))
        .routes(routes!(positions::position))
        .routes(routes!(positions::line))
        .routes(routes!(positions::positions))
        .routes(routes!(solve))
        .routes(routes!(health))
        .routes(routes!(metrics))
        .split_for_parts();
    description.info.version = crate::version::SHORT.to_owned();
    let description: Arc<str> = description.to_json()?.into();
    let openapi = move || {
        let description = Arc::clone(&description);
        async move { ([(header::CONTENT_TYPE, "application/json")], description.to_string()) }
    };
    let compressed = SizeAbove::new(COMPRESSED)
        .and(NotForContentType::IMAGES)
        .and(NotForContentType::const_new("application/octet-stream"));
    let router = pages::add(router)
        .route("/openapi.json", get(openapi))
        .route("/catalogue.json", get(tables::catalogue_json))
        .route("/tables/{*file}", get(tables::file))
        .route("/boards/{*file}", get(tables::text))
        .route("/graphs/{*file}", get(tables::text))
        .fallback(nothing)
        .method_not_allowed_fallback(no_method)
        .layer(CompressionLayer::new().compress_when(compressed))
        .layer(DefaultBodyLimit::max(state.limits.body))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, state.limits.request))
        .layer(middleware::map_response(explained))
        .layer(CatchPanicLayer::custom(|_| Problem::internal().into_response()))
        .layer(cors(&state.origins))
        .layer(middleware::from_fn_with_state(Arc::clone(state), access::observe));
    Ok(router.with_state(Arc::clone(state)))
}

fn cors(origins: &[String]) -> CorsLayer {
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers([header::CONTENT_TYPE, header::RANGE, header::IF_RANGE, header::IF_NONE_MATCH])
        .expose_headers([header::ETAG, header::CONTENT_RANGE, header::ACCEPT_RANGES, header::RETRY_AFTER]);
    if origins.iter().any(|origin| origin == "*") {
        return layer.allow_origin(Any);
    }
    let values =
        origins.iter().map(|origin| HeaderValue::from_str(origin).expect("an origin is visible ASCII"));
    layer.allow_origin(AllowOrigin::list(values.collect::<Vec<_>>()))
}

async fn nothing(request: Request) -> Problem {
    Problem::not_found(format!("nothing is at {}; /openapi.json describes what is", request.uri().path()))
}

/// Gives an answer that took too long, which is an empty one, its reason.
async fn explained(response: Response) -> Response {
    let is_late = response.status() == StatusCode::SERVICE_UNAVAILABLE
        && !response.headers().contains_key(header::CONTENT_TYPE);
    if !is_late {
        return response;
    }
    Problem::busy("the answer takes too long; it may be there if you ask again", 10).into_response()
}

async fn no_method(method: Method) -> Problem {
    Problem::method(&method)
}

/// Solves a board, if the server was started with --solve. Returns the table.
#[utoipa::path(
    post,
    path = "/v1/solve",
    tag = "solving",
    request_body = SolveRequest,
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/octet-stream"),
        (status = 400, response = inline(Problem)),
        (status = 403, response = inline(Problem)),
        (status = 413, response = inline(Problem)),
        (status = 415, response = inline(Problem)),
        (status = 503, response = inline(Problem)),
    ),
)]
async fn solve(
    Shared(state): Shared<Arc<State>>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    let Some(solver) = &state.solver else {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "this server solves no boards; it was started without --solve",
        ));
    };
    match request_body::media_type(&headers) {
        request_body::JSON => {
            solver.solve(request_body::from_json(&request_body::read(body, &state)?)?).await
        }
        other => Err(request_body::wrong_type(request_body::JSON, other)),
    }
}

/// Says that the server answers.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "server",
    responses((status = 200, body = String, content_type = "text/plain")),
)]
async fn health() -> &'static str {
    "ok\n"
}

/// Counters in the text form of Prometheus.
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "server",
    responses((status = 200, body = String, content_type = "text/plain")),
)]
async fn metrics(Shared(state): Shared<Arc<State>>) -> impl IntoResponse {
    let is_table = |item: &Item| matches!(item, Item::Table { .. });
    let tables = state.library.items().values().filter(|found| is_table(&found.item)).count();
    let text = state.metrics.text(tables, state.library.open_tables());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}
