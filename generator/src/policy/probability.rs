//! Interval iteration: lower and upper bounds of the probabilities that are neither 0 nor 1.

use super::{
    decision_process::{ByTurn, DecisionProcess, PositionSet},
    end_components::{EndComponents, NONE},
    error::PolicyError,
    interval::{Best, Interval, rounding},
    rounds::Rounds,
};
use rayon::prelude::*;

/// The bounds of a probability, from a round to the next.
pub(super) struct Probability<'a> {
    process: &'a DecisionProcess<'a>,
    best: Best,
    /// The positions whose probability is not certain.
    open: &'a PositionSet,
    /// The end components inside `open` that count as one position each.
    components: EndComponents,
    bounds: ByTurn<Interval>,
    /// The relative error of a mean of the policy's moves.
    rounding: f64,
}

impl<'a> Probability<'a> {
    /// Begins with the bounds 0 and 1 in the positions of `open`, which have the probability 0 or 1 neither;
    /// those of `ones` have the probability 1 and all others 0. Where the free side makes the probability as
    /// great as it can, the end components are found first.
    pub(super) fn new(
        process: &'a DecisionProcess<'a>,
        best: Best,
        open: &'a PositionSet,
        ones: &PositionSet,
    ) -> Probability<'a> {
        let bound = |open: &[bool], ones: &[bool]| {
            let of_pair = |(&open, &one): (&bool, &bool)| Interval {
                low: f64::from(u8::from(one)),
                high: f64::from(u8::from(one || open)),
            };
            open.iter().zip(ones).map(of_pair).collect()
        };
        let components = match best {
            Best::Greatest => EndComponents::new(process, open),
            Best::Least => {
                EndComponents { of: ByTurn { fixed: Vec::new(), free: Vec::new() }, members: Vec::new() }
            }
        };
        Probability {
            process,
            best,
            open,
            components,
            bounds: ByTurn { fixed: bound(&open.fixed, &ones.fixed), free: bound(&open.free, &ones.free) },
            rounding: rounding(process.game.choices().most()),
        }
    }

    /// Computes rounds until the bounds of all positions are `rounds.width` apart, or the rounds end.
    pub(super) fn iterate(mut self, rounds: &mut Rounds) -> Result<ByTurn<Interval>, PolicyError> {
        let open = self.open.count() as u64;
        rounds.begin(open);
        let width = rounds.width();
        let mut met = 0;
        while met < open {
            let [fixed, free] = [self.fixed_round(width), self.free_round(width)];
            met = fixed.met + free.met;
            if rounds.end_round(met, fixed.changed || free.changed)? && met < open {
                rounds.met = false;
                break;
            }
        }
        Ok(self.bounds)
    }

    /// Computes the bounds of all positions with the fixed side to move.
    fn fixed_round(&mut self, width: f64) -> Round {
        let Probability { process, open, components, bounds, rounding, .. } = self;
        let (free, of) = (&bounds.free, &components.of.fixed);
        in_rows(&mut bounds.fixed, process.game.places(), |pair, bound| {
            if !open.fixed[pair] || of.get(pair).is_some_and(|&component| component != NONE) {
                return None;
            }
            let (mut low, mut high) = (0.0, 0.0);
            for (to, share) in process.fixed_moves(pair) {
                low += share * free[to].low;
                high += share * free[to].high;
            }
            Some(narrowed(*bound, low * (1.0 - *rounding), high * (1.0 + *rounding), width))
        })
    }

    /// Computes the bounds of all positions with the free side to move, and those of the components.
    fn free_round(&mut self, width: f64) -> Round {
        let Probability { process, best, open, components, bounds, .. } = self;
        let (fixed, of) = (&bounds.fixed, &components.of.free);
        let best_of = |pair, but: u32| {
            let outside = |&to: &usize| but == NONE || components.of.fixed[to] != but;
            let start = (best.worst(), best.worst());
            process
                .free_moves(pair)
                .filter(outside)
                .fold(start, |(low, high), to| (best.of(low, fixed[to].low), best.of(high, fixed[to].high)))
        };
        let mut round = in_rows(&mut bounds.free, process.game.places(), |pair, bound| {
            if !open.free[pair] || of.get(pair).is_some_and(|&component| component != NONE) {
                return None;
            }
            let (low, high) = best_of(pair, NONE);
            Some(narrowed(*bound, low, high, width))
        });
        let of_components = (0..).zip(&components.members).map(|(component, [_, members])| {
            let worst = (best.worst(), best.worst());
            members
                .iter()
                .map(|&pair| best_of(pair, component))
                .fold(worst, |a, b| (best.of(a.0, b.0), best.of(a.1, b.1)))
        });
        let of_components: Vec<(f64, f64)> = of_components.collect();
        for ([of_fixed, of_free], (low, high)) in components.members.iter().zip(of_components) {
            let (bound, step) = narrowed(bounds.free[of_free[0]], low, high, width);
            of_free.iter().for_each(|&pair| bounds.free[pair] = bound);
            of_fixed.iter().for_each(|&pair| bounds.fixed[pair] = bound);
            round.changed |= step.changed;
            round.met += step.met * (of_fixed.len() + of_free.len()) as u64;
        }
        round
    }
}

/// The outcome of a round.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    /// Positions whose bounds are near enough to each other.
    met: u64,
    /// Whether a bound has changed.
    changed: bool,
}

/// Returns the bounds `old`, narrowed by new ones, and what that comes to.
#[inline(always)]
fn narrowed(old: Interval, low: f64, high: f64, width: f64) -> (Interval, Round) {
    let new = Interval { low: old.low.max(low), high: old.high.min(high) };
    (new, Round { met: u64::from(new.width() <= width), changed: new != old })
}

/// Replaces the bounds of pairs by what `compute` returns for them, if anything, on all threads, row by row.
fn in_rows(
    bounds: &mut [Interval],
    places: usize,
    compute: impl Fn(usize, &Interval) -> Option<(Interval, Round)> + Sync,
) -> Round {
    let row = |(post, row): (usize, &mut [Interval])| {
        let mut sum = Round::default();
        for (pair, bound) in (post * places..).zip(row) {
            if let Some((new, round)) = compute(pair, bound) {
                *bound = new;
                sum = Round { met: sum.met + round.met, changed: sum.changed || round.changed };
            }
        }
        sum
    };
    let add = |a: Round, b: Round| Round { met: a.met + b.met, changed: a.changed || b.changed };
    bounds.par_chunks_mut(places).enumerate().map(row).reduce(Round::default, add)
}
