//! A solver that goes over all positions again and again: no numbers, no levels, no reversed moves.

use std::collections::BTreeMap;

/// Returns the positions with a value: whether the side to move wins, and in how many plies. `ended` says
/// whether the side to move has won a position that is over, and `stuck` whether a side without a move wins.
pub(crate) fn values<P: Ord + Clone>(
    positions: &[P],
    ended: impl Fn(&P) -> Option<bool>,
    moves: impl Fn(&P) -> Vec<P>,
    stuck: bool,
) -> BTreeMap<P, (bool, u32)> {
    let mut values: BTreeMap<P, (bool, u32)> =
        positions.iter().filter_map(|at| Some((at.clone(), (ended(at)?, 0)))).collect();
    let moves: Vec<(&P, Vec<P>)> =
        positions.iter().filter(|at| ended(at).is_none()).map(|at| (at, moves(at))).collect();
    loop {
        let mut changed = false;
        for (at, after) in &moves {
            let seen: Vec<Option<(bool, u32)>> = after.iter().map(|to| values.get(to).copied()).collect();
            let quickest = seen.iter().flatten().filter(|value| !value.0).map(|value| value.1 + 1).min();
            let slowest = seen.iter().flatten().map(|value| value.1 + 1).max();
            let lost = seen.iter().all(|value| matches!(value, Some((true, _))));
            let new = match after.is_empty() {
                true => Some((stuck, 0)),
                false => quickest.map(|plies| (true, plies)).or(lost.then(|| (false, slowest.unwrap_or(0)))),
            };
            if let Some(new) = new {
                changed |= values.insert((*at).clone(), new) != Some(new);
            }
        }
        if !changed {
            return values;
        }
    }
}
