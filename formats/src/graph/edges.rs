//! Edge lists: one line `u v` for each edge.

pub use super::edge_list_head::EdgeList;
use super::{
    Doubt, Graph, GraphBuilder, GraphError, ReadError, dimacs,
    edge_list_head::{EdgeLines, EdgeListHead, HeadState},
    line_blocks::LineBlocks,
    names::VertexNames,
    words::{WordReader, WordSpan},
};
use crate::plain_text::PlainText;
use std::{
    collections::HashMap,
    io::{BufRead, Cursor, Read},
};

/// A graph from a list of edges, with the names of its vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphWithNames {
    /// The graph.
    pub graph: Graph,
    /// The names of the vertices: numbers, or words in the order in which they occur first.
    pub names: VertexNames,
    /// The reasons to doubt that the text was meant so.
    pub doubts: Vec<Doubt>,
}

impl EdgeList {
    /// Reads lines `u v`, each an edge from u to v. Vertices are numbers from 0 or, if asked for, any words.
    /// Empty lines are skipped. A list of numbers may begin with a line of one number, which is the number of
    /// vertices; lines that begin with `#` or `%` are comments, and a text that begins with a line of
    /// [DIMACS](dimacs) is read as such. In a list of names a line with one word is a vertex, which may have
    /// no edge, and a comment is `#` or `%` and a blank.
    ///
    /// Braces behind an edge, as in `0 1 {'weight': 3}`, have no meaning.
    ///
    /// # Errors
    /// When the input cannot be read or is not such a list. A vertex beyond the announced number of vertices
    /// is an error with line and column. If no number is announced, so is a vertex far beyond the number of
    /// edges: from 2^20 + 64·edges on. So is whatever may be another form of list: two numbers at its
    /// beginning that are those of the vertices and edges, names that begin or end with a separator, a list
    /// of names without an edge.
    ///
    /// ```
    /// use dragnet_formats::graph::edges::EdgeList;
    ///
    /// let list = EdgeList { names: true, ..EdgeList::default() };
    /// let named = list.read("start middle\nmiddle end\n".as_bytes())?;
    /// assert_eq!(named.names.list().unwrap(), ["start", "middle", "end"]);
    /// assert_eq!(named.graph.successors(1), [2]);
    /// # Ok::<(), dragnet_formats::graph::ReadError>(())
    /// ```
    pub fn read(self, input: impl Read) -> Result<GraphWithNames, ReadError> {
        if self.names { self.read_names(input) } else { self.read_numbers(input) }
    }

    fn read_names(self, input: impl Read) -> Result<GraphWithNames, ReadError> {
        let mut words = WordReader::of_text(input);
        let mut builder = GraphBuilder::new();
        let mut list = NamedEdges::default();
        while words.next_line()? {
            let Some(first) = words.word().filter(|&word| !is_comment(words.bytes(word))) else { continue };
            let from = list.number(&words, first)?;
            let Some(second) = words.word() else {
                list.alone(&words, first, from)?;
                continue;
            };
            let to = list.number(&words, second)?;
            let attributed = words.attributes("two vertices in a line")?;
            list.edge(words.line(), [from, to], attributed);
            self.add(&mut builder, from, to).map_err(|error| error.after(words.line()))?;
        }
        let doubts = list.check(words.line())?;
        let graph = builder.build_with(list.names.len() as u32);
        Ok(GraphWithNames { graph, names: VertexNames::words(list.names), doubts })
    }

