//! The reasons why a game contradicts itself.

use crate::pieces::PiecesError;

/// The reason why the parts of a [`PursuitGame`](super::PursuitGame) do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PursuitGameError {
    /// There are no officers, or too many.
    #[error(transparent)]
    Officers(#[from] PiecesError),
    /// A list has too few or too many rows.
    #[error("expected {expected} {what}, a row for each place, found {found}")]
    Rows {
        /// The rows that are counted.
        what: &'static str,
        /// The number of places.
        expected: usize,
        /// The number of rows.
        found: usize,
    },
    /// A row does not rise, or has a place that is not there.
    #[error(
        "expected rising places below {places} among the {what} of place {place}, found place {found} there"
    )]
    Target {
        /// The rows in which it stands.
        what: &'static str,
        /// The number of the row.
        place: u32,
        /// The number that cannot stand there.
        found: u32,
        /// The number of places.
        places: usize,
    },
}
