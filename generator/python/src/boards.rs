//! Boards, graphs and rules of Python callers.

use crate::errors::wrong;
use dragnet_formats::{
    board::{Board, text},
    cell::Cell,
    graph::Graph,
    rules::Rules,
};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

/// A graph in an argument: where the successors of each vertex begin, one more at the end, and all of them.
#[derive(FromPyObject)]
pub(crate) struct Rows<'py>(PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, u32>);

impl Rows<'_> {
    /// Returns the graph.
    ///
    /// # Errors
    /// When the rows are not those of a graph.
    pub(crate) fn graph(&self) -> PyResult<Graph> {
        Graph::from_rows(self.0.as_slice()?.to_vec(), self.1.as_slice()?.to_vec()).map_err(wrong)
    }
}

/// A board in an argument: its text, or a graph and its exits.
#[derive(FromPyObject)]
pub(crate) enum BoardArgument<'py> {
    Text(String),
    Graph(Rows<'py>, Vec<u64>),
}

impl BoardArgument<'_> {
    /// Returns the board.
    ///
    /// # Errors
    /// When it is none.
    pub(crate) fn board(&self) -> PyResult<Board> {
        match self {
            BoardArgument::Text(drawn) => Ok(text::parse(drawn.as_bytes()).map_err(wrong)?.board),
            BoardArgument::Graph(rows, exits) => {
                let board = Board::of_graph(&rows.graph()?).map_err(wrong)?;
                let exits: Result<Vec<Cell>, _> = exits.iter().map(|&vertex| board.vertex(vertex)).collect();
                board.with_exits(&exits.map_err(wrong)?).map_err(wrong)
            }
        }
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
