//! The two tiles of a table's block in terms of the engine: its teams as police rows, its thief cells as
//! bits.

use super::super::board::{Grid, PoliceRow};
use crate::games::pursuit::Pursuit;
use rayon::prelude::*;
use std::ops::Range;

/// The teams of one police tile of the table.
pub(super) struct PoliceTeams {
    /// The teams' places in the list of all.
    pub(super) teams: Range<usize>,
    /// The teams' numbers in the digest.
    pub(super) numbers: Vec<u64>,
    /// The teams as rows of the engine, in order.
    pub(super) runs: Vec<TeamRun>,
    /// The engine's police tiles of these rows, rising.
    pub(super) tiles: Vec<usize>,
    /// Whether the runs have all rows of these tiles.
    pub(super) whole: bool,
}

/// Up to 8 teams that are consecutive rows of one police tile of the engine.
pub(super) struct TeamRun {
    pub(super) tile: usize,
    pub(super) rows: Range<usize>,
}

impl PoliceTeams {
    /// Returns the teams of each police tile of the table.
    pub(super) fn all(game: &Pursuit, grid: &Grid) -> Vec<PoliceTeams> {
        let tiles = 0..game.numbering().police().tile_count();
        tiles.into_par_iter().map(|tile| PoliceTeams::new(game, grid, tile)).collect()
    }

    fn new(game: &Pursuit, grid: &Grid, tile: u64) -> PoliceTeams {
        let list = game.police().list();
        let teams = list.range_of(tile);
        let runs = team_runs(game, grid, teams.clone());
        let mut tiles: Vec<usize> = runs.iter().map(|run| run.tile).collect();
        tiles.sort_unstable();
        tiles.dedup();
        let whole = teams.len() == tiles.iter().map(|&tile| grid.rows(tile as u32)).sum::<usize>();
        let numbers = teams.clone().map(|team| list.number(team)).collect();
        PoliceTeams { teams, numbers, runs, tiles, whole }
    }
}

/// Returns the teams as runs of rows, in order.
fn team_runs(game: &Pursuit, grid: &Grid, teams: Range<usize>) -> Vec<TeamRun> {
    let mut runs: Vec<TeamRun> = Vec::new();
    for team in teams {
        let row: PoliceRow = grid.row(game, team);
        let (tile, at) = (row.tile as usize, row.at());
        match runs.last_mut() {
            Some(run) if run.tile == tile && run.rows.end == at && run.rows.len() < 8 => {
                run.rows.end += 1;
            }
            _ => runs.push(TeamRun { tile, rows: at..at + 1 }),
        }
    }
    runs
}

/// The cells of one thief tile of the table in one world.
pub(super) struct ThiefTile<'a> {
    pub(super) world: u32,
    pub(super) tile: u32,
    /// The cells, by their numbers in reading order, rising.
    pub(super) numbers: &'a [u32],
    /// The cells, overlay by overlay.
    pub(super) parts: Vec<ThiefPart<'a>>,
}

/// Consecutive cells of a thief tile of the table that lie on one overlay.
pub(super) struct ThiefPart<'a> {
    /// The overlay's place in the list of overlays that [`ThiefTile::new`] is given.
    pub(super) overlay: usize,
    /// The bits of the cells in one word.
    pub(super) cells: u64,
    /// The cells, by their numbers in reading order.
    pub(super) numbers: &'a [u32],
    /// The bit number of each cell.
    pub(super) bits: Vec<u8>,
}

impl<'a> ThiefTile<'a> {
    /// Creates the tile of cells with these numbers in reading order. `overlays` has the overlays of all of
    /// them, rising.
    pub(super) fn new(
        grid: &Grid,
        world: u32,
        tile: u32,
        numbers: &'a [u32],
        overlays: &[u32],
    ) -> ThiefTile<'a> {
        let overlay_of = |number: u32| grid.bit(world, number).overlay;
        let mut parts = Vec::new();
        for numbers in numbers.chunk_by(|&a, &b| overlay_of(a) == overlay_of(b)) {
            let overlay =
                overlays.binary_search(&overlay_of(numbers[0])).expect("the cells' overlays are listed");
            let bits: Vec<u8> = numbers.iter().map(|&number| grid.bit(world, number).bit as u8).collect();
            let cells = bits.iter().fold(0, |cells, bit| cells | 1 << bit);
            parts.push(ThiefPart { overlay, cells, numbers, bits });
        }
        ThiefTile { world, tile, numbers, parts }
    }
}
