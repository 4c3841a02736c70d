//! Reading whole pursuit tables: every position, in pieces that any number of threads may share.
//!
//! A [`Scan`] knows what a program that reads a whole table needs beside its blocks: the order of cells and
//! teams, which positions are terminal (their stored codes have no meaning), and the thief's moves, from
//! which the values with the thief to move follow. It reads nothing by itself. Each of its methods that reads
//! takes the number of a tile or a block, reads that and depends on no other call, so that a program may call
//! them in any order from any threads.
//!
//! | method | reads | for |
//! |---|---|---|
//! | [`Scan::team_rows`] | the teams of a police tile against all thief cells | sums, arrays |
//! | [`Scan::rows_of`] | some cells of the thief against all teams, both sides to move | partial tables |
//! | [`Scan::stored_rows`] | some cells of the thief against all teams, the police to move | partial tables |
//! | [`Scan::team_row`] | one team against all thief cells, through the cache | output in any order |
//! | [`Scan::block_codes`] | one block, terminal positions set | sums over equal blocks at once |
//!
//! ```
//! use dragnet_probe::{Open, Scan, Summary};
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
//! let table = Open::path(path).pursuit()?;
//! let scan = Scan::new(&table)?;
//! let mut summary = Summary::default();
//! for tile in 0..scan.police_tiles() {
//!     summary.merge(&scan.summary_of_tile(tile)?); // each on a thread of its own, if you like
//! }
//! assert_eq!(summary, table.header().summary);
//! # Ok::<(), dragnet_probe::ProbeError>(())
//! ```

pub mod scores;

use crate::{Position, ProbeError, Table};
use dragnet_formats::{
    cell::{Cell, Side},
    container::TableError,
    game::{
        MoveTable,
        terminal::{TeamTerminals, TerminalRule},
    },
    header::Summary,
    numbering::{TeamList, Tiling},
    pieces::Pieces,
    stop::StopCheck,
    value::{Score, Value},
};
use std::{ops::Range, sync::OnceLock};

/// All that is needed to read every position of a table. Teams stand in a list, one police tile after the
/// other. Cells of the thief are numbered in reading order over his places, world after world: in world w,
/// cell c of n has the number w · n + c, and stands for the world as well.
pub struct Scan<'a> {
    table: &'a Table,
    officer_cells: Vec<Cell>,
    cells: Vec<Cell>,
    teams: TeamList,
    /// The numbers of the cells in world 0, one thief tile after the other.
    thief_order: Vec<u32>,
    worlds: u32,
    /// Found when they are first needed: they may take more memory than all else.
    thief_moves: OnceLock<MoveTable>,
    terminals: TerminalRule,
    /// Which police tiles each thief tile has terminal positions with.
    ends: Vec<TerminalTiles>,
    stuck: Score,
}

/// The police tiles with which a thief tile has terminal positions.
#[derive(Clone)]
enum TerminalTiles {
    /// All police tiles: a cell of the thief is an exit, or officers on exits win.
    WithAll,
    /// The police tiles with an officer in one of these tiles of single officers, who may stand on a cell of
    /// the thief.
    WithOfficersIn(Vec<u32>),
}

/// The scores of the teams of one police tile against all cells of the thief, with the police to move.
pub struct TeamRows {
    teams: Range<usize>,
    cells: usize,
    scores: Vec<Score>,
}

impl TeamRows {
    /// Returns each team by its place in [`Scan::teams`], with a score for each cell of the thief.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[Score])> {
        self.teams.clone().zip(self.scores.chunks_exact(self.cells))
    }
}

/// The scores with the thief on some cells against all teams: a row for each cell, with a score for each team
/// in the order of [`Scan::teams`].
pub struct ThiefRows {
    /// The cells of the thief, by their numbers.
    pub thief: Vec<u32>,
    /// Scores with the police to move.
    pub police_to_move: Vec<Vec<Score>>,
    /// Scores with the thief to move.
    pub thief_to_move: Vec<Vec<Score>>,
}

