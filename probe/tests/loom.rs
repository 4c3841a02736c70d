//! A block that is read from the cache while another one is written in its place, on every interleaving, by
//! the model checker loom. The files under test are compiled here once more, with loom's atomics.

#![allow(clippy::unwrap_used, dead_code, unreachable_pub)]

#[path = "../src/cache"]
mod cache {
    pub mod sync {
        pub use loom::sync::{
            Mutex,
            atomic::{AtomicU64, Ordering, fence},
        };
        pub use std::sync::PoisonError;
    }

    pub mod image;

    pub mod ring;

    use image::{Image, Key};
    use ring::{Handle, Ring, RingState, WAYS};
    use sync::AtomicU64;

    /// A ring with room for few blocks.
    pub struct Small {
        words: Vec<AtomicU64>,
        directory: Vec<AtomicU64>,
        state: RingState,
    }

    impl Small {
        pub fn new(words: usize) -> Small {
            let zeros = |count| (0..count).map(|_| AtomicU64::new(0)).collect();
            Small { words: zeros(words), directory: zeros(WAYS), state: RingState::new() }
        }

        fn ring(&self) -> Ring<'_> {
            Ring { number: 0, words: &self.words, directory: &self.directory, state: &self.state }
        }

        /// Writes the block at this offset, whose slots have the codes `offset` and `offset` + 1.
        pub fn insert(&self, offset: u64) -> Option<Handle> {
            use dragnet_formats::codec::{
                RawBlock,
                packed::{self, Packed},
            };
            let body = packed::encode(&RawBlock::new(&[offset as u32, offset as u32 + 1]));
            let mut image = Image::default();
            image.unpack(&Packed::new(&body, 2).unwrap(), 2);
            let key = Key { table: 1, entry: offset, slots: 2 };
            self.ring().insert(key, key.hash(), image.words(), image.shape_at())
        }

        pub fn find(&self, offset: u64) -> Option<Handle> {
            let key = Key { table: 1, entry: offset, slots: 2 };
            self.ring().find(key, key.hash())
        }

        pub fn code(&self, handle: Handle, slot: u32) -> Option<u32> {
            self.ring().code(handle, slot).map(|code| code.unwrap())
        }

        /// Returns the words of a block but the first, which is their number.
        pub fn copy(&self, handle: Handle) -> Option<Vec<u64>> {
            let mut words = Vec::new();
            self.ring().copy(handle, &mut words).map(|_| words)
        }
    }
}

use cache::Small;
use loom::{sync::Arc, thread};

/// Words of a block of two slots, and of a ring with room for four.
const BLOCK: usize = 6;

fn model(test: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(test);
}

/// Returns a ring that is full, with the handle of its oldest block, whose offset is 10.
fn full() -> (Arc<Small>, cache::ring::Handle) {
    let ring = Arc::new(Small::new(4 * BLOCK));
    let oldest = ring.insert(10).unwrap();
    for offset in [20, 30, 40] {
        ring.insert(offset).unwrap();
    }
    (ring, oldest)
}

#[test]
fn block_that_is_overwritten_is_right_or_gone() {
    model(|| {
        let (ring, oldest) = full();
        let writer = {
            let ring = Arc::clone(&ring);
            thread::spawn(move || ring.insert(50).unwrap())
        };
        let code = ring.code(oldest, 1);
        assert!(code.is_none_or(|code| code == 11), "{code:?}");
        let newest = writer.join().unwrap();
        assert_eq!((ring.code(oldest, 1), ring.code(newest, 0)), (None, Some(50)));
    });
}

#[test]
fn block_that_is_found_by_its_key_is_whole() {
    model(|| {
        let (ring, _) = full();
        let writer = {
            let ring = Arc::clone(&ring);
            thread::spawn(move || ring.insert(50).map(drop).unwrap())
        };
        if let Some(code) = ring.find(50).and_then(|found| ring.code(found, 0)) {
            assert_eq!(code, 50);
        }
        writer.join().unwrap();
    });
}

#[test]
fn block_written_by_two_threads_is_there_once() {
    model(|| {
        let ring = Arc::new(Small::new(4 * BLOCK));
        let other = {
            let ring = Arc::clone(&ring);
            thread::spawn(move || ring.insert(10).unwrap().0)
        };
        let mine = ring.insert(10).unwrap().0;
        assert_eq!(mine, other.join().unwrap());
    });
}

#[test]
fn copy_of_a_block_that_is_overwritten_is_right_or_gone() {
    model(|| {
        let (ring, oldest) = full();
        let before = ring.copy(oldest).unwrap();
        let writer = {
            let ring = Arc::clone(&ring);
            thread::spawn(move || ring.insert(50).map(drop).unwrap())
        };
        if let Some(copy) = ring.copy(oldest) {
            assert_eq!(copy, before);
        }
        writer.join().unwrap();
    });
}
