//! Where a table's bytes are.

use crate::{ProbeError, map::map};
use memmap2::Mmap;
use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read},
    path::Path,
};

/// In which order a table's file will be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// A block here and a block there: nothing is read from the disk that is not asked for.
    #[default]
    Random,
    /// From the beginning to the end, by programs that look at every position: the disk may read ahead.
    Whole,
}

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
    pub(crate) fn map(path: &Path, access: Access) -> Result<Source, ProbeError> {
        let map = || -> io::Result<Source> {
            let (file, length) = open(path)?;
            // An empty file cannot be mapped everywhere; as no bytes it gets the message of a file that is no table.
            if length == 0 {
                return Ok(Source::Bytes(Cow::Borrowed(&[])));
            }
            let map = map(&file)?;
            #[cfg(unix)]
            if access == Access::Random {
                // Only advice: where the system does not take it, it reads more than is asked for.
                let _ = map.advise(memmap2::Advice::Random);
            }
            Ok(Source::Mapped(map))
        };
        map().map_err(|source| ProbeError::file(path, source))
    }

    /// The file `path`, read into memory.
    pub(crate) fn read(path: &Path) -> Result<Source, ProbeError> {
        let read = || -> io::Result<Source> {
            let (mut file, length) = open(path)?;
            let mut bytes = Vec::with_capacity(length);
            file.read_to_end(&mut bytes)?;
            Ok(Source::Bytes(Cow::Owned(bytes)))
        };
        read().map_err(|source| ProbeError::file(path, source))
    }
}

/// Opens a file, and nothing else: a folder cannot be read, and a pipe would be waited for. Tells its length too.
fn open(path: &Path) -> io::Result<(File, usize)> {
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
    let length = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
    Ok((file, length))
}
