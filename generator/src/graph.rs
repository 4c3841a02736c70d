//! Games on graphs: a vertex is a position, and the player to move chooses an edge.

use crate::{Game, Start};
use dragnet_formats::{
    graph::{Graph, Vertex},
    rules::Stuck,
    value::Value,
};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A game on a graph. Takes 8 bytes per edge and 9 per vertex, the graph included.
#[derive(Debug)]
pub struct GraphGame {
    graph: Graph,
    starts: Vec<VertexStart>,
    /// For each vertex the place of its first predecessor in `back`; one more entry at the end.
    back_starts: Vec<u32>,
    /// The open vertices from which edges lead to each, once per edge, in any order.
    back: Vec<AtomicU32>,
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

/// Vertices or edges that one task takes.
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
        for (vertex, start) in labels {
            starts[vertex as usize] = start;
        }
        let (back_starts, back) = turned_round(&graph, &starts);
        GraphGame { graph, starts, back_starts, back }
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

/// The edges of open vertices backwards. Which thread writes an edge first is left to chance, and so is the order within a
/// row, on which nothing depends.
fn turned_round(graph: &Graph, starts: &[VertexStart]) -> (Vec<u32>, Vec<AtomicU32>) {
    let open_edges = |work: &(dyn Fn(Vertex, Vertex) + Sync)| {
        (0..starts.len()).into_par_iter().with_min_len(GRAIN).for_each(|vertex| {
            if starts[vertex] == VertexStart::Open {
                for &to in graph.successors(vertex as Vertex) {
                    work(vertex as Vertex, to);
                }
            }
        });
    };
    let places: Vec<AtomicU32> =
        (0..starts.len()).into_par_iter().with_min_len(GRAIN).map(|_| AtomicU32::new(0)).collect();
    // Relaxed: the counters publish nothing but themselves, and the pool's own barriers lie between the passes.
    open_edges(&|_, to| {
        places[to as usize].fetch_add(1, Relaxed);
    });
    let mut back_starts = Vec::with_capacity(starts.len() + 1);
    let mut edges = 0;
    for place in &places {
        back_starts.push(edges);
        edges += place.swap(edges, Relaxed);
    }
    back_starts.push(edges);
    let back: Vec<AtomicU32> =
        (0..edges as usize).into_par_iter().with_min_len(GRAIN).map(|_| AtomicU32::new(0)).collect();
    open_edges(&|from, to| {
        let place = places[to as usize].fetch_add(1, Relaxed);
        back[place as usize].store(from, Relaxed);
    });
    (back_starts, back)
}

impl Game for GraphGame {
    fn positions(&self) -> u64 {
        self.starts.len() as u64
    }

    fn start(&self, position: u64) -> Start {
        match self.starts[position as usize] {
            VertexStart::Won => Start::Won,
            VertexStart::Lost => Start::Lost,
            VertexStart::Drawn => Start::Moves(0),
            VertexStart::Open => Start::Moves(self.graph.successors(position as Vertex).len() as u32),
        }
    }

    fn for_each_successor(&self, position: u64, mut each: impl FnMut(u64)) {
        for &to in self.graph.successors(position as Vertex) {
            each(to.into());
        }
    }

    fn for_each_predecessor(&self, position: u64, mut each: impl FnMut(u64)) {
        let position = position as usize;
        let row = self.back_starts[position] as usize..self.back_starts[position + 1] as usize;
        for from in &self.back[row] {
            each(from.load(Relaxed).into());
        }
    }
}
