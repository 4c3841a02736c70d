//! Looking up positions that are near each other: each block once.

use crate::{Table, table::value_at};
use dragnet_formats::{
    cell::{Cell, Side},
    codec::zstd::Unzipped,
    container::{TableError, reader::Stored},
    numbering::{Location, Place, TeamPlace},
    pieces::Pieces,
    value::{Successors, Value},
};
use smallvec::SmallVec;
use std::sync::Arc;

/// A cell where the thief stands or could stand, and where tables have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) cell: Cell,
    pub(crate) place: Place,
    /// Whether the game is over with the thief here.
    pub(crate) exit: bool,
}

/// The same of the police.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TeamSpot {
    pub(crate) officers: Pieces,
    pub(crate) place: TeamPlace,
    /// Whether the game is over with an officer on an exit, as here.
    pub(crate) arrived: bool,
}

/// The spots that a side may move to; for most rules without heap memory.
pub(crate) type Spots<S> = SmallVec<[S; 10]>;

/// Blocks kept at hand. The positions around one fall into at most twelve under the classic rules, mostly into one or two.
const VIEWS: usize = 4;

/// Looks up positions of one table and keeps the last few blocks at hand.
pub(crate) struct Lookup<'a> {
    table: &'a Table,
    /// The numbers of the blocks at hand; [`NO_BLOCK`] where there is none.
    blocks: [u64; VIEWS],
    /// Apart from what holds memory, so that a block's shape is written where it stays. (Moved there through other memory it
    /// would be written in pieces and read as a whole, for which a processor waits until all before is done.)
    views: [Stored<'a>; VIEWS],
    /// What is zipped and has been asked.
    unzipped: [Option<Arc<Unzipped>>; VIEWS],
    /// Which was asked last.
    last: usize,
    /// Which goes next.
    oldest: usize,
}

/// Above all numbers of blocks.
const NO_BLOCK: u64 = u64::MAX;

impl<'a> Lookup<'a> {
    #[inline]
    pub(crate) fn new(table: &'a Table) -> Lookup<'a> {
        Lookup {
            table,
            blocks: [NO_BLOCK; VIEWS],
            views: [Stored::Constant(0); VIEWS],
            unzipped: [const { None }; VIEWS],
            last: 0,
            oldest: 0,
        }
    }

    /// The value of a position that is not over, with the thief to move.
    #[inline(never)]
    pub(crate) fn with_thief_to_move(
        &mut self,
        police: &TeamSpot,
        thief: &Spot,
    ) -> Result<Value, TableError> {
        self.before_replies(police, &self.table.spots_from(thief.cell))
    }

    /// The value of a position that is not over, with the thief to move, who can get to `replies`.
    #[inline]
    pub(crate) fn before_replies(
        &mut self,
        police: &TeamSpot,
        replies: &[Spot],
    ) -> Result<Value, TableError> {
        let mut successors = Successors::default();
        for thief in replies {
            successors.add(match winner(police, thief) {
                Some(winner) => Value::terminal(winner, Side::Police),
                None => self.value(police, thief)?,
            });
        }
        Ok(successors.value(self.table.rules().stuck))
    }

    /// The value of a position that is not over, with the police to move.
    #[inline]
    pub(crate) fn value(&mut self, police: &TeamSpot, thief: &Spot) -> Result<Value, TableError> {
        self.stored(self.table.numbering().location(police.place, thief.place))
    }

    /// The stored value at a place, which is not that of a position that is over.
    #[inline]
    pub(crate) fn stored(&mut self, at: Location) -> Result<Value, TableError> {
        if self.blocks[self.last] != at.block {
            self.turn_to(at)?;
        }
        let code = match &self.views[self.last] {
            Stored::Packed(packed) => packed.code(at.slot),
            Stored::Constant(code) => Ok(*code),
            Stored::Zipped(zipped) => {
                let unzipped = match &mut self.unzipped[self.last] {
                    Some(unzipped) => unzipped,
                    none => none.insert(self.table.unzipped(at.block, *zipped)?),
                };
                unzipped.code(at.slot)
            }
        };
        value_at(at, code)
    }

    /// Makes the block of a place the one that was asked last.
    #[inline(never)]
    fn turn_to(&mut self, at: Location) -> Result<(), TableError> {
        if let Some(i) = self.blocks.iter().position(|&block| block == at.block) {
            self.last = i;
            return Ok(());
        }
        let i = self.oldest;
        self.blocks[i] = NO_BLOCK;
        self.views[i] = self.table.block_at(at)?;
        self.unzipped[i] = None;
        self.blocks[i] = at.block;
        self.last = i;
        self.oldest = (i + 1) % VIEWS;
        Ok(())
    }
}

/// Who has won without a move, if the position is over.
#[inline]
pub(crate) fn winner(police: &TeamSpot, thief: &Spot) -> Option<Side> {
    if police.officers.contains(&thief.cell) {
        Some(Side::Police)
    } else if thief.exit {
        Some(Side::Thief)
    } else if police.arrived {
        Some(Side::Police)
    } else {
        None
    }
}
