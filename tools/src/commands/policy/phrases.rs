//! Phrases about positions and bounds, and their JSON.

use super::spec::PolicySpec;
use crate::{
    failure::Failure,
    messages::{columns, wrapped},
    output::{
        console::{StandardOutput, output},
        human,
        json::{JsonCell, JsonPieces},
    },
};
use dragnet_formats::{
    cell::Side,
    pieces::Pieces,
    value::{Outcome, Value},
};
use dragnet_policy::{Interval, PolicyGame, PolicyPosition};
use dragnet_probe::Position;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, BufWriter, Write, stdout};

/// All outcomes, in the order in which they are listed.
pub(super) const OUTCOMES: [Outcome; 3] = [Outcome::Police, Outcome::Thief, Outcome::Draw];

/// Standard output in lines that fit the terminal.
pub(super) struct Lines {
    out: BufWriter<StandardOutput>,
    columns: usize,
}

impl Lines {
    /// Locks standard output.
    pub(super) fn new() -> Lines {
        Lines { out: output(), columns: columns(&stdout()) }
    }

    /// Prints a sentence, broken between words.
    pub(super) fn prose(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", wrapped(text, 0, self.columns))
    }

    /// Prints a line of columns, without those of the greatest ranks where the terminal is narrow.
    pub(super) fn row(&mut self, parts: &[(u8, String)]) -> io::Result<()> {
        writeln!(self.out, "{}", human::fitted(parts, self.columns))
    }

    /// Ends the output.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }
}

/// Returns the first line of an answer: who follows which policy.
pub(super) fn heading(spec: &PolicySpec, game: &PolicyGame) -> String {
    let (fixed, free) = (game.fixed_side(), game.free_side());
    let own = if free == Side::Police { "its" } else { "his" };
    format!("the {fixed} follows {spec}; the {free} plays {own} best")
}

/// Returns the pieces and the side to move in a position.
pub(super) fn pieces_of(game: &PolicyGame, position: PolicyPosition) -> Position {
    let [police, thief] = game.pieces(position);
    Position::new(police, thief.cell(), position.turn)
}

/// Returns a position in a phrase, with the step of a patrol: `police 0,3 at step 2, thief 7,7, police to
/// move`.
pub(super) fn position(spec: &PolicySpec, game: &PolicyGame, position: PolicyPosition) -> String {
    let board = game.ground().board();
    let Position { police, thief, turn, .. } = pieces_of(game, position);
    let step = |side| match spec {
        PolicySpec::Patrol(_) if side == game.fixed_side() => format!(" at step {}", position.post),
        _ => String::new(),
    };
    let (police, thief) = (human::pieces(board, &police), human::pieces(board, &thief.into()));
    let [of_police, of_thief] = Side::BOTH.map(step);
    format!("police {police}{of_police}, thief {thief}{of_thief}, {turn} to move")
}

/// Returns a value in a few words: `the police wins in 7 plies`, `a draw`.
pub(super) fn value(value: Value, turn: Side) -> String {
    match value {
        Value::Draw => "a draw".to_owned(),
        value => human::value(value, turn),
    }
}

/// Returns the name of an outcome in a table of starts.
pub(super) fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Police => "the police wins",
        Outcome::Thief => "the thief wins",
        Outcome::Draw => "drawn",
    }
}

/// Returns a probability in per cent with four decimals, or both bounds if they differ there.
pub(super) fn percent(bounds: Interval) -> String {
    let [low, high] = [bounds.low, bounds.high].map(|share| format!("{:.4}", share * 100.0));
    if low == high { format!("{low} %") } else { format!("{low} to {high} %") }
}

/// Returns a number of expected plies with two decimals, or both bounds if they differ there.
pub(super) fn expected(bounds: Interval) -> String {
    let [low, high] = [bounds.low, bounds.high].map(|plies| match format!("{plies:.2}") {
        zero if zero == "-0.00" => "0.00".to_owned(),
        plies => plies,
    });
    match bounds.high.is_finite() {
        true if low == high => format!("{low} plies"),
        true => format!("{low} to {high} plies"),
        false => format!("at least {low} plies"),
    }
}

/// Bounds of a figure in JSON, with `null` in place of an infinite one.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, title = "`[low, high]`")]
pub(super) struct JsonBounds([Option<f64>; 2]);

impl From<Interval> for JsonBounds {
    fn from(bounds: Interval) -> JsonBounds {
        JsonBounds([bounds.low, bounds.high].map(|bound| bound.is_finite().then_some(bound)))
    }
}

/// Returns the cell to which a move leads, with a word if the pieces stay.
pub(super) fn target(game: &PolicyGame, before: PolicyPosition, after: PolicyPosition) -> String {
    let mover = |position| game.pieces(position)[before.turn as usize];
    let (from, to) = (mover(before), mover(after));
    let pass = if from == to { " pass" } else { "" };
    human::pieces(game.ground().board(), &to) + pass
}

/// A position, with the post of the fixed side.
#[derive(Serialize, JsonSchema)]
pub(super) struct JsonPosition {
    /// Where the officers stand.
    police: JsonPieces,
    /// Where the thief stands.
    thief: JsonCell,
    /// The side to move.
    turn: Side,
    /// The post of the fixed side, from 0: of a patrol its step.
    post: u32,
}

impl JsonPosition {
    /// Returns a position of `game`.
    pub(super) fn new(game: &PolicyGame, position: PolicyPosition) -> JsonPosition {
        let Position { police, thief, turn, .. } = pieces_of(game, position);
        JsonPosition { police: (&police).into(), thief: thief.into(), turn, post: position.post }
    }
}

/// Returns the pieces that a side has after a move, in JSON.
pub(super) fn target_json(game: &PolicyGame, turn: Side, after: PolicyPosition) -> JsonPieces {
    let pieces: [Pieces; 2] = game.pieces(after);
    (&pieces[turn as usize]).into()
}
