//! Writes files that are complete from the moment they have their name.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, TryLockError},
    io::{self, BufWriter},
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

/// Bytes gathered before they are written.
const BUFFER: usize = 1 << 17;

/// The suffix of a table's name.
pub(crate) const TABLE: &str = ".dtb";
/// The suffix of a temporary file's name, which begins with a dot and the name that the file is to have.
const SUFFIX: &str = ".tmp";
/// Random letters and digits before that suffix.
const RANDOM: usize = 6;

/// The longest suffix, in bytes, that is put to the name of a table's file to name another file beside it,
/// with the dots before it: that of a checkpoint while it is written, `..NAME.dtb.check-1xxxxxx.tmp`. Most
/// file systems allow names of 255 bytes.
pub const LONGEST_SUFFIX: usize = 2 + ".check-1".len() + RANDOM + SUFFIX.len();

/// Returns the folder of a file.
pub(crate) fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Creates the file `path` with the bytes that `write` writes.
///
/// Writes under a temporary name in the same folder, flushes the file to the disk, renames it, and flushes
/// the folder's entry. Until the rename a file of that name stays as it was; on any error the temporary file
/// is removed. Without `sync` nothing is flushed to the disk: faster, but after a loss of power the file may
/// have its name and not its contents.
///
/// # Errors
/// When `write` fails, or the file system refuses.
pub fn save<T, E: From<io::Error>>(
    path: &Path,
    sync: bool,
    write: impl FnOnce(BufWriter<File>) -> Result<(BufWriter<File>, T), E>,
) -> Result<T, E> {
    // The target of a link is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let path = target.as_path();
    let folder = folder_of(path);
    fs::create_dir_all(folder)?;
    let temporary = locked_temporary(path, folder)?;
    let (buffer, result) = write(BufWriter::with_capacity(BUFFER, temporary.as_file().try_clone()?))?;
    let file = buffer.into_inner().map_err(io::IntoInnerError::into_error)?;
    if sync {
        file.sync_all()?;
    }
    temporary.persist(path).map_err(|error| error.error)?;
    // The rename is durable once the folder is. A file system that cannot flush folders is not an error.
    #[cfg(unix)]
    if sync
        && let Err(error) = File::open(folder).and_then(|folder| folder.sync_all())
        && (is_full(&error) || error.raw_os_error() == Some(BROKEN))
    {
        return Err(error.into());
    }
    Ok(result)
}

/// Makes `path` a second name of the file `source`, in place of a file that it named before, and creates its
/// folder if need be.
///
/// # Errors
/// When the file system refuses, as it does between two disks.
pub fn save_link(source: &Path, path: &Path) -> io::Result<()> {
    let folder = folder_of(path);
    fs::create_dir_all(folder)?;
    let prefix = prefix_of(path);
    let linked = temporary(&prefix).make_in(folder, |name| fs::hard_link(source, name))?;
    let name = linked.path().to_owned();
    linked.into_temp_path().persist(path).map_err(|error| error.error)?;
    // Two names of one file both stay when one is renamed to the other.
    match fs::remove_file(name) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The error of a disk that does not work, EIO.
#[cfg(unix)]
const BROKEN: i32 = 5;

/// Returns how the names of temporary files begin that are to become the file `path`.
fn prefix_of(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix
}

/// Returns what gives temporary files their names, which begin with `prefix`.
fn temporary(prefix: &OsStr) -> tempfile::Builder<'_, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).rand_bytes(RANDOM).suffix(SUFFIX);
    builder
}

/// Creates a temporary file in `folder` that is to become the file `path`. It is locked: a process is at work
/// on it, see [`remove_leftovers`]. Without locks only leftovers stay.
fn locked_temporary(path: &Path, folder: &Path) -> io::Result<NamedTempFile> {
    let prefix = prefix_of(path);
    let mut builder = temporary(&prefix);
    // A table is no secret: the permissions of any new file, which the umask narrows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        let temporary = builder.tempfile_in(folder)?;
        let is_locked_by_other = matches!(temporary.as_file().try_lock(), Err(TryLockError::WouldBlock));
        let is_gone = || {
            let found = fs::symlink_metadata(temporary.path());
            found.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
        };
        // Before it was locked it looked like one that was left behind, and another process may have removed
        // it or be about to.
        if !is_locked_by_other && !is_gone() {
            return Ok(temporary);
        }
    }
}

