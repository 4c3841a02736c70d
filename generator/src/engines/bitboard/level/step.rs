//! A pass at one slice.

use super::{
    super::{
        sets::{BySide, SliceWords},
        words::{Cross, ROWS, Words, ones},
    },
    pass::{Changed, Growth, Pass, Slice},
    progress::Added,
    scratch::Scratch,
    slice_state::{Deferred, SliceState},
};
use dragnet_formats::cell::Side;

/// A growing set in one slice.
pub(crate) struct GrowingSet<'a> {
    pub(crate) words: SliceWords<'a>,
    pub(crate) changed: &'a mut Changed,
}

/// A pass at one slice: what it reads, and what one thread changes.
pub(crate) struct Step<'a> {
    pub(crate) pass: &'a Pass<'a>,
    pub(crate) slice: Slice,
    pub(crate) scratch: &'a mut Scratch,
    /// The growing sets in the slice.
    pub(crate) growing: BySide<GrowingSet<'a>>,
    pub(crate) state: &'a mut SliceState,
    /// The growth of the sets so far.
    added: Added,
}

impl<'a> Step<'a> {
    /// Begins the pass at a slice. Clears the changes of the last level, except in a pass that defers new
    /// positions: a later pass of this level still reads them.
    pub(crate) fn new(
        pass: &'a Pass<'a>,
        slice: Slice,
        scratch: &'a mut Scratch,
        mut growing: BySide<GrowingSet<'a>>,
        state: &'a mut SliceState,
    ) -> Step<'a> {
        if !pass.defers {
            growing.0.iter_mut().for_each(|set| set.changed.0.clear());
        }
        state.begin(pass.level);
        Step { pass, slice, scratch, growing, state, added: Added::default() }
    }

    /// Returns the growth of the sets in the slice.
    pub(crate) fn finish(self) -> Added {
        let set_bytes = self.growing.0.iter().map(|set| set.words.bytes()).sum();
        Added { set_bytes, failed: self.state.has_failed(), ..self.added }
    }

    /// Returns whether the pass is to stop; called for each small piece of its work. The scratch memory of a
    /// pass that is stopped need not be empty: nobody uses it again.
    #[inline(always)]
    pub(crate) fn is_stopped(&mut self) -> bool {
        self.pass.stop.ask_at_times(&mut self.scratch.pieces)
    }

    /// Lets new positions of a police tile join the growing set with `mover` to move, and leaves their growth
    /// to the next level. They are in the rows of `row_mask` alone. If that has all rows, all are visited.
    /// Returns the rows with new positions.
    #[inline(always)]
    pub(crate) fn join(&mut self, mover: Side, tile: u32, row_mask: u64, new: &Words) -> u64 {
        let (mut count, mut rows, mut cells) = (0, 0u64, 0);
        let visit = |row: usize| {
            count += u64::from(new[row].count_ones());
            rows |= u64::from(new[row] != 0) << row;
            cells |= new[row];
        };
        let all = row_mask == !0;
        match all {
            true => (0..ROWS).for_each(visit),
            false => ones(row_mask).for_each(visit),
        }
        if rows == 0 {
            return 0;
        }
        let (at, height, growing) =
            (self.slice.at(tile), self.pass.grid.rows(tile), &mut self.growing[mover]);
        let joined = match all {
            true => growing.words.add(at, height, new),
            false => growing.words.add_rows(at, height, new, rows),
        };
        if let Err(refused) = joined {
            self.state.fail(refused);
        }
        growing.changed.0.push(Growth { tile, cross: Cross::of(cells), rows });
        self.state.undecided[mover][at.index()] -= count as u16;
        self.added.positions[self.pass.growing[mover] as usize] += count;
        self.added.blocks[self.pass.group as usize] += 1;
        rows
    }

    /// Logs new positions of a police tile in these rows. Those with the thief to move are not kept: the
    /// table has the police's side alone.
    #[inline(always)]
    pub(crate) fn log(&mut self, mover: Side, tile: u32, rows: u64, new: &Words) {
        let code = self.pass.growing[mover].code(self.pass.level);
        if rows != 0
            && mover == Side::Police
            && let Err(refused) = self.state.log.push(tile, code, rows, new)
        {
            self.state.fail(refused.into());
        }
    }

    /// Lets new positions of a police tile join the growing set as [`Step::join`] does, and logs them.
    #[inline(always)]
    pub(crate) fn commit(&mut self, mover: Side, tile: u32, row_mask: u64, new: &Words) {
        let rows = self.join(mover, tile, row_mask, new);
        self.log(mover, tile, rows, new);
    }

    /// Does the same as [`Step::commit`], unless new positions must wait for a later pass of this level.
    #[inline(always)]
    pub(crate) fn commit_or_defer(&mut self, mover: Side, tile: u32, row_mask: u64, new: &Words) {
        if !self.pass.defers {
            self.commit(mover, tile, row_mask, new);
        } else if new.iter().any(|&word| word != 0) {
            self.state.deferred.push(Deferred { mover, tile, new: *new });
        }
    }
}
