//! The bodies of requests.

use super::{problem::Problem, state::State};
use axum::{
    body::Bytes,
    extract::rejection::BytesRejection,
    http::{HeaderMap, StatusCode, header},
};
use serde::de::DeserializeOwned;

/// The media type of JSON.
pub(super) const JSON: &str = "application/json";

/// Returns the media type that the request says its body has, without parameters; empty if it says none.
pub(super) fn media_type(headers: &HeaderMap) -> &str {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    kind.split(';').next().unwrap_or("").trim()
}

/// Returns the problem of a body that is none of the `expected` media types.
pub(super) fn wrong_type(expected: &str, found: &str) -> Problem {
    let detail = format!("content-type: expected {expected}, found {found:?}");
    Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail)
}

/// Returns the body of a request, if it could be read and is not too long.
pub(super) fn read(body: Result<Bytes, BytesRejection>, state: &State) -> Result<Bytes, Problem> {
    body.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let detail = format!("expected a body of at most {} bytes, found more", state.limits.body);
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
        }
        status => Problem::new(status, error.body_text()),
    })
}

/// Returns what a body of JSON holds.
pub(super) fn from_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(body)
        .map_err(|error| Problem::bad_request(format!("the body is not the JSON that was expected: {error}")))
}
