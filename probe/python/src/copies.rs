//! Copies of whole tables: bytes, files and pickles.

use crate::{
    errors::{file_error, table_error},
    signals::Signals,
};
use dragnet_formats::container::TableHeader;
use dragnet_probe::{BlockReader, ProbeError};
use pyo3::{
    intern,
    prelude::*,
    types::{PyBytes, PyTuple},
};
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

/// Returns all bytes of a table, whose file is `from`, if it has one.
///
/// # Errors
/// When it cannot be read, or on Ctrl-C.
pub(crate) fn to_bytes<'py, H: TableHeader<Numbering: Sync>>(
    py: Python<'py>,
    table: &BlockReader<H>,
    from: Option<&Path>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut bytes = Vec::new();
    let copied = py.detach(|| copy(table, &mut bytes));
    copied.map_err(|error| error.raised(from, Path::new("")))?;
    Ok(PyBytes::new(py, &bytes))
}

/// Writes a table, whose file is `from`, if it has one, as the file `to`, which has its name only when it is
/// whole. Until then a file of that name stays as it was.
///
/// # Errors
/// When the table cannot be read or the file cannot be written, or on Ctrl-C.
pub(crate) fn save<H: TableHeader<Numbering: Sync>>(
    py: Python<'_>,
    table: &BlockReader<H>,
    from: Option<&Path>,
    to: &Path,
) -> PyResult<()> {
    py.detach(|| write(table, to)).map_err(|error| error.raised(from, to))
}

/// The function that a pickle calls, and its arguments: the bytes of a table, and its nodes.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>, Option<Bound<'py, PyTuple>>));

/// Returns what a pickle of a table calls.
///
/// # Errors
/// When there is no such function.
pub(crate) fn reduced<'py>(
    bytes: Bound<'py, PyBytes>,
    nodes: Option<Bound<'py, PyTuple>>,
) -> PyResult<Reduced<'py>> {
    let py = bytes.py();
    let call = py.import(intern!(py, "dragnet_probe._native"))?.getattr(intern!(py, "_unpickled"))?;
    Ok((call, (bytes, nodes)))
}

fn write<H: TableHeader<Numbering: Sync>>(table: &BlockReader<H>, path: &Path) -> Result<(), CopyError> {
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

fn copy<H: TableHeader<Numbering: Sync>>(
    table: &BlockReader<H>,
    to: &mut dyn Write,
) -> Result<(), CopyError> {
    let mut signals = Signals::new();
    table.for_each_piece(|piece| {
        signals.check().map_err(CopyError::Signal)?;
        Ok(to.write_all(piece)?)
    })
}
