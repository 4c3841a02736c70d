//! Solved values on their way into a table.

use crate::{games::pursuit::Pursuit, log_error::LogError};
use dragnet_formats::{cell::Cell, codec::RawBlock, header::Summary, pieces::Pieces, value::Value};
use rayon::prelude::*;
use std::cmp::Reverse;

/// Why a source could not deliver the blocks of a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The values could not be read. An engine never fails so: it has them all.
    #[error(transparent)]
    Values(Box<dyn std::error::Error + Send + Sync>),
    /// The sink requested a stop.
    #[error("stopped")]
    Stopped,
}

impl From<LogError> for SourceError {
    fn from(error: LogError) -> SourceError {
        SourceError::Values(error.into())
    }
}

/// A receiver of blocks with their numbers, in any order, from many threads.
pub type BlockSink<'a> = &'a (dyn Fn(u64, RawBlock) -> Result<(), SourceError> + Sync);

/// A source of the values of a table: an engine, or another table. `S` is the type of the table's summary.
pub trait BlockSource<S = Summary>: Sync {
    /// Passes every block of the table to `sink`, exactly once and in any order, on the threads of the
    /// current pool. Returns counts, longest wins and digest of all values.
    ///
    /// Positions whose value is not stored have [`ANY_CODE`](dragnet_formats::codec::ANY_CODE) in their
    /// blocks.
    ///
    /// # Errors
    /// When the values cannot be read, or with the error that `sink` returns.
    fn blocks(&self, sink: BlockSink) -> Result<S, SourceError>;
}

/// The blocks of a table in bundles, each of which one thread makes from front to back. All blocks belong to
/// one bundle, and two runs have the same bundles if their [keys](BlockBundles::key) are equal.
pub(crate) trait BlockBundles: Sync {
    /// Returns the number of bundles.
    fn count(&self) -> usize;

    /// Returns a hash of which blocks are in which bundle.
    fn key(&self) -> u64;

    /// Returns the number of blocks of a bundle.
    fn len(&self, bundle: usize) -> u64;

    /// Returns the number in the table of the block that comes behind `before` others of its bundle, if there
    /// is one.
    fn block(&self, bundle: usize, before: u64) -> Option<u64>;

    /// Returns how much work a bundle is, in some unit that all bundles share.
    fn work(&self, bundle: usize) -> u64;

    /// Returns about how many bytes of memory a thread takes that makes a bundle.
    fn memory_needed(&self, bundle: usize) -> u64;

    /// Passes the blocks of a bundle to `sink`, and returns their part of the table's digest.
    ///
    /// # Errors
    /// When the values cannot be read, or with the error that `sink` returns.
    fn make(&self, bundle: usize, sink: BlockSink) -> Result<u64, SourceError>;
}

impl dyn BlockBundles + '_ {
    /// Calls `each` for all bundles of `which` on the threads of the current pool, for those with most work
    /// first, so that all threads end at about the same time. Returns the results in no particular order.
    ///
    /// # Errors
    /// The first error of `each`, which then may not have been called for all.
    pub(crate) fn in_parallel<R: Send>(
        &self,
        mut which: Vec<usize>,
        each: impl Fn(usize) -> Result<R, SourceError> + Sync + Send,
    ) -> Result<Vec<R>, SourceError> {
        which.sort_by_cached_key(|&bundle| Reverse(self.work(bundle)));
        // A bridge keeps the order: whoever is free takes the next one.
        which.into_iter().par_bridge().map(each).collect()
    }
}

/// The values of all positions of a pursuit game, whichever engine has found them.
pub trait Solution: BlockSource + Send {
    /// Returns the game.
    fn game(&self) -> &Pursuit;

    /// Returns counts, longest wins and digest, summed on the threads of the current pool.
    fn summary(&self) -> Summary;

    /// Returns the value of a position with the police to move, or `None` if there is no such world, a cell
    /// is off the board or a wall, or the team has another size.
    ///
    /// May read much of what is known of the thief's tile. To read many values, take the blocks.
    fn value(&self, world: u32, officers: &Pieces, thief: Cell) -> Option<Value>;
}
