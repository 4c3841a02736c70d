//! One level of one group of sets, slice by slice.

mod progress;

mod flags;

mod pass;

mod slice_state;

mod losses;

mod team_turn;

mod scratch;

mod step;

mod grow;

mod decided;

mod start;

pub(crate) use {
    decided::Undecided,
    flags::Flags,
    grow::{flag_dependents, grow, grow_by_thief_moves, join_deferred},
    pass::{Changed, Growth, Pass, Slice},
    progress::{Added, Progress},
    scratch::Scratch,
    slice_state::SliceState,
    start::{TileStart, start},
    step::{GrowingSet, Step},
};
