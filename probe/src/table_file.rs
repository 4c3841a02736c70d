//! A table's file, read by copying parts of it.

use crate::ProbeError;
use dragnet_formats::container::TableError;
use std::{
    fs::{File, Metadata},
    io,
    path::Path,
    time::SystemTime,
};

/// The file of a table, with the length and the time of its last change when it was opened. What is read from
/// it is a copy, so that a program that changes the file meanwhile can spoil a read, and not what has been
/// read before.
#[derive(Debug)]
pub(crate) struct TableFile {
    file: Positioned,
    path: Box<Path>,
    len: u64,
    modified: Option<SystemTime>,
}

/// Opens a file, and nothing else: a folder cannot be read, and a pipe would be waited for.
pub(crate) fn open_file(path: &Path) -> io::Result<(File, Metadata)> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        let message = if metadata.is_dir() {
            "expected a file, found a folder"
        } else {
            "expected a file, found a pipe or a device"
        };
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    Ok((file, metadata))
}

/// Bytes in which most headers end.
const FIRST_READ: u64 = 4096;

impl TableFile {
    pub(crate) fn open(path: &Path) -> Result<TableFile, ProbeError> {
        let (file, metadata) = open_file(path).map_err(|source| ProbeError::file(path, source))?;
        Ok(TableFile {
            file: Positioned::new(file),
            path: path.into(),
            len: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }

    /// Reads as much from the file's beginning as `parse` needs: it is called with the first bytes and the
    /// file's length, and asks for more with [`TableError::Truncated`].
    pub(crate) fn parse_start<T>(
        &self,
        parse: impl Fn(&[u8], u64) -> Result<T, TableError>,
    ) -> Result<T, ProbeError> {
        let mut start = Vec::new();
        let mut wanted = self.len.min(FIRST_READ);
        loop {
            let known = start.len();
            start.resize(usize::try_from(wanted).unwrap_or(usize::MAX), 0);
            self.read_at(known as u64, &mut start[known..])?;
            match parse(&start, self.len) {
                Err(TableError::Truncated { expected, .. }) if expected > self.len => {
                    return Err(TableError::Truncated { expected, found: self.len }.into());
                }
                Err(TableError::Truncated { expected, .. }) if expected > wanted => wanted = expected,
                parsed => return Ok(parsed?),
            }
        }
    }

    /// Fills `bytes` with the file's bytes from `offset` on.
    pub(crate) fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<(), ProbeError> {
        self.file.read_exact_at(offset, bytes).map_err(|source| self.unreadable(source))
    }

    /// Explains why a part of the file could not be read that was there when the file was opened.
    #[cold]
    fn unreadable(&self, source: io::Error) -> ProbeError {
        if source.kind() == io::ErrorKind::UnexpectedEof
            && let Ok(metadata) = self.file.metadata()
            && metadata.len() < self.len
        {
            return TableError::Truncated { expected: self.len, found: metadata.len() }.into();
        }
        ProbeError::file(&self.path, source)
    }

    /// Checks that the file is as long as when it was opened, and has not been written to since as far as the
    /// system knows.
    pub(crate) fn check_unchanged(&self) -> Result<(), ProbeError> {
        let metadata = self.file.metadata().map_err(|source| ProbeError::file(&self.path, source))?;
        if metadata.len() == self.len && metadata.modified().ok() == self.modified {
            Ok(())
        } else {
            Err(self.changed())
        }
    }

    /// Returns the error of a file that is no longer the one that was opened.
    #[cold]
    pub(crate) fn changed(&self) -> ProbeError {
        ProbeError::Changed { path: self.path.to_path_buf() }
    }
}

/// A file that is read at given offsets by any number of threads at once.
#[cfg(any(unix, windows))]
#[derive(Debug)]
struct Positioned(File);

#[cfg(any(unix, windows))]
impl Positioned {
    fn new(file: File) -> Positioned {
        Positioned(file)
    }

    fn metadata(&self) -> io::Result<Metadata> {
        self.0.metadata()
    }

    #[cfg(unix)]
    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.0, bytes, offset)
    }

    #[cfg(windows)]
    fn read_exact_at(&self, mut offset: u64, mut bytes: &mut [u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(&self.0, bytes, offset) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => {
                    offset += read as u64;
                    bytes = &mut bytes[read..];
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// A file on a system that has no read at an offset: threads take turns.
#[cfg(not(any(unix, windows)))]
#[derive(Debug)]
struct Positioned(std::sync::Mutex<File>);

#[cfg(not(any(unix, windows)))]
impl Positioned {
    fn new(file: File) -> Positioned {
        Positioned(std::sync::Mutex::new(file))
    }

    fn file(&self) -> std::sync::MutexGuard<'_, File> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn metadata(&self) -> io::Result<Metadata> {
        self.file().metadata()
    }

    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        use std::io::{Read, Seek};
        let mut file = self.file();
        file.seek(io::SeekFrom::Start(offset))?;
        file.read_exact(bytes)
    }
}
