//! The memory that the engine needs.

use super::{
    board::{Overlays, squares_around},
    log::{CHUNK, PACKED_FROM},
    sets::{ONE_PAGE, Set, dense_bytes},
    words::{ROWS, Words},
};
use crate::{needs::Needs, table::BLOCK_MEMORY};
use dragnet_formats::{
    board::Board,
    cell::Cell,
    header::Header,
    numbering::{Tiling, word_tile},
    pieces::multisets,
    rules::{Rules, Team},
};
use std::iter;

/// Bytes for what grows neither with the sets nor with the logs: growth of a level, the board's tables,
/// packing.
const BESIDE: u64 = 16 << 20;

/// Slices that a board with few overlays is cut into for teams, roughly.
const TEAM_SLICES: u64 = 200;

/// Bytes beside the frames of its log that belong to one slice: its last chunk, which is not packed, and the
/// growth and counters of its blocks, which are small.
const SLICE: u64 = CHUNK as u64 + (16 << 10);

/// Bytes of memory for each full chunk of a log whose frame is in the scratch file: where it is, and its
/// checksum.
const SPILLED: u64 = 96;

/// Bytes of the scratch file for each full chunk of a log beside its packed bytes.
const FRAME_HEAD: u64 = 24;

/// The most bytes of the scratch file that are asked for beside the estimate and a quarter of it, if the
/// estimate has so many: that of small maps differs the most.
const SPARE: u64 = 1 << 20;

/// Bytes of the sets of one slice beside their mixed blocks: the constant blocks and what lists them.
const SETS: u64 = Set::COUNT as u64 * (4 << 10);

/// Bytes for each block beside its words: its index in each set, and the numbers of its undecided positions.
const BLOCK: u64 = (Set::COUNT * size_of::<u32>() + 2 * size_of::<u16>()) as u64;

/// Hundredths of the sets' words that the lists of pages take which wait in the scratch file.
const SAVED: u64 = 5;

/// Bytes that the smallest solve takes beside all that is counted elsewhere: words, lists, what `malloc`
/// keeps.
const SMALLEST: u64 = 3 << 19;

/// The room that solves of boards of one kind take, as measured: the only figures here that are not counted.
struct Rates {
    /// Mixed blocks lie along the edges of the sets, so that their share falls with the side of the board: it
    /// is this number over the side, and at most three quarters.
    sides: u64,
    /// Thousandths of a byte of the logs for each position with the police to move, by the length of the
    /// board: [`SHORT`] or less, and [`LONG`] or more.
    entries: [u64; 2],
    /// Hundredths that packing leaves of a chunk.
    packed: u64,
    /// Thousandths of a byte of the encoded blocks for each position with the police to move.
    encoded: u64,
}

/// The rates of boards for one officer, by the pairs of open cells side by side for each hundred open cells:
/// mazes and corridors, with nearly one pair for each cell; many scattered walls, or rooms; few of them and
/// small rooms; maps with large places; open boards. Between them the rates lie on straight lines. They are
/// from the classic rules on open boards, random ones, rooms and mazes with sides from 50 to 330 and on maps
/// of games, and make the memory 1.0 to 1.5 times as much as was taken.
const RATES: [(u64, Rates); 5] = [
    (100, Rates { sides: 30, entries: [900, 900], packed: 55, encoded: 350 }),
    (140, Rates { sides: 29, entries: [260, 380], packed: 42, encoded: 150 }),
    (160, Rates { sides: 29, entries: [190, 275], packed: 38, encoded: 90 }),
    (190, Rates { sides: 28, entries: [190, 190], packed: 38, encoded: 60 }),
    (199, Rates { sides: 22, entries: [70, 70], packed: 9, encoded: 10 }),
];

/// The lengths of boards between which the rates of entries lie on a straight line, in hundredths of the
/// side of a square with as many cells. Among scattered walls the way from end to end is as short as on an
/// open board; through rooms it is longer, so that games take more levels.
const SHORT: u64 = 125;
const LONG: u64 = 175;

/// Bytes of entries from which on the length of a board is looked for, if it decides on so many.
const SEARCHED_FROM: u64 = 2 << 20;

