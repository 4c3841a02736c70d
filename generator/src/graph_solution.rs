//! A solved game on a graph.

use crate::{Game, GraphGame, VertexStart, counters::Labels};
use dragnet_formats::{
    graph::Vertex,
    value::{Plies, Value},
};
use rayon::prelude::*;
use std::collections::HashSet;

/// The values of all vertices of a game on a graph.
#[derive(Debug)]
pub struct GraphSolution {
    game: GraphGame,
    labels: Labels,
}

/// How many vertices have which value, seen by the player to move there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphCounts {
    /// Won vertices.
    pub won: u64,
    /// Lost vertices.
    pub lost: u64,
    /// Drawn vertices.
    pub drawn: u64,
    /// The longest distance of a won or lost vertex, in plies; 0 if there is none.
    pub longest: Plies,
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

/// Vertices that one task counts.
const GRAIN: usize = 1 << 14;

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

    /// Counts all vertices on the threads of the current pool.
    #[must_use]
    pub fn counts(&self) -> GraphCounts {
        let add = |mut counts: GraphCounts, vertex: u64| {
            let value = self.labels.value(vertex);
            match value {
                Value::Win(_) => counts.won += 1,
                Value::Loss(_) => counts.lost += 1,
                Value::Draw => counts.drawn += 1,
            }
            counts.longest = counts.longest.max(value.dtw().unwrap_or(0));
            counts
        };
        let sum = |a: GraphCounts, b: GraphCounts| GraphCounts {
            won: a.won + b.won,
            lost: a.lost + b.lost,
            drawn: a.drawn + b.drawn,
            longest: a.longest.max(b.longest),
        };
        (0..self.game.positions() as usize)
            .into_par_iter()
            .with_min_len(GRAIN)
            .fold(GraphCounts::default, |counts, vertex| add(counts, vertex as u64))
            .reduce(GraphCounts::default, sum)
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
