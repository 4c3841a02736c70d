//! The memory that the engine needs.

use super::{
    log::{CHUNK, PACKED_FROM},
    overlay::Overlays,
    sets::Set,
    words::{ROWS, Words},
};
use dragnet_formats::{
    header::Header,
    numbering::{Tiling, word_tile},
    pieces::multisets,
    rules::{Rules, Team},
};

/// Bytes for what grows neither with the sets nor with the logs: growth of a level, the board's tables,
/// packing.
const BESIDE: u64 = 16 << 20;

/// Bytes beside the frames of its log that belong to one overlay: its last chunk, which is not packed, and
/// the growth and counters of its blocks, which are small.
const OVERLAY: u64 = CHUNK as u64 + (16 << 10);

/// Bytes of the sets of one overlay beside their mixed blocks: the constant blocks and what lists them.
const SETS: u64 = Set::COUNT as u64 * (4 << 10);

/// Bytes for each block beside its words: its index in each set, and the numbers of its undecided positions.
const BLOCK: u64 = (Set::COUNT * size_of::<u32>() + 2 * size_of::<u16>()) as u64;

/// Returns the bytes that the sets take at the level at which they take the most: an estimate from above. The
/// police has `rows` rows in tiles of 64, and the board `cells` open cells, which are packed into `overlays`;
/// `fill` is the share of open squares in tiles with any, in hundredths.
///
/// Mixed blocks lie along the edges of the sets, so that their share falls with the side of the board. The
/// factors are from solves of open boards from 64×64 to 256×256, of game maps, rooms and mazes, and of two
/// and three officers on 12×12 to 24×24.
fn sets(rows: u64, overlays: u64, cells: u64, officers: u8, fill: u64) -> u64 {
    let blocks = rows.div_ceil(ROWS as u64).saturating_mul(overlays);
    let words = rows.saturating_mul((Set::COUNT * size_of::<u64>()) as u64).saturating_mul(overlays);
    let side = cells.isqrt().max(1);
    let sides = match (officers, fill) {
        (2.., _) => 12,
        (_, 70..) => 28,
        _ => 48,
    };
    let mixed = words / 100 * (100 * sides / side).min(75);
    mixed.saturating_add(blocks.saturating_mul(BLOCK)).saturating_add(overlays * SETS)
}

/// Returns the bytes of the partial turns that a thread keeps while it works on a slice, on so many cells in
/// `tiles` tiles: the last officer of its teams is in a few tiles, and the others are anywhere before him.
fn partial_turns(rules: &Rules, cells: u64, tiles: u64) -> u64 {
    if rules.officers == 1 || rules.team == Team::One {
        return 0;
    }
    let last = cells.min(4 * ROWS as u64);
    let others = multisets(cells, u32::from(rules.officers) - 2);
    let blocks = last.saturating_mul(others).saturating_mul(tiles) / 2;
    blocks.saturating_mul(size_of::<Words>() as u64)
}

/// Returns the bytes that a solve can hardly do without: the system is asked for so many before it begins.
/// The police has `rows` rows, and `positions` is the number with one side to move; few logs take less than a
/// thirty-second of a byte for each.
pub(super) fn least(rows: u64, overlays: u64, positions: u64) -> u64 {
    (rows / ROWS as u64).saturating_mul(overlays).saturating_mul(BLOCK) + positions / 32 + BESIDE
}

/// Returns the bytes of memory that the engine takes at most to solve the game of `header` and to hand out
/// its blocks, beside the tables of the teams and of the encoder: an estimate from above, by what was
/// measured on open boards, game maps, rooms, mazes and corridors under the classic rules.
pub(crate) fn memory_needed(header: &Header, threads: usize) -> u64 {
    let board = &header.board;
    let cells = board.open_count() as u64;
    let teams = multisets(cells, header.rules.officers.into());
    let positions = teams.saturating_mul(cells);
    let overlays = Overlays::new(board).count() as u64;
    // Hundredths of a byte of the log, and of the encoded blocks, for each position with the police to move:
    // the fewer cells a tile has, the fewer positions are decided at once.
    let tiles = u64::from(Tiling::count(board, word_tile(board)));
    let fill = cells * 100 / (64 * tiles.max(1));
    let (log, encoded) = match fill {
        90.. => (12, 4),
        70.. => (30, 20),
        30.. => (120, 45),
        _ => (140, 45),
    };
    let entries = (positions / 100).saturating_mul(log);
    // Packed they take half as much in mazes, and less elsewhere.
    let frames = entries.min(PACKED_FROM) + entries.saturating_sub(PACKED_FROM) / 3 * 2;
    let logs = frames.saturating_add(overlays * OVERLAY);
    let scratch = partial_turns(&header.rules, cells, tiles).saturating_mul(threads as u64);
    // The encoded blocks come when the sets are gone.
    let blocks = (positions / 100).saturating_mul(encoded);
    let sets = sets(teams, overlays, cells, header.rules.officers, fill);
    logs.saturating_add(scratch).saturating_add(sets.max(blocks))
}
