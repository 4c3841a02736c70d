//! Stopping in the middle of long work, on one thread.

/// The work was stopped: whoever asked for it does not want it any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// Asks now and then whether long work is to stop.
///
/// ```
/// use dragnet_formats::stop::{StopCheck, Stopped};
/// use std::cell::Cell;
///
/// let wanted = Cell::new(true);
/// let stop = || !wanted.get();
/// let mut check = StopCheck::new(&stop);
/// assert_eq!(check.steps(10), Ok(()));
/// wanted.set(false);
/// // The question is asked after some steps, not at each of them.
/// assert_eq!(check.steps(StopCheck::STEPS), Err(Stopped));
/// ```
pub struct StopCheck<'a> {
    stop: &'a dyn Fn() -> bool,
    /// Steps until the next question.
    left: usize,
}

impl<'a> StopCheck<'a> {
    /// The steps between two questions. A step reads or writes a word of memory, which takes some nanoseconds
    /// at most.
    pub const STEPS: usize = 1 << 22;

    /// Creates the check that asks `stop`.
    #[must_use]
    pub fn new(stop: &'a dyn Fn() -> bool) -> StopCheck<'a> {
        StopCheck { stop, left: StopCheck::STEPS }
    }

    /// Creates the check of work that is never stopped.
    #[must_use]
    pub fn never() -> StopCheck<'static> {
        StopCheck::new(&|| false)
    }

    /// Counts steps that are about to be taken.
    ///
    /// # Errors
    /// [`Stopped`] if it was time to ask, and the work is to stop.
    #[inline]
    pub fn steps(&mut self, steps: usize) -> Result<(), Stopped> {
        if steps < self.left {
            self.left -= steps;
            return Ok(());
        }
        self.left = StopCheck::STEPS;
        if (self.stop)() { Err(Stopped) } else { Ok(()) }
    }
}
