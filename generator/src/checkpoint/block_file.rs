//! The file of encoded blocks that wait for their table (`PROTOCOL.md` §9).

use super::framed_file::{FrameKind, FramedFile};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use zerocopy::{
    FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned,
    little_endian::{U32, U64},
};

/// The numbers of a packet of encoded blocks.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub(crate) struct PacketHead {
    /// The bundle of the blocks.
    pub(crate) bundle: U32,
    /// The number of blocks of the bundle before those of the packet.
    pub(crate) first: U64,
    /// The number of blocks: each has a record.
    pub(crate) blocks: U32,
    /// The part of the bundle in the digest of the table, if the packet has its last blocks.
    pub(crate) digest: U64,
}

impl FrameKind for PacketHead {
    const MAGIC: [u8; 8] = *b"\x89DTE\r\n\x1A\n";
}

/// The file of the encoded blocks of one table. A frame is a packet.
pub(crate) type BlockFile = FramedFile<PacketHead>;

/// Returns the file of the encoded blocks of the solve whose logs are in the file `log`: it stands beside
/// that, with a suffix of its own.
pub(super) fn blocks_path(log: &Path) -> PathBuf {
    log.with_extension("blocks")
}

/// Removes the file `path` of encoded blocks, if it is one and no process works on it.
///
/// # Errors
/// When the file cannot be removed, which does no harm.
pub(super) fn remove_blocks(path: &Path) -> io::Result<()> {
    if BlockFile::is_free(path) { fs::remove_file(path) } else { Ok(()) }
}
