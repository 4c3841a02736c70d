//! The state of one slice, which changes while solving. A level writes it from one thread.

use super::super::{
    board::Grid,
    log::{Log, LogEnd},
    sets::BySide,
    words::Words,
};
use crate::log_error::LogError;
use dragnet_formats::{cell::Side, value::Plies};
use std::ops::Range;

/// The state of one slice beside the words of its sets. States of different threads share no cache line.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct SliceState {
    /// The number of undecided positions, by police tile of the slice.
    pub(crate) undecided: BySide<Vec<u16>>,
    pub(crate) log: Log,
    /// Why a set or the log could not be written or read, the first time. The positions that were to be added
    /// then are lost: the solve cannot go on.
    failure: Option<LogError>,
    /// New positions of this level that join their sets when no pass reads what the last level has changed
    /// any more.
    pub(crate) deferred: Vec<Deferred>,
    /// The rows that the last pass has looked at.
    pub(crate) work: u64,
    /// The level of the last pass.
    level: Plies,
    /// The end of the log when the level of the last pass began.
    level_start: LogEnd,
}

/// New positions of one block that wait for a later pass.
#[derive(Debug)]
pub(crate) struct Deferred {
    pub(super) mover: Side,
    /// The police tile of the block.
    pub(super) tile: u32,
    pub(super) new: Words,
}

impl SliceState {
    /// Creates the state in which nothing is decided.
    pub(crate) fn new(grid: &Grid, overlay: usize, tiles: Range<u32>, log: Log) -> SliceState {
        let cells = grid.overlays[overlay].open.count_ones() as u16;
        let undecided: Vec<u16> = tiles.map(|tile| grid.rows(tile) as u16 * cells).collect();
        let undecided = BySide([undecided.clone(), undecided]);
        let level_start = log.end();
        SliceState { undecided, log, failure: None, deferred: Vec::new(), work: 0, level: 0, level_start }
    }

    /// Begins a pass of `level`.
    #[inline(always)]
    pub(crate) fn begin(&mut self, level: Plies) {
        self.work = 0;
        if self.level != level {
            (self.level, self.level_start) = (level, self.log.end());
        }
    }

    /// Returns the end that the log had after `level`, which is not earlier than the level before that of the
    /// slice's last pass.
    pub(crate) fn end_of(&self, level: Plies) -> LogEnd {
        if self.level > level { self.level_start } else { self.log.end() }
    }

    /// Notes that a set or the log could not be written or read.
    #[cold]
    pub(crate) fn fail(&mut self, error: LogError) {
        self.failure.get_or_insert(error);
    }

    /// Returns whether a set or the log has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Takes the first failure.
    pub(crate) fn take_failure(&mut self) -> Option<LogError> {
        self.failure.take()
    }
}
