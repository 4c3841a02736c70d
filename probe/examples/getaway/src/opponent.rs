//! The opponent: perfect by the table, or with errors by lot.
//!
//! In a share of its moves, [`Difficulty::errors`], it errs: it plays a move that is not among the best. All else is a
//! best move, by lot among equals; in a drawn position, where all draws are equal, one after which the largest share
//! of the human's replies loses.
//!
//! The rule of errors:
//!
//! 1. With the probability [`Difficulty::blunders`] an error is a blunder, which makes the outcome worse; else it is a
//!    slip, which keeps it and only loses distance. If there is no error of that kind to make, the best move is played.
//! 2. A slip that loses L plies against the best move (L ≥ 1) has the weight 1/L.
//! 3. A blunder into a loss in d plies has the weight min(d, [`SLOW`]), one into a draw the weight [`SLOW`]: the later it
//!    is punished, the likelier it is.

#[cfg(test)]
mod tests;

use crate::game::Game;
use clap::ValueEnum;
use dragnet_probe::{Choice, Plies, Position, ProbeError, Table, Value};
use fastrand::Rng;

/// The distance from which a loss looks as good as a draw to one who blunders.
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
    /// All, from the easiest on.
    pub(crate) const ALL: [Difficulty; 4] =
        [Difficulty::Easy, Difficulty::Normal, Difficulty::Hard, Difficulty::Perfect];

    /// The share of its moves, in per cent, in which the opponent errs.
    #[must_use]
    pub(crate) fn errors(self) -> u8 {
        match self {
            Difficulty::Easy => 40,
            Difficulty::Normal => 25,
            Difficulty::Hard => 10,
            Difficulty::Perfect => 0,
        }
    }

    /// The share of its errors, in per cent, that make the outcome worse.
    #[must_use]
    pub(crate) fn blunders(self) -> u8 {
        match self {
            Difficulty::Easy => 30,
            Difficulty::Normal => 20,
            Difficulty::Hard => 10,
            Difficulty::Perfect => 0,
        }
    }

    /// Its name on the screen.
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

/// The move of a side that plays at `difficulty`; none if the game is over.
///
/// # Errors
/// When the table is damaged.
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

/// A move that is not best, by the weights of its kind; none if there is none of the kind.
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

/// The weight of a move worth `worth` as a slip, if the best is worth `best`; 0 if it is none.
fn slip_weight(best: Value, worth: Value) -> f64 {
    match (best, worth) {
        (Value::Win(quick), Value::Win(dtw)) | (Value::Loss(dtw), Value::Loss(quick)) if dtw > quick => {
            1.0 / f64::from(dtw - quick)
        }
        _ => 0.0,
    }
}

/// The weight of a move worth `worth` as a blunder, if the best is worth `best`; 0 if it is none.
fn blunder_weight(best: Value, worth: Value) -> f64 {
    match (best, worth) {
        (Value::Win(_), Value::Draw) => f64::from(SLOW),
        (Value::Win(_) | Value::Draw, Value::Loss(dtw)) => f64::from(dtw.min(SLOW)),
        _ => 0.0,
    }
}

/// A best move; of drawing moves one that sets the most traps, else any by lot.
///
/// # Errors
/// When the table is damaged.
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

/// The share of the moves in `position` that have a worse outcome than the best.
///
/// # Errors
/// When the table is damaged.
pub(crate) fn trap_share(table: &Table, position: Position) -> Result<f64, ProbeError> {
    let choices = table.best_moves(position)?;
    let Some(best) = choices.first().map(Choice::worth) else { return Ok(0.0) };
    let traps = choices.iter().filter(|choice| blunder_weight(best, choice.worth()) > 0.0).count();
    Ok(traps as f64 / choices.len() as f64)
}
