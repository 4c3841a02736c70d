//! Many positions at once, without a Python object for any of them.

use crate::{
    arguments::{Column, integers, positions, wrong_shape},
    errors::of_table,
    signals::Signals,
    value::{POLICE, THIEF, code, distance},
};
use dragnet_probe::{Position, Side, Table};
use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyString};
use std::path::Path;

/// Outcomes and distances, as arrays hold them.
pub(crate) type Columns = (Vec<i8>, Vec<i32>);

/// Positions that are asked between two looks for Ctrl-C. The more, the more of them fall into one block, which is unzipped
/// once.
const CHUNK: usize = 1 << 20;

/// The values of all `positions`.
pub(crate) fn ask(table: &Table, path: Option<&Path>, positions: &[Position]) -> PyResult<Columns> {
    let mut outcomes = Vec::with_capacity(positions.len());
    let mut distances = Vec::with_capacity(positions.len());
    let mut signals = Signals::new();
    for chunk in positions.chunks(CHUNK) {
        signals.check()?;
        let values = table.values(chunk).map_err(|error| of_table(&error, path))?;
        for (position, value) in chunk.iter().zip(values) {
            outcomes.push(code(value.outcome(position.turn)));
            distances.push(distance(value.dtw()));
        }
    }
    Ok((outcomes, distances))
}

/// The positions in an array of five columns, or two more for each further officer.
pub(crate) fn from_table(table: &Table, object: &Bound<'_, PyAny>) -> PyResult<Vec<Position>> {
    const WHAT: &str =
        "positions (police row, police column, of each officer, thief row, thief column, turn)";
    let officers = table.rules().officers;
    let (thief, step) = (2 * usize::from(officers), 2 * usize::from(officers) + 3);
    let array = integers(object, WHAT)?;
    let n = match *array.shape() {
        [n, columns] if columns == step => n,
        _ => return Err(wrong_shape(WHAT, &format!("(n, {step})"), &array)),
    };
    let numbers = array.as_slice()?;
    let column =
        |first: usize, width| Column { numbers: numbers.get(first..).unwrap_or_default(), width, step };
    positions(table.board(), officers, n, [column(0, thief), column(thief, 2), column(thief + 2, 1)])
}

/// The positions in three arguments, of which each has one element for every position or one for all.
pub(crate) fn from_columns(
    table: &Table,
    police: &Bound<'_, PyAny>,
    thief: &Bound<'_, PyAny>,
    turn: &Bound<'_, PyAny>,
) -> PyResult<Vec<Position>> {
    let officers = table.rules().officers;
    let police = match officers {
        1 => Argument::cells(police, "police")?,
        several => Argument::teams(police, several.into())?,
    };
    let thief = Argument::cells(thief, "thief")?;
    let turn = Argument::turns(turn)?;
    let mut n = None;
    for (argument, name) in [(&police, "police"), (&thief, "thief"), (&turn, "turn")] {
        match (n, argument.len()) {
            (Some((expected, first)), Some(found)) if expected != found => {
                return Err(PyValueError::new_err(format!(
                    "expected as many elements in {name} as in {first}, {expected}, found {found}"
                )));
            }
            (None, Some(found)) => n = Some((found, name)),
            _ => {}
        }
    }
    let Some((n, _)) = n else {
        return Err(PyValueError::new_err(
            "expected an array as police, thief or turn; for one position there is value()",
        ));
    };
    positions(table.board(), officers, n, [police.column()?, thief.column()?, turn.column()?])
}

/// One of the three.
enum Argument<'py> {
    /// Arrays of numbers, so many for one position; without the axis of positions if all have the same.
    Numbers { array: PyReadonlyArrayDyn<'py, i64>, width: usize, several: bool },
    /// The side to move in all positions.
    Turn([i64; 1]),
}

impl<'py> Argument<'py> {
    fn cells(object: &Bound<'py, PyAny>, what: &str) -> PyResult<Argument<'py>> {
        let array = integers(object, what)?;
        match array.shape() {
            [2] => Ok(Argument::Numbers { array, width: 2, several: false }),
            [_, 2] => Ok(Argument::Numbers { array, width: 2, several: true }),
            _ => Err(wrong_shape(what, "(n, 2) or (2,)", &array)),
        }
    }

    fn teams(object: &Bound<'py, PyAny>, officers: usize) -> PyResult<Argument<'py>> {
        let array = integers(object, "police")?;
        let width = 2 * officers;
        match *array.shape() {
            [found, 2] if found == officers => Ok(Argument::Numbers { array, width, several: false }),
            [_, found, 2] if found == officers => Ok(Argument::Numbers { array, width, several: true }),
            _ => {
                let expected = format!("(n, {officers}, 2) or ({officers}, 2)");
                Err(wrong_shape("police", &expected, &array))
            }
        }
    }

    fn turns(object: &Bound<'py, PyAny>) -> PyResult<Argument<'py>> {
        if object.is_instance_of::<PyString>() {
            let crate::arguments::Turn(side) = object.extract()?;
            return Ok(Argument::Turn([match side {
                Side::Police => POLICE.into(),
                Side::Thief => THIEF.into(),
            }]));
        }
        let array = integers(object, "turn")?;
        match array.shape() {
            [_] => Ok(Argument::Numbers { array, width: 1, several: true }),
            _ => Err(wrong_shape("turn", "(n,)", &array)),
        }
    }

    fn len(&self) -> Option<usize> {
        match self {
            Argument::Numbers { array, several: true, .. } => Some(array.shape()[0]),
            _ => None,
        }
    }

    fn column(&self) -> PyResult<Column<'_>> {
        Ok(match self {
            Argument::Turn(numbers) => Column { numbers, width: 1, step: 0 },
            Argument::Numbers { array, width, several } => {
                Column { numbers: array.as_slice()?, width: *width, step: if *several { *width } else { 0 } }
            }
        })
    }
}
