//! The parts of the file: where they begin, and how long they are.

use std::ops::Range;

/// The first bytes of every table. The first byte is not text, and the line ends are altered by a copy in
/// text mode.
pub const MAGIC: [u8; 8] = [0x89, b'D', b'T', b'B', b'\r', b'\n', 0x1A, b'\n'];
/// The version of the format (`FORMAT.md`).
pub const VERSION: u16 = 2;
/// The number of bytes before the header.
pub const PREAMBLE_LEN: usize = CHECKSUM.end;
/// The number of bytes of an index page, and the boundary on which the index begins.
pub const PAGE_LEN: usize = 512;
/// The number of bytes of an index entry.
pub const ENTRY_LEN: usize = 8;
/// The number of entries of an index page; the last eight bytes hold the page's checksum.
pub const PAGE_ENTRIES: u64 = (PAGE_LEN / ENTRY_LEN) as u64 - 1;
/// The number of bytes of blocks that an index entry can point into.
pub const MAX_DATA_LEN: u64 = 1 << 40;

/// The end of the magic, where the version begins.
pub(super) const AFTER_MAGIC: usize = MAGIC.len();
pub(super) const RESERVED: Range<usize> = AFTER_MAGIC + 2..AFTER_MAGIC + 4;
pub(super) const HEADER_LEN: Range<usize> = RESERVED.end..RESERVED.end + 4;
pub(super) const DATA_LEN: Range<usize> = HEADER_LEN.end..HEADER_LEN.end + 8;
pub(super) const CHECKSUM: Range<usize> = DATA_LEN.end..DATA_LEN.end + 4;

/// The places where the parts of a file begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The end of the header.
    pub header_end: u64,
    /// The beginning of the index.
    pub index: u64,
    /// The number of pages of the index.
    pub pages: u64,
    /// The beginning of the blocks.
    pub data: u64,
}

impl Layout {
    /// Returns the layout of a table with a header of `header_len` bytes and `blocks` blocks.
    #[must_use]
    pub fn new(header_len: u32, blocks: u64) -> Layout {
        let header_end = PREAMBLE_LEN as u64 + u64::from(header_len);
        let index = header_end.next_multiple_of(PAGE_LEN as u64);
        let pages = blocks.div_ceil(PAGE_ENTRIES);
        Layout { header_end, index, pages, data: index + pages * PAGE_LEN as u64 }
    }
}
