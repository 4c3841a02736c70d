//! Large zeroed arrays, in huge pages where the system has them.

#[cfg(target_family = "wasm")]
mod linear;

#[cfg(target_family = "wasm")]
use linear::LinearMemory as MmapMut;
#[cfg(not(target_family = "wasm"))]
use memmap2::MmapMut;
use std::{io, marker::PhantomData, ops::Range, sync::atomic::AtomicU16};
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// Bytes of a huge page, on most systems. WebAssembly has none, and any word is a good place to begin.
const HUGE: usize = if cfg!(target_family = "wasm") { size_of::<u64>() } else { 2 << 20 };

/// The invariant of [`Array`] on which its views depend.
const ALIGNED: &str = "an array begins on a page and has a whole number of elements";

/// The system refused the memory that a solve needs.
#[derive(Debug, thiserror::Error)]
#[error("expected {bytes} bytes of memory for the positions, and the system refused: {source}")]
pub struct OutOfMemory {
    /// Bytes asked for.
    pub bytes: u64,
    source: io::Error,
}

impl OutOfMemory {
    /// Creates the refusal of so many bytes.
    pub(crate) fn refused(bytes: usize, source: impl Into<io::Error>) -> OutOfMemory {
        OutOfMemory { bytes: bytes as u64, source: source.into() }
    }
}

/// Makes room for `more` elements behind those of the list, and perhaps for others.
pub(crate) fn grow<T>(list: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    list.try_reserve(more).map_err(|error| OutOfMemory::refused(more * size_of::<T>(), error))
}

/// Makes room for `more` elements behind those of the list, and for no others.
///
/// # Errors
/// When the system refuses the memory.
pub fn grow_exact<T>(list: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    list.try_reserve_exact(more).map_err(|error| OutOfMemory::refused(more * size_of::<T>(), error))
}

/// Returns an empty list with room for `len` bytes.
pub(crate) fn reserve_exact(len: usize) -> Result<Vec<u8>, OutOfMemory> {
    let mut bytes = Vec::new();
    grow_exact(&mut bytes, len)?;
    Ok(bytes)
}

/// Checks that the system would grant this much memory, without taking it: a refusal now is better than being
/// killed later.
pub(crate) fn ask_for(bytes: u64) -> Result<(), OutOfMemory> {
    // A map takes no memory until it is written to; linear memory is cleared at once.
    #[cfg(target_family = "wasm")]
    return ask_system(bytes, linear::ask_for);
    #[cfg(not(target_family = "wasm"))]
    reserve(bytes).map(drop)
}

fn reserve(bytes: u64) -> Result<MmapMut, OutOfMemory> {
    ask_system(bytes, MmapMut::map_anon)
}

fn ask_system<T>(bytes: u64, ask: impl FnOnce(usize) -> io::Result<T>) -> Result<T, OutOfMemory> {
    let refuse = |source| OutOfMemory { bytes, source };
    let len =
        usize::try_from(bytes).map_err(|_| refuse(io::Error::other("more than this machine can address")))?;
    ask(len).map_err(refuse)
}

/// An array. Pages that are never written take no memory.
#[derive(Debug)]
pub(crate) struct Array<T> {
    map: MmapMut,
    /// The bytes of the map that hold the elements.
    range: Range<usize>,
    element: PhantomData<T>,
}

impl<T: FromBytes + IntoBytes + Immutable> Array<T> {
    /// Creates `count` zeros.
    pub(crate) fn new(count: u64) -> Result<Array<T>, OutOfMemory> {
        let bytes = count.saturating_mul(size_of::<T>() as u64);
        // A map begins on any page, and has huge pages only where they are aligned.
        let spare = if bytes < HUGE as u64 { 0 } else { HUGE as u64 };
        let map = reserve(bytes.saturating_add(spare))?;
        let begin = map.as_ptr().addr();
        let start = if spare == 0 { 0 } else { begin.next_multiple_of(HUGE) - begin };
        let range = start..start + bytes as usize;
        // A partial huge page at the end would take a whole one. Without huge pages everything works, only
        // slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise_range(memmap2::Advice::HugePage, start, range.len() / HUGE * HUGE);
        Ok(Array { map, range, element: PhantomData })
    }

    /// Returns the elements, to read.
    #[inline]
    pub(crate) fn get(&self) -> &[T] {
        <[T]>::ref_from_bytes(&self.map[self.range.clone()]).expect(ALIGNED)
    }

    /// Returns the elements, for one thread.
    pub(crate) fn get_mut(&mut self) -> &mut [T] {
        <[T]>::mut_from_bytes(&mut self.map[self.range.clone()]).expect(ALIGNED)
    }
}

impl Array<u16> {
    /// Returns the elements, for many threads.
    pub(crate) fn get_atomic(&mut self) -> &[AtomicU16] {
        <[AtomicU16]>::mut_from_bytes(&mut self.map[self.range.clone()]).expect(ALIGNED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_zeroed_and_large_ones_begin_at_a_huge_page() {
        let huge = HUGE / size_of::<u64>();
        for count in [0, 1, 1000, huge - 1, huge, huge + 5, 3 * huge + 1] {
            let mut array = Array::<u64>::new(count as u64).unwrap();
            assert_eq!(array.get(), vec![0; count]);
            assert!(count < huge || array.get().as_ptr().addr().is_multiple_of(HUGE), "{count}");
            array.get_mut().fill(7);
            assert_eq!(array.get(), vec![7; count]);
        }
    }
}
