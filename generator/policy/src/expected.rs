//! Expected plies to an end that is certain.

use super::{
    decision_process::{ByTurn, DecisionProcess, End, PositionSet},
    end_components::EndComponents,
    error::PolicyError,
    interval::{Best, Bound, Interval},
    linear,
    operator::{Numbers, Operator},
    plans::Plan,
    rounds::Rounds,
};
use rayon::prelude::*;

/// The lower bounds of expected plies, from a round to the next.
struct ExpectedPlies<'a> {
    operator: Operator<'a>,
    low: Numbers,
}

/// Computes bounds of the plies that are expected in the positions of `region`, whose end is certain: with a
/// best that is `Least` if the free side goes only where it stays so, and with `Greatest` whatever it does.
/// Writes the bounds of these positions into `plies`.
///
/// They are brought nearer to each other until upper bounds exceed the lower ones by no more than a share of
/// `rounds.width`, or the rounds end.
pub(super) fn expected_plies(
    process: &DecisionProcess,
    best: Best,
    region: &PositionSet,
    rounds: &mut Rounds,
    plies: &mut ByTurn<Interval>,
) -> Result<(), PolicyError> {
    let pairs = process.game.pairs();
    let open = ByTurn::new(
        pairs,
        |pair| region.fixed[pair] && process.ends.fixed[pair] == End::Open,
        |pair| region.free[pair] && process.ends.free[pair] == End::Open,
    );
    let components = &EndComponents::none();
    let operator = Operator { process, best, cost: 1.0, open: &open, near: None, components };
    // Moves out of the region are the worst ones, if the free side has any.
    let low = Numbers::new(pairs, |pair| if region.fixed[pair] { 0.0 } else { best.worst() }, |_| 0.0);
    let (low, high) = ExpectedPlies { operator, low }.iterate(region, rounds)?;
    let write = |plies: &mut [Interval], region: &[bool], low: &[f64], high: &dyn Fn(usize) -> f64| {
        for (pair, plies) in plies.iter_mut().enumerate().filter(|&(pair, _)| region[pair]) {
            *plies = Interval { low: low[pair], high: high(pair) };
        }
    };
    let above = |high: Option<&Vec<f64>>, open: &[bool], pair: usize| match high {
        Some(high) => high[pair],
        None if open[pair] => f64::INFINITY,
        None => 0.0,
    };
    let high = high.as_ref();
    write(&mut plies.fixed, &region.fixed, &low.fixed, &|pair| {
        above(high.map(|high| &high.fixed), &open.fixed, pair)
    });
    write(&mut plies.free, &region.free, &low.free, &|pair| {
        above(high.map(|high| &high.free), &open.free, pair)
    });
    Ok(())
}

impl ExpectedPlies<'_> {
    /// Returns lower bounds, and upper ones if there are any.
    fn iterate(
        mut self,
        region: &PositionSet,
        rounds: &mut Rounds,
    ) -> Result<(Numbers, Option<Numbers>), PolicyError> {
        rounds.begin(region.count() as u64);
        let width = rounds.width();
        // The next share at which an upper bound is tried, so that a try that fails is not repeated at once.
        let mut next = width;
        let mut has_leapt = false;
        loop {
            let rise = self.operator.round(&mut self.low, Bound::Lower);
            let margin = self.margin();
            let share = share_above(rise + margin);
            if share <= next {
                if let Some(high) = self.upper(share) {
                    return Ok((self.low, Some(high)));
                }
                next = share / 2.0;
            }
            let are_doubles_too_coarse = has_leapt && share_above(margin) > width;
            if rounds.end_round(0, rise > 0.0 && !are_doubles_too_coarse)? {
                rounds.met = false;
                let high = self.upper(share);
                return Ok((self.low, high));
            }
            if rounds.begin_leap() {
                self.leap(region, rounds)?;
                rounds.end_leap();
                has_leapt = true;
            }
        }
    }

    /// Returns a number of plies that is more than errors of rounding make in a round.
    fn margin(&self) -> f64 {
        (linear::largest(&self.low.free) + 1.0) * 4.0 * self.operator.error()
    }

    /// Raises the bounds to just below an approximation of the expected plies, if that can be proved to be
    /// near.
    fn leap(&mut self, region: &PositionSet, rounds: &mut Rounds) -> Result<(), PolicyError> {
        let operator = &self.operator;
        let numbers = self.low.clone();
        let mut plan = match operator.best {
            Best::Greatest => Plan::greedy(operator, numbers),
            Best::Least => {
                let moves = operator.process.shortest_plan(operator.process.ended(End::Won), region);
                Plan::with_moves(operator, numbers, moves)
            }
        };
        let (width, error) = (rounds.width(), operator.error());
        let change = plan.approach(rounds, |longest| (width / 16.0).max(longest * error * 2.0))?;
        let mut leapt = plan.into_numbers();
        let share = change + linear::largest(&leapt.free) * 2.0 * error;
        if share >= 1.0 {
            return Ok(());
        }
        let nearer = |(number, low): (&mut f64, &f64)| *number = low.max(*number * (1.0 - share));
        leapt.free.par_iter_mut().zip(&self.low.free).for_each(nearer);
        if operator.is_bound(&mut leapt, Bound::Lower) {
            self.low = leapt;
        }
        Ok(())
    }

    /// Returns upper bounds that exceed the lower ones by `share` of them, if they are right. Raises the
    /// lower bounds with the fixed side to move to what they are by the others.
    fn upper(&mut self, share: f64) -> Option<Numbers> {
        if !share.is_finite() {
            return None;
        }
        let free = self.low.free.par_iter().map(|low| low * (1.0 + share)).collect();
        let mut high = Numbers { fixed: self.low.fixed.clone(), free };
        let is_bound = self.operator.is_bound(&mut high, Bound::Upper);
        let of_free = &self.low.free;
        let error = self.operator.error();
        self.operator.fixed_turn(&mut self.low.fixed, of_free, |old, mean| {
            old.max(Bound::Lower.outward(1.0 + mean, error))
        });
        is_bound.then_some(high)
    }
}

/// Returns the share by which upper bounds exceed lower ones that rise by at most `rise` in a round; infinite
/// if they rise too much for that.
fn share_above(rise: f64) -> f64 {
    if rise < 1.0 { rise / (1.0 - rise) } else { f64::INFINITY }
}
