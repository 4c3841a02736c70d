//! The file of encoded blocks that wait for their table (`PROTOCOL.md` §9).
//!
//! Packets are appended behind the last byte and never written again. A later run finds those that are whole.

use super::log_file::lock_file;
use crate::{positioned::read_exact_at, save::require_file, warning::CHECKPOINT_VERSION};
use dragnet_formats::checksum::crc32;
use std::{
    fs::{self, File},
    io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// The first bytes of the file.
const MAGIC: [u8; 8] = *b"\x89DTE\r\n\x1A\n";
/// Bytes before the first packet.
const PREAMBLE: usize = 32;
/// Offset of the preamble's checksum.
const SEED_AT: usize = PREAMBLE - 4;
/// Bytes of a packet before its records.
pub(crate) const PACKET_HEAD: usize = 36;
/// Offset of the checksum of a packet's head, behind which is that of its records.
const HEAD_CRC_AT: usize = PACKET_HEAD - 8;
/// The most bytes of records in a packet that is believed.
const MOST_BYTES: u32 = 1 << 23;
/// Bytes read at once while the file is scanned.
const BUFFER: usize = 1 << 18;

/// The first numbers of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PacketHead {
    /// The bundle of the blocks.
    pub(crate) bundle: u32,
    /// The number of blocks of the bundle before those of the packet.
    pub(crate) first: u64,
    /// The number of blocks: each has a record.
    pub(crate) blocks: u32,
    /// The bytes of the records.
    pub(crate) bytes: u32,
    /// The part of the bundle in the digest of the table, if the packet has its last blocks.
    pub(crate) digest: u64,
}

impl PacketHead {
    fn to_bytes(self) -> [u8; HEAD_CRC_AT] {
        let mut bytes = [0; HEAD_CRC_AT];
        bytes[..4].copy_from_slice(&self.bundle.to_le_bytes());
        bytes[4..12].copy_from_slice(&self.first.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.blocks.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.bytes.to_le_bytes());
        bytes[20..].copy_from_slice(&self.digest.to_le_bytes());
        bytes
    }

    /// Returns the head of a packet from its first bytes, if its checksum is right.
    fn from_bytes(seed: u32, bytes: &[u8; PACKET_HEAD]) -> Option<PacketHead> {
        let head = PacketHead {
            bundle: number_at(bytes, 0),
            first: long_at(bytes, 4),
            blocks: number_at(bytes, 12),
            bytes: number_at(bytes, 16),
            digest: long_at(bytes, 20),
        };
        (checksum(seed, &bytes[..HEAD_CRC_AT]) == number_at(bytes, HEAD_CRC_AT)).then_some(head)
    }

    /// Returns the head of a packet that [`PacketHead::seal`] has sealed, if it is undamaged.
    pub(crate) fn of_sealed(seed: u32, packet: &[u8]) -> Option<PacketHead> {
        let (bytes, records) = packet.split_first_chunk::<PACKET_HEAD>()?;
        let head = PacketHead::from_bytes(seed, bytes)?;
        (head.bytes as usize == records.len() && are_records(seed, bytes, records)).then_some(head)
    }

    /// Writes the head and both checksums over the first bytes of `packet`, whose records are behind them.
    /// `seed` is that of the file.
    pub(crate) fn seal(self, seed: u32, packet: &mut [u8]) {
        let (head, records) = packet.split_at_mut(PACKET_HEAD);
        let bytes = self.to_bytes();
        head[..HEAD_CRC_AT].copy_from_slice(&bytes);
        head[HEAD_CRC_AT..][..4].copy_from_slice(&checksum(seed, &bytes).to_le_bytes());
        head[HEAD_CRC_AT + 4..].copy_from_slice(&checksum(seed, records).to_le_bytes());
    }
}

fn checksum(seed: u32, bytes: &[u8]) -> u32 {
    crc32(&[&seed.to_le_bytes(), bytes])
}

/// Returns whether `records` are those of the packet with this head, by its second checksum.
fn are_records(seed: u32, head: &[u8; PACKET_HEAD], records: &[u8]) -> bool {
    checksum(seed, records) == number_at(head, HEAD_CRC_AT + 4)
}

fn number_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(*bytes[at..].first_chunk().expect("fields lie within their bytes"))
}

fn long_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(*bytes[at..].first_chunk().expect("fields lie within their bytes"))
}

fn preamble(key: u128) -> [u8; PREAMBLE] {
    let mut preamble = [0; PREAMBLE];
    preamble[..8].copy_from_slice(&MAGIC);
    preamble[8..10].copy_from_slice(&CHECKPOINT_VERSION.to_le_bytes());
    // Bytes 10 and 11 are 0.
    preamble[12..SEED_AT].copy_from_slice(&key.to_le_bytes());
    let seed = crc32(&[&preamble[..SEED_AT]]);
    preamble[SEED_AT..].copy_from_slice(&seed.to_le_bytes());
    preamble
}

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
    if is_free_blocks(path) { fs::remove_file(path) } else { Ok(()) }
}

