//! The application: the files that are in the program.

use super::{conditional::is_known, state::State};
use crate::pages::{self, Page};
use axum::{
    Router,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Adds the routes of the application's files; the first of these is at `/`, too.
pub(super) fn add(router: Router<Arc<State>>) -> Router<Arc<State>> {
    let names = pages::ALL.iter().map(|page| page.name);
    names.chain([""]).fold(router, |router, name| {
        let Some(page) = pages::page(name) else { return router };
        let tag = HeaderValue::from_str(&format!("\"{:016x}\"", xxh3_64(page.bytes)));
        let tag = tag.expect("hexadecimal digits are visible characters");
        router.route(
            &format!("/{name}"),
            get(move |headers: HeaderMap| {
                let tag = tag.clone();
                async move { answer(page, tag, &headers) }
            }),
        )
    })
}

/// Returns the file, or nothing but its tag if the client has it.
fn answer(page: &'static Page, tag: HeaderValue, headers: &HeaderMap) -> Response {
    // Another version of the program has other files under the same names.
    let kept = (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    let is_known = is_known(headers, &tag);
    let tag = (header::ETAG, tag);
    if is_known {
        return (StatusCode::NOT_MODIFIED, [kept, tag]).into_response();
    }
    let content_type = (header::CONTENT_TYPE, HeaderValue::from_static(page.content_type));
    ([content_type, kept, tag], page.bytes).into_response()
}
