//! The engine for any game: retrograde analysis level by level, with a counter of undecided moves per
//! position.
//!
//! `PROTOCOL.md` beside this crate describes the states of a position, and proves the result and the memory
//! ordering.

mod sync;

mod word;

mod hubs;

mod frontier;

mod known_positions;

mod step;

mod labels;

mod solver;

use crate::{
    game::Reversible,
    games::{one_officer::OneOfficer, pursuit::Pursuit, size::GameSize, team::TeamSpace},
    observer::Observer,
    solve_error::SolveError,
};
use dragnet_formats::stop::StopCheck;
pub use labels::Labels;
use rayon::ThreadPool;
use solver::Solver;
pub use solver::Tuning;

/// Bytes of memory that a thread takes for its frontier.
pub(crate) const THREAD: u64 = 8 << 20;

/// Returns the most bytes of memory that solving a game of this size takes: two per position for its
/// word; 0.6 for the frontiers, as measured on the boards of the default set, game maps and mazes; and the
/// links of teams.
#[must_use]
pub fn memory_needed(size: &GameSize, threads: usize) -> u64 {
    let states = size.teams().saturating_mul(2);
    let partial_turns = TeamSpace::partial_turn_states(size.team, &size.numbers);
    let partial_turns = partial_turns.saturating_mul(size.worlds.into());
    let positions = states.saturating_add(partial_turns).saturating_mul(size.cells);
    (THREAD.saturating_mul(threads as u64))
        .saturating_add(positions / 5 * 13)
        .saturating_add(size.links_memory_needed())
}

/// Solves a pursuit game on the threads of `pool`, as [`solve`] does any game.
pub(crate) fn solve_pursuit(
    game: &Pursuit,
    pool: &ThreadPool,
    observer: &dyn Observer,
) -> Result<Labels, SolveError> {
    let tuning = Tuning::default();
    if let Some(single) = OneOfficer::new(game) {
        return solve(&single, pool, tuning, observer);
    }
    // Otherwise the first question for predecessors would find those of all states, and could not be stopped.
    game.police().link(&mut StopCheck::new(&|| observer.stop()))?;
    solve(game, pool, tuning, observer)
}

/// Solves `game` on the threads of `pool`.
///
/// Takes 2 bytes per position, 4 for each position of the two largest consecutive levels, and up to 8 MiB per
/// thread; if some distance exceeds 16,383 plies, up to 2 bytes more per position.
///
/// # Errors
/// See [`SolveError`].
pub fn solve(
    game: &impl Reversible,
    pool: &ThreadPool,
    tuning: Tuning,
    observer: &dyn Observer,
) -> Result<Labels, SolveError> {
    // One visit to the pool for the whole solve: entering it for every level would put its threads to sleep
    // and wake them up again each time.
    pool.install(|| Solver::new(game, tuning, observer)?.solve(observer))
}
