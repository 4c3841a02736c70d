//! The contest form of a graph: numbers of vertices and edges, then a list of successors for each vertex.

use super::{
    Graph, ReadError, Vertex,
    words::{WordReader, WordSpan},
};
use std::io::{BufRead, Read};

/// Reads `n m`, then for each of the n vertices the number of its edges and the vertices to which they lead.
/// Vertices are numbered from 1, and there are m edges in all. If `with_start`, the number of a vertex
/// follows. Line breaks may stand between any two numbers.
///
/// # Errors
/// When the input cannot be read or is not of this form, or announces more vertices or edges than it may
/// have; every vertex is checked.
pub fn read(
    input: impl Read,
    with_start: bool,
    most_vertices: u32,
    most_edges: u32,
) -> Result<(Graph, Option<Vertex>), ReadError> {
    let mut words = WordReader::of_text(input);
    let vertices = number(&mut words, "the number of vertices", 0, most_vertices.into())?;
    let edges = number(&mut words, "the number of edges", 0, most_edges.into())?;
    let edges_line = words.line();
    // Rows grow as they are read: a number in the text alone takes no memory.
    let (mut starts, mut targets) = (vec![0], Vec::new());
    for _ in 0..vertices {
        let left = edges - targets.len() as u64;
        let degree = number(&mut words, "the number of edges of a vertex", 0, left)?;
        for _ in 0..degree {
            targets.push((number(&mut words, "a vertex", 1, vertices)? - 1) as Vertex);
        }
        starts.push(targets.len() as u32);
    }
    if targets.len() as u64 != edges {
        let found = format!("{} in the lists", targets.len());
        let expected = format!("{edges} edges in all, as line {edges_line} says");
        return Err(ReadError::text(words.line(), 1, expected, found.as_bytes()));
    }
    let start = match with_start {
        true => Some((number(&mut words, "the vertex to start from", 1, vertices)? - 1) as Vertex),
        false => None,
    };
    match words.anywhere()? {
        Some(word) => Err(words.error(word, "the end of the graph")),
        None => {
            let line = words.line();
            let graph = Graph::from_rows(starts, targets);
            Ok((graph.map_err(|source| ReadError::Graph { line, source })?, start))
        }
    }
}

/// Returns the next number, which must be from `least` to `most`.
fn number(words: &mut WordReader<impl BufRead>, what: &str, least: u64, most: u64) -> Result<u64, ReadError> {
    let expected = |words: &WordReader<_>, place: Option<WordSpan>| {
        let expected = format!("{what}, from {least} to {most}");
        match place {
            Some(place) => words.error(place, expected),
            None => ReadError::text(words.line() + 1, 1, expected, b""),
        }
    };
    let Some(place) = words.anywhere()? else { return Err(expected(words, None)) };
    match words.number(place, what) {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(expected(words, Some(place))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, with_start: bool) -> Result<(Graph, Option<Vertex>), String> {
        super::read(text.as_bytes(), with_start, Graph::MAX_VERTICES, Graph::MAX_EDGES)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn successor_lists_are_read() {
        let (graph, start) = read("3 3\n2 2 3\n0\n1 1\n2\n", true).unwrap();
        assert_eq!((graph.vertices(), start), (3, Some(1)));
        assert_eq!([graph.successors(0), graph.successors(1), graph.successors(2)], [&[1, 2][..], &[], &[0]]);
        assert_eq!(read("0 0", false).unwrap().0.vertices(), 0);
    }

    #[test]
    fn malformed_successor_lists_are_refused_with_line_and_column() {
        for (text, expected) in [
            ("", "line 1, column 1: expected the number of vertices, from 0 to 4294967294, found the end"),
            ("2 1\n1 3\n0", "line 2, column 3: expected a vertex, from 1 to 2, found \"3\""),
            ("2 1\n1 0\n0", "line 2, column 3: expected a vertex, from 1 to 2, found \"0\""),
            (
                "2 1\n2 1 1\n0",
                "line 2, column 1: expected the number of edges of a vertex, from 0 to 1, found \"2\"",
            ),
            ("2 1\n1 x\n0", "line 2, column 3: expected a vertex, from 1 to 2, found \"x\""),
            (
                "2 2\n1 1\n0",
                "line 3, column 1: expected 2 edges in all, as line 1 says, found \"1 in the lists\"",
            ),
            ("1 0\n0\n7", "line 3, column 1: expected the end of the graph, found \"7\""),
            (
                "2 1\n1 2",
                "line 3, column 1: expected the number of edges of a vertex, from 0 to 0, found the end",
            ),
        ] {
            assert_eq!(read(text, false).unwrap_err(), expected, "{text:?}");
        }
        assert_eq!(
            read("1 0\n0\n", true).unwrap_err(),
            "line 3, column 1: expected the vertex to start from, from 1 to 1, found the end"
        );
    }
}
