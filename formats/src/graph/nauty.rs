//! The one-line forms graph6, sparse6 and digraph6 of the nauty programs, as their `formats.txt` describes
//! them.

use super::{Graph, GraphBuilder, GraphError, ReadError, Vertex};

/// The form of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SixForm {
    Graph6,
    Sparse6,
    Digraph6,
}

/// Headers that may stand before a graph, or alone in the line before it.
const HEADERS: [&[u8]; 3] = [b">>graph6<<", b">>sparse6<<", b">>digraph6<<"];

/// Returns a line without the headers and blanks around the graph. What is left is empty if the line holds no
/// graph.
#[must_use]
pub fn body(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    HEADERS.iter().find_map(|header| line.strip_prefix(*header)).map_or(line, <[u8]>::trim_ascii)
}

/// Reads the graph in the only line of a text that holds one.
///
/// # Errors
/// As for [`read`], and when there is another such line.
pub fn read_one(text: &[u8], most_vertices: u32) -> Result<Graph, ReadError> {
    let mut lines = (1..).zip(text.split(|&byte| byte == b'\n')).filter(|(_, line)| !body(line).is_empty());
    let (number, line) = lines.next().unwrap_or((1, &[]));
    let graph = read(line, number, most_vertices)?;
    match lines.next() {
        Some((number, line)) => Err(ReadError::text(number, 1, "one graph", line)),
        None => Ok(graph),
    }
}

/// Reads the graph in one line, whose first byte tells the form; a header like `>>graph6<<` may stand before
/// it. An edge of an undirected graph leads both ways; a loop is one edge.
///
/// # Errors
/// When the line is in none of the forms, or the graph has more than `most_vertices` vertices: a short line
/// can announce billions. `line` is its number, for the message.
pub fn read(text: &[u8], line: u64, most_vertices: u32) -> Result<Graph, ReadError> {
    let text = text.trim_ascii();
    let body = body(text);
    let (form, body) = match body.split_first() {
        Some((b';', _)) => {
            let column = text.len() - body.len() + 1;
            let expected = "graph6, sparse6 or digraph6, and not incremental sparse6, which is not read";
            return Err(ReadError::text(line, column, expected, b";"));
        }
        Some((b':', rest)) => (SixForm::Sparse6, rest),
        Some((b'&', rest)) => (SixForm::Digraph6, rest),
        _ => (SixForm::Graph6, body),
    };
    let before = text.len() - body.len();
    let wrong = |at: usize, expected: &str| {
        ReadError::text(line, before + at + 1, expected, body.get(at..at + 1).unwrap_or(b""))
    };
    if let Some(at) = body.iter().position(|byte| !(63..=126).contains(byte)) {
        return Err(wrong(at, "a character from '?' to '~'"));
    }
    let (vertices, used) = size(body).ok_or_else(|| wrong(body.len(), "the number of vertices"))?;
    let most = most_vertices.min(Graph::MAX_VERTICES);
    let vertices = u32::try_from(vertices).ok().filter(|&n| n <= most).ok_or_else(|| {
        let source = GraphError::Vertices { found: vertices, most };
        ReadError::Graph { line, source }
    })?;
    let bits = Bits { bytes: &body[used..], at: 0 };
    let mut builder = GraphBuilder::new();
    let mut add = |from: Vertex, to: Vertex| {
        builder.add(from.into(), to.into()).map_err(|source| ReadError::Graph { line, source })
    };
    let n = u64::from(vertices);
    let matrix = match form {
        SixForm::Graph6 => n * n.saturating_sub(1) / 2,
        SixForm::Digraph6 => n * n,
        SixForm::Sparse6 => 6 * bits.bytes.len() as u64,
    };
    if matrix.div_ceil(6) != bits.bytes.len() as u64 {
        let expected = format!("{} characters for {vertices} vertices", used as u64 + matrix.div_ceil(6));
        return Err(ReadError::text(line, before + 1, expected, body.len().to_string().as_bytes()));
    }
    match form {
        SixForm::Graph6 => undirected_matrix(bits, vertices, &mut add)?,
        SixForm::Digraph6 => {
            let mut bits = bits;
            for from in 0..vertices {
                for to in 0..vertices {
                    if bits.take(1) == Some(1) {
                        add(from, to)?;
                    }
                }
            }
        }
        SixForm::Sparse6 => sparse(bits, vertices, &mut add)?,
    }
    Ok(builder.build_with(vertices))
}

