//! The outcome of a table in one word.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The outcome of one table of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// The table was made in this run.
    Made,
    /// The finished table was there already.
    Kept,
    /// The table was left out: it needs more memory than the limit.
    Skipped,
    /// The table could not be made.
    Failed,
    /// The run was stopped before the table was finished.
    Interrupted,
}

impl Status {
    /// Every status, in the order in which summaries list them.
    pub(super) const ALL: [Status; 5] =
        [Status::Made, Status::Kept, Status::Skipped, Status::Interrupted, Status::Failed];

    /// Returns whether there is a finished table.
    pub(crate) fn is_finished(self) -> bool {
        matches!(self, Status::Made | Status::Kept)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Status::Made => "made",
            Status::Kept => "kept",
            Status::Skipped => "skipped",
            Status::Failed => "failed",
            Status::Interrupted => "interrupted",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
