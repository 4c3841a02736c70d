//! Tables in memory maps: the one file with `unsafe`.
//!
//! A map shows the file as it is. A file that is changed while it is mapped changes under the reader, behind
//! the back of the checksums, which are looked at when a block is first touched; if it is cut short, the
//! system ends the process when the missing part is read. Rust says as much with `unsafe`: only the caller
//! can know that nobody changes the file. (Syzygy probing code maps by default, and most programs that map
//! files do so in silence.)

use crate::{
    AnyTable, GameTable, Options, PartialTable, ProbeError, Table, options::Access, source::open_file,
};
use bytes::Bytes;
use memmap2::Mmap;
use std::{io, path::Path};

/// Maps the whole of the file `path`.
///
/// # Safety
/// The file must not be written to or cut short, by this process or another, as long as the map exists.
unsafe fn map(path: &Path, access: Access) -> Result<Bytes, ProbeError> {
    let map = || -> io::Result<Bytes> {
        let file = open_file(path)?;
        // An empty file cannot be mapped everywhere; as no bytes it gets the message of a file that is no
        // table.
        if file.metadata()?.len() == 0 {
            return Ok(Bytes::new());
        }
        // SAFETY: the map is only read, through `&[u8]`, and the caller promises that nobody changes the file
        // meanwhile.
        let map = unsafe { Mmap::map(&file)? };
        #[cfg(unix)]
        if access == Access::Random {
            // Only advice: where the system does not take it, it reads more than is asked for.
            let _ = map.advise(memmap2::Advice::Random);
        }
        #[cfg(not(unix))]
        let _ = access;
        Ok(Bytes::from_owner(map))
    };
    map().map_err(|source| ProbeError::file(path, source))
}

impl Table {
    /// Opens the table in a file as a memory map. What is read is shared with other processes that map the
    /// file, and goes when the system needs its memory. Packed blocks are read where they lie.
    ///
    /// # Errors
    /// As for [`Table::open`].
    ///
    /// # Safety
    /// The file must not be written to or cut short, by this process or another, as long as the table is
    /// open. Else the table may give wrong answers, or the system end the process. Replacing the file by
    /// renaming another over it, as Dragnet does, is allowed.
    pub unsafe fn open_mapped(path: impl AsRef<Path>, options: Options) -> Result<Table, ProbeError> {
        // SAFETY: the caller's promise is the one that is needed.
        Table::from_bytes_with(unsafe { map(path.as_ref(), options.access)? }, options)
    }
}

impl GameTable {
    /// Opens the table in a file as a memory map: see [`Table::open_mapped`].
    ///
    /// # Errors
    /// As for [`GameTable::open`].
    ///
    /// # Safety
    /// The file must not be written to or cut short as long as the table is open, as for
    /// [`Table::open_mapped`].
    pub unsafe fn open_mapped(path: impl AsRef<Path>, options: Options) -> Result<GameTable, ProbeError> {
        // SAFETY: the caller's promise is the one that is needed.
        GameTable::from_bytes_with(unsafe { map(path.as_ref(), options.access)? }, options)
    }
}

impl PartialTable {
    /// Opens the table in a file as a memory map: see [`Table::open_mapped`].
    ///
    /// # Errors
    /// As for [`PartialTable::open`].
    ///
    /// # Safety
    /// The file must not be written to or cut short as long as the table is open, as for
    /// [`Table::open_mapped`].
    pub unsafe fn open_mapped(path: impl AsRef<Path>, options: Options) -> Result<PartialTable, ProbeError> {
        // SAFETY: the caller's promise is the one that is needed.
        PartialTable::from_bytes_with(unsafe { map(path.as_ref(), options.access)? }, options)
    }
}

impl AnyTable {
    /// Opens the table in a file as a memory map: see [`Table::open_mapped`].
    ///
    /// # Errors
    /// As for [`AnyTable::open`].
    ///
    /// # Safety
    /// The file must not be written to or cut short as long as the table is open, as for
    /// [`Table::open_mapped`].
    pub unsafe fn open_mapped(path: impl AsRef<Path>, options: Options) -> Result<AnyTable, ProbeError> {
        // SAFETY: the caller's promise is the one that is needed.
        AnyTable::from_bytes_with(unsafe { map(path.as_ref(), options.access)? }, options)
    }
}
