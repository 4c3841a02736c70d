//! The result of the engine: the label of every position.

use super::word::{LOW_BITS, Word};
use crate::memory::Array;
use dragnet_formats::value::{Plies, Value};

/// The value of every position of a solved game.
#[derive(Debug)]
pub struct Labels {
    words: Array<u16>,
    /// The upper bits of distances, if any distance is longer than a word can hold.
    upper: Option<Array<u16>>,
    longest: Plies,
}

impl Labels {
    pub(super) fn new(words: Array<u16>, upper: Option<Array<u16>>, longest: Plies) -> Labels {
        Labels { words, upper, longest }
    }

    /// Returns the value of `position`; a draw if the position is illegal or not canonical.
    ///
    /// # Panics
    /// If the game has no such position.
    #[must_use]
    #[inline(always)]
    pub fn value(&self, position: u64) -> Value {
        let word = Word::from_bits(self.words.get()[position as usize]);
        if !word.is_decided() {
            return Value::Draw;
        }
        let upper = self.upper.as_ref().map_or(0, |upper| upper.get()[position as usize]);
        let dtw = Plies::from(upper) << LOW_BITS | Plies::from(word.low_distance());
        if word.wins() { Value::Win(dtw) } else { Value::Loss(dtw) }
    }

    /// Returns the greatest distance of any position.
    #[must_use]
    pub fn longest(&self) -> Plies {
        self.longest
    }
}
