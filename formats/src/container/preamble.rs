//! The first bytes of the file.

use super::{
    error::TableError,
    layout::{AFTER_MAGIC, CHECKSUM, DATA_LEN, HEADER_LEN, MAGIC, PREAMBLE_LEN, RESERVED, VERSION},
};
use crate::{checksum::crc32, header::MAX_HEADER_LEN};

/// Takes the first `N` bytes off `bytes`.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

/// The fields of the preamble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preamble {
    /// The number of bytes of the header.
    pub header_len: u32,
    /// The number of bytes of all blocks.
    pub data_len: u64,
}

impl Preamble {
    /// Returns the preamble of a table with this header and data length.
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

    /// Reads the preamble at the beginning of `file`. Returns the header's bytes, too, which are under the
    /// preamble's checksum.
    ///
    /// # Errors
    /// When the file is not a table, has another version, or is cut short before the header's end or altered
    /// there.
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
        if version != VERSION {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a preamble for the header "head" with the bytes from `at` on replaced and the checksum made
    /// right again.
    fn altered(at: usize, by: &[u8]) -> Vec<u8> {
        let mut file = Preamble::to_bytes(b"head", 7).to_vec();
        file[at..at + by.len()].copy_from_slice(by);
        let checksum = crc32(&[&file[..CHECKSUM.start], b"head"]);
        file[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        file.extend(b"head");
        file
    }

    #[test]
    fn every_check_of_the_preamble_fires() {
        let read = |at, by| Preamble::read(&altered(at, by)).map(|(preamble, _)| preamble);
        assert_eq!(read(0, &[0x89]), Ok(Preamble { header_len: 4, data_len: 7 }));
        assert!(matches!(read(0, &[0]), Err(TableError::Magic { .. })));
        assert_eq!(read(8, &[3]), Err(TableError::Version { found: 3 }));
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
