//! The words of one set in one slice, without those of blocks that are one repeated word.
//!
//! At any level most blocks of a set have the same word in all rows: none or all of the thief's cells, or the
//! same ones for every police row. Such a *constant* block is stored once for all police tiles that have it.
//! The other blocks, the *mixed* ones, take up to 512 bytes each.

use super::{
    police::PoliceRow,
    slices::Cut,
    words::{ROWS, Words, ones},
};
use crate::memory::{OutOfMemory, grow, grow_exact};
use smallvec::SmallVec;
use std::{collections::HashMap, io::ErrorKind};
use zerocopy::{FromBytes, Immutable, IntoBytes, transmute, transmute_mut, transmute_ref};

/// The words of one set in one slice: a block for each police tile. Tiles are counted from the slice's first
/// one.
#[derive(Debug)]
pub(super) struct SliceSet {
    /// For each police tile the index of its block in `blocks`.
    places: Vec<u32>,
    /// The stored blocks, without gaps. The first is empty.
    blocks: StoredBlocks,
    /// The owner of each stored block.
    owners: Vec<Owner>,
    /// The constant block of each word other than 0.
    constants: HashMap<u64, u32>,
}

/// The police tiles to which a stored block belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// So many police tiles, all of whose rows have the same word.
    Constant(u32),
    /// One police tile.
    Mixed(u32),
}

/// The word of blocks that are dropped. In unit tests it is one that spoils the values of whoever reads it.
const DROPPED: u64 = if cfg!(test) { 0xA5A5_A5A5_A5A5_A5A5 } else { 0 };

/// The blocks of a chunk if there are several, and the fewest for which room is made at once.
const CHUNK: usize = 4;

/// One block in so many is room for more of them.
const SPARE: usize = 8;

/// Slices with at most so many police tiles have one chunk each. A set that grows copies its words then, and
/// leaves gaps in the heap, but finds each block with one look-up less: solves of mazes and of lak303d take a
/// tenth less. With one chunk the board of 256×256, whose slices have 1,024 tiles, takes twice the memory.
pub(super) const ONE_CHUNK: usize = if cfg!(test) { 16 } else { 512 };

/// The index of the block without any position. It stays even if no tile has it.
const EMPTY: u32 = 0;

impl SliceSet {
    /// Creates the empty set for so many police tiles of at most `rows` rows.
    pub(super) fn new(tiles: usize, rows: usize) -> Result<SliceSet, OutOfMemory> {
        let mut set = SliceSet {
            places: Vec::new(),
            blocks: StoredBlocks::new(tiles, rows),
            owners: Vec::new(),
            constants: HashMap::new(),
        };
        grow_exact(&mut set.places, tiles)?;
        set.places.resize(tiles, EMPTY);
        set.store(Owner::Constant(tiles as u32), &[0; ROWS])?;
        Ok(set)
    }

    /// Returns the block of police tile `tile`. The words behind the rows of a tile with fewer than [`ROWS`]
    /// have no meaning.
    #[inline(always)]
    pub(super) fn block(&self, tile: u32) -> &Words {
        self.blocks.get(self.places[tile as usize] as usize)
    }

    /// Adds the positions `new` to the block of police tile `tile`, which has `rows` rows.
    #[inline(always)]
    pub(super) fn add(&mut self, tile: u32, rows: usize, new: &Words) -> Result<(), OutOfMemory> {
        let place = self.places[tile as usize] as usize;
        if let Owner::Constant(_) = self.owners[place] {
            return self.add_to_constant(tile, rows, new);
        }
        let words = self.blocks.get_mut(place);
        words.iter_mut().zip(new).for_each(|(word, new)| *word |= new);
        let first = words[0];
        let mut others = 0;
        for (row, word) in words.iter().enumerate() {
            others |= if row < rows { word ^ first } else { 0 };
        }
        if others == 0 { self.make_constant(tile, first) } else { Ok(()) }
    }

    /// Adds the positions `new` to the block of police tile `tile`, which has `rows` rows, visiting those of
    /// the mask `some` only.
    #[inline(always)]
    pub(super) fn add_rows(
        &mut self,
        tile: u32,
        rows: usize,
        new: &Words,
        some: u64,
    ) -> Result<(), OutOfMemory> {
        let place = self.places[tile as usize] as usize;
        if let Owner::Constant(_) = self.owners[place] {
            return self.add_to_constant(tile, rows, new);
        }
        let words = self.blocks.get_mut(place);
        ones(some).for_each(|row| words[row] |= new[row]);
        let first = words[0];
        // Mostly the first rows differ already.
        if words[1..rows].iter().all(|&word| word == first) {
            return self.make_constant(tile, first);
        }
        Ok(())
    }

