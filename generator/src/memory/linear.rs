//! Zeroed bytes of WebAssembly's linear memory, which has no pages of its own to map.

use std::{
    collections::TryReserveError,
    io::{Error, ErrorKind, Result},
    ops::{Deref, DerefMut},
};
use zerocopy::IntoBytes;

/// Zeroed bytes, which take the place of an anonymous map.
#[derive(Debug)]
pub(super) struct LinearMemory {
    words: Vec<u64>,
    len: usize,
}

/// Returns the refusal of linear memory to grow.
fn refused(error: TryReserveError) -> Error {
    Error::new(ErrorKind::OutOfMemory, error)
}

/// Returns an empty list with room for `len` bytes.
fn reserved(len: usize) -> Result<Vec<u64>> {
    let mut words = Vec::new();
    words.try_reserve_exact(len.div_ceil(size_of::<u64>())).map_err(refused)?;
    Ok(words)
}

impl LinearMemory {
    /// Takes `len` bytes and zeroes them.
    pub(super) fn map_anon(len: usize) -> Result<LinearMemory> {
        let mut words = reserved(len)?;
        words.resize(len.div_ceil(size_of::<u64>()), 0);
        Ok(LinearMemory { words, len })
    }
}

/// Checks that the memory can grow by `len` bytes. It stays as large as that, and the next request has
/// what this one returns.
pub(super) fn ask_for(len: usize) -> Result<()> {
    // Without this the compiler leaves out a request whose memory nobody uses.
    std::hint::black_box(&reserved(len)?);
    Ok(())
}

impl Deref for LinearMemory {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.words.as_bytes()[..self.len]
    }
}

impl DerefMut for LinearMemory {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.words.as_mut_bytes()[..self.len]
    }
}
