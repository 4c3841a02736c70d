//! The class `Tablebase`.

use crate::{
    arguments,
    errors::{of_table, of_tablebase},
    python::rules_from,
    table::Table,
};
use dragnet_probe::TablebaseOptions;
use pyo3::{exceptions::PyTypeError, prelude::*};
use std::path::PathBuf;

/// Tables in one folder or several, found by board and rules.
///
/// Reads the headers of all files that end in `.dtb`; folders in the folders are not looked into. A table is opened when it
/// is first asked for; of those that nothing refers to any more at most open_tables stay open. cache_bytes and access are
/// those of Table.open, for each table.
///
/// >>> tables = Tablebase("formats/tests/golden")
/// >>> len(tables)
/// 4
/// >>> tables.table(table.board, table.rules)
/// <dragnet_probe.Table: 4x5, 450 positions>
#[pyclass(frozen, module = "dragnet_probe")]
pub(crate) struct Tablebase(dragnet_probe::Tablebase);

/// One folder or several.
#[derive(FromPyObject)]
enum Folders {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

#[pymethods]
impl Tablebase {
    #[new]
    #[pyo3(signature = (folders, *, open_tables = 64, cache_bytes = None, access = "random"))]
    fn new(
        py: Python<'_>,
        folders: Folders,
        open_tables: usize,
        cache_bytes: Option<u64>,
        access: &str,
    ) -> PyResult<Tablebase> {
        let folders = match folders {
            Folders::One(folder) => vec![folder],
            Folders::Several(folders) => folders,
        };
        let table = arguments::options(cache_bytes, access)?;
        let options = TablebaseOptions::default().open_tables(open_tables).table(table);
        py.detach(|| dragnet_probe::Tablebase::open_with(&folders, options))
            .map(Tablebase)
            .map_err(|error| of_tablebase(&error))
    }

    /// The table for a board with its exits and for rules; of several the one in the folder that was named first.
    ///
    /// board: its text, or an array as Table.board is one. rules: "classic", "chase", "cops", or Rules; if they are left out
    /// "classic", for a graph "cops". edges: makes the board, of one row without walls, a graph; pairs of vertices, from
    /// and to, as in Table.edges.
    ///
    /// >>> tables = Tablebase("formats/tests/golden")
    /// >>> try:
    /// ...     tables.table("...\n.#E")
    /// ... except MissingTableError as error:
    /// ...     print(error)
    /// no table for this board of 2x3 and these rules among 4
    #[pyo3(signature = (board, rules = None, *, edges = None))]
    fn table(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        rules: Option<&Bound<'_, PyAny>>,
        edges: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Table> {
        let board = arguments::board(board, edges)?;
        let rules = rules.map_or_else(|| Ok(dragnet_probe::Rules::default_on(&board)), rules_from)?;
        let found = py.detach(|| self.0.table(&board, &rules));
        Ok(Table::new(found.map_err(|error| of_tablebase(&error))?, None))
    }

    /// The files of all tables, folder by folder, by name.
    #[getter]
    fn paths(&self) -> Vec<PathBuf> {
        self.0.paths().to_vec()
    }

    /// The errors of the files that end in `.dtb` and whose header could not be read. A table that is missing may be one of
    /// them.
    #[getter]
    fn unreadable(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        self.0.unreadable().iter().map(|error| of_table(error, None).into_value(py).into_any()).collect()
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
