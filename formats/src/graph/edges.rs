//! Edge lists: one line `u v` for each edge.

pub use super::edge_list_head::EdgeList;
use super::{
    Graph, GraphBuilder, ReadError,
    edge_list_head::{EdgeLines, EdgeListHead, HeadState},
    line_blocks::LineBlocks,
    words::WordReader,
};
use std::{collections::HashMap, io::BufRead};

/// A graph, with the names of its vertices if its text has names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphWithNames {
    /// The graph.
    pub graph: Graph,
    /// The name of each vertex, in the order in which the names occur first. `None` if the vertices are
    /// numbers.
    pub names: Option<Vec<String>>,
}

impl EdgeList {
    /// Reads lines `u v`, each an edge from u to v. Vertices are numbers from 0 or, if asked for, any words.
    /// Empty lines and lines that begin with `#` or `%` are skipped. A line with one word is a vertex that
    /// may have no edge; in a list of numbers there may be one such line, before all edges, and it is the
    /// number of vertices.
    ///
    /// # Errors
    /// When the input cannot be read or is not such a list. A vertex beyond the announced number of vertices
    /// is an error with line and column. If no number is announced, so is a vertex far beyond the number of
    /// edges: from 2^20 + 64·edges on.
    ///
    /// ```
    /// use dragnet_formats::graph::edges::EdgeList;
    ///
    /// let list = EdgeList { names: true, ..EdgeList::default() };
    /// let named = list.read("start middle\nmiddle end\n".as_bytes())?;
    /// assert_eq!(named.names.unwrap(), ["start", "middle", "end"]);
    /// assert_eq!(named.graph.successors(1), [2]);
    /// # Ok::<(), dragnet_formats::graph::ReadError>(())
    /// ```
    pub fn read(self, input: impl BufRead) -> Result<GraphWithNames, ReadError> {
        if self.names { self.read_names(input) } else { self.read_numbers(input) }
    }

    fn read_names(self, input: impl BufRead) -> Result<GraphWithNames, ReadError> {
        let mut words = WordReader::new(input);
        let mut builder = GraphBuilder::new();
        let mut names = NameTable::default();
        while words.next_line()? {
            let Some(first) = words.word().filter(|&word| !matches!(words.bytes(word)[0], b'#' | b'%'))
            else {
                continue;
            };
            let from = names.number(words.bytes(first));
            let Some(second) = words.word() else { continue };
            let to = names.number(words.bytes(second));
            words.end_of_line("two vertices in a line")?;
            self.add(&mut builder, from, to).map_err(|error| error.after(words.line()))?;
        }
        Ok(GraphWithNames { graph: builder.build_with(names.list.len() as u32), names: Some(names.list) })
    }

    fn read_numbers(self, input: impl BufRead) -> Result<GraphWithNames, ReadError> {
        let mut blocks = LineBlocks::new(input, BLOCK);
        let mut builder = GraphBuilder::new();
        let (mut block, mut before, mut head) = (Vec::new(), 0, None);
        let mut found = EdgeLines::default();
        while blocks.next(&mut block)? {
            let (list, begin) = match head {
                Some(list) => (list, 0),
                None => match EdgeListHead::find(self, &block).map_err(|error| error.after(before))? {
                    HeadState::Open => {
                        before += block.iter().filter(|&&byte| byte == b'\n').count() as u64;
                        continue;
                    }
                    HeadState::Done { head: list, bytes, lines } => {
                        before += lines;
                        (list, bytes)
                    }
                },
            };
            head = Some(list);
            let mut added = Ok(());
            let read = list.read(&block[begin..], |from, to| {
                if added.is_ok() {
                    added = self.add(&mut builder, from.into(), to.into());
                }
            });
            found.append(read.map_err(|error| error.after(before + found.lines))?);
            added.map_err(|error| error.after(before + found.lines))?;
        }
        let head = head.unwrap_or(EdgeListHead::new(self));
        found.check(head, before)?;
        let vertices = head.vertices.unwrap_or(0);
        Ok(GraphWithNames { graph: builder.build_with(vertices), names: None })
    }

    fn add(self, builder: &mut GraphBuilder, from: u64, to: u64) -> Result<(), ReadError> {
        let here = |source| ReadError::Graph { line: 0, source };
        builder.add(from, to).map_err(here)?;
        if self.undirected && from != to {
            builder.add(to, from).map_err(here)?;
        }
        Ok(())
    }
}

