//! The blocks of a table, whatever kind of game it is of: from its bytes to stored values.
//!
//! The ways to what a block holds:
//!
//! | method | gives | the block comes from |
//! |---|---|---|
//! | [`BlockReader::value`] | the value of one place | memory, the cache, or the source |
//! | [`BlockReader::value_at_hand`] | the same, if nothing need be read or checked | memory or the cache |
//! | [`Views::value`], `code` | values or codes of a series of places | the last few blocks, or as above |
//! | [`BlockReader::codes_of_column`] | the codes of every `step`th slot | as for `value` |
//! | [`BlockReader::block_codes`] | the codes of all slots | memory or the source, never the cache |
//! | [`BlockReader::section`] | the bytes of a section | as for `codes` |

use crate::{
    ProbeError,
    cache::{Cache, Handle, Image, TableCache, give_image, take_image, with_image},
    effort::Effort,
    source::{Contents, PIECE},
    source_reader::SourceReader,
};
use bytes::Bytes;
use dragnet_formats::{
    codec::{BlockError, Codec, packed::Packed, value_of, zstd::Compressed},
    container::{
        BlockNumbering, BlockStatistics, Reader, Structure, TableError, TableHeader,
        index::{Extent, IndexEntry},
    },
    game::ListsError,
    header::{Section, SectionedNumbering},
    numbering::Location,
    value::Value,
};
use std::ops::ControlFlow;

/// The header and the blocks of an open table: what every kind of table is made of, with the functions that
/// all tables have.
#[derive(Debug)]
pub struct BlockReader<H: TableHeader> {
    storage: Storage<H>,
    cache: TableCache,
}

/// A table's bytes with their reader.
#[derive(Debug)]
enum Storage<H: TableHeader> {
    /// In memory, where packed blocks are read in place; the cache holds decompressed ones.
    Memory(Reader<Bytes, H>),
    /// In a source; the cache holds packed blocks too.
    Source(SourceReader<H>),
}

impl<H: TableHeader> Storage<H> {
    #[inline(always)]
    fn structure(&self) -> &Structure<H> {
        match self {
            Storage::Memory(reader) => reader.structure(),
            Storage::Source(reader) => reader.structure(),
        }
    }
}

/// A block that has been found in the index.
enum Found<'a> {
    /// Every slot has this code.
    Constant(u32),
    /// The codes lie in memory.
    InPlace(Packed<'a>),
    /// The codes are in the cache, or must be read.
    Extent(Extent),
}

impl<H: TableHeader<Numbering = SectionedNumbering>> BlockReader<H> {
    /// Reads the bytes of a section.
    ///
    /// # Errors
    /// When the table is damaged or cannot be read.
    pub fn section(&self, section: Section) -> Result<Vec<u8>, ProbeError> {
        let numbering = self.structure().numbering();
        let len: u32 = numbering.section(section).map(|at| at.slots).sum();
        let (mut bytes, mut codes) = (Vec::with_capacity(len as usize), Vec::new());
        for Location { block, .. } in numbering.section(section) {
            self.block_codes(block, &mut codes)?;
            for &code in &codes {
                let source = ListsError::Field { expected: "bytes, of 0 to 255", found: code.into() };
                bytes.push(u8::try_from(code).map_err(|_| TableError::Section { section, source })?);
            }
        }
        Ok(bytes)
    }
}

impl<H: TableHeader> BlockReader<H> {
    /// Opens a table, whose blocks are kept in `cache`.
    pub(crate) fn open(contents: Contents, cache: Cache) -> Result<BlockReader<H>, ProbeError> {
        let storage: Storage<H> = match contents {
            Contents::Memory(bytes) => Storage::Memory(Reader::open_as(bytes)?),
            Contents::Source(source) => Storage::Source(SourceReader::open(source)?),
        };
        let blocks = storage.structure().numbering().block_count();
        Ok(BlockReader { storage, cache: TableCache::new(cache, blocks) })
    }

    /// Returns the header, the numbering and the layout of the table.
    #[inline(always)]
    pub(crate) fn structure(&self) -> &Structure<H> {
        self.storage.structure()
    }

    /// Returns the header: what the table says of its game and of all values.
    #[must_use]
    pub fn header(&self) -> &H {
        self.structure().header()
    }

