//! What a Dragnet table *means*: boards, rules, the number of a position, values, block codecs and the byte
//! container. `FORMAT.md` beside this crate describes every byte for readers in other languages.
//!
//! The crate opens no files and starts no threads: [`container::Reader`] reads any bytes,
//! [`container::Writer`] writes to anything seekable. Corrupt bytes are a typed error, never a panic.
//! `dragnet-probe` opens and maps files, `dragnet-generator` solves games.
//!
//! The modules stand in the order in which they build on each other. A walk through them begins with
//! [`board::Scenario::parse`], goes on with [`rules::Rules`], [`game::PursuitGame`],
//! [`numbering::Numbering`] and [`value::Value`], and ends with [`header::Header`], [`container::Reader`] and
//! [`container::Writer`]. The crate's README has an example of the whole.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod cell;

pub mod stop;

pub mod digest;

mod leb128;

mod bits;

pub mod plain_text;

pub mod graph;

pub mod pieces;

pub mod team_numbers;

pub mod game;

pub mod board;

pub mod look;

pub mod rules;

pub mod doors;

pub mod moves;

pub mod guards;

pub mod setting;

pub mod worlds;

pub mod sight;

pub mod compile;

pub mod value;

pub mod checksum;

pub mod positioned;

pub mod codec;

pub mod numbering;

pub mod header;

pub mod container;

pub mod stored;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
