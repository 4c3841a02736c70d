//! The sentences of the game.

use crate::game::{End, Game};
use dragnet_probe::{Cell, Choice, Outcome, Position, Rules, Side, Square, Value, opponent::EscapeCone};
use std::mem::discriminant;

/// The message after a move was taken back.
pub(crate) const TAKEN_BACK: &str = "Taken back. Shift-R makes it again.";
/// The message if there is nothing to take back.
pub(crate) const NOTHING_TO_TAKE_BACK: &str = "You have made no move yet.";
/// The message after a move was made again.
pub(crate) const MADE_AGAIN: &str = "Made again.";
/// The message if there is nothing to make again.
pub(crate) const NOTHING_TO_MAKE_AGAIN: &str = "Nothing was taken back.";

/// Returns the side with its article.
#[must_use]
pub(crate) fn side(side: Side) -> &'static str {
    match side {
        Side::Police => "the police",
        Side::Thief => "the thief",
    }
}

/// Returns the sentence with a capital letter.
#[must_use]
pub(crate) fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Says the aim and the outcome at perfect play. The distance is a hint and left out.
#[must_use]
pub(crate) fn opening(game: &Game) -> String {
    let aim = match game.human {
        Side::Police => "Catch the thief",
        Side::Thief => "Reach an exit (EX)",
    };
    match game.par().0 {
        Outcome::Draw => format!("{aim}. Neither side can force a win from here."),
        winner if winner == game.human.into() => format!("{aim}. At perfect play you win."),
        _ => format!("{aim}. At perfect play you lose: hope for an error."),
    }
}

/// Describes the last ply, the opponent's.
#[must_use]
pub(crate) fn reply(game: &Game) -> String {
    let (Some(before), position) = (game.before(), game.position()) else { return String::new() };
    let who = capital(side(before.turn));
    let (from, to) = moved(before, position);
    let did = if from == to { "waits".to_owned() } else { format!("steps {}", direction(from, to)) };
    let again =
        if game.occurrences() == 2 { " This position occurred before; a third time is a draw." } else { "" };
    format!("{who} {did}.{again}")
}

/// Explains why there is no move to `to`.
#[must_use]
pub(crate) fn illegal(game: &Game, from: Cell, to: Cell) -> String {
    let who = capital(side(game.human));
    let by = (to.row.wrapping_sub(from.row).cast_signed(), to.col.wrapping_sub(from.col).cast_signed());
    let steps = game.arena.rules().movement(game.human).moves.offsets();
    if by.0.abs() == 1 && by.1.abs() == 1 && !steps.contains(&by) {
        // The human may have pressed `u` or `n` for the command of the capital letter.
        return format!("{who} does not step diagonally. (Shift-U: take back, Shift-N: new game)");
    }
    if game.doors().any(|(cell, open)| cell == to && !open) {
        return "That door is closed.".to_owned();
    }
    if matches!(game.arena.table.board().square(to), Some(Square::Open | Square::Exit)) {
        return format!("{who} cannot go there in one move.");
    }
    "There is a wall.".to_owned()
}

/// Comments on a move worth `made`, if the best was worth `best`.
#[must_use]
pub(crate) fn verdict(best: Value, made: Value) -> &'static str {
    match (best, made) {
        (Value::Win(_), Value::Draw) => "That gave the win away: now it is a draw.",
        (Value::Win(_), Value::Loss(_)) => "That gave the win away: now you lose.",
        (Value::Draw, Value::Loss(_)) => "That gave the draw away: now you lose.",
        _ => "",
    }
}

/// Describes how `side` moves under `rules`.
#[must_use]
pub(crate) fn gait(rules: &Rules, side: Side) -> String {
    let movement = rules.movement(side);
    let offsets = movement.moves.offsets();
    let near = offsets.iter().all(|&(down, right)| down.abs().max(right.abs()) == 1);
    let diagonal = offsets.iter().any(|&(down, right)| down != 0 && right != 0);
    let step = match (near, diagonal, offsets.len()) {
        (true, true, 8) => "one step in any of 8 directions",
        (true, false, 4) => "one step up, down, left or right",
        _ => "steps of its own",
    };
    format!("{step}{}", if movement.may_pass { ", or stays" } else { "" })
}

