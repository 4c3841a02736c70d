//! Scores of many positions at once, for who goes through whole tables. A row has one for each team of officers.

use crate::{
    cell::Side,
    codec::value_of,
    header::Summary,
    numbering::TeamList,
    value::{Score, Value},
};

/// Puts the scores of these codes, which have been checked, into `row`.
pub fn decode(codes: &[u32], row: &mut [Score]) {
    for (score, &code) in row.iter_mut().zip(codes) {
        *score = value_of(code).map_or(0, Value::score_for_mover);
    }
}

/// Leaves the greater of each score of `row` and the one of `other` in its place.
pub fn raise(row: &mut [Score], other: &[Score]) {
    for (best, &score) in row.iter_mut().zip(other) {
        *best = (*best).max(score);
    }
}

/// The score of a position whose best successor has the score `best`: the other side's view, one ply later.
#[inline]
fn before(best: Score) -> Score {
    -best + best.signum()
}

/// Makes of the scores of best successors those of the positions before.
pub fn all_before(row: &mut [Score]) {
    row.iter_mut().for_each(|best| *best = before(*best));
}

/// The first place not `over` whose score is not what `best`, the score of the best successor there, makes of it, or `stuck`
/// if that is [`Score::MIN`]; and what that is.
#[must_use]
pub fn first_wrong(row: &[Score], best: &[Score], over: &[bool], stuck: Score) -> Option<(usize, Score)> {
    let places = row.iter().zip(best).zip(over).enumerate();
    places.filter(|(_, (_, over))| !**over).find_map(|(place, ((&score, &best), _))| {
        let derived = if best == Score::MIN { stuck } else { before(best) };
        (derived != score).then_some((place, derived))
    })
}

/// Adds to `summary` the values of a row with the thief on the cell of this number in reading order.
pub fn add(summary: &mut Summary, turn: Side, row: &[Score], teams: &TeamList, (thief, cells): (u32, u64)) {
    let values = row.iter().map(|&score| Value::from_score(score));
    match turn {
        Side::Police => values.enumerate().for_each(|(team, value)| {
            summary.add_police_to_move(teams.number(team) * cells + u64::from(thief), value);
        }),
        Side::Thief => values.for_each(|value| summary.add_thief_to_move(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{rules::Stuck, value::Successors};
    use proptest::prelude::*;

    fn values() -> impl Strategy<Value = Vec<Value>> {
        let value =
            prop_oneof![Just(Value::Draw), (0u32..99).prop_map(Value::Win), (0u32..99).prop_map(Value::Loss)];
        prop::collection::vec(value, 1..40)
    }

    proptest! {
        /// The loops over rows say what is said of one position after the other.
        #[test]
        fn rows_are_what_their_positions_are(first in values(), second in values(), wrong in any::<prop::sample::Index>()) {
            let len = first.len().min(second.len());
            let scores = |values: &[Value]| {
                let codes: Vec<u32> = values[..len].iter().map(|value| value.code()).collect();
                let mut row = vec![0; len];
                decode(&codes, &mut row);
                row
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
            let (mut over, stuck) = (vec![false; len], Value::Loss(0).score_for_mover());
            prop_assert_eq!(first_wrong(&row, &best, &over, stuck), None);
            let wrong = wrong.index(len);
            let right = std::mem::replace(&mut row[wrong], Value::Win(200).score_for_mover());
            prop_assert_eq!(first_wrong(&row, &best, &over, stuck), Some((wrong, right)));
            over[wrong] = true;
            prop_assert_eq!(first_wrong(&row, &best, &over, stuck), None);
        }
    }
}
