//! The store that the logs of all slices share: it packs their frames, and appends them to a file.

use crate::{
    budget::{Budget, Part},
    checkpoint::{FrameHead, LogFile, LogFrame, Mark},
    lock::lock,
    memory::OutOfMemory,
    warning::{CheckpointError, Warning},
};
use std::{
    fmt, io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
};
use zstd::zstd_safe::{CCtx, CParameter, DCtx, compress_bound};

/// Bytes of the longest chunk. The last chunk of each log is not packed, and large boards have thousands of
/// logs, so a longer one costs more memory than its better packing saves; a shorter one takes longer to pack.
/// In unit tests chunks are short, so that small boards have many.
pub(crate) const CHUNK: usize = if cfg!(test) { 1 << 10 } else { 1 << 13 };
/// Bytes of full chunks from which on the next ones are packed. Packing takes up to a tenth of the time of a
/// solve in mazes, and saves nothing that matters as long as the logs are short.
pub(crate) const PACKED_FROM: u64 = if cfg!(test) { 1 << 12 } else { 8 << 20 };
/// Level of zstd: the fastest that finds repetitions.
const LEVEL: i32 = 1;
/// Bytes of memory for each frame beside its own bytes: what it is, and where.
const FRAME: u64 = 96;
/// Bytes of a context that unpacks, roughly, for a message.
const UNPACKER: usize = 160 << 10;

/// The part of the logs that all slices share. It packs and unpacks frames: a thread borrows a zstd context
/// while it works, because to create one for each frame would take longer than to pack it.
#[derive(Default)]
pub(crate) struct LogStore {
    packers: Mutex<Vec<Packer>>,
    unpackers: Mutex<Vec<DCtx<'static>>>,
    /// Bytes of all frames that were made here, packed or not.
    made: AtomicU64,
    /// The memory of the table, of which frames that are in memory take some.
    budget: Arc<Budget>,
    /// The seed of the frames' checksums: that of the file of the solve.
    seed: u32,
    /// The file of the logs, if the solve has checkpoints.
    file: Option<Arc<LogFile>>,
    /// Whether the file has refused a frame between two checkpoints: then the next ones stay in memory.
    has_refused: AtomicBool,
    /// Why the file has refused the first of them, until a warning says so.
    refusal: Mutex<Option<io::Error>>,
}

impl fmt::Debug for LogStore {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("LogStore").field("made", &self.made).finish_non_exhaustive()
    }
}

/// A zstd context that packs chunks, and the chunk that it has packed last.
struct Packer {
    /// `None` if there was no memory for it.
    zstd: Option<CCtx<'static>>,
    packed: Vec<u8>,
}

impl Packer {
    fn new() -> Packer {
        let zstd = CCtx::try_create().and_then(|mut zstd| {
            zstd.set_parameter(CParameter::CompressionLevel(LEVEL)).ok()?;
            Some(zstd)
        });
        Packer { zstd, packed: Vec::with_capacity(compress_bound(CHUNK)) }
    }

    /// Returns the chunk as a frame of zstd, if that is shorter and there is memory for it.
    fn pack(&mut self, chunk: &[u8]) -> Option<&[u8]> {
        self.packed.clear();
        self.zstd.as_mut()?.compress2(&mut self.packed, chunk).ok()?;
        Some(&self.packed[..]).filter(|packed| packed.len() < chunk.len())
    }
}

impl LogStore {
    /// Creates the store of a solve with checkpoints. Frames for which the budget has no memory do not wait
    /// there for the next checkpoint.
    pub(crate) fn with_file(file: Arc<LogFile>, budget: Arc<Budget>) -> LogStore {
        LogStore { seed: file.seed(), file: Some(file), budget, ..LogStore::default() }
    }

    /// Creates a store without a file, whose frames get this seed.
    pub(crate) fn with_seed(seed: u32) -> LogStore {
        LogStore { seed, ..LogStore::default() }
    }

    /// Returns the seed of the frames' checksums.
    pub(crate) fn seed(&self) -> u32 {
        self.seed
    }

