//! The places of the police in a table: teams of officers, in tiles (`FORMAT.md` §7).

use super::{
    tiles::TileSize,
    tiling::{Place, Tiling},
};
use crate::{
    game::{OfficerKind, Places},
    pieces::{Pieces, multisets, rank, unrank},
    stop::{StopCheck, Stopped},
    team_numbers::TeamNumbers,
};
use smallvec::{SmallVec, smallvec};

/// Words of memory that are read and written to find the next team, roughly.
const TEAM: usize = 32;

/// The place of a team in the tiles of teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamPlace {
    /// The number of the team's tile, which is the multiset of the officers' tiles.
    pub tile: u64,
    /// The number of teams in the tile.
    pub size: u32,
    /// The number of the team among those of its tile.
    pub rank: u32,
}

impl From<Place> for TeamPlace {
    #[inline(always)]
    fn from(place: Place) -> TeamPlace {
        TeamPlace { tile: place.tile.into(), size: place.size, rank: place.rank.into() }
    }
}

/// The teams of officers, in tiles: the cells of a [`Tiling`] for one officer, multisets of cells for several
/// (`FORMAT.md` §5, §7). The cells of several kinds are numbered kind by kind, and so are their tiles.
#[derive(Clone, Debug)]
pub struct Teams {
    tiling: Tiling,
    /// The numbers of teams, by the numbers of their officers' cells in reading order.
    numbers: TeamNumbers,
    /// The numbers of tiles of teams, by the numbers of their officers' tiles.
    tiles: TeamNumbers,
    /// Whether there is one officer, so that teams are cells.
    is_single: bool,
}

/// The officers of a team tile: each tile of the board with the number of officers in it, the lowest tile
/// first.
type Digits = SmallVec<[(u32, u32); Pieces::MAX]>;

impl Teams {
    pub(super) fn new(places: &Places, kinds: &[(OfficerKind, TileSize)]) -> Teams {
        let tiling = Tiling::of_kinds(places, kinds.iter().map(|&(kind, size)| (kind.rows, size)));
        let numbers = OfficerKind::team_numbers(kinds.iter().map(|(kind, _)| kind), places);
        let mut end = 0;
        let tiles = numbers.kinds().iter().map(|kind| {
            let first = end;
            // A kind's cells fill its tiles.
            end = tiling.starts().partition_point(|&start| start < kind.first + kind.places) as u32;
            (end - first, kind.officers)
        });
        let tiles = TeamNumbers::new(tiles);
        Teams { is_single: numbers.officers() == 1, tiling, numbers, tiles }
    }

    /// Returns the tiles of single officers.
    #[must_use]
    #[inline(always)]
    pub fn tiling(&self) -> &Tiling {
        &self.tiling
    }

    /// Returns the numbers of the teams in the content digest (`FORMAT.md` §8), of cells in reading order.
    #[must_use]
    #[inline(always)]
    pub fn numbers(&self) -> &TeamNumbers {
        &self.numbers
    }

    /// Returns the number of officers of a team.
    #[must_use]
    pub fn officers(&self) -> u8 {
        self.numbers.officers()
    }

