//! Several processes, the ranks, that solve a board together, each a part of it (`PROTOCOL.md` §13).
//!
//! A solver does not know of ranks. It asks its [`Border`] at the end of each level, and that of a solver of
//! a whole board does nothing.

mod packed_bits;

mod border;

mod exchange;

mod gather;

mod rank;

pub(crate) use {
    border::{Border, GrownLevel, LogsUntil},
    rank::part_of,
};
