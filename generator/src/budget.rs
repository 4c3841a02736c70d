//! The memory that a table may take while it is made, and what has taken how much of it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A part of what a table takes while it is made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// The bytes that stay in memory as long as the table is made.
    Fixed,
    /// The lists of words that leave memory, with the words that threads load at once; or the sets, if no
    /// word leaves memory.
    Beside,
    /// The words of the sets, and memory that was theirs and waits for more of them.
    Sets,
    /// The frames of the logs.
    Logs,
}

impl Part {
    const COUNT: usize = 4;
}

/// The bytes of memory that a table may take while it is made. Each part says what it takes; those that can
/// leave memory look whether all together are too many.
#[derive(Debug)]
pub(crate) struct Budget {
    /// The most bytes; [`u64::MAX`] if there is no limit.
    most: u64,
    /// The bytes of each [`Part`].
    taken: [AtomicU64; Part::COUNT],
}

impl Default for Budget {
    /// Creates the budget without a limit.
    fn default() -> Budget {
        Budget::new(u64::MAX)
    }
}

impl Budget {
    pub(crate) fn new(most: u64) -> Budget {
        Budget { most, taken: Default::default() }
    }

    /// Returns whether there is a limit.
    pub(crate) fn is_limited(&self) -> bool {
        self.most < u64::MAX
    }

    pub(crate) fn take(&self, part: Part, bytes: u64) {
        self.taken[part as usize].fetch_add(bytes, Relaxed);
    }

    pub(crate) fn give_back(&self, part: Part, bytes: u64) {
        self.taken[part as usize].fetch_sub(bytes, Relaxed);
    }

    /// Notes that a part takes so many bytes now.
    pub(crate) fn set(&self, part: Part, bytes: u64) {
        self.taken[part as usize].store(bytes, Relaxed);
    }

    /// Returns the bytes that a part takes.
    pub(crate) fn taken(&self, part: Part) -> u64 {
        self.taken[part as usize].load(Relaxed)
    }

    fn all(&self) -> u64 {
        self.taken.iter().map(|taken| taken.load(Relaxed)).fold(0, u64::saturating_add)
    }

    /// Returns the bytes that nobody has taken.
    pub(crate) fn left(&self) -> u64 {
        self.most.saturating_sub(self.all())
    }

    /// Returns the bytes that a part may have, beside the others.
    pub(crate) fn left_for(&self, part: Part) -> u64 {
        let others = self.all().saturating_sub(self.taken(part));
        self.most.saturating_sub(others)
    }

    /// Returns the bytes that sets may have if they leave memory, with what lies beside their words.
    pub(crate) fn left_for_sets(&self) -> u64 {
        self.most.saturating_sub(self.taken(Part::Fixed))
    }

    /// Returns whether all together take more than they may.
    pub(crate) fn is_over(&self) -> bool {
        self.all() > self.most
    }
}
