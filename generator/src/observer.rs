//! Telling somebody how far the work is, and being told to stop.

use crate::checkpoint::Warning;

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Deciding positions, of which there are this many.
    Solving {
        /// Positions of the game.
        positions: u64,
    },
    /// Compressing and writing blocks, of which there are this many.
    Writing {
        /// Blocks of the table.
        blocks: u64,
    },
}

/// Is told how far the work is. Called for each level and now and then while blocks are encoded, from the threads that do
/// the work, so it should be quick.
pub trait Observer: Sync {
    /// A stage begins.
    fn stage(&self, _stage: Stage) {}

    /// All positions with DTW `level` are decided, `decided` positions in all so far.
    fn level(&self, _level: u32, _decided: u64) {}

    /// The solve goes on from the check-point of level `level`, in which `decided` positions are decided.
    fn resumed(&self, _level: u32, _decided: u64) {}

    /// The check-point of level `level` has been written, which has so many bytes. Comes from a thread of its own.
    fn checkpoint(&self, _level: u32, _bytes: u64) {}

    /// Something went wrong that does not end the work. May come from a thread of its own.
    fn warning(&self, _warning: &Warning) {}

    /// About so many blocks are encoded; may come from several threads at once.
    fn written(&self, _blocks: u64) {}

    /// Whether the work should stop soon; asked between levels and for each block.
    fn stop(&self) -> bool {
        false
    }
}

/// Nobody watches.
impl Observer for () {}
