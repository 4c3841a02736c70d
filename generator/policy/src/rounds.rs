//! How long bounds are brought nearer to each other.

use super::error::PolicyError;
use dragnet_generator::{Stage, StopRequest};

/// How near the bounds of [`Odds`](super::Odds) must come, and how long the work may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// The width of the intervals, above 0 and at most 1: of probabilities the difference of the bounds, of
    /// expected plies their difference as a share of the lower one.
    pub width: f64,
    /// The most rounds for each kind of number, those among them that only approximate it. Bounds that have
    /// not met by then are left as they are.
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
    stop: StopRequest<'a>,
    /// The rounds of this kind of number.
    done: u32,
    /// The rounds after which a leap is tried.
    leap_at: u32,
    /// The rounds after which a leap that is tried ends.
    leap_end: u32,
    /// The positions whose bounds were near enough in the last round of bounds.
    positions_met: u64,
    /// Whether the bounds of all kinds have met so far.
    pub(super) met: bool,
}

impl<'a> Rounds<'a> {
    /// Creates the rounds of nothing yet.
    pub(super) fn new(precision: Precision, stop: StopRequest<'a>) -> Rounds<'a> {
        Rounds { precision, stop, done: 0, leap_at: 0, leap_end: 0, positions_met: 0, met: true }
    }

    /// Returns the width at which bounds have met.
    pub(super) fn width(&self) -> f64 {
        self.precision.width
    }

    /// Begins a kind of number, of which so many positions are open.
    pub(super) fn begin(&mut self, positions: u64) {
        self.done = 0;
        self.leap_at = PLAIN;
        self.positions_met = 0;
        self.stop.observer().stage(Stage::Bounding { positions });
    }

    /// Ends a round of bounds, in which those of `met` positions were near enough. Returns whether it was the
    /// last, with bounds that have not met: because it is the last that may be, or nothing has `changed`.
    pub(super) fn end_round(&mut self, met: u64, changed: bool) -> Result<bool, PolicyError> {
        self.positions_met = met;
        self.count()?;
        Ok(self.done >= self.precision.rounds || !changed)
    }

    /// Returns whether it is time to try a leap: after some rounds of bounds, and again when as many have
    /// been computed as there were before. If so, the leap begins.
    pub(super) fn begin_leap(&mut self) -> bool {
        let is_due = self.done >= self.leap_at;
        if is_due {
            self.leap_end = self.done.saturating_mul(LEAP).min(self.precision.rounds);
        }
        is_due
    }

    /// Ends a round inside a leap. Returns whether there may be more.
    pub(super) fn go_on(&mut self) -> Result<bool, PolicyError> {
        self.count()?;
        Ok(self.done < self.leap_end)
    }

    /// Ends a leap.
    pub(super) fn end_leap(&mut self) {
        self.leap_at = self.done.saturating_mul(2);
    }

    /// Counts a round.
    fn count(&mut self) -> Result<(), PolicyError> {
        self.done += 1;
        self.stop.observer().round(self.done.into(), self.positions_met);
        Ok(self.stop.check()?)
    }
}

/// Rounds of bounds before the first leap.
const PLAIN: u32 = 128;

/// The factor by which the rounds of a leap may multiply the number of rounds: where plain rounds would soon
/// have done, a leap that fails takes no longer than they.
const LEAP: u32 = 2;
