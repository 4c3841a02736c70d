//! The structure of a table, which is known before its index and blocks are read, and the checks that all
//! readers make.

use super::{
    error::TableError,
    index::{EXTENT_CHECKSUM_LEN, Extent, IndexEntry, check_page},
    layout::{ENTRY_LEN, Layout, PAGE_ENTRIES, PAGE_LEN},
    preamble::Preamble,
    table_header::{BlockNumbering, TableHeader},
};
use crate::{
    checksum::Seed,
    codec::{BlockError, Codec, packed::Packed, value_of},
};
use std::collections::HashMap;

/// The header of a table, the numbering of its blocks, and the places of its parts: everything that
/// [`Reader`](super::Reader) and readers of files have in common. It holds none of the table's other bytes; a
/// reader hands them over to be checked.
#[derive(Debug)]
pub struct Structure<H: TableHeader> {
    header: H,
    numbering: H::Numbering,
    layout: Layout,
    data_len: u64,
    seed: Seed,
}

/// The blocks of a table, counted by how they are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockStatistics {
    /// The number of blocks.
    pub blocks: u64,
    /// The blocks with one code, which take no bytes.
    pub constant: u64,
    /// The blocks that share the extent of an earlier one.
    pub shared: u64,
    /// The packed extents.
    pub packed: u64,
    /// The bytes of the packed extents.
    pub packed_bytes: u64,
    /// The extents compressed with zstd.
    pub zstd: u64,
    /// The bytes of the extents compressed with zstd.
    pub zstd_bytes: u64,
}

/// Returns the error for a block that the table does not have.
#[cold]
pub(super) fn no_block(block: u64) -> TableError {
    TableError::Entry { block, entry: 0 }
}

impl<H: TableHeader> Structure<H> {
    /// Reads the structure of a table of `file_len` bytes from `start`: the file's bytes up to the index, or
    /// more.
    ///
    /// # Errors
    /// When the bytes are not a table of a known version and of this kind, cut short, or altered in the
    /// header. [`TableError::Truncated`] with `expected` of at most `file_len` says that `start` must have so
    /// many bytes. Allocates in proportion to `start` until the table is known to have its index, whatever
    /// the bytes say.
    pub fn read(start: &[u8], file_len: u64) -> Result<Structure<H>, TableError> {
        let (preamble, header_bytes) = Preamble::read(start)?;
        let header = H::read(header_bytes)?;
        let layout = Layout::new(preamble.header_len, header.block_count());
        // At most 2^40 blocks and so 2^44 bytes of index: only the data length, any number, can overflow.
        let expected = layout.data.saturating_add(preamble.data_len);
        if file_len < expected {
            return Err(TableError::Truncated { expected, found: file_len });
        }
        if file_len > expected {
            return Err(TableError::Trailing { expected, found: file_len });
        }
        let Some(padding) = start.get(layout.header_end as usize..layout.index as usize) else {
            return Err(TableError::Truncated { expected: layout.index, found: start.len() as u64 });
        };
        if let Some(i) = padding.iter().position(|&b| b != 0) {
            return Err(TableError::Reserved {
                offset: layout.header_end + i as u64,
                found: padding[i].into(),
            });
        }
        // The cells take memory only now, when the file is known to have its index.
        let numbering = header.numbering();
        Ok(Structure {
            seed: Seed::of_header(header_bytes),
            data_len: preamble.data_len,
            header,
            numbering,
            layout,
        })
    }

    /// Returns the table's header.
    #[must_use]
    #[inline(always)]
    pub fn header(&self) -> &H {
        &self.header
    }

    /// Returns the division of the table's positions into blocks.
    #[must_use]
    #[inline(always)]
    pub fn numbering(&self) -> &H::Numbering {
        &self.numbering
    }

    /// Returns the places where the parts of the file begin.
    #[must_use]
    #[inline(always)]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns whether `other` is the structure of the same table, as far as header and lengths tell.
    #[must_use]
    pub fn is_same_table(&self, other: &Structure<H>) -> bool {
        (self.layout, self.data_len, self.seed) == (other.layout, other.data_len, other.seed)
    }

    /// Returns the number of bytes of all blocks.
    #[must_use]
    #[inline(always)]
    pub fn data_len(&self) -> u64 {
        self.data_len
    }

    /// Returns the number of bytes of the index.
    #[must_use]
    pub fn index_len(&self) -> u64 {
        self.layout.pages * PAGE_LEN as u64
    }

