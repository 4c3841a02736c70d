//! The file of a solve's logs, to which checkpoints refer (`PROTOCOL.md` §9).
//!
//! All threads append and read through one lock. A frame is appended behind the last byte and never written
//! again, so the bytes that a checkpoint names stay as they are while the solve goes on.

use crate::{
    lock::lock,
    save::require_file,
    warning::{CHECKPOINT_VERSION, CheckpointError},
};
use dragnet_formats::checksum::crc32;
use std::{
    fs::{self, File, TryLockError},
    io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::Mutex,
};
use xxhash_rust::xxh3::xxh3_64;

/// The first bytes of the file.
pub(crate) const LOG_MAGIC: [u8; 8] = *b"\x89DTL\r\n\x1A\n";
/// Bytes before the first frame.
const PREAMBLE: usize = 32;
/// Offset of the preamble's checksum.
const SEED_AT: usize = PREAMBLE - 4;
/// Bytes before the packed bytes of a frame.
const HEAD: usize = 24;
/// Offset of a frame's checksum.
const CRC_AT: usize = HEAD - 4;
/// Bytes read at once while the file is scanned.
const BUFFER: usize = 1 << 18;

/// The numbers before the packed bytes of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameHead {
    /// The number of the log: that of its slice.
    pub(crate) log: u32,
    /// The number of frames before it in its log.
    pub(crate) number: u32,
    /// The code of its first entry.
    pub(crate) first: u32,
    /// The bytes of the chunk.
    pub(crate) unpacked: u32,
    /// The bytes of the frame.
    pub(crate) packed: u32,
}

impl FrameHead {
    /// Bytes of a head without the checksum behind it.
    pub(crate) const BYTES: usize = CRC_AT;

    pub(crate) fn to_bytes(self) -> [u8; CRC_AT] {
        let fields = [self.log, self.number, self.first, self.unpacked, self.packed].map(u32::to_le_bytes);
        let mut bytes = [0; CRC_AT];
        bytes.copy_from_slice(fields.as_flattened());
        bytes
    }

    /// Returns the head whose [`FrameHead::BYTES`] bytes are the first of these.
    pub(crate) fn from_bytes(bytes: &[u8]) -> FrameHead {
        let [log, number, first, unpacked, packed] = [0, 4, 8, 12, 16].map(|at| number_at(bytes, at));
        FrameHead { log, number, first, unpacked, packed }
    }

    /// Returns the checksum of the head and the packed bytes. `seed` is that of the file.
    pub(crate) fn crc(self, seed: u32, packed: &[u8]) -> u32 {
        crc32(&[&seed.to_le_bytes(), &self.to_bytes(), packed])
    }
}

fn number_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(*bytes[at..].first_chunk().expect("fields lie within their bytes"))
}

/// The first bytes of the file up to some frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LogFileMark {
    /// How many bytes they are: 0 if there is no file.
    pub(crate) bytes: u64,
    /// The hash of all their frames' heads, one after the other. A head has the checksum of its frame, so two
    /// files with one hash have the same frames.
    pub(crate) chain: u64,
}

impl LogFileMark {
    /// The mark behind the preamble.
    const BEGIN: LogFileMark = LogFileMark { bytes: PREAMBLE as u64, chain: 0 };

    /// Returns the mark behind the next frame, which has this head.
    fn and(self, head: &[u8; HEAD], packed: u32) -> LogFileMark {
        let mut linked = [0; 8 + HEAD];
        linked[..8].copy_from_slice(&self.chain.to_le_bytes());
        linked[8..].copy_from_slice(head);
        LogFileMark { bytes: self.bytes + HEAD as u64 + u64::from(packed), chain: xxh3_64(&linked) }
    }
}

/// The file of the logs of one solve.
#[derive(Debug)]
pub(crate) struct LogFile {
    path: PathBuf,
    preamble: [u8; PREAMBLE],
    sync: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    /// The file is created when the first frame is appended.
    Unopened,
    Open(Open),
    /// Another process works on the file.
    Foreign,
}

/// The open file. It is locked as long as it is open.
#[derive(Debug)]
struct Open {
    file: File,
    /// Where the next frame is appended.
    end: LogFileMark,
    /// Whether bytes may stand behind the end.
    is_longer: bool,
    /// Whether this run created the file or emptied it, so that only its own checkpoints can name frames.
    is_new: bool,
    buffer: Vec<u8>,
}

/// Returns whether the file `path` begins like one of logs, or is empty, and no process works on it.
pub(crate) fn is_free_log(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut magic = Vec::new();
    let read = (&file).take(LOG_MAGIC.len() as u64).read_to_end(&mut magic);
    read.is_ok() && (magic.is_empty() || magic == LOG_MAGIC) && is_free(&file)
}

/// Locks the file for this process. A file system without locks has no answer; then nothing is locked.
pub(super) fn lock_file(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(io::Error::new(ErrorKind::WouldBlock, "another process is at work on this table"))
        }
        _ => Ok(()),
    }
}

