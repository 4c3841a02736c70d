//! What a table needs before it is made: memory, and room on a disk for what leaves memory.

/// The bytes that a process takes at most which makes one table: estimates from above.
///
/// A solve by [`Engine::Bitboard`](crate::Engine::Bitboard) has sets of decided positions, which stay in
/// memory, and logs of what was decided when, which may wait on a disk in a scratch file. A solve by another
/// engine has no logs: its two figures of memory are equal.
///
/// ```
/// use dragnet_formats::{board::make, rules::Rules};
/// use dragnet_generator::{Fit, Plan, encode::Encoding};
///
/// let plan = Plan::new(make::open(64, 64)?, Rules::classic(), Encoding::default())?;
/// let needs = plan.needs(1);
/// assert_eq!(needs.fit(needs.memory), Fit::InMemory);
/// assert_eq!(needs.fit(needs.least_memory + 5), Fit::WithScratch { log_memory: 5 });
/// assert_eq!(needs.fit(needs.least_memory - 1), Fit::TooLarge);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Memory if all logs stay there.
    pub memory: u64,
    /// Memory if logs leave it as soon as they can: at most [`Needs::memory`].
    pub least_memory: u64,
    /// The size of the scratch file if all logs are written there that can be: 0 without logs.
    pub scratch: u64,
}

/// Where the logs of a solve have room under a limit of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// In memory, all of them.
    InMemory,
    /// In memory as far as the limit allows, and else in the scratch file.
    WithScratch {
        /// The bytes of logs that may stay in memory, for
        /// [`Generator::with_log_memory`](crate::Generator::with_log_memory).
        log_memory: u64,
    },
    /// Nowhere: what is to stay in memory beside the logs is more than the limit.
    TooLarge,
}

impl Needs {
    /// Returns the needs of work that takes so many bytes of memory and no scratch file.
    #[must_use]
    pub const fn in_memory(bytes: u64) -> Needs {
        Needs { memory: bytes, least_memory: bytes, scratch: 0 }
    }

    /// Returns the needs with so many bytes more, which stay in memory.
    pub(crate) fn and(self, bytes: u64) -> Needs {
        let [memory, least_memory] = [self.memory, self.least_memory].map(|own| own.saturating_add(bytes));
        Needs { memory, least_memory, ..self }
    }

    /// Returns where the logs have room if the process may take `memory` bytes.
    #[must_use]
    pub fn fit(&self, memory: u64) -> Fit {
        if self.memory <= memory {
            return Fit::InMemory;
        }
        match memory.checked_sub(self.least_memory) {
            Some(log_memory) => Fit::WithScratch { log_memory },
            None => Fit::TooLarge,
        }
    }
}
