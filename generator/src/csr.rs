//! Edges sorted into compressed rows, by all threads of the current pool and with little memory beside them.
//!
//! Consecutive rows form *piles*. Edges in any order are first sorted by piles, a block of edges at a time;
//! then one thread sorts each pile into its rows, in so little memory that it stays in the caches.

use crate::memory::{Array, OutOfMemory};
use rayon::prelude::*;
use std::ops::Range;

/// Rows of a pile. A row's index in its pile must fit into 16 bits; with this many a pile of ten edges per
/// row fits into a cache of the second level.
pub(crate) const PILE: usize = 1 << 14;

/// Edges sorted by the piles of their rows. Within a pile they keep their order. Takes 6 bytes per edge.
#[derive(Debug)]
pub(crate) struct PiledEdges {
    first_pile: usize,
    /// The start of each pile from the first, and the end of the last.
    offsets: Vec<u32>,
    rows: Vec<u16>,
    entries: Vec<u32>,
}

impl PiledEdges {
    /// Sorts `edges`, pairs of a row and an entry for it.
    pub(crate) fn new(edges: &[(u32, u32)]) -> PiledEdges {
        let pile = |row: u32| row as usize / PILE;
        let (least, most) = edges.iter().fold((u32::MAX, 0), |(a, b), &(row, _)| (a.min(row), b.max(row)));
        let first_pile = pile(least.min(most));
        let mut offsets = vec![0; pile(most) - first_pile + 2];
        for &(row, _) in edges {
            offsets[pile(row) - first_pile + 1] += 1;
        }
        for i in 1..offsets.len() {
            offsets[i] += offsets[i - 1];
        }
        let mut places = offsets.clone();
        let (mut rows, mut entries) = (vec![0; edges.len()], vec![0; edges.len()]);
        for &(row, entry) in edges {
            let place = &mut places[pile(row) - first_pile];
            rows[*place as usize] = (row as usize % PILE) as u16;
            entries[*place as usize] = entry;
            *place += 1;
        }
        PiledEdges { first_pile, offsets, rows, entries }
    }

    /// Returns the edges of one pile: their rows, counted from the pile's first, and their entries.
    fn pile(&self, pile: usize) -> (&[u16], &[u32]) {
        let place = pile.wrapping_sub(self.first_pile);
        match self.offsets.get(place..).unwrap_or_default() {
            &[begin, end, ..] => {
                let range = begin as usize..end as usize;
                (&self.rows[range.clone()], &self.entries[range])
            }
            _ => (&[], &[]),
        }
    }

    /// Returns the number of edges.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }
}

/// Sorts the edges of `sorted` into the rows from `first_row` on, which begins a pile. Writes for each row
/// the offset of its first entry to `starts`, counted so that `entries[0]` has offset `first_entry`. A row's
/// entries keep their order.
///
/// # Panics
/// If the length of `entries` is not the number of edges in these rows.
pub(crate) fn fill(
    sorted: &[PiledEdges],
    first_row: usize,
    starts: &mut [u32],
    entries: &mut [u32],
    first_entry: u32,
) {
    let mut piles = Vec::new();
    let (mut rest, mut begin) = (entries, first_entry);
    for (pile, starts) in (first_row / PILE..).zip(starts.chunks_mut(PILE)) {
        let len = sorted.iter().map(|sorted| sorted.pile(pile).0.len()).sum();
        let (entries, more) = rest.split_at_mut(len);
        piles.push((pile, starts, entries, begin));
        (rest, begin) = (more, begin + len as u32);
    }
    assert!(rest.is_empty(), "{} entries too many", rest.len());
    piles.into_par_iter().for_each(|(pile, starts, entries, begin)| {
        starts.fill(0);
        for sorted in sorted {
            for &row in sorted.pile(pile).0 {
                starts[usize::from(row)] += 1;
            }
        }
        let mut place = 0;
        for start in &mut *starts {
            place += std::mem::replace(start, place);
        }
        // Each row's start serves as the offset of its next entry, and ends as the start of the next row.
        for sorted in sorted {
            let (rows, of_rows) = sorted.pile(pile);
            for (&row, &entry) in rows.iter().zip(of_rows) {
                let place = &mut starts[usize::from(row)];
                entries[*place as usize] = entry;
                *place += 1;
            }
        }
        let mut next = begin;
        for start in starts {
            next = begin + std::mem::replace(start, next);
        }
    });
}

