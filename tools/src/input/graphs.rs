//! Graphs from files.

use crate::{
    failure::Failure,
    input::{arguments::whole_number, boards, limits::Memory, text},
    messages::{Kind, say_once},
    output::human,
};
use clap::{Args, ValueEnum};
use dragnet_formats::{
    board::Board,
    graph::{
        Doubt, Graph, GraphError, ReadError, Vertex,
        edges::{EdgeList, GraphWithNames},
        lists,
        names::{VertexNameError, VertexNames},
        nauty,
    },
    header::GameHeader,
    rules::Stuck,
};
use dragnet_generator::{
    GraphGame, LabelError, VertexStart, graph_memory_needed, most_graph_edges, most_graph_vertices,
    read_edges, read_labels,
};
use dragnet_verify::{VerifyError, check_game};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// How a graph is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Form {
    /// A line "u v" for each edge from u to v, vertices from 0; before them perhaps a line with the number of
    /// vertices. A text that begins with the lines "c" or "p" of DIMACS is read as such
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

/// The most names that a message lists.
const LISTED: usize = 20;

/// Files of graphs on which pieces move: edges lead both ways unless something else is said.
#[derive(Args, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Streets {
    /// How a graph is written; by default as the ending .g6, .s6 or .d6 says, or as edges
    #[arg(long, value_enum)]
    pub(crate) form: Option<Form>,
    /// Vertices of an edge list are words, not numbers
    #[arg(long)]
    pub(crate) names: bool,
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

    /// Returns whether nothing was given.
    pub(crate) fn is_empty(&self) -> bool {
        let Streets { form, names, directed, undirected, vertices } = *self;
        form.is_none() && !names && !directed && !undirected && vertices.is_none()
    }

    /// Returns how the graph in this file is written.
    pub(crate) fn form(&self, path: &Path) -> Form {
        self.form.unwrap_or_else(|| form_of(path))
    }

    /// Reads the graph in this file as [`Streets::read`] does, and says which numbers vertices with names
    /// have in a table, which knows no names.
    pub(crate) fn read_board(&self, path: &Path) -> Result<Board, Failure> {
        let (board, names) = self.read(path)?;
        let Some(names) = names.list() else { return Ok(board) };
        let listed = names.iter().take(LISTED).enumerate().map(|(number, name)| format!("{number} {name}"));
        let listed = listed.collect::<Vec<_>>().join(", ");
        let more = match names.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => {
                format!(", and {} more in the order in which they occur first", human::count(more as u64))
            }
        };
        let said = format!("{}: the vertices are numbers in the table: {listed}{more}", path.display());
        say_once(Kind::Note, &said);
        Ok(board)
    }

    /// Reads the graph in this file, says what is doubtful, and returns its board and the names of its
    /// vertices.
    pub(crate) fn read(&self, path: &Path) -> Result<(Board, VertexNames), Failure> {
        let Streets { form, names, directed, undirected, vertices } = *self;
        let writing = Writing { form, names, directed, undirected, vertices, memory: Memory::default() };
        let (named, _) = writing.read(path, false, Streets::MOST_VERTICES, !directed)?;
        named.say_doubts(path);
        let board = Board::of_graph(&named.graph);
        Ok((board.map_err(|error| Failure::Input(error.into()).in_file(path))?, named.names))
    }
}

/// Returns how a graph is written in a file with this ending.
fn form_of(path: &Path) -> Form {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let six = ending.is_some_and(|ending| ["g6", "s6", "d6"].contains(&ending));
    if six { Form::Six } else { Form::Edges }
}

/// How a graph is written.
#[derive(Args)]
pub(crate) struct Writing {
    /// How the graph is written; by default as the ending .g6, .s6 or .d6 says, or as edges
    #[arg(long, value_enum)]
    pub(crate) form: Option<Form>,
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
    doubts: Vec<Doubt>,
}