/// Returns whether no process holds the lock of the file.
fn is_free(file: &File) -> bool {
    let is_free = lock_file(file).is_ok();
    let _ = file.unlock();
    is_free
}

impl LogFile {
    /// Creates the handle of the file `path`, without a look at it. `key` identifies the solve.
    pub(super) fn new(path: PathBuf, key: u128, sync: bool) -> LogFile {
        let mut preamble = [0; PREAMBLE];
        preamble[..8].copy_from_slice(&LOG_MAGIC);
        preamble[8..10].copy_from_slice(&CHECKPOINT_VERSION.to_le_bytes());
        // Bytes 10 and 11 are 0.
        preamble[12..SEED_AT].copy_from_slice(&key.to_le_bytes());
        let seed = crc32(&[&preamble[..SEED_AT]]);
        preamble[SEED_AT..].copy_from_slice(&seed.to_le_bytes());
        LogFile { path, preamble, sync, state: Mutex::new(State::Unopened) }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the seed of the frames' checksums.
    pub(crate) fn seed(&self) -> u32 {
        number_at(&self.preamble, SEED_AT)
    }

    fn wrong(&self, what: &'static str) -> CheckpointError {
        CheckpointError::Log { path: self.path.clone(), what }
    }

    /// Opens the file that an earlier run has left, if there is one.
    ///
    /// # Errors
    /// When another process works on it: then nothing is to be read or written. When the file cannot be read
    /// or is another one: then it is as if there were none.
    pub(super) fn open(&self) -> Result<(), CheckpointError> {
        require_file(&self.path)?;
        let file =
            File::options().read(true).write(true).open(&self.path).or_else(|error| match error.kind() {
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => File::open(&self.path),
                _ => Err(error),
            });
        let mut file = match file {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            file => file?,
        };
        if let Err(error) = lock_file(&file) {
            *lock(&self.state) = State::Foreign;
            return Err(error.into());
        }
        let mut preamble = [0; PREAMBLE];
        match file.read_exact(&mut preamble) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Err(self.wrong("is cut short")),
            read => read?,
        }
        if preamble != self.preamble {
            return Err(self.wrong("is damaged, or of another board, other rules or another version"));
        }
        *lock(&self.state) = State::Open(Open::new(file, false));
        Ok(())
    }

    /// Returns whether another process works on the file.
    pub(super) fn is_foreign(&self) -> bool {
        matches!(*lock(&self.state), State::Foreign)
    }

