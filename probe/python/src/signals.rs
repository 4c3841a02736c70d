//! Ctrl-C during long work.

use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// Looks for signals now and then while no Python runs. Python handles them in its main thread only.
pub(crate) struct Signals {
    last: Instant,
}

impl Signals {
    /// Asking takes the interpreter's lock, for which a thread may have to wait 5 ms while another runs Python.
    const EVERY: Duration = Duration::from_millis(100);

    pub(crate) fn new() -> Signals {
        Signals { last: Instant::now() }
    }

    /// The exception that a signal's handler has raised, if the last look is some time ago.
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
