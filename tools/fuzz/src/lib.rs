//! Hostile input for everything that the crates of Dragnet read.
//!
//! Each harness is a function that takes any bytes and panics if a promise is broken. `fuzz/` calls the
//! harnesses from libFuzzer; the tests of this crate replay the corpora and drive the harnesses with random
//! bytes.
#![forbid(unsafe_code)]

pub mod corpus;

pub mod bytes;

pub mod sealed;

mod solved;

mod draft;

mod games;

pub mod whole;

mod forging;

mod mutation;

mod board;

mod rules;

mod setting;

mod map;

mod definition;

pub mod table;

pub mod forged;

mod game_table;

pub mod differential;

pub mod bounds;

pub use board::board;
pub use differential::table_differential;
pub use forged::forged_table;
pub use game_table::game_table;
pub use map::{map_csv, map_ldtk, map_png, map_tmj, map_tmx, map_tscn};
pub use rules::rules;
pub use setting::setting;
pub use table::table;

/// A function that takes any bytes and panics if a promise is broken.
pub type Harness = fn(&[u8]);

/// Every harness, with the name of its target and its corpus.
pub const HARNESSES: [(&str, Harness); 13] = [
    ("table", table),
    ("table_differential", table_differential),
    ("forged_table", forged_table),
    ("game_table", game_table),
    ("board", board),
    ("rules", rules),
    ("setting", setting),
    ("map_tmx", map_tmx),
    ("map_tmj", map_tmj),
    ("map_ldtk", map_ldtk),
    ("map_png", map_png),
    ("map_csv", map_csv),
    ("map_tscn", map_tscn),
];
