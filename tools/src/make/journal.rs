//! The journal of an output folder, from which a second run learns which tables are finished, and each of
//! several runs in the folder what the others have finished.

use crate::{
    failure::Failure,
    line_file::{self, LineFile, Tail},
    make::folder::journal_path,
    report::entry::TableEntry,
};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::{collections::HashMap, fs, path::Path, sync::Arc, time::UNIX_EPOCH};

/// A finished table as the journal has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The hash of board, marks, rules, doors and encoding, from [`dragnet_generator::Plan::key`].
    pub(crate) key: String,
    /// The time of the last change of the file, in nanoseconds since 1970.
    pub(crate) modified: u64,
    pub(crate) entry: TableEntry,
}

impl Record {
    /// Returns whether the record is of the table with this key in the file `path`, which has not changed
    /// since.
    pub(crate) fn is_of(&self, key: &str, path: &Path) -> bool {
        let is_unchanged = |(modified, bytes)| modified == self.modified && Some(bytes) == self.entry.bytes;
        self.key == key && stamp(path).is_some_and(is_unchanged)
    }
}

/// Returns the time of the last change of the file `path`, in nanoseconds since 1970, and its length in
/// bytes; `None` if it is no file or the system does not tell.
pub(crate) fn stamp(path: &Path) -> Option<(u64, u64)> {
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let since = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((u64::try_from(since.as_nanos()).ok()?, metadata.len()))
}

/// Returns the records in the bytes of a journal. Leaves out lines that cannot be read.
fn records(bytes: &[u8]) -> impl Iterator<Item = Record> {
    bytes.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok())
}

/// Returns the newest records in the journal of the output folder `out`, by the names of their tables. Takes
/// no lock: runs may add lines meanwhile.
///
/// # Errors
/// When the journal cannot be read.
pub(crate) fn newest(out: &Path) -> Result<HashMap<String, Record>, Failure> {
    let bytes = line_file::read(&journal_path(out))?;
    Ok(records(&bytes).map(|record| (record.entry.name.clone(), record)).collect())
}

/// Writes the journal of the output folder `out` anew with only the newest record of each table. The caller
/// is alone with the folder. Without `sync` nothing is flushed to the disk.
///
/// # Errors
/// When the file system refuses.
pub(crate) fn tidy(out: &Path, sync: bool) -> Result<(), Failure> {
    let newest = newest(out)?;
    let mut names: Vec<&String> = newest.keys().collect();
    names.sort_unstable();
    let mut text = Vec::new();
    for name in names {
        serde_json::to_writer(&mut text, &newest[name])?;
        text.push(b'\n');
    }
    line_file::replace(&journal_path(out), &text, sync)
}

/// The journal of an output folder: a record for each finished table, a line of JSON each. A later line
/// replaces an earlier one of the same table. Several runs may add lines at a time.
#[derive(Debug)]
pub(crate) struct Journal {
    file: LineFile,
    known: Mutex<Known>,
}

/// The part of a journal that has been read.
#[derive(Debug, Default)]
struct Known {
    records: HashMap<String, Arc<Record>>,
    /// The place in the file that this part reaches.
    end: u64,
}

impl Known {
    fn insert(&mut self, record: Record) {
        self.records.insert(record.entry.name.clone(), Arc::new(record));
    }
}

impl Journal {
    /// Opens the journal of the output folder `out`, in which the caller may work. Ignores lines that cannot
    /// be read, like one that was cut short when a process was killed: their tables are read again instead.
    pub(crate) fn open(out: &Path) -> Result<Journal, Failure> {
        let journal =
            Journal { file: LineFile::open(journal_path(out))?, known: Mutex::new(Known::default()) };
        journal.read_on()?;
        Ok(journal)
    }

    /// Reads what other runs have added. Returns the names of their tables.
    pub(crate) fn read_on(&self) -> Result<Vec<String>, Failure> {
        let mut known = self.known.lock();
        let Tail { bytes, end } = self.file.read_from(known.end)?;
        known.end = end;
        let mut names = Vec::new();
        for record in records(&bytes) {
            names.push(record.entry.name.clone());
            known.insert(record);
        }
        Ok(names)
    }

    /// Returns the newest record of the table called `name` that has been read.
    pub(crate) fn record(&self, name: &str) -> Option<Arc<Record>> {
        self.known.lock().records.get(name).cloned()
    }

    /// Returns the names of all tables of which there are records, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.known.lock().records.keys().cloned().collect();
        names.sort_unstable();
        names
    }

    /// Adds the record of a table that is finished and has its name.
    pub(crate) fn add(&self, record: Record) -> Result<(), Failure> {
        let mut known = self.known.lock();
        let (begin, end) = self.file.add(&record)?;
        if begin == known.end {
            known.end = end;
        }
        known.insert(record);
        Ok(())
    }
}
