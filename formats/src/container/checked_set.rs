//! A set of numbers that many threads fill at once.

use std::sync::atomic::{AtomicU64, Ordering};

/// A set of the numbers of pages or blocks that have been checked and found good. One bit each, lock-free.
#[derive(Debug)]
pub struct CheckedSet(Box<[AtomicU64]>);

impl CheckedSet {
    /// Creates the empty set of numbers below `count`.
    #[must_use]
    pub fn new(count: u64) -> CheckedSet {
        CheckedSet((0..count.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Returns whether the set holds `number`.
    //
    // Relaxed: a mark publishes nothing but itself. The bytes that it vouches for never change, and two
    // threads that both miss it check the same bytes twice.
    #[must_use]
    #[inline(always)]
    pub fn get(&self, number: u64) -> bool {
        let word = self.0.get((number / 64) as usize);
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (number % 64) & 1 == 1)
    }

    /// Adds `number` to the set, if it is below its count.
    pub fn set(&self, number: u64) {
        if let Some(word) = self.0.get((number / 64) as usize) {
            word.fetch_or(1 << (number % 64), Ordering::Relaxed);
        }
    }

    /// Returns the bytes of memory that the set takes.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of_val(&*self.0)
    }
}
