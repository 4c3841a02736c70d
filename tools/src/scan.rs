//! All values of a table, tile by tile of the thief, with the thief-to-move ones derived: what `stats` counts and
//! `verify` checks.

use crate::failure::Failure;
use dragnet_formats::{
    board::Square,
    cell::{Cell, Side},
    header::Summary,
    moves::{MoveTable, Steps},
    pieces::{Pieces, unrank},
    rules::PoliceOnExit,
    scores,
    value::{Score, Value},
};
use dragnet_generator::team::{PartMoves, TeamSpace};
use dragnet_probe::Table;
use std::sync::OnceLock;

/// The score of a position that is lost at once for the side to move.
fn won() -> Score {
    Value::Loss(0).score_for_mover()
}

/// What is needed to scan a table: its moves and cells, in the orders in which values are laid out.
pub(crate) struct Scanner<'a> {
    table: &'a Table,
    /// The teams of officers, in whose order columns stand.
    police: TeamSpace,
    /// The moves of the police, layer by layer of [`TeamSpace`], once values are checked.
    police_moves: OnceLock<Vec<PartMoves>>,
    /// Moves between thief cells, numbered in reading order.
    thief_moves: MoveTable,
    /// Open cells in reading order.
    cells: Vec<Cell>,
    exit: Vec<bool>,
    /// For each open cell the columns with an officer on it.
    captures: Vec<Vec<u32>>,
    /// The columns in which the police has won with an officer on an exit.
    arrived: Vec<u32>,
    /// Their numbers in reading order, tile after tile.
    thief_order: Vec<u32>,
    stuck: Score,
}

/// The values of all positions with the thief in one tile; one row per thief cell, one column per team of officers, in the
/// order of the table's police tiles.
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
        let moves = |side| MoveTable::new(board, &Steps::new(rules, side));
        let police = TeamSpace::new(table.numbering().police(), rules.team, &moves(Side::Police));
        let open = board.cells().filter(|&(_, square)| square != Square::Wall);
        let (cells, exit): (Vec<Cell>, Vec<bool>) =
            open.map(|(cell, square)| (cell, square == Square::Exit)).unzip();
        let mut captures = vec![Vec::new(); cells.len()];
        let mut arrived = Vec::new();
        for team in 0..police.list().len() {
            let officers = police.list().cells(team);
            for (i, &cell) in officers.iter().enumerate() {
                if !officers[..i].contains(&cell) {
                    captures[cell as usize].push(team as u32);
                }
            }
            if rules.police_on_exit == PoliceOnExit::Wins && officers.iter().any(|&cell| exit[cell as usize])
            {
                arrived.push(team as u32);
            }
        }
        Scanner {
            police_moves: OnceLock::new(),
            police,
            thief_moves: moves(Side::Thief),
            cells,
            exit,
            captures,
            arrived,
            thief_order: table.numbering().thief().order(),
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

    /// The number of the team of column `column` in the digest.
    pub(crate) fn police_number(&self, column: usize) -> u64 {
        self.police.list().number(column)
    }

    /// Adds the values of a row to `summary`.
    pub(crate) fn add(&self, summary: &mut Summary, thief: u32, turn: Side, row: &[Score]) {
        scores::add(summary, turn, row, self.police.list(), (thief, self.cells.len() as u64));
    }

    /// The officers of the team with this number in the digest.
    pub(crate) fn officers(&self, number: u64) -> Pieces {
        let mut cells = vec![0; self.table.rules().officers.into()];
        unrank(number, &mut cells);
        let cells: Vec<Cell> = cells.into_iter().map(|cell| self.cell(cell as u32)).collect();
        Pieces::new(&cells).expect("the officers of a table")
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
        let mut rows = vec![vec![0; self.police.list().len()]; thief_cells.len()];
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
                let columns = self.police.list().range_of(police_tile);
                let block = police_tile * u64::from(thief.tile_count()) + u64::from(same_tile[0].0);
                self.table.block_codes(block, &mut codes)?;
                for &(_, rank, row) in same_tile {
                    let codes = &codes[usize::from(rank) * columns.len()..][..columns.len()];
                    // The block's codes have been checked.
                    scores::decode(codes, &mut rows[row][columns.clone()]);
                }
            }
        }
        for (row, &number) in rows.iter_mut().zip(thief_cells) {
            self.put_ends_right(row, number, -won());
        }
        Ok(rows)
    }

    /// Puts the scores of positions that are over with the thief on cell number `thief` right, given that of a capture.
    fn put_ends_right(&self, row: &mut [Score], thief: u32, caught: Score) {
        if self.exit[thief as usize] {
            row.fill(-caught);
        } else {
            self.arrived.iter().for_each(|&column| row[column as usize] = caught);
        }
        self.captures[thief as usize].iter().for_each(|&column| row[column as usize] = caught);
    }

    /// The scores with the thief to move from `cell`.
    fn thief_row<'r>(&self, cell: u32, row_of: impl Fn(u32) -> &'r Vec<Score>) -> Vec<Score> {
        let moves = self.thief_moves.of(cell as usize);
        let mut row = vec![Score::MIN; self.police.list().len()];
        for &to in moves {
            scores::raise(&mut row, row_of(to));
        }
        if moves.is_empty() {
            row.fill(self.stuck);
        } else {
            scores::all_before(&mut row);
        }
        self.put_ends_right(&mut row, cell, won());
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
        // The best that can be reached, part by part of the turn from its end.
        let parts = self.police.parts();
        let moves =
            self.police_moves.get_or_init(|| (0..parts).map(|layer| self.police.part_moves(layer)).collect());
        let mut best: Vec<Score> = Vec::new();
        for (layer, turn) in moves.iter().enumerate().rev() {
            let from = if layer + 1 == parts { after } else { &best };
            best = turn.best(from);
        }
        let mut over = vec![false; stored.len()];
        self.captures[thief as usize]
            .iter()
            .chain(&self.arrived)
            .for_each(|&column| over[column as usize] = true);
        scores::first_wrong(stored, &best, &over, self.stuck)
    }
}
