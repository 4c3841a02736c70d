//! The blocks of a solved game's table.

use super::{
    super::{
        board::{AREA, Grid},
        log::{Log, UnpackedLog},
        memory,
    },
    digest::{Terms, block_terms},
    palette::Palette,
    palette_indices::{PaletteIndices, RunIndices, SlotIndices},
    sheet::{Columns, Sheet},
    sorted_log::SortedLog,
    terminal_slots::{TerminalSlots, terminal_slots},
    tiles::{PoliceTeams, ThiefTile},
};
use crate::{games::pursuit::Pursuit, log_error::LogError};
use dragnet_formats::{
    cell::Cell,
    codec::{ANY_CODE, RawBlock},
    value::Value,
};
use multiversion::multiversion;
use std::{collections::BTreeMap, ops::Range};

/// The fewest bundles that are worth having: 16 threads have enough to share then. In unit tests small boards
/// have as many as they can.
const ENOUGH: usize = if cfg!(test) { 1 << 10 } else { 64 };

/// The greatest code in a [`Sheet`]. In unit tests many boards have greater ones.
const MOST_CODE: u32 = if cfg!(test) { 16 } else { u16::MAX as u32 };

/// Bytes of a log that is unpacked and sorted, for each of its own.
const SORTED: u64 = 3;

/// Blocks that one thread makes from front to back: those of some police tiles and some thief tiles of the
/// table in one world.
#[derive(Debug)]
pub(crate) struct Bundle {
    world: u32,
    /// The police tiles, by their places in the order in which blocks are made.
    police: Range<usize>,
    /// The thief tiles, rising.
    pub(crate) thief: Vec<u32>,
}

impl Bundle {
    /// Returns the number of blocks.
    pub(crate) fn len(&self) -> u64 {
        (self.police.len() * self.thief.len()) as u64
    }
}

/// Makes the blocks of a solved game's table and their digest.
pub(crate) struct BlockMaker<'a> {
    game: &'a Pursuit,
    grid: &'a Grid,
    /// The log of each slice.
    logs: &'a [Log],
    /// The teams of each police tile of the table: the same for the blocks of all thief tiles.
    police: Vec<PoliceTeams>,
    /// The police tiles of the table in the order in which their blocks are made: those together whose teams
    /// are rows of the same tiles of the engine, and near them those of the same slices.
    order: Vec<usize>,
    /// The greatest code that a value can have.
    greatest: u32,
    /// The bytes that a [`Sheet`] may take, if blocks are made from sheets.
    sheet_room: Option<u64>,
}

