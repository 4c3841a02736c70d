//! Why a text is no graph.

use super::GraphError;

/// Why a text is no graph.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The input cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// Something else stands where it should not.
    #[error("line {line}, column {column}: expected {expected}, found {found}")]
    Text {
        /// Number of the line, from 1.
        line: u64,
        /// Number of the byte in the line, from 1.
        column: usize,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// The graph cannot be.
    #[error("line {line}: {source}")]
    Graph {
        /// Number of the line, from 1.
        line: u64,
        /// What is wrong with it.
        source: GraphError,
    },
}

/// How much of a wrong word is shown.
const SHOWN: usize = 40;

impl ReadError {
    /// The same error in a text before whose first line there are `lines` more.
    #[must_use]
    pub fn after(mut self, lines: u64) -> ReadError {
        match &mut self {
            ReadError::Io(_) => {}
            ReadError::Text { line, .. } | ReadError::Graph { line, .. } => *line += lines,
        }
        self
    }

    pub(super) fn text(line: u64, column: usize, expected: impl Into<String>, found: &[u8]) -> ReadError {
        let shown = String::from_utf8_lossy(&found[..found.len().min(SHOWN)]);
        let found = if found.is_empty() { "the end".to_owned() } else { format!("{shown:?}") };
        ReadError::Text { line, column, expected: expected.into(), found }
    }
}
