//! The folder `.dragnet` inside an output folder: the files that runs and shards keep there, and their locks.

use crate::{failure::Failure, input::shard::Shard, leftovers, signals};
use dragnet_generator::save::require_file;
use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

/// The name of the folder.
const FOLDER: &str = ".dragnet";
/// Time between two attempts to take a lock that another process holds.
const LOOK: Duration = Duration::from_millis(200);

/// Moments that are waited for before a lock counts as held: a process that looks whether a run is at work
/// holds its lock for less than one, see [`is_locked`].
const MOMENTS: u32 = 3;
const MOMENT: Duration = Duration::from_millis(10);

/// A file of a run. A shard has its own of each, with its mark in the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunFile {
    Lock,
    Journal,
    History,
    Status,
}

impl RunFile {
    /// Returns the name without the mark of a shard: what stands before it, and what behind it.
    fn name(self) -> (&'static str, &'static str) {
        match self {
            RunFile::Lock => ("lock", ""),
            RunFile::Journal => ("journal", ".jsonl"),
            RunFile::History => ("history", ".jsonl"),
            RunFile::Status => ("status", ".json"),
        }
    }

    /// Returns the path of the file of a run in the output folder `out`: of the shard, or of a run that makes
    /// all tables.
    pub(crate) fn path(self, out: &Path, shard: Option<&Shard>) -> PathBuf {
        let (name, end) = self.name();
        let mark = shard.map(|shard| format!("-{}", shard.mark())).unwrap_or_default();
        out.join(FOLDER).join(format!("{name}{mark}{end}"))
    }

    /// Returns the files of shards in the output folder `out`, in the order of their names. There are none
    /// where there is no folder.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub(crate) fn of_shards(self, out: &Path) -> io::Result<Vec<(Shard, PathBuf)>> {
        let entries = match fs::read_dir(out.join(FOLDER)) {
            Ok(entries) => entries,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(Vec::new());
            }
            Err(error) => return Err(error),
        };
        let (name, end) = self.name();
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry?;
            let file = entry.file_name();
            let mark =
                file.to_str().and_then(|file| file.strip_prefix(name)?.strip_suffix(end)?.strip_prefix('-'));
            found.extend(mark.and_then(Shard::from_mark).map(|shard| (shard, entry.path())));
        }
        found.sort_by(|(_, one), (_, other)| one.cmp(other));
        Ok(found)
    }
}

/// Removes the temporary files that processes left behind in the folder `.dragnet` of the output folder `out`
/// because they were killed.
pub(crate) fn remove_leftovers(out: &Path) {
    leftovers::remove(&out.join(FOLDER), |_| true);
}

/// Returns whether a run that makes all tables, or the task of the shard, holds its lock in the output folder
/// `out`, as far as the file system tells.
pub(crate) fn is_locked(out: &Path, shard: Option<&Shard>) -> bool {
    let path = RunFile::Lock.path(out, shard);
    let lock = require_file(&path).and_then(|()| File::open(path));
    lock.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// The right to work in an output folder: to be the only run there, or to be the only task of a shard while
/// no run makes all tables. It ends with the process that holds it.
#[derive(Debug)]
pub(crate) struct FolderLock {
    _files: Vec<File>,
}

impl FolderLock {
    /// Takes the locks of the output folder `out` for a run that makes all tables, or for a shard. If another
    /// process holds one of them, calls `waiting` once and waits, or returns an error unless `wait` is set.
    pub(crate) fn take(
        out: &Path,
        shard: Option<&Shard>,
        wait: bool,
        waiting: impl FnOnce(),
    ) -> Result<FolderLock, Failure> {
        let lock = RunFile::Lock.path(out, None);
        fs::create_dir_all(out.join(FOLDER)).map_err(|error| cannot("make", &lock, error))?;
        let mut patience = Patience { out, wait, waiting: Some(waiting) };
        let Some(shard) = shard else {
            return Ok(FolderLock { _files: vec![patience.lock(&lock, File::try_lock)?] });
        };
        // In this order: who has the first one alone may remove the others.
        let shared = patience.lock(&lock, File::try_lock_shared)?;
        let own = patience.lock(&RunFile::Lock.path(out, Some(shard)), File::try_lock)?;
        Ok(FolderLock { _files: vec![shared, own] })
    }
}

fn cannot(what: &str, path: &Path, error: io::Error) -> Failure {
    Failure::from(error).about(format!("cannot {what} {}", path.display()))
}

/// How a process waits for locks.
struct Patience<'a, W> {
    out: &'a Path,
    wait: bool,
    waiting: Option<W>,
}

impl<W: FnOnce()> Patience<'_, W> {
    /// Opens the file `path` and locks it by `take`.
    fn lock(
        &mut self,
        path: &Path,
        take: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> Result<File, Failure> {
        let about = |error| cannot("make", path, error);
        require_file(path).map_err(about)?;
        // A network file system may ask for a file that is read if the lock is shared, and for one that is
        // written if not.
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(about)?;
        let mut moments = MOMENTS;
        loop {
            match take(&file) {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) if moments > 0 => {
                    moments -= 1;
                    thread::sleep(MOMENT);
                }
                Err(TryLockError::WouldBlock) if !self.wait => {
                    let out = self.out.display();
                    return Err(Failure::Trouble(anyhow::anyhow!("another run is working in {out}")));
                }
                Err(TryLockError::WouldBlock) => {
                    if let Some(waiting) = self.waiting.take() {
                        waiting();
                    }
                    if signals::received() {
                        return Err(Failure::Silent(signals::status()));
                    }
                    thread::sleep(LOOK);
                }
                Err(TryLockError::Error(error)) => return Err(cannot("lock", path, error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(number: u32) -> Shard {
        Shard { number, of: 3, class: None }
    }

    #[test]
    fn shards_work_side_by_side_and_a_run_of_all_tables_works_alone() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        let take = |shard: Option<Shard>| FolderLock::take(out, shard.as_ref(), false, || ());
        let (one, two) = (take(Some(shard(1))).unwrap(), take(Some(shard(2))).unwrap());
        assert!(take(Some(shard(1))).is_err(), "two tasks of one shard");
        assert!(take(None).is_err(), "a run of all tables beside shards");
        drop((one, two));
        let all = take(None).unwrap();
        assert!(take(Some(shard(3))).is_err(), "a shard beside a run of all tables");
        assert!(take(None).is_err(), "two runs");
        drop(all);
        take(Some(shard(1))).unwrap();
    }

    #[test]
    fn files_of_shards_are_found_and_others_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        assert!(RunFile::Journal.of_shards(out).unwrap().is_empty());
        fs::create_dir(out.join(FOLDER)).unwrap();
        let paths = [shard(1), shard(2)].map(|shard| RunFile::Journal.path(out, Some(&shard)));
        for path in &paths {
            fs::write(path, "").unwrap();
        }
        for other in
            ["journal.jsonl", "journal-1-of-3", "journal-4-of.jsonl", "status-1-of-3.json", "lock-1-of-3"]
        {
            fs::write(out.join(FOLDER).join(other), "").unwrap();
        }
        let found = RunFile::Journal.of_shards(out).unwrap();
        assert_eq!(found, [shard(1), shard(2)].into_iter().zip(paths).collect::<Vec<_>>());
        assert_eq!(RunFile::Lock.of_shards(out).unwrap().len(), 1);
    }
}