impl<'a> BlockMaker<'a> {
    /// Prepares to make blocks. A thread may take `sheet_room` bytes for a [`Sheet`], if there are any.
    pub(crate) fn new(
        game: &'a Pursuit,
        grid: &'a Grid,
        logs: &'a [Log],
        greatest: u32,
        sheet_room: u64,
    ) -> BlockMaker<'a> {
        let police = PoliceTeams::all(game, grid);
        let mut order: Vec<usize> = (0..police.len()).collect();
        order.sort_by_key(|&tile| &police[tile].tiles);
        let has_sheets = grid.is_walked && greatest <= MOST_CODE;
        let sheet_room = has_sheets.then_some(sheet_room);
        BlockMaker { game, grid, logs, police, order, greatest, sheet_room }
    }

    /// Returns the cells of a thief tile of the table, by their numbers in reading order.
    fn thief_numbers(&self, tile: u32) -> &'a [u32] {
        &self.game.thief_reading()[self.game.numbering().thief().range_of(tile)]
    }

    /// Returns the numbers of all worlds, with those of the thief's tiles.
    fn thief_tiles(&self) -> impl Iterator<Item = (u32, u32)> {
        let tiles = self.game.numbering().thief().tile_count();
        (0..self.grid.worlds()).flat_map(move |world| (0..tiles).map(move |tile| (world, tile)))
    }

    /// Returns all blocks of the table in bundles, each of which needs the logs of few slices. Thief tiles
    /// that share a log are in the same ones, so that each log is sorted once or, on boards with few
    /// overlays, a few times.
    pub(crate) fn bundles(&self) -> Vec<Bundle> {
        if self.sheet_room.is_some() {
            return self.areas();
        }
        let mut tiles = vec![Vec::new(); self.grid.overlays.len()];
        for (world, tile) in self.thief_tiles() {
            tiles[self.grid.bit(world, self.thief_numbers(tile)[0]).overlay as usize].push(tile);
        }
        let parts = self.parts(ENOUGH.div_ceil(tiles.len().max(1)).min(self.grid.cut.count()));
        let bundles = tiles.into_iter().zip(&self.grid.overlays).flat_map(|(thief, overlay)| {
            let world = overlay.world;
            parts.iter().map(move |police| Bundle { world, police: police.clone(), thief: thief.clone() })
        });
        bundles.collect()
    }

    /// Returns all blocks of the table in bundles of thief tiles that lie in a square of [`AREA`] squares.
    fn areas(&self) -> Vec<Bundle> {
        let cells: Vec<Cell> = self.game.places()[1].cells().collect();
        let mut areas: BTreeMap<(u32, u16, u16), Vec<u32>> = BTreeMap::new();
        for (world, tile) in self.thief_tiles() {
            let first = cells[self.thief_numbers(tile)[0] as usize];
            areas.entry((world, first.row / AREA, first.col / AREA)).or_default().push(tile);
        }
        let bundle = |((world, ..), thief): ((u32, u16, u16), Vec<u32>)| Bundle {
            world,
            police: 0..self.order.len(),
            thief,
        };
        areas.into_iter().map(bundle).collect()
    }

    /// Cuts the police tiles of the table, in their order, into `count` parts or fewer. Tiles whose teams are
    /// rows of the same tiles of the engine stay together.
    fn parts(&self, count: usize) -> Vec<Range<usize>> {
        let (mut parts, mut start, mut end) = (Vec::new(), 0, 0);
        for alike in self.alike(0..self.order.len()) {
            end += alike.len();
            if end * count >= self.order.len() * (parts.len() + 1) {
                parts.push(start..end);
                start = end;
            }
        }
        parts
    }

    /// Returns the police tiles of the table at these places of the order, those together whose teams are
    /// rows of the same tiles of the engine.
    fn alike(&self, police: Range<usize>) -> impl Iterator<Item = &[usize]> {
        self.order[police].chunk_by(|&a, &b| self.police[a].tiles == self.police[b].tiles)
    }

    /// Returns the number of the block that [`BlockMaker::blocks`] makes behind `before` others of a bundle,
    /// if there is one.
    pub(crate) fn block(&self, bundle: &Bundle, before: u64) -> Option<u64> {
        let thief_tiles = bundle.thief.len() as u64;
        let place = usize::try_from(before.checked_div(thief_tiles)?).ok()?;
        let police_tile = *self.order[bundle.police.clone()].get(place)?;
        Some(self.number(bundle.world, police_tile, bundle.thief[(before % thief_tiles) as usize]))
    }

    /// Returns the number of the block of a police tile and a thief tile of the table in a world.
    fn number(&self, world: u32, police_tile: usize, thief_tile: u32) -> u64 {
        let police = world as u64 * self.police.len() as u64 + police_tile as u64;
        police * u64::from(self.game.numbering().thief().tile_count()) + u64::from(thief_tile)
    }

    /// Makes all blocks of a bundle, hands them to `sink` if there is one, and returns their part of the
    /// digest. Their logs alone are unpacked meanwhile.
    pub(crate) fn blocks<E: From<LogError>>(
        &self,
        bundle: &Bundle,
        sink: Option<impl Fn(u64, RawBlock) -> Result<(), E>>,
    ) -> Result<u64, E> {
        let overlays = self.overlays_of(bundle);
        let thief_tiles: Vec<ThiefTile> = bundle
            .thief
            .iter()
            .map(|&tile| ThiefTile::new(self.grid, bundle.world, tile, self.thief_numbers(tile), &overlays))
            .collect();
        let ranges = self.ranges_of(&bundle.police);
        if let Some(room) = self.sheet_room {
            let parts = self.sheet_parts(bundle, room);
            let mut digest = 0u64;
            for police in self.order[bundle.police.clone()].chunks(self.order.len().div_ceil(parts)) {
                let columns = Columns::new(self.grid, police.iter().map(|&tile| &self.police[tile]));
                let logs = |overlay| self.logs_of(overlay, &ranges);
                let sheet = Sheet::read(&columns, &thief_tiles, &overlays, logs)?;
                let of_part = self.blocks_of_sheet(&sheet, police, &thief_tiles, sink.as_ref())?;
                digest = digest.wrapping_add(of_part);
            }
            return Ok(digest);
        }
        // The logs say something of cells that are not in every one of the tiles.
        let shared = thief_tiles.len() > 1 || !thief_tiles.iter().all(|thief| self.fills(thief, &overlays));
        let unpack = |&overlay| self.logs_of(overlay, &ranges).map(Log::unpack).collect();
        let unpacked: Vec<Vec<UnpackedLog>> = overlays.iter().map(unpack).collect::<Result<_, LogError>>()?;
        let logs: Vec<SortedLog> =
            unpacked.iter().map(|logs| SortedLog::new(self.grid, logs, shared)).collect();
        let mut digest = 0u64;
        let (mut palette, mut own) = (Palette::new(self.greatest), Palette::new(self.greatest));
        for alike in self.alike(bundle.police.clone()) {
            let tiles = &self.police[alike[0]].tiles;
            // One palette for the blocks of all these tiles, so that the transpositions are done once.
            let codes = logs.iter().flat_map(|log| tiles.iter().flat_map(|&tile| log.codes(tile)));
            palette.set(codes.chain([Value::Draw.code()]));
            let of_tiles: Vec<Vec<PaletteIndices>> =
                logs.iter().map(|log| tile_indices(self.grid, tiles, &palette, log)).collect();
            for (&police_tile, police) in alike.iter().zip(alike.iter().map(|&tile| &self.police[tile])) {
                let terms = Terms::new(self.game, bundle.world, police, &palette);
                let indices: Vec<Vec<RunIndices>> =
                    of_tiles.iter().map(|tiles| run_indices(police, tiles)).collect();
                for thief in &thief_tiles {
                    let terminal = terminal_slots(self.game, police, thief);
                    digest = digest.wrapping_add(terms.block(self.game, police, thief, &terminal, &indices));
                    let Some(sink) = &sink else { continue };
                    let SlotIndices { low, high, .. } =
                        slot_indices(police, thief, &terminal, &palette, &indices);
                    let all = palette.codes();
                    // With all rows of its police tiles, a block has every code that their logs have of its
                    // cells.
                    let raw = if !police.whole || !high.is_empty() {
                        RawBlock::from_indices(all.to_vec(), low, high)
                    } else if shared {
                        own.set(codes_of(police, thief, &logs).chain([Value::Draw.code()]));
                        exact_block(all, own.codes(), low)
                    } else {
                        exact_block(all, all, low)
                    };
                    sink(self.number(thief.world, police_tile, thief.tile), raw)?;
                }
            }
        }
        Ok(digest)
    }

    /// Does what [`BlockMaker::blocks`] does for some police tiles, from the codes of their teams and the
    /// bundle's thief tiles.
    fn blocks_of_sheet<E>(
        &self,
        sheet: &Sheet,
        police_tiles: &[usize],
        thief_tiles: &[ThiefTile],
        sink: Option<&impl Fn(u64, RawBlock) -> Result<(), E>>,
    ) -> Result<u64, E> {
        let (mut digest, mut first) = (0u64, 0);
        let mut codes: Vec<u32> = Vec::new();
        for &police_tile in police_tiles {
            let (police, mut before) = (&self.police[police_tile], 0);
            let columns = first..first + police.teams.len();
            first = columns.end;
            for thief in thief_tiles {
                codes.clear();
                for cell in before..before + thief.numbers.len() {
                    let of_cell = sheet.of(cell, columns.clone());
                    codes.extend(of_cell.iter().map(|&code| u32::from(code)));
                }
                before += thief.numbers.len();
                let terminal = terminal_slots(self.game, police, thief);
                digest = digest.wrapping_add(block_terms(self.game, police, thief, &terminal, &codes));
                if let Some(sink) = sink {
                    terminal.into_iter().for_each(|run| codes[run.slots].fill(ANY_CODE));
                    sink(self.number(thief.world, police_tile, thief.tile), RawBlock::new(&codes))?;
                }
            }
        }
        Ok(digest)
    }

    /// Returns about how many bytes of memory a thread takes that makes a bundle.
    pub(crate) fn memory_needed(&self, bundle: &Bundle) -> u64 {
        match self.sheet_room {
            Some(room) => self.sheet_bytes(bundle).div_ceil(self.sheet_parts(bundle, room) as u64),
            None => SORTED * self.log_bytes(bundle),
        }
    }

    /// Returns the bytes of a sheet of all teams.
    fn sheet_bytes(&self, bundle: &Bundle) -> u64 {
        let cells = bundle.thief.iter().map(|&tile| self.thief_numbers(tile).len() as u64).sum();
        memory::sheet(self.game.police().list().len() as u64, cells)
    }

    /// Returns how many sheets a bundle has, one after the other, if one may take `room` bytes.
    fn sheet_parts(&self, bundle: &Bundle, room: u64) -> usize {
        let parts = self.sheet_bytes(bundle).div_ceil(room.max(1));
        parts.clamp(1, memory::MOST_PARTS.min(self.order.len() as u64)) as usize
    }

    /// Returns about how many bytes the logs have that a bundle needs, unpacked.
    pub(crate) fn log_bytes(&self, bundle: &Bundle) -> u64 {
        let ranges = self.ranges_of(&bundle.police);
        let overlays = self.overlays_of(bundle).into_iter();
        overlays.flat_map(|overlay| self.logs_of(overlay, &ranges)).map(|log| log.end().bytes()).sum()
    }

    /// Returns the logs of the slices that an overlay has in these ranges.
    fn logs_of(&self, overlay: u32, ranges: &[usize]) -> impl Iterator<Item = &'a Log> {
        ranges.iter().map(move |&range| &self.logs[self.grid.slice(overlay as usize, range)])
    }

    /// Returns the ranges of the engine's police tiles, rising, in which the teams of some police tiles of
    /// the table stand.
    fn ranges_of(&self, police: &Range<usize>) -> Vec<usize> {
        let mut is_used = vec![false; self.grid.cut.count()];
        for &tile in self.order[police.clone()].iter().flat_map(|&tile| &self.police[tile].tiles) {
            is_used[self.grid.cut.range_of(tile as u32)] = true;
        }
        (0..is_used.len()).filter(|&range| is_used[range]).collect()
    }

    /// Returns the overlays of a bundle's thief tiles, rising.
    pub(crate) fn overlays_of(&self, bundle: &Bundle) -> Vec<u32> {
        let numbers = bundle.thief.iter().flat_map(|&tile| self.thief_numbers(tile));
        let mut overlays: Vec<u32> =
            numbers.map(|&number| self.grid.bit(bundle.world, number).overlay).collect();
        overlays.sort_unstable();
        overlays.dedup();
        overlays
    }

    /// Returns whether the overlays of a thief tile have no other cells than its own.
    fn fills(&self, thief: &ThiefTile, overlays: &[u32]) -> bool {
        let open = |overlay: usize| self.grid.overlays[overlays[overlay] as usize].open;
        thief.parts.iter().all(|part| part.cells == open(part.overlay))
    }
}

