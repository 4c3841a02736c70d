//! Games, as engines see them.

use dragnet_formats::value::Value;
use std::ops::Range;

/// A finite two-player game whose positions are numbered from 0. The player to move chooses a successor; the
/// values follow from [`Start`] and the moves alone.
///
/// This is all that a game of your own needs: [`Generator::solve_game`](crate::Generator::solve_game) derives
/// the rest, for games of up to 2^32 positions and moves. For larger games, implement [`Reversible`] too.
///
/// # Example
///
/// Two piles of matches. A move takes one match or two from a pile, or one from each; the player who takes
/// the last match wins. Swapping the piles changes nothing.
///
/// ```
/// use dragnet_formats::value::Value;
/// use dragnet_generator::{Game, Generator, Start};
///
/// /// Two piles of at most so many matches.
/// struct Matches(u64);
///
/// impl Matches {
///     fn number(&self, piles: [u64; 2]) -> u64 {
///         piles[0] * (self.0 + 1) + piles[1]
///     }
///
///     fn piles(&self, position: u64) -> [u64; 2] {
///         [position / (self.0 + 1), position % (self.0 + 1)]
///     }
/// }
///
/// impl Game for Matches {
///     fn positions(&self) -> u64 {
///         (self.0 + 1).pow(2)
///     }
///
///     fn start(&self, _: u64) -> Start {
///         Start::Open
///     }
///
///     fn for_each_successor(&self, position: u64, mut each: impl FnMut(u64)) {
///         let [a, b] = self.piles(position);
///         for [from_a, from_b] in [[1, 0], [2, 0], [0, 1], [0, 2], [1, 1]] {
///             if from_a <= a && from_b <= b {
///                 each(self.number([a - from_a, b - from_b]));
///             }
///         }
///     }
///
///     fn canonical(&self, position: u64) -> u64 {
///         let [a, b] = self.piles(position);
///         self.number([a.max(b), a.min(b)])
///     }
/// }
///
/// let solution = Generator::new(2)?.solve_game(Matches(20), &())?;
/// let game = solution.game();
/// // Two equal piles are lost: whatever the first player takes, the second leaves piles that are lost again.
/// assert_eq!(solution.value(game.number([1, 1])), Some(Value::Win(1)));
/// assert_eq!(solution.value(game.number([0, 3])), Some(Value::Loss(2)));
/// assert_eq!(solution.best(game.number([4, 3])), Some(game.number([3, 3])));
/// solution.verify()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// `examples/pawns.rs` is an endgame that uses every method: illegal positions, stalemate, symmetry,
/// and a stage whose values are known from another one.
pub trait Game: Sync {
    /// Returns the number of positions.
    fn positions(&self) -> u64;

    /// Returns what is known of `position` before any move is looked at. Must return the same each time.
    fn start(&self, position: u64) -> Start;

    /// Calls `each` for every successor of an open position, once per move, in any order. A move into an
    /// illegal position is no move.
    fn for_each_successor(&self, position: u64, each: impl FnMut(u64));

    /// Returns the value of an open position without a move. By default the player to move loses.
    fn stuck(&self, _position: u64) -> Value {
        Value::Loss(0)
    }

    /// Returns whether the player to move in `position` has also made the move that leads there, as when a
    /// player moves again after a capture.
    ///
    /// Then a predecessor is won if this position is won, and may be lost if this one is lost. Moves that
    /// pass the turn and moves that keep it must not lead to one position. A turn of several moves counts as
    /// so many plies; a game in which turns have different numbers of moves has no DTW in turns.
    #[inline]
    fn keeps_turn(&self, _position: u64) -> bool {
        false
    }

    /// Returns the canonical one of all positions that equal `position` by symmetry; `position` itself if
    /// there is no other.
    ///
    /// Only canonical positions are solved. Positions that are equal by symmetry must have equal starts,
    /// values without a move and answers of [`Game::keeps_turn`], and their moves must lead to positions that
    /// are equal by symmetry.
    #[inline]
    fn canonical(&self, position: u64) -> u64 {
        position
    }
}

