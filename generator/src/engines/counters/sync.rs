//! The atomics of the protocol. `tests/loom.rs` compiles `word.rs` with those of the model checker in their
//! place.

pub(super) use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};
