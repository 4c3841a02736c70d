//! Where each block of a table lies in the cache.

use super::ring::Handle;
use std::sync::{
    OnceLock,
    atomic::{AtomicU64, Ordering},
};

/// The handles of a table's blocks, by block number. Room for some blocks with consecutive numbers is made
/// when one of them is first kept.
pub(super) struct Slots(Box<[OnceLock<Box<[AtomicU64; SHELF]>>]>);

/// Blocks for which room is made at once.
const SHELF: usize = 64;

impl Slots {
    /// Creates the slots of so many blocks.
    pub(super) fn new(blocks: u64) -> Slots {
        Slots((0..blocks.div_ceil(SHELF as u64)).map(|_| OnceLock::new()).collect())
    }

    /// Returns the handle of a block, or [`Handle::NONE`].
    #[inline(always)]
    pub(super) fn get(&self, block: u64) -> Handle {
        match self.0.get((block / SHELF as u64) as usize).and_then(OnceLock::get) {
            // Acquire: what is read at the handle was written before the handle.
            Some(shelf) => Handle(shelf[(block % SHELF as u64) as usize].load(Ordering::Acquire)),
            None => Handle::NONE,
        }
    }

    /// Sets the handle of a block.
    pub(super) fn set(&self, block: u64, handle: Handle) {
        if let Some(shelf) = self.0.get((block / SHELF as u64) as usize) {
            let shelf = shelf.get_or_init(|| Box::new([const { AtomicU64::new(0) }; SHELF]));
            // Release: who finds the handle finds the words, which this thread wrote or read after they were
            // written.
            shelf[(block % SHELF as u64) as usize].store(handle.0, Ordering::Release);
        }
    }

    /// Returns the bytes of memory that the slots take, once all have been set.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.0) + self.0.len() * size_of::<[AtomicU64; SHELF]>()
    }
}
