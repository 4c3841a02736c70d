//! The memory that the words of a solve's sets may take, and the file in which those wait that do not fit.
//!
//! Words are stored in pages, all of one size here. Between passes pages are *evicted*: written to the file,
//! unless it has them as they are, so that their memory is free for others. Whoever needs a page *loads* it.

use super::super::words::ROWS;
use crate::{
    budget::Part,
    checkpoint::SetRoom,
    lock::lock,
    log_error::LogError,
    memory::{OutOfMemory, grow_exact},
    warning::Warning,
};
use dragnet_formats::{
    checksum::crc32,
    positioned::{read_exact_at, write_all_at},
};
use std::{
    fs::{self, File},
    io::{self, ErrorKind},
    num::NonZeroU32,
    sync::{
        Mutex, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
};
use zerocopy::{FromBytes, Immutable, IntoBytes};

/// The words of a cache line, which may begin anywhere. Allocators grow no list of aligned lines where it
/// lies: with those the sets took up to a third more memory, and were no quicker.
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable)]
#[repr(transparent)]
pub(crate) struct Line([u64; 8]);

impl Line {
    /// The lines of a block with [`ROWS`] rows.
    pub(crate) const OF_BLOCK: usize = ROWS / 8;

    /// The line that says that all positions are decided.
    pub(crate) const DECIDED: Line = Line([!0; 8]);
}

/// The pages of all sets of a solve that may leave memory.
#[derive(Debug)]
pub(crate) struct PageStore {
    room: SetRoom,
    /// The lines of each page.
    lines: usize,
    /// Bytes of the pages in memory.
    held: AtomicU64,
    /// Bytes of memory that pages have taken, or that waits for others.
    taken: AtomicU64,
    /// The memory of pages that were evicted, for the next ones. Allocators keep what one thread has freed
    /// from others: with them open-256 takes a tenth more than it may.
    spare: Mutex<Vec<Vec<Line>>>,
    /// The file, from the first page on that it is to have.
    file: OnceLock<File>,
    numbers: Mutex<PageNumbers>,
    /// Whether the file has refused a page: then all that are in memory stay there.
    has_refused: AtomicBool,
    /// Why the file has refused it, until a warning says so.
    refusal: Mutex<Option<io::Error>>,
    /// Why a page could not be loaded.
    failure: Mutex<Option<LogError>>,
}

/// A page that the file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SavedPage {
    /// The number of the page in the file, from 1 on.
    number: NonZeroU32,
    /// The checksum of the number and the words.
    crc: u32,
}

/// The numbers of the pages in the file.
#[derive(Debug, Default)]
struct PageNumbers {
    /// The greatest number that a page ever had.
    last: u32,
    /// The numbers that are free again.
    free: Vec<NonZeroU32>,
}

impl PageNumbers {
    /// Takes a number that no page has.
    fn take(&mut self) -> io::Result<NonZeroU32> {
        if let Some(number) = self.free.pop() {
            return Ok(number);
        }
        let number = NonZeroU32::MIN.checked_add(self.last).ok_or(ErrorKind::FileTooLarge)?;
        self.last = number.get();
        Ok(number)
    }
}

impl PageStore {
    /// Creates the store of pages that have so many lines.
    pub(crate) fn new(room: SetRoom, lines: usize) -> PageStore {
        PageStore {
            room,
            lines,
            held: AtomicU64::new(0),
            taken: AtomicU64::new(0),
            spare: Mutex::default(),
            file: OnceLock::new(),
            numbers: Mutex::default(),
            has_refused: AtomicBool::new(false),
            refusal: Mutex::new(None),
            failure: Mutex::new(None),
        }
    }

    /// Returns the bytes of a page.
    fn bytes(&self) -> u64 {
        (self.lines * size_of::<Line>()) as u64
    }

    /// Returns memory for one page. Its words are unspecified.
    pub(crate) fn take(&self) -> Result<Vec<Line>, OutOfMemory> {
        let spare = lock(&self.spare).pop();
        let lines = match spare {
            Some(lines) => lines,
            None => {
                let mut lines = Vec::new();
                grow_exact(&mut lines, self.lines)?;
                lines.resize(self.lines, Line::default());
                self.taken.fetch_add(self.bytes(), Relaxed);
                self.room.budget.take(Part::Sets, self.bytes());
                lines
            }
        };
        self.held.fetch_add(self.bytes(), Relaxed);
        Ok(lines)
    }

    /// Takes the lines of a page back.
    pub(crate) fn give_back(&self, lines: Vec<Line>) {
        self.held.fetch_sub(self.bytes(), Relaxed);
        lock(&self.spare).push(lines);
    }

    /// Returns whether there are so many pages in memory that some are to be evicted before more are needed.
    pub(crate) fn must_evict(&self) -> bool {
        self.held.load(Relaxed) > self.room.budget.left_for(Part::Sets) && !self.has_refused.load(Relaxed)
    }

    /// Returns whether there are so few pages in memory that no more need be evicted: there is room again for
    /// a quarter of what may be there.
    pub(crate) fn has_evicted_enough(&self) -> bool {
        self.held.load(Relaxed) <= self.room.budget.left_for(Part::Sets) / 4 * 3
            || self.has_refused.load(Relaxed)
    }

    /// Writes the lines of a page to the file. Returns `None` if the file refuses: the page is to stay in
    /// memory.
    pub(crate) fn save(&self, lines: &[Line]) -> Option<SavedPage> {
        if self.has_refused.load(Relaxed) {
            return None;
        }
        match self.write(lines.as_bytes()) {
            Ok(number) => Some(SavedPage { number, crc: checksum(number, lines) }),
            Err(error) => {
                self.has_refused.store(true, Relaxed);
                *lock(&self.refusal) = Some(error);
                None
            }
        }
    }

