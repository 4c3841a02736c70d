//! The class `Table`.

use crate::{
    arguments::{PathArgument, Places, SideArgument, integer},
    batch::{self, ColumnArgument},
    convert, copies,
    errors::table_error,
    nodes::Nodes,
    scan,
    value::{Value, WALL},
};
use dragnet_probe::{Board, Position, ProbeError, Side};
use numpy::{PyArray, PyArray2, PyArray3, PyArrayMethods};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyBytes, PyDict, PyTuple},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// An open pursuit table. Any number of threads may ask it.
///
/// There is nothing to close: the file is closed when nothing refers to the table any more.
///
/// >>> table = Open.path("formats/tests/golden/v2-speed.dtb").pursuit()
/// >>> table
/// <dragnet_probe.Table: 4x5, 450 positions>
#[pyclass(frozen, module = "dragnet_probe")]
pub(crate) struct Table {
    table: Arc<dragnet_probe::Table>,
    /// The file of the table, for messages.
    path: Option<PathBuf>,
    board: PyOnceLock<Py<PyArray2<u8>>>,
    cells: PyOnceLock<Py<PyArray2<i32>>>,
    edges: PyOnceLock<Py<PyArray2<i32>>>,
    nodes: Option<Nodes>,
}

impl Table {
    pub(crate) fn new(
        table: Arc<dragnet_probe::Table>,
        path: Option<PathBuf>,
        nodes: Option<Nodes>,
    ) -> Table {
        let (board, cells, edges) = (PyOnceLock::new(), PyOnceLock::new(), PyOnceLock::new());
        Table { table, path, board, cells, edges, nodes }
    }

    fn squares(&self) -> &Board {
        self.table.board()
    }

    fn thief(&self) -> &dragnet_formats::game::Places {
        &self.table.header().thief.places
    }

    fn officers(&self) -> u8 {
        self.table.officers()
    }

    /// Returns the table of the probe library.
    pub(crate) fn native(&self) -> &dragnet_probe::Table {
        &self.table
    }

    /// Returns the nodes of the graph, if the caller has named them.
    pub(crate) fn named(&self) -> Option<&Nodes> {
        self.nodes.as_ref()
    }

    fn places(&self) -> Places<'_> {
        Places { board: self.squares(), header: self.table.header(), nodes: self.named() }
    }

    /// Returns the position in the arguments of a call.
    pub(crate) fn position(
        &self,
        police: &Bound<'_, PyAny>,
        thief: &Bound<'_, PyAny>,
        turn: SideArgument,
        world: i64,
    ) -> PyResult<Position> {
        self.places().position(police, thief, turn.0, world)
    }

    /// Returns the file of the table, if it has one.
    fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the exception for an error of this table.
    pub(crate) fn failed(&self, error: ProbeError) -> PyErr {
        table_error(&error, self.path())
    }
}

#[pymethods]
impl Table {
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

