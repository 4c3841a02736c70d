//! The bytes of a table: a file that is read piece by piece, or memory.

use crate::{
    ProbeError,
    table_file::{TableFile, open_file},
};
use std::{
    borrow::Cow,
    io::{self, Read},
    path::Path,
};

/// Where the bytes of a table are.
#[derive(Debug)]
pub(crate) enum Storage {
    /// In a file, from which they are copied piece by piece. Others may change it.
    File(TableFile),
    /// In memory, where they do not change.
    Memory(Memory),
}

/// The bytes of a table in memory.
#[derive(Debug)]
pub(crate) enum Memory {
    /// Bytes of the program itself or of a vector.
    Bytes(Cow<'static, [u8]>),
    /// The map of a file of which somebody has promised that it does not change.
    #[cfg(feature = "mmap")]
    Map(memmap2::Mmap),
}

impl AsRef<[u8]> for Memory {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match self {
            Memory::Bytes(bytes) => bytes,
            #[cfg(feature = "mmap")]
            Memory::Map(map) => map,
        }
    }
}

impl Storage {
    /// Opens the file `path` to be read piece by piece.
    pub(crate) fn file(path: &Path) -> Result<Storage, ProbeError> {
        Ok(Storage::File(TableFile::open(path)?))
    }

    /// Reads the whole file `path` into memory.
    pub(crate) fn read(path: &Path) -> Result<Storage, ProbeError> {
        let read = || -> io::Result<Storage> {
            let (mut file, metadata) = open_file(path)?;
            let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).map_err(io::Error::other)?);
            file.read_to_end(&mut bytes)?;
            Ok(Storage::bytes(bytes))
        };
        read().map_err(|source| ProbeError::file(path, source))
    }

    /// Takes bytes that are in memory already.
    pub(crate) fn bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Storage {
        Storage::Memory(Memory::Bytes(bytes.into()))
    }
}
