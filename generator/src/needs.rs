//! What a table needs before it is made: memory, and room on a disk for what leaves memory.

/// The needs of making one table, in bytes, beside what the program itself takes: up to 16 MiB.
///
/// A solve by [`Engine::Bitboard`](crate::Engine::Bitboard) has logs of what was decided when, and sets of
/// decided positions. Both may wait on a disk in scratch files: the logs, which are read once, at no great
/// cost; the words of the sets, of which each level reads some, at the cost of a slower solve.
/// [`Generator::with_memory`](crate::Generator::with_memory) keeps any limit from [`Needs::least`] on. A
/// solve by another engine stays in memory: the least is what is likely.
///
/// ```
/// use dragnet_formats::{board::make, rules::Rules};
/// use dragnet_generator::{Plan, encode::Encoding};
///
/// let plan = Plan::new(make::open(64, 64)?, Rules::classic(), Encoding::default())?;
/// let needs = plan.needs(1);
/// assert!(needs.least < needs.likely && needs.likely < 32 << 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The least memory that works, if logs and sets leave it as far as they can.
    pub least: u64,
    /// The memory that is likely if all stays there.
    pub likely: u64,
    /// The bytes of scratch files that are likely if logs and sets are written there: 0 if none can be.
    pub scratch: u64,
}

impl Needs {
    /// Returns the needs of work that takes so many bytes of memory and no scratch files.
    #[must_use]
    pub const fn in_memory(bytes: u64) -> Needs {
        Needs { least: bytes, likely: bytes, scratch: 0 }
    }

    /// Returns the needs with at least so many bytes, which stay in memory.
    pub(crate) fn at_least(self, bytes: u64) -> Needs {
        Needs { least: self.least.max(bytes), likely: self.likely.max(bytes), ..self }
    }
}
