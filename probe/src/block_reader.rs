//! The blocks of a table, whatever kind of game it is of: from its bytes to stored values.

use crate::{
    ProbeError,
    cache::{BlockCache, KeptBlock},
    file_reader::{FileReader, Located},
    options::Options,
    storage::{Memory, Storage},
};
use dragnet_formats::{
    codec::{BlockError, Stored, packed::Packed, value_of},
    container::{
        BlockNumbering, BlockStatistics, Reader, Structure, TableError, TableHeader, index::IndexEntry,
    },
    numbering::Location,
    value::Value,
};
use std::sync::Arc;

/// The blocks of an open table: what every kind of table is made of.
#[derive(Debug)]
pub(crate) struct BlockReader<H: TableHeader> {
    bytes: Bytes<H>,
    cache: BlockCache,
}

/// A table's bytes with their reader.
#[derive(Debug)]
enum Bytes<H: TableHeader> {
    /// In memory, where packed blocks are read in place; the cache holds decompressed ones.
    Memory(Reader<Memory, H>),
    /// In a file; the cache holds copies of packed blocks too.
    File(FileReader<H>),
}

/// A block that has been found and checked.
enum Found<'a> {
    /// Every slot has this code.
    Constant(u32),
    /// The codes lie in memory.
    InPlace(Packed<'a>),
    /// The codes are in the cache, or would be if it had room.
    Kept(KeptBlock),
}

impl Found<'_> {
    #[inline]
    fn code(&self, slot: u32) -> Result<u32, BlockError> {
        match self {
            Found::Constant(code) => Ok(*code),
            Found::InPlace(packed) => packed.code(slot),
            Found::Kept(kept) => kept.code(slot),
        }
    }
}

impl<H: TableHeader> BlockReader<H> {
    pub(crate) fn open(storage: Storage, options: Options) -> Result<BlockReader<H>, ProbeError> {
        let bytes: Bytes<H> = match storage {
            Storage::Memory(memory) => Bytes::Memory(Reader::open_as(memory)?),
            Storage::File(file) => Bytes::File(FileReader::open(file, options.cache_bytes / 2)?),
        };
        let room = match &bytes {
            Bytes::Memory(_) => options.cache_bytes,
            Bytes::File(reader) => options.cache_bytes - reader.window_bytes(),
        };
        let structure = bytes.structure();
        let numbering = structure.numbering();
        // Decompressed, a block takes one or two bytes per slot and some for its codes; packed as much as in
        // the file.
        let all = structure.data_len().saturating_add(numbering.slot_count().saturating_mul(2));
        Ok(BlockReader { cache: BlockCache::new(room, numbering.block_count(), all), bytes })
    }

    /// Returns what is known of the table beside its index and blocks.
    #[inline(always)]
    pub(crate) fn structure(&self) -> &Structure<H> {
        self.bytes.structure()
    }

    /// Returns the bytes of memory that the reader takes beside the board, the blocks that it keeps and a
    /// file's map.
    pub(crate) fn memory(&self) -> usize {
        let reader = match &self.bytes {
            Bytes::Memory(reader) => reader.memory(),
            Bytes::File(reader) => self.structure().numbering().memory() + reader.memory(),
        };
        reader + self.cache.memory()
    }

    /// Returns the stored value at a place.
    //
    // The code of a block in memory is taken without `Found`: there the block's shape would be written to
    // memory in pieces and read as a whole, for which a processor waits until all before is done, a miss of
    // its cache among it.
    #[inline(always)]
    pub(crate) fn value(&self, at: Location) -> Result<Value, ProbeError> {
        let code = match &self.bytes {
            Bytes::Memory(reader) => reader.code_in_place(at)?.map(Ok),
            Bytes::File(reader) => match self.cache.code(at.block, at.slot) {
                None => reader.code_in_place(at)?.map(Ok),
                code => code,
            },
        };
        match code {
            Some(code) => Ok(value_at(at, code)?),
            None => self.found_value(at),
        }
    }