/// Tells blocks with different codes apart: blocks with equal keys have equal codes, terminal positions
/// included, so that a program need read only one of them. In the order of keys blocks of one police tile are
/// neighbours among equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockKey {
    entry: u64,
    slots: u32,
    teams: u32,
    /// The number of the block plus 1 if some of its positions are terminal, else 0.
    alone: u64,
}

impl BlockKey {
    /// Returns how many teams the block's police tile has.
    #[must_use]
    pub fn teams(&self) -> u32 {
        self.teams
    }
}

/// Returns the score of a terminal position for the side that has just moved.
fn terminal_score(winner: Side, turn: Side) -> Score {
    Value::terminal(winner, turn).score_for_mover()
}

impl<'a> Scan<'a> {
    /// Prepares to read `table`. Takes time and memory for the teams of the board, and reads no block of
    /// positions. The thief's moves are found when they are first needed, or by [`Scan::find_thief_moves`].
    ///
    /// # Errors
    /// When the table says of a capture that it is where no place is, or of more than 2^26 captures.
    pub fn new(table: &'a Table) -> Result<Scan<'a>, ProbeError> {
        let header = table.header();
        Ok(Scan {
            officer_cells: header.places(Side::Police).cells().collect(),
            cells: header.thief.places.cells().collect(),
            teams: table.numbering().police().list(),
            thief_order: table.numbering().thief().order(),
            worlds: header.worlds,
            thief_moves: OnceLock::new(),
            ends: ends(table),
            terminals: table.terminal_rule(&mut StopCheck::never())?,
            stuck: header.stuck.value().score_for_mover(),
            table,
        })
    }

    /// Finds the thief's moves, at most `most` of all cells together, unless `check` says that the work is to
    /// stop. A few hundred bytes of a table can stand for hundreds of millions of moves, 4 bytes each.
    ///
    /// # Errors
    /// When a move leads to no place, there are more moves, or the work is to stop.
    pub fn find_thief_moves(&self, most: u32, check: &mut StopCheck) -> Result<&MoveTable, ProbeError> {
        if let Some(moves) = self.thief_moves.get() {
            return Ok(moves);
        }
        let moves = self.table.move_table(Side::Thief, most, check)?;
        Ok(self.thief_moves.get_or_init(|| moves))
    }

    fn thief_moves(&self) -> Result<&MoveTable, ProbeError> {
        self.find_thief_moves(u32::MAX, &mut StopCheck::never())
    }

    /// Returns the table.
    #[must_use]
    pub fn table(&self) -> &'a Table {
        self.table
    }

    /// Returns the cells of officers in reading order.
    #[must_use]
    pub fn officer_cells(&self) -> &[Cell] {
        &self.officer_cells
    }

