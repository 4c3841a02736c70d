//! The words of the four sets: on small boards all in their places, on others each repeated word once.

use super::{
    super::{
        board::{Cut, Grid, PoliceRow, SliceTile},
        words::{Words, ones},
    },
    set::Set,
    shared_blocks::SharedBlocks,
};
use crate::{
    log_error::LogError,
    memory::{Array, OutOfMemory},
};

/// The most bytes of dense words. Boards that need more, of some 60 million positions and up, need the memory
/// for their logs.
const DENSE: u64 = if cfg!(test) { 48 << 10 } else { 40 << 20 };

/// Returns the bytes of the dense words of all sets, of so many words each in an overlay, or `None` if they
/// are too many.
pub(crate) fn dense_bytes(words: u64, overlays: u64) -> Option<u64> {
    let of_word = (Set::COUNT * size_of::<u64>()) as u64;
    Some(words.saturating_mul(overlays).saturating_mul(of_word)).filter(|&bytes| bytes <= DENSE)
}

/// The words of all sets.
#[derive(Debug)]
pub(crate) enum SetWords {
    /// A word for each row of each set and overlay, in one array: it has huge pages, without which mazes take
    /// a tenth longer.
    Dense(Array<u64>),
    /// The blocks by [`Set`] and slice. Those of the police have ghosts behind the own slices.
    Shared([Vec<SharedBlocks>; Set::COUNT]),
}

impl SetWords {
    /// Returns the empty sets of `grid` as dense words, or `None` if they would take too much
    /// memory.
    pub(crate) fn dense(grid: &Grid) -> Result<Option<SetWords>, OutOfMemory> {
        let bytes = dense_bytes(grid.dense_words() as u64, grid.overlays.len() as u64);
        let array = bytes.map(|bytes| Array::new(bytes / size_of::<u64>() as u64));
        Ok(array.transpose()?.map(SetWords::Dense))
    }

    /// Returns the blocks of sets that are not dense, by [`Set`] and slice.
    pub(crate) fn shared(&mut self) -> Option<&mut [Vec<SharedBlocks>; Set::COUNT]> {
        match self {
            SetWords::Dense(_) => None,
            SetWords::Shared(sets) => Some(sets),
        }
    }

    /// Returns the bytes of a set in so many slices, in memory or not.
    pub(crate) fn bytes_of(&self, set: Set, slices: usize) -> u64 {
        match self {
            SetWords::Dense(words) => (size_of_val(words.get()) / Set::COUNT) as u64,
            SetWords::Shared(sets) => sets[set as usize].iter().take(slices).map(SharedBlocks::bytes).sum(),
        }
    }

    /// Returns the words of two sets that grow, by slice, and of two that stand.
    pub(crate) fn split<'a>(
        &'a mut self,
        grid: &'a Grid,
        growing: [Set; 2],
        standing: [Set; 2],
    ) -> ([Vec<SliceWords<'a>>; 2], [StandingWords<'a>; 2]) {
        match self {
            SetWords::Dense(words) => {
                let of_set = grid.overlays.len() * grid.dense_words();
                let mut sets = words.get_mut().chunks_exact_mut(of_set);
                let mut sets = std::array::from_fn(|_| sets.next().expect("the array has four sets"));
                let by_role = by_role(&mut sets, growing, standing).map(std::mem::take);
                let [police, thief, police_standing, thief_standing] = by_role;
                let standing = [police_standing, thief_standing].map(|words| StandingWords::Dense(words));
                ([police, thief].map(|words| dense_slices(grid, words)), standing)
            }
            SetWords::Shared(sets) => {
                let [police, thief, police_standing, thief_standing] = by_role(sets, growing, standing);
                let standing = [police_standing, thief_standing].map(|slices| StandingWords::Shared(slices));
                ([police, thief].map(|slices| slices.iter_mut().map(SliceWords::Shared).collect()), standing)
            }
        }
    }
}

/// Cuts the dense words of a set into slices.
fn dense_slices<'a>(grid: &'a Grid, words: &'a mut [u64]) -> Vec<SliceWords<'a>> {
    let mut slices = Vec::with_capacity(grid.own_slices());
    for mut left in words.chunks_exact_mut(grid.dense_words()) {
        for range in 0..grid.cut.count() {
            let tiles = grid.cut.tiles(range);
            let starts = &grid.starts[tiles.start as usize..=tiles.end as usize];
            let (first, end) = (starts[0], starts[tiles.len()]);
            let words = left.split_off_mut(..(end - first) as usize).expect("the ranges fill the overlay");
            slices.push(SliceWords::Dense(DenseSlice { words, starts, first }));
        }
    }
    slices
}

/// The dense words of a set in one slice.
pub(crate) struct DenseSlice<'a> {
    words: &'a mut [u64],
    /// Where the block of each police tile of the slice begins, as in [`Grid::starts`].
    starts: &'a [u32],
    /// Where the slice begins.
    first: u32,
}

