//! Small tables with free contents, taken apart and put together again with every checksum right.

#![allow(dead_code)]

use dragnet_formats::{
    board::{Board, Scenario, text},
    checksum::{Seed, crc32},
    codec::{Encoded, Encoder, Favour, RawBlock},
    container::{
        BlockNumbering, Reader, TableError, TableHeader, WriteError, Writer,
        index::{IndexEntry, page_to_bytes},
        layout::{Layout, MAGIC, PAGE_ENTRIES, VERSION},
    },
    header::{Counts, Header, Summary},
    numbering::TileSize,
    rules::Rules,
    setting::Setting,
    stop::StopCheck,
    stored::StoredGame,
    value::Value,
};
use std::io::Cursor;

/// The kinds of an index entry, as numbers in the file.
pub(crate) const PACKED: u64 = 1;
pub(crate) const ZSTD: u64 = 2;

/// Returns an index entry, possible or not.
pub(crate) fn entry(kind: u64, len: u64, offset: u64) -> u64 {
    kind << 62 | len << 40 | offset
}

/// The sequence of splitmix64 from a seed: random numbers that are the same everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        dragnet_formats::digest::splitmix64(self.0.wrapping_mul(0x1234_5678_9ABC_DEF1))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// The parts of a table. Each may be anything; [`Forge::bytes`] computes lengths and checksums that fit.
#[derive(Clone)]
pub(crate) struct Forge {
    pub(crate) header: Vec<u8>,
    /// The bodies of the extents, without their checksums.
    pub(crate) bodies: Vec<Vec<u8>>,
    pub(crate) entries: Vec<u64>,
    pub(crate) version: u16,
    pub(crate) reserved: u16,
    /// The header length to state in place of the right one.
    pub(crate) header_len: Option<u32>,
    pub(crate) data_len: Option<u64>,
    /// The byte that fills the file from the header to the index.
    pub(crate) padding: u8,
    /// The last four bytes of each index page.
    pub(crate) page_end: u32,
}

impl Forge {
    pub(crate) fn new(header: Vec<u8>) -> Forge {
        Forge {
            header,
            bodies: Vec::new(),
            entries: Vec::new(),
            version: VERSION,
            reserved: 0,
            header_len: None,
            data_len: None,
            padding: 0,
            page_end: 0,
        }
    }

    /// Creates a table whose slots have these codes.
    pub(crate) fn with_codes<H: TableHeader>(
        header: &H,
        favour: Favour,
        mut codes: impl FnMut(u64, u32) -> u32,
    ) -> Forge {
        let mut forge = Forge::new(header.to_bytes().map_err(Into::<WriteError>::into).unwrap());
        let mut encoder = Encoder::new(favour, 4);
        let numbering = header.numbering();
        for block in 0..numbering.block_count() {
            let codes: Vec<u32> = (0..numbering.slots(block)).map(|slot| codes(block, slot)).collect();
            let (kind, body) = match encoder.encode(&RawBlock::new(&codes)) {
                Encoded::Constant(code) => {
                    forge.entries.push(code.into());
                    continue;
                }
                Encoded::Packed(body) => (PACKED, body),
                Encoded::Zstd(body) => (ZSTD, body),
            };
            forge.push(kind, body);
        }
        forge
    }

    /// Adds an extent, with its entry.
    pub(crate) fn push(&mut self, kind: u64, body: Vec<u8>) {
        self.entries.push(entry(kind, body.len() as u64 + 4, self.data_end()));
        self.bodies.push(body);
    }

    pub(crate) fn data_end(&self) -> u64 {
        self.bodies.iter().map(|body| body.len() as u64 + 4).sum()
    }

    /// Returns the index of the first entry of this kind.
    pub(crate) fn first(&self, kind: u64) -> usize {
        self.entries.iter().position(|entry| entry >> 62 == kind).unwrap()
    }

    /// Returns the index of the first body of this kind.
    pub(crate) fn first_body(&self, kind: u64) -> usize {
        self.entries[..self.first(kind)].iter().filter(|&&entry| entry >> 62 != 0).count()
    }

