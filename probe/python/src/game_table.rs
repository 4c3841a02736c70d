//! The class `GameTable`.

use crate::{
    arguments::{self, PathArgument},
    batch::{CHUNK, ValueColumns},
    convert, copies,
    errors::{damaged_error, number_error, table_error},
    nodes::{Nodes, no_node},
    signals::Signals,
    value::{distance, result_code},
};
use dragnet_formats::codec::value_of;
use dragnet_probe::{GameSummary, ProbeError, TableError};
use numpy::PyUntypedArrayMethods;
use pyo3::{
    prelude::*,
    types::{PyBytes, PyTuple},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// An open game table: the values of a game whose positions are numbered from 0, such as a game on a graph of
/// positions.
///
/// The table stores no moves; the caller supplies them. Any number of threads may ask it.
///
/// >>> game = Open.path("formats/tests/golden/v2-graph.dtb").game()
/// >>> game
/// <dragnet_probe.GameTable: 'graph', 131 positions>
#[pyclass(frozen, module = "dragnet_probe")]
pub(crate) struct GameTable {
    table: Arc<dragnet_probe::GameTable>,
    /// The file of the table, for messages.
    path: Option<PathBuf>,
    nodes: Option<Nodes>,
}

impl GameTable {
    pub(crate) fn new(
        table: Arc<dragnet_probe::GameTable>,
        path: Option<PathBuf>,
        nodes: Option<Nodes>,
    ) -> GameTable {
        GameTable { table, path, nodes }
    }

    /// Returns the file of the table, if it has one.
    fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    fn failed(&self, error: ProbeError) -> PyErr {
        table_error(&error, self.path())
    }

    /// Returns the number of a position, which is named by its node if positions have nodes.
    fn position(&self, object: &Bound<'_, PyAny>) -> PyResult<u64> {
        match &self.nodes {
            Some(nodes) => Ok(nodes.number(object)?.ok_or_else(|| no_node(object))?.into()),
            None => arguments::position_number(object, self.table.positions()),
        }
    }

    /// Returns the position numbers in an array of one dimension, or those of nodes.
    fn positions_in(&self, object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<u64>> {
        if self.nodes.is_some() {
            return object.try_iter()?.map(|node| self.position(&node?)).collect();
        }
        let array = arguments::integers(object, what)?;
        let [_] = array.shape() else {
            return Err(arguments::shape_error(what, "(n,)", &array));
        };
        let number = |(index, &number): (usize, &i64)| match u64::try_from(number) {
            Ok(position) if position < self.table.positions() => Ok(position),
            _ => Err(number_error(number, self.table.positions(), Some(index))),
        };
        array.as_slice()?.iter().enumerate().map(number).collect()
    }

    fn values_of(&self, positions: &[u64]) -> PyResult<ValueColumns> {
        let mut results = Vec::with_capacity(positions.len());
        let mut distances = Vec::with_capacity(positions.len());
        let mut signals = Signals::new();
        for chunk in positions.chunks(CHUNK) {
            signals.check()?;
            for value in self.table.values(chunk).map_err(|error| self.failed(error))? {
                results.push(result_code(value));
                distances.push(distance(value.dtw()));
            }
        }
        Ok((results, distances))
    }

    fn check(&self) -> PyResult<()> {
        self.table.check_sums(|_| ()).map_err(|error| self.failed(error))?;
        let mut found = GameSummary::default();
        let mut signals = Signals::new();
        let mut codes = Vec::new();
        for block in 0..self.table.numbering().block_count() {
            signals.check()?;
            self.table.block_codes(block, &mut codes).map_err(|error| self.failed(error))?;
            for (position, &code) in self.table.numbering().positions_of(block).zip(&codes) {
                let value = value_of(code).map_err(|source| TableError::Block { block, source });
                found.add(position, value.map_err(|error| self.failed(error.into()))?);
            }
        }
        let stored = self.table.summary();
        if found == *stored {
            return Ok(());
        }
        let message = format!("the header contradicts the values: expected {stored:?}, found {found:?}");
        Err(damaged_error(self.path(), &message))
    }
}

#[pymethods]
impl GameTable {
    /// The name of the game, for people: "graph" for a game on a graph.
    #[getter]
    fn name(&self) -> &str {
        &self.table.header().name
    }

    /// A number that tells games apart; for a game on a graph it is computed from the edges, see FORMAT.md.
    #[getter]
    fn key(&self) -> u64 {
        self.table.header().key
    }

    /// The number of positions, whose numbers begin at 0.
    #[getter]
    fn positions(&self) -> u64 {
        self.table.positions()
    }

    /// The number of positions that are won, lost and drawn for the player to move.
    ///
    /// >>> game.counts
    /// GameCounts(won=53, lost=74, drawn=4)
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        convert::game_counts(py, self.table.summary())
    }

    /// The longest distance of a won and of a lost position, in plies.
    ///
    /// >>> game.longest
    /// GameLongest(won=31, lost=30)
    #[getter]
    fn longest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        convert::game_longest(py, self.table.summary())
    }

    /// The content digest: equal for tables with the same values.
    #[getter]
    fn digest(&self) -> u64 {
        self.table.summary().digest
    }

    /// The size of the table in bytes.
    #[getter]
    fn file_bytes(&self) -> u64 {
        self.table.file_len()
    }

    /// The nodes of a game on a graph of NetworkX, in the order of their numbers; None if positions are
    /// numbers. A table with nodes takes and returns nodes in place of numbers.
    ///
    /// >>> game.nodes is None
    /// True
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyTuple>> {
        self.nodes.as_ref().map(|nodes| nodes.list(py))
    }

    /// Returns this table with nodes for its positions, such as a graph of NetworkX: files have none. Raises
    /// ValueError if there are more or fewer. Without nodes for None.
    ///
    /// >>> game.with_nodes(f"v{n}" for n in range(131)).value("v31")
    /// GameValue(result='won', dtw=31)
    fn with_nodes(&self, nodes: Option<&Bound<'_, PyAny>>) -> PyResult<GameTable> {
        let nodes = nodes.map(|nodes| Nodes::new(nodes, self.table.positions())).transpose()?;
        Ok(GameTable::new(Arc::clone(&self.table), self.path.clone(), nodes))
    }

    /// Returns the bytes of the table, those of its file, which Open.bytes opens.
    ///
    /// >>> Open.bytes(game.to_bytes()).game().digest == game.digest
    /// True
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        copies::to_bytes(py, &self.table, self.path())
    }

    /// Writes the table as a file, which Open.path opens, like Table.save.
    ///
    /// >>> import tempfile
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     game.save(f"{folder}/copy.dtb")
    /// ...     Open.path(f"{folder}/copy.dtb").game().digest == game.digest
    /// True
    fn save(&self, py: Python<'_>, path: PathArgument) -> PyResult<()> {
        copies::save(py, &self.table, self.path(), &path.0)
    }

    /// Returns the value of a position for the player to move. Raises PositionError if no position has this
    /// number.
    ///
    /// >>> game.value(31)
    /// GameValue(result='won', dtw=31)
    fn value<'py>(&self, py: Python<'py>, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let number = self.position(position)?;
        let value = self.table.value(number).map_err(|error| self.failed(error))?;
        convert::game_value(py, value)
    }

    /// Returns the values of many positions, given as an array of integers of any type. Raises PositionError
    /// if one of them does not exist.
    ///
    /// >>> result, dtw = game.values([31, 0, 130])
    /// >>> result, dtw
    /// (array([1, 2, 0], dtype=int8), array([31,  0, -1], dtype=int32))
    fn values<'py>(&self, py: Python<'py>, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let positions = self.positions_in(positions, "positions")?;
        let values = py.detach(|| self.values_of(&positions))?;
        convert::game_values(py, values)
    }

    /// Returns the successor that is best for the player who moves to it: a quick win, a slow win, a draw, a
    /// slow loss, a quick loss; the first of equally good ones. Returns None if there are no successors. In
    /// each of them the opponent must be to move, since the table does not know whose turn it is.
    ///
    /// >>> game.best([31, 0, 130])
    /// 0
    fn best<'py>(&self, successors: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        // NumPy would make an array of floats from an empty list.
        if successors.len().is_ok_and(|len| len == 0) {
            return Ok(None);
        }
        let numbers = self.positions_in(successors, "successors")?;
        let best = self.table.best(numbers).map_err(|error| self.failed(error))?;
        let py = successors.py();
        let position = |number: u64| match &self.nodes {
            Some(nodes) => nodes.of(py, number as usize),
            None => Ok(number.into_pyobject(py)?.into_any()),
        };
        best.map(|choice| position(choice.position)).transpose()
    }

    /// Checks every checksum, and that counts, longest distances and digest agree with the values. Raises
    /// DamagedTableError if not. (The program `dragnet verify --graph` also derives every value again.)
    ///
    /// >>> game.check_sums()
    fn check_sums(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.check())
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(usize::try_from(self.table.positions())?)
    }

    fn __repr__(&self) -> String {
        format!("<dragnet_probe.GameTable: '{}', {} positions>", self.name(), self.positions())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<copies::Reduced<'py>> {
        copies::reduced(self.to_bytes(py)?, self.nodes(py))
    }
}
