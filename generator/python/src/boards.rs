//! Graphs, boards and rules of Python callers.

use crate::{errors::wrong, work};
use dragnet_formats::{
    board::{self, Square, text},
    cell::Cell,
    graph::{self, GraphBuilder, GraphError, ReadError, Vertex, edges::EdgeList, nauty},
    pieces::Pieces,
    rules::Rules,
    setting::Setting,
};
use dragnet_generator::{
    Observer, OutOfMemory, graph_memory_needed, graph_of_blocks, most_graph_vertices, read_edges,
};
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::{
    exceptions::{PyKeyboardInterrupt, PyMemoryError},
    prelude::*,
};
use std::{
    io::{self, Read},
    ops::Range,
    sync::Arc,
};

/// Numbers of an array that are sorted together: those of some 300,000 edges, which fit into the caches.
const BLOCK: usize = 1 << 19;

/// A graph.
#[pyclass(frozen, module = "dragnet._native")]
pub(crate) struct Graph(pub(crate) Arc<graph::Graph>);

#[pymethods]
impl Graph {
    /// Returns the graph of `vertices` vertices with these edges, which lead both ways unless they are
    /// directed. It is for a game that may take so many bytes of memory, or for a board. Ctrl-C ends it.
    #[staticmethod]
    fn of_pairs(
        py: Python<'_>,
        pairs: PyReadonlyArray2<'_, i64>,
        vertices: u64,
        directed: bool,
        memory: Option<u64>,
    ) -> PyResult<Graph> {
        if pairs.shape()[1] != 2 {
            return Err(wrong(format!("expected pairs of vertices, found the shape {:?}", pairs.shape())));
        }
        let room = Room(memory);
        let most = room.most_vertices();
        let numbers = pairs.as_slice()?;
        let vertices = u32::try_from(vertices)
            .ok()
            .filter(|&count| count <= most)
            .ok_or_else(|| room.refuse(GraphError::Vertices { found: vertices, most }))?;
        let pairs = Pairs { numbers, vertices, directed };
        let built = if numbers.len().max(vertices as usize) <= BLOCK {
            pairs.build_alone()
        } else {
            let pool = work::generator(0)?;
            work::run(py, None, |progress| pool.install(|| pairs.build(progress)))?
        };
        Ok(Graph(Arc::new(built?)))
    }

    /// Returns the graph in a text: a line of graph6, sparse6 or digraph6 if it is `six`, or else a list of
    /// edges, which lead both ways unless they are directed. It is for a game that may take so many bytes of
    /// memory, or for a board. Ctrl-C ends it.
    #[staticmethod]
    fn of_text(
        py: Python<'_>,
        text: &[u8],
        six: bool,
        directed: bool,
        memory: Option<u64>,
    ) -> PyResult<(Graph, Told)> {
        let room = Room(memory);
        let most = room.most_vertices();
        let refuse = |error| match error {
            ReadError::Graph { source, .. } => room.refuse(source),
            error => wrong(error),
        };
        let (graph, told) = if six {
            (nauty::read_one(text, most).map_err(refuse)?, Told::default())
        } else {
            edge_list(py, text, directed, most)?.map_err(refuse)?
        };
        Ok((Graph(Arc::new(graph)), told))
    }

    /// The number of vertices.
    #[getter]
    fn vertices(&self) -> u32 {
        self.0.vertices()
    }
}

/// The number of the first vertex in a text, if it is not 0, and reasons to doubt that the text was meant so.
type Told = (Option<Vertex>, Vec<String>);

/// The bytes of memory that a game on a graph may take, or `None` for a graph on which pieces move.
#[derive(Clone, Copy)]
struct Room(Option<u64>);

impl Room {
    /// Returns the most vertices of a graph.
    fn most_vertices(self) -> u32 {
        match self.0 {
            Some(memory) => most_graph_vertices(memory).min(graph::Graph::MAX_VERTICES),
            None => Board::MOST_VERTICES,
        }
    }

    /// Returns the exception for a graph that is wrong, or for which there is no room.
    fn refuse(self, error: GraphError) -> PyErr {
        match (error, self.0) {
            (GraphError::Vertices { found, .. }, Some(allowed))
                if found <= graph::Graph::MAX_VERTICES.into() =>
            {
                let needed = graph_memory_needed(found, 0, 1);
                PyMemoryError::new_err(format!(
                    "a graph of {found} vertices needs {needed} bytes of memory, and {allowed} are allowed"
                ))
            }
            (error, _) => wrong(error),
        }
    }
}

/// The reason why there is no graph.
enum NoGraph {
    Wrong(String),
    Memory(OutOfMemory),
    Stopped,
}

impl From<GraphError> for NoGraph {
    fn from(error: GraphError) -> NoGraph {
        NoGraph::Wrong(error.to_string())
    }
}

