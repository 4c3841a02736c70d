//! Names of the vertices of a graph.

use super::Vertex;
use std::collections::HashMap;

/// Names of vertices: words, or numbers from 0 or from 1.
///
/// ```
/// use dragnet_formats::graph::names::VertexNames;
///
/// let names = VertexNames::words(vec!["start".to_owned(), "end".to_owned()]);
/// assert_eq!((names.of(1), names.vertex("end", 2)?), ("end".to_owned(), 1));
/// assert_eq!(VertexNames::numbered(1).vertex("2", 2)?, 1);
/// # Ok::<(), dragnet_formats::graph::names::VertexNameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VertexNames(Form);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    From(Vertex),
    Words { list: Vec<String>, numbers: HashMap<String, Vertex> },
}

/// The reason why a name is that of no vertex.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VertexNameError {
    /// No vertex has any name.
    #[error("the graph has no vertex; found {found:?}")]
    Empty {
        /// The name that was given.
        found: String,
    },
    /// Vertices are numbers, and this is none of them.
    #[error("expected a vertex from {first} to {last}, found {found:?}")]
    Number {
        /// The name of the first vertex.
        first: u64,
        /// The name of the last vertex.
        last: u64,
        /// The name that was given.
        found: String,
    },
    /// Vertices are words, and this is none of them.
    #[error("expected a vertex of the graph, found {found:?}")]
    Word {
        /// The name that was given.
        found: String,
    },
}

impl VertexNames {
    /// Returns names that are numbers, of which the first vertex has `first`.
    #[must_use]
    pub fn numbered(first: Vertex) -> VertexNames {
        VertexNames(Form::From(first))
    }

    /// Returns names that are words, those of all vertices in their order.
    #[must_use]
    pub fn words(list: Vec<String>) -> VertexNames {
        let numbers = list.iter().cloned().zip(0..).collect();
        VertexNames(Form::Words { list, numbers })
    }

    /// Returns the words, unless names are numbers.
    #[must_use]
    pub fn list(&self) -> Option<&[String]> {
        match &self.0 {
            Form::From(_) => None,
            Form::Words { list, .. } => Some(list),
        }
    }

    /// Returns the number that the first vertex has as its name, unless names are words.
    #[must_use]
    pub fn first(&self) -> Option<Vertex> {
        match self.0 {
            Form::From(first) => Some(first),
            Form::Words { .. } => None,
        }
    }

    /// Returns the name of `vertex`.
    ///
    /// # Panics
    /// If names are words, and the vertex has none.
    #[must_use]
    pub fn of(&self, vertex: Vertex) -> String {
        match &self.0 {
            Form::From(first) => (u64::from(vertex) + u64::from(*first)).to_string(),
            Form::Words { list, .. } => list[vertex as usize].clone(),
        }
    }

    /// Returns the vertex called `name` in a graph of `vertices` vertices.
    ///
    /// # Errors
    /// When no vertex has the name.
    pub fn vertex(&self, name: &str, vertices: u32) -> Result<Vertex, VertexNameError> {
        let found = match &self.0 {
            Form::From(first) => name.parse::<u64>().ok().and_then(|number| {
                let number = number.checked_sub(u64::from(*first))?;
                Vertex::try_from(number).ok().filter(|&vertex| vertex < vertices)
            }),
            Form::Words { numbers, .. } => numbers.get(name).copied(),
        };
        found.ok_or_else(|| {
            let found = name.to_owned();
            match self.0 {
                Form::From(_) if vertices == 0 => VertexNameError::Empty { found },
                Form::From(first) => {
                    let first = u64::from(first);
                    VertexNameError::Number { first, last: u64::from(vertices) - 1 + first, found }
                }
                Form::Words { .. } => VertexNameError::Word { found },
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_to_the_vertex_that_has_it() {
        let words = || VertexNames::words(["b", "a", "c"].map(str::to_owned).to_vec());
        for names in [VertexNames::numbered(0), VertexNames::numbered(1), words()] {
            for vertex in 0..3 {
                assert_eq!(names.vertex(&names.of(vertex), 3), Ok(vertex));
            }
        }
    }

    #[test]
    fn a_name_of_no_vertex_is_refused_with_what_was_expected() {
        let text = |names: VertexNames, name, vertices| names.vertex(name, vertices).unwrap_err().to_string();
        assert_eq!(text(VertexNames::numbered(1), "0", 3), "expected a vertex from 1 to 3, found \"0\"");
        assert_eq!(text(VertexNames::numbered(0), "3", 3), "expected a vertex from 0 to 2, found \"3\"");
        assert_eq!(text(VertexNames::numbered(0), "0", 0), "the graph has no vertex; found \"0\"");
        let words = VertexNames::words(vec!["a".to_owned()]);
        assert_eq!(text(words, "b", 1), "expected a vertex of the graph, found \"b\"");
    }
}
