//! Positions with more moves than their word can count (`PROTOCOL.md` §2).

use super::sync::{AtomicU32, Ordering::Relaxed};

/// The moves not yet told of, of all hubs.
#[derive(Debug, Default)]
pub struct Hubs(Vec<(u64, AtomicU32)>);

impl Hubs {
    /// These positions with so many moves each.
    #[must_use]
    pub fn new(mut hubs: Vec<(u64, u32)>) -> Hubs {
        hubs.sort_unstable();
        Hubs(hubs.into_iter().map(|(position, moves)| (position, AtomicU32::new(moves))).collect())
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Counts one move of a hub down. True if it was the last: then the position is lost, and nobody else is told so.
    #[must_use]
    pub fn count_down(&self, position: u64) -> bool {
        // Relaxed, as for the words: the number carries no other data with it.
        let place = self.0.binary_search_by_key(&position, |hub| hub.0);
        place.is_ok_and(|place| self.0[place].1.fetch_sub(1, Relaxed) == 1)
    }
}
