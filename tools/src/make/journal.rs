//! The journal of an output folder, from which a second run learns which tables are finished.

use crate::{
    failure::Failure,
    input::{boards::StartCells, shard::Shard},
    lock::lock,
    make::folder::RunFile,
    report::entry::TableEntry,
};
use dragnet_generator::save::{require_file, save};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    io::{BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
    sync::Mutex,
    time::UNIX_EPOCH,
};

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

/// Returns the bytes of a journal; none if there is no file.
fn bytes_of(path: &Path) -> Result<Vec<u8>, Failure> {
    let about = |error: std::io::Error| Failure::from(error).about(format!("cannot open {}", path.display()));
    require_file(path).map_err(about)?;
    match fs::read(path) {
        Ok(bytes) => Ok(bytes),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(Vec::new())
        }
        Err(error) => Err(about(error)),
    }
}

/// Returns the journals of shards in the output folder `out`, in the order of their names.
fn journals_of_shards(out: &Path) -> Result<Vec<PathBuf>, Failure> {
    let found = RunFile::Journal.of_shards(out).map_err(|error| {
        Failure::from(error).about(format!("cannot look for journals in {}", out.display()))
    })?;
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// Returns the newest records in all journals of the output folder `out`, by the names of their tables. Takes
/// no lock: another run may add lines meanwhile.
///
/// # Errors
/// When a journal cannot be read.
pub(crate) fn newest(out: &Path) -> Result<HashMap<String, Record>, Failure> {
    let mut newest = HashMap::new();
    for path in journals_of_shards(out)?.into_iter().chain([RunFile::Journal.path(out, None)]) {
        add_newest(&mut newest, &path)?;
    }
    Ok(newest)
}

/// Adds the records of the journal `path` that are newer than those that are known.
fn add_newest(known: &mut HashMap<String, Record>, path: &Path) -> Result<(), Failure> {
    for record in records(&bytes_of(path)?) {
        match known.get(&record.entry.name) {
            Some(known) if known.modified > record.modified => {}
            _ => drop(known.insert(record.entry.name.clone(), record)),
        }
    }
    Ok(())
}

/// Returns the cells that the board file of the table in the file `path` marked; `None` if no journal of its
/// folder has the table with this digest. Takes no lock: another run may add lines meanwhile.
pub(crate) fn start_cells(path: &Path, digest: u64) -> Option<StartCells> {
    let digest = format!("{digest:016x}");
    let is_of_table = |record: &Record| {
        path.file_stem().is_some_and(|stem| *stem == *record.entry.name)
            && record.entry.digest.as_ref() == Some(&digest)
    };
    // The parent of a file name alone is the empty path, which names the present folder when joined.
    let out = path.parent()?;
    let journals = journals_of_shards(out).unwrap_or_default().into_iter();
    journals.chain([RunFile::Journal.path(out, None)]).rev().find_map(|journal| {
        let bytes = bytes_of(&journal).ok()?;
        records(&bytes).filter(is_of_table).last().map(|record| record.start)
    })
}

/// The journal of a run in an output folder: a record for each finished table, a line of JSON each. A later
/// line replaces an earlier one of the same table.
///
/// A run that makes all tables writes the journal of the folder, a shard one of its own. Each reads all.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: Mutex<File>,
    own: HashMap<String, Record>,
    /// The newest records in the journals that other runs write.
    others: HashMap<String, Record>,
}

impl Journal {
    /// Opens the journal of the shard, or that of the output folder `out`, whose lock the caller holds.
    /// Ignores lines that cannot be read, like one that was cut short when the process was killed, or that
    /// another shard is writing: their tables are read again instead.
    pub(crate) fn open(out: &Path, shard: Option<&Shard>) -> Result<Journal, Failure> {
        let path = RunFile::Journal.path(out, shard);
        let bytes = bytes_of(&path)?;
        let own = records(&bytes).map(|record| (record.entry.name.clone(), record)).collect();
        let mut others = HashMap::new();
        for other in journals_of_shards(out)?.into_iter().chain([RunFile::Journal.path(out, None)]) {
            if other != path {
                add_newest(&mut others, &other)?;
            }
        }
        let about =
            |error: std::io::Error| Failure::from(error).about(format!("cannot open {}", path.display()));
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(about)?;
        if bytes.last().is_some_and(|&byte| byte != b'\n') {
            file.write_all(b"\n").map_err(about)?;
        }
        Ok(Journal { path, file: Mutex::new(file), own, others })
    }

    /// Returns the record of the table called `name`: of several, the one whose file changed last.
    pub(crate) fn record(&self, name: &str) -> Option<&Record> {
        match (self.own.get(name), self.others.get(name)) {
            (Some(own), Some(other)) if own.modified < other.modified => Some(other),
            (own, other) => own.or(other),
        }
    }

    /// Returns the names of all tables of which there are records, in order.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.own.keys().chain(self.others.keys()).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
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

    /// Rewrites the journal of the shard, or that of the output folder, with only the newest record of each
    /// table. That of the folder takes the records of all shards in, whose journals are removed: no shard is
    /// at work while the caller holds the lock of the folder. Without `sync` nothing is flushed to the disk.
    pub(crate) fn tidy(out: &Path, shard: Option<&Shard>, sync: bool) -> Result<(), Failure> {
        let journal = Journal::open(out, shard)?;
        let names =
            journal.own.keys().chain(shard.is_none().then(|| journal.others.keys()).into_iter().flatten());
        let mut names: Vec<&String> = names.collect();
        names.sort_unstable();
        names.dedup();
        save(&journal.path, sync, |mut file: BufWriter<File>| -> Result<_, std::io::Error> {
            for record in names.into_iter().filter_map(|name| journal.record(name)) {
                serde_json::to_writer(&mut file, record)?;
                file.write_all(b"\n")?;
            }
            Ok((file, ()))
        })
        .map_err(|error| Failure::from(error).about(format!("cannot write {}", journal.path.display())))?;
        if shard.is_none() {
            for path in journals_of_shards(out)? {
                fs::remove_file(&path).map_err(|error| {
                    Failure::from(error).about(format!("cannot remove {}", path.display()))
                })?;
            }
        }
        Ok(())
    }
}
