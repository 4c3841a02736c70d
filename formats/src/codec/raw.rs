//! A block before it is encoded.

use super::palette::ONE_BYTE;

/// The code of a slot whose value is never looked up: the writer may store any code of the block instead.
pub const ANY_CODE: u32 = u32::MAX;

/// A palette of codes and each slot's index into it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RawBlock {
    palette: Vec<u32>,
    /// The low bytes of all indices.
    low: Vec<u8>,
    /// The high bytes, if the palette has more than 256 codes.
    high: Vec<u8>,
}

impl RawBlock {
    /// The span of codes up to which they are ranked through a table; others are sorted.
    const TABLE_SPAN: u32 = 1 << 16;

    /// Creates the block whose slots have these codes, of which there are at most 65,536. A slot with
    /// [`ANY_CODE`] repeats the slot before it; at the start of the block it repeats the first slot that has
    /// a code.
    ///
    /// ```
    /// use dragnet_formats::codec::{ANY_CODE, RawBlock};
    ///
    /// let block = RawBlock::new(&[9, ANY_CODE, 7]);
    /// assert_eq!((block.palette(), block.low()), (&[7, 9][..], &[1, 1, 0][..]));
    /// ```
    #[must_use]
    pub fn new(codes: &[u32]) -> RawBlock {
        debug_assert!(codes.len() <= 1 << 16);
        let (mut lowest, mut highest) = (ANY_CODE, 0);
        for &code in codes {
            lowest = lowest.min(code);
            highest = highest.max(if code == ANY_CODE { 0 } else { code });
        }
        if lowest == ANY_CODE {
            return RawBlock { palette: vec![0], low: vec![0; codes.len()], high: Vec::new() };
        }
        if highest - lowest < RawBlock::TABLE_SPAN {
            RawBlock::through_table(codes, lowest, highest)
        } else {
            RawBlock::through_sorting(codes)
        }
    }

    /// Creates the block whose slots have these indices into `palette`, which rises and may hold codes that
    /// no slot has. `high` has the high bytes of the indices, or is empty if all are 0.
    ///
    /// # Panics
    /// If an index is not in the palette.
    #[must_use]
    pub fn from_indices(mut palette: Vec<u32>, mut low: Vec<u8>, mut high: Vec<u8>) -> RawBlock {
        debug_assert!(palette.is_sorted_by(|a, b| a < b));
        if low.is_empty() {
            return RawBlock::new(&[]);
        }
        debug_assert!(high.is_empty() || high.len() == low.len());
        let mut seen = vec![false; palette.len().max(ONE_BYTE)];
        if high.is_empty() {
            low.iter().for_each(|&index| seen[usize::from(index)] = true);
        } else {
            low.iter().zip(&high).for_each(|(&low, &high)| seen[joined(low, high)] = true);
        }
        assert!(seen[palette.len()..].iter().all(|&seen| !seen), "an index beyond the palette");
        if seen[..palette.len()].contains(&false) {
            let mut rank = Vec::with_capacity(seen.len());
            let mut next = 0u16;
            for &seen in &seen {
                rank.push(next);
                next = next.wrapping_add(u16::from(seen));
            }
            if high.is_empty() {
                low.iter_mut().for_each(|index| *index = rank[usize::from(*index)] as u8);
            } else {
                for (low, high) in low.iter_mut().zip(&mut high) {
                    [*low, *high] = rank[joined(*low, *high)].to_le_bytes();
                }
            }
            let mut seen = seen.into_iter();
            palette.retain(|_| seen.next().expect("a mark for each code"));
        }
        if palette.len() <= ONE_BYTE {
            high = Vec::new();
        }
        RawBlock { palette, low, high }
    }

    /// Creates the block whose slots have these indices into `palette`, which rises and has at most 256
    /// codes. Each code must occur: otherwise the block is larger than need be, and not equal to one made in
    /// another way.
    ///
    /// # Panics
    /// If an index is not in the palette.
    #[must_use]
    pub fn from_exact_indices(palette: Vec<u32>, low: Vec<u8>) -> RawBlock {
        debug_assert_eq!(
            RawBlock::from_indices(palette.clone(), low.clone(), Vec::new()).palette,
            palette,
            "a code that no slot has"
        );
        // Several times as fast as `Iterator::max`, which must return the last of equal elements.
        let greatest = low.iter().copied().fold(0, u8::max);
        assert!(usize::from(greatest) < palette.len(), "an index beyond the palette");
        RawBlock { palette, low, high: Vec::new() }
    }

