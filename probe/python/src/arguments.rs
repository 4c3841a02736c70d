//! What callers hand over: cells, sides, arrays of positions, boards, bytes, paths.

use crate::{
    errors::misplaced,
    value::{POLICE, THIEF},
};
use dragnet_formats::board::text;
use dragnet_probe::{Access, Board, Cell, Options, Pieces, Position, ProbeError, Side, Square};
use numpy::{PyArrayDyn, PyReadonlyArrayDyn, PyUntypedArrayMethods, prelude::*};
use pyo3::{
    Borrowed,
    exceptions::{PyOverflowError, PyTypeError, PyValueError},
    intern,
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyDict, PyInt, PyMemoryView, PyString, PyTuple},
};

/// A cell as it was named: it need not be on any board.
#[derive(Clone, Copy)]
pub(crate) struct NamedCell {
    row: i64,
    col: i64,
}

impl<'py> FromPyObject<'_, 'py> for NamedCell {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<NamedCell> {
        // A tuple is the common case; other pairs, arrays among them, take a detour.
        let named = match object.cast::<PyTuple>() {
            Ok(tuple) if tuple.len() == 2 => Some((tuple.get_item(0)?, tuple.get_item(1)?)),
            Ok(_) => None,
            Err(_) if object.is_instance_of::<PyString>() => None,
            Err(_) => object.extract::<[Bound<'_, PyAny>; 2]>().ok().map(|[row, col]| (row, col)),
        };
        let Some((row, col)) = named else {
            let message = format!("expected a cell as (row, column), found {}", object.repr()?);
            return Err(PyTypeError::new_err(message));
        };
        Ok(NamedCell { row: coordinate(&row)?, col: coordinate(&col)? })
    }
}

/// The officers' cells as they were named: one cell, or a sequence of cells.
pub(crate) struct NamedTeam(Vec<NamedCell>);

impl<'py> FromPyObject<'_, 'py> for NamedTeam {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<NamedTeam> {
        // A sequence whose elements are sequences; whatever else it may be, it is a cell or nothing. A tuple of integers is the
        // common case.
        let cell = object.is_instance_of::<PyString>()
            || object
                .cast::<PyTuple>()
                .is_ok_and(|tuple| tuple.get_borrowed_item(0).is_ok_and(|row| row.is_instance_of::<PyInt>()));
        let named = if cell { None } else { object.extract::<Vec<Bound<'_, PyAny>>>().ok() };
        let several = |first: &Bound<'_, PyAny>| !first.is_instance_of::<PyString>() && first.len().is_ok();
        match named {
            Some(cells) if cells.first().is_some_and(several) => {
                cells.iter().map(PyAnyMethods::extract).collect::<PyResult<_>>().map(NamedTeam)
            }
            _ => Ok(NamedTeam(vec![object.extract()?])),
        }
    }
}

impl NamedTeam {
    /// The officers on open cells, as many as there are.
    pub(crate) fn pieces(&self, board: &Board, officers: u8) -> PyResult<Pieces> {
        team(board, officers, self.0.iter().copied(), None)
    }
}

/// As many officers as `officers`, on open cells; `index` is the position's place among several.
fn team(
    board: &Board,
    officers: u8,
    named: impl ExactSizeIterator<Item = NamedCell>,
    index: Option<usize>,
) -> PyResult<Pieces> {
    let (expected, found) = (usize::from(officers), named.len());
    if expected != found {
        return Err(misplaced(ProbeError::Officers { expected, found }.to_string(), index));
    }
    let mut cells = [Cell::new(0, 0); Pieces::MAX];
    for (cell, named) in cells.iter_mut().zip(named) {
        *cell = open_cell(board, Side::Police, named, index)?;
    }
    Pieces::new(&cells[..found]).map_err(|error| misplaced(error.to_string(), index))
}

/// An integer; one that no board comes near is as good as any other such.
fn coordinate(object: &Bound<'_, PyAny>) -> PyResult<i64> {
    object.extract().or_else(|error: PyErr| {
        let py = object.py();
        if !error.is_instance_of::<PyOverflowError>(py) {
            return Err(error);
        }
        Ok(if object.lt(0)? { i64::MIN } else { i64::MAX })
    })
}

/// Who is to move.
pub(crate) struct Turn(pub(crate) Side);

impl<'py> FromPyObject<'_, 'py> for Turn {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Turn> {
        let word = object.cast::<PyString>().map_err(|_| {
            let found = object.repr().map_or_else(|error| error.to_string(), |text| text.to_string());
            PyTypeError::new_err(format!("expected 'police' or 'thief', found {found}"))
        })?;
        match word.to_cow()?.as_ref() {
            "police" => Ok(Turn(Side::Police)),
            "thief" => Ok(Turn(Side::Thief)),
            other => Err(PyValueError::new_err(format!("expected 'police' or 'thief', found {other:?}"))),
        }
    }
}

