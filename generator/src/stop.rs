//! Stopping in the middle of some work.

use crate::{observer::Observer, solve_error::SolveError};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The observer's wish that the work stops, asked for now and then and remembered, so that all threads learn
/// of it soon.
#[derive(Clone, Copy)]
pub struct StopRequest<'a> {
    observer: &'a dyn Observer,
    received: &'a AtomicBool,
}

/// Pieces of work of about a microsecond from one question to the next.
const PIECES: u32 = 256;

impl<'a> StopRequest<'a> {
    /// Creates the request that sets `received` when it comes.
    #[must_use]
    pub fn new(observer: &'a dyn Observer, received: &'a AtomicBool) -> StopRequest<'a> {
        StopRequest { observer, received }
    }

    /// Creates the request that never comes.
    pub(crate) fn never() -> StopRequest<'static> {
        static RECEIVED: AtomicBool = AtomicBool::new(false);
        StopRequest::new(&(), &RECEIVED)
    }

    /// Returns the observer.
    #[must_use]
    pub fn observer(&self) -> &'a dyn Observer {
        self.observer
    }

    /// Returns whether the observer wants the work to stop, without asking it.
    #[must_use]
    #[inline(always)]
    pub fn is_received(&self) -> bool {
        self.received.load(Relaxed)
    }

    /// Asks the observer whether the work is to stop.
    #[must_use]
    pub fn ask(&self) -> bool {
        if self.observer.stop() {
            self.received.store(true, Relaxed);
        }
        self.is_received()
    }

    /// Asks the observer whether the work may go on.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if not.
    pub fn check(&self) -> Result<(), SolveError> {
        if self.ask() { Err(SolveError::Stopped) } else { Ok(()) }
    }

    /// Returns whether the work is to stop, and asks the observer if `pieces`, which counts the calls of one
    /// thread, says that the last question was some time ago. For loops over pieces of about a microsecond.
    #[inline(always)]
    pub fn ask_at_times(&self, pieces: &mut u32) -> bool {
        *pieces += 1;
        if *pieces < PIECES {
            return self.is_received();
        }
        *pieces = 0;
        self.ask()
    }
}
