//! Errors as `application/problem+json`, RFC 9457.

use crate::{
    catalogue::damage,
    failure::{Failure, message},
    table::statistics::TooMuchMemory,
};
use axum::{
    body::Body,
    http::{HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use dragnet_probe::ProbeError;
use serde::{Serialize, Serializer};

/// An error of a request.
#[derive(Debug, Serialize, utoipa::ToSchema, utoipa::ToResponse)]
#[response(description = "Why there is no answer", content_type = "application/problem+json")]
pub(super) struct Problem {
    /// The name of the status.
    title: &'static str,
    /// The HTTP status.
    #[serde(serialize_with = "number")]
    #[schema(value_type = u16)]
    status: StatusCode,
    /// The reason: what was expected, what was found, and where.
    detail: String,
    /// The table that is to blame, if one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
    /// Seconds after which to ask again.
    #[serde(skip)]
    retry_after: Option<u32>,
}

/// The problems of a question about a table, for the description of the interface.
#[derive(utoipa::IntoResponses)]
#[expect(dead_code, reason = "the description alone is made from it")]
pub(super) enum OfTable {
    #[response(status = 400)]
    Wrong(#[to_response] Problem),
    #[response(status = 404)]
    Absent(#[to_response] Problem),
    #[response(status = 409)]
    OtherDigest(#[to_response] Problem),
    #[response(status = 500)]
    Damaged(#[to_response] Problem),
    #[response(status = 503)]
    Busy(#[to_response] Problem),
}

impl Problem {
    pub(super) fn new(status: StatusCode, detail: impl std::fmt::Display) -> Problem {
        Problem {
            title: status.canonical_reason().unwrap_or("Error"),
            status,
            detail: detail.to_string(),
            table: None,
            retry_after: None,
        }
    }

    /// Returns the problem of a request that expects something else.
    pub(super) fn bad_request(detail: impl std::fmt::Display) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, detail)
    }

    /// Returns the problem of a question that needs the values of a partial table.
    pub(super) fn partial_table() -> Problem {
        Problem::bad_request("a partial table does not keep the values of positions")
    }

    /// Returns the problem of a request for nothing that is here.
    pub(super) fn not_found(detail: impl std::fmt::Display) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, detail)
    }

    /// Returns the problem of a request that the server is too busy to answer.
    pub(super) fn busy(detail: impl std::fmt::Display, retry_after: u32) -> Problem {
        let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail);
        Problem { retry_after: Some(retry_after), ..problem }
    }

    /// Returns the problem of work that nobody waits for any more. Nobody reads it.
    pub(super) fn given_up() -> Problem {
        Problem::busy("the client has left, or its time is over", 10)
    }

    /// Returns the problem of a request that shows a mistake of the program.
    pub(super) fn internal() -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the program made a mistake; its log may say more")
    }

    /// Returns the problem of a route that has other methods.
    pub(super) fn method(method: &Method) -> Problem {
        Problem::new(StatusCode::METHOD_NOT_ALLOWED, format!("this address does not answer {method}"))
    }

    /// Returns the problem of a question about `table` that has no answer. Paths of files are not told.
    pub(super) fn of_probe(error: &ProbeError, table: &str) -> Problem {
        let asked_wrongly = match error {
            ProbeError::InBatch { source, .. } => is_question(source),
            error => is_question(error),
        };
        if asked_wrongly {
            return Problem::bad_request(error).about(table);
        }
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, damage(error)).about(table)
    }

    /// Returns the problem of work on `table` that failed.
    pub(super) fn of_failure(failure: &Failure, table: &str) -> Problem {
        let probe = failure.error().and_then(|error| error.downcast_ref::<ProbeError>());
        if let Some(error) = failure.error().filter(|error| error.is::<TooMuchMemory>()) {
            return Problem::new(StatusCode::PAYLOAD_TOO_LARGE, message(error)).about(table);
        }
        match (probe, failure.error()) {
            (Some(error), _) => Problem::of_probe(error, table),
            (None, Some(error)) => Problem::bad_request(message(error)).about(table),
            (None, None) => Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the work failed").about(table),
        }
    }

    fn about(self, table: &str) -> Problem {
        Problem { table: Some(table.to_owned()), ..self }
    }
}

fn number<S: Serializer>(status: &StatusCode, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u16(status.as_u16())
}

/// Returns whether the error is one of the question, not of the table.
fn is_question(error: &ProbeError) -> bool {
    matches!(error, ProbeError::Position { .. } | ProbeError::Officers { .. } | ProbeError::Number { .. })
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let text = serde_json::to_string(&self).expect("texts and numbers can be written as JSON");
        let mut response = Response::new(Body::from(text));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}
