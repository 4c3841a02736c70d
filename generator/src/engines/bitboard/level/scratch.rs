//! The scratch memory of one thread.

use super::{
    super::{
        board::SliceTile,
        words::{ROWS, Words},
    },
    team_turn::TeamTurn,
};

/// Scratch memory, which is empty between two slices.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Scratch {
    /// The candidate rows of each police tile of the slice, one bit each.
    pub(super) rows: Vec<u64>,
    /// The tiles with candidate rows, in the order in which they were found.
    pub(super) tiles: Vec<SliceTile>,
    /// For each tile with candidate rows its place in `found`.
    places: Vec<u32>,
    /// Wins only: for the rows of each tile with candidate rows the candidate cells, those of the thief's
    /// cells with which a move leads into what the last level has changed. 0 except in candidate rows.
    found: Vec<Words>,
    /// The positions that join the set in the candidate rows of blocks with few of them, row after row.
    pub(super) decided: Vec<u64>,
    /// The words half-way through a turn of several officers.
    pub(super) turn: TeamTurn,
    /// Pieces of work since the observer was last asked whether to stop.
    pub(super) pieces: u32,
}

impl Scratch {
    /// Creates the scratch memory for slices of so many police tiles.
    pub(crate) fn new(tiles: usize) -> Scratch {
        Scratch {
            rows: vec![0; tiles],
            tiles: Vec::new(),
            places: vec![0; tiles],
            found: Vec::new(),
            decided: Vec::new(),
            turn: TeamTurn::default(),
            pieces: 0,
        }
    }

    /// Adds candidate rows of a police tile, unless it is one of another slice or `undecided` says that
    /// nothing is left to decide there. Returns whether it has added them.
    #[inline(always)]
    pub(super) fn add(&mut self, undecided: &[u16], at: SliceTile, rows: u64) -> bool {
        if undecided.get(at.index()).is_none_or(|&undecided| undecided == 0) {
            return false;
        }
        if self.rows[at.index()] == 0 {
            self.places[at.index()] = self.tiles.len() as u32;
            self.tiles.push(at);
        }
        self.rows[at.index()] |= rows;
        true
    }

    /// Returns the candidate cells of a tile with candidate rows.
    #[inline(always)]
    pub(super) fn found(&mut self, at: SliceTile) -> &mut Words {
        let place = self.places[at.index()] as usize;
        if place >= self.found.len() {
            self.found.resize(place + 1, [0; ROWS]);
        }
        &mut self.found[place]
    }
}
