//! Answers of requests.

use crate::{failure::Failure, pieces::Pieces};
use serde::Serialize;
use serde_json::json;

/// The answer of a request: JSON, and perhaps a table.
pub struct Answer {
    /// The JSON.
    pub text: String,
    /// The bytes of the table; empty without one.
    pub table: Pieces,
}

impl Answer {
    /// Returns an answer without a table.
    pub(crate) fn of(value: &impl Serialize) -> Result<Answer, Failure> {
        Answer::with_table(value, Pieces::default())
    }

    /// Returns an answer with a table.
    pub(crate) fn with_table(value: &impl Serialize, table: Pieces) -> Result<Answer, Failure> {
        let text = serde_json::to_string(value)?;
        Ok(Answer { text, table })
    }

    /// Returns the answer of a request that failed.
    pub(crate) fn of_failure(failure: &Failure) -> Answer {
        Answer { text: json!({ "error": failure }).to_string(), table: Pieces::default() }
    }
}
