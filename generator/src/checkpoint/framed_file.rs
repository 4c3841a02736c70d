//! Files of frames, which are appended and never written again (`PROTOCOL.md` §9): the logs of a solve, its
//! encoded blocks, its checkpoints. Frames travel between ranks too.

use crate::{
    save::require_file,
    warning::{CHECKPOINT_VERSION, CheckpointError},
};
use dragnet_formats::{
    checksum::crc32,
    positioned::{read_exact_at, write_all_at},
    value::Plies,
};
use std::{
    fs::{self, File, TryLockError},
    io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom},
    marker::PhantomData,
    path::{Path, PathBuf},
};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::{
    FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned,
    little_endian::{U16, U32, U128},
};

/// Bytes read at once while a file is scanned.
const BUFFER: usize = 1 << 18;

/// A kind of files, by what their frames say of themselves.
pub(crate) trait FrameKind:
    Copy + FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned
{
    /// The first bytes of the file.
    const MAGIC: [u8; 8];
}

/// The bytes of a file before its first frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct Preamble {
    magic: [u8; 8],
    version: U16,
    /// Always 0.
    unused: U16,
    level: U32,
    key: U128,
    /// The checksum of the fields before it, with which the checksums of frames begin.
    seed: U32,
}

impl Preamble {
    pub(crate) const BYTES: usize = size_of::<Preamble>();

    /// Creates the preamble of a file for the solve or the table with this key. `level` is 0 unless the file
    /// is a checkpoint.
    pub(crate) fn new<K: FrameKind>(level: Plies, key: u128) -> Preamble {
        let mut preamble = Preamble {
            magic: K::MAGIC,
            version: CHECKPOINT_VERSION.into(),
            unused: U16::ZERO,
            level: level.into(),
            key: key.into(),
            seed: U32::ZERO,
        };
        preamble.seed = preamble.checksum().into();
        preamble
    }

    fn checksum(&self) -> u32 {
        crc32(&[&self.as_bytes()[..Preamble::BYTES - size_of::<U32>()]])
    }

    /// Returns the preamble that these bytes are, if it is one of this version.
    pub(super) fn of_bytes<K: FrameKind>(bytes: [u8; Preamble::BYTES]) -> Result<Preamble, CheckpointError> {
        let preamble: Preamble = zerocopy::transmute!(bytes);
        let (expected, found) = (preamble.seed(), preamble.checksum());
        match preamble.version.get() {
            _ if preamble.magic != K::MAGIC => Err(CheckpointError::Magic),
            found if found != CHECKPOINT_VERSION => Err(CheckpointError::Version { found }),
            _ if expected != found => Err(CheckpointError::Preamble { expected, found }),
            _ => Ok(preamble),
        }
    }

    pub(super) fn level(&self) -> Plies {
        self.level.get()
    }

    pub(super) fn key(&self) -> u128 {
        self.key.get()
    }

    /// Returns the seed of the frames' checksums.
    pub(crate) fn seed(&self) -> u32 {
        self.seed.get()
    }
}

/// The bytes of a frame before its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(crate) struct FrameHead<K> {
    /// The numbers that its kind of frames has.
    pub(crate) about: K,
    /// The bytes of the contents.
    bytes: U32,
    /// The checksum of the seed, the fields before it, and the contents.
    crc: U32,
}

impl<K: FrameKind> FrameHead<K> {
    pub(crate) const BYTES: usize = size_of::<FrameHead<K>>();

    /// Creates the head of a frame with these contents, in a file with this seed.
    pub(crate) fn new(seed: u32, about: K, contents: &[u8]) -> FrameHead<K> {
        let mut head = FrameHead { about, bytes: (contents.len() as u32).into(), crc: U32::ZERO };
        head.crc = head.checksum(seed, contents).into();
        head
    }

    fn checksum(&self, seed: u32, contents: &[u8]) -> u32 {
        crc32(&[&seed.to_le_bytes(), self.about.as_bytes(), self.bytes.as_bytes(), contents])
    }

    /// Returns the bytes of the contents.
    pub(crate) fn len(&self) -> usize {
        self.bytes.get() as usize
    }

    /// Returns whether these are the contents of the frame.
    pub(crate) fn is_of(&self, seed: u32, contents: &[u8]) -> bool {
        contents.len() == self.len() && self.checksum(seed, contents) == self.crc.get()
    }