    /// Replaces body number `body` and moves the others along.
    pub(crate) fn replace(&mut self, body: usize, by: Vec<u8>) {
        let old = self.bodies[body].len() as u64;
        let offset: u64 = self.bodies[..body].iter().map(|body| body.len() as u64 + 4).sum();
        let new = by.len() as u64;
        for entry in &mut self.entries {
            let at = *entry & ((1 << 40) - 1);
            if *entry >> 62 != 0 && at > offset {
                *entry = *entry + new - old;
            } else if *entry >> 62 != 0 && at == offset {
                *entry = (*entry & (3 << 62 | ((1 << 40) - 1))) | (new + 4) << 40;
            }
        }
        self.bodies[body] = by;
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        file.extend(self.version.to_le_bytes());
        file.extend(self.reserved.to_le_bytes());
        let header_len = self.header_len.unwrap_or(self.header.len() as u32);
        file.extend(header_len.to_le_bytes());
        file.extend(self.data_len.unwrap_or(self.data_end()).to_le_bytes());
        // A wrong header length can take in the zeros behind the header.
        let mut header = self.header.clone();
        if u64::from(header_len) <= 1 << 10 {
            header.resize(header_len as usize, 0);
        }
        file.extend(crc32(&[&file, &header]).to_le_bytes());
        file.extend(&header);
        let seed = Seed::of_header(&header);
        let index = Layout::new(header.len() as u32, 0).index as usize;
        file.resize(index, self.padding);
        for (page, entries) in (0..).zip(self.entries.chunks(PAGE_ENTRIES as usize)) {
            let mut page = page_to_bytes(seed, page, entries);
            page[508..].copy_from_slice(&self.page_end.to_le_bytes());
            file.extend(page);
        }
        let mut offset = 0u64;
        for body in &self.bodies {
            file.extend(seed.checksum(&[&offset.to_le_bytes(), body]).to_le_bytes());
            offset += body.len() as u64 + 4;
            file.extend(body);
        }
        file
    }

    /// Takes a good table apart.
    pub(crate) fn of(file: &[u8]) -> Forge {
        Forge::of_kind::<Header>(file)
    }

    /// Takes a good table with a header of this kind apart.
    pub(crate) fn of_kind<H: TableHeader>(file: &[u8]) -> Forge {
        let reader = Reader::<_, H>::open_as(file).unwrap();
        let header_len = u32::from_le_bytes(*file[12..].first_chunk().unwrap()) as usize;
        let mut forge = Forge::new(file[28..28 + header_len].to_vec());
        let data = Layout::new(header_len as u32, reader.numbering().block_count()).data as usize;
        let mut extents = std::collections::BTreeMap::new();
        for block in 0..reader.numbering().block_count() {
            let entry = reader.entry(block).unwrap();
            forge.entries.push(entry.to_bits());
            if let IndexEntry::Extent(extent) = entry {
                extents.insert(extent.offset as usize, extent.len as usize);
            }
        }
        for (offset, len) in extents {
            forge.bodies.push(file[data + offset + 4..data + offset + len].to_vec());
        }
        forge
    }
}

pub(crate) fn board(lines: &str) -> Board {
    text::parse(lines.as_bytes()).unwrap().board
}

/// Returns a header for tables with made-up values.
pub(crate) fn header(board: Board, police: (u8, u8), thief: (u8, u8)) -> Header {
    let cells = board.open_count() as u64;
    let counts = Counts { police: cells * cells, ..Counts::default() };
    let tiles = [police, thief].map(|(rows, cols)| TileSize::new(rows, cols).unwrap());
    let summary = Summary { police_to_move: counts, thief_to_move: counts, ..Summary::default() };
    Header {
        summary,
        ..Header::of_setting(&Setting::new(Scenario::from_board(board), Rules::chase()), tiles).unwrap()
    }
}

/// Returns the header of the table of a game, with the sections that it has.
pub(crate) fn header_of(board: Board, rules: Rules, tiles: [TileSize; 2], summary: Summary) -> Header {
    let setting = Setting::new(Scenario::from_board(board), rules);
    let stored = StoredGame::of_setting(&setting, &mut StopCheck::never()).unwrap();
    Header { summary, ..stored.pack(tiles).unwrap().header }
}

/// Returns a table of 18 blocks of all kinds.
pub(crate) fn sample(favour: Favour) -> Forge {
    let header = header(board("............\n.....E.#....\n............\n"), (2, 4), (3, 4));
    let mut random = Random(7);
    let forge = Forge::with_codes(&header, favour, |block, slot| match block % 4 {
        0 => block as u32,
        1 => random.below(9) as u32 + 100_000 * (block as u32 % 3),
        _ => slot % 5 * 3 + block as u32,
    });
    assert!(forge.entries.iter().any(|entry| entry >> 62 == 0));
    forge.first(PACKED);
    if favour == Favour::Size {
        forge.first(ZSTD);
    }
    forge
}

