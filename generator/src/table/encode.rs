//! Encodes values into the blocks of a table (`PROTOCOL.md` §7).

mod contents;

mod found_bundles;

mod encoded_blocks;

#[cfg(test)]
mod tests;

use super::packets::{ContentHash, OpenPacket, PacketStore, Room};
use crate::{
    checkpoint::{FrameHead, PacketHead},
    lock::{exclusive, into_inner, lock},
    observer::{Observer, Stage},
    solution::{BlockBundles, BlockSource, SourceError},
    warning::Warning,
};
use contents::{Content, DistinctContents, NONE};
use dragnet_formats::{
    codec::{Codec, Encoded, Encoder, Favour, RawBlock},
    container::WriteError,
};
pub use encoded_blocks::{EncodedBlocks, Written};
use found_bundles::{FoundBundles, RestoredBundle};
use std::sync::{
    Mutex,
    atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

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

/// Bytes of memory that an encoder takes.
pub(crate) const ENCODER: u64 = 3 << 20;

/// Bytes of memory that a block takes whose contents are no other's: its index, and the place and the hash of
/// the contents.
const BLOCK: u64 = 80;

/// Bytes of memory that encoding takes beside all else that is counted: with what the allocator keeps of the
/// solve.
const BESIDE: u64 = 2 << 20;

/// Returns the bytes of memory that encoding so many blocks with one encoder takes beside the encoded blocks.
pub(crate) fn memory_needed(blocks: u64) -> u64 {
    BLOCK.saturating_mul(blocks).saturating_add(ENCODER + BESIDE)
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
    #[error(
        "expected each of {blocks} blocks once; found block {found} missing, passed twice, out of order or \
         beyond the last"
    )]
    Blocks {
        /// Blocks of the table.
        blocks: u64,
        /// The first block that is wrong.
        found: u64,
    },
}

/// Blocks between two calls of the observer.
const REPORT_EVERY: u64 = 64;

/// The bundle of blocks that belong to none.
const NO_BUNDLE: u32 = u32::MAX;

/// Encodes the `blocks` blocks of `source` and of `sections` behind them on the threads of the current pool.
/// They stay in memory.
///
/// # Errors
/// When `source` fails or does not pass each block once, there are more different blocks than a table can
/// have, or the observer stops the work.
pub fn encode<S, B: BlockSource<S> + ?Sized>(
    source: &B,
    sections: &[RawBlock],
    blocks: u64,
    encoding: Encoding,
    observer: &dyn Observer,
) -> Result<EncodedBlocks<S>, EncodeError> {
    encode_into(Room::IN_MEMORY, source, sections, blocks, encoding, observer)
}

/// Encodes as [`encode`] does, into `room`.
pub(crate) fn encode_into<S, B: BlockSource<S> + ?Sized>(
    room: Room,
    source: &B,
    sections: &[RawBlock],
    blocks: u64,
    encoding: Encoding,
    observer: &dyn Observer,
) -> Result<EncodedBlocks<S>, EncodeError> {
    observer.stage(Stage::Writing { blocks });
    let work = BlockEncoding::new(PacketStore::new(room), blocks, encoding, observer);
    // Outside of a pool there is one thread.
    let packets: Vec<Mutex<Option<OpenPacket>>> = work.encoders.iter().map(|_| Mutex::default()).collect();
    let summary = source.blocks(&|block, raw| {
        let mut packet = lock(&packets[rayon::current_thread_index().unwrap_or(0) % packets.len()]);
        let packet = packet.get_or_insert_with(|| work.open(NO_BUNDLE, 0));
        work.encode(packet, block, &raw, false)?;
        work.close_if_full(packet);
        Ok(())
    });
    for packet in packets.into_iter().filter_map(into_inner) {
        work.close(packet, 0);
    }
    work.finish(summary, sections)
}

/// Others who encode bundles of the same table meanwhile.
pub(crate) trait BundleHelpers: Sync {
    /// Asks for the bundles that are `missing`, as packets with this seed.
    ///
    /// # Errors
    /// When a helper has ended.
    fn ask(&self, seed: u32, missing: &[bool]) -> Result<(), SourceError>;

    /// Returns whether one of them encodes the bundle if it is asked to.
    fn has(&self, bundle: usize) -> bool;

