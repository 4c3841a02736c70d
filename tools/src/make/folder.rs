//! The folder `.dragnet` inside an output folder: the files that runs keep there, and the locks by which runs
//! work in the folder together.

use crate::{failure::Failure, input::table_list::TableList, leftovers, signals};
use dragnet_generator::save::require_file;
use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{ErrorKind, Seek, Write},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

/// The name of the folder.
pub(crate) const FOLDER: &str = ".dragnet";
/// Time between two attempts to take a lock that another process holds.
pub(super) const LOOK: Duration = Duration::from_millis(200);

/// Moments that are waited for before a lock counts as held: a process that looks whether a run is at work
/// holds its lock for less than one, see [`is_alive`].
const MOMENTS: u32 = 3;
const MOMENT: Duration = Duration::from_millis(10);

/// Returns the path of the journal of the output folder `out`.
pub(super) fn journal_path(out: &Path) -> PathBuf {
    out.join(FOLDER).join("journal.jsonl")
}

/// Returns the path of the history of the output folder `out`.
pub(super) fn history_path(out: &Path) -> PathBuf {
    out.join(FOLDER).join("history.jsonl")
}

/// Returns the path of the status of a worker in the output folder `out`.
pub(super) fn status_path(out: &Path, worker: u32) -> PathBuf {
    out.join(FOLDER).join(format!("worker-{worker}.json"))
}

/// Returns the path of the folder with a file for each table that a run has claimed. It exists while runs are
/// at work.
fn claims_path(out: &Path) -> PathBuf {
    out.join(FOLDER).join("claims")
}

/// Returns the path of the file that a worker has locked as long as it lives.
fn worker_path(out: &Path, worker: u32) -> PathBuf {
    out.join(FOLDER).join(format!("worker-{worker}.lock"))
}

/// Returns the numbers of the workers that have left a status in the output folder `out`, in order. There are
/// none where there is no folder.
///
/// # Errors
/// When the folder cannot be read.
pub(super) fn workers(out: &Path) -> Result<Vec<u32>, Failure> {
    let folder = out.join(FOLDER);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(Failure::cannot("read the folder", &folder, error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let name = entry.map_err(|error| Failure::cannot("read the folder", &folder, error))?.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix("worker-")?.strip_suffix(".json"));
        found.extend(number.and_then(|number| number.parse::<u32>().ok()));
    }
    found.sort_unstable();
    Ok(found)
}

/// Returns whether this worker is alive in the output folder `out`, as far as the locks of the file system
/// tell.
pub(super) fn is_alive(out: &Path, worker: u32) -> bool {
    let path = worker_path(out, worker);
    let lock = require_file(&path).and_then(|()| File::open(path));
    lock.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Opens a file that is to be locked.
fn open(path: &Path) -> Result<File, Failure> {
    // A network file system may ask for a file that is read if the lock is shared, and for one that is
    // written if not.
    let open = || {
        require_file(path)?;
        OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)
    };
    open().map_err(|error| Failure::cannot("open", path, error))
}

/// Returns the success of an attempt to lock the file `path`: false if another process holds the lock.
///
/// # Errors
/// When the file system has no locks.
fn is_taken(attempt: Result<(), TryLockError>, path: &Path) -> Result<bool, Failure> {
    match attempt {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(Failure::cannot("lock", path, error).with_hint(
            "runs share a folder by the locks of its file system; make the tables on a disk that has them, and \
             copy the folder",
        )),
    }
}

/// Locks `file`, if a process holds its lock for no more than a moment.
fn lock_now(
    file: &File,
    path: &Path,
    attempt: fn(&File) -> Result<(), TryLockError>,
) -> Result<bool, Failure> {
    for _ in 0..MOMENTS {
        if is_taken(attempt(file), path)? {
            return Ok(true);
        }
        thread::sleep(MOMENT);
    }
    is_taken(attempt(file), path)
}

/// The right to work in an output folder, alone or together with other processes. It ends with the process
/// that holds it.
#[derive(Debug)]
pub(crate) struct FolderLock {
    out: PathBuf,
    file: File,
    path: PathBuf,
}

