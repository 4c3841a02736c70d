//! Cop numbers and capture times.

use crate::{
    boards::{Board, rules},
    errors::{not_captured, wrong},
    work,
};
use dragnet_formats::{board, graph::nauty, rules::Rules};
use dragnet_generator::Observer;
use dragnet_policy::cops::{Capture, Variant, capture, memory_needed};
use pyo3::{
    exceptions::PyMemoryError,
    prelude::*,
    pybacked::{PyBackedBytes, PyBackedStr},
    types::PyTuple,
};
use rayon::prelude::*;
use std::borrow::Cow;

/// A graph of a list: a board, or a line of graph6, sparse6 or digraph6.
#[derive(FromPyObject)]
pub(crate) enum Listed {
    Board(Py<Board>),
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
}

impl Listed {
    fn board(&self) -> PyResult<Cow<'_, board::Board>> {
        let line = match self {
            Listed::Board(board) => return Ok(Cow::Borrowed(&board.get().0)),
            Listed::Text(line) => line.as_bytes(),
            Listed::Bytes(line) => line,
        };
        let graph = nauty::read_one(line, Board::MOST_VERTICES).map_err(wrong)?;
        Ok(Cow::Owned(board::Board::of_graph(&graph).map_err(wrong)?))
    }
}

/// The search that is asked for: the least and the most officers, whether only one moves in a turn, whether
/// all pieces must move, the most steps of the thief in a turn, and the most bytes of memory that a search
/// may take.
#[derive(Clone, Copy, FromPyObject)]
pub(crate) struct Search(u8, u8, bool, bool, Option<u8>, Option<u64>);

impl Search {
    /// Returns the fewest officers that catch the thief, with their capture, or `None` if none of the numbers
    /// of officers suffices.
    fn captured(
        self,
        board: &board::Board,
        rules: &Rules,
        observer: &dyn Observer,
    ) -> PyResult<Option<(u8, Capture)>> {
        let Search(least, most, lazy, active, speed, memory) = self;
        for officers in least..=most {
            let rules = Variant { lazy, active, speed }.of(Rules { officers, ..rules.clone() });
            if let Some(allowed) = memory {
                let needed = memory_needed(board, &rules);
                if needed > allowed {
                    let few = match officers {
                        _ if officers == least => String::new(),
                        2 => "it takes more than 1 officer, and ".to_owned(),
                        _ => format!("it takes more than {} officers, and ", officers - 1),
                    };
                    let with = if officers == 1 { "1 officer" } else { &format!("{officers} officers") };
                    return Err(PyMemoryError::new_err(format!(
                        "{few}the search with {with} needs {needed} bytes of memory, and {allowed} are allowed"
                    )));
                }
            }
            match capture(board, &rules, observer) {
                Ok(Some(found)) => return Ok(Some((officers, found))),
                Ok(None) => {}
                Err(error) => return Err(not_captured(&error)),
            }
        }
        Ok(None)
    }
}

/// The number of officers, the capture time in turns of the police, the first of the best placements as
/// vertices or cells, and the number of best placements if it is below 2^64.
type Found<'py> = (u8, u32, Bound<'py, PyTuple>, Option<u64>);

/// Returns the cop number and capture time of each graph of a list, or `None` where the officers are too few.
/// `first` is the number of the first graph for messages, if there may be others.
#[pyfunction]
pub(crate) fn captures<'py>(
    py: Python<'py>,
    graphs: Vec<Listed>,
    first: Option<u64>,
    rules: &str,
    search: Search,
    threads: usize,
    report: Option<Py<PyAny>>,
) -> PyResult<Vec<Option<Found<'py>>>> {
    let rules = self::rules(rules)?;
    let pool = if graphs.len() > 1 { Some(work::generator(threads)?) } else { None };
    let found = work::run(py, report, |progress| {
        let one = |graph: &Listed| {
            let board = graph.board()?;
            let is_graph = board.graph().is_some();
            Ok((search.captured(&board, &rules, progress)?, is_graph))
        };
        match &pool {
            Some(pool) => pool.install(|| graphs.par_iter().map(one).collect::<Vec<PyResult<_>>>()),
            None => graphs.iter().map(one).collect(),
        }
    })?;
    (0..)
        .zip(found)
        .map(|(index, found)| {
            let (found, is_graph) = found.map_err(|error| match first {
                Some(first) => at_graph(py, error, first + index),
                None => error,
            })?;
            let Some((officers, Capture { moves, placement, placements })) = found else { return Ok(None) };
            let placement = if is_graph {
                PyTuple::new(py, placement.iter().map(|cell| cell.col))?
            } else {
                PyTuple::new(py, placement.iter().map(|cell| (cell.row, cell.col)))?
            };
            Ok(Some((officers, moves, placement, placements)))
        })
        .collect()
}

/// Returns an exception whose message begins with the number of a graph.
fn at_graph(py: Python<'_>, error: PyErr, number: u64) -> PyErr {
    let message = format!("graph {number} of those given (from 0): {}", error.value(py));
    PyErr::from_type(error.get_type(py), message)
}
