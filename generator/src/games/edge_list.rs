//! Reads large edge lists of numbers on all threads.

use crate::{
    csr::{self, PiledEdges},
    lock::{into_inner, lock},
};
use dragnet_formats::{
    graph::{
        Graph, GraphError, ReadError, Vertex,
        edge_list_head::{EdgeLines, EdgeListHead, HeadState},
        edges::{EdgeList, GraphWithNames},
        line_blocks::LineBlocks,
        names::VertexNames,
    },
    plain_text::PlainText,
};
use std::{io::Read, sync::Mutex};

/// Bytes of text in a task: some 300,000 edges, which fit into a cache of the second level.
const BLOCK: usize = 4 << 20;

/// Reads a list of edges, a line each: numbered vertices on the threads of the current pool.
///
/// Finds what [`EdgeList::read`] finds. Takes 10 bytes per edge and 4 per vertex, unless vertices have names.
///
/// ```
/// use dragnet_formats::graph::edges::EdgeList;
///
/// let graph = dragnet_generator::read_edges("0 1\n1 2\n2 0\n".as_bytes(), EdgeList::default())?.graph;
/// assert_eq!((graph.vertices(), graph.edges()), (3, 3));
/// # Ok::<(), dragnet_formats::graph::ReadError>(())
/// ```
///
/// # Errors
/// See [`EdgeList::read`].
pub fn read_edges(input: impl Read + Send, list: EdgeList) -> Result<GraphWithNames, ReadError> {
    if list.names { list.read(input) } else { read_in_blocks(input, list, BLOCK) }
}

fn read_in_blocks(input: impl Read + Send, list: EdgeList, len: usize) -> Result<GraphWithNames, ReadError> {
    let mut blocks = LineBlocks::new(PlainText::new(input), len);
    let (mut block, mut lines) = (Vec::new(), 0);
    let mut head = EdgeListHead::new(list);
    while blocks.next(&mut block)? {
        match EdgeListHead::find(list, &block, lines)? {
            HeadState::Open => {
                lines += block.iter().filter(|&&byte| byte == b'\n').count() as u64;
                block.clear();
            }
            HeadState::Dimacs => return GraphWithNames::of_dimacs(list, &block, blocks, lines),
            HeadState::Done { head: found, bytes, lines: before } => {
                block.drain(..bytes);
                lines = before;
                head = found;
                break;
            }
        }
    }
    let source = Mutex::new(BlockQueue {
        blocks,
        first: Some(block),
        number: 0,
        edges: 0,
        most_edges: list.most_edges,
    });
    let found = Mutex::new(Vec::new());
    rayon::broadcast(|_| {
        let (mut block, mut edges) = (Vec::new(), Vec::new());
        loop {
            let Some((number, read)) = lock(&source).next(&mut block) else { break };
            let first = head.first_edge().filter(|_| number == 0);
            let part = read.and_then(|()| BlockEdges::new(head, first, list.undirected, &block, &mut edges));
            lock(&source).count(&part);
            lock(&found).push((number, part));
        }
    });
    let mut found = into_inner(found);
    found.sort_unstable_by_key(|&(number, _)| number);
    let (mut sorted, mut all) = (Vec::with_capacity(found.len()), EdgeLines::default());
    for (_, part) in found {
        let part = part.map_err(|error| error.after(lines + all.lines))?;
        all.append(part.lines);
        sorted.push(part.sorted);
    }
    let vertices = all.check(head, lines)?;
    let lines = lines + all.lines;
    let edges: usize = sorted.iter().map(PiledEdges::len).sum();
    if edges > list.most_edges as usize {
        return Err(ReadError::Graph { line: lines, source: GraphError::Edges { most: list.most_edges } });
    }
    let (mut starts, mut targets) = (vec![0; vertices as usize + 1], vec![0; edges]);
    csr::fill(&sorted, 0, &mut starts[..vertices as usize], &mut targets, 0);
    starts[vertices as usize] = edges as u32;
    let graph =
        Graph::from_rows(starts, targets).map_err(|source| ReadError::Graph { line: lines, source })?;
    let doubts = all.doubts(head, &graph);
    Ok(GraphWithNames { graph, names: VertexNames::numbered(0), doubts })
}

/// The blocks that no thread has taken yet.
struct BlockQueue<R> {
    blocks: LineBlocks<R>,
    /// The rest of the block in which the edges begin.
    first: Option<Vec<u8>>,
    /// The next block's number.
    number: usize,
    /// Edges found so far; more than the list may have once reading on is useless.
    edges: u64,
    most_edges: u32,
}

impl<R: Read> BlockQueue<R> {
    /// Reads the next block into `block`. Returns its number and whether it could be read, or `None` at the
    /// end.
    fn next(&mut self, block: &mut Vec<u8>) -> Option<(usize, Result<(), ReadError>)> {
        if self.edges > self.most_edges.into() {
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

    fn count(&mut self, part: &Result<BlockEdges, ReadError>) {
        let edges = part.as_ref().map_or(u64::MAX, |part| part.sorted.len() as u64);
        self.edges = self.edges.saturating_add(edges);
    }
}

/// The edges of one block of text.
struct BlockEdges {
    lines: EdgeLines,
    sorted: PiledEdges,
}

impl BlockEdges {
    /// Reads the edges of a block, before which the edge `first` stands. `edges` is scratch memory.
    fn new(
        head: EdgeListHead,
        first: Option<(Vertex, Vertex)>,
        undirected: bool,
        text: &[u8],
        edges: &mut Vec<(Vertex, Vertex)>,
    ) -> Result<BlockEdges, ReadError> {
        edges.clear();
        let mut add = |from, to| {
            edges.push((from, to));
            if undirected && from != to {
                edges.push((to, from));
            }
        };
        first.into_iter().for_each(|(from, to)| add(from, to));
        let lines = head.read(text, add)?;
        Ok(BlockEdges { lines, sorted: PiledEdges::new(edges) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The parallel reader returns the same graph or error as the simple one, whatever the length of
        /// its blocks and the number of threads.
        #[test]
        fn all_threads_read_what_one_does(
            lines in prop::collection::vec(prop_oneof![
                40 => (0u32..9, 0u32..9).prop_map(|(a, b)| format!("{a} {b}")),
                1 => (0u32..9_000_000, 0u32..9).prop_map(|(a, b)| format!("{a} {b}")),
                2 => (0u32..70_000, 0u32..70_000).prop_map(|(a, b)| format!(" {a}\t {b} \r")),
                1 => "[#%cp] ?[a-z0-9 ]{0,9}", 1 => Just("3 1 {'weight': 2}".to_owned()), 1 => Just(String::new()), 1 => "[0-9]{1,2}", 1 => "[0-9x -]{1,9}",
            ], 0..40),
            head in prop::option::of(0u32..12), end in "\n?", len in 1usize..200, undirected in any::<bool>(), threads in 1usize..5,
        ) {
            let head = head.map(|count| format!("# a head\n\n{count}\n")).unwrap_or_default();
            let text = head + &lines.join("\n") + &end;
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let list = EdgeList { undirected, ..EdgeList::default() };
            let found = pool.install(|| read_in_blocks(text.as_bytes(), list, len));
            let expected = list.read(text.as_bytes());
            match (found, expected) {
                (Ok(found), Ok(expected)) => prop_assert_eq!(found, expected),
                (Err(found), Err(expected)) => prop_assert_eq!(found.to_string(), expected.to_string()),
                (found, expected) => prop_assert!(false, "{:?} {:?}", found, expected),
            }
        }
    }
}
