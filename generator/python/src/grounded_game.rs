//! Games against policies, and the tuples in which Python gets their positions and values.

use crate::{
    ground::{Ground, PlayedGround, side},
    policies::Spec,
    values::{self, ValueArrays},
};
use dragnet_formats::{cell::Side, value::Outcome};
use dragnet_generator::{Generator, Observer};
use dragnet_policy::{Interval, PerfectPlay, PolicyError, PolicyGame, PolicyPosition};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use self_cell::self_cell;
use std::sync::Arc;

type Game<'a> = PolicyGame<'a>;

self_cell!(
    /// The game against a policy, on its ground.
    pub(crate) struct GroundedGame {
        owner: Arc<PlayedGround>,
        #[covariant]
        dependent: Game,
    }
);

impl GroundedGame {
    /// Asks the policy in all positions, and solves the game of perfect play.
    pub(crate) fn ask(
        ground: &Ground,
        side: Side,
        spec: &Spec<'_>,
        generator: &Generator,
        observer: &dyn Observer,
    ) -> Result<GroundedGame, PolicyError> {
        let game = GroundedGame::try_new(Arc::clone(&ground.0), |ground| {
            spec.game(ground.borrow_owner(), side, generator, observer)
        })?;
        ground.0.solve(generator, observer)?;
        Ok(game)
    }

    pub(crate) fn game(&self) -> &PolicyGame<'_> {
        self.borrow_dependent()
    }

    /// Returns the place of each post, and whether a game may begin there.
    pub(crate) fn posts<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<bool>>) {
        let game = self.game();
        let places: Vec<u32> = (0..game.posts() as u32).map(|post| game.place_of(post)).collect();
        let mut starts = vec![false; places.len()];
        let of_post = game.starts().step_by(game.places()).take_while(|start| start.turn == Side::Police);
        of_post.for_each(|start| starts[start.post as usize] = true);
        (places.into_pyarray(py), starts.into_pyarray(py))
    }

    /// Returns the numbers of posts and of places of the free side.
    pub(crate) fn shape(&self) -> [usize; 2] {
        [self.game().posts(), self.game().places()]
    }

    /// Returns the values of all positions with `turn` to move if both sides play perfectly.
    pub(crate) fn perfect<'py>(&self, py: Python<'py>, turn: &str) -> PyResult<ValueArrays<'py>> {
        let turn = side(turn)?;
        let columns = py.detach(|| {
            self.ask_perfect(|perfect| {
                let positions = self.positions(turn);
                let value = |position| perfect.value_in(self.game(), position);
                positions.map(|position| values::numbers(value(position), turn)).unzip()
            })
        });
        values::arrays(py, columns, self.shape())
    }

    /// Returns all positions with `turn` to move, post after post.
    pub(crate) fn positions(&self, turn: Side) -> impl Iterator<Item = PolicyPosition> {
        values::pairs(self.shape()).map(move |(post, place)| PolicyPosition { turn, post, place })
    }

    /// Returns what `ask` says about perfect play, which was solved with the game.
    pub(crate) fn ask_perfect<T>(&self, ask: impl FnOnce(&PerfectPlay) -> T) -> T {
        self.borrow_owner().ask(ask).expect("perfect play was solved with the game")
    }
}

/// A position: the side to move, the post of the fixed side and the place of the free side.
pub(crate) type Position = (&'static str, u32, u32);

/// An outcome and a distance, -1 for a draw.
pub(crate) type Numbers = (i8, i32);

/// The low and the high bound.
pub(crate) type Bounds = (f64, f64);

pub(crate) fn tuple_of(position: PolicyPosition) -> Position {
    let turn = if position.turn == Side::Police { "police" } else { "thief" };
    (turn, position.post, position.place)
}

pub(crate) fn bounds(interval: Interval) -> Bounds {
    (interval.low, interval.high)
}

pub(crate) const OUTCOMES: [Outcome; 3] = [Outcome::Police, Outcome::Thief, Outcome::Draw];
