//! A block as it lies in the cache: its codes in 64-bit words, small and quick to read.
//!
//! ```text
//!  word 0                         s       s + 1   s + 2    s + 3
//!  ┌─────────┬───────────────────┬───────┬───────┬────────┬──────────────────────────────┐
//!  │ length  │ palette, from the │ shape │ table │ entry  │ indices, as many bits each   │
//!  │ in words│ last code down    │       │       │        │ as the greatest of them has  │
//!  └─────────┴───────────────────┴───────┴───────┴────────┴──────────────────────────────┘
//! ```
//!
//! Who knows `s` and the number of bits reads an index without looking at the shape first, so that a
//! processor waits for memory once and not twice. The shape says how many slots and codes there are, and
//! whether a code takes 2 or 4 bytes. Table and entry are the rest of the block's key.

use dragnet_formats::codec::{BlockError, packed::Packed, zstd::Decompressed};

/// The name of a block: the number of its open table, which no other table ever has, the block's entry in the
/// index, and its number of slots. An honest table has no two blocks with one entry and different slots; a
/// forged one may, and must not get the codes of one for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) table: u64,
    pub(super) entry: u64,
    pub(super) slots: u32,
}

impl Key {
    /// Returns a number that spreads keys evenly.
    pub(super) fn hash(self) -> u64 {
        let mixed = (self.table.rotate_left(40) ^ self.entry).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }
}

/// Words that can be read one by one.
pub(super) trait Words {
    /// Returns word number `i`, or `None` beyond the end.
    fn word(&self, i: usize) -> Option<u64>;
}

impl Words for [u64] {
    #[inline(always)]
    fn word(&self, i: usize) -> Option<u64> {
        self.get(i).copied()
    }
}

/// The place of the key's table, counted from the shape.
const TABLE: usize = 1;
/// The place of the key's entry, counted from the shape.
const ENTRY: usize = 2;
/// The place of the first indices, counted from the shape.
const INDICES: usize = 3;

/// The word that says how the others are read.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    slots: u32,
    entries: u32,
    /// Bits of an index, 1 to 16.
    pub(super) bits: u32,
    /// Whether a code of the palette takes 4 bytes, else 2.
    wide: bool,
}

const NUMBER_BITS: u32 = 17;
const ENTRIES_AT: u32 = 20;
const BITS_AT: u32 = 40;
const WIDE_AT: u32 = 48;

impl Shape {
    #[inline(always)]
    fn to_word(self) -> u64 {
        u64::from(self.slots)
            | u64::from(self.entries) << ENTRIES_AT
            | u64::from(self.bits) << BITS_AT
            | u64::from(self.wide) << WIDE_AT
    }

    #[inline(always)]
    pub(super) fn of_word(word: u64) -> Shape {
        let number = |at: u32| (word >> at) as u32 & ((1 << NUMBER_BITS) - 1);
        Shape {
            slots: number(0),
            entries: number(ENTRIES_AT),
            bits: (word >> BITS_AT) as u32 & 0x1F,
            wide: word >> WIDE_AT & 1 == 1,
        }
    }

    /// Returns the words of the palette.
    pub(super) fn palette_words(self) -> usize {
        (self.entries as usize).div_ceil(if self.wide { 2 } else { 4 })
    }
}

/// Returns the key of the block whose shape is word number `at`, or `None` if the words are no such block.
pub(super) fn key(words: &(impl Words + ?Sized), at: usize) -> Option<Key> {
    let slots = Shape::of_word(words.word(at)?).slots;
    Some(Key { table: words.word(at + TABLE)?, entry: words.word(at + ENTRY)?, slots })
}

/// Returns the places and the words of a key beside the number of slots, for a block whose shape is word
/// number `at`.
pub(super) fn key_words(key: Key, at: usize) -> [(usize, u64); 2] {
    [(at + TABLE, key.table), (at + ENTRY, key.entry)]
}

/// Returns the code of `slot` in the block whose shape is word number `at` and whose indices have `bits`
/// bits, or `None` if the words are no such block.
#[inline(always)]
pub(super) fn code(
    words: &(impl Words + ?Sized),
    at: usize,
    bits: u32,
    slot: u32,
) -> Option<Result<u32, BlockError>> {
    let bit = u64::from(slot) * u64::from(bits);
    let (place, shift) = (at + INDICES + (bit / 64) as usize, (bit % 64) as u32);
    let shape = Shape::of_word(words.word(at)?);
    if slot >= shape.slots {
        return Some(Err(BlockError::Field { expected: "a slot of this block", found: slot.into() }));
    }
    let mut window = words.word(place)? >> shift;
    if shift + bits > 64 {
        window |= words.word(place + 1)? << (64 - shift);
    }
    let index = window as u32 & ((1 << bits) - 1);
    if index >= shape.entries {
        let (index, entries) = (index as u16, shape.entries as usize);
        return Some(Err(BlockError::Index { slot, index, entries }));
    }
    let codes = |per_word: u32| words.word(at.checked_sub(1 + (index / per_word) as usize)?);
    Some(Ok(if shape.wide {
        (codes(2)? >> (index % 2 * 32)) as u32
    } else {
        (codes(4)? >> (index % 4 * 16)) as u32 & 0xFFFF
    }))
}