/// Writes the table whose slots have these codes.
pub(crate) fn write(header: &impl TableHeader, favour: Favour, codes: impl Fn(u64, u32) -> u32) -> Vec<u8> {
    let mut writer = Writer::new(Cursor::new(Vec::new()), header).unwrap();
    let mut encoder = Encoder::new(favour, 4);
    let numbering = header.numbering();
    for block in 0..numbering.block_count() {
        let codes: Vec<u32> = (0..numbering.slots(block)).map(|slot| codes(block, slot)).collect();
        writer.push(&encoder.encode(&RawBlock::new(&codes))).unwrap();
    }
    let (output, length) = writer.finish().unwrap();
    assert_eq!(length, output.get_ref().len() as u64);
    output.into_inner()
}

/// Returns the codes of all blocks.
pub(crate) fn codes<H: TableHeader>(file: &[u8]) -> Result<Vec<Vec<u32>>, TableError> {
    let reader = Reader::<_, H>::open_as(file)?;
    (0..reader.numbering().block_count())
        .map(|block| {
            let slots = reader.numbering().slots(block);
            let mut codes = Vec::new();
            let contents = reader.block(block)?;
            contents.codes(slots, &mut codes).map_err(|source| TableError::Block { block, source })?;
            Ok(codes)
        })
        .collect()
}

/// Returns the code behind `W7`, `L7` or `D`.
pub(crate) fn code_of(word: &str) -> u32 {
    match word.split_at(1) {
        ("D", "") => Value::Draw.code(),
        ("W", dtw) => Value::Win(dtw.parse().unwrap()).code(),
        ("L", dtw) => Value::Loss(dtw.parse().unwrap()).code(),
        _ => panic!("{word:?}"),
    }
}

/// Alters a good table in many ways, also with parts of `donor`. Each altered table must be refused or mean
/// the same, and a block that can be read must be right.
pub(crate) fn mutations_are_found<H: TableHeader>(file: &[u8], donor: &[u8]) {
    let whole = codes::<H>(file).unwrap();
    let mut random = Random(42);
    let mut unchanged = 0;
    for _ in 0..60_000 {
        let mut bad = file.to_vec();
        for _ in 0..=random.below(3) {
            mutate(&mut bad, donor, &mut random);
        }
        match Reader::<_, H>::open_as(&bad[..]).and_then(|reader| reader.check_all(|_| {})) {
            Ok(_) => {
                assert_eq!(codes::<H>(&bad).as_ref(), Ok(&whole));
                unchanged += usize::from(bad == file);
                assert_eq!(bad, file, "every byte is under a checksum");
            }
            Err(_) => {
                // Blocks that can still be read must be right.
                if let Ok(reader) = Reader::<_, H>::open_as(&bad[..]) {
                    for (block, whole) in (0..).zip(&whole) {
                        let slots = reader.numbering().slots(block);
                        let mut found = Vec::new();
                        if reader.block(block).is_ok_and(|b| b.codes(slots, &mut found).is_ok()) {
                            assert_eq!(&found, whole, "block {block}");
                        }
                    }
                }
            }
        }
    }
    assert!(unchanged < 6_000, "{unchanged} mutations changed no byte");
}

/// Changes some bytes: replaces a few, or moves, removes, doubles or levels a part.
fn mutate(bad: &mut Vec<u8>, donor: &[u8], random: &mut Random) {
    let from = random.below(bad.len());
    let length = 1 + random.below(64.min(bad.len() - from));
    let to = random.below(bad.len() - length + 1);
    match random.below(7) {
        0 => bad[from] ^= 1 + random.below(255) as u8,
        1 => bad[from..from + length].iter_mut().for_each(|byte| *byte = random.next() as u8),
        2 => bad.copy_within(from..from + length, to),
        3 => {
            let length = length.min(donor.len());
            let at = if random.below(2) == 0 {
                random.below(donor.len() - length + 1)
            } else {
                to.min(donor.len() - length)
            };
            bad[to..to + length].copy_from_slice(&donor[at..at + length]);
        }
        4 => drop(bad.drain(from..from + length)),
        5 => {
            let copy = bad[from..from + length].to_vec();
            drop(bad.splice(to..to, copy));
        }
        _ => bad[from..from + length].fill([0, 0xFF][random.below(2)]),
    }
    if bad.is_empty() {
        bad.push(0);
    }
}