    /// Returns the number of bytes of the whole table.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        self.layout.data + self.data_len
    }

    /// Returns the number of the index page with the entry of block number `block`, or `None` if the index is
    /// shorter.
    #[must_use]
    #[inline(always)]
    pub fn page_of(&self, block: u64) -> Option<u64> {
        let page = block / PAGE_ENTRIES;
        (page < self.layout.pages).then_some(page)
    }

    /// Returns the place in the file where index page number `page` begins.
    #[must_use]
    #[inline(always)]
    pub fn page_offset(&self, page: u64) -> u64 {
        self.layout.index + page * PAGE_LEN as u64
    }

    /// Checks index page number `page`.
    ///
    /// # Errors
    /// [`TableError::IndexChecksum`] or [`TableError::Reserved`].
    pub fn check_page(&self, page: u64, bytes: &[u8; PAGE_LEN]) -> Result<(), TableError> {
        check_page(self.seed, page, bytes, self.page_offset(page))
    }

    /// Returns the entry of block number `block` in the bytes of its page.
    ///
    /// # Errors
    /// When no table can have such an entry.
    #[inline(always)]
    pub fn entry_in_page(&self, page: &[u8; PAGE_LEN], block: u64) -> Result<IndexEntry, TableError> {
        let at = (block % PAGE_ENTRIES) as usize * ENTRY_LEN;
        match page[at..].first_chunk() {
            Some(&bits) => IndexEntry::from_bits(u64::from_le_bytes(bits), block, self.data_len),
            None => Err(no_block(block)),
        }
    }

    /// Returns the place in the file where an extent begins, with its checksum.
    #[must_use]
    #[inline(always)]
    pub fn extent_offset(&self, extent: Extent) -> u64 {
        self.layout.data + extent.offset
    }

    /// Checks the code of a block in which all slots have the same code.
    ///
    /// # Errors
    /// When no value has the code.
    pub fn check_constant(&self, block: u64, code: u32) -> Result<(), TableError> {
        value_of(code).map(drop).map_err(|source| TableError::Block { block, source })
    }

    /// Checks everything about the extent of block number `block`, with `slots` slots, that needs no
    /// decompression. `bytes` are the bytes of the extent, including the checksum. Returns the body.
    ///
    /// # Errors
    /// [`TableError::Block`] if the bytes have been altered, [`TableError::Entry`] if there is no such block.
    pub fn check_extent<'a>(
        &self,
        block: u64,
        extent: Extent,
        bytes: &'a [u8],
        slots: u32,
    ) -> Result<&'a [u8], TableError> {
        let error = |source| TableError::Block { block, source };
        if slots == 0 {
            return Err(no_block(block));
        }
        let (checksum, body) =
            bytes.split_first_chunk::<EXTENT_CHECKSUM_LEN>().ok_or_else(|| no_block(block))?;
        let expected = u32::from_le_bytes(*checksum);
        let found = self.seed.checksum(&[&extent.offset.to_le_bytes(), body]);
        if expected != found {
            return Err(error(BlockError::Checksum { expected, found }));
        }
        if extent.codec == Codec::Packed {
            Packed::new(body, slots).and_then(|packed| packed.check()).map_err(error)?;
        }
        Ok(body)
    }

    /// Checks the whole table. `entry` must return the index entry of a block, from a checked page. `read`
    /// must read a block with this number of slots and look at every slot; of blocks that share an extent it
    /// is called for one. This function itself checks that the blocks fill the data without gap or overlap.
    /// It calls `progress` with the number of blocks done, and takes up to 100 bytes of memory per block.
    ///
    /// # Errors
    /// The first damage found, or what `progress` returns.
    pub fn check_all<E: From<TableError>>(
        &self,
        mut entry: impl FnMut(u64) -> Result<IndexEntry, E>,
        mut read: impl FnMut(u64, u32) -> Result<(), E>,
        mut progress: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<BlockStatistics, E> {
        let mut statistics = BlockStatistics { blocks: self.numbering.block_count(), ..Default::default() };
        let mut extents: Vec<Extent> = Vec::new();
        let mut seen = HashMap::new();
        for block in 0..statistics.blocks {
            let slots = self.numbering.slots(block);
            match entry(block)? {
                IndexEntry::Constant(_) => {
                    read(block, slots)?;
                    statistics.constant += 1;
                }
                IndexEntry::Extent(extent) => {
                    // A shared extent is checked once, but for each number of slots that is claimed for it.
                    let known = seen.insert((extent.offset, extent.len), (extent.codec, slots));
                    if known.is_some() {
                        statistics.shared += 1;
                    } else {
                        extents.push(extent);
                    }
                    if known != Some((extent.codec, slots)) {
                        read(block, slots)?;
                    }
                }
            }
            progress(block + 1)?;
        }
        extents.sort_unstable_by_key(|extent| extent.offset);
        let mut end = 0;
        for extent in &extents {
            if extent.offset != end {
                return Err(TableError::Extents { expected: end, found: extent.offset }.into());
            }
            end += extent.len;
            match extent.codec {
                Codec::Packed => {
                    statistics.packed += 1;
                    statistics.packed_bytes += extent.len;
                }
                Codec::Zstd => {
                    statistics.zstd += 1;
                    statistics.zstd_bytes += extent.len;
                }
            }
        }
        if end != self.data_len {
            return Err(TableError::Extents { expected: end, found: self.data_len }.into());
        }
        let unused = statistics.blocks % PAGE_ENTRIES;
        if unused != 0 {
            for block in statistics.blocks..statistics.blocks + PAGE_ENTRIES - unused {
                let entry = entry(block)?;
                if entry != IndexEntry::Constant(0) {
                    return Err(TableError::Entry { block, entry: entry.to_bits() }.into());
                }
            }
        }
        Ok(statistics)
    }
}
