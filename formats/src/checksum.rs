//! Checksums: CRC-32 (IEEE), keyed with the table's seed.

use crc32fast::Hasher;

/// Returns the CRC-32 of `parts`, one after the other.
#[must_use]
pub fn crc32(parts: &[&[u8]]) -> u32 {
    let mut hasher = Hasher::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

/// The seed of a table, which is the CRC of its header. The seed is part of every other checksum, so that
/// bytes of another table are not taken for bytes of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    value: u32,
    /// The CRC of the seed's own four bytes: the state with which every checksum begins.
    start: u32,
}

impl Seed {
    /// Returns the seed of the table with these header bytes.
    #[must_use]
    pub fn of_header(header: &[u8]) -> Seed {
        let value = crc32(&[header]);
        Seed { value, start: crc32(&[&value.to_le_bytes()]) }
    }

    /// Returns the seed as a number.
    #[must_use]
    pub fn value(self) -> u32 {
        self.value
    }

    /// Returns the checksum of `parts` in this table.
    #[must_use]
    pub fn checksum(self, parts: &[&[u8]]) -> u32 {
        let mut hasher = Hasher::new_with_initial_len(self.start, 4);
        parts.iter().for_each(|part| hasher.update(part));
        hasher.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc_is_the_ieee_one() {
        assert_eq!(crc32(&[b"1234", b"56789"]), 0xCBF4_3926);
    }

    #[test]
    fn seeded_checksum_is_the_crc_of_seed_and_bytes() {
        let seed = Seed::of_header(b"header");
        let whole = crc32(&[&seed.value().to_le_bytes(), b"body"]);
        assert_eq!(seed.checksum(&[b"bo", b"dy"]), whole);
    }
}
