//! Graphs from files.

use crate::failure::Failure;
use clap::{Args, ValueEnum};
use dragnet_formats::graph::{
    Graph, ReadError, Vertex,
    edges::{Edges, Named},
    lists, sixes,
};
use dragnet_generator::VertexStart;
use std::{
    collections::HashMap,
    fs::File,
    io::{BufRead, BufReader, stdin},
    path::{Path, PathBuf},
};

/// How a graph is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// A line "u v" for each edge from u to v, vertices from 0; before them perhaps a line with the number of vertices
    #[default]
    Edges,
    /// The contest form: "n m", then for each vertex how many edges it has and where they lead, vertices from 1
    Lists,
    /// A line of graph6, sparse6 or digraph6
    Six,
}

/// The graph that a command is about.
#[derive(Args)]
pub(crate) struct GraphArguments {
    /// The graph; '-' is standard input
    #[arg(default_value = "-")]
    pub(crate) graph: PathBuf,
    /// How it is written
    #[arg(long, value_enum, default_value = "edges")]
    pub(crate) form: Form,
    /// Vertices of the edge list are words, not numbers
    #[arg(long)]
    names: bool,
    /// Each line of the edge list is an edge both ways
    #[arg(long)]
    undirected: bool,
}

/// A graph with what its vertices are called.
pub(crate) struct NamedGraph {
    pub(crate) graph: Graph,
    pub(crate) names: Names,
}

/// What vertices are called: by their names, or by numbers from 0 or from 1.
pub(crate) enum Names {
    From(Vertex),
    Words { list: Vec<String>, numbers: HashMap<String, Vertex> },
}

impl Names {
    fn words(list: Vec<String>) -> Names {
        let numbers = list.iter().cloned().zip(0..).collect();
        Names::Words { list, numbers }
    }

    /// What `vertex` is called.
    pub(crate) fn of(&self, vertex: Vertex) -> String {
        match self {
            Names::From(first) => (u64::from(vertex) + u64::from(*first)).to_string(),
            Names::Words { list, .. } => list[vertex as usize].clone(),
        }
    }

    /// The vertex that is called so, in a graph of `vertices` vertices.
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

impl GraphArguments {
    /// Reads the graph.
    pub(crate) fn read(&self) -> Result<NamedGraph, Failure> {
        Ok(self.read_with(false)?.0)
    }

    /// Reads the graph and, if it is in the contest form, the vertex to start from behind it.
    pub(crate) fn read_with_start(&self) -> Result<(NamedGraph, Option<Vertex>), Failure> {
        self.read_with(true)
    }

    fn read_with(&self, start: bool) -> Result<(NamedGraph, Option<Vertex>), Failure> {
        if self.form != Form::Edges && (self.names || self.undirected) {
            return Err(Failure::input("--names and --undirected are for edge lists"));
        }
        let input = open(&self.graph)?;
        self.parse(input, start).map_err(|error| of_reading(error, &self.graph))
    }

    fn parse(&self, mut input: impl BufRead, start: bool) -> Result<(NamedGraph, Option<Vertex>), ReadError> {
        match self.form {
            Form::Edges => {
                let edges = Edges { names: self.names, undirected: self.undirected };
                let Named { graph, names } = edges.read(input)?;
                Ok((NamedGraph { graph, names: names.map_or(Names::From(0), Names::words) }, None))
            }
            Form::Lists => {
                let (graph, start) = lists::read(input, start)?;
                Ok((NamedGraph { graph, names: Names::From(1) }, start))
            }
            Form::Six => {
                let mut text = Vec::new();
                input.read_to_end(&mut text)?;
                Ok((NamedGraph { graph: sixes::read_one(&text)?, names: Names::From(0) }, None))
            }
        }
    }
}

/// A file to be read, or standard input.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(stdin().lock()));
    }
    let cannot = |error| Failure::from(error).about(format!("cannot read {}", path.display()));
    let file = File::open(path).map_err(cannot)?;
    if file.metadata().map_err(cannot)?.is_dir() {
        return Err(Failure::input("expected a file, found a folder").in_file(path));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 18, file)))
}

/// Why a graph could not be read.
pub(crate) fn of_reading(error: ReadError, path: &Path) -> Failure {
    match error {
        ReadError::Io(error) => Failure::from(error).about(format!("cannot read {}", path.display())),
        error => Failure::Input(error.into()).in_file(path),
    }
}

/// Values from outside: lines "vertex won", "vertex lost" or "vertex drawn".
pub(crate) fn labels(
    path: &Path,
    names: &Names,
    vertices: u32,
) -> Result<Vec<(Vertex, VertexStart)>, Failure> {
    let mut labels = Vec::new();
    for (number, line) in (1u64..).zip(open(path)?.lines()) {
        let line = line.map_err(|error| {
            let text = error.kind() == std::io::ErrorKind::InvalidData;
            let failure = if text { Failure::input("expected text in UTF-8") } else { Failure::from(error) };
            failure.in_file(path)
        })?;
        let wrong = |message: String| Failure::input(format!("line {number}: {message}")).in_file(path);
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let (name, label) = match words[..] {
            [] => continue,
            [first, ..] if first.starts_with(['#', '%']) => continue,
            [name, label] => (name, label),
            _ => return Err(wrong(format!("expected a vertex and won, lost or drawn, found {line:?}"))),
        };
        let start = match label {
            "won" => VertexStart::Won,
            "lost" => VertexStart::Lost,
            "drawn" => VertexStart::Drawn,
            _ => return Err(wrong(format!("expected won, lost or drawn, found {label:?}"))),
        };
        labels.push((names.vertex(name, vertices).map_err(wrong)?, start));
    }
    Ok(labels)
}
