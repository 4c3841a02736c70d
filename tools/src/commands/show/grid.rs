//! The board as the squares that are shown, each of which stands for a block of cells.

use crate::table::heat_map::HeatMap;
use dragnet_formats::{
    board::{Board, Square},
    cell::{Cell, Side},
    value::Value,
};

/// The content of a shown square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    Wall,
    Exit,
    Police,
    Thief,
    /// An officer and the thief.
    Both,
    /// The value of an open cell.
    Open(Value),
}

/// The rows and columns of cells for which one shown square stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl Block {
    pub(super) const ONE: Block = Block { rows: 1, columns: 1 };
}

/// The shown squares.
pub(super) struct Grid {
    pub(super) columns: usize,
    /// The squares, in reading order.
    pub(super) spots: Vec<Spot>,
}

impl Grid {
    /// Returns the squares for blocks of this size. A block with a piece shows the piece, another one with an
    /// exit shows the exit, and one without an open cell is a wall. All others show the most frequent outcome
    /// of their cells, with the middle one of its distances.
    pub(super) fn new(
        board: &Board,
        map: &HeatMap,
        police: &[Cell],
        thief: Option<Cell>,
        block: Block,
    ) -> Grid {
        let (height, width) = (usize::from(board.height()), usize::from(board.width()));
        let (rows, columns) = (height.div_ceil(block.rows), width.div_ceil(block.columns));
        let mut spots = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                let mut cells = Cells::default();
                for y in row * block.rows..height.min((row + 1) * block.rows) {
                    for x in column * block.columns..width.min((column + 1) * block.columns) {
                        let place = y * width + x;
                        let cell = Cell::new(y as u16, x as u16);
                        cells.police |= police.contains(&cell);
                        cells.thief |= thief == Some(cell);
                        cells.exit |= board.squares()[place] == Square::Exit;
                        cells.values.extend(map.values()[place]);
                    }
                }
                spots.push(cells.spot(map));
            }
        }
        Grid { columns, spots }
    }

    /// Returns the shown squares row by row.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[Spot]> {
        self.spots.chunks(self.columns)
    }
}

/// The cells of a block.
#[derive(Default)]
struct Cells {
    police: bool,
    thief: bool,
    exit: bool,
    values: Vec<Value>,
}

impl Cells {
    fn spot(mut self, map: &HeatMap) -> Spot {
        match (self.police, self.thief) {
            (true, true) => return Spot::Both,
            (true, false) => return Spot::Police,
            (false, true) => return Spot::Thief,
            (false, false) if self.exit => return Spot::Exit,
            (false, false) => {}
        }
        let count = |winner| self.values.iter().filter(|&&value| map.winner(value) == winner).count();
        let (police, thief, draw) = (count(Some(Side::Police)), count(Some(Side::Thief)), count(None));
        let most = if police >= thief.max(draw) {
            Some(Side::Police)
        } else if thief >= draw {
            Some(Side::Thief)
        } else {
            None
        };
        self.values.retain(|&value| map.winner(value) == most);
        self.values.sort_unstable_by_key(|value| value.dtw());
        self.values.get(self.values.len() / 2).map_or(Spot::Wall, |&value| Spot::Open(value))
    }
}
