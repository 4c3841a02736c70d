//! The blocks of a solved game's table.

use super::{
    super::{
        grid::Grid,
        log::{Log, UnpackedLog},
    },
    digest::Terms,
    palette::Palette,
    palette_indices::{PaletteIndices, RunIndices, SlotIndices},
    sorted_log::SortedLog,
    terminal_slots::terminal_slots,
    tiles::{PoliceTeams, ThiefTile},
};
use crate::{games::pursuit::Pursuit, log_error::LogError};
use dragnet_formats::{codec::RawBlock, value::Value};
use multiversion::multiversion;
use std::{collections::HashMap, ops::Range};

/// Makes the blocks of a solved game's table and their digest.
pub(in super::super) struct BlockMaker<'a> {
    game: &'a Pursuit,
    grid: &'a Grid,
    /// The log of each slice.
    logs: &'a [Log],
    /// The teams of each police tile of the table: the same for the blocks of all thief tiles.
    police: Vec<PoliceTeams>,
    /// The police tiles of the table in the order in which their blocks are made: those together whose teams
    /// are rows of the same tiles of the engine.
    order: Vec<usize>,
    /// The greatest code that a value can have.
    greatest: u32,
}

impl<'a> BlockMaker<'a> {
    pub(in super::super) fn new(
        game: &'a Pursuit,
        grid: &'a Grid,
        logs: &'a [Log],
        greatest: u32,
    ) -> BlockMaker<'a> {
        let police = PoliceTeams::all(game, grid);
        let mut first: HashMap<&[usize], usize> = HashMap::new();
        let firsts =
            police.iter().enumerate().map(|(tile, teams)| *first.entry(&teams.tiles).or_insert(tile));
        let firsts: Vec<usize> = firsts.collect();
        let mut order: Vec<usize> = (0..police.len()).collect();
        order.sort_by_key(|&tile| firsts[tile]);
        BlockMaker { game, grid, logs, police, order, greatest }
    }

    /// Returns the cells of a thief tile of the table, by their numbers in reading order.
    fn thief_numbers(&self, tile: u32) -> &'a [u32] {
        &self.game.thief_reading()[self.game.numbering().thief().range_of(tile)]
    }

    /// Returns the overlay of a cell, given its number in reading order.
    fn overlay_of(&self, number: u32) -> u32 {
        self.grid.bits[number as usize].overlay
    }

    /// Returns the thief tiles of the table in bundles that share a log: each log is then sorted once.
    pub(in super::super) fn bundles(&self) -> Vec<Vec<u32>> {
        let mut bundles = vec![Vec::new(); self.grid.overlays.len()];
        for tile in 0..self.game.numbering().thief().tile_count() {
            bundles[self.overlay_of(self.thief_numbers(tile)[0]) as usize].push(tile);
        }
        bundles
    }

    /// Returns the number of police tiles of the table.
    pub(in super::super) fn police_tiles(&self) -> u64 {
        self.police.len() as u64
    }

    /// Returns the police tile of the table whose blocks [`BlockMaker::blocks`] makes behind those of
    /// `before` others, if there is one.
    pub(in super::super) fn police_tile(&self, before: u64) -> Option<u64> {
        self.order.get(usize::try_from(before).ok()?).map(|&tile| tile as u64)
    }

    /// Returns the number of the block of a police tile and a thief tile of the table.
    pub(in super::super) fn number(&self, police_tile: u64, thief_tile: u32) -> u64 {
        police_tile * u64::from(self.game.numbering().thief().tile_count()) + u64::from(thief_tile)
    }

    /// Makes all blocks of these thief tiles, hands them to `sink` if there is one, and returns their part of
    /// the digest. Their logs alone are unpacked meanwhile.
    pub(in super::super) fn blocks<E: From<LogError>>(
        &self,
        tiles: &[u32],
        sink: Option<impl Fn(u64, RawBlock) -> Result<(), E>>,
    ) -> Result<u64, E> {
        let overlays = self.overlays_of(tiles);
        let thief_tiles: Vec<ThiefTile> = tiles
            .iter()
            .map(|&tile| ThiefTile::new(self.grid, tile, self.thief_numbers(tile), &overlays))
            .collect();
        // The logs say something of cells that are not in every one of the tiles.
        let shared = thief_tiles.len() > 1 || !thief_tiles.iter().all(|thief| self.fills(thief, &overlays));
        let unpacked = overlays.iter().map(|&overlay| self.unpack(overlay));
        let unpacked: Vec<Vec<UnpackedLog>> = unpacked.collect::<Result<_, LogError>>()?;
        let logs: Vec<SortedLog> =
            unpacked.iter().map(|logs| SortedLog::new(self.grid, logs, shared)).collect();
        let mut digest = 0u64;
        let (mut palette, mut own) = (Palette::new(self.greatest), Palette::new(self.greatest));
        let same_tiles = |&a: &usize, &b: &usize| self.police[a].tiles == self.police[b].tiles;
        for alike in self.order.chunk_by(same_tiles) {
            let tiles = &self.police[alike[0]].tiles;
            // One palette for the blocks of all these tiles, so that the transpositions are done once.
            let codes = logs.iter().flat_map(|log| tiles.iter().flat_map(|&tile| log.codes(tile)));
            palette.set(codes.chain([Value::Draw.code()]));
            let of_tiles: Vec<Vec<PaletteIndices>> =
                logs.iter().map(|log| tile_indices(self.grid, tiles, &palette, log)).collect();
            for (&police_tile, police) in alike.iter().zip(alike.iter().map(|&tile| &self.police[tile])) {
                let terms = Terms::new(police, &palette, self.grid.cell_count() as u64);
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
                    sink(self.number(police_tile as u64, thief.tile), raw)?;
                }
            }
        }
        Ok(digest)
    }

    /// Unpacks the logs of an overlay.
    fn unpack(&self, overlay: u32) -> Result<Vec<UnpackedLog<'a>>, LogError> {
        let ranges = self.grid.cut.count();
        self.logs[overlay as usize * ranges..][..ranges].iter().map(Log::unpack).collect()
    }

    /// Returns the overlays of these thief tiles, rising.
    pub(in super::super) fn overlays_of(&self, tiles: &[u32]) -> Vec<u32> {
        let numbers = tiles.iter().flat_map(|&tile| self.thief_numbers(tile));
        let mut overlays: Vec<u32> = numbers.map(|&number| self.overlay_of(number)).collect();
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
    terminal: &[Range<usize>],
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