    /// Returns the head and the contents of the frame that `bytes` is, unless it is damaged.
    pub(crate) fn open(seed: u32, bytes: &[u8]) -> Option<(FrameHead<K>, &[u8])> {
        let (head, contents) = FrameHead::<K>::read_from_prefix(bytes).ok()?;
        head.is_of(seed, contents).then_some((head, contents))
    }
}

/// Why a frame could not be read.
#[derive(Debug)]
pub(super) enum Fault {
    CutShort,
    Damaged,
    Io(io::Error),
}

/// Reads the next frame of `input`, which has `left` bytes left, and puts its contents into `contents`.
pub(super) fn read_frame<K: FrameKind>(
    input: &mut impl Read,
    seed: u32,
    left: u64,
    contents: &mut Vec<u8>,
) -> Result<FrameHead<K>, Fault> {
    let Some(left) = left.checked_sub(FrameHead::<K>::BYTES as u64) else { return Err(Fault::CutShort) };
    let mut head = FrameHead::<K>::new_zeroed();
    input.read_exact(head.as_mut_bytes()).map_err(Fault::Io)?;
    contents.clear();
    if head.len() as u64 > left {
        return Err(Fault::CutShort);
    }
    input.by_ref().take(head.len() as u64).read_to_end(contents).map_err(Fault::Io)?;
    if head.is_of(seed, contents) { Ok(head) } else { Err(Fault::Damaged) }
}

/// The first bytes of a file up to some frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// How many bytes they are: 0 if there is no file.
    pub(crate) bytes: u64,
    /// The hash of all their frames' heads, one after the other. A head has the checksum of its frame, so two
    /// files with one hash have the same frames.
    pub(crate) chain: u64,
}

impl Mark {
    /// The mark behind the preamble.
    pub(super) const BEGIN: Mark = Mark { bytes: Preamble::BYTES as u64, chain: 0 };

    /// Returns the mark behind the next frame, which has this head.
    fn and<K: FrameKind>(self, head: &FrameHead<K>) -> Mark {
        let linked = [&self.chain.to_le_bytes(), head.as_bytes()].concat();
        Mark { bytes: self.bytes + (FrameHead::<K>::BYTES + head.len()) as u64, chain: xxh3_64(&linked) }
    }
}

/// An open file of frames. It is locked as long as it is open.
#[derive(Debug)]
pub(crate) struct FramedFile<K> {
    file: File,
    /// The path, if the file has a name.
    path: Option<PathBuf>,
    preamble: Preamble,
    /// Where the next frame is appended; 0 if the file has no preamble yet.
    end: Mark,
    /// Whether bytes may stand behind the end.
    is_longer: bool,
    /// The bytes that are written together.
    buffer: Vec<u8>,
    kind: PhantomData<K>,
}

/// Locks the file for this process. A file system without locks has no answer; then nothing is locked.
fn lock_file(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(io::Error::new(ErrorKind::WouldBlock, "another process is at work on this table"))
        }
        _ => Ok(()),
    }
}

/// Returns whether no process holds the lock of the file.
pub(super) fn is_unlocked(file: &File) -> bool {
    let is_unlocked = lock_file(file).is_ok();
    let _ = file.unlock();
    is_unlocked
}

