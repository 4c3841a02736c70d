//! Positions with more moves than their word can count (`PROTOCOL.md` §2).

use super::sync::{AtomicU32, Ordering::Relaxed};

/// The counters of all hubs: per hub, sorted, its position and its undecided moves.
#[derive(Debug, Default)]
pub(super) struct Hubs(Vec<(u64, AtomicU32)>);

impl Hubs {
    /// Creates the counters of positions with so many moves each.
    pub(super) fn new(mut hubs: Vec<(u64, u32)>) -> Hubs {
        hubs.sort_unstable();
        Hubs(hubs.into_iter().map(|(position, moves)| (position, AtomicU32::new(moves))).collect())
    }

    /// Returns whether there is no hub.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Counts down one move of a hub. True for one caller only: the one that counts the last move, so that
    /// the position is lost.
    ///
    /// # Panics
    /// If the position is not a hub.
    pub(super) fn count_down(&self, position: u64) -> bool {
        let found = self.0.binary_search_by_key(&position, |hub| hub.0);
        let hub = found.expect("a position with a hub's word is a hub");
        // Relaxed, as for the words: the number carries no other data with it.
        self.0[hub].1.fetch_sub(1, Relaxed) == 1
    }
}
