//! The scores of the blocks that were read last.

use super::score::WordScore;
use dragnet_probe::{ProbeError, Table};
use multiversion::multiversion;

/// The most bytes of scores that a thread keeps. Most blocks of an open board are copies of others that are
/// near them.
const KEPT: usize = 16 << 20;

/// Reads blocks of a table as scores, and keeps those read last. Blocks of the same content are one.
pub(super) struct RecentBlocks<S> {
    /// Each place holds any of the blocks whose keys are mixed to its number.
    places: Vec<Kept<S>>,
    /// Room for the codes of a block.
    codes: Vec<u32>,
}

/// A block that was read.
struct Kept<S> {
    /// The block's entry in the index, and its number of slots.
    key: Option<(u64, u32)>,
    scores: Vec<S>,
}

/// The table has a distance that is too long for the type of scores.
pub(super) struct TooLong;

impl<S: WordScore> RecentBlocks<S> {
    /// Returns how many blocks are kept of a table whose longest has so many slots.
    fn places(slots: usize) -> usize {
        (KEPT / (slots * size_of::<S>())).max(1)
    }

    /// Returns the most bytes of scores that are kept of a table with so many blocks, whose longest has so
    /// many slots.
    pub(super) fn most_bytes(blocks: u64, slots: usize) -> u64 {
        blocks.min(Self::places(slots) as u64) * (slots * size_of::<S>()) as u64
    }

    /// Creates the room for blocks of a table with so many blocks, whose longest has so many slots.
    pub(super) fn new(blocks: u64, slots: usize) -> RecentBlocks<S> {
        let places = Self::places(slots).min(usize::try_from(blocks).unwrap_or(usize::MAX));
        let places = (0..places).map(|_| Kept { key: None, scores: Vec::new() }).collect();
        RecentBlocks { places, codes: Vec::new() }
    }

    /// Returns the score of each slot of a block. Slots of terminal positions have any score.
    ///
    /// # Errors
    /// When the block is damaged.
    pub(super) fn scores(&mut self, table: &Table, block: u64) -> Result<Result<&[S], TooLong>, ProbeError> {
        let key = (table.block_entry(block)?.to_bits(), table.numbering().slots(block));
        let mixed = (key.0 ^ u64::from(key.1) << 50).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let place = mixed as usize % self.places.len();
        let kept = &mut self.places[place];
        if kept.key != Some(key) {
            table.block_codes(block, &mut self.codes)?;
            kept.key = None;
            // More room than for the scores would not be counted.
            kept.scores.reserve_exact(self.codes.len().saturating_sub(kept.scores.len()));
            kept.scores.resize(self.codes.len(), S::default());
            if !decode(&self.codes, &mut kept.scores) {
                return Ok(Err(TooLong));
            }
            kept.key = Some(key);
        }
        Ok(Ok(&kept.scores))
    }
}

/// Puts the scores of codes into `scores`. Returns whether they have room for every distance.
#[multiversion(targets = "simd")]
fn decode<S: WordScore>(codes: &[u32], scores: &mut [S]) -> bool {
    let mut longest = 0;
    for (score, &code) in scores.iter_mut().zip(codes) {
        longest = longest.max(code);
        *score = S::of_code(code);
    }
    longest <= 2 * S::LONGEST + 2
}
