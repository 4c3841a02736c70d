//! A ring of words in which blocks are kept, read without a lock.
//!
//! One thread at a time writes, in the order of addresses: a new block comes behind the newest one, in place
//! of the oldest ones. A reader takes no lock. It may find that the words that it has just read were being
//! overwritten; then it has found nothing.
//!
//! ```text
//!         tail                          head
//!  ───────┬────────────┬───────┬────────┬──────────── address
//!  gone   │ block      │ block │ block  │ not yet written
//!  ───────┴────────────┴───────┴────────┴────────────
//! ```
//!
//! An *address* is the lap and the place in the words. It grows for ever and is never used again, so that a
//! block is whole as long as its address is not below the tail:
//!
//! * The writer moves the tail past the blocks that it will overwrite, then passes a release fence, then
//!   writes their words.
//! * A reader reads words, then passes an acquire fence, then reads the tail. If one of its words was written
//!   for a later block, the fences order the two, and the reader sees the tail beyond its address.
//!
//! `tests/loom.rs` tries this on every interleaving. The *directory* finds a block by its key, which belongs
//! to one set of [`WAYS`] places in it. Tables remember where their blocks are, and seldom need it.

use super::{
    image::{self, Key, Shape, Words},
    sync::{AtomicU64, Mutex, Ordering, PoisonError, fence},
};
use dragnet_formats::codec::BlockError;

/// Places of a set of the directory.
pub(super) const WAYS: usize = 4;

/// Stands in place of a block's length where a block would not fit behind the last one of a lap.
const END_OF_LAP: u64 = 0;

/// Bits of an address below the lap: the place in the words.
const PLACE_BITS: u32 = 32;
/// Bits of an address. Above it a handle has the bits of an index and the number of the ring.
const ADDRESS_BITS: u32 = 55;
const RING_AT: u32 = ADDRESS_BITS + 5;
const LAST_LAP: u64 = (1 << (ADDRESS_BITS - PLACE_BITS)) - 1;

/// A place in the ring, in the order in which places are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Address(u64);

impl Address {
    /// The first address. Zero, which memory is filled with, is below it.
    const FIRST: Address = Address::new(1, 0);

    const fn new(lap: u64, place: usize) -> Address {
        Address(lap << PLACE_BITS | place as u64)
    }

    fn of_low_bits(bits: u64) -> Address {
        Address(bits & ((1 << ADDRESS_BITS) - 1))
    }

    fn lap(self) -> u64 {
        self.0 >> PLACE_BITS
    }

    #[inline(always)]
    fn place(self) -> usize {
        (self.0 & ((1 << PLACE_BITS) - 1)) as usize
    }
}

/// Where a block lies: the number of the ring, the bits of an index, and the address of the block's shape.
/// Names one block for ever, which may have gone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handle(pub(crate) u64);

impl Handle {
    /// A handle of no block.
    pub(super) const NONE: Handle = Handle(0);

    fn new(ring: u64, bits: u32, address: Address) -> Handle {
        Handle(ring << RING_AT | u64::from(bits) << ADDRESS_BITS | address.0)
    }

    /// Returns the number of the ring.
    #[inline(always)]
    pub(super) fn ring(self) -> u64 {
        self.0 >> RING_AT
    }

    #[inline(always)]
    fn address(self) -> Address {
        Address::of_low_bits(self.0)
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        (self.0 >> ADDRESS_BITS) as u32 & 0x1F
    }
}

/// The state of a ring beside its words and its directory.
#[derive(Debug)]
pub(super) struct RingState {
    /// The address of the oldest block that is whole.
    tail: AtomicU64,
    /// Blocks below this address go soon: a thread that asks for one writes it anew.
    old: AtomicU64,
    /// The address where the next block comes.
    head: Mutex<u64>,
}

impl RingState {
    pub(super) fn new() -> RingState {
        let first = Address::FIRST.0;
        RingState { tail: AtomicU64::new(first), old: AtomicU64::new(0), head: Mutex::new(first) }
    }
}

