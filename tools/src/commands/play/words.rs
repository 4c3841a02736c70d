//! The sentences of the game, and moves in words.

use super::game::{End, Game};
use crate::{failure::Failure, output::human};
use dragnet_formats::{
    board::Board,
    cell::{Cell, Side},
    rules::Wrap,
    value::{Plies, Value},
};
use dragnet_probe::{
    Choice, Outcome, Position,
    opponent::{EscapeCone, ReviewError},
};

/// The directions by their names, each with rows down and columns right.
const DIRECTIONS: [(&[&str], (i32, i32)); 8] = [
    (&["n", "north", "up"], (-1, 0)),
    (&["s", "south", "down"], (1, 0)),
    (&["w", "west", "left"], (0, -1)),
    (&["e", "east", "right"], (0, 1)),
    (&["nw", "northwest"], (-1, -1)),
    (&["ne", "northeast"], (-1, 1)),
    (&["sw", "southwest"], (1, -1)),
    (&["se", "southeast"], (1, 1)),
];

/// Returns the cell that a word names to a piece on `from`: a direction, `stay`, or the cell itself.
pub(super) fn target(word: &str, from: Cell, board: &Board, wrap: Wrap) -> Option<Cell> {
    let name = word.to_ascii_lowercase();
    if ["stay", "pass", "."].contains(&name.as_str()) {
        return Some(from);
    }
    match DIRECTIONS.iter().find(|(names, _)| names.contains(&name.as_str())) {
        Some(&(_, by)) => step(from, by, board, wrap),
        None => word.parse().ok(),
    }
}

/// Returns the cell some rows down and columns right of `from`, over joined edges too; `None` if it is off
/// the board.
fn step(from: Cell, (down, right): (i32, i32), board: &Board, wrap: Wrap) -> Option<Cell> {
    let along = |at: u16, by: i32, length: u16, joined: bool| {
        let to = i32::from(at) + by;
        let to = if joined { to.rem_euclid(i32::from(length)) } else { to };
        u16::try_from(to).ok().filter(|&to| to < length)
    };
    Some(Cell::new(
        along(from.row, down, board.height(), wrap.vertical())?,
        along(from.col, right, board.width(), wrap.horizontal())?,
    ))
}

/// Says who plays what, and what is to be done.
pub(super) fn opening(game: &Game, opponent: &str) -> String {
    let aim = match game.human {
        Side::Police => "catch the thief",
        Side::Thief if game.table.board().exits().next().is_some() => "reach an exit E",
        Side::Thief => "get away as long as you can",
    };
    format!("you are the {}: {aim}; the {} is {opponent}", game.human, game.human.other())
}

/// Describes the last ply.
pub(super) fn last_ply(game: &Game) -> String {
    let Some(before) = game.before() else { return String::new() };
    let position = game.position();
    let to = if before.turn == Side::Police { position.police } else { position.thief.into() };
    let from = before.mover();
    match from == to {
        true => format!("the {} stays on {to}", before.turn),
        false => format!("the {} goes from {from} to {to}", before.turn),
    }
}

/// Comments on a move worth `made`, if the best was worth `best`.
pub(super) fn verdict(best: Value, made: Value) -> Option<&'static str> {
    match (best, made) {
        (Value::Win(_), Value::Draw) => Some("that gave the win away: now it is a draw"),
        (Value::Win(_), Value::Loss(_)) => Some("that gave the win away: now you lose"),
        (Value::Draw, Value::Loss(_)) => Some("that gave the draw away: now you lose"),
        _ => None,
    }
}

/// Returns what a move is worth, in words for the side that makes it.
pub(super) fn worth(choice: &Choice) -> String {
    match choice.worth() {
        Value::Draw => "draws".to_owned(),
        Value::Win(dtw) => format!("wins in {dtw}"),
        Value::Loss(dtw) => format!("loses in {dtw}"),
    }
}

/// Describes the end of the game.
pub(super) fn ending(game: &Game) -> String {
    let made = human::plies(game.plies() as Plies);
    match game.end() {
        Some(End::Won(winner)) => {
            let position = game.position();
            let how = match winner {
                Side::Police if position.police.contains(&position.thief) => "the thief is caught",
                Side::Thief if game.table.board().exits().any(|exit| exit == position.thief) => {
                    "the thief has escaped"
                }
                Side::Police => "the police has won",
                Side::Thief => "the thief has won",
            };
            let you = if winner == game.human { "you win" } else { "you lose" };
            format!("{how} after {made}: {you}")
        }
        Some(End::Repetition) => {
            let counted = human::counted_draw(game.table.undecided());
            format!("the position occurs for the third time, after {made}: a draw{counted}")
        }
        None => String::new(),
    }
}

/// The moves that the review of a game names.
const WORST: usize = 3;

/// Describes what the human's moves cost: a line with the sums, and one for each of the worst moves.
pub(super) fn review(game: &Game) -> Result<Vec<String>, Failure> {
    let name = |before: Position, choice: &Choice| match before.mover() == choice.to {
        true => "stay".to_owned(),
        false => choice.to.to_string(),
    };
    let review = game.review().map_err(|error| match error {
        ReviewError::Probe(error) => Failure::from(error),
        other => Failure::input(other.to_string()),
    })?;
    Ok(review.lines(WORST, name))
}

/// Says from how many cells the thief gets away.
pub(super) fn cone(cone: &EscapeCone) -> String {
    let [free, drawn, caught] = [Outcome::Thief, Outcome::Draw, Outcome::Police].map(|side| cone.count(side));
    format!("the thief gets away from {free} cells (+), draws on {drawn} (=), loses on {caught} (-)")
}

/// Says how perfect play from the start would have ended.
pub(super) fn par(game: &Game) -> String {
    match game.start_value() {
        Value::Draw => "at perfect play it is a draw".to_owned(),
        value => format!("at perfect play {}", human::value(value, game.start().turn)),
    }
}