    /// Returns the cells of the thief in reading order, those of one world.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns how many numbers cells of the thief have: those of all worlds.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.worlds as usize * self.cells.len()
    }

    /// Returns the position with these officers, and a cell of the thief by its number.
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn with_thief(&self, officers: Pieces, thief: u32, turn: Side) -> Position {
        let (world, cell) = self.split(thief);
        Position::new(officers, self.cells[cell as usize], turn).in_world(world)
    }

    /// Returns the world of the cell of the thief with this number, and the number of the cell in world 0.
    #[inline(always)]
    fn split(&self, thief: u32) -> (u32, u32) {
        if self.worlds == 1 {
            return (0, thief);
        }
        let cells = self.cells.len() as u32;
        (thief / cells, thief % cells)
    }

    /// Returns the number in the digest of the position with this team and cell of the thief.
    #[inline(always)]
    fn number(&self, team: usize, thief: u32) -> u64 {
        let (world, cell) = self.split(thief);
        let team = u64::from(world) * self.teams.len() as u64 + self.teams.number(team);
        team * self.cells.len() as u64 + u64::from(cell)
    }

    /// Returns all teams of officers, one police tile after the other.
    #[must_use]
    pub fn teams(&self) -> &TeamList {
        &self.teams
    }

    /// Returns the officers of the team with this
    /// [number](dragnet_formats::team_numbers::TeamNumbers::number), the one that the content digest counts
    /// by.
    ///
    /// # Panics
    /// If there is no such team.
    #[must_use]
    pub fn officers(&self, number: u64) -> Pieces {
        let team = self.table.numbering().police().numbers().team(number);
        let cells: Vec<Cell> = team.iter().map(|&cell| self.officer_cells[cell as usize]).collect();
        Pieces::new(&cells).expect("a table has a number of officers that a team can have")
    }

    /// Returns the terminal rule in a world for the team at `team` in [`Scan::teams`].
    fn terminals_of(&self, world: u32, team: usize) -> TeamTerminals<'_> {
        self.terminals.of_team(world, self.teams.cells(team))
    }

    /// Returns whether the position with the team at `team` in [`Scan::teams`] and the thief on cell number
    /// `thief` is terminal.
    #[must_use]
    #[inline]
    pub fn is_terminal(&self, team: usize, thief: u32) -> bool {
        let (world, cell) = self.split(thief);
        self.terminals_of(world, team).winner(cell).is_some()
    }

    /// Returns the number of police tiles, the units of [`Scan::team_rows`].
    #[must_use]
    pub fn police_tiles(&self) -> u64 {
        self.table.numbering().police().tile_count()
    }

    /// Returns the number of thief tiles.
    #[must_use]
    pub fn thief_tiles(&self) -> u32 {
        self.table.numbering().thief().tile_count()
    }

    /// Returns the numbers of the cells of a thief tile, in the order of their slots.
    fn thief_cells(&self, tile: u32) -> &[u32] {
        &self.thief_order[self.table.numbering().thief().range_of(tile)]
    }

    /// Returns the number of the block of a police tile and a thief tile in a world.
    fn block(&self, world: u32, police_tile: u64, thief_tile: u32) -> u64 {
        let police_tile = u64::from(world) * self.police_tiles() + police_tile;
        police_tile * u64::from(self.thief_tiles()) + u64::from(thief_tile)
    }

    /// Returns each world with each thief tile, and the number of the world's first cell.
    fn thief_tiles_in_worlds(&self) -> impl Iterator<Item = (u32, u32, usize)> + use<'a> {
        let (worlds, tiles, cells) = (self.worlds, self.thief_tiles(), self.cells.len());
        (0..worlds).flat_map(move |world| (0..tiles).map(move |tile| (world, tile, world as usize * cells)))
    }

    /// Reads the scores of all teams of a police tile, with the police to move. Each block of the table
    /// belongs to one tile, and the blocks of a tile in one world follow each other in the file. Takes 4
    /// bytes of memory per position.
    ///
    /// # Errors
    /// When a block is damaged.
    ///
    /// # Panics
    /// If there is no such tile.
    pub fn team_rows(&self, tile: u64) -> Result<TeamRows, ProbeError> {
        let teams = self.teams.range_of(tile);
        let mut rows =
            TeamRows { cells: self.cell_count(), scores: vec![0; teams.len() * self.cell_count()], teams };
        let mut codes = Vec::new();
        for (world, thief_tile, first) in self.thief_tiles_in_worlds() {
            let block = self.block(world, tile, thief_tile);
            self.table.block_codes(block, &mut codes)?;
            for (&thief, codes) in
                self.thief_cells(thief_tile).iter().zip(codes.chunks_exact(rows.teams.len()))
            {
                let column = rows.scores[first + thief as usize..].iter_mut().step_by(rows.cells);
                for (score, &code) in column.zip(codes) {
                    *score = decode(block, code)?;
                }
            }
        }
        for (team, row) in rows.teams.clone().zip(rows.scores.chunks_exact_mut(rows.cells)) {
            self.set_terminals_of_team(team, Side::Police, row);
        }
        Ok(rows)
    }

    /// Puts the scores of a team in all positions with `turn` to move into `scores`, one for each cell of the
    /// thief. Blocks come from the table's cache and are kept there.
    ///
    /// # Errors
    /// When a block is damaged.
    ///
    /// # Panics
    /// If the officers do not stand on open cells.
    pub fn team_row(&self, officers: Pieces, turn: Side, scores: &mut Vec<Score>) -> Result<(), ProbeError> {
        let numbering = self.table.numbering();
        let place = numbering.police().place(&officers).expect("officers on open cells");
        let team = self.teams.range_of(place.tile).start + place.rank as usize;
        scores.clear();
        scores.resize(self.cell_count(), 0);
        for (world, thief_tile, first) in self.thief_tiles_in_worlds() {
            let block = self.block(world, place.tile, thief_tile);
            let mut thief = self.thief_cells(thief_tile).iter();
            // A block has a row of teams for each cell of the thief.
            self.table.blocks().codes_of_column(block, place.rank, place.size, |code| {
                let cell = *thief.next().expect("a block has as many rows as its thief tile has cells");
                scores[first + cell as usize] = decode(block, code)?;
                Ok(())
            })?;
        }
        self.set_terminals_of_team(team, Side::Police, scores);
        if turn == Side::Thief {
            let police_to_move = std::mem::take(scores);
            self.thief_to_move(team, &police_to_move, scores)?;
        }
        Ok(())
    }

    /// Puts the scores with the thief to move into `scores`, given the row of the same team with the police
    /// to move.
    ///
    /// # Errors
    /// When a move of the thief leads to no place.
    ///
    /// # Panics
    /// If there is no such team, or the row does not have a score for each cell.
    pub fn thief_to_move(
        &self,
        team: usize,
        police_to_move: &[Score],
        scores: &mut Vec<Score>,
    ) -> Result<(), ProbeError> {
        let moves = self.thief_moves()?;
        scores.clear();
        scores.extend((0..self.cell_count()).map(|thief| {
            let replies = moves.of(thief).iter().map(|&to| police_to_move[to as usize]);
            replies.max().map_or(self.stuck, scores::before)
        }));
        self.set_terminals_of_team(team, Side::Thief, scores);
        Ok(())
    }

    /// Sets the scores of the terminal positions of a team's row.
    fn set_terminals_of_team(&self, team: usize, turn: Side, row: &mut [Score]) {
        for (world, row) in (0..).zip(row.chunks_mut(self.cells.len())) {
            let terminals = self.terminals_of(world, team);
            for (thief, score) in (0..).zip(row) {
                if let Some(winner) = terminals.winner(thief) {
                    *score = terminal_score(winner, turn);
                }
            }
        }
    }

    /// Reads all scores with the thief on one of these cells, given by their numbers. Takes 8 bytes of memory
    /// for each position with the thief on one of them or a move away, whose blocks are read too.
    ///
    /// # Errors
    /// When a block is damaged.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn rows_of(&self, thief: &[u32]) -> Result<ThiefRows, ProbeError> {
        let mut needed = thief.to_vec();
        let moves = self.thief_moves()?;
        needed.extend(thief.iter().flat_map(|&cell| moves.of(cell as usize)));
        needed.sort_unstable();
        needed.dedup();
        let mut stored = self.stored_rows(&needed)?;
        let row = |cell: u32| needed.partition_point(|&other| other < cell);
        let thief_to_move =
            thief.iter().map(|&cell| self.thief_row(cell, moves, |to| &stored[row(to)])).collect();
        let police_to_move = thief.iter().map(|&cell| std::mem::take(&mut stored[row(cell)])).collect();
        Ok(ThiefRows { thief: thief.to_vec(), police_to_move, thief_to_move })
    }

    /// Reads the scores with the police to move and the thief on one of these cells: a row for each cell,
    /// with a score for each team in the order of [`Scan::teams`]. Cells are given by their numbers.
    ///
    /// # Errors
    /// When a block is damaged.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn stored_rows(&self, thief_cells: &[u32]) -> Result<Vec<Vec<Score>>, ProbeError> {
        let numbering = self.table.numbering();
        let mut rows = vec![vec![0; self.teams.len()]; thief_cells.len()];
        // The rows of each tile, with their ranks in it.
        let place = |(row, &cell): (usize, &u32)| {
            let (world, cell) = self.split(cell);
            let place = numbering.thief().place(self.cells[cell as usize]).expect("an open cell has a place");
            ((world, place.tile), place.rank, row)
        };
        let mut wanted: Vec<((u32, u32), u8, usize)> = thief_cells.iter().enumerate().map(place).collect();
        wanted.sort_unstable();
        let mut codes = Vec::new();
        for same_tile in wanted.chunk_by(|a, b| a.0 == b.0) {
            for police_tile in 0..self.police_tiles() {
                let teams = self.teams.range_of(police_tile);
                let (world, thief_tile) = same_tile[0].0;
                let block = self.block(world, police_tile, thief_tile);
                self.table.block_codes(block, &mut codes)?;
                for &(_, rank, row) in same_tile {
                    let codes = &codes[usize::from(rank) * teams.len()..][..teams.len()];
                    for (score, &code) in rows[row][teams.clone()].iter_mut().zip(codes) {
                        *score = decode(block, code)?;
                    }
                }
            }
        }
        for (row, &thief) in rows.iter_mut().zip(thief_cells) {
            self.set_terminals_of_thief(thief, Side::Police, row);
        }
        Ok(rows)
    }

    /// Derives the row of a thief cell with the thief to move from the rows with the police to move.
    fn thief_row<'r>(
        &self,
        cell: u32,
        moves: &MoveTable,
        row_of: impl Fn(u32) -> &'r Vec<Score>,
    ) -> Vec<Score> {
        let moves = moves.of(cell as usize);
        let mut row = vec![Score::MIN; self.teams.len()];
        for &to in moves {
            scores::raise(&mut row, row_of(to));
        }
        if moves.is_empty() {
            row.fill(self.stuck);
        } else {
            scores::all_before(&mut row);
        }
        self.set_terminals_of_thief(cell, Side::Thief, &mut row);
        row
    }

    /// Sets the scores of the terminal positions of a thief cell's row.
    fn set_terminals_of_thief(&self, thief: u32, turn: Side, row: &mut [Score]) {
        let (world, cell) = self.split(thief);
        for (team, score) in row.iter_mut().enumerate() {
            if let Some(winner) = self.terminals_of(world, team).winner(cell) {
                *score = terminal_score(winner, turn);
            }
        }
    }

    /// Adds the scores of a team's row to `summary`.
    pub fn add_team_row(&self, summary: &mut Summary, team: usize, turn: Side, row: &[Score]) {
        for (world, row) in (0..).zip(row.chunks(self.cells.len())) {
            let first = self.number(team, world * self.cells.len() as u32);
            for (number, &score) in (first..).zip(row) {
                add(summary, number, turn, score);
            }
        }
    }

    /// Adds the scores of a thief cell's row to `summary`.
    pub fn add_thief_row(&self, summary: &mut Summary, thief: u32, turn: Side, row: &[Score]) {
        for (team, &score) in row.iter().enumerate() {
            add(summary, self.number(team, thief), turn, score);
        }
    }

    /// Returns counts, longest wins and digest of the positions of one police tile; those of all tiles
    /// together must be the header's.
    ///
    /// # Errors
    /// When a block is damaged.
    ///
    /// # Panics
    /// If there is no such tile.
    pub fn summary_of_tile(&self, tile: u64) -> Result<Summary, ProbeError> {
        let mut summary = Summary::default();
        let mut thief_to_move = Vec::new();
        for (team, row) in self.team_rows(tile)?.iter() {
            self.thief_to_move(team, row, &mut thief_to_move)?;
            self.add_team_row(&mut summary, team, Side::Police, row);
            self.add_team_row(&mut summary, team, Side::Thief, &thief_to_move);
        }
        Ok(summary)
    }

    /// Returns the position of a team, by its place in [`Scan::teams`], and a cell of the thief, by its
    /// number.
    #[must_use]
    pub fn position(&self, team: usize, thief: u32, turn: Side) -> Position {
        self.position_of(self.teams.number(team), thief, turn)
    }

    /// Returns the position of the team with this [number](Scan::officers), and a cell of the thief, by its
    /// number.
    ///
    /// # Panics
    /// If there is no such team or cell.
    #[must_use]
    pub fn position_of(&self, team_number: u64, thief: u32, turn: Side) -> Position {
        self.with_thief(self.officers(team_number), thief, turn)
    }

    /// Puts the codes of a block into `codes`, a row of all teams for each cell of the thief; the codes of
    /// terminal positions are set.
    ///
    /// # Errors
    /// When the block is damaged or there is none of that number.
    pub fn block_codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
        self.table.block_codes(block, codes)?;
        let tiles = self.table.numbering().tiles(block);
        if !self.may_end(tiles.police, tiles.thief) {
            return Ok(());
        }
        let teams = self.teams.range_of(tiles.police);
        let cells = self.thief_cells(tiles.thief).chunks(64);
        for (cells, rows) in cells.zip(codes.chunks_mut(64 * teams.len())) {
            let word = self.terminals.word(tiles.world, cells);
            for (at, team) in teams.clone().enumerate() {
                let wins = self.terminals_of(tiles.world, team).wins(&word);
                for (mut bits, winner) in [(wins.police, Side::Police), (wins.thief, Side::Thief)] {
                    while bits != 0 {
                        let row = bits.trailing_zeros() as usize;
                        rows[row * teams.len() + at] = Value::terminal(winner, Side::Police).code();
                        bits &= bits - 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns what tells the codes of a block from those of other blocks; the block itself is not read.
    ///
    /// # Errors
    /// When the index is damaged or there is no block of that number.
    pub fn block_key(&self, block: u64) -> Result<BlockKey, ProbeError> {
        let entry = self.table.block_entry(block)?.to_bits();
        let numbering = self.table.numbering();
        let tiles = numbering.tiles(block);
        Ok(BlockKey {
            entry,
            slots: numbering.slots(block),
            teams: numbering.police().size_of(tiles.police),
            alone: if self.may_end(tiles.police, tiles.thief) { block + 1 } else { 0 },
        })
    }

    /// Returns whether a position of a block may be terminal.
    fn may_end(&self, police_tile: u64, thief_tile: u32) -> bool {
        match &self.ends[thief_tile as usize] {
            TerminalTiles::WithAll => true,
            TerminalTiles::WithOfficersIn(tiles) => {
                self.table.numbering().police().tiles_of(police_tile).any(|tile| tiles.contains(&tile))
            }
        }
    }
}

/// Finds the terminal positions of each thief tile, as far as police tiles tell.
fn ends(table: &Table) -> Vec<TerminalTiles> {
    let numbering = table.numbering();
    let none = match table.table_game().ends_are_near() {
        true => TerminalTiles::WithOfficersIn(Vec::new()),
        false => TerminalTiles::WithAll,
    };
    let mut ends = vec![none; numbering.thief().tile_count() as usize];
    for cell in table.header().thief.places.cells() {
        let tile = |tiling: &Tiling| Some(tiling.place(cell)?.tile);
        let ends = &mut ends[tile(numbering.thief()).expect("a place of the thief has a tile") as usize];
        match ends {
            TerminalTiles::WithOfficersIn(_)
                if (0..table.header().worlds).any(|world| table.table_game().escaped(world, cell)) =>
            {
                *ends = TerminalTiles::WithAll;
            }
            TerminalTiles::WithOfficersIn(tiles) => {
                let tile = tile(numbering.police().tiling());
                tiles.extend(tile.filter(|tile| !tiles.contains(tile)));
            }
            TerminalTiles::WithAll => {}
        }
    }
    ends
}

/// Returns the score of a code of a block.
#[inline]
fn decode(block: u64, code: u32) -> Result<Score, TableError> {
    scores::decode(code).map_err(|source| TableError::Block { block, source })
}

/// Adds a score to `summary`; `number` is the position's number in the digest.
#[inline]
fn add(summary: &mut Summary, number: u64, turn: Side, score: Score) {
    let value = Value::from_score(score);
    match turn {
        Side::Police => summary.add_police_to_move(number, value),
        Side::Thief => summary.add_thief_to_move(value),
    }
}
