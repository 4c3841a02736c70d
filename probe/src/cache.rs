//! Checked blocks, kept to be asked again.

use dragnet_formats::{
    codec::{BlockError, Codec, packed::Packed, zstd::Decompressed},
    container::index::EXTENT_CHECKSUM_LEN,
};
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, OnceLock, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
};

/// The contents of a block, which have been checked, in memory that clones share.
#[derive(Clone)]
pub(crate) enum KeptBlock {
    /// A packed extent, its checksum included.
    Packed { extent: Arc<[u8]>, slots: u32 },
    /// A decompressed zstd block.
    Decompressed(Arc<Decompressed>),
}

impl KeptBlock {
    /// Takes the bytes of a checked extent of a block with `slots` slots.
    pub(crate) fn new(codec: Codec, extent: Vec<u8>, slots: u32) -> Result<KeptBlock, BlockError> {
        Ok(match codec {
            Codec::Packed => KeptBlock::Packed { extent: extent.into(), slots },
            Codec::Zstd => KeptBlock::Decompressed(Arc::new(Decompressed::new(body(&extent), slots)?)),
        })
    }

    /// Returns the code of `slot`.
    #[inline(always)]
    pub(crate) fn code(&self, slot: u32) -> Result<u32, BlockError> {
        match self {
            KeptBlock::Packed { extent, slots } => Packed::new(body(extent), *slots)?.code(slot),
            KeptBlock::Decompressed(decompressed) => decompressed.code(slot),
        }
    }

    /// Returns the bytes of memory that the block takes.
    fn memory(&self) -> u64 {
        let contents = match self {
            KeptBlock::Packed { extent, .. } => size_of::<KeptBlock>() + extent.len(),
            KeptBlock::Decompressed(decompressed) => decompressed.memory(),
        };
        contents as u64 + BlockCache::BESIDE
    }
}

/// Returns the bytes of an extent behind its checksum.
#[inline(always)]
fn body(extent: &[u8]) -> &[u8] {
    extent.get(EXTENT_CHECKSUM_LEN..).unwrap_or_default()
}

/// A bounded number of bytes of checked blocks.
///
/// Each block has a slot of its own, so that a block that is there is found without a search. A cache with
/// room for all blocks of its table never takes one away, and its slots are read without a lock: threads that
/// ask for one block do not wait for each other. Otherwise blocks go in the order in which they came, except
/// that a block that has been asked since it came, or since it was last spared, is spared (the clock
/// algorithm).
pub(crate) struct BlockCache {
    shelves: Box<[OnceLock<Box<Shelf>>]>,
    /// Whether there is room for all blocks.
    roomy: bool,
    most_bytes: u64,
    bytes: AtomicU64,
    /// The blocks that may have to go, in the order in which they came.
    order: Mutex<VecDeque<u64>>,
}

/// The slots of some blocks with consecutive numbers; made when the first is kept.
#[expect(
    clippy::large_enum_variant,
    reason = "all shelves of a cache are of one variant, which is not known to be the smaller"
)]
enum Shelf {
    /// Slots of a cache with room for all blocks.
    Roomy([OnceLock<KeptBlock>; SHELF]),
    /// Slots of a cache in which blocks make room for others.
    Tight {
        slots: [RwLock<Option<KeptBlock>>; SHELF],
        /// One bit per slot: its block has been asked since the clock has looked at it.
        asked: AtomicU64,
    },
}

/// Slots of a shelf: as many as bits of a word.
const SHELF: usize = 64;

impl BlockCache {
    /// Bytes that a block takes beside its contents, in its slot and in the order: an estimate.
    const BESIDE: u64 = 64;

    /// Creates a cache of at most `most_bytes` bytes for a table with `blocks` blocks, which take `all_bytes`
    /// if all are kept.
    pub(crate) fn new(most_bytes: u64, blocks: u64, all_bytes: u64) -> BlockCache {
        let shelves = if most_bytes == 0 { 0 } else { blocks.div_ceil(SHELF as u64) };
        BlockCache {
            shelves: (0..shelves).map(|_| OnceLock::new()).collect(),
            roomy: blocks.saturating_mul(BlockCache::BESIDE).saturating_add(all_bytes) <= most_bytes,
            most_bytes,
            bytes: AtomicU64::new(0),
            order: Mutex::new(VecDeque::new()),
        }
    }

