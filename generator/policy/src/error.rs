//! Why nothing can be said about a policy.

use dragnet_formats::{cell::Side, pieces::Pieces, stop};
use dragnet_generator::{PursuitError, SolveError};

/// Why nothing can be said about a policy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The game cannot be played.
    #[error(transparent)]
    Pursuit(PursuitError),
    /// The game against the policy was not solved.
    #[error(transparent)]
    Solve(SolveError),
    /// The observer asked to stop.
    #[error("stopped")]
    Stopped,
    /// A side has more moves between its places than are kept.
    #[error(
        "expected at most {most} moves of the {side} between all places of its pieces, found more: use \
         fewer officers or a smaller board"
    )]
    TooManyMoves {
        /// The side.
        side: Side,
        /// The most moves that are kept.
        most: u32,
    },
    /// The game has too many pairs of a post and a place.
    #[error(
        "expected at most {most} pairs of a post of the policy and a place of the other side, found {posts} \
         posts and {places} places: use a smaller board or a policy that remembers less"
    )]
    TooManyPairs {
        /// Posts of the policy.
        posts: u64,
        /// Places of the free side.
        places: u64,
        /// The most pairs.
        most: u64,
    },
    /// A patrol goes where its pieces cannot go in one turn.
    #[error(
        "step {step} of the patrol: expected a move of the {side} from {from}, found {to}, where the rules \
         do not let it go in one turn"
    )]
    RouteStep {
        /// The step, from 1; the last one leads back to the first cell.
        step: usize,
        /// The side that walks.
        side: Side,
        /// Where the pieces stand before the step.
        from: Pieces,
        /// Where the route goes.
        to: Pieces,
    },
    /// A patrol stands where no piece can stand, or has another number of pieces than its side.
    #[error("place {number} of the patrol: expected open cells for the pieces of the {side}, found {found}")]
    RoutePlace {
        /// The number of the place on the route, from 1.
        number: usize,
        /// The side that walks.
        side: Side,
        /// The cells of the route.
        found: Pieces,
    },
    /// A patrol without any place.
    #[error("expected a route of at least one place, found none")]
    EmptyRoute,
    /// A policy gives no move, or weights that are no numbers from 0 to 2^53 with a sum above 0.
    #[error(
        "the policy of the {side} at {at}, with the other side at {other}: expected moves with weights from \
         0 to 2^53 that are not all 0"
    )]
    Weights {
        /// The side that follows the policy.
        side: Side,
        /// Where its pieces stand.
        at: Pieces,
        /// Where the other side's pieces stand.
        other: Pieces,
    },
    /// A policy makes a move that the rules do not have.
    #[error(
        "the policy of the {side} at {at}, with the other side at {other}: expected a legal move, found one \
         to {to}"
    )]
    IllegalMove {
        /// The side that follows the policy.
        side: Side,
        /// Where its pieces stand.
        at: Pieces,
        /// Where the other side's pieces stand.
        other: Pieces,
        /// Where the policy moves.
        to: Pieces,
    },
    /// A list of moves has none for a position in which the side must move.
    #[error(
        "the list of moves of the {side}: expected a move from {at} with the other side at {other}, found none, and \
         the rules do not let the {side} stay: list one, or say otherwise greedy or otherwise random"
    )]
    NotListed {
        /// The side that follows the list.
        side: Side,
        /// Where its pieces stand.
        at: Pieces,
        /// Where the other side's pieces stand.
        other: Pieces,
    },
    /// Weights of offsets for a side whose moves have none.
    #[error("weights of a random walk are for a single piece on a board of squares")]
    NoOffsets,
    /// A weight of an offset that no move of the side has, or a second weight of one offset.
    #[error(
        "expected weights of different offsets that moves of the {side} have on this board, found {rows},{columns}{}",
        .again.then_some(" twice").unwrap_or(", which none has")
    )]
    Offset {
        /// The side that walks.
        side: Side,
        /// The rows down.
        rows: i32,
        /// The columns right.
        columns: i32,
        /// Whether the offset has a weight already.
        again: bool,
    },
    /// A policy that draws lots, where one without chance is needed.
    #[error("expected a policy without chance, found one that draws lots")]
    HasChance,
    /// A width of intervals that is no number above 0 and at most 1.
    #[error("expected a width above 0 and at most 1, found {found}")]
    Width {
        /// The number given, as text.
        found: String,
    },
    /// A policy of the caller's own failed.
    #[error(transparent)]
    Own(Box<dyn std::error::Error + Send + Sync>),
}

impl From<PursuitError> for PolicyError {
    fn from(error: PursuitError) -> PolicyError {
        match error {
            PursuitError::Stopped(_) => PolicyError::Stopped,
            error => PolicyError::Pursuit(error),
        }
    }
}

impl From<stop::Stopped> for PolicyError {
    fn from(_: stop::Stopped) -> PolicyError {
        PolicyError::Stopped
    }
}

impl From<SolveError> for PolicyError {
    fn from(error: SolveError) -> PolicyError {
        match error {
            SolveError::Stopped => PolicyError::Stopped,
            error => PolicyError::Solve(error),
        }
    }
}
