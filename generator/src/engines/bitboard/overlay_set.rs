//! The words of one set in one overlay, without those of blocks that are one repeated word.
//!
//! At any level most blocks of a set have the same word in all rows: none or all of the thief's cells, or the
//! same ones for every police row. Such a *constant* block is stored once for all police tiles that have it.
//! The other blocks, the *mixed* ones, take 512 bytes each.

use super::{
    police::PoliceRow,
    words::{ROWS, Words, ones},
};
use crate::memory::{OutOfMemory, grow, grow_exact};
use std::collections::HashMap;

/// A block as it is stored. It fills cache lines of its own.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct StoredBlock(Words);

/// The words of one set in one overlay: a block for each police tile.
#[derive(Debug)]
pub(super) struct OverlaySet {
    /// For each police tile the index of its block in `blocks`.
    places: Vec<u32>,
    /// The stored blocks: the constant ones, and then the mixed ones without gaps. The first is empty.
    blocks: Vec<StoredBlock>,
    /// For each constant block how many police tiles have it.
    uses: Vec<u32>,
    /// The constant blocks that no tile has any more, but for the empty one.
    unused: Vec<u32>,
    /// The constant block of each word other than 0.
    constants: HashMap<u64, u32>,
    /// The police tile of each mixed block.
    tiles: Vec<u32>,
}

/// The index of the block without any position.
const EMPTY: u32 = 0;

impl OverlaySet {
    /// Creates the empty set for so many police tiles.
    pub(super) fn new(tiles: usize) -> Result<OverlaySet, OutOfMemory> {
        let (mut places, mut blocks) = (Vec::new(), Vec::new());
        grow_exact(&mut places, tiles)?;
        places.resize(tiles, EMPTY);
        grow_exact(&mut blocks, 1)?;
        blocks.push(StoredBlock([0; ROWS]));
        Ok(OverlaySet {
            places,
            blocks,
            uses: vec![tiles as u32],
            unused: Vec::new(),
            constants: HashMap::new(),
            tiles: Vec::new(),
        })
    }

    /// Returns the block of police tile `tile`. The words behind the rows of a tile with fewer than [`ROWS`]
    /// have no meaning.
    #[inline(always)]
    pub(super) fn block(&self, tile: u32) -> &Words {
        &self.blocks[self.places[tile as usize] as usize].0
    }

    /// Returns the word of one police row.
    #[inline(always)]
    pub(super) fn word(&self, row: PoliceRow) -> u64 {
        self.block(row.tile())[row.at()]
    }

    /// Adds the positions `new` to the block of police tile `tile`, which has `rows` rows.
    #[inline(always)]
    pub(super) fn add(&mut self, tile: u32, rows: usize, new: &Words) -> Result<(), OutOfMemory> {
        let place = self.places[tile as usize] as usize;
        if place < self.uses.len() {
            return self.add_to_constant(tile, rows, new);
        }
        let words = &mut self.blocks[place].0;
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
        if place < self.uses.len() {
            return self.add_to_constant(tile, rows, new);
        }
        let words = &mut self.blocks[place].0;
        ones(some).for_each(|row| words[row] |= new[row]);
        let first = words[0];
        // Mostly the first rows differ already.
        if words[1..rows].iter().all(|&word| word == first) {
            return self.make_constant(tile, first);
        }
        Ok(())
    }

    /// Adds positions to a block that is constant so far.
    #[inline(never)]
    fn add_to_constant(&mut self, tile: u32, rows: usize, new: &Words) -> Result<(), OutOfMemory> {
        let before = self.places[tile as usize];
        let word = self.blocks[before as usize].0[0];
        let words: Words = std::array::from_fn(|row| word | new[row]);
        let first = words[0];
        let place = if words[1..rows].iter().all(|&word| word == first) {
            self.take_constant(first)?
        } else {
            self.make_room()?;
            self.blocks.push(StoredBlock(words));
            self.tiles.push(tile);
            self.blocks.len() as u32 - 1
        };
        self.places[tile as usize] = place;
        self.release_constant(before);
        Ok(())
    }

