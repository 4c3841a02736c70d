//! From the logs of a solved game to the digest and the blocks of its table.

mod sorted_log;

mod palette;

mod palette_indices;

mod tiles;

mod terminal_slots;

mod digest;

mod sheet;

mod blocks;

pub(super) use blocks::{BlockMaker, Bundle};
