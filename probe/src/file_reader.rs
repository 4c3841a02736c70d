//! Reading a table from its file: each part is copied, and the copy checked, before it is looked at.

use crate::{ProbeError, cache::KeptBlock, table_file::TableFile};
use dragnet_formats::{
    codec::Block,
    container::{
        BlockNumbering, BlockStatistics, Structure, TableError, TableHeader,
        index::{Extent, IndexEntry},
        layout::PAGE_LEN,
    },
};
use std::sync::OnceLock;

/// A table in a file. Opening reads the header; a page of the index is read when it is first asked for, and
/// kept. Blocks are read whenever they are asked for: keeping them is the caller's.
#[derive(Debug)]
pub(crate) struct FileReader<H: TableHeader> {
    file: TableFile,
    structure: Structure<H>,
    /// The pages of the index that have been read and checked.
    pages: Box<[OnceLock<Box<[u8; PAGE_LEN]>>]>,
    /// Copies of the data section, [`WINDOW`] bytes each, read when a block in them is first asked for; none
    /// if there is no room for all. Nothing in them has been checked.
    windows: Box<[OnceLock<Box<[u8]>>]>,
}

/// Bytes that are read at once where there is room to keep them. A call of the system costs more than the
/// blocks of a table optimised for speed, of 3 KiB or so: read one by one, they took three times as long as
/// from a map.
const WINDOW: u64 = 32 << 10;

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
        let windows = (0..windows).map(|_| OnceLock::new()).collect();
        Ok(FileReader { file, structure, pages, windows })
    }

    /// Bytes of the data section that are kept once all has been asked for.
    pub(crate) fn window_bytes(&self) -> u64 {
        if self.windows.is_empty() { 0 } else { self.structure.data_len() }
    }

    #[inline(always)]
    pub(crate) fn structure(&self) -> &Structure<H> {
        &self.structure
    }

    /// Bytes of memory that the reader takes beside its numbering and the pages of the index that have been
    /// read.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.pages) + size_of_val(&*self.windows)
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

    /// Returns the checked contents of block number `block`, with `slots` slots, which are in this extent:
    /// from a window, else from the file.
    pub(crate) fn contents(&self, block: u64, extent: Extent, slots: u32) -> Result<KeptBlock, ProbeError> {
        if let Some(bytes) = self.in_windows(extent)
            && self.structure.check_extent(block, extent, &bytes, slots).is_ok()
        {
            let contents = KeptBlock::new(extent.codec, bytes, slots);
            return Ok(contents.map_err(|source| TableError::Block { block, source })?);
        }
        // A window may have been read while the file was being changed, or past its new end.
        self.read_contents(block, extent, slots)
    }

    /// Copies the bytes of an extent from their windows, which are read if they have not been; `None` if that
    /// fails, or there are no windows.
    fn in_windows(&self, extent: Extent) -> Option<Vec<u8>> {
        let (mut offset, end) = (extent.offset, extent.offset + extent.len);
        let mut bytes = Vec::with_capacity(extent.len as usize);
        while offset < end {
            let number = offset / WINDOW;
            let window = self.windows.get(number as usize)?;
            let window = match window.get() {
                Some(window) => window,
                None => {
                    let read = self.read_window(number).ok()?;
                    window.get_or_init(|| read)
                }
            };
            let from = (offset % WINDOW) as usize;
            let part = &window[from..window.len().min(from + (end - offset) as usize)];
            bytes.extend_from_slice(part);
            offset += part.len() as u64;
        }
        Some(bytes)
    }

    #[cold]
    fn read_window(&self, number: u64) -> Result<Box<[u8]>, ProbeError> {
        let begin = number * WINDOW;
        let mut bytes = vec![0; (self.structure.data_len() - begin).min(WINDOW) as usize];
        self.file.read_at(self.structure.layout().data + begin, &mut bytes)?;
        Ok(bytes.into())
    }

    /// Reads and checks the contents of a block like [`FileReader::contents`], from the file in any case.
    fn read_contents(&self, block: u64, extent: Extent, slots: u32) -> Result<KeptBlock, ProbeError> {
        // The structure has checked that the extent ends within the file, and an extent has at most 4 MiB.
        let mut bytes = vec![0; extent.len as usize];
        self.file.read_at(self.structure.extent_offset(extent), &mut bytes)?;
        self.structure.check_extent(block, extent, &bytes, slots)?;
        let contents = KeptBlock::new(extent.codec, bytes, slots);
        Ok(contents.map_err(|source| TableError::Block { block, source })?)
    }

    /// Puts the codes of block number `block` into `codes`, slot by slot.
    pub(crate) fn codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
        let slots = self.structure.numbering().slots(block);
        if slots == 0 {
            return Err(no_block(block));
        }
        let read = match self.entry(block)? {
            IndexEntry::Constant(code) => Block::Constant(code).codes(slots, codes),
            IndexEntry::Extent(extent) => self.read_contents(block, extent, slots)?.into_codes(slots, codes),
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
