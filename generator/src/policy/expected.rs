//! Expected plies to an end that is certain.

use super::{
    decision_process::{ByTurn, DecisionProcess, End, PositionSet},
    error::PolicyError,
    interval::{Best, Interval, rounding},
    rounds::Rounds,
};
use rayon::prelude::*;

/// The lower bounds of expected plies, from a round to the next.
pub(super) struct ExpectedPlies<'a> {
    process: &'a DecisionProcess<'a>,
    best: Best,
    /// The positions whose end is certain, ended ones among them.
    region: &'a PositionSet,
    low: ByTurn<f64>,
    /// The relative error of a mean of the policy's moves, and 1.
    rounding: f64,
}

impl<'a> ExpectedPlies<'a> {
    /// Begins with the bound 0 in all positions. `region` has the positions whose end is certain: with a best
    /// that is `Least` if the free side goes only where it stays so, and with `Greatest` whatever it does.
    pub(super) fn new(
        process: &'a DecisionProcess<'a>,
        best: Best,
        region: &'a PositionSet,
    ) -> ExpectedPlies<'a> {
        let pairs = process.game.pairs();
        let low = ByTurn { fixed: vec![0.0; pairs], free: vec![0.0; pairs] };
        ExpectedPlies { process, best, region, low, rounding: rounding(process.game.choices().most() + 1) }
    }

    /// Computes rounds until upper bounds exceed the lower ones by no more than a share of `rounds.width`, or
    /// the rounds end. Returns the bounds of all positions of the region, and no bounds elsewhere.
    pub(super) fn iterate(mut self, rounds: &mut Rounds) -> Result<ByTurn<Interval>, PolicyError> {
        let open = self.region.count() as u64;
        rounds.begin(open);
        let width = rounds.width();
        // The next share at which an upper bound is tried, so that a try that fails is not repeated at once.
        let mut next = width;
        loop {
            self.fixed_round();
            let (rise, longest) = self.free_round();
            let share = self.share_above(rise, longest);
            if share <= next {
                if let Some(bounds) = self.bounds(share) {
                    return Ok(bounds);
                }
                next = share / 2.0;
            }
            if rounds.end_round(0, rise > 0.0)? {
                rounds.met = false;
                return Ok(self.bounds(share).unwrap_or_else(|| self.bounds_below()));
            }
        }
    }

    /// Returns the share by which an upper bound exceeds the lower one if the bounds have risen by at most
    /// `rise` in the last round, and the greatest is `longest`; infinite if they rise too much for that. Some
    /// more is added for the errors of rounding.
    fn share_above(&self, rise: f64, longest: f64) -> f64 {
        let rise = rise + (longest + 1.0) * 4.0 * self.rounding;
        if rise < 1.0 { rise / (1.0 - rise) } else { f64::INFINITY }
    }

    /// Returns 1 more than the mean of `values` over the moves of the policy, rounded by the factor `round`.
    #[inline(always)]
    fn fixed(&self, pair: usize, values: &[f64], round: f64) -> f64 {
        let mean = self.process.fixed_moves(pair).fold(0.0, |sum, (to, share)| sum + share * values[to]);
        (1.0 + mean) * round
    }

    /// Returns 1 more than the best of `values` over the moves of the free side that stay in the region,
    /// rounded by the factor `round`.
    #[inline(always)]
    fn free(&self, pair: usize, values: &[f64], round: f64) -> f64 {
        let moves = self.process.free_moves(pair).filter(|&to| self.region.fixed[to]);
        (1.0 + moves.fold(self.best.worst(), |best, to| self.best.of(best, values[to]))) * round
    }

    /// Returns whether a position with the fixed side to move, or else the free side, is in the region and
    /// has not ended.
    #[inline(always)]
    fn is_open(&self, is_fixed: bool, pair: usize) -> bool {
        let (region, ends) = match is_fixed {
            true => (&self.region.fixed, &self.process.ends.fixed),
            false => (&self.region.free, &self.process.ends.free),
        };
        region[pair] && ends[pair] == End::Open
    }

    /// Raises the bounds of all positions with the fixed side to move.
    fn fixed_round(&mut self) {
        let mut low = std::mem::take(&mut self.low.fixed);
        let this = &*self;
        low.par_iter_mut().enumerate().with_min_len(GRAIN).for_each(|(pair, low)| {
            if this.is_open(true, pair) {
                *low = low.max(this.fixed(pair, &this.low.free, 1.0 - this.rounding));
            }
        });
        self.low.fixed = low;
    }

    /// Raises the bounds of all positions with the free side to move. Returns by how much they have risen at
    /// most, and the greatest.
    fn free_round(&mut self) -> (f64, f64) {
        let mut low = std::mem::take(&mut self.low.free);
        let this = &*self;
        let raise = |(pair, low): (usize, &mut f64)| {
            let before = *low;
            if this.is_open(false, pair) {
                *low = low.max(this.free(pair, &this.low.fixed, 1.0 - this.rounding));
            }
            (*low - before, *low)
        };
        let most = |a: (f64, f64), b: (f64, f64)| (a.0.max(b.0), a.1.max(b.1));
        let rounds = low.par_iter_mut().enumerate().with_min_len(GRAIN).map(raise);
        let (rise, longest) = rounds.reduce(|| (0.0, 0.0), most);
        self.low.free = low;
        (rise, longest)
    }

    /// Returns the bounds with upper ones that exceed the lower ones by `share` of them, if a round makes
    /// none of these greater: then they are upper bounds.
    fn bounds(&self, share: f64) -> Option<ByTurn<Interval>> {
        if !share.is_finite() {
            return None;
        }
        let scaled = |low: &[f64]| low.par_iter().map(|low| low * (1.0 + share)).collect::<Vec<f64>>();
        let high = ByTurn { fixed: scaled(&self.low.fixed), free: scaled(&self.low.free) };
        let up = 1.0 + self.rounding;
        let holds = (0..high.fixed.len()).into_par_iter().with_min_len(GRAIN).all(|pair| {
            let fixed = !self.is_open(true, pair) || self.fixed(pair, &high.free, up) <= high.fixed[pair];
            let free = !self.is_open(false, pair) || self.free(pair, &high.fixed, up) <= high.free[pair];
            fixed && free
        });
        holds.then(|| self.intervals(Some(&high)))
    }

    /// Returns the bounds without upper ones.
    fn bounds_below(&self) -> ByTurn<Interval> {
        self.intervals(None)
    }

    fn intervals(&self, high: Option<&ByTurn<f64>>) -> ByTurn<Interval> {
        let of = |is_fixed: bool, low: &[f64], high: Option<&Vec<f64>>| {
            let bound = |(pair, &low): (usize, &f64)| {
                let none = if self.is_open(is_fixed, pair) { f64::INFINITY } else { 0.0 };
                Interval { low, high: high.map_or(none, |high| high[pair]) }
            };
            low.iter().enumerate().map(bound).collect()
        };
        ByTurn {
            fixed: of(true, &self.low.fixed, high.map(|high| &high.fixed)),
            free: of(false, &self.low.free, high.map(|high| &high.free)),
        }
    }
}

/// Pairs that one thread takes at least: some ten microseconds of work.
const GRAIN: usize = 1 << 11;
