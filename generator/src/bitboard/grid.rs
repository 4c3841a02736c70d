//! What does not change while solving: the board cut in 8×8 tiles, and the moves between them as word operations.

use super::sets::first;
use crate::{encode::EIGHT, pursuit::Pursuit};
use dragnet_formats::{
    board::{Board, Square},
    cell::{Cell, Side},
    moves::MoveTable,
    numbering::{Place, Tiling},
};

/// Rows and columns of a tile: its cells are the bits of a word.
const SIDE: usize = EIGHT.rows() as usize;
const _: () = assert!(EIGHT.rows() == 8 && EIGHT.cols() == 8);
/// A tile and one square around it.
pub(super) const NEAR_SIDE: usize = SIDE + 2;
pub(super) const NEAR: usize = NEAR_SIDE * NEAR_SIDE;

/// One tile of the police. Its open cells are consecutive in tile order.
#[derive(Debug)]
pub(super) struct PoliceTile {
    /// The number of its first cell in tile order.
    pub(super) first: usize,
    /// How many open cells it has.
    pub(super) rows: usize,
    /// Rows whose cell has no move.
    pub(super) stuck: u64,
    /// The tiles with moves into this one.
    pub(super) dependents: Vec<Rows>,
    /// If each cell's moves are all open squares at most one step away, its own included: where they are.
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

/// Moves of the thief from the cells of one tile to those of one tile, all by the same number of bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    /// Where the moves lead.
    pub(super) tile: u32,
    /// Bit number there less bit number here.
    pub(super) by: i32,
    /// The cells here that have the move.
    pub(super) mask: u64,
}

impl Shift {
    /// What `all` of the tile's words become by these moves into `there`: more if one move is enough, less if all are needed.
    #[inline(always)]
    pub(super) fn add<const WINS: bool>(&self, all: u64, there: u64) -> u64 {
        // For each cell here the bit to which the move leads; bits outside the mask have no meaning.
        let look = if self.by >= 0 { there >> self.by } else { there << -self.by };
        if WINS { all | look & self.mask } else { all & (look | !self.mask) }
    }
}

/// One tile of the thief.
#[derive(Debug)]
pub(super) struct ThiefTile {
    /// Bits of its open cells.
    pub(super) open: u64,
    /// Bits of its exits.
    pub(super) exits: u64,
    /// Bits of its open cells without a move.
    pub(super) stuck: u64,
    /// For each open cell its bit.
    pub(super) bits: Vec<u8>,
    /// The tile's moves, by the tiles into which they lead.
    pub(super) shifts: Vec<Shift>,
    /// The tiles into which they lead.
    pub(super) targets: Vec<u32>,
}

/// The board in tiles, for both sides alike.
#[derive(Debug)]
pub(super) struct Grid {
    tiling: Tiling,
    /// The cells in tile order by their numbers in reading order.
    order: Vec<u32>,
    pub(super) police: Vec<PoliceTile>,
    pub(super) thief: Vec<ThiefTile>,
    /// The police's moves, in tile order.
    pub(super) steps: MoveTable,
    /// For each cell in tile order the part of `back` with the rows from which the police may step to it.
    back_starts: Vec<u32>,
    back: Vec<Rows>,
    /// By number in reading order.
    pub(super) places: Vec<Place>,
    /// By number in reading order the cell's bit in its tile's words.
    pub(super) bits: Vec<u32>,
}

/// The bit of a cell in its tile's words.
fn bit(cell: Cell) -> u32 {
    (usize::from(cell.row) % SIDE * SIDE + usize::from(cell.col) % SIDE) as u32
}

