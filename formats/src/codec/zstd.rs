//! One zstd frame over palette and indices (`FORMAT.md` §6).

use super::{BlockError, ONE_BYTE, RawBlock, check_rising};
use std::cell::RefCell;

/// Compresses blocks.
pub(super) struct Zipper {
    compressor: Option<zstd::bulk::Compressor<'static>>,
    level: i32,
    plain: Vec<u8>,
}

impl Zipper {
    pub(super) fn new(level: i32) -> Zipper {
        Zipper { compressor: None, level, plain: Vec::new() }
    }

    /// The zstd body of `block`, or `None` if zstd cannot (it had no memory, say).
    pub(super) fn zip(&mut self, block: &RawBlock) -> Option<Vec<u8>> {
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
        if self.compressor.is_none() {
            self.compressor = zstd::bulk::Compressor::new(self.level).ok();
        }
        let mut body = self.compressor.as_mut()?.compress(plain).ok()?;
        // It has room for a block that does not shrink, and may be kept for long.
        body.shrink_to_fit();
        Some(body)
    }
}

fn push_leb128(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_leb128(bytes: &mut &[u8]) -> Result<u32, BlockError> {
    let mut number = 0u64;
    for shift in (0..35).step_by(7) {
        let Some((&byte, rest)) = bytes.split_first() else {
            return Err(BlockError::Field { expected: "a whole number in the palette", found: number });
        };
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return u32::try_from(number)
                .map_err(|_| BlockError::Field { expected: "a number of at most 32 bits", found: number });
        }
    }
    Err(BlockError::Field { expected: "a number of at most 5 bytes", found: number })
}

thread_local! {
    /// A decompression context is large and slow to make: one per thread serves for ever.
    static DECOMPRESSOR: RefCell<Option<zstd::bulk::Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Decompresses `frame`, which must say its content size, into at most `limit` bytes.
fn unzip(frame: &[u8], limit: usize) -> Result<Vec<u8>, BlockError> {
    let error = |e: std::io::Error| BlockError::Zstd { message: e.to_string() };
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
    // RFC 8878: bit 2 of the frame header's descriptor says that a checksum follows, bits 0 and 1 name a dictionary.
    if frame.get(4).is_some_and(|descriptor| descriptor & 0b111 != 0) {
        let message = "expected a frame without checksum and without dictionary".to_owned();
        return Err(BlockError::Zstd { message });
    }
    // The library would go on behind the frame's end with what follows, an empty or a skippable frame.
    let end = zstd::zstd_safe::find_frame_compressed_size(frame)
        .map_err(|code| BlockError::Zstd { message: zstd::zstd_safe::get_error_name(code).to_owned() })?;
    if end != frame.len() {
        return Err(BlockError::Length { expected: end, found: frame.len() });
    }
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            None => slot.insert(zstd::bulk::Decompressor::new().map_err(error)?),
        };
        decompressor.decompress(frame, size as usize).map_err(error)
    })
}

/// A block taken out of its zstd frame.
#[derive(Clone, Debug)]
pub struct Unzipped {
    palette: Vec<u32>,
    /// The frame's bytes; from `indices` on one byte per slot, or one low byte per slot and then the high ones.
    plain: Vec<u8>,
    indices: usize,
    slots: u32,
}

impl Unzipped {
    /// Unzips the block of `slots` slots from a zstd body. Takes at most 12 bytes of memory per slot, whatever
    /// the body says.
    ///
    /// # Errors
    /// When the body is not a frame of such a block.
    pub fn new(body: &[u8], slots: u32) -> Result<Unzipped, BlockError> {
        // n ≤ slots palette entries and their count at 5 bytes, and 2 bytes for each index.
        let plain = unzip(body, 5 + slots as usize * 7)?;
        let mut rest = &plain[..];
        let entries = take_leb128(&mut rest)?;
        if entries < 2 || entries > slots {
            return Err(BlockError::Field {
                expected: "2 palette entries to one per slot",
                found: entries.into(),
            });
        }
        let mut palette = Vec::with_capacity(entries as usize);
        let mut code = 0u32;
        for entry in 0..entries as usize {
            let step = take_leb128(&mut rest)?;
            code = code.checked_add(step).ok_or(BlockError::Palette { entry })?;
            palette.push(code);
        }
        check_rising(palette.iter().copied())?;
        let bytes_per_slot = if palette.len() > ONE_BYTE { 2 } else { 1 };
        let expected = slots as usize * bytes_per_slot;
        if rest.len() != expected {
            return Err(BlockError::Length { expected, found: rest.len() });
        }
        let indices = plain.len() - expected;
        Ok(Unzipped { palette, plain, indices, slots })
    }

    /// The palette's codes, rising.
    #[must_use]
    pub fn palette(&self) -> &[u32] {
        &self.palette
    }

    /// About how many bytes of memory this takes.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of::<Unzipped>() + 4 * self.palette.capacity() + self.plain.capacity()
    }

    /// The palette index of `slot`.
    ///
    /// # Errors
    /// When the block has no such slot.
    #[inline]
    pub fn index(&self, slot: u32) -> Result<u16, BlockError> {
        let at = self.indices + slot as usize;
        let low = self.plain.get(at).filter(|_| slot < self.slots);
        let high =
            if self.palette.len() > ONE_BYTE { self.plain.get(at + self.slots as usize) } else { Some(&0) };
        match (low, high) {
            (Some(&low), Some(&high)) => Ok(u16::from_le_bytes([low, high])),
            _ => Err(BlockError::Field { expected: "a slot of this block", found: slot.into() }),
        }
    }

    /// The code of `slot`.
    ///
    /// # Errors
    /// When the block has no such slot, or the slot's index is not in the palette.
    #[inline]
    pub fn code(&self, slot: u32) -> Result<u32, BlockError> {
        super::look_up(&self.palette, slot, self.index(slot)?)
    }
}
