//! Encoded blocks that wait for their table: packets of records, in memory up to a limit and else in a file
//! (`PROTOCOL.md` §7, §9).

use crate::{
    checkpoint::{BlockFile, FrameHead, PacketHead, Preamble},
    memory::reserve_exact,
    save::folder_of,
};
use dragnet_formats::{
    checksum::crc32,
    codec::{Codec, RawBlock},
};
use std::{
    io::{self, ErrorKind},
    path::PathBuf,
};
use xxhash_rust::xxh3::Xxh3;
use zerocopy::IntoBytes;

/// Bytes of encoded blocks that stay in memory if nobody sets a limit. Tables up to about this size need no
/// file beside them.
pub(crate) const BLOCK_MEMORY: u64 = 8 << 20;

/// The most bytes after which a packet is full. Longer ones do not fit into the gaps that the sets of a solve
/// leave in memory: with 2^18 bytes `generate` took 3 MiB more on a board of 100×100.
const PACKET: u64 = 1 << 15;
/// The least bytes after which a packet is full, under a low limit.
const SMALLEST_PACKET: u64 = 1 << 12;
/// The limit divided by this is the size of a full packet, within [`SMALLEST_PACKET`] and [`PACKET`].
const PACKETS: u64 = 32;

/// A hash of the contents of a block. It has 128 bits, so that among 2^40 blocks two with different contents
/// have equal hashes with probability 2^-49.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ContentHash([u32; 4]);

impl ContentHash {
    pub(super) fn of(raw: &RawBlock) -> ContentHash {
        if let &[code] = raw.palette() {
            return ContentHash::of_constant(raw.low().len() as u32, code);
        }
        let mut hash = Xxh3::new();
        hash.update(raw.palette().len().as_bytes());
        hash.update(raw.palette().as_bytes());
        hash.update(raw.low());
        hash.update(raw.high());
        ContentHash::from_bytes(hash.digest128().to_le_bytes())
    }

    /// Returns the hash of a block of so many slots with this code.
    pub(super) fn of_constant(slots: u32, code: u32) -> ContentHash {
        ContentHash([code, slots, 0, 0])
    }

    fn from_bytes(bytes: [u8; 16]) -> ContentHash {
        let (words, _) = bytes.as_chunks::<4>();
        ContentHash(std::array::from_fn(|word| u32::from_le_bytes(words[word])))
    }

    fn to_bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(self.0.map(u32::to_le_bytes).as_flattened());
        bytes
    }
}

/// The place of an encoded body: a packet, and where its checksum and it stand there.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyPlace {
    pub(super) codec: Codec,
    packet: u32,
    at: u32,
    len: u32,
}

impl BodyPlace {
    /// Returns the number of bytes of the body.
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }
}

/// The record of one block in a packet: its first byte is the number of the variant, the codec included.
pub(super) enum Record {
    /// The block has contents that have a record of their own, here or in another packet: a hash (16 bytes).
    Known(ContentHash),
    /// Every slot has one code: the number of slots and the code (4 bytes each).
    Constant { slots: u32, code: u32 },
    /// New contents: their hash (16 bytes), the bytes of the body and its checksum (4 each), and the body.
    Body(ContentHash, BodyPlace),
}

/// Bytes of the checksum before a body.
const CRC: usize = 4;

const KNOWN: u8 = 0;
const CONSTANT: u8 = 1;
const PACKED: u8 = 2;
const ZSTD: u8 = 3;

/// Takes `N` bytes off the beginning of `bytes`.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*taken)
}

/// Returns the records of packet number `packet`, or `None` if there are not `blocks` of them and nothing
/// else.
pub(super) fn records(packet: u32, blocks: u32, bytes: &[u8]) -> Option<Vec<Record>> {
    let mut rest = bytes;
    let mut records = Vec::new();
    for _ in 0..blocks {
        let [kind] = take(&mut rest)?;
        records.push(match kind {
            KNOWN => Record::Known(ContentHash::from_bytes(take(&mut rest)?)),
            CONSTANT => {
                let [slots, code] = [take(&mut rest)?, take(&mut rest)?].map(u32::from_le_bytes);
                Record::Constant { slots, code }
            }
            PACKED | ZSTD => {
                let codec = if kind == PACKED { Codec::Packed } else { Codec::Zstd };
                let hash = ContentHash::from_bytes(take(&mut rest)?);
                let len = u32::from_le_bytes(take(&mut rest)?);
                let at = (bytes.len() - rest.len()) as u32;
                rest = rest.get(CRC..)?.get(len as usize..)?;
                Record::Body(hash, BodyPlace { codec, packet, at, len })
            }
            _ => return None,
        });
    }
    rest.is_empty().then_some(records)
}

