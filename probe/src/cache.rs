//! Checked blocks, kept to be asked again: one budget of memory for all tables.

mod sync;

mod image;

mod ring;

mod arena;

mod counter;

mod slots;

use arena::Arena;
use counter::Counter;
use dragnet_formats::{
    codec::BlockError,
    container::index::{Extent, IndexEntry},
};
use slots::Slots;
use std::{
    cell::Cell,
    fmt,
    sync::{
        Arc, LazyLock, Mutex, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

pub(crate) use image::Image;
use image::Key;
pub(crate) use ring::Handle;

/// A budget of memory for blocks that have been read, checked and decompressed, shared by any number of
/// tables and threads.
///
/// Every table keeps its blocks in one cache for the whole process, [`Cache::shared`], unless
/// [`Open::cache`](crate::Open::cache) names another one. Copies of a block in a table are one block in
/// the cache. If there is no more room, blocks go that have not been asked for long. The memory goes back to
/// the system when the last table of the cache is closed.
///
/// ```
/// use dragnet_probe::{Cache, Cell, Open, Position, Side};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
/// Cache::shared().set_limit(64 << 20); // before the first table is opened
/// let table = Open::path(path).pursuit()?;
///
/// let small = Cache::new(1 << 20);
/// let other = Open::path(path).cache(&small).pursuit()?;
/// let position = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
/// assert_eq!(other.value(position)?, table.value(position)?);
/// assert_eq!(small.statistics().misses, 1);
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
#[derive(Clone)]
pub struct Cache(Arc<Shared>);

/// The state that all handles of a cache share.
struct Shared {
    arenas: Mutex<Arenas>,
    tables: AtomicU64,
    hits: Counter,
    misses: Counter,
}

struct Arenas {
    limit: u64,
    /// The arenas of open tables, each with the limit that it was made for. New tables share the arena with
    /// the current limit.
    open: Vec<(u64, Weak<Arena>)>,
}

/// The contents of a cache, and how often it was of use: see [`Cache::statistics`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheStatistics {
    /// The most bytes of memory that the cache may take.
    pub limit: u64,
    /// The bytes of memory that are reserved; the system gives them as they are used. 0 if no table is open.
    pub reserved: u64,
    /// The bytes of the blocks that are kept.
    pub bytes: u64,
    /// The number of open tables that keep their blocks here.
    pub tables: u64,
    /// How often a block was found here. Of more than 64 threads that count at once some may not be counted.
    pub hits: u64,
    /// How often a block had to be read, or decompressed.
    pub misses: u64,
}

static SHARED: LazyLock<Cache> = LazyLock::new(|| Cache::new(Cache::DEFAULT_LIMIT));

impl Cache {
    /// The limit of the shared cache, 32 MiB, if none is set.
    pub const DEFAULT_LIMIT: u64 = 32 << 20;

    /// Creates a cache that takes at most `limit` bytes of memory. With less than some kilobytes it keeps
    /// nothing.
    #[must_use]
    pub fn new(limit: u64) -> Cache {
        Cache(Arc::new(Shared {
            arenas: Mutex::new(Arenas { limit, open: Vec::new() }),
            tables: AtomicU64::new(0),
            hits: Counter::default(),
            misses: Counter::default(),
        }))
    }

    /// Returns the cache of all tables of the process that have none of their own.
    #[must_use]
    pub fn shared() -> Cache {
        SHARED.clone()
    }

    /// Sets the most bytes of memory that the cache may take, for tables that are opened from now on. Tables
    /// that are open go on with the memory that they have until they are closed: set the limit first.
    pub fn set_limit(&self, limit: u64) {
        self.arenas().limit = limit;
    }

    /// Returns what the cache holds and how often it was of use. Many misses beside few hits say that a
    /// higher limit would help.
    #[must_use]
    pub fn statistics(&self) -> CacheStatistics {
        let arenas = self.arenas();
        let open: Vec<Arc<Arena>> = arenas.open.iter().filter_map(|(_, arena)| arena.upgrade()).collect();
        CacheStatistics {
            limit: arenas.limit,
            reserved: open.iter().map(|arena| arena.len()).sum(),
            bytes: open.iter().map(|arena| arena.used()).sum(),
            tables: self.0.tables.load(Ordering::Relaxed),
            hits: self.0.hits.sum(),
            misses: self.0.misses.sum(),
        }
    }

    fn arenas(&self) -> std::sync::MutexGuard<'_, Arenas> {
        self.0.arenas.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the memory for a table that is being opened; `None` if nothing is to be kept.
    fn arena(&self) -> Option<Arc<Arena>> {
        let mut arenas = self.arenas();
        let limit = arenas.limit;
        let of_limit = arenas.open.iter().filter(|(of, _)| *of == limit);
        if let Some(arena) = of_limit.filter_map(|(_, arena)| arena.upgrade()).next() {
            return Some(arena);
        }
        arenas.open.retain(|(_, arena)| arena.strong_count() > 0);
        let arena = Arc::new(Arena::new(limit)?);
        arenas.open.push((limit, Arc::downgrade(&arena)));
        Some(arena)
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.statistics().fmt(f)
    }
}

/// The number of the next table that is opened. No two tables of a process have one number.
static NEXT_TABLE: AtomicU64 = AtomicU64::new(1);

/// The blocks of one open table in a cache.
pub(crate) struct TableCache {
    cache: Cache,
    arena: Option<Arc<Arena>>,
    /// Where the blocks were found last, by their numbers.
    slots: Slots,
    table: u64,
}

impl TableCache {
    /// Takes a share in a cache for a table of so many blocks that is being opened.
    pub(crate) fn new(cache: Cache, blocks: u64) -> TableCache {
        cache.0.tables.fetch_add(1, Ordering::Relaxed);
        let arena = cache.arena();
        let slots = Slots::new(if arena.is_some() { blocks } else { 0 });
        TableCache { arena, slots, table: NEXT_TABLE.fetch_add(1, Ordering::Relaxed), cache }
    }

    /// Returns a code of block number `block` and where the block is, or `None` if it was not asked before or
    /// has gone.
    #[inline(always)]
    pub(crate) fn code(&self, block: u64, slot: u32) -> Option<(Handle, Result<u32, BlockError>)> {
        let arena = self.arena.as_ref()?;
        let handle = self.slots.get(block);
        let ring = arena.ring(handle.ring());
        let code = ring.code(handle, slot)?;
        self.cache.0.hits.add();
        if ring.is_old(handle) {
            self.renew(arena, block, handle);
        }
        Some((handle, code))
    }

    /// Returns a code of a block that was found before, or `None` if the block has gone.
    #[inline(always)]
    pub(crate) fn code_at(&self, handle: Handle, slot: u32) -> Option<Result<u32, BlockError>> {
        self.arena.as_ref()?.ring(handle.ring()).code(handle, slot)
    }

    /// Finds block number `block`, with `slots` slots, by its extent: a copy of it may have been read.
    pub(crate) fn find(&self, block: u64, extent: Extent, slots: u32) -> Option<Handle> {
        let key = self.key(extent, slots);
        let hash = key.hash();
        let found = self.arena.as_ref().and_then(|arena| arena.ring(ring_of(hash)).find(key, hash));
        match found {
            Some(handle) => {
                self.slots.set(block, handle);
                self.cache.0.hits.add();
            }
            None => self.cache.0.misses.add(),
        }
        found
    }

    /// Keeps a block, if there is room for it. Returns where it is then.
    pub(crate) fn insert(&self, block: u64, extent: Extent, image: &Image) -> Option<Handle> {
        let key = self.key(extent, image.slots());
        let hash = key.hash();
        let ring = self.arena.as_ref()?.ring(ring_of(hash));
        let handle = ring.insert(key, hash, image.words(), image.shape_at())?;
        self.slots.set(block, handle);
        Some(handle)
    }

    fn key(&self, extent: Extent, slots: u32) -> Key {
        Key { table: self.table, entry: IndexEntry::Extent(extent).to_bits(), slots }
    }

    /// Writes a block that goes soon behind the newest ones.
    #[cold]
    fn renew(&self, arena: &Arena, block: u64, handle: Handle) {
        with_image(|image| {
            let ring = arena.ring(handle.ring());
            if let Some(shape_at) = ring.copy(handle, image.room()) {
                let key = image::key(image.words(), shape_at).expect("a copy is whole");
                if let Some(handle) = ring.insert(key, key.hash(), image.words(), shape_at) {
                    self.slots.set(block, handle);
                }
            }
        });
    }

    /// Returns the bytes of memory that the table takes to find its blocks.
    pub(crate) fn memory(&self) -> usize {
        self.slots.memory()
    }
}

impl Drop for TableCache {
    fn drop(&mut self) {
        self.cache.0.tables.fetch_sub(1, Ordering::Relaxed);
    }
}

impl fmt::Debug for TableCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table {} in {:?}", self.table, self.cache)
    }
}

/// Returns the number of the ring for keys with this hash. The low bits of a hash choose a set of the ring's
/// directory, and the highest ones mark a key there.
fn ring_of(hash: u64) -> u64 {
    hash >> 40
}

thread_local! {
    /// Room for a block that is being read.
    static SPARE: Cell<Option<Box<Image>>> = const { Cell::new(None) };
}

/// Returns room for a block; this thread may have used it before.
pub(crate) fn take_image() -> Box<Image> {
    SPARE.take().unwrap_or_default()
}

/// Takes room back to be used again.
pub(crate) fn give_image(image: Box<Image>) {
    SPARE.set(Some(image));
}

/// Calls `make` with room for a block.
pub(crate) fn with_image<T>(make: impl FnOnce(&mut Image) -> T) -> T {
    let mut image = take_image();
    let made = make(&mut image);
    give_image(image);
    made
}