impl Grid {
    pub(super) fn new(game: &Pursuit) -> Grid {
        let board = game.board();
        let tiling = Tiling::new(board, EIGHT);
        let order = tiling.order();
        let cells: Vec<Cell> = board.open_cells().collect();
        let places: Vec<Place> = cells.iter().filter_map(|&cell| tiling.place(cell)).collect();
        let bits: Vec<u32> = cells.iter().map(|&cell| bit(cell)).collect();
        let steps = game.moves(Side::Police, &order);
        let moves_back = steps.transposed();
        let reading: Vec<u32> = (0..cells.len() as u32).collect();
        let thief_moves = game.moves(Side::Thief, &reading);
        let tiles = 0..tiling.tile_count();
        let thief = tiles
            .clone()
            .map(|tile| {
                let numbers = &order[tiling.range_of(tile)];
                let mut grid = ThiefTile::new(numbers, &thief_moves, &places, &bits);
                let exit = |&&number: &&u32| board.square(cells[number as usize]) == Some(Square::Exit);
                grid.exits = numbers.iter().filter(exit).map(|&n| 1u64 << bits[n as usize]).sum();
                grid
            })
            .collect();
        let tile_of = |cell: u32| places[order[cell as usize] as usize].tile;
        let (mut back_starts, mut back) = (vec![0], Vec::new());
        for cell in 0..cells.len() {
            // The cells of a tile are consecutive.
            for from in moves_back.of(cell).chunk_by(|&a, &b| tile_of(a) == tile_of(b)) {
                let tile = tile_of(from[0]);
                let start = tiling.range_of(tile).start as u32;
                back.push(Rows { tile, rows: from.iter().map(|&cell| 1u64 << (cell - start)).sum() });
            }
            back_starts.push(back.len() as u32);
        }
        let mut grid =
            Grid { police: Vec::new(), thief, steps, back_starts, back, places, bits, tiling, order };
        grid.police = tiles.map(|tile| grid.police_tile(board, &cells, tile)).collect();
        grid
    }

    fn police_tile(&self, board: &Board, cells: &[Cell], tile: u32) -> PoliceTile {
        let range = self.tiling.range_of(tile);
        let mut dependents: Vec<Rows> = Vec::new();
        for (row, cell) in range.clone().enumerate() {
            for from in self.moves_back(cell) {
                match dependents.iter_mut().find(|other| other.tile == from.tile) {
                    Some(known) => known.rows |= 1 << row,
                    None => dependents.push(Rows { tile: from.tile, rows: 1 << row }),
                }
            }
        }
        let stuck = range.clone().enumerate().filter(|&(_, cell)| self.steps.of(cell).is_empty());
        PoliceTile {
            first: range.start,
            rows: range.len(),
            stuck: stuck.map(|(row, _)| 1u64 << row).sum(),
            dependents,
            king: self.king(board, cells, range),
        }
    }

    fn king(&self, board: &Board, cells: &[Cell], range: std::ops::Range<usize>) -> Option<King> {
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
            let moves = self.steps.of(cell);
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

    /// Where an open cell of the board is.
    pub(super) fn place(&self, cell: Cell) -> Option<Place> {
        self.tiling.place(cell)
    }

    /// The rows from which the police may step to the cell with this number in tile order.
    #[inline(always)]
    pub(super) fn moves_back(&self, cell: usize) -> &[Rows] {
        &self.back[self.back_starts[cell] as usize..self.back_starts[cell + 1] as usize]
    }
}

impl PoliceTile {
    /// All rows.
    pub(super) fn all(&self) -> u64 {
        first(self.rows)
    }

    /// Its cells in tile order.
    #[inline(always)]
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.rows
    }
}

impl ThiefTile {
    fn new(numbers: &[u32], moves: &MoveTable, places: &[Place], bits: &[u32]) -> ThiefTile {
        let mut tile = ThiefTile {
            open: 0,
            exits: 0,
            stuck: 0,
            bits: numbers.iter().map(|&number| bits[number as usize] as u8).collect(),
            shifts: Vec::new(),
            targets: Vec::new(),
        };
        for &number in numbers {
            let mask = 1 << bits[number as usize];
            tile.open |= mask;
            let targets = moves.of(number as usize);
            if targets.is_empty() {
                tile.stuck |= mask;
            }
            for &to in targets {
                let there = places[to as usize].tile;
                let by = bits[to as usize] as i32 - bits[number as usize] as i32;
                match tile.shifts.iter_mut().find(|shift| shift.tile == there && shift.by == by) {
                    Some(shift) => shift.mask |= mask,
                    None => tile.shifts.push(Shift { tile: there, by, mask }),
                }
            }
        }
        tile.shifts.sort_by_key(|shift| shift.tile);
        tile.targets = tile.shifts.iter().map(|shift| shift.tile).collect();
        tile.targets.dedup();
        tile
    }
}
