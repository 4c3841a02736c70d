//! Answers about tables, which never change while the digest is the same: tags, and answers that are kept.

use super::problem::Problem;
use crate::version;
use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use dragnet_probe::AnyTable;

/// An answer whose address names the digest stays as it is for ever.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Another answer may be kept, and must be asked for again before it is used.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("public, no-cache");

/// Returns whether the client, as its `headers` say, has what has this tag, which is in quotes. The
/// compression of an answer makes its tag a weak one.
pub(super) fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    headers.get_all(header::IF_NONE_MATCH).iter().any(|known| {
        let known = known.to_str().unwrap_or_default();
        known.split(',').map(|one| one.trim().trim_start_matches("W/")).any(|one| one == "*" || one == tag)
    })
}

/// The tag of all answers about one table.
pub(super) struct Tag {
    /// The digest and the version of the program, in quotes.
    value: HeaderValue,
    /// Whether the request names the digest.
    named: bool,
}

impl Tag {
    /// Returns the tag of answers from `table`, if `digest` is its digest or was not asked for.
    ///
    /// # Errors
    /// When another digest was asked for: the table has been replaced.
    pub(super) fn new(table: &AnyTable, digest: Option<&str>) -> Result<Tag, Problem> {
        let found = format!("{:016x}", table.digest());
        if let Some(asked) = digest.filter(|&asked| asked != found) {
            let detail = format!("expected a table of digest {asked}; the table here has {found}");
            return Err(Problem::new(StatusCode::CONFLICT, detail));
        }
        // A later version may write other answers about the same table.
        let value = HeaderValue::from_str(&format!("\"{found}-{}\"", version::SHORT));
        let value = value.expect("hexadecimal digits and a version are visible characters");
        Ok(Tag { value, named: digest.is_some() })
    }

    /// Returns an answer without a body if the client has the present one, as its `headers` say.
    pub(super) fn not_modified(&self, headers: &HeaderMap) -> Option<Response> {
        is_known(headers, &self.value).then(|| self.on(StatusCode::NOT_MODIFIED))
    }

    /// Returns the answer with the tag, and with how long it may be kept.
    pub(super) fn on(&self, answer: impl IntoResponse) -> Response {
        let mut response = answer.into_response();
        let headers = response.headers_mut();
        // Weak, since a compressed answer has other bytes.
        let weak = [b"W/", self.value.as_bytes()].concat();
        headers.insert(
            header::ETAG,
            HeaderValue::from_bytes(&weak).expect("the tag and its prefix are visible characters"),
        );
        headers.insert(header::CACHE_CONTROL, if self.named { FOR_EVER } else { ASK_AGAIN });
        response
    }
}
