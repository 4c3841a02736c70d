//! A solved game on a graph.

use crate::{Game, GraphGame, VertexStart, counters::Labels, numbered::summary};
use dragnet_formats::{game_header::GameSummary, graph::Vertex, value::Value};
use std::collections::HashSet;

/// The values of all vertices of a game on a graph.
#[derive(Debug)]
pub struct GraphSolution {
    game: GraphGame,
    labels: Labels,
}

/// Optimal play on a graph whose values a function tells.
#[derive(Clone, Copy, Debug)]
pub struct GraphPlay<'a, V> {
    game: &'a GraphGame,
    value: V,
}

/// How a line on a graph ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphLineEnd {
    /// The value of the last vertex is decided there.
    Decided,
    /// The last vertex has occurred before: nobody wins.
    Repetition,
    /// The last vertex is drawn from outside.
    Drawn,
}

impl GraphSolution {
    /// The solution of `game` with these labels, which must be its own.
    #[must_use]
    pub fn new(game: GraphGame, labels: Labels) -> GraphSolution {
        GraphSolution { game, labels }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &GraphGame {
        &self.game
    }

    /// The value for the player to move at `vertex`.
    ///
    /// # Panics
    /// If there is no such vertex.
    #[must_use]
    #[inline]
    pub fn value(&self, vertex: Vertex) -> Value {
        self.labels.value(vertex.into())
    }

    /// Counts, longest distances and digest of all vertices, on the threads of the current pool.
    #[must_use]
    pub fn summary(&self) -> GameSummary {
        summary(self.game.positions(), |vertex| self.labels.value(vertex))
    }

    /// Optimal play by these values.
    #[must_use]
    pub fn play(&self) -> GraphPlay<'_, impl Fn(Vertex) -> Value> {
        GraphPlay::new(&self.game, |vertex| self.value(vertex))
    }
}

impl<'a, V: Fn(Vertex) -> Value> GraphPlay<'a, V> {
    /// Optimal play of `game`, whose values `value` tells.
    pub fn new(game: &'a GraphGame, value: V) -> GraphPlay<'a, V> {
        GraphPlay { game, value }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &'a GraphGame {
        self.game
    }

    /// The value for the player to move at `vertex`.
    ///
    /// # Panics
    /// If there is no such vertex.
    #[must_use]
    pub fn value(&self, vertex: Vertex) -> Value {
        (self.value)(vertex)
    }

    /// Where the edges of `vertex` lead, each vertex once, best first, equals by their numbers. Empty where nobody moves.
    ///
    /// # Panics
    /// If there is no such vertex.
    #[must_use]
    pub fn moves(&self, vertex: Vertex) -> Vec<Vertex> {
        if self.game.start_of(vertex) != VertexStart::Open {
            return Vec::new();
        }
        let mut moves = self.game.graph().successors(vertex).to_vec();
        moves.sort_unstable();
        moves.dedup();
        moves.sort_by(|&a, &b| self.value(a).compare_for_mover(self.value(b)));
        moves
    }

    /// The edge that the player to move takes: the quickest win, else a draw, else the slowest loss; of equals the one to the
    /// lowest vertex. `None` where nobody moves.
    ///
    /// # Panics
    /// If there is no such vertex.
    #[must_use]
    pub fn best(&self, vertex: Vertex) -> Option<Vertex> {
        if self.game.start_of(vertex) != VertexStart::Open {
            return None;
        }
        let worth = |&&to: &&Vertex| (std::cmp::Reverse(self.value(to).score_for_mover()), to);
        self.game.graph().successors(vertex).iter().min_by_key(worth).copied()
    }

    /// The vertices after `vertex` in optimal play, and how it ends. A draw is played until a vertex repeats.
    ///
    /// # Panics
    /// If there is no such vertex.
    #[must_use]
    pub fn line(&self, vertex: Vertex) -> (Vec<Vertex>, GraphLineEnd) {
        let mut line = Vec::new();
        let mut seen = HashSet::from([vertex]);
        let mut here = vertex;
        while let Some(next) = self.best(here) {
            line.push(next);
            here = next;
            if !seen.insert(here) {
                return (line, GraphLineEnd::Repetition);
            }
        }
        let drawn = self.value(here) == Value::Draw;
        (line, if drawn { GraphLineEnd::Drawn } else { GraphLineEnd::Decided })
    }
}
