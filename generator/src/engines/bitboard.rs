//! The engine for boards: for each team of officers the thief's cells are bits, and one level of one side's
//! moves is a handful of word operations for 64 positions. How it works and why it is right is in
//! `PROTOCOL.md` §8.
//!
//! Where to look: this file has the loop over levels; `level.rs` is the hot loop, what one level does in one
//! slice; `solver.rs` runs it for all slices; `emit.rs` makes the table's blocks from the logs;
//! `resume.rs` is all that checkpoints need.

mod words;

mod sets;

mod overlay;

mod thief;

mod police_tiles;

mod police;

mod slices;

mod slice_set;

mod team_tiles;

mod grid;

mod flags;

mod log;

mod pass;

mod slice_state;

mod losses;

mod team_turn;

mod level;

mod decided;

mod start;

mod memory;

mod solver;

mod resume;

mod emit;

mod solution;

#[cfg(test)]
mod tests;

use crate::{
    checkpoint::{Checkpoints, Keeper},
    games::pursuit::Pursuit,
    observer::{Observer, Stage},
    solve_error::SolveError,
    stop::StopRequest,
};
use dragnet_formats::value::MAX_DTW;
use log::LogStore;
use rayon::{ThreadPool, prelude::*};
use resume::SavedState;
pub use solution::BitboardSolution;
use solver::Solver;
use std::{
    sync::{Arc, atomic::AtomicBool},
    thread,
};
pub(crate) use {memory::needs, words::ones};

/// Solves `game` on the threads of `pool`. Takes 20 bytes for each 64 teams and 64 cells of the thief, 2 KiB
/// for a share of these that falls with the side of the board, from a half to a tenth; and for each position
/// with the police to move 0.1 to 0.5 bytes, in mazes with corridors one cell wide up to 2.
///
/// # Errors
/// See [`SolveError`].
pub fn solve(
    game: Pursuit,
    pool: &ThreadPool,
    observer: &dyn Observer,
) -> Result<BitboardSolution, SolveError> {
    solve_with(game, pool, None, observer)
}

/// Solves `game` like [`solve`], going on from the last good one of `checkpoints` and writing more.
pub(crate) fn solve_with(
    game: Pursuit,
    pool: &ThreadPool,
    checkpoints: Option<&Checkpoints>,
    observer: &dyn Observer,
) -> Result<BitboardSolution, SolveError> {
    pool.install(|| solve_here(game, checkpoints, observer))
}

/// Solves `game` on the threads of the current pool.
fn solve_here(
    game: Pursuit,
    checkpoints: Option<&Checkpoints>,
    observer: &dyn Observer,
) -> Result<BitboardSolution, SolveError> {
    observer.stage(Stage::Solving { positions: 2 * game.side_positions() });
    let stuck = game.rules().stuck.value();
    let received = AtomicBool::new(false);
    let request = StopRequest::new(observer, &received);
    let store = Arc::new(match checkpoints {
        Some(checkpoints) => LogStore::with_file(Arc::clone(checkpoints.log()), checkpoints.log_memory()),
        None => LogStore::default(),
    });
    let restored = match checkpoints {
        Some(checkpoints) => {
            checkpoints.resume(observer, |saved| resume::restore(&game, stuck, saved, request, &store))?
        }
        None => None,
    };
    let mut solver = match restored {
        Some(solver) => {
            observer.resumed(solver.level, solver.counts.iter().sum());
            solver
        }
        None => Solver::started(&game, stuck, request, &store)?,
    };
    thread::scope(|scope| {
        let mut keeper = Keeper::new(scope, checkpoints, observer);
        loop {
            observer.level(solver.level, solver.counts.iter().sum());
            solver.end_level();
            if let Some(warning) = store.take_warning() {
                observer.warning(&warning);
            }
            let next = if request.ask() {
                Err(SolveError::Stopped)
            } else if solver.level == MAX_DTW {
                return Err(SolveError::TooLong);
            } else {
                if keeper.is_due(false) {
                    keep(&mut keeper, &solver);
                }
                solver.next_level()
            };
            match next {
                Ok(true) => {}
                Ok(false) => {
                    keeper.cancel();
                    return Ok(());
                }
                Err(error) => {
                    if matches!(error, SolveError::Stopped) && keeper.is_due(true) {
                        keep(&mut keeper, &solver);
                    }
                    return Err(error);
                }
            }
        }
    })?;
    let Solver { grid, slices, counts, last, .. } = solver;
    let logs = slices.into_iter().map(|state| state.log).collect();
    Ok(BitboardSolution::new(game, grid, logs, counts, last, store))
}

/// Begins to write the checkpoint of the last level that is solved.
fn keep(keeper: &mut Keeper, solver: &Solver) {
    let end = solver.last_end();
    let logs = (&solver.slices, &end.logs).into_par_iter().map(|(state, &mark)| (&state.log, mark));
    let state = SavedState::new(logs, end.counts, end.last, &solver.store);
    keeper.save(end.level, move |frames| state.save(frames));
}
