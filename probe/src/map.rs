//! Tables in memory maps: the one file with `unsafe`.
//!
//! A map shows the file as it is. A file that is changed while it is mapped changes under the reader, behind
//! the back of the checksums, which are looked at when a block is first touched; if it is cut short, the
//! system ends the process when the missing part is read. Rust says as much with `unsafe`: only the caller
//! can know that nobody changes the file. (Syzygy probing code maps by default, and most programs that map
//! files do so in silence.)

use crate::{
    Open, ProbeError,
    source::{Contents, open_file},
};
use bytes::Bytes;
use memmap2::Mmap;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Maps the whole of the file `path`.
///
/// # Safety
/// The file must not be written to or cut short, by this process or another, as long as the map exists.
unsafe fn map(path: &Path) -> Result<Bytes, ProbeError> {
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
        {
            // Only advice: where the system does not take it, it reads more than is asked for.
            let _ = map.advise(memmap2::Advice::Random);
        }
        Ok(Bytes::from_owner(map))
    };
    map().map_err(|source| ProbeError::file(path, source))
}

impl Open {
    /// Opens a file as a memory map. What is read is shared with other processes that map the file, and goes
    /// when the system needs its memory. Packed blocks are read where they lie.
    ///
    /// # Safety
    /// The file must not be written to or cut short, by this process or another, as long as the table is
    /// open. Else the table may give wrong answers, or the system end the process. Replacing the file by
    /// renaming another over it, as Dragnet does, is allowed.
    pub unsafe fn mapped(path: impl Into<PathBuf>) -> Open {
        let path = path.into();
        // SAFETY: the caller's promise is the one that is needed.
        Open::found(move || unsafe { map(&path) }.map(Contents::Memory))
    }
}
