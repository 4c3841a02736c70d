//! From what was decided when to the digest and the blocks of the table.

use super::{
    grid::Grid,
    lane::Words,
    log::Log,
    places::{Palette, Places, Sorted, exchange},
    police::Row,
};
use crate::games::pursuit::Pursuit;
use dragnet_formats::{
    cell::Side,
    codec::RawBlock,
    digest::{GOLDEN_GAMMA, digest_term, splitmix64},
    value::Value,
};
use multiversion::multiversion;
use rayon::prelude::*;
use std::ops::Range;

/// The thief's cells of one tile of the table that are in one overlay.
struct ThiefCells<'a> {
    /// The overlay's place among those of the columns.
    overlay: usize,
    /// A mask of them.
    cells: u64,
    /// Their numbers, in reading order.
    numbers: &'a [u32],
    /// Their bits, in the same order.
    bits: Vec<u8>,
}

impl<'a> ThiefCells<'a> {
    /// Those with these numbers in reading order.
    fn new(grid: &Grid, overlay: usize, numbers: &'a [u32]) -> ThiefCells<'a> {
        let bits: Vec<u8> = numbers.iter().map(|&number| grid.spots[number as usize].bit as u8).collect();
        ThiefCells { overlay, cells: bits.iter().fold(0, |cells, bit| cells | 1 << bit), numbers, bits }
    }
}

/// One tile of the thief of the table.
struct Column<'a> {
    tile: u32,
    /// Its cells by their numbers in reading order.
    numbers: &'a [u32],
    thief: Vec<ThiefCells<'a>>,
}

impl Column<'_> {
    /// The codes of what was decided with the thief on our cells, given the logs of the overlays.
    fn codes(&self, police: &PoliceRows, decided: &[Sorted]) -> impl Iterator<Item = u32> {
        self.thief.iter().flat_map(|thief| {
            let entries = police.tiles.iter().flat_map(|&tile| decided[thief.overlay].of(tile));
            entries.filter(|(_, cells)| cells & thief.cells != 0).map(|(entry, _)| entry.code)
        })
    }
}

/// The teams of one police tile of the table: the same for the blocks of all thief tiles.
struct PoliceRows {
    /// Their places in the list of all teams.
    teams: Range<usize>,
    /// Their numbers in the digest.
    numbers: Vec<u64>,
    /// The same teams by tiles of the engine.
    runs: Vec<Run>,
    /// The tiles of these, rising.
    tiles: Vec<usize>,
    /// Whether all rows of these tiles are among ours.
    whole: bool,
}

/// The teams of all police tiles of the table of `game`.
fn police_rows(game: &Pursuit, grid: &Grid) -> Vec<PoliceRows> {
    let list = game.police().list();
    let rows = |tile| {
        let teams = list.range_of(tile);
        let runs = runs(game, grid, teams.clone());
        let mut tiles: Vec<usize> = runs.iter().map(|run| run.tile).collect();
        tiles.sort_unstable();
        tiles.dedup();
        let whole = teams.len() == tiles.iter().map(|&tile| grid.police[tile].rows).sum::<usize>();
        PoliceRows {
            numbers: teams.clone().map(|team| list.number(team)).collect(),
            teams,
            runs,
            tiles,
            whole,
        }
    };
    (0..game.numbering().police().tile_count()).into_par_iter().map(rows).collect()
}

