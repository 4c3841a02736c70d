//! From the values to the bytes of a table (`PROTOCOL.md` §7).

use crate::{
    lock::lock,
    observer::{Observer, Stage},
    solution::{BlockSource, SourceError},
};
use dragnet_formats::{
    board::Board,
    codec::{Encoded, Encoder, Favour, RawBlock},
    container::{TableHeader, WriteError, Writer, index::IndexEntry},
    header::Summary,
    numbering::{TileSize, tile_sizes},
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

/// How the blocks of a table are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// What is given away for what.
    pub favour: Favour,
    /// Level of zstd, where it is used.
    pub level: i32,
}

impl Encoding {
    /// Returns the sizes of the police's and the thief's tiles of a table with this encoding: see
    /// [`numbering::tile_sizes`](tile_sizes).
    #[must_use]
    pub fn tile_sizes(&self, board: &Board, officers: u8) -> (TileSize, TileSize) {
        tile_sizes(board, officers, self.favour)
    }

    /// The slots of a block of positions by number: as many as the tiles of one officer make of an open board.
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

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Bytes of the table.
    pub bytes: u64,
    /// Its blocks.
    pub blocks: u64,
    /// How many of them have contents of their own.
    pub distinct: u64,
}

/// Why blocks were not encoded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// More different blocks than a table can have.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The values could not be had, or the observer stopped the work.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The source did not hand over each block once.
    #[error("expected the blocks 0 to {}, each once; found block {found} missing, twice or beyond them", .blocks - 1)]
    Blocks {
        /// Blocks of the table.
        blocks: u64,
        /// The first that is wrong.
        found: u64,
    },
}

/// All blocks of a table, encoded: about as many bytes as the file will have.
#[derive(Debug)]
pub struct EncodedBlocks<S = Summary> {
    /// What the source says of all values.
    pub summary: S,
    /// The different contents, in no particular order.
    contents: Vec<Encoded>,
    /// By block the place of its contents.
    places: Vec<u32>,
}

/// The contents met so far.
#[derive(Default)]
struct Known {
    places: HashMap<u128, u32>,
    contents: Vec<Option<Encoded>>,
}

/// The place of a block that has not come.
const NONE: u32 = u32::MAX;

/// How many blocks are encoded before the observer hears of it.
const TELL: u64 = 64;

/// Encodes the `blocks` blocks of `source` on the threads of the current pool.
///
/// # Errors
/// When `source` fails or does not hand over each block once, there are more different blocks than a table can have, or the
/// observer stops the work.
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
    let places: Vec<AtomicU32> = (0..blocks).map(|_| AtomicU32::new(NONE)).collect();
    let known = Mutex::new(Known::default());
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
        let (place, new) = {
            let mut known = lock(&known);
            let next = known.contents.len() as u32;
            if known.contents.len() >= NONE as usize {
                return refuse(WriteError::TooMuchData.into());
            }
            let place = *known.places.entry(hash).or_insert(next);
            if place == next {
                known.contents.push(None);
            }
            (place, place == next)
        };
        if new {
            // Outside of a pool there is one thread.
            let encoder = &encoders[rayon::current_thread_index().unwrap_or(0) % threads];
            let encoded = lock(encoder).encode(&raw);
            lock(&known).contents[place as usize] = Some(encoded);
        }
        let before = places.get(block as usize).map(|at| at.swap(place, Relaxed));
        if before != Some(NONE) {
            return refuse(EncodeError::Blocks { blocks, found: block });
        }
        let done = done.fetch_add(1, Relaxed) + 1;
        if done.is_multiple_of(TELL) {
            observer.written(done);
        }
        Ok(())
    };
    let summary = source.blocks(&sink);
    if let Some(error) = lock(&wrong).take() {
        return Err(error);
    }
    let summary = summary?;
    let places: Vec<u32> = places.into_iter().map(AtomicU32::into_inner).collect();
    if let Some(found) = places.iter().position(|&place| place == NONE) {
        return Err(EncodeError::Blocks { blocks, found: found as u64 });
    }
    observer.written(blocks);
    let contents = lock(&known).contents.drain(..).collect::<Option<Vec<Encoded>>>();
    let contents = contents.expect("who found new contents has encoded them");
    Ok(EncodedBlocks { summary, contents, places })
}

impl<S> EncodedBlocks<S> {
    /// Writes the table with this header, which must be that of the source, to `output`. The same values and encoding give the
    /// same bytes.
    ///
    /// # Errors
    /// When `output` refuses, or the table cannot be.
    pub fn write<W: Write + Seek>(
        &self,
        header: &impl TableHeader,
        output: W,
    ) -> Result<(W, Written), WriteError> {
        let mut writer = Writer::new(output, header)?;
        let mut entries: Vec<Option<IndexEntry>> = vec![None; self.contents.len()];
        for &place in &self.places {
            let entry = &mut entries[place as usize];
            match *entry {
                Some(entry) => writer.push_entry(entry),
                None => *entry = Some(writer.push(&self.contents[place as usize])?),
            }
        }
        let (output, bytes) = writer.finish()?;
        let (blocks, distinct) = (self.places.len() as u64, self.contents.len() as u64);
        Ok((output, Written { bytes, blocks, distinct }))
    }
}

/// A number that tells blocks with different contents apart: 128 bits, so that among 2^40 blocks a mistake has
/// probability 2^-49.
fn content_hash(raw: &RawBlock) -> u128 {
    let mut hash = Xxh3::new();
    hash.update(raw.palette().len().as_bytes());
    hash.update(raw.palette().as_bytes());
    hash.update(raw.low());
    hash.update(raw.high());
    hash.digest128()
}
