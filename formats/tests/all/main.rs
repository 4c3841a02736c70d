//! One program of all tests that need no features and count no memory.

#![allow(clippy::unwrap_used)]

mod support;
mod boards;
#[cfg(feature = "libzstd")]
mod codec;
#[cfg(feature = "libzstd")]
mod container;
mod doors;
#[cfg(feature = "libzstd")]
mod game_table;
mod partial_table;
