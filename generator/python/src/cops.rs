//! Capture times of cops and robbers.

use crate::{
    boards::{BoardArgument, rules},
    errors::not_captured,
    work,
};
use dragnet_generator::cops;
use pyo3::prelude::*;

/// Returns the capture time in turns of the police, the first of the best placements as cells, and the number
/// of best placements, or `None` if the thief escapes from every placement.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "a tuple of Python")]
pub(crate) fn capture(
    py: Python<'_>,
    board: BoardArgument<'_>,
    rules: &str,
    report: Option<Py<PyAny>>,
) -> PyResult<Option<(u32, Vec<(u16, u16)>, Option<u64>)>> {
    let (board, rules) = (board.board()?, self::rules(rules)?);
    let found = work::run(py, report, |progress| cops::capture(&board, &rules, progress))?;
    let found = found.map_err(|error| not_captured(&error))?;
    Ok(found.map(|found| {
        let cells = found.placement.iter().map(|cell| (cell.row, cell.col));
        (found.moves, cells.collect(), found.placements)
    }))
}
