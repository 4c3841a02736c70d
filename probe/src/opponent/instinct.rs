//! The instinct of an opponent that sees no end: to chase or flee by the shortest ways.

use crate::{
    Position,
    moves::Choice,
    opponent::ground::{Ground, distances, levels},
};
use dragnet_formats::cell::{Cell, Side};
use std::cmp::Reverse;

/// Returns the moves among `choices` that instinct prefers in `position`, in their order. The police runs
/// after the thief. The thief runs for an exit that he reaches before the police, or else away from the
/// police.
pub(super) fn preferred(ground: &Ground, position: Position, choices: &[Choice]) -> Vec<Choice> {
    let Some(steps) = &ground.steps else { return choices.to_vec() };
    match position.turn {
        Side::Police => {
            let thief: Vec<u32> = ground.number(position.thief).into_iter().collect();
            let away = distances(&steps.police_back, &thief);
            let least = |choice: &Choice| {
                let distances = choice.to.iter().filter_map(|&cell| at(ground, &away, cell));
                let sum: u64 = distances.clone().map(u64::from).sum();
                (Reverse(distances.min()), Reverse(sum))
            };
            greatest(choices, least)
        }
        Side::Thief => {
            let officers: Vec<u32> = position.police.iter().filter_map(|&cell| ground.number(cell)).collect();
            let police = distances(&steps.police, &officers);
            let exits: Vec<(u32, u32)> =
                ground.exits.iter().map(|&exit| (exit, police[exit as usize])).collect();
            let leads = levels(&steps.thief_back, &exits);
            let lead = |choice: &Choice| at(ground, &leads, choice.to.cell());
            if choices.iter().any(|choice| lead(choice) >= Some(1)) {
                greatest(choices, lead)
            } else {
                greatest(choices, |choice| (at(ground, &police, choice.to.cell()), lead(choice)))
            }
        }
    }
}

/// Returns what `of_cells` says of `cell`.
fn at<T: Copy>(ground: &Ground, of_cells: &[T], cell: Cell) -> Option<T> {
    of_cells.get(ground.number(cell)? as usize).copied()
}

/// Returns the moves with the greatest key, in their order.
fn greatest<K: Ord>(choices: &[Choice], key: impl Fn(&Choice) -> K) -> Vec<Choice> {
    let Some(most) = choices.iter().map(&key).max() else { return Vec::new() };
    choices.iter().filter(|choice| key(choice) == most).copied().collect()
}