    /// Returns the stored value at a place whose code cannot be read at once.
    #[inline(never)]
    fn found_value(&self, at: Location) -> Result<Value, ProbeError> {
        Ok(value_at(at, self.find(at)?.code(at.slot))?)
    }

    /// Finds the block of a place: in memory, in the cache, or else in the file. What has been read or
    /// decompressed is kept in the cache.
    #[inline]
    fn find(&self, at: Location) -> Result<Found<'_>, ProbeError> {
        let stored = match &self.bytes {
            Bytes::Memory(reader) => reader.stored(at)?,
            Bytes::File(reader) => match reader.locate(at)? {
                Located::Here(stored) => stored,
                Located::InFile(extent) => {
                    return self.kept(at.block, || reader.read_block(at.block, extent, at.slots));
                }
            },
        };
        match stored {
            Stored::Constant(code) => Ok(Found::Constant(code)),
            Stored::Packed(packed) => Ok(Found::InPlace(packed)),
            Stored::Zstd(compressed) => self.kept(at.block, || {
                let block = at.block;
                let contents = compressed.decompress();
                let contents = contents.map_err(|source| TableError::Block { block, source })?;
                Ok(KeptBlock::Decompressed(Arc::new(contents)))
            }),
        }
    }

    /// Returns a block from the cache, or else makes it with `read` and keeps it there.
    #[inline(never)]
    fn kept(
        &self,
        block: u64,
        read: impl FnOnce() -> Result<KeptBlock, ProbeError>,
    ) -> Result<Found<'_>, ProbeError> {
        if let Some(kept) = self.cache.get(block) {
            return Ok(Found::Kept(kept));
        }
        let kept = read()?;
        self.cache.insert(block, &kept);
        Ok(Found::Kept(kept))
    }

    /// Checks every checksum and everything that can be checked without solving. A file is read anew.
    pub(crate) fn check_all(&self, progress: impl FnMut(u64)) -> Result<BlockStatistics, ProbeError> {
        match &self.bytes {
            Bytes::Memory(reader) => Ok(reader.check_all(progress)?),
            Bytes::File(reader) => reader.check_all(progress),
        }
    }

    /// Checks that the table's file, if it is read from one, has not changed since it was opened.
    pub(crate) fn check_unchanged(&self) -> Result<(), ProbeError> {
        match &self.bytes {
            Bytes::Memory(_) => Ok(()),
            Bytes::File(reader) => reader.check_unchanged(),
        }
    }

    /// Puts the codes of block number `block` into `codes`, slot by slot. The cache is left alone, and a
    /// file's block is read from the file.
    pub(crate) fn codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
        self.check_number(block)?;
        match &self.bytes {
            Bytes::Memory(reader) => {
                let slots = self.structure().numbering().slots(block);
                let read = reader.block(block)?.codes(slots, codes);
                Ok(read.map_err(|source| TableError::Block { block, source })?)
            }
            Bytes::File(reader) => reader.codes(block, codes),
        }
    }

    /// Calls `take` with the code of every `step`th slot of block number `block` from `first` on. The block
    /// comes from the cache, or is kept there.
    pub(crate) fn codes_of_column(
        &self,
        block: u64,
        first: u32,
        step: u32,
        mut take: impl FnMut(u32) -> Result<(), TableError>,
    ) -> Result<(), ProbeError> {
        let slots = self.structure().numbering().slots(block);
        let found = self.find(Location { block, slot: first, slots })?;
        for slot in (first..slots).step_by(step as usize) {
            let code = found.code(slot).map_err(|source| TableError::Block { block, source })?;
            take(code)?;
        }
        Ok(())
    }

    /// Returns what the index says of block number `block`.
    pub(crate) fn entry(&self, block: u64) -> Result<IndexEntry, ProbeError> {
        self.check_number(block)?;
        match &self.bytes {
            Bytes::Memory(reader) => Ok(reader.entry(block)?),
            Bytes::File(reader) => reader.entry(block),
        }
    }

    /// Refuses numbers for which the index has room at its end, and no block.
    fn check_number(&self, block: u64) -> Result<(), TableError> {
        if block < self.structure().numbering().block_count() {
            Ok(())
        } else {
            Err(TableError::Entry { block, entry: 0 })
        }
    }
}