    /// Drops the block of a police tile, which nobody will read or add to any more.
    pub(super) fn drop_block(&mut self, tile: u32) -> Result<(), OutOfMemory> {
        self.make_constant(tile, DROPPED)
    }

    /// Returns whether the block of a police tile is another one than the empty one.
    pub(super) fn is_stored(&self, tile: u32) -> bool {
        self.places[tile as usize] != EMPTY
    }

    /// Adds positions to a block that is constant so far.
    #[inline(never)]
    fn add_to_constant(&mut self, tile: u32, rows: usize, new: &Words) -> Result<(), OutOfMemory> {
        let word = self.block(tile)[0];
        let words: Words = std::array::from_fn(|row| word | new[row]);
        let first = words[0];
        if words[1..rows].iter().all(|&word| word == first) {
            return self.make_constant(tile, first);
        }
        let place = self.places[tile as usize] as usize;
        if place != EMPTY as usize && self.owners[place] == Owner::Constant(1) {
            // The only tile with the constant block keeps its place.
            self.constants.remove(&word);
            self.owners[place] = Owner::Mixed(tile);
            self.blocks.set(place, &words);
            return Ok(());
        }
        let to = self.store(Owner::Mixed(tile), &words)?;
        self.move_tile(tile, to);
        Ok(())
    }

    /// Gives `tile` the constant block of a word.
    #[inline(never)]
    fn make_constant(&mut self, tile: u32, word: u64) -> Result<(), OutOfMemory> {
        let known = if word == 0 { Some(EMPTY) } else { self.constants.get(&word).copied() };
        let to = match known {
            Some(to) => {
                self.owners[to as usize] = match self.owners[to as usize] {
                    Owner::Constant(tiles) => Owner::Constant(tiles + 1),
                    Owner::Mixed(_) => unreachable!("a word's constant block is constant"),
                };
                to
            }
            None => {
                let to = self.store(Owner::Constant(1), &[word; ROWS])?;
                self.constants.insert(word, to);
                to
            }
        };
        self.move_tile(tile, to);
        Ok(())
    }

    /// Stores a block behind the others, and returns its index.
    fn store(&mut self, owner: Owner, words: &Words) -> Result<u32, OutOfMemory> {
        grow(&mut self.owners, 1)?;
        self.blocks.push(words)?;
        self.owners.push(owner);
        Ok(self.owners.len() as u32 - 1)
    }

    /// Notes that the block of `tile` is another one now, and removes that before if nobody has it any more.
    fn move_tile(&mut self, tile: u32, to: u32) {
        let before = std::mem::replace(&mut self.places[tile as usize], to) as usize;
        if let Owner::Constant(tiles) = &mut self.owners[before] {
            *tiles -= 1;
            if *tiles > 0 || before == EMPTY as usize {
                return;
            }
            self.constants.remove(&self.blocks.get(before)[0]);
        }
        // The last block takes the place.
        let last = self.owners.len() - 1;
        self.blocks.swap_remove(before);
        self.owners.swap_remove(before);
        if before == last {
            return;
        }
        match self.owners[before] {
            Owner::Mixed(tile) => self.places[tile as usize] = before as u32,
            Owner::Constant(_) => {
                self.constants.insert(self.blocks.get(before)[0], before as u32);
                let moved = self.places.iter_mut().filter(|place| **place == last as u32);
                moved.for_each(|place| *place = before as u32);
            }
        }
    }

    /// Returns the bytes of the set.
    pub(super) fn bytes(&self) -> u64 {
        let lists = size_of_val(&*self.places) + size_of_val(&*self.owners);
        (lists + self.blocks.bytes()) as u64
    }
}

/// The words of one set in one overlay, slice after slice.
#[derive(Clone, Copy, Debug)]
pub(super) struct OverlayWords<'a> {
    slices: &'a [SliceSet],
    cut: Cut,
}