    fn file(&self) -> io::Result<&LogFile> {
        self.file.as_deref().ok_or_else(|| io::ErrorKind::Unsupported.into())
    }

    /// Appends a frame to the file, and returns where its bytes begin. They need not be in memory any more.
    pub(super) fn append(&self, head: &FrameHead<LogFrame>, packed: &[u8]) -> io::Result<u64> {
        let at = self.file()?.append(head, packed)?;
        self.budget.give_back(Part::Logs, packed.len() as u64);
        Ok(at)
    }

    /// Counts bytes of a frame that are in memory.
    pub(super) fn hold(&self, bytes: usize) {
        self.budget.take(Part::Logs, bytes as u64);
    }

    /// Fills `bytes` with those of the file from `at` on.
    pub(super) fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.file()?.read(at, bytes)
    }

    /// Returns `error` with the path of the file of the logs before its message: that file may be on another
    /// disk than the checkpoint.
    pub(crate) fn named(&self, error: io::Error) -> io::Error {
        match self.file() {
            Ok(file) => io::Error::new(error.kind(), format!("{}: {error}", file.path().display())),
            Err(_) => error,
        }
    }

    /// Returns the mark of all frames in the file, which then are on the disk.
    pub(crate) fn keep(&self) -> io::Result<Mark> {
        self.file()?.keep()
    }

    /// Calls `each` with all frames of the file before `end`. See [`LogFile::scan`].
    pub(crate) fn scan(
        &self,
        end: Mark,
        each: impl FnMut(&FrameHead<LogFrame>, u64),
    ) -> Result<(), CheckpointError> {
        self.file()?.scan(end, each)
    }

    /// Returns the memory of the table.
    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Returns whether frames are to leave memory at once.
    pub(crate) fn is_past_limit(&self) -> bool {
        self.budget.is_over() && self.file.is_some() && !self.has_refused.load(Relaxed)
    }

    /// Notes that a frame cannot leave memory.
    pub(crate) fn refuse(&self, error: io::Error) {
        if !self.has_refused.swap(true, Relaxed) {
            *lock(&self.refusal) = Some(error);
        }
    }

    /// Returns the warning that frames cannot leave memory, once.
    pub(crate) fn take_warning(&self) -> Option<Warning> {
        // Most levels find nothing, and need no lock.
        let source = self.has_refused.load(Relaxed).then(|| lock(&self.refusal).take())??;
        Some(Warning::InMemory { path: self.file.as_ref()?.path().to_owned(), source })
    }

    /// Packs a chunk if that is worth it, and returns what `keep` makes of the bytes, those of a frame of
    /// zstd or those of the chunk, and their number.
    pub(super) fn pack<T>(
        &self,
        chunk: &[u8],
        keep: impl Fn(&[u8]) -> Result<(T, usize), OutOfMemory>,
    ) -> Result<(T, usize), OutOfMemory> {
        // The sum alone matters, and about when it passes the limit.
        let kept = if self.made.load(Relaxed) < PACKED_FROM {
            keep(chunk)
        } else {
            let free = lock(&self.packers).pop();
            let mut packer = free.unwrap_or_else(Packer::new);
            let kept = keep(packer.pack(chunk).unwrap_or(chunk));
            lock(&self.packers).push(packer);
            kept
        }?;
        self.made.fetch_add(kept.1 as u64, Relaxed);
        self.budget.take(Part::Logs, FRAME);
        self.hold(kept.1);
        Ok(kept)
    }

    /// Unpacks a frame of zstd into `bytes`. Returns how many of them it has filled, or `None` if the frame
    /// is damaged.
    pub(super) fn unpack(&self, packed: &[u8], bytes: &mut [u8]) -> Result<Option<usize>, OutOfMemory> {
        let free = lock(&self.unpackers).pop();
        let Some(mut zstd) = free.or_else(DCtx::try_create) else {
            return Err(OutOfMemory::refused(UNPACKER, io::ErrorKind::OutOfMemory));
        };
        let unpacked = zstd.decompress(bytes, packed).ok();
        lock(&self.unpackers).push(zstd);
        Ok(unpacked)
    }
}
