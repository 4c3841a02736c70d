//! Bytes as choices, from the fuzzer or from a random generator.

use dragnet_formats::digest::splitmix64;

/// A reader that takes numbers off the front of bytes, and zeros after the end.
#[derive(Clone)]
pub(crate) struct Choices<'a>(pub(crate) &'a [u8]);

impl Choices<'_> {
    /// Returns whether all bytes have been taken.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&byte, rest)) => {
                self.0 = rest;
                byte
            }
            None => 0,
        }
    }

    /// Takes a number below `bound`, which is at most 65,536. Returns 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let number = usize::from(u16::from_le_bytes([self.byte(), self.byte()]));
        number % bound.max(1)
    }

    pub(crate) fn word(&mut self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }
}

/// Appends a number in LEB128.
pub(crate) fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Returns `len` random bytes, the same everywhere for the same seed.
#[must_use]
pub fn random(seed: u64, len: usize) -> Vec<u8> {
    let words = (0..len.div_ceil(8) as u64).map(|i| splitmix64(splitmix64(seed) ^ i));
    let mut bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
    bytes.truncate(len);
    bytes
}

/// Returns one of `files` with a few random changes: bytes altered, taken out, repeated, or replaced by bytes
/// of another file.
#[must_use]
pub fn alter(files: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let random = random(seed, 96);
    let mut choices = Choices(&random);
    let mut file = files.get(choices.below(files.len())).cloned().unwrap_or_default();
    for _ in 0..=choices.below(8) {
        let from = choices.below(file.len() + 1);
        let len = choices.below(17).min(file.len() - from);
        let other = &files[choices.below(files.len())];
        match choices.below(5) {
            0 => file[from..from + len].iter_mut().for_each(|byte| *byte = choices.byte()),
            1 => drop(file.drain(from..from + len)),
            2 => {
                let copy = file[from..from + len].to_vec();
                let to = choices.below(file.len() + 1);
                drop(file.splice(to..to, copy));
            }
            3 => {
                let at = choices.below(other.len() + 1);
                let end = (at + 4 * len).min(other.len());
                drop(file.splice(from..from, other[at..end].iter().copied()));
            }
            _ => {
                if let Some(byte) = file.get_mut(from) {
                    *byte ^= 1 << choices.below(8);
                }
            }
        }
    }
    file
}
