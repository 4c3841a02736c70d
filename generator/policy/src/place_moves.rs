//! The moves of a side between its places, as compressed rows.

use super::error::PolicyError;
use dragnet_formats::{cell::Side, moves::MoveTable, stop::StopCheck};
use dragnet_generator::{SolveError, StopRequest, team::TeamSpace};

/// Words of memory that are read and written to find a successor and to sort it in, roughly.
const SUCCESSOR: usize = 64;

/// The moves of one side: for each place the places to which a turn leads. Takes 4 bytes for each place and
/// each move.
#[derive(Debug)]
pub(super) struct PlaceMoves {
    starts: Vec<u32>,
    places: Vec<u32>,
}

impl PlaceMoves {
    /// Returns the moves of a single piece between cells.
    pub(super) fn of_piece(moves: &MoveTable) -> PlaceMoves {
        let mut all = PlaceMoves { starts: vec![0], places: Vec::with_capacity(moves.len()) };
        for cell in 0..moves.cell_count() {
            all.places.extend_from_slice(moves.of(cell));
            all.starts.push(all.places.len() as u32);
        }
        all
    }

    /// Returns the turns of all teams, each target once, rising. A team that cannot complete its turn has
    /// none.
    ///
    /// # Errors
    /// [`PolicyError::TooManyMoves`] when the teams have more than 2^32 - 1 turns together, and
    /// [`PolicyError::Stopped`] when `check` says that the work is to stop.
    pub(super) fn of_teams(teams: &TeamSpace, check: &mut StopCheck) -> Result<PlaceMoves, PolicyError> {
        let mut all = PlaceMoves { starts: vec![0], places: Vec::new() };
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
            all.places.extend(states.iter().map(|&to| to as u32));
            let end = u32::try_from(all.places.len());
            let too_many = PolicyError::TooManyMoves { side: Side::Police, most: u32::MAX };
            all.starts.push(end.map_err(|_| too_many)?);
        }
        Ok(all)
    }

    /// Returns the places to which a turn from `place` leads, rising.
    #[inline(always)]
    pub(super) fn of(&self, place: usize) -> &[u32] {
        &self.places[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// Returns the number of places.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the moves taken back: for each place those from which a turn leads to it, rising.
    ///
    /// # Errors
    /// When the work is to stop.
    pub(super) fn transposed(&self, stop: StopRequest) -> Result<PlaceMoves, SolveError> {
        let mut looks = 0;
        let mut starts = vec![0u32; self.starts.len()];
        for from in 0..self.len() {
            if stop.ask_at_times(&mut looks) {
                return Err(SolveError::Stopped);
            }
            for &to in self.of(from) {
                starts[to as usize + 1] += 1;
            }
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut places = vec![0; self.places.len()];
        for from in 0..self.len() {
            if stop.ask_at_times(&mut looks) {
                return Err(SolveError::Stopped);
            }
            for &to in self.of(from) {
                let entry = &mut next[to as usize];
                places[*entry as usize] = from as u32;
                *entry += 1;
            }
        }
        Ok(PlaceMoves { starts, places })
    }
}