    /// The squares of the board: 0 wall, 1 open, 2 exit. The array is read-only.
    ///
    /// >>> table.board
    /// array([[1, 1, 1, 1, 0],
    ///        [1, 0, 0, 1, 2],
    ///        [1, 0, 1, 1, 1],
    ///        [1, 1, 1, 0, 1]], dtype=uint8)
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let array = self.board.get_or_try_init(py, || {
            let squares: Vec<u8> = self.squares().squares().iter().map(|square| square.byte()).collect();
            read_only(py, squares, [self.height().into(), self.width().into()])
        })?;
        Ok(array.bind(py).clone())
    }

    /// The board as text: "#" wall, "." open, "E" exit. The vertices of a graph are a single row.
    ///
    /// >>> table.board_text.splitlines()
    /// ['....#', '.##.E', '.#...', '...#.']
    #[getter]
    fn board_text(&self) -> PyResult<String> {
        convert::board_text(self.squares())
    }

    /// The row and column of every place of the thief, exits included, in reading order: in most games of
    /// every open cell. The array is read-only.
    ///
    /// >>> table.cells[:3]
    /// array([[0, 0],
    ///        [0, 1],
    ///        [0, 2]], dtype=int32)
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let array = self.cells.get_or_try_init(py, || {
            let cells: Vec<i32> =
                self.thief().cells().flat_map(|cell| [cell.row.into(), cell.col.into()]).collect();
            let shape = [cells.len() / 2, 2];
            read_only(py, cells, shape)
        })?;
        Ok(array.bind(py).clone())
    }

    /// The edges of a board that is a graph, as (from, to) pairs of vertices, vertex by vertex; vertex v is
    /// the cell (0, v). None if the board consists of squares. The array is read-only.
    ///
    /// >>> table.edges is None
    /// True
    /// >>> Open.path("formats/tests/golden/v2-cops.dtb").pursuit().edges[:3].tolist()
    /// [[0, 9], [1, 8], [1, 10]]
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<i32>>>> {
        let Some(graph) = self.squares().graph() else { return Ok(None) };
        let array = self.edges.get_or_try_init(py, || {
            let of = |from: u32| graph.successors(from).iter().flat_map(move |&to| [from as i32, to as i32]);
            let numbers: Vec<i32> = (0..graph.vertices()).flat_map(of).collect();
            read_only(py, numbers, [graph.edges() as usize, 2])
        })?;
        Ok(Some(array.bind(py).clone()))
    }

    /// The nodes of a board that is a graph of NetworkX, in the order of its vertices; None if vertices are
    /// cells. A table with nodes takes a node wherever a cell is expected, and moves lead to nodes; it takes
    /// cells too, unless a node is a tuple.
    ///
    /// >>> table.nodes is None
    /// True
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyTuple>> {
        self.nodes.as_ref().map(|nodes| nodes.list(py))
    }

    /// Returns this table with nodes for the vertices of its graph, such as a graph of NetworkX: files have
    /// none. Without nodes for None. Raises ValueError if the board is no graph, or has another number of
    /// vertices.
    ///
    /// >>> graph = Open.path("formats/tests/golden/v2-cops.dtb").pursuit().with_nodes("abcdefghijk")
    /// >>> graph.best_move(["a", "a"], "d", "police")
    /// Move(side='police', to=('j', 'j'), outcome='police', dtw=2, world=0)
    fn with_nodes(&self, nodes: Option<&Bound<'_, PyAny>>) -> PyResult<Table> {
        let nodes = match (nodes, self.squares().graph()) {
            (None, _) => None,
            (Some(nodes), Some(graph)) => Some(Nodes::new(nodes, graph.vertices().into())?),
            (Some(_), None) => {
                return Err(PyValueError::new_err("expected the table of a graph, found one of squares"));
            }
        };
        Ok(Table::new(Arc::clone(&self.table), self.path.clone(), nodes))
    }

    /// Returns the bytes of the table, those of its file, which Open.bytes opens.
    ///
    /// >>> Open.bytes(table.to_bytes()).pursuit().digest == table.digest
    /// True
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        copies::to_bytes(py, &self.table, self.path())
    }

    /// Writes the table as a file, which Open.path opens. The file has its name only when it is whole; until
    /// then a file of that name stays as it was. Folders are made where they are missing. Nodes are not
    /// stored.
    ///
    /// >>> import tempfile
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     table.save(f"{folder}/copy.dtb")
    /// ...     Open.path(f"{folder}/copy.dtb").pursuit().digest == table.digest
    /// True
    fn save(&self, py: Python<'_>, path: PathArgument) -> PyResult<()> {
        copies::save(py, &self.table, self.path(), &path.0)
    }

    /// Returns the cells of all teams of officers, in the order of the rows of Table.all_values: a new
    /// (teams, officers, 2) array with the row and column of each officer.
    ///
    /// >>> teams = Open.path("formats/tests/golden/v2-team.dtb").pursuit().teams()
    /// >>> teams.shape, teams[2].tolist()
    /// ((120, 2, 2), [[0, 1], [0, 1]])
    fn teams<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<i32>>> {
        let officers = self.officers();
        let header = self.table.header();
        let cells: Vec<_> = header.places(Side::Police).cells().collect();
        let coordinates: Vec<i32> = py.detach(|| {
            let cells = header.team_numbers().teams(&cells).flat_map(|team| team.to_vec());
            cells.flat_map(|cell| [cell.row.into(), cell.col.into()]).collect()
        });
        let shape = [header.team_numbers().count() as usize, officers.into(), 2];
        PyArray::from_vec(py, coordinates).reshape(shape)
    }

    /// The text from which the game was made: for a game on a board or a graph a TOML document with the board
    /// and the rules. A program that gives a game of its own may say there what it likes, or nothing.
    ///
    /// >>> for line in Open.path("formats/tests/golden/v2-size.dtb").pursuit().source.splitlines():
    /// ...     print(line)
    /// board = '''
    /// ..#...##..##....#.
    /// .....#.#.E....#.#.
    /// '''
    #[getter]
    fn source(&self) -> &str {
        self.table.source()
    }

    /// The number of officers, 1 to 6.
    #[getter(officers)]
    fn officer_count(&self) -> u8 {
        self.officers()
    }

    /// The officers that move in a turn of the police: "all" or "one" of them.
    #[getter]
    fn team(&self) -> &'static str {
        convert::team(self.table.header().team)
    }

    /// The result for a side to move that has no move: "loses" or "wins".
    #[getter]
    fn stuck(&self) -> &'static str {
        convert::stuck(self.table.header().stuck)
    }

    /// The side that is said to win a draw, or "draw". Values do not depend on it: a draw is always a draw.
    #[getter]
    fn undecided(&self) -> &'static str {
        convert::undecided(self.table.undecided())
    }

    /// The layers of the officers' cells, 1 in most games. Row r of layer l is row l * height + r of a cell.
    #[getter]
    fn officer_layers(&self) -> usize {
        self.table.header().layers(Side::Police).count()
    }

    /// The layers of the thief's cells, 1 in most games.
    #[getter]
    fn thief_layers(&self) -> usize {
        self.table.header().layers(Side::Thief).count()
    }

    /// The number of worlds, 1 in most games. Each world is the whole board in another state, such as with
    /// other doors open or at another tick of a clock; a move may lead to another world. Questions about a
    /// position take the number of its world, from 0, as world.
    ///
    /// >>> Open.path("formats/tests/golden/v2-doors.dtb").pursuit().worlds
    /// 6
    #[getter]
    fn worlds(&self) -> u32 {
        self.table.header().worlds
    }

    /// The number of positions of all worlds, with either side to move.
    #[getter]
    fn positions(&self) -> u64 {
        self.table.header().positions()
    }

    /// The number of positions with each outcome, by the side to move.
    ///
    /// >>> table.counts["police"]
    /// Counts(police=46, thief=179, draw=0)
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let summary = &self.table.header().summary;
        let counts = PyDict::new(py);
        counts.set_item("police", convert::counts(py, &summary.police_to_move)?)?;
        counts.set_item("thief", convert::counts(py, &summary.thief_to_move)?)?;
        Ok(counts)
    }

    /// The longest win of each side in plies, with either side to move.
    #[getter]
    fn longest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        convert::longest(py, &self.table.header().summary.longest)
    }

    /// The content digest: equal for tables with the same values.
    ///
    /// >>> f"{table.digest:016x}"
    /// '32723dc9dd6fe3d9'
    #[getter]
    fn digest(&self) -> u64 {
        self.table.header().summary.digest
    }

    /// The rows and columns of the tiles that divide the cells of officers, of the first kind if there are
    /// several.
    #[getter]
    fn police_tile(&self) -> (u8, u8) {
        let [tile, _] = self.table.header().tiles();
        (tile.rows(), tile.cols())
    }

    /// The rows and columns of the tiles that divide the thief's cells.
    #[getter]
    fn thief_tile(&self) -> (u8, u8) {
        let [_, tile] = self.table.header().tiles();
        (tile.rows(), tile.cols())
    }

    /// The size of the table in bytes.
    #[getter]
    fn file_bytes(&self) -> u64 {
        self.table.file_len()
    }

    /// Returns the value of a position. With several officers, police is a sequence of their cells in any
    /// order; turn is the side to move, and world the number of the world. Raises PositionError if a piece
    /// has no place on its cell, or there is no such world.
    ///
    /// >>> table.value((3, 4), (2, 2), "police")
    /// Value('thief', 6)
    /// >>> Open.path("formats/tests/golden/v2-team.dtb").pursuit().value([(0, 0), (0, 6)], (1, 8), "police")
    /// Value('police', 1)
    #[pyo3(signature = (police, thief, turn, *, world = 0))]
    fn value(
        &self,
        police: &Bound<'_, PyAny>,
        thief: &Bound<'_, PyAny>,
        turn: SideArgument,
        #[pyo3(from_py_with = integer)] world: i64,
    ) -> PyResult<Value> {
        let position = self.position(police, thief, turn, world)?;
        let value = self.table.value(position).map_err(|error| self.failed(error))?;
        Ok(Value::new(value, position.turn))
    }

    /// Returns the winner of a terminal position: "police" if an officer captures the thief, as on the
    /// thief's cell, otherwise "thief" if he has escaped, as on an exit, otherwise "police" if an officer has
    /// arrived where that wins. Returns None if the position is not terminal, even if the side to move is
    /// stuck.
    ///
    /// >>> table.winner((0, 0), (1, 4), "police")
    /// 'thief'
    #[pyo3(signature = (police, thief, turn, *, world = 0))]
    fn winner(
        &self,
        police: &Bound<'_, PyAny>,
        thief: &Bound<'_, PyAny>,
        turn: SideArgument,
        #[pyo3(from_py_with = integer)] world: i64,
    ) -> PyResult<Option<&'static str>> {
        let winner = self
            .table
            .winner(self.position(police, thief, turn, world)?)
            .map_err(|error| self.failed(error))?;
        Ok(winner.map(|side| crate::value::name(side.into())))
    }

    /// Returns every legal move, best first: quick wins, slow wins, draws, slow losses, quick losses; equally
    /// good moves in reading order, then by worlds. The list is empty if the position is terminal or the side
    /// to move is stuck. With several officers, a move lists the cells of all of them after it.
    ///
    /// >>> for move in table.moves((3, 4), (2, 2), "police"):
    /// ...     print(move.to, move.outcome, move.dtw)
    /// (2, 4) thief 5
    /// (3, 0) thief 3
    #[pyo3(signature = (police, thief, turn, *, world = 0))]
    fn moves<'py>(
        &self,
        py: Python<'py>,
        police: &Bound<'_, PyAny>,
        thief: &Bound<'_, PyAny>,
        turn: SideArgument,
        #[pyo3(from_py_with = integer)] world: i64,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let position = self.position(police, thief, turn, world)?;
        let choices = self.table.best_moves(position).map_err(|error| self.failed(error))?;
        choices
            .iter()
            .map(|choice| convert::move_to(py, choice.position, choice.value, self.named()))
            .collect()
    }

    /// Returns the best move, the first of moves(), or None if there is no move.
    ///
    /// >>> table.best_move((3, 4), (2, 2), "police").cell
    /// (2, 4)
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
        let choice = self.table.best_move(position).map_err(|error| self.failed(error))?;
        choice.map(|choice| convert::move_to(py, choice.position, choice.value, self.named())).transpose()
    }

    /// Returns whether the police captures the thief within this many plies, if both sides play perfectly.
    ///
    /// >>> table.is_caught_within((0, 0), (2, 2), "police", plies=100)
    /// False
    #[pyo3(signature = (police, thief, turn, plies, *, world = 0))]
    fn is_caught_within(
        &self,
        police: &Bound<'_, PyAny>,
        thief: &Bound<'_, PyAny>,
        turn: SideArgument,
        plies: u32,
        #[pyo3(from_py_with = integer)] world: i64,
    ) -> PyResult<bool> {
        let position = self.position(police, thief, turn, world)?;
        self.table.is_caught_within(position, plies).map_err(|error| self.failed(error))
    }

    /// Returns optimal play from a position to the end, with the first in reading order of equally good
    /// moves. A draw is played until a position occurs again.
    ///
    /// >>> line = table.line((3, 4), (2, 2), "police")
    /// >>> line.value, len(line.moves), line.end
    /// (Value('thief', 6), 6, 'escaped')
    /// >>> line.moves[-1]
    /// Move(side='thief', to=(1, 4), outcome='thief', dtw=0, world=0)
    #[pyo3(signature = (police, thief, turn, *, world = 0))]
    fn line<'py>(
        &self,
        py: Python<'py>,
        police: &Bound<'_, PyAny>,
        thief: &Bound<'_, PyAny>,
        turn: SideArgument,
        #[pyo3(from_py_with = integer)] world: i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let position = self.position(police, thief, turn, world)?;
        let line = py.detach(|| self.table.line(position)).map_err(|error| self.failed(error))?;
        convert::line(py, &line, self.named())
    }

    /// Returns the values of many positions.
    ///
    /// Pass either one (n, 5) array of integers with the columns police row, police column, thief row, thief
    /// column, and side to move (POLICE or THIEF); or police and thief as (n, 2) arrays and turn as an (n,)
    /// array. A single cell, or "police" or "thief", stands for all positions. The arrays may have any
    /// integer type.
    ///
    /// With k officers, k above 1, the array has a row and a column for each of them, (n, 2 * k + 3) in all;
    /// or police is an (n, k, 2) array, or a single (k, 2) one.
    ///
    /// world is the number of the world of all positions, or an (n,) array with the world of each.
    ///
    /// Raises PositionError if one of the positions does not exist.
    ///
    /// >>> outcome, dtw = table.values([[0, 0, 3, 4, POLICE], [0, 0, 3, 4, THIEF]])
    /// >>> outcome, dtw
    /// (array([2, 2], dtype=int8), array([4, 3], dtype=int32))
    /// >>> table.values(police=(0, 0), thief=table.cells, turn="police").dtw
    /// array([0, 1, 6, 4, 1, 2, 0, 2, 4, 2, 2, 4, 6, 6, 4], dtype=int32)
    #[pyo3(
        signature = (
            positions = None, /, *, police = None, thief = None, turn = None, world = ColumnArgument::One([0])
        ),
        text_signature = "($self, positions=None, /, *, police=None, thief=None, turn=None, world=0)"
    )]
    fn values<'py>(
        &self,
        py: Python<'py>,
        positions: Option<&Bound<'py, PyAny>>,
        police: Option<&Bound<'py, PyAny>>,
        thief: Option<&Bound<'py, PyAny>>,
        turn: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = ColumnArgument::worlds)] world: ColumnArgument<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let positions = match (positions, police, thief, turn) {
            (Some(positions), None, None, None) => batch::from_array(self.places(), positions, world)?,
            (None, Some(police), Some(thief), Some(turn)) => {
                batch::from_columns(self.places(), police, thief, turn, world)?
            }
            _ => return Err(PyTypeError::new_err("expected either positions or police, thief and turn")),
        };
        let values = py.detach(|| batch::values(&self.table, self.path(), &positions))?;
        convert::values(py, values, [positions.len()])
    }

    /// Returns the values in one world with one piece on each of its places and the other piece fixed, as
    /// arrays with -1 elsewhere, such as at walls. They have the height of the board for each layer of the
    /// piece, and its width. Pass the cell of the fixed piece as police or thief. Several officers can only
    /// be fixed.
    ///
    /// >>> table.row(police=(0, 0), turn="police").dtw
    /// array([[ 0,  1,  6,  4, -1],
    ///        [ 1, -1, -1,  2,  0],
    ///        [ 2, -1,  4,  2,  2],
    ///        [ 4,  6,  6, -1,  4]], dtype=int32)
    #[pyo3(signature = (*, police = None, thief = None, turn, world = 0))]
    fn row<'py>(
        &self,
        py: Python<'py>,
        police: Option<&Bound<'py, PyAny>>,
        thief: Option<&Bound<'py, PyAny>>,
        turn: SideArgument,
        #[pyo3(from_py_with = integer)] world: i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let world = self.places().world(world, None)?;
        let (side, fixed) = match (police, thief, self.officers()) {
            (Some(team), None, _) => (Side::Police, self.places().police(team)?),
            (None, Some(cell), 1) => (Side::Thief, self.places().thief(cell)?.into()),
            (None, Some(_), officers) => {
                return Err(PyValueError::new_err(format!(
                    "expected police, the cells of {officers} officers, found thief: only one officer can be on each cell"
                )));
            }
            _ => return Err(PyTypeError::new_err("expected either police or thief, found both or none")),
        };
        let places = self.table.header().places(side.other());
        let values = py.detach(|| {
            let with = |other| match side {
                Side::Police => Position::new(fixed, other, turn.0),
                Side::Thief => Position::new(other, fixed.cell(), turn.0),
            };
            let positions: Vec<_> = places.cells().map(|cell| with(cell).in_world(world)).collect();
            let (outcomes, distances) = batch::values(&self.table, self.path(), &positions)?;
            let mut values = (vec![WALL; places.squares().len()], vec![-1; places.squares().len()]);
            for (square, (outcome, dtw)) in places.square_numbers().zip(outcomes.into_iter().zip(distances)) {
                values.0[square as usize] = outcome;
                values.1[square as usize] = dtw;
            }
            Ok::<_, PyErr>(values)
        })?;
        convert::values(py, values, [places.height().into(), places.width().into()])
    }

    /// Returns the values of all positions of one world with turn to move, as (N, N) arrays for the N cells
    /// of Table.cells: a row for each police cell, a column for each thief cell. With several officers, or if
    /// an officer has other places than the thief, there is a row for each team of Table.teams.
    ///
    /// The arrays take 5 bytes per position: 84 MB for an open board of 64x64, 500 MB for one of 100x100.
    /// Raises ValueError if that is more than max_bytes; Table.row serves larger boards.
    ///
    /// >>> outcome, dtw = table.all_values("thief")
    /// >>> outcome.shape, int((outcome == POLICE).sum()), table.counts["thief"].police
    /// ((15, 15), 16, 16)
    #[pyo3(signature = (turn, *, world = 0, max_bytes = 1_073_741_824))]
    fn all_values<'py>(
        &self,
        py: Python<'py>,
        turn: SideArgument,
        #[pyo3(from_py_with = integer)] world: i64,
        max_bytes: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let world = self.places().world(world, None)?;
        let rows = self.table.numbering().police().count() as usize;
        let cells = self.thief().count();
        let bytes = (rows as u64).saturating_mul(cells as u64 * BYTES_PER_VALUE);
        if bytes > max_bytes {
            let message = format!("expected at most {max_bytes} bytes (max_bytes) of values, found {bytes}");
            return Err(PyValueError::new_err(message));
        }
        let values = py.detach(|| scan::all_values(&self.table, self.path(), turn.0, world))?;
        convert::values(py, values, [rows, cells])
    }

    /// Checks every checksum, and that counts, longest wins and digest agree with the values. Raises
    /// DamagedTableError if not. (The program `dragnet verify` also derives every value again.)
    ///
    /// >>> table.check_sums()
    fn check_sums(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| scan::check_sums(&self.table, self.path()))
    }

    fn __repr__(&self) -> String {
        format!("<dragnet_probe.Table: {}x{}, {} positions>", self.height(), self.width(), self.positions())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<copies::Reduced<'py>> {
        copies::reduced(self.to_bytes(py)?, self.nodes(py))
    }
}

/// Bytes of an outcome and a distance.
const BYTES_PER_VALUE: u64 = 5;

/// Returns a read-only array, since all callers share it.
fn read_only<T: numpy::Element>(
    py: Python<'_>,
    numbers: Vec<T>,
    shape: [usize; 2],
) -> PyResult<Py<PyArray2<T>>> {
    let array = PyArray::from_vec(py, numbers).reshape(shape)?;
    array.call_method1("setflags", (false,))?;
    Ok(array.unbind())
}
