//! Reading a table from its file: each part is copied, and the copy checked, before it is looked at.

use crate::{ProbeError, cache::KeptBlock, table_file::TableFile};
use dragnet_formats::{
    codec::{Block, Codec, Stored, packed::Packed},
    container::{
        BlockNumbering, BlockStatistics, Marks, Structure, TableError, TableHeader,
        index::{EXTENT_CHECKSUM_LEN, Extent, IndexEntry},
        layout::PAGE_LEN,
    },
    numbering::Location,
};
use std::{cell::RefCell, sync::OnceLock};

/// A table in a file. Opening reads the header; a page of the index is read when it is first asked for, and
/// kept. Blocks are kept in windows if there is room for all of them; to keep others is left to the caller.
#[derive(Debug)]
pub(crate) struct FileReader<H: TableHeader> {
    file: TableFile,
    structure: Structure<H>,
    /// The pages of the index that have been read and checked.
    pages: Box<[OnceLock<Box<[u8; PAGE_LEN]>>]>,
    /// Copies of the data section, one from each multiple of [`WINDOW`] on, read when a block in them is
    /// asked for again; none if there is no room for all.
    windows: Box<[OnceLock<Box<[u8]>>]>,
    /// The blocks that have been checked in their window.
    good_blocks: Marks,
    /// The packed blocks of which a value has been asked.
    asked_blocks: Marks,
}

/// Where a block is found.
pub(crate) enum Located<'a> {
    /// In the index or a window.
    Here(Stored<'a>),
    /// In the file alone.
    InFile(Extent),
}

/// Bytes between the beginnings of two windows. A window holds some ten to twenty blocks of a table optimised
/// for speed, which are then read in place, as from a map.
const WINDOW: u64 = 32 << 10;

/// Bytes of most packed blocks, or more. By so many a window reaches into the next one; a block that ends
/// beyond that is read by itself.
const SHORT: usize = 4 << 10;

thread_local! {
    /// Room for a block that is not kept. (On the stack it would have to be cleared each time.)
    static BUFFER: RefCell<[u8; SHORT]> = const { RefCell::new([0; SHORT]) };
}

/// Returns the code at a place of a packed block with this body.
#[inline(always)]
fn packed_code(at: Location, body: &[u8]) -> Result<u32, ProbeError> {
    match Packed::new(body, at.slots).and_then(|packed| packed.code(at.slot)) {
        Ok(code) => Ok(code),
        Err(source) => Err(TableError::Block { block: at.block, source }.into()),
    }
}

#[cold]
fn no_block(block: u64) -> ProbeError {
    TableError::Entry { block, entry: 0 }.into()
}

impl<H: TableHeader> FileReader<H> {
    /// Opens the table in `file`; the data section is copied in large pieces if it has at most `room` bytes.
    pub(crate) fn open(file: TableFile, room: u64) -> Result<FileReader<H>, ProbeError> {
        let structure = file.parse_start(Structure::<H>::read)?;
        let pages = (0..structure.layout().pages).map(|_| OnceLock::new()).collect();
        let data_len = structure.data_len();
        let windows = if data_len <= room { data_len.div_ceil(WINDOW) } else { 0 };
        let windows: Box<[OnceLock<Box<[u8]>>]> = (0..windows).map(|_| OnceLock::new()).collect();
        let blocks = if windows.is_empty() { 0 } else { structure.numbering().block_count() };
        let asked_blocks = Marks::new(structure.numbering().block_count());
        Ok(FileReader { file, structure, pages, windows, good_blocks: Marks::new(blocks), asked_blocks })
    }

    /// Returns the bytes of the data section that are kept once all has been asked for.
    pub(crate) fn window_bytes(&self) -> u64 {
        let overlaps = (self.windows.len() as u64).saturating_sub(1) * SHORT as u64;
        if self.windows.is_empty() { 0 } else { self.structure.data_len() + overlaps }
    }

