//! Lower and upper bounds of the probabilities that are neither 0 nor 1.

use super::{
    decision_process::{ByTurn, DecisionProcess, PositionSet},
    end_components::EndComponents,
    error::PolicyError,
    interval::{Best, Bound, Interval},
    operator::{NearMoves, Numbers, Operator},
    plans::Plan,
    rounds::Rounds,
};
use rayon::prelude::*;

/// The bounds of a probability, from a round to the next.
struct Probability<'a> {
    operator: Operator<'a>,
    low: Numbers,
    high: Numbers,
}

/// Returns bounds of the probability that is 1 in the positions of `ones`, neither 0 nor 1 in those of
/// `open`, and else 0. They are brought nearer to each other until those of all positions are `rounds.width`
/// apart, or the rounds end.
pub(super) fn probability(
    process: &DecisionProcess,
    best: Best,
    open: &PositionSet,
    ones: &PositionSet,
    rounds: &mut Rounds,
) -> Result<ByTurn<Interval>, PolicyError> {
    let components = match best {
        Best::Greatest => EndComponents::new(process, open)?,
        Best::Least => EndComponents::none(),
    };
    let operator = Operator { process, best, cost: 0.0, open, near: None, components: &components };
    let number = |is_one: bool| f64::from(u8::from(is_one));
    let low =
        ByTurn::new(process.game.pairs(), |pair| number(ones.fixed[pair]), |pair| number(ones.free[pair]));
    let high = ByTurn::new(
        process.game.pairs(),
        |pair| number(ones.fixed[pair] || open.fixed[pair]),
        |pair| number(ones.free[pair] || open.free[pair]),
    );
    Probability { operator, low, high }.iterate(rounds)
}

impl Probability<'_> {
    fn iterate(mut self, rounds: &mut Rounds) -> Result<ByTurn<Interval>, PolicyError> {
        let open = self.operator.open.count() as u64;
        rounds.begin(open);
        let mut met = 0;
        while met < open {
            let rise = self.operator.round(&mut self.low, Bound::Lower);
            let fall = self.operator.round(&mut self.high, Bound::Upper);
            met = self.count_met(rounds.width());
            if rounds.end_round(met, rise > 0.0 || fall > 0.0)? && met < open {
                rounds.met = false;
                break;
            }
            if met < open && rounds.begin_leap() {
                self.leap(rounds)?;
                rounds.end_leap();
            }
        }
        Ok(intervals(self.low, self.high))
    }

    /// Returns the number of open positions whose bounds are not further apart than `width`.
    fn count_met(&self, width: f64) -> u64 {
        let count = |open: &[bool], low: &[f64], high: &[f64]| {
            let met = |((&open, low), high): ((&bool, &f64), &f64)| open && high - low <= width;
            open.par_iter().zip(low).zip(high).with_min_len(1 << 13).filter(|&each| met(each)).count() as u64
        };
        count(&self.operator.open.fixed, &self.low.fixed, &self.high.fixed)
            + count(&self.operator.open.free, &self.low.free, &self.high.free)
    }

    /// Brings the bounds near to an approximation of the probability, if that can be proved to be near.
    fn leap(&mut self, rounds: &mut Rounds) -> Result<(), PolicyError> {
        let Operator { process, best, open, components, .. } = self.operator;
        let (width, error) = (rounds.width(), 4.0 * self.operator.error());
        let mut middle = self.low.clone();
        let half = |(number, high): (&mut f64, &f64)| *number = f64::midpoint(*number, *high);
        middle.free.par_iter_mut().zip(&self.high.free).for_each(half);
        let mut plan = Plan::greedy(&self.operator, middle);
        let change = plan.approach(rounds, |_| error.max(width * NARROW))?;
        if !change.is_finite() {
            return Ok(());
        }
        let numbers = plan.into_numbers();
        let pairs = process.game.pairs();
        for share in NEAR {
            // The plies until the open positions are left, by the plan that stays for longest, of those that
            // are nearly the best ones.
            let near = Some(NearMoves { numbers: &numbers, best, loss: width * share });
            let staying = Operator { best: Best::Greatest, cost: 1.0, near, process, open, components };
            let nothing = Numbers { fixed: vec![0.0; pairs], free: vec![0.0; pairs] };
            let mut stay = Plan::greedy(&staying, nothing);
            if stay.approach(rounds, |_| 0.5)? > 0.5 {
                continue;
            }
            let stay = stay.into_numbers().free;
            let [low, high] = [Bound::Lower, Bound::Upper]
                .map(|bound| self.prove(bound, &numbers, 2.0 * (change + error), &stay));
            if low && high {
                break;
            }
        }
        Ok(())
    }

    /// Brings the bounds to the numbers with `share` of the plies of `stay` more or less, if these are
    /// bounds. Returns whether they are.
    fn prove(&mut self, bound: Bound, numbers: &Numbers, share: f64, stay: &[f64]) -> bool {
        let (bounds, share) = match bound {
            Bound::Lower => (&mut self.low, -share),
            Bound::Upper => (&mut self.high, share),
        };
        let candidate = |((number, stay), so_far): ((&f64, &f64), &f64)| {
            bound.nearer((number + share * stay).clamp(0.0, 1.0), *so_far)
        };
        let free = numbers.free.par_iter().zip(stay).zip(&bounds.free).map(candidate).collect();
        let mut leapt = Numbers { fixed: numbers.fixed.clone(), free };
        let is_bound = self.operator.is_bound(&mut leapt, bound);
        if is_bound {
            bounds.free = leapt.free;
        }
        is_bound
    }
}

/// The share of the width by which a move may be worse than the best one to count as nearly the best.
const NEAR: [f64; 3] = [1e-2, 1e-5, 1e-8];

/// The rest of the equations of a plan, as a share of the width that is asked for.
const NARROW: f64 = 1e-7;

/// Returns the intervals between lower and upper bounds.
fn intervals(low: Numbers, high: Numbers) -> ByTurn<Interval> {
    let of = |low: Vec<f64>, high: Vec<f64>| {
        low.into_iter().zip(high).map(|(low, high)| Interval { low, high }).collect()
    };
    ByTurn { fixed: of(low.fixed, high.fixed), free: of(low.free, high.free) }
}
