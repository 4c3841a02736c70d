//! The state of one slice, which changes while solving. A level writes it from one thread.

use super::{
    super::{
        board::Grid,
        log::{Log, LogEnd},
        sets::{Set, SliceWords},
        words::{Cross, Words, ones},
    },
    pass::{Changed, Growth},
};
use dragnet_formats::{cell::Side, value::Plies};
use std::ops::Range;

/// The state of one slice beside the words of its sets. States of different threads share no cache line.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct SliceState {
    /// The first police tile.
    pub(crate) first: u32,
    /// The number of undecided positions, by side to move and police tile of the slice.
    pub(crate) undecided: [Vec<u16>; 2],
    /// The log of the slice, and the first failure of log or sets.
    pub(crate) log: Log,
    /// New positions of this level that join their sets when no pass reads what the last level has changed
    /// any more.
    pub(crate) held_back: Vec<HeldBack>,
    /// The rows that the last pass has looked at.
    pub(crate) work: u64,
    /// The level of the last pass.
    level: Plies,
    /// The end of the log when the level of the last pass began.
    level_start: LogEnd,
}

/// New positions of one block that are held back.
#[derive(Debug)]
pub(crate) struct HeldBack {
    pub(crate) set: Set,
    /// The police tile of the block.
    pub(crate) tile: u32,
    pub(crate) new: Words,
}

/// A growing set in one slice.
pub(crate) struct GrowingSet<'a> {
    pub(crate) set: SliceWords<'a>,
    pub(crate) changed: &'a mut Changed,
    /// The number of positions that have joined in this pass.
    positions: u64,
    /// The number of blocks in which positions have joined.
    blocks: usize,
}

impl<'a> GrowingSet<'a> {
    /// Begins a pass. Forgets what an earlier level has changed, unless this pass holds back: then a later
    /// pass of this level still reads it.
    pub(crate) fn new(set: SliceWords<'a>, changed: &'a mut Changed, hold_back: bool) -> GrowingSet<'a> {
        if !hold_back {
            changed.0.clear();
        }
        GrowingSet { set, changed, positions: 0, blocks: 0 }
    }
}

/// The sum of what a pass has done in some slices.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Joined {
    /// The number of positions that have joined, by side to move.
    pub(crate) positions: [u64; 2],
    /// The number of blocks with new positions, counted for each side to move.
    pub(crate) blocks: usize,
    /// The bytes of the growing sets.
    pub(crate) set_bytes: u64,
    /// Whether the system refused memory for words, or a log could not be written or read.
    pub(crate) failed: bool,
}

impl Joined {
    /// Returns what the pass has done in one slice.
    pub(crate) fn new(growing: &[GrowingSet; 2], state: &SliceState) -> Joined {
        Joined {
            positions: growing.each_ref().map(|set| set.positions),
            blocks: growing.iter().map(|set| set.blocks).sum(),
            set_bytes: growing.iter().map(|set| set.set.bytes()).sum(),
            failed: state.log.has_failed(),
        }
    }

    /// Returns the sum with what has been done in other slices.
    pub(crate) fn and(self, other: Joined) -> Joined {
        Joined {
            positions: [0, 1].map(|side| self.positions[side] + other.positions[side]),
            blocks: self.blocks + other.blocks,
            set_bytes: self.set_bytes + other.set_bytes,
            failed: self.failed || other.failed,
        }
    }
}

impl SliceState {
    /// Creates the state in which nothing is decided.
    pub(crate) fn new(grid: &Grid, overlay: usize, tiles: Range<u32>, log: Log) -> SliceState {
        let cells = grid.overlays[overlay].open.count_ones() as u16;
        let first = tiles.start;
        let undecided: Vec<u16> = tiles.map(|tile| grid.rows(tile) as u16 * cells).collect();
        let undecided = [undecided.clone(), undecided];
        let level_start = log.end();
        SliceState { first, undecided, log, held_back: Vec::new(), work: 0, level: 0, level_start }
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

    /// Adds the new positions of police tile `tile` to `set`, all rows at once. Returns the rows with new
    /// positions.
    #[inline(always)]
    pub(crate) fn join(
        &mut self,
        grid: &Grid,
        set: Set,
        growing: &mut GrowingSet,
        tile: u32,
        new: &Words,
    ) -> u64 {
        let (mut count, mut rows, mut cells) = (0, 0u64, 0);
        for (row, new) in new.iter().enumerate() {
            count += u64::from(new.count_ones());
            rows |= u64::from(*new != 0) << row;
            cells |= new;
        }
        if rows != 0
            && let Err(refused) = growing.set.add(tile - self.first, grid.rows(tile), new)
        {
            self.log.fail(refused);
        }
        self.count(set, growing, Growth { tile, cross: Cross::of(cells), rows }, count)
    }

    /// Adds the new positions of police tile `tile` to `set`, visiting the rows of the mask `some` only.
    /// Returns the rows with new positions.
    #[inline(always)]
    pub(crate) fn join_rows(
        &mut self,
        grid: &Grid,
        set: Set,
        growing: &mut GrowingSet,
        tile: u32,
        new: &Words,
        some: u64,
    ) -> u64 {
        let (mut count, mut rows, mut cells) = (0, 0u64, 0);
        for row in ones(some) {
            if new[row] != 0 {
                count += u64::from(new[row].count_ones());
                rows |= 1 << row;
                cells |= new[row];
            }
        }
        if rows != 0
            && let Err(refused) = growing.set.add_rows(tile - self.first, grid.rows(tile), new, rows)
        {
            self.log.fail(refused);
        }
        self.count(set, growing, Growth { tile, cross: Cross::of(cells), rows }, count)
    }

    /// Counts `count` new positions, and leaves their growth to the next level.
    #[inline(always)]
    fn count(&mut self, set: Set, growing: &mut GrowingSet, growth: Growth, count: u64) -> u64 {
        if growth.rows != 0 {
            self.undecided[set.mover() as usize][(growth.tile - self.first) as usize] -= count as u16;
            growing.changed.0.push(growth);
            growing.positions += count;
            growing.blocks += 1;
        }
        growth.rows
    }

    /// Logs the positions of police tile `tile` that join `set` in `level`. Those with the thief to move are
    /// not kept: the table has the police's side alone.
    #[inline(always)]
    pub(crate) fn note(&mut self, level: Plies, set: Set, tile: u32, rows: u64, new: &Words) {
        if rows != 0 && set.mover() == Side::Police {
            self.log.push(tile, set.code(level), rows, new);
        }
    }
}
