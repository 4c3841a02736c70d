//! Names of vertices.

use dragnet_formats::graph::Vertex;
use std::collections::HashMap;

/// Names of vertices: words, or numbers from 0 or from 1.
pub(crate) enum Names {
    From(Vertex),
    Words { list: Vec<String>, numbers: HashMap<String, Vertex> },
}

impl Names {
    /// Returns the names that an edge list of words has.
    pub(crate) fn words(list: Vec<String>) -> Names {
        let numbers = list.iter().cloned().zip(0..).collect();
        Names::Words { list, numbers }
    }

    /// Returns all names, unless they are numbers.
    pub(crate) fn list(&self) -> Option<&[String]> {
        match self {
            Names::From(_) => None,
            Names::Words { list, .. } => Some(list),
        }
    }

    /// Returns the number that the first vertex has as its name; 0 if names are words.
    pub(crate) fn first(&self) -> Vertex {
        match self {
            Names::From(first) => *first,
            Names::Words { .. } => 0,
        }
    }

    /// Returns the name of `vertex`.
    pub(crate) fn of(&self, vertex: Vertex) -> String {
        match self {
            Names::From(first) => (u64::from(vertex) + u64::from(*first)).to_string(),
            Names::Words { list, .. } => list[vertex as usize].clone(),
        }
    }

    /// Returns the vertex called `name` in a graph of `vertices` vertices.
    pub(crate) fn vertex(&self, name: &str, vertices: u32) -> Result<Vertex, String> {
        let found = match self {
            Names::From(first) => name.parse::<u64>().ok().and_then(|number| {
                let number = number.checked_sub(u64::from(*first))?;
                Vertex::try_from(number).ok().filter(|&vertex| vertex < vertices)
            }),
            Names::Words { numbers, .. } => numbers.get(name).copied(),
        };
        found.ok_or_else(|| match self {
            Names::From(_) if vertices == 0 => format!("the graph has no vertex; found {name:?}"),
            Names::From(first) => {
                let last = u64::from(vertices) - 1 + u64::from(*first);
                format!("expected a vertex from {first} to {last}, found {name:?}")
            }
            Names::Words { .. } => format!("expected a vertex of the graph, found {name:?}"),
        })
    }
}
