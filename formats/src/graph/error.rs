//! The reasons why a text is not a graph.

use super::GraphError;

/// The reason why a text is not a graph.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The input cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The text is wrong at some place.
    #[error("line {line}, column {column}: expected {expected}, found {found}")]
    Text {
        /// The number of the line, from 1.
        line: u64,
        /// The number of the byte in the line, from 1.
        column: usize,
        /// Text that would be correct at this place.
        expected: String,
        /// Text that stands at this place.
        found: String,
    },
    /// The first line of a list may be an edge or the numbers of vertices and edges of the other lines.
    #[error(
        "line {line}: expected an edge, or the number of vertices alone, found \"{vertices} {edges}\", which \
         may be the numbers of vertices and edges"
    )]
    Size {
        /// The number of the line, from 1.
        line: u64,
        /// The first number of the line.
        vertices: u64,
        /// The second number of the line.
        edges: u64,
    },
    /// The text is right, but there is no such graph.
    #[error("line {line}: {source}")]
    Graph {
        /// The number of the line, from 1.
        line: u64,
        /// The reason.
        source: GraphError,
    },
}

/// The most bytes of a wrong word that a message shows.
const SHOWN: usize = 40;

impl ReadError {
    /// Returns the error as it is in a text that has `lines` more lines before the first.
    #[must_use]
    pub fn after(mut self, lines: u64) -> ReadError {
        match &mut self {
            ReadError::Io(_) => {}
            ReadError::Text { line, .. } | ReadError::Size { line, .. } | ReadError::Graph { line, .. } => {
                *line += lines;
            }
        }
        self
    }

    pub(super) fn text(line: u64, column: usize, expected: impl Into<String>, found: &[u8]) -> ReadError {
        let shown = String::from_utf8_lossy(&found[..found.len().min(SHOWN)]);
        let found = if found.is_empty() { "the end".to_owned() } else { format!("{shown:?}") };
        ReadError::Text { line, column, expected: expected.into(), found }
    }
}