/// A block as it lies in the cache, and memory for the next one.
#[derive(Debug, Default)]
pub(crate) struct Image {
    words: Vec<u64>,
    /// The place of the shape in the words.
    shape_at: usize,
    bits: u32,
    /// Room for what is decompressed.
    decompressed: Decompressed,
    /// Room for the bytes of an extent.
    bytes: Vec<u8>,
}

impl Image {
    /// Returns all words. The key is not set.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns room for words that are copied from elsewhere.
    pub(super) fn room(&mut self) -> &mut Vec<u64> {
        &mut self.words
    }

    /// Returns the number of slots.
    pub(super) fn slots(&self) -> u32 {
        Shape::of_word(self.words[self.shape_at]).slots
    }

    /// Returns the place of the shape in the words.
    pub(super) fn shape_at(&self) -> usize {
        self.shape_at
    }

    /// Returns the code of `slot`.
    pub(crate) fn code(&self, slot: u32) -> Result<u32, BlockError> {
        code(&self.words[..], self.shape_at, self.bits, slot).expect("an image is whole")
    }

    /// Takes the room for the bytes of an extent away.
    pub(crate) fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// Gives the room for the bytes of an extent back.
    pub(crate) fn give_bytes(&mut self, bytes: Vec<u8>) {
        self.bytes = bytes;
    }

    /// Begins the words anew, with a palette of these words, the first codes in the first one.
    fn begin(&mut self, shape: Shape, palette: impl DoubleEndedIterator<Item = u64>) {
        self.words.clear();
        self.words.push(0);
        self.words.extend(palette.rev());
        self.shape_at = self.words.len();
        self.bits = shape.bits;
        self.words.extend([shape.to_word(), 0, 0]);
    }

    fn finish(&mut self) {
        self.words[0] = self.words.len() as u64;
    }

    /// Puts a packed block in place of what is here.
    pub(crate) fn unpack(&mut self, packed: &Packed<'_>, slots: u32) {
        let palette = packed.palette_bytes();
        let wide = packed.entry_bytes() == 4;
        let entries = (palette.len() / packed.entry_bytes()) as u32;
        let shape = Shape { slots, entries, bits: packed.bits(), wide };
        self.begin(shape, words_of(palette));
        self.words.extend(words_of(packed.index_bytes()));
        self.finish();
    }

    /// Puts a block compressed with zstd in place of what is here.
    pub(crate) fn decompress(&mut self, body: &[u8], slots: u32) -> Result<(), BlockError> {
        let mut decompressed = std::mem::take(&mut self.decompressed);
        let read = decompressed.replace(body, slots);
        if read.is_ok() {
            self.pack(&decompressed, slots);
        }
        self.decompressed = decompressed;
        read
    }

    fn pack(&mut self, block: &Decompressed, slots: u32) {
        let (palette, low, high) = (block.palette(), block.low(), block.high());
        let wide = palette.last().is_some_and(|&code| code > u32::from(u16::MAX));
        let highest = |bytes: &[u8]| u32::from(bytes.iter().copied().fold(0, u8::max));
        let most = if high.is_empty() { highest(low) } else { highest(high) << 8 | 0xFF };
        let shape = Shape { slots, entries: palette.len() as u32, bits: most.max(1).ilog2() + 1, wide };
        let (per_word, code_bits) = if wide { (2, 32) } else { (4, 16) };
        let join =
            |codes: &[u32]| codes.iter().rev().fold(0, |word, &code| word << code_bits | u64::from(code));
        self.begin(shape, palette.chunks(per_word).map(join));
        if high.is_empty() {
            pack_bytes(low, shape.bits, &mut self.words);
        } else {
            let mut indices = BitWriter::new(&mut self.words);
            low.iter().zip(high).for_each(|(&low, &high)| {
                indices.push(u16::from_le_bytes([low, high]).into(), shape.bits);
            });
            indices.finish();
        }
        self.finish();
    }
}

/// Returns bytes as little-endian words, the last one filled up with zeros.
fn words_of(bytes: &[u8]) -> impl DoubleEndedIterator<Item = u64> {
    let (whole, rest) = bytes.as_chunks();
    let last = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    // Whole words apart from the last one, so that they are copied many at once.
    whole.iter().map(|&eight| u64::from_le_bytes(eight)).chain((!rest.is_empty()).then_some(last))
}

