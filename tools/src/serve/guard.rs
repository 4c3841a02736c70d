//! Layers around every route: who may ask, what browsers may do with an answer, and what is written down.

use super::{problem::Problem, state::State};
use crate::lock::lock;
use axum::{
    extract::{MatchedPath, Request, State as Shared},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use std::{io::Write, net::IpAddr, sync::Arc, time::Instant};

/// Headers of every answer. Pages load what this server gives them, and nothing else.
const SECURITY: [(HeaderName, HeaderValue); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; \
             img-src 'self' data: blob:; connect-src 'self'; form-action 'none'; base-uri 'none'; \
             frame-ancestors 'none'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin")),
];

/// Adds the headers of [`SECURITY`], counts the request, and writes it to the access log.
pub(super) async fn observe(Shared(state): Shared<Arc<State>>, request: Request, next: Next) -> Response {
    let begin = Instant::now();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let line = state.access_log.as_ref().map(|_| format!("{} {}", request.method(), request.uri()));
    let mut response = match own_host(&state, request.headers(), request.uri().authority()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    for (name, value) in SECURITY {
        response.headers_mut().insert(name, value);
    }
    let (status, latency) = (response.status(), begin.elapsed());
    let route = route.as_ref().map_or("other", MatchedPath::as_str);
    state.metrics.answered(route, status.as_u16(), latency);
    if let (Some(log), Some(line)) = (&state.access_log, line) {
        let mut log = lock(log);
        let micros = latency.as_micros();
        // A full disk must not stop the answers.
        let _ = writeln!(log, "{} {line} {} {micros} us", Timestamp::now(), status.as_u16());
    }
    response
}

/// Refuses a request that names another host than this machine, where only this machine may ask. A page of
/// another site could otherwise have its own name lead here, and read what only the user may read.
fn own_host(state: &State, headers: &HeaderMap, authority: Option<&Authority>) -> Result<(), Problem> {
    if !state.address.ip().is_loopback() {
        return Ok(());
    }
    let host = match (authority, headers.get(header::HOST)) {
        (Some(authority), _) => Some(authority.clone()),
        (None, Some(host)) => Authority::try_from(host.as_bytes()).ok(),
        (None, None) => None,
    };
    let own = host.as_ref().is_some_and(|host| {
        let name = host.host().trim_start_matches('[').trim_end_matches(']');
        let is_given = state.hosts.iter().any(|given| given.eq_ignore_ascii_case(name));
        is_given || name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    });
    if own {
        return Ok(());
    }
    let found = host.map_or_else(|| "none".to_owned(), |host| host.to_string());
    let detail = format!("Host: expected localhost, a loopback address or a name of --host, found {found}");
    Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, detail))
}
