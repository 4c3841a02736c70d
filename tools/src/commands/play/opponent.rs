//! The opponent: perfect by the table, or with errors by lot.

use super::game::Game;
use crate::input::arguments::name_of;
use clap::ValueEnum;
use dragnet_probe::{Choice, ProbeError};
use fastrand::Rng;

/// How well the opponent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Strength {
    /// Errs in 40 % of its moves
    Easy,
    /// Errs in 25 % of its moves
    Normal,
    /// Errs in 10 % of its moves
    Hard,
    /// Never errs
    Perfect,
}

impl Strength {
    /// Returns the share of moves that are errors, in per cent.
    fn errors(self) -> u8 {
        match self {
            Strength::Easy => 40,
            Strength::Normal => 25,
            Strength::Hard => 10,
            Strength::Perfect => 0,
        }
    }
}

/// The opponent of a human.
pub(super) struct Opponent {
    strength: Strength,
    rng: Rng,
}

impl Opponent {
    /// Creates an opponent that draws its lots from `seed`, or differently each time.
    pub(super) fn new(strength: Strength, seed: Option<u64>) -> Opponent {
        Opponent { strength, rng: seed.map_or_else(Rng::new, Rng::with_seed) }
    }

    /// Returns how well it plays, in a word.
    pub(super) fn name(&self) -> String {
        name_of(&self.strength)
    }

    /// Makes the opponent's move.
    ///
    /// # Errors
    /// When the table is damaged.
    pub(super) fn reply(&mut self, game: &mut Game) -> Result<(), ProbeError> {
        if let Some(choice) = choose(game.choices(), self.strength, &mut self.rng) {
            game.play(choice.to)?;
        }
        Ok(())
    }
}

/// Chooses a move by lot: one of the best, or in an error any other one. Returns `None` if there is no move.
/// `choices` are all legal moves, the best first.
fn choose(choices: &[Choice], strength: Strength, rng: &mut Rng) -> Option<Choice> {
    let best = choices.first()?;
    let equals = choices.iter().take_while(|choice| choice.value == best.value).count();
    let errs = rng.u8(..100) < strength.errors() && equals < choices.len();
    let at = if errs { rng.usize(equals..choices.len()) } else { rng.usize(..equals) };
    choices.get(at).copied()
}
