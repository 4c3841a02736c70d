//! From planes to the digest and to the blocks of the table.

use super::{
    grid::Grid,
    places::{Places, Spread, exchange},
};
use crate::pursuit::Pursuit;
use dragnet_formats::{
    codec::RawBlock,
    digest::{GOLDEN_GAMMA, digest_term, splitmix64},
    numbering::Place,
    value::Value,
};
use multiversion::multiversion;
use std::ops::Range;
use zerocopy::IntoBytes;

/// Part of the content digest: all positions with the thief in tile `thief`, whose places these are.
#[multiversion(targets = "simd")]
pub(super) fn digest(grid: &Grid, places: &Places, thief: usize) -> u64 {
    let here = &grid.thief[thief];
    let cells = grid.cell_count() as u64;
    // The open cells in the order in which a spread word has them.
    let mut order: Vec<(usize, u64)> = (here.bits.iter().zip(grid.cells(thief)))
        .map(|(&bit, &number)| (usize::from(bit % 8 * 8 + bit / 8), u64::from(number)))
        .collect();
    order.sort_unstable();
    let numbers: Vec<u64> = order.iter().map(|&(_, number)| number).collect();
    let mut sum = 0u64;
    let mut compact = [0u64; 64];
    for (tile, police) in grid.police.iter().enumerate() {
        let terms: Vec<u64> =
            places.codes(tile).map(|code| u64::from(code).wrapping_mul(GOLDEN_GAMMA)).collect();
        let spread = places.spread(tile, police.rows);
        for (row, &number) in grid.cells(tile).iter().enumerate() {
            let first = u64::from(number) * cells;
            let mut places = [0u16; 64];
            for (places, low) in places.as_chunks_mut::<8>().0.iter_mut().zip(&spread.low) {
                *places = low[row].to_le_bytes().map(u16::from);
            }
            if let Some(high) = &spread.high {
                for (places, high) in places.as_chunks_mut::<8>().0.iter_mut().zip(high.iter()) {
                    for (place, byte) in places.iter_mut().zip(high[row].to_le_bytes()) {
                        *place |= u16::from(byte) << 8;
                    }
                }
            }
            for (term, &(at, _)) in compact.iter_mut().zip(&order) {
                *term = terms[usize::from(places[at & 63])];
            }
            for (&term, &number) in compact.iter().zip(&numbers) {
                sum = sum.wrapping_add(splitmix64((first + number).wrapping_add(term)));
            }
        }
    }
    // What is over has no place and was taken for a draw.
    let mut put_right = |police: u32, thief: u32, value: Value| {
        let number = u64::from(police) * cells + u64::from(thief);
        let (found, expected) = (digest_term(number, Value::Draw.code()), digest_term(number, value.code()));
        sum = sum.wrapping_sub(found).wrapping_add(expected);
    };
    for (&bit, &number) in here.bits.iter().zip(grid.cells(thief)) {
        put_right(number, number, Value::Win(0));
        if here.exits >> bit & 1 == 1 {
            (0..cells as u32).filter(|&police| police != number).for_each(|police| {
                put_right(police, number, Value::Loss(0));
            });
        }
    }
    sum
}

/// Up to 8 police cells of a block that are consecutive rows of one tile.
struct Run {
    tile: usize,
    rows: Range<usize>,
}

/// Consecutive rows of one tile, in the order of `cells`.
fn runs(grid: &Grid, cells: &[u32]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for &number in cells {
        let Place { tile, rank } = grid.places[number as usize];
        let (tile, row) = (tile as usize, usize::from(rank));
        match runs.last_mut() {
            Some(run) if run.tile == tile && run.rows.end == row && run.rows.len() < 8 => run.rows.end += 1,
            _ => runs.push(Run { tile, rows: row..row + 1 }),
        }
    }
    runs
}

/// Block number `block` of the table of `game`. `places` are those of all thief tiles.
pub(super) fn block<'a>(
    game: &Pursuit,
    grid: &Grid,
    places: impl Fn(usize) -> &'a Places + Copy,
    block: u64,
) -> RawBlock {
    let numbering = game.numbering();
    let tiles = numbering.tiles(block);
    let police = numbering.police().cells_of(tiles.police);
    let thief = numbering.thief().cells_of(tiles.thief);
    let runs = runs(grid, police);
    let mut police_tiles: Vec<usize> = runs.iter().map(|run| run.tile).collect();
    police_tiles.sort_unstable();
    police_tiles.dedup();
    let mut thief_tiles: Vec<usize> =
        thief.iter().map(|&cell| grid.places[cell as usize].tile as usize).collect();
    thief_tiles.dedup();
    let mut palette: Vec<u32> = thief_tiles
        .iter()
        .flat_map(|&thief| police_tiles.iter().flat_map(move |&tile| places(thief).codes(tile)))
        .collect();
    palette.sort_unstable();
    palette.dedup();
    let mut indices = Indices::new(police.len() * thief.len(), palette.len());
    for thief_cells in thief.chunk_by(|&a, &b| grid.places[a as usize].tile == grid.places[b as usize].tile) {
        let bits: Vec<u8> = thief_cells.iter().map(|&cell| grid.bits[cell as usize] as u8).collect();
        let places = places(grid.places[thief_cells[0] as usize].tile as usize);
        append(grid, places, &police_tiles, &runs, &palette, &bits, &mut indices);
    }
    let (mut low, mut high) = indices.finish();
    let any = any_slots(grid, police, thief);
    repeat(&mut low, &any);
    repeat(&mut high, &any);
    RawBlock::from_indices(palette, low, high)
}

