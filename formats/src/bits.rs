//! Truths as bits, the lowest of a byte first.

/// Returns the bytes of these truths. Unused bits of the last byte are 0.
pub(crate) fn pack(truths: &[bool]) -> Vec<u8> {
    truths.chunks(8).map(|eight| eight.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit))).collect()
}

/// Returns the `count` truths in these bytes, or `None` if there are too few or too many bytes, or an unused
/// bit is set.
pub(crate) fn unpack(bytes: &[u8], count: usize) -> Option<Vec<bool>> {
    let unused = 8 * bytes.len() - count.min(8 * bytes.len());
    let is_clean = || bytes.last().is_none_or(|last| last.leading_zeros() as usize >= unused);
    (bytes.len() == count.div_ceil(8) && is_clean())
        .then(|| (0..count).map(|at| bytes[at / 8] >> (at % 8) & 1 == 1).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_round_trip_and_others_are_refused() {
        for count in 0..20 {
            let truths: Vec<bool> = (0..count).map(|at| at % 3 == 0).collect();
            let bytes = pack(&truths);
            assert_eq!(unpack(&bytes, count), Some(truths));
            assert_eq!(unpack(&[&bytes[..], &[0]].concat(), count), None);
        }
        assert_eq!(unpack(&[0b0000_1000], 4), Some(vec![false, false, false, true]));
        assert_eq!(unpack(&[0b0001_0000], 4), None);
        assert_eq!(unpack(&[], 1), None);
    }
}
