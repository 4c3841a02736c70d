//! The values of a pursuit table in other blocks.

use dragnet_formats::{
    cell::{Cell, Side},
    codec::{ANY_CODE, RawBlock},
    game::terminal::TerminalRule,
    header::{SectionedNumbering, Summary},
    numbering::TeamList,
    pieces::Pieces,
    stop::StopCheck,
};
use dragnet_generator::solution::{BlockSink, BlockSource, SourceError};
use dragnet_probe::{ProbeError, Table};
use rayon::prelude::*;

/// The values of a table in another numbering.
pub(crate) struct Repacked<'a> {
    table: &'a Table,
    numbering: SectionedNumbering,
    /// The teams of officers, tile after tile.
    teams: TeamList,
    /// The thief's cells by their numbers in reading order, tile after tile.
    thief_order: Vec<u32>,
    /// The cells of officers, and those of the thief, in reading order.
    cells: [Vec<Cell>; 2],
    ends: TerminalRule,
}

/// A team or cell of a block of the new numbering.
struct Moved<T> {
    /// The rank in the tile of the new numbering.
    rank: usize,
    /// The tile in the table.
    tile: u64,
    /// The rank in that tile.
    rank_there: usize,
    /// The number of teams or cells of that tile.
    size: usize,
    /// The numbers of the officers' cells, or the number of the thief's.
    cells: T,
}

impl<'a> Repacked<'a> {
    /// Prepares to deliver the values of `table` as blocks of `numbering`, which is of the same places.
    ///
    /// # Errors
    /// When the table says of a capture that it is where no place is.
    pub(crate) fn new(table: &'a Table, numbering: SectionedNumbering) -> Result<Repacked<'a>, ProbeError> {
        let header = table.header();
        let cells = Side::BOTH.map(|side| header.places(side).cells().collect());
        let positions = numbering.positions();
        let (teams, thief_order) = (positions.police().list(), positions.thief().order());
        let ends = table.terminal_rule(&mut StopCheck::never())?;
        Ok(Repacked { table, numbering, teams, thief_order, cells, ends })
    }

    /// Returns the teams of a new tile, sorted by their tiles in the table.
    fn moved_teams(&self, tile: u64) -> Vec<Moved<&[u32]>> {
        let there = self.table.numbering().police();
        let moved = |(rank, team)| {
            let cells = self.teams.cells(team);
            let officers: Vec<Cell> = cells.iter().map(|&cell| self.cells[0][cell as usize]).collect();
            let team = Pieces::new(&officers).expect("a team has as many officers as the rules allow");
            let place = there.place(&team).expect("both numberings have every team of the board");
            let (rank_there, size) = (place.rank as usize, place.size as usize);
            Moved { rank, tile: place.tile, rank_there, size, cells }
        };
        sorted(self.teams.range_of(tile).enumerate().map(moved).collect())
    }

    /// Returns the cells of the thief in a new tile, sorted by their tiles in the table.
    fn moved_cells(&self, tile: u32) -> Vec<Moved<u32>> {
        let there = self.table.numbering().thief();
        let moved = |(rank, &cells): (usize, &u32)| {
            let place = there.place(self.cells[1][cells as usize]);
            let place = place.expect("both numberings have every open cell of the board");
            let (tile, rank_there, size) = (place.tile.into(), place.rank.into(), place.size as usize);
            Moved { rank, tile, rank_there, size, cells }
        };
        let numbers = &self.thief_order[self.numbering.positions().thief().range_of(tile)];
        sorted(numbers.iter().enumerate().map(moved).collect())
    }
}

fn sorted<T>(mut moved: Vec<Moved<T>>) -> Vec<Moved<T>> {
    moved.sort_by_key(|moved| moved.tile);
    moved
}

impl BlockSource for Repacked<'_> {
    fn blocks(&self, sink: BlockSink) -> Result<Summary, SourceError> {
        (0..self.numbering.positions().block_count()).into_par_iter().try_for_each_init(
            Vec::new,
            |codes, block| {
                self.codes(block, codes).map_err(|error| SourceError::Values(error.into()))?;
                sink(block, RawBlock::new(codes))
            },
        )?;
        self.table.check_unchanged().map_err(|error| SourceError::Values(error.into()))?;
        Ok(self.table.header().summary)
    }
}

impl Repacked<'_> {
    /// Reads the codes of a block of the new numbering into `codes`.
    fn codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), ProbeError> {
        let tiles = self.numbering.positions().tiles(block);
        let (police, thief) = (self.moved_teams(tiles.police), self.moved_cells(tiles.thief));
        codes.clear();
        codes.resize(police.len() * thief.len(), ANY_CODE);
        let mut stored = Vec::new();
        for police_part in police.chunk_by(|a, b| a.tile == b.tile) {
            for thief_part in thief.chunk_by(|a, b| a.tile == b.tile) {
                let there = self.table.numbering();
                let police_tile = u64::from(tiles.world) * there.police().tile_count() + police_part[0].tile;
                let number = police_tile * u64::from(there.thief().tile_count());
                self.table.block_codes(number + thief_part[0].tile, &mut stored)?;
                for t in thief_part {
                    let goes_on =
                        |p: &&Moved<&[u32]>| self.ends.winner(tiles.world, p.cells, t.cells).is_none();
                    for p in police_part.iter().filter(goes_on) {
                        codes[t.rank * police.len() + p.rank] = stored[t.rank_there * p.size + p.rank_there];
                    }
                }
            }
        }
        Ok(())
    }
}
