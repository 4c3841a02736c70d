//! Reports of a solve to the host.

use crate::host;
use dragnet_generator::{Observer, Stage};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// An observer that passes levels and encoded blocks to the host.
pub(crate) struct Progress {
    positions: u64,
    /// Positions decided so far.
    decided: AtomicU64,
    /// Blocks of the table.
    blocks: AtomicU64,
}

impl Progress {
    /// Creates the observer of the solve of a game with so many positions.
    pub(crate) fn new(positions: u64) -> Progress {
        Progress { positions, decided: 0.into(), blocks: 0.into() }
    }
}

impl Observer for Progress {
    fn stage(&self, stage: Stage) {
        if let Stage::Writing { blocks } = stage {
            self.blocks.store(blocks, Relaxed);
        }
    }

    fn level(&self, level: u32, decided: u64) {
        let before = self.decided.swap(decided, Relaxed);
        let here = decided.saturating_sub(before);
        host::level(level, here as f64, decided as f64, self.positions as f64);
    }

    fn written(&self, blocks: u64) {
        host::written(blocks as f64, self.blocks.load(Relaxed) as f64);
    }
}