    /// Writes the bytes of a page to the file, and returns the page's number there.
    fn write(&self, bytes: &[u8]) -> io::Result<NonZeroU32> {
        if self.file.get().is_none() {
            fs::create_dir_all(&self.room.folder)?;
            // Only one thread evicts.
            let _ = self.file.set(tempfile::tempfile_in(&self.room.folder)?);
        }
        let file = self.file.get().ok_or(ErrorKind::NotFound)?;
        let number = lock(&self.numbers).take()?;
        write_all_at(file, self.place(number), bytes)?;
        Ok(number)
    }

    /// Returns where the page with this number begins in the file.
    fn place(&self, number: NonZeroU32) -> u64 {
        u64::from(number.get() - 1) * self.bytes()
    }

    /// Frees a page of the file.
    pub(crate) fn free(&self, saved: SavedPage) {
        lock(&self.numbers).free.push(saved.number);
    }

    /// Returns the lines of a page that was evicted.
    pub(crate) fn load(&self, saved: SavedPage) -> Result<Vec<Line>, LogError> {
        let mut lines = self.take()?;
        let file = self.file.get().ok_or(ErrorKind::NotFound.into()).map_err(LogError::Sets)?;
        read_exact_at(file, self.place(saved.number), lines.as_mut_bytes()).map_err(LogError::Sets)?;
        if checksum(saved.number, &lines) != saved.crc {
            let damaged = format!("page {} is damaged", saved.number);
            return Err(LogError::Sets(io::Error::new(ErrorKind::InvalidData, damaged)));
        }
        Ok(lines)
    }

    /// Notes that a page could not be loaded for a reader, who goes on with other words. The solve must end
    /// with the failure.
    pub(crate) fn fail(&self, error: LogError) {
        lock(&self.failure).get_or_insert(error);
    }

    /// Takes the reason why a page could not be loaded.
    pub(crate) fn take_failure(&self) -> Option<LogError> {
        lock(&self.failure).take()
    }

    /// Takes the warning that the file has refused a page, once.
    pub(crate) fn take_warning(&self) -> Option<Warning> {
        let source = lock(&self.refusal).take()?;
        Some(Warning::SetsInMemory { path: self.room.folder.clone(), source })
    }
}

impl Drop for PageStore {
    fn drop(&mut self) {
        self.room.budget.give_back(Part::Sets, self.taken.load(Relaxed));
    }
}

/// Returns the checksum of a page with this number.
fn checksum(number: NonZeroU32, lines: &[Line]) -> u32 {
    crc32(&[&number.get().to_le_bytes(), lines.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use std::sync::Arc;

    /// Returns a store of pages with three lines, none of which may stay in memory.
    fn store(folder: &std::path::Path) -> PageStore {
        PageStore::new(SetRoom { budget: Arc::new(Budget::new(0)), folder: folder.to_owned() }, 3)
    }

    /// Returns a page all of whose bytes are `byte`.
    fn page(store: &PageStore, byte: u8) -> Vec<Line> {
        let mut lines = store.take().unwrap();
        lines.as_mut_bytes().fill(byte);
        lines
    }

    #[test]
    fn pages_come_back_as_they_were_saved_and_their_numbers_are_used_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(&folder.path().join("deep/scratch"));
        let saved: Vec<SavedPage> = (0..100)
            .map(|byte| {
                let lines = page(&store, byte);
                let saved = store.save(&lines).unwrap();
                store.give_back(lines);
                saved
            })
            .collect();
        assert!(store.has_evicted_enough() && !store.must_evict());
        for (byte, &saved) in saved.iter().enumerate().rev() {
            let lines = store.load(saved).unwrap();
            assert!(lines.as_bytes().iter().all(|&found| usize::from(found) == byte) && store.must_evict());
            store.give_back(lines);
            store.free(saved);
        }
        let lines = page(&store, 7);
        let numbers: Vec<_> = (0..100).map(|_| store.save(&lines).unwrap().number).collect();
        assert!(numbers.iter().all(|number| number.get() <= 100), "{numbers:?}");
        assert_eq!(store.save(&lines).unwrap().number.get(), 101);
        assert!(store.take_failure().is_none() && store.take_warning().is_none());
    }

    #[test]
    fn a_page_that_was_altered_is_not_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        let [one, other] = [1, 2].map(|byte| store.save(&page(&store, byte)).unwrap());
        let file = store.file.get().unwrap();
        write_all_at(file, store.place(one.number) + 100, &[3]).unwrap();
        let error = store.load(one).unwrap_err();
        assert!(error.to_string().contains("page 1 is damaged"), "{error}");
        // The bytes of one page in the place of another.
        let mut bytes = [0; 192];
        read_exact_at(file, store.place(other.number), &mut bytes).unwrap();
        write_all_at(file, store.place(one.number), &bytes).unwrap();
        assert!(store.load(SavedPage { number: one.number, crc: other.crc }).is_err());
        file.set_len(store.place(other.number)).unwrap();
        store.fail(store.load(other).unwrap_err());
        assert!(store.take_failure().unwrap().to_string().contains("scratch file"));
    }

    #[test]
    fn pages_that_the_disk_refuses_stay_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let store = store(&file);
        let lines = page(&store, 1);
        assert!(store.must_evict() && !store.has_evicted_enough());
        assert_eq!((store.save(&lines), store.save(&lines)), (None, None));
        assert!(!store.must_evict() && store.has_evicted_enough(), "nobody waits for room");
        let warning = store.take_warning().unwrap().to_string();
        assert!(warning.contains("stay in memory") && store.take_warning().is_none(), "{warning}");
    }
}
