//! The memory that the engine needs.

use super::{
    log::{CHUNK, PACKED_FROM},
    overlay::Overlays,
    sets::Set,
    words::{ROWS, Words},
};
use crate::needs::Needs;
use dragnet_formats::{
    board::Board,
    header::Header,
    numbering::{Tiling, word_tile},
    pieces::multisets,
    rules::{Rules, Team},
};

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

/// Bytes that the smallest solve takes beside all that is counted elsewhere: words, lists, what `malloc`
/// keeps.
const SMALLEST: u64 = 3 << 19;

/// The room that solves of boards of one kind take, as measured: the only figures here that are not counted.
struct Rates {
    /// Mixed blocks lie along the edges of the sets, so that their share falls with the side of the board: it
    /// is this number over the side, and at most three quarters.
    sides: u64,
    /// Thousandths of a byte of the logs for each position with the police to move.
    entries: u64,
    /// Hundredths that packing leaves of a chunk.
    packed: u64,
    /// Thousandths of a byte of the encoded blocks for each position with the police to move.
    encoded: u64,
}

/// The rates of boards for one officer, by the pairs of open cells side by side for each hundred open cells,
/// from which on they hold: open boards; maps with large places; scattered walls and small rooms; mazes and
/// corridors, with nearly one pair for each cell. They are from the classic rules on open boards, random
/// ones, rooms and mazes with sides from 33 to 256 and on maps of games, and make the memory 1.04 to 1.5
/// times as much as was taken; in mazes with sides above 200, and with corridors two cells wide, 1.7 times.
const RATES: [(u64, Rates); 4] = [
    (195, Rates { sides: 27, entries: 55, packed: 12, encoded: 10 }),
    (175, Rates { sides: 38, entries: 190, packed: 38, encoded: 60 }),
    (150, Rates { sides: 48, entries: 260, packed: 50, encoded: 120 }),
    (0, Rates { sides: 80, entries: 850, packed: 60, encoded: 350 }),
];

/// The rates of teams, from two officers on open boards with sides from 12 to 24.
const TEAM_RATES: Rates = Rates { sides: 14, entries: 300, packed: 20, encoded: 50 };

impl Rates {
    fn of(board: &Board, officers: u8) -> &'static Rates {
        if officers > 1 {
            return &TEAM_RATES;
        }
        let density = board.neighbour_pairs() * 100 / (board.open_count() as u64).max(1);
        let found = RATES.iter().find(|(least, _)| density >= *least);
        &found.expect("the last rates are for any board").1
    }

    /// Returns the bytes that the sets take at the level at which they take the most. The police has `rows`
    /// rows in tiles of 64, and the board `cells` open cells, which are packed into `overlays`.
    fn sets(&self, rows: u64, overlays: u64, cells: u64) -> u64 {
        let blocks = rows.div_ceil(ROWS as u64).saturating_mul(overlays);
        let words = rows.saturating_mul((Set::COUNT * size_of::<u64>()) as u64).saturating_mul(overlays);
        let side = cells.isqrt().max(1);
        let mixed = words / 100 * (100 * self.sides / side).min(75);
        mixed.saturating_add(blocks.saturating_mul(BLOCK))
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
/// blocks of less than a hundred and twenty-eighth of a byte for each. Logs may be in the scratch file.
pub(super) fn least(rows: u64, overlays: u64, positions: u64) -> u64 {
    (rows / ROWS as u64).saturating_mul(overlays).saturating_mul(BLOCK) + positions / 128 + BESIDE
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
    let rates = Rates::of(board, header.rules.officers);
    // The encoded blocks come when the sets are gone.
    let blocks = (positions / 1_000).saturating_mul(rates.encoded);
    let sets = (rates.sets(teams, overlays, cells) + slices * SETS).max(blocks);
    let tiles = u64::from(Tiling::count(board, word_tile(board)));
    let scratch = partial_turns(&header.rules, cells, tiles).saturating_mul(threads as u64);
    let entries = (positions / 1_000).saturating_mul(rates.entries);
    let chunks = entries / CHUNK as u64;
    let logs = slices.saturating_mul(SLICE).saturating_add(chunks.saturating_mul(SPILLED));
    let frames = rates.frames(entries);
    let least_memory = [scratch, logs, sets].into_iter().fold(SMALLEST, u64::saturating_add);
    Needs {
        memory: least_memory.saturating_add(frames),
        least_memory,
        scratch: (frames / 4 * 5 + frames.min(SPARE)).saturating_add(chunks.saturating_mul(FRAME_HEAD)),
    }
}
