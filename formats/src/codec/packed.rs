//! Blocks as bit-packed indices behind a palette of fixed-width codes, read in place (`FORMAT.md` §6).

use super::{error::BlockError, palette::check_rising, raw::RawBlock};

const PALETTE: usize = 4;
const PADDING: usize = 3;

/// Returns the number of bits per index that a palette of `entries` codes needs.
fn bits(entries: usize) -> u32 {
    (entries.max(2) - 1).ilog2() + 1
}

fn entry_bytes(block: &RawBlock) -> usize {
    if block.palette().last().is_some_and(|&code| code > u32::from(u16::MAX)) { 4 } else { 2 }
}

fn body_len(entries: usize, entry_bytes: usize, bits: u32, slots: usize) -> usize {
    PALETTE + entries * entry_bytes + (slots * bits as usize).div_ceil(8) + PADDING
}

/// Returns the length in bytes of the body that [`encode`] makes of `block`.
#[must_use]
pub fn encoded_len(block: &RawBlock) -> usize {
    let entries = block.palette().len();
    body_len(entries, entry_bytes(block), bits(entries), block.indices().len())
}

/// Returns the packed body of `block`.
#[must_use]
pub fn encode(block: &RawBlock) -> Vec<u8> {
    let entries = block.palette().len();
    let (bits, entry_bytes) = (bits(entries), entry_bytes(block));
    let mut body = Vec::with_capacity(encoded_len(block));
    body.extend([bits as u8, entry_bytes as u8]);
    body.extend((entries as u16).wrapping_sub(1).to_le_bytes());
    for code in block.palette() {
        body.extend_from_slice(&code.to_le_bytes()[..entry_bytes]);
    }
    let (mut buffer, mut filled) = (0u64, 0);
    for index in block.indices() {
        buffer |= u64::from(index) << filled;
        filled += bits;
        if filled >= 32 {
            body.extend((buffer as u32).to_le_bytes());
            buffer >>= 32;
            filled -= 32;
        }
    }
    body.extend_from_slice(&buffer.to_le_bytes()[..filled.div_ceil(8) as usize]);
    body.extend([0; PADDING]);
    body
}

/// The first bytes of most packed bodies, as the length tells them: palette entries have two bytes, and
/// indices have no more bits than these need. Plain numbers without an `Option` around them, so that they
/// stay in registers.
struct PackedShape {
    bits: u32,
    entries: u32,
}

impl PackedShape {
    /// Returns the shape of a body of `length` bytes with `slots` slots, if it is one of most bodies;
    /// otherwise any shape.
    #[inline(always)]
    fn of_length(length: u32, slots: u32) -> PackedShape {
        let rest = length.wrapping_sub((PALETTE + PADDING) as u32);
        let entries = |bits: u32| rest.wrapping_sub(slots.wrapping_mul(bits).div_ceil(8)) / 2;
        // The palette is smaller than the indices in most blocks, so that this is right or one too many.
        let most = (rest.wrapping_mul(8) / slots.max(1)).clamp(1, 16);
        let bits = if entries(most) > 1 << (most - 1) { most } else { (most - 1).max(1) };
        PackedShape { bits, entries: entries(bits) }
    }

    /// Returns the four first bytes.
    #[inline(always)]
    fn to_bytes(&self) -> [u8; PALETTE] {
        let [low, high, ..] = self.entries.wrapping_sub(1).to_le_bytes();
        [self.bits as u8, 2, low, high]
    }
}

/// A packed body, read in place.
#[derive(Clone, Copy, Debug)]
pub struct Packed<'a> {
    palette: &'a [u8],
    /// The indices and the padding after them.
    indices: &'a [u8],
    entry_bytes: u8,
    bits: u8,
    slots: u32,
}

