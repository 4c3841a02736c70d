//! The class `GameTable`.

use crate::{
    arguments,
    errors::{beyond, damaged, of_table},
    python,
    signals::Signals,
    value::{distance, result_code},
};
use dragnet_formats::codec::value_of;
use dragnet_probe::{GameSummary, ProbeError, Value};
use numpy::PyUntypedArrayMethods;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};
use std::path::{Path, PathBuf};

/// The table of a game whose positions are numbers, open to be asked by any number of threads: a game on a graph, or any other
/// that somebody has solved.
///
/// It knows the value of each position and none of the moves, which whoever asks knows himself.
///
/// >>> game = GameTable.open("formats/tests/golden/v1-graph.dtb")
/// >>> game
/// <dragnet_probe.GameTable: 'graph', 131 positions>
#[pyclass(frozen, module = "dragnet_probe")]
pub(crate) struct GameTable {
    table: dragnet_probe::GameTable,
    /// Its file, for messages.
    path: Option<PathBuf>,
}

/// Positions that are asked between two looks for Ctrl-C.
const CHUNK: usize = 1 << 20;

impl GameTable {
    fn opened(
        opened: Result<dragnet_probe::GameTable, ProbeError>,
        path: Option<PathBuf>,
    ) -> PyResult<GameTable> {
        match opened {
            Ok(table) => Ok(GameTable { table, path }),
            Err(error) => Err(of_table(&error, path.as_deref())),
        }
    }

    fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    fn failed(&self, error: ProbeError) -> PyErr {
        of_table(&error, self.path())
    }

    /// The positions in an array of one dimension.
    fn positions_in(&self, object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<u64>> {
        let array = arguments::integers(object, what)?;
        let [_] = array.shape() else {
            let message = format!("expected {what} in the shape (n,), found {:?}", array.shape());
            return Err(PyValueError::new_err(message));
        };
        let number = |(index, &number): (usize, &i64)| match u64::try_from(number) {
            Ok(position) if position < self.table.positions() => Ok(position),
            _ => Err(beyond(number, self.table.positions(), Some(index))),
        };
        array.as_slice()?.iter().enumerate().map(number).collect()
    }

    fn ask(&self, positions: &[u64]) -> PyResult<(Vec<i8>, Vec<i32>)> {
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
        self.table.verify_checksums(|_| ()).map_err(|error| self.failed(error))?;
        let mut found = GameSummary::default();
        let mut signals = Signals::new();
        let mut codes = Vec::new();
        for block in 0..self.table.numbering().block_count() {
            signals.check()?;
            self.table.block_codes(block, &mut codes).map_err(|error| self.failed(error))?;
            for (position, &code) in self.table.numbering().positions_of(block).zip(&codes) {
                // The block's codes have been checked.
                found.add(position, value_of(code).unwrap_or(Value::Draw));
            }
        }
        let stored = self.table.summary();
        if found == *stored {
            return Ok(());
        }
        let message =
            format!("its values do not agree with its header: expected {stored:?}, found {found:?}");
        Err(damaged(self.path(), &message))
    }
}

#[pymethods]
impl GameTable {
    /// Opens a file as a memory map: nothing is read that is not asked for.
    ///
    /// The file must not be changed or cut short while the table is open; replacing it by renaming another over it is fine.
    /// Where that cannot be promised, use GameTable.read.
    ///
    /// cache_bytes: most bytes of unzipped blocks that are kept, 16 MiB unless told; tables that favour speed need none.
    /// access: "random" for a block here and a block there, "whole" for all positions, so that the disk may read ahead.
    #[staticmethod]
    #[pyo3(signature = (path, *, cache_bytes = None, access = "random"))]
    fn open(py: Python<'_>, path: PathBuf, cache_bytes: Option<u64>, access: &str) -> PyResult<GameTable> {
        let options = arguments::options(cache_bytes, access)?;
        let opened = py.detach(|| dragnet_probe::GameTable::open_with(&path, options));
        GameTable::opened(opened, Some(path))
    }

    /// Reads a whole file into memory: for files on media that may vanish, or that others may change.
    ///
    /// >>> GameTable.read("formats/tests/golden/v1-graph.dtb").positions
    /// 131
    #[staticmethod]
    #[pyo3(signature = (path, *, cache_bytes = None))]
    fn read(py: Python<'_>, path: PathBuf, cache_bytes: Option<u64>) -> PyResult<GameTable> {
        let options = arguments::options(cache_bytes, "random")?;
        let opened = py.detach(|| dragnet_probe::GameTable::read_with(&path, options));
        GameTable::opened(opened, Some(path))
    }

