//! The calls to the zstd library, which is written in C.

use crate::{
    codec::{error::BlockError, raw::RawBlock},
    leb128,
};
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
        leb128::push(plain, block.palette().len() as u32);
        let mut last = 0;
        for &code in block.palette() {
            leb128::push(plain, code - last);
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

thread_local! {
    /// The decompression context of a thread. It is large and slow to create, so it is created once.
    static DECOMPRESSOR: RefCell<Option<DCtx<'static>>> = const { RefCell::new(None) };
}

/// Puts the contents of `frame`, of `len` bytes, into `plain`.
pub(super) fn decompress(frame: &[u8], len: usize, plain: &mut Vec<u8>) -> Result<(), BlockError> {
    plain.clear();
    plain.try_reserve_exact(len).map_err(|_| BlockError::OutOfMemory)?;
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let context = match slot {
            Some(context) => context,
            None => slot.insert(DCtx::try_create().ok_or(BlockError::OutOfMemory)?),
        };
        match context.decompress(plain, frame) {
            Ok(found) if found == len => Ok(()),
            Ok(found) => Err(BlockError::Length { expected: len, found }),
            Err(code) => Err(BlockError::Zstd { message: get_error_name(code).to_owned() }),
        }
    })
}