impl NamedGraph {
    /// Says why the graph may not be the one that was meant.
    fn say_doubts(&self, path: &Path) {
        for doubt in &self.doubts {
            say_once(Kind::Warning, &Failure::input(doubt).in_file(path).text());
            let hint = match doubt {
                Doubt::FromOne | Doubt::Gap { .. } => {
                    "--names reads the numbers as names, and adds none that stands in no line"
                }
                Doubt::Count { .. } => "leave the line out if it is the number of edges",
                Doubt::FirstLine { .. } => "leave the line out if it is no edge",
                _ => continue,
            };
            say_once(Kind::Hint, hint);
        }
    }
}

impl GraphArguments {
    /// Reads the graph, on the threads of the current pool where its form allows.
    pub(crate) fn read(&self) -> Result<NamedGraph, Failure> {
        Ok(self.read_with_start(false)?.0)
    }

    /// Returns whether the graph is in the contest form, in which a start vertex may stand after it.
    pub(crate) fn may_have_start(&self) -> bool {
        self.writing.form == Some(Form::Lists)
    }

    /// Reads the graph and, if `start` is set, the vertex after it.
    pub(crate) fn read_with_start(&self, start: bool) -> Result<(NamedGraph, Option<Vertex>), Failure> {
        let read = self.writing.read(&self.graph, start, Graph::MAX_VERTICES, self.writing.undirected)?;
        read.0.say_doubts(&self.graph);
        Ok(read)
    }
}

/// The forms of graphs, for a message about a text in another form.
const FORMS: &str = "a graph is a list of lines 'u v', vertices from 0, or any words with --names; or DIMACS \
                     ('p edge', 'p col', 'p sp'); --form lists reads the contest form, --form six graph6, \
                     sparse6 and digraph6";

impl Writing {
    /// Reads a graph of a game whose positions are its vertices.
    fn graph(&self, path: &Path) -> Result<NamedGraph, Failure> {
        Ok(self.read(path, false, Graph::MAX_VERTICES, self.undirected)?.0)
    }

    /// Reads a graph of at most `most_vertices` vertices that fits into the memory, on the threads of the
    /// current pool where its form allows, and if `start` is set the vertex after it. A line of an edge list
    /// is an edge both ways if `undirected` is set.
    fn read(
        &self,
        path: &Path,
        start: bool,
        most_vertices: u32,
        undirected: bool,
    ) -> Result<(NamedGraph, Option<Vertex>), Failure> {
        let Writing { form, names, directed, undirected: both_ways, vertices, memory } = *self;
        let form = form.unwrap_or_else(|| form_of(path));
        if form != Form::Edges && (names || directed || both_ways || vertices.is_some()) {
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
        let most_edges = most_graph_edges(memory.limit());
        let numbered =
            |graph, first| NamedGraph { graph, names: VertexNames::numbered(first), doubts: Vec::new() };
        let read = match form {
            Form::Edges => {
                let list = EdgeList { names, undirected, vertices, most_vertices, most_edges };
                read_edges(text::open(path, GRAPH)?, list).map(|read| {
                    let GraphWithNames { graph, names, doubts } = read;
                    (NamedGraph { graph, names, doubts }, None)
                })
            }
            Form::Lists => lists::read(text::open(path, GRAPH)?, start, most_vertices, most_edges)
                .map(|(graph, start)| (numbered(graph, 1), start)),
            Form::Six => nauty::read_one(text::read(path, GRAPH)?.as_bytes(), most_vertices)
                .map(|graph| (numbered(graph, 0), None)),
        };
        let read = read.map_err(|error| match error {
            ReadError::Graph { line, source: GraphError::Vertices { found, most } } => {
                too_many(found, most, memory).about(format!("line {line}")).in_file(path)
            }
            ReadError::Graph { line, source: GraphError::Edges { most } } if most < Graph::MAX_EDGES => {
                let what = format!("a graph of more than {} edges", human::count(most.into()));
                let needed = graph_memory_needed(0, u64::from(most) + 1, 1);
                memory.refused(&what, needed).about(format!("line {line}")).in_file(path)
            }
            ReadError::Size { vertices, edges, .. } => {
                let advice = match names {
                    true => {
                        "leave the line out if it is so; if it is an edge, move it to another line".to_owned()
                    }
                    false => format!(
                        "--vertices {vertices} reads it so, --vertices {} as an edge",
                        vertices.max(edges) + 1
                    ),
                };
                of_reading(error, path).with_hint(advice)
            }
            ReadError::Text { .. } if boards::is_board(path) => {
                Failure::input("expected a graph; this looks like a board")
                    .in_file(path)
                    .with_hint("'dragnet generate' and 'dragnet cops --board' take boards")
            }
            ReadError::Text { .. } => of_reading(error, path).with_hint(FORMS),
            error => of_reading(error, path),
        })?;
        // A list whose vertices are numbered from 1 was in DIMACS, whose lines say which way they lead.
        if form == Form::Edges
            && read.0.names.first() == Some(1)
            && (directed || both_ways || vertices.is_some())
        {
            return Err(Failure::input(
                "--directed, --undirected and --vertices are for lists 'u v', and this is one of DIMACS",
            )
            .in_file(path));
        }
        Ok(read)
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
        let NamedGraph { graph, names, doubts: _ } = named;
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
        let plain = form.is_none() && !names && !directed && !undirected && vertices.is_none();
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
        let named = self.writing.graph(path)?;
        named.say_doubts(path);
        Ok(Some(self.ends.game(named)?))
    }
}

impl NamedGame {
    /// Checks that a header belongs to a table of this game. Works on the threads of the current pool.
    pub(crate) fn check(&self, header: &GameHeader) -> Result<(), Failure> {
        check_game(header, &self.game).map_err(|error| self.failure(error))
    }

