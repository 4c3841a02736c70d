//! The contents of one block: a palette of value codes and an index into it for each slot.
//!
//! [`RawBlock`] is what a writer starts from, [`packed`] and [`zstd`] are the two encodings, [`Encoder`] takes
//! the one that its [`Favour`] asks for, [`Block`] is what a reader sees.

pub mod packed;
pub mod raw;
pub mod zstd;

use crate::value::Value;
use packed::Packed;
use raw::ONE_BYTE;
pub use raw::{ANY_CODE, RawBlock};
use zstd::Unzipped;

/// What a writer gives away for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Favour {
    /// Blocks that are read in place, without decoding.
    Speed,
    /// The smallest blocks.
    Size,
}

/// A block as it goes to the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Encoded {
    /// Every slot has this code; nothing but the index entry is stored.
    Constant(u32),
    /// The body of a packed extent.
    Packed(Vec<u8>),
    /// The body of a zstd extent.
    Zstd(Vec<u8>),
}

/// A block's bytes are not what its index entry says they are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockError {
    /// The extent is too short to hold what it must.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// Bytes that the block's own fields ask for.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
    /// The checksum in the file is not that of the bytes.
    #[error("expected checksum {expected:08x}, found {found:08x}: the bytes have been altered")]
    Checksum {
        /// The checksum in the file.
        expected: u32,
        /// That of the bytes.
        found: u32,
    },
    /// A field has a value that it may not have.
    #[error("expected {expected}, found {found}")]
    Field {
        /// What is allowed.
        expected: &'static str,
        /// What is there.
        found: u64,
    },
    /// The codes of the palette do not rise.
    #[error("the palette does not rise at entry {entry}")]
    Palette {
        /// The first entry that is not greater than the one before.
        entry: usize,
    },
    /// A slot's index is not in the palette.
    #[error("slot {slot} has index {index}, and the palette has {entries} entries")]
    Index {
        /// The slot.
        slot: u32,
        /// Its index.
        index: u16,
        /// Length of the palette.
        entries: usize,
    },
    /// A code whose distance is beyond the limit.
    #[error("code {code} stands for a distance of more than {} plies", crate::value::MAX_DTW)]
    Code {
        /// The code.
        code: u32,
    },
    /// Zstandard refuses the frame.
    #[error("zstd: {message}")]
    Zstd {
        /// What it says.
        message: String,
    },
}

/// The value that a stored code stands for.
///
/// # Errors
/// [`BlockError::Code`] if its distance is beyond the limit.
#[inline]
pub fn value_of(code: u32) -> Result<Value, BlockError> {
    Value::from_code(code).ok_or(BlockError::Code { code })
}

/// Encodes blocks. Keeps its compressor, so one encoder per thread.
pub struct Encoder {
    favour: Favour,
    zstd: zstd::Zipper,
}

impl Encoder {
    /// The zstd levels that can be asked for.
    pub const LEVELS: std::ops::RangeInclusive<i32> = 1..=22;
    /// The zstd level that is taken if none is asked for. On random boards levels below it cost 10 % in size
    /// and gain a quarter in speed; 9 gains 6 % in size at a fifth of the speed.
    pub const DEFAULT_LEVEL: i32 = 4;

    /// An encoder for `favour` with zstd level `level` (clamped to [`Encoder::LEVELS`]).
    #[must_use]
    pub fn new(favour: Favour, level: i32) -> Encoder {
        let level = level.clamp(*Encoder::LEVELS.start(), *Encoder::LEVELS.end());
        Encoder { favour, zstd: zstd::Zipper::new(level) }
    }

    /// The block in the encoding that suits the favour; of two under [`Favour::Size`], the smaller.
    pub fn encode(&mut self, block: &RawBlock) -> Encoded {
        if let [code] = block.palette() {
            return Encoded::Constant(*code);
        }
        if self.favour == Favour::Size
            && let Some(body) = self.zstd.zip(block)
            && body.len() < packed::encoded_len(block)
        {
            return Encoded::Zstd(body);
        }
        Encoded::Packed(packed::encode(block))
    }
}

/// The contents of a block as a reader sees them.
#[derive(Clone, Debug)]
pub enum Block<'a> {
    /// Every slot has this code.
    Constant(u32),
    /// Read in place.
    Packed(Packed<'a>),
    /// Unzipped.
    Unzipped(Unzipped),
}

impl Block<'_> {
    /// The code of `slot`.
    ///
    /// # Errors
    /// When the slot or its index is beyond what the block holds.
    pub fn code(&self, slot: u32) -> Result<u32, BlockError> {
        match self {
            Block::Constant(code) => Ok(*code),
            Block::Packed(packed) => packed.code(slot),
            Block::Unzipped(unzipped) => unzipped.code(slot),
        }
    }

    /// The palette, rising.
    #[must_use]
    pub fn palette(&self) -> Vec<u32> {
        match self {
            Block::Constant(code) => vec![*code],
            Block::Packed(packed) => packed.palette().collect(),
            Block::Unzipped(unzipped) => unzipped.palette().to_vec(),
        }
    }

    /// Puts the codes of all `slots` slots into `codes`.
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
                    codes.push(look_up(&palette, slot, packed.index(slot)?)?);
                }
            }
            Block::Unzipped(unzipped) => {
                for slot in 0..slots {
                    codes.push(look_up(&palette, slot, unzipped.index(slot)?)?);
                }
            }
        }
        Ok(())
    }
}

fn look_up(palette: &[u32], slot: u32, index: u16) -> Result<u32, BlockError> {
    palette.get(usize::from(index)).copied().ok_or(BlockError::Index { slot, index, entries: palette.len() })
}

/// Checks that the codes of a palette rise.
fn check_rising(palette: impl IntoIterator<Item = u32>) -> Result<(), BlockError> {
    let mut last = None;
    for (entry, code) in palette.into_iter().enumerate() {
        if last.is_some_and(|last| last >= code) {
            return Err(BlockError::Palette { entry });
        }
        last = Some(code);
    }
    Ok(())
}