/// Returns a graph in one line without its end: in the form graph6 if each edge leads both ways and none from
/// a vertex to itself, or else in the form digraph6. Parallel edges are written as one.
///
/// ```
/// use dragnet_formats::graph::{GraphBuilder, nauty};
///
/// let mut path = GraphBuilder::new();
/// for (from, to) in [(0, 1), (1, 0), (1, 2), (2, 1)] {
///     path.add(from, to)?;
/// }
/// assert_eq!(nauty::write(&path.build()), "Bg");
/// # Ok::<(), dragnet_formats::graph::GraphError>(())
/// ```
#[must_use]
pub fn write(graph: &Graph) -> String {
    let n = graph.vertices();
    let edges = || (0..n).flat_map(|from| graph.successors(from).iter().map(move |&to| (from, to)));
    let is_undirected = edges().all(|(from, to)| from != to && graph.successors(to).contains(&from));
    let mut text = if is_undirected { Vec::new() } else { vec![b'&'] };
    let (long, bits) = match n {
        0..=62 => (0, 6),
        63..=258_047 => (1, 18),
        _ => (2, 36),
    };
    text.extend([126].repeat(long));
    text.extend((0..bits / 6).rev().map(|digit| 63 + (u64::from(n) >> (6 * digit) & 63) as u8));
    let (first, n) = (text.len(), u64::from(n));
    let matrix = if is_undirected { n * n.saturating_sub(1) / 2 } else { n * n };
    text.resize(first + matrix.div_ceil(6) as usize, 63);
    for (from, to) in edges() {
        let (from, to) = (u64::from(from), u64::from(to));
        let bit = match is_undirected {
            true if from < to => to * (to - 1) / 2 + from,
            true => continue,
            false => from * n + to,
        };
        let byte = &mut text[first + (bit / 6) as usize];
        *byte = 63 + ((*byte - 63) | 1 << (5 - bit % 6));
    }
    String::from_utf8(text).expect("characters from '?' to '~'")
}

/// Returns the number of vertices, and the number of bytes in which it stands.
fn size(body: &[u8]) -> Option<(u64, usize)> {
    let number = |bytes: &[u8]| bytes.iter().fold(0u64, |number, &byte| number << 6 | u64::from(byte - 63));
    match body {
        [126, 126, rest @ ..] => Some((number(rest.get(..6)?), 8)),
        [126, rest @ ..] => Some((number(rest.get(..3)?), 4)),
        [first, ..] => Some((number(&[*first]), 1)),
        [] => None,
    }
}

/// The bits of the characters: six each, highest first.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    /// Returns the next `count` bits as a number.
    fn take(&mut self, count: u32) -> Option<u32> {
        let mut number = 0;
        for _ in 0..count {
            let byte = self.bytes.get(self.at / 6)? - 63;
            number = number << 1 | u32::from(byte >> (5 - self.at % 6) & 1);
            self.at += 1;
        }
        Some(number)
    }
}

/// Adds the edges of an upper triangle, column after column.
fn undirected_matrix(
    mut bits: Bits<'_>,
    vertices: u32,
    add: &mut impl FnMut(Vertex, Vertex) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    for column in 1..vertices {
        for row in 0..column {
            if bits.take(1) == Some(1) {
                add(row, column)?;
                add(column, row)?;
            }
        }
    }
    Ok(())
}

