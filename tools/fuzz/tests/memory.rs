//! No reader takes memory out of proportion to its input. The test is a program of its own, since the memory
//! of the whole process is counted.

#![allow(clippy::unwrap_used)]

use dragnet_formats::{
    codec::{Encoded, Encoder},
    container::Writer,
    game::{MoveRows, OfficerKind, Places, PursuitGame, Stuck, Team, terminal::TerminalRule},
    stored::StoredGame,
};
use dragnet_fuzz::{HARNESSES, bytes, corpus};
use dragnet_probe::{Cache, Open, TileSize};
use peak_alloc::PeakAlloc;
use std::io::Cursor;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The bytes that any input may take: caches and buffers of one block, and the small boards of the harnesses.
const ANY: usize = 4 << 20;
/// The bytes that a map may take: a few bytes of a compressed picture can be as many pixels as a board has
/// cells, and the layers of a map can have sixteen times as many together.
const ANY_MAP: usize = 256 << 20;
/// The bytes that each byte of input may take besides. A header takes the most: a byte holds eight squares of
/// a grid, each of which has its place among the squares and in the list of tiles, for both sides.
const PER_BYTE: usize = 200;

/// Runs `work` and checks the peak of the memory that it took.
fn bounded(what: &str, any: usize, len: usize, work: impl FnOnce()) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    work();
    let taken = MEMORY.peak_usage() - before;
    assert!(taken <= any + PER_BYTE * len, "{what}: {taken} bytes for {len}");
}

/// Returns a table of so many worlds on a grid whose last `count` squares are places, with tiles of so many
/// squares. Each piece may stay, and captures nothing.
fn stored(worlds: u32, (height, width, layers): (u16, u16, usize), count: usize, tile: TileSize) -> Vec<u8> {
    let squares = usize::from(height) * usize::from(width);
    let places = Places::new(height, width, (0..squares).map(|square| square + count >= squares).collect());
    let all = worlds as usize * count;
    let rows = |is_empty: bool| {
        let mut rows = MoveRows::new(all, u32::MAX);
        (0..all as u32).for_each(|place| rows.push((place..place + 1).filter(|_| !is_empty)).unwrap());
        rows.finish()
    };
    let ends = TerminalRule::new(vec![true; all], vec![true; all]).with_worlds(worlds);
    let game = PursuitGame {
        kinds: vec![OfficerKind { pieces: 1, rows: height }],
        team: Team::All,
        stuck: Stuck::Loses,
        worlds,
        places: [places.clone(), places],
        moves: [rows(false), rows(false)],
        ends: ends.with_captures(rows(true)),
    };
    let layers = vec![vec![String::new(); layers]; 2];
    let packed = StoredGame { layers, ..StoredGame::new(game) }.pack([tile, tile]).unwrap();
    let mut writer = Writer::new(Cursor::new(Vec::new()), &packed.header).unwrap();
    let entry = writer.push(&Encoded::Constant(0)).unwrap();
    for _ in 1..packed.header.numbering().positions().block_count() {
        writer.push_entry(entry);
    }
    for block in packed.blocks() {
        writer.push(&Encoder::for_speed().encode(&block)).unwrap();
    }
    writer.finish().unwrap().0.into_inner()
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
    let (small, large) = (TileSize::new(1, 1).unwrap(), TileSize::new(16, 16).unwrap());
    for (what, file) in [
        ("the emptiest board", stored(1, (4096, 1024, 4), 1, small)),
        ("the emptiest board of most worlds", stored(4096, (32, 32, 1), 1, small)),
        ("the fullest board of most worlds", stored(4096, (16, 16, 1), 256, large)),
    ] {
        bounded(what, ANY, file.len(), || drop(Open::bytes(file.clone()).pursuit().unwrap()));
    }
}
