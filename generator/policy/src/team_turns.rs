//! The turns of teams of officers.

use super::error::PolicyError;
use dragnet_formats::{
    cell::Side,
    game::{MoveRows, MoveTable},
    stop::StopCheck,
};
use dragnet_generator::team::TeamSpace;

/// Words of memory that are read and written to find a successor and to sort it in, roughly.
const SUCCESSOR: usize = 64;

/// Returns the turns of all teams, each target once. A team that cannot complete its turn has none.
///
/// # Errors
/// [`PolicyError::TooManyMoves`] when the teams have more than 2^32 - 1 turns together, and
/// [`PolicyError::Stopped`] when `check` says that the work is to stop.
pub(super) fn team_turns(teams: &TeamSpace, check: &mut StopCheck) -> Result<MoveTable, PolicyError> {
    let mut rows = MoveRows::new(teams.list().len(), u32::MAX);
    let (mut states, mut next) = (Vec::new(), Vec::new());
    for team in 0..teams.len() {
        states.clear();
        if !teams.stuck(team) {
            states.push(team);
        }
        for layer in 0..teams.parts() {
            next.clear();
            for &state in &states {
                let before = next.len();
                teams.for_each_successor(layer, state, |to| next.push(to));
                check.steps(SUCCESSOR * (1 + next.len() - before))?;
            }
            next.sort_unstable();
            next.dedup();
            std::mem::swap(&mut states, &mut next);
        }
        rows.push(states.iter().map(|&to| to as u32))
            .map_err(|error| PolicyError::TooManyMoves { side: Side::Police, most: error.most })?;
    }
    Ok(rows.finish())
}
