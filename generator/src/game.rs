//! What an engine sees of a game.

use dragnet_formats::value::Value;
use std::ops::Range;

/// A finite two-player game whose positions are numbered from 0. The player to move chooses a successor; the values
/// follow from [`Start`] and the moves alone.
///
/// This is all that a game of your own needs: [`Generator::solve_game`](crate::Generator::solve_game) derives the rest. It takes
/// positions and moves by the thousand million; where its memory is not enough, implement [`Reversible`] too.
///
/// # Example
///
/// Two piles of matches. A move takes one match or two from a pile, or one from each; who takes the last match wins. Which pile is
/// which does not matter.
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
/// // Two piles alike are lost: whatever the first player takes, the second leaves piles that are lost again.
/// assert_eq!(solution.value(game.number([1, 1])), Some(Value::Win(1)));
/// assert_eq!(solution.value(game.number([0, 3])), Some(Value::Loss(2)));
/// assert_eq!(solution.best(game.number([4, 3])), Some(game.number([3, 3])));
/// solution.verify()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// `probe/examples/pawns.rs` has an endgame with all that a trait method can say: positions that are not legal, stalemate,
/// symmetry, and a stage whose values are known from another one.
pub trait Game: Sync {
    /// The number of positions.
    fn positions(&self) -> u64;

    /// What `position` is before any move is looked at. Asked more than once, so it must say the same each time.
    fn start(&self, position: u64) -> Start;

    /// Calls `each` for every position that a move leads to, once per move, in any order. Positions that are not legal may be
    /// among them: there is no such move. Asked of open positions only.
    fn for_each_successor(&self, position: u64, each: impl FnMut(u64));

    /// The value of an open position without a move: the player to move loses, unless the game says otherwise.
    fn stuck(&self, _position: u64) -> Value {
        Value::Loss(0)
    }

    /// Whether whoever is to move in `position` has also made the move that leads there: the turn was not passed, as when a player
    /// moves again after a capture. Then a predecessor is won if this position is won, and may be lost if this one is lost. Moves that
    /// pass the turn and moves that do not never lead to the same position. A turn of several moves counts as so many plies; a
    /// game in which turns have different numbers of moves has no DTW in turns.
    #[inline]
    fn keeps_turn(&self, _position: u64) -> bool {
        false
    }

    /// The one of all positions that are like this one by symmetry which stands for them; itself if there is no other. Only these
    /// are solved. What is like one another must have the same start, value without a move and way of being moved into, and moves
    /// to what is like one another.
    #[inline]
    fn canonical(&self, position: u64) -> u64 {
        position
    }
}

/// A game that also tells moves backwards, as [`counters`](crate::engines::counters) takes it.
///
/// Here each legal position that is its own [canonical](Game::canonical) one is a position, and each move into a legal
/// position a move, to the canonical one of its target.
pub trait Reversible: Game {
    /// Calls `each` for every open position from which a move leads here, once per move. Other positions may be among them, which are
    /// passed over.
    fn for_each_predecessor(&self, position: u64, each: impl FnMut(u64));

    /// Whether the predecessors of a position lie all over the numbers, so that what is known of them is better fetched for many at once.
    const SCATTERED: bool = false;

    /// Calls `each` for every predecessor of each of `positions`. Worth overriding where predecessors are read from memory in which
    /// those of different positions lie far apart.
    #[inline]
    fn for_each_predecessor_of(&self, positions: impl Iterator<Item = u64>, mut each: impl FnMut(u64)) {
        for position in positions {
            self.for_each_predecessor(position, &mut each);
        }
    }

    /// Calls `each` for every position of `range` in rising order, with what it is and, if it is open, how many moves it has. An open
    /// position without a move is known, as [`Game::stuck`] says; one that is not canonical is not legal. Worth
    /// overriding where consecutive positions share work.
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

    /// Whether some moves [keep the turn](Game::keeps_turn). A game that says no is not asked position by position.
    #[inline]
    fn has_kept_turns(&self) -> bool {
        true
    }

    /// Into how many lanes the positions fall, at least 1. See [`Reversible::lane`].
    fn lanes(&self) -> usize {
        1
    }

    /// The lane of `position`, less than [`Reversible::lanes`]. Positions in different lanes have no predecessor in
    /// common, so that threads may work on different lanes without minding each other. A game that cannot promise
    /// this has one lane.
    fn lane(&self, _position: u64) -> usize {
        0
    }
}

/// What a position is before any move is looked at, seen by its player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Its value follows from its moves.
    Open,
    /// It has this value, whatever its moves are. The game is over, with distance 0; or the value comes from another table, with
    /// whatever distance that gives, as when a game is solved stage by stage.
    Known(Value),
    /// It cannot occur, and has no value.
    Illegal,
}

/// What `position` is if it is canonical; not legal if it is not.
pub(crate) fn canonical_start(game: &(impl Game + ?Sized), position: u64) -> Start {
    if game.canonical(position) == position { game.start(position) } else { Start::Illegal }
}

/// The legal positions to which the moves of an open position lead, once per move.
pub(crate) fn for_each_legal(game: &(impl Game + ?Sized), position: u64, mut each: impl FnMut(u64)) {
    game.for_each_successor(position, |to| {
        if game.start(to) != Start::Illegal {
            each(to);
        }
    });
}

/// What the value of `position` is for the opponent of who has moved there.
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
