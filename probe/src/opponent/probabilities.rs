//! The probabilities of an opponent's moves.

use crate::{
    Position, ProbeError,
    moves::Choice,
    opponent::{
        cost::{Stakes, Weights},
        player::{Opponent, Scratch, enemy},
        strength::Strength,
        valued_game::ValuedGame,
    },
};
use dragnet_formats::pieces::Pieces;

impl Opponent {
    /// Appends to `moves` every move of the side to move, in the order of the table's best moves, with the
    /// probability that [`Opponent::choose`] makes it. `seen` has the enemy's pieces at the side's earlier
    /// turns, the latest last; only as many as
    /// [`Strength::reaction`](super::Strength::reaction) play a role. Draws no lot and remembers
    /// nothing. Each probability is the double nearest to that of ideal lots, which those of 64 bits differ
    /// from by less than 2^-63: it is 0 if and only if the move is never made, and 1 if it always is.
    ///
    /// ```
    /// use dragnet_probe::{Cell, Open, Position, Side, opponent::{Opponent, Strength, Style}};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Open::path(path).pursuit()?;
    /// let mut police = Opponent::new(Strength::HARD, Style::Longest, 1)?;
    /// let position = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
    /// let mut moves = Vec::new();
    /// police.probabilities(&table, position, &[], &mut moves)?;
    /// assert_eq!(moves.len(), table.best_moves(position)?.len());
    /// assert!(moves[0].1 >= 0.9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Opponent::choose`].
    pub fn probabilities<G: ValuedGame>(
        &mut self,
        game: &G,
        position: Position,
        seen: &[Pieces],
        moves: &mut Vec<(Choice, f64)>,
    ) -> Result<(), ProbeError> {
        self.for_each_share(game, position, seen, |choice, numerator, denominator| {
            moves.push((choice, nearest(numerator, denominator)));
        })
    }

    /// Calls `each` for every move of the side to move, in the order of the table's best moves, with the
    /// numerator and the denominator of its probability: see [`Opponent::probabilities`].
    pub(super) fn for_each_share<G: ValuedGame>(
        &mut self,
        game: &G,
        position: Position,
        seen: &[Pieces],
        each: impl FnMut(Choice, u128, u128),
    ) -> Result<(), ProbeError> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let found = self.for_each_share_in(&mut scratch, game, position, seen, each);
        self.scratch = scratch;
        found
    }

    fn for_each_share_in<G: ValuedGame>(
        &mut self,
        scratch: &mut Scratch,
        game: &G,
        position: Position,
        seen: &[Pieces],
        mut each: impl FnMut(Choice, u128, u128),
    ) -> Result<(), ProbeError> {
        game.best_moves_into(position, &mut scratch.choices)?;
        let Some(best) = scratch.choices.first().map(Choice::worth) else { return Ok(()) };
        let mut seen = seen.to_vec();
        seen.push(enemy(position));
        self.find_candidates(scratch, game, position, Some(&seen))?;
        let stakes = Stakes::new(position.turn, game.undecided());
        let weights = stakes.weigh(&self.strength, &scratch.choices);
        let turn = TurnNumbers::new(&self.strength, weights, scratch.preferred.len());
        for &choice in &scratch.choices {
            let weight = stakes.weight(&self.strength, best, choice.worth());
            let target = |choice: &Choice| (choice.to, choice.position.world);
            let is_candidate = scratch.preferred.iter().any(|other| target(other) == target(&choice));
            each(choice, turn.numerator(weight, is_candidate), turn.denominator());
        }
        Ok(())
    }
}

/// The numbers of a turn from which the probabilities of its moves follow.
struct TurnNumbers {
    /// The share of errors, per mille.
    errors: u128,
    /// The sum of the weights of all moves.
    weights: u128,
    /// The numbers among which the lot of an error is drawn.
    lots: u128,
    /// The number of moves among which a careful opponent draws.
    candidates: u128,
}

impl TurnNumbers {
    fn new(strength: &Strength, weights: Weights, candidates: usize) -> TurnNumbers {
        TurnNumbers {
            errors: strength.errors.into(),
            weights: weights.all.into(),
            lots: weights.lots().into(),
            candidates: candidates.max(1) as u128,
        }
    }

    /// Returns the numerator of the probability of a move with this weight, by the formula of `OPPONENT.md`.
    fn numerator(&self, weight: u64, is_candidate: bool) -> u128 {
        let &TurnNumbers { errors, weights, lots, candidates } = self;
        let careful = if is_candidate { 1000 * lots - errors * weights } else { 0 };
        errors * u128::from(weight) * candidates + careful
    }

    /// Returns the denominator of all probabilities of the turn.
    fn denominator(&self) -> u128 {
        1000 * self.lots * self.candidates
    }
}

