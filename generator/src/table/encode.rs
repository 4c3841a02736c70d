//! Encodes values into the blocks of a table (`PROTOCOL.md` §7).

use super::packets::{BodyPlace, ContentHash, OpenPacket, PacketStore, Record, Room, records};
use crate::{
    checkpoint::{PACKET_HEAD, PacketHead},
    lock::{exclusive, into_inner, lock},
    observer::{Observer, Stage},
    solution::{BlockBundles, BlockSource, SourceError},
    warning::Warning,
};
use dragnet_formats::{
    codec::{Codec, Encoded, Encoder, Favour, RawBlock},
    container::{
        TableHeader, WriteError, Writer,
        index::{EXTENT_CHECKSUM_LEN, IndexEntry},
        layout::Layout,
    },
    header::Summary,
};
use rayon::prelude::*;
use std::{
    collections::{HashMap, hash_map::Entry},
    io::{Seek, Write},
    sync::{
        Mutex,
        atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
    },
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

/// All blocks of a table, encoded: about as many bytes as the file will have, in memory or, as far as that is
/// limited, in a file.
#[derive(Debug)]
pub struct EncodedBlocks<S = Summary> {
    /// The summary of all values, from the source.
    pub summary: S,
    /// The different contents, in no particular order.
    contents: Vec<Content>,
    /// Per block the index of its contents.
    of_blocks: Vec<u32>,
    packets: Mutex<PacketStore>,
}

/// The contents of one block or more.
#[derive(Clone, Copy, Debug)]
enum Content {
    /// A thread encodes them; or an earlier run has, and they are lost.
    Missing,
    /// Every slot has this code.
    Constant(u32),
    Body(BodyPlace),
}

/// The different contents found so far.
#[derive(Default)]
struct DistinctContents {
    /// The index of each by its hash.
    indices: HashMap<ContentHash, u32>,
    contents: Vec<Content>,
}

impl DistinctContents {
    /// Returns the index of the contents with this hash, and whether they are new: then it is the caller's
    /// task to encode them.
    fn index(&mut self, hash: ContentHash) -> Result<(u32, bool), WriteError> {
        let next = self.contents.len() as u32;
        match self.indices.entry(hash) {
            Entry::Occupied(index) => Ok((*index.get(), false)),
            Entry::Vacant(_) if next == NONE => Err(WriteError::TooMuchData),
            Entry::Vacant(place) => {
                place.insert(next);
                self.contents.push(Content::Missing);
                Ok((next, true))
            }
        }
    }
}

/// The index for a block that has not come.
const NONE: u32 = u32::MAX;

/// Blocks between two calls of the observer.
const REPORT_EVERY: u64 = 64;

/// The bundle of blocks that belong to none.
const NO_BUNDLE: u32 = u32::MAX;

/// Encodes the `blocks` blocks of `source` on the threads of the current pool. They stay in memory.
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
    encode_into(Room::IN_MEMORY, source, blocks, encoding, observer)
}