    /// Creates the file, or empties the one that is there.
    fn create(&self) -> io::Result<Open> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        require_file(&self.path)?;
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(&self.path)?;
        lock_file(&file)?;
        file.set_len(0)?;
        file.write_all(&self.preamble)?;
        Ok(Open::new(file, true))
    }

    /// Appends a frame, and returns where its packed bytes begin. If that fails the file ends where it did.
    ///
    /// # Errors
    /// When the file system refuses, or another process works on the file.
    pub(crate) fn append(&self, head: FrameHead, crc: u32, packed: &[u8]) -> io::Result<u64> {
        let mut state = lock(&self.state);
        if let State::Unopened = *state {
            *state = State::Open(self.create()?);
        }
        let State::Open(open) = &mut *state else { return Err(ErrorKind::WouldBlock.into()) };
        open.append(head, crc, packed)
    }

    /// Fills `bytes` with those of the file from `at` on.
    ///
    /// # Errors
    /// When the file system refuses, or the file ends before.
    pub(crate) fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let State::Open(Open { file, .. }) = &mut *lock(&self.state) else {
            return Err(ErrorKind::NotFound.into());
        };
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(bytes)
    }

    /// Returns the mark of all frames, for a checkpoint to name. With sync on, they are on the disk.
    ///
    /// # Errors
    /// When the file system refuses, the file has lost its name, or another process works on it.
    pub(crate) fn keep(&self) -> io::Result<LogFileMark> {
        let (file, end) = match &*lock(&self.state) {
            State::Unopened => return Ok(LogFileMark::default()),
            State::Foreign => return Err(ErrorKind::WouldBlock.into()),
            State::Open(Open { file, end, .. }) => (file.try_clone()?, *end),
        };
        // Frames that are appended meanwhile are not named.
        if self.sync {
            file.sync_all()?;
        }
        if !self.is_named(&file)? {
            return Err(io::Error::new(ErrorKind::NotFound, "the file of the logs is gone"));
        }
        Ok(end)
    }

    /// Returns whether the open file has its name still.
    fn is_named(&self, file: &File) -> io::Result<bool> {
        let named = match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            named => named?,
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let open = file.metadata()?;
            Ok((named.dev(), named.ino()) == (open.dev(), open.ino()))
        }
        #[cfg(not(unix))]
        Ok(named.is_file() && named.len() == file.metadata()?.len())
    }

    /// Calls `each` with the head, the checksum and the place of all frames before `end`, in the order in
    /// which they were appended. Then the next frame is appended there.
    ///
    /// # Errors
    /// When the file has not these frames, or they are damaged.
    pub(crate) fn scan(
        &self,
        end: LogFileMark,
        mut each: impl FnMut(FrameHead, u32, u64),
    ) -> Result<(), CheckpointError> {
        let mut state = lock(&self.state);
        let open = match &mut *state {
            _ if end == LogFileMark::default() => None,
            State::Open(open) => Some(open),
            _ => return Err(self.wrong("is missing")),
        };
        let Some(open) = open else {
            if let State::Open(open) = &mut *state {
                open.go_back(LogFileMark::BEGIN);
            }
            return Ok(());
        };
        if open.file.metadata()?.len() < end.bytes {
            return Err(self.wrong("is cut short"));
        }
        open.file.seek(SeekFrom::Start(PREAMBLE as u64))?;
        let mut input = BufReader::with_capacity(BUFFER, &open.file);
        let (mut mark, mut packed) = (LogFileMark::BEGIN, Vec::new());
        while mark.bytes < end.bytes {
            let mut bytes = [0; HEAD];
            if end.bytes - mark.bytes < HEAD as u64 {
                return Err(self.wrong(DAMAGED));
            }
            input.read_exact(&mut bytes)?;
            let (head, crc) = (FrameHead::from_bytes(&bytes), number_at(&bytes, CRC_AT));
            let at = mark.bytes + HEAD as u64;
            if u64::from(head.packed) > end.bytes - at {
                return Err(self.wrong(DAMAGED));
            }
            packed.clear();
            (&mut input).take(head.packed.into()).read_to_end(&mut packed)?;
            if packed.len() != head.packed as usize || crc != head.crc(self.seed(), &packed) {
                return Err(self.wrong(DAMAGED));
            }
            mark = mark.and(&bytes, head.packed);
            each(head, crc, at);
        }
        if mark != end {
            return Err(self.wrong("has other frames"));
        }
        open.go_back(end);
        Ok(())
    }

    /// Lets the next frame be the first one: no checkpoint is used.
    pub(super) fn begin_anew(&self) {
        if let State::Open(open) = &mut *lock(&self.state) {
            open.go_back(LogFileMark::BEGIN);
        }
    }

    /// Returns whether the checkpoints of the table may be removed: no other process works on it.
    pub(super) fn is_ours(&self) -> bool {
        match &*lock(&self.state) {
            State::Open(_) => true,
            _ if require_file(&self.path).is_err() => true,
            _ => File::open(&self.path).is_ok_and(|file| is_free(&file)) || !self.path.exists(),
        }
    }

    /// Returns the bytes of the file, if there is one.
    pub(super) fn bytes(&self) -> Option<u64> {
        Some(fs::symlink_metadata(&self.path).ok().filter(fs::Metadata::is_file)?.len())
    }

    /// Removes the file. Nobody must need its frames any more.
    ///
    /// # Errors
    /// When the file cannot be removed, which does no harm.
    pub(super) fn remove(&self) -> io::Result<()> {
        let mut state = lock(&self.state);
        let is_lost = |open: &Open| !self.is_named(&open.file).unwrap_or(false);
        let is_lost = matches!(&*state, State::Open(open) if is_lost(open));
        let removed = if !is_lost && self.bytes().is_some() { fs::remove_file(&self.path) } else { Ok(()) };
        *state = State::Unopened;
        removed
    }

    /// Closes the file. Removes it if this run created it and no checkpoint names it. Nobody must need its
    /// frames any more.
    pub(super) fn close(&self, is_used: bool) {
        let is_new = matches!(&*lock(&self.state), State::Open(Open { is_new: true, .. }));
        if is_new && !is_used {
            let _ = self.remove();
        }
        *lock(&self.state) = State::Unopened;
    }
}

/// The fault of a file whose frames do not have their checksums.
const DAMAGED: &str = "is damaged";

impl Open {
    fn new(file: File, is_new: bool) -> Open {
        Open { file, end: LogFileMark::BEGIN, is_longer: true, is_new, buffer: Vec::new() }
    }

    /// Lets the next frame be appended at `end`. What stands there stays until then.
    fn go_back(&mut self, end: LogFileMark) {
        (self.end, self.is_longer) = (end, true);
    }

    fn append(&mut self, head: FrameHead, crc: u32, packed: &[u8]) -> io::Result<u64> {
        if self.is_longer {
            self.file.set_len(self.end.bytes)?;
            self.is_longer = false;
        }
        let mut bytes = [0; HEAD];
        bytes[..CRC_AT].copy_from_slice(&head.to_bytes());
        bytes[CRC_AT..].copy_from_slice(&crc.to_le_bytes());
        self.buffer.clear();
        self.buffer.extend_from_slice(&bytes);
        self.buffer.extend_from_slice(packed);
        self.file.seek(SeekFrom::Start(self.end.bytes))?;
        if let Err(error) = self.file.write_all(&self.buffer) {
            self.is_longer = self.file.set_len(self.end.bytes).is_err();
            return Err(error);
        }
        let at = self.end.bytes + HEAD as u64;
        self.end = self.end.and(&bytes, head.packed);
        Ok(at)
    }
}

impl Drop for Open {
    /// Gives the lock back. A process that is just being started has the open file too, and would hold the
    /// lock until it runs its program.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests;
