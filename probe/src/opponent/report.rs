//! A review in words.

use crate::{
    Position,
    moves::Choice,
    opponent::review::{Review, ReviewedMove},
};
use dragnet_formats::value::Value;

impl Review {
    /// Describes the review in English: a line with the sums, then a line for each of the `count` worst
    /// moves, the worst first. `name` names a move made in a position; plies are counted from 1. Returns no
    /// line if the side has made no move.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Open, Position, Side, opponent::Review};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Open::path(path).pursuit()?;
    /// let start = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
    /// let review = Review::new(&table, &[start, start.after(start.police)], Side::Police)?;
    /// let lines = review.lines(3, |_, choice| choice.to.to_string());
    /// assert_eq!(lines, [
    ///     "Of 1 move 1 was not the best; 1 changed the outcome.",
    ///     "  ply 1: 0,0 instead of 1,0, from won to lost",
    /// ]);
    /// # Ok::<(), dragnet_probe::opponent::ReviewError>(())
    /// ```
    #[must_use]
    pub fn lines(&self, count: usize, name: impl Fn(Position, &Choice) -> String) -> Vec<String> {
        let moves = counted(self.moves.len() as u64, "move", "moves");
        let sum = match (self.errors, self.blunders) {
            _ if self.moves.is_empty() => return Vec::new(),
            (0, _) => format!("Your {moves} could not be bettered."),
            (errors, 0) => {
                format!("{errors} of your {moves} lost {}.", counted(self.plies_lost, "ply", "plies"))
            }
            (errors, blunders) => {
                let verb = if errors == 1 { "was" } else { "were" };
                format!("Of {moves} {errors} {verb} not the best; {blunders} changed the outcome.")
            }
        };
        let mut lines = vec![sum];
        lines.extend(self.worst(count).iter().map(|rated| describe(rated, &name)));
        lines
    }
}

/// Describes a move that was not the best.
fn describe(rated: &ReviewedMove, name: impl Fn(Position, &Choice) -> String) -> String {
    let [made, better] = [rated.played, rated.best].map(|choice| name(rated.before, &choice));
    let cost = match (rated.best.worth(), rated.played.worth()) {
        (Value::Win(_), Value::Draw) => "from won to drawn".to_owned(),
        (Value::Win(_), Value::Loss(_)) => "from won to lost".to_owned(),
        (Value::Draw, Value::Loss(_)) => "from drawn to lost".to_owned(),
        _ => format!("lost {}", counted(rated.cost.plies.into(), "ply", "plies")),
    };
    format!("  ply {}: {made} instead of {better}, {cost}", rated.ply + 1)
}

fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