    fn through_table(codes: &[u32], lowest: u32, highest: u32) -> RawBlock {
        let span = (highest - lowest) as usize + 1;
        let mut rank = vec![0u16; span];
        for &code in codes {
            if let Some(seen) = rank.get_mut(code.wrapping_sub(lowest) as usize) {
                *seen = 1;
            }
        }
        let mut palette = Vec::new();
        for (code, seen) in (lowest..).zip(&mut rank) {
            if *seen == 1 {
                *seen = palette.len() as u16;
                palette.push(code);
            }
        }
        RawBlock::ranked(codes, palette, |code| rank.get(code.wrapping_sub(lowest) as usize).copied())
    }

    fn through_sorting(codes: &[u32]) -> RawBlock {
        let mut palette: Vec<u32> = codes.iter().copied().filter(|&code| code != ANY_CODE).collect();
        palette.sort_unstable();
        palette.dedup();
        let sorted = palette.clone();
        RawBlock::ranked(codes, palette, |code| sorted.binary_search(&code).ok().map(|i| i as u16))
    }

    /// Creates the block of these codes, given each code's index in the palette.
    fn ranked(codes: &[u32], palette: Vec<u32>, rank: impl Fn(u32) -> Option<u16>) -> RawBlock {
        let first = codes.iter().find(|&&code| code != ANY_CODE);
        let mut last = first.and_then(|&code| rank(code)).expect("a code that is in the palette");
        let mut index = |&code: &u32| {
            last = rank(code).unwrap_or(last);
            last
        };
        let (low, high) = if palette.len() <= ONE_BYTE {
            (codes.iter().map(|code| index(code) as u8).collect(), Vec::new())
        } else {
            codes.iter().map(|code| index(code).to_le_bytes().into()).unzip()
        };
        RawBlock { palette, low, high }
    }

    /// Returns the codes that occur, rising. At least one.
    #[must_use]
    pub fn palette(&self) -> &[u32] {
        &self.palette
    }

    /// Returns the low bytes of all slots' palette indices.
    #[must_use]
    pub fn low(&self) -> &[u8] {
        &self.low
    }

    /// Returns the high bytes of all slots' palette indices; empty if the palette has at most 256 codes.
    #[must_use]
    pub fn high(&self) -> &[u8] {
        &self.high
    }

    /// Returns the palette index of each slot.
    #[must_use]
    pub fn indices(&self) -> impl ExactSizeIterator<Item = u16> + '_ {
        let high = |slot: usize| self.high.get(slot).copied().unwrap_or(0);
        self.low.iter().enumerate().map(move |(slot, &low)| u16::from_le_bytes([low, high(slot)]))
    }
}

fn joined(low: u8, high: u8) -> usize {
    u16::from_le_bytes([low, high]).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn slots_without_a_code_repeat_the_slot_before() {
        let block = RawBlock::new(&[ANY_CODE, 9, ANY_CODE, 7]);
        assert_eq!((block.palette(), block.low()), (&[7, 9][..], &[1, 1, 1, 0][..]));
        assert_eq!(RawBlock::new(&[ANY_CODE; 3]).palette(), [0]);
        assert_eq!(RawBlock::new(&[ANY_CODE, 5]).low(), [0, 0]);
    }

    proptest! {
        #[test]
        fn blocks_from_codes_and_from_indices_are_equal(
            codes in prop::collection::vec(prop_oneof![0u32..300, 0u32..2000], 1..2000),
            spare in 0u32..400,
        ) {
            let mut palette: Vec<u32> = codes.iter().copied().chain(0..spare).collect();
            palette.sort_unstable();
            palette.dedup();
            let index = |code| palette.binary_search(code).unwrap().to_le_bytes();
            let low = codes.iter().map(|code| index(code)[0]).collect();
            let high = codes.iter().map(|code| index(code)[1]).collect();
            let high = if palette.len() > ONE_BYTE { high } else { Vec::new() };
            prop_assert_eq!(RawBlock::from_indices(palette, low, high), RawBlock::new(&codes));
        }

        #[test]
        fn ranking_by_table_and_by_sorting_agree(codes in prop::collection::vec(
            prop_oneof![4 => 0u32..300, 1 => Just(ANY_CODE)], 1..200,
        )) {
            prop_assume!(codes.iter().any(|&c| c != ANY_CODE));
            let block = RawBlock::new(&codes);
            prop_assert_eq!(&block, &RawBlock::through_sorting(&codes));
            for (&code, index) in codes.iter().zip(block.indices()) {
                prop_assert!(code == ANY_CODE || block.palette()[usize::from(index)] == code);
            }
        }
    }
}
