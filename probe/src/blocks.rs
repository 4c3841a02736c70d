//! The blocks of a table, whatever kind of game it is of: from its bytes to stored values.

use crate::{
    ProbeError,
    cache::BlockCache,
    source::{Access, Source},
};
use dragnet_formats::{
    codec::{BlockError, value_of, zstd::Unzipped},
    container::{
        BlockNumbering, Reader, TableError, TableHeader,
        index::Entry,
        reader::{BlockStatistics, Stored, Zipped},
    },
    numbering::Location,
    value::Value,
};
use std::sync::Arc;

/// How a table is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Most bytes of unzipped blocks that are kept; a table favouring speed needs none.
    pub cache_bytes: u64,
    /// In which order the file will be read.
    pub access: Access,
}

impl Default for Options {
    /// 16 MiB of unzipped blocks, about a thousand, and random access.
    fn default() -> Options {
        Options { cache_bytes: 16 << 20, access: Access::Random }
    }
}

impl Options {
    /// These options with at most `bytes` bytes of unzipped blocks kept.
    #[must_use]
    pub fn cache_bytes(self, bytes: u64) -> Options {
        Options { cache_bytes: bytes, ..self }
    }

    /// These options with the file read in this order.
    #[must_use]
    pub fn access(self, access: Access) -> Options {
        Options { access, ..self }
    }
}

/// The blocks of an open table. Those that are read in place need nothing more than the file, zstd blocks go through a bounded
/// cache.
#[derive(Debug)]
pub(crate) struct Blocks<H: TableHeader> {
    pub(crate) reader: Reader<Source, H>,
    cache: BlockCache,
}

impl<H: TableHeader> Blocks<H> {
    pub(crate) fn open(source: Source, options: Options) -> Result<Blocks<H>, TableError> {
        let reader = Reader::<_, H>::open_as(source)?;
        Ok(Blocks { cache: BlockCache::new(options.cache_bytes, reader.numbering().block_count()), reader })
    }

    /// The stored value at a place.
    #[inline(always)]
    pub(crate) fn value(&self, at: Location) -> Result<Value, ProbeError> {
        match self.reader.code_in_place(at)? {
            Some(code) => Ok(value_at(at, Ok(code))?),
            None => self.zipped_value(at),
        }
    }

    /// The stored value at a place in a zipped block.
    #[inline(never)]
    fn zipped_value(&self, at: Location) -> Result<Value, ProbeError> {
        if let Some(unzipped) = self.cache.get(at.block) {
            return Ok(value_at(at, unzipped.code(at.slot))?);
        }
        Ok(Views::new(self).value(at)?)
    }

    /// The contents of a zipped block, from the cache if they are there.
    #[inline(never)]
    fn unzipped(&self, block: u64, zipped: Zipped<'_>) -> Result<Arc<Unzipped>, TableError> {
        if let Some(unzipped) = self.cache.get(block) {
            return Ok(unzipped);
        }
        let unzipped = Arc::new(zipped.unzip()?);
        self.cache.insert(block, &unzipped);
        Ok(unzipped)
    }

    /// Checks every checksum and everything that can be checked without solving.
    pub(crate) fn check_all(&self, progress: impl FnMut(u64)) -> Result<BlockStatistics, ProbeError> {
        Ok(self.reader.check_all(progress)?)
    }

    /// Puts the codes of block number `block` into `codes`, slot by slot; the cache is left alone.
    pub(crate) fn codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
        self.check_number(block)?;
        let slots = self.reader.numbering().slots(block);
        let contents = self.reader.block(block)?;
        contents.codes(slots, codes).map_err(|source| TableError::Block { block, source })?;
        Ok(())
    }

    /// What the index says of block number `block`.
    pub(crate) fn entry(&self, block: u64) -> Result<Entry, ProbeError> {
        self.check_number(block)?;
        Ok(self.reader.entry(block)?)
    }

    fn check_number(&self, block: u64) -> Result<(), TableError> {
        if block < self.reader.numbering().block_count() {
            Ok(())
        } else {
            Err(TableError::Entry { block, entry: 0 })
        }
    }
}

/// The value that a code stands for which is stored at a place.
#[inline(always)]
fn value_at(at: Location, code: Result<u32, BlockError>) -> Result<Value, TableError> {
    match code {
        Ok(code) => value_of(code),
        Err(source) => Err(source),
    }
    .map_err(|source| TableError::Block { block: at.block, source })
}

/// Blocks kept at hand. The positions around one fall into at most twelve under the classic rules, mostly into one or two.
const VIEWS: usize = 4;

/// Looks up places of one table and keeps the last few blocks at hand.
pub(crate) struct Views<'a, H: TableHeader> {
    table: &'a Blocks<H>,
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

impl<'a, H: TableHeader> Views<'a, H> {
    #[inline]
    pub(crate) fn new(table: &'a Blocks<H>) -> Views<'a, H> {
        Views {
            table,
            blocks: [NO_BLOCK; VIEWS],
            views: [Stored::Constant(0); VIEWS],
            unzipped: [const { None }; VIEWS],
            last: 0,
            oldest: 0,
        }
    }

    /// The stored value at a place.
    #[inline]
    pub(crate) fn value(&mut self, at: Location) -> Result<Value, TableError> {
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
        self.views[i] = self.table.reader.stored(at)?;
        self.unzipped[i] = None;
        self.blocks[i] = at.block;
        self.last = i;
        self.oldest = (i + 1) % VIEWS;
        Ok(())
    }
}
