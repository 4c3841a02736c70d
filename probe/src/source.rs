//! Where a table's bytes are.

use crate::{ProbeError, map::map};
use memmap2::Mmap;
use std::{borrow::Cow, fs::File, io, path::Path};

/// The bytes of a table: mapped, owned or static.
#[derive(Debug)]
pub(crate) enum Source {
    Mapped(Mmap),
    Bytes(Cow<'static, [u8]>),
}

impl AsRef<[u8]> for Source {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match self {
            Source::Mapped(map) => map,
            Source::Bytes(bytes) => bytes,
        }
    }
}

impl Source {
    /// The file `path`, mapped.
    pub(crate) fn map(path: &Path) -> Result<Source, ProbeError> {
        let file = open(path)?;
        // An empty file cannot be mapped everywhere; as no bytes it gets the message of a file that is no table.
        let length = file.metadata().map_err(|source| ProbeError::file(path, source))?.len();
        if length == 0 {
            return Ok(Source::Bytes(Cow::Borrowed(&[])));
        }
        map(&file).map(Source::Mapped).map_err(|source| ProbeError::file(path, source))
    }

    /// The file `path`, read into memory.
    pub(crate) fn read(path: &Path) -> Result<Source, ProbeError> {
        let mut file = open(path)?;
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut file, &mut bytes).map_err(|source| ProbeError::file(path, source))?;
        Ok(Source::Bytes(Cow::Owned(bytes)))
    }
}

/// Opens a file, and nothing else: a folder cannot be read, and a pipe would be waited for.
fn open(path: &Path) -> Result<File, ProbeError> {
    let metadata = std::fs::metadata(path).map_err(|source| ProbeError::file(path, source))?;
    if !metadata.is_file() {
        let message = if metadata.is_dir() {
            "expected a file, found a folder"
        } else {
            "expected a file, found a pipe or a device"
        };
        return Err(ProbeError::file(path, io::Error::new(io::ErrorKind::InvalidInput, message)));
    }
    File::open(path).map_err(|source| ProbeError::file(path, source))
}
