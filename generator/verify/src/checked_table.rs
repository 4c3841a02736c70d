//! The table under check, with what its game says of positions.

use dragnet_formats::{
    cell::{Cell, Side},
    game::PursuitGame,
    numbering::TeamList,
    pieces::Pieces,
};
use dragnet_probe::{Position, Table};

/// A table with its game, and the places and teams of it. The places of each side, called cells here, are
/// numbered in reading order, those of the thief world after world; teams stand in a list, one police tile
/// after the other, and the whole list again for each world.
pub(super) struct CheckedTable<'a> {
    pub(super) table: &'a Table,
    /// The cells of officers, and those of the thief.
    cells: [Vec<Cell>; 2],
    pub(super) teams: TeamList,
    /// The numbers of the teams of all worlds in the content digest, which counts world after world.
    pub(super) team_numbers: Vec<u64>,
    /// The numbers of the cells in world 0, one thief tile after the other.
    pub(super) thief_order: Vec<u32>,
    pub(super) game: PursuitGame,
    /// The most teams of a police tile.
    pub(super) most_teams: usize,
    /// The slots of the longest block.
    pub(super) longest_block: usize,
}

impl<'a> CheckedTable<'a> {
    /// Prepares to check `table`, which is of `game`. Reads no block.
    pub(super) fn new(table: &'a Table, game: PursuitGame) -> CheckedTable<'a> {
        let numbering = table.numbering();
        let teams = numbering.police().list();
        let sizes = (0..numbering.police().tile_count()).map(|tile| teams.range_of(tile).len());
        let most_teams = sizes.max().unwrap_or(0);
        let thief = numbering.thief();
        let thief_cells = (0..thief.tile_count()).map(|tile| thief.range_of(tile).len());
        let in_world = |world| {
            let first = u64::from(world) * teams.len() as u64;
            (0..teams.len()).map(|team| first + teams.number(team)).collect::<Vec<u64>>()
        };
        CheckedTable {
            team_numbers: (0..game.worlds).flat_map(in_world).collect(),
            cells: game.places.each_ref().map(|places| places.cells().collect()),
            most_teams,
            longest_block: most_teams * thief_cells.max().unwrap_or(0),
            teams,
            thief_order: numbering.thief().order(),
            game,
            table,
        }
    }

    /// Returns the number of the thief's cells in one world.
    pub(super) fn cell_count(&self) -> usize {
        self.cells[Side::Thief as usize].len()
    }

    /// Returns the number of teams in all worlds.
    pub(super) fn team_count(&self) -> usize {
        self.game.worlds as usize * self.teams.len()
    }

    /// Returns the thief's tile with this cell of any world, and the rank of the cell in it.
    pub(super) fn thief_place(&self, cell: u32) -> (u32, usize) {
        let thieves = &self.cells[Side::Thief as usize];
        let place = self.table.numbering().thief().place(thieves[cell as usize % thieves.len()]);
        let place = place.expect("an open cell has a place");
        (place.tile, place.rank.into())
    }

    /// Returns the position of a team and a cell of the thief in world 0 with the police to move, in the
    /// team's world.
    pub(super) fn position(&self, team: usize, thief: u32) -> Position {
        let (world, team) = (team / self.teams.len(), team % self.teams.len());
        let [police, thieves] = &self.cells;
        let cells: Vec<Cell> = self.teams.cells(team).iter().map(|&cell| police[cell as usize]).collect();
        let team = Pieces::new(&cells).expect("a table has a number of officers that a team can have");
        Position::new(team, thieves[thief as usize], Side::Police).in_world(world as u32)
    }
}