impl FolderLock {
    fn open(out: &Path) -> Result<FolderLock, Failure> {
        let folder = out.join(FOLDER);
        fs::create_dir_all(&folder).map_err(|error| Failure::cannot("make the folder", &folder, error))?;
        let path = folder.join("lock");
        Ok(FolderLock { out: out.to_owned(), file: open(&path)?, path })
    }

    /// Takes the output folder `out` for a command that changes what runs need.
    ///
    /// # Errors
    /// When another process works there.
    pub(crate) fn alone(out: &Path) -> Result<FolderLock, Failure> {
        let lock = FolderLock::open(out)?;
        if lock_now(&lock.file, &lock.path, File::try_lock)? {
            return Ok(lock);
        }
        Err(Failure::Trouble(anyhow::anyhow!("another run is working in {}", out.display())))
    }

    /// Joins the runs that make the tables of `list` in its output folder. The first of them calls `first`
    /// before any other can join it. While another process has the folder alone, or runs work there that make
    /// the tables of another list, calls `waiting` once with the reason, and waits.
    ///
    /// # Errors
    /// When the file system refuses or has no locks, a signal comes, or `waiting` fails.
    pub(crate) fn join(
        list: &TableList,
        mut first: impl FnMut(&Path) -> Result<(), Failure>,
        waiting: impl FnOnce(&str) -> Result<(), Failure>,
    ) -> Result<FolderLock, Failure> {
        let out = list.out.as_path();
        let lock = FolderLock::open(out)?;
        let (word, name) = list.title();
        let mut waiting = Some(waiting);
        loop {
            if lock_now(&lock.file, &lock.path, File::try_lock)? {
                first(out)?;
                lock.write(&format!("{word} {name}\n"))?;
                lock.unlock()?;
            }
            let mut reason = format!("another command needs {} for itself", out.display());
            if lock_now(&lock.file, &lock.path, File::try_lock_shared)? {
                let held = fs::read_to_string(&lock.path)
                    .map_err(|error| Failure::cannot("read", &lock.path, error))?;
                let (other, name) = held.trim_end().split_once(' ').unwrap_or_default();
                if other == word {
                    break;
                }
                reason = format!("runs of {name} are at work in {}", out.display());
                lock.unlock()?;
            }
            if let Some(waiting) = waiting.take() {
                waiting(&reason)?;
            }
            if signals::received() {
                return Err(Failure::Silent(signals::status()));
            }
            thread::sleep(LOOK);
        }
        let claims = claims_path(out);
        fs::create_dir_all(&claims).map_err(|error| Failure::cannot("make the folder", &claims, error))?;
        Ok(lock)
    }

    /// Replaces the text in the file. It must be locked.
    fn write(&self, text: &str) -> Result<(), Failure> {
        let write = || {
            let mut file = &self.file;
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(text.as_bytes())
        };
        write().map_err(|error| Failure::cannot("write", &self.path, error))
    }

    fn unlock(&self) -> Result<(), Failure> {
        self.file.unlock().map_err(|error| Failure::cannot("unlock", &self.path, error))
    }

    /// Leaves the runs that work in the folder. Returns whether this one was the last: it has the folder
    /// alone then, and must [`tidy`] it.
    pub(crate) fn leave(&self) -> Result<bool, Failure> {
        self.unlock()?;
        // Between two attempts to lock, another run may have been the last, and have ended: it has removed
        // the claims.
        Ok(lock_now(&self.file, &self.path, File::try_lock)? && claims_path(&self.out).is_dir())
    }

    /// Claims the table called `name`; `None` if another run has claimed it. A claim ends with the process.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(super) fn claim(&self, name: &str) -> Result<Option<Claim>, Failure> {
        let path = claims_path(&self.out).join(name);
        let file = open(&path)?;
        Ok(is_taken(file.try_lock(), &path)?.then_some(Claim { _file: file }))
    }
}

/// The right to make a table, until it is dropped.
#[derive(Debug)]
pub(super) struct Claim {
    _file: File,
}

/// The number of a run among those that work in a folder at a time, the least that is free. It ends with the
/// process.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) number: u32,
    _lock: File,
}

