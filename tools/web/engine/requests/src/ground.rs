//! Boards and graphs from the texts of requests.

use crate::{failure::Failure, limit::Limit};
use dragnet_formats::{
    board::{Board, Scenario},
    cell::Cell,
    graph::{
        Graph, Vertex,
        edges::{EdgeList, GraphWithNames},
        lists,
        names::VertexNames,
        nauty,
    },
};
use dragnet_generator::{most_graph_edges, most_graph_vertices, read_edges};
use serde::Deserialize;

/// The most vertices of a graph on which pieces move.
const MOST_VERTICES: u32 = u16::MAX as u32;

/// How a graph is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Form {
    /// A line "u v" for each edge.
    #[default]
    Edges,
    /// The contest form.
    Lists,
    /// A line of graph6, sparse6 or digraph6.
    Six,
}

/// The text of a graph, and how it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GraphText {
    text: String,
    #[serde(default)]
    form: Form,
    /// Whether vertices are words.
    #[serde(default)]
    names: bool,
    /// Whether a line of an edge list is an edge one way or both ways; what is usual depends on the game.
    directed: Option<bool>,
    /// The number of vertices, if an edge list does not begin with it.
    vertices: Option<u32>,
}

/// A graph, with the names of its vertices.
pub(crate) struct NamedGraph {
    pub(crate) graph: Graph,
    pub(crate) names: VertexNames,
}

impl GraphText {
    /// Reads the graph of a game whose positions are its vertices: an edge leads one way unless the request
    /// says otherwise.
    pub(crate) fn read_game(&self, limit: Limit) -> Result<NamedGraph, Failure> {
        self.read(!self.directed.unwrap_or(true), Graph::MAX_VERTICES, limit)
    }

    /// Reads the graph of a game whose pieces step along its edges: an edge leads both ways unless the
    /// request says otherwise.
    fn read_streets(&self, limit: Limit) -> Result<NamedGraph, Failure> {
        self.read(!self.directed.unwrap_or(false), MOST_VERTICES, limit)
    }

    fn read(&self, undirected: bool, most_vertices: u32, limit: Limit) -> Result<NamedGraph, Failure> {
        let GraphText { ref text, form, names, directed, vertices } = *self;
        if form != Form::Edges && (names || directed.is_some() || vertices.is_some()) {
            return Err(Failure::input("names, directed and vertices are for edge lists"));
        }
        if names && vertices.is_some() {
            return Err(Failure::input("vertices is for vertices that are numbers, not names"));
        }
        let most_vertices = most_vertices.min(most_graph_vertices(limit.bytes()));
        if let Some(found) = vertices.filter(|&vertices| vertices > most_vertices) {
            return Err(Failure::input(format!("expected at most {most_vertices} vertices, found {found}")));
        }
        let most_edges = most_graph_edges(limit.bytes());
        let numbered = |graph, first: Vertex| NamedGraph { graph, names: VertexNames::numbered(first) };
        Ok(match form {
            Form::Edges => {
                let list = EdgeList { names, undirected, vertices, most_vertices, most_edges };
                let GraphWithNames { graph, names, .. } = read_edges(text.as_bytes(), list)?;
                NamedGraph { graph, names }
            }
            Form::Lists => numbered(lists::read(text.as_bytes(), false, most_vertices, most_edges)?.0, 1),
            Form::Six => numbered(nauty::read_one(text.as_bytes(), most_vertices)?, 0),
        })
    }
}

/// An exit in a request: a cell of a board of squares, or a vertex.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum Exit {
    At(u16, u16),
    Vertex(u16),
}

/// The ground of a game, in a request: a board of squares in any of its forms, or a graph.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GroundText {
    board: Option<String>,
    graph: Option<GraphText>,
    /// The exits, in place of those that the board has.
    exits: Option<Vec<Exit>>,
}

/// The ground of a game, with the cells that a board marks.
pub(crate) struct Ground {
    pub(crate) scenario: Scenario,
    /// VertexNames of a graph's vertices.
    pub(crate) names: VertexNames,
}

impl GroundText {
    /// Reads the board or the graph.
    pub(crate) fn read(&self, limit: Limit) -> Result<Ground, Failure> {
        let (mut scenario, names) = match (&self.board, &self.graph) {
            (Some(text), None) => (Scenario::parse(text.as_bytes())?, VertexNames::numbered(0)),
            (None, Some(text)) => {
                let NamedGraph { graph, names } = text.read_streets(limit)?;
                (Scenario::from_board(Board::of_graph(&graph)?), names)
            }
            _ => return Err(Failure::input("expected either a board or a graph in a request")),
        };
        if let Some(exits) = &self.exits {
            let of_graph = scenario.board.graph().is_some();
            let cells = exits.iter().map(|&exit| match exit {
                Exit::At(row, col) => Ok(Cell::new(row, col)),
                Exit::Vertex(vertex) if of_graph => Ok(Cell::new(0, vertex)),
                Exit::Vertex(found) => Err(Failure::input(format!(
                    "expected ROW,COL on a board of squares, found the single number {found}"
                ))),
            });
            scenario.board = scenario.board.with_exits(&cells.collect::<Result<Vec<_>, _>>()?)?;
        }
        Ok(Ground { scenario, names })
    }
}
