//! From solved values to the bytes of a table.

mod packets;

pub mod encode;

pub mod game_table;

pub(crate) use packets::{BLOCK_MEMORY, Beyond, Room};
