//! What does not change while solving: the board cut in tiles of 64 squares, and the moves between them as word operations.

use super::{
    lane::ROWS,
    overlay::{Overlays, Seat, bit},
    sets::first,
};
use crate::{
    encode::{EIGHT, word_tile},
    pursuit::Pursuit,
};
use dragnet_formats::{
    board::Board,
    cell::Cell,
    moves::MoveTable,
    numbering::{Place, Tiling},
    pieces::Pieces,
};
use std::ops::Range;

/// Rows and columns of a tile: its squares are the bits of a word.
const SIDE: usize = EIGHT.rows() as usize;
const _: () = assert!(EIGHT.rows() == 8 && EIGHT.cols() == 8);
/// A tile and one square around it.
pub(super) const NEAR_SIDE: usize = SIDE + 2;
pub(super) const NEAR: usize = NEAR_SIDE * NEAR_SIDE;

/// One tile of the police: for one officer its rows are the open cells of a tile of the board, in tile order; for several they are up
/// to 64 teams that follow each other in a table.
#[derive(Debug)]
pub(super) struct PoliceTile {
    /// The number of its first row.
    pub(super) first: usize,
    /// How many rows it has.
    pub(super) rows: usize,
    /// Rows without a move.
    pub(super) stuck: u64,
    /// Rows in which the police has won with an officer on an exit.
    pub(super) arrived: u64,
    /// The overlays in which the officers of its rows stand, rising.
    pub(super) stands: Vec<u32>,
    /// The tiles with moves into this one, of one officer.
    pub(super) dependents: Vec<Rows>,
    /// If there is one officer, and each cell's moves are all open squares at most one step away, its own included: where they
    /// are.
    pub(super) king: Option<King>,
}

/// Some rows of a police tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub(super) tile: u32,
    pub(super) rows: u64,
}

/// A police tile laid out on squares, with the squares around it.
#[derive(Debug)]
pub(super) struct King {
    /// For each row its square, counted with those around the tile.
    pub(super) squares: Vec<u8>,
    /// The open cells around the tile, by their numbers in tile order, each with its square, counted with those around.
    pub(super) around: Vec<(u32, u8)>,
}

/// Moves of the thief from the cells of one overlay to those of one overlay, all by the same number of bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    /// Where the moves lead.
    pub(super) overlay: u32,
    /// Bit number there less bit number here.
    pub(super) by: i32,
    /// The cells here that have the move.
    pub(super) mask: u64,
}

impl Shift {
    /// The cells to which the moves lead.
    fn reached(&self) -> u64 {
        if self.by >= 0 { self.mask << self.by } else { self.mask >> -self.by }
    }

    /// What `all` of the overlay's words become by these moves into `there`: more if one move is enough, less if all are needed.
    #[inline(always)]
    pub(super) fn add<const WINS: bool>(&self, all: u64, there: u64) -> u64 {
        // For each cell here the bit to which the move leads; bits outside the mask have no meaning.
        let look = if self.by >= 0 { there >> self.by } else { there << -self.by };
        if WINS { all | look & self.mask } else { all & (look | !self.mask) }
    }
}

/// The thief's cells of which each is a bit of the same words.
#[derive(Debug)]
pub(super) struct Overlay {
    /// Their bits.
    pub(super) open: u64,
    /// Bits of the exits.
    pub(super) exits: u64,
    /// Bits of the cells without a move.
    pub(super) stuck: u64,
    /// The moves, by the overlays into which they lead.
    pub(super) shifts: Vec<Shift>,
    /// The overlays into which they lead.
    pub(super) targets: Vec<Target>,
}

/// An overlay into which moves of the thief from another, or the same, lead.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) overlay: u32,
    /// The moves.
    pub(super) shifts: Range<usize>,
    /// The cells there to which they lead.
    pub(super) cross: Cross,
}

/// Of some cells of an overlay the rows and the columns, a bit each: enough to tell what is near an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cross {
    rows: u8,
    cols: u8,
}

impl Cross {
    #[inline(always)]
    pub(super) fn of(cells: u64) -> Cross {
        let halves = cells | cells >> 32;
        let quarters = halves | halves >> 16;
        let rows =
            cells.to_le_bytes().iter().enumerate().map(|(row, &cells)| u8::from(cells != 0) << row).sum();
        Cross { rows, cols: (quarters | quarters >> 8) as u8 }
    }

