//! The calls to the zstd library.

use crate::codec::{error::BlockError, raw::RawBlock};
use std::cell::RefCell;
use zstd::zstd_safe::{CCtx, CParameter, DCtx, compress_bound, get_error_name};

/// Compresses blocks.
pub(in crate::codec) struct Compressor {
    /// Created for the first block: it takes more memory than all else.
    context: Option<CCtx<'static>>,
    level: i32,
    /// The bytes before compression; kept for their memory.
    plain: Vec<u8>,
}

impl Compressor {
    /// Creates a compressor with this zstd level.
    pub(in crate::codec) fn new(level: i32) -> Compressor {
        Compressor { context: None, level, plain: Vec::new() }
    }

    /// Returns the zstd body of `block`, or `None` if zstd gets no memory for it.
    pub(in crate::codec) fn compress(&mut self, block: &RawBlock) -> Option<Vec<u8>> {
        let plain = &mut self.plain;
        plain.clear();
        push_leb128(plain, block.palette().len() as u32);
        let mut last = 0;
        for &code in block.palette() {
            push_leb128(plain, code - last);
            last = code;
        }
        plain.extend_from_slice(block.low());
        plain.extend_from_slice(block.high());
        if self.context.is_none() {
            let mut context = CCtx::try_create()?;
            context.set_parameter(CParameter::CompressionLevel(self.level)).ok()?;
            self.context = Some(context);
        }
        let mut body = Vec::new();
        body.try_reserve_exact(compress_bound(plain.len())).ok()?;
        self.context.as_mut()?.compress2(&mut body, plain).ok()?;
        // It has room for a block that does not shrink, and may be kept for long.
        body.shrink_to_fit();
        Some(body)
    }
}

/// Appends `number` as LEB128.
fn push_leb128(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

thread_local! {
    /// The decompression context of a thread. It is large and slow to create, so it is created once.
    static DECOMPRESSOR: RefCell<Option<DCtx<'static>>> = const { RefCell::new(None) };
}

/// Decompresses `frame`, which must state its content size, into at most `limit` bytes.
pub(super) fn decompress(frame: &[u8], limit: usize) -> Result<Vec<u8>, BlockError> {
    let error = |code| BlockError::Zstd { message: get_error_name(code).to_owned() };
    let size = match zstd::zstd_safe::get_frame_content_size(frame) {
        Ok(Some(size)) => size,
        _ => return Err(BlockError::Zstd { message: "no frame with a content size".to_owned() }),
    };
    if size > limit as u64 {
        return Err(BlockError::Field {
            expected: "a content size that fits the block's slots",
            found: size,
        });
    }
    // RFC 8878: bit 2 of the frame header's descriptor says that a checksum follows, bits 0 and 1 name a
    // dictionary.
    if frame.get(4).is_some_and(|descriptor| descriptor & 0b111 != 0) {
        let message = "expected a frame without checksum and without dictionary".to_owned();
        return Err(BlockError::Zstd { message });
    }
    // The library would go on behind the frame's end with what follows, an empty or a skippable frame.
    let end = zstd::zstd_safe::find_frame_compressed_size(frame).map_err(error)?;
    if end != frame.len() {
        return Err(BlockError::Length { expected: end, found: frame.len() });
    }
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let context = match slot {
            Some(context) => context,
            None => slot.insert(DCtx::try_create().ok_or(BlockError::OutOfMemory)?),
        };
        let mut plain = Vec::new();
        plain.try_reserve_exact(size as usize).map_err(|_| BlockError::OutOfMemory)?;
        context.decompress(&mut plain, frame).map_err(error)?;
        Ok(plain)
    })
}
