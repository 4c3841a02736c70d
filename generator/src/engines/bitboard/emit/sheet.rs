//! The codes of the positions of some thief tiles of the table, where their cells are in many words.
//!
//! A word of [corridors](super::super::board) has cells of several thief tiles of the table, so that its log
//! would be sorted for each of them. For a sheet the logs of its cells are read once, one chunk at a time.

use super::{
    super::{
        board::Grid,
        log::Log,
        words::{ROWS, ones},
    },
    tiles::ThiefTile,
};
use crate::{games::pursuit::Pursuit, log_error::LogError, memory::grow_exact};
use std::ops::{ControlFlow, Range};

/// The place in the list of teams of each police row; that of rows which are none has no meaning.
pub(super) struct TeamOfRow(Vec<u32>);

impl TeamOfRow {
    pub(super) fn new(game: &Pursuit, grid: &Grid) -> TeamOfRow {
        let mut teams = vec![0u32; grid.tile_count() * ROWS];
        for team in 0..game.police().list().len() {
            let row = grid.row(game, team);
            teams[row.tile as usize * ROWS + row.at()] = team as u32;
        }
        TeamOfRow(teams)
    }

    fn of_tile(&self, tile: u32) -> &[u32] {
        &self.0[tile as usize * ROWS..][..ROWS]
    }
}

/// For each cell of some thief tiles the codes of all teams, in the order of the list of teams. Terminal
/// positions have the code of draws.
pub(super) struct Sheet {
    teams: usize,
    codes: Vec<u16>,
}

impl Sheet {
    /// Reads the logs of `overlays`, which are those of the tiles' cells. `logs` has those of a number among
    /// them. No code is greater than [`u16::MAX`].
    ///
    /// # Errors
    /// When a log cannot be read or the system refuses memory.
    pub(super) fn read<'a, L: Iterator<Item = &'a Log>>(
        teams: usize,
        team_of: &TeamOfRow,
        thief_tiles: &[ThiefTile],
        overlays: &[u32],
        logs: impl Fn(u32) -> L,
    ) -> Result<Sheet, LogError> {
        // Where the row of each bit begins.
        let mut rows = vec![[0usize; u64::BITS as usize]; overlays.len()];
        let mut cells = vec![0u64; overlays.len()];
        let mut end = 0;
        for part in thief_tiles.iter().flat_map(|tile| &tile.parts) {
            cells[part.overlay] |= part.cells;
            for &bit in &part.bits {
                rows[part.overlay][usize::from(bit)] = end;
                end += teams;
            }
        }
        let mut codes = Vec::new();
        grow_exact(&mut codes, end)?;
        codes.resize(end, 0u16);
        for ((&overlay, rows), cells) in overlays.iter().zip(&rows).zip(cells) {
            for log in logs(overlay) {
                log.visit_entries(0, |entry| {
                    let team_of = team_of.of_tile(entry.tile);
                    entry.for_each_run(|police, word| {
                        for bit in ones(word & cells) {
                            let row = &mut codes[rows[bit]..][..teams];
                            ones(police).for_each(|at| row[team_of[at] as usize] = entry.code as u16);
                        }
                    });
                    ControlFlow::Continue(())
                })?;
            }
        }
        Ok(Sheet { teams, codes })
    }

    /// Returns the codes of some teams with the thief on the cell that comes behind `before` others in the
    /// tiles' parts.
    #[inline(always)]
    pub(super) fn of(&self, before: usize, teams: Range<usize>) -> &[u16] {
        &self.codes[before * self.teams..][teams]
    }
}
