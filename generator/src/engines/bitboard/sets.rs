//! The four sets of decided positions, and the words in which they are kept.

mod set;

mod page_store;

mod stored_blocks;

mod shared_blocks;

mod set_words;

pub(crate) use {
    page_store::PageStore,
    set::{BySide, Group, Set},
    set_words::{OverlayWords, SetWords, SliceWords, StandingWords, by_role, dense_bytes},
    shared_blocks::SharedBlocks,
    stored_blocks::{ONE_PAGE, lines_of_page},
};
