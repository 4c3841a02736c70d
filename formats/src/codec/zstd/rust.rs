//! The calls to a decoder written in Rust, which every target can compile.

use crate::codec::error::BlockError;
use ruzstd::decoding::FrameDecoder;
use std::cell::RefCell;

thread_local! {
    /// The decoder of a thread, with its tables, which take time to allocate.
    static DECODER: RefCell<Option<FrameDecoder>> = const { RefCell::new(None) };
}

/// Puts the contents of `frame`, of `len` bytes, into `plain`.
pub(super) fn decompress(frame: &[u8], len: usize, plain: &mut Vec<u8>) -> Result<(), BlockError> {
    plain.clear();
    plain.try_reserve_exact(len).map_err(|_| BlockError::OutOfMemory)?;
    plain.resize(len, 0);
    DECODER.with_borrow_mut(|decoder| {
        let decoder = decoder.get_or_insert_with(FrameDecoder::new);
        match decoder.decode_all(frame, plain) {
            Ok(found) if found == len => Ok(()),
            Ok(found) => Err(BlockError::Length { expected: len, found }),
            Err(error) => Err(BlockError::Zstd { message: error.to_string() }),
        }
    })
}
