//! What a Dragnet table *means*.
#![forbid(unsafe_code)]

pub mod board;
pub mod cell;