    #[inline(always)]
    pub(crate) fn structure(&self) -> &Structure<H> {
        &self.structure
    }

    /// Returns the bytes of memory that the reader takes beside its numbering and the pages of the index that
    /// have been read.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.pages)
            + size_of_val(&*self.windows)
            + self.good_blocks.memory()
            + self.asked_blocks.memory()
    }

    /// Returns what the index says of block number `block`.
    #[inline]
    pub(crate) fn entry(&self, block: u64) -> Result<IndexEntry, ProbeError> {
        let page = self.structure.page_of(block).ok_or_else(|| no_block(block))?;
        let bytes = match self.pages[page as usize].get() {
            Some(bytes) => bytes,
            None => {
                let bytes = self.read_page(page)?;
                self.pages[page as usize].get_or_init(|| bytes)
            }
        };
        Ok(self.structure.entry_in_page(bytes, block)?)
    }

    #[cold]
    fn read_page(&self, page: u64) -> Result<Box<[u8; PAGE_LEN]>, ProbeError> {
        let mut bytes = Box::new([0; PAGE_LEN]);
        self.file.read_at(self.structure.page_offset(page), &mut *bytes)?;
        self.structure.check_page(page, &bytes)?;
        Ok(bytes)
    }

    /// Finds the block of a place. A block in a window is checked when it is first asked for.
    #[inline]
    pub(crate) fn locate(&self, at: Location) -> Result<Located<'_>, ProbeError> {
        match self.entry(at.block)? {
            IndexEntry::Constant(code) => Ok(Located::Here(Stored::Constant(code))),
            IndexEntry::Extent(extent) => match self.body_in_window(at, extent) {
                Some(body) => match Stored::new(extent.codec, body, at.slots) {
                    Ok(stored) => Ok(Located::Here(stored)),
                    Err(source) => Err(TableError::Block { block: at.block, source }.into()),
                },
                None => Ok(Located::InFile(extent)),
            },
        }
    }

    /// Returns the code at a place, or `None` if its block must be read to be kept, or decompressed.
    #[inline(always)]
    pub(crate) fn code_in_place(&self, at: Location) -> Result<Option<u32>, ProbeError> {
        match self.entry(at.block)? {
            IndexEntry::Constant(code) => Ok(Some(code)),
            IndexEntry::Extent(extent) if extent.codec == Codec::Packed => {
                if !self.asked_blocks.get(at.block) {
                    return self.first_code(at, extent);
                }
                let Some(body) = self.body_in_window(at, extent) else { return Ok(None) };
                packed_code(at, body).map(Some)
            }
            IndexEntry::Extent(_) => Ok(None),
        }
    }

    /// Returns the code at a place of a packed block that has not been asked before, or `None` if the block
    /// is long. The block is not kept: many blocks are asked once, and to read such a one again costs less
    /// than the memory to keep it, which the system must clear and map first (1.7 microseconds a page on the
    /// machine of `tools/bench`).
    #[inline(never)]
    fn first_code(&self, at: Location, extent: Extent) -> Result<Option<u32>, ProbeError> {
        self.asked_blocks.set(at.block);
        BUFFER.with_borrow_mut(|buffer| {
            let Some(bytes) = buffer.get_mut(..extent.len as usize) else { return Ok(None) };
            self.file.read_at(self.structure.extent_offset(extent), bytes)?;
            packed_code(at, self.structure.check_extent(at.block, extent, bytes, at.slots)?).map(Some)
        })
    }

    /// Returns the checked body of a block in its window, or `None` if it is in none, or damaged there: the
    /// window may have been read while the file was being changed.
    #[inline(always)]
    fn body_in_window(&self, at: Location, extent: Extent) -> Option<&[u8]> {
        let number = extent.offset / WINDOW;
        let begin = (extent.offset % WINDOW) as usize;
        let window = match self.windows.get(number as usize)?.get() {
            Some(window) => window,
            None => self.read_window(number)?,
        };
        let bytes = window.get(begin..begin + extent.len as usize)?;
        if !self.good_blocks.get(at.block) {
            self.structure.check_extent(at.block, extent, bytes, at.slots).ok()?;
            self.good_blocks.set(at.block);
        }
        bytes.get(EXTENT_CHECKSUM_LEN..)
    }

    /// Reads a window, unless another thread is quicker. Returns `None` if it cannot be read as a whole.
    #[cold]
    fn read_window(&self, number: u64) -> Option<&[u8]> {
        let begin = number * WINDOW;
        let mut bytes = vec![0; (self.structure.data_len() - begin).min(WINDOW + SHORT as u64) as usize];
        self.file.read_at(self.structure.layout().data + begin, &mut bytes).ok()?;
        Some(self.windows[number as usize].get_or_init(|| bytes.into()))
    }

    /// Reads and checks block number `block`, with `slots` slots, from its extent in the file.
    pub(crate) fn read_block(&self, block: u64, extent: Extent, slots: u32) -> Result<KeptBlock, ProbeError> {
        let contents = KeptBlock::new(extent.codec, self.read_extent(block, extent, slots)?, slots);
        Ok(contents.map_err(|source| TableError::Block { block, source })?)
    }

    /// Reads and checks the bytes of an extent, its checksum included.
    fn read_extent(&self, block: u64, extent: Extent, slots: u32) -> Result<Vec<u8>, ProbeError> {
        // The structure has checked that the extent ends within the file, and an extent has at most 4 MiB.
        let mut bytes = vec![0; extent.len as usize];
        self.file.read_at(self.structure.extent_offset(extent), &mut bytes)?;
        self.structure.check_extent(block, extent, &bytes, slots)?;
        Ok(bytes)
    }

    /// Puts the codes of block number `block` into `codes`, slot by slot.
    pub(crate) fn codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
        let slots = self.structure.numbering().slots(block);
        if slots == 0 {
            return Err(no_block(block));
        }
        let read = match self.entry(block)? {
            IndexEntry::Constant(code) => Block::Constant(code).codes(slots, codes),
            IndexEntry::Extent(extent) => {
                let bytes = self.read_extent(block, extent, slots)?;
                let stored = Stored::new(extent.codec, &bytes[EXTENT_CHECKSUM_LEN..], slots);
                stored.and_then(Stored::decompress).and_then(|block| block.codes(slots, codes))
            }
        };
        Ok(read.map_err(|source| TableError::Block { block, source })?)
    }

    /// Reads everything anew and checks it; fails if the file has changed since it was opened.
    pub(crate) fn check_all(&self, progress: impl FnMut(u64)) -> Result<BlockStatistics, ProbeError> {
        let structure = self.file.parse_start(Structure::<H>::read)?;
        if !structure.is_same_table(&self.structure) {
            return Err(self.file.changed());
        }
        // A page that is kept may differ from what is in the file by now.
        let mut last: Option<(u64, Box<[u8; PAGE_LEN]>)> = None;
        let entry = |block| {
            let page = self.structure.page_of(block).ok_or_else(|| no_block(block))?;
            let bytes = match &mut last {
                Some((number, bytes)) if *number == page => bytes,
                last => &mut last.insert((page, self.read_page(page)?)).1,
            };
            Ok(self.structure.entry_in_page(bytes, block)?)
        };
        let mut codes = Vec::new();
        let statistics =
            self.structure.check_all(entry, |block, _| self.codes(block, &mut codes), progress)?;
        self.check_unchanged()?;
        Ok(statistics)
    }

    /// Checks that the file is as long as when it was opened, and has not been written to since as far as the
    /// system knows.
    pub(crate) fn check_unchanged(&self) -> Result<(), ProbeError> {
        self.file.check_unchanged()
    }
}
