//! Reading a table from bytes, wherever they are.

use super::{
    checked_set::CheckedSet,
    error::TableError,
    index::{EXTENT_CHECKSUM_LEN, Extent, IndexEntry},
    layout::PAGE_LEN,
    structure::{BlockStatistics, Structure, no_block},
    table_header::{BlockNumbering, TableHeader},
};
use crate::{
    codec::{Block, Codec, Stored, packed::Packed},
    header::Header,
    numbering::Location,
};

/// A table in bytes: owned, borrowed, static or mapped. `H` is the header of its kind of table.
///
/// Opening checks the preamble, the header and every length. Each index page and each block is checked when
/// it is first touched. Afterwards the bytes must not change.
///
/// ```no_run
/// use dragnet_formats::{cell::Cell, container::Reader, value::Value};
///
/// let table = Reader::open(std::fs::read("board.dtb")?)?;
/// let (police, thief) = (Cell::new(0, 0), Cell::new(3, 4));
/// if let Some(at) = table.numbering().positions().locate(0, police, thief) {
///     let code = table.block(at.block)?.code(at.slot)?;
///     println!("{:?} with the police to move", Value::from_code(code));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader<D, H: TableHeader = Header> {
    data: D,
    structure: Structure<H>,
    good_pages: CheckedSet,
    good_blocks: CheckedSet,
}

impl<D: AsRef<[u8]>> Reader<D> {
    /// Opens the pursuit table in `data`: [`Reader::open_as`] for the header that most tables have.
    ///
    /// # Errors
    /// As for [`Reader::open_as`].
    pub fn open(data: D) -> Result<Reader<D>, TableError> {
        Reader::open_as(data)
    }
}

impl<D: AsRef<[u8]>, H: TableHeader> Reader<D, H> {
    /// Opens the table in `data`. Reads the header, and neither the index nor the blocks.
    ///
    /// # Errors
    /// When the bytes are not a table of a known version and of this kind, cut short, or altered in the
    /// header. Allocates in proportion to the bytes that there are, whatever they say.
    pub fn open_as(data: D) -> Result<Reader<D, H>, TableError> {
        let file = data.as_ref();
        let structure = Structure::<H>::read(file, file.len() as u64)?;
        Ok(Reader {
            good_pages: CheckedSet::new(structure.layout().pages),
            good_blocks: CheckedSet::new(structure.numbering().block_count()),
            data,
            structure,
        })
    }

    /// Returns everything that is known of the table beside its index and blocks.
    #[must_use]
    #[inline(always)]
    pub fn structure(&self) -> &Structure<H> {
        &self.structure
    }

    /// Returns the table's header.
    #[must_use]
    pub fn header(&self) -> &H {
        self.structure.header()
    }

    /// Returns the numbering of the table's positions.
    #[must_use]
    pub fn numbering(&self) -> &H::Numbering {
        self.structure.numbering()
    }