/// Says whether a diagonal step may cut corners, with the margin of the help.
#[must_use]
pub(crate) fn corners(rules: &Rules) -> &'static str {
    if rules.corner_cutting {
        "   Diagonal steps slip between walls that touch at a corner."
    } else {
        "   No diagonal step passes the corner of a wall."
    }
}

/// Says which side wins at perfect play, and in how many plies from now.
#[must_use]
pub(crate) fn prospect(game: &Game) -> String {
    let value = game.value();
    match (value.outcome(game.position().turn), value.dtw()) {
        (Outcome::Police, Some(dtw)) => format!("The police wins in {}", plies(dtw as usize)),
        (Outcome::Thief, Some(dtw)) => format!("The thief wins in {}", plies(dtw as usize)),
        _ => "A draw at perfect play".to_owned(),
    }
}

/// Returns the cells that a move leaves and reaches, of the piece that steps; of the first piece if none
/// does.
#[must_use]
pub(crate) fn moved(before: Position, after: Position) -> (Cell, Cell) {
    let from = before.mover();
    let mut left = match before.turn {
        Side::Police => after.police.to_vec(),
        Side::Thief => vec![after.thief],
    };
    let mut stepped = None;
    for &cell in from.iter() {
        match left.iter().position(|&other| other == cell) {
            Some(at) => drop(left.swap_remove(at)),
            None => stepped = Some(cell),
        }
    }
    stepped.zip(left.first().copied()).unwrap_or((from.cell(), from.cell()))
}

/// Lists the moves of the piece on `from` with the outcome of `kind`: an arrow and a distance each. Returns
/// `None` if there are none.
#[must_use]
pub(crate) fn moves(game: &Game, from: Cell, kind: Value) -> Option<String> {
    let heading = match kind {
        Value::Win(_) => "wins:",
        Value::Draw => "draws:",
        Value::Loss(_) => "loses:",
    };
    let of_kind = game.choices().iter().filter(|choice| discriminant(&choice.worth()) == discriminant(&kind));
    let list: Vec<String> = of_kind.filter_map(|choice| hint(game.position(), from, choice)).collect();
    (!list.is_empty()).then(|| format!(" {heading} {} ", list.join(" ")))
}

/// Returns the step and the distance of a move of the piece on `from`; `None` if another piece steps.
fn hint(position: Position, from: Cell, choice: &Choice) -> Option<String> {
    let (left, reached) = moved(position, choice.position);
    let to = match (left == reached, left == from) {
        (true, _) => step(from, from),
        (false, true) => step(from, reached),
        (false, false) => return None,
    };
    let space = if to.chars().count() > 1 { " " } else { "" };
    Some(choice.worth().dtw().map_or_else(|| to.clone(), |dtw| format!("{to}{space}{dtw}")))
}

/// Names the move from `before` to `after`: the word `stay`, or the direction of a step. Of several officers
/// the one that steps is named by its cell.
#[must_use]
pub(crate) fn move_name(before: Position, after: Position) -> String {
    let (from, to) = moved(before, after);
    if before.mover().len() == 1 || from == to { step(from, to) } else { format!("{from}{}", step(from, to)) }
}

/// Says from how many cells the thief gets away.
#[must_use]
pub(crate) fn cone(cone: &EscapeCone) -> String {
    let [free, even, caught] = [Outcome::Thief, Outcome::Draw, Outcome::Police].map(|side| cone.count(side));
    format!("The thief gets away from {free} cells (+), draws on {even} (=), is caught on {caught} (-).")
}

/// Says how many moves keep the outcome: how easily the side to move can go wrong.
#[must_use]
pub(crate) fn safety(game: &Game) -> String {
    match (game.safe_moves(), game.value()) {
        ((kept, all), Value::Win(_)) => format!("{kept} of {all} moves keep the win."),
        ((kept, all), Value::Draw) => format!("{kept} of {all} moves hold the draw."),
        ((_, _), Value::Loss(_)) => "Only an error of the other side helps.".to_owned(),
    }
}

/// Returns the word `stay`, or the direction of a step.
#[must_use]
pub(crate) fn step(from: Cell, to: Cell) -> String {
    if from == to { "stay".to_owned() } else { direction(from, to) }
}