impl Worker {
    /// Takes a number in the output folder `out`, whose lock the caller holds.
    pub(super) fn begin(out: &Path) -> Result<Worker, Failure> {
        let mut number = 1;
        loop {
            let path = worker_path(out, number);
            let file = open(&path)?;
            if is_taken(file.try_lock(), &path)? {
                return Ok(Worker { number, _lock: file });
            }
            number += 1;
        }
    }

    /// Returns whether others work in the output folder `out`.
    pub(super) fn has_others(&self, out: &Path) -> bool {
        let mut numbers = (1..).take_while(|&number| worker_path(out, number).exists());
        numbers.any(|number| number != self.number && is_alive(out, number))
    }
}

/// Removes what runs that have ended have left of their work together in the output folder `out`, with which
/// the caller is alone: claims, and temporary files of runs that were killed.
pub(super) fn tidy(out: &Path) {
    leftovers::remove(&out.join(FOLDER), |_| true);
    // Nobody misses what cannot be removed: the claims are free.
    let _ = fs::remove_dir_all(claims_path(out));
}

/// Removes the statuses of all workers from the output folder `out`, with which the caller is alone.
pub(super) fn remove_workers(out: &Path) -> Result<(), Failure> {
    for worker in workers(out)? {
        for path in [status_path(out, worker), worker_path(out, worker)] {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(Failure::cannot("remove", &path, error));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::limits::Limits;
    use dragnet_generator::schedule::Order;

    fn list(out: &Path, key: u128) -> TableList {
        let (limits, order) = (Limits::default(), Order::default());
        let (manifest, out) = (Some("m.toml".into()), out.to_owned());
        TableList { manifest, key, out, limits, order, on_end: None, is_part: false, tables: Vec::new() }
    }

    fn join(out: &Path) -> FolderLock {
        FolderLock::join(&list(out, 1), |_| Ok(()), |reason| panic!("{reason}")).unwrap()
    }

    #[test]
    fn runs_of_another_list_wait_until_the_folder_is_free() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        let one = join(out);
        let expected = format!("runs of m.toml are at work in {}", out.display());
        let other = || {
            FolderLock::join(
                &list(out, 2),
                |_| Ok(()),
                |reason| {
                    assert_eq!(reason, expected);
                    Err(Failure::Silent(1))
                },
            )
        };
        assert!(other().is_err());
        assert!(one.leave().unwrap());
        tidy(out);
        drop(one);
        let two = other().unwrap();
        assert!(two.leave().unwrap());
    }

    #[test]
    fn runs_work_side_by_side_and_the_last_one_is_alone() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        let (one, two) = (join(out), join(out));
        assert!(FolderLock::alone(out).is_err(), "runs are at work");
        assert!(!one.leave().unwrap(), "another run is at work");
        assert!(two.leave().unwrap() && FolderLock::alone(out).is_err());
        drop(two);
        FolderLock::alone(out).unwrap();
    }

    #[test]
    fn a_run_that_leaves_while_the_last_one_ends_is_not_the_last() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        let (one, two) = (join(out), join(out));
        one.unlock().unwrap();
        assert!(two.leave().unwrap());
        tidy(out);
        drop(two);
        assert!(!one.leave().unwrap());
    }

    #[test]
    fn a_table_has_one_claim_and_a_worker_a_number_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path();
        let (one, two) = (join(out), join(out));
        let claim = one.claim("a").unwrap().unwrap();
        assert!(two.claim("a").unwrap().is_none() && two.claim("b").unwrap().is_some());
        drop(claim);
        assert!(two.claim("a").unwrap().is_some());
        let workers = [(); 3].map(|()| Worker::begin(out).unwrap());
        assert_eq!(workers.each_ref().map(|worker| worker.number), [1, 2, 3]);
        let [one, two, _three] = workers;
        drop(one);
        fs::write(status_path(out, 2), "").unwrap();
        fs::write(out.join(FOLDER).join("worker-x.json"), "").unwrap();
        assert_eq!(
            (super::workers(out).unwrap(), is_alive(out, 1), is_alive(out, 2)),
            (vec![2], false, true)
        );
        assert_eq!((two.has_others(out), Worker::begin(out).unwrap().number), (true, 1));
    }
}
