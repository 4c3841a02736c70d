//! Scores of positions in as few bits as the distances of a table need, so that many fit into a register.

use dragnet_formats::{
    cell::Side,
    value::{MAX_DTW, Plies, Value},
};
use std::fmt::Debug;

/// The number of positions whose scores are worked on at once: one team against so many cells of the thief.
pub(super) const WORD: usize = 64;

/// A score as in [`Value::score_for_mover`], in a type of its own size: positive if the side that has just
/// moved wins, greater for a shorter win; negative if it loses, less negative for a longer loss; 0 for a
/// draw.
///
/// Distances up to [`WordScore::LONGEST`] and two plies more have scores of their own, so that nothing that
/// is derived from stored values is cut off.
pub(super) trait WordScore: Copy + Ord + Debug + Default + Send + Sync + 'static {
    /// The greatest distance of a stored value.
    const LONGEST: Plies;
    /// Below all scores: the best score of a position without a move.
    const NO_MOVE: Self;
    /// Above all scores.
    const ABOVE_ALL: Self;
    /// The score of a terminal position for the side that has just moved and won.
    const WON: Self;

    /// Returns the score of a stored code. A code with a distance beyond [`WordScore::LONGEST`] has none, and
    /// any score is returned.
    fn of_code(code: u32) -> Self;

    /// Returns the code of a score with a distance of at most [`MAX_DTW`].
    fn code(self) -> u32;

    /// Returns the score with the other sign.
    fn negated(self) -> Self;

    /// Returns the score of a position whose best successor has this score: the other side's view, one ply
    /// earlier.
    fn before(self) -> Self;

    /// Returns the distance of a score that is no draw, which may be beyond [`MAX_DTW`].
    fn plies(self) -> Plies;

    /// Adds 1 to `self`, which counts, if `condition` holds.
    fn count_if(self, condition: bool) -> Self;

    /// Returns the count as a number.
    fn as_count(self) -> u64;

    /// Returns the value with this score, or `None` if its distance is beyond [`MAX_DTW`].
    fn value(self) -> Option<Value> {
        let zero = Self::default();
        if self == zero {
            return Some(Value::Draw);
        }
        let value = if self > zero { Value::Loss } else { Value::Win };
        Some(self.plies()).filter(|&plies| plies <= MAX_DTW).map(value)
    }
}

macro_rules! word_score {
    ($score:ty, $unsigned:ty, $longest:expr, $won:expr) => {
        impl WordScore for $score {
            const LONGEST: Plies = $longest;
            const NO_MOVE: $score = <$score>::MIN;
            const ABOVE_ALL: $score = <$score>::MAX;
            const WON: $score = $won;

            #[inline(always)]
            fn of_code(code: u32) -> $score {
                // 0 for both codes of a distance of 0, and so on.
                let plies = (code.wrapping_sub(1) >> 1) as $score;
                let lost = <$score>::WON.wrapping_sub(plies);
                let score = if code & 1 == 1 { lost } else { lost.wrapping_neg() };
                if code == 0 { 0 } else { score }
            }

            #[inline(always)]
            fn code(self) -> u32 {
                let plies = u32::from(<$score>::WON.wrapping_sub(self.wrapping_abs()) as $unsigned);
                let code = 2 * plies + 1 + u32::from(self < 0);
                if self == 0 { 0 } else { code }
            }

            #[inline(always)]
            fn negated(self) -> $score {
                self.wrapping_neg()
            }

            #[inline(always)]
            fn before(self) -> $score {
                self.signum().wrapping_sub(self)
            }

            #[inline(always)]
            fn plies(self) -> Plies {
                (<$score>::WON - self.abs()) as Plies
            }

            #[inline(always)]
            fn count_if(self, condition: bool) -> $score {
                self.wrapping_add(<$score>::from(condition))
            }

            #[inline(always)]
            fn as_count(self) -> u64 {
                u64::from(self as $unsigned)
            }
        }
    };
}

word_score!(i16, u16, 32_000, i16::MAX - 1);
word_score!(i32, u32, MAX_DTW, MAX_DTW as i32 + 3);

/// Returns the score for the side that has just moved in a terminal position with `turn` to move.
pub(super) fn terminal_score<S: WordScore>(winner: Side, turn: Side) -> S {
    if winner == turn { S::WON.negated() } else { S::WON }
}

/// The scores of one team against the thief cells of a word.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct WordRow<S>(pub(super) [S; WORD]);

impl<S: WordScore> WordRow<S> {
    /// Returns a row with the same score everywhere.
    pub(super) fn of(score: S) -> WordRow<S> {
        WordRow([score; WORD])
    }
}

/// Leaves the greater of each score of `best` and the one of `other` in its place.
#[inline(always)]
pub(super) fn raise<S: WordScore>(best: &mut [S; WORD], other: &[S; WORD]) {
    for (best, &score) in best.iter_mut().zip(other) {
        *best = (*best).max(score);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_against_values<S: WordScore>(plies: impl Iterator<Item = Plies>) {
        let values = plies.flat_map(|plies| [Value::Win(plies), Value::Loss(plies)]).chain([Value::Draw]);
        let values: Vec<Value> = values.collect();
        for &value in &values {
            let score = S::of_code(value.code());
            assert_eq!((score.value(), score.code()), (Some(value), value.code()));
            assert!(S::NO_MOVE < score && score < S::ABOVE_ALL);
            assert_eq!(score.negated().value(), Some(value.for_other_side()));
            if value.dtw().unwrap_or(0) < MAX_DTW {
                assert_eq!(score.before().value(), Some(value.one_ply_before()));
            }
            for &other in &values {
                assert_eq!(score.cmp(&S::of_code(other.code())), other.compare_for_mover(value));
            }
        }
    }

    #[test]
    fn scores_are_ordered_like_values_and_have_their_codes() {
        check_against_values::<i16>((0..40).chain(31_960..=i16::LONGEST));
        check_against_values::<i32>((0..40).chain(MAX_DTW - 40..=MAX_DTW));
    }

    #[test]
    fn distances_beyond_the_limit_have_scores_and_no_value() {
        let mut score = i32::of_code(Value::Win(MAX_DTW).code());
        for _ in 0..2 {
            score = score.before();
            assert_ne!(score, 0);
            assert_eq!(score.value(), None);
        }
        let score = i16::of_code(Value::Loss(i16::LONGEST).code()).before().before();
        assert_eq!(score.value(), Some(Value::Loss(i16::LONGEST + 2)));
    }
}
