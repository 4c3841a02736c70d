//! Writes files that are complete from the moment they have their name.

use std::{
    fs::{self, File},
    io::{self, BufWriter},
    path::{Path, PathBuf},
};

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
    let mut prefix = std::ffi::OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).rand_bytes(RANDOM).suffix(SUFFIX);
    // A table is no secret: the permissions of any new file, which the umask narrows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let temporary = builder.tempfile_in(folder)?;
    // The lock says that a process is at work: see `remove_leftovers`. Without locks only leftovers stay.
    let _ = temporary.as_file().try_lock();
    let (buffer, result) = write(BufWriter::with_capacity(BUFFER, temporary.as_file().try_clone()?))?;
    let file = buffer.into_inner().map_err(io::IntoInnerError::into_error)?;
    if sync {
        file.sync_all()?;
    }
    temporary.persist(path).map_err(|error| error.error)?;
    // The rename is durable once the folder is. The file has its name by now, so a file system that cannot
    // flush folders is not an error.
    #[cfg(unix)]
    if sync {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(result)
}

/// Returns the file name of the table to which a temporary file of this name belongs, its own or that of a
/// checkpoint; `None` if [`save`] gives no such names to them.
fn table_of_temporary(name: &str) -> Option<String> {
    let is_random =
        |text: &str| text.len() == RANDOM && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let stem = name.strip_prefix('.')?.strip_suffix(SUFFIX)?;
    let (table, random) = stem.rsplit_once(TABLE)?;
    let checkpoint = random.strip_prefix(".check-1").or(random.strip_prefix(".check-2"));
    let (table, random) = match checkpoint {
        Some(random) => (table.strip_prefix('.')?, random),
        None => (table, random),
    };
    (!table.is_empty() && is_random(random)).then(|| format!("{table}{TABLE}"))
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

/// Removes from `folder` the temporary files of tables and checkpoints that [`save`] left behind there
/// because its process was killed, of the tables for whose paths `is_own` returns true. Returns their paths.
///
/// # Errors
/// When the folder cannot be read or a file cannot be removed.
pub fn remove_leftovers(folder: &Path, is_own: impl Fn(&Path) -> bool) -> io::Result<Vec<PathBuf>> {
    let mut removed = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let table = entry.file_name().to_str().and_then(table_of_temporary);
        // To open a pipe would wait for its other end.
        if !table.is_some_and(|table| is_own(&folder.join(table))) || !entry.file_type()?.is_file() {
            continue;
        }
        let path = entry.path();
        // A process that is at work holds the lock of its file.
        if File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            fs::remove_file(&path)?;
            removed.push(path);
        }
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn only_temporary_files_that_no_process_writes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(".a.dtbXYZ123.tmp");
        let table = folder.path().join("a.dtb");
        let others =
            [".notes.tmp", ".my.dtb.notes.tmp", ".a.dtb12345.tmp", ".dtbXYZ123.tmp", ".a.dtb.check-1"];
        let others = others.map(|name| folder.path().join(name));
        for path in [&left].into_iter().chain(&others) {
            fs::write(path, "half").unwrap();
        }
        let folder_of_that_name = folder.path().join(".b.dtbXYZ123.tmp");
        fs::create_dir(&folder_of_that_name).unwrap();
        let checkpoint = folder.path().join("..a.dtb.check-2XYZ123.tmp");
        fs::write(&checkpoint, "half").unwrap();
        save(&table, false, |mut file| -> io::Result<_> {
            file.write_all(b"whole")?;
            assert!(remove_leftovers(folder.path(), |table| table.ends_with("b.dtb"))?.is_empty());
            let mut removed = remove_leftovers(folder.path(), |table| table.ends_with("a.dtb"))?;
            removed.sort();
            assert_eq!(removed, [checkpoint.clone(), left.clone()]);
            Ok((file, ()))
        })
        .unwrap();
        assert_eq!(fs::read(&table).unwrap(), b"whole");
        assert!(others.iter().all(|path| path.exists()) && folder_of_that_name.exists() && !left.exists());
    }
}