/// A packet to which blocks are appended, by one thread at a time.
#[derive(Debug)]
pub(super) struct OpenPacket {
    number: u32,
    seed: u32,
    /// Bytes after which it is full.
    most: usize,
    head: PacketHead,
    /// The records.
    bytes: Vec<u8>,
}

impl OpenPacket {
    fn put(&mut self, kind: u8, parts: &[&[u8]]) {
        self.bytes.push(kind);
        parts.iter().for_each(|part| self.bytes.extend_from_slice(part));
        self.head.blocks += 1;
    }

    /// Appends a block whose contents have a record elsewhere.
    pub(super) fn put_known(&mut self, hash: ContentHash) {
        self.put(KNOWN, &[&hash.to_bytes()]);
    }

    /// Appends a block of one code.
    pub(super) fn put_constant(&mut self, slots: u32, code: u32) {
        self.put(CONSTANT, &[&slots.to_le_bytes(), &code.to_le_bytes()]);
    }

    /// Appends a block with new contents.
    pub(super) fn put_body(&mut self, hash: ContentHash, codec: Codec, body: &[u8]) -> BodyPlace {
        let kind = match codec {
            Codec::Packed => PACKED,
            Codec::Zstd => ZSTD,
        };
        let (len, crc) = (body.len() as u32, crc32(&[&self.seed.to_le_bytes(), body]));
        self.put(kind, &[&hash.to_bytes(), &len.to_le_bytes(), &crc.to_le_bytes(), body]);
        BodyPlace { codec, packet: self.number, at: (self.bytes.len() - body.len() - CRC) as u32, len }
    }

    /// Returns whether the packet should be closed.
    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() >= self.most
    }

    /// Returns the number of blocks of the bundle up to the end of the packet.
    pub(super) fn end(&self) -> u64 {
        self.head.first.get() + u64::from(self.head.blocks.get())
    }
}

/// Where encoded blocks wait that are not to stay in memory.
#[derive(Clone, Debug)]
pub(crate) enum Beyond {
    /// They stay in memory all the same.
    Memory,
    /// A file without a name in a folder.
    Unnamed(PathBuf),
    /// A file in which a later run finds them again, under a key.
    Named {
        /// The file.
        path: PathBuf,
        /// A hash of all on which the encoded blocks and their bundles depend.
        key: u128,
    },
}

/// Room for encoded blocks: so many bytes of memory, and a file.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    /// Bytes of full packets that stay in memory.
    pub(crate) memory: u64,
    /// The most encoders, of which there is one for each thread unless they have no memory.
    pub(crate) encoders: usize,
    /// Where all packets go once there are more bytes than that.
    pub(crate) beyond: Beyond,
}

impl Room {
    /// The room for a table without a file: all of its blocks stay in memory.
    pub(crate) const IN_MEMORY: Room =
        Room { memory: u64::MAX, encoders: usize::MAX, beyond: Beyond::Memory };
}

/// The records of a packet.
#[derive(Debug)]
enum Packet {
    /// Blocks are being appended.
    Open,
    InMemory(FrameHead<PacketHead>, Box<[u8]>),
    /// Where they begin in the file.
    InFile(FrameHead<PacketHead>, u64),
}

/// The file, or the folder of a file without a name, that has refused packets, and why.
type Refusal = (PathBuf, io::Error);

/// All packets of a table.
#[derive(Debug)]
pub(super) struct PacketStore {
    room: Room,
    /// The seed of all checksums.
    seed: u32,
    packets: Vec<Packet>,
    /// The packets that are in memory and could be in the file.
    in_memory: Vec<u32>,
    /// The bytes of the packets of `in_memory`.
    held: u64,
    file: Option<BlockFile>,
    /// Whether the file has refused a packet: then the next ones stay in memory.
    has_refused: bool,
}

