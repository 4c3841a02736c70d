//! Plans of the free side that become better and better (Howard 1960).

use super::{
    error::PolicyError,
    interval::Best,
    linear,
    operator::{Numbers, Operator},
    rounds::Rounds,
};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A plan of the free side, and what it gets by it, nearly. No bound depends on whether that is right.
pub(super) struct Plan<'a> {
    operator: &'a Operator<'a>,
    /// The pair to which the plan leads from each with the free side to move, if that is open.
    moves: Vec<u32>,
    /// The numbers that the plan gets.
    numbers: Numbers,
}

/// The share that a solution may leave of the rest of the equations of a plan.
const RELIEF: f64 = 1e-2;

/// The rounds that the equations of a plan are about: at first one, and after each failure to solve them
/// more, since what lasts for a few rounds only disturbs the method. No number has a divisor in common with
/// another, and none is even, so that games that go in circles do not hide in them.
const STRIDES: [u32; 4] = [1, 7, 29, 127];

/// Rounds in which the plan becomes better, after each solution.
const SWEEPS: u32 = 16;

/// Rounds that bring numbers nearer to a solution when the equations were not solved.
const MENDING: u32 = 32;

impl<'a> Plan<'a> {
    /// Begins with the moves that are best with the numbers given.
    pub(super) fn greedy(operator: &'a Operator<'a>, numbers: Numbers) -> Plan<'a> {
        let moves = vec![0; numbers.free.len()];
        let mut plan = Plan { operator, moves, numbers };
        plan.improve(true);
        plan
    }

    /// Begins with `moves`, which end the game with certainty.
    pub(super) fn with_moves(operator: &'a Operator<'a>, numbers: Numbers, moves: Vec<u32>) -> Plan<'a> {
        Plan { operator, moves, numbers }
    }

    /// Returns what the plan gets.
    pub(super) fn into_numbers(self) -> Numbers {
        self.numbers
    }

    /// Makes the plan better, and its numbers more nearly right, until a round changes none by more than
    /// `target`, or the rounds of this attempt end, or it gets no better. Returns by how much a round changes
    /// the numbers.
    ///
    /// For the least expected plies a plan is made better only when a round of it changes no number by more
    /// than a quarter of a ply. So each plan ends the game if the first one does: `PROTOCOL.md` §12.
    pub(super) fn approach(
        &mut self,
        rounds: &mut Rounds,
        target: impl Fn(f64) -> f64,
    ) -> Result<f64, PolicyError> {
        let mut failures = 0;
        let Operator { best, cost, .. } = *self.operator;
        let enough = if best == Best::Least && cost > 0.0 { cost / 4.0 } else { f64::INFINITY };
        loop {
            let mut rest = self.rest();
            let mut size = linear::largest(&rest);
            let wanted = (size * RELIEF).max(target(linear::largest(&self.numbers.free)) / 2.0).min(enough);
            while size > wanted {
                let Some(after) = self.solve(rest, wanted, size, failures, rounds)? else {
                    return Ok(f64::INFINITY);
                };
                if after >= size {
                    failures += 1;
                    if failures == STRIDES.len() || !self.mend(rounds)? {
                        return Ok(f64::INFINITY);
                    }
                }
                rest = self.rest();
                size = linear::largest(&rest);
            }
            drop(rest);
            let mut goes_on = true;
            for _ in 1..SWEEPS {
                self.improve(false);
                goes_on = rounds.go_on()?;
            }
            let (change, better) = self.improve(false);
            let target = target(linear::largest(&self.numbers.free));
            goes_on &= rounds.go_on()?;
            if !goes_on || change <= target || !better && size <= target / 2.0 {
                return Ok(change);
            }
        }
    }

    /// Solves the equations of the plan until no component of what is left of `rest` is larger than `wanted`,
    /// after some `failures` to do so. Keeps the solution if it leaves less than `before`, the largest
    /// component of `rest`. Returns the largest component that it leaves, or `None` if the rounds have ended.
    fn solve(
        &mut self,
        rest: Vec<f64>,
        wanted: f64,
        before: f64,
        failures: usize,
        rounds: &mut Rounds,
    ) -> Result<Option<f64>, PolicyError> {
        let Plan { operator, moves, numbers } = self;
        // Only differences are looked for, which are 0 in positions that are not open.
        let mut fixed = vec![0.0; numbers.fixed.len()];
        let mut goes_on = true;
        let mut follow_once = |numbers: &mut [f64], more: Option<&[f64]>| {
            operator.fixed_turn(&mut fixed, numbers, |_, mean| mean);
            follow(operator, moves, &fixed, numbers, |pair, to| to + more.map_or(0.0, |more| more[pair]));
            goes_on = rounds.go_on()?;
            Ok::<bool, PolicyError>(goes_on)
        };
        let mut rest_of_stride = rest.clone();
        for _ in 1..STRIDES[failures] {
            follow_once(&mut rest_of_stride, Some(&rest))?;
        }
        drop(rest);
        let step = linear::solve(rest_of_stride, wanted / 2.0, |numbers, image| {
            image.copy_from_slice(numbers);
            let mut goes_on = true;
            for _ in 0..STRIDES[failures] {
                goes_on = follow_once(image, None)?;
            }
            linear::subtract_from(numbers, image);
            Ok(goes_on)
        })?;
        let old = numbers.free.clone();
        linear::add(&mut numbers.free, 1.0, &step);
        drop((step, fixed));
        let after = linear::largest(&self.rest());
        if after >= before {
            self.numbers.free = old;
        }
        Ok(goes_on.then_some(after))
    }

    /// Computes a few rounds of the plan. Returns whether there may be more.
    fn mend(&mut self, rounds: &mut Rounds) -> Result<bool, PolicyError> {
        for _ in 0..MENDING {
            let rest = self.rest();
            linear::add(&mut self.numbers.free, 1.0, &rest);
            if !rounds.go_on()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the rest of the plan's equations: by how much a round of it changes each number with the free
    /// side to move.
    fn rest(&mut self) -> Vec<f64> {
        let Plan { operator, moves, numbers: Numbers { fixed, free } } = self;
        let cost = operator.cost;
        operator.fixed_turn(fixed, free, |_, mean| cost + mean);
        let mut rest = vec![0.0; free.len()];
        follow(operator, moves, fixed, &mut rest, |pair, to| cost + to - free[pair]);
        rest
    }

    /// Computes a round, in which the plan takes the best moves: all of them, or those that are better than
    /// its own by more than rounding can be. Returns by how much a number has changed at most, and whether
    /// the plan has changed.
    fn improve(&mut self, all: bool) -> (f64, bool) {
        let Plan { operator, moves, numbers: Numbers { fixed, free } } = self;
        let (cost, least, places) = (operator.cost, operator.error() * 4.0, operator.process.game.places());
        operator.fixed_turn(fixed, free, |_, mean| cost + mean);
        let better = AtomicBool::new(false);
        let rows = free.par_chunks_mut(places).zip(moves.par_chunks_mut(places));
        let change = operator.free_turn(fixed, rows, |(row, moves), _, place, best| {
            let old = fixed[moves[place] as usize];
            if all || operator.best.gain(old, best.number) > least * old.abs() {
                moves[place] = best.to as u32;
                better.store(true, Relaxed);
            }
            let change = (cost + best.number - row[place]).abs();
            row[place] = cost + best.number;
            change
        });
        (change, better.into_inner())
    }
}

/// Computes for each open position with the free side to move what `put` makes of its pair and of the number
/// of the position to which the plan leads.
fn follow(
    operator: &Operator,
    moves: &[u32],
    fixed: &[f64],
    free: &mut [f64],
    put: impl Fn(usize, f64) -> f64 + Sync,
) {
    let each = |(pair, (number, &to)): (usize, (&mut f64, &u32))| {
        *number = if operator.open.free[pair] { put(pair, fixed[to as usize]) } else { 0.0 };
    };
    free.par_iter_mut().zip(moves).enumerate().with_min_len(linear::CHUNK).for_each(each);
}
