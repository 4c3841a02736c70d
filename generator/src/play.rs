//! Optimal play of any game, by values from a solution or a table.

use crate::game::{Game, Start, for_each_legal, for_opponent};
use dragnet_formats::value::{Score, Value};
use std::{cmp::Reverse, collections::HashSet};

/// Optimal play of a game whose values a function returns.
#[derive(Clone, Copy, Debug)]
pub struct GamePlay<'a, G, V> {
    game: &'a G,
    value: V,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The last position has this value without a move: it is terminal, or its value comes from another
    /// table.
    Known(Value),
    /// The last position, or one that equals it by symmetry, has occurred before: nobody wins.
    Repetition,
}

impl<'a, G: Game, V: Fn(u64) -> Value> GamePlay<'a, G, V> {
    /// Returns optimal play of `game`. `value` returns the value of each legal position for the player to
    /// move there.
    pub fn new(game: &'a G, value: V) -> GamePlay<'a, G, V> {
        GamePlay { game, value }
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// Returns the value for the player to move.
    #[must_use]
    pub fn value(&self, position: u64) -> Value {
        (self.value)(position)
    }

    /// Returns the rank of a move into `position`: the lower, the better for the player who makes it.
    fn rank(&self, position: u64) -> (Reverse<Score>, u64) {
        let value = for_opponent(self.game, position, self.value(position));
        (Reverse(value.score_for_mover()), position)
    }

    /// Returns the positions to which moves lead, each once, with their values for the player who is then to
    /// move: the best move first, and of equals the lowest position. Empty if the value of `position` is
    /// known without a move.
    #[must_use]
    pub fn moves(&self, position: u64) -> Vec<(u64, Value)> {
        let mut moves = Vec::new();
        if self.game.start(position) == Start::Open {
            for_each_legal(self.game, position, |to| moves.push(to));
        }
        moves.sort_by_cached_key(|&to| self.rank(to));
        moves.dedup();
        moves.into_iter().map(|to| (to, self.value(to))).collect()
    }

    /// Returns the position after the best move: the fastest win, else a draw, else the slowest loss; of
    /// equals the lowest. `None` if the position has no move, or its value is known without one.
    #[must_use]
    pub fn best(&self, position: u64) -> Option<u64> {
        if self.game.start(position) != Start::Open {
            return None;
        }
        let mut best = None;
        for_each_legal(self.game, position, |to| {
            let rank = self.rank(to);
            if best.is_none_or(|best| rank < best) {
                best = Some(rank);
            }
        });
        best.map(|(_, to)| to)
    }

    /// Returns the positions after `position` in optimal play, and how it ends. A draw is played until a
    /// position repeats.
    #[must_use]
    pub fn line(&self, position: u64) -> (Vec<u64>, LineEnd) {
        let mut line = Vec::new();
        let mut seen = HashSet::from([self.game.canonical(position)]);
        let mut here = position;
        while let Some(next) = self.best(here) {
            line.push(next);
            here = next;
            if !seen.insert(self.game.canonical(here)) {
                return (line, LineEnd::Repetition);
            }
        }
        (line, LineEnd::Known(self.value(here)))
    }
}