    /// Whether the cells of both can have one in common.
    #[inline(always)]
    pub(super) fn meets(self, other: Cross) -> bool {
        self.rows & other.rows != 0 && self.cols & other.cols != 0
    }
}

/// The board in tiles.
#[derive(Debug)]
pub(super) struct Grid {
    tiling: Tiling,
    /// The cells in tile order by their numbers in reading order.
    order: Vec<u32>,
    /// All rows of the police.
    pub(super) rows: usize,
    pub(super) police: Vec<PoliceTile>,
    pub(super) thief: Vec<Overlay>,
    /// The moves of the police, if it is one officer.
    pub(super) single: Option<Single>,
    /// Of several officers, the tile of each row.
    row_tiles: Vec<u32>,
    /// By number in reading order.
    places: Vec<Place>,
    /// By number in reading order.
    pub(super) spots: Vec<Spot>,
}

/// Where a cell is among those of the thief.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) overlay: u32,
    /// Its bit in the overlay's words.
    pub(super) bit: u32,
}

/// The moves of one officer.
#[derive(Debug)]
pub(super) struct Single {
    /// In tile order.
    pub(super) steps: MoveTable,
    /// For each cell in tile order the part of `back` with the rows from which the police may step to it.
    back_starts: Vec<u32>,
    back: Vec<Rows>,
}

impl Single {
    fn new(game: &Pursuit, tiling: &Tiling, order: &[u32], places: &[Place]) -> Single {
        let reading = game.police().reading();
        let mut number = vec![0; order.len()];
        for (i, &cell) in (0..).zip(reading) {
            number[cell as usize] = i;
        }
        let order_there: Vec<u32> = order.iter().map(|&cell| number[cell as usize]).collect();
        let steps = game.police().moves().renumbered(&order_there);
        let moves_back = steps.transposed();
        let tile_of = |cell: u32| places[order[cell as usize] as usize].tile;
        let (mut back_starts, mut back) = (vec![0], Vec::new());
        for cell in 0..order.len() {
            // The cells of a tile are consecutive.
            for from in moves_back.of(cell).chunk_by(|&a, &b| tile_of(a) == tile_of(b)) {
                let tile = tile_of(from[0]);
                let start = tiling.range_of(tile).start as u32;
                back.push(Rows { tile, rows: from.iter().map(|&cell| 1u64 << (cell - start)).sum() });
            }
            back_starts.push(back.len() as u32);
        }
        Single { steps, back_starts, back }
    }

    /// The rows from which the police may step to the cell with this number in tile order.
    #[inline(always)]
    pub(super) fn moves_back(&self, cell: usize) -> &[Rows] {
        &self.back[self.back_starts[cell] as usize..self.back_starts[cell + 1] as usize]
    }
}

impl Grid {
    /// That of the board of `game`, whose tiling in tiles of a word this is.
    pub(super) fn new(game: &Pursuit, tiling: Tiling, overlays: &Overlays) -> Grid {
        let board = game.board();
        let tile_size = word_tile(board);
        let order = tiling.order();
        let cells: Vec<Cell> = board.open_cells().collect();
        let places: Vec<Place> = cells.iter().filter_map(|&cell| tiling.place(cell)).collect();
        let spot = |(&cell, place): (&Cell, &Place)| {
            let Seat { overlay, by } = overlays.seat_of(place.tile);
            Spot { overlay, bit: bit(cell, tile_size).wrapping_add_signed(by) }
        };
        let spots: Vec<Spot> = cells.iter().zip(&places).map(spot).collect();
        let reading: Vec<u32> = (0..cells.len() as u32).collect();
        let thief_moves = game.thief_moves(&reading);
        let mut numbers = vec![Vec::new(); overlays.count()];
        (0..).zip(&spots).for_each(|(number, spot)| numbers[spot.overlay as usize].push(number));
        let overlay = |numbers: Vec<u32>| Overlay::new(&numbers, &thief_moves, game.exits(), &spots);
        let thief = numbers.into_iter().map(overlay).collect();
        let one = game.rules().officers == 1;
        let single = one.then(|| Single::new(game, &tiling, &order, &places));
        let mut grid = Grid {
            rows: game.police().list().len(),
            police: Vec::new(),
            row_tiles: Vec::new(),
            thief,
            single,
            places,
            spots,
            tiling,
            order,
        };
        if one {
            let tiles = 0..grid.tiling.tile_count();
            grid.police = tiles.map(|tile| grid.single_tile(game, &cells, tile)).collect();
        } else {
            let list = game.police().list();
            for team_tile in 0..game.numbering().police().tile_count() {
                let all = list.range_of(team_tile);
                for first in all.clone().step_by(ROWS) {
                    let rows = first..all.end.min(first + ROWS);
                    grid.row_tiles.extend(rows.clone().map(|_| grid.police.len() as u32));
                    let tile = grid.police_tile(game, rows, |row| list.cells(row), |row| row);
                    grid.police.push(tile);
                }
            }
        }
        grid
    }

