//! Batches of positions of a pursuit table, from NumPy arrays and without a Python object for any position.

use crate::{
    arguments::{NumberColumn, Places, SideArgument, integer, integers, positions, shape_error},
    errors::table_error,
    signals::Signals,
    value::{POLICE, THIEF, distance, outcome_code},
};
use dragnet_probe::{Position, Side, Table};
use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyString};
use std::path::Path;

/// The outcomes (or results) and distances of many positions, as the arrays hold them.
pub(crate) type ValueColumns = (Vec<i8>, Vec<i32>);

/// The number of positions asked between two checks for Ctrl-C. The larger the chunk, the more positions
/// share a block, which is decompressed once per chunk.
pub(crate) const CHUNK: usize = 1 << 20;

/// Returns the values of `positions`.
pub(crate) fn values(table: &Table, path: Option<&Path>, positions: &[Position]) -> PyResult<ValueColumns> {
    let mut outcomes = Vec::with_capacity(positions.len());
    let mut distances = Vec::with_capacity(positions.len());
    let mut signals = Signals::new();
    for chunk in positions.chunks(CHUNK) {
        signals.check()?;
        let values = table.values(chunk).map_err(|error| table_error(&error, path))?;
        for (position, value) in chunk.iter().zip(values) {
            outcomes.push(outcome_code(value.outcome(position.turn)));
            distances.push(distance(value.dtw()));
        }
    }
    Ok((outcomes, distances))
}

/// Returns the positions in an array with five columns, and two more for each further officer. `world` has an
/// element for each of them, or one for all.
pub(crate) fn from_array(
    places: Places<'_>,
    object: &Bound<'_, PyAny>,
    world: ColumnArgument<'_>,
) -> PyResult<Vec<Position>> {
    const WHAT: &str =
        "positions (police row, police column, of each officer, thief row, thief column, turn)";
    let officers = places.officers();
    let (thief, step) = (2 * usize::from(officers), 2 * usize::from(officers) + 3);
    let array = integers(object, WHAT)?;
    let n = match *array.shape() {
        [n, columns] if columns == step => n,
        _ => return Err(shape_error(WHAT, &format!("(n, {step})"), &array)),
    };
    equal_lengths([(Some(n), "positions"), (world.len(), "world")])?;
    if n == 0 {
        return Ok(Vec::new());
    }
    let numbers = array.as_slice()?;
    let column = |first: usize, width| NumberColumn { numbers: &numbers[first..], width, step };
    positions(places, n, [column(0, thief), column(thief, 2), column(thief + 2, 1), world.column()?])
}

/// Returns the positions in four arguments, each of which has an element for every position or one for all.
pub(crate) fn from_columns(
    places: Places<'_>,
    police: &Bound<'_, PyAny>,
    thief: &Bound<'_, PyAny>,
    turn: &Bound<'_, PyAny>,
    world: ColumnArgument<'_>,
) -> PyResult<Vec<Position>> {
    let officers = places.officers();
    let police = match (places.column(police, officers.into())?, officers) {
        (Some(vertices), _) => ColumnArgument::vertices(vertices, officers.into()),
        (None, 1) => ColumnArgument::cells(police, "police")?,
        (None, several) => ColumnArgument::teams(police, several.into())?,
    };
    let thief = match places.column(thief, 1)? {
        Some(vertices) => ColumnArgument::vertices(vertices, 1),
        None => ColumnArgument::cells(thief, "thief")?,
    };
    let turn = ColumnArgument::sides(turn)?;
    let names = ["police", "thief", "turn", "world"];
    let columns = [&police, &thief, &turn, &world];
    let lengths: [_; 4] = std::array::from_fn(|argument| (columns[argument].len(), names[argument]));
    let Some(n) = equal_lengths(lengths)? else {
        return Err(PyValueError::new_err(
            "expected an array as police, thief, turn or world, found a single position; call value() for it",
        ));
    };
    positions(places, n, [police.column()?, thief.column()?, turn.column()?, world.column()?])
}