/// Indices into a palette, as bytes.
struct Indices {
    /// With room for one word more.
    low: Vec<u8>,
    /// The same, or empty if one byte is enough.
    high: Vec<u8>,
    len: usize,
}

impl Indices {
    fn new(slots: usize, palette: usize) -> Indices {
        let bytes = |count: usize| vec![0; if count == 0 { 0 } else { slots + 8 }];
        Indices { low: bytes(1), high: bytes(usize::from(palette > 256)), len: 0 }
    }

    /// Appends the low `count` bytes of words of up to 8.
    #[inline(always)]
    fn push(&mut self, count: usize, low: u64, high: u64) {
        self.low[self.len..self.len + 8].copy_from_slice(&low.to_le_bytes());
        if !self.high.is_empty() {
            self.high[self.len..self.len + 8].copy_from_slice(&high.to_le_bytes());
        }
        self.len += count;
    }

    fn finish(mut self) -> (Vec<u8>, Vec<u8>) {
        self.low.truncate(self.len);
        self.high.truncate(self.len);
        (self.low, self.high)
    }
}

/// Appends the indices of the thief's cells `bits`, all in the tile of `places`, for the police cells of `runs`.
#[multiversion(targets = "simd")]
fn append(
    grid: &Grid,
    places: &Places,
    police_tiles: &[usize],
    runs: &[Run],
    palette: &[u32],
    bits: &[u8],
    indices: &mut Indices,
) {
    let spreads: Vec<Spread> = police_tiles
        .iter()
        .map(|&tile| {
            let mut spread = places.spread(tile, grid.police[tile].rows);
            let rank = |code| palette.binary_search(&code).unwrap_or(0) as u16;
            renumber(&mut spread, &places.codes(tile).map(rank).collect::<Vec<u16>>(), palette.len());
            spread
        })
        .collect();
    let columns: Vec<(usize, [u64; 64], [u64; 64])> = runs
        .iter()
        .map(|run| {
            let spread = &spreads[police_tiles.binary_search(&run.tile).unwrap_or(0)];
            let high = spread.high.as_ref().map_or([0; 64], |high| turn(high, run.rows.start));
            (run.rows.len(), turn(&spread.low, run.rows.start), high)
        })
        .collect();
    for &bit in bits {
        for (count, low, high) in &columns {
            indices.push(*count, low[usize::from(bit)], high[usize::from(bit)]);
        }
    }
}

/// Puts the ranks in a palette of `entries` codes in the place of the places.
#[inline(always)]
fn renumber(spread: &mut Spread, ranks: &[u16], entries: usize) {
    if spread.high.is_none() && entries > 256 {
        spread.high = Some(Box::new([[0; 64]; 8]));
    }
    let low = spread.low.as_mut_bytes();
    match &mut spread.high {
        None => {
            let mut table = [0u8; 256];
            table.iter_mut().zip(ranks).for_each(|(to, &rank)| *to = rank as u8);
            low.iter_mut().for_each(|byte| *byte = table[usize::from(*byte)]);
        }
        Some(high) => {
            for (low, high) in low.iter_mut().zip(high.as_mut_bytes()) {
                [*low, *high] = ranks[usize::from(u16::from_le_bytes([*low, *high]))].to_le_bytes();
            }
        }
    }
}

/// Of the 8 rows from `start` on, the bytes of each thief cell in one word, the first row's lowest; by the cell's bit.
#[inline(always)]
fn turn(spread: &[[u64; 64]; 8], start: usize) -> [u64; 64] {
    const STEPS: [(usize, u64); 3] =
        [(4, 0x0000_0000_FFFF_FFFF), (2, 0x0000_FFFF_0000_FFFF), (1, 0x00FF_00FF_00FF_00FF)];
    let first = start.min(56);
    let mut words = [[0; 8]; 8];
    for (row, words) in words.iter_mut().enumerate() {
        for (word, from) in words.iter_mut().zip(spread) {
            *word = from[first + row];
        }
    }
    for (distance, mask) in STEPS {
        exchange(&mut words, distance, 8 * distance as u32, mask);
    }
    std::array::from_fn(|bit| words[bit / 8][bit % 8] >> (8 * (start - first)))
}

/// The slots of positions that are over, rising.
fn any_slots(grid: &Grid, police: &[u32], thief: &[u32]) -> Vec<Range<usize>> {
    let mut slots = Vec::new();
    let overlap = police.iter().any(|cell| thief.contains(cell));
    for (&number, first) in thief.iter().zip((0..).step_by(police.len())) {
        let tile = &grid.thief[grid.places[number as usize].tile as usize];
        if tile.exits >> grid.bits[number as usize] & 1 == 1 {
            slots.push(first..first + police.len());
        } else if overlap && let Some(captured) = police.iter().position(|&police| police == number) {
            slots.push(first + captured..first + captured + 1);
        }
    }
    slots
}

/// Lets the slots of `any` repeat the one before, at the start the first that is not among them.
fn repeat(indices: &mut [u8], any: &[Range<usize>]) {
    let first = any.iter().fold(0, |first, range| if range.start == first { range.end } else { first });
    let Some(&first) = indices.get(first) else { return };
    for range in any {
        let last = range.start.checked_sub(1).map_or(first, |before| indices[before]);
        indices[range.clone()].fill(last);
    }
}
