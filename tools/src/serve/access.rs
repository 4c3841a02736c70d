//! Layers around every route: who may ask, what browsers may do with an answer, and what is written down.

use super::{problem::Problem, state::State};
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
        let mut log = log.lock();
        let micros = latency.as_micros();
        // A full disk must not stop the answers.
        let _ = writeln!(log, "{} {line} {} {micros} us", Timestamp::now(), status.as_u16());
    }
    response
}

/// Refuses a request that names another host than this machine, where only this machine may ask. A page of
/// another site could otherwise have its own name lead here, and read what only the user may read.
fn own_host(state: &State, headers: &HeaderMap, authority: Option<&Authority>) -> Result<(), Problem> {
    let host = match authority {
        Some(authority) => Some(host_of(authority.as_str())?),
        None => None,
    };
    // RFC 9112, section 3.2: a server must refuse several, and what is no host.
    let mut fields = headers.get_all(header::HOST).iter();
    let named = match (fields.next(), fields.next()) {
        (Some(_), Some(_)) => return Err(Problem::bad_request("Host: expected one field, found several")),
        (Some(field), None) => Some(host_of(&String::from_utf8_lossy(field.as_bytes()))?),
        (None, _) => None,
    };
    if !state.address.ip().is_loopback() {
        return Ok(());
    }
    let host = host.or(named);
    let own = host.as_ref().is_some_and(|host| {
        let is_given = state.hosts.iter().any(|given| without_dot(given).eq_ignore_ascii_case(host));
        is_given || host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    });
    if own {
        return Ok(());
    }
    let found = host.unwrap_or_else(|| "none".to_owned());
    let detail = format!("Host: expected localhost, a loopback address or a name of --host, found {found}");
    Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, detail))
}

/// Returns the name or the address in the text of a field `Host`, in lower case, without a port, and without
/// the dot that ends a name in full.
fn host_of(text: &str) -> Result<String, Problem> {
    let wrong = || Problem::bad_request(format!("Host: expected a host and perhaps a port, found {text:?}"));
    let authority: Authority = text.parse().map_err(|_| wrong())?;
    let host = authority.host();
    let rest = text.strip_prefix(host).ok_or_else(wrong)?;
    let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if host.is_empty() || !(rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port)) {
        return Err(wrong());
    }
    let name = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    Ok(without_dot(name).to_ascii_lowercase())
}

fn without_dot(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

/// Refuses work that takes long to a page of another site that may not ask: any page can have the browser of
/// a user fetch a picture from this machine, though it cannot read the answer.
///
/// # Errors
/// Status 403.
pub(super) fn require_own_site(state: &State, headers: &HeaderMap) -> Result<(), Problem> {
    let site = headers.get(HeaderName::from_static("sec-fetch-site"));
    if site.is_none_or(|site| site != "cross-site") {
        return Ok(());
    }
    let origin = headers.get(header::ORIGIN);
    let may = |allowed: &String| allowed == "*" || origin.is_some_and(|origin| origin == allowed.as_str());
    if state.origins.iter().any(may) {
        return Ok(());
    }
    let detail = "Sec-Fetch-Site: pages of other sites may not ask for this, unless --cors lets them";
    Err(Problem::new(StatusCode::FORBIDDEN, detail))
}
