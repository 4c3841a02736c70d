//! Values as NumPy arrays, with the numbers of the package `dragnet_probe`.

use dragnet_formats::{cell::Side, value::Value};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// Outcomes, and distances in plies, -1 for draws.
pub(crate) type ValueArrays<'py> = (Bound<'py, PyArray2<i8>>, Bound<'py, PyArray2<i32>>);

/// Returns the number of the outcome in which this side has won: 0 for none, 1 for the police, 2 for the
/// thief.
pub(crate) fn winner_number(winner: Option<Side>) -> i8 {
    match winner {
        None => 0,
        Some(Side::Police) => 1,
        Some(Side::Thief) => 2,
    }
}

/// Returns the number of the outcome of a value with `turn` to move, and its distance.
pub(crate) fn numbers(value: Value, turn: Side) -> (i8, i32) {
    // The greatest distance is 2^30 - 1.
    (winner_number(value.outcome(turn).winner()), value.dtw().map_or(-1, |plies| plies as i32))
}

/// Returns all pairs of a row and a column of a shape, row after row.
pub(crate) fn pairs([rows, columns]: [usize; 2]) -> impl Iterator<Item = (u32, u32)> {
    (0..rows as u32).flat_map(move |row| (0..columns as u32).map(move |column| (row, column)))
}

/// Returns the numbers of values as arrays.
///
/// # Errors
/// When the shape has another number of elements.
pub(crate) fn arrays(
    py: Python<'_>,
    (outcomes, distances): (Vec<i8>, Vec<i32>),
    shape: [usize; 2],
) -> PyResult<ValueArrays<'_>> {
    Ok((outcomes.into_pyarray(py).reshape(shape)?, distances.into_pyarray(py).reshape(shape)?))
}
