//! The choice of a codec for each block that is written.

#[cfg(feature = "libzstd")]
use super::zstd::Compressor;
use super::{packed, raw::RawBlock};

/// The quality for which a table is optimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Favour {
    /// Quick probes: blocks are read in place, without decompression.
    Speed,
    /// A small file: blocks are compressed where that saves bytes.
    Size,
}

/// A block as it goes to the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Encoded {
    /// Every slot has this code; nothing but the index entry is stored.
    Constant(u32),
    /// The body of a packed block.
    Packed(Vec<u8>),
    /// The body of a block compressed with zstd.
    Zstd(Vec<u8>),
}

/// Encodes blocks. Keeps its compressor and buffers: use one encoder per thread.
///
/// ```
/// use dragnet_formats::codec::{Encoded, Encoder, RawBlock};
///
/// let mut encoder = Encoder::for_speed();
/// assert_eq!(encoder.encode(&RawBlock::new(&[7, 7, 7])), Encoded::Constant(7));
/// assert!(matches!(encoder.encode(&RawBlock::new(&[7, 8, 7])), Encoded::Packed(_)));
/// ```
pub struct Encoder {
    /// The compressor, if the encoder optimises for size.
    #[cfg(feature = "libzstd")]
    compressor: Option<Compressor>,
}

impl Encoder {
    /// The zstd levels that can be asked for.
    pub const LEVELS: std::ops::RangeInclusive<i32> = 1..=22;
    /// The zstd level that is taken if none is asked for. On random boards the levels below it cost 10 % in
    /// size and gain a quarter in speed; level 9 gains 6 % in size at a fifth of the speed.
    pub const DEFAULT_LEVEL: i32 = 4;

    /// Creates an encoder that optimises for `favour`, with zstd level `level`, clamped to
    /// [`Encoder::LEVELS`].
    #[cfg(feature = "libzstd")]
    #[cfg_attr(docsrs, doc(cfg(feature = "libzstd")))]
    #[must_use]
    pub fn new(favour: Favour, level: i32) -> Encoder {
        let level = level.clamp(*Encoder::LEVELS.start(), *Encoder::LEVELS.end());
        Encoder { compressor: (favour == Favour::Size).then(|| Compressor::new(level)) }
    }

    /// Creates an encoder for [`Favour::Speed`], which needs no zstd.
    #[must_use]
    pub fn for_speed() -> Encoder {
        Encoder {
            #[cfg(feature = "libzstd")]
            compressor: None,
        }
    }

    /// Returns the block in the encoding that suits the favour: for size the smaller of the two. A block that
    /// zstd has no memory for is packed, too.
    pub fn encode(&mut self, block: &RawBlock) -> Encoded {
        if let [code] = block.palette() {
            return Encoded::Constant(*code);
        }
        #[cfg(feature = "libzstd")]
        if let Some(compressor) = &mut self.compressor
            && let Some(body) = compressor.compress(block)
            && body.len() < packed::encoded_len(block)
        {
            return Encoded::Zstd(body);
        }
        Encoded::Packed(packed::encode(block))
    }
}
