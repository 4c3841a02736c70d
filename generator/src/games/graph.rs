//! Games on graphs: a vertex is a position, and the player to move chooses an edge.

use crate::{Game, Start};
use dragnet_formats::{
    graph::{Graph, Vertex},
    rules::Stuck,
    value::Value,
};
use rayon::prelude::*;

/// A game on a graph. Takes a byte per vertex beside the graph.
#[derive(Debug)]
pub struct GraphGame {
    graph: Graph,
    starts: Vec<VertexStart>,
}

/// What a vertex is before any edge is looked at, seen by the player to move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VertexStart {
    /// Its value follows from its edges.
    Open,
    /// Won at once.
    Won,
    /// Lost at once.
    Lost,
    /// Drawn, whatever its edges are.
    Drawn,
}

/// Vertices that one task takes.
const GRAIN: usize = 1 << 14;

impl GraphGame {
    /// The game on `graph` in which a vertex without an edge is decided by `stuck`, and the vertices of `labels` from outside,
    /// of which the last of several for one vertex holds. Works on the threads of the current pool.
    ///
    /// # Panics
    /// If a label's vertex is not in the graph.
    #[must_use]
    pub fn new(
        graph: Graph,
        stuck: Stuck,
        labels: impl IntoIterator<Item = (Vertex, VertexStart)>,
    ) -> GraphGame {
        let vertices = graph.vertices() as usize;
        let without_move = match stuck.value() {
            Value::Win(_) => VertexStart::Won,
            _ => VertexStart::Lost,
        };
        let start = |vertex: usize| {
            if graph.successors(vertex as Vertex).is_empty() { without_move } else { VertexStart::Open }
        };
        let mut starts: Vec<VertexStart> =
            (0..vertices).into_par_iter().with_min_len(GRAIN).map(start).collect();
        for (vertex, label) in labels {
            starts[vertex as usize] = match label {
                VertexStart::Open => start(vertex as usize),
                label => label,
            };
        }
        GraphGame { graph, starts }
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// What the vertex is before any edge is looked at.
    ///
    /// # Panics
    /// If there is no such vertex.
    #[must_use]
    pub fn start_of(&self, vertex: Vertex) -> VertexStart {
        self.starts[vertex as usize]
    }
}

impl Game for GraphGame {
    fn positions(&self) -> u64 {
        self.starts.len() as u64
    }

    fn start(&self, position: u64) -> Start {
        match self.starts[position as usize] {
            VertexStart::Open => Start::Open,
            VertexStart::Won => Start::Known(Value::Win(0)),
            VertexStart::Lost => Start::Known(Value::Loss(0)),
            VertexStart::Drawn => Start::Known(Value::Draw),
        }
    }

    fn for_each_successor(&self, position: u64, mut each: impl FnMut(u64)) {
        for &to in self.graph.successors(position as Vertex) {
            each(to.into());
        }
    }
}
