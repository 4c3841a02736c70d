//! How long bounds are brought nearer to each other.

use super::error::PolicyError;
use crate::observer::{Observer, Stage};

/// How near the bounds of [`Odds`](super::Odds) must come, and how long the work may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// The width of the intervals, above 0 and at most 1: of probabilities the difference of the bounds, of
    /// expected plies their difference as a share of the lower one.
    pub width: f64,
    /// The most rounds for each kind of number. Bounds that have not met by then are left as they are.
    pub rounds: u32,
}

impl Default for Precision {
    /// Returns a width of 10^-6 and 100,000 rounds.
    fn default() -> Precision {
        Precision { width: 1e-6, rounds: 100_000 }
    }
}

impl Precision {
    /// Checks the width.
    pub(super) fn check(self) -> Result<(), PolicyError> {
        let fits = self.width > 0.0 && self.width <= 1.0;
        if fits { Ok(()) } else { Err(PolicyError::Width { found: self.width.to_string() }) }
    }
}

/// The rounds of one kind of number after another.
pub(super) struct Rounds<'a> {
    precision: Precision,
    observer: &'a dyn Observer,
    /// The rounds of this kind of number.
    done: u32,
    /// Whether the bounds of all kinds have met so far.
    pub(super) met: bool,
}

impl<'a> Rounds<'a> {
    /// Creates the rounds of nothing yet.
    pub(super) fn new(precision: Precision, observer: &'a dyn Observer) -> Rounds<'a> {
        Rounds { precision, observer, done: 0, met: true }
    }

    /// Returns the width at which bounds have met.
    pub(super) fn width(&self) -> f64 {
        self.precision.width
    }

    /// Begins a kind of number, of which so many positions are open.
    pub(super) fn begin(&mut self, positions: u64) {
        self.done = 0;
        self.observer.stage(Stage::Bounding { positions });
    }

    /// Ends a round in which the bounds of `met` positions were near enough. Returns whether it was the last,
    /// with bounds that have not met: because it is the last that may be, or nothing has `changed`.
    pub(super) fn end_round(&mut self, met: u64, changed: bool) -> Result<bool, PolicyError> {
        self.done += 1;
        self.observer.round(self.done.into(), met);
        if self.observer.stop() {
            return Err(PolicyError::Stopped);
        }
        Ok(self.done >= self.precision.rounds || !changed)
    }
}
