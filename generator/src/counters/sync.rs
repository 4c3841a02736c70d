//! The one door through which atomics come in, so that the model checker loom can take their place.

#[cfg(loom)]
pub(super) use loom::sync::atomic::{AtomicU16, Ordering};
#[cfg(not(loom))]
pub(super) use std::sync::atomic::{AtomicU16, Ordering};