/// Encodes as [`encode`] does, into `room`.
pub(crate) fn encode_into<S, B: BlockSource<S> + ?Sized>(
    room: Room,
    source: &B,
    blocks: u64,
    encoding: Encoding,
    observer: &dyn Observer,
) -> Result<EncodedBlocks<S>, EncodeError> {
    observer.stage(Stage::Writing { blocks });
    let encoding = BlockEncoding::new(PacketStore::new(room), blocks, encoding, observer);
    // Outside of a pool there is one thread.
    let packets: Vec<Mutex<Option<OpenPacket>>> =
        encoding.encoders.iter().map(|_| Mutex::default()).collect();
    let summary = source.blocks(&|block, raw| {
        let mut packet = lock(&packets[rayon::current_thread_index().unwrap_or(0) % packets.len()]);
        let packet = packet.get_or_insert_with(|| encoding.open(NO_BUNDLE, 0));
        encoding.encode(packet, block, &raw, false)?;
        encoding.close_if_full(packet);
        Ok(())
    });
    for packet in packets.into_iter().filter_map(into_inner) {
        encoding.close(packet, 0);
    }
    encoding.finish(summary)
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

/// Encodes the blocks of all `bundles`, `blocks` in all, on the threads of the current pool into `room`, and
/// lets `helpers` encode theirs. What an earlier run has left there is not encoded again. Returns the encoded
/// blocks, and in place of their summary their digest.
///
/// # Errors
/// See [`encode`]; and when a helper has ended.
pub(crate) fn encode_bundles(
    room: Room,
    bundles: &dyn BlockBundles,
    helpers: Option<&dyn BundleHelpers>,
    blocks: u64,
    encoding: Encoding,
    observer: &dyn Observer,
) -> Result<EncodedBlocks<u64>, EncodeError> {
    observer.stage(Stage::Writing { blocks });
    let packets = PacketStore::new(room);
    let mut encoding = BlockEncoding::new(packets, blocks, encoding, observer);
    let mut digests = encoding.restore(bundles)?;
    if let Some(helpers) = helpers {
        let missing: Vec<bool> = digests.iter().map(Option::is_none).collect();
        helpers.ask(lock(&encoding.packets).seed(), &missing)?;
        let own = encoding.bundles(bundles, &digests, |bundle| !helpers.has(bundle));
        let helped = encoding.adopt(bundles, helpers)?;
        let own = match own {
            Ok(own) => own,
            Err(error) => return encoding.finish(Err(error)),
        };
        for ((digest, own), helped) in digests.iter_mut().zip(own).zip(helped) {
            *digest = digest.or(own).or(helped);
        }
    }
    // Bundles that a helper has not finished are encoded here.
    let digest = encoding.bundles(bundles, &digests, |_| true);
    encoding.finish(digest.map(|digests| digests.into_iter().flatten().fold(0, u64::wrapping_add)))
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
) -> impl Iterator<Item = Box<[u8]>> + use<> {
    let packets = PacketStore::with_seed(Room::IN_MEMORY, seed);
    let encoding = BlockEncoding::new(packets, blocks, encoding, observer);
    let none = vec![None; wanted.len()];
    // Who has asked sees what is missing.
    let _ = encoding.bundles(bundles, &none, |bundle| wanted[bundle]);
    into_inner(encoding.packets).into_packets()
}

/// The work of encoding the blocks of one table.
struct BlockEncoding<'a> {
    observer: &'a dyn Observer,
    /// One for each thread.
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
        let threads = rayon::current_num_threads();
        BlockEncoding {
            observer,
            encoders: (0..threads)
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
                Encoded::Constant(code) => Content::Constant(*code),
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

    /// Encodes those bundles that have no digest yet and are `wanted`, and returns the digests of these.
    fn bundles(
        &self,
        bundles: &dyn BlockBundles,
        digests: &[Option<u64>],
        wanted: impl Fn(usize) -> bool + Sync,
    ) -> Result<Vec<Option<u64>>, SourceError> {
        (digests.par_iter().enumerate())
            // One item to a task, so that idle threads can steal each.
            .with_max_len(1)
            .map(|(bundle, digest)| match digest {
                None if wanted(bundle) => self.bundle(bundles, bundle).map(Some),
                digest => Ok(*digest),
            })
            .collect()
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
            found.take(head, packet, bytes)
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
            let Some((head, packet, kept)) = packets.adopt(bytes) else { return };
            if let Err((path, source)) = kept {
                observer.warning(&Warning::BlocksInMemory { path, source });
            }
            failed = failed.take().or(found.take(head, packet, &bytes[PACKET_HEAD..]).err());
        })?;
        let found = found.found;
        failed.map_or_else(|| Ok(self.whole(bundles, &found)), Err)
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

    /// Returns the encoded blocks, if all have come.
    fn finish<S>(self, summary: Result<S, SourceError>) -> Result<EncodedBlocks<S>, EncodeError> {
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

/// The bundles that are being found in packets of an earlier run, or of a helper.
struct FoundBundles<'a> {
    bundles: &'a dyn BlockBundles,
    known: &'a mut DistinctContents,
    of_blocks: &'a mut [AtomicU32],
    found: Vec<RestoredBundle>,
}

impl<'a> FoundBundles<'a> {
    fn new(
        bundles: &'a dyn BlockBundles,
        known: &'a mut DistinctContents,
        of_blocks: &'a mut [AtomicU32],
    ) -> FoundBundles<'a> {
        FoundBundles { bundles, known, of_blocks, found: vec![RestoredBundle::default(); bundles.count()] }
    }

    /// Takes the records `bytes` of a packet.
    fn take(&mut self, head: PacketHead, packet: u32, bytes: &[u8]) -> Result<(), EncodeError> {
        let Some(bundle) = self.found.get_mut(head.bundle as usize) else { return Ok(()) };
        let Some(records) = records(packet, head.blocks, bytes) else { return Ok(()) };
        let follows = bundle.take(head.first, head.blocks.into());
        for (record, ordinal) in records.into_iter().zip(head.first..) {
            let (hash, content) = match record {
                Record::Known(hash) => (hash, Content::Missing),
                Record::Constant { slots, code } => {
                    (ContentHash::of_constant(slots, code), Content::Constant(code))
                }
                Record::Body(hash, place) => (hash, Content::Body(place)),
            };
            let (index, _) = self.known.index(hash)?;
            let place = &mut self.known.contents[index as usize];
            if let Content::Missing = place {
                *place = content;
            }
            let block = self.bundles.block(head.bundle as usize, ordinal).filter(|_| follows);
            if let Some(of_block) = block.and_then(|block| self.of_blocks.get_mut(block as usize)) {
                *of_block.get_mut() = index;
            }
        }
        bundle.digest = head.digest;
        Ok(())
    }
}

