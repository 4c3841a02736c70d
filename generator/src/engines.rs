//! The engines, each of which decides every position of a game.

pub(crate) mod engine;

pub mod naive;

pub mod counters;

pub(crate) mod labelled;

pub(crate) mod reverse_graph;

pub mod bitboard;
