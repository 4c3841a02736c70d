//! The best replies to policies with chance.

use crate::{
    errors::nothing_said,
    ground::{Ground, side},
    grounded_game::{Bounds, GroundedGame, Numbers, OUTCOMES, Position, bounds, tuple_of},
    policies::PolicyArgument,
    values::{self, ValueArrays},
    work,
};
use dragnet_policy::{ChanceWorth, Interval, PerfectPlay, PolicyPosition, Precision, WorseOdds, odds};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use self_cell::self_cell;

type Chance<'a> = dragnet_policy::Odds<'a>;

self_cell!(
    /// The best reply to a policy with chance.
    struct GroundedOdds {
        owner: GroundedGame,
        #[covariant]
        dependent: Chance,
    }
);

/// The best reply to a policy with chance.
#[pyclass(frozen, module = "dragnet._native")]
pub(crate) struct Odds(GroundedOdds);

#[pymethods]
impl Odds {
    /// Bounds what the free side gets against a policy of `side`.
    #[new]
    #[expect(clippy::too_many_arguments, reason = "Python calls it with names")]
    fn new(
        py: Python<'_>,
        ground: &Ground,
        side: &str,
        policy: PolicyArgument<'_>,
        width: f64,
        rounds: u32,
        threads: usize,
        report: Option<Py<PyAny>>,
    ) -> PyResult<Odds> {
        let (side, generator) = (self::side(side)?, work::generator(threads)?);
        let spec = policy.spec(ground.ground().places(side.other()))?;
        let precision = Precision { width, rounds };
        let solved = work::run(py, report, |progress| {
            let game = GroundedGame::ask(ground, side, &spec, &generator, progress)?;
            GroundedOdds::try_new(game, |game| odds(game.game(), precision, &generator, progress))
        })?;
        solved.map(Odds).map_err(|error| nothing_said(&error))
    }

    /// Returns the place of each post, and whether a game may begin there.
    fn posts<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<bool>>) {
        self.0.borrow_owner().posts(py)
    }

    /// Returns the values of all positions with `turn` to move if both sides play perfectly, for each post
    /// and each place of the free side: outcomes and distances.
    fn perfect<'py>(&self, py: Python<'py>, turn: &str) -> PyResult<ValueArrays<'py>> {
        self.0.borrow_owner().perfect(py, turn)
    }

    /// Whether all bounds have met as nearly as was asked for.
    #[getter]
    fn have_met(&self) -> bool {
        self.0.borrow_dependent().have_met()
    }

    /// Returns the bounds of all positions with `turn` to move, for each post and each place of the free
    /// side: low and high of winning, low and high of losing, low and high of expected plies, not a number
    /// where there is no such number.
    fn values<'py>(&self, py: Python<'py>, turn: &str) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let (turn, game) = (side(turn)?, self.0.borrow_owner());
        let ([posts, places], odds) = (game.shape(), self.0.borrow_dependent());
        let none = Interval::exact(f64::NAN);
        let numbers: Vec<f64> = py.detach(|| {
            let mut numbers = Vec::with_capacity(6 * posts * places);
            let mut add = |interval: &dyn Fn(PolicyPosition) -> Interval| {
                numbers.extend(game.positions(turn).map(|position| interval(position).low));
                numbers.extend(game.positions(turn).map(|position| interval(position).high));
            };
            add(&|position| odds.win(position));
            add(&|position| odds.loss(position));
            add(&|position| odds.plies(position).unwrap_or(none));
            numbers
        });
        numbers.into_pyarray(py).reshape([6, posts, places])
    }

    /// Returns the probability, at least, with which the policy does not get what perfect play gets, in all
    /// positions with `turn` to move, for each post and each place of the free side.
    fn losses<'py>(&self, py: Python<'py>, turn: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (turn, game) = (side(turn)?, self.0.borrow_owner());
        let odds = self.0.borrow_dependent();
        let lost = |perfect: &PerfectPlay| -> Vec<f64> {
            let positions = game.positions(turn);
            positions.map(|position| WorseOdds::new(game.game(), odds, perfect, position).lost).collect()
        };
        py.detach(|| game.ask_perfect(lost)).into_pyarray(py).reshape(game.shape())
    }

    /// Returns the worth of the policy: its starts; for each outcome of perfect play the starts, the sums of
    /// winning and losing, the certain starts and the sum of lost plies; and the worst starts with their
    /// perfect values, winning, losing, and the probability lost.
    #[expect(clippy::type_complexity, reason = "a tuple of Python")]
    fn worth(
        &self,
        py: Python<'_>,
        worst: usize,
    ) -> (u64, [(u64, Bounds, Bounds, u64, Bounds); 3], Vec<(Position, Numbers, Bounds, Bounds, f64)>) {
        let game = self.0.borrow_owner();
        let odds = self.0.borrow_dependent();
        let compare = |perfect: &PerfectPlay| ChanceWorth::new(game.game(), odds, perfect, worst, &());
        let worth = py.detach(|| game.ask_perfect(compare)).expect("nobody stops the comparison");
        let shares = OUTCOMES.map(|perfect| {
            let share = worth.share(perfect);
            (share.starts, bounds(share.win), bounds(share.loss), share.certain, bounds(share.plies))
        });
        let worst = worth.worst.iter().map(|start| {
            let perfect = values::numbers(start.perfect, start.position.turn);
            (tuple_of(start.position), perfect, bounds(start.win), bounds(start.loss), start.lost)
        });
        (worth.starts, shares, worst.collect())
    }
}
