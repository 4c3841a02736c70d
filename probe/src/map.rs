//! The memory map of a table file: the one place with `unsafe`.
//!
//! **Contract.** A map shows the file as it is, so a file that is changed while it is mapped changes under the reader,
//! and one that is cut short makes the system end the process when the missing part is read. Therefore: a file that is
//! open as a table must not be written to or truncated. Dragnet itself never does: it writes a new file and renames it,
//! which leaves an open map on the old contents. Who cannot promise as much for other programs takes
//! [`Table::read`](crate::Table::read), which copies the file into memory first. (This is the contract of every program that maps
//! files, Syzygy probing code among them.)

use memmap2::Mmap;
use std::{fs::File, io};

/// Maps the whole of `file`.
///
/// # Errors
/// When the system refuses.
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is only read, through `&[u8]`. That nobody changes the file meanwhile is the contract above, which
    // `Table::open` hands on to its caller. Even a broken promise is met by checksums at the first touch of each block
    // and by bounds checks at every one: no value read from the map is used as an index or a length without a check.
    unsafe { Mmap::map(file) }
}
