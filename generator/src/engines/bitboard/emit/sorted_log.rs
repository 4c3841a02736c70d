//! The entries of one log, sorted by police tiles.

use super::super::{
    grid::Grid,
    log::{LogEntry, UnpackedLog},
};

/// The entries of one overlay's log by police tile.
pub(super) struct SortedLog<'a> {
    /// Police tile after police tile; the entries of one in the order in which they were noted.
    entries: Vec<SortedEntry<'a>>,
    /// Where the entries of each police tile begin; one more at the end.
    starts: Vec<u32>,
}

/// An entry of a log with the thief cells of its positions.
#[derive(Clone, Copy, Default)]
pub(super) struct SortedEntry<'a> {
    pub(super) entry: LogEntry<'a>,
    /// The thief cells of which the entry has positions: all, if nobody needs to know.
    pub(super) cells: u64,
}

impl<'a> SortedLog<'a> {
    /// Sorts the logs of an overlay's slices. `with_cells` is whether [`SortedEntry::cells`] is needed.
    pub(super) fn new(grid: &Grid, logs: &'a [UnpackedLog], with_cells: bool) -> SortedLog<'a> {
        let noted: Vec<SortedEntry> = logs
            .iter()
            .flat_map(UnpackedLog::entries)
            .map(|entry| SortedEntry::new(entry, with_cells))
            .collect();
        // A counting sort. The count of tile t is kept at t + 2, so that after the sums t + 1 is where the
        // tile's next entry goes, and at the end where its last one has gone: the start of tile t + 1.
        let mut starts = vec![0; grid.tile_count() + 2];
        noted.iter().for_each(|noted| starts[noted.entry.tile as usize + 2] += 1);
        for tile in 2..starts.len() {
            starts[tile] += starts[tile - 1];
        }
        let mut entries = vec![SortedEntry::default(); noted.len()];
        for noted in noted {
            let next = &mut starts[noted.entry.tile as usize + 1];
            entries[*next as usize] = noted;
            *next += 1;
        }
        SortedLog { entries, starts }
    }

    /// Returns the entries of police tile `tile`.
    #[inline(always)]
    pub(super) fn of(&self, tile: usize) -> &[SortedEntry<'a>] {
        &self.entries[self.starts[tile] as usize..self.starts[tile + 1] as usize]
    }
}

impl<'a> SortedEntry<'a> {
    fn new(entry: LogEntry<'a>, with_cells: bool) -> SortedEntry<'a> {
        let mut cells = 0;
        if with_cells {
            entry.for_each_row(|_, word| cells |= word);
        } else {
            cells = !0;
        }
        SortedEntry { entry, cells }
    }
}