    /// Returns the number of bytes of the whole table.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        self.data.as_ref().len() as u64
    }

    /// Returns the bytes of the whole table.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.data.as_ref()
    }

    /// Returns the number of bytes of the index.
    #[must_use]
    pub fn index_len(&self) -> u64 {
        self.structure.index_len()
    }

    /// Returns the number of bytes of memory that the open table takes beside its own bytes and the board.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.numbering().memory() + self.good_pages.memory() + self.good_blocks.memory()
    }

    /// Returns the index entry of block number `block`.
    ///
    /// # Errors
    /// When its page is damaged or its entry impossible, or there is no such block.
    pub fn entry(&self, block: u64) -> Result<IndexEntry, TableError> {
        let page = self.structure.page_of(block).ok_or_else(|| no_block(block))?;
        if !self.good_pages.get(page) {
            self.structure.check_page(page, self.page(page, block)?)?;
            self.good_pages.set(page);
        }
        self.unchecked_entry(block)
    }

    /// Returns the bytes of index page number `page`, which is that of `block`.
    #[inline(always)]
    fn page(&self, page: u64, block: u64) -> Result<&[u8; PAGE_LEN], TableError> {
        let at = self.structure.page_offset(page) as usize;
        self.data.as_ref().get(at..).and_then(|rest| rest.first_chunk()).ok_or_else(|| no_block(block))
    }

    /// Returns the entry of a block without a check of its page.
    #[inline(always)]
    fn unchecked_entry(&self, block: u64) -> Result<IndexEntry, TableError> {
        let page = self.structure.page_of(block).ok_or_else(|| no_block(block))?;
        self.structure.entry_in_page(self.page(page, block)?, block)
    }

    /// Returns the bytes of an extent, including its checksum.
    #[inline(always)]
    fn extent_bytes(&self, block: u64, extent: Extent) -> Result<&[u8], TableError> {
        let begin = self.structure.extent_offset(extent) as usize;
        let bytes = self.data.as_ref().get(begin..begin + extent.len as usize);
        bytes.ok_or_else(|| TableError::Entry { block, entry: IndexEntry::Extent(extent).to_bits() })
    }

    /// Returns the bytes of an extent of the index after its checksum.
    ///
    /// # Errors
    /// When the table has no such bytes.
    #[inline(always)]
    pub fn body(&self, block: u64, extent: Extent) -> Result<&[u8], TableError> {
        match self.extent_bytes(block, extent)?.get(EXTENT_CHECKSUM_LEN..) {
            Some(body) => Ok(body),
            None => Err(no_block(block)),
        }
    }

    /// Checks everything about a block that needs no decompression, and marks it good.
    #[cold]
    fn check(&self, block: u64, slots: u32) -> Result<(), TableError> {
        match self.entry(block)? {
            IndexEntry::Constant(_) if slots == 0 => return Err(no_block(block)),
            IndexEntry::Constant(code) => self.structure.check_constant(block, code)?,
            IndexEntry::Extent(extent) => {
                self.structure.check_extent(block, extent, self.extent_bytes(block, extent)?, slots)?;
            }
        }
        self.good_blocks.set(block);
        Ok(())
    }

    /// Returns the block of a location in [`Reader::numbering`], as it lies in the table. The cost does not
    /// grow with the table. When a block is first touched, its checksum is checked.
    ///
    /// # Errors
    /// When the block or its index entry is damaged.
    #[inline(always)]
    pub fn stored(&self, at: Location) -> Result<Stored<'_>, TableError> {
        match self.good_entry(at)? {
            IndexEntry::Constant(code) => Ok(Stored::Constant(code)),
            IndexEntry::Extent(extent) => {
                let body = self.body(at.block, extent)?;
                Stored::new(extent.codec, body, at.slots)
                    .map_err(|source| TableError::Block { block: at.block, source })
            }
        }
    }

    /// Returns the code at a location in [`Reader::numbering`], or `None` if its block is compressed.
    ///
    /// Returns the same code as [`Reader::stored`], but faster: the block's shape stays in registers. In
    /// memory it would be written in pieces and read as a whole, for which a processor waits until everything
    /// before is done, including a cache miss.
    ///
    /// # Errors
    /// When the block or its index entry is damaged.
    #[inline(always)]
    pub fn code_in_place(&self, at: Location) -> Result<Option<u32>, TableError> {
        match self.good_entry(at)? {
            IndexEntry::Constant(code) => Ok(Some(code)),
            IndexEntry::Extent(extent) => {
                let body = self.body(at.block, extent)?;
                match extent.codec {
                    Codec::Packed => {
                        match Packed::new(body, at.slots).and_then(|packed| packed.code(at.slot)) {
                            Ok(code) => Ok(Some(code)),
                            Err(source) => Err(TableError::Block { block: at.block, source }),
                        }
                    }
                    Codec::Zstd => Ok(None),
                }
            }
        }
    }

    /// Returns whether block number `block` has been asked for and found whole, as far as that needs no
    /// decompression.
    #[must_use]
    #[inline(always)]
    pub fn is_checked(&self, block: u64) -> bool {
        self.good_blocks.get(block)
    }

    /// Returns the index entry of the block of a location in [`Reader::numbering`]. The block has been
    /// checked, now or before, as far as that needs no decompression.
    ///
    /// # Errors
    /// When the block or its index entry is damaged.
    #[inline(always)]
    pub fn good_entry(&self, at: Location) -> Result<IndexEntry, TableError> {
        if !self.good_blocks.get(at.block) {
            self.check(at.block, at.slots)?;
        }
        self.unchecked_entry(at.block)
    }

    /// Returns the contents of block number `block`, decompressed if need be.
    ///
    /// # Errors
    /// When the block or its index entry is damaged, or there is no such block.
    pub fn block(&self, block: u64) -> Result<Block<'_>, TableError> {
        let at = Location { block, slot: 0, slots: self.numbering().slots(block) };
        self.stored(at)?.decompress().map_err(|source| TableError::Block { block, source })
    }

    /// Checks every index page and every block: checksums, palettes, every slot's index, and that the blocks
    /// fill the data without gap or overlap. Does not compute a checksum again that this reader has found
    /// right before. Takes up to 100 bytes of memory per block. Calls `progress` with the number of blocks
    /// done.
    ///
    /// # Errors
    /// The first damage found.
    pub fn check_all(&self, mut progress: impl FnMut(u64)) -> Result<BlockStatistics, TableError> {
        self.check_while(|done| {
            progress(done);
            Ok(())
        })
    }

    /// Checks what [`Reader::check_all`] checks, unless `progress` ends that with an error.
    ///
    /// # Errors
    /// The first damage found, or what `progress` returns.
    pub fn check_while<E: From<TableError>>(
        &self,
        progress: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<BlockStatistics, E> {
        let mut codes = Vec::new();
        let read = |block, slots| {
            let read = self.block(block)?.codes(slots, &mut codes);
            Ok(read.map_err(|source| TableError::Block { block, source })?)
        };
        self.structure.check_all(|block| Ok(self.entry(block)?), read, progress)
    }
}
