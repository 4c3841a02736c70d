//! Blocks as one zstd frame over palette and indices (`FORMAT.md` §6).
//!
//! Reading them needs the feature `zstd` or `libzstd`, writing them `libzstd`. Without either a
//! [`Compressed`] block is a typed error, [`BlockError::NoZstd`], when it is decompressed.

use super::{
    error::BlockError,
    palette::{ONE_BYTE, check_rising, code_at},
};
use crate::leb128::{self, NoNumber};
use frame::Frame;

mod frame;

#[cfg(feature = "libzstd")]
mod library;

#[cfg(all(feature = "zstd", not(feature = "libzstd")))]
mod rust;

#[cfg(feature = "libzstd")]
pub(super) use library::Compressor;
#[cfg(feature = "libzstd")]
use library::decompress;

#[cfg(all(feature = "zstd", not(feature = "libzstd")))]
use rust::decompress;

#[cfg(not(any(feature = "zstd", feature = "libzstd")))]
fn decompress(_frame: &[u8], _len: usize, _plain: &mut Vec<u8>) -> Result<(), BlockError> {
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

    /// Returns a bound on the work of decompressing the block, in bytes of content: a Zstandard block whose
    /// tables must be built counts as much as some bytes more. `FORMAT.md` §10 says how it is counted.
    ///
    /// # Errors
    /// When the body is not one frame with a content that a block of so many slots can have.
    pub fn work(self) -> Result<u64, BlockError> {
        let frame = frame_of(self.body, self.slots)?;
        Ok(frame.content_len + frame.blocks * BLOCK_WORK)
    }

    /// Returns the block's contents. Takes at most 12 bytes of memory per slot, whatever the body says.
    ///
    /// # Errors
    /// When the body is not a frame of such a block, or this build has no zstd.
    pub fn decompress(self) -> Result<Decompressed, BlockError> {
        Decompressed::new(self.body, self.slots)
    }
}

/// Takes a number off the palette.
fn take(bytes: &mut &[u8]) -> Result<u32, BlockError> {
    leb128::take(bytes).map_err(|NoNumber { expected, found }| BlockError::Field { expected, found })
}

/// The work of building the tables of a Zstandard block, in bytes of content.
const BLOCK_WORK: u64 = 1024;

/// Reads the headers of the frame of a block with `slots` slots.
fn frame_of(body: &[u8], slots: u32) -> Result<Frame, BlockError> {
    let frame = Frame::read(body)?;
    // n ≤ slots palette entries and their count at 5 bytes, and 2 bytes for each index.
    if frame.content_len > 5 + u64::from(slots) * 7 {
        let expected = "a content size that fits the block's slots";
        return Err(BlockError::Field { expected, found: frame.content_len });
    }
    Ok(frame)
}

/// The contents of a block that was compressed.
#[derive(Clone, Debug, Default)]
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
        let mut contents = Decompressed::default();
        contents.replace(body, slots)?;
        Ok(contents)
    }

    /// Puts the contents of the block of `slots` slots with this zstd body in place of what is here, whose
    /// memory is used again.
    ///
    /// # Errors
    /// As for [`Decompressed::new`]. What is here then is a block without slots.
    pub fn replace(&mut self, body: &[u8], slots: u32) -> Result<(), BlockError> {
        self.slots = 0;
        self.palette.clear();
        let frame = frame_of(body, slots)?;
        decompress(body, frame.content_len as usize, &mut self.plain)?;
        let mut rest = &self.plain[..];
        let entries = take(&mut rest)?;
        if entries < 2 || entries > slots {
            return Err(BlockError::Field {
                expected: "2 palette entries to one per slot",
                found: entries.into(),
            });
        }
        let mut code = 0u32;
        for entry in 0..entries as usize {
            let step = take(&mut rest)?;
            code = code.checked_add(step).ok_or(BlockError::Palette { entry })?;
            self.palette.push(code);
        }
        check_rising(self.palette.iter().copied())?;
        let bytes_per_slot = if self.palette.len() > ONE_BYTE { 2 } else { 1 };
        let expected = slots as usize * bytes_per_slot;
        if rest.len() != expected {
            return Err(BlockError::Length { expected, found: rest.len() });
        }
        self.indices = self.plain.len() - expected;
        self.slots = slots;
        Ok(())
    }

    /// Returns the palette's codes, rising.
    #[must_use]
    pub fn palette(&self) -> &[u32] {
        &self.palette
    }

    /// Returns the low bytes of all slots' palette indices.
    #[must_use]
    pub fn low(&self) -> &[u8] {
        self.plain.get(self.indices..self.indices + self.slots as usize).unwrap_or_default()
    }

    /// Returns the high bytes of all slots' palette indices; empty if the palette has at most 256 codes.
    #[must_use]
    pub fn high(&self) -> &[u8] {
        self.plain.get(self.indices + self.slots as usize..).filter(|_| self.slots > 0).unwrap_or_default()
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