/// Returns whether the file `path` begins like one of encoded blocks, or is empty, and no process works on
/// it.
pub(super) fn is_free_blocks(path: &Path) -> bool {
    if !fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let Ok(file) = File::open(path) else { return false };
    let mut magic = Vec::new();
    let read = (&file).take(MAGIC.len() as u64).read_to_end(&mut magic);
    let is_free = lock_file(&file).is_ok();
    let _ = file.unlock();
    read.is_ok() && (magic.is_empty() || magic == MAGIC) && is_free
}

/// The file of the encoded blocks of one table. It is locked as long as it is open.
#[derive(Debug)]
pub(crate) struct BlockFile {
    file: File,
    /// The path, if the file has a name.
    path: Option<PathBuf>,
    preamble: [u8; PREAMBLE],
    /// Where the next packet is appended; 0 if the file has no preamble yet.
    end: u64,
    /// Whether bytes may stand behind the end.
    is_longer: bool,
}

impl BlockFile {
    /// Returns the seed of the checksums in the file with this key.
    pub(crate) fn seed(key: u128) -> u32 {
        number_at(&preamble(key), SEED_AT)
    }

    /// Opens the file `path` that an earlier run has left, and creates it if there is none and `create` is
    /// true. `key` identifies the table and its bundles: packets under another key are not read.
    ///
    /// # Errors
    /// When the file system refuses, or with [`ErrorKind::WouldBlock`] when another process works on the
    /// file.
    pub(crate) fn open(path: PathBuf, key: u128, create: bool) -> io::Result<BlockFile> {
        require_file(&path)?;
        if let Some(folder) = path.parent().filter(|_| create) {
            fs::create_dir_all(folder)?;
        }
        let mut file = File::options().read(true).write(true).create(create).truncate(false).open(&path)?;
        lock_file(&file)?;
        let (mut found, preamble) = ([0; PREAMBLE], preamble(key));
        let is_ours = match file.read_exact(&mut found) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => false,
            read => read.map(|()| found == preamble)?,
        };
        let end = if is_ours { PREAMBLE as u64 } else { 0 };
        Ok(BlockFile { file, path: Some(path), preamble, end, is_longer: true })
    }

    /// Creates a file without a name in `folder`. It is gone when it is closed.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(crate) fn unnamed(folder: &Path) -> io::Result<BlockFile> {
        let file = tempfile::tempfile_in(folder)?;
        Ok(BlockFile { file, path: None, preamble: preamble(0), end: 0, is_longer: false })
    }

    /// Calls `each` with the heads, the places and the records of all packets that are whole, in the order in
    /// which they were appended, until it fails. Packets whose records are damaged are passed over. The next
    /// packet is appended behind the last one whose head is whole.
    ///
    /// # Errors
    /// When `each` fails.
    pub(crate) fn scan<E>(
        &mut self,
        mut each: impl FnMut(PacketHead, u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let seed = number_at(&self.preamble, SEED_AT);
        let mut input = BufReader::with_capacity(BUFFER, &self.file);
        if self.end == 0 || input.seek(SeekFrom::Start(self.end)).is_err() {
            return Ok(());
        }
        let mut records = Vec::new();
        loop {
            let mut bytes = [0; PACKET_HEAD];
            if input.read_exact(&mut bytes).is_err() {
                return Ok(());
            }
            let head = PacketHead::from_bytes(seed, &bytes).filter(|head| head.bytes <= MOST_BYTES);
            let Some(head) = head else { return Ok(()) };
            records.clear();
            let read = (&mut input).take(head.bytes.into()).read_to_end(&mut records);
            if read.is_err() || records.len() != head.bytes as usize {
                return Ok(());
            }
            let at = self.end;
            self.end += PACKET_HEAD as u64 + u64::from(head.bytes);
            if are_records(seed, &bytes, &records) {
                each(head, at, &records)?;
            }
        }
    }

    /// Appends a packet, and returns where it begins. If that fails the file ends where it did.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(crate) fn append(&mut self, packet: &[u8]) -> io::Result<u64> {
        if self.is_longer {
            self.file.set_len(self.end)?;
            self.is_longer = false;
        }
        let at = self.end.max(PREAMBLE as u64);
        let written = self.file.seek(SeekFrom::Start(self.end)).and_then(|_| {
            if self.end == 0 {
                self.file.write_all(&self.preamble)?;
            }
            self.file.write_all(packet)
        });
        if let Err(error) = written {
            self.is_longer = self.file.set_len(self.end).is_err();
            return Err(error);
        }
        self.end = at + packet.len() as u64;
        Ok(at)
    }

    /// Fills `bytes` with those of the file from `at` on.
    ///
    /// # Errors
    /// When the file system refuses, or the file ends before.
    pub(crate) fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        read_exact_at(&self.file, bytes, at)
    }

    /// Returns the path, if the file has a name.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the number of bytes up to the end of the last packet.
    pub(crate) fn bytes(&self) -> u64 {
        self.end
    }

    /// Closes the file and removes it. A file that cannot be removed does no harm, and is emptied.
    pub(crate) fn remove(self) {
        let _ = self.file.set_len(0);
        if let Some(path) = &self.path {
            let _ = fs::remove_file(path);
        }
    }
}

impl Drop for BlockFile {
    /// Gives the lock back. A process that is just being started has the open file too, and would hold the
    /// lock until it runs its program.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}
