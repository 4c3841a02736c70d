//! Builds graphs of edges that are in memory, on all threads.

use crate::{
    csr::{self, PiledEdges},
    memory::{OutOfMemory, ask_for},
};
use dragnet_formats::graph::{Graph, GraphError, Vertex};
use rayon::prelude::*;

/// Builds the graph of `vertices` vertices with the edges of so many blocks, on the threads of the current
/// pool. `edges` appends those of a block to an empty list. The successors of a vertex keep the order of the
/// blocks. Takes 10 bytes per edge and 4 per vertex; blocks of some 300,000 edges fit into the caches.
///
/// ```
/// // A cycle of ten vertices, two of them in each block.
/// let cycle = dragnet_generator::graph_of_blocks(10, 5, |block, edges| {
///     edges.extend([2 * block as u32, 2 * block as u32 + 1].map(|vertex| (vertex, (vertex + 1) % 10)));
///     Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// })?;
/// assert_eq!((cycle.edges(), cycle.successors(9)), (10, &[0][..]));
/// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// ```
///
/// # Errors
/// The error of the first block that has one; that of a graph with too many vertices or edges, or with an
/// edge from or to a vertex that does not exist; and when the system refuses the memory.
pub fn graph_of_blocks<E: From<GraphError> + From<OutOfMemory> + Send>(
    vertices: u32,
    blocks: usize,
    edges: impl Fn(usize, &mut Vec<(Vertex, Vertex)>) -> Result<(), E> + Sync,
) -> Result<Graph, E> {
    if vertices > Graph::MAX_VERTICES {
        return Err(GraphError::Vertices { found: vertices.into(), most: Graph::MAX_VERTICES }.into());
    }
    let sorted = |block| {
        let mut list = Vec::new();
        edges(block, &mut list)?;
        match list.iter().find(|(from, _)| *from >= vertices) {
            Some(&(from, _)) => Err(GraphError::NoVertex { vertices, found: from.into() }.into()),
            None => Ok(PiledEdges::new(&list)),
        }
    };
    let sorted: Vec<Result<PiledEdges, E>> = (0..blocks).into_par_iter().map(sorted).collect();
    let sorted = sorted.into_iter().collect::<Result<Vec<PiledEdges>, E>>()?;
    let edges: usize = sorted.iter().map(PiledEdges::len).sum();
    if edges > Graph::MAX_EDGES as usize {
        return Err(GraphError::Edges { most: Graph::MAX_EDGES }.into());
    }
    ask_for(size_of::<u32>() as u64 * (u64::from(vertices) + edges as u64))?;
    let (mut starts, mut targets) = (vec![0; vertices as usize + 1], vec![0; edges]);
    csr::fill(&sorted, 0, &mut starts[..vertices as usize], &mut targets, 0);
    starts[vertices as usize] = edges as u32;
    Ok(Graph::from_rows(starts, targets)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::graph::GraphBuilder;

    #[derive(Debug, thiserror::Error)]
    enum Failure {
        #[error(transparent)]
        Graph(#[from] GraphError),
        #[error(transparent)]
        Memory(#[from] OutOfMemory),
        #[error("block {0}")]
        Block(usize),
    }

    #[test]
    fn blocks_make_the_graph_of_all_their_edges_in_order() {
        let edge = |number: u32| (number * number % 37, number * 7 % 41);
        let mut expected = GraphBuilder::new();
        for (from, to) in (0..500).map(edge) {
            expected.add(from.into(), to.into()).unwrap();
        }
        let expected = expected.build_with(60_000);
        for len in [1, 7, 499, 500, 600] {
            let found = graph_of_blocks(60_000, 500usize.div_ceil(len), |block, edges| {
                edges.extend((block * len..500.min((block + 1) * len)).map(|number| edge(number as u32)));
                Ok::<(), Failure>(())
            });
            assert_eq!(found.unwrap(), expected);
        }
        assert_eq!(graph_of_blocks(3, 0, |_, _| Ok::<(), Failure>(())).unwrap().vertices(), 3);
    }

    #[test]
    fn edges_of_vertices_that_do_not_exist_and_errors_of_blocks_are_refused() {
        for (from, to) in [(3, 0), (0, 3), (u32::MAX, 0)] {
            let found = graph_of_blocks(3, 1, |_, edges| {
                edges.push((from, to));
                Ok::<(), Failure>(())
            });
            let expected = format!("expected a vertex from 0 to 2, found {}", from.max(to));
            assert_eq!(found.unwrap_err().to_string(), expected);
        }
        let found =
            graph_of_blocks(3, 9, |block, _| if block > 4 { Err(Failure::Block(block)) } else { Ok(()) });
        assert_eq!(found.unwrap_err().to_string(), "block 5");
        assert!(graph_of_blocks(u32::MAX, 0, |_, _| Ok::<(), Failure>(())).is_err());
    }
}