/// Returns the length of a board of squares: the king's steps from one end to the other, roughly. One end is
/// the cell that is farthest from the first one of its part of the board.
fn length(board: &Board) -> u64 {
    let end = farthest(board, board.open_cells());
    let other = end.and_then(|(end, _)| farthest(board, iter::once(end)));
    other.map_or(0, |(_, steps)| steps)
}

/// Returns the cell that takes a king the most steps from the first of the `starts` from which he can reach
/// it, and their number.
fn farthest(board: &Board, starts: impl Iterator<Item = Cell>) -> Option<(Cell, u64)> {
    let width = usize::from(board.width());
    let mut seen = vec![false; usize::from(board.height()) * width];
    let mut is_new = |cell: Cell| {
        let place = &mut seen[usize::from(cell.row) * width + usize::from(cell.col)];
        !std::mem::replace(place, true) && board.is_open(cell)
    };
    let mut end: Option<(Cell, u64)> = None;
    for start in starts {
        let (mut steps, mut reached) = (0, Vec::from_iter(is_new(start).then_some(start)));
        while let Some(&cell) = reached.first() {
            if end.is_none_or(|(_, most)| steps > most) {
                end = Some((cell, steps));
            }
            let around = reached.iter().flat_map(|&cell| squares_around(board, cell));
            let next = around.filter(|&cell| is_new(cell)).collect();
            (steps, reached) = (steps + 1, next);
        }
    }
    end
}

/// Returns the hundredths that the lists of words of sets with so many police tiles take, with what lies
/// between them. Lists of many sizes leave more than chunks of one size.
fn room_of_words(tiles: u64) -> u64 {
    if tiles <= ONE_PAGE as u64 { 190 } else { 130 }
}

/// Returns for the sets of teams on `board` the hundredths that their lists of words take, with what lies
/// between them. Among walls blocks become mixed one by one, so that the lists grow more often than on open
/// boards. Measured with two officers on boards with sides of 22 to 41.
fn room_of_team_words(board: &Board) -> u64 {
    let density = density(board);
    let [mazes, rooms, places, open] = [100, 140, 180, 199];
    100 + 65 * (open - density.clamp(places, open)) / (open - places) + rooms - density.clamp(mazes, rooms)
}

/// Returns the pairs of open cells side by side for each hundred open cells.
fn density(board: &Board) -> u64 {
    board.neighbour_pairs() * 100 / (board.open_count() as u64).max(1)
}

/// The rates of teams, from two officers on open boards with sides from 12 to 24.
const TEAM_RATES: Rates = Rates { sides: 14, entries: [300, 300], packed: 20, encoded: 50 };

impl Rates {
    /// Returns the rates of a board for one officer.
    fn of(board: &Board) -> Rates {
        let density = density(board);
        let after = RATES.partition_point(|&(at, _)| at < density).clamp(1, RATES.len() - 1);
        let [(from, low), (to, high)] = [&RATES[after - 1], &RATES[after]];
        let part = density.clamp(*from, *to) - from;
        let between =
            |rate: fn(&Rates) -> u64| (rate(low) * (to - from - part) + rate(high) * part) / (to - from);
        Rates {
            sides: between(|rates| rates.sides),
            entries: [between(|rates| rates.entries[0]), between(|rates| rates.entries[1])],
            packed: between(|rates| rates.packed),
            encoded: between(|rates| rates.encoded),
        }
    }

    /// Returns the bytes of the entries of logs on a board that has so many positions with the police to
    /// move.
    fn entries(&self, board: &Board, positions: u64) -> u64 {
        let [short, long] = self.entries;
        let bytes = |rate: u64| (positions / 1_000).saturating_mul(rate);
        // Most boards, all graphs among them, need not be searched: it would take longer than all else that a
        // plan does.
        if bytes(long - short) < SEARCHED_FROM {
            return bytes(long);
        }
        let side = (board.open_count() as u64).isqrt().max(1);
        let part = (100 * length(board) / side).clamp(SHORT, LONG) - SHORT;
        bytes(short + (long - short) * part / (LONG - SHORT))
    }