/// Returns the preamble of the file of the table and bundles with this key.
fn preamble(key: u128) -> Preamble {
    Preamble::new::<PacketHead>(0, key)
}

impl PacketStore {
    pub(super) fn new(room: Room) -> PacketStore {
        let key = match room.beyond {
            Beyond::Named { key, .. } => key,
            Beyond::Memory | Beyond::Unnamed(_) => 0,
        };
        PacketStore::with_seed(room, preamble(key).seed())
    }

    /// Creates a store for another process, whose checksums have this seed.
    pub(super) fn with_seed(room: Room, seed: u32) -> PacketStore {
        let (packets, in_memory) = (Vec::new(), Vec::new());
        PacketStore { room, seed, packets, in_memory, held: 0, file: None, has_refused: false }
    }

    /// Returns the most encoders that the packets' room has memory for.
    pub(super) fn encoders(&self) -> usize {
        self.room.encoders
    }

    /// Returns the seed of all checksums.
    pub(super) fn seed(&self) -> u32 {
        self.seed
    }

    /// Calls `each` with the packets that an earlier run has left: the head, the number, and the records.
    ///
    /// # Errors
    /// When `each` fails.
    pub(super) fn restore<E>(
        &mut self,
        mut each: impl FnMut(&PacketHead, u32, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Beyond::Named { path, key } = &self.room.beyond else { return Ok(()) };
        let mut file = match BlockFile::open(path, preamble(*key), false) {
            Ok(file) => file,
            Err(error) => {
                // Another run works on the file.
                if error.kind() == ErrorKind::WouldBlock {
                    self.room.beyond = Beyond::Unnamed(folder_of(path).to_owned());
                }
                return Ok(());
            }
        };
        let packets = &mut self.packets;
        let scanned = file.scan(u64::MAX, |head, at, records| {
            let number = packets.len() as u32;
            packets.push(Packet::InFile(*head, at));
            each(&head.about, number, records)
        });
        self.file = Some(file);
        scanned
    }

    /// Begins the packet of the blocks of a bundle behind the first `first` ones.
    pub(super) fn open(&mut self, bundle: u32, first: u64) -> OpenPacket {
        let number = self.packets.len() as u32;
        self.packets.push(Packet::Open);
        let head = PacketHead { bundle: bundle.into(), first: first.into(), ..PacketHead::default() };
        let most = (self.room.memory / PACKETS).clamp(SMALLEST_PACKET, PACKET) as usize;
        OpenPacket { number, seed: self.seed, most, head, bytes: Vec::new() }
    }

    /// Closes a packet. `digest` is what its bundle is in the digest of the table, if it is the last one.
    ///
    /// # Errors
    /// When packets should have gone to the file and it has refused, the first time: where the file is, and
    /// why. They stay in memory.
    pub(super) fn close(&mut self, packet: OpenPacket, digest: u64) -> Result<(), Refusal> {
        let OpenPacket { number, seed, mut head, bytes, .. } = packet;
        if bytes.is_empty() {
            return Ok(());
        }
        head.digest = digest.into();
        self.keep(number, FrameHead::new(seed, head, &bytes), bytes)
    }

    /// Takes a packet that another store with the same seed has closed. Returns its number, and what
    /// [`PacketStore::close`] would return.
    pub(super) fn adopt(
        &mut self,
        head: FrameHead<PacketHead>,
        records: &[u8],
    ) -> (u32, Result<(), Refusal>) {
        let number = self.packets.len() as u32;
        self.packets.push(Packet::Open);
        (number, self.keep(number, head, records.to_vec()))
    }

    /// Returns the packets in memory, each as a frame.
    pub(super) fn into_packets(self) -> impl Iterator<Item = Vec<u8>> + use<> {
        self.packets.into_iter().filter_map(|packet| match packet {
            Packet::InMemory(head, records) => Some([head.as_bytes(), &records].concat()),
            Packet::Open | Packet::InFile(..) => None,
        })
    }

    /// Keeps a packet in memory, or moves it to the file together with all others.
    fn keep(&mut self, number: u32, head: FrameHead<PacketHead>, records: Vec<u8>) -> Result<(), Refusal> {
        self.held += records.len() as u64;
        self.packets[number as usize] = Packet::InMemory(head, records.into());
        self.in_memory.push(number);
        if self.file.is_none() && self.held <= self.room.memory || self.has_refused {
            return Ok(());
        }
        let path = match &self.room.beyond {
            Beyond::Memory => return Ok(()),
            Beyond::Unnamed(path) | Beyond::Named { path, .. } => path.clone(),
        };
        self.empty_memory().map_err(|error| {
            self.has_refused = true;
            (path, error)
        })
    }

    /// Moves all packets from memory to the file.
    fn empty_memory(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(match &self.room.beyond {
                Beyond::Memory => unreachable!("packets that stay in memory need no file"),
                Beyond::Unnamed(folder) => BlockFile::unnamed(folder, preamble(0))?,
                Beyond::Named { path, key } => match BlockFile::open(path, preamble(*key), true) {
                    // Another run has created the file meanwhile.
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {
                        BlockFile::unnamed(folder_of(path), preamble(*key))?
                    }
                    file => file?,
                },
            }),
        };
        // In the order in which they were closed: those of one bundle follow one another.
        let (mut moved, mut done) = (0, Ok(()));
        for &number in &self.in_memory {
            let packet = &mut self.packets[number as usize];
            if let Packet::InMemory(head, records) = packet {
                let len = records.len() as u64;
                match file.append(head, records) {
                    Ok(at) => *packet = Packet::InFile(*head, at),
                    Err(error) => {
                        done = Err(error);
                        break;
                    }
                }
                self.held -= len;
            }
            moved += 1;
        }
        self.in_memory.drain(..moved);
        done
    }

