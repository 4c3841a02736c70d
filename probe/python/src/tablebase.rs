//! The class `Tablebase`.

use crate::{
    arguments::PathArgument,
    errors::{table_error, tablebase_error},
    table::Table,
};
use dragnet_probe::Setting;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};
use std::path::PathBuf;

/// The pursuit tables in one folder or several, found by board and rules.
///
/// The constructor reads the header of each file whose name ends in `.dtb`; subfolders are not searched, and
/// game tables are skipped. A table is opened, as by Open.path, when it is first asked for. At most
/// open_tables tables stay open that nothing refers to.
///
/// >>> tables = Tablebase("formats/tests/golden")
/// >>> len(tables)
/// 11
/// >>> tables.table(table.source)
/// <dragnet_probe.Table: 4x5, 450 positions>
#[pyclass(frozen, module = "dragnet_probe")]
pub(crate) struct Tablebase(dragnet_probe::Tablebase);

/// One folder or several.
#[derive(FromPyObject)]
enum Folders {
    One(PathArgument),
    Several(Vec<PathArgument>),
}

#[pymethods]
impl Tablebase {
    #[new]
    #[pyo3(signature = (folders, *, open_tables = 64))]
    fn new(py: Python<'_>, folders: Folders, open_tables: usize) -> PyResult<Tablebase> {
        let folders = match folders {
            Folders::One(PathArgument(folder)) => vec![folder],
            Folders::Several(folders) => folders.into_iter().map(|PathArgument(folder)| folder).collect(),
        };
        py.detach(|| dragnet_probe::Tablebase::open(&folders))
            .map(|tables| Tablebase(tables.keep_open(open_tables)))
            .map_err(|error| tablebase_error(&error))
    }

    /// Returns the table for the board and the rules of a TOML document such as Table.source. Start cells do
    /// not matter. If several tables fit, the one in the folder named first is taken.
    ///
    /// Raises MissingTableError if there is no such table, and ValueError if the document cannot be read.
    ///
    /// >>> tables = Tablebase("formats/tests/golden")
    /// >>> try:
    /// ...     tables.table("board = '''\n..E\n'''\n")
    /// ... except MissingTableError as error:
    /// ...     print(error)
    /// no table for this board of 1x3 and these rules among 11
    fn table(&self, py: Python<'_>, source: &str) -> PyResult<Table> {
        let setting = Setting::from_source(source);
        let setting = setting.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let found = py.detach(|| self.0.table(&setting));
        Ok(Table::new(found.map_err(|error| tablebase_error(&error))?, None, None))
    }

    /// The paths of all tables, in the order of folders and then of names.
    #[getter]
    fn paths(&self) -> Vec<PathBuf> {
        self.0.paths().to_vec()
    }

    /// The errors of the files whose name ends in `.dtb` and whose header is invalid. A missing table may be
    /// one of them.
    #[getter]
    fn unreadable(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        self.0.unreadable().iter().map(|error| table_error(error, None).into_value(py).into_any()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.paths().len()
    }

    fn __repr__(&self) -> String {
        format!("<dragnet_probe.Tablebase: {} tables>", self.0.paths().len())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a Tablebase cannot be pickled; open its folders where it is needed"))
    }
}
