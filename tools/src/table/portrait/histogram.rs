//! The distances of a table in buckets.

use dragnet_formats::value::Plies;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Positions by winner and distance, in buckets of equal width.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Histogram {
    /// Plies per bar; the first bar starts at 0.
    pub(crate) step: Plies,
    /// Positions per bar that the police wins.
    pub(crate) police: Vec<u64>,
    /// Positions per bar that the thief wins.
    pub(crate) thief: Vec<u64>,
    /// Drawn positions.
    pub(crate) draws: u64,
}

impl Histogram {
    /// The most buckets of a histogram.
    pub(crate) const BUCKETS: u32 = 60;

    /// Returns the smallest of 2, 4, 10, 20, 40, 100 … that needs at most [`Histogram::BUCKETS`] buckets up
    /// to `deepest`. It is even because the police wins in an odd number of plies and the thief in an even
    /// one: single distances would alternate.
    pub(super) fn step_for(deepest: Plies) -> Plies {
        let mut decade = 1;
        loop {
            for step in [2 * decade, 4 * decade, 10 * decade] {
                if deepest / step < Histogram::BUCKETS {
                    return step;
                }
            }
            decade *= 10;
        }
    }
}
