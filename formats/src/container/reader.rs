//! Reading a table from bytes, wherever they are.

use super::{
    TableError,
    index::{Entry, Extent, Kind, check_page},
    layout::{ENTRY_LEN, Layout, PAGE_ENTRIES, PAGE_LEN, Preamble},
};
use crate::{
    checksum::Seed,
    codec::{Block, BlockError, packed::Packed, value_of, zstd::Unzipped},
    header::Header,
    numbering::Numbering,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// A table in bytes: owned, borrowed, static or mapped.
///
/// Opening checks the preamble, the header and every length. Each index page and each block is checked when it is
/// first touched. Afterwards the bytes must not change.
#[derive(Debug)]
pub struct Reader<D> {
    data: D,
    header: Header,
    numbering: Numbering,
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
    #[inline]
    fn get(&self, i: u64) -> bool {
        self.0.get((i / 64) as usize).is_some_and(|word| word.load(Ordering::Relaxed) >> (i % 64) & 1 == 1)
    }

    fn set(&self, i: u64) {
        if let Some(word) = self.0.get((i / 64) as usize) {
            word.fetch_or(1 << (i % 64), Ordering::Relaxed);
        }
    }
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
    /// Opens the table in `data`. Cheap: reads the header, not the index or the blocks.
    ///
    /// # Errors
    /// When the bytes are not a table of a known version, cut short, or altered in the header. Allocates in
    /// proportion to the bytes that are there, whatever they say.
    pub fn open(data: D) -> Result<Reader<D>, TableError> {
        let file = data.as_ref();
        let (preamble, header_bytes) = Preamble::read(file)?;
        let header = Header::from_bytes(header_bytes)?;
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
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Where its positions are.
    #[must_use]
    pub fn numbering(&self) -> &Numbering {
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

    /// What the index says of block number `block`.
    ///
    /// # Errors
    /// When its page is damaged or its entry impossible, or there is no such block.
    #[inline]
    pub fn entry(&self, block: u64) -> Result<Entry, TableError> {
        let error = || TableError::Entry { block, entry: 0 };
        let (page, place) = (block / PAGE_ENTRIES, (block % PAGE_ENTRIES) as usize * ENTRY_LEN);
        let at = self.layout.index + page * PAGE_LEN as u64;
        if page >= self.layout.pages {
            return Err(error());
        }
        let bytes: &[u8; PAGE_LEN] =
            self.data.as_ref().get(at as usize..).and_then(|rest| rest.first_chunk()).ok_or_else(error)?;
        if !self.good_pages.get(page) {
            check_page(self.seed, page, bytes, at)?;
            self.good_pages.set(page);
        }
        let entry = bytes[place..].first_chunk().copied().map(u64::from_le_bytes).ok_or_else(error)?;
        Entry::from_bits(entry, block, self.data_len)
    }

    /// The contents of an extent without its checksum, which has been checked now or before.
    #[inline]
    fn body(&self, block: u64, extent: Extent) -> Result<&[u8], TableError> {
        let begin = (self.layout.data + extent.offset) as usize;
        let bytes = self.data.as_ref().get(begin..begin + extent.len as usize);
        let Some((checksum, body)) = bytes.and_then(|bytes| bytes.split_first_chunk()) else {
            return Err(TableError::Entry { block, entry: Entry::Extent(extent).to_bits() });
        };
        if !self.good_blocks.get(block) {
            let (expected, found) =
                (u32::from_le_bytes(*checksum), self.seed.checksum(&[&extent.offset.to_le_bytes(), body]));
            if expected != found {
                return Err(TableError::Block { block, source: BlockError::Checksum { expected, found } });
            }
        }
        Ok(body)
    }

    /// The contents of block number `block`. Costs nothing that grows with the table; a zstd block is unzipped.
    ///
    /// # Errors
    /// When the block or its place in the index is damaged, or there is no such block.
    #[inline]
    pub fn block(&self, block: u64) -> Result<Block<'_>, TableError> {
        match self.entry(block)? {
            Entry::Constant(code) => Ok(Block::Constant(code)),
            Entry::Extent(_) if block >= self.numbering.block_count() => {
                Err(TableError::Entry { block, entry: 0 })
            }
            Entry::Extent(extent) => self.extent(block, extent, self.numbering.slots(block)),
        }
    }

    /// The code of one slot of block number `block`, if it can be read in place; `None` if the block is zstd, which
    /// [`Reader::block`] unzips.
    ///
    /// # Errors
    /// As for [`Reader::block`], and when the block has no such slot.
    #[inline]
    pub fn code_in_place(&self, block: u64, slot: u32) -> Result<Option<u32>, TableError> {
        match self.entry(block)? {
            Entry::Constant(code) => Ok(Some(code)),
            Entry::Extent(_) if block >= self.numbering.block_count() => {
                Err(TableError::Entry { block, entry: 0 })
            }
            Entry::Extent(extent) if extent.kind == Kind::Packed => {
                let packed = self.packed(block, extent, self.numbering.slots(block))?;
                packed.code(slot).map(Some).map_err(|source| TableError::Block { block, source })
            }
            Entry::Extent(_) => Ok(None),
        }
    }

    /// The contents of block number `block`, whose entry and slots are known.
    fn extent(&self, block: u64, extent: Extent, slots: u32) -> Result<Block<'_>, TableError> {
        match extent.kind {
            Kind::Packed => self.packed(block, extent, slots).map(Block::Packed),
            Kind::Zstd => {
                let body = self.body(block, extent)?;
                let unzipped =
                    Unzipped::new(body, slots).map_err(|source| TableError::Block { block, source })?;
                self.good_blocks.set(block);
                Ok(Block::Unzipped(unzipped))
            }
        }
    }

    /// The packed contents of block number `block`, whose entry and slots are known.
    #[inline]
    fn packed(&self, block: u64, extent: Extent, slots: u32) -> Result<Packed<'_>, TableError> {
        let error = |source| TableError::Block { block, source };
        let packed = Packed::new(self.body(block, extent)?, slots).map_err(error)?;
        if !self.good_blocks.get(block) {
            packed.check().map_err(error)?;
            self.good_blocks.set(block);
        }
        Ok(packed)
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
                Entry::Constant(code) => {
                    value_of(code).map_err(|source| TableError::Block { block, source })?;
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
                        let contents = self.extent(block, extent, slots)?;
                        contents
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
            end += u64::from(extent.len);
            match extent.kind {
                Kind::Packed => {
                    statistics.packed += 1;
                    statistics.packed_bytes += u64::from(extent.len);
                }
                Kind::Zstd => {
                    statistics.zstd += 1;
                    statistics.zstd_bytes += u64::from(extent.len);
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
