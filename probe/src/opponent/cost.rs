//! The cost of a move against the best one, and how tempting it is as an error.

use crate::{moves::Choice, opponent::strength::Strength};
use dragnet_formats::{
    cell::Side,
    rules::Undecided,
    value::{Outcome, Plies, Value},
};

/// The weight of an error that loses one ply.
const SLIP: u64 = 4000;

/// The distance from which on a loss looks as good as a draw to a side that blunders.
const FAR: Plies = 100;

/// The weight that surely tempts a careless opponent: lots are drawn among no fewer.
const TEMPTING: u64 = 1000;

/// The loss of a move against the best one. At most one of the two numbers is positive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cost {
    /// The steps of the outcome, from win to draw to loss, that the move loses. A draw is as good as the
    /// outcome for which the rules count it.
    pub drop: u8,
    /// The plies by which the move makes a win longer or a loss shorter.
    pub plies: Plies,
}

/// The sums of the weights of moves, each of which a careless opponent makes the more often the more it
/// weighs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weights {
    /// The sum over all moves.
    pub(super) all: u64,
    /// The sum over the moves that worsen the outcome.
    pub(super) dropping: u64,
}

impl Weights {
    /// Returns the count of numbers from which the lot of an error is drawn.
    pub(super) fn lots(self) -> u64 {
        self.all.max(TEMPTING)
    }
}

/// The side to move, and what a draw is worth to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stakes {
    mover: Side,
    undecided: Undecided,
}

impl Stakes {
    /// Creates the stakes of `mover` under rules that count draws as `undecided` says.
    pub(super) fn new(mover: Side, undecided: Undecided) -> Stakes {
        Stakes { mover, undecided }
    }

    /// Returns 2 for a win, 1 for a draw, 0 for a loss; a draw that counts for a side is a win or a loss.
    fn rank(self, worth: Value) -> u8 {
        match (worth, Outcome::Draw.counted(self.undecided).winner()) {
            (Value::Win(_), _) => 2,
            (Value::Loss(_), _) => 0,
            (Value::Draw, None) => 1,
            (Value::Draw, Some(side)) => 2 * u8::from(side == self.mover),
        }
    }

    /// Returns the cost of a move worth `worth` if the best move is worth `best`.
    pub(super) fn cost(self, best: Value, worth: Value) -> Cost {
        let drop = self.rank(best).saturating_sub(self.rank(worth));
        let plies = match (best, worth) {
            (Value::Win(quick), Value::Win(dtw)) | (Value::Loss(dtw), Value::Loss(quick)) if drop == 0 => {
                dtw.saturating_sub(quick)
            }
            _ => 0,
        };
        Cost { drop, plies }
    }

    /// Returns the weight of a move worth `worth` in the lot of errors, if the best move is worth `best`; 0
    /// if the move is no error that this strength makes.
    pub(super) fn weight(self, strength: &Strength, best: Value, worth: Value) -> u64 {
        match self.cost(best, worth) {
            Cost { drop: 0, plies } if plies == 0 || plies > strength.plies => 0,
            Cost { drop: 0, plies } => (SLIP / u64::from(plies)).max(1),
            Cost { drop, .. } if drop > strength.drop => 0,
            Cost { drop, .. } => {
                let slowness = match worth {
                    Value::Loss(dtw) => dtw.min(FAR),
                    Value::Draw | Value::Win(_) => FAR,
                };
                u64::from(strength.blunders) * u64::from(slowness) / (u64::from(FAR) * u64::from(drop))
            }
        }
    }

    /// Returns the sums of the weights of moves, the best move first.
    pub(super) fn weigh(self, strength: &Strength, choices: &[Choice]) -> Weights {
        let mut weights = Weights::default();
        let Some(best) = choices.first().map(Choice::worth) else { return weights };
        for worth in choices.iter().map(Choice::worth) {
            let weight = self.weight(strength, best, worth);
            weights.all += weight;
            weights.dropping += if self.cost(best, worth).drop > 0 { weight } else { 0 };
        }
        weights
    }

    /// Returns the error that the lot `lot`, below [`Weights::lots`], falls on; `None` if it falls on none.
    pub(super) fn error(self, strength: &Strength, choices: &[Choice], mut lot: u64) -> Option<Choice> {
        let best = choices.first()?.worth();
        for &choice in choices {
            let weight = self.weight(strength, best, choice.worth());
            if lot < weight {
                return Some(choice);
            }
            lot -= weight;
        }
        None
    }
}

impl Cost {
    /// Returns whether the move is not the best.
    #[must_use]
    pub fn is_error(self) -> bool {
        self != Cost::default()
    }
}
