//! Arguments of Python callers: cells, sides, arrays of positions, boards, bytes, paths.

use crate::{
    errors::{number_error, position_error},
    nodes::{Nodes, no_node},
    value::{POLICE, THIEF},
};
use dragnet_probe::{Board, Cell, Header, Pieces, Position, ProbeError, Side};
use numpy::{PyArrayDyn, PyReadonlyArrayDyn, PyUntypedArrayMethods, prelude::*};
use pyo3::{
    Borrowed,
    exceptions::{PyOverflowError, PyTypeError, PyValueError},
    intern,
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyDict, PyInt, PyMemoryView, PyString, PyTuple},
};
use std::{ffi::OsString, path::PathBuf};

/// A cell in an argument, which need not be on the board.
#[derive(Clone, Copy)]
pub(crate) struct CellArgument {
    row: i64,
    col: i64,
}

impl CellArgument {
    /// Returns the cell, if there are so many rows and columns on any board.
    fn cell(self) -> Option<Cell> {
        Some(Cell::new(self.row.try_into().ok()?, self.col.try_into().ok()?))
    }
}

impl<'py> FromPyObject<'_, 'py> for CellArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<CellArgument> {
        // Tuples are the common case and take the fast path; lists and arrays are converted first.
        let pair = match object.cast::<PyTuple>() {
            Ok(tuple) if tuple.len() == 2 => Some((tuple.get_item(0)?, tuple.get_item(1)?)),
            Ok(_) => None,
            Err(_) if object.is_instance_of::<PyString>() => None,
            Err(_) => object.extract::<[Bound<'_, PyAny>; 2]>().ok().map(|[row, col]| (row, col)),
        };
        let Some((row, col)) = pair else {
            let message = format!("expected a cell as (row, column), found {}", object.repr()?);
            return Err(PyTypeError::new_err(message));
        };
        Ok(CellArgument { row: integer(&row)?, col: integer(&col)? })
    }
}

/// The officers' cells in an argument: one cell, or a sequence of cells.
pub(crate) struct TeamArgument(Vec<CellArgument>);

impl<'py> FromPyObject<'_, 'py> for TeamArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<TeamArgument> {
        // A sequence of sequences is a team, and so is an empty one; anything else must be a single cell. A
        // tuple of integers, the common case, is recognised without converting it.
        let is_cell = object.is_instance_of::<PyString>()
            || object
                .cast::<PyTuple>()
                .is_ok_and(|tuple| tuple.get_borrowed_item(0).is_ok_and(|row| row.is_instance_of::<PyInt>()));
        let elements = if is_cell { None } else { object.extract::<Vec<Bound<'_, PyAny>>>().ok() };
        let is_sequence =
            |first: &Bound<'_, PyAny>| !first.is_instance_of::<PyString>() && first.len().is_ok();
        match elements {
            Some(cells) if cells.first().is_none_or(is_sequence) => {
                cells.iter().map(PyAnyMethods::extract).collect::<PyResult<_>>().map(TeamArgument)
            }
            _ => Ok(TeamArgument(vec![object.extract()?])),
        }
    }
}

/// Returns an integer. One that does not fit is clamped, since no board is that large.
pub(crate) fn integer(object: &Bound<'_, PyAny>) -> PyResult<i64> {
    object.extract().or_else(|error: PyErr| {
        let py = object.py();
        if !error.is_instance_of::<PyOverflowError>(py) {
            return Err(error);
        }
        Ok(if object.lt(0)? { i64::MIN } else { i64::MAX })
    })
}

/// The side to move in an argument: a word, or its number in arrays.
pub(crate) struct SideArgument(pub(crate) Side);

impl<'py> FromPyObject<'_, 'py> for SideArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<SideArgument> {
        let side = match object.cast::<PyString>() {
            Ok(word) if word == "police" => Some(Side::Police),
            Ok(word) if word == "thief" => Some(Side::Thief),
            Ok(_) => None,
            Err(_) => match object.extract::<i64>() {
                Ok(number) if number == i64::from(POLICE) => Some(Side::Police),
                Ok(number) if number == i64::from(THIEF) => Some(Side::Thief),
                Ok(_) => None,
                Err(_) => {
                    let message = format!("expected 'police' or 'thief', found {}", object.repr()?);
                    return Err(PyTypeError::new_err(message));
                }
            },
        };
        let wrong = || format!("expected 'police' or 'thief', found {object:?}");
        side.map(SideArgument).ok_or_else(|| PyValueError::new_err(wrong()))
    }
}

