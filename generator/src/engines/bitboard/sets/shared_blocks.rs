//! The blocks of one set in one slice, of which those that are one repeated word are stored once.
//!
//! At any level most blocks of a set have the same word in all rows: none or all of the thief's cells, or the
//! same ones for every police row. Such a *constant* block is stored once for all police tiles that have it.
//! The other blocks, the *mixed* ones, take up to 512 bytes each.

use super::{
    super::words::{ROWS, Words, ones},
    page_store::PageStore,
    stored_blocks::StoredBlocks,
};
use crate::{
    log_error::LogError,
    memory::{grow, grow_exact},
};
use std::{collections::HashMap, sync::Arc};

/// A block for each police tile of a slice. Tiles are counted from the slice's first one.
#[derive(Debug)]
pub(crate) struct SharedBlocks {
    /// For each police tile the index of its block in `blocks`.
    indices: Vec<u32>,
    /// The stored blocks, without gaps. The first is empty.
    blocks: StoredBlocks,
    /// The police tiles of each stored block.
    tiles: Vec<BlockTiles>,
    /// The constant block of each word other than 0.
    constants: HashMap<u64, u32>,
}

/// The police tiles to which a stored block belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockTiles {
    /// So many police tiles, all of whose rows have the same word.
    Constant(u32),
    /// One police tile.
    Mixed(u32),
}

/// The word of blocks that are dropped. In unit tests it is one that spoils the values of whoever reads it.
const DROPPED: u64 = if cfg!(test) { 0xA5A5_A5A5_A5A5_A5A5 } else { 0 };

/// The index of the block without any position. It stays even if no tile has it.
const EMPTY: u32 = 0;

impl SharedBlocks {
    /// Creates the empty blocks of so many police tiles of at most `rows` rows. Its words may leave memory if
    /// there is a `store`.
    pub(crate) fn new(
        tiles: usize,
        rows: usize,
        store: Option<&Arc<PageStore>>,
    ) -> Result<SharedBlocks, LogError> {
        let mut set = SharedBlocks {
            indices: Vec::new(),
            blocks: StoredBlocks::new(tiles, rows, store),
            tiles: Vec::new(),
            constants: HashMap::new(),
        };
        grow_exact(&mut set.indices, tiles)?;
        set.indices.resize(tiles, EMPTY);
        set.push_block(BlockTiles::Constant(tiles as u32), &[0; ROWS])?;
        Ok(set)
    }

    /// Returns the block of a police tile. The words behind the rows of a tile have no meaning.
    #[inline(always)]
    pub(crate) fn block(&self, tile: u32) -> &Words {
        self.blocks.get(self.indices[tile as usize] as usize)
    }