/// The blocks of a solved game's table.
pub(super) struct Blocks<'a> {
    game: &'a Pursuit,
    grid: &'a Grid,
    /// By overlay.
    logs: &'a [Log],
    police: Vec<PoliceRows>,
    /// No code is above it.
    greatest: u32,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(game: &'a Pursuit, grid: &'a Grid, logs: &'a [Log], greatest: u32) -> Blocks<'a> {
        Blocks { game, grid, logs, police: police_rows(game, grid), greatest }
    }

    fn thief_numbers(&self, tile: u32) -> &'a [u32] {
        &self.game.thief_reading()[self.game.numbering().thief().range_of(tile)]
    }

    fn overlay_of(&self, number: u32) -> u32 {
        self.grid.spots[number as usize].overlay
    }

    /// The thief's tiles, those together whose logs are the same.
    pub(super) fn together(&self) -> Vec<Vec<u32>> {
        let mut together = vec![Vec::new(); self.logs.len()];
        for tile in 0..self.game.numbering().thief().tile_count() {
            together[self.overlay_of(self.thief_numbers(tile)[0]) as usize].push(tile);
        }
        together
    }

    /// Goes through all blocks of these thief tiles. Hands them to `sink`, if there is one; the part of the digest that they make.
    pub(super) fn columns<E>(
        &self,
        tiles: &[u32],
        sink: Option<impl Fn(u64, RawBlock) -> Result<(), E>>,
    ) -> Result<u64, E> {
        let numbers = tiles.iter().flat_map(|&tile| self.thief_numbers(tile));
        let mut overlays: Vec<u32> = numbers.map(|&number| self.overlay_of(number)).collect();
        overlays.sort_unstable();
        overlays.dedup();
        let columns: Vec<Column> = tiles.iter().map(|&tile| self.column(tile, &overlays)).collect();
        // Whether the logs say of some cells what is not in all of the columns.
        let whole =
            |thief: &ThiefCells| thief.cells == self.grid.thief[overlays[thief.overlay] as usize].open;
        let apart = columns.len() > 1 || !columns.iter().flat_map(|column| &column.thief).all(whole);
        let decided: Vec<Sorted> = (overlays.iter())
            .map(|&overlay| Sorted::new(self.grid, &self.logs[overlay as usize], apart))
            .collect();
        let thief_tiles = u64::from(self.game.numbering().thief().tile_count());
        let mut digest = 0u64;
        let (mut palette, mut own) = (Palette::new(self.greatest), Palette::new(self.greatest));
        for (police_tile, police) in (0..).zip(&self.police) {
            let entries =
                decided.iter().flat_map(|decided| police.tiles.iter().flat_map(|&tile| decided.of(tile)));
            palette.set(entries.map(|(entry, _)| entry.code).chain([Value::Draw.code()]));
            let terms = Terms::new(police, &palette, self.grid.cell_count() as u64);
            let turned: Vec<Vec<Turned>> =
                decided.iter().map(|decided| turn_all(self.grid, police, &palette, decided)).collect();
            for column in &columns {
                let over = over_slots(self.game, police, column.numbers);
                digest = digest.wrapping_add(self.digest(police, column, &over, &terms, &turned));
                let Some(sink) = &sink else { continue };
                let Indices { low, high, .. } = indices(police, column, &over, &palette, &turned);
                let all = palette.codes();
                // All that a log says of whole police tiles is in the blocks of all columns.
                let raw = if !police.whole || !high.is_empty() {
                    RawBlock::from_indices(all.to_vec(), low, high)
                } else if apart {
                    own.set(column.codes(police, &decided).chain([Value::Draw.code()]));
                    exact(all, own.codes(), low)
                } else {
                    exact(all, all, low)
                };
                sink(police_tile * thief_tiles + u64::from(column.tile), raw)?;
            }
        }
        Ok(digest)
    }

    /// The part of the digest that a block makes.
    fn digest(
        &self,
        police: &PoliceRows,
        column: &Column,
        over: &[Range<usize>],
        terms: &Terms,
        turned: &[Vec<Turned>],
    ) -> u64 {
        let over = over_terms(self.game, police, column.numbers, over);
        let decided = |thief: &ThiefCells| decided_terms(terms, &turned[thief.overlay], thief);
        column.thief.iter().map(decided).fold(over, u64::wrapping_add)
    }

    fn column(&self, tile: u32, overlays: &[u32]) -> Column<'a> {
        let numbers = self.thief_numbers(tile);
        let together = |&a: &u32, &b: &u32| self.overlay_of(a) == self.overlay_of(b);
        let cells = |numbers: &'a [u32]| {
            let overlay = overlays.binary_search(&self.overlay_of(numbers[0])).unwrap_or(0);
            ThiefCells::new(self.grid, overlay, numbers)
        };
        Column { tile, numbers, thief: numbers.chunk_by(together).map(cells).collect() }
    }
}

/// The block with these indices into the palette `all`, of which it has the codes `own`, and the first, that of draws, perhaps.
fn exact(all: &[u32], own: &[u32], mut low: Vec<u8>) -> RawBlock {
    if own.len() < all.len() {
        let (mut places, mut next) = ([0; 256], 0);
        for (place, code) in places.iter_mut().zip(all) {
            *place = next as u8;
            next += usize::from(own.get(next) == Some(code));
        }
        low.iter_mut().for_each(|index| *index = places[usize::from(*index)]);
    }
    let mut codes = own.to_vec();
    if !low.contains(&0) {
        codes.remove(0);
        low.iter_mut().for_each(|index| *index -= 1);
    }
    RawBlock::from_exact_indices(codes, low)
}

