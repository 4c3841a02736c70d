//! The oracle of the tests: plain iteration over successors until nothing changes. Sequential, slow, too
//! simple to be wrong, and ignorant of symmetry.

use crate::game::{Game, Start};
use dragnet_formats::{
    game::Stuck,
    value::{Successors, Value},
};

/// Returns the value of every position, a draw for illegal ones. Sweep d decides the positions with DTW d
/// from those with smaller ones. Takes time in proportion to positions × moves × sweeps.
pub fn solve(game: &impl Game) -> Vec<Value> {
    let legal: Vec<bool> = (0..game.positions()).map(|p| game.start(p) != Start::Illegal).collect();
    let legal = |position: u64| legal[position as usize];
    let mut values: Vec<Option<Value>> = (0..game.positions())
        .map(|position| {
            let mut moves = 0;
            match game.start(position) {
                Start::Known(value) => return Some(value),
                Start::Illegal => return Some(Value::Draw),
                Start::Open => game.for_each_successor(position, |to| moves += u64::from(legal(to))),
            }
            (moves == 0).then(|| game.stuck(position))
        })
        .collect();
    let last = values.iter().flatten().filter_map(|value| value.dtw()).max().unwrap_or(0);
    for level in 1.. {
        let mut found = Vec::new();
        for position in (0..game.positions()).filter(|&p| values[p as usize].is_none()) {
            let mut successors = Successors::default();
            game.for_each_successor(position, |to| {
                // A position that is undecided before this level counts as a draw: it neither wins here nor
                // lets this position be lost.
                let value = values[to as usize].filter(|value| value.dtw().is_some_and(|dtw| dtw < level));
                let value = value.unwrap_or(Value::Draw);
                if legal(to) {
                    // The player who moved there wants the value for the opponent.
                    successors.add(if game.keeps_turn(to) { value.for_other_side() } else { value });
                }
            });
            match successors.value(Stuck::Loses) {
                Value::Draw => {}
                value => found.push((position, value)),
            }
        }
        if found.is_empty() && level > last {
            break;
        }
        for (position, value) in found {
            values[position as usize] = Some(value);
        }
    }
    values.into_iter().map(|value| value.unwrap_or(Value::Draw)).collect()
}
