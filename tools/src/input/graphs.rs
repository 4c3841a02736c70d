//! Graphs from files.

use crate::{
    failure::Failure,
    input::{arguments::whole_number, boards, limits::Memory, text},
    output::human,
};
use clap::{Args, ValueEnum};
use dragnet_formats::{
    board::Board,
    graph::{
        Graph, GraphError, ReadError, Vertex,
        edges::{EdgeList, GraphWithNames},
        lists,
        names::{VertexNameError, VertexNames},
        sixes,
    },
    header::GameHeader,
    plain_text::PlainText,
    rules::Stuck,
};
use dragnet_generator::{
    Game, GraphGame, LabelError, VertexStart, game_table::key, graph_memory_needed, most_graph_vertices,
    read_edges, read_labels,
};
use serde::Deserialize;
use std::{
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

/// How a graph is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Form {
    /// A line "u v" for each edge from u to v, vertices from 0; before them perhaps a line with the number of
    /// vertices
    #[default]
    Edges,
    /// The contest form: "n m", then for each vertex how many edges it has and where they lead, vertices from
    /// 1
    Lists,
    /// A line of graph6, sparse6 or digraph6
    Six,
}

/// The graph that a command works on.
#[derive(Args)]
pub(crate) struct GraphArguments {
    /// The graph; '-' is standard input
    #[arg(default_value = "-")]
    graph: PathBuf,
    #[command(flatten)]
    pub(crate) writing: Writing,
}

/// Files of graphs on which pieces move: edges lead both ways unless something else is said.
#[derive(Args, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Streets {
    /// How a graph is written; by default as the ending .g6, .s6 or .d6 says, or as edges
    #[arg(long, value_enum)]
    pub(crate) form: Option<Form>,
    /// A line of an edge list is an edge one way only [default: both ways]
    #[arg(long)]
    pub(crate) directed: bool,
    /// A line of an edge list is an edge both ways, which is the default for graphs on which pieces move
    #[arg(long, conflicts_with = "directed")]
    pub(crate) undirected: bool,
    /// The number of vertices, if an edge list does not begin with it; more than edges name
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u32::MAX))]
    pub(crate) vertices: Option<u32>,
}

impl Streets {
    /// The most vertices of a graph on which pieces move.
    pub(crate) const MOST_VERTICES: u32 = u16::MAX as u32;

    /// Returns how the graph in this file is written.
    pub(crate) fn form(&self, path: &Path) -> Form {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let six = ending.is_some_and(|ending| ["g6", "s6", "d6"].contains(&ending));
        self.form.unwrap_or(if six { Form::Six } else { Form::Edges })
    }

    /// Reads the graph in this file, whose vertices are numbers. Returns its board.
    pub(crate) fn read_graph(&self, path: &Path) -> Result<Board, Failure> {
        match self.read(path, false) {
            Err(Failure::Input(_)) if boards::is_board(path) => {
                Err(Failure::input("expected a graph; this looks like a board").in_file(path))
            }
            read => Ok(read?.0),
        }
    }

    /// Reads the graph in this file. Returns its board and the names of its vertices.
    pub(crate) fn read(&self, path: &Path, names: bool) -> Result<(Board, VertexNames), Failure> {
        let form = self.form(path);
        let undirected = form == Form::Edges && (self.undirected || !self.directed);
        let writing = Writing {
            form,
            names,
            directed: self.directed,
            undirected,
            vertices: self.vertices,
            memory: Memory::default(),
        };
        let (named, _) = writing.read(path, false, Streets::MOST_VERTICES)?;
        let board = Board::of_graph(&named.graph);
        Ok((board.map_err(|error| Failure::Input(error.into()).in_file(path))?, named.names))
    }
}

/// How a graph is written.
#[derive(Args)]
pub(crate) struct Writing {
    /// How the graph is written
    #[arg(long, value_enum, default_value = "edges")]
    pub(crate) form: Form,
    /// Vertices of the edge list are words, not numbers
    #[arg(long)]
    names: bool,
    /// A line of the edge list is an edge one way only, which is the default for games on graphs
    #[arg(long)]
    directed: bool,
    /// A line of the edge list is an edge both ways [default: one way only]
    #[arg(long, conflicts_with = "directed")]
    undirected: bool,
    /// The number of vertices, if the edge list does not begin with it. Without it a vertex far beyond the
    /// number of edges is an error
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u32::MAX))]
    vertices: Option<u32>,
    #[command(flatten)]
    pub(crate) memory: Memory,
}

/// The values of terminal vertices of a graph.
#[derive(Args)]
pub(crate) struct TerminalArguments {
    /// The outcome for a player without a move
    #[arg(long, value_enum, default_value = "loses")]
    stuck: StuckName,
    /// Values from outside: lines "vertex won", "vertex lost" or "vertex drawn", whatever the edges of these
    /// vertices are
    #[arg(long, value_name = "FILE")]
    label: Option<PathBuf>,
}

