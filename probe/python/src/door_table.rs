//! The class `DoorTable`.

use crate::{
    arguments::{self, CellArgument, PathArgument, SideArgument},
    convert,
    errors::{position_error, table_error},
    value::{self, Value},
};
use dragnet_probe::{DoorBoard, DoorPosition, ProbeError, Side};
use pyo3::{
    Borrowed,
    exceptions::{PyIndexError, PyTypeError},
    prelude::*,
    types::PyTuple,
};
use std::path::PathBuf;

/// An open table on a board with doors, which `dragnet generate --doors` writes: cells that open and close by
/// keys that the pieces step on, or by a schedule.
///
/// It is asked for a DoorPosition. Any number of threads may ask it.
///
/// >>> table = DoorTable.open("formats/tests/golden/v1-doors.dtb")
/// >>> table
/// <dragnet_probe.DoorTable: 3x3, 2 doors, 768 positions>
#[pyclass(frozen, module = "dragnet_probe")]
pub(crate) struct DoorTable {
    table: dragnet_probe::DoorTable,
    /// The file of the table, for messages.
    path: Option<PathBuf>,
}

/// A `DoorPosition` in an argument, or a tuple like it.
struct PositionArgument {
    police: CellArgument,
    thief: CellArgument,
    turn: SideArgument,
    keys: i64,
    phase: i64,
}

impl<'py> FromPyObject<'_, 'py> for PositionArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<PositionArgument> {
        let tuple = object.cast::<PyTuple>().ok().filter(|tuple| tuple.len() == 5);
        let Some(tuple) = tuple else {
            let message = format!("expected a DoorPosition, found {}", object.repr()?);
            return Err(PyTypeError::new_err(message));
        };
        Ok(PositionArgument {
            police: tuple.get_item(0)?.extract()?,
            thief: tuple.get_item(1)?.extract()?,
            turn: tuple.get_item(2)?.extract()?,
            keys: arguments::integer(&tuple.get_item(3)?)?,
            phase: arguments::integer(&tuple.get_item(4)?)?,
        })
    }
}

impl DoorTable {
    fn opened(
        opened: Result<dragnet_probe::DoorTable, ProbeError>,
        path: Option<PathBuf>,
    ) -> PyResult<DoorTable> {
        match opened {
            Ok(table) => Ok(DoorTable { table, path }),
            Err(error) => Err(table_error(&error, path.as_deref())),
        }
    }

    fn game(&self) -> &DoorBoard {
        self.table.game()
    }

    fn failed(&self, error: ProbeError) -> PyErr {
        table_error(&error, self.path.as_deref())
    }

    /// Returns a position that exists.
    fn position(&self, asked: &PositionArgument) -> PyResult<DoorPosition> {
        let game = self.game();
        let police = arguments::open_cell(game.board(), Side::Police, asked.police, None)?;
        let thief = arguments::open_cell(game.board(), Side::Thief, asked.thief, None)?;
        let (keys, phases) = (game.keys().len(), game.phases());
        match (u8::try_from(asked.keys), u32::try_from(asked.phase)) {
            (Ok(turned), Ok(phase)) if u32::from(turned) >> keys == 0 && phase < phases => {
                Ok(DoorPosition { police, thief, turn: asked.turn.0, keys: turned, phase })
            }
            _ => {
                let (last, found) = ((1u32 << keys) - 1, (asked.keys, asked.phase));
                let message = format!(
                    "expected keys from 0 to {last} and a phase below {phases}, found the keys {} and the phase {}",
                    found.0, found.1
                );
                Err(position_error(message, None))
            }
        }
    }
}

#[pymethods]
impl DoorTable {
    /// Opens a file. Blocks are read when they are needed.
    ///
    /// The file may change while the table is open; calls then raise an error, and never answer wrongly.
    ///
    /// access: "random" if positions will be asked in any order, "whole" if all will be read, so that the
    /// system may read ahead. Raises WrongTableError if the table is of another game.
    #[staticmethod]
    #[pyo3(signature = (path, *, access = "random"))]
    fn open(py: Python<'_>, path: PathArgument, access: &str) -> PyResult<DoorTable> {
        let PathArgument(path) = path;
        let options = arguments::options(access)?;
        let opened = py.detach(|| dragnet_probe::DoorTable::open_with(&path, options));
        DoorTable::opened(opened, Some(path))
    }

    /// Opens a table in a copy of its bytes, which may be bytes, bytearray or memoryview.
    ///
    /// >>> with open("formats/tests/golden/v1-doors.dtb", "rb") as file:
    /// ...     DoorTable.from_bytes(file.read()).phases
    /// 3
    #[staticmethod]
    #[pyo3(signature = (data))]
    fn from_bytes(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<DoorTable> {
        let bytes = arguments::bytes(data)?;
        DoorTable::opened(py.detach(|| dragnet_probe::DoorTable::from_bytes(bytes)), None)
    }

    /// The number of rows of the board.
    #[getter]
    fn height(&self) -> u16 {
        self.game().board().height()
    }

    /// The number of columns of the board.
    #[getter]
    fn width(&self) -> u16 {
        self.game().board().width()
    }

    /// The board with all doors open, as text: "#" wall, "." open, "E" exit.
    ///
    /// >>> doors.board_text.splitlines()
    /// ['..#', '...', '.E.']
    #[getter]
    fn board_text(&self) -> PyResult<String> {
        convert::board_text(self.game().board())
    }

    /// The result for a side to move that has no move: "loses" or "wins".
    ///
    /// >>> doors.stuck
    /// 'loses'
    #[getter]
    fn stuck(&self) -> &'static str {
        convert::stuck(self.game().rules().stuck)
    }