    /// The table in a copy of these bytes: bytes, bytearray or memoryview.
    ///
    /// >>> with open("formats/tests/golden/v1-graph.dtb", "rb") as file:
    /// ...     GameTable.from_bytes(file.read()).name
    /// 'graph'
    #[staticmethod]
    #[pyo3(signature = (data, *, cache_bytes = None))]
    fn from_bytes(py: Python<'_>, data: &Bound<'_, PyAny>, cache_bytes: Option<u64>) -> PyResult<GameTable> {
        let options = arguments::options(cache_bytes, "random")?;
        let bytes = arguments::bytes(data)?;
        GameTable::opened(py.detach(|| dragnet_probe::GameTable::from_bytes_with(bytes, options)), None)
    }

    /// What game it is, for people: "graph" for a game on a graph.
    #[getter]
    fn name(&self) -> &str {
        &self.table.header().name
    }

    /// Tells games apart; for a game on a graph a sum over its edges, see FORMAT.md.
    #[getter]
    fn key(&self) -> u64 {
        self.table.header().key
    }

    /// How many positions there are; they are numbered from 0.
    #[getter]
    fn positions(&self) -> u64 {
        self.table.positions()
    }

    /// How many positions are won, lost and drawn for the player to move.
    ///
    /// >>> game.counts
    /// GameCounts(won=53, lost=74, drawn=4)
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python::game_counts(py, self.table.summary())
    }

    /// The greatest distance of a won and of a lost position, in plies.
    ///
    /// >>> game.longest
    /// GameLongest(won=31, lost=30)
    #[getter]
    fn longest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python::game_longest(py, self.table.summary())
    }

    /// The content digest: tables with the same one say the same.
    #[getter]
    fn digest(&self) -> u64 {
        self.table.summary().digest
    }

    /// Bytes of the whole table.
    #[getter]
    fn file_bytes(&self) -> u64 {
        self.table.file_len()
    }

    /// The value of a position for the player who is to move in it.
    ///
    /// >>> game.value(31)
    /// GameValue(result='won', dtw=31)
    fn value<'py>(&self, py: Python<'py>, position: i64) -> PyResult<Bound<'py, PyAny>> {
        let number = u64::try_from(position).map_err(|_| beyond(position, self.table.positions(), None))?;
        let value = self.table.value(number).map_err(|error| self.failed(error))?;
        python::game_value(py, value)
    }

    /// The values of many positions, an array of integers of any type. The whole batch is refused if there is no such position.
    ///
    /// >>> result, dtw = game.values([31, 0, 130])
    /// >>> result, dtw
    /// (array([1, 2, 0], dtype=int8), array([31,  0, -1], dtype=int32))
    fn values<'py>(&self, py: Python<'py>, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let positions = self.positions_in(positions, "positions")?;
        let values = py.detach(|| self.ask(&positions))?;
        python::game_values(py, values)
    }

    /// Of the positions that a player's moves lead to the best for him: a quick win, a slow win, a draw, a slow loss, a quick
    /// loss; of equals the first. None if there is no move. The table does not know who is to move: each of these moves must
    /// pass the turn.
    ///
    /// >>> game.best([31, 0, 130])
    /// 0
    fn best(&self, successors: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
        // An empty list would be an array of floats.
        if successors.len().is_ok_and(|len| len == 0) {
            return Ok(None);
        }
        let successors = self.positions_in(successors, "successors")?;
        let best = self.table.best(successors).map_err(|error| self.failed(error))?;
        Ok(best.map(|choice| choice.position))
    }

    /// Checks every checksum, and counts, longest distances and digest against the values. DamagedTableError if something
    /// is wrong. (The program's `dragnet verify --graph` derives every value again, too.)
    ///
    /// >>> game.verify()
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.check())
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(usize::try_from(self.table.positions())?)
    }

    fn __repr__(&self) -> String {
        format!("<dragnet_probe.GameTable: '{}', {} positions>", self.name(), self.positions())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a GameTable cannot be pickled; open its file where it is needed"))
    }
}
