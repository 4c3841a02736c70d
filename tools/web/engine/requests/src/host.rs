//! The functions that the host gives to the engine.

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "dragnet")]
unsafe extern "C" {
    /// Takes note that a level is solved: its number, the positions decided in it and in all, and the
    /// positions of the game. Numbers are floats, since an integer of 64 bits is no number in JavaScript.
    pub safe fn level(level: u32, decided_here: f64, decided: f64, positions: f64);
    /// Takes note that so many of the table's blocks are encoded.
    pub safe fn written(done: f64, blocks: f64);
    /// Takes the message of a panic, which ends the engine: so many bytes at this address.
    pub safe fn panicked(text: *const u8, len: usize);
}

/// The host's functions in a build for tests, which has no host.
#[cfg(not(target_family = "wasm"))]
mod without_host {
    /// Does nothing.
    pub fn level(_: u32, _: f64, _: f64, _: f64) {}
    /// Does nothing.
    pub fn written(_: f64, _: f64) {}
    /// Does nothing.
    pub fn panicked(_: *const u8, _: usize) {}
}

#[cfg(not(target_family = "wasm"))]
pub use without_host::{level, panicked, written};
