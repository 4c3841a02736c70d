//! The content digest, and the mixing function behind it.
//!
//! The digest of a table depends on its values only: two tables with the same digest mean the same, however
//! they are stored.

/// The step of SplitMix64's state: 2^64 divided by the golden ratio.
pub const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns `x` mixed by the function of Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators" (2014).
#[must_use]
#[inline]
pub const fn splitmix64(x: u64) -> u64 {
    let x = x.wrapping_add(GOLDEN_GAMMA);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Returns the term of one position in a table's digest, which is the wrapping sum of all terms. `number` is
/// police · N + thief in reading order over the N open cells, `code` the [code](crate::value::Value::code) of
/// the position's value with the police to move.
#[must_use]
#[inline]
pub const fn digest_term(number: u64, code: u32) -> u64 {
    splitmix64(number.wrapping_add((code as u64).wrapping_mul(GOLDEN_GAMMA)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn splitmix64_returns_the_published_sequence() {
        // The first outputs of the reference implementation for the seed 0.
        assert_eq!(super::splitmix64(0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(super::splitmix64(0x9E37_79B9_7F4A_7C15), 0x6E78_9E6A_A1B9_65F4);
    }
}
