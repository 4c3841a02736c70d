//! What a batch has done so far: a lock on its output folder, and a journal in it from which a second run learns what is left.

use crate::{failure::Failure, lock::lock, report::Entry, signals};
use dragnet_generator::save::save;
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

/// The folder of lock and journal, in the output folder.
const FOLDER: &str = ".dragnet";
/// Time between two looks at a lock that somebody else holds.
const LOOK: Duration = Duration::from_millis(200);

/// The right to be the only batch that works in an output folder. It ends with the process that holds it.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of the output folder `out`, which is made if need be. If another process holds it, waits for that one after
    /// calling `waiting`, or refuses.
    pub(crate) fn take(out: &Path, wait: bool, waiting: impl FnOnce()) -> Result<Lock, Failure> {
        let folder = out.join(FOLDER);
        let path = folder.join("lock");
        let about =
            |error: std::io::Error| Failure::from(error).about(format!("cannot make {}", path.display()));
        fs::create_dir_all(&folder).map_err(about)?;
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(about)?;
        let mut waiting = Some(waiting);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock { _file: file }),
                Err(TryLockError::WouldBlock) if !wait => {
                    return Err(Failure::Trouble(anyhow::anyhow!(
                        "another batch is working in {}",
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

/// A table as it was when it was finished.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// See [`crate::input::manifest::key`].
    pub(crate) key: String,
    /// When the file was last written to, in nanoseconds since 1970.
    pub(crate) modified: u64,
    pub(crate) entry: Entry,
}

/// When `path` was last written to, and its length.
pub(crate) fn stamp(path: &Path) -> Option<(u64, u64)> {
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let since = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((u64::try_from(since.as_nanos()).ok()?, metadata.len()))
}

/// All records, a line of JSON each. A record is added when its table has its name; what comes later in the file is newer.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: Mutex<File>,
    known: HashMap<String, Record>,
}

impl Journal {
    /// The journal of the output folder `out`, whose lock the caller holds. A line that cannot be read, like one that was cut
    /// short when the process was ended, counts as if it were not there: its table is then looked at itself.
    pub(crate) fn open(out: &Path) -> Result<Journal, Failure> {
        let path = out.join(FOLDER).join("journal.jsonl");
        let about =
            |error: std::io::Error| Failure::from(error).about(format!("cannot open {}", path.display()));
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(about(error)),
        };
        let records = bytes.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
        let known: HashMap<String, Record> =
            records.map(|record: Record| (record.entry.name.clone(), record)).collect();
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(about)?;
        if bytes.last().is_some_and(|&byte| byte != b'\n') {
            file.write_all(b"\n").map_err(about)?;
        }
        Ok(Journal { path, file: Mutex::new(file), known })
    }

    /// What it says of the table called `name`.
    pub(crate) fn record(&self, name: &str) -> Option<&Record> {
        self.known.get(name)
    }

    /// Adds a record.
    pub(crate) fn add(&self, record: &Record) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        let mut file = lock(&self.file);
        // One write, so that a line is cut short at its end or not at all.
        file.write_all(&line)
            .map_err(|error| Failure::from(error).about(format!("cannot write {}", self.path.display())))
    }

    /// Leaves of several records of a table the newest.
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
