//! The number of a position in a table: tiles, blocks and slots, computed and never searched.
//!
//! ```
//! use dragnet_formats::{board::make, cell::Cell, game::OfficerKind, numbering::{EIGHT, Numbering}};
//!
//! let board = make::open(10, 10)?;
//! let places = board.places();
//! let officer = (OfficerKind { pieces: 1, rows: 10 }, EIGHT);
//! let numbering = Numbering::new(1, [&places, &places], &[officer], EIGHT);
//! let at = numbering.locate(0, Cell::new(0, 0), Cell::new(9, 9)).unwrap();
//! // The first police tile with the last of the four thief tiles. The thief's cell is its last one.
//! assert_eq!((at.block, at.slot, at.slots), (3, 3 * 64, 4 * 64));
//! # Ok::<(), dragnet_formats::board::BoardError>(())
//! ```

mod tiles;

mod tiling;

mod teams;

pub use teams::{TeamList, TeamPlace, Teams};
pub use tiles::{EIGHT, ROW, SIXTEEN, SlotsError, TileSize, TileSizeError, word_tile};
pub use tiling::{Place, Tiling};

use crate::{
    cell::Cell,
    game::{OfficerKind, Places},
    pieces::Pieces,
};
use tiles::MAX_SLOTS;
pub(crate) use tiles::tile;

/// The tiles of a block, which holds the positions of one police tile and one thief tile in one world with
/// the police to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockTiles {
    /// The number of the world.
    pub world: u32,
    /// The number of the team's tile.
    pub police: u64,
    /// The number of the thief's tile.
    pub thief: u32,
}

/// The location of a position in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The number of the block.
    pub block: u64,
    /// The number of the position's slot in the block.
    pub slot: u32,
    /// The number of slots of the block.
    pub slots: u32,
}

/// The numbering of all positions with the police to move, for a number of worlds, kinds of officers, and the
/// places and tile sizes of both sides.
#[derive(Clone, Debug)]
pub struct Numbering {
    worlds: u32,
    police: Teams,
    thief: Tiling,
    /// The number of police tiles.
    police_tiles: u64,
}

impl Numbering {
    /// The most slots of a block.
    pub const MAX_SLOTS: u64 = MAX_SLOTS;

    /// Creates the numbering for officers of these kinds and a thief, in `worlds` worlds, on these places of
    /// officers and of the thief, in tiles of these sizes, which must pass [`Numbering::check`].
    #[must_use]
    pub fn new(
        worlds: u32,
        places: [&Places; 2],
        officers: &[(OfficerKind, TileSize)],
        thief: TileSize,
    ) -> Numbering {
        let police = Teams::new(places[0], officers);
        let (police_tiles, thief) = (police.tile_count(), Tiling::new(places[1], thief));
        Numbering { worlds, police, thief, police_tiles }
    }

    /// Returns the number of worlds.
    #[must_use]
    #[inline(always)]
    pub fn worlds(&self) -> u32 {
        self.worlds
    }

    /// Checks that blocks of tiles of these sizes are small enough, for kinds of so many officers.
    ///
    /// # Errors
    /// With the most slots that a block might have.
    pub fn check(
        officers: impl IntoIterator<Item = (u8, TileSize)>,
        thief: TileSize,
    ) -> Result<(), SlotsError> {
        let teams = officers.into_iter().map(|(pieces, tile)| tile.squares().saturating_pow(pieces.into()));
        let found = teams.fold(thief.squares(), u64::saturating_mul);
        if found > Numbering::MAX_SLOTS { Err(SlotsError { found }) } else { Ok(()) }
    }

    /// Returns the teams of officers, in tiles.
    #[must_use]
    #[inline(always)]
    pub fn police(&self) -> &Teams {
        &self.police
    }

    /// Returns the thief's cells, in tiles.
    #[must_use]
    #[inline(always)]
    pub fn thief(&self) -> &Tiling {
        &self.thief
    }

    /// Returns the number of blocks of the table.
    #[must_use]
    pub fn block_count(&self) -> u64 {
        u64::from(self.worlds) * self.police_tiles * u64::from(self.thief.tile_count())
    }

    /// Returns the tiles of block number `block`.
    ///
    /// # Panics
    /// If the board has no open cell.
    #[must_use]
    pub fn tiles(&self, block: u64) -> BlockTiles {
        let thief_tiles = u64::from(self.thief.tile_count());
        let (police, thief) = (block / thief_tiles, (block % thief_tiles) as u32);
        if self.worlds == 1 {
            return BlockTiles { world: 0, police, thief };
        }
        let world = u32::try_from(police / self.police_tiles).unwrap_or(u32::MAX);
        BlockTiles { world, police: police % self.police_tiles, thief }
    }

    /// Returns the number of slots of block number `block`, or 0 if there is no such block.
    #[must_use]
    #[inline]
    pub fn slots(&self, block: u64) -> u32 {
        let BlockTiles { world, police, thief } = self.tiles(block);
        if world >= self.worlds { 0 } else { self.police.size_of(police) * self.thief.size_of(thief) }
    }

    /// Returns the location of the position, or `None` if there is no such world, one of the cells is a wall
    /// or off the board, or the team has other numbers of officers of each kind.
    #[must_use]
    #[inline]
    pub fn locate(&self, world: u32, police: impl Into<Pieces>, thief: Cell) -> Option<Location> {
        let (police, thief) = (self.police.place(&police.into())?, self.thief.place(thief)?);
        (world < self.worlds).then(|| self.location(world, police, thief))
    }

