//! No reader takes memory out of proportion to its input. The test is a program of its own, since the memory
//! of the whole process is counted.

#![allow(clippy::unwrap_used)]

use dragnet_fuzz::{HARNESSES, bytes, corpus, sealed::reseal};
use dragnet_probe::{Board, Cache, Header, Rules, Square, Summary, Table, TileSize};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The bytes that any input may take: caches and buffers of one block, and the small boards of the harnesses.
const ANY: usize = 4 << 20;
/// The bytes that a map may take: a few bytes of a compressed picture can be as many pixels as a board has
/// cells, and the layers of a map can have sixteen times as many together.
const ANY_MAP: usize = 256 << 20;
/// The bytes that each byte of input may take besides. A header takes the most: a byte holds four squares,
/// each of which takes its place on the board and, twice, in the list of cells and in the list of tiles.
const PER_BYTE: usize = 100;

/// Runs `work` and checks the peak of the memory that it took.
fn bounded(what: &str, any: usize, len: usize, work: impl FnOnce()) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    work();
    let taken = MEMORY.peak_usage() - before;
    assert!(taken <= any + PER_BYTE * len, "{what}: {taken} bytes for {len}");
}

/// Returns a table with the largest board, one open cell and the smallest tiles, which takes the most memory
/// for its size.
fn emptiest() -> Vec<u8> {
    let mut squares = vec![Square::Wall; Board::MAX_SQUARES];
    squares[Board::MAX_SQUARES - 1] = Square::Open;
    let tile = TileSize::new(1, 1).unwrap();
    let header = Header {
        board: Board::new(1024, 1024, squares).unwrap(),
        rules: Rules::classic(),
        police_tile: tile,
        thief_tile: tile,
        summary: Summary::of_draws(1),
    };
    let header = header.to_bytes().unwrap();
    let mut file = vec![0; (28 + header.len()).next_multiple_of(512) + 512];
    file[..8].copy_from_slice(b"\x89DTB\r\n\x1A\n");
    file[8] = 1;
    file[12..16].copy_from_slice(&(header.len() as u32).to_le_bytes());
    file[28..28 + header.len()].copy_from_slice(&header);
    reseal(&mut file);
    file
}

#[test]
fn memory_is_in_proportion_to_the_input() {
    // A cache is reserved when a table is opened, whatever its size.
    Cache::shared().set_limit(1 << 20);
    for (target, harness) in HARNESSES {
        let files: Vec<Vec<u8>> = corpus::read(target).unwrap().into_iter().map(|case| case.bytes).collect();
        assert!(!files.is_empty(), "{target}: the corpus is empty");
        files.iter().for_each(|file| harness(file));
        let any = if target.starts_with("map_") { ANY_MAP } else { ANY };
        for (number, file) in files.iter().enumerate() {
            bounded(&format!("{target} {number}"), any, file.len(), || harness(file));
        }
        for seed in 0..2_000 {
            let file = bytes::alter(&files, seed);
            bounded(&format!("{target}, seed {seed}"), any, file.len(), || harness(&file));
        }
    }
    let file = emptiest();
    bounded("the emptiest board", ANY, file.len(), || drop(Table::from_bytes(file.clone()).unwrap()));
}
