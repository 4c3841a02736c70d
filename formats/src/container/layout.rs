//! Where everything stands in the file, and its first bytes.

use super::TableError;
use crate::{checksum::crc32, header::MAX_HEADER_LEN};
use std::ops::Range;

/// The first bytes of every table. The first is no text, and the line ends show a copy in text mode.
pub const MAGIC: [u8; 8] = [0x89, b'D', b'T', b'B', b'\r', b'\n', 0x1A, b'\n'];
/// The version that is written.
pub const VERSION: u16 = 1;
/// The oldest version that is read.
pub const OLDEST_VERSION: u16 = 1;
/// Bytes before the header.
pub const PREAMBLE_LEN: usize = CHECKSUM.end;
/// Bytes of an index page, and the boundary on which the index begins.
pub const PAGE_LEN: usize = 512;
/// Bytes of an index entry.
pub const ENTRY_LEN: usize = 8;
/// Entries of an index page; the last place holds the page's checksum.
pub const PAGE_ENTRIES: u64 = (PAGE_LEN / ENTRY_LEN) as u64 - 1;
/// Bytes of blocks that an index entry can point into.
pub const MAX_DATA_LEN: u64 = 1 << 40;

const AFTER_MAGIC: usize = MAGIC.len();
const RESERVED: Range<usize> = AFTER_MAGIC + 2..AFTER_MAGIC + 4;
const HEADER_LEN: Range<usize> = RESERVED.end..RESERVED.end + 4;
const DATA_LEN: Range<usize> = HEADER_LEN.end..HEADER_LEN.end + 8;
const CHECKSUM: Range<usize> = DATA_LEN.end..DATA_LEN.end + 4;

/// Takes the first `N` bytes off `bytes`.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

/// The lengths that the preamble tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preamble {
    /// Bytes of the header.
    pub header_len: u32,
    /// Bytes of all blocks.
    pub data_len: u64,
}

impl Preamble {
    /// The preamble of a table with this header and data length.
    #[must_use]
    pub fn to_bytes(header: &[u8], data_len: u64) -> [u8; PREAMBLE_LEN] {
        let mut bytes = [0; PREAMBLE_LEN];
        bytes[..AFTER_MAGIC].copy_from_slice(&MAGIC);
        bytes[AFTER_MAGIC..RESERVED.start].copy_from_slice(&VERSION.to_le_bytes());
        bytes[HEADER_LEN].copy_from_slice(&(header.len() as u32).to_le_bytes());
        bytes[DATA_LEN].copy_from_slice(&data_len.to_le_bytes());
        let checksum = crc32(&[&bytes[..CHECKSUM.start], header]);
        bytes[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The preamble at the beginning of `file`, and the header's bytes, both under their checksum.
    ///
    /// # Errors
    /// When the file is no table, of another version, cut short before the header's end, or altered there.
    pub fn read(file: &[u8]) -> Result<(Preamble, &[u8]), TableError> {
        let found = file.len() as u64;
        if !file.starts_with(&MAGIC) {
            let begin = &file[..file.len().min(MAGIC.len())];
            if MAGIC.starts_with(begin) && !begin.is_empty() {
                return Err(TableError::Truncated { expected: PREAMBLE_LEN as u64, found });
            }
            return Err(TableError::Magic { found: begin.to_vec() });
        }
        let mut rest = &file[AFTER_MAGIC..];
        let cut = || TableError::Truncated { expected: PREAMBLE_LEN as u64, found };
        let version = u16::from_le_bytes(take(&mut rest).ok_or_else(cut)?);
        if !(OLDEST_VERSION..=VERSION).contains(&version) {
            return Err(TableError::Version { found: version });
        }
        let reserved = u16::from_le_bytes(take(&mut rest).ok_or_else(cut)?);
        if reserved != 0 {
            return Err(TableError::Reserved { offset: RESERVED.start as u64, found: reserved.into() });
        }
        let header_len = u32::from_le_bytes(take(&mut rest).ok_or_else(cut)?);
        let data_len = u64::from_le_bytes(take(&mut rest).ok_or_else(cut)?);
        let checksum = u32::from_le_bytes(take(&mut rest).ok_or_else(cut)?);
        if header_len > MAX_HEADER_LEN {
            return Err(TableError::HeaderLength { found: header_len });
        }
        let Some(header) = rest.get(..header_len as usize) else {
            return Err(TableError::Truncated {
                expected: PREAMBLE_LEN as u64 + u64::from(header_len),
                found,
            });
        };
        let computed = crc32(&[&file[..CHECKSUM.start], header]);
        if computed != checksum {
            return Err(TableError::HeaderChecksum { expected: checksum, found: computed });
        }
        Ok((Preamble { header_len, data_len }, header))
    }
}

/// Where the parts of a file begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// End of the header.
    pub header_end: u64,
    /// Begin of the index.
    pub index: u64,
    /// Pages of the index.
    pub pages: u64,
    /// Begin of the blocks.
    pub data: u64,
}

impl Layout {
    /// The layout of a table with a header of `header_len` bytes and `blocks` blocks.
    #[must_use]
    pub fn new(header_len: u32, blocks: u64) -> Layout {
        let header_end = PREAMBLE_LEN as u64 + u64::from(header_len);
        let index = header_end.next_multiple_of(PAGE_LEN as u64);
        let pages = blocks.div_ceil(PAGE_ENTRIES);
        Layout { header_end, index, pages, data: index + pages * PAGE_LEN as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A preamble for the header "head" with the bytes from `at` on replaced and the checksum made right again.
    fn altered(at: usize, by: &[u8]) -> Vec<u8> {
        let mut file = Preamble::to_bytes(b"head", 7).to_vec();
        file[at..at + by.len()].copy_from_slice(by);
        let checksum = crc32(&[&file[..CHECKSUM.start], b"head"]);
        file[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        file.extend(b"head");
        file
    }

    #[test]
    fn every_check_fires() {
        let read = |at, by| Preamble::read(&altered(at, by)).map(|(preamble, _)| preamble);
        assert_eq!(read(0, &[0x89]), Ok(Preamble { header_len: 4, data_len: 7 }));
        assert!(matches!(read(0, &[0]), Err(TableError::Magic { .. })));
        assert_eq!(read(8, &[2]), Err(TableError::Version { found: 2 }));
        assert_eq!(read(8, &[0]), Err(TableError::Version { found: 0 }));
        assert_eq!(read(10, &[1]), Err(TableError::Reserved { offset: 10, found: 1 }));
        assert_eq!(read(12, &[5]), Err(TableError::Truncated { expected: 33, found: 32 }));
        assert_eq!(read(12, &[255; 4]), Err(TableError::HeaderLength { found: u32::MAX }));
        let mut file = altered(0, &[]);
        file[30] ^= 1;
        assert!(matches!(Preamble::read(&file), Err(TableError::HeaderChecksum { .. })));
        for cut in 1..PREAMBLE_LEN {
            assert!(matches!(Preamble::read(&file[..cut]), Err(TableError::Truncated { .. })), "{cut}");
        }
        assert_eq!(Preamble::read(&[]).unwrap_err(), TableError::Magic { found: vec![] });
    }
}
