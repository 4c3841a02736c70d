//! The one door through which the atomics of the protocol come in: `tests/loom.rs` compiles `word.rs` with the model
//! checker's in their place.

pub(super) use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};
