//! Files as they are: tables in pieces, boards and graphs.

use super::{problem::Problem, state::State};
use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use std::{fs, path::Path, time::UNIX_EPOCH};
use tower_http::services::ServeFile;

/// Returns the file of a table, or the part of it that the request's `Range` asks for. Several parts at once
/// are not answered; the whole file is.
pub(super) async fn table(state: &State, name: &str, request: Request) -> Result<Response, Problem> {
    let path = state.path(name)?;
    file(&path, "application/octet-stream", request).await
}

/// Returns a file with this content type. Its tag depends on its length and on when it was last changed.
pub(super) async fn file(path: &Path, kind: &'static str, mut request: Request) -> Result<Response, Problem> {
    let gone = |_| Problem::not_found("the file is no longer there");
    let metadata = fs::metadata(path).map_err(gone)?;
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let tag = format!("\"{:x}-{:x}\"", metadata.len(), changed.unwrap_or_default().as_nanos());
    let tag = HeaderValue::from_str(&tag).expect("hexadecimal digits are visible characters");
    let headers = request.headers_mut();
    // A part of another file than the client has would be put among the parts of the old one.
    if headers.get(header::IF_RANGE).is_some_and(|known| *known != tag) {
        headers.remove(header::RANGE);
    }
    let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok()).unwrap_or("");
    let same = known.split(',').any(|one| one.trim() == "*" || one.trim().trim_start_matches("W/") == tag);
    for name in [header::IF_RANGE, header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE] {
        headers.remove(name);
    }
    let mut response = if same {
        axum::http::StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut service = ServeFile::new(path).ignore_multi_range_requests(true);
        let answered = service.try_call(request).await;
        answered
            .map_err(|error| Problem::not_found(format!("the file cannot be read: {error}")))?
            .map(Body::new)
    };
    let headers = response.headers_mut();
    headers.insert(header::ETAG, tag);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, no-cache"));
    Ok(response)
}
