//! The reasons why doors cannot be.

use crate::{cell::Cell, rules::RulesError};

/// The most doors of a board.
pub(super) const MAX_DOORS: usize = 8;
/// The most states, combinations of keys and phase, of a board.
pub(super) const MAX_STATES: u64 = 4096;
/// The most squares of a board, times 2 for each door.
pub(super) const MAX_SQUARES: usize = 1 << 22;
/// The most positions of a game.
pub(super) const MAX_POSITIONS: u64 = 1 << 32;

/// The reason why a board cannot have these doors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DoorError {
    /// The board is a graph.
    #[error("expected a board of squares, found a graph, which has no doors")]
    Graph,
    /// The rules have several officers.
    #[error("expected rules with 1 officer, found {found}: boards with doors have one")]
    Officers {
        /// The number of officers.
        found: u8,
    },
    /// The rules cannot be played.
    #[error(transparent)]
    Rules(#[from] RulesError),
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
    /// The bits of a schedule in a file are no schedule.
    #[error("expected a schedule of 1 to 16 plies, found {period} plies with the bits {open:#x}")]
    Bits {
        /// The number of plies.
        period: u8,
        /// The plies in which the door is open, one bit each.
        open: u16,
    },
    /// There are too many squares for so many doors.
    #[error(
        "expected at most {} squares on a board with {doors} doors, found {found}",
        MAX_SQUARES >> doors
    )]
    Squares {
        /// The number of doors.
        doors: usize,
        /// The number of squares.
        found: usize,
    },
    /// There are too many states.
    #[error(
        "expected at most {} states, found {found}: 2 for each key, times the plies until all schedules begin anew",
        MAX_STATES
    )]
    States {
        /// The number of states.
        found: u64,
    },
    /// There are too many positions.
    #[error("expected at most {} positions, found {found}", MAX_POSITIONS)]
    Positions {
        /// The number of positions.
        found: u128,
    },
}