/// The number of bytes of a block of numbers.
const BLOCK: usize = 1 << 16;

/// The numbers of vertices that have names.
#[derive(Default)]
struct NameTable {
    numbers: HashMap<Vec<u8>, u64>,
    list: Vec<String>,
}

impl NameTable {
    fn number(&mut self, name: &[u8]) -> u64 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.list.len() as u64;
        self.list.push(String::from_utf8_lossy(name).into_owned());
        self.numbers.insert(name.to_vec(), number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(edges: EdgeList, text: &str) -> Result<GraphWithNames, String> {
        edges.read(text.as_bytes()).map_err(|error| error.to_string())
    }

    fn lists(graph: &Graph) -> Vec<Vec<u32>> {
        (0..graph.vertices()).map(|vertex| graph.successors(vertex).to_vec()).collect()
    }

    #[test]
    fn edge_lists_of_numbers_and_of_names_are_read() {
        let plain = EdgeList::default();
        let found = read(plain, "# a comment\r\n4\r\n\n0 1\n1\t0\n % another\n2 2\n0 1").unwrap();
        assert_eq!(lists(&found.graph), [vec![1, 1], vec![0], vec![2], vec![]]);
        assert_eq!(found.names, None);
        let found = read(EdgeList { undirected: true, ..plain }, "0 1\n1 1\n").unwrap();
        assert_eq!(lists(&found.graph), [vec![1], vec![0, 1]]);
        let found = read(EdgeList { names: true, ..plain }, "b a\nlonely\na c\n").unwrap();
        assert_eq!(lists(&found.graph), [vec![1], vec![3], vec![], vec![]]);
        assert_eq!(found.names.unwrap(), ["b", "a", "lonely", "c"]);
        assert_eq!(read(plain, "").unwrap().graph.vertices(), 0);
        assert_eq!(read(plain, "3").unwrap().graph.vertices(), 3);
    }

    #[test]
    fn malformed_edge_lists_are_refused_with_line_and_column() {
        let plain = EdgeList::default();
        for (text, expected) in [
            ("0 1\n0", "line 2, column 2: expected a second vertex, found the end"),
            ("3\n2\n", "line 2, column 2: expected a second vertex, found the end"),
            ("0 1 2", "line 1, column 5: expected two vertices in a line, found \"2\""),
            ("0  -1", "line 1, column 4: expected a vertex, a number from 0, found \"-1\""),
            ("a b", "line 1, column 1: expected a vertex, a number from 0, found \"a\""),
            (
                "2\n0 1\n0 2\n",
                "line 3, column 3: expected a vertex below 2, the number of vertices given, found \"2\"",
            ),
            ("0 4294967294", "line 1: expected at most 4294967294 vertices, found 4294967295"),
            ("99999999999", "line 1: expected at most 4294967294 vertices, found 99999999999"),
            (
                "# a list\n0 1\n#\n 3  4000000000\n4000000000 5\n",
                "line 4, column 5: expected a vertex below 1048768, or the number of vertices announced before the edges, found \"4000000000\"",
            ),
        ] {
            assert_eq!(read(plain, text).unwrap_err(), expected, "{text:?}");
        }
    }

    #[test]
    fn announced_vertices_need_no_edges() {
        let announced = EdgeList { vertices: Some(2_000_000), ..EdgeList::default() };
        assert_eq!(read(announced, "0 1999999\n").unwrap().graph.vertices(), 2_000_000);
        assert_eq!(read(announced, "2000000\n0 1\n").unwrap().graph.vertices(), 2_000_000);
        assert_eq!(read(EdgeList::default(), "2000000\n0 1999999\n").unwrap().graph.vertices(), 2_000_000);
        assert_eq!(
            read(announced, "3\n0 1\n").unwrap_err(),
            "line 1, column 1: expected 2000000 vertices, as was announced, found \"3\""
        );
        let few = EdgeList { most_vertices: 9, ..EdgeList::default() };
        for text in ["0 9\n", "10\n"] {
            assert_eq!(read(few, text).unwrap_err(), "line 1: expected at most 9 vertices, found 10");
        }
    }
}