/// Returns the cell of `side`, after checking that it is open. `index` is the position's index in a batch.
pub(crate) fn open_cell(
    board: &Board,
    side: Side,
    named: CellArgument,
    index: Option<usize>,
) -> PyResult<Cell> {
    let message = match named.cell() {
        Some(cell) => match board.require_open(cell) {
            Ok(cell) => return Ok(cell),
            Err(error) => format!("the {side}'s {error}"),
        },
        None => {
            let (last_row, last_col) = (board.height() - 1, board.width() - 1);
            let CellArgument { row, col } = named;
            format!(
                "the {side}'s cell {row},{col} is off the board, whose rows go from 0 to {last_row} and columns from 0 to {last_col}"
            )
        }
    };
    Err(position_error(message, index))
}

/// The places of pieces on a board: cells, and on a graph vertices, by their nodes if the caller has named
/// them.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a> {
    pub(crate) board: &'a Board,
    pub(crate) header: &'a Header,
    pub(crate) nodes: Option<&'a Nodes>,
}

impl Places<'_> {
    /// Returns the number of officers.
    pub(crate) fn officers(self) -> u8 {
        self.header.officers()
    }

    /// Returns a cell, after checking that `side` has a place there. `index` is the position's index in a
    /// batch.
    fn place(self, side: Side, named: CellArgument, index: Option<usize>) -> PyResult<Cell> {
        if let Some(cell) = named.cell().filter(|&cell| self.header.is_place(side, cell)) {
            return Ok(cell);
        }
        // With one layer the board tells why.
        if self.header.layers(side).count() == 1 {
            open_cell(self.board, side, named, index)?;
        }
        let CellArgument { row, col } = named;
        let message = format!("expected a place of the {side}, found {row},{col}, which is none");
        Err(position_error(message, index))
    }

    /// Returns a world, after checking that the table has it. `index` is the position's index in a batch.
    pub(crate) fn world(self, named: i64, index: Option<usize>) -> PyResult<u32> {
        let worlds = self.header.worlds;
        u32::try_from(named).ok().filter(|&world| world < worlds).ok_or_else(|| {
            position_error(format!("expected a world from 0 to {}, found {named}", worlds - 1), index)
        })
    }

    /// Returns the officers, after checking that their number is right and that they stand on places.
    /// `index` is the position's index in a batch.
    fn team(
        self,
        named: impl ExactSizeIterator<Item = CellArgument>,
        index: Option<usize>,
    ) -> PyResult<Pieces> {
        let (expected, found) = (usize::from(self.officers()), named.len());
        if expected != found {
            return Err(position_error(ProbeError::Officers { expected, found }.to_string(), index));
        }
        let mut cells = [Cell::new(0, 0); Pieces::MAX];
        for (cell, named) in cells.iter_mut().zip(named) {
            *cell = self.place(Side::Police, named, index)?;
        }
        Pieces::new(&cells[..found]).map_err(|error| position_error(error.to_string(), index))
    }

    /// Returns a position, after checking that the number of officers is right, that all pieces stand on
    /// places, and that the table has the world.
    pub(crate) fn position(
        self,
        police: &Bound<'_, PyAny>,
        thief: &Bound<'_, PyAny>,
        turn: Side,
        world: i64,
    ) -> PyResult<Position> {
        let (police, thief) = (self.police(police)?, self.thief(thief)?);
        Ok(Position { world: self.world(world, None)?, police, thief, turn })
    }

    /// Returns the cell of the thief, after checking that it is a place.
    pub(crate) fn thief(self, object: &Bound<'_, PyAny>) -> PyResult<Cell> {
        let cell = match self.vertex(object)? {
            Some(cell) => cell,
            None if self.takes_cells() => object.extract().map_err(|error| self.no_node(object, error))?,
            None => return Err(no_node(object)),
        };
        self.place(Side::Thief, cell, None)
    }

    /// Returns the officers in an argument, after checking that their number is right and that they stand on
    /// places.
    pub(crate) fn police(self, object: &Bound<'_, PyAny>) -> PyResult<Pieces> {
        let cells = match self.vertices(object)? {
            Some(cells) => cells,
            None if self.takes_cells() => {
                object.extract::<TeamArgument>().map_err(|error| self.no_node(object, error))?.0
            }
            None => return Err(no_node(object)),
        };
        self.team(cells.into_iter(), None)
    }

    /// Returns the vertices of all officers in an argument, or `None` if it is none of so many.
    fn vertices(self, object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<CellArgument>>> {
        if self.board.graph().is_none() {
            return Ok(None);
        }
        if self.officers() == 1
            && let Some(cell) = self.vertex(object)?
        {
            return Ok(Some(vec![cell]));
        }
        match object.extract::<Vec<Bound<'_, PyAny>>>() {
            Ok(team) if team.len() == usize::from(self.officers()) => {
                team.iter().map(|object| self.vertex(object)).collect()
            }
            _ => Ok(None),
        }
    }

    /// Returns the cell of a vertex in an argument: its node, or its number if vertices have no nodes.
    fn vertex(self, object: &Bound<'_, PyAny>) -> PyResult<Option<CellArgument>> {
        let number = match self.nodes {
            Some(nodes) => nodes.number(object)?.map(i64::from),
            None if self.board.graph().is_some() => integer(object).ok(),
            None => None,
        };
        Ok(number.map(|col| CellArgument { row: 0, col }))
    }

    /// Returns whether cells can be told from nodes.
    fn takes_cells(self) -> bool {
        self.nodes.is_none_or(|nodes| !nodes.has_tuples)
    }

    /// Returns the exception for an argument that is no cell, nor a node where vertices have nodes.
    fn no_node(self, object: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
        if self.nodes.is_some() { no_node(object) } else { error }
    }

    /// Returns the rows and columns of pieces of a batch by their nodes, `count` pieces for each position,
    /// and whether there are several positions. Returns `None` if the argument is of cells.
    pub(crate) fn column(
        self,
        object: &Bound<'_, PyAny>,
        count: usize,
    ) -> PyResult<Option<(Vec<i64>, bool)>> {
        let Some(nodes) = self.nodes else { return Ok(None) };
        let pieces = |object: &Bound<'_, PyAny>| -> PyResult<Option<Vec<u32>>> {
            if count == 1 {
                return Ok(nodes.number(object)?.map(|number| vec![number]));
            }
            match object.extract::<Vec<Bound<'_, PyAny>>>() {
                Ok(team) if team.len() == count => team.iter().map(|node| nodes.number(node)).collect(),
                _ => Ok(None),
            }
        };
        let numbers = |found: Vec<u32>| found.into_iter().flat_map(|number| [0, number.into()]);
        if let Some(found) = pieces(object)? {
            return Ok(Some((numbers(found).collect(), false)));
        }
        let mut all = Vec::new();
        for position in object.try_iter()? {
            let position = position?;
            match pieces(&position)? {
                Some(found) => all.extend(numbers(found)),
                None if all.is_empty() && self.takes_cells() && integers(object, "cells").is_ok() => {
                    return Ok(None);
                }
                None => return Err(no_node(&position)),
            }
        }
        Ok(Some((all, true)))
    }
}

