//! The best replies to policies without chance.

use crate::{
    errors::nothing_said,
    ground::{Ground, side},
    grounded_game::{GroundedGame, Numbers, OUTCOMES, Position, tuple_of},
    policies::PolicyArgument,
    values::{self, ValueArrays},
    work,
};
use dragnet_formats::value::Value;
use dragnet_policy::{PerfectPlay, PlyLoss, PolicyPosition, WorseStart, Worth, best_reply};
use numpy::PyArray1;
use pyo3::prelude::*;
use self_cell::self_cell;

type Certain<'a> = dragnet_policy::BestReply<'a>;

self_cell!(
    /// The best reply to a policy without chance.
    struct GroundedReply {
        owner: GroundedGame,
        #[covariant]
        dependent: Certain,
    }
);

/// The best reply to a policy without chance.
#[pyclass(frozen, module = "dragnet._native")]
pub(crate) struct BestReply(GroundedReply);

#[pymethods]
impl BestReply {
    /// Solves the game against a policy of `side`.
    #[new]
    fn new(
        py: Python<'_>,
        ground: &Ground,
        side: &str,
        policy: PolicyArgument<'_>,
        threads: usize,
        report: Option<Py<PyAny>>,
    ) -> PyResult<BestReply> {
        let (side, generator) = (self::side(side)?, work::generator(threads)?);
        let spec = policy.spec(ground.ground().places(side.other()))?;
        let solved = work::run(py, report, |progress| {
            let game = GroundedGame::ask(ground, side, &spec, &generator, progress)?;
            GroundedReply::try_new(game, |game| best_reply(game.game(), &generator, progress))
        })?;
        solved.map(BestReply).map_err(|error| nothing_said(&error))
    }

    /// Returns the place of each post, and whether a game may begin there.
    fn posts<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<bool>>) {
        self.0.borrow_owner().posts(py)
    }

    /// Returns the values of all positions with `turn` to move: a row for each post, a column for each place
    /// of the free side.
    fn values<'py>(&self, py: Python<'py>, turn: &str) -> PyResult<ValueArrays<'py>> {
        let (turn, game) = (side(turn)?, self.0.borrow_owner());
        let reply = self.0.borrow_dependent();
        let numbers = |position| values::numbers(reply.value(position), turn);
        let columns = py.detach(|| game.positions(turn).map(numbers).unzip());
        values::arrays(py, columns, game.shape())
    }

    /// Returns the values of all positions with `turn` to move if both sides play perfectly, in the same
    /// order.
    fn perfect<'py>(&self, py: Python<'py>, turn: &str) -> PyResult<ValueArrays<'py>> {
        self.0.borrow_owner().perfect(py, turn)
    }

    /// Returns the positions after one in which both sides play as they should.
    fn line(&self, turn: &str, post: u32, place: u32) -> PyResult<Vec<Position>> {
        let start = PolicyPosition { turn: side(turn)?, post, place };
        Ok(self.0.borrow_dependent().line(start).0.into_iter().map(tuple_of).collect())
    }

    /// Returns what the policy loses in all positions with `turn` to move, for each post and each place of
    /// the free side: steps of the outcome, and plies where the outcome stays.
    fn losses<'py>(&self, py: Python<'py>, turn: &str) -> PyResult<ValueArrays<'py>> {
        let (turn, game) = (side(turn)?, self.0.borrow_owner());
        let shape = game.shape();
        let lost = |perfect: &PerfectPlay| {
            game.positions(turn)
                .map(|position| {
                    let start = WorseStart::new(game.game(), self.0.borrow_dependent(), perfect, position);
                    let (steps, plies) = start.lost(game.game());
                    (steps as i8, plies as i32)
                })
                .unzip()
        };
        let columns = py.detach(|| game.ask_perfect(lost));
        values::arrays(py, columns, shape)
    }

    /// Returns the worth of the policy: its starts, the numbers of starts by the outcome of perfect play and
    /// by that against the policy, the starts that lose their outcome, the starts and plies of wins that come
    /// later and of losses that come sooner, and the worst starts with their perfect values and their values.
    #[expect(clippy::type_complexity, reason = "a tuple of Python")]
    fn worth(
        &self,
        py: Python<'_>,
        worst: usize,
    ) -> (u64, [[u64; 3]; 3], u64, (u64, u64), (u64, u64), Vec<(Position, Numbers, Numbers)>) {
        let game = self.0.borrow_owner();
        let reply = self.0.borrow_dependent();
        let compare = |perfect: &PerfectPlay| Worth::new(game.game(), reply, perfect, worst, &());
        let worth = py.detach(|| game.ask_perfect(compare)).expect("nobody stops the comparison");
        let loss = |loss: PlyLoss| (loss.starts, loss.plies);
        let worst = worth.worst.iter().map(|start| {
            let numbers = |value: Value| values::numbers(value, start.position.turn);
            (tuple_of(start.position), numbers(start.perfect), numbers(start.value))
        });
        (
            worth.starts,
            OUTCOMES.map(|perfect| OUTCOMES.map(|value| worth.count(perfect, value))),
            worth.outcomes_lost,
            loss(worth.slower_wins),
            loss(worth.quicker_losses),
            worst.collect(),
        )
    }
}
