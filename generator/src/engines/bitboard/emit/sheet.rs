//! The codes of the positions of some thief tiles of the table, where their cells are in many words.
//!
//! A word of [corridors](super::super::board) has cells of several thief tiles of the table, so that its log
//! would be sorted for each of them. For a sheet the logs of its cells are read once, one chunk at a time.
//! Where memory is short it has a part of the teams, and the logs are read for each part.

use super::{
    super::{
        board::Grid,
        log::Log,
        words::{ROWS, ones},
    },
    tiles::{PoliceTeams, TeamRun, ThiefTile},
};
use crate::{log_error::LogError, memory::grow_exact};
use std::ops::{ControlFlow, Range};

/// The columns of a sheet: for each police row the number of its team among those of some police tiles of the
/// table, or [`NONE`].
pub(super) struct Columns {
    of_rows: Vec<u32>,
    count: usize,
}

const NONE: u32 = u32::MAX;

impl Columns {
    /// Returns the columns of the teams of these police tiles, one tile after the other.
    pub(super) fn new<'a>(grid: &Grid, police: impl Iterator<Item = &'a PoliceTeams>) -> Columns {
        let mut columns = Columns { of_rows: vec![NONE; grid.tile_count() * ROWS], count: 0 };
        for TeamRun { tile, rows } in police.flat_map(|police| &police.runs) {
            for row in rows.clone() {
                columns.of_rows[tile * ROWS + row] = columns.count as u32;
                columns.count += 1;
            }
        }
        columns
    }

    fn of_tile(&self, tile: u32) -> &[u32] {
        &self.of_rows[tile as usize * ROWS..][..ROWS]
    }
}

/// For each cell of some thief tiles the codes of some teams. Terminal positions have the code of draws.
pub(super) struct Sheet {
    columns: usize,
    codes: Vec<u16>,
}

impl Sheet {
    /// Reads the logs of `overlays`, which are those of the tiles' cells. `logs` has those of a number among
    /// them. No code is greater than [`u16::MAX`].
    ///
    /// # Errors
    /// When a log cannot be read or the system refuses memory.
    pub(super) fn read<'a, L: Iterator<Item = &'a Log>>(
        columns: &Columns,
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
                end += columns.count;
            }
        }
        let mut codes = Vec::new();
        grow_exact(&mut codes, end)?;
        codes.resize(end, 0u16);
        for ((&overlay, rows), cells) in overlays.iter().zip(&rows).zip(cells) {
            for log in logs(overlay) {
                log.visit_entries(0, |entry| {
                    let of_tile = columns.of_tile(entry.tile);
                    entry.for_each_run(|police, word| {
                        for bit in ones(word & cells) {
                            let row = &mut codes[rows[bit]..][..columns.count];
                            for column in ones(police).map(|at| of_tile[at]).filter(|&column| column != NONE)
                            {
                                row[column as usize] = entry.code as u16;
                            }
                        }
                    });
                    ControlFlow::Continue(())
                })?;
            }
        }
        Ok(Sheet { columns: columns.count, codes })
    }

    /// Returns the codes of some columns with the thief on the cell that comes behind `before` others in the
    /// tiles' parts.
    #[inline(always)]
    pub(super) fn of(&self, before: usize, columns: Range<usize>) -> &[u16] {
        &self.codes[before * self.columns..][columns]
    }
}
