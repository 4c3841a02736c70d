//! Blocks that have been unzipped, to be asked again.

use dragnet_formats::codec::zstd::Unzipped;
use quick_cache::{Weighter, sync::Cache};
use std::sync::Arc;

/// A bounded number of bytes of unzipped blocks, in shards with a lock each.
pub(crate) struct BlockCache(Cache<u64, Arc<Unzipped>, ByMemory>);

#[derive(Clone)]
struct ByMemory;

impl Weighter<u64, Arc<Unzipped>> for ByMemory {
    fn weight(&self, _block: &u64, unzipped: &Arc<Unzipped>) -> u64 {
        unzipped.memory() as u64
    }
}

impl BlockCache {
    /// Memory of a typical block, of 16×16 × 8×8 positions; only an estimate for the table of entries.
    const TYPICAL: u64 = 16 << 10;

    pub(crate) fn new(bytes: u64) -> BlockCache {
        let items = (bytes / BlockCache::TYPICAL).max(1) as usize;
        BlockCache(Cache::with_weighter(items, bytes, ByMemory))
    }

    pub(crate) fn get(&self, block: u64) -> Option<Arc<Unzipped>> {
        self.0.get(&block)
    }

    pub(crate) fn insert(&self, block: u64, unzipped: &Arc<Unzipped>) {
        self.0.insert(block, Arc::clone(unzipped));
    }
}

impl std::fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BlockCache({} bytes)", self.0.weight())
    }
}
