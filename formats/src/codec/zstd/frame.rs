//! The frame around compressed bytes (RFC 8878 §3.1.1), as far as a reader must know it before it
//! decompresses.

use crate::codec::error::BlockError;

/// The size of a frame, as the frame itself states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// The length of the decompressed bytes.
    pub(super) content_len: u64,
    /// The number of Zstandard blocks, each of which has tables of its own to be built.
    pub(super) blocks: u64,
}

const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// The greatest window that a frame of a block may ask for. A writer needs no more than the content has.
const MAX_WINDOW: u64 = 1 << 20;

/// The bits of the descriptor that name a dictionary, announce a checksum, or are reserved.
const REFUSED_BITS: u8 = 0b0000_1111;

/// The first bytes of the rest of a frame.
fn take<'a, const N: usize>(bytes: &mut &'a [u8]) -> Result<&'a [u8; N], BlockError> {
    let (first, rest) = bytes.split_first_chunk().ok_or_else(|| error("the frame is cut short"))?;
    *bytes = rest;
    Ok(first)
}

#[cold]
fn error(message: &str) -> BlockError {
    BlockError::Zstd { message: message.to_owned() }
}

impl Frame {
    /// Reads the headers of the one frame that `bytes` hold, and of its blocks. What the blocks hold is not
    /// looked at.
    pub(super) fn read(bytes: &[u8]) -> Result<Frame, BlockError> {
        let rest = &mut &*bytes;
        if *take::<4>(rest)? != MAGIC {
            return Err(error("expected a Zstandard frame"));
        }
        let [descriptor] = *take(rest)?;
        if descriptor & REFUSED_BITS != 0 {
            return Err(error("expected a frame without checksum and without dictionary"));
        }
        let single_segment = descriptor >> 5 & 1 == 1;
        let window = if single_segment {
            None
        } else {
            let [window] = *take(rest)?;
            let base = 1u64 << (10 + (window >> 3));
            Some(base + base / 8 * u64::from(window & 7))
        };
        let content_len = match (descriptor >> 6, single_segment) {
            (0, true) => u64::from(take::<1>(rest)?[0]),
            (0, false) => return Err(error("no frame with a content size")),
            (1, _) => u64::from(u16::from_le_bytes(*take(rest)?)) + 256,
            (2, _) => u64::from(u32::from_le_bytes(*take(rest)?)),
            _ => u64::from_le_bytes(*take(rest)?),
        };
        // A single segment is its own window.
        let window = window.unwrap_or(content_len);
        if window > MAX_WINDOW {
            return Err(BlockError::Field { expected: "a window of at most 1 MiB", found: window });
        }
        let mut blocks = 0;
        loop {
            let [low, middle, high] = *take(rest)?;
            let header = u32::from_le_bytes([low, middle, high, 0]);
            blocks += 1;
            // A block of one repeated byte has that byte only.
            let len = if header >> 1 & 3 == 1 { 1 } else { (header >> 3) as usize };
            *rest = rest.get(len..).ok_or_else(|| error("the frame is cut short"))?;
            if header & 1 == 1 {
                break;
            }
        }
        match rest.len() {
            0 => Ok(Frame { content_len, blocks }),
            beyond => Err(BlockError::Length { expected: bytes.len() - beyond, found: bytes.len() }),
        }
    }
}
