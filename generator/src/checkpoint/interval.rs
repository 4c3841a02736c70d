//! How often a long solve writes checkpoints.

use std::time::Duration;

/// The time from one checkpoint of a long solve to the next.
///
/// ```
/// use dragnet_generator::{CheckpointInterval, Generator};
/// use std::time::Duration;
///
/// let often = Generator::new(1)?.with_checkpoints(Duration::from_secs(5));
/// let as_cheap_as_possible = Generator::new(1)?.with_checkpoints(CheckpointInterval::Adaptive);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CheckpointInterval {
    /// This time, whatever a checkpoint takes. If one is still being written, the next waits for it.
    Every(Duration),
    /// One minute, or twenty times as long as the last checkpoint took to write if that is more: so a solve
    /// that is killed loses little, and checkpoints take at most about 5 % of the time.
    #[default]
    Adaptive,
}

/// The shortest adaptive interval.
const SHORTEST: Duration = Duration::from_secs(60);
/// An adaptive interval is at least so many times as long as the last checkpoint took to write.
const TIMES: u32 = 20;

impl CheckpointInterval {
    /// Returns the time from the checkpoint that took `cost` to write, or nothing if it is the first, to the
    /// next.
    pub(crate) fn after(self, cost: Duration) -> Duration {
        match self {
            CheckpointInterval::Every(interval) => interval,
            CheckpointInterval::Adaptive => SHORTEST.max(cost.saturating_mul(TIMES)),
        }
    }
}

impl From<Duration> for CheckpointInterval {
    fn from(interval: Duration) -> CheckpointInterval {
        CheckpointInterval::Every(interval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adaptive_interval_grows_with_the_cost_and_an_exact_one_does_not() {
        let seconds = Duration::from_secs;
        for (cost, expected) in [(0, 60), (3, 60), (4, 80), (60, 1200)] {
            assert_eq!(CheckpointInterval::Adaptive.after(seconds(cost)), seconds(expected));
            assert_eq!(CheckpointInterval::from(seconds(7)).after(seconds(cost)), seconds(7));
        }
        assert_eq!(CheckpointInterval::Adaptive.after(Duration::MAX), Duration::MAX);
    }
}
