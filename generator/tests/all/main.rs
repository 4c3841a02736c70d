//! One program of all tests that solve games: each would compile the engines again.

#![allow(clippy::unwrap_used)]

mod blocks;
mod checkpoints;
mod engines;
mod finishing;
mod logs;
mod games;
mod given;
mod oracles;
mod ranks;
mod scratch;
mod stealth;
mod stopping;
mod support;
mod tables;
