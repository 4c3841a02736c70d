//! One program of all tests of the public interface but those that count memory or model threads.

#![allow(clippy::unwrap_used)]

mod support;
mod changing;
mod damage;
mod forged;
mod game_table;
mod large;
mod opponent;
mod opponent_games;
mod opponent_presets;
mod opponent_strength;
mod opponent_vectors;
mod oracle;
mod partial_table;
mod sources;
mod supply;
mod table;
mod tablebase;
mod worlds;
