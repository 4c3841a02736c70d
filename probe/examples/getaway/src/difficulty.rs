//! The levels of the game, made of the library's opponents.

use clap::ValueEnum;
use dragnet_probe::opponent::{Opponent, RangeError, Replier, Strength, Style};

/// How well the opponent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Difficulty {
    /// Errs often, sees 12 plies and reacts a move late
    Easy,
    /// Errs in a fifth of its moves and sees 40 plies
    Normal,
    /// Sees everything, errs in a tenth of its moves and sets traps
    Hard,
    /// Never errs
    Perfect,
}

impl Difficulty {
    /// All difficulties, the easiest first.
    pub(crate) const ALL: [Difficulty; 4] =
        [Difficulty::Easy, Difficulty::Normal, Difficulty::Hard, Difficulty::Perfect];

    /// Returns the strength, a preset of the library.
    #[must_use]
    pub(crate) fn strength(self) -> Strength {
        match self {
            Difficulty::Easy => Strength::EASY,
            Difficulty::Normal => Strength::NORMAL,
            Difficulty::Hard => Strength::HARD,
            Difficulty::Perfect => Strength::PERFECT,
        }
    }

    /// Returns how the opponent plays on where it has lost. The hard one hopes for a human who errs like the
    /// normal one.
    fn style(self) -> Style {
        match self {
            Difficulty::Hard => Style::Trickiest(Replier::Erring(Strength::NORMAL)),
            Difficulty::Easy | Difficulty::Normal | Difficulty::Perfect => Style::Longest,
        }
    }

    /// Creates an opponent that draws its lots from `seed`.
    ///
    /// # Errors
    /// Returns an error if a parameter is out of its range.
    pub(crate) fn opponent(self, seed: u64) -> Result<Opponent, RangeError> {
        Opponent::new(self.strength(), self.style(), seed)
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

    /// Describes the opponent in the menu.
    #[must_use]
    pub(crate) fn about(self) -> &'static str {
        match self {
            Difficulty::Easy => "errs often, reacts late",
            Difficulty::Normal => "errs at times, sees 40 plies",
            Difficulty::Hard => "seldom errs, sets traps",
            Difficulty::Perfect => "never errs",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difficulty_is_a_preset_of_its_name() {
        for (difficulty, (name, strength)) in Difficulty::ALL.into_iter().zip(Strength::PRESETS) {
            assert_eq!((difficulty.name(), difficulty.strength()), (name, strength));
            assert_eq!(*difficulty.opponent(1).unwrap().strength(), strength);
        }
    }
}