impl<'a> OverlayWords<'a> {
    /// Returns the words of an overlay that is cut like this into these slices.
    #[inline(always)]
    pub(super) fn new(slices: &'a [SliceSet], cut: Cut) -> OverlayWords<'a> {
        OverlayWords { slices, cut }
    }

    /// Returns the block of a police tile. See [`SliceSet::block`].
    #[inline(always)]
    pub(super) fn block(self, tile: u32) -> &'a Words {
        self.slices[self.cut.slice(tile)].block(self.cut.at(tile))
    }

    /// Returns the word of one police row.
    #[inline(always)]
    pub(super) fn word(self, row: PoliceRow) -> u64 {
        self.block(row.tile)[row.at()]
    }
}

/// The words of a cache line, which may begin anywhere. Allocators grow no list of aligned lines where it
/// lies: with those the sets took up to a third more memory, and were no quicker.
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable)]
#[repr(transparent)]
struct Line([u64; 8]);

impl Line {
    /// The lines of a block with [`ROWS`] rows.
    const OF_BLOCK: usize = ROWS / 8;
}

/// Returns for how many blocks a chunk that has so many gets room when it needs more or has too much. There
/// are few such sizes, so that the room that one set gives back fits another.
fn room(blocks: usize) -> usize {
    let room = blocks + CHUNK.max(blocks / SPARE);
    room.next_multiple_of((room.next_power_of_two() / SPARE).max(CHUNK))
}

/// Blocks one after the other, in chunks. A block has lines for the most rows that a tile has, so that mazes,
/// whose tiles have few open cells, have small blocks. What is read behind them are words of the next block.
#[derive(Debug)]
struct StoredBlocks {
    /// The lines of the blocks of each chunk, and as many more as the last one lacks of [`Line::OF_BLOCK`].
    chunks: SmallVec<[Vec<Line>; 1]>,
    /// The exponent of the number of blocks in a full chunk.
    exponent: u32,
    /// The lines of a block.
    stride: usize,
    /// The number of blocks.
    len: usize,
}

impl StoredBlocks {
    /// Creates the empty list of a slice with `tiles` police tiles of at most `rows` rows.
    fn new(tiles: usize, rows: usize) -> StoredBlocks {
        let exponent = if tiles <= ONE_CHUNK { u32::BITS - 1 } else { CHUNK.ilog2() };
        StoredBlocks { chunks: SmallVec::new(), exponent, stride: rows.max(1).div_ceil(8), len: 0 }
    }

    /// Returns the chunk of a block, and its first line there.
    #[inline(always)]
    fn place(&self, index: usize) -> (usize, usize) {
        (index >> self.exponent, (index & ((1 << self.exponent) - 1)) * self.stride)
    }

    #[inline(always)]
    fn get(&self, index: usize) -> &Words {
        let (chunk, first) = self.place(index);
        let lines: &[Line; Line::OF_BLOCK] = self.chunks[chunk][first..].first_chunk().expect(NO_LINES);
        transmute_ref!(lines)
    }

    /// Returns a block to add positions to. Nobody may change its words behind the rows of its tile.
    #[inline(always)]
    fn get_mut(&mut self, index: usize) -> &mut Words {
        let (chunk, first) = self.place(index);
        let lines: &mut [Line; Line::OF_BLOCK] =
            self.chunks[chunk][first..].first_chunk_mut().expect(NO_LINES);
        transmute_mut!(lines)
    }

    /// Gives a block these words.
    fn set(&mut self, index: usize, words: &Words) {
        let (chunk, first) = self.place(index);
        let lines: &[Line; Line::OF_BLOCK] = &transmute!(*words);
        self.chunks[chunk][first..][..self.stride].copy_from_slice(&lines[..self.stride]);
    }

    /// Returns the lines that so many blocks of a chunk need.
    fn lines_of(&self, blocks: usize) -> usize {
        blocks * self.stride + Line::OF_BLOCK - self.stride
    }