impl From<OutOfMemory> for NoGraph {
    fn from(error: OutOfMemory) -> NoGraph {
        NoGraph::Memory(error)
    }
}

impl From<NoGraph> for PyErr {
    fn from(error: NoGraph) -> PyErr {
        match error {
            NoGraph::Wrong(message) => wrong(message),
            NoGraph::Memory(error) => PyMemoryError::new_err(error.to_string()),
            NoGraph::Stopped => PyKeyboardInterrupt::new_err(()),
        }
    }
}

/// The edges of an array of numbers, two for each.
#[derive(Clone, Copy)]
struct Pairs<'a> {
    numbers: &'a [i64],
    vertices: u32,
    directed: bool,
}

impl Pairs<'_> {
    /// Calls `add` with the edges of a part of the numbers, both ways unless they are directed.
    fn for_each(
        self,
        numbers: Range<usize>,
        mut add: impl FnMut(Vertex, Vertex) -> Result<(), NoGraph>,
    ) -> Result<(), NoGraph> {
        for at in numbers.step_by(2) {
            let (from, to) = (self.vertex(at)?, self.vertex(at + 1)?);
            add(from, to)?;
            if !self.directed && from != to {
                add(to, from)?;
            }
        }
        Ok(())
    }

    fn vertex(self, at: usize) -> Result<Vertex, NoGraph> {
        let vertex = Vertex::try_from(self.numbers[at]).ok().filter(|&vertex| vertex < self.vertices);
        vertex.ok_or_else(|| {
            let (last, found, edge) = (i64::from(self.vertices) - 1, self.numbers[at], at / 2);
            let expected = format!("expected vertices from 0 to {last}");
            NoGraph::Wrong(format!("{expected}, found {found} in edge {edge} (from 0)"))
        })
    }

    /// Builds the graph, on the threads of the current pool.
    fn build(self, observer: &dyn Observer) -> Result<graph::Graph, NoGraph> {
        let end = self.numbers.len();
        graph_of_blocks(self.vertices, end.div_ceil(BLOCK), |block, edges| {
            if observer.stop() {
                return Err(NoGraph::Stopped);
            }
            self.for_each(block * BLOCK..end.min((block + 1) * BLOCK), |from, to| {
                edges.push((from, to));
                Ok(())
            })
        })
    }

    /// Builds the graph on this thread.
    fn build_alone(self) -> Result<graph::Graph, NoGraph> {
        let mut builder = GraphBuilder::new();
        self.for_each(0..self.numbers.len(), |from, to| Ok(builder.add(from.into(), to.into())?))?;
        Ok(builder.build_with(self.vertices))
    }
}

/// Reads a list of edges. Ctrl-C ends it.
fn edge_list(
    py: Python<'_>,
    text: &[u8],
    directed: bool,
    most_vertices: u32,
) -> PyResult<Result<(graph::Graph, Told), ReadError>> {
    let list = EdgeList { undirected: !directed, most_vertices, ..EdgeList::default() };
    let pool = work::generator(0)?;
    let read = work::run(py, None, |progress| {
        pool.install(|| read_edges(UntilStop { text, observer: progress }, list))
    })?;
    Ok(read.map(|read| {
        let first = read.names.first().filter(|&first| first != 0);
        (read.graph, (first, read.doubts.iter().map(ToString::to_string).collect()))
    }))
}

/// A text that ends with an error when the observer stops the work.
struct UntilStop<'a> {
    text: &'a [u8],
    observer: &'a dyn Observer,
}

impl Read for UntilStop<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.observer.stop() { Err(io::Error::other("stopped")) } else { self.text.read(bytes) }
    }
}

/// A board: squares, or the vertices of a graph.
#[pyclass(frozen, eq, module = "dragnet._native")]
#[derive(PartialEq)]
pub(crate) struct Board(pub(crate) board::Board);

impl Board {
    /// The most vertices of a graph on which pieces move.
    pub(crate) const MOST_VERTICES: u32 = u16::MAX as u32;
}

#[pymethods]
impl Board {
    /// Returns the board whose vertices are those of a graph.
    #[staticmethod]
    fn of_graph(graph: &Graph) -> PyResult<Board> {
        Ok(Board(board::Board::of_graph(&graph.0).map_err(wrong)?))
    }

    /// Returns the board in a text.
    #[staticmethod]
    fn of_text(text: &[u8]) -> PyResult<Board> {
        Ok(Board(text::parse(text).map_err(wrong)?.board))
    }

    /// Returns the board of squares in an array: 0 wall, 1 open, 2 exit.
    #[staticmethod]
    fn of_squares(squares: PyReadonlyArray2<'_, u8>) -> PyResult<Board> {
        let &[height, width] = squares.shape() else { unreachable!("an array with 2 dimensions") };
        let square = |&number: &u8| {
            let unknown =
                || wrong(format!("expected squares 0 (wall), 1 (open) or 2 (exit), found {number}"));
            Square::from_byte(number).ok_or_else(unknown)
        };
        let squares = squares.as_slice()?.iter().map(square).collect::<PyResult<_>>()?;
        Ok(Board(board::Board::new(height, width, squares).map_err(wrong)?))
    }