    /// The tile of the rows whose officers stand on the cells with these numbers in reading order, and which are these teams.
    fn police_tile<'a>(
        &self,
        game: &Pursuit,
        rows: Range<usize>,
        cells: impl Fn(usize) -> &'a [u32],
        team: impl Fn(usize) -> usize,
    ) -> PoliceTile {
        let bits = |is: &dyn Fn(usize) -> bool| {
            rows.clone().enumerate().filter(|&(_, row)| is(team(row))).map(|(i, _)| 1u64 << i).sum()
        };
        let mut stands: Vec<u32> =
            (rows.clone().flat_map(&cells)).map(|&cell| self.spots[cell as usize].overlay).collect();
        stands.sort_unstable();
        stands.dedup();
        PoliceTile {
            first: rows.start,
            rows: rows.len(),
            stuck: bits(&|team| game.police().stuck(team as u64)),
            arrived: bits(&|team| game.police_arrived(team)),
            stands,
            dependents: Vec::new(),
            king: None,
        }
    }

    /// A tile of one officer.
    fn single_tile(&self, game: &Pursuit, cells: &[Cell], tile: u32) -> PoliceTile {
        let range = self.tiling.range_of(tile);
        let mut dependents: Vec<Rows> = Vec::new();
        for (row, cell) in range.clone().enumerate() {
            for from in self.single.iter().flat_map(|single| single.moves_back(cell)) {
                match dependents.iter_mut().find(|other| other.tile == from.tile) {
                    Some(known) => known.rows |= 1 << row,
                    None => dependents.push(Rows { tile: from.tile, rows: 1 << row }),
                }
            }
        }
        let team = |row: usize| {
            let cell = cells[self.order[row] as usize];
            game.police().find(&Pieces::one(cell)).map_or(0, |team| team as usize)
        };
        let own = self.police_tile(game, range.clone(), |row| &self.order[row..=row], team);
        PoliceTile { dependents, king: self.king(game.board(), cells, range), ..own }
    }

    fn king(&self, board: &Board, cells: &[Cell], range: Range<usize>) -> Option<King> {
        if board.graph().is_some() {
            return None;
        }
        let steps = &self.single.as_ref()?.steps;
        let cell_at = |number: usize| cells[self.order[number] as usize];
        let corner = cell_at(range.start);
        let side = SIDE as u16;
        let (top, left) = (corner.row / side * side, corner.col / side * side);
        let near = |a: u16, b: u16| a.abs_diff(b) <= 1;
        let mut squares = Vec::with_capacity(range.len());
        for cell in range.clone() {
            let here = cell_at(cell);
            // As many moves as open squares around, and none that leads further: those are the same.
            let around = |at: u16, length: u16| at.saturating_sub(1)..=(at + 1).min(length - 1);
            let open = around(here.row, board.height())
                .flat_map(|row| around(here.col, board.width()).map(move |col| Cell::new(row, col)))
                .filter(|&cell| board.is_open(cell))
                .count();
            let moves = steps.of(cell);
            let reaches = |&to: &u32| {
                let there = cell_at(to as usize);
                near(there.row, here.row) && near(there.col, here.col)
            };
            if moves.len() != open || !moves.iter().all(reaches) {
                return None;
            }
            let (row, col) = (usize::from(here.row - top), usize::from(here.col - left));
            squares.push(((row + 1) * NEAR_SIDE + col + 1) as u8);
        }
        // A square of the tile or around it, counted from the one above and left of the tile.
        let open = |row: u16, col: u16| -> Option<u32> {
            let coordinate = |first: u16, step: u16| first.checked_add(step)?.checked_sub(1);
            let cell = Cell::new(coordinate(top, row)?, coordinate(left, col)?);
            let place = board.is_open(cell).then(|| self.tiling.place(cell))??;
            Some(self.tiling.range_of(place.tile).start as u32 + u32::from(place.rank))
        };
        let mut around = Vec::new();
        for row in 0..NEAR_SIDE {
            for col in 0..NEAR_SIDE {
                let at = (row * NEAR_SIDE + col) as u8;
                let cell = open(row as u16, col as u16).filter(|&cell| !range.contains(&(cell as usize)));
                around.extend(cell.map(|cell| (cell, at)));
            }
        }
        Some(King { squares, around })
    }

    /// The number of open cells.
    pub(super) fn cell_count(&self) -> usize {
        self.places.len()
    }

    /// The row of a team, by its place in the list of all.
    #[inline(always)]
    pub(super) fn row(&self, game: &Pursuit, team: usize) -> Row {
        if self.single.is_some() {
            let Place { tile, rank, .. } = self.places[game.police().list().cells(team)[0] as usize];
            return Row { tile, at: rank.into() };
        }
        let tile = self.row_tiles[team];
        Row { tile, at: team - self.police[tile as usize].first }
    }

    /// The tile of a row of several officers.
    #[inline(always)]
    pub(super) fn tile_of(&self, row: usize) -> u32 {
        self.row_tiles[row]
    }

    /// The cells of the officers in row number `row`, by their numbers in reading order.
    #[inline(always)]
    fn officers<'a>(&'a self, game: &'a Pursuit, row: usize) -> &'a [u32] {
        if self.single.is_some() { &self.order[row..=row] } else { game.police().list().cells(row) }
    }

    /// The bits of the cells of overlay `thief` on which an officer of row number `row` stands.
    pub(super) fn captured(&self, game: &Pursuit, row: usize, thief: usize) -> u64 {
        let spots = self.officers(game, row).iter().map(|&cell| self.spots[cell as usize]);
        spots.filter(|spot| spot.overlay as usize == thief).fold(0, |bits, spot| bits | 1 << spot.bit)
    }
}