impl<'a> Packed<'a> {
    /// Opens the block of `slots` slots in `body`. Looks at the first four bytes and the length only.
    ///
    /// # Errors
    /// When the first bytes and the length contradict each other.
    #[inline(always)]
    pub fn new(body: &'a [u8], slots: u32) -> Result<Packed<'a>, BlockError> {
        // The length and the number of slots mostly tell the first bytes. With their values from there, the
        // next read need not wait for them: the processor only compares them later, and a probe waits for
        // memory once instead of twice.
        let shape = PackedShape::of_length(body.len() as u32, slots);
        let palette_len = shape.entries as usize * 2;
        if let Some((first, rest)) = body.split_first_chunk::<PALETTE>()
            && *first == shape.to_bytes()
            && body.len() == body_len(shape.entries as usize, 2, shape.bits, slots as usize)
            && let Some((palette, indices)) = rest.split_at_checked(palette_len)
        {
            return Ok(Packed { palette, indices, entry_bytes: 2, bits: shape.bits as u8, slots });
        }
        Packed::from_first_bytes(body, slots)
    }

    #[cold]
    fn from_first_bytes(body: &'a [u8], slots: u32) -> Result<Packed<'a>, BlockError> {
        let Some((&[bits, entry_bytes, low, high], rest)) = body.split_first_chunk::<PALETTE>() else {
            return Err(BlockError::Length { expected: PALETTE, found: body.len() });
        };
        let entries = usize::from(u16::from_le_bytes([low, high])) + 1;
        if !(1..=16).contains(&bits) {
            return Err(BlockError::Field { expected: "1 to 16 bits per index", found: bits.into() });
        }
        if entry_bytes != 2 && entry_bytes != 4 {
            let found = entry_bytes.into();
            return Err(BlockError::Field { expected: "2 or 4 bytes per palette entry", found });
        }
        let expected = body_len(entries, entry_bytes.into(), bits.into(), slots as usize);
        if body.len() != expected {
            return Err(BlockError::Length { expected, found: body.len() });
        }
        let (palette, indices) = rest.split_at(entries * usize::from(entry_bytes));
        Ok(Packed { palette, indices, entry_bytes, bits, slots })
    }

    /// Checks the palette and the padding, too.
    ///
    /// # Errors
    /// When the palette does not rise or has only one entry, or the padding is not zero.
    pub fn check(&self) -> Result<(), BlockError> {
        let entries = self.entries();
        if entries < 2 {
            return Err(BlockError::Field { expected: "at least 2 palette entries", found: entries as u64 });
        }
        check_rising(self.palette())?;
        if let Some(&found) = self.indices.iter().rev().take(PADDING).find(|&&b| b != 0) {
            return Err(BlockError::Field { expected: "zeros after the indices", found: found.into() });
        }
        // Where the last index ends inside a byte, the rest of that byte must be zero, too.
        let used = (u64::from(self.slots) * u64::from(self.bits) % 8) as u32;
        let last = self.indices.iter().rev().nth(PADDING).map_or(0, |&byte| byte >> used);
        if used != 0 && last != 0 {
            return Err(BlockError::Field { expected: "zeros after the indices", found: last.into() });
        }
        Ok(())
    }

    fn entries(&self) -> usize {
        self.palette.len() / usize::from(self.entry_bytes)
    }

    /// Returns the bits of an index, 1 to 16.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits.into()
    }

    /// Returns the bytes of a palette entry, 2 or 4.
    #[must_use]
    pub fn entry_bytes(&self) -> usize {
        self.entry_bytes.into()
    }

    /// Returns the palette as it lies in the body.
    #[must_use]
    pub fn palette_bytes(&self) -> &'a [u8] {
        self.palette
    }

    /// Returns the indices as they lie in the body, without the padding behind them.
    #[must_use]
    pub fn index_bytes(&self) -> &'a [u8] {
        &self.indices[..self.indices.len() - PADDING]
    }

    /// Returns the codes of the palette.
    pub fn palette(&self) -> impl Iterator<Item = u32> + 'a {
        let this = *self;
        (0..this.entries()).map_while(move |i| this.entry(i))
    }

    #[inline(always)]
    fn entry(&self, index: usize) -> Option<u32> {
        if self.entry_bytes == 2 {
            let bytes = self.palette.get(2 * index..)?.first_chunk()?;
            Some(u16::from_le_bytes(*bytes).into())
        } else {
            let bytes = self.palette.get(4 * index..)?.first_chunk()?;
            Some(u32::from_le_bytes(*bytes))
        }
    }

    /// Returns the palette index of `slot`.
    ///
    /// # Errors
    /// When the block has no such slot.
    #[inline(always)]
    pub fn index(&self, slot: u32) -> Result<u16, BlockError> {
        let bit = u64::from(slot) * u64::from(self.bits);
        let window = self.indices.get((bit / 8) as usize..).and_then(|rest| rest.first_chunk());
        match window {
            Some(bytes) if slot < self.slots => {
                let index = u32::from_le_bytes(*bytes) >> (bit % 8);
                Ok((index & ((1 << self.bits) - 1)) as u16)
            }
            _ => Err(BlockError::Field { expected: "a slot of this block", found: slot.into() }),
        }
    }

    /// Returns the code of `slot`.
    ///
    /// # Errors
    /// When the block has no such slot, or the slot's index is not in the palette.
    #[inline(always)]
    pub fn code(&self, slot: u32) -> Result<u32, BlockError> {
        let index = self.index(slot)?;
        self.entry(index.into()).ok_or(BlockError::Index { slot, index, entries: self.entries() })
    }
}
