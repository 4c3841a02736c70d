//! Hostile input for everything that Dragnet reads. Each harness is a function of any bytes that panics when a promise
//! is broken; `fuzz/` calls them from libFuzzer, the tests here replay the corpora and drive them with random bytes.
#![forbid(unsafe_code)]

mod board;
pub mod bytes;
pub mod differential;
mod game_table;
mod manifest;
mod mutation;
mod rules;
pub mod sealed;
mod table;
pub mod whole;

pub use board::board;
pub use differential::table_differential;
pub use game_table::game_table;
pub use manifest::manifest;
pub use rules::rules;
pub use table::table;

/// Panics when a promise is broken.
pub type Harness = fn(&[u8]);

/// A harness by the name of its target and its corpus.
pub const HARNESSES: [(&str, Harness); 6] = [
    ("table", table),
    ("table_differential", table_differential),
    ("game_table", game_table),
    ("board", board),
    ("rules", rules),
    ("manifest", manifest),
];
