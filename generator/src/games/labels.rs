//! Values of vertices from outside, as text.

use crate::VertexStart;
use dragnet_formats::{
    graph::{
        Vertex,
        names::{VertexNameError, VertexNames},
    },
    plain_text::{NotText, PlainText},
};
use std::{
    collections::HashMap,
    io::{self, BufRead, BufReader, Read},
};

/// The reason why values of vertices cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabelError {
    /// The input cannot be read.
    #[error(transparent)]
    Io(io::Error),
    /// The input is no text.
    #[error("expected text in UTF-8")]
    Text,
    /// A line is wrong.
    #[error("line {line}: {source}")]
    Line {
        /// The number of the line, from 1.
        line: u64,
        /// The fault of the line.
        source: LabelLineError,
    },
}

/// The reason why a line gives no vertex its value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabelLineError {
    /// The line has not two words.
    #[error("expected a vertex and won, lost or drawn, found {found:?}")]
    Words {
        /// The line.
        found: String,
    },
    /// The second word is no value.
    #[error("expected won, lost or drawn, found {found:?}")]
    Value {
        /// The word.
        found: String,
    },
    /// The first word is no vertex.
    #[error(transparent)]
    Vertex(#[from] VertexNameError),
    /// An earlier line is about the same vertex.
    #[error("vertex {name} has a value already, from line {before}")]
    Again {
        /// The vertex.
        name: String,
        /// The number of the earlier line, from 1.
        before: u64,
    },
}

/// Reads values of vertices: lines "vertex won", "vertex lost" or "vertex drawn" about the vertices of a
/// graph with `vertices` vertices. Empty lines and lines that begin with `#` or `%` are skipped.
///
/// # Errors
/// When the input cannot be read, a line says something else, or a vertex has two lines.
///
/// ```
/// use dragnet_formats::graph::names::VertexNames;
/// use dragnet_generator::{VertexStart, read_labels};
///
/// let labels = read_labels("# from a book\n2 lost\n".as_bytes(), &VertexNames::numbered(1), 3)?;
/// assert_eq!(labels, [(1, VertexStart::Lost)]);
/// # Ok::<(), dragnet_generator::LabelError>(())
/// ```
pub fn read_labels(
    input: impl Read,
    names: &VertexNames,
    vertices: u32,
) -> Result<Vec<(Vertex, VertexStart)>, LabelError> {
    let mut labels = Vec::new();
    // The line that gives each vertex its value.
    let mut line_of = HashMap::new();
    for (number, line) in (1..).zip(BufReader::new(PlainText::new(input)).lines()) {
        let line = line.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData if NotText::in_error(&error).is_none() => LabelError::Text,
            _ => LabelError::Io(error),
        })?;
        let read = read_line(&line, names, vertices, |vertex| line_of.insert(vertex, number));
        labels.extend(read.map_err(|source| LabelError::Line { line: number, source })?);
    }
    Ok(labels)
}

/// Reads one line; returns `None` if it is skipped. `remember` returns the line that the vertex had before.
fn read_line(
    line: &str,
    names: &VertexNames,
    vertices: u32,
    remember: impl FnOnce(Vertex) -> Option<u64>,
) -> Result<Option<(Vertex, VertexStart)>, LabelLineError> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let (name, label) = match words[..] {
        [] => return Ok(None),
        [first, ..] if first.starts_with(['#', '%']) => return Ok(None),
        [name, label] => (name, label),
        _ => return Err(LabelLineError::Words { found: line.to_owned() }),
    };
    let start = match label {
        "won" => VertexStart::Won,
        "lost" => VertexStart::Lost,
        "drawn" => VertexStart::Drawn,
        _ => return Err(LabelLineError::Value { found: label.to_owned() }),
    };
    let vertex = names.vertex(name, vertices)?;
    match remember(vertex) {
        Some(before) => Err(LabelLineError::Again { name: name.to_owned(), before }),
        None => Ok(Some((vertex, start))),
    }
}
