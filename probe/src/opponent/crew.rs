//! Opponents of one strength for many threads.

use crate::{
    Position, ProbeError,
    opponent::{
        player::Opponent,
        probabilities::nearest,
        strength::{RangeError, Strength},
        style::Style,
        valued_game::ValuedGame,
    },
};
use dragnet_formats::pieces::Pieces;
use std::sync::{Mutex, PoisonError};

/// Opponents of one strength and style that many threads ask how likely each move is.
#[derive(Debug)]
pub struct Crew {
    first: Opponent,
    /// Opponents that no thread is asking.
    idle: Mutex<Vec<Opponent>>,
}

impl Crew {
    /// Creates the opponents.
    ///
    /// # Errors
    /// When a parameter of the strength, or of the style's replier, is out of its range.
    pub fn new(strength: Strength, style: Style) -> Result<Crew, RangeError> {
        Ok(Crew { first: Opponent::new(strength, style, 0)?, idle: Mutex::new(Vec::new()) })
    }

    /// Returns where the pieces of the side to move go with each of its moves, and the weight of the move:
    /// its share of the sum of all weights is the probability that [`Opponent::probabilities`] says. Weights
    /// are whole numbers as long as these fit into doubles. With `Recalling` of the crate `dragnet-generator`
    /// this is a policy, of which the best reply is known.
    ///
    /// ```
    /// use dragnet_generator::Generator;
    /// use dragnet_policy::{Ground, PolicyGame, Precision, Recalling, odds};
    /// use dragnet_probe::{Open, Pieces, Position, Side, opponent::{Crew, Strength, Style}};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Open::path(path).pursuit()?;
    /// let setting = table.setting().expect("the table of a board");
    /// let ground = Ground::new(setting.board.clone(), setting.rules.clone())?;
    /// let (strength, turn) = (Strength::EASY, Side::Police);
    /// let crew = Crew::new(strength, Style::Longest)?;
    /// let weights = |[police, thief]: [Pieces; 2], seen: &[Pieces]| {
    ///     Ok(crew.weights(&table, Position { world: 0, police, thief: thief.cell(), turn }, seen)?)
    /// };
    /// let policy = Recalling::new(&ground, turn, strength.reaction, weights);
    /// let generator = Generator::new(1)?;
    /// let game = PolicyGame::new(&ground, &policy, &generator, &())?;
    /// assert!(odds(&game, Precision::default(), &generator, &())?.have_met());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Opponent::choose`].
    pub fn weights<G: ValuedGame>(
        &self,
        game: &G,
        position: Position,
        seen: &[Pieces],
    ) -> Result<Vec<(Pieces, f64)>, ProbeError> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let free = idle().pop();
        let mut opponent = free.unwrap_or_else(|| self.first.clone());
        let mut moves = Vec::new();
        let found = opponent.for_each_share(game, position, seen, |choice, numerator, denominator| {
            let is_exact = denominator <= 1 << f64::MANTISSA_DIGITS;
            moves
                .push((choice.to, if is_exact { numerator as f64 } else { nearest(numerator, denominator) }));
        });
        idle().push(opponent);
        found?;
        Ok(moves)
    }
}
