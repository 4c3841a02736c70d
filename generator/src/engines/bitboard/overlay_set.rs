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

/// Blocks that are taken from the system together: a page. All chunks of all sets have one size, so that one
/// set has the room that another gives back.
const CHUNK: usize = 8;

/// The words of [`CHUNK`] blocks. They fill cache lines of their own.
#[derive(Debug)]
#[repr(align(64))]
struct Chunk([Words; CHUNK]);

/// The words of one set in one overlay: a block for each police tile.
#[derive(Debug)]
pub(super) struct OverlaySet {
    /// For each police tile the index of its block in `blocks`.
    places: Vec<u32>,
    /// The stored blocks: the constant ones, and then the mixed ones without gaps. The first is empty.
    blocks: StoredBlocks,
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
        let (mut places, mut blocks) = (Vec::new(), StoredBlocks::default());
        grow_exact(&mut places, tiles)?;
        places.resize(tiles, EMPTY);
        blocks.push(&[0; ROWS])?;
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
        self.blocks.get(self.places[tile as usize] as usize)
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
        if place < self.uses.len() {
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

    /// Adds positions to a block that is constant so far.
    #[inline(never)]
    fn add_to_constant(&mut self, tile: u32, rows: usize, new: &Words) -> Result<(), OutOfMemory> {
        let before = self.places[tile as usize];
        let word = self.blocks.get(before as usize)[0];
        let words: Words = std::array::from_fn(|row| word | new[row]);
        let first = words[0];
        let place = if words[1..rows].iter().all(|&word| word == first) {
            self.take_constant(first)?
        } else {
            grow(&mut self.tiles, 1)?;
            self.blocks.push(&words)?;
            self.tiles.push(tile);
            self.blocks.len as u32 - 1
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
        self.blocks.get_mut(index as usize).fill(word);
        self.uses[index as usize] = 1;
        self.constants.insert(word, index);
        Ok(index)
    }

    /// Adds a constant block behind the others, and returns its index. The mixed block that stands there
    /// becomes the last one.
    fn add_constant(&mut self) -> Result<u32, OutOfMemory> {
        let (index, end) = (self.uses.len(), self.blocks.len);
        self.blocks.push(&[0; ROWS])?;
        if let Some(&tile) = self.tiles.first() {
            *self.blocks.get_mut(end) = *self.blocks.get(index);
            self.places[tile as usize] = end as u32;
            self.tiles.rotate_left(1);
        }
        self.uses.push(0);
        Ok(index as u32)
    }

    /// Takes note that one police tile has another block than this constant one now.
    fn release_constant(&mut self, index: u32) {
        let uses = &mut self.uses[index as usize];
        *uses -= 1;
        if *uses == 0 && index != EMPTY {
            self.constants.remove(&self.blocks.get(index as usize)[0]);
            self.unused.push(index);
        }
    }

    /// Returns the bytes of the set.
    pub(super) fn bytes(&self) -> u64 {
        (size_of_val(&*self.places) + self.blocks.chunks.len() * size_of::<Chunk>()) as u64
    }
}

/// Blocks one after the other.
#[derive(Debug, Default)]
struct StoredBlocks {
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
                prop_assert_eq!(set.blocks.len, set.uses.len() + mixed);
                prop_assert_eq!(set.uses.iter().sum::<u32>() as usize, TILES.len() - mixed);
            }
        }
    }
}
