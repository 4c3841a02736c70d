//! The board of games against policies, with perfect play on it.

use crate::{
    boards::{Board, rules},
    errors::{nothing_said, wrong},
    policies, values, work,
};
use dragnet_formats::cell::Side;
use dragnet_generator::{Generator, Observer};
use dragnet_policy::{PerfectPlay, PolicyError, PolicyGame, perfect_play};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use self_cell::self_cell;
use std::sync::{Arc, OnceLock};

/// Perfect play, once it is asked for.
type Perfect<'a> = OnceLock<PerfectPlay<'a>>;

self_cell!(
    /// A ground, and perfect play on it.
    pub(crate) struct PlayedGround {
        owner: dragnet_policy::Ground,
        #[not_covariant]
        dependent: Perfect,
    }
);

impl PlayedGround {
    /// Solves the game of perfect play, if that has not been done.
    ///
    /// # Errors
    /// When the memory does not suffice, or the observer stops the work.
    pub(crate) fn solve(&self, generator: &Generator, observer: &dyn Observer) -> Result<(), PolicyError> {
        self.with_dependent(|ground, perfect| {
            if perfect.get().is_none() {
                let solved = perfect_play(ground, generator, observer)?;
                // Another thread may have been quicker, with the same values.
                let _ = perfect.set(solved);
            }
            Ok(())
        })
    }

    /// Returns what `ask` says about perfect play, or `None` if nobody has solved it.
    pub(crate) fn ask<T>(&self, ask: impl FnOnce(&PerfectPlay) -> T) -> Option<T> {
        self.with_dependent(|_, perfect| perfect.get().map(ask))
    }
}

/// A board under rules, with the moves of both sides between their places.
#[pyclass(frozen, module = "dragnet._native")]
pub(crate) struct Ground(pub(crate) Arc<PlayedGround>);

impl Ground {
    pub(crate) fn ground(&self) -> &dragnet_policy::Ground {
        self.0.borrow_owner()
    }
}

/// Returns the most bytes of memory that a `Ground` takes.
#[pyfunction]
pub(crate) fn ground_memory_needed(board: &Board, rules: &str) -> PyResult<u64> {
    Ok(dragnet_policy::Ground::memory_needed(&board.0, &self::rules(rules)?))
}

/// Returns the side of a word.
///
/// # Errors
/// When it is neither "police" nor "thief".
pub(crate) fn side(word: &str) -> PyResult<Side> {
    word.parse().map_err(|_| wrong(format!("expected 'police' or 'thief', found {word:?}")))
}

#[pymethods]
impl Ground {
    #[new]
    fn new(py: Python<'_>, board: &Board, rules: &str) -> PyResult<Ground> {
        let (board, rules) = (board.0.clone(), self::rules(rules)?);
        let ground =
            py.detach(|| dragnet_policy::Ground::new(board, rules)).map_err(|error| nothing_said(&error))?;
        Ok(Ground(Arc::new(PlayedGround::new(ground, |_| Perfect::new()))))
    }

    /// The height and width of the board.
    #[getter]
    fn shape(&self) -> (u16, u16) {
        let board = self.ground().board();
        (board.height(), board.width())
    }

    /// Returns what is solved for a policy of `side` with so many posts, with `chance` or without, and the
    /// most bytes of memory that each takes. The policy is that of an opponent or not.
    fn memory_needed(
        &self,
        side: &str,
        posts: u64,
        chance: bool,
        is_opponent: bool,
        threads: usize,
    ) -> PyResult<Vec<(&'static str, u64)>> {
        let (ground, side, generator) = (self.ground(), self::side(side)?, work::generator(threads)?);
        let perfect = PerfectPlay::memory_needed(ground.board(), ground.rules(), &generator);
        let places = ground.places(side.other()) as u64;
        let mut needs = vec![
            ("perfect play", perfect),
            ("the game against the policy", PolicyGame::memory_needed(posts, places, chance)),
        ];
        if is_opponent {
            let plan = policies::opponent_plan(ground).map_err(|error| nothing_said(&error))?;
            needs.push(("the table of the opponent", plan.needs(work::thread_count(threads)).likely));
        }
        Ok(needs)
    }

    /// Returns the cells of a side's pieces at each of its places: an array (places, pieces, 2).
    fn places<'py>(&self, py: Python<'py>, side: &str) -> PyResult<Bound<'py, PyArray3<i32>>> {
        let (ground, side) = (self.ground(), self::side(side)?);
        let places = ground.places(side);
        let pieces = if side == Side::Police { usize::from(ground.rules().officers) } else { 1 };
        let coordinates: Vec<i32> = py.detach(|| {
            let cells = (0..places as u32).flat_map(|place| ground.pieces(side, place).cells().to_vec());
            cells.flat_map(|cell| [cell.row.into(), cell.col.into()]).collect()
        });
        coordinates.into_pyarray(py).reshape([places, pieces, 2])
    }

    /// Returns where the moves from each place of a side begin, one more at the end, and the places to which
    /// all moves lead.
    #[expect(clippy::type_complexity, reason = "a tuple of Python")]
    fn moves<'py>(
        &self,
        py: Python<'py>,
        side: &str,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u32>>)> {
        let (ground, side) = (self.ground(), self::side(side)?);
        let (mut starts, mut targets) = (vec![0], Vec::new());
        for place in 0..ground.places(side) as u32 {
            targets.extend_from_slice(ground.moves(side, place));
            starts.push(targets.len() as i64);
        }
        Ok((starts.into_pyarray(py), targets.into_pyarray(py)))
    }

    /// Returns who has won without a move with the police and the thief at each of their places, or a draw.
    fn winners<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let ground = self.ground();
        let shape = Side::BOTH.map(|side| ground.places(side));
        let winner = |(police, thief)| values::winner_number(ground.winner(police, thief));
        let winners: Vec<i8> = py.detach(|| values::pairs(shape).map(winner).collect());
        winners.into_pyarray(py).reshape(shape)
    }
}
