//! What a Dragnet table *means*: boards, rules, the number of a position, values, block codecs and the byte
//! container. `FORMAT.md` beside this crate describes every byte for readers in other languages.
//!
//! The crate opens no files and spawns no threads: [`container::Reader`] reads any bytes,
//! [`container::Writer`] writes to anything seekable. Files and maps are `dragnet-probe`'s, solving is
//! `dragnet-generator`'s.
//!
//! The modules in the order in which they build on each other:
#![forbid(unsafe_code)]

pub mod cell;

pub mod digest;

pub mod graph;

pub mod board;

pub mod pieces;

pub mod rules;

pub mod moves;

pub mod value;

pub mod checksum;

pub mod codec;

pub mod numbering;

pub mod header;

pub mod scores;

pub mod game_header;

pub mod container;