    #[inline(always)]
    fn shelf(&self, block: u64) -> Option<(&Shelf, usize)> {
        let shelf = self.shelves.get((block / SHELF as u64) as usize)?.get()?;
        Some((shelf, (block % SHELF as u64) as usize))
    }

    /// Returns the code of a slot of a block, or `None` if the block is not kept.
    #[inline(always)]
    pub(crate) fn code(&self, block: u64, slot: u32) -> Option<Result<u32, BlockError>> {
        match self.shelf(block)? {
            (Shelf::Roomy(slots), i) => Some(slots[i].get()?.code(slot)),
            (Shelf::Tight { slots, asked }, i) => {
                let kept = slots[i].read().unwrap_or_else(PoisonError::into_inner);
                let code = kept.as_ref()?.code(slot);
                note(asked, i);
                Some(code)
            }
        }
    }

    /// Returns a block, or `None` if it is not kept.
    #[inline]
    pub(crate) fn get(&self, block: u64) -> Option<KeptBlock> {
        match self.shelf(block)? {
            (Shelf::Roomy(slots), i) => slots[i].get().cloned(),
            (Shelf::Tight { slots, asked }, i) => {
                let kept = slots[i].read().unwrap_or_else(PoisonError::into_inner).clone();
                note(asked, i);
                kept
            }
        }
    }

    /// Keeps a block, if there is room for it at all.
    pub(crate) fn insert(&self, block: u64, contents: &KeptBlock) {
        let bytes = contents.memory();
        let Some(shelf) = self.shelves.get((block / SHELF as u64) as usize) else { return };
        if bytes > self.most_bytes {
            return;
        }
        let shelf = shelf.get_or_init(|| Box::new(self.empty_shelf()));
        let i = (block % SHELF as u64) as usize;
        match &**shelf {
            Shelf::Roomy(slots) => {
                // `all_bytes` is an estimate: a table with unusually many codes per block may not find room
                // for all.
                let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
                if before.saturating_add(bytes) > self.most_bytes || slots[i].set(contents.clone()).is_err() {
                    self.bytes.fetch_sub(bytes, Ordering::Relaxed);
                }
            }
            Shelf::Tight { slots, .. } => {
                let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
                let slot = slots[i].read().unwrap_or_else(PoisonError::into_inner).is_some();
                if !slot && self.make_room(&mut order, bytes) {
                    *slots[i].write().unwrap_or_else(PoisonError::into_inner) = Some(contents.clone());
                    self.bytes.fetch_add(bytes, Ordering::Relaxed);
                    order.push_back(block);
                }
            }
        }
    }

    fn empty_shelf(&self) -> Shelf {
        if self.roomy {
            Shelf::Roomy([const { OnceLock::new() }; SHELF])
        } else {
            Shelf::Tight { slots: [const { RwLock::new(None) }; SHELF], asked: AtomicU64::new(0) }
        }
    }

    /// Takes blocks away until there is room for `bytes` bytes. Returns whether there is.
    fn make_room(&self, order: &mut VecDeque<u64>, bytes: u64) -> bool {
        // Asked without end, blocks would be spared without end: after two rounds the next one goes.
        let mut spared = 0;
        while self.bytes.load(Ordering::Relaxed).saturating_add(bytes) > self.most_bytes {
            let Some(block) = order.pop_front() else { return false };
            let Some((Shelf::Tight { slots, asked }, i)) = self.shelf(block) else {
                unreachable!("a block in the order has a slot in a tight shelf");
            };
            let bit = 1 << i;
            if asked.fetch_and(!bit, Ordering::Relaxed) & bit != 0 && spared < 2 * order.len() {
                order.push_back(block);
                spared += 1;
            } else if let Some(gone) = slots[i].write().unwrap_or_else(PoisonError::into_inner).take() {
                self.bytes.fetch_sub(gone.memory(), Ordering::Relaxed);
            }
        }
        true
    }

    /// Returns the bytes of memory that the cache takes as long as it keeps no block.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.shelves)
    }
}

/// Notes that a block has been asked.
#[inline(always)]
fn note(asked: &AtomicU64, i: usize) {
    // Mostly it is noted already, and a line that is only read stays in every processor's cache.
    if asked.load(Ordering::Relaxed) >> i & 1 == 0 {
        asked.fetch_or(1 << i, Ordering::Relaxed);
    }
}

impl std::fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BlockCache({} of {} bytes)", self.bytes.load(Ordering::Relaxed), self.most_bytes)
    }
}