/// The open cell of `side`; `index` is the position's place among several.
pub(crate) fn open_cell(board: &Board, side: Side, named: NamedCell, index: Option<usize>) -> PyResult<Cell> {
    match (u16::try_from(named.row), u16::try_from(named.col)) {
        (Ok(row), Ok(col)) => {
            let cell = Cell::new(row, col);
            if board.is_open(cell) {
                return Ok(cell);
            }
            board.require_open(cell).map_err(|error| misplaced(format!("the {side}'s {error}"), index))
        }
        _ => {
            let (last_row, last_col) = (board.height() - 1, board.width() - 1);
            let NamedCell { row, col } = named;
            let message = format!(
                "the {side}'s cell {row},{col} is off the board, whose rows go from 0 to {last_row} and columns from 0 to {last_col}"
            );
            Err(misplaced(message, index))
        }
    }
}

/// The position with all pieces on open cells, and as many officers as `officers`.
pub(crate) fn position(
    board: &Board,
    officers: u8,
    police: &NamedTeam,
    thief: NamedCell,
    turn: Side,
) -> PyResult<Position> {
    Ok(Position {
        police: police.pieces(board, officers)?,
        thief: open_cell(board, Side::Thief, thief, None)?,
        turn,
    })
}

/// An array of integers of any type, as one of `i64` in reading order. It is copied only if it is not so already.
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
        // Numbers that no board comes near would turn negative.
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

/// The position on each of `n` rows, as `columns` find its numbers: two for each of so many officers, two for the thief, and the
/// side to move.
pub(crate) fn positions(
    board: &Board,
    officers: u8,
    n: usize,
    columns: [Column<'_>; 3],
) -> PyResult<Vec<Position>> {
    let [police, thief, turn] = columns;
    let named = |pair: &[i64]| NamedCell { row: pair[0], col: pair[1] };
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
            let thief = match thief.at(index) {
                &[row, col] => open_cell(board, Side::Thief, NamedCell { row, col }, Some(index)),
                _ => Err(PyValueError::new_err(format!(
                    "position {index} of those asked (from 0) has too few numbers"
                ))),
            };
            let police = team(board, officers, police.at(index).chunks_exact(2).map(named), Some(index))?;
            Ok(Position { police, thief: thief?, turn })
        })
        .collect()
}

/// Where in an array the numbers of a cell or a side are, position by position.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a> {
    /// All numbers, from the first position's on.
    pub(crate) numbers: &'a [i64],
    /// How many belong to one position.
    pub(crate) width: usize,
    /// How far it is to the next position's; 0 if all have the same.
    pub(crate) step: usize,
}

impl<'a> Column<'a> {
    fn at(&self, index: usize) -> &'a [i64] {
        let start = index * self.step;
        self.numbers.get(start..start + self.width).unwrap_or_default()
    }
}

/// The board in an argument: its text, or an array of squares as `Table.board` is one; with edges, as `Table.edges` has them,
/// the vertices of a graph.
pub(crate) fn board(object: &Bound<'_, PyAny>, edges: Option<&Bound<'_, PyAny>>) -> PyResult<Board> {
    let board = squares(object)?;
    let Some(edges) = edges else { return Ok(board) };
    let array = integers(edges, "edges of a graph")?;
    let pairs = match array.shape() {
        [_, 2] => array.as_slice()?.chunks_exact(2),
        [0, ..] => [].chunks_exact(2),
        _ => return Err(wrong_shape("edges", "(n, 2)", &array)),
    };
    if board.height() != 1 {
        let found = board.height();
        return Err(PyValueError::new_err(format!("expected one row of vertices of a graph, found {found}")));
    }
    // A number that is negative becomes one that no vertex has.
    let edges = pairs.map(|pair| (pair[0] as u64, pair[1] as u64));
    Board::of_edges(board.squares(), edges).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// An array whose shape does not fit.
pub(crate) fn wrong_shape(what: &str, expected: &str, array: &PyReadonlyArrayDyn<'_, i64>) -> PyErr {
    PyValueError::new_err(format!("expected {what} in the shape {expected}, found {:?}", array.shape()))
}

fn squares(object: &Bound<'_, PyAny>) -> PyResult<Board> {
    let wrong = |error: String| PyValueError::new_err(error);
    if let Ok(drawn) = object.cast::<PyString>() {
        let scenario = text::parse(drawn.to_cow()?.as_bytes()).map_err(|error| wrong(error.to_string()))?;
        return Ok(scenario.board);
    }
    let array = integers(object, "squares of a board")?;
    let &[height, width] = array.shape() else {
        return Err(wrong(format!(
            "expected a board as an array of 2 dimensions, found {}",
            array.shape().len()
        )));
    };
    let squares = array
        .as_slice()?
        .iter()
        .map(|&square| match square {
            0 => Ok(Square::Wall),
            1 => Ok(Square::Open),
            2 => Ok(Square::Exit),
            _ => Err(wrong(format!("expected squares 0 (wall), 1 (open) or 2 (exit), found {square}"))),
        })
        .collect::<PyResult<_>>()?;
    Board::new(height, width, squares).map_err(|error| wrong(error.to_string()))
}

/// How a table is opened.
pub(crate) fn options(cache_bytes: Option<u64>, access: &str) -> PyResult<Options> {
    let access = match access {
        "random" => Access::Random,
        "whole" => Access::Whole,
        _ => {
            return Err(PyValueError::new_err(format!(
                "expected access 'random' or 'whole', found {access:?}"
            )));
        }
    };
    let options = Options::default().access(access);
    Ok(cache_bytes.map_or(options, |bytes| options.cache_bytes(bytes)))
}

/// A copy of the bytes in `bytes`, `bytearray` or `memoryview`.
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