    /// Calls `each` with the packets that the helpers have closed. Once they were asked this must be called.
    ///
    /// # Errors
    /// When a helper has ended.
    fn packets(&self, each: &mut dyn FnMut(&[u8])) -> Result<(), SourceError>;
}

/// Encodes the blocks of all `bundles` and of `sections` behind them, `blocks` in all, on the threads of the
/// current pool into `room`, and lets `helpers` encode theirs. What an earlier run has left there is not
/// encoded again. Returns the encoded blocks, and in place of their summary their digest.
///
/// # Errors
/// See [`encode`]; and when a helper has ended.
pub(crate) fn encode_bundles(
    room: Room,
    bundles: &dyn BlockBundles,
    helpers: Option<&dyn BundleHelpers>,
    sections: &[RawBlock],
    blocks: u64,
    encoding: Encoding,
    observer: &dyn Observer,
) -> Result<EncodedBlocks<u64>, EncodeError> {
    observer.stage(Stage::Writing { blocks });
    let packets = PacketStore::new(room);
    let mut work = BlockEncoding::new(packets, blocks, encoding, observer);
    let mut digests = work.restore(bundles)?;
    if let Some(helpers) = helpers {
        let missing: Vec<bool> = digests.iter().map(Option::is_none).collect();
        helpers.ask(lock(&work.packets).seed(), &missing)?;
        let own = work.bundles(bundles, &digests, |bundle| !helpers.has(bundle));
        let helped = work.adopt(bundles, helpers)?;
        let own = match own {
            Ok(own) => own,
            Err(error) => return work.finish(Err(error), sections),
        };
        for ((digest, own), helped) in digests.iter_mut().zip(own).zip(helped) {
            *digest = digest.or(own).or(helped);
        }
    }
    // Bundles that a helper has not finished are encoded here.
    let digest = work.bundles(bundles, &digests, |_| true);
    let digest = digest.map(|digests| digests.into_iter().flatten().fold(0, u64::wrapping_add));
    work.finish(digest, sections)
}

/// Encodes those of `bundles` that are `wanted`, of a table with `blocks` blocks, for another process whose
/// packets have this seed. Returns the closed packets. There are fewer if the observer stops the work or the
/// values cannot be read.
pub(crate) fn encode_packets(
    seed: u32,
    bundles: &dyn BlockBundles,
    wanted: &[bool],
    blocks: u64,
    encoding: Encoding,
    observer: &dyn Observer,
) -> impl Iterator<Item = Vec<u8>> + use<> {
    let packets = PacketStore::with_seed(Room::IN_MEMORY, seed);
    let work = BlockEncoding::new(packets, blocks, encoding, observer);
    let none = vec![None; wanted.len()];
    // Who has asked sees what is missing.
    let _ = work.bundles(bundles, &none, |bundle| wanted[bundle]);
    into_inner(work.packets).into_packets()
}

/// The work of encoding the blocks of one table.
struct BlockEncoding<'a> {
    observer: &'a dyn Observer,
    /// One for each thread, or fewer, which threads take by turns.
    encoders: Vec<Mutex<Encoder>>,
    of_blocks: Vec<AtomicU32>,
    known: Mutex<DistinctContents>,
    packets: Mutex<PacketStore>,
    /// Blocks that are encoded.
    done: AtomicU64,
    wrong: Mutex<Option<EncodeError>>,
}

