//! The memory that the engine needs.

use super::{
    board::{AREA, Grid, Overlays},
    log::{CHUNK, PACKED_FROM},
    sets::{ONE_PAGE, Set, dense_bytes},
    words::{ROWS, Words},
};
use crate::{
    games::{pursuit::Pursuit, size::GameSize},
    needs::Needs,
    table::BLOCK_MEMORY,
};
use dragnet_formats::{
    game::{Places, Team},
    numbering::{Tiling, word_tile},
};

/// Bytes for what grows neither with the sets nor with the logs: growth of a level, the board's tables,
/// packing.
const BESIDE: u64 = 16 << 20;

/// Slices that a board with few overlays is cut into for teams, roughly.
const TEAM_SLICES: u64 = 200;

/// Bytes of one slice beside the frames of its log, the words of its sets and what its blocks take: the log's
/// last chunk, which is not packed, and the lists of its constant blocks.
const SLICE: u64 = CHUNK as u64 + (4 << 10);

/// Bytes of the growth of a slice for each of its blocks, and the most bytes.
const GROWTH: [u64; 2] = [96, 16 << 10];

/// Bytes for each block beside its words: its index in each set, and the numbers of its undecided positions.
const BLOCK: u64 = (Set::COUNT * size_of::<u32>() + 2 * size_of::<u16>()) as u64;

/// Hundredths of the sets' words that the lists of pages take which wait in the scratch file.
const SAVED: u64 = 5;

/// So many slices have as many words as a thread reads and writes while it works on one: two sets of nine
/// overlays, and two of its own.
const AROUND: u64 = 5;

/// Bytes that the smallest solve takes beside all that is counted elsewhere: what packs and unpacks, threads'
/// lists, what the allocator keeps.
const SMALLEST: u64 = 2 << 20;

/// Hundredths that packing leaves of a chunk of a log, about.
const PACKED: u64 = 40;

/// The sizes of a game on which the memory depends.
struct Sizes {
    /// Positions with one side to move.
    positions: u64,
    overlays: u64,
    /// The bytes of a sheet from which a thread makes blocks; 0 if it makes them from the logs.
    sheet: u64,
    slices: u64,
    /// The blocks of a set.
    blocks: u64,
    /// The bytes of the sets' words if none were shared.
    words: u64,
    /// The police tiles of a slice, at most.
    tiles: u64,
}

impl Sizes {
    fn of([police, thief]: &[Places; 2], size: &GameSize) -> Sizes {
        let teams = size.teams();
        let officers = size.numbers.officers();
        let layout = Overlays::new(thief, officers, size.worlds);
        let overlays = layout.count() as u64;
        let in_area = u64::from(AREA).pow(2) / 2;
        let of_world = teams / u64::from(size.worlds);
        let sheet = if layout.is_walked { sheet(of_world, size.cells.min(in_area)) } else { 0 };
        Sizes {
            positions: teams.saturating_mul(size.cells),
            overlays,
            sheet,
            slices: if officers > 1 { overlays.max(TEAM_SLICES) } else { overlays },
            blocks: of_world.div_ceil(ROWS as u64).saturating_mul(overlays),
            words: words(of_world).saturating_mul(overlays),
            tiles: u64::from(Tiling::count(police, word_tile(police))),
        }
    }
}

/// The most sheets that a thread makes one after the other, where memory is short, in place of one.
pub(super) const MOST_PARTS: u64 = 8;

/// Returns the bytes of the codes of so many teams with the thief on so many cells.
pub(super) fn sheet(teams: u64, cells: u64) -> u64 {
    teams.saturating_mul(cells * size_of::<u16>() as u64)
}

/// Returns the bytes of the words of all sets, of so many words each.
fn words(words: u64) -> u64 {
    words.saturating_mul((Set::COUNT * size_of::<u64>()) as u64)
}

/// Returns the bytes that the lists of words of slices with so many police tiles take, with what lies between
/// them, if their words have so many bytes. Lists of many sizes leave more than chunks of one size.
fn room_of_words(words: u64, tiles: u64) -> u64 {
    words / 100 * if tiles <= ONE_PAGE as u64 { 190 } else { 130 }
}

/// Returns the bytes of the partial turns that a thread keeps while it works on a slice, with places in
/// `tiles` tiles: the last officer of its teams is in a few tiles, and the others are anywhere before him.
fn partial_turns(size: &GameSize, tiles: u64) -> u64 {
    let officers = usize::from(size.numbers.officers());
    if officers == 1 || size.team == Team::One {
        return 0;
    }
    let last = u64::from(size.numbers.kind_of(officers - 1).places).min(4 * ROWS as u64);
    let others = size.numbers.of_officers(1..officers - 1).count();
    let blocks = last.saturating_mul(others).saturating_mul(tiles) / 2;
    blocks.saturating_mul(size_of::<Words>() as u64)
}

