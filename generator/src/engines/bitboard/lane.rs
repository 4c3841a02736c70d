//! What belongs to one overlay of the thief: the words of its sets, what changes in them, how much is undecided, and the log.

use super::{
    grid::{Cross, Grid, Overlay},
    level::Pass,
    log::Log,
    police::PoliceTile,
    sets::{Set, ones},
};
use dragnet_formats::cell::Side;

/// Words of a block as it is worked on, whether it has as many rows or not: loops of a fixed length are vectors.
pub(super) const ROWS: usize = 64;
/// One set in one block, a word for each row.
pub(super) type Words = [u64; ROWS];

/// What belongs to one overlay beside the sets' words. Lanes of different threads share no cache line.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Lane {
    /// By side to move and police tile, how many positions are not decided.
    pub(super) undecided: [Vec<u16>; 2],
    pub(super) log: Log,
    /// What joins later in this level, because another pass still reads the set.
    pub(super) held_back: Vec<(Set, u32, Words)>,
}

/// The rows of one set in one overlay to which a level has added something.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub(super) struct Changed(pub(super) Vec<Growth>);

/// What a level has added to one set in a block. There are as many as blocks: it takes 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth {
    /// The police tile.
    pub(super) tile: u32,
    /// Where the thief stands.
    pub(super) cross: Cross,
    /// The rows of the police with new positions.
    pub(super) rows: u64,
}

/// The growing set with one side to move, in one overlay.
pub(super) struct Own<'a> {
    pub(super) words: &'a mut [u64],
    pub(super) changed: &'a mut Changed,
    /// How many positions have joined.
    positions: u64,
    /// In how many blocks.
    blocks: usize,
}

impl<'a> Own<'a> {
    /// Forgets what an earlier level has changed, unless that is still read: then nothing may join.
    pub(super) fn new(words: &'a mut [u64], changed: &'a mut Changed, hold_back: bool) -> Own<'a> {
        if !hold_back {
            changed.0.clear();
        }
        Own { words, changed, positions: 0, blocks: 0 }
    }
}

/// What a pass has done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Joined {
    /// By side to move, how many positions have joined.
    pub(super) positions: [u64; 2],
    /// In how many blocks, once for each side.
    pub(super) blocks: usize,
    /// Whether the system refused the memory to note them.
    pub(super) refused: bool,
}

impl Joined {
    pub(super) fn new(own: &[Own; 2], lane: &Lane) -> Joined {
        Joined {
            positions: own.each_ref().map(|own| own.positions),
            blocks: own.iter().map(|own| own.blocks).sum(),
            refused: lane.log.refused(),
        }
    }

    pub(super) fn and(self, other: Joined) -> Joined {
        Joined {
            positions: [0, 1].map(|side| self.positions[side] + other.positions[side]),
            blocks: self.blocks + other.blocks,
            refused: self.refused || other.refused,
        }
    }
}

impl Lane {
    pub(super) fn new(grid: &Grid, thief: &Overlay) -> Lane {
        let cells = thief.open.count_ones() as u16;
        let undecided: Vec<u16> = grid.police.iter().map(|tile| tile.rows as u16 * cells).collect();
        Lane { undecided: [undecided.clone(), undecided], log: Log::default(), held_back: Vec::new() }
    }

    /// Puts new positions of police tile `tile` into `set`. In which rows there are some.
    #[inline(always)]
    pub(super) fn join(&mut self, grid: &Grid, set: Set, own: &mut Own, tile: u32, new: &Words) -> u64 {
        let (mut count, mut rows, mut cells) = (0, 0u64, 0);
        let words = block_mut(own.words, &grid.police[tile as usize]);
        for (row, (word, new)) in words.iter_mut().zip(new).enumerate() {
            *word |= new;
            count += u64::from(new.count_ones());
            rows |= u64::from(*new != 0) << row;
            cells |= new;
        }
        self.joined(set, own, Growth { tile, cross: Cross::of(cells), rows }, count)
    }

    /// The same, of `some` rows.
    #[inline(always)]
    pub(super) fn join_rows(
        &mut self,
        grid: &Grid,
        set: Set,
        own: &mut Own,
        tile: u32,
        new: &Words,
        some: u64,
    ) -> u64 {
        let (mut count, mut rows, mut cells) = (0, 0u64, 0);
        let first = grid.police[tile as usize].first;
        for row in ones(some) {
            if new[row] != 0 {
                own.words[first + row] |= new[row];
                count += u64::from(new[row].count_ones());
                rows |= 1 << row;
                cells |= new[row];
            }
        }
        self.joined(set, own, Growth { tile, cross: Cross::of(cells), rows }, count)
    }

    #[inline(always)]
    fn joined(&mut self, set: Set, own: &mut Own, growth: Growth, count: u64) -> u64 {
        if growth.rows != 0 {
            self.undecided[set.mover() as usize][growth.tile as usize] -= count as u16;
            own.changed.0.push(growth);
            own.positions += count;
            own.blocks += 1;
        }
        growth.rows
    }

    /// Notes the values of positions of police tile `tile` that join `set`, if they are to be kept.
    #[inline(always)]
    pub(super) fn note(&mut self, pass: &Pass, set: Set, tile: u32, rows: u64, new: &Words) {
        if rows != 0 && set.mover() == Side::Police {
            self.log.push(tile, set.code(pass.level), rows, new);
        }
    }
}

/// The words of a police tile among those of an overlay, and what follows them.
#[inline(always)]
pub(super) fn block<'a>(words: &'a [u64], police: &PoliceTile) -> &'a Words {
    words[police.first..].first_chunk().expect("the stride leaves room behind the last tile")
}

#[inline(always)]
pub(super) fn block_mut<'a>(words: &'a mut [u64], police: &PoliceTile) -> &'a mut Words {
    words[police.first..].first_chunk_mut().expect("the stride leaves room behind the last tile")
}