/// The argument `--stuck`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum StuckName {
    /// A player who cannot move loses: normal play
    #[default]
    Loses,
    /// A player who cannot move wins: misère play
    Wins,
}

/// The graph of a table whose positions are its vertices. The table knows their values, the graph their names
/// and moves.
#[derive(Args)]
pub(crate) struct TableGraph {
    /// The graph that a table of 'graph solve' was made of, for its moves; '-' is standard input
    #[arg(long, value_name = "FILE")]
    graph: Option<PathBuf>,
    #[command(flatten)]
    writing: Writing,
    #[command(flatten)]
    ends: TerminalArguments,
}

/// A game on a graph, with the names of its vertices.
pub(crate) struct NamedGame {
    pub(crate) game: GraphGame,
    pub(crate) names: VertexNames,
}

/// A graph, with the names of its vertices.
pub(crate) struct NamedGraph {
    pub(crate) graph: Graph,
    pub(crate) names: VertexNames,
}

impl GraphArguments {
    /// Reads the graph, on the threads of the current pool where its form allows.
    pub(crate) fn read(&self) -> Result<NamedGraph, Failure> {
        self.writing.graph(&self.graph)
    }

    /// Reads the graph and, if it is in the contest form, the start vertex after it.
    pub(crate) fn read_with_start(&self) -> Result<(NamedGraph, Option<Vertex>), Failure> {
        self.writing.read(&self.graph, true, Graph::MAX_VERTICES)
    }
}

impl Writing {
    /// Reads a graph.
    fn graph(&self, path: &Path) -> Result<NamedGraph, Failure> {
        Ok(self.read(path, false, Graph::MAX_VERTICES)?.0)
    }

    /// Reads a graph of at most `most_vertices` vertices that fits into the memory, on the threads of the
    /// current pool where its form allows, and if `start` is set the vertex after it.
    fn read(
        &self,
        path: &Path,
        start: bool,
        most_vertices: u32,
    ) -> Result<(NamedGraph, Option<Vertex>), Failure> {
        let Writing { form, names, directed, undirected, vertices, memory } = *self;
        if form != Form::Edges && (names || directed || undirected || vertices.is_some()) {
            return Err(Failure::input(
                "--names, --directed, --undirected and --vertices are for edge lists",
            ));
        }
        if names && vertices.is_some() {
            return Err(Failure::input("--vertices is for vertices that are numbers, not --names"));
        }
        let most_vertices = most_vertices.min(most_graph_vertices(memory.limit()));
        if let Some(announced) = vertices.filter(|&announced| announced > most_vertices) {
            return Err(too_many(announced.into(), most_vertices, memory).about("--vertices"));
        }
        let list = EdgeList { names, undirected, vertices, most_vertices };
        let graph = |graph, first| (NamedGraph { graph, names: VertexNames::numbered(first) }, None);
        let read = match form {
            Form::Edges if names => {
                list.read(buffered(path, GRAPH)?).map(|GraphWithNames { graph, names }| {
                    (
                        NamedGraph {
                            graph,
                            names: names.map_or(VertexNames::numbered(0), VertexNames::words),
                        },
                        None,
                    )
                })
            }
            Form::Edges => {
                read_edges(PlainText::new(text::open(path, GRAPH)?), list).map(|read| graph(read, 0))
            }
            Form::Lists => lists::read(buffered(path, GRAPH)?, start)
                .map(|(graph, start)| (NamedGraph { graph, names: VertexNames::numbered(1) }, start)),
            Form::Six => {
                let mut text = Vec::new();
                buffered(path, GRAPH)?
                    .read_to_end(&mut text)
                    .map_err(|error| of_reading(error.into(), path))?;
                sixes::read_one(&text, most_vertices).map(|read| graph(read, 0))
            }
        };
        read.map_err(|error| match error {
            ReadError::Graph { line, source: GraphError::Vertices { found, most } } => {
                too_many(found, most, memory).about(format!("line {line}")).in_file(path)
            }
            error => of_reading(error, path),
        })
    }
}

/// Returns the failure of a graph with `found` vertices where `most` are possible.
fn too_many(found: u64, most: u32, memory: Memory) -> Failure {
    if found > Graph::MAX_VERTICES.into() || most < most_graph_vertices(memory.limit()) {
        return Failure::Input(GraphError::Vertices { found, most }.into());
    }
    let needed = graph_memory_needed(found, 0, 1);
    memory.refused(&format!("a graph of {} vertices", human::count(found)), needed)
}

