//! A solved pursuit game, as the writer of its table sees it.

use crate::{checkpoint::Frames, engines::counters::Labels, games::pursuit::Pursuit};
use dragnet_formats::{
    cell::{Cell, Side},
    codec::{ANY_CODE, RawBlock},
    header::Summary,
    pieces::Pieces,
    value::{Plies, Value},
};
use rayon::prelude::*;
use std::io;

/// Why the blocks of a table could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The values could not be had; an engine has them all.
    #[error(transparent)]
    Values(Box<dyn std::error::Error + Send + Sync>),
    /// Who takes the blocks wants no more.
    #[error("stopped")]
    Stopped,
}

/// Takes blocks with their numbers, in any order, from many threads.
pub type BlockSink<'a> = &'a (dyn Fn(u64, RawBlock) -> Result<(), SourceError> + Sync);

/// Where the writer of a table gets its values from: an engine, or another table. `S` is what such a table says of all its values.
pub trait BlockSource<S = Summary>: Sync {
    /// Hands every block of the table to `sink`, exactly once and in any order, on the threads of the current pool; then counts,
    /// longest wins and digest of all values. Positions whose value is not stored have [`ANY_CODE`] in their blocks.
    ///
    /// # Errors
    /// When the values cannot be had, or with what `sink` returns.
    fn blocks(&self, sink: BlockSink) -> Result<S, SourceError>;
}

/// The values of all positions of a pursuit game, whichever engine has found them.
pub trait Solution: BlockSource + Send {
    /// The game.
    fn game(&self) -> &Pursuit;

    /// Counts, longest wins and digest, summed on the threads of the current pool.
    fn summary(&self) -> Summary;

    /// The value of a position with the police to move, or `None` if a cell is off the board or a wall, or the team of another size. May read
    /// much of what is known of the thief's tile; who wants many values takes the blocks.
    fn value(&self, officers: &Pieces, thief: Cell) -> Option<Value>;
}

/// A solution of which a check-point can be taken.
pub(crate) trait Resumable: Solution {
    /// The last level.
    fn level(&self) -> Plies;

    /// Puts the state of the engine after that level into a check-point.
    ///
    /// # Errors
    /// Those of `frames`.
    fn save(&self, frames: &mut Frames) -> io::Result<()>;
}

/// A pursuit game with the labels of the `counters` engine.
#[derive(Debug)]
pub struct Labelled {
    game: Pursuit,
    labels: Labels,
}

impl Labelled {
    /// The solution of `game` with these labels, which must be its own.
    #[must_use]
    pub fn new(game: Pursuit, labels: Labels) -> Labelled {
        Labelled { game, labels }
    }

    #[inline(always)]
    fn value_of(&self, turn: Side, team: u64, thief: u64) -> Value {
        let row = turn as u64 * self.game.police().len() + team;
        self.game.in_plies(self.labels.value(row * self.game.cell_count() + thief))
    }
}

impl Solution for Labelled {
    fn game(&self) -> &Pursuit {
        &self.game
    }

    fn summary(&self) -> Summary {
        let cells = self.game.cell_count();
        let row = |team: usize| {
            let mut summary = Summary::default();
            let first = self.game.police().list().number(team) * cells;
            for (thief, &reading) in (0..).zip(self.game.thief_reading()) {
                let [police, thief] = Side::BOTH.map(|turn| self.value_of(turn, team as u64, thief));
                summary.add_police_to_move(first + u64::from(reading), police);
                summary.add_thief_to_move(thief);
            }
            summary
        };
        let teams = self.game.police().list().len();
        (0..teams).into_par_iter().map(row).reduce(Summary::default, |mut sum, part| {
            sum.merge(&part);
            sum
        })
    }

    fn value(&self, officers: &Pieces, thief: Cell) -> Option<Value> {
        let position = self.game.position(officers, thief, Side::Police)?;
        Some(self.game.in_plies(self.labels.value(position)))
    }
}

impl BlockSource for Labelled {
    fn blocks(&self, sink: BlockSink) -> Result<Summary, SourceError> {
        (0..self.game.numbering().block_count())
            .into_par_iter()
            .try_for_each_init(Vec::new, |codes, block| sink(block, self.block(block, codes)))?;
        Ok(self.summary())
    }
}

impl Resumable for Labelled {
    fn level(&self) -> Plies {
        self.labels.longest()
    }

    fn save(&self, frames: &mut Frames) -> io::Result<()> {
        self.labels.save(frames)
    }
}

impl Labelled {
    fn block(&self, block: u64, codes: &mut Vec<u32>) -> RawBlock {
        let numbering = self.game.numbering();
        let tiles = numbering.tiles(block);
        let teams = self.game.police().list().range_of(tiles.police);
        let thief_cells = numbering.thief().range_of(tiles.thief);
        codes.clear();
        codes.resize(teams.len() * thief_cells.len(), ANY_CODE);
        for (rank, team) in teams.clone().enumerate() {
            let terminals = self.game.terminals(team);
            let slots = codes[rank..].iter_mut().step_by(teams.len());
            for (thief, slot) in thief_cells.clone().zip(slots) {
                if terminals.winner(self.game.thief_reading()[thief]).is_none() {
                    *slot = self.value_of(Side::Police, team as u64, thief as u64).code();
                }
            }
        }
        RawBlock::new(codes)
    }
}
