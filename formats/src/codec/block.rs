//! A block as a reader sees it.

use super::{
    error::{BlockError, value_of},
    packed::Packed,
    palette::{ONE_BYTE, code_at},
    zstd::{Compressed, Decompressed},
};

/// How the body of a block is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    /// Read in place: see [`packed`](super::packed).
    Packed,
    /// Compressed: see [`zstd`](super::zstd).
    Zstd,
}

/// The contents of a block. `Z` is what there is of a block compressed with zstd: its [`Decompressed`]
/// contents, or in [`Stored`] its [`Compressed`] body.
#[derive(Clone, Copy, Debug)]
pub enum Block<'a, Z = Decompressed> {
    /// Every slot has this code.
    Constant(u32),
    /// The codes can be read in place.
    Packed(Packed<'a>),
    /// The codes are, or were, compressed.
    Zstd(Z),
}

/// A block as it lies in the table: a compressed one has not been decompressed.
pub type Stored<'a> = Block<'a, Compressed<'a>>;

impl<'a> Stored<'a> {
    /// Opens the block of `slots` slots with this body. Does not decompress.
    ///
    /// # Errors
    /// When the first bytes and the length of a packed body contradict each other.
    #[inline(always)]
    pub fn new(codec: Codec, body: &'a [u8], slots: u32) -> Result<Stored<'a>, BlockError> {
        Ok(match codec {
            Codec::Packed => Block::Packed(Packed::new(body, slots)?),
            Codec::Zstd => Block::Zstd(Compressed::new(body, slots)),
        })
    }

    /// Returns the block, decompressed if it is compressed.
    ///
    /// # Errors
    /// When a compressed body is damaged, or this build has no zstd.
    pub fn decompress(self) -> Result<Block<'a>, BlockError> {
        Ok(match self {
            Block::Constant(code) => Block::Constant(code),
            Block::Packed(packed) => Block::Packed(packed),
            Block::Zstd(compressed) => Block::Zstd(compressed.decompress()?),
        })
    }
}

impl Block<'_> {
    /// Returns the code of `slot`.
    ///
    /// # Errors
    /// When the slot or its index is beyond what the block holds.
    pub fn code(&self, slot: u32) -> Result<u32, BlockError> {
        match self {
            Block::Constant(code) => Ok(*code),
            Block::Packed(packed) => packed.code(slot),
            Block::Zstd(decompressed) => decompressed.code(slot),
        }
    }

    /// Returns the palette, rising.
    #[must_use]
    pub fn palette(&self) -> Vec<u32> {
        match self {
            Block::Constant(code) => vec![*code],
            Block::Packed(packed) => packed.palette().collect(),
            Block::Zstd(decompressed) => decompressed.palette().to_vec(),
        }
    }

    /// Writes the codes of all `slots` slots to `codes`, in place of what it holds.
    ///
    /// # Errors
    /// As for [`Block::code`], and for a code that stands for no value.
    pub fn codes(&self, slots: u32, codes: &mut Vec<u32>) -> Result<(), BlockError> {
        codes.clear();
        let palette = self.palette();
        for &code in &palette {
            value_of(code)?;
        }
        match self {
            Block::Constant(code) => codes.resize(slots as usize, *code),
            Block::Packed(packed) => {
                for slot in 0..slots {
                    codes.push(code_at(&palette, slot, packed.index(slot)?)?);
                }
            }
            Block::Zstd(decompressed) if decompressed.high().is_empty() => {
                through_palette(&palette, decompressed.low(), slots, codes)?;
            }
            Block::Zstd(decompressed) => {
                for slot in 0..slots {
                    codes.push(code_at(&palette, slot, decompressed.index(slot)?)?);
                }
            }
        }
        Ok(())
    }
}

/// Appends the code of each of `slots` slots, given the slots' indices into a palette of at most 256 codes.
/// Looks at the indices first, so that the loop over slots has nothing to check.
fn through_palette(
    palette: &[u32],
    indices: &[u8],
    slots: u32,
    codes: &mut Vec<u32>,
) -> Result<(), BlockError> {
    if indices.len() != slots as usize {
        return Err(BlockError::Length { expected: slots as usize, found: indices.len() });
    }
    let greatest = indices.iter().copied().fold(0, u8::max);
    if usize::from(greatest) >= palette.len() {
        let wrong = indices.iter().zip(0..).find(|(index, _)| usize::from(**index) >= palette.len());
        let (&index, slot) = wrong.expect("the greatest index is beyond the palette");
        return Err(BlockError::Index { slot, index: index.into(), entries: palette.len() });
    }
    let mut table = [0; ONE_BYTE];
    table[..palette.len()].copy_from_slice(palette);
    codes.extend(indices.iter().map(|&index| table[usize::from(index)]));
    Ok(())
}