    /// Returns the bytes of the sets' mixed words at the level at which these are the most. The police has
    /// `rows` rows in tiles of 64, and the board `cells` open cells, which are packed into `overlays`.
    fn words(&self, rows: u64, overlays: u64, cells: u64) -> u64 {
        let words = rows.saturating_mul((Set::COUNT * size_of::<u64>()) as u64).saturating_mul(overlays);
        (words / 100).saturating_mul((100 * self.sides / cells.isqrt().max(1)).min(75))
    }

    /// Returns the bytes that the frames of logs with so many bytes of entries take.
    fn frames(&self, entries: u64) -> u64 {
        entries.min(PACKED_FROM) + entries.saturating_sub(PACKED_FROM) / 100 * self.packed
    }
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
/// The police has `rows` rows, and `positions` is the number with one side to move; few sets have mixed
/// blocks of less than a hundred and twenty-eighth of a byte for each. Logs may be in the scratch file, and
/// words as well as far as they are more than `words` bytes.
pub(super) fn least(rows: u64, overlays: u64, positions: u64, words: u64) -> u64 {
    (rows / ROWS as u64).saturating_mul(overlays).saturating_mul(BLOCK) + words.min(positions / 128) + BESIDE
}

/// Returns what the engine takes at most to solve the game of `header` and to hand out its blocks, beside the
/// tables of the teams and of the encoder: estimates from above.
pub(crate) fn needs(header: &Header, threads: usize) -> Needs {
    let board = &header.board;
    let cells = board.open_count() as u64;
    let teams = multisets(cells, header.rules.officers.into());
    let positions = teams.saturating_mul(cells);
    let overlays = Overlays::new(board).count() as u64;
    let slices = if header.rules.officers > 1 { overlays.max(TEAM_SLICES) } else { overlays };
    let tiles = u64::from(Tiling::count(board, word_tile(board)));
    let (rates, room) = match header.rules.officers {
        1 => (Rates::of(board), room_of_words(tiles)),
        _ => (TEAM_RATES, room_of_team_words(board)),
    };
    let words = rates.words(teams, overlays, cells);
    let shared = (words / 100).saturating_mul(room);
    let in_memory = dense_bytes(teams + ROWS as u64, overlays).map_or(shared, |dense| dense.max(shared));
    let threads = threads as u64;
    // What a thread reads to work on one slice: blocks of its overlay and of those around it.
    let slice = (words / slices).saturating_mul(9).min(shared);
    let least_words = words / 100 * SAVED + slice.saturating_mul(threads + 1);
    let lists = teams.div_ceil(ROWS as u64).saturating_mul(overlays).saturating_mul(BLOCK) + slices * SETS;
    // The encoded blocks come when the sets are gone.
    let blocks = (positions / 1_000).saturating_mul(rates.encoded);
    let sets = |words: u64| words.saturating_add(lists).max(blocks.min(BLOCK_MEMORY));
    let turns = partial_turns(&header.rules, cells, tiles).saturating_mul(threads);
    let entries = rates.entries(board, positions);
    let chunks = entries / CHUNK as u64;
    let logs = slices.saturating_mul(SLICE).saturating_add(chunks.saturating_mul(SPILLED));
    let frames = rates.frames(entries);
    let memory = |sets: u64| [turns, logs, sets].into_iter().fold(SMALLEST, u64::saturating_add);
    let memory_without_logs = memory(sets(in_memory));
    let least_memory = memory(sets(least_words)).min(memory_without_logs);
    let log_scratch = (frames / 4 * 5 + frames.min(SPARE)).saturating_add(chunks.saturating_mul(FRAME_HEAD));
    Needs {
        memory: memory_without_logs.saturating_add(frames),
        memory_without_logs,
        least_memory,
        log_scratch,
        scratch: log_scratch.saturating_add(words),
        least_set_memory: slice,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::board::{Scenario, make};

    #[test]
    fn the_length_of_a_board_is_that_of_its_longest_part() {
        assert_eq!(length(&make::open(5, 7).unwrap()), 6);
        assert_eq!(length(&make::open(1, 10).unwrap()), 9);
        // A square alone, and a way around a wall.
        let board = Scenario::parse(b".#...\n###..\n.....\n").unwrap().board;
        assert_eq!(length(&board), 4);
    }
}
