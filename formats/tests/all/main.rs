//! One program of all tests but those that count memory, and those of other features.

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
