//! Encodes values into the blocks of a table (`PROTOCOL.md` §7).

use crate::{
    lock::lock,
    observer::{Observer, Stage},
    solution::{BlockSource, SourceError},
};
use dragnet_formats::{
    codec::{Encoded, Encoder, Favour, RawBlock},
    container::{TableHeader, WriteError, Writer, index::IndexEntry},
    header::Summary,
};
use std::{
    collections::HashMap,
    io::{Seek, Write},
    sync::{
        Mutex,
        atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
    },
};
use xxhash_rust::xxh3::Xxh3;
use zerocopy::IntoBytes;

/// How the blocks of a table are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// Whether to optimise for probe speed or for file size.
    pub favour: Favour,
    /// Level of zstd, for blocks that use it.
    pub level: i32,
}

impl Encoding {
    /// Returns the slots of a block of a game table: as many as a block of one officer has on an open board.
    #[must_use]
    pub fn slots(&self) -> u32 {
        match self.favour {
            Favour::Speed => 64 * 64,
            Favour::Size => 256 * 64,
        }
    }
}

impl Default for Encoding {
    fn default() -> Encoding {
        Encoding { favour: Favour::Size, level: Encoder::DEFAULT_LEVEL }
    }
}

/// Bytes of memory that a thread takes for compressing.
const THREAD: u64 = 3 << 20;

/// Returns the bytes of memory that encoding takes beside the encoded blocks.
pub(crate) fn memory_needed(threads: usize) -> u64 {
    THREAD.saturating_mul(threads as u64)
}

/// The size of a written table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Bytes of the table.
    pub bytes: u64,
    /// Blocks of the table.
    pub blocks: u64,
    /// Blocks with contents of their own.
    pub distinct: u64,
}

/// Why blocks could not be encoded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// There are more different blocks than a table can have.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The values could not be read, or the observer stopped the work.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The source did not pass each block once.
    #[error("expected the blocks 0 to {}, each once; found block {found} missing, twice or beyond them", .blocks - 1)]
    Blocks {
        /// Blocks of the table.
        blocks: u64,
        /// The first block that is wrong.
        found: u64,
    },
}

/// All blocks of a table, encoded: about as many bytes as the file will have.
#[derive(Debug)]
pub struct EncodedBlocks<S = Summary> {
    /// The summary of all values, from the source.
    pub summary: S,
    /// The different contents, in no particular order.
    contents: Vec<Encoded>,
    /// Per block the index of its contents.
    of_blocks: Vec<u32>,
}

/// The different contents found so far.
#[derive(Default)]
struct DistinctContents {
    /// The index of each by its hash.
    indices: HashMap<u128, u32>,
    /// Encoded contents; `None` while a thread encodes them.
    contents: Vec<Option<Encoded>>,
}

/// The index for a block that has not come.
const NONE: u32 = u32::MAX;

/// Blocks between two calls of the observer.
const REPORT_EVERY: u64 = 64;

/// Encodes the `blocks` blocks of `source` on the threads of the current pool.
///
/// # Errors
/// When `source` fails or does not pass each block once, there are more different blocks than a table can
/// have, or the observer stops the work.
pub fn encode<S, B: BlockSource<S> + ?Sized>(
    source: &B,
    blocks: u64,
    encoding: Encoding,
    observer: &dyn Observer,
) -> Result<EncodedBlocks<S>, EncodeError> {
    observer.stage(Stage::Writing { blocks });
    let threads = rayon::current_num_threads();
    let encoders: Vec<Mutex<Encoder>> =
        (0..threads).map(|_| Mutex::new(Encoder::new(encoding.favour, encoding.level))).collect();
    let of_blocks: Vec<AtomicU32> = (0..blocks).map(|_| AtomicU32::new(NONE)).collect();
    let known = Mutex::new(DistinctContents::default());
    let (done, wrong) = (AtomicU64::new(0), Mutex::new(None));
    let refuse = |error: EncodeError| {
        lock(&wrong).get_or_insert(error);
        Err(SourceError::Stopped)
    };
    let sink = |block: u64, raw: RawBlock| {
        if observer.stop() {
            return Err(SourceError::Stopped);
        }
        let hash = content_hash(&raw);
        let (index, new) = {
            let mut known = lock(&known);
            let next = known.contents.len() as u32;
            if known.contents.len() >= NONE as usize {
                return refuse(WriteError::TooMuchData.into());
            }
            let index = *known.indices.entry(hash).or_insert(next);
            if index == next {
                known.contents.push(None);
            }
            (index, index == next)
        };
        if new {
            // Outside of a pool there is one thread.
            let encoder = &encoders[rayon::current_thread_index().unwrap_or(0) % threads];
            let encoded = lock(encoder).encode(&raw);
            lock(&known).contents[index as usize] = Some(encoded);
        }
        let before = of_blocks.get(block as usize).map(|of_block| of_block.swap(index, Relaxed));
        if before != Some(NONE) {
            return refuse(EncodeError::Blocks { blocks, found: block });
        }
        let done = done.fetch_add(1, Relaxed) + 1;
        if done.is_multiple_of(REPORT_EVERY) {
            observer.written(done);
        }
        Ok(())
    };
    let summary = source.blocks(&sink);
    if let Some(error) = lock(&wrong).take() {
        return Err(error);
    }
    let summary = summary?;
    let of_blocks: Vec<u32> = of_blocks.into_iter().map(AtomicU32::into_inner).collect();
    if let Some(found) = of_blocks.iter().position(|&index| index == NONE) {
        return Err(EncodeError::Blocks { blocks, found: found as u64 });
    }
    observer.written(blocks);
    let contents = lock(&known).contents.drain(..).collect::<Option<Vec<Encoded>>>();
    let contents = contents.expect("the thread that finds new contents encodes them");
    Ok(EncodedBlocks { summary, contents, of_blocks })
}

impl<S> EncodedBlocks<S> {
    /// Writes the table with the source's `header` to `output`. Equal values and encodings make equal bytes.
    ///
    /// # Errors
    /// When `output` refuses, or no table can have this header.
    pub fn write<W: Write + Seek>(
        &self,
        header: &impl TableHeader,
        output: W,
    ) -> Result<(W, Written), WriteError> {
        let mut writer = Writer::new(output, header)?;
        let mut entries: Vec<Option<IndexEntry>> = vec![None; self.contents.len()];
        for &index in &self.of_blocks {
            let entry = &mut entries[index as usize];
            match *entry {
                Some(entry) => writer.push_entry(entry),
                None => *entry = Some(writer.push(&self.contents[index as usize])?),
            }
        }
        let (output, bytes) = writer.finish()?;
        let (blocks, distinct) = (self.of_blocks.len() as u64, self.contents.len() as u64);
        Ok((output, Written { bytes, blocks, distinct }))
    }
}

/// Returns a hash of a block's contents. It has 128 bits, so that among 2^40 blocks two have equal hashes
/// with probability 2^-49.
fn content_hash(raw: &RawBlock) -> u128 {
    let mut hash = Xxh3::new();
    hash.update(raw.palette().len().as_bytes());
    hash.update(raw.palette().as_bytes());
    hash.update(raw.low());
    hash.update(raw.high());
    hash.digest128()
}