/// Returns the double nearest to a fraction from 0 to 1, whose denominator is below 2^72.
pub(super) fn nearest(numerator: u128, denominator: u128) -> f64 {
    let Some(bits) = numerator.checked_ilog2() else { return 0.0 };
    // The quotient has at least 55 bits, the last of which tells whether something is left: so it is rounded
    // as the fraction would be.
    let shift = 55 + denominator.ilog2() - bits;
    let scaled = numerator << shift;
    let quotient = (scaled / denominator) | u128::from(!scaled.is_multiple_of(denominator));
    quotient as f64 / (1u128 << shift) as f64
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::Position;
    use dragnet_formats::{
        cell::{Cell, Side},
        rules::Undecided,
        value::Value,
    };
    use proptest::prelude::*;

    /// Returns the moves of the thief into positions with these values, the best first.
    fn moves_into(mut values: Vec<Value>) -> Vec<Choice> {
        values.sort_by_key(|&value| match value {
            Value::Loss(dtw) => i64::from(dtw),
            Value::Draw => 1 << 40,
            Value::Win(dtw) => (1 << 41) - i64::from(dtw),
        });
        let choice = |(column, value)| {
            let to = Cell::new(0, column);
            Choice { to: to.into(), position: Position::new(Cell::new(1, 0), to, Side::Police), value }
        };
        (0..).zip(values).map(choice).collect()
    }

    /// Asserts that `number` is the double nearest to the fraction.
    fn assert_nearest(number: f64, numerator: u128, denominator: u128) {
        assert_eq!(number == 0.0, numerator == 0, "{number} for {numerator}/{denominator}");
        assert_eq!(number == 1.0, numerator == denominator, "{number} for {numerator}/{denominator}");
        if numerator > 0 {
            // number = mantissa / 2^scale, and half of 1 in the mantissa is the most that it may be away.
            let scale = 1075 - (number.to_bits() >> 52) as u32;
            let mantissa = u128::from((number.to_bits() & ((1 << 52) - 1)) | (1 << 52));
            let away = (numerator << scale).abs_diff(mantissa * denominator);
            assert!(2 * away <= denominator, "{number} for {numerator}/{denominator}");
        }
    }

    /// Asserts of each move that its probability is the share of all lots with which it is made.
    fn assert_share_of_lots(
        strength: &Strength,
        choices: &[Choice],
        candidates: usize,
        undecided: Undecided,
    ) {
        let stakes = Stakes::new(Side::Thief, undecided);
        let weights = stakes.weigh(strength, choices);
        let mut fallen = vec![0u128; choices.len() + 1];
        for lot in 0..weights.lots() {
            let error = stakes.error(strength, choices, lot);
            let number = error.map_or(choices.len(), |error| error.to.cell().col.into());
            fallen[number] += 1;
        }
        let turn = TurnNumbers::new(strength, weights, candidates);
        let (errors, lots, n) = (u128::from(strength.errors), u128::from(weights.lots()), candidates as u128);
        // Of 1000 · lots pairs of lots so many lead to a careful move.
        let careful = (1000 - errors) * lots + errors * fallen[choices.len()];
        let mut sum = 0;
        for (number, choice) in choices.iter().enumerate() {
            let is_candidate = number < candidates;
            let weight = stakes.weight(strength, choices[0].worth(), choice.worth());
            let numerator = errors * fallen[number] * n + if is_candidate { careful } else { 0 };
            let found = nearest(turn.numerator(weight, is_candidate), turn.denominator());
            assert_nearest(found, numerator, 1000 * lots * n);
            sum += numerator;
        }
        assert_eq!(sum, 1000 * lots * n);
    }

    fn values() -> impl Strategy<Value = Vec<Value>> {
        let plies = prop_oneof![0u32..40, 0u32..3000];
        let value =
            prop_oneof![plies.clone().prop_map(Value::Win), Just(Value::Draw), plies.prop_map(Value::Loss)];
        prop::collection::vec(value, 1..12)
    }

    fn undecided() -> impl Strategy<Value = Undecided> {
        prop_oneof![Just(Undecided::Draw), Just(Undecided::Police), Just(Undecided::Thief)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn a_probability_is_the_share_of_the_lots_and_zero_only_if_there_is_none(
            errors in prop_oneof![0u16..=1000, Just(0), Just(999), Just(1000)],
            (blunders, plies, drop) in (0u16..=1000, 0u32..50, 0u8..=2),
            values in values(),
            candidates in any::<prop::sample::Index>(),
            undecided in undecided(),
        ) {
            let strength = Strength { errors, blunders, plies, drop, ..Strength::HARD };
            let choices = moves_into(values);
            assert_share_of_lots(&strength, &choices, candidates.index(choices.len()) + 1, undecided);
        }

        #[test]
        fn every_level_and_preset_has_the_probabilities_of_its_lots(
            level in 0u16..=1000, values in values(), undecided in undecided(),
        ) {
            let choices = moves_into(values);
            let presets = Strength::PRESETS.map(|(_, preset)| preset);
            let levels = [level, 0, 1, 500, 999, 1000].map(|level| Strength::level(level).unwrap());
            for strength in presets.iter().chain(&levels) {
                assert_share_of_lots(strength, &choices, 1 + usize::from(level) % choices.len(), undecided);
            }
        }
    }

    #[test]
    fn a_fraction_is_rounded_to_the_nearest_double_up_to_the_greatest_denominator() {
        for denominator in [1u128, 3, 10, 1 << 53, (1 << 53) + 1, (1 << 61) - 1, (1 << 62) - 57] {
            let numerators =
                [0, 1, 2, denominator / 3, denominator / 2, denominator.saturating_sub(1), denominator];
            for numerator in numerators.into_iter().filter(|&numerator| numerator <= denominator) {
                let number = nearest(numerator, denominator);
                // The nearest double of a fraction very near to 1 is 1, and none but 0 has the double 0.
                assert_eq!(number == 0.0, numerator == 0);
                let twice = nearest(numerator, 2 * denominator);
                assert_eq!(number, 2.0 * twice, "{numerator}/{denominator}");
                if denominator < 1 << 53 {
                    assert_eq!(number, numerator as f64 / denominator as f64);
                }
            }
        }
    }
}
