//! The forms of the DIMACS challenges: a letter at the start of each line, vertices from 1.

use super::{Graph, GraphBuilder, GraphError, ReadError, doubt::Doubt, words::WordReader};
use std::io::{BufRead, Read};

/// The kinds of lines behind the problem, for messages.
const LINES: &str = "a line that begins with c (comment), p (problem), e or a (edge)";

/// Returns whether a line is one with which a text in this form begins: a comment or the problem.
#[must_use]
pub fn begins(line: &[u8]) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    matches!(words.next(), Some(b"c" | b"p"))
}

/// Reads comments `c`, the problem `p edge n m`, `p col n m` or `p sp n m`, and edges `e u v` both ways, or
/// those of `p sp`, `a u v length`, one way. Vertices are numbered from 1. Lengths have no meaning, nor have
/// lines `n vertex value`. Returns the graph, and a doubt if there are not as many edges as the problem
/// announces.
///
/// ```
/// use dragnet_formats::graph::{Graph, dimacs};
///
/// let text = "c a path\np edge 3 2\ne 1 2\ne 2 3\n";
/// let (graph, doubt) = dimacs::read(text.as_bytes(), Graph::MAX_VERTICES, Graph::MAX_EDGES)?;
/// assert_eq!((graph.successors(1), doubt), (&[0, 2][..], None));
/// # Ok::<(), dragnet_formats::graph::ReadError>(())
/// ```
///
/// # Errors
/// When the input cannot be read or is not of this form, or the graph has more than `most_vertices` vertices
/// or `most_edges` edges, where an edge both ways counts twice.
pub fn read(
    input: impl Read,
    most_vertices: u32,
    most_edges: u32,
) -> Result<(Graph, Option<Doubt>), ReadError> {
    let mut words = WordReader::of_text(input);
    let mut builder = GraphBuilder::new();
    let mut problem: Option<Problem> = None;
    let mut found = 0;
    while words.next_line()? {
        let Some(first) = words.word() else { continue };
        match (words.bytes(first), &problem) {
            (b"c", _) => {}
            // Comments of other lists, before the text was known as one of DIMACS.
            ([b'#' | b'%', ..], None) => {}
            (b"p", None) => problem = Some(Problem::read(&mut words, most_vertices)?),
            (_, None) => return Err(words.error(first, "c and a comment, or p and the problem")),
            (b"n", Some(Problem { arcs: false, .. })) => {}
            (b"e", Some(problem @ Problem { arcs: false, .. }))
            | (b"a", Some(problem @ Problem { arcs: true, .. })) => {
                problem.add_edge(&mut words, &mut builder)?;
                if builder.edges() > most_edges {
                    let source = GraphError::Edges { most: most_edges };
                    return Err(ReadError::Graph { line: words.line(), source });
                }
                found += 1;
            }
            _ => return Err(words.error(first, LINES)),
        }
    }
    let Some(Problem { vertices, edges, line, .. }) = problem else {
        return Err(ReadError::text(words.line() + 1, 1, "p and the problem", b""));
    };
    let doubt = (edges != found).then_some(Doubt::Edges { line, announced: edges, found });
    Ok((builder.build_with(vertices), doubt))
}

/// The problem, which the line `p` announces.
struct Problem {
    /// Whether edges lead one way and have a length.
    arcs: bool,
    vertices: u32,
    edges: u64,
    line: u64,
}

impl Problem {
    /// Reads the line behind its `p`.
    fn read(words: &mut WordReader<impl BufRead>, most_vertices: u32) -> Result<Problem, ReadError> {
        let kinds = "edge, col or sp";
        let kind = words.require_word(kinds)?;
        let arcs = match words.bytes(kind) {
            b"edge" | b"col" => false,
            b"sp" => true,
            _ => return Err(words.error(kind, kinds)),
        };
        let found = words.require_number("the number of vertices")?;
        let edges = words.require_number("the number of edges")?;
        words.end_of_line("two numbers")?;
        let (line, most) = (words.line(), most_vertices.min(Graph::MAX_VERTICES));
        match u32::try_from(found).ok().filter(|&vertices| vertices <= most) {
            Some(vertices) => Ok(Problem { arcs, vertices, edges, line }),
            None => Err(ReadError::Graph { line, source: GraphError::Vertices { found, most } }),
        }
    }

    /// Reads the line of an edge behind its letter.
    fn add_edge(
        &self,
        words: &mut WordReader<impl BufRead>,
        builder: &mut GraphBuilder,
    ) -> Result<(), ReadError> {
        let (from, to) = (words.require_vertex(self.vertices)?, words.require_vertex(self.vertices)?);
        if self.arcs {
            words.require_word("the length of the edge")?;
        }
        words.end_of_line("the end of the line")?;
        let here = |source| ReadError::Graph { line: words.line(), source };
        builder.add(from, to).map_err(here)?;
        if !self.arcs && from != to {
            builder.add(to, from).map_err(here)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Vec<Vec<u32>>, Option<Doubt>), String> {
        let (graph, doubt) = super::read(text.as_bytes(), 100, 100).map_err(|error| error.to_string())?;
        Ok(((0..graph.vertices()).map(|vertex| graph.successors(vertex).to_vec()).collect(), doubt))
    }

    #[test]
    fn edges_lead_both_ways_and_arcs_one_way() {
        let colours = "c a triangle\r\np col 4 3\r\nn 1 5\r\ne 1 2\r\ne 2 3\r\n\r\ne 3 1\r\n";
        assert_eq!(read(colours), Ok((vec![vec![1, 2], vec![0, 2], vec![1, 0], vec![]], None)));
        assert_eq!(read("p sp 2 1\na 1 2 7\n"), Ok((vec![vec![1], vec![]], None)));
        assert_eq!(
            read("p edge 2 2\ne 1 2\n").unwrap().1,
            Some(Doubt::Edges { line: 1, announced: 2, found: 1 })
        );
    }

    #[test]
    fn malformed_texts_are_refused_with_line_and_column() {
        for (text, expected) in [
            ("c only\n", "line 2, column 1: expected p and the problem, found the end"),
            ("e 1 2\n", "line 1, column 1: expected c and a comment, or p and the problem, found \"e\""),
            ("p max 2 1\n", "line 1, column 3: expected edge, col or sp, found \"max\""),
            ("p edge 2\n", "line 1, column 9: expected the number of edges, found the end"),
            ("p edge 101 0\n", "line 1: expected at most 100 vertices, found 101"),
            ("p edge 2 1\ne 0 1\n", "line 2, column 3: expected a vertex from 1 to 2, found \"0\""),
            ("p edge 2 1\ne 1 3\n", "line 2, column 5: expected a vertex from 1 to 2, found \"3\""),
            ("p sp 2 1\na 1 2\n", "line 2, column 6: expected the length of the edge, found the end"),
            ("p edge 2 1\na 1 2 1\n", &format!("line 2, column 1: expected {LINES}, found \"a\"")),
            ("p edge 2 1\np edge 2 1\n", &format!("line 2, column 1: expected {LINES}, found \"p\"")),
        ] {
            assert_eq!(read(text).unwrap_err(), expected, "{text:?}");
        }
    }
}
