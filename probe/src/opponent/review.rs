//! The rating of a game: what each move cost, and the worst ones.

use crate::{
    Position, ProbeError,
    moves::Choice,
    opponent::{
        cost::{Cost, Stakes},
        valued_game::ValuedGame,
    },
};
use dragnet_formats::cell::Side;
use std::cmp::Reverse;

/// A move of a game with its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewedMove {
    /// The ply, from 0: the index of the position before the move.
    pub ply: usize,
    /// The position before the move.
    pub before: Position,
    /// The move that was made.
    pub played: Choice,
    /// The first of the best moves.
    pub best: Choice,
    /// The loss against the best move.
    pub cost: Cost,
}

/// The moves of one side in a game, with what they cost.
///
/// ```
/// use dragnet_probe::{Cell, Open, Position, Side, opponent::Review};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
/// let table = Open::path(path).pursuit()?;
/// let start = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
/// let line = table.line(start)?;
/// let game: Vec<Position> = [start].into_iter().chain(line.moves.iter().map(|ply| ply.position)).collect();
/// let review = Review::new(&table, &game, Side::Police)?;
/// assert_eq!((review.moves.len(), review.plies_lost, review.worst(3).len()), (3, 0, 0));
/// # Ok::<(), dragnet_probe::opponent::ReviewError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// The side whose moves are rated.
    pub side: Side,
    /// The moves of the side, in their order.
    pub moves: Vec<ReviewedMove>,
    /// The number of moves that were not the best.
    pub errors: usize,
    /// The number of moves that made the outcome worse.
    pub blunders: usize,
    /// The steps of the outcome, from win to draw to loss, that all moves together lost.
    pub drops: u64,
    /// The plies that all moves together lost without making the outcome worse.
    pub plies_lost: u64,
}

/// The reason why a game cannot be rated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReviewError {
    /// There is no position.
    #[error("expected the positions of a game, found none")]
    NoPosition,
    /// A position does not follow from the one before.
    #[error("expected a position after a legal move from {before}, found position {index} (from 0): {found}")]
    IllegalMove {
        /// The place of the position in the game, from 0.
        index: usize,
        /// The position before it.
        before: Box<Position>,
        /// The position.
        found: Box<Position>,
    },
    /// The table cannot be asked.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

impl Review {
    /// Rates the moves of `side` in a game: its start and the position after each ply.
    ///
    /// # Errors
    /// When there is no position, a move is illegal, a piece stands off the board or on a wall, or the table
    /// is damaged.
    pub fn new<G: ValuedGame>(table: &G, game: &[Position], side: Side) -> Result<Review, ReviewError> {
        let Some(&start) = game.first() else { return Err(ReviewError::NoPosition) };
        table.winner(start)?;
        let stakes = Stakes::new(side, table.undecided());
        let mut review = Review { side, moves: Vec::new(), errors: 0, blunders: 0, drops: 0, plies_lost: 0 };
        let mut choices = Vec::new();
        for (ply, pair) in game.windows(2).enumerate() {
            let [before, after] = [pair[0], pair[1]];
            table.best_moves_into(before, &mut choices)?;
            let played = choices.iter().find(|choice| choice.position == after);
            let (Some(&played), Some(&best)) = (played, choices.first()) else {
                let (before, found) = (Box::new(before), Box::new(after));
                return Err(ReviewError::IllegalMove { index: ply + 1, before, found });
            };
            if before.turn == side {
                let cost = stakes.cost(best.worth(), played.worth());
                review.add(ReviewedMove { ply, before, played, best, cost });
            }
        }
        Ok(review)
    }

    fn add(&mut self, rated: ReviewedMove) {
        self.errors += usize::from(rated.cost.is_error());
        self.blunders += usize::from(rated.cost.drop > 0);
        self.drops += u64::from(rated.cost.drop);
        self.plies_lost += u64::from(rated.cost.plies);
        self.moves.push(rated);
    }

    /// Returns the `count` worst moves, the worst first: those that lost the most of the outcome, then the
    /// most plies, then the earliest. A move that cost nothing is never among them.
    #[must_use]
    pub fn worst(&self, count: usize) -> Vec<ReviewedMove> {
        let mut worst: Vec<ReviewedMove> =
            self.moves.iter().filter(|rated| rated.cost.is_error()).copied().collect();
        worst.sort_by_key(|rated| Reverse((rated.cost.drop, rated.cost.plies)));
        worst.truncate(count);
        worst
    }

    /// Returns the mean of the plies lost by a move; 0 without a move.
    #[must_use]
    pub fn plies_lost_per_move(&self) -> f64 {
        if self.moves.is_empty() { 0.0 } else { self.plies_lost as f64 / self.moves.len() as f64 }
    }
}
