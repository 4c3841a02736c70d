//! The levels of the game, made of the library's opponents.

use crate::maps::Map;
use clap::ValueEnum;
use dragnet_probe::{
    Side,
    opponent::{Opponent, RangeError, Replier, Strength, Style},
};

/// How well the opponent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Difficulty {
    /// Wins 25 % of its won games against a perfect player
    Easy,
    /// Wins 50 % of its won games against a perfect player
    Normal,
    /// Wins 75 % of its won games, and sets traps where it has lost
    Hard,
    /// Never errs
    Perfect,
}

impl Difficulty {
    /// All difficulties, the easiest first.
    pub(crate) const ALL: [Difficulty; 4] =
        [Difficulty::Easy, Difficulty::Normal, Difficulty::Hard, Difficulty::Perfect];

    /// Returns the share of games, per mille, that the opponent wins against a perfect player from starts
    /// that are won for the opponent.
    #[must_use]
    pub(crate) fn target(self) -> u16 {
        match self {
            Difficulty::Easy => 250,
            Difficulty::Normal => 500,
            Difficulty::Hard => 750,
            Difficulty::Perfect => 1000,
        }
    }

    /// Returns the strength with which the opponent plays `side` on `map`, so that it meets its target there.
    #[must_use]
    pub(crate) fn strength(self, map: &Map, side: Side) -> Strength {
        let of_side = map.dials[usize::from(side == Side::Thief)];
        let dial = match self {
            Difficulty::Easy => of_side[0],
            Difficulty::Normal => of_side[1],
            Difficulty::Hard => of_side[2],
            Difficulty::Perfect => Strength::LEVELS,
        };
        Strength::level(dial).expect("the maps name levels of the dial")
    }

    /// Returns how the opponent plays on where it has lost. The hard one hopes for a human who errs.
    fn style(self) -> Style {
        match self {
            Difficulty::Hard => Style::Trickiest(Replier::Erring(Strength::NORMAL)),
            Difficulty::Easy | Difficulty::Normal | Difficulty::Perfect => Style::Longest,
        }
    }

    /// Creates an opponent that plays `side` on `map` and draws its lots from `seed`.
    ///
    /// # Errors
    /// Returns an error if a parameter is out of its range.
    pub(crate) fn opponent(self, map: &Map, side: Side, seed: u64) -> Result<Opponent, RangeError> {
        Opponent::new(self.strength(map, side), self.style(), seed)
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
    pub(crate) fn about(self) -> String {
        format!("wins {} % of its won games", self.target() / 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::MAPS;

    #[test]
    fn a_harder_opponent_has_a_higher_level_of_the_dial() {
        for map in &MAPS {
            for [easy, normal, hard] in map.dials {
                assert!(easy < normal && normal < hard && hard < Strength::LEVELS, "{}", map.name);
            }
        }
    }
}