    /// Adds the positions `new` to the block of police tile `tile`, which has `rows` rows.
    #[inline(always)]
    pub(crate) fn add(&mut self, tile: u32, rows: usize, new: &Words) -> Result<(), LogError> {
        let index = self.indices[tile as usize] as usize;
        self.blocks.load(index)?;
        if let BlockTiles::Constant(_) = self.tiles[index] {
            return self.add_to_constant(tile, rows, new);
        }
        let words = self.blocks.get_mut(index);
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
    pub(crate) fn add_rows(
        &mut self,
        tile: u32,
        rows: usize,
        new: &Words,
        some: u64,
    ) -> Result<(), LogError> {
        let index = self.indices[tile as usize] as usize;
        self.blocks.load(index)?;
        if let BlockTiles::Constant(_) = self.tiles[index] {
            return self.add_to_constant(tile, rows, new);
        }
        let words = self.blocks.get_mut(index);
        ones(some).for_each(|row| words[row] |= new[row]);
        let first = words[0];
        // Mostly the first rows differ already.
        if words[1..rows].iter().all(|&word| word == first) {
            return self.make_constant(tile, first);
        }
        Ok(())
    }

    /// Drops the block of a police tile, which nobody will read or add to any more.
    pub(crate) fn drop_block(&mut self, tile: u32) -> Result<(), LogError> {
        self.blocks.load(self.indices[tile as usize] as usize)?;
        self.make_constant(tile, DROPPED)
    }

    /// Returns whether the block of a police tile is another one than the empty one.
    pub(crate) fn is_stored(&self, tile: u32) -> bool {
        self.indices[tile as usize] != EMPTY
    }

    /// Adds positions to a block that is constant so far, and loaded.
    #[inline(never)]
    fn add_to_constant(&mut self, tile: u32, rows: usize, new: &Words) -> Result<(), LogError> {
        let word = self.block(tile)[0];
        let words: Words = std::array::from_fn(|row| word | new[row]);
        let first = words[0];
        if words[1..rows].iter().all(|&word| word == first) {
            return self.make_constant(tile, first);
        }
        let index = self.indices[tile as usize] as usize;
        if index != EMPTY as usize && self.tiles[index] == BlockTiles::Constant(1) {
            // The only tile with the constant block keeps its block.
            self.constants.remove(&word);
            self.tiles[index] = BlockTiles::Mixed(tile);
            self.blocks.set(index, &words);
            return Ok(());
        }
        let to = self.push_block(BlockTiles::Mixed(tile), &words)?;
        self.move_tile(tile, to);
        Ok(())
    }

    /// Gives `tile`, whose block is loaded, the constant block of a word.
    #[inline(never)]
    fn make_constant(&mut self, tile: u32, word: u64) -> Result<(), LogError> {
        // `move_tile` may move the last block.
        self.blocks.load(self.blocks.len() - 1)?;
        let known = if word == 0 { Some(EMPTY) } else { self.constants.get(&word).copied() };
        let to = match known {
            Some(to) => {
                self.tiles[to as usize] = match self.tiles[to as usize] {
                    BlockTiles::Constant(tiles) => BlockTiles::Constant(tiles + 1),
                    BlockTiles::Mixed(_) => unreachable!("a word's constant block is constant"),
                };
                to
            }
            None => {
                let to = self.push_block(BlockTiles::Constant(1), &[word; ROWS])?;
                self.constants.insert(word, to);
                to
            }
        };
        self.move_tile(tile, to);
        Ok(())
    }

    /// Stores a block behind the others, and returns its index.
    fn push_block(&mut self, tiles: BlockTiles, words: &Words) -> Result<u32, LogError> {
        grow(&mut self.tiles, 1)?;
        self.blocks.push(words)?;
        self.tiles.push(tiles);
        Ok(self.tiles.len() as u32 - 1)
    }

    /// Gives `tile` the stored block `to`, and removes its previous block if no tile has it any more. The
    /// previous and the last block must be loaded.
    fn move_tile(&mut self, tile: u32, to: u32) {
        let before = std::mem::replace(&mut self.indices[tile as usize], to) as usize;
        if let BlockTiles::Constant(tiles) = &mut self.tiles[before] {
            *tiles -= 1;
            if *tiles > 0 || before == EMPTY as usize {
                return;
            }
            self.constants.remove(&self.blocks.get(before)[0]);
        }
        // The last block moves to the index that is free now.
        let last = self.tiles.len() - 1;
        self.blocks.swap_remove(before);
        self.tiles.swap_remove(before);
        if before == last {
            return;
        }
        match self.tiles[before] {
            BlockTiles::Mixed(tile) => self.indices[tile as usize] = before as u32,
            BlockTiles::Constant(_) => {
                self.constants.insert(self.blocks.get(before)[0], before as u32);
                let moved = self.indices.iter_mut().filter(|index| **index == last as u32);
                moved.for_each(|index| *index = before as u32);
            }
        }
    }

    /// Evicts the words of the set, if they may leave memory.
    pub(crate) fn evict(&mut self) {
        self.blocks.evict();
    }

    /// Returns the bytes of the set, in memory or not.
    pub(crate) fn bytes(&self) -> u64 {
        let lists = size_of_val(&*self.indices) + size_of_val(&*self.tiles);
        (lists + self.blocks.bytes()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            super::words::first_bits,
            stored_blocks::{ONE_PAGE, lines_of_page},
        },
        *,
    };
    use crate::{budget::Budget, checkpoint::SetRoom};
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
            more_tiles in prop::sample::select(vec![0, 2 * ONE_PAGE]),
            leaves_memory in any::<bool>(),
            evictions in any::<u64>(),
        ) {
            let tiles = TILES.map(|rows| rows.min(most));
            let room = SetRoom { budget: Arc::new(Budget::new(0)), folder: std::env::temp_dir() };
            let store = leaves_memory.then(|| Arc::new(PageStore::new(room, lines_of_page(most))));
            let mut set = SharedBlocks::new(TILES.len() + more_tiles, most, store.as_ref()).unwrap();
            let mut dense = [[0u64; ROWS]; TILES.len()];
            for (number, (tile, words, rows, whole)) in additions.into_iter().enumerate() {
                if evictions >> (number % 64) & 1 == 1 {
                    set.evict();
                    prop_assert!(store.as_ref().is_none_or(|store| store.has_evicted_enough()));
                }
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
                    move |tiles: &&BlockTiles| matches!(tiles, BlockTiles::Constant(_)) == constant
                };
                prop_assert_eq!(set.tiles.iter().filter(of(false)).count(), mixed);
                prop_assert_eq!(set.tiles.iter().filter(of(true)).count(), set.constants.len() + 1);
                prop_assert_eq!(set.blocks.len(), set.tiles.len());
            }
            prop_assert!(store.is_none_or(|store| store.take_failure().is_none()));
        }
    }
}
