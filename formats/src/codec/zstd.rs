//! Blocks as one zstd frame over palette and indices (`FORMAT.md` §6).
//!
//! Reading and writing them needs the feature `zstd`. Without it a [`Compressed`] block is a typed error,
//! [`BlockError::NoZstd`], when it is decompressed.

use super::{
    error::BlockError,
    palette::{ONE_BYTE, check_rising, code_at},
};

#[cfg(feature = "zstd")]
mod library;

#[cfg(feature = "zstd")]
pub(super) use library::Compressor;
#[cfg(feature = "zstd")]
use library::decompress;

#[cfg(not(feature = "zstd"))]
fn decompress(_frame: &[u8], _limit: usize) -> Result<Vec<u8>, BlockError> {
    Err(BlockError::NoZstd)
}

/// The body of a block compressed with zstd.
#[derive(Clone, Copy, Debug)]
pub struct Compressed<'a> {
    body: &'a [u8],
    slots: u32,
}

impl<'a> Compressed<'a> {
    /// Creates the block of `slots` slots with this body, which is not looked at.
    #[must_use]
    #[inline(always)]
    pub fn new(body: &'a [u8], slots: u32) -> Compressed<'a> {
        Compressed { body, slots }
    }

    /// Returns the block's contents. Takes at most 12 bytes of memory per slot, whatever the body says.
    ///
    /// # Errors
    /// When the body is not a frame of such a block, or this build has no zstd.
    pub fn decompress(self) -> Result<Decompressed, BlockError> {
        Decompressed::new(self.body, self.slots)
    }
}

/// Takes a LEB128 number off the beginning of `bytes`.
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

/// The contents of a block that was compressed.
#[derive(Clone, Debug)]
pub struct Decompressed {
    palette: Vec<u32>,
    /// The frame's contents; from `indices` on the low bytes of all indices, then the high bytes, if there
    /// are any.
    plain: Vec<u8>,
    /// Where the indices begin in `plain`.
    indices: usize,
    slots: u32,
}

impl Decompressed {
    /// Decompresses the block of `slots` slots from a zstd body. Takes at most 12 bytes of memory per slot,
    /// whatever the body says.
    ///
    /// # Errors
    /// When the body is not a frame of such a block, or this build has no zstd.
    pub fn new(body: &[u8], slots: u32) -> Result<Decompressed, BlockError> {
        // n ≤ slots palette entries and their count at 5 bytes, and 2 bytes for each index.
        let plain = decompress(body, 5 + slots as usize * 7)?;
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
        Ok(Decompressed { palette, plain, indices, slots })
    }

    /// Returns the palette's codes, rising.
    #[must_use]
    pub fn palette(&self) -> &[u32] {
        &self.palette
    }

    /// Returns about how many bytes of memory the block takes.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of::<Decompressed>() + 4 * self.palette.capacity() + self.plain.capacity()
    }

    /// Returns the palette index of `slot`.
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

    /// Returns the code of `slot`.
    ///
    /// # Errors
    /// When the block has no such slot, or the slot's index is not in the palette.
    #[inline]
    pub fn code(&self, slot: u32) -> Result<u32, BlockError> {
        code_at(&self.palette, slot, self.index(slot)?)
    }
}
