//! Reading a table piece by piece: each part is copied, and the copy checked, before it is looked at.

use crate::{ProbeError, source::Source};
use dragnet_formats::{
    codec::{Block, Stored},
    container::{
        BlockNumbering, BlockStatistics, Structure, TableError, TableHeader,
        index::{Extent, IndexEntry},
        layout::PAGE_LEN,
    },
};
use std::sync::OnceLock;

/// A table in a source. Opening reads the header; a page of the index is read when it is first asked for, and
/// kept. To keep blocks is left to the caller.
#[derive(Debug)]
pub(crate) struct SourceReader<H: TableHeader> {
    source: Source,
    structure: Structure<H>,
    /// The pages of the index that have been read and checked.
    pages: Box<[OnceLock<Box<[u8; PAGE_LEN]>>]>,
}

#[cold]
fn no_block(block: u64) -> ProbeError {
    TableError::Entry { block, entry: 0 }.into()
}

impl<H: TableHeader> SourceReader<H> {
    /// Opens the table in `source`.
    pub(crate) fn open(source: Source) -> Result<SourceReader<H>, ProbeError> {
        let structure = source.parse_start(Structure::<H>::read)?;
        let pages = (0..structure.layout().pages).map(|_| OnceLock::new()).collect();
        Ok(SourceReader { source, structure, pages })
    }

    #[inline(always)]
    pub(crate) fn structure(&self) -> &Structure<H> {
        &self.structure
    }

    /// Returns the bytes of memory that the reader takes beside its numbering, once it has read the whole
    /// index.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.pages) + self.pages.len() * PAGE_LEN
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// Returns what the index says of block number `block`.
    #[inline(always)]
    pub(crate) fn entry(&self, block: u64) -> Result<IndexEntry, ProbeError> {
        let Some(page) = self.structure.page_of(block) else { return Err(no_block(block)) };
        let bytes = match self.pages[page as usize].get() {
            Some(bytes) => bytes,
            None => {
                let bytes = self.read_page(page)?;
                self.pages[page as usize].get_or_init(|| bytes)
            }
        };
        Ok(self.structure.entry_in_page(bytes, block)?)
    }

    /// Returns what the index says of block number `block`, if that page of it has been read.
    pub(crate) fn entry_at_hand(&self, block: u64) -> Option<IndexEntry> {
        let bytes = self.pages[self.structure.page_of(block)? as usize].get()?;
        self.structure.entry_in_page(bytes, block).ok()
    }

    #[cold]
    fn read_page(&self, page: u64) -> Result<Box<[u8; PAGE_LEN]>, ProbeError> {
        let mut bytes = Box::new([0; PAGE_LEN]);
        self.source.read_at(self.structure.page_offset(page), &mut *bytes)?;
        self.structure.check_page(page, &bytes)?;
        Ok(bytes)
    }

    /// Reads the extent of block number `block`, with `slots` slots, into `bytes`, and checks it. Returns its
    /// body.
    pub(crate) fn read_extent<'b>(
        &self,
        block: u64,
        extent: Extent,
        slots: u32,
        bytes: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], ProbeError> {
        // The structure has checked that the extent ends within the file, and an extent has at most 4 MiB.
        let len = extent.len as usize;
        if bytes.len() < len {
            bytes.resize(len, 0);
        }
        let bytes = &mut bytes[..len];
        self.source.read_at(self.structure.extent_offset(extent), bytes)?;
        Ok(self.structure.check_extent(block, extent, bytes, slots)?)
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
                let mut bytes = Vec::new();
                let body = self.read_extent(block, extent, slots, &mut bytes)?;
                let stored = Stored::new(extent.codec, body, slots);
                stored.and_then(Stored::decompress).and_then(|block| block.codes(slots, codes))
            }
        };
        Ok(read.map_err(|source| TableError::Block { block, source })?)
    }

    /// Reads everything anew and checks it; fails if the source has changed since it was opened.
    pub(crate) fn check_while(
        &self,
        progress: impl FnMut(u64) -> Result<(), ProbeError>,
    ) -> Result<BlockStatistics, ProbeError> {
        let structure = self.source.parse_start(Structure::<H>::read)?;
        if !structure.is_same_table(&self.structure) {
            return Err(self.source.changed());
        }
        // A page that is kept may differ from what is in the source by now.
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

    /// Checks that the source is as long as when it was opened, and has not been written to since as far as
    /// it knows.
    pub(crate) fn check_unchanged(&self) -> Result<(), ProbeError> {
        self.source.check_unchanged()
    }
}