/// A row of a police tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) tile: u32,
    /// Its number in the tile.
    pub(super) at: usize,
}

impl PoliceTile {
    /// All rows.
    pub(super) fn all(&self) -> u64 {
        first(self.rows)
    }

    /// Its cells in tile order.
    #[inline(always)]
    pub(super) fn range(&self) -> Range<usize> {
        self.first..self.first + self.rows
    }
}

impl Overlay {
    /// That of the cells with these numbers in reading order.
    fn new(numbers: &[u32], moves: &MoveTable, exits: &[bool], spots: &[Spot]) -> Overlay {
        let mut overlay = Overlay { open: 0, exits: 0, stuck: 0, shifts: Vec::new(), targets: Vec::new() };
        for number in numbers.iter().map(|&number| number as usize) {
            let bit = spots[number].bit;
            let mask = 1 << bit;
            overlay.open |= mask;
            if exits[number] {
                overlay.exits |= mask;
            }
            if moves.of(number).is_empty() {
                overlay.stuck |= mask;
            }
            for there in moves.of(number).iter().map(|&to| spots[to as usize]) {
                let by = there.bit as i32 - bit as i32;
                let same = |shift: &&mut Shift| shift.overlay == there.overlay && shift.by == by;
                match overlay.shifts.iter_mut().find(same) {
                    Some(shift) => shift.mask |= mask,
                    None => overlay.shifts.push(Shift { overlay: there.overlay, by, mask }),
                }
            }
        }
        overlay.shifts.sort_by_key(|shift| shift.overlay);
        let mut start = 0;
        for shifts in overlay.shifts.chunk_by(|a, b| a.overlay == b.overlay) {
            let end = start + shifts.len();
            let cells = shifts.iter().fold(0, |cells, shift| cells | shift.reached());
            let target = Target { overlay: shifts[0].overlay, shifts: start..end, cross: Cross::of(cells) };
            overlay.targets.push(target);
            start = end;
        }
        overlay
    }
}