impl<'a> BlockEncoding<'a> {
    fn new(
        packets: PacketStore,
        blocks: u64,
        encoding: Encoding,
        observer: &'a dyn Observer,
    ) -> BlockEncoding<'a> {
        let encoders = rayon::current_num_threads().min(packets.encoders());
        BlockEncoding {
            observer,
            encoders: (0..encoders)
                .map(|_| Mutex::new(Encoder::new(encoding.favour, encoding.level)))
                .collect(),
            of_blocks: (0..blocks).map(|_| AtomicU32::new(NONE)).collect(),
            known: Mutex::default(),
            packets: Mutex::new(packets),
            done: AtomicU64::new(0),
            wrong: Mutex::default(),
        }
    }

    /// Ends the work with an error.
    fn refuse<T>(&self, error: EncodeError) -> Result<T, SourceError> {
        lock(&self.wrong).get_or_insert(error);
        Err(SourceError::Stopped)
    }

    fn blocks(&self) -> u64 {
        self.of_blocks.len() as u64
    }

    fn open(&self, bundle: u32, first: u64) -> OpenPacket {
        lock(&self.packets).open(bundle, first)
    }

    fn close(&self, packet: OpenPacket, digest: u64) {
        let closed = lock(&self.packets).close(packet, digest);
        if let Err((path, source)) = closed {
            self.observer.warning(&Warning::BlocksInMemory { path, source });
        }
    }

    /// Closes a packet of no bundle if it is full, and begins the next one.
    fn close_if_full(&self, packet: &mut OpenPacket) {
        if packet.is_full() {
            let next = self.open(NO_BUNDLE, 0);
            self.close(std::mem::replace(packet, next), 0);
        }
    }

    /// Encodes a block into `packet`. If `is_listed`, the packet has a record of it even if its contents are
    /// known.
    fn encode(
        &self,
        packet: &mut OpenPacket,
        block: u64,
        raw: &RawBlock,
        is_listed: bool,
    ) -> Result<(), SourceError> {
        if self.observer.stop() {
            return Err(SourceError::Stopped);
        }
        let hash = ContentHash::of(raw);
        let (index, is_new) = match lock(&self.known).index(hash) {
            Ok(found) => found,
            Err(error) => return self.refuse(error.into()),
        };
        if let &[code] = raw.palette() {
            if is_listed {
                packet.put_constant(raw.low().len() as u32, code);
            }
            if is_new {
                lock(&self.known).contents[index as usize] = Content::Constant(code);
            }
        } else if is_new {
            let encoder = &self.encoders[rayon::current_thread_index().unwrap_or(0) % self.encoders.len()];
            let encoded = lock(encoder).encode(raw);
            let content = match &encoded {
                Encoded::Constant(_) => unreachable!("blocks of one code are not encoded"),
                Encoded::Packed(body) => Content::Body(packet.put_body(hash, Codec::Packed, body)),
                Encoded::Zstd(body) => Content::Body(packet.put_body(hash, Codec::Zstd, body)),
            };
            lock(&self.known).contents[index as usize] = content;
        } else if is_listed {
            packet.put_known(hash);
        }
        let before = self.of_blocks.get(block as usize).map(|of_block| of_block.swap(index, Relaxed));
        if before != Some(NONE) {
            return self.refuse(EncodeError::Blocks { blocks: self.blocks(), found: block });
        }
        let done = self.done.fetch_add(1, Relaxed) + 1;
        if done.is_multiple_of(REPORT_EVERY) {
            self.observer.written(done);
        }
        Ok(())
    }

    /// Encodes the blocks of a bundle, and returns their part of the digest.
    fn bundle(&self, bundles: &dyn BlockBundles, bundle: usize) -> Result<u64, SourceError> {
        let len = bundles.len(bundle);
        let packet = Mutex::new(self.open(bundle as u32, 0));
        let digest = bundles.make(bundle, &|block, raw| {
            let mut packet = lock(&packet);
            let expected = bundles.block(bundle, packet.end());
            if expected != Some(block) {
                return self.refuse(EncodeError::Blocks { blocks: self.blocks(), found: block });
            }
            self.encode(&mut packet, block, &raw, true)?;
            // The last packet waits for the digest.
            if packet.is_full() && packet.end() < len {
                let next = self.open(bundle as u32, packet.end());
                self.close(std::mem::replace(&mut packet, next), 0);
            }
            Ok(())
        })?;
        self.close(into_inner(packet), digest);
        Ok(digest)
    }

    /// Encodes the `wanted` bundles that have no digest yet. Returns the digests of all bundles that have one
    /// then.
    fn bundles(
        &self,
        bundles: &dyn BlockBundles,
        digests: &[Option<u64>],
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<Option<u64>>, SourceError> {
        let missing = (0..digests.len()).filter(|&bundle| digests[bundle].is_none() && wanted(bundle));
        let encode = |bundle| Ok((bundle, self.bundle(bundles, bundle)?));
        let encoded = bundles.in_parallel(missing.collect(), encode)?;
        let mut all = digests.to_vec();
        encoded.into_iter().for_each(|(bundle, digest)| all[bundle] = Some(digest));
        Ok(all)
    }

    /// Takes over what an earlier run has encoded. Returns for each bundle of which nothing is missing its
    /// part of the digest.
    fn restore(&mut self, bundles: &dyn BlockBundles) -> Result<Vec<Option<u64>>, EncodeError> {
        let observer = self.observer;
        let mut found = FoundBundles::new(bundles, exclusive(&mut self.known), &mut self.of_blocks);
        exclusive(&mut self.packets).restore(|head, packet, bytes| {
            if observer.stop() {
                return Err(EncodeError::Source(SourceError::Stopped));
            }
            Ok(found.take(head, packet, bytes)?)
        })?;
        let found = found.found;
        Ok(self.whole(bundles, &found))
    }

    /// Takes over what helpers have encoded. Returns for each bundle that is theirs and of which nothing is
    /// missing its part of the digest.
    fn adopt(
        &mut self,
        bundles: &dyn BlockBundles,
        helpers: &dyn BundleHelpers,
    ) -> Result<Vec<Option<u64>>, EncodeError> {
        let observer = self.observer;
        let packets = exclusive(&mut self.packets);
        let mut found = FoundBundles::new(bundles, exclusive(&mut self.known), &mut self.of_blocks);
        let mut failed = None;
        helpers.packets(&mut |bytes| {
            // Blocks of a damaged packet are missing then.
            let Some((head, records)) = FrameHead::<PacketHead>::open(packets.seed(), bytes) else { return };
            let (packet, kept) = packets.adopt(head, records);
            if let Err((path, source)) = kept {
                observer.warning(&Warning::BlocksInMemory { path, source });
            }
            failed = failed.take().or(found.take(&head.about, packet, records).err());
        })?;
        let found = found.found;
        match failed {
            Some(error) => Err(error.into()),
            None => Ok(self.whole(bundles, &found)),
        }
    }

    /// Returns for each bundle of which all packets have been found its part of the digest, and forgets the
    /// blocks of those of which only some have.
    fn whole(&mut self, bundles: &dyn BlockBundles, found: &[RestoredBundle]) -> Vec<Option<u64>> {
        let known = exclusive(&mut self.known);
        let of_blocks = &mut self.of_blocks;
        // Contents that are lost are new when they come again.
        let contents = &known.contents;
        let is_lost = |index: u32| matches!(contents[index as usize], Content::Missing);
        known.indices.retain(|_, index| !is_lost(*index));
        let mut restored = 0;
        let mut digests = Vec::with_capacity(found.len());
        for (number, bundle) in found.iter().enumerate() {
            let len = bundles.len(number);
            let blocks = (0..len).filter_map(|ordinal| bundles.block(number, ordinal));
            let places = blocks.map(|block| block as usize);
            let is_whole = len > 0
                && bundle.blocks == len
                && places
                    .clone()
                    .all(|at| of_blocks.get_mut(at).is_some_and(|index| !is_lost(*index.get_mut())));
            if is_whole {
                restored += len;
            } else if bundle.blocks > 0 {
                for at in places {
                    if let Some(index) = of_blocks.get_mut(at) {
                        *index.get_mut() = NONE;
                    }
                }
            }
            digests.push(is_whole.then_some(bundle.digest));
        }
        *self.done.get_mut() += restored;
        self.observer.written(*self.done.get_mut());
        digests
    }

    /// Encodes the last blocks of the table, those of its sections.
    fn sections(&self, sections: &[RawBlock]) -> Result<(), SourceError> {
        let first = self.blocks().saturating_sub(sections.len() as u64);
        let mut packet = self.open(NO_BUNDLE, 0);
        for (block, section) in (first..).zip(sections) {
            self.encode(&mut packet, block, section, false)?;
            self.close_if_full(&mut packet);
        }
        self.close(packet, 0);
        Ok(())
    }

    /// Encodes the blocks of `sections`, and returns all blocks, if they have come.
    fn finish<S>(
        self,
        summary: Result<S, SourceError>,
        sections: &[RawBlock],
    ) -> Result<EncodedBlocks<S>, EncodeError> {
        let summary = summary.and_then(|summary| self.sections(sections).map(|()| summary));
        if let Some(error) = into_inner(self.wrong) {
            return Err(error);
        }
        let summary = summary?;
        let blocks = self.of_blocks.len() as u64;
        let of_blocks: Vec<u32> = self.of_blocks.into_iter().map(AtomicU32::into_inner).collect();
        if let Some(found) = of_blocks.iter().position(|&index| index == NONE) {
            return Err(EncodeError::Blocks { blocks, found: found as u64 });
        }
        self.observer.written(blocks);
        let contents = into_inner(self.known).contents;
        Ok(EncodedBlocks { summary, contents, of_blocks, packets: self.packets })
    }
}
