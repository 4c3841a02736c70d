//! Capture times of cops and robbers.

use crate::{
    boards::{BoardArgument, rules},
    errors::not_captured,
    work,
};
use dragnet_formats::rules::Rules;
use dragnet_generator::cops::{self, Variant};
use pyo3::prelude::*;

/// The officers and the variant of a search: their number, whether only one moves in a turn, whether all
/// pieces must move, and the most steps of the thief in a turn.
#[derive(FromPyObject)]
pub(crate) struct Search(u8, bool, bool, Option<u8>);

impl Search {
    /// Returns the rules of the search.
    ///
    /// # Errors
    /// When nobody can play by them.
    fn rules(&self, json: &str) -> PyResult<Rules> {
        let &Search(officers, lazy, active, speed) = self;
        Ok(Variant { lazy, active, speed }.of(Rules { officers, ..rules(json)? }))
    }
}

/// Returns the most bytes of memory that `capture` takes.
#[pyfunction]
pub(crate) fn capture_memory_needed(board: BoardArgument<'_>, rules: &str, search: Search) -> PyResult<u64> {
    Ok(cops::memory_needed(&board.board()?, &search.rules(rules)?))
}

/// Returns the capture time in turns of the police, the first of the best placements as cells, and the number
/// of best placements if it is below 2^64, or `None` if the thief escapes from every placement.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "a tuple of Python")]
pub(crate) fn capture(
    py: Python<'_>,
    board: BoardArgument<'_>,
    rules: &str,
    search: Search,
    report: Option<Py<PyAny>>,
) -> PyResult<Option<(u32, Vec<(u16, u16)>, Option<u64>)>> {
    let (board, rules) = (board.board()?, search.rules(rules)?);
    let found = work::run(py, report, |progress| cops::capture(&board, &rules, progress))?;
    let found = found.map_err(|error| not_captured(&error))?;
    Ok(found.map(|found| {
        let cells = found.placement.iter().map(|cell| (cell.row, cell.col));
        (found.moves, cells.collect(), found.placements)
    }))
}
