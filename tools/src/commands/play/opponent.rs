//! The opponent: one of the library's, which errs by lot.

use super::game::Game;
use crate::input::arguments::name_of;
use clap::ValueEnum;
use dragnet_probe::{
    ProbeError,
    opponent::{self, Style},
};
use fastrand::Rng;

/// How well the opponent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Strength {
    /// Errs often, sees 12 plies and reacts a round late
    Easy,
    /// Errs in a fifth of its moves and sees 40 plies
    Normal,
    /// Errs in a tenth of its moves and sees everything
    Hard,
    /// Never errs
    Perfect,
}

/// The opponent of a human.
pub(super) struct Opponent {
    strength: Strength,
    player: opponent::Opponent,
}

impl Opponent {
    /// Creates an opponent that draws its lots from `seed`, or differently each time.
    pub(super) fn new(strength: Strength, seed: Option<u64>) -> Opponent {
        let seed = seed.unwrap_or_else(|| Rng::new().u64(..));
        let preset = match strength {
            Strength::Easy => opponent::Strength::EASY,
            Strength::Normal => opponent::Strength::NORMAL,
            Strength::Hard => opponent::Strength::HARD,
            Strength::Perfect => opponent::Strength::PERFECT,
        };
        let player =
            opponent::Opponent::new(preset, Style::Longest, seed).expect("a preset is in its ranges");
        Opponent { strength, player }
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
        if let Some(choice) = self.player.choose(game.table, game.position())? {
            game.play(choice.to)?;
        }
        Ok(())
    }

    /// Forgets where the human's pieces stood, after moves were taken back.
    pub(super) fn forget(&mut self) {
        self.player.forget();
    }
}
