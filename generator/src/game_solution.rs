//! A solved game of any kind.

use crate::{
    engines::counters::Labels,
    game::{Game, Start},
    play::{GamePlay, LineEnd},
    table::game_table::{self, sum},
    verify::{WrongValue, first_wrong},
};
use dragnet_formats::{header::GameSummary, value::Value};
use std::convert::Infallible;

/// The values of all positions of a game. Positions that are equal by symmetry share one.
#[derive(Debug)]
pub struct GameSolution<G> {
    game: G,
    labels: Labels,
}

impl<G> GameSolution<G> {
    /// Returns the solution of another game with equal positions and values.
    pub(crate) fn map<H>(self, game: impl FnOnce(G) -> H) -> GameSolution<H> {
        GameSolution { game: game(self.game), labels: self.labels }
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }
}

impl<G: Game> GameSolution<G> {
    /// Returns the solution of `game` whose labels these are.
    #[must_use]
    pub fn new(game: G, labels: Labels) -> GameSolution<G> {
        GameSolution { game, labels }
    }

    /// Returns the value for the player to move, or `None` if the position is illegal.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn value(&self, position: u64) -> Option<Value> {
        (self.game.start(position) != Start::Illegal).then(|| self.value_or_draw(position))
    }

    /// Returns the value as it stands in a table: a draw if the position is illegal.
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    #[inline]
    pub fn value_or_draw(&self, position: u64) -> Value {
        self.labels.value(self.game.canonical(position))
    }

    /// Returns optimal play of the game.
    #[must_use]
    pub fn play(&self) -> GamePlay<'_, G, impl Fn(u64) -> Value + Sync> {
        GamePlay::new(&self.game, |position| self.value_or_draw(position))
    }

    /// Returns the positions to which moves lead: see [`GamePlay::moves`].
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn moves(&self, position: u64) -> Vec<(u64, Value)> {
        self.play().moves(position)
    }

    /// Returns the position after the best move: see [`GamePlay::best`].
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn best(&self, position: u64) -> Option<u64> {
        self.play().best(position)
    }

    /// Returns the positions after `position` in optimal play, and how it ends: see [`GamePlay::line`].
    ///
    /// # Panics
    /// If there is no such position.
    #[must_use]
    pub fn line(&self, position: u64) -> (Vec<u64>, LineEnd) {
        self.play().line(position)
    }

    /// Returns counts, longest distances and digest of all positions, as in the header of a table: positions
    /// that are equal by symmetry count each, illegal ones as drawn. Works on the threads of the current
    /// pool.
    #[must_use]
    pub fn summary(&self) -> GameSummary {
        game_table::summary(self.game.positions(), |position| self.value_or_draw(position))
    }

    /// Returns the number of illegal positions. Works on the threads of the current pool.
    #[must_use]
    pub fn illegal(&self) -> u64 {
        let count = |sum, position| sum + u64::from(self.game.start(position) == Start::Illegal);
        sum(self.game.positions(), || 0, count, |a, b| a + b)
    }

    /// Derives every value again from the values after each move, without the engine, on the threads of the
    /// current pool: see [`first_wrong`].
    ///
    /// # Errors
    /// With the first position whose value is wrong.
    pub fn verify(&self) -> Result<(), WrongValue> {
        match first_wrong(&self.game, |position| Ok::<_, Infallible>(self.value_or_draw(position)), &()) {
            Ok(None) => Ok(()),
            Ok(Some(wrong)) => Err(wrong),
        }
    }
}
