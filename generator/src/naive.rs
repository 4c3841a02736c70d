//! The oracle of the tests: plain iteration over successors until nothing changes. Sequential, slow, and too
//! simple to be wrong.

use crate::game::{Game, Start};
use dragnet_formats::{
    rules::Stuck,
    value::{Successors, Value},
};

/// The value of every position. Sweep d decides the positions with DTW d; time is positions × moves × sweeps.
pub fn solve(game: &impl Game) -> Vec<Value> {
    let mut values: Vec<Option<Value>> = (0..game.positions())
        .map(|position| match game.start(position) {
            Start::Won => Some(Value::Win(0)),
            Start::Lost => Some(Value::Loss(0)),
            Start::Moves(0) => Some(Value::Draw),
            Start::Moves(_) => None,
        })
        .collect();
    loop {
        let mut found = Vec::new();
        for position in (0..game.positions()).filter(|&p| values[p as usize].is_none()) {
            let mut successors = Successors::default();
            // Undecided for now counts as a draw: it neither wins here nor lets this position be lost.
            game.for_each_successor(position, |p| {
                successors.add(match (values[p as usize].unwrap_or(Value::Draw), game.keeps_turn(p)) {
                    // Seen by the other side.
                    (Value::Win(dtw), true) => Value::Loss(dtw),
                    (Value::Loss(dtw), true) => Value::Win(dtw),
                    (value, _) => value,
                });
            });
            match successors.value(Stuck::Loses) {
                Value::Draw => {}
                value => found.push((position, value)),
            }
        }
        if found.is_empty() {
            return values.into_iter().map(|value| value.unwrap_or(Value::Draw)).collect();
        }
        for (position, value) in found {
            values[position as usize] = Some(value);
        }
    }
}