/// Returns the codes that the logs have of a block's positions.
fn codes_of(police: &PoliceTeams, thief: &ThiefTile, logs: &[SortedLog]) -> impl Iterator<Item = u32> {
    thief.parts.iter().flat_map(|part| {
        let log = &logs[part.overlay];
        police.tiles.iter().flat_map(|&tile| log.codes_of_cells(tile, part.cells))
    })
}

/// Returns the palette indices of the positions of one overlay, tile by tile of the engine.
#[multiversion(targets = "simd")]
fn tile_indices(grid: &Grid, tiles: &[usize], palette: &Palette, log: &SortedLog) -> Vec<PaletteIndices> {
    let tiles = tiles.iter();
    tiles.map(|&tile| PaletteIndices::new(log.of(tile), grid.rows(tile as u32), palette)).collect()
}

/// Returns the palette indices of one overlay and one police tile of the table, run by run. `tiles` has those
/// of its tiles of the engine.
#[multiversion(targets = "simd")]
fn run_indices(police: &PoliceTeams, tiles: &[PaletteIndices]) -> Vec<RunIndices> {
    let mut runs = Vec::with_capacity(police.runs.len());
    for run in &police.runs {
        let tile = police.tiles.binary_search(&run.tile).expect("the tiles of all runs are listed");
        runs.push(tiles[tile].run(run.rows.start));
    }
    runs
}

