//! The class `Table`.

use crate::{
    arguments::{self, NamedCell, NamedTeam, Turn},
    batch,
    errors::of_table,
    python, sweep,
    value::{Value, WALL},
};
use dragnet_formats::{
    board::{Scenario, text},
    pieces::teams,
};
use dragnet_probe::{Board, Position, ProbeError, Side, Square};
use numpy::{PyArray, PyArray2, PyArray3, PyArrayMethods};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::PyDict,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// A table, open to be asked by any number of threads.
///
/// There is nothing to close: a table lives as long as something refers to it.
///
/// >>> table = Table.open("formats/tests/golden/v1-speed.dtb")
/// >>> table
/// <dragnet_probe.Table: 4x5, 450 positions>
#[pyclass(frozen, module = "dragnet_probe")]
pub(crate) struct Table {
    table: Arc<dragnet_probe::Table>,
    /// Its file, for messages.
    path: Option<PathBuf>,
    board: PyOnceLock<Py<PyArray2<u8>>>,
    cells: PyOnceLock<Py<PyArray2<i32>>>,
    edges: PyOnceLock<Py<PyArray2<i32>>>,
}

impl Table {
    pub(crate) fn new(table: Arc<dragnet_probe::Table>, path: Option<PathBuf>) -> Table {
        Table { table, path, board: PyOnceLock::new(), cells: PyOnceLock::new(), edges: PyOnceLock::new() }
    }

    fn opened(opened: Result<dragnet_probe::Table, ProbeError>, path: Option<PathBuf>) -> PyResult<Table> {
        match opened {
            Ok(table) => Ok(Table::new(Arc::new(table), path)),
            Err(error) => Err(of_table(&error, path.as_deref())),
        }
    }

    fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    fn squares(&self) -> &Board {
        self.table.board()
    }

    fn officers(&self) -> u8 {
        self.table.rules().officers
    }

    fn position(&self, police: &NamedTeam, thief: NamedCell, turn: Turn) -> PyResult<Position> {
        arguments::position(self.squares(), self.officers(), police, thief, turn.0)
    }

    fn failed(&self, error: ProbeError) -> PyErr {
        of_table(&error, self.path())
    }
}

#[pymethods]
impl Table {
    /// Opens a file as a memory map: nothing is read that is not asked for.
    ///
    /// The file must not be changed or cut short while the table is open; replacing it by renaming another over it is fine.
    /// Where that cannot be promised, use Table.read.
    ///
    /// cache_bytes: most bytes of unzipped blocks that are kept, 16 MiB unless told; tables that favour speed need none.
    /// access: "random" for a block here and a block there, "whole" for all positions, so that the disk may read ahead.
    ///
    /// >>> Table.open("formats/tests/golden/v1-speed.dtb").longest
    /// Longest(police=3, thief=20)
    #[staticmethod]
    #[pyo3(signature = (path, *, cache_bytes = None, access = "random"))]
    fn open(py: Python<'_>, path: PathBuf, cache_bytes: Option<u64>, access: &str) -> PyResult<Table> {
        let options = arguments::options(cache_bytes, access)?;
        let opened = py.detach(|| dragnet_probe::Table::open_with(&path, options));
        Table::opened(opened, Some(path))
    }

    /// Reads a whole file into memory: for files on media that may vanish, or that others may change.
    ///
    /// >>> Table.read("formats/tests/golden/v1-speed.dtb").height
    /// 4
    #[staticmethod]
    #[pyo3(signature = (path, *, cache_bytes = None))]
    fn read(py: Python<'_>, path: PathBuf, cache_bytes: Option<u64>) -> PyResult<Table> {
        let options = arguments::options(cache_bytes, "random")?;
        let opened = py.detach(|| dragnet_probe::Table::read_with(&path, options));
        Table::opened(opened, Some(path))
    }

