//! The opponent: perfect by the table, or with errors by lot.
//!
//! In a share of its moves, [`Difficulty::errors`], the opponent errs: it plays a move that is not among the
//! best. All other moves are best moves, drawn by lot among equals. In a drawn position, where all draws are
//! equal, the opponent prefers a move after which the largest share of the human's replies loses.
//!
//! Errors are drawn by this rule:
//!
//! 1. With the probability [`Difficulty::blunders`] an error is a blunder, which makes the outcome worse.
//!    Otherwise it is a slip, which keeps the outcome and loses distance. If no error of that kind exists,
//!    the best move is played.
//! 2. A slip that loses L plies against the best move (L ≥ 1) has the weight 1/L.
//! 3. A blunder into a loss in d plies has the weight min(d, [`SLOW`]), a blunder into a draw the weight
//!    [`SLOW`]: the later it is punished, the likelier it is.

#[cfg(test)]
mod tests;

use crate::game::Game;
use clap::ValueEnum;
use dragnet_probe::{Choice, Plies, Position, ProbeError, Table, Value};
use fastrand::Rng;

/// The distance from which on a loss looks as good as a draw to a side that blunders.
const SLOW: Plies = 100;

/// How well the opponent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Difficulty {
    /// Errs in 40 % of its moves, of which 30 % are blunders
    Easy,
    /// Errs in 25 % of its moves, of which 20 % are blunders
    Normal,
    /// Errs in 10 % of its moves, of which 10 % are blunders
    Hard,
    /// Never errs
    Perfect,
}

impl Difficulty {
    /// All difficulties, the easiest first.
    pub(crate) const ALL: [Difficulty; 4] =
        [Difficulty::Easy, Difficulty::Normal, Difficulty::Hard, Difficulty::Perfect];

    /// Returns the share of moves that are errors, in per cent.
    #[must_use]
    pub(crate) fn errors(self) -> u8 {
        match self {
            Difficulty::Easy => 40,
            Difficulty::Normal => 25,
            Difficulty::Hard => 10,
            Difficulty::Perfect => 0,
        }
    }

    /// Returns the share of errors that are blunders, in per cent.
    #[must_use]
    pub(crate) fn blunders(self) -> u8 {
        match self {
            Difficulty::Easy => 30,
            Difficulty::Normal => 20,
            Difficulty::Hard => 10,
            Difficulty::Perfect => 0,
        }
    }

    /// Returns the name on the screen.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Difficulty::Easy => "easy",
            Difficulty::Normal => "normal",
            Difficulty::Hard => "hard",
            Difficulty::Perfect => "perfect",
        }
    }
}

/// Chooses the move of a side that plays at `difficulty`. Returns `None` if the game has ended.
///
/// # Errors
/// Returns an error if the table is damaged.
pub(crate) fn choose(
    game: &Game,
    difficulty: Difficulty,
    rng: &mut Rng,
) -> Result<Option<Choice>, ProbeError> {
    let choices = game.choices();
    if rng.u8(..100) < difficulty.errors() {
        let blunder = rng.u8(..100) < difficulty.blunders();
        if let Some(error) = draw_error(choices, blunder, rng) {
            return Ok(Some(error));
        }
    }
    best(&game.arena.table, choices, rng)
}

/// Draws an error by the weights of its kind. Returns `None` if no move is an error of that kind.
fn draw_error(choices: &[Choice], blunder: bool, rng: &mut Rng) -> Option<Choice> {
    let best = choices.first()?.worth();
    let weight = |choice: &Choice| {
        if blunder { blunder_weight(best, choice.worth()) } else { slip_weight(best, choice.worth()) }
    };
    let total: f64 = choices.iter().map(weight).sum();
    let mut lot = rng.f64() * total;
    let mut drawn = None;
    for choice in choices {
        let weight = weight(choice);
        if weight > 0.0 {
            drawn = Some(*choice);
            lot -= weight;
            if lot < 0.0 {
                break;
            }
        }
    }
    drawn
}

/// Returns the weight of a move worth `worth` as a slip, if the best move is worth `best`; 0 if it is no
/// slip.
fn slip_weight(best: Value, worth: Value) -> f64 {
    match (best, worth) {
        (Value::Win(quick), Value::Win(dtw)) | (Value::Loss(dtw), Value::Loss(quick)) if dtw > quick => {
            1.0 / f64::from(dtw - quick)
        }
        _ => 0.0,
    }
}

/// Returns the weight of a move worth `worth` as a blunder, if the best move is worth `best`; 0 if it is no
/// blunder.
fn blunder_weight(best: Value, worth: Value) -> f64 {
    match (best, worth) {
        (Value::Win(_), Value::Draw) => f64::from(SLOW),
        (Value::Win(_) | Value::Draw, Value::Loss(dtw)) => f64::from(dtw.min(SLOW)),
        _ => 0.0,
    }
}

/// Chooses a best move: among drawing moves one that sets the most traps, otherwise any, by lot.
///
/// # Errors
/// Returns an error if the table is damaged.
pub(crate) fn best(table: &Table, choices: &[Choice], rng: &mut Rng) -> Result<Option<Choice>, ProbeError> {
    let Some(first) = choices.first() else { return Ok(None) };
    let mut equals: Vec<Choice> =
        choices.iter().take_while(|choice| choice.value == first.value).copied().collect();
    if first.value == Value::Draw {
        let shares = equals.iter().map(|choice| trap_share(table, choice.position));
        let shares = shares.collect::<Result<Vec<f64>, _>>()?;
        let most = shares.iter().copied().fold(0.0, f64::max);
        equals = equals
            .into_iter()
            .zip(shares)
            .filter(|&(_, share)| share >= most)
            .map(|(choice, _)| choice)
            .collect();
    }
    Ok(rng.choice(equals))
}

/// Returns the share of the moves in `position` whose outcome is worse than that of the best move.
///
/// # Errors
/// Returns an error if the table is damaged.
pub(crate) fn trap_share(table: &Table, position: Position) -> Result<f64, ProbeError> {
    let choices = table.best_moves(position)?;
    let Some(best) = choices.first().map(Choice::worth) else { return Ok(0.0) };
    let traps = choices.iter().filter(|choice| blunder_weight(best, choice.worth()) > 0.0).count();
    Ok(traps as f64 / choices.len() as f64)
}
