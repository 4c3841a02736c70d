//! The word of a position and its transitions (`PROTOCOL.md` §2).

use super::sync::{AtomicU16, Ordering::Relaxed};

/// The word of one position: the number of its undecided moves, or its outcome and distance, or closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word(u16);

const DECIDED: u16 = 1 << 15;
const WINS: u16 = 1 << 14;

/// Bits of the distance that the word itself holds.
pub(super) const LOW_BITS: u32 = 14;

impl Word {
    /// The most moves that an undecided word can count.
    pub(super) const MAX_MOVES: u32 = (DECIDED - 2) as u32;

    /// An undecided position with more moves than that: a hub, whose moves are counted elsewhere.
    pub(super) const HUB: Word = Word(DECIDED - 1);

    /// A position that nothing decides: known to be drawn, or illegal.
    pub(super) const CLOSED: Word = Word(0);

    /// Returns the word of a position with `moves` undecided moves: [`Word::HUB`] for more than
    /// [`Word::MAX_MOVES`].
    #[must_use]
    pub(super) const fn undecided(moves: u32) -> Word {
        if moves > Word::MAX_MOVES { Word::HUB } else { Word(moves as u16) }
    }

    /// Returns the word of a position decided in `level` plies.
    #[must_use]
    pub(super) const fn decided(wins: bool, level: u32) -> Word {
        Word(DECIDED | if wins { WINS } else { 0 } | (level & ((1 << LOW_BITS) - 1)) as u16)
    }

    /// Returns the word with these bits.
    #[must_use]
    pub(super) const fn from_bits(bits: u16) -> Word {
        Word(bits)
    }

    /// Returns the word's bits.
    #[must_use]
    pub(super) const fn bits(self) -> u16 {
        self.0
    }

    /// Returns whether the position is decided.
    #[must_use]
    pub(super) const fn is_decided(self) -> bool {
        self.0 & DECIDED != 0
    }

    /// Returns whether the position may yet be decided.
    #[inline]
    const fn is_open(self) -> bool {
        // Neither closed nor decided, in one comparison.
        self.0.wrapping_sub(1) < DECIDED - 1
    }

    /// Returns whether the side to move wins. The word must be decided.
    #[must_use]
    pub(super) const fn wins(self) -> bool {
        self.0 & WINS != 0
    }

    /// Returns the lowest [`LOW_BITS`] bits of the distance. The word must be decided.
    #[must_use]
    pub(super) const fn low_distance(self) -> u16 {
        self.0 & (WINS - 1)
    }

    /// Returns the word after one more move has been counted down, or `None` if that changes nothing.
    #[inline]
    const fn counted_down(self, lost: Word) -> Option<Word> {
        if !self.is_open() || self.0 == Word::HUB.0 {
            None
        } else if self.0 == 1 {
            Some(lost)
        } else {
            Some(Word(self.0 - 1))
        }
    }
}

/// The transitions of a word, for threads that are alone with it or not.
pub(super) trait WordAccess {
    /// Decides the position won, unless it is decided or closed. True if this call decided it.
    fn decide_win(word: &AtomicU16, won: Word) -> bool;

    /// Counts one move down, and decides the position lost if it was the last. True if this call decided it.
    /// Leaves the word of a hub as it is.
    fn count_down(word: &AtomicU16, lost: Word) -> bool;
}

/// Plain loads and stores, for words that no other thread touches.
#[derive(Debug)]
pub(super) struct Alone;

impl WordAccess for Alone {
    #[inline]
    fn decide_win(word: &AtomicU16, won: Word) -> bool {
        let open = Word(word.load(Relaxed)).is_open();
        if open {
            word.store(won.0, Relaxed);
        }
        open
    }

    #[inline]
    fn count_down(word: &AtomicU16, lost: Word) -> bool {
        match Word(word.load(Relaxed)).counted_down(lost) {
            Some(next) => {
                word.store(next.0, Relaxed);
                next.is_decided()
            }
            None => false,
        }
    }
}

/// Compare-and-swap, for words that other threads may change at any time. All operations are relaxed, as
/// argued in `PROTOCOL.md` §4.
#[derive(Debug)]
pub(super) struct Shared;

impl Shared {
    /// Replaces the word by `next` of it, until `next` returns `None` or the swap succeeds. Returns the new
    /// word.
    #[inline]
    fn update(word: &AtomicU16, next: impl Fn(Word) -> Option<Word>) -> Option<Word> {
        let mut seen = word.load(Relaxed);
        loop {
            let new = next(Word(seen))?;
            match word.compare_exchange_weak(seen, new.0, Relaxed, Relaxed) {
                Ok(_) => return Some(new),
                Err(changed) => seen = changed,
            }
        }
    }
}

impl WordAccess for Shared {
    #[inline]
    fn decide_win(word: &AtomicU16, won: Word) -> bool {
        Shared::update(word, |seen| seen.is_open().then_some(won)).is_some()
    }

    #[inline]
    fn count_down(word: &AtomicU16, lost: Word) -> bool {
        Shared::update(word, |seen| seen.counted_down(lost)).is_some_and(Word::is_decided)
    }
}