    /// Returns the board in a text, or the graph in a list of edges, which lead both ways unless they are
    /// directed. No text is both: a board has neither digits nor comments.
    #[staticmethod]
    fn of_file(py: Python<'_>, text: &[u8], directed: bool) -> PyResult<(Board, Told)> {
        let on_board = match text::parse(text) {
            Ok(scenario) => return Ok((Board(scenario.board), Told::default())),
            Err(error) => error,
        };
        match edge_list(py, text, directed, Board::MOST_VERTICES)? {
            Ok((graph, told)) => Ok((Board(board::Board::of_graph(&graph).map_err(wrong)?), told)),
            Err(on_graph) if !text.iter().any(u8::is_ascii_digit) => {
                Err(wrong(format!("expected a board ({on_board}) or a list of edges ({on_graph})")))
            }
            Err(on_graph) => Err(wrong(on_graph)),
        }
    }

    /// Returns the board with more exits, given as cells.
    fn with_exits(&self, exits: Vec<(i64, i64)>) -> PyResult<Board> {
        let mut all: Vec<Cell> = self.0.exits().collect();
        for (row, col) in exits {
            let cell = u16::try_from(row).ok().zip(u16::try_from(col).ok());
            let cell =
                cell.map(|(row, col)| Cell::new(row, col)).filter(|&cell| self.0.index(cell).is_some());
            let found = || match self.0.graph() {
                Some(graph) => {
                    format!("expected an exit from 0 to {}, found the vertex {col}", graph.vertices() - 1)
                }
                None => format!("expected an exit on the board, found the cell {row},{col}"),
            };
            all.push(cell.ok_or_else(|| wrong(found()))?);
        }
        Ok(Board(self.0.with_exits(&all).map_err(wrong)?))
    }

    /// The board of a table's source.
    #[staticmethod]
    fn of_source(source: &str) -> PyResult<Board> {
        Ok(Board(setting(source)?.board))
    }

    /// The number of vertices of a graph, or of open cells.
    #[getter]
    fn vertices(&self) -> usize {
        self.0.open_count()
    }

    /// Whether the cells are vertices of a graph.
    #[getter]
    fn is_graph(&self) -> bool {
        self.0.graph().is_some()
    }
}

/// Returns the board and the rules of a table's source.
fn setting(source: &str) -> PyResult<Setting> {
    let setting = Setting::from_source(source).map_err(wrong)?;
    if !setting.doors.is_empty() {
        return Err(wrong("expected the source of a board without doors, found one with doors"));
    }
    Ok(setting)
}

/// Returns rules in JSON, with all keys of a rules file.
fn in_json(rules: &Rules) -> String {
    serde_json::to_string(rules).expect("rules can be written")
}

/// Returns the rules of a table's source in JSON.
///
/// # Errors
/// When the source is none of a board without doors and rules.
#[pyfunction]
pub(crate) fn rules_of(source: &str) -> PyResult<String> {
    Ok(in_json(&setting(source)?.rules))
}

/// Returns rules in JSON: those of a preset, of the text of a rules file, or of JSON with some of its keys.
/// `officers` is another number of officers.
///
/// # Errors
/// When nobody can play by them.
#[pyfunction]
pub(crate) fn full_rules(given: &str, officers: Option<i64>) -> PyResult<String> {
    let mut rules: Rules = match Rules::preset(given) {
        Some(rules) => rules,
        None if given.starts_with('{') => {
            // Lines and columns of an error would be those of a text that the caller has not written.
            let keys: serde_json::Value = serde_json::from_str(given).map_err(wrong)?;
            serde_json::from_value(keys).map_err(wrong)?
        }
        None if given.contains('=') => toml::from_str(given).map_err(wrong)?,
        None => {
            let presets = Rules::PRESETS.join(", ");
            let expected = format!("expected rules {presets}, the text of a rules file or a mapping");
            return Err(wrong(format!("{expected}, found {given:?}")));
        }
    };
    if let Some(officers) = officers {
        let most = Pieces::MAX;
        let given = u8::try_from(officers)
            .map_err(|_| wrong(format!("expected 1 to {most} officers, found {officers}")))?;
        rules = rules.for_officers(Some(given), 0).map_err(wrong)?;
    }
    rules.check().map_err(wrong)?;
    Ok(in_json(&rules))
}

/// Returns the rules in JSON, with the keys of a rules file.
///
/// # Errors
/// When nobody can play by them.
pub(crate) fn rules(json: &str) -> PyResult<Rules> {
    let rules: Rules = serde_json::from_str(json).map_err(wrong)?;
    rules.check().map_err(wrong)?;
    Ok(rules)
}
