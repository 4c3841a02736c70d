//! Building a graph from edges in any order.

use super::{Graph, GraphError, Vertex};

/// The number of edges in a piece of the list. Pieces do not grow, so that the list is never in memory twice.
const PIECE: usize = 1 << 20;

/// Collects edges and builds a graph from them. Takes 8 bytes per edge, and 4 more while the graph is built.
#[derive(Debug, Default)]
pub struct GraphBuilder {
    pieces: Vec<Vec<(Vertex, Vertex)>>,
    edges: u32,
    /// One more than the greatest vertex that an edge names.
    vertices: u32,
}

impl GraphBuilder {
    /// Creates a builder without edges.
    #[must_use]
    pub fn new() -> GraphBuilder {
        GraphBuilder::default()
    }

    /// Adds an edge.
    ///
    /// # Errors
    /// When a vertex is beyond [`Graph::MAX_VERTICES`], or there are too many edges.
    #[inline]
    pub fn add(&mut self, from: u64, to: u64) -> Result<(), GraphError> {
        let greatest = from.max(to);
        if greatest >= Graph::MAX_VERTICES.into() {
            let found = greatest.saturating_add(1);
            return Err(GraphError::Vertices { found, most: Graph::MAX_VERTICES });
        }
        if self.edges == Graph::MAX_EDGES {
            return Err(GraphError::Edges { most: Graph::MAX_EDGES });
        }
        self.edges += 1;
        self.vertices = self.vertices.max(greatest as u32 + 1);
        let edge = (from as Vertex, to as Vertex);
        match self.pieces.last_mut() {
            Some(piece) if piece.len() < piece.capacity() => piece.push(edge),
            _ => {
                let mut piece = Vec::with_capacity((self.edges as usize).clamp(64, PIECE));
                piece.push(edge);
                self.pieces.push(piece);
            }
        }
        Ok(())
    }

    /// Returns the number of edges.
    #[must_use]
    pub fn edges(&self) -> u32 {
        self.edges
    }

    /// Returns one more than the greatest vertex of any edge.
    #[must_use]
    pub fn vertices(&self) -> u32 {
        self.vertices
    }

    /// Builds the graph with these edges and as many vertices as they name.
    #[must_use]
    pub fn build(self) -> Graph {
        let vertices = self.vertices;
        self.build_with(vertices)
    }

    /// Builds the graph with these edges and `vertices` vertices, or as many as the edges name if those are
    /// more.
    #[must_use]
    pub fn build_with(self, vertices: u32) -> Graph {
        let vertices = vertices.max(self.vertices) as usize;
        let mut starts = vec![0u32; vertices + 1];
        for &(from, _) in self.pieces.iter().flatten() {
            starts[from as usize + 1] += 1;
        }
        for i in 0..vertices {
            starts[i + 1] += starts[i];
        }
        let mut targets = vec![0; self.edges as usize];
        // Each row's start serves as the index of its next edge, and is restored afterwards.
        for piece in self.pieces {
            for (from, to) in piece {
                let place = &mut starts[from as usize];
                targets[*place as usize] = to;
                *place += 1;
            }
        }
        starts.copy_within(0..vertices, 1);
        starts[0] = 0;
        Graph { starts, targets }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn graph_keeps_edges_in_the_order_of_addition(
            edges in prop::collection::vec((0u32..9, 0u32..9), 0..60), more in 0u32..12,
        ) {
            let mut builder = GraphBuilder::new();
            for &(from, to) in &edges {
                builder.add(from.into(), to.into()).unwrap();
            }
            prop_assert_eq!(builder.edges() as usize, edges.len());
            let named = edges.iter().map(|&(from, to)| from.max(to) + 1).max().unwrap_or(0);
            prop_assert_eq!(builder.vertices(), named);
            let graph = builder.build_with(more);
            prop_assert_eq!(graph.vertices(), named.max(more));
            prop_assert_eq!(graph.edges() as usize, edges.len());
            for vertex in 0..graph.vertices() {
                let expected: Vec<u32> =
                    edges.iter().filter(|&&(from, _)| from == vertex).map(|&(_, to)| to).collect();
                prop_assert_eq!(graph.successors(vertex), expected);
            }
        }
    }

    #[test]
    fn vertices_beyond_the_limit_are_refused() {
        let mut builder = GraphBuilder::new();
        let most = u64::from(Graph::MAX_VERTICES);
        assert_eq!(
            builder.add(0, most),
            Err(GraphError::Vertices { found: most + 1, most: Graph::MAX_VERTICES })
        );
        assert_eq!(
            builder.add(u64::MAX, 0),
            Err(GraphError::Vertices { found: u64::MAX, most: Graph::MAX_VERTICES })
        );
        assert_eq!(builder.build().vertices(), 0);
    }
}
