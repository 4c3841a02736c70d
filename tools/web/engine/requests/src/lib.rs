//! Requests to the solver in a page, and their answers. The modules stand in the order in which they build on
//! each other. A module uses only modules above it.
#![cfg_attr(not(target_family = "wasm"), forbid(unsafe_code))]

pub mod host;

mod failure;

pub mod pieces;

pub mod answer;

mod progress;

mod limit;

mod ground;

mod game;

mod description;

mod solve;

mod seen;

mod graph_game;

mod cops;

mod boards;

pub mod requests;
