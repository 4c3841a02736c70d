//! The entries of the logs of one overlay, sorted by police tiles.

use super::super::{
    board::Grid,
    log::{Chunk, LogEntry, UnpackedLog},
};
use std::ops::Range;

/// The entries of one overlay's logs by police tile.
pub(super) struct SortedLog<'a> {
    /// The chunks of all logs.
    chunks: Vec<Chunk<'a>>,
    /// Police tile after police tile; the entries of one in the order in which they were noted.
    entries: Vec<EntryPlace>,
    /// The thief cells of which each entry has positions; none if nobody needs to know.
    cells: Vec<u64>,
    /// Where the entries of each police tile begin; one more at the end.
    starts: Vec<u32>,
}

/// The place of an entry, and its code: no more than that, as a log has millions of entries.
#[derive(Clone, Copy, Default)]
struct EntryPlace {
    code: u32,
    /// The index of the chunk.
    chunk: u32,
    in_chunk: u16,
}

impl<'a> SortedLog<'a> {
    /// Sorts the logs of an overlay: one, or several of different police tiles. `with_cells` is whether
    /// [`SortedLog::codes_of_cells`] is needed.
    pub(super) fn new(grid: &Grid, logs: &'a [UnpackedLog], with_cells: bool) -> SortedLog<'a> {
        let chunks: Vec<Chunk> = logs.iter().flat_map(UnpackedLog::chunks).collect();
        // A counting sort, which reads the chunks twice. The count of tile t is kept at t + 2, so that after
        // the sums t + 1 is where the tile's next entry goes, and at the end where its last one has gone: the
        // start of tile t + 1.
        let (mut starts, mut count) = (vec![0u32; grid.tile_count() + 2], 0);
        for chunk in &chunks {
            chunk.visit_entries(|entry, _| {
                starts[entry.tile as usize + 2] += 1;
                count += 1;
            });
        }
        for tile in 2..starts.len() {
            starts[tile] += starts[tile - 1];
        }
        let mut entries = vec![EntryPlace::default(); count];
        let mut cells = vec![0; if with_cells { count } else { 0 }];
        for (number, chunk) in (0..).zip(&chunks) {
            chunk.visit_entries(|entry, in_chunk| {
                let next = &mut starts[entry.tile as usize + 1];
                entries[*next as usize] = EntryPlace { code: entry.code, chunk: number, in_chunk };
                if let Some(cells) = cells.get_mut(*next as usize) {
                    entry.for_each_run(|_, word| *cells |= word);
                }
                *next += 1;
            });
        }
        SortedLog { chunks, entries, cells, starts }
    }

    #[inline(always)]
    fn range(&self, tile: usize) -> Range<usize> {
        self.starts[tile] as usize..self.starts[tile + 1] as usize
    }

    /// Returns the entries of police tile `tile`.
    #[inline(always)]
    pub(super) fn of(&self, tile: usize) -> impl Iterator<Item = LogEntry<'a>> + Clone {
        self.entries[self.range(tile)].iter().map(move |place| {
            self.chunks[place.chunk as usize].entry(place.in_chunk, tile as u32, place.code)
        })
    }

    /// Returns the codes of the entries of police tile `tile`.
    #[inline(always)]
    pub(super) fn codes(&self, tile: usize) -> impl Iterator<Item = u32> {
        self.entries[self.range(tile)].iter().map(|place| place.code)
    }

    /// Returns the codes of those entries of police tile `tile` that have positions with the thief in one of
    /// `cells`.
    pub(super) fn codes_of_cells(&self, tile: usize, cells: u64) -> impl Iterator<Item = u32> {
        let entries = self.codes(tile).zip(&self.cells[self.range(tile)]);
        entries.filter(move |(_, own)| *own & cells != 0).map(|(code, _)| code)
    }
}
