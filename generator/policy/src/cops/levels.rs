//! The interface that the searches for captures share.

use dragnet_generator::StopRequest;

/// The positions that the police wins, level by level: in n of its turns with the police to move.
pub(super) trait Levels {
    /// Returns the number of positions won with the police to move in the levels so far.
    fn won(&self) -> u64;

    /// Decides the next level. Returns whether a later one can have a position.
    fn next_level(&mut self, stop: &StopRequest) -> bool;

    /// Calls `each` with the cells of each team, as numbers in reading order, that wins against every cell of
    /// the thief.
    fn for_each_full_team(&self, each: &mut dyn FnMut(&[u32]));
}