    /// Appends a block.
    fn push(&mut self, words: &Words) -> Result<(), OutOfMemory> {
        let (chunk, first) = self.place(self.len);
        if chunk == self.chunks.len() {
            let refused = |_| OutOfMemory::refused(size_of::<Vec<Line>>(), ErrorKind::OutOfMemory);
            self.chunks.try_reserve(1).map_err(refused)?;
            self.chunks.push(Vec::new());
        }
        let before = first / self.stride;
        let lines = self.lines_of(before + 1);
        if lines > self.chunks[chunk].capacity() {
            // The lines may be copied: to make room for one block each time would take too long.
            let more = self.lines_of(room(before)) - self.chunks[chunk].len();
            grow_exact(&mut self.chunks[chunk], more)?;
        }
        if lines > self.chunks[chunk].len() {
            self.chunks[chunk].resize(lines, Line::default());
        }
        self.len += 1;
        self.set(self.len - 1, words);
        Ok(())
    }

    /// Removes a block, whose place the last one takes.
    fn swap_remove(&mut self, index: usize) {
        self.len -= 1;
        let last = *self.get(self.len);
        self.set(index, &last);
        // Some room stays for blocks that come and go.
        if self.chunks.len() > 1 {
            if self.len + CHUNK + CHUNK / 2 <= self.chunks.len() * CHUNK {
                self.chunks.pop();
            }
        } else if self.chunks[0].capacity() > self.lines_of(room(self.len + self.len / SPARE)) {
            let [lines, fewer] = [self.len, room(self.len)].map(|blocks| self.lines_of(blocks));
            self.chunks[0].truncate(lines);
            // Gives the end of the list back, for which an allocator needs no memory.
            self.chunks[0].shrink_to(fewer);
        }
    }

    /// Returns the bytes of the chunks.
    fn bytes(&self) -> usize {
        self.chunks.iter().map(|lines| lines.capacity() * size_of::<Line>()).sum()
    }
}

/// The invariant of [`StoredBlocks::chunks`].
const NO_LINES: &str = "behind the last block of a chunk stand more lines";

#[cfg(test)]
mod tests {
    use super::{super::words::first_bits, *};
    use proptest::prelude::*;

    /// The rows of each police tile.
    const TILES: [usize; 6] = [64, 64, 64, 17, 1, 40];

    /// A tile, the words that its rows get by turns, the rows that get one, and whether the block is added to
    /// as a whole.
    type Addition = (usize, [u64; 2], u64, bool);

    fn additions() -> impl Strategy<Value = Vec<Addition>> {
        // Few bits and few patterns of rows, so that blocks become constant again and again.
        let word = prop_oneof![3 => (0u32..6).prop_map(|bit| 1u64 << bit), 1 => Just(0), 1 => Just(63)];
        let rows = prop_oneof![Just(!0), Just(1), Just(0x5555_5555_5555_5555), any::<u64>()];
        let addition = (0..TILES.len(), prop::array::uniform2(word), rows, any::<bool>());
        prop::collection::vec(addition, 0..300)
    }

    proptest! {
        #[test]
        fn blocks_have_the_words_of_a_dense_array_and_constant_ones_are_stored_once(
            additions in additions(),
            most in prop::sample::select(vec![64, 37, 16]),
            more_tiles in prop::sample::select(vec![0, 2 * ONE_CHUNK]),
        ) {
            let tiles = TILES.map(|rows| rows.min(most));
            let mut set = SliceSet::new(TILES.len() + more_tiles, most).unwrap();
            let mut dense = [[0u64; ROWS]; TILES.len()];
            for (tile, words, rows, whole) in additions {
                let rows = rows & first_bits(tiles[tile]);
                let new = std::array::from_fn(|row| if rows >> row & 1 == 1 { words[row % 2] } else { 0 });
                if whole {
                    set.add(tile as u32, tiles[tile], &new).unwrap();
                } else {
                    set.add_rows(tile as u32, tiles[tile], &new, rows).unwrap();
                }
                dense[tile].iter_mut().zip(new).for_each(|(word, new)| *word |= new);
                let mut mixed = 0;
                for (tile, (words, rows)) in (0..).zip(dense.iter().zip(tiles)) {
                    prop_assert_eq!(&set.block(tile)[..rows], &words[..rows]);
                    mixed += usize::from(words[..rows].iter().any(|&word| word != words[0]));
                }
                let of = |constant: bool| {
                    move |owner: &&Owner| matches!(owner, Owner::Constant(_)) == constant
                };
                prop_assert_eq!(set.owners.iter().filter(of(false)).count(), mixed);
                prop_assert_eq!(set.owners.iter().filter(of(true)).count(), set.constants.len() + 1);
                prop_assert_eq!(set.blocks.len, set.owners.len());
            }
        }
    }
}
