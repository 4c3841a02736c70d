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

mod solver;

mod ranks;

mod levels;

mod resume;

mod emit;

mod solution;

#[cfg(test)]
mod tests;

use crate::{
    checkpoint::{Checkpoints, Keeper},
    games::pursuit::Pursuit,
    observer::{Observer, Stage},
    ranks::{Alone, Reader, Transport, any_rank, broadcast},
    solve_error::SolveError,
    stop::StopRequest,
};
use board::{Grid, Overlays, Rank};
use dragnet_formats::value::MAX_DTW;
use log::{LogEnd, LogStore};
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
    solve_with(game, pool, None, observer)
}

/// Solves `game` like [`solve`], going on from the last good one of `checkpoints` and writing more.
pub(crate) fn solve_with(
    game: Pursuit,
    pool: &ThreadPool,
    checkpoints: Option<&Checkpoints>,
    observer: &dyn Observer,
) -> Result<BitboardSolution, SolveError> {
    let store = store_of(checkpoints, 0);
    pool.install(|| solve_here(game, &Alone, checkpoints, store, observer))
}

/// Solves `game` like [`solve_with`] together with the other ranks of `ranks`, of which rank 0 alone may have
/// checkpoints. On rank 0 the solution is whole; on others only overlays of their own have values.
pub(crate) fn solve_on(
    game: Pursuit,
    pool: &ThreadPool,
    ranks: &dyn Transport,
    checkpoints: Option<&Checkpoints>,
    observer: &dyn Observer,
) -> Result<BitboardSolution, SolveError> {
    let seed = checkpoints.map_or(0, |checkpoints| checkpoints.log().seed());
    let seed = broadcast(ranks, &seed.to_le_bytes())?;
    let store = store_of(checkpoints, Reader::new(&seed, 0).u32()?);
    pool.install(|| solve_here(game, ranks, checkpoints, store, observer))
}

/// Returns the store of the logs: with the file of the checkpoints if there are any, or else with this seed.
fn store_of(checkpoints: Option<&Checkpoints>, seed: u32) -> LogStore {
    match checkpoints {
        Some(checkpoints) => LogStore::with_file(Arc::clone(checkpoints.log()), checkpoints.log_memory()),
        None => LogStore::with_seed(seed),
    }
}

/// Solves `game` on the threads of the current pool.
fn solve_here(
    game: Pursuit,
    ranks: &dyn Transport,
    checkpoints: Option<&Checkpoints>,
    store: LogStore,
    observer: &dyn Observer,
) -> Result<BitboardSolution, SolveError> {
    observer.stage(Stage::Solving { positions: 2 * game.side_positions() });
    let stuck = game.rules().stuck.value();
    let received = AtomicBool::new(false);
    let request = StopRequest::new(observer, &received);
    let store = Arc::new(store);
    let mut solver = resume::begin(&game, stuck, ranks, request, &store, checkpoints)?;
    thread::scope(|scope| {
        let mut keeper = Keeper::new(scope, checkpoints, observer);
        let mut is_due = any_rank(ranks, keeper.is_due(false))?;
        loop {
            observer.level(solver.level, solver.counts.iter().sum());
            solver.end_level();
            for warning in store.take_warning().into_iter().chain(solver.take_warning()) {
                observer.warning(&warning);
            }
            if solver.level == MAX_DTW {
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
                    if matches!(error, SolveError::Stopped) && any_rank(ranks, keeper.is_due(true))? {
                        keep(&mut keeper, &mut solver)?;
                    }
                    return Err(error);
                }
            }
        }
    })?;
    let ends: Vec<LogEnd> = solver.slices.iter().map(|state| state.log.end()).collect();
    solver.gather_logs(&ends)?;
    let (counts, last) = (solver.counts, solver.last);
    let (grid, logs) = solver.into_logs();
    let grid = match ranks.ranks() {
        1 => grid,
        _ => Grid::new(&game, &Overlays::new(game.board()), Rank::ALONE, StopRequest::never())?,
    };
    Ok(BitboardSolution::new(game, grid, logs, counts, last, store))
}

/// Begins to write the checkpoint of the last level that is solved, on rank 0.
fn keep(keeper: &mut Keeper, solver: &mut Solver) -> Result<(), SolveError> {
    let ends = solver.last_log_ends();
    solver.gather_logs(&ends)?;
    if solver.ranks.rank() == 0 {
        let end = solver.last_end();
        let logs = solver.all_logs(&ends);
        let state = SavedState::new(logs.into_par_iter(), end.counts, end.last, &solver.store);
        keeper.save(end.level, move |frames| state.save(frames));
    }
    Ok(())
}