/// The part of a bundle that an earlier run has left, packet after packet.
#[derive(Clone, Copy, Default)]
struct RestoredBundle {
    /// The number of the first blocks of which all have come, or [`RestoredBundle::GAP`].
    blocks: u64,
    /// The digest in the last packet.
    digest: u64,
}

impl RestoredBundle {
    /// Stands for a number of blocks if a packet is missing.
    const GAP: u64 = u64::MAX;

    /// Takes a packet with `blocks` blocks behind the first `first` ones. Returns whether none is missing
    /// before it. A run that has found a packet missing begins the bundle anew.
    fn take(&mut self, first: u64, blocks: u64) -> bool {
        let follows = first == 0 || first == self.blocks;
        self.blocks = if follows { first.saturating_add(blocks) } else { RestoredBundle::GAP };
        follows
    }
}

impl<S> EncodedBlocks<S> {
    /// Writes the table with the source's `header` to `output`. Equal values and encodings make equal bytes.
    ///
    /// # Errors
    /// When `output` refuses, the file of blocks that are not in memory cannot be read, or no table can have
    /// this header.
    pub fn write<W: Write + Seek>(
        &self,
        header: &impl TableHeader,
        output: W,
    ) -> Result<(W, Written), WriteError> {
        let mut writer = Writer::new(output, header)?;
        let mut packets = lock(&self.packets);
        let mut buffer = Vec::new();
        let mut entries: Vec<Option<IndexEntry>> = vec![None; self.contents.len()];
        let mut distinct = 0;
        for &index in &self.of_blocks {
            let entry = &mut entries[index as usize];
            if let Some(entry) = *entry {
                writer.push_entry(entry);
                continue;
            }
            distinct += 1;
            *entry = Some(match self.contents[index as usize] {
                Content::Missing => unreachable!("the thread that finds new contents encodes them"),
                Content::Constant(code) => {
                    let entry = IndexEntry::Constant(code);
                    writer.push_entry(entry);
                    entry
                }
                Content::Body(place) => writer.push_body(place.codec, packets.read(place, &mut buffer)?)?,
            });
        }
        let (output, bytes) = writer.finish()?;
        Ok((output, Written { bytes, blocks: self.of_blocks.len() as u64, distinct }))
    }

    /// Returns the bytes of the table with the source's `header`.
    ///
    /// # Errors
    /// When no table can have this header.
    pub(crate) fn table_bytes(&self, header: &impl TableHeader) -> Result<u64, WriteError> {
        let header = header.to_bytes().map_err(Into::<WriteError>::into)?;
        let mut is_used = vec![false; self.contents.len()];
        self.of_blocks.iter().for_each(|&index| is_used[index as usize] = true);
        let bytes = self.contents.iter().zip(is_used).map(|(content, is_used)| match content {
            Content::Body(place) if is_used => (EXTENT_CHECKSUM_LEN + place.len()) as u64,
            _ => 0,
        });
        Ok(Layout::new(header.len() as u32, self.of_blocks.len() as u64).data + bytes.sum::<u64>())
    }

