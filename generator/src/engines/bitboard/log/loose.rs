//! Entries that stand in no log, but in a message.

use super::entry::{self, Entries, LONGEST, LogEntry, MARGIN, Previous};

/// The writer of entries.
#[derive(Debug, Default)]
pub(crate) struct LooseEntries {
    bytes: Vec<u8>,
    used: usize,
    previous: Previous,
}

impl LooseEntries {
    /// Appends positions of police tile `tile` with their code. `words` are those of `rows`: there is one or
    /// more, and none is 0.
    #[inline(always)]
    pub(crate) fn push(&mut self, tile: u32, code: u32, rows: u64, words: impl Iterator<Item = u64>) {
        if self.bytes.len() < self.used + LONGEST {
            self.bytes.resize((self.used + LONGEST).max(2 * self.used), 0);
        }
        self.used = entry::write(&mut self.bytes, self.used, &mut self.previous, (tile, code), rows, words);
    }

    /// Forgets all entries. Their room stays.
    pub(crate) fn clear(&mut self) {
        (self.used, self.previous) = (0, Previous::default());
    }

    /// Returns the bytes of the entries.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.used]
    }
}

/// Calls `each` with the entries of `bytes`, which [`LooseEntries`] has written of thief cells `open`.
/// Returns false if they are damaged; `rows_of` returns the police rows of a tile.
#[inline(always)]
pub(crate) fn visit_loose_entries(
    bytes: &[u8],
    rows_of: impl Fn(u32) -> Option<u64>,
    open: u64,
    mut each: impl FnMut(LogEntry),
) -> bool {
    let padded = [bytes, &[0; MARGIN]].concat();
    let mut entries = Entries::of(&padded);
    while let Some(entry) = entries.next() {
        if !rows_of(entry.tile).is_some_and(|rows| entries.is_possible(&entry, rows, open)) {
            return false;
        }
        each(entry);
    }
    entries.at == bytes.len()
}
