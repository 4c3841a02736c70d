//! The memory that the engine needs.

use super::{
    log::{CHUNK, PACKED_FROM},
    overlay::Overlays,
    sets::Set,
    team_turn::TeamTurn,
    words::ROWS,
};
use crate::{games::team::TeamSpace, needs::Needs};
use dragnet_formats::{
    header::Header,
    numbering::{Tiling, word_tile},
    pieces::multisets,
};

/// Bytes for what grows neither with the sets nor with the logs: growth of a level, the board's tables,
/// packing.
const BESIDE: u64 = 16 << 20;

/// Bytes beside the frames of its log that belong to one overlay: its last chunk, which is not packed, and
/// the growth and counters of its blocks, which are small.
const OVERLAY: u64 = CHUNK as u64 + (16 << 10);

/// Bytes of memory for each full chunk of a log whose frame is in the scratch file: where it is, and its
/// checksum.
const SPILLED: u64 = 96;

/// Bytes of the scratch file for each full chunk of a log beside its packed bytes.
const FRAME_HEAD: u64 = 24;

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

/// Returns the bytes that a solve can hardly do without: the system is asked for so many before it begins.
/// The police has `rows` rows, and `positions` is the number with one side to move; few logs take less than a
/// thirty-second of a byte for each.
pub(super) fn least(rows: u64, overlays: u64, positions: u64) -> u64 {
    (rows / ROWS as u64).saturating_mul(overlays).saturating_mul(BLOCK) + positions / 32 + BESIDE
}

/// Returns the bytes that the logs of `overlays` overlays take at most which have so many bytes of entries:
/// those that stay in memory, and those of the full chunks, which can leave it.
fn logs(entries: u64, overlays: u64) -> (u64, u64) {
    let chunks = entries / CHUNK as u64;
    let kept = overlays.saturating_mul(OVERLAY).saturating_add(chunks.saturating_mul(SPILLED));
    // Packed they take half as much in mazes, and less elsewhere.
    let frames = entries.min(PACKED_FROM) + entries.saturating_sub(PACKED_FROM) / 3 * 2;
    (kept, frames)
}

/// Returns what the engine takes at most to solve the game of `header` and to hand out its blocks, beside the
/// tables of the teams and of the encoder: estimates from above, by what was measured on open boards, game
/// maps, rooms, mazes and corridors under the classic rules.
pub(crate) fn needs(header: &Header, threads: usize) -> Needs {
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
    let (kept, frames) = logs(entries, overlays);
    let states = TeamSpace::partial_turn_states(&header.rules, cells);
    let scratch = states.saturating_mul(TeamTurn::STATE * threads as u64);
    // The encoded blocks come when the sets are gone.
    let blocks = (positions / 100).saturating_mul(encoded);
    let sets = sets(teams, overlays, cells, header.rules.officers, fill);
    let least_memory = kept.saturating_add(scratch).saturating_add(sets.max(blocks));
    Needs {
        memory: least_memory.saturating_add(frames),
        least_memory,
        scratch: frames.saturating_add(entries / CHUNK as u64 * FRAME_HEAD),
    }
}