    /// Returns the location of the position in a world whose pieces have these places.
    #[must_use]
    #[inline(always)]
    pub fn location(&self, world: u32, police: TeamPlace, thief: Place) -> Location {
        let tile = u64::from(world) * self.police_tiles + police.tile;
        Location {
            block: tile * u64::from(self.thief.tile_count()) + u64::from(thief.tile),
            slot: u32::from(thief.rank) * police.size + police.rank,
            slots: thief.size * police.size,
        }
    }

    /// Returns the number of slots of all blocks together, or `u64::MAX` if it is greater than that.
    #[must_use]
    pub fn slot_count(&self) -> u64 {
        let positions = self.police.count().saturating_mul(self.thief.cell_count() as u64);
        positions.saturating_mul(self.worlds.into())
    }

    /// Returns the number of bytes of memory that the numbering takes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.police.tiling().memory() + self.thief.memory()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    proptest! {
        #[test]
        fn every_position_has_a_slot_of_its_own(
            (height, width, walls) in (1usize..12, 1usize..12)
                .prop_flat_map(|(h, w)| (Just(h), Just(w), prop::collection::vec(any::<bool>(), h * w))),
            (pr, pc, tr, tc) in (1u8..6, 1u8..6, 1u8..6, 1u8..6), officers in 1u8..4, worlds in 1u32..4,
            cut in any::<prop::sample::Index>(), has_two_kinds in any::<bool>(),
        ) {
            // Few cells for several officers: there are many teams.
            let mut left = if officers == 3 { 9 } else { 25 };
            let squares = walls.iter().map(|&wall| {
                left -= i32::from(!wall);
                !wall && (officers == 1 || left >= 0)
            });
            let places = Places::new(height as u16, width as u16, squares.collect());
            let tile = |r, c| TileSize::new(r, c).unwrap();
            let kind = |pieces, rows, tile| (OfficerKind { pieces, rows: rows as u16 }, tile);
            let kinds = match has_two_kinds && officers > 1 && height > 1 {
                true => {
                    let rows = 1 + cut.index(height - 1);
                    vec![kind(officers - 1, rows, tile(pr, pc)), kind(1, height - rows, tile(tr, pc))]
                }
                false => vec![kind(officers, height, tile(pr, pc))],
            };
            let numbering = Numbering::new(worlds, [&places, &places], &kinds, tile(tr, tc));
            let cells: Vec<Cell> = places.cells().collect();
            let mut order = numbering.police().tiling().order();
            let list = numbering.police().list();
            let (mut seen, mut numbers) = (HashSet::new(), HashSet::new());
            for tile in 0..numbering.police().tile_count() {
                let range = list.range_of(tile);
                let size = range.len() as u32;
                prop_assert_eq!(size, numbering.police().size_of(tile));
                for (rank, team) in (0..).zip(range) {
                    let at: Vec<Cell> = list.cells(team).iter().map(|&number| cells[number as usize]).collect();
                    let place = numbering.police().place(&Pieces::new(&at).unwrap()).unwrap();
                    prop_assert_eq!(place, TeamPlace { tile, size, rank });
                    prop_assert_eq!(list.index(place), team);
                    prop_assert!(list.number(team) < numbering.police().count());
                    let mut sorted: Vec<u32> = list.cells(team).to_vec();
                    sorted.sort_unstable();
                    prop_assert_eq!(&numbering.police().numbers().team(list.number(team))[..], sorted);
                    prop_assert!(numbers.insert(list.number(team)));
                    for (world, &thief) in (0..worlds).flat_map(|world| cells.iter().map(move |at| (world, at))) {
                        let thief = numbering.thief().place(thief).unwrap();
                        let at = numbering.location(world, place, thief);
                        prop_assert!(at.block < numbering.block_count());
                        prop_assert!(at.slot < at.slots);
                        prop_assert_eq!(at.slots, numbering.slots(at.block));
                        let tiles = BlockTiles { world, police: tile, thief: thief.tile };
                        prop_assert_eq!(numbering.tiles(at.block), tiles);
                        prop_assert!(seen.insert((at.block, at.slot)));
                    }
                }
            }
            prop_assert_eq!(list.len(), numbers.len());
            prop_assert_eq!(numbers.len() as u64, numbering.police().count());
            let all: u64 = (0..numbering.block_count()).map(|b| u64::from(numbering.slots(b))).sum();
            prop_assert_eq!(all, seen.len() as u64);
            prop_assert_eq!(all, numbering.slot_count());
            let blocks = numbering.block_count();
            prop_assert!(blocks == 0 || numbering.slots(blocks) == 0);
            let tiling = numbering.police().tiling();
            let tile_counts = kinds.iter().scan(0, |row, (kind, size)| {
                let squares = places.squares()[*row * width..][..usize::from(kind.rows) * width].to_vec();
                *row += usize::from(kind.rows);
                Some(Tiling::count(&Places::new(kind.rows, width as u16, squares), *size))
            });
            prop_assert_eq!(tile_counts.sum::<u32>(), tiling.tile_count());
            for (number, &cell) in (0..).zip(&cells) {
                let place = tiling.place(cell).unwrap();
                let range = tiling.range_of(place.tile);
                prop_assert_eq!(order[range][usize::from(place.rank)], number);
            }
            order.sort_unstable();
            prop_assert!(order.iter().copied().eq(0..places.count() as u32));
        }
    }
}
