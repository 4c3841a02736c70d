//! The words of one set in one block, and what is done with the bits of a word.

/// Rows that the loops over a block go through, however many rows the block has: loops of a fixed length
/// compile to vector instructions.
pub(super) const ROWS: usize = 64;

/// Bits of a word.
pub(super) const WORD: usize = u64::BITS as usize;

/// The words of one set in one block: for each police row a word of thief cells.
pub(super) type Words = [u64; ROWS];

/// Returns the numbers of the bits that are set, rising.
#[inline(always)]
pub fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        (word != 0).then(|| {
            word &= word - 1;
            bit as usize
        })
    })
}

/// Returns the OR of two words with `WINS`, for which one move is enough, else the AND.
#[inline(always)]
pub(super) fn combined<const WINS: bool>(one: u64, other: u64) -> u64 {
    if WINS { one | other } else { one & other }
}

/// Returns a word of which the first `count` bits are set.
pub(super) fn first_bits(count: usize) -> u64 {
    if count >= 64 { !0 } else { (1 << count) - 1 }
}

/// Returns a bit for each row of `words` that is not 0.
pub(super) fn rows_with_bits(words: &[u64]) -> u64 {
    words.iter().enumerate().map(|(row, &word)| u64::from(word != 0) << row).sum()
}

/// The rows and the columns of an overlay in which some thief cells lie, one bit each. Two sets of cells
/// whose crosses do not meet have no cell in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cross {
    rows: u8,
    cols: u8,
}

impl Cross {
    /// Returns the rows and columns of the thief cells in a word.
    #[inline(always)]
    pub(super) fn of(cells: u64) -> Cross {
        let halves = cells | cells >> 32;
        let quarters = halves | halves >> 16;
        let rows =
            cells.to_le_bytes().iter().enumerate().map(|(row, &cells)| u8::from(cells != 0) << row).sum();
        Cross { rows, cols: (quarters | quarters >> 8) as u8 }
    }

    /// Returns all cells in these rows and columns.
    pub(super) fn cells(self) -> u64 {
        (0..8).filter(|row| self.rows >> row & 1 == 1).map(|row| u64::from(self.cols) << (8 * row)).sum()
    }

    /// Returns whether the two sets of cells can have one in common.
    #[inline(always)]
    pub(super) fn meets(self, other: Cross) -> bool {
        self.rows & other.rows != 0 && self.cols & other.cols != 0
    }
}