impl DenseSlice<'_> {
    #[inline(always)]
    fn start(&self, at: SliceTile) -> usize {
        (self.starts[at.index()] - self.first) as usize
    }

    #[inline(always)]
    fn block(&self, at: SliceTile) -> &Words {
        self.words[self.start(at)..].first_chunk().expect(ROOM)
    }

    #[inline(always)]
    fn block_mut(&mut self, at: SliceTile) -> &mut Words {
        let start = self.start(at);
        self.words[start..].first_chunk_mut().expect(ROOM)
    }
}

/// The words of a set that grows, in one slice: a block for each police tile.
pub(crate) enum SliceWords<'a> {
    Dense(DenseSlice<'a>),
    Shared(&'a mut SharedBlocks),
}

impl SliceWords<'_> {
    /// Returns the block of a police tile. The words behind the rows of a tile with fewer than
    /// [`ROWS`](super::super::words::ROWS) have no meaning.
    #[inline(always)]
    pub(crate) fn block(&self, at: SliceTile) -> &Words {
        match self {
            SliceWords::Dense(slice) => slice.block(at),
            SliceWords::Shared(blocks) => blocks.block(at.0),
        }
    }

    /// Adds the positions `new` to the block of a police tile that has `rows` rows. There are none behind
    /// these.
    #[inline(always)]
    pub(crate) fn add(&mut self, at: SliceTile, rows: usize, new: &Words) -> Result<(), LogError> {
        match self {
            SliceWords::Dense(slice) => {
                slice.block_mut(at).iter_mut().zip(new).for_each(|(word, new)| *word |= new);
                Ok(())
            }
            SliceWords::Shared(blocks) => blocks.add(at.0, rows, new),
        }
    }

    /// Adds the positions `new` to the block of a police tile that has `rows` rows, visiting those of
    /// `row_mask` only.
    #[inline(always)]
    pub(crate) fn add_rows(
        &mut self,
        at: SliceTile,
        rows: usize,
        new: &Words,
        row_mask: u64,
    ) -> Result<(), LogError> {
        match self {
            SliceWords::Dense(slice) => {
                let words = slice.block_mut(at);
                ones(row_mask).for_each(|row| words[row] |= new[row]);
                Ok(())
            }
            SliceWords::Shared(blocks) => blocks.add_rows(at.0, rows, new, row_mask),
        }
    }

    /// Returns the bytes of the set in the slice, in memory or not.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            SliceWords::Dense(slice) => size_of_val(slice.words) as u64,
            SliceWords::Shared(blocks) => blocks.bytes(),
        }
    }
}

/// The words of a set that stands.
#[derive(Clone, Copy)]
pub(crate) enum StandingWords<'a> {
    Dense(&'a [u64]),
    Shared(&'a [SharedBlocks]),
}

impl<'a> StandingWords<'a> {
    /// Returns the words of one overlay.
    #[inline(always)]
    pub(crate) fn overlay(self, grid: &'a Grid, overlay: usize) -> OverlayWords<'a> {
        match self {
            StandingWords::Dense(words) => OverlayWords::Dense {
                words: &words[overlay * grid.dense_words()..][..grid.dense_words()],
                starts: &grid.starts,
            },
            StandingWords::Shared(slices) => {
                let ranges = grid.cut.count();
                OverlayWords::Shared { slices: &slices[overlay * ranges..][..ranges], cut: grid.cut }
            }
        }
    }
}

/// The words of a set that stands, in one overlay.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OverlayWords<'a> {
    Dense { words: &'a [u64], starts: &'a [u32] },
    Shared { slices: &'a [SharedBlocks], cut: Cut },
}

impl<'a> OverlayWords<'a> {
    /// Returns the block of a police tile. See [`SliceWords::block`].
    #[inline(always)]
    pub(crate) fn block(self, tile: u32) -> &'a Words {
        match self {
            OverlayWords::Dense { words, starts } => {
                words[starts[tile as usize] as usize..].first_chunk().expect(ROOM)
            }
            OverlayWords::Shared { slices, cut } => slices[cut.range_of(tile)].block(cut.at(tile).0),
        }
    }

    /// Returns the word of one police row.
    #[inline(always)]
    pub(crate) fn word(self, row: PoliceRow) -> u64 {
        self.block(row.tile)[row.at()]
    }
}

/// The invariant of [`Grid::starts`].
const ROOM: &str = "behind each block is room for the rows of a full one";

/// Splits what belongs to the four sets: the two that grow, by side to move, then the two that stand.
pub(crate) fn by_role<T>(
    all: &mut [T; Set::COUNT],
    growing: [Set; 2],
    standing: [Set; 2],
) -> [&mut T; Set::COUNT] {
    all.get_disjoint_mut([growing[0], growing[1], standing[0], standing[1]].map(|set| set as usize))
        .expect("four different sets")
}