    /// Returns the length of the whole table in bytes.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        self.structure().file_len()
    }

    /// Returns the length of the table's index in bytes.
    #[must_use]
    pub fn index_len(&self) -> u64 {
        self.structure().index_len()
    }

    /// Returns how many bytes of memory the header and the blocks of the open table take at most, once its
    /// whole index has been read, beside its own bytes if they are in memory and the blocks in the cache.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let reader = match &self.storage {
            Storage::Memory(reader) => reader.memory(),
            Storage::Source(reader) => self.structure().numbering().memory() + reader.memory(),
        };
        (size_of::<BlockReader<H>>() + reader + self.cache.memory()) as u64
    }

    /// Returns the stored value at a place.
    //
    // The code of a block in memory is taken without `Found`: there the block's shape would be written to
    // memory in pieces and read as a whole, for which a processor waits until all before is done, a miss of
    // its cache among it.
    #[inline(always)]
    pub(crate) fn value(&self, at: Location) -> Result<Value, ProbeError> {
        let in_place = match &self.storage {
            Storage::Memory(reader) => reader.code_in_place(at)?,
            Storage::Source(_) => None,
        };
        match in_place.map(Ok).or_else(|| Some(self.cache.code(at.block, at.slot)?.1)) {
            Some(code) => Ok(value_at(at, code)?),
            None => self.found_value(at),
        }
    }

    /// Returns the stored value at a place if its block need not be read or checked.
    #[inline(always)]
    pub(crate) fn value_at_hand(&self, at: Location) -> Option<Value> {
        let in_place = match &self.storage {
            Storage::Memory(reader) if !reader.is_checked(at.block) => return None,
            Storage::Memory(reader) => reader.code_in_place(at).ok()?,
            Storage::Source(_) => None,
        };
        match in_place.map(Ok).or_else(|| Some(self.cache.code(at.block, at.slot)?.1)) {
            Some(code) => value_at(at, code).ok(),
            None => self.constant_at_hand(at),
        }
    }

    /// Returns the value of all slots of the block of a place, if the part of a source's index has been read
    /// that says that there is one.
    #[inline(never)]
    fn constant_at_hand(&self, at: Location) -> Option<Value> {
        match &self.storage {
            Storage::Source(reader) => match reader.entry_at_hand(at.block)? {
                IndexEntry::Constant(code) => value_at(at, Ok(code)).ok(),
                IndexEntry::Extent(_) => None,
            },
            Storage::Memory(_) => None,
        }
    }

    /// Returns the stored value at a place whose block was not asked before, or has gone.
    #[inline(never)]
    fn found_value(&self, at: Location) -> Result<Value, ProbeError> {
        let extent = match self.find(at)? {
            Found::Constant(code) => return Ok(value_at(at, Ok(code))?),
            Found::InPlace(packed) => return Ok(value_at(at, packed.code(at.slot))?),
            Found::Extent(extent) => extent,
        };
        let found = self.cache.find(at.block, extent, at.slots);
        if let Some(code) = found.and_then(|handle| self.cache.code_at(handle, at.slot)) {
            return Ok(value_at(at, code)?);
        }
        with_image(|image| {
            self.read(at, extent, &mut Effort::new(), image)?;
            self.cache.insert(at.block, extent, image);
            Ok(value_at(at, image.code(at.slot))?)
        })
    }

    /// Finds the block of a place in the index.
    #[inline(always)]
    fn find(&self, at: Location) -> Result<Found<'_>, ProbeError> {
        match &self.storage {
            Storage::Memory(reader) => match reader.good_entry(at)? {
                IndexEntry::Constant(code) => Ok(Found::Constant(code)),
                IndexEntry::Extent(extent) if extent.codec == Codec::Packed => {
                    match Packed::new(reader.body(at.block, extent)?, at.slots) {
                        Ok(packed) => Ok(Found::InPlace(packed)),
                        Err(source) => Err(TableError::Block { block: at.block, source }.into()),
                    }
                }
                IndexEntry::Extent(extent) => Ok(Found::Extent(extent)),
            },
            Storage::Source(reader) => match reader.entry(at.block)? {
                IndexEntry::Constant(code) => Ok(Found::Constant(code)),
                IndexEntry::Extent(extent) => Ok(Found::Extent(extent)),
            },
        }
    }

    /// Reads the block of a place from its extent.
    fn read(
        &self,
        at: Location,
        extent: Extent,
        effort: &mut Effort,
        image: &mut Image,
    ) -> Result<(), ProbeError> {
        let mut bytes = image.take_bytes();
        let mut read = || {
            let body = match &self.storage {
                Storage::Memory(reader) => reader.body(at.block, extent)?,
                Storage::Source(reader) => reader.read_extent(at.block, extent, at.slots, &mut bytes)?,
            };
            let error = |source| TableError::Block { block: at.block, source };
            match extent.codec {
                Codec::Packed => image.unpack(&Packed::new(body, at.slots).map_err(error)?, at.slots),
                Codec::Zstd => {
                    // Its slots are counted by who looks into the block, whether it must be read or not.
                    let work = Compressed::new(body, at.slots).work().map_err(error)?;
                    effort.take_bytes(work.saturating_sub(at.slots.into()))?;
                    image.decompress(body, at.slots).map_err(error)?;
                }
            }
            Ok(())
        };
        let read = read();
        image.give_bytes(bytes);
        read
    }

    /// Checks every checksum and everything that can be checked without solving; `progress` is called with
    /// the number of blocks done. A file is read anew from its beginning to its end.
    ///
    /// ```
    /// use dragnet_probe::Open;
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let table = Open::path(path).pursuit()?;
    /// let statistics = table.check_sums(|done| println!("{done} blocks"))?;
    /// assert_eq!(statistics.blocks, 5); // one of positions, four of the game
    /// # Ok::<(), dragnet_probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// The first damage found, or [`ProbeError::Changed`] if the file has changed since it was opened.
    pub fn check_sums(&self, mut progress: impl FnMut(u64)) -> Result<BlockStatistics, ProbeError> {
        self.check_sums_while(|done, _| {
            progress(done);
            ControlFlow::Continue(())
        })
    }

    /// Checks what [`BlockReader::check_sums`] checks, until `progress` breaks it off: it is called after
    /// each block, with the number of blocks done and of all blocks.
    ///
    /// # Errors
    /// The first damage found, [`ProbeError::Changed`] if the file has changed since it was opened, or
    /// [`ProbeError::Stopped`].
    pub fn check_sums_while(
        &self,
        mut progress: impl FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<BlockStatistics, ProbeError> {
        let blocks = self.structure().numbering().block_count();
        let progress = |done| match progress(done, blocks) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ProbeError::Stopped { done, blocks }),
        };
        match &self.storage {
            Storage::Memory(reader) => reader.check_while(progress),
            Storage::Source(reader) => reader.check_while(progress),
        }
    }

    /// Checks that the table's file has not changed since it was opened, as far as its length and its time of
    /// change tell: for programs that have read a whole table and say something about the file. A table in
    /// memory cannot change.
    ///
    /// # Errors
    /// [`ProbeError::Changed`] if the file has changed.
    pub fn check_unchanged(&self) -> Result<(), ProbeError> {
        match &self.storage {
            Storage::Memory(_) => Ok(()),
            Storage::Source(reader) => reader.check_unchanged(),
        }
    }

    /// Puts the stored codes of block number `block` into `codes`, slot by slot. The codes of terminal
    /// positions have no meaning: see [`Scan`](crate::Scan). Blocks may be read by several threads. The cache
    /// is left alone.
    ///
    /// # Errors
    /// When the block is damaged or there is none of that number.
    pub fn block_codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
        self.check_number(block)?;
        match &self.storage {
            Storage::Memory(reader) => {
                let slots = self.structure().numbering().slots(block);
                let read = reader.block(block)?.codes(slots, codes);
                Ok(read.map_err(|source| TableError::Block { block, source })?)
            }
            Storage::Source(reader) => reader.codes(block, codes),
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
        let mut views = Views::new(self);
        for slot in (first..slots).step_by(step as usize) {
            let at = Location { block, slot, slots };
            take(views.code(at, &mut Effort::new())?.map_err(|source| TableError::Block { block, source })?)?;
        }
        Ok(())
    }

    /// Calls `each` with all bytes of the table in their order, a piece at a time: those of its file, for
    /// programs that store the table elsewhere.
    ///
    /// ```
    /// use dragnet_probe::{Open, ProbeError};
    ///
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
    /// let mut copy = Vec::new();
    /// Open::path(path).pursuit()?.for_each_piece(|piece| {
    ///     copy.extend_from_slice(piece);
    ///     Ok::<(), ProbeError>(())
    /// })?;
    /// assert_eq!(copy, std::fs::read(path)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the table cannot be read, its file has changed since it was opened, or `each` fails.
    pub fn for_each_piece<E: From<ProbeError>>(
        &self,
        each: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        match &self.storage {
            Storage::Memory(reader) => reader.bytes().chunks(PIECE).try_for_each(each),
            Storage::Source(reader) => reader.source().for_each_piece(each),
        }
    }

    /// Returns what the index says of block number `block`; the block itself is not read. Blocks with equal
    /// entries and equally many slots have equal codes, so that a program that reads whole tables need read
    /// only one of them.
    ///
    /// # Errors
    /// When the index is damaged or there is no block of that number.
    pub fn block_entry(&self, block: u64) -> Result<IndexEntry, ProbeError> {
        self.check_number(block)?;
        match &self.storage {
            Storage::Memory(reader) => Ok(reader.entry(block)?),
            Storage::Source(reader) => reader.entry(block),
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
    /// The blocks of [`View::Own`].
    own: [Option<Box<Image>>; VIEWS],
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
    /// From the cache, as long as the block is there.
    Kept(Handle),
    /// From memory of our own, since the cache has no room.
    Own,
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
            own: [const { None }; VIEWS],
            last: 0,
            oldest: 0,
        }
    }

    /// Returns the stored value at a place.
    #[inline]
    pub(crate) fn value(&mut self, at: Location, effort: &mut Effort) -> Result<Value, ProbeError> {
        Ok(value_at(at, self.code(at, effort)?)?)
    }

    /// Returns the stored code at a place.
    #[inline]
    pub(crate) fn code(
        &mut self,
        at: Location,
        effort: &mut Effort,
    ) -> Result<Result<u32, BlockError>, ProbeError> {
        loop {
            if self.numbers[self.last] != at.block {
                self.switch_to(at, effort)?;
            }
            return Ok(match (&self.views[self.last], &self.own[self.last]) {
                (View::InPlace(packed), _) => packed.code(at.slot),
                (View::Constant(code), _) => Ok(*code),
                (View::Kept(handle), _) => match self.blocks.cache.code_at(*handle, at.slot) {
                    Some(code) => code,
                    None => {
                        // Other blocks have come in its place.
                        self.numbers[self.last] = NO_BLOCK;
                        continue;
                    }
                },
                (View::Own, Some(image)) => image.code(at.slot),
                (View::Own, None) => unreachable!("a view of its own has a block"),
            });
        }
    }

    /// Makes the block of a place the one that was asked last.
    #[inline(never)]
    fn switch_to(&mut self, at: Location, effort: &mut Effort) -> Result<(), ProbeError> {
        if let Some(i) = self.numbers.iter().position(|&number| number == at.block) {
            self.last = i;
            return Ok(());
        }
        let i = self.oldest;
        self.numbers[i] = NO_BLOCK;
        if let Some((handle, _)) = self.blocks.cache.code(at.block, at.slot) {
            effort.take_bytes(at.slots.into())?;
            self.views[i] = View::Kept(handle);
        } else {
            match self.blocks.find(at)? {
                Found::Constant(code) => self.views[i] = View::Constant(code),
                Found::InPlace(packed) => self.views[i] = View::InPlace(packed),
                Found::Extent(extent) => self.find_extent(i, at, extent, effort)?,
            }
        }
        self.numbers[i] = at.block;
        self.last = i;
        self.oldest = (i + 1) % VIEWS;
        Ok(())
    }

    /// Finds a block in the cache by its extent, or reads it, and makes it view number `i`.
    fn find_extent(
        &mut self,
        i: usize,
        at: Location,
        extent: Extent,
        effort: &mut Effort,
    ) -> Result<(), ProbeError> {
        // A block counts whether it is in the cache or not, so that what is refused once is refused always.
        effort.take_bytes(at.slots.into())?;
        if let Some(handle) = self.blocks.cache.find(at.block, extent, at.slots) {
            self.views[i] = View::Kept(handle);
            return Ok(());
        }
        let mut image = self.own[i].take().unwrap_or_else(take_image);
        self.blocks.read(at, extent, effort, &mut image)?;
        if let Some(handle) = self.blocks.cache.insert(at.block, extent, &image) {
            self.views[i] = View::Kept(handle);
            give_image(image);
        } else {
            self.views[i] = View::Own;
            self.own[i] = Some(image);
        }
        Ok(())
    }
}
