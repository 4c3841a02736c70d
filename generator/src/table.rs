//! From solved values to the bytes of a table.

pub mod encode;

pub mod game_table;
