//! The memory that the engine needs.

use super::{log::CHUNK, overlay::Overlays, sets::Set, team_turn::TeamTurn, words::ROWS};
use crate::games::team::TeamSpace;
use dragnet_formats::{
    header::Header,
    numbering::{Tiling, word_tile},
    pieces::multisets,
};

/// Bytes for what grows neither with the sets nor with the logs: growth of a level, the board's tables,
/// packing.
const BESIDE: u64 = 16 << 20;

/// Bytes beside the entries of its log that belong to one overlay: its last chunk has pages that are half in
/// use, and the growth and counters of its blocks are small.
const OVERLAY: u64 = CHUNK as u64 / 2 + (16 << 10);

/// Returns how many words one set has for one overlay: one for each police row, and room to read the last
/// block as a whole. A multiple of a cache line.
pub(super) fn stride(rows: u64) -> u64 {
    rows.saturating_add(ROWS as u64 - 1).div_ceil(8) * 8
}

/// Returns the bytes of all sets.
pub(super) fn sets(rows: u64, overlays: u64) -> u64 {
    stride(rows).saturating_mul((Set::COUNT * size_of::<u64>()) as u64 * overlays)
}

/// Returns the bytes that a solve can hardly do without: the system is asked for so many before the sets take
/// their pages. `positions` is the number with one side to move; most logs come near a quarter of a byte for
/// each.
pub(super) fn least(sets: u64, positions: u64) -> u64 {
    sets + positions / 4 + BESIDE
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
    // Hundredths of a byte of the log for each position with the police to move: the fewer cells a tile has,
    // the fewer positions are decided at once.
    let tiles = u64::from(Tiling::count(board, word_tile(board)));
    let hundredths = match cells * 100 / (64 * tiles.max(1)) {
        90.. => 30,
        70.. => 45,
        30.. => 120,
        _ => 140,
    };
    let logs = (positions / 100).saturating_mul(hundredths).saturating_add(overlays * OVERLAY);
    let states = TeamSpace::partial_turn_states(&header.rules, cells);
    let scratch = states.saturating_mul(TeamTurn::STATE * threads as u64);
    // The encoded blocks come when the sets are gone.
    let blocks = positions / 4;
    logs.saturating_add(scratch).saturating_add(sets(teams, overlays).max(blocks))
}
