//! The class `PartialTable`.

use crate::{
    arguments::{self, PathArgument, Places, SideArgument, integer},
    convert,
    errors::table_error,
    value,
};
use dragnet_probe::{Board, Keep, Position, ProbeError, Side};
use pyo3::{exceptions::PyTypeError, prelude::*};
use std::path::PathBuf;

/// An open partial table, which keeps a part of what a pursuit table knows, in less space: who wins each
/// position, or a best move of each position of one side. `dragnet pack --keep` writes it.
///
/// A question about something that it does not keep raises NotKeptError. Any number of threads may ask it.
///
/// >>> partial = PartialTable.open("formats/tests/golden/v2-outcomes.dtb")
/// >>> partial
/// <dragnet_probe.PartialTable: 2x18, keeps outcome>
#[pyclass(frozen, module = "dragnet_probe")]
pub(crate) struct PartialTable {
    table: dragnet_probe::PartialTable,
    /// The file of the table, for messages.
    path: Option<PathBuf>,
}

impl PartialTable {
    fn opened(
        opened: Result<dragnet_probe::PartialTable, ProbeError>,
        path: Option<PathBuf>,
    ) -> PyResult<PartialTable> {
        match opened {
            Ok(table) => Ok(PartialTable { table, path }),
            Err(error) => Err(table_error(&error, path.as_deref())),
        }
    }

    fn squares(&self) -> &Board {
        self.table.board()
    }

    fn position(
        &self,
        police: &Bound<'_, PyAny>,
        thief: &Bound<'_, PyAny>,
        turn: SideArgument,
        world: i64,
    ) -> PyResult<Position> {
        let header = &self.table.header().game;
        Places { board: self.squares(), header, nodes: None }.position(police, thief, turn.0, world)
    }

    fn failed(&self, error: ProbeError) -> PyErr {
        table_error(&error, self.path.as_deref())
    }
}

#[pymethods]
impl PartialTable {
    /// Opens a file. Blocks are read when they are needed.
    ///
    /// The file may change while the table is open; calls then raise an error, and never answer wrongly.
    ///
    /// access: "random" if positions will be asked in any order, "whole" if all will be read, so that the
    /// system may read ahead.
    ///
    /// >>> PartialTable.open("formats/tests/golden/v2-moves-police.dtb", access="whole").keeps
    /// 'moves-of-police'
    #[staticmethod]
    #[pyo3(signature = (path, *, access = "random"))]
    fn open(py: Python<'_>, path: PathArgument, access: &str) -> PyResult<PartialTable> {
        let PathArgument(path) = path;
        let options = arguments::options(access)?;
        let opened = py.detach(|| dragnet_probe::PartialTable::open_with(&path, options));
        PartialTable::opened(opened, Some(path))
    }

    /// Opens a partial table in a copy of its bytes, which may be bytes, bytearray or memoryview.
    ///
    /// >>> with open("formats/tests/golden/v2-moves-thief.dtb", "rb") as file:
    /// ...     PartialTable.from_bytes(file.read()).keeps
    /// 'moves-of-thief'
    #[staticmethod]
    #[pyo3(signature = (data))]
    fn from_bytes(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<PartialTable> {
        let bytes = arguments::bytes(data)?;
        PartialTable::opened(py.detach(|| dragnet_probe::PartialTable::from_bytes(bytes)), None)
    }

    /// The part that the table keeps, in the words of `dragnet pack --keep`: "outcome", "moves-of-police" or
    /// "moves-of-thief".
    ///
    /// >>> partial.keeps
    /// 'outcome'
    #[getter]
    fn keeps(&self) -> &'static str {
        match self.table.keep() {
            Keep::Outcomes => "outcome",
            Keep::MovesOf(Side::Police) => "moves-of-police",
            Keep::MovesOf(Side::Thief) => "moves-of-thief",
        }
    }

    /// The number of rows of the board.
    #[getter]
    fn height(&self) -> u16 {
        self.squares().height()
    }

    /// The number of columns of the board.
    #[getter]
    fn width(&self) -> u16 {
        self.squares().width()
    }

    /// The board as text: "#" wall, "." open, "E" exit. The vertices of a graph are a single row.
    ///
    /// >>> partial.board_text.splitlines()
    /// ['..#...##..##....#.', '.....#.#.E....#.#.']
    #[getter]
    fn board_text(&self) -> PyResult<String> {
        convert::board_text(self.squares())
    }

    /// The text from which the game was made: see Table.source.
    ///
    /// >>> partial.source.splitlines()[0]
    /// "board = '''"
    #[getter]
    fn source(&self) -> &str {
        self.table.source()
    }

    /// The number of officers, 1 to 6.
    #[getter]
    fn officers(&self) -> u8 {
        self.table.officers()
    }

    /// The number of worlds: see Table.worlds.
    #[getter]
    fn worlds(&self) -> u32 {
        self.table.header().game.worlds
    }

    /// The size of the table in bytes.
    #[getter]
    fn file_bytes(&self) -> u64 {
        self.table.file_len()
    }

    /// Returns who wins a position if both sides play perfectly: "police", "thief" or "draw". A draw counts
    /// for the side that is said to win it, if there is one. Raises NotKeptError if the table keeps moves.
    ///
    /// >>> partial.outcome((0, 8), (0, 12), "police")
    /// 'police'
    #[pyo3(signature = (police, thief, turn, *, world = 0))]
    fn outcome(
        &self,
        police: &Bound<'_, PyAny>,
        thief: &Bound<'_, PyAny>,
        turn: SideArgument,
        #[pyo3(from_py_with = integer)] world: i64,
    ) -> PyResult<&'static str> {
        let position = self.position(police, thief, turn, world)?;
        let outcome = self.table.outcome(position).map_err(|error| self.failed(error))?;
        Ok(value::name(outcome))
    }

    /// Returns a best move, or None if the position is terminal or the side to move is stuck. The winner who
    /// follows these moves wins as quickly as possible, and the loser loses as slowly. Raises NotKeptError if
    /// the table keeps outcomes, or the moves of the other side.
    ///
    /// >>> moves = PartialTable.open("formats/tests/golden/v2-moves-police.dtb")
    /// >>> moves.best_move([(0, 0), (0, 6)], (1, 8), "police")
    /// KeptMove(to=((0, 6), (1, 8)), world=0)
    #[pyo3(signature = (police, thief, turn, *, world = 0))]
    fn best_move<'py>(
        &self,
        py: Python<'py>,
        police: &Bound<'_, PyAny>,
        thief: &Bound<'_, PyAny>,
        turn: SideArgument,
        #[pyo3(from_py_with = integer)] world: i64,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let position = self.position(police, thief, turn, world)?;
        let after = self.table.best_move(position).map_err(|error| self.failed(error))?;
        after.map(|after| convert::kept_move(py, after)).transpose()
    }

    /// Reads the whole table, and checks every checksum and the structure of every block. Raises
    /// DamagedTableError at the first damage.
    ///
    /// >>> partial.check_sums()
    fn check_sums(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.table.check_sums(|_| ())).map_err(|error| self.failed(error))?;
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("<dragnet_probe.PartialTable: {}x{}, keeps {}>", self.height(), self.width(), self.keeps())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a PartialTable cannot be pickled; open its file where it is needed"))
    }
}
