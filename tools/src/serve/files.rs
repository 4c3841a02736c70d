//! Files as they are: tables in pieces, boards and graphs.

use super::{conditional::is_known, problem::Problem, state::State};
use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, StatusCode, header},
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

/// Returns a file with this content type. It gets a tag from its length and the time when it was last
/// changed, where the system tells that.
pub(super) async fn file(path: &Path, kind: &'static str, mut request: Request) -> Result<Response, Problem> {
    let metadata = fs::metadata(path).map_err(|_| Problem::not_found("the file is no longer there"))?;
    let tag = tag_of(&metadata);
    let headers = request.headers_mut();
    // A part of another file than the client has would be put among the parts of the old one.
    if headers.get(header::IF_RANGE).is_some_and(|known| Some(known) != tag.as_ref()) {
        headers.remove(header::RANGE);
    }
    let is_known = tag.as_ref().is_some_and(|tag| is_known(headers, tag));
    for name in [header::IF_RANGE, header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE] {
        headers.remove(name);
    }
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut service = ServeFile::new(path).ignore_multi_range_requests(true);
        let answered = service.try_call(request).await;
        answered
            .map_err(|error| Problem::not_found(format!("the file cannot be read: {error}")))?
            .map(Body::new)
    };
    let headers = response.headers_mut();
    if let Some(tag) = tag {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, no-cache"));
    Ok(response)
}

fn tag_of(metadata: &fs::Metadata) -> Option<HeaderValue> {
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let tag = format!("\"{:x}-{:x}\"", metadata.len(), changed.as_nanos());
    Some(HeaderValue::from_str(&tag).expect("hexadecimal digits are visible characters"))
}
