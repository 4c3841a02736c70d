//! Scores of many positions at once. A row has one for each team of officers, or one for each cell of the
//! thief.

use dragnet_formats::{
    codec::{BlockError, value_of},
    value::{Score, Value},
};

/// Returns the score for which a stored code stands.
///
/// # Errors
/// When no value has the code.
#[inline]
pub fn decode(code: u32) -> Result<Score, BlockError> {
    value_of(code).map(Value::score_for_mover)
}

/// Leaves the greater of each score of `row` and the one of `other` in its place.
pub fn raise(row: &mut [Score], other: &[Score]) {
    for (best, &score) in row.iter_mut().zip(other) {
        *best = (*best).max(score);
    }
}

/// Returns the score of a position whose best successor has the score `best`: the other side's view, one ply
/// earlier.
#[inline]
#[must_use]
pub fn before(best: Score) -> Score {
    -best + best.signum()
}

/// Makes the scores of best successors those of the positions before them.
pub fn all_before(row: &mut [Score]) {
    row.iter_mut().for_each(|best| *best = before(*best));
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::{rules::Stuck, value::Successors};
    use proptest::prelude::*;

    fn values() -> impl Strategy<Value = Vec<Value>> {
        let value =
            prop_oneof![Just(Value::Draw), (0u32..99).prop_map(Value::Win), (0u32..99).prop_map(Value::Loss)];
        prop::collection::vec(value, 1..40)
    }

    proptest! {
        /// The loops over rows compute what [`Successors`] computes for one position after the other.
        #[test]
        fn rows_of_scores_agree_with_single_positions(
            first in values(), second in values(),
        ) {
            let len = first.len().min(second.len());
            let scores = |values: &[Value]| {
                values[..len].iter().map(|value| decode(value.code()).unwrap()).collect::<Vec<Score>>()
            };
            let mut best = scores(&first);
            raise(&mut best, &scores(&second));
            let mut row = best.clone();
            all_before(&mut row);
            for (i, &score) in row.iter().enumerate() {
                let mut successors = Successors::default();
                successors.add(first[i]);
                successors.add(second[i]);
                prop_assert_eq!(Value::from_score(score), successors.value(Stuck::Loses));
            }
        }
    }
}