    fn read_numbers(self, input: impl Read) -> Result<GraphWithNames, ReadError> {
        let mut blocks = LineBlocks::new(PlainText::new(input), BLOCK);
        let mut builder = GraphBuilder::new();
        let (mut block, mut before, mut head) = (Vec::new(), 0, None);
        let mut found = EdgeLines::default();
        while blocks.next(&mut block)? {
            let (list, begin) = match head {
                Some(list) => (list, 0),
                None => match EdgeListHead::find(self, &block, before)? {
                    HeadState::Open => {
                        before += block.iter().filter(|&&byte| byte == b'\n').count() as u64;
                        continue;
                    }
                    HeadState::Dimacs => return GraphWithNames::of_dimacs(self, &block, blocks, before),
                    HeadState::Done { head: list, bytes, lines } => {
                        before = lines;
                        if let Some((from, to)) = list.first_edge() {
                            self.add(&mut builder, from.into(), to.into())
                                .map_err(|error| error.after(lines))?;
                        }
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
        let vertices = found.check(head, before)?;
        let graph = builder.build_with(vertices);
        let doubts = found.doubts(head, &graph);
        Ok(GraphWithNames { graph, names: VertexNames::numbered(0), doubts })
    }

    fn add(self, builder: &mut GraphBuilder, from: u64, to: u64) -> Result<(), ReadError> {
        let here = |source| ReadError::Graph { line: 0, source };
        builder.add(from, to).map_err(here)?;
        if self.undirected && from != to {
            builder.add(to, from).map_err(here)?;
        }
        match builder.edges() > self.most_edges {
            true => Err(here(GraphError::Edges { most: self.most_edges })),
            false => Ok(()),
        }
    }
}

impl GraphWithNames {
    /// Reads a graph in the [DIMACS form](dimacs), of which `block` is the beginning and `before` lines have
    /// been read.
    ///
    /// # Errors
    /// See [`dimacs::read`].
    pub fn of_dimacs(
        list: EdgeList,
        block: &[u8],
        rest: LineBlocks<impl Read>,
        before: u64,
    ) -> Result<GraphWithNames, ReadError> {
        let text = Cursor::new(block).chain(rest.into_rest());
        let (graph, doubt) =
            dimacs::read(text, list.most_vertices, list.most_edges).map_err(|error| error.after(before))?;
        Ok(GraphWithNames { graph, names: VertexNames::numbered(1), doubts: doubt.into_iter().collect() })
    }
}

/// The number of bytes of a block of numbers.
const BLOCK: usize = 1 << 16;

/// Returns whether the first word of a line of names begins a comment.
fn is_comment(word: &[u8]) -> bool {
    word.iter().all(|byte| matches!(byte, b'#' | b'%'))
}

/// Returns why a word is no name: what other programs put between names, and before comments.
fn fault_of_name(name: &str) -> Option<&'static str> {
    if name.starts_with(['#', '%']) {
        return Some("a name that begins with no # or %, which a blank follows in a comment");
    }
    let separates = name.starts_with([',', ';', '|', '{'])
        || name.ends_with([',', ';', '|', ':'])
        || name.starts_with("->")
        || name.starts_with("--");
    separates.then_some("names with blanks between them, and nothing else")
}

/// The vertices and edges of a list of names.
#[derive(Default)]
struct NamedEdges {
    numbers: HashMap<String, u64>,
    names: Vec<String>,
    /// The number of words that are the name, for each name.
    uses: Vec<u32>,
    /// The line and the vertices of the first edge, if no vertex stands before it.
    first: Option<(u64, [u64; 2])>,
    /// The vertices that stand alone in a line, with line and column.
    alone: Vec<(u64, usize, u64)>,
    edges: u64,
    attributed: u64,
}

impl NamedEdges {
    /// Returns the vertex with the name that a word is.
    fn number(&mut self, words: &WordReader<impl BufRead>, word: WordSpan) -> Result<u64, ReadError> {
        let name = str::from_utf8(words.bytes(word)).map_err(|_| words.error(word, "a name in UTF-8"))?;
        if let Some(expected) = fault_of_name(name) {
            return Err(words.error(word, expected));
        }
        let number = match self.numbers.get(name) {
            Some(&number) => number,
            None => {
                let number = self.names.len() as u64;
                self.names.push(name.to_owned());
                self.uses.push(0);
                self.numbers.insert(name.to_owned(), number);
                number
            }
        };
        self.uses[number as usize] += 1;
        Ok(number)
    }

    /// Adds a line with one word.
    fn alone(
        &mut self,
        words: &WordReader<impl BufRead>,
        word: WordSpan,
        vertex: u64,
    ) -> Result<(), ReadError> {
        let name = &self.names[vertex as usize];
        if name.contains([',', ';', '|']) || name.contains("->") || name.contains("--") {
            return Err(words.error(word, "two names with a blank between them, or one name"));
        }
        self.alone.push((words.line(), word.column(), vertex));
        Ok(())
    }

    /// Adds a line with two words.
    fn edge(&mut self, line: u64, vertices: [u64; 2], attributed: bool) {
        if self.edges == 0 && self.alone.is_empty() {
            self.first = Some((line, vertices));
        }
        self.edges += 1;
        self.attributed += u64::from(attributed);
    }

    /// Returns the number that a name is.
    fn value(&self, vertex: u64) -> Option<u64> {
        self.names[vertex as usize].parse().ok()
    }

    /// Checks that no line has another meaning in other forms of lists. Returns what is doubtful.
    fn check(&self, lines: u64) -> Result<Vec<Doubt>, ReadError> {
        let names = self.names.len() as u64;
        let mut doubts = Vec::new();
        if names == 0 {
            return Err(ReadError::text(lines + 1, 1, "two names in a line", b""));
        }
        let wrong = |&(line, column, vertex): &(u64, usize, u64), expected: &str| {
            ReadError::text(line, column, expected, self.names[vertex as usize].as_bytes())
        };
        if self.edges == 0 {
            let joined =
                self.alone.iter().find(|alone| self.names[alone.2 as usize].contains(['-', ':', '=', '/']));
            match joined {
                Some(alone) => return Err(wrong(alone, "two names with a blank between them in some line")),
                None => doubts.push(Doubt::NoEdge),
            }
        }
        // More lines with a name alone are a list of the vertices.
        if let [alone @ (.., vertex)] = &self.alone[..]
            && self.edges > 0
            && self.uses[*vertex as usize] == 1
        {
            let count = self.value(*vertex);
            if count == Some(self.edges) || count == Some(names - 1) {
                return Err(wrong(
                    alone,
                    "a vertex, and not a number of vertices or edges, which this may be",
                ));
            }
        }
        if let Some((line, [from, to])) = self.first.filter(|_| self.edges > 1) {
            let uses = |vertex: u64| self.uses[vertex as usize];
            // Vertices of the first line that no other line names.
            let own = if from == to {
                u64::from(uses(from) == 2)
            } else {
                u64::from(uses(from) == 1) + u64::from(uses(to) == 1)
            };
            match (self.value(from), self.value(to)) {
                (Some(vertices), Some(edges)) if vertices == names - own && edges == self.edges - 1 => {
                    return Err(ReadError::Size { line, vertices, edges });
                }
                _ if self.edges > 2 && own == 1 + u64::from(from != to) => {
                    let found = format!("{} {}", self.names[from as usize], self.names[to as usize]);
                    doubts.push(Doubt::FirstLine { line, found });
                }
                _ => {}
            }
        }
        if self.attributed > 0 {
            doubts.push(Doubt::Attributes { lines: self.attributed });
        }
        Ok(doubts)
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
        assert_eq!(found.names, VertexNames::numbered(0));
        let found = read(EdgeList { undirected: true, ..plain }, "0 1\n1 1\n").unwrap();
        assert_eq!(lists(&found.graph), [vec![1], vec![0, 1]]);
        let found = read(EdgeList { names: true, ..plain }, "b a\nlonely\na c\n").unwrap();
        assert_eq!(lists(&found.graph), [vec![1], vec![3], vec![], vec![]]);
        assert_eq!(found.names.list().unwrap(), ["b", "a", "lonely", "c"]);
        assert_eq!(read(plain, "3").unwrap().graph.vertices(), 3);
    }

    #[test]
    fn malformed_edge_lists_are_refused_with_line_and_column() {
        let plain = EdgeList::default();
        for (text, expected) in [
            ("", "line 1, column 1: expected an edge or the number of vertices, found the end"),
            ("#..\n#.#\n", "line 3, column 1: expected an edge or the number of vertices, found the end"),
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
        for list in [EdgeList { most_edges: 3, ..NAMES }, EdgeList { most_edges: 3, ..NUMBERS }] {
            let found = read(list, "0 1\n1 2\n").unwrap_err();
            assert_eq!(found, "line 2: expected at most 3 edges, found more");
        }
        let few = EdgeList { most_vertices: 9, ..EdgeList::default() };
        for text in ["0 9\n", "10\n"] {
            assert_eq!(read(few, text).unwrap_err(), "line 1: expected at most 9 vertices, found 10");
        }
    }

    const NAMES: EdgeList = EdgeList {
        names: true,
        undirected: true,
        vertices: None,
        most_vertices: Graph::MAX_VERTICES,
        most_edges: Graph::MAX_EDGES,
    };
    const NUMBERS: EdgeList = EdgeList { names: false, ..NAMES };

    #[test]
    fn the_numbers_of_vertices_and_edges_are_no_edge() {
        for list in [NAMES, NUMBERS] {
            for (text, vertices, edges) in [
                ("4 4\n0 1\n1 2\n2 3\n3 0\n", 4, 4),
                ("# contest\n4 4\n1 2\n2 3\n3 4\n4 1\n", 4, 4),
                ("4 6\n0 1\n0 2\n0 3\n1 2\n1 3\n2 3\n", 4, 6),
                ("3 2\n0 1\n1 2\n", 3, 2),
                // METIS and the contest form: a cycle, and a vertex with one edge each.
                ("4 4\n2 4\n1 3\n2 4\n1 3\n", 4, 4),
                ("4 4\n1 2\n1 3\n1 4\n1 1\n", 4, 4),
            ] {
                let found = list.read(text.as_bytes()).unwrap_err();
                assert!(
                    matches!(found, ReadError::Size { vertices: v, edges: e, .. } if (v, e) == (vertices, edges)),
                    "{text:?}: {found}"
                );
            }
            for text in ["3 0\n0 1\n1 2\n", "1 0\n", "0 1\n1 2\n", "2 3\n0 1\n1 2\n"] {
                assert!(list.read(text.as_bytes()).is_ok(), "{text:?}");
            }
        }
        // A vertex 0 and a vertex 4 are not both among four.
        assert!(read(NUMBERS, "4 3\n0 1\n1 2\n2 4\n").is_ok());
        // The number of vertices tells one from the other.
        let known = |vertices| EdgeList { vertices: Some(vertices), ..NUMBERS };
        let text = "3 2\n0 1\n1 2\n";
        assert_eq!(lists(&read(known(3), text).unwrap().graph), [vec![1], vec![0, 2], vec![1]]);
        assert_eq!(lists(&read(known(4), text).unwrap().graph), [vec![1], vec![0, 2], vec![3, 1], vec![2]]);
        assert_eq!(
            read(known(3), "3 9\n0 1\n1 2\n").unwrap_err(),
            "line 1, column 1: expected a vertex below 3, the number of vertices given, found \"3\""
        );
        assert!(read(NAMES, "3 3\na b\nb c\nc a\n").is_err());
    }

    #[test]
    fn names_that_other_programs_write_otherwise_are_refused() {
        let blanks = "names with blanks between them, and nothing else";
        let comment = "a name that begins with no # or %, which a blank follows in a comment";
        for (text, expected) in [
            ("a,b\nb,c\n", "line 1, column 1: expected two names with a blank between them, or one name, found \"a,b\"".to_owned()),
            ("a b\nb;c\n", "line 2, column 1: expected two names with a blank between them, or one name, found \"b;c\"".to_owned()),
            ("a b\nb->c\n", "line 2, column 1: expected two names with a blank between them, or one name, found \"b->c\"".to_owned()),
            ("a-b\nb-c\n", "line 1, column 1: expected two names with a blank between them in some line, found \"a-b\"".to_owned()),
            ("a, b\n", format!("line 1, column 1: expected {blanks}, found \"a,\"")),
            ("a ,b\n", format!("line 1, column 3: expected {blanks}, found \",b\"")),
            ("a: b\n", format!("line 1, column 1: expected {blanks}, found \"a:\"")),
            ("a -> b\n", format!("line 1, column 3: expected {blanks}, found \"->\"")),
            ("a - b\n", "line 1, column 5: expected two vertices in a line, found \"b\"".to_owned()),
            ("a b 3\n", "line 1, column 5: expected two vertices in a line, found \"3\"".to_owned()),
            ("#1 a\n", format!("line 1, column 1: expected {comment}, found \"#1\"")),
            ("a #1\n", format!("line 1, column 3: expected {comment}, found \"#1\"")),
            ("%%MatrixMarket matrix\n", format!("line 1, column 1: expected {comment}, found \"%%MatrixMarket\"")),
            ("3\na b\nb c\n", "line 1, column 1: expected a vertex, and not a number of vertices or edges, which this may be, found \"3\"".to_owned()),
            ("a b\nb c\n2\n", "line 3, column 1: expected a vertex, and not a number of vertices or edges, which this may be, found \"2\"".to_owned()),
            ("# nothing\n", "line 2, column 1: expected two names in a line, found the end".to_owned()),
        ] {
            assert_eq!(read(NAMES, text).unwrap_err(), expected, "{text:?}");
        }
        assert!(
            NAMES.read(&b"caf\xE9 a\n"[..]).unwrap_err().to_string().contains("expected a name in UTF-8")
        );
        let found = read(NAMES, "# a b\n## c\n%\na#1 b,c\n7\n").unwrap();
        assert_eq!(found.names.list().unwrap(), ["a#1", "b,c", "7"]);
    }

    #[test]
    fn what_another_program_may_have_meant_is_doubted() {
        let doubts = |list: EdgeList, text: &str| read(list, text).unwrap().doubts;
        let gap = |count, vertices, first| vec![Doubt::Gap { count, vertices, first }];
        assert_eq!(doubts(NUMBERS, "0 1\n1 2\n"), []);
        assert_eq!(doubts(NUMBERS, "1 2\n2 3\n3 1\n"), [Doubt::FromOne]);
        assert_eq!(doubts(NUMBERS, "4\n1 2\n2 3\n3 1\n"), [Doubt::FromOne]);
        assert_eq!(doubts(NUMBERS, "0 5\n"), gap(4, 6, 1));
        assert_eq!(doubts(NUMBERS, "6\n0 5\n"), []);
        assert_eq!(doubts(EdgeList { undirected: false, ..NUMBERS }, "1 0\n0 3\n"), gap(1, 4, 2));
        assert_eq!(doubts(EdgeList { vertices: Some(6), ..NUMBERS }, "0 5\n"), []);
        // As many vertices as edges, and too many of them.
        let count = "5\n0 1\n1 2\n2 0\n0 3\n1 3\n";
        assert_eq!(doubts(NUMBERS, count), [Doubt::Count { line: 1, vertices: 5, named: 4 }]);
        // The numbers of vertices and edges, of which one is wrong; a heading.
        let first = |found: &str| Doubt::FirstLine { line: 1, found: found.to_owned() };
        assert_eq!(doubts(NUMBERS, "4 5\n0 1\n1 2\n2 3\n3 0\n"), [first("4 5")]);
        assert_eq!(doubts(NAMES, "source target\na b\nb c\nc a\n"), [first("source target")]);
        assert_eq!(doubts(NAMES, "Bw\nCr\n"), [Doubt::NoEdge]);
        // A list of all vertices, as the application writes it.
        assert_eq!(doubts(NAMES, "a\n2\nb\na b\nb a\n"), []);
        let attributed = "0 1 {}\n1 2 { }\n2 0 {'weight': 3}\n";
        for list in [NAMES, NUMBERS] {
            assert_eq!(doubts(list, attributed), [Doubt::Attributes { lines: 1 }]);
            assert_eq!(doubts(list, "0 1 {'weight': 3}\n"), [Doubt::Attributes { lines: 1 }]);
        }
    }

    #[test]
    fn a_text_of_dimacs_is_read_as_such() {
        let found = read(NUMBERS, "\n# made by hand\np edge 3 2\ne 1 2\ne 2 3\n").unwrap();
        assert_eq!((lists(&found.graph), found.names.first()), (vec![vec![1], vec![0, 2], vec![1]], Some(1)));
        let wrong = "\nc one\np edge 3 2\ne 1 2\ne 2 4\n";
        assert_eq!(
            read(NUMBERS, wrong).unwrap_err(),
            "line 5, column 5: expected a vertex from 1 to 3, found \"4\""
        );
    }

    #[test]
    fn every_encoding_of_a_list_gives_the_same_graph() {
        let text = "0 1\n1 2\n2 3\n3 0\n";
        let utf16: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        for list in [NAMES, NUMBERS] {
            let expected = read(list, text);
            for same in [format!("\u{feff}{text}"), text.replace('\n', "\r"), text.replace('\n', "\r\n")] {
                assert_eq!(read(list, &same), expected, "{same:?}");
            }
            assert_eq!(list.read(&utf16[..]).map_err(|error| error.to_string()), expected);
        }
    }
}
