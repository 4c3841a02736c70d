//! What does not change while solving: the board cut in 8×8 tiles, and the moves between them as word operations.

use crate::{encode::EIGHT, pursuit::Pursuit};
use dragnet_formats::{
    board::Square,
    cell::{Cell, Side},
    moves::{MoveTable, Steps},
    numbering::{Place, Tiling},
};

/// Rows and columns of a tile: its cells are the bits of a word.
const SIDE: u16 = EIGHT.rows() as u16;

/// One tile of the police.
#[derive(Debug)]
pub(super) struct PoliceGrid {
    /// The tiles to which its cells have moves.
    pub(super) neighbours: Vec<u32>,
    /// For each of its open cells `width` places, in the rows of all neighbours one after the other, to which the cell has
    /// moves. Cells with fewer moves are filled up with `pad`.
    pub(super) steps: Vec<u32>,
    pub(super) width: usize,
    /// The place after the last row.
    pad: u32,
}

/// Moves of the thief from the cells of one tile to those of one tile, all by the same number of bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// Where the moves lead.
    pub(super) tile: u32,
    /// Bit number there less bit number here.
    pub(super) shift: i32,
    /// The cells here that have the move.
    pub(super) mask: u64,
}

impl Group {
    /// For each cell here the bit of `there` to which the move leads; bits outside the mask have no meaning.
    #[inline]
    pub(super) fn look(&self, there: u64) -> u64 {
        if self.shift >= 0 { there >> self.shift } else { there << -self.shift }
    }
}

/// One tile of the thief.
#[derive(Debug)]
pub(super) struct ThiefGrid {
    /// Bits of its open cells.
    pub(super) open: u64,
    /// Bits of its exits.
    pub(super) exits: u64,
    /// Bits of its open cells without a move.
    pub(super) stuck: u64,
    /// For each bit the cell's number among the tile's open cells.
    pub(super) rank: [u8; 64],
    /// The tile's moves.
    pub(super) groups: Vec<Group>,
    /// The tiles that have moves to this one.
    pub(super) dependents: Vec<u32>,
    /// Open cells of all tiles before this one.
    pub(super) cells_before: usize,
}

/// The board in tiles, for both sides alike.
#[derive(Debug)]
pub(super) struct Grid {
    tiling: Tiling,
    pub(super) police: Vec<PoliceGrid>,
    pub(super) thief: Vec<ThiefGrid>,
    /// By number in reading order.
    pub(super) places: Vec<Place>,
    /// By number in reading order the cell's bit in its tile's words.
    pub(super) bits: Vec<u32>,
    pub(super) cell_count: usize,
}

/// The bit of a cell in its tile's words.
fn bit(cell: Cell) -> u32 {
    u32::from(cell.row % SIDE * SIDE + cell.col % SIDE)
}

impl Grid {
    pub(super) fn new(game: &Pursuit) -> Grid {
        let (board, rules) = (game.board(), game.rules());
        let tiling = Tiling::new(board, EIGHT);
        let cells: Vec<Cell> = board.open_cells().collect();
        let places: Vec<Place> = cells.iter().filter_map(|&cell| tiling.place(cell)).collect();
        let bits: Vec<u32> = cells.iter().map(|&cell| bit(cell)).collect();
        let moves = |side| MoveTable::new(board, &Steps::new(rules, side));
        let (police_moves, thief_moves) = (moves(Side::Police), moves(Side::Thief));
        let tiles = 0..tiling.tile_count();
        let police =
            tiles.clone().map(|tile| PoliceGrid::new(&tiling, tile, &places, &police_moves)).collect();
        let mut thief: Vec<ThiefGrid> = Vec::with_capacity(tiles.len());
        for tile in tiles {
            let numbers = tiling.cells_of(tile);
            let mut grid = ThiefGrid {
                open: 0,
                exits: 0,
                stuck: 0,
                rank: [0; 64],
                groups: Vec::new(),
                dependents: Vec::new(),
                cells_before: tiling.range_of(tile).start,
            };
            for (rank, &number) in (0..).zip(numbers) {
                let from = cells[number as usize];
                let mask = 1 << bits[number as usize];
                grid.open |= mask;
                if board.square(from) == Some(Square::Exit) {
                    grid.exits |= mask;
                }
                grid.rank[bits[number as usize] as usize] = rank;
                let targets = thief_moves.of(number as usize);
                if targets.is_empty() {
                    grid.stuck |= mask;
                }
                for &to in targets {
                    let tile = places[to as usize].tile;
                    let shift = bits[to as usize] as i32 - bits[number as usize] as i32;
                    match grid.groups.iter_mut().find(|group| group.tile == tile && group.shift == shift) {
                        Some(group) => group.mask |= mask,
                        None => grid.groups.push(Group { tile, shift, mask }),
                    }
                }
            }
            thief.push(grid);
        }
        for tile in 0..thief.len() {
            let mut targets: Vec<u32> = thief[tile].groups.iter().map(|group| group.tile).collect();
            targets.sort_unstable();
            targets.dedup();
            targets.iter().for_each(|&to| thief[to as usize].dependents.push(tile as u32));
        }
        Grid { police, thief, places, bits, cell_count: cells.len(), tiling }
    }

    /// Where an open cell of the board is.
    pub(super) fn place(&self, cell: Cell) -> Option<Place> {
        self.tiling.place(cell)
    }

    /// Whether the cell with this number in reading order is an exit.
    pub(super) fn is_exit(&self, number: u32) -> bool {
        let tile = &self.thief[self.places[number as usize].tile as usize];
        tile.exits >> self.bits[number as usize] & 1 == 1
    }

    /// The numbers in reading order of the open cells of `tile`.
    pub(super) fn cells(&self, tile: usize) -> &[u32] {
        self.tiling.cells_of(tile as u32)
    }
}

impl PoliceGrid {
    fn new(tiling: &Tiling, tile: u32, places: &[Place], moves: &MoveTable) -> PoliceGrid {
        let numbers = tiling.cells_of(tile);
        let targets = |number: &u32| moves.of(*number as usize);
        let mut neighbours: Vec<u32> =
            numbers.iter().flat_map(targets).map(|&to| places[to as usize].tile).collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        let mut first_row = Vec::with_capacity(neighbours.len());
        let mut rows = 0;
        for &neighbour in &neighbours {
            first_row.push(rows);
            rows += tiling.cells_of(neighbour).len() as u32;
        }
        let width = numbers.iter().map(|number| targets(number).len()).max().unwrap_or(0);
        let mut steps = Vec::with_capacity(numbers.len() * width);
        for number in numbers {
            let end = steps.len() + width;
            for &to in targets(number) {
                let Place { tile, rank } = places[to as usize];
                let neighbour = neighbours.partition_point(|&other| other < tile);
                steps.push(first_row[neighbour] + u32::from(rank));
            }
            steps.resize(end, rows);
        }
        PoliceGrid { neighbours, steps, width, pad: rows }
    }

    /// Whether the cell of this row has no move.
    pub(super) fn stuck(&self, row: usize) -> bool {
        self.width == 0 || self.steps[row * self.width] == self.pad
    }
}