/// Returns an array of integers of any type as a contiguous array of `i64`. It is copied only if it has
/// another layout.
pub(crate) fn integers<'py>(
    object: &Bound<'py, PyAny>,
    what: &str,
) -> PyResult<PyReadonlyArrayDyn<'py, i64>> {
    let py = object.py();
    let numpy = py.import(intern!(py, "numpy"))?;
    let mut array = numpy.call_method1(intern!(py, "asarray"), (object,))?;
    let dtype = array.getattr(intern!(py, "dtype"))?;
    match dtype.getattr(intern!(py, "kind"))?.extract::<char>()? {
        'i' => {}
        // Without the limit, large numbers would become negative.
        'u' if dtype.getattr(intern!(py, "itemsize"))?.extract::<usize>()? == 8 => {
            array = numpy.call_method1(intern!(py, "minimum"), (array, i64::MAX as u64))?;
        }
        'u' => {}
        _ => return Err(PyTypeError::new_err(format!("expected integers as {what}, found {dtype}"))),
    }
    let options = PyDict::new(py);
    options.set_item("dtype", numpy.getattr(intern!(py, "int64"))?)?;
    options.set_item("order", "C")?;
    let array = numpy.call_method(intern!(py, "asarray"), (array,), Some(&options))?;
    Ok(array.cast_into::<PyArrayDyn<i64>>()?.try_readonly()?)
}

