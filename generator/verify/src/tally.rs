//! Counting scores, and the content digest.

use super::score::{WORD, WordRow, WordScore};
use dragnet_formats::{
    digest::{GOLDEN_GAMMA, splitmix64},
    header::{Counts, Longest},
};

/// The most rows after which the counts of a [`Tally`] still fit into the smallest scores.
const MOST_ROWS: u32 = i16::MAX as u32;

/// The number of positive and negative scores in some rows, and those of each sign with the longest distance.
pub(super) struct Tally<S> {
    rows: u32,
    /// For each bit of the rows since the last sum, the number of positive and of negative scores.
    counts: [[S; WORD]; 2],
    /// For each bit the positive and the negative score nearest to a draw.
    longest: [[S; WORD]; 2],
    /// The number of positive and of negative scores up to the last sum.
    sums: [u64; 2],
}

impl<S: WordScore> Tally<S> {
    pub(super) fn new() -> Tally<S> {
        let zeros = [S::default(); WORD];
        Tally {
            rows: 0,
            counts: [zeros; 2],
            longest: [[S::ABOVE_ALL; WORD], [S::NO_MOVE; WORD]],
            sums: [0; 2],
        }
    }

    /// Adds a row. Its bits without a position must be draws.
    #[inline(always)]
    pub(super) fn add(&mut self, row: &WordRow<S>) {
        if self.rows == MOST_ROWS {
            self.sum();
        }
        self.rows += 1;
        let zero = S::default();
        let [more, less] = &mut self.counts;
        let [least, greatest] = &mut self.longest;
        for (bit, &score) in row.0.iter().enumerate() {
            more[bit] = more[bit].count_if(score > zero);
            less[bit] = less[bit].count_if(score < zero);
            least[bit] = least[bit].min(if score > zero { score } else { S::ABOVE_ALL });
            greatest[bit] = greatest[bit].max(if score < zero { score } else { S::NO_MOVE });
        }
    }

    fn sum(&mut self) {
        for (sum, counts) in self.sums.iter_mut().zip(&mut self.counts) {
            *sum += counts.iter().map(|count| count.as_count()).sum::<u64>();
            *counts = [S::default(); WORD];
        }
        self.rows = 0;
    }

    /// Returns what was added, of `positions` positions, seen by a side that wins with a positive score: the
    /// police if `police`, else the thief.
    pub(super) fn summary(mut self, positions: u64, police: bool) -> (Counts, Longest) {
        self.sum();
        let [more, less] = self.sums;
        let draw = positions - more - less;
        let [least, greatest] = self.longest;
        let shortest = least.into_iter().min().filter(|&score| score != S::ABOVE_ALL);
        let plies = |score: Option<S>| score.map_or(0, S::plies);
        let won = plies(shortest);
        let lost = plies(greatest.into_iter().max().filter(|&score| score != S::NO_MOVE));
        if police {
            (Counts { police: more, thief: less, draw }, Longest { police: won, thief: lost })
        } else {
            (Counts { police: less, thief: more, draw }, Longest { police: lost, thief: won })
        }
    }
}

/// The part of the digest's terms that belongs to the thief cells of a word.
pub(super) struct DigestWord {
    /// The number of each cell.
    numbers: [u64; WORD],
    /// All bits for each cell, none behind the last one.
    masks: [u64; WORD],
    sums: [u64; WORD],
}

impl DigestWord {
    pub(super) fn new(thief: &[u32]) -> DigestWord {
        let mut word = DigestWord { numbers: [0; WORD], masks: [0; WORD], sums: [0; WORD] };
        for (bit, &cell) in thief.iter().enumerate() {
            (word.numbers[bit], word.masks[bit]) = (cell.into(), u64::MAX);
        }
        word
    }

    /// Adds the terms of a team's row, whose first position in the digest has number `first`.
    #[inline(always)]
    pub(super) fn add<S: WordScore>(&mut self, first: u64, row: &WordRow<S>) {
        for (bit, score) in row.0.iter().enumerate() {
            let code = u64::from(score.code()).wrapping_mul(GOLDEN_GAMMA);
            let term = splitmix64((first + self.numbers[bit]).wrapping_add(code));
            self.sums[bit] = self.sums[bit].wrapping_add(term & self.masks[bit]);
        }
    }

    /// Returns the sum of all terms.
    pub(super) fn sum(&self) -> u64 {
        self.sums.iter().copied().fold(0, u64::wrapping_add)
    }
}
