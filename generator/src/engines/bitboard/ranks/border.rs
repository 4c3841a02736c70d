//! The border between the part of a board that a solver works on and the other parts.

use super::super::{
    board::Grid,
    level::{Changed, Undecided},
    log::{Log, LogEnd},
    sets::{Set, SetWords},
};
use crate::{
    games::pursuit::Pursuit, pass_threads::PassThreads, ranks::TransportError, solve_error::SolveError,
};
use dragnet_formats::value::Plies;

/// A level, or a replayed part of one, at whose end neighbours tell each other what has changed.
pub(crate) struct GrownLevel<'a> {
    /// The grid, and where own slices have undecided positions.
    pub(crate) undecided: Undecided<'a>,
    pub(crate) level: Plies,
    /// Whether a pass over each group has run in this level, by [`Group`](super::super::sets::Group).
    pub(crate) ran: [bool; 2],
    /// Whether all threads take part.
    pub(crate) shared: bool,
    pub(crate) threads: &'a PassThreads,
    pub(crate) sets: &'a mut SetWords,
    /// The growth in the level, by [`Set`] and slice.
    pub(crate) changed: &'a mut [Vec<Changed>; Set::COUNT],
}

/// Logs, and how far each of them counts.
pub(crate) type LogsUntil<'l> = Vec<(&'l Log, LogEnd)>;

/// The border between the part of a board that a solver works on and the other parts. The solvers of all
/// parts make the same calls in the same order.
///
/// The functions here are those of a part that is the whole board: its border has no other side.
pub(crate) trait Border: Sync {
    /// Returns whether there are other parts, which wait for this one unless all stop at the end of a level.
    fn has_others(&self) -> bool {
        false
    }

    /// Returns whether this part is the one that has the checkpoints.
    fn leads(&self) -> bool {
        true
    }

    /// Replaces each of the numbers by its sum over all parts.
    fn sum(&mut self, _numbers: &mut [u64]) -> Result<(), TransportError> {
        Ok(())
    }

    /// Returns whether `flag` is set in some part.
    fn any(&mut self, flag: bool) -> Result<bool, TransportError> {
        let mut flags = [u64::from(flag)];
        self.sum(&mut flags)?;
        Ok(flags[0] > 0)
    }

    /// Tells the other parts what a level has changed, and lets the ghosts grow by what they tell.
    fn exchange(&mut self, _level: GrownLevel) -> Result<(), SolveError> {
        Ok(())
    }

    /// Brings the logs of all parts to the one that leads, which gets those of the whole board by their
    /// numbers; the others get `None`. `own` has those of this part, by slice.
    fn gather<'l>(
        &'l mut self,
        _grid: &Grid,
        own: LogsUntil<'l>,
    ) -> Result<Option<LogsUntil<'l>>, SolveError> {
        Ok(Some(own))
    }

    /// Brings the logs of the whole board, which the part that leads has by their numbers, to their parts.
    /// Returns those of this part, by slice.
    fn scatter(&mut self, _grid: &Grid, logs: Vec<Log>) -> Result<Vec<Log>, SolveError> {
        Ok(logs)
    }

    /// Returns the grid and, as far as this part knows them, the logs of the whole board at the end of a
    /// solve, given those of this part by slice. The part that leads knows all.
    fn join_parts(
        &mut self,
        _game: &Pursuit,
        grid: Grid,
        own: Vec<Log>,
    ) -> Result<(Grid, Vec<Log>), SolveError> {
        Ok((grid, own))
    }
}

/// The border of a part that is the whole board.
pub(super) struct NoBorder;

impl Border for NoBorder {}
