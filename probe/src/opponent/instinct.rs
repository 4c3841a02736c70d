//! The instinct of an opponent that sees no end: to chase or flee by the shortest ways.

use crate::{
    Position,
    moves::Choice,
    opponent::board_steps::{BoardSteps, Distances, Levels},
};
use dragnet_formats::cell::{Cell, Side};
use std::cmp::Reverse;

/// Room for what instinct computes in a turn.
#[derive(Clone, Debug, Default)]
pub(super) struct InstinctScratch {
    distances: Distances,
    levels: Levels,
}

/// Keeps the moves among `choices` that instinct prefers in `position`, in their order. The police runs after
/// the thief. The thief runs for an exit that he reaches before the police, or else away from the police.
pub(super) fn prefer(
    board: &BoardSteps,
    position: Position,
    choices: &mut Vec<Choice>,
    scratch: &mut InstinctScratch,
) {
    let Some(steps) = &board.steps else { return };
    match position.turn {
        Side::Police => {
            let thief = board.number(position.thief).into_iter();
            let away = scratch.distances.measure(&steps.police_back, thief);
            keep_greatest(choices, |choice| {
                let distances = choice.to.iter().filter_map(|&cell| at(board, away, cell));
                let sum: u64 = distances.clone().map(u64::from).sum();
                (Reverse(distances.min()), Reverse(sum))
            });
        }
        Side::Thief => {
            let officers = position.police.iter().filter_map(|&cell| board.number(cell));
            let police = scratch.distances.measure(&steps.police, officers);
            let exits = board.exits.iter().map(|&exit| (exit, police[exit as usize]));
            let leads = scratch.levels.measure(&steps.thief_back, exits);
            let lead = |choice: &Choice| at(board, leads, choice.to.cell());
            if choices.iter().any(|choice| lead(choice) >= Some(1)) {
                keep_greatest(choices, lead);
            } else {
                keep_greatest(choices, |choice| (at(board, police, choice.to.cell()), lead(choice)));
            }
        }
    }
}

/// Returns what `of_cells` says of `cell`.
fn at<T: Copy>(board: &BoardSteps, of_cells: &[T], cell: Cell) -> Option<T> {
    of_cells.get(board.number(cell)? as usize).copied()
}

/// Keeps the moves with the greatest key, in their order.
fn keep_greatest<K: Ord>(choices: &mut Vec<Choice>, key: impl Fn(&Choice) -> K) {
    let Some(most) = choices.iter().map(&key).max() else { return };
    choices.retain(|choice| key(choice) == most);
}
