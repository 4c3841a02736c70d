//! The engine for boards: for each team of officers the thief's cells are bits, and one level of one side's
//! moves is a handful of word operations for 64 positions. How it works and why it is right is in
//! `PROTOCOL.md` §8.
//!
//! Where to look: this file has the loop over levels; `level/grow.rs` is the hot loop, what one level does in
//! one slice; `solver.rs` runs it for all slices; `emit/` makes the table's blocks from the logs; `resume.rs`
//! is all that checkpoints need; `ranks/` lets several processes share a board.

mod words;

mod board;

mod sets;

mod log;

mod level;

mod memory;

mod ranks;

mod solver;

mod levels;

mod resume;

mod emit;

mod solution;

#[cfg(test)]
mod tests;

use crate::{
    budget::Part,
    checkpoint::{Checkpoints, Keeper},
    games::pursuit::Pursuit,
    observer::{Observer, Stage},
    ranks::Transport,
    solve_error::SolveError,
    stop::StopRequest,
};
use dragnet_formats::value::MAX_DTW;
use log::LogStore;
pub(crate) use memory::needs;
use rayon::{ThreadPool, prelude::*};
use resume::SavedState;
pub use solution::BitboardSolution;
use solver::Solver;
use std::{
    sync::{Arc, atomic::AtomicBool},
    thread,
};
pub use words::ones;

/// Solves `game` on the threads of `pool`. Takes 20 bytes for each 64 teams and 64 cells of the thief; 2 KiB
/// for each of these if that is at most 40 MiB, and else for a share that falls with the side of the board,
/// from a half to a tenth; and for each position with the police to move 0.1 to 0.5 bytes, in mazes with
/// corridors one cell wide up to 2.
///
/// # Errors
/// See [`SolveError`].
pub fn solve(
    game: Pursuit,
    pool: &ThreadPool,
    observer: &dyn Observer,
) -> Result<BitboardSolution, SolveError> {
    solve_with(game, pool, None, None, observer)
}

/// Solves `game` like [`solve`], going on from the last good one of `checkpoints` and writing more. If there
/// are several `ranks`, all solve it together: the first alone may have checkpoints, and has the whole
/// solution; on others only overlays of their own have values.
pub(crate) fn solve_with(
    game: Pursuit,
    pool: &ThreadPool,
    ranks: Option<&dyn Transport>,
    checkpoints: Option<&Checkpoints>,
    observer: &dyn Observer,
) -> Result<BitboardSolution, SolveError> {
    let ranks = ranks.filter(|ranks| ranks.ranks() > 1);
    // Only rank 0 adds to the sum.
    let mut seed = [checkpoints.map_or(0, |checkpoints| checkpoints.log().seed().into())];
    ranks.map_or(Ok(()), |ranks| ranks.sum(&mut seed))?;
    let store = match checkpoints {
        Some(checkpoints) => {
            LogStore::with_file(Arc::clone(checkpoints.log()), Arc::clone(checkpoints.budget()))
        }
        None => LogStore::with_seed(seed[0] as u32),
    };
    pool.install(|| solve_here(game, ranks, checkpoints, Arc::new(store), observer))
}

/// Solves `game` on the threads of the current pool.
fn solve_here(
    game: Pursuit,
    ranks: Option<&dyn Transport>,
    checkpoints: Option<&Checkpoints>,
    store: Arc<LogStore>,
    observer: &dyn Observer,
) -> Result<BitboardSolution, SolveError> {
    if game.officers() == 0 {
        return Err(SolveError::NoOfficers);
    }
    observer.stage(Stage::Solving { positions: 2 * game.side_positions() });
    let stuck = game.value_if_stuck();
    let received = AtomicBool::new(false);
    let request = StopRequest::new(observer, &received);
    let mut solver = resume::begin(&game, stuck, ranks, request, &store, checkpoints)?;
    thread::scope(|scope| {
        let mut keeper = Keeper::new(scope, checkpoints, observer);
        let mut is_due = solver.border.any(keeper.is_due(false))?;
        loop {
            observer.level(solver.progress.level, solver.progress.decided());
            solver.end_level();
            for warning in store.take_warning().into_iter().chain(solver.take_warning()) {
                observer.warning(&warning);
            }
            if solver.progress.level == MAX_DTW {
                return Err(SolveError::TooLong);
            }
            if is_due {
                keep(&mut keeper, &mut solver)?;
            }
            match solver.next_level(|| keeper.is_due(false)) {
                Ok(Some(due)) => is_due = due,
                Ok(None) => {
                    keeper.cancel();
                    return Ok(());
                }
                Err(error) => {
                    if matches!(error, SolveError::Stopped) && solver.border.any(keeper.is_due(true))? {
                        keep(&mut keeper, &mut solver)?;
                    }
                    return Err(error);
                }
            }
        }
    })?;
    let end = solver.progress;
    let (grid, logs) = solver.into_logs()?;
    store.budget().set(Part::Beside, 0);
    Ok(BitboardSolution::new(game, grid, logs, end, store))
}

/// Begins to write the checkpoint of the last level that is solved, where the checkpoints are.
fn keep(keeper: &mut Keeper, solver: &mut Solver) -> Result<(), SolveError> {
    let (end, store) = (solver.last_end, Arc::clone(&solver.store));
    if let Some(logs) = solver.gather_logs()? {
        let state = SavedState::new(logs.into_par_iter(), end, &store);
        keeper.save(end.level, move |frames| state.save(frames));
    }
    Ok(())
}