/// Returns the bytes that a solve can hardly do without: the system is asked for so many before it begins.
/// The police has `rows` rows in each overlay, and `positions` is the number with one side to move; few sets
/// have mixed blocks of less than a hundred and twenty-eighth of a byte for each. Logs may be in the scratch
/// file, and words as well as far as they are more than `words` bytes.
pub(super) fn least(rows: u64, overlays: u64, positions: u64, words: u64) -> u64 {
    (rows / ROWS as u64).saturating_mul(overlays).saturating_mul(BLOCK) + words.min(positions / 128) + BESIDE
}

/// Returns the bytes that stay in memory all through a solve of `game`, its tables included.
pub(super) fn fixed(game: &Pursuit, threads: u64) -> u64 {
    let size = game.size();
    fixed_of(&Sizes::of(game.places(), &size), &size, threads)
}

fn fixed_of(sizes: &Sizes, size: &GameSize, threads: u64) -> u64 {
    let [of_block, most] = GROWTH;
    let growth = (sizes.blocks / sizes.slices.max(1) * of_block).min(most);
    let lists = sizes.blocks.saturating_mul(BLOCK).saturating_add(sizes.slices * (SLICE + growth));
    let turns = partial_turns(size, sizes.tiles).saturating_mul(threads);
    [SMALLEST, lists, turns].into_iter().fold(size.memory_needed(), u64::saturating_add)
}

/// Returns the bytes of the sets of `grid` if no word leaves memory and none is shared: dense, or in lists.
pub(super) fn most_of_sets(grid: &Grid) -> u64 {
    let (rows, overlays) = (grid.dense_words() as u64, grid.overlays.len() as u64);
    dense_bytes(rows, overlays).unwrap_or_else(|| of_sets(grid, words(rows).saturating_mul(overlays)))
}

/// Returns the bytes of the sets of `grid` in lists that never leave memory, whose words have so many bytes.
pub(super) fn of_sets(grid: &Grid, words: u64) -> u64 {
    room_of_words(words, grid.cut.tiles(0).len() as u64)
}

/// Returns the bytes beside the words of sets that leave memory, if `slices` slices have so many bytes of
/// words: the lists of pages, and what threads may load at once.
pub(super) fn beside_words(words: u64, slices: u64, threads: u64) -> u64 {
    words / 100 * SAVED + (words / slices.max(1)).saturating_mul(AROUND * threads)
}

/// Returns what the engine takes to solve a game of this size, the game's tables included.
///
/// The likely memory is no more than a hint. Mixed blocks lie along the edges of the sets, so that their
/// share falls with the side of the board. Logs have 0.006 bytes for each position with the police to move on
/// open boards, 0.06 to 0.15 on maps, among scattered walls and in rooms, and up to 0.5 in mazes, where games
/// are long: it depends on the pairs of open cells side by side.
pub(crate) fn needs(places: &[Places; 2], size: &GameSize, threads: usize) -> Needs {
    let (cells, threads) = (size.cells, threads as u64);
    let sizes = Sizes::of(places, size);
    let sides = if size.numbers.officers() > 1 { 14 } else { 29 };
    let words = (sizes.words / 100).saturating_mul((100 * sides / cells.isqrt().max(1)).min(75));
    let dense = dense_bytes(sizes.words / self::words(1) + sizes.overlays * ROWS as u64, 1);
    let in_memory = dense.unwrap_or_else(|| room_of_words(words, sizes.tiles));
    // From 0 on an open board to 100 in a maze.
    let walls = 200 - (places[1].neighbour_pairs() * 100 / cells.max(1)).clamp(100, 200);
    let walls = if size.numbers.officers() > 1 { walls.max(10) } else { walls };
    // A cube of hundredths.
    let rate = 6 * walls.min(10) + 440 * walls.pow(3) / 1_000_000;
    let frames = (sizes.positions / 1_000).saturating_mul(rate);
    // Short logs are not packed.
    let frames = frames.max((frames / PACKED * 100).min(PACKED_FROM));
    let fixed = fixed_of(&sizes, size, threads);
    let with = |bytes: u64| fixed.saturating_add(bytes);
    let sheets = sizes.sheet.saturating_mul(threads);
    let encoding = BLOCK_MEMORY.min(frames).saturating_add(sheets);
    let likely = with(in_memory.max(encoding).saturating_add(frames));
    Needs {
        least: with(beside_words(words, sizes.slices, threads).min(in_memory).max(sheets / MOST_PARTS)),
        likely,
        scratch: frames.saturating_add(words),
    }
}
