//! The lock of an output folder, and the journal in it, from which a second run learns which tables are
//! finished.

use crate::{failure::Failure, input::boards::StartCells, lock::lock, report::entry::TableEntry, signals};
use dragnet_generator::save::{require_file, save};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions, TryLockError},
    io::{BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
    time::{Duration, UNIX_EPOCH},
};

/// The folder of lock and journal inside the output folder.
pub(super) const FOLDER: &str = ".dragnet";
/// The name of the journal in that folder.
const JOURNAL: &str = "journal.jsonl";
/// Time between two attempts to take a lock that another process holds.
const LOOK: Duration = Duration::from_millis(200);

/// The right to be the only run that works in an output folder. It ends with the process that holds it.
#[derive(Debug)]
pub(crate) struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Takes the lock of the output folder `out`. If another process holds it, calls `waiting` once and
    /// waits, or returns an error unless `wait` is set.
    pub(crate) fn take(out: &Path, wait: bool, waiting: impl FnOnce()) -> Result<FolderLock, Failure> {
        let folder = out.join(FOLDER);
        let path = folder.join("lock");
        let about =
            |error: std::io::Error| Failure::from(error).about(format!("cannot make {}", path.display()));
        fs::create_dir_all(&folder).map_err(about)?;
        require_file(&path).map_err(about)?;
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(about)?;
        let mut waiting = Some(waiting);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(FolderLock { _file: file }),
                Err(TryLockError::WouldBlock) if !wait => {
                    return Err(Failure::Trouble(anyhow::anyhow!(
                        "another run is working in {}",
                        out.display()
                    )));
                }
                Err(TryLockError::WouldBlock) => {
                    if let Some(waiting) = waiting.take() {
                        waiting();
                    }
                    if signals::received() {
                        return Err(Failure::Silent(signals::status()));
                    }
                    thread::sleep(LOOK);
                }
                Err(TryLockError::Error(error)) => {
                    return Err(Failure::from(error).about(format!("cannot lock {}", path.display())));
                }
            }
        }
    }
}

/// A finished table as the journal has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The hash of board, rules, doors and encoding, from [`crate::input::any_plan::AnyPlan::key`].
    pub(crate) key: String,
    /// The time of the last change of the file, in nanoseconds since 1970.
    pub(crate) modified: u64,
    /// The cells that the board file marked. Journals of older versions lack it.
    #[serde(default, skip_serializing_if = "StartCells::is_empty")]
    pub(crate) start: StartCells,
    pub(crate) entry: TableEntry,
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

/// Returns the cells that the board file of the table in the file `path` marked; `None` if the journal of its
/// folder does not have the table with this digest. Takes no lock: another run may add lines
/// meanwhile.
pub(crate) fn start_cells(path: &Path, digest: u64) -> Option<StartCells> {
    let digest = format!("{digest:016x}");
    let is_of_table = |record: &Record| {
        path.file_stem().is_some_and(|stem| *stem == *record.entry.name)
            && record.entry.digest.as_ref() == Some(&digest)
    };
    // The parent of a file name alone is the empty path, which names the present folder when joined.
    let journal = path.parent()?.join(FOLDER).join(JOURNAL);
    require_file(&journal).ok()?;
    let bytes = fs::read(journal).ok()?;
    records(&bytes).filter(is_of_table).last().map(|record| record.start)
}

/// The journal of an output folder: a record for each finished table, a line of JSON each. A later line
/// replaces an earlier one of the same table.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: Mutex<File>,
    known: HashMap<String, Record>,
}

impl Journal {
    /// Opens the journal of the output folder `out`, whose lock the caller holds. Ignores lines that cannot
    /// be read, like one that was cut short when the process was killed: their tables are read again instead.
    pub(crate) fn open(out: &Path) -> Result<Journal, Failure> {
        let path = out.join(FOLDER).join(JOURNAL);
        let about =
            |error: std::io::Error| Failure::from(error).about(format!("cannot open {}", path.display()));
        require_file(&path).map_err(about)?;
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(about(error)),
        };
        let known = records(&bytes).map(|record| (record.entry.name.clone(), record)).collect();
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(about)?;
        if bytes.last().is_some_and(|&byte| byte != b'\n') {
            file.write_all(b"\n").map_err(about)?;
        }
        Ok(Journal { path, file: Mutex::new(file), known })
    }

    /// Returns the record of the table called `name`.
    pub(crate) fn record(&self, name: &str) -> Option<&Record> {
        self.known.get(name)
    }

    /// Adds the record of a table that is finished and has its name.
    pub(crate) fn add(&self, record: &Record) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        let mut file = lock(&self.file);
        // One write: a crash can cut only the end of the line.
        file.write_all(&line)
            .map_err(|error| Failure::from(error).about(format!("cannot write {}", self.path.display())))
    }

    /// Rewrites the journal with only the newest record of each table.
    pub(crate) fn tidy(out: &Path) -> Result<(), Failure> {
        let journal = Journal::open(out)?;
        let mut records: Vec<&Record> = journal.known.values().collect();
        records.sort_by(|a, b| a.entry.name.cmp(&b.entry.name));
        save(&journal.path, true, |mut file: BufWriter<File>| -> Result<_, std::io::Error> {
            for record in records {
                serde_json::to_writer(&mut file, record)?;
                file.write_all(b"\n")?;
            }
            Ok((file, ()))
        })
        .map_err(|error| Failure::from(error).about(format!("cannot write {}", journal.path.display())))
    }
}
