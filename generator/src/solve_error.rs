//! Why a game was not solved.

use crate::{log_error::LogError, memory::OutOfMemory, ranks::TransportError};
use dragnet_formats::{stop, value::MAX_DTW};

/// Why a game was not solved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The system refused the memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// The record of what was decided, or the sets of decided positions, cannot be read back.
    #[error(transparent)]
    Log(LogError),
    /// A distance exceeds the limit of a table.
    #[error("the game has wins of more than {MAX_DTW} plies")]
    TooLong,
    /// The game has too many positions or moves for a reverse graph. Implement
    /// [`Reversible`](crate::Reversible) to do without one.
    #[error(
        "expected at most {} positions and moves of a game that does not list its predecessors",
        u32::MAX
    )]
    TooLarge,
    /// The engine [`bitboard`](crate::bitboard) was to solve a game in which moves of officers lead from one
    /// world to several.
    #[error(
        "expected the moves of officers from world {world} to lead to one world for the engine bitboard, found \
         moves to {first} and to {other}: the engine counters solves such games"
    )]
    Worlds {
        /// The number of the world.
        world: u32,
        /// A world to which a move leads.
        first: u32,
        /// Another one.
        other: u32,
    },
    /// The engine [`bitboard`](crate::bitboard) was to solve a game without officers.
    #[error("expected officers for the engine bitboard, found none: the engine counters solves such games")]
    NoOfficers,
    /// The ranks that solve the game together cannot go on.
    #[error(transparent)]
    Ranks(#[from] TransportError),
    /// The observer asked to stop.
    #[error("stopped")]
    Stopped,
}

impl From<stop::Stopped> for SolveError {
    fn from(_: stop::Stopped) -> SolveError {
        SolveError::Stopped
    }
}

impl From<LogError> for SolveError {
    fn from(error: LogError) -> SolveError {
        match error {
            LogError::OutOfMemory(error) => SolveError::OutOfMemory(error),
            error => SolveError::Log(error),
        }
    }
}