    /// The table in a copy of these bytes: bytes, bytearray or memoryview.
    ///
    /// >>> with open("formats/tests/golden/v1-speed.dtb", "rb") as file:
    /// ...     Table.from_bytes(file.read()).width
    /// 5
    #[staticmethod]
    #[pyo3(signature = (data, *, cache_bytes = None))]
    fn from_bytes(py: Python<'_>, data: &Bound<'_, PyAny>, cache_bytes: Option<u64>) -> PyResult<Table> {
        let options = arguments::options(cache_bytes, "random")?;
        let bytes = arguments::bytes(data)?;
        Table::opened(py.detach(|| dragnet_probe::Table::from_bytes_with(bytes, options)), None)
    }

    /// Rows of the board.
    #[getter]
    fn height(&self) -> u16 {
        self.squares().height()
    }

    /// Columns of the board.
    #[getter]
    fn width(&self) -> u16 {
        self.squares().width()
    }

    /// The squares: 0 wall, 1 open, 2 exit. The array cannot be written to.
    ///
    /// >>> table.board
    /// array([[1, 1, 1, 1, 0],
    ///        [1, 0, 0, 1, 2],
    ///        [1, 0, 1, 1, 1],
    ///        [1, 1, 1, 0, 1]], dtype=uint8)
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let array = self.board.get_or_try_init(py, || {
            let number = |square: &Square| match square {
                Square::Wall => 0,
                Square::Open => 1,
                Square::Exit => 2,
            };
            let squares: Vec<u8> = self.squares().squares().iter().map(number).collect();
            fixed(py, squares, [self.height().into(), self.width().into()])
        })?;
        Ok(array.bind(py).clone())
    }

    /// The board as text: "#" wall, "." open, "E" exit. Of a graph, its vertices in a row.
    ///
    /// >>> table.board_text.splitlines()
    /// ['....#', '.##.E', '.#...', '...#.']
    #[getter]
    fn board_text(&self) -> PyResult<String> {
        let scenario = Scenario { board: self.squares().clone(), police: Vec::new(), thief: None };
        let drawn = text::write(&scenario).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(drawn.trim_end_matches('\n').to_owned())
    }

    /// The row and column of every cell where a piece can stand, in reading order. The array cannot be written to.
    ///
    /// >>> table.cells[:3]
    /// array([[0, 0],
    ///        [0, 1],
    ///        [0, 2]], dtype=int32)
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let array = self.cells.get_or_try_init(py, || {
            let cells: Vec<i32> =
                self.squares().open_cells().flat_map(|cell| [cell.row.into(), cell.col.into()]).collect();
            let shape = [cells.len() / 2, 2];
            fixed(py, cells, shape)
        })?;
        Ok(array.bind(py).clone())
    }

    /// The edges of the graph that the board is, as (from, to) pairs of vertices, vertex after vertex; vertex v is the
    /// cell (0, v). None if it is a board of squares. The array cannot be written to.
    ///
    /// >>> table.edges is None
    /// True
    /// >>> Table.open("formats/tests/golden/v1-cops.dtb").edges[:3].tolist()
    /// [[0, 9], [1, 8], [1, 10]]
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<i32>>>> {
        let Some(graph) = self.squares().graph() else { return Ok(None) };
        let array = self.edges.get_or_try_init(py, || {
            let of = |from: u32| graph.successors(from).iter().flat_map(move |&to| [from as i32, to as i32]);
            let numbers: Vec<i32> = (0..graph.vertices()).flat_map(of).collect();
            fixed(py, numbers, [graph.edges() as usize, 2])
        })?;
        Ok(Some(array.bind(py).clone()))
    }

    /// The cells of all teams of officers, (row, column) of each officer, in the order of the rows of Table.all_values: a new
    /// (teams, officers, 2) array, of 8 bytes per officer.
    ///
    /// >>> teams = Table.open("formats/tests/golden/v1-team.dtb").teams()
    /// >>> teams.shape, teams[2].tolist()
    /// ((120, 2, 2), [[0, 1], [0, 1]])
    fn teams<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<i32>>> {
        let officers = self.officers();
        let cells: Vec<_> = self.squares().open_cells().collect();
        let coordinates: Vec<i32> = py.detach(|| {
            let cells = teams(&cells, officers).flat_map(|team| team.to_vec());
            cells.flat_map(|cell| [cell.row.into(), cell.col.into()]).collect()
        });
        let shape = [coordinates.len() / 2 / usize::from(officers), officers.into(), 2];
        PyArray::from_vec(py, coordinates).reshape(shape)
    }

    /// The rules of the game.
    ///
    /// >>> table.rules.thief
    /// Movement(moves='king', may_pass=False, steps=1, reach=1)
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python::rules(py, self.table.rules())
    }

    /// How many positions there are, both sides to move.
    #[getter]
    fn positions(&self) -> u64 {
        self.table.header().positions()
    }

    /// How many positions each outcome has, by the side to move.
    ///
    /// >>> table.counts["police"]
    /// Counts(police=46, thief=179, draw=0)
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let summary = &self.table.header().summary;
        let counts = PyDict::new(py);
        counts.set_item("police", python::counts(py, &summary.police_to_move)?)?;
        counts.set_item("thief", python::counts(py, &summary.thief_to_move)?)?;
        Ok(counts)
    }

    /// The longest win of each side in plies, whoever is to move.
    #[getter]
    fn longest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python::longest(py, &self.table.header().summary.longest)
    }

    /// The content digest: tables with the same one say the same.
    ///
    /// >>> f"{table.digest:016x}"
    /// '32723dc9dd6fe3d9'
    #[getter]
    fn digest(&self) -> u64 {
        self.table.header().summary.digest
    }

    /// Rows and columns of the tiles in which the police officer is numbered.
    #[getter]
    fn police_tile(&self) -> (u8, u8) {
        let tile = self.table.header().police_tile;
        (tile.rows(), tile.cols())
    }

    /// Rows and columns of the tiles in which the thief is numbered.
    #[getter]
    fn thief_tile(&self) -> (u8, u8) {
        let tile = self.table.header().thief_tile;
        (tile.rows(), tile.cols())
    }

    /// Bytes of the whole table.
    #[getter]
    fn file_bytes(&self) -> u64 {
        self.table.file_len()
    }

    /// The value of a position. Of several officers police is a sequence of their cells, in any order.
    ///
    /// >>> table.value((3, 4), (2, 2), "police")
    /// Value('thief', 6)
    /// >>> Table.open("formats/tests/golden/v1-team.dtb").value([(0, 0), (0, 6)], (1, 8), "police")
    /// Value('police', 1)
    fn value(&self, police: NamedTeam, thief: NamedCell, turn: Turn) -> PyResult<Value> {
        let position = self.position(&police, thief, turn)?;
        let value = self.table.value(position).map_err(|error| self.failed(error))?;
        Ok(Value::new(value, position.turn))
    }

    /// Who has won the position without a move: "police" with an officer on the thief's cell, else "thief" on an exit, else "police" on
    /// one if the rules say so. None if the game goes on, or if the side to move is stuck.
    ///
    /// >>> table.winner((0, 0), (1, 4), "police")
    /// 'thief'
    fn winner(&self, police: NamedTeam, thief: NamedCell, turn: Turn) -> PyResult<Option<&'static str>> {
        let winner =
            self.table.winner(self.position(&police, thief, turn)?).map_err(|error| self.failed(error))?;
        Ok(winner.map(|side| crate::value::name(side.into())))
    }

    /// Every legal move, best first: quick wins, slow wins, draws, slow losses, quick losses; equals in reading order.
    /// Empty if the game is over or the side to move is stuck. Of several officers a move tells where all of them stand then.
    ///
    /// >>> for move in table.moves((3, 4), (2, 2), "police"):
    /// ...     print(move.to, move.outcome, move.dtw)
    /// (2, 4) thief 5
    /// (3, 0) thief 3
    fn moves<'py>(
        &self,
        py: Python<'py>,
        police: NamedTeam,
        thief: NamedCell,
        turn: Turn,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let position = self.position(&police, thief, turn)?;
        let choices = self.table.best_moves(position).map_err(|error| self.failed(error))?;
        choices.iter().map(|choice| python::move_to(py, position.turn, choice.to, choice.value)).collect()
    }

    /// Optimal play from a position to the end; of equally good moves the first in reading order. A draw is played until a
    /// position occurs again.
    ///
    /// >>> line = table.line((3, 4), (2, 2), "police")
    /// >>> line.value, len(line.moves), line.end
    /// (Value('thief', 6), 6, 'escaped')
    /// >>> line.moves[-1]
    /// Move(side='thief', to=(1, 4), outcome='thief', dtw=0)
    fn line<'py>(
        &self,
        py: Python<'py>,
        police: NamedTeam,
        thief: NamedCell,
        turn: Turn,
    ) -> PyResult<Bound<'py, PyAny>> {
        let position = self.position(&police, thief, turn)?;
        let played = py.detach(|| {
            let line = self.table.line(position)?;
            let winner = self.table.winner(line.moves.last().map_or(position, |last| last.position))?;
            Ok((line, winner))
        });
        let (line, winner) = played.map_err(|error| self.failed(error))?;
        python::line(py, &line, winner)
    }

    /// The values of many positions.
    ///
    /// Either of an (n, 5) array of integers whose columns are police row, police column, thief row, thief column, and the side
    /// to move, POLICE or THIEF; or of police and thief, (n, 2) arrays, and turn, an (n,) array. Instead of an array there
    /// may be a single cell, or "police" or "thief", for all positions. The arrays may have any integer type. The
    /// whole batch is refused if a position has no value. Of k officers, k above 1, the array has a row and a column of each
    /// first, (n, 2 * k + 3) in all; or police is an (n, k, 2) array, or a single (k, 2) one.
    ///
    /// >>> outcome, dtw = table.values([[0, 0, 3, 4, POLICE], [0, 0, 3, 4, THIEF]])
    /// >>> outcome, dtw
    /// (array([2, 2], dtype=int8), array([4, 3], dtype=int32))
    /// >>> table.values(police=(0, 0), thief=table.cells, turn="police").dtw
    /// array([0, 1, 6, 4, 1, 2, 0, 2, 4, 2, 2, 4, 6, 6, 4], dtype=int32)
    #[pyo3(signature = (positions = None, /, *, police = None, thief = None, turn = None))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        positions: Option<&Bound<'py, PyAny>>,
        police: Option<&Bound<'py, PyAny>>,
        thief: Option<&Bound<'py, PyAny>>,
        turn: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let positions = match (positions, police, thief, turn) {
            (Some(table), None, None, None) => batch::from_table(&self.table, table)?,
            (None, Some(police), Some(thief), Some(turn)) => {
                batch::from_columns(&self.table, police, thief, turn)?
            }
            _ => return Err(PyTypeError::new_err("expected either positions or police, thief and turn")),
        };
        let values = py.detach(|| batch::ask(&self.table, self.path(), &positions))?;
        python::values(py, values, [positions.len()])
    }

    /// The values of all cells of one piece while the other stands still, as (height, width) arrays; -1 in both at walls.
    /// Several officers stand still, and the thief is everywhere.
    ///
    /// >>> table.row(police=(0, 0), turn="police").dtw
    /// array([[ 0,  1,  6,  4, -1],
    ///        [ 1, -1, -1,  2,  0],
    ///        [ 2, -1,  4,  2,  2],
    ///        [ 4,  6,  6, -1,  4]], dtype=int32)
    #[pyo3(signature = (*, police = None, thief = None, turn))]
    fn row<'py>(
        &self,
        py: Python<'py>,
        police: Option<NamedTeam>,
        thief: Option<NamedCell>,
        turn: Turn,
    ) -> PyResult<Bound<'py, PyAny>> {
        let board = self.squares();
        let (side, still) = match (police, thief, self.officers()) {
            (Some(team), None, officers) => (Side::Police, team.pieces(board, officers)?),
            (None, Some(cell), 1) => {
                (Side::Thief, arguments::open_cell(board, Side::Thief, cell, None)?.into())
            }
            (None, Some(_), officers) => {
                return Err(PyValueError::new_err(format!(
                    "expected police: {officers} officers cannot each be everywhere while the thief stands still"
                )));
            }
            _ => return Err(PyTypeError::new_err("expected either police or thief")),
        };
        let values = py.detach(|| {
            let with = |other| match side {
                Side::Police => Position::new(still, other, turn.0),
                Side::Thief => Position::new(other, still.cell(), turn.0),
            };
            let positions: Vec<_> = board.open_cells().map(with).collect();
            let (outcomes, distances) = batch::ask(&self.table, self.path(), &positions)?;
            let mut values = (vec![WALL; board.squares().len()], vec![-1; board.squares().len()]);
            let squares = board.squares().iter().enumerate().filter(|&(_, &square)| square != Square::Wall);
            for ((square, _), (outcome, dtw)) in squares.zip(outcomes.into_iter().zip(distances)) {
                values.0[square] = outcome;
                values.1[square] = dtw;
            }
            Ok::<_, PyErr>(values)
        })?;
        python::values(py, values, [board.height().into(), board.width().into()])
    }

    /// The values of all positions with one side to move, as (N, N) arrays for the N cells of Table.cells: a row for each
    /// police cell, a column for each thief cell. Of several officers there is a row for each team of Table.teams.
    ///
    /// That takes 5 bytes per position: 84 MB for an open board of 64x64, 500 MB for one of 100x100. More than max_bytes
    /// bytes are a ValueError; for larger boards there is Table.row.
    ///
    /// >>> outcome, dtw = table.all_values("thief")
    /// >>> outcome.shape, int((outcome == POLICE).sum()), table.counts["thief"].police
    /// ((15, 15), 16, 16)
    #[pyo3(signature = (turn, *, max_bytes = 1_073_741_824))]
    fn all_values<'py>(&self, py: Python<'py>, turn: Turn, max_bytes: u64) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.table.numbering().police().count() as usize;
        let cells = self.squares().open_count();
        let bytes = (rows as u64).saturating_mul(cells as u64 * BYTES_PER_VALUE);
        if bytes > max_bytes {
            let message = format!("expected at most {max_bytes} bytes (max_bytes) of values, found {bytes}");
            return Err(PyValueError::new_err(message));
        }
        let values = py.detach(|| sweep::all_values(&self.table, self.path(), turn.0))?;
        python::values(py, values, [rows, cells])
    }

    /// Checks every checksum, and counts, longest wins and digest against the values. DamagedTableError if something
    /// is wrong. (The program's `dragnet verify` derives every value again, too.)
    ///
    /// >>> table.verify()
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| sweep::verify(&self.table, self.path()))
    }

    fn __repr__(&self) -> String {
        format!("<dragnet_probe.Table: {}x{}, {} positions>", self.height(), self.width(), self.positions())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a Table cannot be pickled; open its file where it is needed"))
    }
}

/// An outcome and a distance.
const BYTES_PER_VALUE: u64 = 5;

/// An array that cannot be written to, since all who ask get the same.
fn fixed<T: numpy::Element>(py: Python<'_>, numbers: Vec<T>, shape: [usize; 2]) -> PyResult<Py<PyArray2<T>>> {
    let array = PyArray::from_vec(py, numbers).reshape(shape)?;
    array.call_method1("setflags", (false,))?;
    Ok(array.unbind())
}