/// What was decided in an overlay with the police in the rows of a run: places in a palette.
struct Turned {
    /// The low bytes by bit of the thief's cell, the first row's lowest.
    low: Words,
    /// The high bytes, if there are any.
    high: Option<Box<Words>>,
}

/// What was decided in an overlay, run by run.
#[multiversion(targets = "simd")]
fn turn_all(grid: &Grid, police: &PoliceRows, palette: &Palette, decided: &Sorted) -> Vec<Turned> {
    let places = |&tile: &usize| Places::new(decided.of(tile), grid.police[tile].rows, palette);
    let places: Vec<Places> = police.tiles.iter().map(places).collect();
    let mut turned = Vec::with_capacity(police.runs.len());
    for run in &police.runs {
        let places = &places[police.tiles.binary_search(&run.tile).unwrap_or(0)];
        let high = places.high.as_ref().map(|high| Box::new(turn(high, run.rows.start)));
        turned.push(Turned { low: turn(&places.low, run.rows.start), high });
    }
    turned
}

/// What the digest takes of a palette and of the teams of a police tile.
struct Terms {
    /// By place in the palette.
    codes: Vec<u64>,
    /// By [`PoliceRows::runs`].
    runs: Vec<RunTerms>,
}

/// What it takes of the teams of a run.
struct RunTerms {
    /// The numbers of their first positions.
    first: [u64; 8],
    /// All bits for each of them, none for those that a shorter run does not have.
    mask: [u64; 8],
}

impl Terms {
    fn new(police: &PoliceRows, palette: &Palette, cells: u64) -> Terms {
        let mut codes: Vec<u64> =
            palette.codes().iter().map(|&code| u64::from(code).wrapping_mul(GOLDEN_GAMMA)).collect();
        // As many as the places can say, so that looking one up needs no check.
        codes.resize(codes.len().max(256), 0);
        let mut numbers = police.numbers.iter();
        let run = |run: &Run| {
            let mut terms = RunTerms { first: [0; 8], mask: [0; 8] };
            for (row, number) in numbers.by_ref().take(run.rows.len()).enumerate() {
                (terms.first[row], terms.mask[row]) = (number * cells, !0);
            }
            terms
        };
        Terms { codes, runs: police.runs.iter().map(run).collect() }
    }
}

/// The part of the digest that the positions of `thief` make. What is over is taken for a draw.
#[multiversion(targets = "simd")]
fn decided_terms(terms: &Terms, overlay: &[Turned], thief: &ThiefCells) -> u64 {
    let low_terms: &[u64; 256] = terms.codes.first_chunk().expect("256 terms and more");
    let mut sums = [0u64; 8];
    for (RunTerms { first, mask }, Turned { low, high }) in terms.runs.iter().zip(overlay) {
        for (&number, &bit) in thief.numbers.iter().zip(&thief.bits) {
            let low = low[usize::from(bit & 63)].to_le_bytes();
            let codes = match high {
                Some(high) => {
                    let high = high[usize::from(bit & 63)].to_le_bytes();
                    std::array::from_fn(|i| terms.codes[usize::from(u16::from_le_bytes([low[i], high[i]]))])
                }
                None => low.map(|low| low_terms[usize::from(low)]),
            };
            for (i, (sum, code)) in sums.iter_mut().zip(codes).enumerate() {
                let number = first[i] + u64::from(number);
                *sum = sum.wrapping_add(splitmix64(number.wrapping_add(code)) & mask[i]);
            }
        }
    }
    sums.into_iter().fold(0, u64::wrapping_add)
}

/// A block's indices into `palette`. What is over repeats what is before it.
fn indices(
    police: &PoliceRows,
    column: &Column,
    over: &[Range<usize>],
    palette: &Palette,
    turned: &[Vec<Turned>],
) -> Indices {
    let mut indices = Indices::new(police.numbers.len() * column.numbers.len(), palette.codes().len());
    for thief in &column.thief {
        for bit in thief.bits.iter().map(|&bit| usize::from(bit)) {
            for (run, Turned { low, high }) in police.runs.iter().zip(&turned[thief.overlay]) {
                indices.push(run.rows.len(), low[bit], high.as_ref().map_or(0, |high| high[bit]));
            }
        }
    }
    indices.finish(over)
}

