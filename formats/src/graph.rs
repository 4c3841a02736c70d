//! Directed graphs, whose vertices are the positions of a game: the player to move chooses an edge.
//!
//! ```
//! use dragnet_formats::graph::GraphBuilder;
//!
//! let mut builder = GraphBuilder::new();
//! for (from, to) in [(0, 1), (1, 2), (0, 2)] {
//!     builder.add(from, to)?;
//! }
//! let graph = builder.build();
//! assert_eq!((graph.vertices(), graph.successors(0)), (3, &[1, 2][..]));
//! # Ok::<(), dragnet_formats::graph::GraphError>(())
//! ```

mod build;

mod error;

mod words;

mod doubt;

pub mod line_blocks;

pub mod names;

pub mod dimacs;

pub mod edge_list_head;

pub mod edges;

pub mod lists;

pub mod nauty;

pub mod make;

pub use build::GraphBuilder;
pub use doubt::Doubt;
pub use error::ReadError;

/// The number of a vertex, from 0.
pub type Vertex = u32;

/// A directed graph in compressed rows: 4 bytes per edge and per vertex. Self-loops and parallel edges are
/// edges like any other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Graph {
    /// For each vertex the index of its first edge in `targets`; one more entry at the end.
    starts: Vec<u32>,
    targets: Vec<Vertex>,
}

/// The reason why vertices and edges do not make a graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// More vertices than can be numbered, or than the reader was to allow.
    #[error("expected at most {most} vertices, found {found}")]
    Vertices {
        /// The number that was given.
        found: u64,
        /// The most that are allowed.
        most: u32,
    },
    /// More edges than can be counted, or than the reader was to allow.
    #[error("expected at most {most} edges, found more")]
    Edges {
        /// The most that are allowed.
        most: u32,
    },
    /// An edge from or to a vertex that does not exist.
    #[error("expected a vertex from 0 to {last}, found {found}", last = i64::from(*.vertices) - 1)]
    NoVertex {
        /// The number of vertices.
        vertices: u32,
        /// The vertex that was named.
        found: u64,
    },
}

impl Graph {
    /// The most vertices of a graph.
    pub const MAX_VERTICES: u32 = u32::MAX - 1;
    /// The most edges of a graph.
    pub const MAX_EDGES: u32 = u32::MAX - 1;

    /// Creates the graph with these rows: for each vertex the index of its first edge in `targets`, and at
    /// the end the number of edges.
    ///
    /// # Errors
    /// When there are too many vertices or edges, or an edge leads to a vertex that does not exist.
    ///
    /// # Panics
    /// If `starts` does not rise from 0 to the number of edges.
    pub fn from_rows(starts: Vec<u32>, targets: Vec<Vertex>) -> Result<Graph, GraphError> {
        let found = starts.len().saturating_sub(1) as u64;
        if found > Graph::MAX_VERTICES.into() {
            return Err(GraphError::Vertices { found, most: Graph::MAX_VERTICES });
        }
        if targets.len() > Graph::MAX_EDGES as usize {
            return Err(GraphError::Edges { most: Graph::MAX_EDGES });
        }
        let ends = (starts.first().copied(), starts.last().map(|&last| last as usize));
        assert!(
            ends == (Some(0), Some(targets.len())) && starts.is_sorted(),
            "expected places from 0 to {}, found {ends:?}",
            targets.len()
        );
        let vertices = found as u32;
        // Ten times as fast as `Iterator::max`, which must return the last of equal elements.
        let most = targets.iter().copied().fold(0, u32::max);
        if most >= vertices && !targets.is_empty() {
            return Err(GraphError::NoVertex { vertices, found: most.into() });
        }
        Ok(Graph { starts, targets })
    }

    /// Returns the number of vertices.
    #[must_use]
    pub fn vertices(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// Returns the number of edges.
    #[must_use]
    pub fn edges(&self) -> u32 {
        self.targets.len() as u32
    }

    /// Returns the vertices to which the edges of `vertex` lead, in the order in which they were added.
    ///
    /// # Panics
    /// If there is no such vertex.
    #[must_use]
    #[inline]
    pub fn successors(&self, vertex: Vertex) -> &[Vertex] {
        let vertex = vertex as usize;
        &self.targets[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// Returns for each vertex the index of its first edge among all edges, and at the end the number of
    /// edges.
    #[must_use]
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Returns the targets of all edges, vertex after vertex.
    #[must_use]
    pub fn targets(&self) -> &[Vertex] {
        &self.targets
    }
}