    /// The side that is said to win a draw, or "draw". Values do not depend on it.
    #[getter]
    fn undecided(&self) -> &'static str {
        convert::undecided(self.game().rules().undecided)
    }

    /// The doors, each with its cell, and its key or its schedule.
    ///
    /// >>> for door in doors.doors:
    /// ...     print(door)
    /// Door(cell=(1, 2), key=(0, 1), schedule=None, open=True)
    /// Door(cell=(1, 0), key=None, schedule='..#', open=True)
    #[getter]
    fn doors<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.game().doors().iter().map(|door| convert::door(py, door)).collect()
    }

    /// The cells of the keys in reading order, which is the order of the bits of a position's keys.
    ///
    /// >>> doors.keys
    /// [(0, 1)]
    #[getter]
    fn keys(&self) -> Vec<(u16, u16)> {
        self.game().keys().iter().copied().map(convert::pair).collect()
    }

    /// The plies after which all schedules begin anew; 1 if no door has a schedule.
    #[getter]
    fn phases(&self) -> u32 {
        self.game().phases()
    }

    /// The number of positions.
    #[getter]
    fn positions(&self) -> u64 {
        self.game().positions()
    }

    /// The size of the table in bytes.
    #[getter]
    fn file_bytes(&self) -> u64 {
        self.table.table().file_len()
    }

    /// Returns whether a door is open in a position. Raises IndexError if there is no such door.
    ///
    /// >>> doors.is_open(0, DoorPosition((0, 0), (2, 2), "police", keys=1))
    /// False
    fn is_open(&self, door: usize, position: PositionArgument) -> PyResult<bool> {
        let at = self.position(&position)?;
        let doors = self.game().doors().len();
        if door >= doors {
            let message = format!("expected a door from 0 to {}, found {door}", doors - 1);
            return Err(PyIndexError::new_err(message));
        }
        Ok(self.game().is_open(door, at.keys, at.phase))
    }

    /// Returns the number of a position, by which a GameTable is asked for it.
    ///
    /// >>> doors.number(DoorPosition((1, 2), (0, 0), "police"))
    /// 32
    fn number(&self, position: PositionArgument) -> PyResult<u64> {
        let at = self.position(&position)?;
        Ok(self.game().number(at).expect("a position that exists has a number"))
    }

    /// Returns the position with a number; the opposite of number.
    ///
    /// >>> doors.position(32)
    /// DoorPosition(police=(1, 2), thief=(0, 0), turn='police', keys=0, phase=0)
    #[pyo3(name = "position")]
    fn position_of<'py>(&self, py: Python<'py>, number: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let number = arguments::position_number(number, self.game().positions())?;
        convert::door_position(py, self.game().position(number).expect("the number has been checked"))
    }

    /// Returns the value of a position.
    ///
    /// >>> doors.value(DoorPosition((1, 2), (0, 0), "police"))
    /// Value('police', 5)
    fn value(&self, position: PositionArgument) -> PyResult<Value> {
        let at = self.position(&position)?;
        Ok(Value::new(self.table.value(at).map_err(|error| self.failed(error))?, at.turn))
    }

    /// Returns every legal move, best first: quick wins, slow wins, draws, slow losses, quick losses. The
    /// list is empty if the position is terminal or the side to move is stuck.
    ///
    /// >>> doors.moves(DoorPosition((1, 2), (0, 0), "police"))[0].after
    /// DoorPosition(police=(0, 1), thief=(0, 0), turn='thief', keys=1, phase=1)
    fn moves<'py>(&self, py: Python<'py>, position: PositionArgument) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let at = self.position(&position)?;
        let choices = self.table.best_moves(at).map_err(|error| self.failed(error))?;
        choices.iter().map(|choice| convert::door_move(py, choice)).collect()
    }

    /// Returns the best move, the first of moves; None if the position is terminal or the side to move is
    /// stuck.
    ///
    /// >>> doors.best_move(DoorPosition((1, 2), (0, 0), "police")).dtw
    /// 4
    fn best_move<'py>(
        &self,
        py: Python<'py>,
        position: PositionArgument,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let at = self.position(&position)?;
        let best = self.table.best_move(at).map_err(|error| self.failed(error))?;
        best.map(|choice| convert::door_move(py, &choice)).transpose()
    }

    /// Returns the side that has won a terminal position; None if the position is not terminal.
    ///
    /// >>> doors.winner(DoorPosition((0, 0), (0, 0), "thief"))
    /// 'police'
    fn winner(&self, position: PositionArgument) -> PyResult<Option<&'static str>> {
        let at = self.position(&position)?;
        let winner = self.table.winner(at).map_err(|error| self.failed(error))?;
        Ok(winner.map(|side| value::name(side.into())))
    }

    /// Reads the whole table, and checks every checksum and the structure of every block. Raises
    /// DamagedTableError at the first damage.
    ///
    /// >>> doors.check_sums()
    fn check_sums(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.table.table().check_sums(|_| ())).map_err(|error| self.failed(error))?;
        Ok(())
    }

    fn __repr__(&self) -> String {
        let (doors, positions) = (self.game().doors().len(), self.game().positions());
        let (height, width) = (self.height(), self.width());
        format!("<dragnet_probe.DoorTable: {height}x{width}, {doors} doors, {positions} positions>")
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a DoorTable cannot be pickled; open its file where it is needed"))
    }
}
