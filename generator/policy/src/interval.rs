//! Numbers of which two bounds are known.

/// A number between two bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The number is not less.
    pub low: f64,
    /// The number is not greater; infinite if no bound is known.
    pub high: f64,
}

impl Interval {
    /// Returns the interval of a number that is known.
    #[must_use]
    pub const fn exact(number: f64) -> Interval {
        Interval { low: number, high: number }
    }

    /// Returns the distance of the bounds.
    #[must_use]
    pub fn width(self) -> f64 {
        if self.low == self.high { 0.0 } else { self.high - self.low }
    }

    /// Returns the interval of the sum of two numbers.
    #[must_use]
    pub fn plus(self, other: Interval) -> Interval {
        Interval { low: self.low + other.low, high: self.high + other.high }
    }

    /// Returns the interval of the number divided by `count`, which is above 0.
    #[must_use]
    pub fn per(self, count: u64) -> Interval {
        Interval { low: self.low / count as f64, high: self.high / count as f64 }
    }
}

/// The share of a sum of up to `terms` products that is more than its error of rounding: `PROTOCOL.md` §12.
pub(super) fn rounding(terms: usize) -> f64 {
    (terms + 4) as f64 * f64::EPSILON
}

/// The side of a number on which a bound lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The number is not less.
    Lower,
    /// The number is not greater.
    Upper,
}

/// A number above all that sums of products lose where doubles are too coarse for a relative error.
const UNDERFLOW: f64 = 1e-280;

impl Bound {
    /// Returns the bound that a computed number of 0 or more is, whose relative error of rounding is less
    /// than `error`. A number that is too small for doubles has the lower bound 0 and an upper one above 0.
    #[inline(always)]
    pub(super) fn outward(self, number: f64, error: f64) -> f64 {
        match self {
            Bound::Lower => {
                let low = number * (1.0 - error) - UNDERFLOW;
                if low < 0.0 { 0.0 } else { low }
            }
            Bound::Upper => number * (1.0 + error) + UNDERFLOW,
        }
    }

    /// Returns the bound that is nearer to the number.
    #[inline(always)]
    pub(super) fn nearer(self, a: f64, b: f64) -> f64 {
        match self {
            Bound::Lower => a.max(b),
            Bound::Upper => a.min(b),
        }
    }
}

/// The aim of the free side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Best {
    /// The free side makes the number as great as it can.
    Greatest,
    /// The free side makes the number as small as it can.
    Least,
}

impl Best {
    /// Returns by how much `new` is better for the free side than `old`; below 0 if it is worse.
    #[inline(always)]
    pub(super) fn gain(self, old: f64, new: f64) -> f64 {
        match self {
            Best::Greatest => new - old,
            Best::Least => old - new,
        }
    }

    /// Returns a number that is worse for the free side than all others.
    pub(super) fn worst(self) -> f64 {
        match self {
            Best::Greatest => f64::NEG_INFINITY,
            Best::Least => f64::INFINITY,
        }
    }
}