/// Adds the edges of pairs (b, x): b moves on to the next vertex; then x, if it is beyond that vertex,
/// becomes the current vertex, and otherwise there is an edge between the two.
fn sparse(
    mut bits: Bits<'_>,
    vertices: u32,
    add: &mut impl FnMut(Vertex, Vertex) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let width = u32::BITS - vertices.saturating_sub(1).leading_zeros();
    let mut vertex = 0;
    while let (Some(next), Some(other)) = (bits.take(1), bits.take(width)) {
        vertex += next;
        if vertex >= vertices || (other >= vertices && other > vertex) {
            // The rest fills up the last character.
            break;
        }
        if other > vertex {
            vertex = other;
        } else {
            add(other, vertex)?;
            if other != vertex {
                add(vertex, other)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(text: &str) -> (u32, Vec<(u32, u32)>) {
        let graph = read(text.as_bytes(), 1, Graph::MAX_VERTICES).unwrap();
        let of = |from| graph.successors(from).iter().map(move |&to| (from, to));
        let mut edges: Vec<_> = (0..graph.vertices()).flat_map(of).collect();
        edges.sort_unstable();
        (graph.vertices(), edges)
    }

    fn both_ways(pairs: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let mut edges: Vec<_> = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The examples in the description of the forms.
    #[test]
    fn examples_of_the_nauty_manual_are_read() {
        assert_eq!(edges("DQc\n"), (5, both_ways(&[(0, 2), (0, 4), (1, 3), (3, 4)])));
        assert_eq!(edges(":Fa@x^"), (7, both_ways(&[(0, 1), (0, 2), (1, 2), (5, 6)])));
        assert_eq!(edges("&DI?AO?"), (5, vec![(0, 2), (0, 4), (3, 1), (3, 4)]));
        assert_eq!(edges(">>graph6<<A_"), (2, both_ways(&[(0, 1)])));
        assert_eq!(read_one(b">>graph6<<\nA_\n", 9).unwrap().edges(), 2);
        assert_eq!(body(b" >>sparse6<<:An\r"), b":An");
        assert_eq!(edges("?"), (0, vec![]));
        assert_eq!(edges("@"), (1, vec![]));
        assert_eq!(edges("~~??????"), (0, vec![]));
    }

    #[test]
    fn written_graphs_are_read_again() {
        for text in ["?", "@", "A_", "DQc", "IheA@GUAo", "&DI?AO?", "&B??"] {
            let graph = read(text.as_bytes(), 1, Graph::MAX_VERTICES).unwrap();
            let written = write(&graph);
            assert_eq!(written, if text == "&B??" { "B?" } else { text });
            assert_eq!(read(written.as_bytes(), 1, Graph::MAX_VERTICES).unwrap(), graph);
        }
        for vertices in [63, 64, 300] {
            let mut far = GraphBuilder::new();
            far.add(61, 62).unwrap();
            far.add(62, 61).unwrap();
            let graph = far.build_with(vertices);
            assert_eq!(read(write(&graph).as_bytes(), 1, vertices).unwrap(), graph);
        }
    }

    #[test]
    fn sizes_of_four_and_eight_bytes_are_read() {
        assert_eq!(size(b"~?@?"), Some((64, 4)));
        assert_eq!(size(b"~B??"), Some((12288, 4)));
        assert_eq!(size(b"~~?ZZZZZ"), Some((460_175_067, 8)));
        assert_eq!(size(b"~??"), None);
    }

    #[test]
    fn malformed_lines_are_refused_with_line_and_column() {
        for (text, expected) in [
            ("", "line 7, column 1: expected the number of vertices, found the end"),
            (
                ";w",
                "line 7, column 1: expected graph6, sparse6 or digraph6, and not incremental sparse6, which is not read, found \";\"",
            ),
            ("D Q", "line 7, column 2: expected a character from '?' to '~', found \" \""),
            ("DQ", "line 7, column 1: expected 3 characters for 5 vertices, found \"2\""),
            (":~?@d", "line 7: expected at most 100 vertices, found 101"),
            ("DQcc", "line 7, column 1: expected 3 characters for 5 vertices, found \"4\""),
        ] {
            let found = read(text.as_bytes(), 7, 100).unwrap_err().to_string();
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
