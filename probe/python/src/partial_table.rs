//! The class `PartialTable`.

use crate::{
    arguments::{Places, SideArgument, integer},
    convert,
    errors::table_error,
    value,
};
use dragnet_probe::{Board, Keep, Position, ProbeError, Side};
use pyo3::{exceptions::PyTypeError, prelude::*};
use std::{path::PathBuf, sync::Arc};

/// An open partial table, which keeps a part of what a pursuit table knows, in less space: who wins each
/// position, or a best move of each position of one side. `dragnet pack --keep` writes it.
///
/// A question about something that it does not keep raises NotKeptError. Any number of threads may ask it.
///
/// >>> partial = Open.path("formats/tests/golden/v2-outcomes.dtb").partial()
/// >>> partial
/// <dragnet_probe.PartialTable: 2x18, keeps outcome>
#[pyclass(frozen, module = "dragnet_probe")]
pub(crate) struct PartialTable {
    table: Arc<dragnet_probe::PartialTable>,
    /// The file of the table, for messages.
    path: Option<PathBuf>,
}

impl PartialTable {
    pub(crate) fn new(table: Arc<dragnet_probe::PartialTable>, path: Option<PathBuf>) -> PartialTable {
        PartialTable { table, path }
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
    /// >>> moves = Open.path("formats/tests/golden/v2-moves-police.dtb").partial()
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