/// Compressed sparse rows, in huge pages.
#[derive(Debug)]
pub(crate) struct Csr {
    starts: Array<u32>,
    entries: Array<u32>,
    /// The number of rows and of entries that are filled.
    filled: (usize, usize),
}

impl Csr {
    /// Creates `rows` rows with at most `most_entries` entries, to be filled by [`Csr::fill`]. Entries that
    /// never come take no memory.
    pub(crate) fn new(rows: u64, most_entries: u64) -> Result<Csr, OutOfMemory> {
        Ok(Csr { starts: Array::new(rows + 1)?, entries: Array::new(most_entries)?, filled: (0, 0) })
    }

    /// Returns the number of rows.
    fn len(&self) -> usize {
        self.starts.get().len() - 1
    }

    /// Fills the next `rows` rows, a whole number of piles unless they are the last, with the edges of
    /// `sorted`, all of which must be in these rows.
    pub(crate) fn fill(&mut self, rows: usize, sorted: &[PiledEdges]) {
        let (first_row, first_entry) = self.filled;
        let (end_row, end_entry) =
            (first_row + rows, first_entry + sorted.iter().map(PiledEdges::len).sum::<usize>());
        let starts = self.starts.get_mut();
        let entries = &mut self.entries.get_mut()[first_entry..end_entry];
        fill(sorted, first_row, &mut starts[first_row..end_row], entries, first_entry as u32);
        starts[end_row] = end_entry as u32;
        self.filled = (end_row, end_entry);
    }

    /// Returns `count` ranges of rows, as even as piles allow, to be filled one after the other.
    pub(crate) fn ranges(&self, count: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let rows = self.len();
        let step = rows.div_ceil(PILE).div_ceil(count).max(1) * PILE;
        (0..rows).step_by(step).map(move |first| first..rows.min(first + step))
    }

    /// Returns the entries of a row.
    #[inline]
    pub(crate) fn of(&self, row: u64) -> &[u32] {
        let starts = self.starts.get();
        let row = row as usize;
        &self.entries.get()[starts[row] as usize..starts[row + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_keep_their_edges_in_order(
            rows in 1u32..4 * PILE as u32, blocks in prop::collection::vec(prop::collection::vec(any::<(u32, u32)>(), 0..60), 0..5),
            passes in 1usize..5,
        ) {
            let near = |row: u32| row % rows.min(9) + if row.is_multiple_of(2) { 0 } else { rows - rows.min(9) };
            let blocks: Vec<Vec<(u32, u32)>> =
                blocks.iter().map(|block| block.iter().map(|&(row, entry)| (near(row), entry)).collect()).collect();
            let count = blocks.iter().map(Vec::len).sum::<usize>();
            let mut found = Csr::new(rows.into(), count as u64 + 3).unwrap();
            for range in found.ranges(passes) {
                let here = |&&(row, _): &&(u32, u32)| range.contains(&(row as usize));
                let sorted: Vec<PiledEdges> = blocks
                    .iter()
                    .map(|block| PiledEdges::new(&block.iter().filter(here).copied().collect::<Vec<_>>()))
                    .collect();
                found.fill(range.len(), &sorted);
            }
            for row in (0..rows).filter(|&row| row < 20 || row + 20 > rows) {
                let expected: Vec<u32> =
                    blocks.iter().flatten().filter(|edge| edge.0 == row).map(|edge| edge.1).collect();
                prop_assert_eq!(found.of(row.into()), expected, "row {}", row);
            }
            prop_assert_eq!(found.filled, (rows as usize, count));
        }
    }
}
