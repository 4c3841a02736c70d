//! The words of one set in one slice, without those of blocks that are one repeated word.
//!
//! At any level most blocks of a set have the same word in all rows: none or all of the thief's cells, or the
//! same ones for every police row. Such a *constant* block is stored once for all police tiles that have it.
//! The other blocks, the *mixed* ones, take 512 bytes each.

use super::{
    police::PoliceRow,
    slices::Cut,
    words::{ROWS, Words, ones},
};
use crate::memory::{OutOfMemory, grow, grow_exact};
use std::collections::HashMap;

/// Blocks that are taken from the system together: a page. All chunks of all sets have one size, so that one
/// set has the room that another gives back.
const CHUNK: usize = 4;

/// The words of [`CHUNK`] blocks. They fill cache lines of their own.
#[derive(Debug)]
#[repr(align(64))]
struct Chunk([Words; CHUNK]);

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

/// The index of the block without any position. It stays even if no tile has it.
const EMPTY: u32 = 0;

impl SliceSet {
    /// Creates the empty set for so many police tiles.
    pub(super) fn new(tiles: usize) -> Result<SliceSet, OutOfMemory> {
        let mut set = SliceSet {
            places: Vec::new(),
            blocks: StoredBlocks::default(),
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
            *self.blocks.get_mut(place) = words;
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
        (lists + self.blocks.chunks.len() * size_of::<Chunk>()) as u64
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

/// Blocks one after the other.
#[derive(Debug, Default)]
struct StoredBlocks {
    #[expect(clippy::vec_box, reason = "a list that grows would copy the words, and leave gaps in the heap")]
    chunks: Vec<Box<[Chunk; 1]>>,
    /// The number of blocks.
    len: usize,
}

impl StoredBlocks {
    #[inline(always)]
    fn get(&self, index: usize) -> &Words {
        &self.chunks[index / CHUNK][0].0[index % CHUNK]
    }

    #[inline(always)]
    fn get_mut(&mut self, index: usize) -> &mut Words {
        &mut self.chunks[index / CHUNK][0].0[index % CHUNK]
    }

    /// Appends a block.
    fn push(&mut self, words: &Words) -> Result<(), OutOfMemory> {
        if self.len == self.chunks.len() * CHUNK {
            grow(&mut self.chunks, 1)?;
            let mut chunk = Vec::new();
            grow_exact(&mut chunk, 1)?;
            chunk.push(Chunk([[0; ROWS]; CHUNK]));
            self.chunks.push(chunk.into_boxed_slice().try_into().expect("a list of one chunk"));
        }
        self.len += 1;
        *self.get_mut(self.len - 1) = *words;
        Ok(())
    }

    /// Removes a block, whose place the last one takes.
    fn swap_remove(&mut self, index: usize) {
        *self.get_mut(index) = *self.get(self.len - 1);
        self.len -= 1;
        // A chunk stays for blocks that come and go at its edge.
        if self.len + CHUNK + CHUNK / 2 <= self.chunks.len() * CHUNK {
            self.chunks.pop();
        }
    }
}

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
        ) {
            let mut set = SliceSet::new(TILES.len()).unwrap();
            let mut dense = [[0u64; ROWS]; TILES.len()];
            for (tile, words, rows, whole) in additions {
                let rows = rows & first_bits(TILES[tile]);
                let new = std::array::from_fn(|row| if rows >> row & 1 == 1 { words[row % 2] } else { 0 });
                if whole {
                    set.add(tile as u32, TILES[tile], &new).unwrap();
                } else {
                    set.add_rows(tile as u32, TILES[tile], &new, rows).unwrap();
                }
                dense[tile].iter_mut().zip(new).for_each(|(word, new)| *word |= new);
                let mut mixed = 0;
                for (tile, (words, rows)) in (0..).zip(dense.iter().zip(TILES)) {
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