    /// Returns the failure of a table that is not of this game, or does not pass.
    pub(crate) fn failure(&self, error: VerifyError) -> Failure {
        match error {
            VerifyError::OtherGame(difference) => Failure::Check(anyhow::anyhow!(
                "the table is not of this graph: {difference}; --form, --undirected, --stuck and --label must be as \
                 they were for 'graph solve'"
            )),
            error => error.into(),
        }
    }

    /// Returns the vertex called `name`.
    pub(crate) fn vertex(&self, name: &str) -> Result<Vertex, VertexNameError> {
        self.names.vertex(name, self.game.graph().vertices())
    }
}

/// Returns how a graph is written of which nothing is said.
fn plain_writing(form: Option<Form>) -> Writing {
    let memory = Memory::default();
    Writing { form, names: false, directed: false, undirected: false, vertices: None, memory }
}

/// Reads the game that `dragnet graph solve` plays on the graph in a file, told only its form.
pub(crate) fn plain_game(path: &Path) -> Result<NamedGame, Failure> {
    let ends = TerminalArguments { stuck: StuckName::Loses, label: None };
    ends.game(plain_writing(None).graph(path)?)
}

/// Checks that a file holds a graph: edges, the contest form, or what its ending says.
pub(crate) fn require_graph(path: &Path) -> Result<(), Failure> {
    let read = plain_writing(None).graph(path);
    let may_be_lists = form_of(path) == Form::Edges && matches!(read, Err(Failure::Input(_)));
    if may_be_lists && plain_writing(Some(Form::Lists)).graph(path).is_ok() {
        return Ok(());
    }
    read.map(|_| ())
}

/// The word for a graph in messages about a file that is none.
pub(crate) const GRAPH: &str = "a graph";

/// Returns the failure of reading the graph `path`.
pub(crate) fn of_reading(error: ReadError, path: &Path) -> Failure {
    match error {
        ReadError::Io(error) => text::cannot_read(error, path),
        error => Failure::Input(error.into()).in_file(path),
    }
}

/// Reads values of vertices from outside.
fn labels(path: &Path, names: &VertexNames, vertices: u32) -> Result<Vec<(Vertex, VertexStart)>, Failure> {
    read_labels(text::open(path, "values of vertices")?, names, vertices).map_err(|error| match error {
        LabelError::Io(error) => text::cannot_read(error, path),
        error => Failure::Input(error.into()).in_file(path),
    })
}
