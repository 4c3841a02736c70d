//! Ctrl-C during long work.

use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// Checks for signals from time to time while no Python code runs. Python handles signals in its main thread
/// only.
pub(crate) struct Signals {
    last: Instant,
}

impl Signals {
    /// The time between two checks. A check takes the interpreter's lock, for which a thread may have to wait
    /// 5 ms, the switch interval of CPython, while another thread runs Python code.
    const EVERY: Duration = Duration::from_millis(100);

    pub(crate) fn new() -> Signals {
        Signals { last: Instant::now() }
    }

    /// Checks for signals if the last check is long enough ago.
    ///
    /// # Errors
    /// The exception that the handler of a signal has raised.
    pub(crate) fn check(&mut self) -> PyResult<()> {
        if self.last.elapsed() < Signals::EVERY {
            return Ok(());
        }
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "the method alone is of one lifetime only"
        )]
        let checked = Python::attach(|py| py.check_signals());
        self.last = Instant::now();
        checked
    }
}
