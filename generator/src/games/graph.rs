//! Games on graphs: a vertex is a position, and the player to move chooses an edge.

use crate::{Game, Start};
use dragnet_formats::{
    game::Stuck,
    graph::{Graph, Vertex},
    value::Value,
};
use rayon::prelude::*;

/// A game on a graph. Takes a byte per vertex beside the graph.
///
/// ```
/// use dragnet_formats::{graph::GraphBuilder, rules::Stuck, value::Value};
/// use dragnet_generator::{Generator, GraphGame, VertexStart};
///
/// let mut edges = GraphBuilder::new();
/// for (from, to) in [(0, 1), (1, 2), (1, 3)] {
///     edges.add(from, to)?;
/// }
/// // Vertex 3 is known to be lost for the player who moves there.
/// let game = GraphGame::new(edges.build(), Stuck::Wins, [(3, VertexStart::Lost)]);
/// let solution = Generator::new(1)?.solve_graph(game, &())?;
/// assert_eq!(solution.value(1), Some(Value::Win(1)));
/// assert_eq!(solution.value(0), Some(Value::Loss(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GraphGame {
    graph: Graph,
    starts: Vec<VertexStart>,
}

/// The state of a vertex before any edge is looked at, for the player to move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VertexStart {
    /// The value follows from the edges.
    Open,
    /// Won at once.
    Won,
    /// Lost at once.
    Lost,
    /// Drawn, whatever its edges are.
    Drawn,
}

/// Vertices in a task.
const GRAIN: usize = 1 << 14;

impl GraphGame {
    /// Returns the game on `graph` in which `stuck` decides a vertex without an edge, and `labels` decides
    /// other vertices; of several labels for one vertex the last holds. Works on the threads of the current
    /// pool.
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

    /// Returns the graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the state of the vertex before any edge is looked at.
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
