//! From the logs of a solved game to the digest and the blocks of its table.

mod sorted_log;

mod palette;

mod tiles;

mod terminal_slots;

mod palette_indices;

mod digest;

mod sheet;

mod blocks;

pub(super) use blocks::{BlockMaker, Bundle};