    /// Stores the mixed block of `tile`, all of whose rows have the word `word`, as a constant one.
    #[inline(never)]
    fn make_constant(&mut self, tile: u32, word: u64) -> Result<(), OutOfMemory> {
        let constant = self.take_constant(word)?;
        let place = std::mem::replace(&mut self.places[tile as usize], constant);
        let mixed = place as usize - self.uses.len();
        self.blocks.swap_remove(place as usize);
        self.tiles.swap_remove(mixed);
        // The last block, if it is another one, has taken the place.
        if let Some(&moved) = self.tiles.get(mixed) {
            self.places[moved as usize] = place;
        }
        self.give_back_room();
        Ok(())
    }

    /// Returns the index of the constant block of this word, for one more police tile.
    fn take_constant(&mut self, word: u64) -> Result<u32, OutOfMemory> {
        if word == 0 {
            self.uses[EMPTY as usize] += 1;
            return Ok(EMPTY);
        }
        if let Some(&index) = self.constants.get(&word) {
            self.uses[index as usize] += 1;
            return Ok(index);
        }
        let index = match self.unused.pop() {
            Some(index) => index,
            None => self.add_constant()?,
        };
        self.blocks[index as usize].0.fill(word);
        self.uses[index as usize] = 1;
        self.constants.insert(word, index);
        Ok(index)
    }

    /// Adds a constant block behind the others, and returns its index. The mixed block that stands there
    /// becomes the last one.
    fn add_constant(&mut self) -> Result<u32, OutOfMemory> {
        self.make_room()?;
        let index = self.uses.len() as u32;
        match self.tiles.first() {
            Some(&tile) => {
                self.places[tile as usize] = self.blocks.len() as u32;
                self.blocks.push(self.blocks[index as usize]);
                self.tiles.rotate_left(1);
            }
            None => self.blocks.push(StoredBlock([0; ROWS])),
        }
        self.uses.push(0);
        Ok(index)
    }

    /// Takes note that one police tile has another block than this constant one now.
    fn release_constant(&mut self, index: u32) {
        let uses = &mut self.uses[index as usize];
        *uses -= 1;
        if *uses == 0 && index != EMPTY {
            self.constants.remove(&self.blocks[index as usize].0[0]);
            self.unused.push(index);
        }
    }

    /// Makes room for one more block.
    fn make_room(&mut self) -> Result<(), OutOfMemory> {
        if self.blocks.len() == self.blocks.capacity() {
            let more = 2 + self.blocks.len() / 8;
            grow_exact(&mut self.blocks, more)?;
        }
        grow(&mut self.tiles, 1)
    }

    /// Gives back the room of blocks that are gone, if it is much.
    fn give_back_room(&mut self) {
        let len = self.blocks.len();
        if self.blocks.capacity() < len + 8 + len / 4 {
            return;
        }
        let mut blocks = Vec::new();
        // If the system refuses, the room is kept.
        if grow_exact(&mut blocks, len + len / 16).is_ok() {
            blocks.extend_from_slice(&self.blocks);
            self.blocks = blocks;
        }
    }

    /// Returns the bytes of the set.
    pub(super) fn bytes(&self) -> u64 {
        (size_of_val(&*self.places) + size_of_val(&*self.blocks)) as u64
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
            let mut set = OverlaySet::new(TILES.len()).unwrap();
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
                    for (row, &word) in words[..rows].iter().enumerate() {
                        prop_assert_eq!(set.word(PoliceRow::new(tile, row)), word);
                    }
                    mixed += usize::from(words[..rows].iter().any(|&word| word != words[0]));
                }
                prop_assert_eq!(set.tiles.len(), mixed);
                prop_assert_eq!(set.blocks.len(), set.uses.len() + mixed);
                prop_assert_eq!(set.uses.iter().sum::<u32>() as usize, TILES.len() - mixed);
            }
        }
    }
}
