//! The codes of all positions of a small board whose words have no cells of a few tiles of the table each.
//!
//! A word of [corridors](super::super::board::corridors) has cells of many thief tiles of the table, so that
//! its log would be sorted for each of them. Here each log is read once.

use super::super::{
    board::Grid,
    log::Log,
    words::{ROWS, ones},
};
use crate::{games::pursuit::Pursuit, log_error::LogError, memory::grow_exact};
use rayon::prelude::*;
use std::ops::{ControlFlow, Range};

/// For each cell of the thief the codes of all teams, in the order of the list of teams. Terminal positions
/// have the code of draws.
pub(crate) struct Sheets {
    teams: usize,
    /// Overlay after overlay, a row for each of the 64 bits.
    codes: Vec<u16>,
}

impl Sheets {
    /// Reads the logs of all slices, on the threads of the current pool. No code is greater than
    /// [`u16::MAX`].
    ///
    /// # Errors
    /// When a log cannot be read or the system refuses memory.
    pub(crate) fn read(game: &Pursuit, grid: &Grid, logs: &[Log]) -> Result<Sheets, LogError> {
        let teams = game.police().list().len();
        let mut team_of = vec![0u32; grid.tile_count() * ROWS];
        for team in 0..teams {
            let row = grid.row(game, team);
            team_of[row.tile as usize * ROWS + row.at()] = team as u32;
        }
        let sheet = teams * u64::BITS as usize;
        let mut codes = Vec::new();
        grow_exact(&mut codes, sheet * grid.overlays.len())?;
        codes.resize(sheet * grid.overlays.len(), 0u16);
        codes.par_chunks_mut(sheet).enumerate().try_for_each(|(overlay, sheet)| {
            (0..grid.cut.count()).try_for_each(|range| {
                logs[grid.slice(overlay, range)].visit_entries(0, |entry| {
                    let first = entry.tile as usize * ROWS;
                    let team_of = &team_of[first..first + ROWS];
                    entry.for_each_run(|rows, word| {
                        for bit in ones(word) {
                            let row = &mut sheet[bit * teams..(bit + 1) * teams];
                            ones(rows).for_each(|at| row[team_of[at] as usize] = entry.code as u16);
                        }
                    });
                    ControlFlow::Continue(())
                })
            })
        })?;
        Ok(Sheets { teams, codes })
    }

    /// Returns the bytes of memory that the sheets take.
    pub(crate) fn memory(&self) -> u64 {
        size_of_val(&*self.codes) as u64
    }

    /// Returns the codes of some teams with the thief on the cell of a bit.
    #[inline(always)]
    pub(super) fn of(&self, overlay: usize, bit: usize, teams: Range<usize>) -> &[u16] {
        let row = (overlay * u64::BITS as usize + bit) * self.teams;
        &self.codes[row..][teams]
    }
}