/// Returns the number of elements of all arguments that have several, or `None` if none has, after checking
/// that it is the same.
fn equal_lengths<const N: usize>(arguments: [(Option<usize>, &str); N]) -> PyResult<Option<usize>> {
    let mut first = None;
    for (len, name) in arguments {
        match (first, len) {
            (Some((expected, first)), Some(found)) if expected != found => {
                return Err(PyValueError::new_err(format!(
                    "expected as many elements in {name} as in {first}, {expected}, found {found}"
                )));
            }
            (None, Some(found)) => first = Some((found, name)),
            _ => {}
        }
    }
    Ok(first.map(|(n, _)| n))
}

/// One of the arguments `police`, `thief`, `turn` and `world` of a batch.
pub(crate) enum ColumnArgument<'py> {
    /// An array with `width` numbers for each position, or for all positions if it is not `several`.
    Numbers { array: PyReadonlyArrayDyn<'py, i64>, width: usize, several: bool },
    /// Vertices, which are named by their nodes.
    Vertices { numbers: Vec<i64>, width: usize, several: bool },
    /// The side to move in all positions, or the world of all.
    One([i64; 1]),
}

impl<'py> ColumnArgument<'py> {
    fn vertices((numbers, several): (Vec<i64>, bool), pieces: usize) -> ColumnArgument<'py> {
        ColumnArgument::Vertices { numbers, width: 2 * pieces, several }
    }

    fn cells(object: &Bound<'py, PyAny>, what: &str) -> PyResult<ColumnArgument<'py>> {
        let array = integers(object, what)?;
        match array.shape() {
            [2] => Ok(ColumnArgument::Numbers { array, width: 2, several: false }),
            [_, 2] => Ok(ColumnArgument::Numbers { array, width: 2, several: true }),
            _ => Err(shape_error(what, "(n, 2) or (2,)", &array)),
        }
    }

    fn teams(object: &Bound<'py, PyAny>, officers: usize) -> PyResult<ColumnArgument<'py>> {
        let array = integers(object, "police")?;
        let width = 2 * officers;
        match *array.shape() {
            [found, 2] if found == officers => Ok(ColumnArgument::Numbers { array, width, several: false }),
            [_, found, 2] if found == officers => Ok(ColumnArgument::Numbers { array, width, several: true }),
            _ => {
                let expected = format!("(n, {officers}, 2) or ({officers}, 2)");
                Err(shape_error("police", &expected, &array))
            }
        }
    }

    fn sides(object: &Bound<'py, PyAny>) -> PyResult<ColumnArgument<'py>> {
        if object.is_instance_of::<PyString>() || object.extract::<i64>().is_ok() {
            let SideArgument(side) = object.extract()?;
            return Ok(ColumnArgument::One([match side {
                Side::Police => POLICE.into(),
                Side::Thief => THIEF.into(),
            }]));
        }
        ColumnArgument::numbers(object, "turn")
    }

    /// Returns the world of all positions, or an array with the world of each.
    pub(crate) fn worlds(object: &Bound<'py, PyAny>) -> PyResult<ColumnArgument<'py>> {
        match integer(object) {
            Ok(world) => Ok(ColumnArgument::One([world])),
            Err(_) => ColumnArgument::numbers(object, "world"),
        }
    }

    /// Returns an array with one number for each position.
    fn numbers(object: &Bound<'py, PyAny>, what: &str) -> PyResult<ColumnArgument<'py>> {
        let array = integers(object, what)?;
        match array.shape() {
            [_] => Ok(ColumnArgument::Numbers { array, width: 1, several: true }),
            _ => Err(shape_error(what, "(n,)", &array)),
        }
    }

    fn len(&self) -> Option<usize> {
        match self {
            ColumnArgument::Numbers { array, several: true, .. } => Some(array.shape()[0]),
            ColumnArgument::Vertices { numbers, width, several: true } => Some(numbers.len() / width),
            _ => None,
        }
    }

    fn column(&self) -> PyResult<NumberColumn<'_>> {
        Ok(match self {
            ColumnArgument::One(numbers) => NumberColumn { numbers, width: 1, step: 0 },
            ColumnArgument::Numbers { array, width, several } => {
                let step = if *several { *width } else { 0 };
                NumberColumn { numbers: array.as_slice()?, width: *width, step }
            }
            ColumnArgument::Vertices { numbers, width, several } => {
                NumberColumn { numbers, width: *width, step: if *several { *width } else { 0 } }
            }
        })
    }
}
