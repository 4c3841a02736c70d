//! Files that are whole from the moment they have their name.

use std::{
    fs::{self, File},
    io::{self, BufWriter},
    path::Path,
};

/// Bytes gathered before they are written.
const BUFFER: usize = 1 << 20;

/// Makes the file `path` of what `write` writes: under a temporary name in the same folder, flushed to the disk, then
/// renamed, then the folder's entry flushed. Until the rename a file of that name stays as it was; on any error the
/// temporary file is removed. Without `sync` nothing is flushed to the disk: quicker, but after a loss of power the file
/// may have its name and not its contents.
///
/// # Errors
/// Those of `write`, and those of the file system made into the same type.
pub fn save<T, E: From<io::Error>>(
    path: &Path,
    sync: bool,
    write: impl FnOnce(BufWriter<File>) -> Result<(BufWriter<File>, T), E>,
) -> Result<T, E> {
    // What a link points to is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let path = target.as_path();
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut prefix = std::ffi::OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    // A table is no secret: the permissions of any new file, which the umask narrows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let temporary = builder.tempfile_in(folder)?;
    let (buffer, result) = write(BufWriter::with_capacity(BUFFER, temporary.as_file().try_clone()?))?;
    let file = buffer.into_inner().map_err(io::IntoInnerError::into_error)?;
    if sync {
        file.sync_all()?;
    }
    temporary.persist(path).map_err(|error| error.error)?;
    // The rename is durable once the folder is. The table has its name by now, so that a file system that cannot
    // flush folders is no failure.
    #[cfg(unix)]
    if sync {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(result)
}
