//! A block before it is encoded.

/// The code of a slot whose value is never looked up: the writer may store any code of the block instead.
pub const ANY_CODE: u32 = u32::MAX;

/// A palette of codes and each slot's index into it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RawBlock {
    palette: Vec<u32>,
    indices: Vec<u16>,
}

impl RawBlock {
    /// Codes that lie this close together are ranked through a table; others are sorted.
    const TABLE_SPAN: u32 = 1 << 16;

    /// The block whose slots have these codes, of which there are at most 65,536. A slot with [`ANY_CODE`]
    /// repeats the slot before it, at the start of the block the first slot that has a code.
    #[must_use]
    pub fn new(codes: &[u32]) -> RawBlock {
        debug_assert!(codes.len() <= 1 << 16);
        let (mut low, mut high) = (ANY_CODE, 0);
        for &code in codes {
            low = low.min(code);
            high = high.max(if code == ANY_CODE { 0 } else { code });
        }
        if low == ANY_CODE {
            return RawBlock { palette: vec![0], indices: vec![0; codes.len()] };
        }
        if low == high {
            return RawBlock { palette: vec![low], indices: vec![0; codes.len()] };
        }
        if high - low < RawBlock::TABLE_SPAN {
            RawBlock::through_table(codes, low, high)
        } else {
            RawBlock::through_sorting(codes)
        }
    }

    fn through_table(codes: &[u32], low: u32, high: u32) -> RawBlock {
        let span = (high - low) as usize + 1;
        let mut rank = vec![0u16; span];
        for &code in codes {
            if let Some(seen) = rank.get_mut(code.wrapping_sub(low) as usize) {
                *seen = 1;
            }
        }
        let mut palette = Vec::new();
        for (code, seen) in (low..).zip(&mut rank) {
            if *seen == 1 {
                *seen = palette.len() as u16;
                palette.push(code);
            }
        }
        let first =
            codes.iter().find(|&&code| code != ANY_CODE).map_or(0, |&code| rank[(code - low) as usize]);
        let mut last = first;
        let indices = codes
            .iter()
            .map(|&code| {
                last = rank.get(code.wrapping_sub(low) as usize).copied().unwrap_or(last);
                last
            })
            .collect();
        RawBlock { palette, indices }
    }

    fn through_sorting(codes: &[u32]) -> RawBlock {
        let mut palette: Vec<u32> = codes.iter().copied().filter(|&code| code != ANY_CODE).collect();
        palette.sort_unstable();
        palette.dedup();
        let rank = |code| palette.binary_search(&code).ok().map(|i| i as u16);
        let mut last = codes.iter().find_map(|&code| rank(code)).unwrap_or(0);
        let indices = codes
            .iter()
            .map(|&code| {
                last = rank(code).unwrap_or(last);
                last
            })
            .collect();
        RawBlock { palette, indices }
    }

    /// The codes that occur, rising. At least one.
    #[must_use]
    pub fn palette(&self) -> &[u32] {
        &self.palette
    }

    /// Each slot's place in the palette.
    #[must_use]
    pub fn indices(&self) -> &[u16] {
        &self.indices
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn slots_without_a_code_repeat_their_neighbour() {
        let block = RawBlock::new(&[ANY_CODE, 9, ANY_CODE, 7]);
        assert_eq!((block.palette(), block.indices()), (&[7, 9][..], &[1, 1, 1, 0][..]));
        assert_eq!(RawBlock::new(&[ANY_CODE; 3]).palette(), [0]);
        assert_eq!(RawBlock::new(&[ANY_CODE, 5]).indices(), [0, 0]);
    }

    proptest! {
        #[test]
        fn both_ways_of_ranking_agree(codes in prop::collection::vec(
            prop_oneof![4 => 0u32..300, 1 => Just(ANY_CODE)], 1..200,
        )) {
            prop_assume!(codes.iter().any(|&c| c != ANY_CODE));
            let block = RawBlock::new(&codes);
            prop_assert_eq!(&block, &RawBlock::through_sorting(&codes));
            for (&code, &index) in codes.iter().zip(block.indices()) {
                prop_assert!(code == ANY_CODE || block.palette()[usize::from(index)] == code);
            }
        }
    }
}
