//! One level of one group of sets, slice by slice.

mod progress;

mod flags;

mod pass;

mod slice_state;

mod losses;

mod team_turn;

mod grow;

mod decided;

mod start;

pub(crate) use {
    decided::Undecided,
    flags::Flags,
    grow::{Scratch, flag_dependents, grow, grow_by_thief_moves, join_held_back},
    pass::{Changed, Growth, Pass, Slice},
    progress::{Added, Progress},
    slice_state::{GrowingSet, Joined, SliceState},
    start::{TileStart, start},
};
