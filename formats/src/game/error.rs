//! The reasons why a game contradicts itself.

use crate::pieces::PiecesError;

/// The reason why the parts of a [`PursuitGame`](super::PursuitGame) do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PursuitGameError {
    /// There are no officers of a kind, or too many of all.
    #[error(transparent)]
    Officers(#[from] PiecesError),
    /// The kinds of officers have other rows than the officers' grid.
    #[error("expected kinds of officers with {expected} rows together, those of their grid, found {found}")]
    Kinds {
        /// The number of rows of the grid.
        expected: usize,
        /// The rows of all kinds.
        found: usize,
    },
    /// A move leads an officer of one kind to a place of another.
    #[error("expected moves between places of one kind of officers, found one from place {place} to {found}")]
    OtherKind {
        /// The number of the place.
        place: u32,
        /// The number of the place to which the move leads.
        found: u32,
    },
    /// A game without exactly one kind of officers does not say which places of the thief they capture.
    #[error(
        "expected captures for each place of an officer, since there are {kinds} kinds of officers, found none"
    )]
    Captures {
        /// The number of kinds.
        kinds: usize,
    },
    /// There is no world, or the ends are those of a game with another number of worlds.
    #[error("expected 1 world or more, and ends for each of the {expected} worlds, found ends for {found}")]
    Worlds {
        /// The number of worlds of the game.
        expected: u32,
        /// The number of worlds of its ends.
        found: u32,
    },
    /// The moves of officers from one world lead to several, where all of a turn must lead to one.
    #[error(
        "expected the moves of officers from world {world} to lead to one world, found moves to {first} and to {other}"
    )]
    Turn {
        /// The number of the world.
        world: u32,
        /// A world to which a move leads.
        first: u32,
        /// Another one.
        other: u32,
    },
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