impl<K: FrameKind> FramedFile<K> {
    /// Opens the file `path` that an earlier run has left, and creates it if there is none and `create` is
    /// true. It is empty if it begins with another preamble. The next frame is the first one until the file
    /// has been scanned.
    ///
    /// # Errors
    /// When the file system refuses, or with [`ErrorKind::WouldBlock`] when another process works on the
    /// file.
    pub(crate) fn open(path: &Path, preamble: Preamble, create: bool) -> io::Result<FramedFile<K>> {
        require_file(path)?;
        if let Some(folder) = path.parent().filter(|_| create) {
            fs::create_dir_all(folder)?;
        }
        let open = File::options().read(true).write(true).create(create).truncate(false).open(path);
        let mut file = open.or_else(|error| match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem if !create => File::open(path),
            _ => Err(error),
        })?;
        lock_file(&file)?;
        let mut found = Vec::new();
        (&mut file).take(Preamble::BYTES as u64).read_to_end(&mut found)?;
        let end = if found == preamble.as_bytes() { Mark::BEGIN } else { Mark::default() };
        Ok(FramedFile::new(file, Some(path.to_owned()), preamble, end))
    }

    /// Creates a file without a name in `folder`. It is gone when it is closed.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(crate) fn unnamed(folder: &Path, preamble: Preamble) -> io::Result<FramedFile<K>> {
        Ok(FramedFile::new(tempfile::tempfile_in(folder)?, None, preamble, Mark::default()))
    }

    fn new(file: File, path: Option<PathBuf>, preamble: Preamble, end: Mark) -> FramedFile<K> {
        FramedFile { file, path, preamble, end, is_longer: true, buffer: Vec::new(), kind: PhantomData }
    }

    /// Returns whether the file `path` begins like one of this kind, or is empty, and no process works on it.
    pub(super) fn is_free(path: &Path) -> bool {
        if !fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file()) {
            return false;
        }
        let Ok(file) = File::open(path) else { return false };
        let mut magic = Vec::new();
        let read = (&file).take(K::MAGIC.len() as u64).read_to_end(&mut magic);
        read.is_ok() && (magic.is_empty() || magic == K::MAGIC) && is_unlocked(&file)
    }

    /// Returns the path, if the file has a name.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Returns the mark of all frames.
    pub(crate) fn end(&self) -> Mark {
        self.end
    }

    /// Appends a frame, and returns where its contents begin. If that fails the file ends where it did.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(crate) fn append(&mut self, head: &FrameHead<K>, contents: &[u8]) -> io::Result<u64> {
        if self.is_longer {
            self.file.set_len(self.end.bytes)?;
            self.is_longer = false;
        }
        let end = if self.end == Mark::default() { Mark::BEGIN } else { self.end };
        self.buffer.clear();
        self.buffer.extend_from_slice(&self.preamble.as_bytes()[..(end.bytes - self.end.bytes) as usize]);
        self.buffer.extend_from_slice(head.as_bytes());
        self.buffer.extend_from_slice(contents);
        if let Err(error) = write_all_at(&self.file, self.end.bytes, &self.buffer) {
            self.is_longer = self.file.set_len(self.end.bytes).is_err();
            return Err(error);
        }
        self.end = end.and(head);
        Ok(self.end.bytes - contents.len() as u64)
    }

    /// Fills `bytes` with those of the file from `at` on.
    ///
    /// # Errors
    /// When the file system refuses, or the file ends before.
    pub(crate) fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        read_exact_at(&self.file, at, bytes)
    }

    /// Calls `each` with the heads, the places and the contents of all frames among the first `most` bytes,
    /// in the order in which they were appended, up to one that is not whole or for which it fails. The next
    /// frame is appended behind the last of them.
    ///
    /// # Errors
    /// When `each` fails.
    pub(crate) fn scan<E>(
        &mut self,
        most: u64,
        mut each: impl FnMut(&FrameHead<K>, u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.begin_anew();
        let most = most.min(self.file.metadata().map_or(0, |metadata| metadata.len()));
        let mut input = BufReader::with_capacity(BUFFER, &self.file);
        if self.end == Mark::default() || input.seek(SeekFrom::Start(self.end.bytes)).is_err() {
            return Ok(());
        }
        let mut contents = Vec::new();
        while let Some(left) = most.checked_sub(self.end.bytes)
            && let Ok(head) = read_frame(&mut input, self.preamble.seed(), left, &mut contents)
        {
            self.end = self.end.and(&head);
            each(&head, self.end.bytes - contents.len() as u64, &contents)?;
        }
        Ok(())
    }

    /// Lets the next frame be the first one. What stands there stays until then.
    pub(super) fn begin_anew(&mut self) {
        (self.end, self.is_longer) = (if self.is_empty() { Mark::default() } else { Mark::BEGIN }, true);
    }

    /// Returns whether the file has not even its preamble.
    pub(super) fn is_empty(&self) -> bool {
        self.end == Mark::default()
    }

    /// Closes the file and removes it. A file that cannot be removed does no harm, and is emptied.
    pub(crate) fn remove(self) {
        let _ = self.file.set_len(0);
        if let Some(path) = &self.path {
            let _ = fs::remove_file(path);
        }
    }
}

impl<K> Drop for FramedFile<K> {
    /// Gives the lock back. A process that is just being started has the open file too, and would hold the
    /// lock until it runs its program.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}
