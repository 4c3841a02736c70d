//! Errors of the generator as Python exceptions.

use dragnet_generator::{GenerateError, SolveError};
use dragnet_policy::{PolicyError, cops::CopsError};
use dragnet_verify::VerifyError;
use pyo3::{
    exceptions::{PyKeyboardInterrupt, PyMemoryError, PyOSError, PyRuntimeError, PyValueError},
    prelude::*,
};
use std::{fmt::Display, io};

/// The exception classes of `dragnet_probe.errors`.
mod exceptions {
    pyo3::import_exception!(dragnet_probe.errors, DamagedTableError);
    pyo3::import_exception!(dragnet_probe.errors, DragnetError);
}

use exceptions::{DamagedTableError, DragnetError};

/// Returns a `ValueError`.
pub(crate) fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the exception for an error of the file system.
pub(crate) fn refused(error: &io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(number) => PyOSError::new_err((number, error.to_string())),
        None => PyOSError::new_err(error.to_string()),
    }
}

/// Returns the exception for a table that was not made.
pub(crate) fn not_made(error: &GenerateError) -> PyErr {
    match error {
        GenerateError::Pursuit(_) | GenerateError::Write(_) => wrong(error),
        GenerateError::Solve(SolveError::OutOfMemory(_)) => PyMemoryError::new_err(error.to_string()),
        GenerateError::Io(source) => refused(source),
        GenerateError::Stopped => PyKeyboardInterrupt::new_err(()),
        _ => PyRuntimeError::new_err(error.to_string()),
    }
}

/// Returns the exception for a table that does not pass.
pub(crate) fn not_verified(error: &VerifyError) -> PyErr {
    match error {
        VerifyError::Probe(_) => DamagedTableError::new_err(error.to_string()),
        VerifyError::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        VerifyError::Stopped => PyKeyboardInterrupt::new_err(()),
        _ => DragnetError::new_err(error.to_string()),
    }
}

/// Returns the exception for a capture time that was not determined.
pub(crate) fn not_captured(error: &CopsError) -> PyErr {
    match error {
        CopsError::Stopped => PyKeyboardInterrupt::new_err(()),
        _ => wrong(error),
    }
}

/// Returns the exception for a policy of which nothing is said.
pub(crate) fn nothing_said(error: &PolicyError) -> PyErr {
    match error {
        PolicyError::Solve(SolveError::OutOfMemory(_)) => PyMemoryError::new_err(error.to_string()),
        PolicyError::Stopped => PyKeyboardInterrupt::new_err(()),
        _ => wrong(error),
    }
}
