//! Bits of a word that are packed, so that they take few bytes in a message.

/// Some bits of a word. They are moved by 1, 2, 4 and up to 32 places, as many as there are other bits below
/// them: Steele's method, as in Warren, *Hacker's Delight*, §7-4.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedBits {
    mask: u64,
    /// The bits that move by 1, 2, 4, 8, 16 and 32 places, where they are before that step.
    moves: [u64; 6],
}

impl PackedBits {
    pub(super) fn new(mask: u64) -> PackedBits {
        let (mut here, mut others, mut moves) = (mask, !mask << 1, [0; 6]);
        for (step, moves) in moves.iter_mut().enumerate() {
            // Each bit says whether an odd number of the bits in `others` are at its place or below.
            let odd = (0..6).fold(others, |odd, by| odd ^ odd << (1 << by));
            *moves = odd & here;
            here = (here ^ *moves) | *moves >> (1 << step);
            others &= !odd;
        }
        PackedBits { mask, moves }
    }

    /// Returns the mask of the bits.
    pub(super) fn mask(self) -> u64 {
        self.mask
    }

    /// Returns the number of the bits.
    pub(super) fn count(self) -> usize {
        self.mask.count_ones() as usize
    }

    /// Returns the bits of `word`, one beside the other at its low end.
    #[inline(always)]
    pub(super) fn pack(self, word: u64) -> u64 {
        self.moves.iter().enumerate().fold(word & self.mask, |word, (step, moves)| {
            let moved = word & moves;
            (word ^ moved) | moved >> (1 << step)
        })
    }

    /// Returns the word of which [`PackedBits::pack`] makes these bits.
    #[inline(always)]
    pub(super) fn unpack(self, bits: u64) -> u64 {
        let word = self.moves.iter().enumerate().rev().fold(bits, |word, (step, moves)| {
            let moved = word << (1 << step);
            word & !moves | moved & moves
        });
        word & self.mask
    }
}

#[cfg(test)]
mod tests {
    use super::{super::super::words::ones, *};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_are_packed_in_their_order_and_unpacked(mask in any::<u64>(), word in any::<u64>()) {
            for mask in [mask, mask & word, 0x8080_8080_8080_8080, 0, !0] {
                let bits = PackedBits::new(mask);
                let expected =
                    ones(mask).enumerate().fold(0, |all, (at, bit)| all | (word >> bit & 1) << at);
                prop_assert_eq!(bits.pack(word), expected);
                prop_assert_eq!(bits.unpack(expected), word & mask);
            }
        }
    }
}
