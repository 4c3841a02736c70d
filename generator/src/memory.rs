//! Large arrays of words, zero at first, in huge pages where the system gives them.

use memmap2::MmapMut;
use std::sync::atomic::AtomicU16;
use zerocopy::FromBytes;

/// The system did not give the memory that a solve needs.
#[derive(Debug, thiserror::Error)]
#[error("expected {bytes} bytes of memory for the positions, and the system refused: {source}")]
pub struct OutOfMemory {
    /// Bytes asked for.
    pub bytes: u64,
    source: std::io::Error,
}

/// Asks the system whether it would give this much memory, without taking it: better than being ended by it later.
pub(crate) fn ask_for(bytes: u64) -> Result<(), OutOfMemory> {
    reserve(bytes).map(drop)
}

fn reserve(bytes: u64) -> Result<MmapMut, OutOfMemory> {
    let refuse = |source| OutOfMemory { bytes, source };
    let len = usize::try_from(bytes)
        .map_err(|_| refuse(std::io::Error::other("more than this machine can address")))?;
    MmapMut::map_anon(len).map_err(refuse)
}

/// An array of 16-bit words. Pages that are never written take no memory.
#[derive(Debug)]
pub(crate) struct Words(MmapMut);

impl Words {
    /// `count` zero words.
    pub(crate) fn new(count: u64) -> Result<Words, OutOfMemory> {
        let map = reserve(count.saturating_mul(2))?;
        // Without huge pages everything works, only slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Words(map))
    }

    /// The words, to read.
    #[inline]
    pub(crate) fn get(&self) -> &[u16] {
        <[u16]>::ref_from_bytes(&self.0).unwrap_or_default()
    }

    /// The words, for one thread.
    pub(crate) fn get_mut(&mut self) -> &mut [u16] {
        <[u16]>::mut_from_bytes(&mut self.0).unwrap_or_default()
    }

    /// The words, for many threads.
    pub(crate) fn get_atomic(&mut self) -> &[AtomicU16] {
        match <[AtomicU16]>::mut_from_bytes(&mut self.0) {
            Ok(words) => words,
            // Impossible: a map begins on a page and its length is a whole number of words.
            Err(_) => &[],
        }
    }
}