/// Appends the low `bits` bits, 1 to 8, of each of these bytes, whose other bits are 0.
fn pack_bytes(bytes: &[u8], bits: u32, words: &mut Vec<u64>) {
    // With the number of bits known, the compiler finds every shift, and takes vectors.
    match bits {
        1 => pack::<1>(bytes, words),
        2 => pack::<2>(bytes, words),
        3 => pack::<3>(bytes, words),
        4 => pack::<4>(bytes, words),
        5 => pack::<5>(bytes, words),
        6 => pack::<6>(bytes, words),
        7 => pack::<7>(bytes, words),
        _ => pack::<8>(bytes, words),
    }
}

fn pack<const BITS: usize>(bytes: &[u8], words: &mut Vec<u64>) {
    let (whole, rest) = bytes.as_chunks::<64>();
    let begin = words.len();
    words.resize(begin + BITS * whole.len(), 0);
    for (sixty_four, place) in whole.iter().zip(words[begin..].as_chunks_mut::<BITS>().0) {
        // All pieces of 8·BITS bits first, so that the compiler takes vectors for them.
        let mut pieces = [0; 8];
        for (piece, eight) in pieces.iter_mut().zip(sixty_four.as_chunks::<8>().0) {
            *piece = squeeze(u64::from_le_bytes(*eight), BITS as u32);
        }
        // Eight pieces make BITS words.
        let mut packed = [0; BITS];
        for (i, piece) in pieces.into_iter().enumerate() {
            let (word, shift) = (i * BITS / 8, i * BITS % 8 * 8);
            packed[word] |= piece << shift;
            if shift + 8 * BITS > 64 {
                packed[word + 1] |= piece >> (64 - shift);
            }
        }
        *place = packed;
    }
    let mut writer = BitWriter::new(words);
    rest.iter().for_each(|&index| writer.push(index.into(), BITS as u32));
    writer.finish();
}

/// Moves the low `bits` bits of each byte together; `bits` is at most 8, and the other bits are 0.
#[inline(always)]
fn squeeze(bytes: u64, bits: u32) -> u64 {
    let halves = |x: u64, low: u64, by: u32| x & low | (x & !low) >> by;
    let pairs = halves(bytes, 0x00FF_00FF_00FF_00FF, 8 - bits);
    let fours = halves(pairs, 0x0000_FFFF_0000_FFFF, 16 - 2 * bits);
    halves(fours, 0x0000_0000_FFFF_FFFF, 32 - 4 * bits)
}

/// Appends numbers of some bits each to words, lowest bits first.
struct BitWriter<'a> {
    words: &'a mut Vec<u64>,
    buffer: u64,
    /// Bits of the buffer that are taken, below 64.
    filled: u32,
}

impl BitWriter<'_> {
    fn new(words: &mut Vec<u64>) -> BitWriter<'_> {
        BitWriter { words, buffer: 0, filled: 0 }
    }

    /// Appends a number of `bits` bits, 1 to 16.
    #[inline(always)]
    fn push(&mut self, number: u64, bits: u32) {
        self.buffer |= number << self.filled;
        self.filled += bits;
        if self.filled >= 64 {
            self.words.push(self.buffer);
            self.filled -= 64;
            // What had no room: the highest bits of the number. There are none if it fitted exactly.
            self.buffer = if self.filled == 0 { 0 } else { number >> (bits - self.filled) };
        }
    }

    fn finish(self) {
        if self.filled > 0 {
            self.words.push(self.buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::codec::{Encoded, Encoder, Favour, RawBlock, packed};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn image_has_the_codes_of_the_block(
            codes in prop_oneof![
                prop::collection::vec(0u32..9, 1..300),
                prop::collection::vec(0u32..600, 300..900),
                prop::collection::vec(prop::sample::select(vec![1u32, 70_000, 9, 1 << 30]), 1..200),
            ],
            level in 1..10,
        ) {
            let block = RawBlock::new(&codes);
            let slots = codes.len() as u32;
            let body = packed::encode(&block);
            let mut image = Image::default();
            let read = |image: &Image| -> Vec<u32> {
                (0..slots).map(|slot| image.code(slot).unwrap()).collect()
            };
            image.unpack(&Packed::new(&body, slots).unwrap(), slots);
            prop_assert_eq!(&read(&image), &codes);
            prop_assert!(image.code(slots).is_err());
            if let Encoded::Zstd(body) = Encoder::new(Favour::Size, level).encode(&block) {
                image.decompress(&body, slots).unwrap();
                prop_assert_eq!(&read(&image), &codes);
                prop_assert!(image.code(slots).is_err());
            }
        }
    }
}