/// Returns the palette indices of a block in the order of its slots.
fn slot_indices(
    police: &PoliceTeams,
    thief: &ThiefTile,
    terminal: &[TerminalSlots],
    palette: &Palette,
    indices: &[Vec<RunIndices>],
) -> SlotIndices {
    let mut slots = SlotIndices::new(police.numbers.len() * thief.numbers.len(), palette.codes().len());
    for part in &thief.parts {
        for bit in part.bits.iter().map(|&bit| usize::from(bit)) {
            for (run, RunIndices { low, high }) in police.runs.iter().zip(&indices[part.overlay]) {
                slots.push(run.rows.len(), low[bit], high.as_ref().map_or(0, |high| high[bit]));
            }
        }
    }
    slots.finish(terminal)
}

/// Returns the block with these indices into the palette `all`. It has all codes of `own`, except perhaps the
/// first, that of draws, and no others.
fn exact_block(all: &[u32], own: &[u32], mut low: Vec<u8>) -> RawBlock {
    if own.len() < all.len() {
        // For each index into `all` the number of own codes before it.
        let (mut of_own, mut next) = ([0; 256], 0);
        for (index, code) in of_own.iter_mut().zip(all) {
            *index = next as u8;
            next += usize::from(own.get(next) == Some(code));
        }
        low.iter_mut().for_each(|index| *index = of_own[usize::from(*index)]);
    }
    let mut codes = own.to_vec();
    // Without draws all bytes must be looked at, and a minimum is found many bytes at a time.
    if low.iter().copied().fold(u8::MAX, u8::min) > 0 {
        codes.remove(0);
        low.iter_mut().for_each(|index| *index -= 1);
    }
    RawBlock::from_exact_indices(codes, low)
}
