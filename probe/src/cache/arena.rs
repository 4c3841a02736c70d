//! The memory of a cache: rings of words, each with a lock of its own for those who write.

use super::ring::{Ring, RingState, WAYS};
use std::sync::atomic::AtomicU64;

/// The memory of a cache. The system gives it when it is first written to, and takes it back when the arena
/// is dropped: it is one piece, which allocators do not keep for themselves.
pub(super) struct Arena {
    memory: Box<[AtomicU64]>,
    /// As many rings as a power of two.
    states: Box<[RingState]>,
    /// Words of a ring with its directory.
    ring_words: usize,
    directory_words: usize,
}

const WORD: u64 = size_of::<u64>() as u64;

/// Words of blocks for each place of a directory: most blocks have about as many or more. Each place more is
/// memory that blocks lack, in pages that a process with few blocks must get from the system.
const WORDS_PER_PLACE: usize = 128;

/// Words of a ring, or more if there are as many rings as may be: enough for some tens of the largest blocks.
const RING_WORDS: usize = 1 << 19;

/// The most rings: more threads than this seldom write at once.
const MOST_RINGS: usize = 16;

/// The fewest bytes of an arena. Less is not worth the while.
const LEAST: u64 = 4 << 10;

impl Arena {
    /// Creates an arena of at most `bytes` bytes, or of less if the system has no such memory; `None` if that
    /// is too little for any block.
    pub(super) fn new(mut bytes: u64) -> Option<Arena> {
        while bytes >= LEAST {
            if let Some(arena) = Arena::of_bytes(bytes) {
                return Some(arena);
            }
            bytes /= 2;
        }
        None
    }

    fn of_bytes(bytes: u64) -> Option<Arena> {
        let words = usize::try_from(bytes / WORD).ok()?;
        let rings = 1 << (words / RING_WORDS).clamp(1, MOST_RINGS).ilog2();
        // An address has 32 bits for the place in a ring.
        let ring_words = u32::try_from(words / rings).unwrap_or(u32::MAX) as usize;
        let directory_words = 1 << (ring_words / WORDS_PER_PLACE).max(WAYS).ilog2();
        let memory = bytemuck::allocation::try_zeroed_slice_box(rings * ring_words).ok()?;
        let states = (0..rings).map(|_| RingState::new()).collect();
        Some(Arena { memory, states, ring_words, directory_words })
    }

    /// Returns ring number `number`, counted again from 0 beyond the last one.
    #[inline(always)]
    pub(super) fn ring(&self, number: u64) -> Ring<'_> {
        let number = number & (self.states.len() as u64 - 1);
        let ring = &self.memory[number as usize * self.ring_words..][..self.ring_words];
        let (directory, words) = ring.split_at(self.directory_words);
        Ring { number, words, directory, state: &self.states[number as usize] }
    }

    /// Returns the length of the arena in bytes.
    pub(super) fn len(&self) -> u64 {
        self.memory.len() as u64 * WORD
    }

    /// Returns the bytes of the blocks that are kept.
    pub(super) fn used(&self) -> u64 {
        (0..self.states.len()).map(|number| self.ring(number as u64).used() as u64 * WORD).sum()
    }
}
