//! The class `Open`.

use crate::{
    arguments::{self, PathArgument},
    errors::table_error,
    game_table::GameTable,
    mapped,
    partial_table::PartialTable,
    table::Table,
};
use dragnet_probe::{AnyTable, Bytes, ProbeError};
use pyo3::prelude::*;
use std::{path::PathBuf, sync::Arc};

/// A table to be opened: says where it is, and then as which kind of table it is opened. Nothing is looked at
/// before that.
///
/// >>> Open.path("formats/tests/golden/v2-speed.dtb").pursuit()
/// <dragnet_probe.Table: 4x5, 450 positions>
#[pyclass(frozen, module = "dragnet_probe")]
pub(crate) struct Open(Place);

/// The place of a table.
enum Place {
    File(PathBuf),
    WholeFile(PathBuf),
    MappedFile(PathBuf),
    Memory(Bytes),
}

impl Open {
    /// Returns what `open` opens, and the file of the table, if it has one.
    fn opened<T: Send>(
        &self,
        py: Python<'_>,
        open: impl FnOnce(dragnet_probe::Open) -> Result<T, ProbeError> + Send,
    ) -> PyResult<(T, Option<PathBuf>)> {
        let (place, path) = match &self.0 {
            Place::File(path) => (dragnet_probe::Open::path(path), Some(path.clone())),
            Place::WholeFile(path) => (dragnet_probe::Open::whole(path), Some(path.clone())),
            Place::MappedFile(path) => (mapped::open(path), Some(path.clone())),
            Place::Memory(bytes) => (dragnet_probe::Open::bytes(bytes.clone()), None),
        };
        match py.detach(|| open(place)) {
            Ok(table) => Ok((table, path)),
            Err(error) => Err(table_error(&error, path.as_deref())),
        }
    }
}

#[pymethods]
impl Open {
    /// Opens a file. Blocks are read when they are needed.
    ///
    /// The file may change while the table is open; calls then raise an error, and never answer wrongly.
    #[staticmethod]
    #[pyo3(signature = (path))]
    fn path(path: PathArgument) -> Open {
        Open(Place::File(path.0))
    }

    /// Reads a whole file into memory, which is not needed afterwards.
    ///
    /// >>> Open.whole("formats/tests/golden/v2-graph.dtb").game()
    /// <dragnet_probe.GameTable: 'graph', 131 positions>
    #[staticmethod]
    #[pyo3(signature = (path))]
    fn whole(path: PathArgument) -> Open {
        Open(Place::WholeFile(path.0))
    }

    /// Opens a file as a memory map. Processes share its memory, and blocks that are not compressed are read
    /// in place.
    ///
    /// Contract: nobody writes to the file or truncates it, in this process or another, while the table is
    /// open. Otherwise answers may be wrong, and the system may kill the process. Replacing the file by
    /// renaming another file over it is allowed.
    ///
    /// >>> Open.mapped("formats/tests/golden/v2-speed.dtb").pursuit().longest
    /// Longest(police=3, thief=20)
    #[staticmethod]
    #[pyo3(signature = (path))]
    fn mapped(path: PathArgument) -> Open {
        Open(Place::MappedFile(path.0))
    }

    /// Opens a copy of the bytes of a table, which may be bytes, bytearray or memoryview.
    ///
    /// >>> with open("formats/tests/golden/v2-moves-thief.dtb", "rb") as file:
    /// ...     Open.bytes(file.read()).partial().keeps
    /// 'moves-of-thief'
    #[staticmethod]
    #[pyo3(signature = (data))]
    fn bytes(data: &Bound<'_, PyAny>) -> PyResult<Open> {
        Ok(Open(Place::Memory(arguments::bytes(data)?.into())))
    }

    /// Opens a pursuit table. Raises WrongTableError if it is another one.
    fn pursuit(&self, py: Python<'_>) -> PyResult<Table> {
        let (table, path) = self.opened(py, dragnet_probe::Open::pursuit)?;
        Ok(Table::new(Arc::new(table), path, None))
    }

    /// Opens a game table. Raises WrongTableError if it is another one.
    fn game(&self, py: Python<'_>) -> PyResult<GameTable> {
        let (table, path) = self.opened(py, dragnet_probe::Open::game)?;
        Ok(GameTable::new(Arc::new(table), path, None))
    }

    /// Opens a partial table. Raises WrongTableError if it is another one.
    fn partial(&self, py: Python<'_>) -> PyResult<PartialTable> {
        let (table, path) = self.opened(py, dragnet_probe::Open::partial)?;
        Ok(PartialTable::new(Arc::new(table), path))
    }

    /// Opens a table of whichever kind it is.
    ///
    /// >>> Open.path("formats/tests/golden/v2-outcomes.dtb").any()
    /// <dragnet_probe.PartialTable: 2x18, keeps outcome>
    fn any<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (table, path) = self.opened(py, dragnet_probe::Open::any)?;
        Ok(match table {
            AnyTable::Pursuit(table) => Bound::new(py, Table::new(table, path, None))?.into_any(),
            AnyTable::Game(table) => Bound::new(py, GameTable::new(table, path, None))?.into_any(),
            AnyTable::Partial(table) => Bound::new(py, PartialTable::new(table, path))?.into_any(),
        })
    }
}

/// Opens a table in its bytes, and gives it its nodes: what a pickle of a table calls.
#[pyfunction]
pub(crate) fn _unpickled<'py>(
    data: &Bound<'py, PyAny>,
    nodes: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let table = Open::bytes(data)?.any(data.py())?;
    match nodes {
        Some(_) => table.call_method1("with_nodes", (nodes,)),
        None => Ok(table),
    }
}