/// Returns `n` positions, given the columns with the numbers of the police, the thief, the side to move and
/// the world.
pub(crate) fn positions(
    places: Places<'_>,
    n: usize,
    [police, thief, turn, world]: [NumberColumn<'_>; 4],
) -> PyResult<Vec<Position>> {
    let cell = |pair: &[i64]| CellArgument { row: pair[0], col: pair[1] };
    (0..n)
        .map(|index| {
            let turn = match turn.at(index) {
                [number] if *number == i64::from(POLICE) => Side::Police,
                [number] if *number == i64::from(THIEF) => Side::Thief,
                found => {
                    return Err(PyValueError::new_err(format!(
                        "position {index} of those asked (from 0): expected {POLICE} (police) or {THIEF} (thief) to move, found {found:?}"
                    )));
                }
            };
            let thief = places.place(Side::Thief, cell(thief.at(index)), Some(index));
            let police = places.team(police.at(index).chunks_exact(2).map(cell), Some(index))?;
            let thief = thief?;
            Ok(Position { world: places.world(world.at(index)[0], Some(index))?, police, thief, turn })
        })
        .collect()
}

/// The numbers of one argument for each position of a batch: cells, the side to move, or the world.
#[derive(Clone, Copy)]
pub(crate) struct NumberColumn<'a> {
    /// The numbers, from those of the first position on.
    pub(crate) numbers: &'a [i64],
    /// The count of numbers of one position.
    pub(crate) width: usize,
    /// The distance from the numbers of one position to those of the next; 0 if all positions share them.
    pub(crate) step: usize,
}

impl<'a> NumberColumn<'a> {
    /// Returns the numbers of a position. The callers have checked the shape of the array.
    fn at(&self, index: usize) -> &'a [i64] {
        &self.numbers[index * self.step..][..self.width]
    }
}

/// Returns the exception for an array of the wrong shape.
pub(crate) fn shape_error(what: &str, expected: &str, array: &PyReadonlyArrayDyn<'_, i64>) -> PyErr {
    PyValueError::new_err(format!("expected {what} in the shape {expected}, found {:?}", array.shape()))
}

/// Returns a copy of the bytes in `bytes`, `bytearray` or `memoryview`.
pub(crate) fn bytes(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let py = object.py();
    let copy = match object.cast::<PyMemoryView>() {
        Ok(view) => view.call_method0(intern!(py, "tobytes"))?,
        Err(_) => object.clone(),
    };
    match copy.extract::<PyBackedBytes>() {
        Ok(bytes) => Ok(bytes.to_vec()),
        Err(_) => {
            let found = object.get_type().name()?;
            Err(PyTypeError::new_err(format!("expected bytes, bytearray or memoryview, found {found}")))
        }
    }
}

/// A path in an argument: `str`, `bytes` or `os.PathLike`.
pub(crate) struct PathArgument(pub(crate) PathBuf);

impl<'py> FromPyObject<'_, 'py> for PathArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<PathArgument> {
        let py = object.py();
        let text = py.import(intern!(py, "os"))?.call_method1(intern!(py, "fsdecode"), (object,))?;
        Ok(PathArgument(text.extract::<OsString>()?.into()))
    }
}

/// Returns the number of a position of a game table, after checking that there are more than so many
/// positions.
pub(crate) fn position_number(object: &Bound<'_, PyAny>, positions: u64) -> PyResult<u64> {
    match object.extract::<u64>() {
        Ok(number) if number < positions => Ok(number),
        // Negative and very large integers overflow; they are numbers of no position, like any other beyond
        // the last.
        Err(error) if !error.is_instance_of::<PyOverflowError>(object.py()) => Err(error),
        _ => Err(number_error(object.str()?, positions, None)),
    }
}
