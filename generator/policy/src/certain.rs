//! The positions whose probabilities are 0 or 1, found without arithmetic.

use super::decision_process::{DecisionProcess, End, Need, PositionSet};
use dragnet_generator::SolveError;

/// The positions in which the end is certain, or out of reach: `PROTOCOL.md` §12.
pub(super) struct CertainPositions {
    /// Positions from which the free side can win with some luck.
    pub(super) can_win: PositionSet,
    /// Positions from which the free side can win with certainty.
    pub(super) wins: PositionSet,
    /// Positions from which the free side may lose whatever it does.
    pub(super) may_lose: PositionSet,
    /// Positions from which the free side loses with certainty whatever it does.
    pub(super) loses: PositionSet,
}

impl CertainPositions {
    /// Finds the certain positions of a process.
    ///
    /// # Errors
    /// When the work is to stop.
    pub(super) fn new(process: &DecisionProcess) -> Result<CertainPositions, SolveError> {
        let mut can_win = process.ended(End::Won);
        process.spread(&mut can_win, Need::Any, None);
        let mut wins = can_win.clone();
        loop {
            // Chance leads out of what is left, or out of reach of a win, whatever the free side does.
            let mut lost = wins.complement();
            process.spread(&mut lost, Need::All, None);
            let left = lost.complement();
            let mut reach = process.ended(End::Won);
            process.spread(&mut reach, Need::Any, Some(&left));
            process.stop.check()?;
            let before = wins.count();
            wins = reach;
            if wins.count() == before {
                break;
            }
        }
        let mut may_lose = process.ended(End::Lost);
        process.spread(&mut may_lose, Need::All, None);
        let mut can_avoid = may_lose.complement();
        process.spread(&mut can_avoid, Need::Any, None);
        process.stop.check()?;
        Ok(CertainPositions { can_win, wins, may_lose, loses: can_avoid.complement() })
    }
}
