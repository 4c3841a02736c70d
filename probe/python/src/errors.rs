//! Errors of the library as exceptions.

use dragnet_probe::{ProbeError, TableError, TablebaseError};
use pyo3::{exceptions::PyOSError, prelude::*};
use std::{io, path::Path};

/// The exceptions of `dragnet_probe.errors`.
mod exceptions {
    pyo3::import_exception!(dragnet_probe.errors, DamagedTableError);
    pyo3::import_exception!(dragnet_probe.errors, MissingTableError);
    pyo3::import_exception!(dragnet_probe.errors, PositionError);
    pyo3::import_exception!(dragnet_probe.errors, WrongTableError);
}

use exceptions::{DamagedTableError, MissingTableError, PositionError, WrongTableError};

/// The exception for an error of a table; `path` is its file, if there is one.
pub(crate) fn of_table(error: &ProbeError, path: Option<&Path>) -> PyErr {
    match error {
        ProbeError::File { path, source } => of_file(source, path),
        ProbeError::InFile { path, source } => of_table(source, Some(path)),
        ProbeError::InBatch { source, .. }
            if !matches!(**source, ProbeError::Position { .. } | ProbeError::Officers { .. }) =>
        {
            of_table(source, path)
        }
        ProbeError::Position { .. }
        | ProbeError::Officers { .. }
        | ProbeError::Number { .. }
        | ProbeError::InBatch { .. } => misplaced(error.to_string(), None),
        ProbeError::Table(TableError::Kind { .. }) => {
            WrongTableError::new_err(in_file(path, &error.to_string()))
        }
        _ => damaged(path, &error.to_string()),
    }
}

/// The exception for an error of a folder of tables.
pub(crate) fn of_tablebase(error: &TablebaseError) -> PyErr {
    match error {
        TablebaseError::Folder { path, source } => of_file(source, path),
        TablebaseError::Damaged { source } => of_table(source, None),
        _ => MissingTableError::new_err(error.to_string()),
    }
}

/// `DamagedTableError`, with the name of the file before the message.
pub(crate) fn damaged(path: Option<&Path>, message: &str) -> PyErr {
    DamagedTableError::new_err(in_file(path, message))
}

/// A message with the name of the file before it.
fn in_file(path: Option<&Path>, message: &str) -> String {
    match path {
        Some(path) => format!("{}: {message}", path.display()),
        None => message.to_owned(),
    }
}

/// `PositionError` for a number that no position has; `index` is its place among several.
pub(crate) fn beyond(number: i64, positions: u64, index: Option<usize>) -> PyErr {
    misplaced(format!("expected a position from 0 to {}, found {number}", positions - 1), index)
}

/// `PositionError`; `index` is the position's place among several.
pub(crate) fn misplaced(message: String, index: Option<usize>) -> PyErr {
    match index {
        Some(index) => {
            PositionError::new_err((format!("position {index} of those asked (from 0): {message}"), index))
        }
        None => PositionError::new_err(message),
    }
}

/// `OSError` with its number, text and file name, of which Python makes `FileNotFoundError` and the like.
fn of_file(error: &io::Error, path: &Path) -> PyErr {
    let text = error.to_string();
    match error.raw_os_error() {
        Some(number) => {
            let text = text.trim_end_matches(&format!(" (os error {number})")).to_owned();
            // The fourth is for Windows, whose numbers are others.
            PyOSError::new_err((number, text, path.as_os_str().to_owned(), number))
        }
        None => {
            let number = if path.is_dir() { EISDIR } else { EINVAL };
            PyOSError::new_err((number, text, path.as_os_str().to_owned()))
        }
    }
}

/// "Is a directory" and "invalid argument", the same numbers on all systems that Python runs on.
const EISDIR: i32 = 21;
const EINVAL: i32 = 22;
