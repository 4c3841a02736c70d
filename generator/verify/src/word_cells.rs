//! The thief cells of a word, and the cells to which the thief may move from them.

use super::{checked_table::CheckedTable, score::WORD};
use dragnet_formats::cell::Side;
use std::ops::Range;

/// Divides the thief's cells, tile after tile, into words of at most [`WORD`] cells. Tiles that fit into one
/// word share it, because a word costs the same whether it is full or not; a larger tile is divided.
pub(super) fn words(checked: &CheckedTable) -> Vec<Range<usize>> {
    let thief = checked.table.numbering().thief();
    let mut words: Vec<Range<usize>> = Vec::new();
    for tile in 0..thief.tile_count() {
        let cells = thief.range_of(tile);
        match words.last_mut() {
            Some(word) if cells.end - word.start <= WORD => word.end = cells.end,
            _ => words.extend(cells.clone().step_by(WORD).map(|cell| cell..(cell + WORD).min(cells.end))),
        }
    }
    words
}

/// The cells of one word in one world with the cells around them, of any world. Every cell has a *row*, in
/// which a score for each team of a police tile is kept: the cells of the word have the first rows, in the
/// order of their bits; from row [`WORD`] on there are the other cells to which the thief may move.
#[derive(Default)]
pub(super) struct WordCells {
    /// The cells of the word.
    pub(super) thief: Vec<u32>,
    /// The thief's tiles with a cell here, in their worlds, each with the rank and the row of every such
    /// cell.
    pub(super) tiles: Vec<TileRows>,
    /// All cells here by their worlds. The first group is of the cells of the word.
    pub(super) groups: Vec<RowGroup>,
    /// Where the moves of each cell of the word begin in `targets`, and their end.
    starts: Vec<usize>,
    /// The rows to which the thief moves.
    targets: Vec<usize>,
    /// For each cell of each world its row, or [`NO_ROW`].
    rows: Vec<u32>,
    /// All cells that have a row.
    known: Vec<u32>,
}

/// A world and a tile of the thief there, and for each of its cells that has a row the rank and the row.
pub(super) type TileRows = ((u32, u32), Vec<(usize, usize)>);

/// The cells of one world that have rows [64·number, 64·number + 64).
#[derive(Clone, Copy)]
pub(super) struct RowGroup {
    pub(super) world: u32,
    pub(super) number: usize,
    /// The rows of the cells, one bit each.
    pub(super) rows: u64,
    /// The rows of the cells where the thief has escaped.
    pub(super) escapes: u64,
}

/// Marks a cell without a row.
const NO_ROW: u32 = u32::MAX;

impl WordCells {
    /// Replaces what is here by the cells of another word of the same table, or by those in another world.
    pub(super) fn set(&mut self, checked: &CheckedTable, world: u32, word: Range<usize>) {
        let cells = checked.cell_count() as u32;
        self.rows.resize((checked.game.worlds * cells) as usize, NO_ROW);
        for cell in self.known.drain(..) {
            self.rows[cell as usize] = NO_ROW;
        }
        self.thief.clear();
        self.thief.extend(checked.thief_order[word].iter().map(|&cell| world * cells + cell));
        for (row, &cell) in (0..).zip(&self.thief) {
            self.rows[cell as usize] = row;
        }
        self.known.extend_from_slice(&self.thief);
        self.starts.clear();
        self.starts.push(0);
        self.targets.clear();
        for &cell in &self.thief {
            for &to in checked.game.moves(Side::Thief).of(cell as usize) {
                let row = &mut self.rows[to as usize];
                if *row == NO_ROW {
                    *row = (WORD + self.known.len() - self.thief.len()) as u32;
                    self.known.push(to);
                }
                self.targets.push(*row as usize);
            }
            self.starts.push(self.targets.len());
        }
        let mut places = Vec::with_capacity(self.known.len());
        self.groups.clear();
        // Rows rise.
        for &cell in &self.known {
            let row = self.rows[cell as usize] as usize;
            let (tile, rank) = checked.thief_place(cell);
            let world = cell / cells;
            places.push(((world, tile), rank, row));
            let (number, bit) = (row / WORD, 1 << (row % WORD));
            let mut of_number = self.groups.iter().rev().take_while(|group| group.number == number);
            let group = match of_number.position(|group| group.world == world) {
                Some(from_last) => self.groups.len() - 1 - from_last,
                None => {
                    self.groups.push(RowGroup { world, number, rows: 0, escapes: 0 });
                    self.groups.len() - 1
                }
            };
            let group = &mut self.groups[group];
            group.rows |= bit;
            group.escapes |= if checked.game.ends.escapes()[cell as usize] { bit } else { 0 };
        }
        places.sort_unstable();
        let of_tile = |places: &[((u32, u32), usize, usize)]| {
            (places[0].0, places.iter().map(|&(_, rank, row)| (rank, row)).collect())
        };
        self.tiles.clear();
        self.tiles.extend(places.chunk_by(|a, b| a.0 == b.0).map(of_tile));
    }

    /// Returns the number of rows, those that belong to no cell included.
    pub(super) fn row_count(&self) -> usize {
        WORD + self.known.len() - self.thief.len()
    }

    /// Returns the row of a cell, if the cell has one.
    #[inline(always)]
    pub(super) fn row_of(&self, cell: usize) -> Option<usize> {
        Some(self.rows[cell]).filter(|&row| row != NO_ROW).map(|row| row as usize)
    }

    /// Returns the rows to which the thief moves from a cell of the word.
    #[inline(always)]
    pub(super) fn moves(&self, bit: usize) -> &[usize] {
        &self.targets[self.starts[bit]..self.starts[bit + 1]]
    }

    /// Returns the bits of the cells of the word.
    pub(super) fn all(&self) -> u64 {
        u64::MAX.unbounded_shr((WORD - self.thief.len()) as u32)
    }
}
