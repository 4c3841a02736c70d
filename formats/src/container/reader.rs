//! Reading a table from bytes, wherever they are.

use super::{
    BlockNumbering, TableError, TableHeader,
    index::{EXTENT_CHECKSUM_LEN, Entry, Extent, Kind},
    layout::PAGE_LEN,
    structure::{BlockStatistics, Structure, no_block},
};
use crate::{
    codec::{Block, packed::Packed, zstd::Unzipped},
    header::Header,
    numbering::Location,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// A table in bytes, owned, borrowed, static or mapped: of a pursuit game, or of the game that its header `H` is for.
///
/// Opening checks the preamble, the header and every length. Each index page and each block is checked when it is
/// first touched. Afterwards the bytes must not change.
#[derive(Debug)]
pub struct Reader<D, H: TableHeader = Header> {
    data: D,
    structure: Structure<H>,
    good_pages: Marks,
    good_blocks: Marks,
}

/// One bit per thing, set once it has been found good. Lock-free.
#[derive(Debug)]
struct Marks(Vec<AtomicU64>);

impl Marks {
    fn new(count: u64) -> Marks {
        Marks((0..count.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    // Relaxed: a mark publishes nothing but itself. The bytes that it vouches for never change, and two threads
    // that both miss it check the same bytes twice.
    #[inline(always)]
    fn get(&self, i: u64) -> bool {
        self.0.get((i / 64) as usize).is_some_and(|word| word.load(Ordering::Relaxed) >> (i % 64) & 1 == 1)
    }

    fn set(&self, i: u64) {
        if let Some(word) = self.0.get((i / 64) as usize) {
            word.fetch_or(1 << (i % 64), Ordering::Relaxed);
        }
    }
}

/// A block as far as it can be read where it lies.
#[derive(Clone, Copy, Debug)]
pub enum Stored<'a> {
    /// Every slot has this code.
    Constant(u32),
    /// The codes are in the file.
    Packed(Packed<'a>),
    /// The codes must be unzipped.
    Zipped(Zipped<'a>),
}

/// A block to be unzipped.
#[derive(Clone, Copy, Debug)]
pub struct Zipped<'a> {
    body: &'a [u8],
    at: Location,
}

impl Zipped<'_> {
    /// Its contents.
    ///
    /// # Errors
    /// When they are damaged.
    pub fn unzip(self) -> Result<Unzipped, TableError> {
        Unzipped::new(self.body, self.at.slots)
            .map_err(|source| TableError::Block { block: self.at.block, source })
    }
}

impl<D: AsRef<[u8]>> Reader<D> {
    /// Opens the table of a pursuit game in `data`: [`Reader::open_as`] for the header that most tables have.
    ///
    /// # Errors
    /// As for [`Reader::open_as`].
    pub fn open(data: D) -> Result<Reader<D>, TableError> {
        Reader::open_as(data)
    }
}

impl<D: AsRef<[u8]>, H: TableHeader> Reader<D, H> {
    /// Opens the table in `data`. Cheap: reads the header, not the index or the blocks.
    ///
    /// # Errors
    /// When the bytes are not a table of a known version and of this kind, cut short, or altered in the header. Allocates in
    /// proportion to the bytes that are there, whatever they say.
    pub fn open_as(data: D) -> Result<Reader<D, H>, TableError> {
        let file = data.as_ref();
        let structure = Structure::<H>::read(file, file.len() as u64)?;
        Ok(Reader {
            good_pages: Marks::new(structure.layout().pages),
            good_blocks: Marks::new(structure.numbering().block_count()),
            data,
            structure,
        })
    }

    /// What is known of the table beside its index and blocks.
    #[must_use]
    #[inline(always)]
    pub fn structure(&self) -> &Structure<H> {
        &self.structure
    }

    /// What the table says about itself.
    #[must_use]
    pub fn header(&self) -> &H {
        self.structure.header()
    }

    /// Where its positions are.
    #[must_use]
    pub fn numbering(&self) -> &H::Numbering {
        self.structure.numbering()
    }

    /// Bytes of the whole table.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        self.data.as_ref().len() as u64
    }

    /// Bytes of the index.
    #[must_use]
    pub fn index_len(&self) -> u64 {
        self.structure.index_len()
    }

    /// Bytes of memory that the open table takes beside its own bytes, the board not counted.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.numbering().memory() + size_of_val(&*self.good_pages.0) + size_of_val(&*self.good_blocks.0)
    }

    /// What the index says of block number `block`.
    ///
    /// # Errors
    /// When its page is damaged or its entry impossible, or there is no such block.
    pub fn entry(&self, block: u64) -> Result<Entry, TableError> {
        let page = self.structure.page_of(block).ok_or_else(|| no_block(block))?;
        if !self.good_pages.get(page) {
            self.structure.check_page(page, self.page(page, block)?)?;
            self.good_pages.set(page);
        }
        self.unchecked_entry(block)
    }

    /// The bytes of the index page of a block.
    #[inline(always)]
    fn page(&self, page: u64, block: u64) -> Result<&[u8; PAGE_LEN], TableError> {
        let at = self.structure.page_offset(page) as usize;
        self.data.as_ref().get(at..).and_then(|rest| rest.first_chunk()).ok_or_else(|| no_block(block))
    }

    /// The entry of a block, whose page is taken as it is.
    #[inline(always)]
    fn unchecked_entry(&self, block: u64) -> Result<Entry, TableError> {
        let page = self.structure.page_of(block).ok_or_else(|| no_block(block))?;
        self.structure.entry_in_page(self.page(page, block)?, block)
    }

    /// The bytes of an extent, its checksum included.
    #[inline(always)]
    fn extent_bytes(&self, block: u64, extent: Extent) -> Result<&[u8], TableError> {
        let begin = self.structure.extent_offset(extent) as usize;
        let bytes = self.data.as_ref().get(begin..begin + extent.len as usize);
        bytes.ok_or_else(|| TableError::Entry { block, entry: Entry::Extent(extent).to_bits() })
    }

    /// The bytes of an extent behind its checksum.
    #[inline(always)]
    fn body(&self, block: u64, extent: Extent) -> Result<&[u8], TableError> {
        match self.extent_bytes(block, extent)?.get(EXTENT_CHECKSUM_LEN..) {
            Some(body) => Ok(body),
            None => Err(no_block(block)),
        }
    }

    /// Checks all that can be checked of a block without unzipping it, and marks it good.
    #[cold]
    fn check(&self, block: u64, slots: u32) -> Result<(), TableError> {
        match self.entry(block)? {
            Entry::Constant(_) if slots == 0 => return Err(no_block(block)),
            Entry::Constant(code) => self.structure.check_constant(block, code)?,
            Entry::Extent(extent) => {
                self.structure.check_extent(block, extent, self.extent_bytes(block, extent)?, slots)?;
            }
        }
        self.good_blocks.set(block);
        Ok(())
    }

    /// The block of a place that [`Reader::numbering`] gave, as far as it can be read where it lies. Costs nothing that grows
    /// with the table. When it is first touched, its checksum is checked.
    ///
    /// # Errors
    /// When the block or its place in the index is damaged.
    #[inline(always)]
    pub fn stored(&self, at: Location) -> Result<Stored<'_>, TableError> {
        match self.good_entry(at)? {
            Entry::Constant(code) => Ok(Stored::Constant(code)),
            Entry::Extent(extent) => {
                let body = self.body(at.block, extent)?;
                match extent.kind {
                    Kind::Packed => match Packed::new(body, at.slots) {
                        Ok(packed) => Ok(Stored::Packed(packed)),
                        Err(source) => Err(TableError::Block { block: at.block, source }),
                    },
                    Kind::Zstd => Ok(Stored::Zipped(Zipped { body, at })),
                }
            }
        }
    }

    /// The code at a place that [`Reader::numbering`] gave, if it can be read where it lies; `None` if its block is zipped.
    /// The same as through [`Reader::stored`], and quicker: the block's shape stays in registers. (Through memory it
    /// would be written in pieces and read as a whole, for which a processor waits until all before is done, a miss of the
    /// cache among it.)
    ///
    /// # Errors
    /// When the block or its place in the index is damaged.
    #[inline(always)]
    pub fn code_in_place(&self, at: Location) -> Result<Option<u32>, TableError> {
        match self.good_entry(at)? {
            Entry::Constant(code) => Ok(Some(code)),
            Entry::Extent(extent) => {
                let body = self.body(at.block, extent)?;
                match extent.kind {
                    Kind::Packed => match Packed::new(body, at.slots).and_then(|packed| packed.code(at.slot))
                    {
                        Ok(code) => Ok(Some(code)),
                        Err(source) => Err(TableError::Block { block: at.block, source }),
                    },
                    Kind::Zstd => Ok(None),
                }
            }
        }
    }

    /// The entry of a block that has been checked, now or before.
    #[inline(always)]
    fn good_entry(&self, at: Location) -> Result<Entry, TableError> {
        if !self.good_blocks.get(at.block) {
            self.check(at.block, at.slots)?;
        }
        self.unchecked_entry(at.block)
    }

    /// The contents of block number `block`; a zstd block is unzipped.
    ///
    /// # Errors
    /// When the block or its place in the index is damaged, or there is no such block.
    pub fn block(&self, block: u64) -> Result<Block<'_>, TableError> {
        let at = Location { block, slot: 0, slots: self.numbering().slots(block) };
        match self.stored(at)? {
            Stored::Constant(code) => Ok(Block::Constant(code)),
            Stored::Packed(packed) => Ok(Block::Packed(packed)),
            Stored::Zipped(zipped) => zipped.unzip().map(Block::Zstd),
        }
    }

    /// Checks every index page and every block: checksums, palettes, every slot's index, and that the blocks fill
    /// the data without gap or overlap. A checksum that this reader has found right before is not computed again. Takes up to
    /// 100 bytes of memory per block. `progress` is called with the number of blocks done.
    ///
    /// # Errors
    /// The first damage found.
    pub fn check_all(&self, progress: impl FnMut(u64)) -> Result<BlockStatistics, TableError> {
        let mut codes = Vec::new();
        let read = |block, slots| {
            self.block(block)?.codes(slots, &mut codes).map_err(|source| TableError::Block { block, source })
        };
        self.structure.check_all(|block| self.entry(block), read, progress)
    }
}
