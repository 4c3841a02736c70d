//! Directed graphs, whose vertices are the positions of a game: the player to move chooses an edge.

mod build;
mod error;
mod words;

pub mod blocks;
pub mod numbered;

pub mod edges;
pub mod lists;
pub mod make;
pub mod sixes;

pub use build::GraphBuilder;
pub use error::ReadError;

/// A vertex's number, from 0.
pub type Vertex = u32;

/// A directed graph in compressed rows: 4 bytes per edge and per vertex. Self-loops and parallel edges are edges like
/// others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Graph {
    /// For each vertex the place of its first edge in `targets`; one more entry at the end.
    starts: Vec<u32>,
    targets: Vec<Vertex>,
}

/// A graph that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// More vertices than can be numbered.
    #[error("expected at most {} vertices, found {found}", Graph::MAX_VERTICES)]
    Vertices {
        /// The number given.
        found: u64,
    },
    /// More edges than can be counted.
    #[error("expected at most {} edges", Graph::MAX_EDGES)]
    Edges,
    /// An edge from or to a vertex that is not there.
    #[error("expected a vertex from 0 to {last}, found {found}", last = i64::from(*.vertices) - 1)]
    NoVertex {
        /// How many vertices there are.
        vertices: u32,
        /// The vertex named.
        found: u64,
    },
}

impl Graph {
    /// The most vertices.
    pub const MAX_VERTICES: u32 = u32::MAX - 1;
    /// The most edges.
    pub const MAX_EDGES: u32 = u32::MAX - 1;

    /// The graph with these rows: for each vertex the place of its first edge in `targets`, and at the end the number of edges.
    ///
    /// # Errors
    /// When there are too many vertices or edges, or an edge leads to a vertex that is not there.
    ///
    /// # Panics
    /// If `starts` does not rise from 0 to the number of edges.
    pub fn from_rows(starts: Vec<u32>, targets: Vec<Vertex>) -> Result<Graph, GraphError> {
        let found = starts.len().saturating_sub(1) as u64;
        if found > Graph::MAX_VERTICES.into() {
            return Err(GraphError::Vertices { found });
        }
        if targets.len() > Graph::MAX_EDGES as usize {
            return Err(GraphError::Edges);
        }
        let ends = (starts.first().copied(), starts.last().map(|&last| last as usize));
        assert!(
            ends == (Some(0), Some(targets.len())) && starts.is_sorted(),
            "expected places from 0 to {}, found {ends:?}",
            targets.len()
        );
        let vertices = found as u32;
        // Ten times as quick as `max`, which has to say which of equals it is.
        let most = targets.iter().copied().fold(0, u32::max);
        if most >= vertices && !targets.is_empty() {
            return Err(GraphError::NoVertex { vertices, found: most.into() });
        }
        Ok(Graph { starts, targets })
    }

    /// The number of vertices.
    #[must_use]
    pub fn vertices(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The number of edges.
    #[must_use]
    pub fn edges(&self) -> u32 {
        self.targets.len() as u32
    }

    /// Where the edges of `vertex` lead, in the order in which they were given.
    ///
    /// # Panics
    /// If there is no such vertex.
    #[must_use]
    #[inline]
    pub fn successors(&self, vertex: Vertex) -> &[Vertex] {
        let vertex = vertex as usize;
        &self.targets[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// For each vertex the place of its first edge among all, and at the end the number of edges.
    #[must_use]
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// All edges' targets, vertex after vertex.
    #[must_use]
    pub fn targets(&self) -> &[Vertex] {
        &self.targets
    }
}
