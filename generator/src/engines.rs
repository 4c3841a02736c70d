//! The engines, each of which decides every position of a game.

pub(crate) mod engine;

pub mod naive;

pub mod counters;

pub(crate) mod backwards;

pub mod bitboard;
