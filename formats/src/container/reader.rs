//! Reading a table from bytes, wherever they are.

use super::{
    BlockNumbering, TableError, TableHeader,
    index::{EXTENT_CHECKSUM_LEN, Entry, Extent, Kind, check_page},
    layout::{ENTRY_LEN, Layout, PAGE_ENTRIES, PAGE_LEN, Preamble},
};
use crate::{
    checksum::Seed,
    codec::{Block, BlockError, packed::Packed, value_of, zstd::Unzipped},
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
    header: H,
    numbering: H::Numbering,
    layout: Layout,
    data_len: u64,
    seed: Seed,
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

#[cold]
fn no_block(block: u64) -> TableError {
    TableError::Entry { block, entry: 0 }
}

/// What the blocks of a table are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockStatistics {
    /// All blocks.
    pub blocks: u64,
    /// Blocks with one code, which take no bytes.
    pub constant: u64,
    /// Blocks that share the extent of an earlier one.
    pub shared: u64,
    /// Packed extents.
    pub packed: u64,
    /// Bytes of these.
    pub packed_bytes: u64,
    /// Zstd extents.
    pub zstd: u64,
    /// Bytes of these.
    pub zstd_bytes: u64,
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
        let (preamble, header_bytes) = Preamble::read(file)?;
        let header = H::read(header_bytes)?;
        let layout = Layout::new(preamble.header_len, header.block_count());
        // At most 2^40 blocks and so 2^44 bytes of index: only the data length, any number, can overflow.
        let found = file.len() as u64;
        let expected = layout.data.saturating_add(preamble.data_len);
        if found < expected {
            return Err(TableError::Truncated { expected, found });
        }
        if found > expected {
            return Err(TableError::Trailing { expected, found });
        }
        let padding = &file[layout.header_end as usize..layout.index as usize];
        if let Some(i) = padding.iter().position(|&b| b != 0) {
            return Err(TableError::Reserved {
                offset: layout.header_end + i as u64,
                found: padding[i].into(),
            });
        }
        // Only now, when the file is known to have its index, is memory taken for the cells.
        let numbering = header.numbering();
        Ok(Reader {
            seed: Seed::of_header(header_bytes),
            good_pages: Marks::new(layout.pages),
            good_blocks: Marks::new(numbering.block_count()),
            data_len: preamble.data_len,
            data,
            header,
            numbering,
            layout,
        })
    }

    /// What the table says about itself.
    #[must_use]
    pub fn header(&self) -> &H {
        &self.header
    }

    /// Where its positions are.
    #[must_use]
    pub fn numbering(&self) -> &H::Numbering {
        &self.numbering
    }

    /// Bytes of the whole table.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        self.data.as_ref().len() as u64
    }

    /// Bytes of the index.
    #[must_use]
    pub fn index_len(&self) -> u64 {
        self.layout.pages * PAGE_LEN as u64
    }

    /// Bytes of memory that the open table takes beside its own bytes, the board not counted.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.numbering.memory() + size_of_val(&*self.good_pages.0) + size_of_val(&*self.good_blocks.0)
    }

    /// What the index says of block number `block`.
    ///
    /// # Errors
    /// When its page is damaged or its entry impossible, or there is no such block.
    pub fn entry(&self, block: u64) -> Result<Entry, TableError> {
        let page = block / PAGE_ENTRIES;
        if !self.good_pages.get(page) {
            let at = self.layout.index + page * PAGE_LEN as u64;
            let bytes = self.data.as_ref().get(at as usize..).and_then(|rest| rest.first_chunk());
            let bytes = bytes.filter(|_| page < self.layout.pages).ok_or_else(|| no_block(block))?;
            check_page(self.seed, page, bytes, at)?;
            self.good_pages.set(page);
        }
        self.unchecked_entry(block)
    }

    /// The entry of a block, whose page is taken as it is.
    #[inline(always)]
    fn unchecked_entry(&self, block: u64) -> Result<Entry, TableError> {
        let (page, place) = (block / PAGE_ENTRIES, block % PAGE_ENTRIES * ENTRY_LEN as u64);
        let at = self.layout.index + page * PAGE_LEN as u64 + place;
        match self.data.as_ref().get(at as usize..).and_then(|rest| rest.first_chunk()) {
            Some(&bits) => Entry::from_bits(u64::from_le_bytes(bits), block, self.data_len),
            None => Err(no_block(block)),
        }
    }

    /// The bytes of an extent with its checksum before them.
    #[inline(always)]
    fn extent_bytes(
        &self,
        block: u64,
        extent: Extent,
    ) -> Result<(&[u8; EXTENT_CHECKSUM_LEN], &[u8]), TableError> {
        let begin = (self.layout.data + extent.offset) as usize;
        let bytes = self.data.as_ref().get(begin..begin + extent.len as usize);
        bytes
            .and_then(|bytes| bytes.split_first_chunk())
            .ok_or_else(|| TableError::Entry { block, entry: Entry::Extent(extent).to_bits() })
    }

    /// Checks all that can be checked of a block without unzipping it, and marks it good.
    #[cold]
    fn check(&self, block: u64, slots: u32) -> Result<(), TableError> {
        let error = |source| TableError::Block { block, source };
        let entry = self.entry(block)?;
        if slots == 0 {
            return Err(no_block(block));
        }
        match entry {
            Entry::Constant(code) => drop(value_of(code).map_err(error)?),
            Entry::Extent(extent) => {
                let (checksum, body) = self.extent_bytes(block, extent)?;
                let expected = u32::from_le_bytes(*checksum);
                let found = self.seed.checksum(&[&extent.offset.to_le_bytes(), body]);
                if expected != found {
                    return Err(error(BlockError::Checksum { expected, found }));
                }
                if extent.kind == Kind::Packed {
                    Packed::new(body, slots).and_then(|packed| packed.check()).map_err(error)?;
                }
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
                let (_, body) = self.extent_bytes(at.block, extent)?;
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
                let (_, body) = self.extent_bytes(at.block, extent)?;
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
        let at = Location { block, slot: 0, slots: self.numbering.slots(block) };
        match self.stored(at)? {
            Stored::Constant(code) => Ok(Block::Constant(code)),
            Stored::Packed(packed) => Ok(Block::Packed(packed)),
            Stored::Zipped(zipped) => zipped.unzip().map(Block::Zstd),
        }
    }

    /// Checks every index page and every block: checksums, palettes, every slot's index, and that the blocks fill
    /// the data without gap or overlap. A checksum that this reader has found right before is not computed again. Takes up to
    /// 100 bytes of memory per block. `progress` is told how many
    /// blocks are done.
    ///
    /// # Errors
    /// The first damage found.
    pub fn check_all(&self, mut progress: impl FnMut(u64)) -> Result<BlockStatistics, TableError> {
        let mut statistics = BlockStatistics { blocks: self.numbering.block_count(), ..Default::default() };
        let mut extents: Vec<Extent> = Vec::new();
        let mut seen = std::collections::HashMap::new();
        let mut codes = Vec::new();
        for block in 0..statistics.blocks {
            let slots = self.numbering.slots(block);
            match self.entry(block)? {
                Entry::Constant(_) => {
                    self.block(block)?;
                    statistics.constant += 1;
                }
                Entry::Extent(extent) => {
                    // A shared extent is checked once, but for each number of slots that is claimed for it.
                    let known = seen.insert((extent.offset, extent.len), (extent.kind, slots));
                    if known.is_some() {
                        statistics.shared += 1;
                    } else {
                        extents.push(extent);
                    }
                    if known != Some((extent.kind, slots)) {
                        self.block(block)?
                            .codes(slots, &mut codes)
                            .map_err(|source| TableError::Block { block, source })?;
                    }
                }
            }
            progress(block + 1);
        }
        extents.sort_unstable_by_key(|extent| extent.offset);
        let mut end = 0;
        for extent in &extents {
            if extent.offset != end {
                return Err(TableError::Extents { expected: end, found: extent.offset });
            }
            end += extent.len;
            match extent.kind {
                Kind::Packed => {
                    statistics.packed += 1;
                    statistics.packed_bytes += extent.len;
                }
                Kind::Zstd => {
                    statistics.zstd += 1;
                    statistics.zstd_bytes += extent.len;
                }
            }
        }
        if end != self.data_len {
            return Err(TableError::Extents { expected: end, found: self.data_len });
        }
        let unused = statistics.blocks % PAGE_ENTRIES;
        if unused != 0 {
            for block in statistics.blocks..statistics.blocks + PAGE_ENTRIES - unused {
                let entry = self.entry(block)?;
                if entry != Entry::Constant(0) {
                    return Err(TableError::Entry { block, entry: entry.to_bits() });
                }
            }
        }
        Ok(statistics)
    }
}
