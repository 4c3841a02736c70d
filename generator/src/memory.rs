//! Large arrays, zero at first, in huge pages where the system gives them.

use memmap2::MmapMut;
#[cfg(target_os = "linux")]
use rayon::prelude::*;
use std::{marker::PhantomData, ops::Range, sync::atomic::AtomicU16};
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// Bytes that a thread populates in one go: a few huge pages.
#[cfg(target_os = "linux")]
const PIECE: usize = 8 << 20;

/// Bytes of a huge page, on most systems.
const HUGE: usize = 2 << 20;

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

/// An array. Pages that are never written take no memory.
#[derive(Debug)]
pub(crate) struct Array<T> {
    map: MmapMut,
    /// The bytes of the map that are ours.
    range: Range<usize>,
    element: PhantomData<T>,
}

impl<T: FromBytes + IntoBytes + Immutable> Array<T> {
    /// `count` zeros.
    pub(crate) fn new(count: u64) -> Result<Array<T>, OutOfMemory> {
        let bytes = count.saturating_mul(size_of::<T>() as u64);
        // Systems begin a map on any page, and give a huge one only where it fits.
        let spare = if bytes < HUGE as u64 { 0 } else { HUGE as u64 };
        let map = reserve(bytes.saturating_add(spare))?;
        let begin = map.as_ptr().addr();
        let start = if spare == 0 { 0 } else { begin.next_multiple_of(HUGE) - begin };
        let range = start..start + bytes as usize;
        // A last part of a huge page would take a whole one. Without huge pages everything works, only slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise_range(memmap2::Advice::HugePage, start, range.len() / HUGE * HUGE);
        Ok(Array { map, range, element: PhantomData })
    }

    /// Takes all pages now, on the threads of the current pool: a page that is read before it is written is taken twice, and the
    /// second time all processors wait.
    pub(crate) fn populate(&self) {
        #[cfg(target_os = "linux")]
        {
            let (map, end) = (&self.map, self.range.end);
            self.range.clone().into_par_iter().step_by(PIECE).for_each(|at| {
                // Systems older than this advice do without.
                let _ = map.advise_range(memmap2::Advice::PopulateWrite, at, PIECE.min(end - at));
            });
        }
    }

    /// `count` zeros, in pages that are taken one by one where something is written.
    pub(crate) fn in_small_pages(count: u64) -> Result<Array<T>, OutOfMemory> {
        let map = reserve(count.saturating_mul(size_of::<T>() as u64))?;
        let range = 0..map.len();
        Ok(Array { map, range, element: PhantomData })
    }

    // Our part of a map begins on a page and its length is a whole number of elements: the views below cannot fail.

    /// All of it, to read.
    #[inline]
    pub(crate) fn get(&self) -> &[T] {
        <[T]>::ref_from_bytes(&self.map[self.range.clone()]).unwrap_or_default()
    }

    /// All of it, for one thread.
    pub(crate) fn get_mut(&mut self) -> &mut [T] {
        <[T]>::mut_from_bytes(&mut self.map[self.range.clone()]).unwrap_or_default()
    }
}

impl Array<u16> {
    /// All of it, for many threads.
    pub(crate) fn get_atomic(&mut self) -> &[AtomicU16] {
        match <[AtomicU16]>::mut_from_bytes(&mut self.map[self.range.clone()]) {
            Ok(words) => words,
            Err(_) => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_zeros_and_large_ones_begin_where_a_huge_page_can() {
        let huge = HUGE / size_of::<u64>();
        for count in [0, 1, 1000, huge - 1, huge, huge + 5, 3 * huge + 1] {
            let mut array = Array::<u64>::new(count as u64).unwrap();
            array.populate();
            assert_eq!(array.get(), vec![0; count]);
            assert!(count < huge || array.get().as_ptr().addr().is_multiple_of(HUGE), "{count}");
            array.get_mut().fill(7);
            assert_eq!(array.get(), vec![7; count]);
        }
    }
}