/// Returns an arrow for a step to a neighbour, and the cell for any other.
fn direction(from: Cell, to: Cell) -> String {
    let by = (i32::from(to.row) - i32::from(from.row), i32::from(to.col) - i32::from(from.col));
    match by {
        (-1, -1) => "↖",
        (-1, 0) => "↑",
        (-1, 1) => "↗",
        (0, -1) => "←",
        (0, 1) => "→",
        (1, -1) => "↙",
        (1, 0) => "↓",
        (1, 1) => "↘",
        _ => return to.to_string(),
    }
    .to_owned()
}

/// Returns a number of plies, in words.
#[must_use]
pub(crate) fn plies(number: usize) -> String {
    if number == 1 { "1 ply".to_owned() } else { format!("{number} plies") }
}

/// Returns a number of things that take an s, in words.
#[must_use]
pub(crate) fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Describes the end of the game in a sentence.
#[must_use]
pub(crate) fn outcome(game: &Game) -> String {
    let made = plies(game.plies());
    match game.end() {
        Some(End::Won(Side::Police)) => format!("The thief is caught after {made}."),
        Some(End::Won(Side::Thief)) => format!("The thief has escaped after {made}."),
        Some(End::Repetition) => format!("The same position for the third time, after {made}."),
        None => String::new(),
    }
}

/// Describes the end of the game: a heading and sentences.
#[must_use]
pub(crate) fn ending(game: &Game, hinted: bool) -> (&'static str, Vec<String>) {
    let heading = match game.end() {
        Some(End::Won(winner)) if winner == game.human => " You win ",
        Some(End::Won(_)) => " You lose ",
        _ => " A draw ",
    };
    let mut lines = vec![outcome(game), par(game)];
    let mut helped = Vec::new();
    if game.taken_back > 0 {
        helped.push(format!("{} taken back", count(game.taken_back as usize, "move")));
    }
    if hinted {
        helped.push("with hints".to_owned());
    }
    if !helped.is_empty() {
        lines.push(format!("({})", helped.join(", ")));
    }
    (heading, lines)
}

/// Says how perfect play from the start would have ended.
#[must_use]
pub(crate) fn par(game: &Game) -> String {
    match game.par() {
        (Outcome::Police, Some(dtw)) => format!("Perfect play: the police wins in {}.", plies(dtw as usize)),
        (Outcome::Thief, Some(dtw)) => format!("Perfect play: the thief wins in {}.", plies(dtw as usize)),
        _ => "Perfect play: a draw.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::Arena;

    #[test]
    fn every_message_fits_on_the_line() {
        for arena in Arena::all().unwrap() {
            for human in Side::BOTH {
                let mut game = Game::new(&arena, human, arena.marked).unwrap();
                let mut said = vec![opening(&game), cone(&game.escape_cone().unwrap())];
                for _ in 0..20 {
                    let from = game.position().mover().cell();
                    if game.position().turn == human {
                        let around =
                            [-1, 0, 1].into_iter().flat_map(|down| [-1, 0, 1].map(|right| (down, right)));
                        said.extend(around.filter_map(|(down, right)| {
                            let to = Cell::new(
                                from.row.checked_add_signed(down)?,
                                from.col.checked_add_signed(right)?,
                            );
                            game.choices()
                                .iter()
                                .all(|choice| choice.to.cell() != to)
                                .then(|| illegal(&game, from, to))
                        }));
                    }
                    // Both wait until the position repeats, so that the message for that is seen too.
                    let wait = game.position().mover();
                    game.play(if game.plies() < 2 { wait } else { game.choices()[0].to }).unwrap();
                    said.push(reply(&game));
                }
                for words in said {
                    assert!(words.chars().count() < 80, "{words}");
                }
            }
        }
    }

    #[test]
    fn an_illegal_step_is_explained_unlike_a_wall() {
        let arenas = Arena::all().unwrap();
        let start = arenas[0].marked;
        let start = Position { turn: Side::Thief, ..start };
        let game = Game::new(&arenas[0], Side::Thief, start).unwrap();
        let near = |down, right| {
            let Cell { row, col } = start.thief;
            Cell::new(row.saturating_add_signed(down), col.saturating_add_signed(right))
        };
        assert!(illegal(&game, start.thief, near(1, 1)).starts_with("The thief does not step diagonally."));
        assert_eq!(illegal(&game, start.thief, near(-1, 0)), "There is a wall.");
        assert_eq!(illegal(&game, start.thief, near(0, 3)), "The thief cannot go there in one move.");
    }
}