impl<H: TableHeader> Bytes<H> {
    #[inline(always)]
    fn structure(&self) -> &Structure<H> {
        match self {
            Bytes::Memory(reader) => reader.structure(),
            Bytes::File(reader) => reader.structure(),
        }
    }
}

/// Returns the value for which a code stands that is stored at a place.
#[inline(always)]
fn value_at(at: Location, code: Result<u32, BlockError>) -> Result<Value, TableError> {
    match code {
        Ok(code) => value_of(code),
        Err(source) => Err(source),
    }
    .map_err(|source| TableError::Block { block: at.block, source })
}

/// Blocks kept at hand. The positions around one fall into at most twelve under the classic rules, mostly
/// into one or two.
const VIEWS: usize = 4;

/// The last few blocks of one table that a series of lookups has found.
pub(crate) struct Views<'a, H: TableHeader> {
    blocks: &'a BlockReader<H>,
    /// The numbers of the blocks at hand; [`NO_BLOCK`] where there is none.
    numbers: [u64; VIEWS],
    /// Apart from what holds memory, so that a block's shape is written where it stays. (Moved there through
    /// other memory it would be written in pieces and read as a whole, for which a processor waits until all
    /// before is done.)
    views: [View<'a>; VIEWS],
    /// The blocks of [`View::Kept`].
    kept: [Option<KeptBlock>; VIEWS],
    /// The place of the block that was asked last.
    last: usize,
    /// The place of the block that goes next.
    oldest: usize,
}

/// How the codes of a block at hand are read.
#[derive(Clone, Copy)]
enum View<'a> {
    Constant(u32),
    InPlace(Packed<'a>),
    Kept,
}

/// Above all numbers of blocks.
const NO_BLOCK: u64 = u64::MAX;

impl<'a, H: TableHeader> Views<'a, H> {
    #[inline]
    pub(crate) fn new(blocks: &'a BlockReader<H>) -> Views<'a, H> {
        Views {
            blocks,
            numbers: [NO_BLOCK; VIEWS],
            views: [View::Constant(0); VIEWS],
            kept: [const { None }; VIEWS],
            last: 0,
            oldest: 0,
        }
    }

    /// Returns the stored value at a place.
    #[inline]
    pub(crate) fn value(&mut self, at: Location) -> Result<Value, ProbeError> {
        if self.numbers[self.last] != at.block {
            self.switch_to(at)?;
        }
        let code = match (&self.views[self.last], &self.kept[self.last]) {
            (View::InPlace(packed), _) => packed.code(at.slot),
            (View::Constant(code), _) => Ok(*code),
            (View::Kept, Some(kept)) => kept.code(at.slot),
            (View::Kept, None) => unreachable!("a view of a kept block comes with the block"),
        };
        Ok(value_at(at, code)?)
    }

    /// Makes the block of a place the one that was asked last.
    #[inline(never)]
    fn switch_to(&mut self, at: Location) -> Result<(), ProbeError> {
        if let Some(i) = self.numbers.iter().position(|&number| number == at.block) {
            self.last = i;
            return Ok(());
        }
        let i = self.oldest;
        self.numbers[i] = NO_BLOCK;
        self.kept[i] = None;
        match self.blocks.find(at)? {
            Found::Constant(code) => self.views[i] = View::Constant(code),
            Found::InPlace(packed) => self.views[i] = View::InPlace(packed),
            Found::Kept(kept) => {
                self.views[i] = View::Kept;
                self.kept[i] = Some(kept);
            }
        }
        self.numbers[i] = at.block;
        self.last = i;
        self.oldest = (i + 1) % VIEWS;
        Ok(())
    }
}
