//! The reasons why doors cannot be.

use crate::cell::Cell;

/// The most doors of a board.
pub(super) const MAX_DOORS: usize = 8;
/// The most worlds, combinations of keys and phase, of a board.
pub(super) const MAX_WORLDS: u32 = 4096;
/// The most squares of a board in all worlds together.
pub(super) const MAX_SQUARES: u64 = 1 << 22;

/// The reason why a board cannot have these doors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DoorError {
    /// The board is a graph.
    #[error("expected a board of squares, found a graph, which has no doors")]
    Graph,
    /// Several officers who all move in a turn could step on keys.
    #[error(
        "expected 1 officer, or rules by which one moves in a turn (team = \"one\"), found {found} who all move: a \
         turn could turn several keys"
    )]
    Officers {
        /// The number of officers.
        found: usize,
    },
    /// There is no door, or there are too many.
    #[error("expected 1 to {} doors, found {found}", MAX_DOORS)]
    Count {
        /// The number of doors.
        found: usize,
    },
    /// A door or a key is on a wall, on an exit or off the board.
    #[error("expected {what} on an open cell that is no exit, found {cell}")]
    Place {
        /// The words for what stands there.
        what: &'static str,
        /// The cell.
        cell: Cell,
    },
    /// Two doors are on one cell.
    #[error("expected one door on {cell}, found two")]
    Twice {
        /// The cell.
        cell: Cell,
    },
    /// A door has both a key and a schedule, or neither.
    #[error("expected a key or a schedule for the door on {cell}, found {found}")]
    Opening {
        /// The cell of the door.
        cell: Cell,
        /// The words for what is there.
        found: &'static str,
    },
    /// A schedule is no schedule.
    #[error("expected a schedule of 1 to 16 characters, '.' for open and '#' for closed, found {found:?}")]
    Schedule {
        /// The first characters of the schedule.
        found: String,
    },
    /// A key that turns some doors once and others each time.
    #[error("expected the key {cell} to be used once by all of its doors, or each time by all, found both")]
    Once {
        /// The cell of the key.
        cell: Cell,
    },
    /// There are too many worlds.
    #[error(
        "expected at most {MAX_WORLDS} states of the doors, found {found}: 2 for each key, times the plies until all \
         schedules begin anew"
    )]
    Worlds {
        /// The number of worlds.
        found: u64,
    },
    /// There are too many squares for so many worlds.
    #[error(
        "expected a board of at most {} squares with {worlds} states of its doors, found {found}",
        MAX_SQUARES / worlds
    )]
    Squares {
        /// The number of worlds.
        worlds: u64,
        /// The number of squares.
        found: u64,
    },
}
