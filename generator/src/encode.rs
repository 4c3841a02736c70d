//! From the values to the bytes of a table (`PROTOCOL.md` §7).

use crate::{
    observer::{Observer, Stage},
    solution::{BlockSource, SourceError},
};
use dragnet_formats::{
    codec::{Encoded, Encoder, Favour, RawBlock},
    container::{WriteError, Writer, index::Entry},
    header::Header,
    numbering::TileSize,
};
use rayon::prelude::*;
use std::{
    collections::HashMap,
    io::{Seek, Write},
};
use xxhash_rust::xxh3::Xxh3;
use zerocopy::IntoBytes;

/// Blocks per thread that are gathered before they are compared and encoded, of 32 KiB each as a rule. 8 and 128 took as
/// long.
const BATCH: u64 = 32;

/// How the blocks of a table are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// What is given away for what.
    pub favour: Favour,
    /// Level of zstd, where it is used.
    pub level: i32,
}

impl Encoding {
    /// The sizes of the police's and the thief's tiles. Large police tiles compress better (16×16 × 8×8 takes 0.40
    /// bits per position of a random 64×64 board at level 4, 8×8 × 8×8 takes 0.51); small ones are quicker to check at
    /// the first touch and need narrower indices when they are read in place (2.26 bits against 2.76).
    #[must_use]
    pub fn tile_sizes(&self) -> (TileSize, TileSize) {
        match self.favour {
            Favour::Speed => (EIGHT, EIGHT),
            Favour::Size => (SIXTEEN, EIGHT),
        }
    }
}

pub(crate) const EIGHT: TileSize = tile(8);
const SIXTEEN: TileSize = tile(16);

const fn tile(side: u8) -> TileSize {
    match TileSize::new(side, side) {
        Ok(size) => size,
        Err(_) => panic!("a tile of at most 16x16"),
    }
}

impl Default for Encoding {
    fn default() -> Encoding {
        Encoding { favour: Favour::Size, level: Encoder::DEFAULT_LEVEL }
    }
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

/// Why a table was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The output refuses, or the table cannot be.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The values could not be had.
    #[error(transparent)]
    Source(SourceError),
    /// The observer asked to stop.
    #[error("stopped")]
    Stopped,
}

/// Writes the table with this header and the values of `source`, whose blocks are numbered as the header says, to `output`
/// with the threads of the current pool. The same values and encoding give the same bytes.
///
/// # Errors
/// When `source` or `output` fails, or the observer stops the work.
pub fn write_table<W: Write + Seek>(
    source: &dyn BlockSource,
    header: &Header,
    encoding: Encoding,
    output: W,
    observer: &dyn Observer,
) -> Result<(W, Written), EncodeError> {
    let blocks = header.block_count();
    observer.stage(Stage::Writing { blocks });
    let mut writer = Writer::new(output, header)?;
    let mut known: HashMap<u128, Entry> = HashMap::new();
    let batch_len = BATCH * rayon::current_num_threads() as u64;
    for first in (0..blocks).step_by(batch_len as usize) {
        if observer.stop() {
            return Err(EncodeError::Stopped);
        }
        let batch: Vec<(u128, RawBlock)> = (first..blocks.min(first + batch_len))
            .into_par_iter()
            .map_init(Vec::new, |codes, block| {
                let raw = source.block(block, codes)?;
                Ok((content_hash(&raw), raw))
            })
            .collect::<Result<_, SourceError>>()
            .map_err(EncodeError::Source)?;
        let encoded = encode_new(&batch, &known, encoding);
        for ((hash, _), encoded) in batch.iter().zip(encoded) {
            match known.get(hash) {
                Some(&entry) => writer.push_entry(entry),
                None => {
                    // Only blocks that are new, or repeat a new one of this batch, get here.
                    if let Some(encoded) = encoded {
                        known.insert(*hash, writer.push(&encoded)?);
                    }
                }
            }
        }
        observer.written(blocks.min(first + batch_len));
    }
    let (output, bytes) = writer.finish()?;
    Ok((output, Written { bytes, blocks, distinct: known.len() as u64 }))
}

/// Encodes the blocks of `batch` that are not known and not the same as an earlier one of the batch.
fn encode_new(
    batch: &[(u128, RawBlock)],
    known: &HashMap<u128, Entry>,
    encoding: Encoding,
) -> Vec<Option<Encoded>> {
    let mut seen = std::collections::HashSet::new();
    let new: Vec<bool> =
        batch.iter().map(|(hash, _)| !known.contains_key(hash) && seen.insert(*hash)).collect();
    batch
        .par_iter()
        .zip(new)
        .map_init(
            || Encoder::new(encoding.favour, encoding.level),
            |encoder, ((_, raw), new)| new.then(|| encoder.encode(raw)),
        )
        .collect()
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