/// A ring: its words, its directory and its state. The directory has a power of two of places, at least
/// [`WAYS`]. All words are 0 at first.
#[derive(Clone, Copy)]
pub(super) struct Ring<'a> {
    /// The number of the ring among those of an arena, below 16.
    pub(super) number: u64,
    pub(super) words: &'a [AtomicU64],
    pub(super) directory: &'a [AtomicU64],
    pub(super) state: &'a RingState,
}

/// Words of the ring, which may be overwritten while they are read.
impl Words for [AtomicU64] {
    // Relaxed: whether the words read belong together is found out afterwards.
    #[inline(always)]
    fn word(&self, i: usize) -> Option<u64> {
        self.get(i).map(|word| word.load(Ordering::Relaxed))
    }
}

impl<'a> Ring<'a> {
    fn set(self, hash: u64) -> &'a [AtomicU64] {
        let sets = self.directory.len() / WAYS;
        let first = (hash as usize & (sets - 1)) * WAYS;
        &self.directory[first..first + WAYS]
    }

    /// Returns an entry of the directory: the address of a block's shape, and above it a part of the hash of
    /// its key.
    fn entry(hash: u64, address: Address) -> u64 {
        hash >> ADDRESS_BITS << ADDRESS_BITS | address.0
    }

    /// Returns whether an address had not been overwritten some time ago.
    #[inline(always)]
    fn is_whole(self, address: Address) -> bool {
        address.0 >= self.state.tail.load(Ordering::Relaxed)
    }

    /// Reads words of the block at an address with `read`, and returns what that returns, if the block was
    /// whole all the time.
    #[inline(always)]
    fn read<T>(self, address: Address, read: impl FnOnce(&'a [AtomicU64]) -> Option<T>) -> Option<T> {
        if !self.is_whole(address) {
            return None;
        }
        let read = read(self.words);
        fence(Ordering::Acquire);
        if self.is_whole(address) { read } else { None }
    }

    /// Returns the code of a slot of a block, or `None` if the block has gone. Who got the handle from
    /// another thread must have read it with acquire order.
    #[inline(always)]
    pub(super) fn code(self, block: Handle, slot: u32) -> Option<Result<u32, BlockError>> {
        let address = block.address();
        self.read(address, |words| image::code(words, address.place(), block.bits(), slot))
    }

    /// Returns whether a block goes soon.
    #[inline(always)]
    pub(super) fn is_old(self, block: Handle) -> bool {
        block.address().0 < self.state.old.load(Ordering::Relaxed)
    }

    /// Finds a block by its key.
    pub(super) fn find(self, key: Key, hash: u64) -> Option<Handle> {
        self.set(hash).iter().find_map(|place| {
            // Acquire: what is read at the address was written before the address.
            let entry = place.load(Ordering::Acquire);
            let address = Address::of_low_bits(entry);
            if entry != Ring::entry(hash, address) {
                return None;
            }
            self.read(address, |words| {
                let at = address.place();
                let bits = Shape::of_word(words.word(at)?).bits;
                (image::key(words, at)? == key).then(|| Handle::new(self.number, bits, address))
            })
        })
    }

    /// Copies the words of a block to `image`. Returns the place of its shape among them, or `None` if the
    /// block has gone.
    pub(super) fn copy(self, block: Handle, image: &mut Vec<u64>) -> Option<usize> {
        let address = block.address();
        image.clear();
        self.read(address, |words| {
            let shape_at = Shape::of_word(words.word(address.place())?).palette_words() + 1;
            let first = address.place().checked_sub(shape_at)?;
            let len = usize::try_from(words.word(first)?).ok()?;
            image.extend(
                words.get(first..first.checked_add(len)?)?.iter().map(|word| word.load(Ordering::Relaxed)),
            );
            Some(shape_at)
        })
    }

    /// Writes a block behind the newest one: the words of its image, whose shape is word number `shape_at`.
    /// Returns `None` if the block is too large, or the ring has gone all its laps.
    pub(super) fn insert(self, key: Key, hash: u64, image: &[u64], shape_at: usize) -> Option<Handle> {
        if image.len() > self.words.len() / 4 {
            return None;
        }
        let mut head = self.state.head.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = self.find(key, hash).filter(|&block| !self.is_old(block)) {
            // Another thread was quicker.
            return Some(block);
        }
        let first = self.make_room(Address(*head), image.len())?;
        let shape = Address(first.0 + shape_at as u64);
        for (word, &new) in self.words[first.place()..].iter().zip(image) {
            word.store(new, Ordering::Relaxed);
        }
        for (place, word) in image::key_words(key, shape.place()) {
            self.words[place].store(word, Ordering::Relaxed);
        }
        // Release: who finds the address finds the words.
        self.place_to_use(hash).store(Ring::entry(hash, shape), Ordering::Release);
        *head = first.0 + image.len() as u64;
        self.set_old();
        Some(Handle::new(self.number, Shape::of_word(image[shape_at]).bits, shape))
    }

    /// Returns the place of the directory where a new entry for a key with this hash goes: where an older
    /// block of such a hash is named, or else the oldest block of the set.
    fn place_to_use(self, hash: u64) -> &'a AtomicU64 {
        let age = |place: &&AtomicU64| {
            let entry = place.load(Ordering::Relaxed);
            let address = Address::of_low_bits(entry);
            (entry != Ring::entry(hash, address), address)
        };
        self.set(hash).iter().min_by_key(age).expect("a set has places")
    }

    /// Makes room for `len` words behind the newest block, which ends at `head`. Returns their address;
    /// `None` if the ring has gone all its laps.
    fn make_room(self, head: Address, len: usize) -> Option<Address> {
        let mut tail = Address(self.state.tail.load(Ordering::Relaxed));
        let end = self.words.len();
        let first = if head.place() + len <= end {
            head
        } else if head.lap() < LAST_LAP {
            // What is left of this lap is given up.
            tail = self.past(tail, head, end);
            Address::new(head.lap() + 1, 0)
        } else {
            return None;
        };
        tail = self.past(tail, first, first.place() + len);
        self.state.tail.store(tail.0, Ordering::Relaxed);
        // Release: who sees a word that is written from now on sees the tail.
        fence(Ordering::Release);
        if first != head && head.place() < end {
            self.words[head.place()].store(END_OF_LAP, Ordering::Relaxed);
        }
        Some(first)
    }

    /// Returns the tail moved past all blocks of earlier laps than that of `address` with words below `end`.
    fn past(self, mut tail: Address, address: Address, end: usize) -> Address {
        while tail.lap() + 1 < address.lap() || tail.lap() < address.lap() && tail.place() < end {
            tail = match self.words.word(tail.place()) {
                Some(len) if len != END_OF_LAP => Address(tail.0 + len),
                _ => Address::new(tail.lap() + 1, 0),
            };
        }
        tail
    }

    /// Sets which blocks are old: the oldest quarter, once blocks have gone.
    fn set_old(self) {
        let tail = Address(self.state.tail.load(Ordering::Relaxed));
        let old = match tail.place() + self.words.len() / 4 {
            _ if tail == Address::FIRST => Address(0),
            place if place < self.words.len() => Address::new(tail.lap(), place),
            place => Address::new(tail.lap() + 1, place - self.words.len()),
        };
        self.state.old.store(old.0, Ordering::Relaxed);
    }

    /// Returns the number of words of the blocks that are whole, and of what lies between them.
    pub(super) fn used(self) -> usize {
        let head = Address(*self.state.head.lock().unwrap_or_else(PoisonError::into_inner));
        let tail = Address(self.state.tail.load(Ordering::Relaxed));
        let laps = (head.lap() - tail.lap()) as usize;
        laps * self.words.len() + head.place() - tail.place()
    }
}
