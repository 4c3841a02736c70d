//! Blocks that have been unzipped, to be asked again.

use dragnet_formats::{codec::zstd::Unzipped, digest::splitmix64};
use quick_cache::{
    Weighter,
    sync::{Cache, DefaultLifecycle},
};
use std::{
    hash::{BuildHasherDefault, Hasher},
    sync::Arc,
};

/// A bounded number of bytes of unzipped blocks, in shards with a lock each.
pub(crate) struct BlockCache(Cache<u64, Arc<Unzipped>, ByMemory, BuildHasherDefault<BlockHasher>>);

#[derive(Clone)]
struct ByMemory;

impl Weighter<u64, Arc<Unzipped>> for ByMemory {
    fn weight(&self, _block: &u64, unzipped: &Arc<Unzipped>) -> u64 {
        unzipped.memory() as u64
    }
}

/// Hashes a block's number. Nobody gains by blocks that collide, so that it need not keep them from it.
#[derive(Default)]
struct BlockHasher(u64);

impl Hasher for BlockHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0 = splitmix64(self.0 ^ number);
    }
}

impl BlockCache {
    /// Memory of a typical block, of 16×16 × 8×8 positions; only an estimate for the table of entries.
    const TYPICAL: u64 = 16 << 10;

    /// For at most `bytes` bytes of a table with `blocks` blocks.
    pub(crate) fn new(bytes: u64, blocks: u64) -> BlockCache {
        let items = (bytes / BlockCache::TYPICAL).clamp(1, blocks.max(1)) as usize;
        BlockCache(Cache::with(
            items,
            bytes,
            ByMemory,
            BuildHasherDefault::default(),
            DefaultLifecycle::default(),
        ))
    }

    /// The block, if it is kept.
    #[inline]
    pub(crate) fn get(&self, block: u64) -> Option<Arc<Unzipped>> {
        self.0.get(&block)
    }

    /// Keeps the block, if there is room for it at all.
    pub(crate) fn insert(&self, block: u64, unzipped: &Arc<Unzipped>) {
        self.0.insert(block, Arc::clone(unzipped));
    }

    /// Bytes of the blocks that are kept.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.weight()
    }
}

impl std::fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BlockCache({} bytes)", self.bytes())
    }
}