    /// Returns the bytes of the file, if there is one.
    pub(super) fn file_bytes(&self) -> Option<u64> {
        self.file.as_ref().map(|file| file.end().bytes)
    }

    /// Takes all packets into memory, and removes the file.
    ///
    /// # Errors
    /// When the file refuses, or there is no memory: then all stays as it is.
    pub(super) fn take_back(&mut self) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut taken = Vec::new();
        for (number, packet) in self.packets.iter().enumerate() {
            if let &Packet::InFile(head, at) = packet {
                let mut records = reserve_exact(head.len()).map_err(io::Error::other)?;
                records.resize(head.len(), 0);
                file.read(at, &mut records)?;
                taken.push((number, head, records));
            }
        }
        for (number, head, records) in taken {
            self.packets[number] = Packet::InMemory(head, records.into());
        }
        self.remove_file();
        self.has_refused = true;
        Ok(())
    }

    /// Removes the file. Nobody must need its packets any more.
    pub(super) fn remove_file(&mut self) {
        if let Some(file) = self.file.take() {
            file.remove();
        }
    }

    /// Reads a body.
    ///
    /// # Errors
    /// When the file refuses, or the body has been altered since it was written.
    pub(super) fn read(&self, place: BodyPlace) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; CRC + place.len()];
        match &self.packets[place.packet as usize] {
            Packet::Open => return Err(ErrorKind::NotFound.into()),
            Packet::InMemory(_, records) => {
                let packet = records.get(place.at as usize..).and_then(|packet| packet.get(..bytes.len()));
                bytes.copy_from_slice(packet.ok_or(ErrorKind::UnexpectedEof)?);
            }
            &Packet::InFile(_, begin) => {
                let file = self.file.as_ref().ok_or(ErrorKind::NotFound)?;
                file.read(begin + u64::from(place.at), &mut bytes)?;
            }
        }
        let body = bytes.split_off(CRC);
        if crc32(&[&self.seed.to_le_bytes(), &body]).to_le_bytes() == *bytes {
            return Ok(body);
        }
        let name = self.file.as_ref().and_then(BlockFile::path);
        let file = name.map_or("the file".to_owned(), |path| format!("the file {}", path.display()));
        let what = format!("{file} of encoded blocks is damaged: make the table again");
        Err(io::Error::new(ErrorKind::InvalidData, what))
    }
}
