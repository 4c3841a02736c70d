//! The bytes of a table that are read piece by piece.

use crate::{ProbeError, ReadAt};
use bytes::Bytes;
use dragnet_formats::container::TableError;
use std::{
    fmt,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

/// The source of a table, with its length and version when it was opened. What is read from it is a copy, so
/// that a program that changes the source meanwhile can spoil a read, and not what has been read before.
pub(crate) struct Source {
    bytes: Box<dyn ReadAt>,
    /// The file's path, if the source is a file.
    path: Option<PathBuf>,
    len: u64,
    version: u128,
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({} bytes of {:?})", self.len, self.path)
    }
}

/// Opens a file, and nothing else: a folder cannot be read, and a pipe would be waited for.
pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        let message = if metadata.is_dir() {
            "expected a file, found a folder"
        } else {
            "expected a file, found a pipe or a device"
        };
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    File::open(path)
}

/// Reads the whole of a file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, ProbeError> {
    let read = || {
        let mut file = open_file(path)?;
        let len = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len).map_err(io::Error::other)?;
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|source| ProbeError::file(path, source))
}

/// The bytes of a table that is being opened.
pub(crate) enum Contents {
    /// All of them, which do not change.
    Memory(Bytes),
    /// Where they can be read.
    Source(Source),
}

/// Bytes in which most headers end.
const FIRST_READ: u64 = 4096;

/// Bytes of a piece of a table that is copied as a whole.
pub(crate) const PIECE: usize = 1 << 20;

impl Source {
    /// Opens the file `path`.
    pub(crate) fn file(path: &Path) -> Result<Source, ProbeError> {
        let file = open_file(path).map_err(|source| ProbeError::file(path, source))?;
        Source::open(Box::new(file), Some(path.to_owned()))
    }

    /// Takes a source of somebody's own.
    pub(crate) fn new(bytes: Box<dyn ReadAt>) -> Result<Source, ProbeError> {
        Source::open(bytes, None)
    }

    fn open(bytes: Box<dyn ReadAt>, path: Option<PathBuf>) -> Result<Source, ProbeError> {
        let state = || Ok((bytes.len()?, bytes.version()?));
        match state() {
            Ok((len, version)) => Ok(Source { bytes, path, len, version }),
            Err(source) => Err(error(path.as_deref(), source)),
        }
    }

    /// Reads as much from the beginning as `parse` needs: it is called with the first bytes and the source's
    /// length, and asks for more with [`TableError::Truncated`].
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

    /// Fills `bytes` with the source's bytes from `offset` on.
    pub(crate) fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<(), ProbeError> {
        self.bytes.read_exact_at(offset, bytes).map_err(|source| self.unreadable(source))
    }

    /// Calls `each` with all bytes in their order, a piece at a time. Checks in the end that the source has
    /// not changed.
    pub(crate) fn for_each_piece<E: From<ProbeError>>(
        &self,
        mut each: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut piece = vec![0; PIECE];
        let mut offset = 0;
        while offset < self.len {
            let bytes = &mut piece[..usize::try_from(self.len - offset).unwrap_or(PIECE).min(PIECE)];
            self.read_at(offset, bytes)?;
            each(bytes)?;
            offset += bytes.len() as u64;
        }
        Ok(self.check_unchanged()?)
    }

    /// Explains why a part could not be read that was there when the source was opened.
    #[cold]
    fn unreadable(&self, source: io::Error) -> ProbeError {
        if source.kind() == io::ErrorKind::UnexpectedEof
            && let Ok(found) = self.bytes.len()
            && found < self.len
        {
            return TableError::Truncated { expected: self.len, found }.into();
        }
        error(self.path.as_deref(), source)
    }

    /// Checks that the source is as long as when it was opened, and has not been written to since as far as
    /// it knows.
    pub(crate) fn check_unchanged(&self) -> Result<(), ProbeError> {
        let state = || Ok((self.bytes.len()?, self.bytes.version()?));
        match state() {
            Ok(state) if state == (self.len, self.version) => Ok(()),
            Ok(_) => Err(self.changed()),
            Err(source) => Err(error(self.path.as_deref(), source)),
        }
    }

    /// Returns the error of a source whose bytes are no longer those that were opened.
    #[cold]
    pub(crate) fn changed(&self) -> ProbeError {
        ProbeError::Changed { path: self.path.clone() }
    }
}

fn error(path: Option<&Path>, source: io::Error) -> ProbeError {
    match path {
        Some(path) => ProbeError::file(path, source),
        None => ProbeError::Source { source },
    }
}