    /// Returns the number of teams.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.numbers.count()
    }

    /// Returns the number of tiles of teams.
    #[must_use]
    #[inline]
    pub fn tile_count(&self) -> u64 {
        self.tiles.count()
    }

    /// Returns the place of the team, or `None` if a cell is a wall or off the board, or the team has other
    /// numbers of officers of each kind.
    #[must_use]
    #[inline(always)]
    pub fn place(&self, officers: &Pieces) -> Option<TeamPlace> {
        if let ([one], true) = (officers.cells(), self.is_single) {
            return self.tiling.place(*one).map(TeamPlace::from);
        }
        // Taken apart: otherwise single officers wait for memory that this call alone writes.
        let TeamPlace { tile, size, rank } = self.place_of_several(officers)?;
        Some(TeamPlace { tile, size, rank })
    }

    #[inline(never)]
    fn place_of_several(&self, officers: &Pieces) -> Option<TeamPlace> {
        let mut places: SmallVec<[Place; Pieces::MAX]> =
            officers.iter().map(|&cell| self.tiling.place(cell)).collect::<Option<_>>()?;
        places.sort_unstable_by_key(|place| (place.tile, place.rank));
        let tiles: SmallVec<[u32; Pieces::MAX]> = places.iter().map(|place| place.tile).collect();
        if !self.tiles.is_team(tiles.iter().copied()) {
            return None;
        }
        let (mut number, mut radix) = (0, 1);
        for same in places.chunk_by(|a, b| a.tile == b.tile) {
            number += radix * rank(same.iter().map(|place| place.rank.into()));
            radix *= multisets(same[0].size.into(), same.len() as u32);
        }
        Some(TeamPlace { tile: self.tiles.number(&tiles), size: radix as u32, rank: number as u32 })
    }

    /// Returns the number of the tile of the teams whose officers stand in these tiles, kind by kind.
    #[must_use]
    #[inline]
    pub fn tile_of(&self, tiles: &[u32]) -> u64 {
        self.tiles.number(tiles)
    }

    /// Returns the tiles of the board in which the officers of the teams of `tile` stand, rising.
    pub fn tiles_of(&self, tile: u64) -> impl Iterator<Item = u32> + use<> {
        self.digits(tile).into_iter().map(|(tile, _)| tile)
    }

    fn digits(&self, tile: u64) -> Digits {
        let tiles = self.tiles.team(tile);
        tiles.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
    }

    /// Returns the number of teams in `tile`, or 0 if there is no such tile.
    #[must_use]
    #[inline]
    pub fn size_of(&self, tile: u64) -> u32 {
        if self.is_single {
            return u32::try_from(tile).map_or(0, |tile| self.tiling.size_of(tile));
        }
        if tile >= self.tile_count() {
            return 0;
        }
        let size = |&(tile, count): &(u32, u32)| multisets(self.tiling.size_of(tile).into(), count);
        self.digits(tile)
            .iter()
            .map(size)
            .product::<u64>()
            .try_into()
            .expect("a tile of teams that a block can hold")
    }

    /// Returns all teams, tile after tile.
    #[must_use]
    pub fn list(&self) -> TeamList {
        self.list_unless(&mut StopCheck::never()).expect("nobody stops this work")
    }

    /// Returns all teams as [`Teams::list`] does, unless `check` says that the work is to stop.
    ///
    /// # Errors
    /// When the work is to stop.
    pub fn list_unless(&self, check: &mut StopCheck) -> Result<TeamList, Stopped> {
        let order = self.tiling.order();
        let officers = usize::from(self.officers());
        let mut list = TeamList { officers, numbers: self.numbers, cells: Vec::new(), starts: vec![0] };
        if self.is_single {
            list.starts.extend((0..self.tiling.tile_count()).map(|tile| self.tiling.range_of(tile).end));
            list.cells = order;
            return Ok(list);
        }
        list.cells.reserve_exact(self.count() as usize * officers);
        let mut teams = 0;
        for tile in 0..self.tile_count() {
            let digits = self.digits(tile);
            let radix = |&(tile, count): &(u32, u32)| multisets(self.tiling.size_of(tile).into(), count);
            let radices: SmallVec<[u64; Pieces::MAX]> = digits.iter().map(radix).collect();
            for number in 0..radices.iter().product() {
                check.steps(TEAM)?;
                teams += 1;
                let mut left = number;
                for (&(tile, count), &radix) in digits.iter().zip(&radices) {
                    let mut ranks: SmallVec<[u64; Pieces::MAX]> = smallvec![0; count as usize];
                    unrank(left % radix, &mut ranks);
                    left /= radix;
                    let first = self.tiling.range_of(tile).start;
                    list.cells.extend(ranks.iter().map(|&rank| order[first + rank as usize]));
                }
            }
            list.starts.push(teams);
        }
        Ok(list)
    }
}

/// All teams of a [`Teams`], tile after tile and by rank within a tile. Takes 4 bytes of memory per officer.
#[derive(Clone, Debug)]
pub struct TeamList {
    officers: usize,
    numbers: TeamNumbers,
    /// The officers of each team, as numbers of their cells in reading order.
    cells: Vec<u32>,
    /// For each tile the index of its first team; one more entry at the end.
    starts: Vec<usize>,
}

impl TeamList {
    /// Returns the number of teams.
    #[must_use]
    pub fn len(&self) -> usize {
        *self.starts.last().expect("the end of the last tile")
    }

    /// Returns whether there is no team.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the cells of team `team` as numbers in reading order. They rise from tile to tile, and so from
    /// kind to kind, but not within a tile.
    ///
    /// # Panics
    /// If there is no such team.
    #[must_use]
    #[inline]
    pub fn cells(&self, team: usize) -> &[u32] {
        &self.cells[team * self.officers..(team + 1) * self.officers]
    }

    /// Returns the [number](TeamNumbers::number) of team `team`.
    ///
    /// # Panics
    /// If there is no such team.
    #[must_use]
    #[inline]
    pub fn number(&self, team: usize) -> u64 {
        self.numbers.number(self.cells(team))
    }

    /// Returns the indices of the teams of `tile` in the list.
    ///
    /// # Panics
    /// If there is no such tile.
    #[must_use]
    #[inline]
    pub fn range_of(&self, tile: u64) -> std::ops::Range<usize> {
        self.starts[tile as usize]..self.starts[tile as usize + 1]
    }

    /// Returns the index in the list of the team with this place.
    ///
    /// # Panics
    /// If there is no such tile.
    #[must_use]
    #[inline]
    pub fn index(&self, place: TeamPlace) -> usize {
        self.starts[place.tile as usize] + place.rank as usize
    }
}