    /// Returns the blocks with another summary.
    pub(crate) fn map_summary<T>(self, summary: impl FnOnce(S) -> T) -> EncodedBlocks<T> {
        let EncodedBlocks { summary: before, contents, of_blocks, packets } = self;
        EncodedBlocks { summary: summary(before), contents, of_blocks, packets }
    }

    /// Returns the bytes of the file of blocks that are not in memory, if there is one.
    pub(crate) fn file_bytes(&self) -> Option<u64> {
        lock(&self.packets).file_bytes()
    }

    /// Takes all blocks into memory, and removes the file in which they were. Returns whether that leaves its
    /// room to others: false if there is no such file, it cannot be read, or there is no memory. Then all
    /// stays as it is.
    pub(crate) fn take_back(&self) -> bool {
        let mut packets = lock(&self.packets);
        packets.file_bytes().is_some() && packets.take_back().is_ok()
    }

    /// Removes the file of blocks that are not in memory. The blocks can be written no more.
    pub(crate) fn remove_file(self) {
        lock(&self.packets).remove_file();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{checkpoint::BlockFile, solution::BlockSink, table::packets::Beyond};
    use dragnet_formats::header::{GameHeader, GameNumbering, GameSummary};
    use rayon::ThreadPool;
    use std::{
        fs,
        io::Cursor,
        path::{Path, PathBuf},
    };

    /// Slots of a block.
    const SLOTS: u64 = 64;
    const KEY: u128 = 5 << 70;

    /// Blocks some of which are constant and some equal to those of other bundles.
    struct Fake(Vec<Vec<u64>>);

    impl Fake {
        fn new() -> Fake {
            Fake(vec![vec![3, 0, 7, 10, 11], vec![], vec![4, 1, 2, 12], vec![9], vec![5, 6, 8]])
        }

        fn blocks(&self) -> u64 {
            self.0.iter().map(|bundle| bundle.len() as u64).sum()
        }

        fn raw(block: u64) -> RawBlock {
            let code = |slot: u64| match block % 6 {
                0 => 3,
                1 => slot % 2,
                2 => slot * slot % 17,
                _ => (slot * block + slot / 3) % (3 + block),
            };
            RawBlock::new(&(0..SLOTS).map(|slot| code(slot) as u32).collect::<Vec<_>>())
        }
    }

    impl BlockBundles for Fake {
        fn count(&self) -> usize {
            self.0.len()
        }

        fn key(&self) -> u64 {
            0
        }

        fn len(&self, bundle: usize) -> u64 {
            self.0[bundle].len() as u64
        }

        fn block(&self, bundle: usize, before: u64) -> Option<u64> {
            self.0[bundle].get(before as usize).copied()
        }

        fn make(&self, bundle: usize, sink: BlockSink) -> Result<u64, SourceError> {
            self.0[bundle].iter().try_for_each(|&block| sink(block, Fake::raw(block)))?;
            Ok(1 << bundle)
        }
    }

    impl BlockSource<u64> for Fake {
        fn blocks(&self, sink: BlockSink) -> Result<u64, SourceError> {
            (0..self.count()).into_par_iter().map(|bundle| self.make(bundle, sink)).sum()
        }
    }

    /// An observer that stops when it has been asked so often, and remembers what it receives.
    #[derive(Default)]
    struct Watch {
        stop_after: Option<u64>,
        asked: AtomicU64,
        /// The first number of blocks that are reported as encoded, and how often it had been asked then.
        first: Mutex<Option<(u64, u64)>>,
        warnings: Mutex<Vec<String>>,
    }

    impl Observer for Watch {
        fn written(&self, blocks: u64) {
            lock(&self.first).get_or_insert((blocks, self.asked.load(Relaxed)));
        }

        fn warning(&self, warning: &Warning) {
            lock(&self.warnings).push(warning.to_string());
        }

        fn stop(&self) -> bool {
            let asked = self.asked.fetch_add(1, Relaxed);
            self.stop_after.is_some_and(|after| asked >= after)
        }
    }

    const ENCODING: Encoding = Encoding { favour: Favour::Size, level: 1 };

    fn pool(threads: usize) -> ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
    }

