//! Progress of the work, and requests to stop it.

use crate::warning::Warning;

/// A stage of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Positions are being decided.
    Solving {
        /// Positions of the game.
        positions: u64,
    },
    /// Blocks are being compressed and written.
    Writing {
        /// Blocks of the table.
        blocks: u64,
    },
    /// A policy is asked for its moves.
    Asking {
        /// Positions in which its side is to move.
        positions: u64,
    },
    /// The values of a table are derived again.
    Verifying {
        /// Positions whose values are derived.
        positions: u64,
    },
    /// Bounds of probabilities or of expected plies approach each other.
    Bounding {
        /// Positions whose bounds have not met at first.
        positions: u64,
    },
}

/// A square of 8×8 cells of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GridSquare {
    /// The number of its row, the top one being 0.
    pub row: u16,
    /// The number of its column, the left one being 0.
    pub col: u16,
}

/// The work of one pass over a slice, for [`Observer::pass`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceWork {
    /// Where the overlay lies, which has the thief's cells of one word.
    pub square: GridSquare,
    /// The number of the range of police tiles.
    pub range: u32,
    /// The rows of up to 64 positions that were looked at.
    pub rows: u64,
}

/// Receives progress callbacks, and may ask the work to stop.
///
/// The threads that do the work call it for each level and now and then while blocks are encoded, so it
/// should be quick. `()` ignores all progress.
///
/// ```
/// use dragnet_formats::{graph::GraphBuilder, rules::Stuck};
/// use dragnet_generator::{Generator, GraphGame, Observer};
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
///
/// #[derive(Default)]
/// struct LastLevel(AtomicU32);
///
/// impl Observer for LastLevel {
///     fn level(&self, level: u32, _decided: u64) {
///         self.0.store(level, Relaxed);
///     }
/// }
///
/// // A path of three edges. Whoever has no move loses.
/// let mut path = GraphBuilder::new();
/// for vertex in 0..3 {
///     path.add(vertex, vertex + 1)?;
/// }
/// let game = GraphGame::new(path.build(), Stuck::Loses, []);
/// let observer = LastLevel::default();
/// Generator::new(1)?.solve_graph(game, &observer)?;
/// assert_eq!(observer.0.into_inner(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Observer: Sync {
    /// Takes note that a stage begins.
    fn stage(&self, _stage: Stage) {}

    /// Takes note that all positions with DTW `level` are decided, and `decided` positions in all so far.
    fn level(&self, _level: u32, _decided: u64) {}

    /// Takes note of a pass of [`Engine::Bitboard`](crate::Engine::Bitboard) over all slices, of which a
    /// level has up to three, and of the work in each slice. In a pass that is `shared` each thread works on
    /// a part of its own first and then on slices of others; in other passes one thread works on all.
    fn pass(&self, _shared: bool, _work: &mut dyn Iterator<Item = SliceWork>) {}

    /// Takes note that the ranks of a solve have sent each other `bytes` bytes after a level, all of them
    /// together. A solve of one rank does not call it.
    fn exchanged(&self, _bytes: u64) {}

    /// Takes note that the solve resumes from the checkpoint of level `level`, in which `decided` positions
    /// are decided.
    fn resumed(&self, _level: u32, _decided: u64) {}

    /// Takes note that the checkpoint of level `level` has been written, with `bytes` bytes. Called on a
    /// thread of its own.
    fn checkpoint(&self, _level: u32, _bytes: u64) {}

    /// Takes note of something that went wrong and does not end the work. May be called on a thread of its
    /// own.
    fn warning(&self, _warning: &Warning) {}

    /// Takes note that a policy has been asked for its moves in `positions` positions so far.
    fn asked(&self, _positions: u64) {}

    /// Takes note that `round` rounds of bounds are computed, and that the bounds of `met` positions are as
    /// near to each other as they need be.
    fn round(&self, _round: u64, _met: u64) {}

    /// Takes note that the values of `positions` positions have been derived again so far. May be called on
    /// several threads at once.
    fn verified(&self, _positions: u64) {}

    /// Takes note that about `blocks` blocks are encoded so far. May be called on several threads at once.
    fn written(&self, _blocks: u64) {}

    /// Returns whether the work should stop soon. Asked now and then in all that may take long: while moves
    /// are found, in each level and for each block.
    fn stop(&self) -> bool {
        false
    }
}

/// Ignores all progress.
impl Observer for () {}
