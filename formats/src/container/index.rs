//! The index: one entry per block, in pages with a checksum each.

use super::{
    error::TableError,
    layout::{ENTRY_LEN, MAX_DATA_LEN, PAGE_ENTRIES, PAGE_LEN},
};
use crate::{checksum::Seed, codec::Codec};

const KIND_SHIFT: u32 = 62;
const LEN_SHIFT: u32 = 40;
const MAX_EXTENT_LEN: u64 = (1 << (KIND_SHIFT - LEN_SHIFT)) - 1;
/// The number of bytes of the checksum before an extent's body.
pub const EXTENT_CHECKSUM_LEN: usize = size_of::<u32>();
const PACKED: u64 = 1;
const ZSTD: u64 = 2;
/// The place where a page's entries end and its checksum begins.
const PAGE_ENTRIES_END: usize = PAGE_ENTRIES as usize * ENTRY_LEN;

/// The bytes of a block in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The codec of the body.
    pub codec: Codec,
    /// The place in the data section where the extent begins.
    pub offset: u64,
    /// The number of bytes, including the checksum.
    pub len: u64,
}

/// An entry of a table's index, for one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexEntry {
    /// Every slot has this code.
    Constant(u32),
    /// The codes are in an extent.
    Extent(Extent),
}

impl IndexEntry {
    /// Returns the entry's eight bytes as a number.
    #[must_use]
    pub fn to_bits(self) -> u64 {
        match self {
            IndexEntry::Constant(code) => code.into(),
            IndexEntry::Extent(Extent { codec, offset, len }) => {
                debug_assert!(offset < MAX_DATA_LEN && len <= MAX_EXTENT_LEN);
                let kind = match codec {
                    Codec::Packed => PACKED,
                    Codec::Zstd => ZSTD,
                };
                kind << KIND_SHIFT | len << LEN_SHIFT | offset
            }
        }
    }

    /// Reads the entry of block number `block` in a table with `data_len` bytes of blocks.
    ///
    /// # Errors
    /// When no table can have such an entry.
    #[inline(always)]
    pub fn from_bits(bits: u64, block: u64, data_len: u64) -> Result<IndexEntry, TableError> {
        let error = TableError::Entry { block, entry: bits };
        let codec = match bits >> KIND_SHIFT {
            0 => return u32::try_from(bits).map(IndexEntry::Constant).map_err(|_| error),
            PACKED => Codec::Packed,
            ZSTD => Codec::Zstd,
            _ => return Err(error),
        };
        let offset = bits & (MAX_DATA_LEN - 1);
        let len = bits >> LEN_SHIFT & MAX_EXTENT_LEN;
        // Offsets have 40 bits and lengths 22: the sum cannot overflow.
        if len <= EXTENT_CHECKSUM_LEN as u64 || offset + len > data_len {
            return Err(error);
        }
        Ok(IndexEntry::Extent(Extent { codec, offset, len }))
    }
}

/// Returns the bytes of index page number `page` with these entries.
#[must_use]
pub fn page_to_bytes(seed: Seed, page: u64, entries: &[u64]) -> [u8; PAGE_LEN] {
    let mut bytes = [0; PAGE_LEN];
    for (place, entry) in bytes[..PAGE_ENTRIES_END].chunks_exact_mut(ENTRY_LEN).zip(entries) {
        place.copy_from_slice(&entry.to_le_bytes());
    }
    let checksum = seed.checksum(&[&page.to_le_bytes(), &bytes[..PAGE_ENTRIES_END]]);
    bytes[PAGE_ENTRIES_END..PAGE_ENTRIES_END + 4].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Checks the checksum of index page number `page`, which begins at byte `at` of the file, and that the
/// unused part of its last eight bytes is zero.
///
/// # Errors
/// [`TableError::IndexChecksum`] or [`TableError::Reserved`].
pub fn check_page(seed: Seed, page: u64, bytes: &[u8; PAGE_LEN], at: u64) -> Result<(), TableError> {
    let (entries, last) = bytes.split_at(PAGE_ENTRIES_END);
    let last = last.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
    let (expected, reserved) = (last as u32, last >> 32);
    let found = seed.checksum(&[&page.to_le_bytes(), entries]);
    if found != expected {
        return Err(TableError::IndexChecksum { page, expected, found });
    }
    if reserved != 0 {
        return Err(TableError::Reserved { offset: at + PAGE_ENTRIES_END as u64 + 4, found: reserved });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_round_trip_and_impossible_entries_are_refused() {
        let extent = |codec, offset, len| IndexEntry::Extent(Extent { codec, offset, len });
        for entry in [
            IndexEntry::Constant(0),
            IndexEntry::Constant(u32::MAX),
            extent(Codec::Packed, 0, 5),
            extent(Codec::Zstd, MAX_DATA_LEN - 1, 1 << 21),
        ] {
            assert_eq!(IndexEntry::from_bits(entry.to_bits(), 0, u64::MAX), Ok(entry));
        }
        let refused = |bits, data_len| IndexEntry::from_bits(bits, 3, data_len).is_err();
        assert!(refused(1 << 32, 1000), "a constant with more than a code");
        assert!(refused(3 << KIND_SHIFT, 1000), "kind 3");
        assert!(refused(extent(Codec::Zstd, 0, 4).to_bits(), 1000), "nothing behind the checksum");
        assert!(refused(extent(Codec::Zstd, 900, 101).to_bits(), 1000), "past the end");
        assert!(!refused(extent(Codec::Zstd, 900, 100).to_bits(), 1000));
    }
}
