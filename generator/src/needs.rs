//! What a table needs before it is made: memory, and room on a disk for what leaves memory.

/// The bytes that a process takes at most which makes one table: estimates from above.
///
/// A solve by [`Engine::Bitboard`](crate::Engine::Bitboard) has logs of what was decided when, and sets of
/// decided positions. Both may wait on a disk in scratch files: the logs, which are read once, at no great
/// cost; the words of the sets, of which each level reads some, at the cost of a slower solve. A solve by
/// another engine stays in memory: all of its figures of memory are equal.
///
/// ```
/// use dragnet_formats::{board::make, rules::Rules};
/// use dragnet_generator::{Fit, Plan, encode::Encoding};
///
/// let plan = Plan::new(make::open(64, 64)?, Rules::classic(), Encoding::default())?;
/// let needs = plan.needs(1);
/// assert_eq!(needs.fit(needs.memory), Fit::InMemory);
/// let fit = needs.fit(needs.memory_without_logs + 5);
/// assert_eq!(fit, Fit::LogsInScratch { log_memory: 5 });
/// assert!(matches!(needs.fit(needs.least_memory), Fit::SetsInScratch { .. }));
/// assert_eq!(needs.fit(needs.least_memory - 1), Fit::TooLarge);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Memory if logs and sets stay there.
    pub memory: u64,
    /// Memory if logs leave it as soon as they can: at most [`Needs::memory`].
    pub memory_without_logs: u64,
    /// Memory if logs leave it as soon as they can, and sets as far as they can: at most
    /// [`Needs::memory_without_logs`].
    pub least_memory: u64,
    /// The bytes of scratch files if all logs are written there that can be: 0 without logs.
    pub log_scratch: u64,
    /// The bytes of scratch files if logs and sets are written there.
    pub scratch: u64,
    /// The bytes of the sets' words that are in memory when it is [`Needs::least_memory`].
    pub(crate) least_set_memory: u64,
}

/// Where the logs and the sets of a solve have room under a limit of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// In memory, all of them.
    InMemory,
    /// In memory, but for logs beyond a limit, which are in a scratch file.
    LogsInScratch {
        /// The bytes of logs that may stay in memory, for
        /// [`Generator::with_log_memory`](crate::Generator::with_log_memory).
        log_memory: u64,
    },
    /// In scratch files: all of the logs, and the words of the sets beyond a limit.
    SetsInScratch {
        /// The bytes of words that may stay in memory, for
        /// [`Generator::with_set_memory`](crate::Generator::with_set_memory).
        set_memory: u64,
    },
    /// Nowhere: what is to stay in memory is more than the limit.
    TooLarge,
}

impl Needs {
    /// Returns the needs of work that takes so many bytes of memory and no scratch files.
    #[must_use]
    pub const fn in_memory(bytes: u64) -> Needs {
        Needs {
            memory: bytes,
            memory_without_logs: bytes,
            least_memory: bytes,
            log_scratch: 0,
            scratch: 0,
            least_set_memory: 0,
        }
    }

    /// Returns the needs with so many bytes more, which stay in memory.
    pub(crate) fn and(self, bytes: u64) -> Needs {
        let and = |own: u64| own.saturating_add(bytes);
        Needs {
            memory: and(self.memory),
            memory_without_logs: and(self.memory_without_logs),
            least_memory: and(self.least_memory),
            ..self
        }
    }

    /// Returns where logs and sets have room if the process may take `memory` bytes.
    #[must_use]
    pub fn fit(&self, memory: u64) -> Fit {
        if self.memory <= memory {
            return Fit::InMemory;
        }
        if let Some(log_memory) = memory.checked_sub(self.memory_without_logs) {
            return Fit::LogsInScratch { log_memory };
        }
        match memory.checked_sub(self.least_memory) {
            Some(more) => Fit::SetsInScratch { set_memory: self.least_set_memory + more },
            None => Fit::TooLarge,
        }
    }
}