impl TerminalArguments {
    /// Returns the game on a graph with these terminal values. Works on the threads of the current pool.
    pub(crate) fn game(&self, named: NamedGraph) -> Result<NamedGame, Failure> {
        let NamedGraph { graph, names } = named;
        let labels = match &self.label {
            Some(path) => labels(path, &names, graph.vertices())?,
            None => Vec::new(),
        };
        let stuck = match self.stuck {
            StuckName::Loses => Stuck::Loses,
            StuckName::Wins => Stuck::Wins,
        };
        Ok(NamedGame { game: GraphGame::new(graph, stuck, labels), names })
    }
}

impl TableGraph {
    /// Returns whether nothing was given.
    pub(crate) fn is_empty(&self) -> bool {
        let Writing { form, names, directed, undirected, vertices, memory: _ } = self.writing;
        let plain = form == Form::default() && !names && !directed && !undirected && vertices.is_none();
        self.graph.is_none() && plain && self.ends.stuck == StuckName::default() && self.ends.label.is_none()
    }

    /// Returns how much memory the process may take.
    pub(crate) fn memory(&self) -> Memory {
        self.writing.memory
    }

    /// Reads the game, if one was given. Works on the threads of the current pool.
    pub(crate) fn read(&self) -> Result<Option<NamedGame>, Failure> {
        let Some(path) = &self.graph else {
            if self.is_empty() {
                return Ok(None);
            }
            let about = "--form, --names, --directed, --undirected, --vertices, --stuck and --label are about --graph FILE";
            return Err(Failure::input(about));
        };
        Ok(Some(self.ends.game(self.writing.graph(path)?)?))
    }
}

impl NamedGame {
    /// Checks that a header belongs to a table of this game. Works on the threads of the current pool.
    pub(crate) fn check(&self, header: &GameHeader) -> Result<(), Failure> {
        let differs = |what: String| {
            let must = "--form, --undirected, --stuck and --label must be as they were for 'graph solve'";
            Err(Failure::Check(anyhow::anyhow!("the table is not of this graph: {what}; {must}")))
        };
        let (expected, found) = (self.game.positions(), header.positions());
        if expected != found {
            return differs(format!("expected {expected} vertices, found {found}"));
        }
        let expected = key(&self.game);
        if expected != header.key {
            return differs(format!("expected key {expected:016x}, found {:016x}", header.key));
        }
        Ok(())
    }

    /// Returns the vertex called `name`.
    pub(crate) fn vertex(&self, name: &str) -> Result<Vertex, VertexNameError> {
        self.names.vertex(name, self.game.graph().vertices())
    }
}

/// Returns how the graph in a file is written of which only its ending is known, without any option.
fn plain_writing(path: &Path) -> Writing {
    let streets = Streets { form: None, directed: false, undirected: false, vertices: None };
    let form = streets.form(path);
    Writing {
        form,
        names: false,
        directed: false,
        undirected: false,
        vertices: None,
        memory: Memory::default(),
    }
}

/// Reads the game that `dragnet graph solve` plays on the graph in a file, told only its form.
pub(crate) fn plain_game(path: &Path) -> Result<NamedGame, Failure> {
    let ends = TerminalArguments { stuck: StuckName::Loses, label: None };
    ends.game(plain_writing(path).graph(path)?)
}

/// Checks that a file holds a graph: edges, the contest form, or what its ending says.
pub(crate) fn require_graph(path: &Path) -> Result<(), Failure> {
    let writing = plain_writing(path);
    let read = writing.graph(path);
    if writing.form == Form::Edges && matches!(read, Err(Failure::Input(_))) {
        let lists = Writing { form: Form::Lists, ..writing };
        if lists.graph(path).is_ok() {
            return Ok(());
        }
    }
    read.map(|_| ())
}

/// The word for a graph in messages about a file that is none.
const GRAPH: &str = "a graph";

/// Opens a text with a buffer.
pub(crate) fn buffered(path: &Path, what: &str) -> Result<impl BufRead + use<>, Failure> {
    Ok(BufReader::with_capacity(1 << 18, PlainText::new(text::open(path, what)?)))
}

/// Returns the failure of reading the graph `path`.
pub(crate) fn of_reading(error: ReadError, path: &Path) -> Failure {
    match error {
        ReadError::Io(error) => text::cannot_read(error, path),
        error => Failure::Input(error.into()).in_file(path),
    }
}

/// Reads values of vertices from outside.
fn labels(path: &Path, names: &VertexNames, vertices: u32) -> Result<Vec<(Vertex, VertexStart)>, Failure> {
    read_labels(buffered(path, "values of vertices")?, names, vertices).map_err(|error| match error {
        LabelError::Io(error) => text::cannot_read(error, path),
        error => Failure::Input(error.into()).in_file(path),
    })
}
