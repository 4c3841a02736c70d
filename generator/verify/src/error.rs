//! Why a table does not pass.

use dragnet_formats::{game::PursuitGameError, stop, value::Value};
use dragnet_generator::WrongValue;
use dragnet_probe::{Position, ProbeError};
use std::fmt;

/// Why a table does not pass.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The table is damaged, or cannot be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A value of a pursuit table does not follow from those of its successors.
    #[error(transparent)]
    Position(WrongPosition),
    /// A value of a game table does not follow from those of its successors.
    #[error(transparent)]
    Value(WrongValue),
    /// Every value is right, and the header says something else.
    #[error("every value is right, but not the header: {0}")]
    Header(Difference),
    /// The text from which the game was made makes another game than the one in the table.
    #[error("the game in the table is not that of its source: {what}")]
    Source {
        /// The fault, such as "the moves of the thief differ".
        what: String,
    },
    /// The game in the table, which a program gave, contradicts itself.
    #[error("the game in the table contradicts itself: {0}")]
    Game(PursuitGameError),
    /// The table is of another game: the number of its positions or its key differs.
    #[error("the table is of another game: {0}")]
    OtherGame(Difference),
    /// A thread that verifies a pursuit table, or the values of a game table, would take more memory than may
    /// be taken.
    #[error("the check needs {needed} bytes of memory, and {limit} are allowed")]
    Memory {
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that are allowed.
        limit: u64,
    },
    /// The observer asked to stop.
    #[error("stopped")]
    Stopped,
}

impl From<stop::Stopped> for VerifyError {
    fn from(_: stop::Stopped) -> VerifyError {
        VerifyError::Stopped
    }
}

/// A value of a pursuit table that does not follow from those of its successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: its successors say {}, the table {found:?}", expectation(.expected))]
pub struct WrongPosition {
    /// The position, with the police to move.
    pub position: Position,
    /// The stored value.
    pub found: Value,
    /// The value that follows from the stored values of the successors, or `None` if its distance is beyond
    /// any that a table can hold.
    pub expected: Option<Value>,
}

fn expectation(expected: &Option<Value>) -> String {
    expected.map_or_else(|| "that it is too far from its end".to_owned(), |value| format!("{value:?}"))
}

/// A number in a header that is not the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The name of the number, such as "draws with the police to move", "digest" or "key".
    pub what: &'static str,
    /// The right number.
    pub expected: u64,
    /// The number in the header.
    pub found: u64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { what, expected, found } = self;
        match *what {
            "digest" | "key" => write!(f, "expected {what} {expected:016x}, found {found:016x}"),
            _ => write!(f, "expected {expected} {what}, found {found}"),
        }
    }
}

impl Difference {
    /// Returns the first of these numbers, each with its name, that differs from the right one.
    pub(crate) fn first(numbers: impl IntoIterator<Item = (&'static str, u64, u64)>) -> Option<Difference> {
        let mut numbers =
            numbers.into_iter().map(|(what, found, expected)| Difference { what, expected, found });
        numbers.find(|number| number.expected != number.found)
    }
}