/// Returns the name that the file was to have whose temporary name this is; `None` if [`save`] gives no such
/// names.
fn target_of_temporary(name: &str) -> Option<&str> {
    let stem = name.strip_prefix('.')?.strip_suffix(SUFFIX)?;
    let (target, random) = stem.split_at_checked(stem.len().checked_sub(RANDOM)?)?;
    (!target.is_empty() && random.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(target)
}

/// Returns the table that the file `path` is, or whose checkpoint it is; `None` for the name of anything
/// else.
#[must_use]
pub fn table_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let checkpoint = name.strip_suffix(".check-1").or(name.strip_suffix(".check-2"));
    let table = match checkpoint {
        Some(table) => table.strip_prefix('.')?,
        None => name,
    };
    (table.len() > TABLE.len() && table.ends_with(TABLE)).then(|| path.with_file_name(table))
}

/// Returns whether the file system refused because the disk, or what the user may have of it, is full.
#[must_use]
pub fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Checks that `path` is a file, or that nothing is there: to open a pipe would wait for its other end.
///
/// # Errors
/// When there is something else.
pub fn require_file(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a file, found something else"))
        }
        _ => Ok(()),
    }
}

/// A file that a process which was killed has left behind, and whether it could be removed.
#[derive(Debug)]
pub struct Leftover {
    /// The file.
    pub path: PathBuf,
    /// The reason why it is still there, if it is.
    pub removed: io::Result<()>,
}

impl Leftover {
    /// Removes the file `path`.
    pub(crate) fn remove(path: PathBuf) -> Leftover {
        let removed = fs::remove_file(&path);
        Leftover { path, removed }
    }
}

/// Removes from `folder` the temporary files that [`save`] left behind there because its process was killed:
/// those that were to become the files for whose paths `is_own` returns true. A file on which a process is at
/// work stays.
///
/// # Errors
/// When the folder cannot be read.
pub fn remove_leftovers(folder: &Path, is_own: impl Fn(&Path) -> bool) -> io::Result<Vec<Leftover>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let target = name.to_str().and_then(target_of_temporary);
        // To open a pipe would wait for its other end.
        if !target.is_some_and(|target| is_own(&folder.join(target))) || !entry.file_type()?.is_file() {
            continue;
        }
        let path = entry.path();
        // A process that is at work holds the lock of its file. The lock is held until the file is gone: see
        // `locked_temporary`.
        if let Ok(file) = File::open(&path)
            && file.try_lock().is_ok()
        {
            found.push(Leftover::remove(path));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn only_temporary_files_that_no_process_writes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let left = [".a.dtbXYZ123.tmp", "..a.dtb.check-2XYZ123.tmp", ".pageXYZ123.tmp"].map(path);
        let others = [".notes.tmp", ".my.dtb.notes.tmp", ".a.dtb12345.tmp", ".XYZ123.tmp", ".a.dtb.check-1"];
        let others = others.map(path);
        for path in left.iter().chain(&others) {
            fs::write(path, "half").unwrap();
        }
        let folder_of_that_name = path(".b.dtbXYZ123.tmp");
        fs::create_dir(&folder_of_that_name).unwrap();
        let remove = |is_own: &dyn Fn(&Path) -> bool| -> io::Result<Vec<PathBuf>> {
            let mut found = remove_leftovers(folder.path(), is_own)?;
            found.sort_by(|one, other| one.path.cmp(&other.path));
            Ok(found.into_iter().map(|leftover| leftover.removed.map(|()| leftover.path).unwrap()).collect())
        };
        let is_of = |table: &str, file: &Path| table_of(file).is_some_and(|found| found.ends_with(table));
        save(&path("a.dtb"), false, |mut file| -> io::Result<_> {
            file.write_all(b"whole")?;
            assert!(remove(&|file| is_of("b.dtb", file))?.is_empty());
            assert_eq!(remove(&|file| is_of("a.dtb", file))?, [left[1].clone(), left[0].clone()]);
            assert_eq!(remove(&|file| file.ends_with("page"))?, [left[2].clone()]);
            Ok((file, ()))
        })
        .unwrap();
        assert_eq!(fs::read(path("a.dtb")).unwrap(), b"whole");
        assert!(others.iter().all(|path| path.exists()) && folder_of_that_name.exists());
    }

    #[test]
    fn no_file_is_lost_while_others_look_for_leftovers() {
        let folder = tempfile::tempdir().unwrap();
        let is_done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                    remove_leftovers(folder.path(), |_| true).unwrap();
                }
            });
            for number in 0..500 {
                let saved = save(&folder.path().join("a"), false, |mut file| -> io::Result<_> {
                    write!(file, "{number}")?;
                    Ok((file, ()))
                });
                saved.unwrap();
                assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), number.to_string());
            }
            is_done.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_second_name_takes_the_place_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("source"), "new").unwrap();
        for _ in 0..2 {
            save_link(&path("source"), &path("deeper/name")).unwrap();
            assert_eq!(fs::read(path("deeper/name")).unwrap(), b"new");
        }
        assert_eq!(fs::read_dir(path("deeper")).unwrap().count(), 1);
    }
}
