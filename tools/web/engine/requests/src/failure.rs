//! Why a request has no answer.

use dragnet_formats::{
    board::{BoardError, ParseBoardError, WriteBoardError},
    container::WriteError,
    graph::ReadError,
    guards::GuardError,
    rules::RulesError,
};
use dragnet_generator::{GenerateError, LabelError, PursuitError, SolveError};
use dragnet_policy::cops::CopsError;
use serde::Serialize;
use std::io;

/// The kind of a failure, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FailureKind {
    /// The input cannot be used.
    Input,
    /// The work would need more memory than the request allows; nothing has been begun.
    TooLarge,
    /// The memory did not suffice.
    Memory,
    /// The engine has a fault.
    Internal,
}

/// The reason why a request has no answer, with its place in the text that the request brought.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Failure {
    pub(crate) kind: FailureKind,
    pub(crate) message: String,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u64>,
    /// The column, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<usize>,
    /// Bytes of memory that the work would need.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) needed: Option<u64>,
    /// Bytes of memory that the request allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<u64>,
}

impl Failure {
    /// Returns a failure of this kind without a place.
    pub(crate) fn new(kind: FailureKind, message: impl ToString) -> Failure {
        let message = message.to_string();
        Failure { kind, message, line: None, column: None, needed: None, limit: None }
    }

    /// Returns a failure of bad input.
    pub(crate) fn input(message: impl ToString) -> Failure {
        Failure::new(FailureKind::Input, message)
    }

    /// Returns the failure with `what` before its message.
    pub(crate) fn about(self, what: &str) -> Failure {
        Failure { message: format!("{what}: {}", self.message), ..self }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        Failure::input(error).about("request")
    }
}

impl From<ParseBoardError> for Failure {
    fn from(error: ParseBoardError) -> Failure {
        let place = (Some(error.line as u64), Some(error.column));
        Failure { line: place.0, column: place.1, ..Failure::input(error) }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        let (line, column) = match &error {
            ReadError::Text { line, column, .. } => (Some(*line), Some(*column)),
            ReadError::Size { line, .. } | ReadError::Graph { line, .. } => (Some(*line), None),
            _ => (None, None),
        };
        Failure { line, column, ..Failure::input(error) }
    }
}

impl From<LabelError> for Failure {
    fn from(error: LabelError) -> Failure {
        let line = match error {
            LabelError::Line { line, .. } => Some(line),
            _ => None,
        };
        Failure { line, ..Failure::input(error) }
    }
}

impl From<BoardError> for Failure {
    fn from(error: BoardError) -> Failure {
        Failure::input(error)
    }
}

impl From<WriteBoardError> for Failure {
    fn from(error: WriteBoardError) -> Failure {
        Failure::input(error)
    }
}

impl From<RulesError> for Failure {
    fn from(error: RulesError) -> Failure {
        Failure::input(error)
    }
}

impl From<GuardError> for Failure {
    fn from(error: GuardError) -> Failure {
        Failure::input(error)
    }
}

impl From<PursuitError> for Failure {
    fn from(error: PursuitError) -> Failure {
        Failure::input(error)
    }
}

impl From<CopsError> for Failure {
    fn from(error: CopsError) -> Failure {
        Failure::input(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        let refused = error.kind() == io::ErrorKind::OutOfMemory;
        Failure::new(if refused { FailureKind::Memory } else { FailureKind::Internal }, error)
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Failure {
        match error {
            WriteError::Io(error) => error.into(),
            error => Failure::input(error),
        }
    }
}

impl From<GenerateError> for Failure {
    fn from(error: GenerateError) -> Failure {
        match error {
            GenerateError::Solve(SolveError::OutOfMemory(refused)) => {
                let needed = Some(refused.bytes);
                Failure { needed, ..Failure::new(FailureKind::Memory, refused) }
            }
            GenerateError::Write(error) => error.into(),
            GenerateError::Io(error) => error.into(),
            error => Failure::input(error),
        }
    }
}