/// What the digest of a block must change by where positions are over, and not draws.
fn over_terms(game: &Pursuit, police: &PoliceRows, thief: &[u32], over: &[Range<usize>]) -> u64 {
    let mut sum = 0u64;
    for slots in over {
        for slot in slots.clone() {
            let (rank, thief) = (slot % police.teams.len(), thief[slot / police.teams.len()]);
            if let Some(winner) = game.terminal(police.teams.start + rank, thief) {
                let number = police.numbers[rank] * game.cell_count() + u64::from(thief);
                let term = digest_term(number, Value::terminal(winner, Side::Police).code());
                sum = sum.wrapping_add(term).wrapping_sub(digest_term(number, Value::Draw.code()));
            }
        }
    }
    sum
}

/// Up to 8 teams of a block that are consecutive rows of one tile.
struct Run {
    tile: usize,
    rows: Range<usize>,
}

/// Consecutive rows of one tile, in the order of `teams`.
fn runs(game: &Pursuit, grid: &Grid, teams: Range<usize>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for team in teams {
        let Row { tile, at } = grid.row(game, team);
        match runs.last_mut() {
            Some(run) if run.tile == tile as usize && run.rows.end == at && run.rows.len() < 8 => {
                run.rows.end += 1;
            }
            _ => runs.push(Run { tile: tile as usize, rows: at..at + 1 }),
        }
    }
    runs
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

    /// The slots of `over` repeat what is before them.
    fn finish(mut self, over: &[Range<usize>]) -> Indices {
        for bytes in [&mut self.low, &mut self.high] {
            bytes.truncate(self.len);
            repeat(bytes, over);
        }
        self
    }
}

/// Of the 8 rows from `start` on, the bytes of each thief cell in one word, the first row's lowest; by the cell's bit.
#[inline(always)]
fn turn(bytes: &[Words; 8], start: usize) -> Words {
    const STEPS: [(usize, u64); 3] =
        [(4, 0x0000_0000_FFFF_FFFF), (2, 0x0000_FFFF_0000_FFFF), (1, 0x00FF_00FF_00FF_00FF)];
    let first = start.min(56);
    let mut words = [[0; 8]; 8];
    for (row, words) in words.iter_mut().enumerate() {
        for (word, from) in words.iter_mut().zip(bytes) {
            *word = from[first + row];
        }
    }
    for (distance, mask) in STEPS {
        exchange(&mut words, distance, 8 * distance as u32, mask);
    }
    std::array::from_fn(|bit| words[bit / 8][bit % 8] >> (8 * (start - first)))
}

/// The slots of positions that are over, rising. The thief's cells rise.
fn over_slots(game: &Pursuit, police: &PoliceRows, thief: &[u32]) -> Vec<Range<usize>> {
    let width = police.teams.len();
    let mut slots: Vec<usize> = Vec::new();
    for (rank, team) in police.teams.clone().enumerate() {
        if game.police_arrived(team) {
            slots.extend((0..thief.len()).map(|row| row * width + rank));
        } else {
            let caught =
                game.police().list().cells(team).iter().filter_map(|cell| thief.binary_search(cell).ok());
            slots.extend(caught.map(|row| row * width + rank));
        }
    }
    for (row, _) in thief.iter().enumerate().filter(|&(_, &number)| game.exits()[number as usize]) {
        slots.extend(row * width..(row + 1) * width);
    }
    slots.sort_unstable();
    slots.dedup();
    slots.chunk_by(|a, b| a + 1 == *b).map(|same| same[0]..same[0] + same.len()).collect()
}

/// Lets the slots of `over` repeat the one before, at the start the first that is not among them.
fn repeat(indices: &mut [u8], over: &[Range<usize>]) {
    let first = over.iter().fold(0, |first, range| if range.start == first { range.end } else { first });
    let Some(&first) = indices.get(first) else { return };
    for range in over {
        let last = range.start.checked_sub(1).map_or(first, |before| indices[before]);
        indices[range.clone()].fill(last);
    }
}
