//! The step from one level to the next: from each decided position to its predecessors.

use super::{
    frontier::{Part, Slice},
    hubs::Hubs,
    sync::{AtomicU16, Ordering::Relaxed},
    word::{LOW_BITS, Word, WordAccess},
};
use crate::game::Reversible;
use dragnet_formats::value::Plies;

/// Predecessors whose words are fetched at once, where they lie far apart. A random graph of 2 million
/// vertices and 20 million edges takes 20 % longer to solve if they are fetched one by one; between 32 and
/// 512 there is no difference.
const AT_ONCE: usize = 128;

/// Returns the lane of `position`, if the frontier has so many lanes.
#[inline]
pub(super) fn lane_of(game: &impl Reversible, lanes: usize, position: u64) -> usize {
    if lanes == 1 { 0 } else { game.lane(position) }
}

/// The step from one level to the next.
pub(super) struct Step<'a, G> {
    pub(super) game: &'a G,
    /// The lanes by which newly decided positions are sorted; 1 if they need not be sorted.
    pub(super) lanes: usize,
    pub(super) words: &'a [AtomicU16],
    pub(super) hubs: &'a Hubs,
    /// The upper bits of distances, from level 2^[`LOW_BITS`] on.
    pub(super) upper: Option<&'a [AtomicU16]>,
    /// The level of the positions that this step decides.
    pub(super) level: Plies,
}

impl<G: Reversible> Step<'_, G> {
    /// Propagates the positions of `slice` to their predecessors, and appends those that this decides to
    /// `part`.
    pub(super) fn propagate<A: WordAccess>(&self, slice: Slice, part: &mut Part) {
        if !self.game.has_kept_turns() {
            if slice.wins {
                self.propagate_wins::<A>(slice.positions(), part);
            } else {
                self.propagate_losses::<A>(slice.positions(), part);
            }
            return;
        }
        // After a move that keeps the turn the player who made it is to move, so a win there is that player's
        // own.
        let keeps = |&position: &u64| self.game.keeps_turn(position);
        self.propagate_wins::<A>(slice.positions().filter(|position| slice.wins != keeps(position)), part);
        self.propagate_losses::<A>(slice.positions().filter(|position| slice.wins == keeps(position)), part);
    }

    /// Propagates positions that are won for the opponent of the player who moved there.
    fn propagate_wins<A: WordAccess>(&self, positions: impl Iterator<Item = u64>, part: &mut Part) {
        let lost = Word::decided(false, self.level);
        if self.hubs.is_empty() {
            self.propagate_by(positions, part, false, |_, word| A::count_down(word, lost));
        } else {
            self.propagate_by(positions, part, false, |position, word| {
                self.count_down::<A>(position, word, lost)
            });
        }
    }

    /// Propagates positions that are won for the player who moved there.
    fn propagate_losses<A: WordAccess>(&self, positions: impl Iterator<Item = u64>, part: &mut Part) {
        let won = Word::decided(true, self.level);
        self.propagate_by(positions, part, true, |_, word| A::decide_win(word, won));
    }

    /// Counts down one move of a position that may be a hub. True if this decided the position.
    fn count_down<A: WordAccess>(&self, position: u64, word: &AtomicU16, lost: Word) -> bool {
        if Word::from_bits(word.load(Relaxed)) != Word::HUB {
            return A::count_down(word, lost);
        }
        let last = self.hubs.count_down(position);
        if last {
            // A plain store: all moves of the hub lead to wins, so that no thread decides it won, and no
            // other thread has counted the last move.
            word.store(lost.bits(), Relaxed);
        }
        last
    }

    /// Calls `decide` for each predecessor and its word, and appends the predecessor to `part` if that
    /// returns true.
    #[inline]
    fn propagate_by(
        &self,
        positions: impl Iterator<Item = u64>,
        part: &mut Part,
        wins: bool,
        decide: impl Fn(u64, &AtomicU16) -> bool,
    ) {
        let mut visit = |predecessor: u64| {
            if decide(predecessor, &self.words[predecessor as usize]) {
                part.push(predecessor, lane_of(self.game, self.lanes, predecessor), wins);
                if let Some(upper) = self.upper {
                    upper[predecessor as usize].store((self.level >> LOW_BITS) as u16, Relaxed);
                }
            }
        };
        if !G::SCATTERED {
            self.game.for_each_predecessor_of(positions, visit);
            return;
        }
        let (mut batch, mut len) = ([0; AT_ONCE], 0);
        let mut flush = |batch: &[u64]| {
            // Nothing depends on these loads, so the processor has all their cache misses under way at once.
            let words = batch.iter().map(|&predecessor| self.words[predecessor as usize].load(Relaxed));
            std::hint::black_box(words.fold(0, u16::wrapping_add));
            batch.iter().for_each(|&predecessor| visit(predecessor));
        };
        self.game.for_each_predecessor_of(positions, |predecessor| {
            batch[len] = predecessor;
            len += 1;
            if len == AT_ONCE {
                flush(&batch);
                len = 0;
            }
        });
        flush(&batch[..len]);
    }
}
