//! The opponent: one of the library's, which errs by lot.

use super::game::Game;
use dragnet_probe::{
    ProbeError,
    opponent::{self, Strength, Style},
};
use fastrand::Rng;

/// The opponent of a human.
pub(super) struct Opponent(opponent::Opponent);

impl Opponent {
    /// Creates an opponent that draws its lots from `seed`, or differently each time.
    pub(super) fn new(strength: Strength, seed: Option<u64>) -> Opponent {
        let seed = seed.unwrap_or_else(|| Rng::new().u64(..));
        let player = opponent::Opponent::new(strength, Style::Longest, seed);
        Opponent(player.expect("presets and levels are in their ranges"))
    }

    /// Returns how well it plays, in words: the name of a preset, or a level.
    pub(super) fn name(&self) -> String {
        let own = self.0.strength();
        let preset = Strength::PRESETS.into_iter().find(|(_, preset)| preset == own);
        let level = (0..=Strength::LEVELS).find(|&level| Strength::level(level).as_ref() == Ok(own));
        match (preset, level) {
            (Some((name, _)), _) => name.to_owned(),
            (None, Some(level)) => format!("of level {level}"),
            (None, None) => "of its own kind".to_owned(),
        }
    }

    /// Makes the opponent's move.
    ///
    /// # Errors
    /// When the table is damaged.
    pub(super) fn reply(&mut self, game: &mut Game) -> Result<(), ProbeError> {
        if let Some(choice) = self.0.choose(game.table, game.position())? {
            game.play(choice.to)?;
        }
        Ok(())
    }

    /// Forgets where the human's pieces stood, after moves were taken back.
    pub(super) fn forget(&mut self) {
        self.0.forget();
    }
}
