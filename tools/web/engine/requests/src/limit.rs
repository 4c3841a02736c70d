//! The memory that a request allows.

use crate::failure::{Failure, FailureKind};

/// Bytes of memory that a request may take if it does not say how many.
const USUAL: u64 = 1 << 30;

/// The most bytes of memory that the work of a request may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit(u64);

impl Limit {
    /// Returns the limit of a request that allows this much.
    pub(crate) fn new(memory: Option<u64>) -> Limit {
        // No more can be addressed, whatever the request says.
        Limit(memory.unwrap_or(USUAL).min(u32::MAX.into()))
    }

    /// Returns the number of bytes.
    pub(crate) fn bytes(self) -> u64 {
        self.0
    }

    /// Returns why `what`, which needs this many bytes, is not begun, or `None` if it is within the limit.
    pub(crate) fn refusal(self, what: &str, needed: u64) -> Option<Failure> {
        let (bytes, limit) = (in_units(needed), in_units(self.0));
        let text = format!("{what} needs about {bytes} of memory, and the limit is {limit}");
        let failure = Failure::new(FailureKind::TooLarge, text);
        (needed > self.0).then_some(Failure { needed: Some(needed), limit: Some(self.0), ..failure })
    }

    /// Checks that `what`, which needs this many bytes, is within the limit.
    pub(crate) fn require(self, what: &str, needed: u64) -> Result<(), Failure> {
        self.refusal(what, needed).map_or(Ok(()), Err)
    }
}

/// Returns a number of bytes for people.
fn in_units(bytes: u64) -> String {
    let (mut number, mut unit) = (bytes as f64, "B");
    for greater in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
        if number < 1024.0 {
            break;
        }
        (number, unit) = (number / 1024.0, greater);
    }
    if unit == "B" { format!("{bytes} B") } else { format!("{number:.2} {unit}") }
}
