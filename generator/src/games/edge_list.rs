//! Large edge lists of numbers, read by all threads.

use crate::{
    csr::{self, Sorted},
    lock::lock,
};
use dragnet_formats::graph::{
    Graph, GraphError, ReadError, Vertex,
    edge_list_head::{EdgeListHead, HeadState},
    line_blocks::LineBlocks,
};
use std::{
    io::Read,
    sync::{Mutex, PoisonError},
};

/// Bytes of text that a thread takes in one go: some 300,000 edges, which fit into a cache of the second level.
const BLOCK: usize = 4 << 20;

/// Reads what [`EdgeList`](dragnet_formats::graph::edges::EdgeList) reads of numbers, each line an edge both ways if `undirected`, on the
/// threads of the current pool. Takes 10 bytes per edge and 4 per vertex.
///
/// # Errors
/// When the input cannot be read or is no such list.
pub fn read_edges(input: impl Read + Send, undirected: bool) -> Result<Graph, ReadError> {
    read_in_blocks(input, undirected, BLOCK)
}

fn read_in_blocks(input: impl Read + Send, undirected: bool, len: usize) -> Result<Graph, ReadError> {
    let mut blocks = LineBlocks::new(input, len);
    let (mut block, mut lines) = (Vec::new(), 0);
    let mut list = EdgeListHead::default();
    while blocks.next(&mut block)? {
        if let HeadState::Done { head: found, bytes, lines: before } =
            EdgeListHead::find(&block).map_err(|error| error.after(lines))?
        {
            block.drain(..bytes);
            lines += before;
            list = found;
            break;
        }
        lines += block.iter().filter(|&&byte| byte == b'\n').count() as u64;
        block.clear();
    }
    let source = Mutex::new(Source { blocks, first: Some(block), number: 0, edges: 0 });
    let found = Mutex::new(Vec::new());
    rayon::broadcast(|_| {
        let (mut block, mut edges) = (Vec::new(), Vec::new());
        loop {
            let Some((number, read)) = lock(&source).next(&mut block) else { break };
            let part = read.and_then(|()| Part::new(list, undirected, &block, &mut edges));
            lock(&source).count(&part);
            lock(&found).push((number, part));
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable_by_key(|&(number, _)| number);
    let (mut sorted, mut vertices) = (Vec::with_capacity(found.len()), list.vertices.unwrap_or(0));
    for (_, part) in found {
        let part = part.map_err(|error| error.after(lines))?;
        lines += part.lines;
        vertices = vertices.max(part.vertices);
        sorted.push(part.sorted);
    }
    let edges: usize = sorted.iter().map(Sorted::len).sum();
    if edges > Graph::MAX_EDGES as usize {
        return Err(ReadError::Graph { line: lines, source: GraphError::Edges });
    }
    let (mut starts, mut targets) = (vec![0; vertices as usize + 1], vec![0; edges]);
    csr::fill(&sorted, 0, &mut starts[..vertices as usize], &mut targets, 0);
    starts[vertices as usize] = edges as u32;
    Graph::from_rows(starts, targets).map_err(|source| ReadError::Graph { line: lines, source })
}

/// Where the threads get their blocks from.
struct Source<R> {
    blocks: LineBlocks<R>,
    /// What is left of the block in which the edges begin.
    first: Option<Vec<u8>>,
    /// The next block's number.
    number: usize,
    /// Edges found so far; more than there may be when it is no use to go on.
    edges: u64,
}

impl<R: Read> Source<R> {
    /// Puts the next block into `block`, and gives its number and whether it could be read. `None` at the end.
    fn next(&mut self, block: &mut Vec<u8>) -> Option<(usize, Result<(), ReadError>)> {
        if self.edges > Graph::MAX_EDGES.into() {
            return None;
        }
        let read = match self.first.take() {
            Some(first) => {
                *block = first;
                Ok(true)
            }
            None => self.blocks.next(block),
        };
        let number = self.number;
        self.number += 1;
        match read {
            Ok(more) => more.then_some((number, Ok(()))),
            Err(error) => Some((number, Err(error.into()))),
        }
    }

    fn count(&mut self, part: &Result<Part, ReadError>) {
        let edges = part.as_ref().map_or(u64::MAX, |part| part.sorted.len() as u64);
        self.edges = self.edges.saturating_add(edges);
    }
}

/// What a block has.
struct Part {
    lines: u64,
    /// One more than the greatest vertex named.
    vertices: u32,
    sorted: Sorted,
}

impl Part {
    /// Reads the edges of a block. Needs `edges` to work.
    fn new(
        list: EdgeListHead,
        undirected: bool,
        text: &[u8],
        edges: &mut Vec<(Vertex, Vertex)>,
    ) -> Result<Part, ReadError> {
        edges.clear();
        let mut vertices = 0;
        let lines = list.read(text, |from, to| {
            vertices = vertices.max(from.max(to) + 1);
            edges.push((from, to));
            if undirected && from != to {
                edges.push((to, from));
            }
        })?;
        Ok(Part { lines, vertices, sorted: Sorted::new(edges) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::graph::edges::EdgeList;
    use proptest::prelude::*;

    proptest! {
        /// With blocks of any length and any number of threads the graph or the message is that of the simple reader.
        #[test]
        fn all_threads_read_what_one_does(
            lines in prop::collection::vec(prop_oneof![
                40 => (0u32..9, 0u32..9).prop_map(|(a, b)| format!("{a} {b}")),
                2 => (0u32..70_000, 0u32..70_000).prop_map(|(a, b)| format!(" {a}\t {b} \r")),
                1 => "[#%] ?[a-z0-9 ]{0,9}", 1 => Just(String::new()), 1 => "[0-9]{1,2}", 1 => "[0-9x -]{1,9}",
            ], 0..40),
            head in prop::option::of(0u32..12), end in "\n?", len in 1usize..200, undirected in any::<bool>(), threads in 1usize..5,
        ) {
            let head = head.map(|count| format!("# a head\n\n{count}\n")).unwrap_or_default();
            let text = head + &lines.join("\n") + &end;
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| read_in_blocks(text.as_bytes(), undirected, len));
            let expected = EdgeList { names: false, undirected }.read(text.as_bytes()).map(|named| named.graph);
            match (found, expected) {
                (Ok(found), Ok(expected)) => prop_assert_eq!(found, expected),
                (Err(found), Err(expected)) => prop_assert_eq!(found.to_string(), expected.to_string()),
                (found, expected) => prop_assert!(false, "{:?} {:?}", found, expected),
            }
        }
    }
}
