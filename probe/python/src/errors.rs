//! Errors of the probe library as Python exceptions.

use dragnet_formats::container::TableKind;
use dragnet_probe::{ProbeError, TableError, TablebaseError};
use pyo3::{exceptions::PyOSError, prelude::*};
use std::{fmt::Display, io, path::Path};

/// The exception classes of `dragnet_probe.errors`.
mod exceptions {
    pyo3::import_exception!(dragnet_probe.errors, DamagedTableError);
    pyo3::import_exception!(dragnet_probe.errors, MissingTableError);
    pyo3::import_exception!(dragnet_probe.errors, NotKeptError);
    pyo3::import_exception!(dragnet_probe.errors, PositionError);
    pyo3::import_exception!(dragnet_probe.errors, TooMuchWorkError);
    pyo3::import_exception!(dragnet_probe.errors, WrongTableError);
}

use exceptions::{
    DamagedTableError, MissingTableError, NotKeptError, PositionError, TooMuchWorkError, WrongTableError,
};

/// Returns the exception for an error of a table; `path` is the table's file, if it has one.
pub(crate) fn table_error(error: &ProbeError, path: Option<&Path>) -> PyErr {
    match error {
        ProbeError::File { path, source } => file_error(source, path),
        ProbeError::InFile { path, source } => table_error(source, Some(path)),
        ProbeError::TooMuchWork { .. } => TooMuchWorkError::new_err(error.to_string()),
        ProbeError::NotKept { .. } => NotKeptError::new_err(in_file(path, &error.to_string())),
        ProbeError::Changed { .. } => DamagedTableError::new_err(error.to_string()),
        ProbeError::InBatch { source, .. }
            if !matches!(
                **source,
                ProbeError::Position { .. }
                    | ProbeError::NoPlace { .. }
                    | ProbeError::World { .. }
                    | ProbeError::Officers { .. }
            ) =>
        {
            table_error(source, path)
        }
        ProbeError::Position { .. }
        | ProbeError::NoPlace { .. }
        | ProbeError::Officers { .. }
        | ProbeError::Number { .. }
        | ProbeError::World { .. }
        | ProbeError::InBatch { .. } => position_error(error.to_string(), None),
        ProbeError::Table(TableError::Kind { found, .. }) => {
            let call = match found {
                TableKind::Pursuit => "Open.pursuit",
                TableKind::Game => "Open.game",
                TableKind::Partial => "Open.partial",
            };
            WrongTableError::new_err(in_file(path, &format!("{error}, with {call}")))
        }
        _ => damaged_error(path, &error.to_string()),
    }
}

/// Returns the exception for an error of a tablebase.
pub(crate) fn tablebase_error(error: &TablebaseError) -> PyErr {
    match error {
        TablebaseError::Folder { path, source } => file_error(source, path),
        TablebaseError::Damaged { source } => table_error(source, None),
        _ => MissingTableError::new_err(error.to_string()),
    }
}

/// Returns a `DamagedTableError` whose message begins with the file.
pub(crate) fn damaged_error(path: Option<&Path>, message: &str) -> PyErr {
    DamagedTableError::new_err(in_file(path, message))
}

/// Returns a message that begins with the file, if there is one.
fn in_file(path: Option<&Path>, message: &str) -> String {
    match path {
        Some(path) => format!("{}: {message}", path.display()),
        None => message.to_owned(),
    }
}

/// Returns the `PositionError` for a number that no position of a game table has; `index` is its index in a
/// batch.
pub(crate) fn number_error(number: impl Display, positions: u64, index: Option<usize>) -> PyErr {
    position_error(format!("expected a position from 0 to {}, found {number}", positions - 1), index)
}

/// Returns a `PositionError`; `index` is the position's index in a batch.
pub(crate) fn position_error(message: String, index: Option<usize>) -> PyErr {
    match index {
        Some(index) => {
            PositionError::new_err((format!("position {index} of those asked (from 0): {message}"), index))
        }
        None => PositionError::new_err(message),
    }
}

/// Returns an `OSError` with number, text and file name, from which Python picks a subclass such as
/// `FileNotFoundError`.
pub(crate) fn file_error(error: &io::Error, path: &Path) -> PyErr {
    let text = error.to_string();
    match error.raw_os_error() {
        Some(number) => {
            let text = text.trim_end_matches(&format!(" (os error {number})")).to_owned();
            // The fourth argument is the number on Windows, where the first is ignored.
            PyOSError::new_err((number, text, path.as_os_str().to_owned(), number))
        }
        None => {
            let number = if path.is_dir() { EISDIR } else { EINVAL };
            PyOSError::new_err((number, text, path.as_os_str().to_owned()))
        }
    }
}

/// "Is a directory", the same number on all systems that Python runs on.
const EISDIR: i32 = 21;
/// "Invalid argument", the same number on all systems that Python runs on.
const EINVAL: i32 = 22;
