//! The atomics of the ring. `tests/loom.rs` compiles `ring.rs` with those of the model checker in their
//! place.

pub(super) use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering, fence},
};
