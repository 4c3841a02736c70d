//! Reasons to doubt that a text was meant as it was read.

use super::{Graph, Vertex};

/// A reason to doubt that a list of edges was meant as it was read: it has one meaning here, and another
/// program would have written it for another graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Doubt {
    /// The list names every vertex but the first.
    #[error("no line names vertex 0, which has no edge: are the vertices numbered from 1?")]
    FromOne,
    /// The list passes over vertices, and does not announce how many there are.
    #[error("{count} of {vertices} vertices stand in no line and have no edge; the first is {first}")]
    Gap {
        /// The number of vertices that no line names.
        count: u32,
        /// The number of all vertices.
        vertices: u32,
        /// The first vertex that no line names.
        first: Vertex,
    },
    /// The number of vertices at the beginning is that of the edges, which do not name so many vertices.
    #[error(
        "line {line} says {vertices}, the number of vertices: that is also how many edges there are, and they \
         name no vertex beyond {last}", last = named.saturating_sub(1)
    )]
    Count {
        /// The line of the number.
        line: u64,
        /// The number.
        vertices: u32,
        /// One more than the greatest vertex that an edge names.
        named: u32,
    },
    /// The first edge lies apart from all others.
    #[error("line {line}: no other line names a vertex of {found:?}: is it a heading?")]
    FirstLine {
        /// The line.
        line: u64,
        /// The two vertices.
        found: String,
    },
    /// A list of names without an edge.
    #[error("no line has two names, so there is no edge")]
    NoEdge,
    /// Attributes of edges, in braces.
    #[error("{lines} lines have attributes behind their edge, which are left out")]
    Attributes {
        /// The number of lines.
        lines: u64,
    },
    /// The number of edges is not the one that the text announces.
    #[error("line {line} announces {announced} edges, and there are {found}")]
    Edges {
        /// The line of the number.
        line: u64,
        /// The number that the line says.
        announced: u64,
        /// The number of edges.
        found: u64,
    },
}

/// Returns the doubt about vertices from and to which no edge leads, if there are any.
pub(super) fn unnamed(graph: &Graph) -> Option<Doubt> {
    let leads_nowhere = |vertex: Vertex| graph.successors(vertex).is_empty();
    if !(0..graph.vertices()).any(leads_nowhere) {
        return None;
    }
    let mut is_target = vec![false; graph.vertices() as usize];
    for &to in graph.targets() {
        is_target[to as usize] = true;
    }
    let mut unnamed =
        (0..graph.vertices()).filter(|&vertex| leads_nowhere(vertex) && !is_target[vertex as usize]);
    let first = unnamed.next()?;
    match 1 + unnamed.count() as u32 {
        1 if first == 0 => Some(Doubt::FromOne),
        count => Some(Doubt::Gap { count, vertices: graph.vertices(), first }),
    }
}
