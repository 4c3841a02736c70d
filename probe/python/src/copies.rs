//! Copies of whole tables: bytes, files and pickles.

use crate::{
    errors::{file_error, table_error},
    nodes::Nodes,
    signals::Signals,
};
use dragnet_probe::ProbeError;
use pyo3::{PyClass, PyClassInitializer, intern, prelude::*, pyclass::boolean_struct::True, types::PyBytes};
use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

/// The reason why a table was not copied.
pub(crate) enum CopyError {
    /// The table cannot be read.
    Table(ProbeError),
    /// The file cannot be written.
    File(io::Error),
    /// The handler of a signal has raised an exception.
    Signal(PyErr),
}

impl From<ProbeError> for CopyError {
    fn from(error: ProbeError) -> CopyError {
        CopyError::Table(error)
    }
}

impl From<io::Error> for CopyError {
    fn from(error: io::Error) -> CopyError {
        CopyError::File(error)
    }
}

impl CopyError {
    /// Returns the exception; `from` is the table's file, if it has one, and `to` the one that is written.
    fn raised(self, from: Option<&Path>, to: &Path) -> PyErr {
        match self {
            CopyError::Table(error) => table_error(&error, from),
            CopyError::File(error) => file_error(&error, to),
            CopyError::Signal(raised) => raised,
        }
    }
}

/// A table that can be copied.
pub(crate) trait Copied: Sync {
    /// Calls `each` with all bytes, a piece at a time.
    fn pieces(&self, each: &mut dyn FnMut(&[u8]) -> Result<(), CopyError>) -> Result<(), CopyError>;
    /// Returns the file of the table, if it has one.
    fn path(&self) -> Option<&Path>;
}

/// Returns all bytes of a table.
///
/// # Errors
/// When it cannot be read, or on Ctrl-C.
pub(crate) fn to_bytes<'py>(py: Python<'py>, table: &dyn Copied) -> PyResult<Bound<'py, PyBytes>> {
    let mut bytes = Vec::new();
    let copied = py.detach(|| copy(table, &mut bytes));
    copied.map_err(|error| error.raised(table.path(), Path::new("")))?;
    Ok(PyBytes::new(py, &bytes))
}

/// Writes a table as the file `path`, which has its name only when it is whole. Until then a file of that
/// name stays as it was.
///
/// # Errors
/// When the table cannot be read or the file cannot be written, or on Ctrl-C.
pub(crate) fn save(py: Python<'_>, table: &dyn Copied, path: &Path) -> PyResult<()> {
    py.detach(|| write(table, path)).map_err(|error| error.raised(table.path(), path))
}

/// The function that a pickle calls, and its arguments.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyAny>,));

/// Returns what a pickle of a table calls: `from_bytes` of its class, and `with_nodes` of `plain`, the table
/// without them, if it has nodes.
///
/// # Errors
/// When the table cannot be read, or on Ctrl-C.
pub(crate) fn reduced<'py, T>(
    table: &Bound<'py, T>,
    nodes: Option<&Nodes>,
    plain: T,
) -> PyResult<Reduced<'py>>
where
    T: PyClass<Frozen = True> + Copied + Into<PyClassInitializer<T>>,
{
    let py = table.py();
    let call = py.import(intern!(py, "operator"))?.getattr(intern!(py, "methodcaller"))?;
    match nodes {
        Some(nodes) => {
            let call = call.call1((intern!(py, "with_nodes"), nodes.list(py)))?;
            Ok((call, (Bound::new(py, plain)?.into_any(),)))
        }
        None => {
            let call = call.call1((intern!(py, "from_bytes"), to_bytes(py, table.get())?))?;
            Ok((call, (py.get_type::<T>().into_any(),)))
        }
    }
}

fn write(table: &dyn Copied, path: &Path) -> Result<(), CopyError> {
    // The target of a link is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut prefix = OsString::from(".");
    prefix.push(target.file_name().unwrap_or_default());
    let mut builder = tempfile::Builder::new();
    // The program gives its temporary files such names, and removes those that are left over.
    builder.prefix(&prefix).suffix(".tmp");
    // A table is no secret: the permissions of any new file, which the umask narrows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    let _ = file.as_file().try_lock();
    copy(table, &mut file)?;
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    // The rename is durable once the folder is. A file system that cannot flush folders is no error.
    #[cfg(unix)]
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn copy(table: &dyn Copied, to: &mut dyn Write) -> Result<(), CopyError> {
    let mut signals = Signals::new();
    table.pieces(&mut |piece| {
        signals.check().map_err(CopyError::Signal)?;
        Ok(to.write_all(piece)?)
    })
}
