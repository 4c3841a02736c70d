//! A counter that many threads raise at once without waiting for each other.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// A number in parts, each raised by one thread as long as there are no more threads than parts.
pub(super) struct Counter(Box<[Part; PARTS]>);

/// A part of a counter, in a cache line of its own.
#[repr(align(64))]
struct Part(AtomicU64);

const PARTS: usize = 64;

/// The number of threads that have counted anything.
static THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static PART: usize = THREADS.fetch_add(1, Ordering::Relaxed) % PARTS;
}

impl Default for Counter {
    fn default() -> Counter {
        Counter(Box::new([const { Part(AtomicU64::new(0)) }; PARTS]))
    }
}

impl Counter {
    /// Adds 1. Two threads with one part may add 1 together, for a read and a write apart take a tenth of the
    /// time of an addition that no other thread can come between.
    #[inline(always)]
    pub(super) fn add(&self) {
        // A thread that is ending has no part of its own any more.
        let part = &self.0[PART.try_with(|&part| part).unwrap_or(0)].0;
        part.store(part.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }

    /// Returns the number.
    pub(super) fn sum(&self) -> u64 {
        self.0.iter().map(|part| part.0.load(Ordering::Relaxed)).fold(0, u64::wrapping_add)
    }
}
