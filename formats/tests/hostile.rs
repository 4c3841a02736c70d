//! Hostile tables: every checksum is right and something else is wrong. Each gets the error that names its
//! fault, and none makes the reader allocate memory that the file does not account for.

#![allow(clippy::unwrap_used)]

#[path = "all/support.rs"]
mod support;

use dragnet_formats::{
    board::{Board, Square},
    checksum::Seed,
    codec::{BlockError, Favour},
    container::{Reader, TableError, TableKind},
    header::{Header, HeaderError},
};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};
use support::{Forge, PACKED, ZSTD, entry, sample};

/// The system's allocator, with a count of the bytes that each thread holds.
struct Counting;

thread_local! {
    static HELD: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

fn count(by: i64) {
    // At the end of a thread there is nothing left to count for.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + by);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

// SAFETY: every call goes on to the system's allocator unchanged. Counting touches two thread-local integers
// without a destructor, and so never allocates. The default `realloc` consists of these two calls.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: `at` came from `alloc` above, and so from the system's allocator.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the result of `work`, and the most bytes that were held meanwhile over those held before.
fn peak<T>(work: impl FnOnce() -> T) -> (T, i64) {
    let before = HELD.get();
    PEAK.set(before);
    let result = work();
    (result, PEAK.get() - before)
}

/// Opens a table, looks up every slot of every block, and checks the whole table.
fn read(file: &[u8]) -> Result<(), TableError> {
    let reader = Reader::open(file)?;
    for block in 0..reader.numbering().block_count() {
        let slots = reader.numbering().slots(block);
        if let Ok(contents) = reader.block(block) {
            (0..=slots).for_each(|slot| {
                let _ = contents.code(slot);
            });
        }
    }
    // Blocks that have been looked up are marked as good; a fresh reader must come to the same result.
    let again = Reader::open(file)?.check_all(|_| {});
    assert_eq!(reader.check_all(|_| {}), again);
    again.map(|_| ())
}

/// Returns the error of the table.
#[track_caller]
fn error_of(file: &[u8]) -> TableError {
    let (result, peak) = peak(|| read(file));
    let most = (4 << 20) + 8 * file.len() as i64;
    assert!(peak <= most, "{peak} bytes held for a file of {} bytes", file.len());
    result.expect_err("a hostile table was taken")
}

macro_rules! refused {
    ($file:expr, $pattern:pat $(if $guard:expr)?) => {
        let error = error_of(&$file);
        assert!(matches!(error, $pattern $(if $guard)?), "{error:?}");
    };
}

#[test]
fn unaltered_samples_are_read() {
    for favour in [Favour::Speed, Favour::Size] {
        let forge = sample(favour);
        let file = forge.bytes();
        assert_eq!(read(&file), Ok(()));
        assert_eq!(Forge::of(&file).bytes(), file);
        assert_eq!(forge.header.len(), 219, "the offsets below are those of this header");
    }
}

#[test]
fn hostile_preambles_are_refused() {
    let good = sample(Favour::Size);
    let with = |change: fn(&mut Forge)| {
        let mut forge = good.clone();
        change(&mut forge);
        forge.bytes()
    };
    refused!(with(|f| f.version = 3), TableError::Version { found: 3 });
    refused!(with(|f| f.version = 0), TableError::Version { found: 0 });
    refused!(with(|f| f.reserved = 9), TableError::Reserved { offset: 10, found: 9 });
    refused!(with(|f| f.header_len = Some(u32::MAX)), TableError::HeaderLength { found: u32::MAX });
    refused!(with(|f| f.header_len = Some((1 << 20) + 1)), TableError::HeaderLength { .. });
    refused!(with(|f| f.header_len = Some(1 << 20)), TableError::Truncated { .. });
    for len in [0, 1, 218, 220, 484] {
        let mut forge = good.clone();
        forge.header_len = Some(len);
        refused!(forge.bytes(), TableError::Header(HeaderError::Fields { .. }));
    }
    refused!(with(|f| f.data_len = Some(1 << 63)), TableError::Truncated { .. });
    refused!(with(|f| f.data_len = Some(u64::MAX)), TableError::Truncated { expected: u64::MAX, .. });
    refused!(with(|f| f.data_len = Some(f.data_end() + 1)), TableError::Truncated { .. });
    refused!(with(|f| f.data_len = Some(f.data_end() - 1)), TableError::Trailing { .. });
    refused!(with(|f| f.data_len = Some(0)), TableError::Trailing { .. });
    refused!(with(|f| f.padding = 1), TableError::Reserved { offset: 247, found: 1 });
    refused!(with(|f| f.page_end = 1), TableError::Reserved { offset: 1020, found: 1 });
    refused!(with(|f| f.page_end = 1 << 31), TableError::Reserved { offset: 1020, .. });
}

/// Returns the sample with the header's bytes from `at` on replaced.
fn altered(at: usize, by: &[u8]) -> Vec<u8> {
    let mut forge = sample(Favour::Speed);
    forge.header[at..at + by.len()].copy_from_slice(by);
    forge.bytes()
}

#[test]
fn hostile_headers_are_refused() {
    use HeaderError as H;
    use TableError::Header;
    // Table, keeps, worlds.
    refused!(altered(0, &[1]), TableError::Kind { found: TableKind::Game, .. });
    refused!(altered(0, &[2]), TableError::Table { found: 2 });
    refused!(altered(4, &[3]), TableError::Kind { found: TableKind::Partial, .. });
    for worlds in [0u32, 4097, u32::MAX] {
        refused!(altered(8, &worlds.to_le_bytes()), Header(H::Field { .. }));
    }
    refused!(altered(8, &[2]), Header(H::Counts { .. }));
    // Rows and columns, and both so that the places do not fit.
    refused!(altered(12, &[0, 0]), Header(H::Field { .. }));
    refused!(altered(14, &[0, 0]), Header(H::Field { .. }));
    refused!(altered(12, &[255; 4]), Header(H::Field { .. }));
    refused!(altered(12, &[0, 4, 0, 4]), Header(H::Field { .. }));
    // Kinds, and the lengths of a name, of the layers, of a layer's name and of the places.
    for at in [16, 24, 40, 48, 56, 83, 97, 105, 113] {
        for len in [1u64 << 60, u64::MAX, 1 << 32, 1 << 20, 10_000] {
            refused!(altered(at, &len.to_le_bytes()), Header(H::Fields { .. }));
        }
    }
    refused!(altered(16, &[0]), Header(_));
    refused!(altered(32, &[0x1B]), Header(H::Field { .. }));
    for officers in [0, 7, 255] {
        refused!(altered(39, &[officers]), Header(H::Pieces(_)));
    }
    refused!(altered(39, &[2]), Header(H::Counts { .. }));
    refused!(altered(39, &[6]), Header(H::Slots(_)));
    refused!(altered(64, &[0; 5]), Header(H::NoOpenCell));
    // A place behind the last square, no tile, a section that is too long.
    refused!(altered(68, &[0x1F]), Header(H::Field { .. }));
    refused!(altered(69, &[0]), Header(H::TileSize(_)));
    refused!(altered(71, &[255; 4]), Header(H::Field { .. }));
    refused!(altered(96, &[2]), Header(H::Field { .. }));
    refused!(altered(127, &[1]), Header(H::Field { .. }));
    for number in [3u32, 256, u32::MAX] {
        for at in [135, 139, 143] {
            refused!(altered(at, &number.to_le_bytes()), Header(H::Fields { .. }));
        }
    }
    for tile in [[0, 1], [1, 0], [16, 17], [255, 255]] {
        refused!(altered(69, &tile), Header(H::TileSize(_)));
        refused!(altered(121, &tile), Header(H::TileSize(_)));
    }
    // 35 places, 1225 positions with either to move, all won by the police.
    for counts in [[1224u64, 0, 0], [1225, 1, 0], [0, 0, 0], [u64::MAX, u64::MAX, 1227], [u64::MAX, 1226, 0]]
    {
        let bytes: Vec<u8> = counts.iter().flat_map(|count| count.to_le_bytes()).collect();
        refused!(altered(147, &bytes), Header(H::Counts { expected: 1225, .. }));
        refused!(altered(171, &bytes), Header(H::Counts { expected: 1225, .. }));
    }
    let with_tiles = |tile: [u8; 2]| {
        let mut forge = sample(Favour::Speed);
        forge.header[69..71].copy_from_slice(&tile);
        forge.header[121..123].copy_from_slice(&tile);
        forge.bytes()
    };
    // Other tiles, other blocks: the index and the file no longer fit.
    refused!(with_tiles([1, 1]), TableError::Truncated { .. });
    // As many pages, but blocks of other sizes.
    refused!(with_tiles([3, 4]), TableError::Block { source: BlockError::Length { .. }, .. });
}

/// Returns the sample with one index entry replaced.
fn with_entry(place: usize, by: u64) -> Vec<u8> {
    let mut forge = sample(Favour::Size);
    forge.entries[place] = by;
    forge.bytes()
}

#[test]
fn hostile_index_entries_are_refused() {
    let good = sample(Favour::Size);
    let (packed, zstd, end) = (good.first(PACKED), good.first(ZSTD), good.data_end());
    let refused_entry = |place: usize, by: u64| {
        refused!(with_entry(place, by), TableError::Entry { block, entry } if (block, entry) == (place as u64, by));
    };
    refused_entry(0, 1 << 32);
    refused_entry(0, 1 << 61);
    refused_entry(0, 3 << 62);
    refused_entry(0, u64::MAX);
    refused_entry(0, entry(PACKED, 0, 0));
    refused_entry(0, entry(ZSTD, 4, 0));
    refused_entry(0, entry(PACKED, 5, end - 4));
    refused_entry(0, entry(PACKED, 5, end));
    refused_entry(0, entry(ZSTD, (1 << 22) - 1, (1 << 40) - 1));
    refused_entry(packed, good.entries[packed] + end);
    // Codes that stand for no value.
    for code in [(1 << 31) + 1, u32::MAX] {
        refused!(
            with_entry(0, code.into()),
            TableError::Block { block: 0, source: BlockError::Code { code: found } } if found == code
        );
    }
    assert_eq!(read(&with_entry(0, 1 << 31)), Ok(()));
    // The other codec.
    refused!(
        with_entry(packed, good.entries[packed] ^ 3 << 62),
        TableError::Block { source: BlockError::Zstd { .. }, .. }
    );
    refused!(
        with_entry(zstd, good.entries[zstd] ^ 3 << 62),
        TableError::Block { source: BlockError::Field { .. }, .. }
    );
    // An extent that begins inside another, or ends before its end, has another checksum.
    for (offset, len) in [(1, -1i64), (0, -1), (1, 0)] {
        let by = (good.entries[packed] + offset).wrapping_add_signed(len << 40);
        refused!(with_entry(packed, by), TableError::Block { source: BlockError::Checksum { .. }, .. });
    }
    // An entry behind the last block's.
    let mut forge = good.clone();
    forge.entries.push(7);
    refused!(forge.bytes(), TableError::Entry { block: 18, entry: 7 });
    forge.entries[18] = 0;
    assert_eq!(read(&forge.bytes()), Ok(()));
    forge.entries[18] = good.entries[packed];
    refused!(forge.bytes(), TableError::Entry { block: 18, entry } if entry == good.entries[packed]);
    forge.entries[18] = 3 << 62;
    refused!(forge.bytes(), TableError::Entry { block: 18, .. });
}

#[test]
fn extents_with_gaps_or_overlaps_are_refused() {
    let good = sample(Favour::Speed);
    let bodies: Vec<usize> = (0..good.entries.len()).filter(|&i| good.entries[i] >> 62 != 0).collect();
    // Bytes of no block: at the beginning, in the middle, at the end.
    for unused in [bodies[0], bodies[3], bodies[bodies.len() - 1]] {
        let mut forge = good.clone();
        forge.entries[unused] = 0;
        refused!(forge.bytes(), TableError::Extents { .. });
    }
    let mut forge = good.clone();
    forge.bodies.push(vec![]);
    refused!(forge.bytes(), TableError::Extents { found, .. } if found == forge.data_end());
    let mut forge = good.clone();
    forge.bodies.push(vec![1, 2, 3]);
    refused!(forge.bytes(), TableError::Extents { .. });
    // An extent inside another, each good by itself: indices of one byte into a palette of 256 codes may be
    // any bytes.
    let header = support::header(support::board("......\n"), (1, 4), (1, 4));
    let mut forge = Forge::new(header.to_bytes().unwrap());
    let inner = [1, 2, 1, 0, 5, 0, 9, 0, 0b0110_1001, 0, 0, 0];
    let mut outer = vec![8, 2, 255, 0];
    outer.extend((0..256u16).flat_map(u16::to_le_bytes));
    let at = 4 + 4 + 512u64;
    outer.extend(Seed::of_header(&forge.header).checksum(&[&at.to_le_bytes(), &inner]).to_le_bytes());
    outer.extend(inner);
    outer.extend([0; 3]);
    forge.push(PACKED, outer);
    forge.entries.extend([entry(PACKED, 16, at), 0, 0]);
    refused!(forge.bytes(), TableError::Extents { expected: 539, found } if found == at);
}

/// Returns a zstd frame made by hand: one segment, a content size of one byte (or of eight), a raw block of
/// these bytes.
fn zstd_frame(plain: &[u8], small: bool) -> Vec<u8> {
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD];
    if small {
        frame.extend([0x20, plain.len() as u8]);
    } else {
        frame.push(0xE0);
        frame.extend((plain.len() as u64).to_le_bytes());
    }
    frame.extend(&((plain.len() as u32) << 3 | 1).to_le_bytes()[..3]);
    frame.extend(plain);
    frame
}

/// Returns a table of one block of 16 slots with this body.
fn one_block(kind: u64, body: Vec<u8>) -> Vec<u8> {
    let header = support::header(support::board("....\n"), (1, 4), (1, 4));
    let mut forge = Forge::new(header.to_bytes().unwrap());
    forge.push(kind, body);
    forge.bytes()
}

macro_rules! block_refused {
    ($kind:expr, $body:expr, $pattern:pat) => {
        refused!(one_block($kind, $body), TableError::Block { block: 0, source: $pattern });
    };
}

#[test]
fn hostile_packed_bodies_are_refused() {
    use BlockError as B;
    // Two bits, two-byte entries, three of them; 16 slots take 4 bytes.
    let good = vec![2u8, 2, 2, 0, 1, 0, 5, 0, 9, 0, 0b10_01_00_10, 0x55, 0, 0, 0, 0, 0];
    assert_eq!(read(&one_block(PACKED, good.clone())), Ok(()));
    let with = |at: usize, by: &[u8]| {
        let mut body = good.clone();
        body[at..at + by.len()].copy_from_slice(by);
        body
    };
    for len in 1..4 {
        block_refused!(PACKED, good[..len].to_vec(), B::Length { expected: 4, .. });
    }
    for len in 4..good.len() {
        block_refused!(PACKED, good[..len].to_vec(), B::Length { expected: 17, .. });
    }
    block_refused!(PACKED, [&good[..], &[0]].concat(), B::Length { expected: 17, found: 18 });
    for bits in [0, 17, 32, 255] {
        block_refused!(PACKED, with(0, &[bits]), B::Field { .. });
    }
    for bits in [1, 3, 16] {
        block_refused!(PACKED, with(0, &[bits]), B::Length { .. });
    }
    for bytes in [0, 1, 3, 5, 255] {
        block_refused!(PACKED, with(1, &[bytes]), B::Field { .. });
    }
    block_refused!(PACKED, with(1, &[4]), B::Length { .. });
    block_refused!(PACKED, with(2, &[255, 255]), B::Length { .. });
    block_refused!(PACKED, with(2, &[1]), B::Length { .. });
    block_refused!(PACKED, with(6, &[1]), B::Palette { entry: 1 });
    block_refused!(PACKED, with(8, &[4]), B::Palette { entry: 2 });
    block_refused!(PACKED, with(10, &[0b11]), B::Index { slot: 0, index: 3, entries: 3 });
    block_refused!(PACKED, with(13, &[0b1100_0000]), B::Index { slot: 15, index: 3, entries: 3 });
    for at in 14..17 {
        block_refused!(PACKED, with(at, &[1]), B::Field { .. });
    }
    let alone = vec![2, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    block_refused!(PACKED, alone, B::Field { found: 1, .. });
    let far = [&[1, 4, 1, 0, 1, 0, 0, 0][..], &((1u32 << 31) + 1).to_le_bytes(), &[2, 0, 0, 0, 0]].concat();
    block_refused!(PACKED, far, B::Code { .. });
    // Three bits for 9 slots end inside a byte.
    let header = support::header(support::board("...\n"), (1, 3), (1, 3));
    let mut forge = Forge::new(header.to_bytes().unwrap());
    forge.push(PACKED, vec![3, 2, 1, 0, 1, 0, 5, 0, 1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(read(&forge.bytes()), Ok(()));
    forge.bodies[0][11] = 0b1000;
    refused!(forge.bytes(), TableError::Block { block: 0, source: BlockError::Field { found: 1, .. } });
}

#[test]
fn hostile_zstd_bodies_are_refused() {
    use BlockError as B;
    let plain: Vec<u8> = [&[3, 1, 4, 4][..], &[0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2]].concat();
    let with = |at: usize, by: &[u8]| {
        let mut plain = plain.clone();
        plain.splice(at..at + 1, by.iter().copied());
        zstd_frame(&plain, true)
    };
    for small in [true, false] {
        assert_eq!(read(&one_block(ZSTD, zstd_frame(&plain, small))), Ok(()));
    }
    let good = zstd_frame(&plain, true);
    assert_eq!(read(&one_block(ZSTD, zstd::bulk::compress(&plain, 3).unwrap())), Ok(()));
    // No frame, half a frame, more than a frame.
    for len in 1..good.len() {
        block_refused!(ZSTD, good[..len].to_vec(), B::Zstd { .. } | B::Length { .. });
    }
    let skippable = [0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 9];
    let empty = zstd_frame(&[], true);
    for more in [&[0][..], &skippable, &empty, &good] {
        block_refused!(ZSTD, [&good, more].concat(), B::Length { .. });
    }
    block_refused!(ZSTD, [&skippable, &good[..]].concat(), B::Zstd { .. });
    block_refused!(ZSTD, skippable.to_vec(), B::Zstd { .. });
    block_refused!(ZSTD, empty, B::Field { .. });
    // Content sizes that are wrong, or missing.
    let mut huge = zstd_frame(&plain, false);
    for size in [u64::MAX - 2, 1 << 62, 1 << 32, 5 + 16 * 7 + 1] {
        huge[5..13].copy_from_slice(&size.to_le_bytes());
        block_refused!(ZSTD, huge.clone(), B::Field { .. });
    }
    for size in [5u64 + 16 * 7, 19, 21, 0] {
        huge[5..13].copy_from_slice(&size.to_le_bytes());
        block_refused!(ZSTD, huge.clone(), B::Zstd { .. });
    }
    let unsaid = [&[0x28, 0xB5, 0x2F, 0xFD, 0, 0x58][..], &good[6..]].concat();
    block_refused!(ZSTD, unsaid, B::Zstd { .. });
    let dictionary = [&[0x28, 0xB5, 0x2F, 0xFD, 0x21, 7][..], &good[5..]].concat();
    block_refused!(ZSTD, dictionary, B::Zstd { .. });
    let dictionary = [&[0x28, 0xB5, 0x2F, 0xFD, 0x21, 0][..], &good[5..]].concat();
    block_refused!(ZSTD, dictionary, B::Zstd { .. });
    let mut compressor = zstd::bulk::Compressor::new(3).unwrap();
    compressor.include_checksum(true).unwrap();
    block_refused!(ZSTD, compressor.compress(&plain).unwrap(), B::Zstd { .. });
    // A bomb: 16 MiB of zeros in a few hundred bytes; then one that claims to be small.
    let mut bomb = zstd::bulk::compress(&vec![0; 16 << 20], 19).unwrap();
    assert!(bomb.len() < 4096 && bomb[4] >> 6 == 2);
    block_refused!(ZSTD, bomb.clone(), B::Field { found: 0x80_0000, .. }); // its window
    let size_at = if bomb[4] & 0x20 == 0 { 6 } else { 5 };
    bomb[size_at..size_at + 4].copy_from_slice(&20u32.to_le_bytes());
    block_refused!(ZSTD, bomb, B::Field { .. });
    // Many bytes of input for few of output: four mebibytes of empty blocks.
    let mut long = good[..6].to_vec();
    long.extend([0, 0, 0].repeat(1_000_000));
    long.extend(&good[6..]);
    assert_eq!(read(&one_block(ZSTD, long)), Ok(()), "odd, but a frame of this block");
    // Contents that are not a block.
    for entries in [0, 1, 17, 127] {
        block_refused!(ZSTD, with(0, &[entries]), B::Field { .. });
    }
    block_refused!(ZSTD, with(0, &[2]), B::Length { expected: 16, found: 17 });
    block_refused!(ZSTD, with(0, &[4]), B::Palette { entry: 3 });
    block_refused!(ZSTD, with(0, &[5]), B::Palette { entry: 3 });
    block_refused!(ZSTD, with(2, &[0]), B::Palette { entry: 1 });
    block_refused!(ZSTD, with(0, &[0x80, 0x80, 0x80, 0x80, 0x80, 1]), B::Field { .. });
    block_refused!(ZSTD, with(0, &[0xFF, 0xFF, 0xFF, 0xFF, 0x7F]), B::Field { .. });
    block_refused!(ZSTD, with(2, &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F]), B::Palette { entry: 1 });
    block_refused!(ZSTD, with(2, &[0x80, 0x80, 0x80, 0x80, 0x08]), B::Code { .. });
    block_refused!(ZSTD, with(4, &[3]), B::Index { slot: 0, index: 3, entries: 3 });
    block_refused!(ZSTD, with(19, &[255]), B::Index { slot: 15, index: 255, entries: 3 });
    block_refused!(ZSTD, with(19, &[]), B::Length { expected: 16, found: 15 });
    block_refused!(ZSTD, with(19, &[0, 0]), B::Length { expected: 16, found: 17 });
    block_refused!(ZSTD, zstd_frame(&[0x80; 3], true), B::Field { .. });
}

#[test]
fn extents_shared_by_blocks_of_other_sizes_are_refused() {
    // Two blocks of 8 and of 4 slots that claim one extent: it fits only one of them.
    let header = support::header(support::board("...\n"), (1, 2), (1, 3));
    for (kind, body) in [
        (PACKED, vec![1, 2, 1, 0, 1, 0, 5, 0, 0b11_0110, 0, 0, 0]),
        (ZSTD, zstd_frame(&[2, 1, 4, 0, 1, 1, 0, 0, 1], true)),
    ] {
        let mut forge = Forge::new(header.to_bytes().unwrap());
        forge.push(kind, body);
        forge.entries.push(forge.entries[0]);
        let error = error_of(&forge.bytes());
        assert!(matches!(error, TableError::Block { block: 0 | 1, .. }), "{error:?}");
    }
}

#[test]
fn boards_of_the_greatest_size_take_little_memory() {
    // The file has nothing but the header: 2^20 open cells make 2^40 blocks of one slot.
    let board = Board::new(1024, 1024, vec![Square::Open; 1 << 20]).unwrap();
    let header: Header = support::header(board, (1, 1), (1, 1));
    let mut forge = Forge::new(header.to_bytes().unwrap());
    forge.header_len = Some(forge.header.len() as u32);
    let mut file = forge.bytes();
    // `bytes` leaves a long header alone, so the file is whole but for its index.
    let (result, most) = peak(|| read(&file));
    assert!(
        matches!(result, Err(TableError::Truncated { expected, .. }) if expected > 1 << 43),
        "{result:?}"
    );
    // The header is in memory twice, as bytes and as squares; the cells are numbered only when the index is
    // there.
    assert!(most < 12 << 20, "{most} bytes held for a file of {} bytes", file.len());
    file.truncate(1000);
    refused!(file, TableError::Truncated { .. });
}
