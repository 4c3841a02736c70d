//! Graphs, boards and rules of Python callers.

use crate::{errors::wrong, work};
use dragnet_formats::{
    board::{self, Square, text},
    cell::Cell,
    graph::{self, ReadError, Vertex, edges::EdgeList, sixes},
    rules::Rules,
};
use dragnet_generator::{Observer, read_edges};
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::{
    exceptions::{PyMemoryError, PyValueError},
    prelude::*,
};
use std::{
    io::{self, Read},
    sync::Arc,
};

/// Numbers of an array that are read between two looks at whether to stop.
const PIECE: usize = 1 << 20;

/// A graph.
#[pyclass(frozen, module = "dragnet._native")]
pub(crate) struct Graph(pub(crate) Arc<graph::Graph>);

#[pymethods]
impl Graph {
    /// Returns the graph of `vertices` vertices with these edges, which lead both ways unless they are
    /// directed. Ctrl-C ends it.
    #[staticmethod]
    fn of_pairs(
        py: Python<'_>,
        pairs: PyReadonlyArray2<'_, i64>,
        vertices: u64,
        directed: bool,
    ) -> PyResult<Graph> {
        if pairs.shape()[1] != 2 {
            return Err(wrong(format!("expected pairs of vertices, found the shape {:?}", pairs.shape())));
        }
        let numbers = pairs.as_slice()?;
        let built = work::run(py, None, |progress| build(numbers, vertices, directed, progress))?;
        built.map(|graph| Graph(Arc::new(graph)))
    }

    /// Returns the graph in a text: a line of graph6, sparse6 or digraph6 if it is `six`, or else a list of
    /// edges, which lead both ways unless they are directed. Ctrl-C ends it.
    #[staticmethod]
    fn of_text(py: Python<'_>, text: &[u8], six: bool, directed: bool) -> PyResult<Graph> {
        let read = work::run(py, None, |progress| {
            if six {
                sixes::read_one(text, graph::Graph::MAX_VERTICES)
            } else {
                edge_list(text, directed, graph::Graph::MAX_VERTICES, progress)
            }
        })?;
        read.map(|graph| Graph(Arc::new(graph))).map_err(wrong)
    }
}

/// Builds a graph of edges, two numbers each.
fn build(numbers: &[i64], vertices: u64, directed: bool, observer: &dyn Observer) -> PyResult<graph::Graph> {
    let count = u32::try_from(vertices).ok().filter(|&count| count <= graph::Graph::MAX_VERTICES);
    let most = graph::Graph::MAX_VERTICES;
    let count = count.ok_or_else(|| wrong(format!("expected at most {most} vertices, found {vertices}")))?;
    let vertex = |at: usize| -> PyResult<Vertex> {
        Vertex::try_from(numbers[at]).ok().filter(|&vertex| vertex < count).ok_or_else(|| {
            let (last, found, edge) = (i64::from(count) - 1, numbers[at], at / 2);
            wrong(format!("expected vertices from 0 to {last}, found {found} in edge {edge} (from 0)"))
        })
    };
    let mut starts = zeros(count as usize + 1)?;
    let mut edges = 0usize;
    for_each_edge(numbers, directed, observer, |from, _| {
        starts[vertex(from)? as usize + 1] += 1;
        edges += 1;
        Ok(())
    })?;
    if edges > graph::Graph::MAX_EDGES as usize {
        return Err(wrong(graph::GraphError::Edges));
    }
    for i in 0..count as usize {
        starts[i + 1] += starts[i];
    }
    let mut targets = zeros(edges)?;
    // Each row's start serves as the index of its next edge, and is restored afterwards.
    for_each_edge(numbers, directed, observer, |from, to| {
        let place = &mut starts[numbers[from] as usize];
        targets[*place as usize] = vertex(to)?;
        *place += 1;
        Ok(())
    })?;
    starts.copy_within(0..count as usize, 1);
    starts[0] = 0;
    graph::Graph::from_rows(starts, targets).map_err(wrong)
}

/// Calls `each` with the indices of both vertices of every edge, and also in reverse if edges lead both ways
/// and it is no loop. Ends with an error when the observer stops it.
fn for_each_edge(
    numbers: &[i64],
    directed: bool,
    observer: &dyn Observer,
    mut each: impl FnMut(usize, usize) -> PyResult<()>,
) -> PyResult<()> {
    for at in (0..numbers.len()).step_by(2) {
        if at % PIECE == 0 && observer.stop() {
            return Err(PyValueError::new_err("stopped"));
        }
        each(at, at + 1)?;
        if !directed && numbers[at] != numbers[at + 1] {
            each(at + 1, at)?;
        }
    }
    Ok(())
}

/// Returns zeros.
///
/// # Errors
/// When the memory does not suffice.
fn zeros(count: usize) -> PyResult<Vec<u32>> {
    let mut numbers = Vec::new();
    numbers.try_reserve_exact(count).map_err(|_| {
        PyMemoryError::new_err(format!("the graph needs {} bytes of memory, which there are not", 4 * count))
    })?;
    numbers.resize(count, 0);
    Ok(numbers)
}

/// Reads a list of edges.
fn edge_list(
    text: &[u8],
    directed: bool,
    most_vertices: u32,
    observer: &dyn Observer,
) -> Result<graph::Graph, ReadError> {
    let list = EdgeList { undirected: !directed, most_vertices, ..EdgeList::default() };
    read_edges(UntilStop { text, observer }, list)
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
        let square = |&number: &u8| match number {
            0 => Ok(Square::Wall),
            1 => Ok(Square::Open),
            2 => Ok(Square::Exit),
            _ => Err(wrong(format!("expected squares 0 (wall), 1 (open) or 2 (exit), found {number}"))),
        };
        let squares = squares.as_slice()?.iter().map(square).collect::<PyResult<_>>()?;
        Ok(Board(board::Board::new(height, width, squares).map_err(wrong)?))
    }

    /// Returns the board in a text, or the graph in a list of edges, which lead both ways unless they are
    /// directed. No text is both: a board has neither digits nor comments.
    #[staticmethod]
    fn of_file(py: Python<'_>, text: &[u8], directed: bool) -> PyResult<Board> {
        let on_board = match text::parse(text) {
            Ok(scenario) => return Ok(Board(scenario.board)),
            Err(error) => error,
        };
        let read = work::run(py, None, |progress| edge_list(text, directed, Board::MOST_VERTICES, progress))?;
        match read {
            Ok(graph) => Ok(Board(board::Board::of_graph(&graph).map_err(wrong)?)),
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

    /// Whether the cells are vertices of a graph.
    #[getter]
    fn is_graph(&self) -> bool {
        self.0.graph().is_some()
    }
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