    fn written(blocks: &EncodedBlocks<u64>) -> Result<(Vec<u8>, Written), WriteError> {
        let numbering = GameNumbering::new(Fake::new().blocks() * SLOTS, SLOTS as u32).unwrap();
        let summary = GameSummary { drawn: numbering.positions(), ..GameSummary::default() };
        let header = GameHeader { name: "fake".to_owned(), key: 0, numbering, summary, doors: None };
        let (output, written) = blocks.write(&header, Cursor::new(Vec::new()))?;
        assert_eq!(blocks.summary, 0b11111);
        assert_eq!(blocks.table_bytes(&header).unwrap(), written.bytes);
        Ok((output.into_inner(), written))
    }

    fn expected() -> (Vec<u8>, Written) {
        let source = Fake::new();
        written(&pool(1).install(|| encode(&source, source.blocks(), ENCODING, &())).unwrap()).unwrap()
    }

    /// Encodes with a file and no memory, or with as much as need be.
    fn encode_named(
        pool: &ThreadPool,
        path: &Path,
        memory: u64,
        watch: &Watch,
    ) -> Result<EncodedBlocks<u64>, EncodeError> {
        let (source, beyond) = (Fake::new(), Beyond::Named { path: path.to_owned(), key: KEY });
        let room = Room { memory, beyond };
        pool.install(|| encode_bundles(room, &source, None, source.blocks(), ENCODING, watch))
    }

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.blocks");
        (folder, path)
    }

    #[test]
    fn blocks_make_the_same_bytes_wherever_they_wait() {
        let expected = expected();
        assert!(expected.1.distinct < expected.1.blocks);
        for threads in [1, 2, 8] {
            let pool = pool(threads);
            for memory in [0, 500, u64::MAX] {
                let (folder, path) = folder();
                let blocks = encode_named(&pool, &path, memory, &Watch::default()).unwrap();
                assert_eq!(written(&blocks).unwrap(), expected);
                assert_eq!((path.exists(), blocks.file_bytes().is_some()), (memory < 600, memory < 600));
                assert_eq!(blocks.take_back(), memory < 600);
                assert_eq!(written(&blocks).unwrap(), expected);
                assert!(!path.exists() && !blocks.take_back());
                let source = Fake::new();
                let room = Room { memory, beyond: Beyond::Unnamed(folder.path().to_owned()) };
                let encode = || encode_into(room, &source, source.blocks(), ENCODING, &());
                let blocks = pool.install(encode).unwrap();
                assert_eq!(written(&blocks).unwrap(), expected);
                assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
            }
        }
    }

    #[test]
    fn a_run_goes_on_where_another_one_was_stopped() {
        let (pool, source) = (pool(1), Fake::new());
        for stop_after in 0..source.blocks() {
            let (_folder, path) = folder();
            let watch = Watch { stop_after: Some(stop_after), ..Watch::default() };
            let stopped = encode_named(&pool, &path, 0, &watch);
            assert!(matches!(stopped, Err(EncodeError::Source(SourceError::Stopped))));
            // One thread makes bundle after bundle.
            let mut whole = 0;
            for len in source.0.iter().map(|bundle| bundle.len() as u64) {
                if whole + len > stop_after {
                    break;
                }
                whole += len;
            }
            let watch = Watch::default();
            let blocks = encode_named(&pool, &path, 0, &watch).unwrap();
            assert_eq!(written(&blocks).unwrap(), expected());
            // It is asked once for each packet and for each block that is encoded.
            let (restored, asked) = lock(&watch.first).unwrap();
            assert_eq!((restored, watch.asked.load(Relaxed) - asked), (whole, source.blocks() - whole));
            assert!(lock(&watch.warnings).is_empty());
        }
    }

    #[test]
    fn damaged_files_cost_time_and_change_no_byte() {
        let (pool, expected, (_folder, path)) = (pool(2), expected(), folder());
        let whole = encode_named(&pool, &path, 0, &Watch::default()).unwrap();
        drop(whole);
        let bytes = fs::read(&path).unwrap();
        let check = |damaged: &[u8], what: &str| {
            fs::write(&path, damaged).unwrap();
            let blocks = encode_named(&pool, &path, 0, &Watch::default()).unwrap();
            assert_eq!(written(&blocks).unwrap(), expected, "{what}");
            drop(blocks);
            // What was missing has been put there.
            let watch = Watch::default();
            encode_named(&pool, &path, 0, &watch).unwrap();
            assert_eq!(lock(&watch.first).unwrap().0, Fake::new().blocks(), "{what}");
        };
        check(&bytes, "whole");
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            check(&damaged, &format!("byte {at}"));
            check(&bytes[..at], &format!("cut at {at}"));
        }
        check(&[&bytes[..], b"more"].concat(), "longer");
        check(b"a diary", "another file");
        // Behind a packet that is damaged come those of a second run, and what is whole counts.
        let again = [&bytes[..], &bytes[32..]].concat();
        for at in (0..again.len()).step_by(7) {
            let mut damaged = again.clone();
            damaged[at] ^= 4;
            check(&damaged, &format!("byte {at} of two runs"));
        }
    }

    #[test]
    fn blocks_of_another_table_are_not_taken() {
        let (pool, (_folder, path)) = (pool(2), folder());
        let other = Fake(vec![(0..Fake::new().blocks()).rev().collect()]);
        let room = Room { memory: 0, beyond: Beyond::Named { path: path.clone(), key: KEY ^ 1 } };
        pool.install(|| encode_bundles(room, &other, None, other.blocks(), ENCODING, &())).unwrap();
        let watch = Watch::default();
        let blocks = encode_named(&pool, &path, 0, &watch).unwrap();
        assert_eq!(watch.asked.into_inner(), other.blocks());
        assert_eq!(written(&blocks).unwrap(), expected());
    }

    #[test]
    fn a_file_that_is_damaged_while_it_is_used_is_an_error_and_not_another_table() {
        let (pool, expected, (_folder, path)) = (pool(1), expected(), folder());
        let blocks = encode_named(&pool, &path, 0, &Watch::default()).unwrap();
        let bytes = fs::read(&path).unwrap();
        let mut refused = 0;
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            fs::write(&path, damaged).unwrap();
            match written(&blocks) {
                Ok(made) => assert_eq!(made, expected, "byte {at}"),
                Err(error) => {
                    assert!(error.to_string().contains("is damaged"), "{error}");
                    refused += 1;
                }
            }
        }
        assert!(refused > bytes.len() / 4, "{refused} of {}", bytes.len());
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        assert!(written(&blocks).is_err() && !blocks.take_back());
    }

    #[test]
    fn a_file_that_another_run_has_or_that_cannot_be_written_costs_no_table() {
        let (pool, expected, (folder, path)) = (pool(2), expected(), folder());
        // There from the start, or created meanwhile.
        drop(encode_named(&pool, &path, 0, &Watch::default()).unwrap());
        let other = BlockFile::open(path.clone(), KEY, false).unwrap();
        let before = fs::read(&path).unwrap();
        let watch = Watch::default();
        let blocks = encode_named(&pool, &path, 0, &watch).unwrap();
        assert_eq!(written(&blocks).unwrap(), expected);
        assert!(blocks.file_bytes().is_some() && fs::read(&path).unwrap() == before);
        assert!(lock(&watch.warnings).is_empty());
        drop(other);
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        let unnamed = Beyond::Unnamed(folder.path().join("none"));
        for beyond in [Beyond::Named { path: path.clone(), key: KEY }, unnamed] {
            let (watch, source) = (Watch::default(), Fake::new());
            let room = Room { memory: 0, beyond };
            let blocks =
                pool.install(|| encode_bundles(room, &source, None, source.blocks(), ENCODING, &watch));
            let blocks = blocks.unwrap();
            assert_eq!(written(&blocks).unwrap(), expected);
            let warnings = lock(&watch.warnings);
            assert!(warnings.len() == 1 && warnings[0].contains("stay in memory"), "{warnings:?}");
            assert!(blocks.file_bytes().is_none());
        }
    }

    #[test]
    fn a_source_that_does_not_pass_each_block_once_is_refused() {
        for (bundles, blocks, wrong) in [(vec![vec![0, 1, 1]], 3, 1), (vec![vec![0], vec![2]], 3, 1)] {
            let source = Fake(bundles);
            let refused = |result: Result<EncodedBlocks<u64>, EncodeError>| match result {
                Err(EncodeError::Blocks { blocks: 3, found }) => found == wrong,
                _ => false,
            };
            assert!(refused(encode(&source, blocks, ENCODING, &())));
            assert!(refused(encode_bundles(Room::IN_MEMORY, &source, None, blocks, ENCODING, &())));
        }
    }
}
