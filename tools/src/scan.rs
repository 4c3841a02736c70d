//! All values of a table, tile by tile of the thief, with the thief-to-move ones derived: what `stats` counts and
//! `verify` checks.

use crate::failure::Failure;
use dragnet_formats::{
    board::Square,
    cell::{Cell, Side},
    codec::value_of,
    moves::{MoveTable, Steps},
    value::{Score, Value},
};
use dragnet_probe::Table;

/// The score of a position that is lost at once for the side to move.
fn won() -> Score {
    Value::Loss(0).score_for_mover()
}

/// The score of a position whose best successor has the score `best`: the other side's view, one ply later.
#[inline]
fn before(best: Score) -> Score {
    -best + best.signum()
}

/// What is needed to scan a table: its moves and cells, in the orders in which values are laid out.
pub(crate) struct Scanner<'a> {
    table: &'a Table,
    /// Moves between police cells, numbered tile after tile.
    police_moves: MoveTable,
    /// Moves between thief cells, numbered in reading order.
    thief_moves: MoveTable,
    /// Open cells in reading order.
    cells: Vec<Cell>,
    exit: Vec<bool>,
    /// Numbers in reading order of the police cells, tile after tile.
    police_order: Vec<u32>,
    /// Place of each open cell among the police cells numbered tile after tile.
    police_place: Vec<u32>,
    /// Their numbers in reading order, tile after tile.
    thief_order: Vec<u32>,
    stuck: Score,
}

/// The values of all positions with the thief in one tile; one row per thief cell, one column per police cell, which are
/// numbered tile after tile.
pub(crate) struct TileValues {
    /// The thief's cells, by their numbers in reading order.
    pub(crate) thief: Vec<u32>,
    /// Scores with the police to move, as stored.
    pub(crate) police_to_move: Vec<Vec<Score>>,
    /// Scores with the thief to move, derived from those.
    pub(crate) thief_to_move: Vec<Vec<Score>>,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(table: &'a Table) -> Scanner<'a> {
        let (board, rules) = (table.board(), table.rules());
        let (police_order, thief_order) =
            (table.numbering().police().order(), table.numbering().thief().order());
        let mut police_place = vec![0; police_order.len()];
        for (place, &cell) in (0..).zip(&police_order) {
            police_place[cell as usize] = place;
        }
        let open = board.cells().filter(|&(_, square)| square != Square::Wall);
        let (cells, exit) = open.map(|(cell, square)| (cell, square == Square::Exit)).unzip();
        Scanner {
            police_moves: MoveTable::new(board, &Steps::new(rules, Side::Police)).renumbered(&police_order),
            thief_moves: MoveTable::new(board, &Steps::new(rules, Side::Thief)),
            cells,
            exit,
            police_order,
            police_place,
            thief_order,
            stuck: rules.stuck.value().score_for_mover(),
            table,
        }
    }

    pub(crate) fn table(&self) -> &'a Table {
        self.table
    }

    /// Tiles of the thief.
    pub(crate) fn tile_count(&self) -> u32 {
        self.table.numbering().thief().tile_count()
    }

    /// Number in reading order of the police cell in column `column`.
    pub(crate) fn police_number(&self, column: usize) -> u32 {
        self.police_order[column]
    }

    /// The open cell with this number in reading order.
    pub(crate) fn cell(&self, number: u32) -> Cell {
        self.cells[number as usize]
    }

    /// All values with the thief in tile number `tile`. Takes 8 bytes of memory for each position with the thief in the
    /// tile or a move away from it.
    pub(crate) fn tile(&self, tile: u32) -> Result<TileValues, Failure> {
        let thief = self.thief_order[self.table.numbering().thief().range_of(tile)].to_vec();
        let mut needed: Vec<u32> = thief.clone();
        needed.extend(thief.iter().flat_map(|&cell| self.thief_moves.of(cell as usize)));
        needed.sort_unstable();
        needed.dedup();
        let mut stored = self.stored_rows(&needed)?;
        let row = |cell: u32| needed.partition_point(|&other| other < cell);
        let thief_to_move = thief.iter().map(|&cell| self.thief_row(cell, |to| &stored[row(to)])).collect();
        let police_to_move = thief.iter().map(|&cell| std::mem::take(&mut stored[row(cell)])).collect();
        Ok(TileValues { thief, police_to_move, thief_to_move })
    }

    /// The rows of stored scores for these thief cells, terminal positions put right.
    fn stored_rows(&self, thief_cells: &[u32]) -> Result<Vec<Vec<Score>>, Failure> {
        let numbering = self.table.numbering();
        let (police, thief) = (numbering.police(), numbering.thief());
        let mut rows = vec![vec![0; self.cells.len()]; thief_cells.len()];
        // Which rows stand where in which tile.
        let mut wanted: Vec<(u32, u8, usize)> = Vec::new();
        for (row, &number) in thief_cells.iter().enumerate() {
            if let Some(place) = thief.place(self.cell(number)) {
                wanted.push((place.tile, place.rank, row));
            }
        }
        wanted.sort_unstable();
        let mut codes = Vec::new();
        for same_tile in wanted.chunk_by(|a, b| a.0 == b.0) {
            for police_tile in 0..police.tile_count() {
                let columns = police.range_of(police_tile);
                let block =
                    u64::from(police_tile) * u64::from(thief.tile_count()) + u64::from(same_tile[0].0);
                self.table.block_codes(block, &mut codes)?;
                for &(_, rank, row) in same_tile {
                    let codes = &codes[usize::from(rank) * columns.len()..][..columns.len()];
                    for (to, &code) in rows[row][columns.clone()].iter_mut().zip(codes) {
                        // The block's codes have been checked.
                        *to = value_of(code).map_or(0, Value::score_for_mover);
                    }
                }
            }
        }
        for (row, &number) in rows.iter_mut().zip(thief_cells) {
            if self.exit[number as usize] {
                row.fill(won());
            }
            row[self.police_place[number as usize] as usize] = -won();
        }
        Ok(rows)
    }

    /// The scores with the thief to move from `cell`.
    fn thief_row<'r>(&self, cell: u32, row_of: impl Fn(u32) -> &'r Vec<Score>) -> Vec<Score> {
        let columns = self.cells.len();
        let mut row;
        if self.exit[cell as usize] {
            row = vec![-won(); columns];
        } else {
            let moves = self.thief_moves.of(cell as usize);
            row = vec![Score::MIN; columns];
            for &to in moves {
                for (best, &score) in row.iter_mut().zip(row_of(to)) {
                    *best = (*best).max(score);
                }
            }
            if moves.is_empty() {
                row.fill(self.stuck);
            } else {
                row.iter_mut().for_each(|best| *best = before(*best));
            }
        }
        row[self.police_place[cell as usize] as usize] = won();
        row
    }

    /// The first position with the police to move whose stored score is not what its successors make of it: its police
    /// column and the score it should have.
    pub(crate) fn first_wrong(
        &self,
        thief: u32,
        stored: &[Score],
        after: &[Score],
    ) -> Option<(usize, Score)> {
        if self.exit[thief as usize] {
            return None;
        }
        let captured = self.police_place[thief as usize] as usize;
        (0..stored.len()).filter(|&column| column != captured).find_map(|column| {
            let best = self.police_moves.of(column).iter().map(|&to| after[to as usize]).max();
            let derived = best.map_or(self.stuck, before);
            (derived != stored[column]).then_some((column, derived))
        })
    }
}
