//! The operator of a round, of which probabilities and expected plies are fixed points.

use super::{
    decision_process::{ByTurn, DecisionProcess, PositionSet},
    end_components::{EndComponents, NONE},
    interval::{Best, Bound, rounding},
};
use rayon::prelude::*;

/// A number for each position. Positions that are not open keep theirs.
pub(super) type Numbers = ByTurn<f64>;

/// A move of the free side.
#[derive(Clone, Copy, Debug)]
pub(super) struct BestMove {
    /// The number of the position to which it leads.
    pub(super) number: f64,
    /// The pair to which it leads, with the fixed side to move.
    pub(super) to: usize,
}

/// The moves of the free side that are nearly the best ones for another number.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearMoves<'a> {
    /// The other number.
    pub(super) numbers: &'a Numbers,
    /// The aim of the free side for it.
    pub(super) best: Best,
    /// The most by which the other number becomes worse with a move.
    pub(super) loss: f64,
}

/// The operator of a round: `PROTOCOL.md` §12. In positions with the fixed side to move it is the mean over
/// the policy's moves, in those with the free side to move the best over its own; and in each it adds `cost`.
pub(super) struct Operator<'a> {
    pub(super) process: &'a DecisionProcess<'a>,
    pub(super) best: Best,
    /// The number that a ply adds: 0 for probabilities, 1 for expected plies.
    pub(super) cost: f64,
    /// The positions whose numbers are not known.
    pub(super) open: &'a PositionSet,
    /// Which of its moves the free side makes, if not all.
    pub(super) near: Option<NearMoves<'a>>,
    /// The end components among the open positions that count as one position each.
    pub(super) components: &'a EndComponents,
}

impl Operator<'_> {
    /// Returns the number of pairs that one thread takes at least, as rows of one post each: some ten
    /// microseconds of work.
    fn grain(&self) -> usize {
        GRAIN.div_ceil(self.process.game.places())
    }

    /// Returns a relative error above that of rounding in the positions of either side.
    pub(super) fn error(&self) -> f64 {
        rounding(self.process.game.choices().most() + 1)
    }

    /// Replaces the numbers of all open positions with the fixed side to move by what `put` makes of the old
    /// one and of the mean of `free` over the policy's moves. All members of a component have the number of
    /// the free side's.
    pub(super) fn fixed_turn(&self, fixed: &mut [f64], free: &[f64], put: impl Fn(f64, f64) -> f64 + Sync) {
        let places = self.process.game.places();
        let rows = fixed.par_chunks_mut(places).with_min_len(self.grain()).enumerate();
        rows.for_each_init(
            || vec![0.0; places],
            |means, (post, row)| {
                if self.process.stop.ask() {
                    return;
                }
                self.process.means(post, free, means);
                for ((pair, number), &mean) in (post * places..).zip(row).zip(&*means) {
                    if self.open.fixed[pair] {
                        let same = self.components.representative(pair).map(|pair| free[pair]);
                        *number = put(*number, same.unwrap_or(mean));
                    }
                }
            },
        );
    }

    /// Returns the best move from a position with the free side to move, of those that do not lead to
    /// members of the component `but`.
    #[inline(always)]
    fn best_of(&self, pair: usize, fixed: &[f64], but: u32) -> BestMove {
        let allowed = |&to: &usize| {
            self.near.is_none_or(|near| {
                near.best.gain(near.numbers.fixed[to], near.numbers.free[pair]) <= near.loss
            }) && (but == NONE || self.components.of.fixed[to] != but)
        };
        let start = BestMove { number: self.best.worst(), to: pair };
        let moves = self.process.free_moves(pair).filter(allowed);
        moves.fold(start, |best, to| self.better(best, BestMove { number: fixed[to], to }))
    }

    /// Returns the better of two moves, or the first if they are equal.
    #[inline(always)]
    fn better(&self, first: BestMove, second: BestMove) -> BestMove {
        if self.best.gain(first.number, second.number) > 0.0 { second } else { first }
    }

    /// Returns the best moves out of each component.
    fn best_of_components(&self, fixed: &[f64]) -> Vec<BestMove> {
        let of_component = |(component, [_, members]): (u32, &[Vec<usize>; 2])| {
            let none = BestMove { number: self.best.worst(), to: members[0] };
            let moves = members.par_iter().map(|&pair| self.best_of(pair, fixed, component));
            moves.reduce(|| none, |a, b| self.better(a, b))
        };
        (0..).zip(&self.components.members).map(of_component).collect()
    }

    /// Calls `visit` for all positions with the free side to move, row by row on all threads, with an item
    /// of `rows` for each, and with the best move if the position is open. Returns the greatest of what
    /// `visit` returns, and at least 0.
    pub(super) fn free_turn<T>(
        &self,
        fixed: &[f64],
        rows: impl IndexedParallelIterator<Item = T>,
        visit: impl Fn(&mut T, usize, usize, BestMove) -> f64 + Sync,
    ) -> f64 {
        let places = self.process.game.places();
        let components = self.best_of_components(fixed);
        let of = &self.components.of.free;
        let row = |(post, mut row): (usize, T)| {
            let mut greatest = 0.0;
            if self.process.stop.ask() {
                return greatest;
            }
            for place in 0..places {
                let pair = post * places + place;
                if self.open.free[pair] {
                    let best = match of.get(pair) {
                        Some(&component) if component != NONE => components[component as usize],
                        _ => self.best_of(pair, fixed, NONE),
                    };
                    greatest = visit(&mut row, pair, place, best).max(greatest);
                }
            }
            greatest
        };
        rows.enumerate().with_min_len(self.grain()).map(row).reduce(|| 0.0, f64::max)
    }

    /// Brings the bounds of all open positions nearer to the numbers: those with the fixed side to move from
    /// the others, and then the others from those. Returns by how much one with the free side to move has
    /// changed at most.
    pub(super) fn round(&self, bounds: &mut Numbers, bound: Bound) -> f64 {
        let [fixed_error, free_error] = self.errors();
        let Numbers { fixed, free } = bounds;
        self.fixed_turn(fixed, free, |old, mean| {
            bound.nearer(old, bound.outward(self.cost + mean, fixed_error))
        });
        let rows = free.par_chunks_mut(self.process.game.places());
        self.free_turn(fixed, rows, |row, _, place, best| {
            let old = row[place];
            row[place] = bound.nearer(old, bound.outward(self.cost + best.number, free_error));
            (row[place] - old).abs()
        })
    }

    /// Returns whether the numbers of the free side are bounds, as a round shows that makes none of them
    /// worse; and computes from them bounds for the positions with the fixed side to move.
    pub(super) fn is_bound(&self, numbers: &mut Numbers, bound: Bound) -> bool {
        let [fixed_error, free_error] = self.errors();
        let Numbers { fixed, free } = numbers;
        self.fixed_turn(fixed, free, |_, mean| bound.outward(self.cost + mean, fixed_error));
        let rows = free.par_chunks(self.process.game.places());
        let worst = self.free_turn(fixed, rows, |row, _, place, best| {
            let new = bound.outward(self.cost + best.number, free_error);
            f64::from(u8::from(bound.nearer(row[place], new) != new))
        });
        worst == 0.0
    }

    /// Returns relative errors above those of rounding, for the fixed and for the free side's positions.
    fn errors(&self) -> [f64; 2] {
        let sums = if self.cost == 0.0 { 0.0 } else { rounding(1) };
        [self.error(), sums]
    }
}

/// Pairs that one thread takes at least.
const GRAIN: usize = 1 << 11;