/// A game that also lists predecessors, as [`counters`](crate::counters) needs it.
///
/// Here only legal [canonical](Game::canonical) positions are positions, and only moves into legal positions
/// are moves, each to the canonical position of its target.
pub trait Reversible: Game {
    /// Calls `each` for every open position from which a move leads to `position`, once per move. The engine
    /// ignores other positions among them.
    fn for_each_predecessor(&self, position: u64, each: impl FnMut(u64));

    /// Whether predecessors have numbers far apart, so that the engine should fetch the words of many at
    /// once.
    const SCATTERED: bool = false;

    /// Calls `each` for every predecessor of each of `positions`. Worth overriding if the predecessors of
    /// different positions are read from places in memory far apart.
    #[inline]
    fn for_each_predecessor_of(&self, positions: impl Iterator<Item = u64>, mut each: impl FnMut(u64)) {
        for position in positions {
            self.for_each_predecessor(position, &mut each);
        }
    }

    /// Calls `each` for every position of `range` in rising order, with its start and, if it is open, the
    /// number of its moves. An open position without a move is known, with the value of [`Game::stuck`]; a
    /// position that is not canonical is illegal. Worth overriding if consecutive positions share work.
    fn for_each_start(&self, range: Range<u64>, mut each: impl FnMut(u64, Start, u32)) {
        for position in range {
            let mut moves = 0;
            let mut start = canonical_start(self, position);
            if start == Start::Open {
                for_each_legal(self, position, |_| moves += 1);
                if moves == 0 {
                    start = Start::Known(self.stuck(position));
                }
            }
            each(position, start, moves);
        }
    }

    /// Returns whether some moves [keep the turn](Game::keeps_turn). If not, the engine does not ask position
    /// by position.
    #[inline]
    fn has_kept_turns(&self) -> bool {
        true
    }

    /// Returns the number of lanes, at least 1: see [`Reversible::lane`].
    fn lanes(&self) -> usize {
        1
    }

    /// Returns the lane of `position`, less than [`Reversible::lanes`]. Positions in different lanes must
    /// have no predecessor in common, so that threads can work on different lanes without synchronisation. A
    /// game that cannot promise this has one lane.
    fn lane(&self, _position: u64) -> usize {
        0
    }
}

/// The state of a position before any move is looked at, for its player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The value follows from the moves.
    Open,
    /// The position has this value, whatever its moves are. Either it is terminal, with distance 0; or the
    /// value comes with its distance from another table, as when a game is solved stage by stage.
    Known(Value),
    /// The position cannot occur and has no value.
    Illegal,
}

/// Returns the start of `position` if it is canonical, and [`Start::Illegal`] if it is not.
pub(crate) fn canonical_start(game: &(impl Game + ?Sized), position: u64) -> Start {
    if game.canonical(position) == position { game.start(position) } else { Start::Illegal }
}

/// Calls `each` for every legal successor of an open position, once per move.
pub(crate) fn for_each_legal(game: &(impl Game + ?Sized), position: u64, mut each: impl FnMut(u64)) {
    game.for_each_successor(position, |to| {
        if game.start(to) != Start::Illegal {
            each(to);
        }
    });
}

/// Converts the value of `position` to the value for the opponent of the player who moved there.
#[inline]
pub(crate) fn for_opponent(game: &(impl Game + ?Sized), position: u64, value: Value) -> Value {
    if game.keeps_turn(position) { value.for_other_side() } else { value }
}

impl<G: Game + ?Sized> Game for &G {
    fn positions(&self) -> u64 {
        (**self).positions()
    }

    fn start(&self, position: u64) -> Start {
        (**self).start(position)
    }

    fn for_each_successor(&self, position: u64, each: impl FnMut(u64)) {
        (**self).for_each_successor(position, each);
    }

    fn stuck(&self, position: u64) -> Value {
        (**self).stuck(position)
    }

    fn keeps_turn(&self, position: u64) -> bool {
        (**self).keeps_turn(position)
    }

    fn canonical(&self, position: u64) -> u64 {
        (**self).canonical(position)
    }
}
