//! The pursuit game on a board as a [`Game`]: moves are implied by the cells' moves, none is stored per position.

use crate::game::{Game, Start};
use dragnet_formats::{
    board::{Board, Square},
    cell::{Cell, Side},
    moves::{MoveTable, Steps},
    numbering::{Numbering, TileSize, Tiling},
    rules::{Rules, RulesError},
    value::Value,
};
use std::ops::Range;

/// One side's moves and cells, numbered tile after tile.
#[derive(Debug)]
struct SideCells {
    /// Number in reading order of each cell.
    reading: Vec<u32>,
    moves: MoveTable,
    /// The cells from which a move leads to each cell.
    moves_back: MoveTable,
}

impl SideCells {
    fn new(board: &Board, rules: &Rules, side: Side, tiling: &Tiling) -> SideCells {
        let steps = Steps::new(rules, side);
        let reading = tiling.order();
        let moves = MoveTable::new(board, &steps).renumbered(&reading);
        SideCells { moves_back: moves.transposed(), moves, reading }
    }
}

/// One police officer and one thief on a board. Position number = (side · N + police) · N + thief with side 0 for the
/// police to move and both cells numbered tile after tile, each in its own [`Tiling`].
#[derive(Debug)]
pub struct Pursuit {
    board: Board,
    rules: Rules,
    numbering: Numbering,
    cells: u64,
    /// ⌈2^64 / cells⌉: multiplying by it and keeping the upper half divides exactly while
    /// dividend · cells < 2^64.
    reciprocal: u64,
    police: SideCells,
    thief: SideCells,
    /// For each police cell the same cell's number among the thief's.
    same: Vec<u32>,
    /// Whether each thief cell is an exit.
    exit: Vec<bool>,
}

/// Lanes per side to move: enough for 16 threads to share a level evenly. On 2 threads 16 to 128 make no difference.
const LANES: usize = 64;

/// Why there is no game to solve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PursuitError {
    /// The rules cannot be played.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Nobody can stand anywhere.
    #[error("the board has no open cell, so there is no position to solve")]
    NoOpenCell,
}

impl Pursuit {
    /// The game of `rules` on `board`, numbered in tiles of these sizes.
    ///
    /// # Errors
    /// When the rules cannot be played or the board has no open cell.
    pub fn new(
        board: Board,
        rules: Rules,
        police_tile: TileSize,
        thief_tile: TileSize,
    ) -> Result<Pursuit, PursuitError> {
        rules.check()?;
        let cells = board.open_count() as u64;
        if cells == 0 {
            return Err(PursuitError::NoOpenCell);
        }
        let numbering = Numbering::new(&board, police_tile, thief_tile);
        let police = SideCells::new(&board, &rules, Side::Police, numbering.police());
        let thief = SideCells::new(&board, &rules, Side::Thief, numbering.thief());
        let mut thief_number = vec![0; cells as usize];
        for (number, &reading) in (0..).zip(&thief.reading) {
            thief_number[reading as usize] = number;
        }
        let same = police.reading.iter().map(|&reading| thief_number[reading as usize]).collect();
        let by_reading: Vec<bool> =
            board.squares().iter().filter(|&&s| s != Square::Wall).map(|&s| s == Square::Exit).collect();
        let exit = thief.reading.iter().map(|&reading| by_reading[reading as usize]).collect();
        // A board has at most 2^20 cells, so positions · cells ≤ 2^61.
        let reciprocal = if cells == 1 { 0 } else { u64::MAX / cells + 1 };
        Ok(Pursuit { board, rules, numbering, cells, reciprocal, police, thief, same, exit })
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The numbering of the table's blocks and slots.
    #[must_use]
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// The number of open cells.
    #[must_use]
    pub fn cell_count(&self) -> u64 {
        self.cells
    }

    /// For each police cell, in the order of position numbers, its number in reading order.
    #[must_use]
    pub fn police_reading(&self) -> &[u32] {
        &self.police.reading
    }

    /// For each thief cell, in the order of position numbers, its number in reading order.
    #[must_use]
    pub fn thief_reading(&self) -> &[u32] {
        &self.thief.reading
    }

    /// The moves of `side` in another numbering: cell i is number `order[i]` in reading order.
    #[must_use]
    pub(crate) fn moves(&self, side: Side, order: &[u32]) -> MoveTable {
        let side = match side {
            Side::Police => &self.police,
            Side::Thief => &self.thief,
        };
        let mut number = vec![0; order.len()];
        for (i, &reading) in (0..).zip(&side.reading) {
            number[reading as usize] = i;
        }
        let order: Vec<u32> = order.iter().map(|&reading| number[reading as usize]).collect();
        side.moves.renumbered(&order)
    }

    /// The winner of the position if it is over without a move. `police` and `thief` are numbered tile after tile.
    #[must_use]
    #[inline]
    pub fn terminal(&self, police: usize, thief: usize) -> Option<Side> {
        if self.same[police] as usize == thief {
            Some(Side::Police)
        } else if self.exit[thief] {
            Some(Side::Thief)
        } else {
            None
        }
    }

    /// The number of the position, or `None` if a cell is a wall. Both cells must be on the board.
    #[must_use]
    pub fn position(&self, police: Cell, thief: Cell, turn: Side) -> Option<u64> {
        let number = |tiling: &Tiling, cell| {
            let place = tiling.place(cell)?;
            Some(tiling.range_of(place.tile).start as u64 + u64::from(place.rank))
        };
        let police = number(self.numbering.police(), police)?;
        let thief = number(self.numbering.thief(), thief)?;
        Some((turn as u64 * self.cells + police) * self.cells + thief)
    }

    /// Position number = row · cells + thief, and row = side · cells + police.
    #[inline]
    fn split(&self, number: u64) -> (u64, usize) {
        if self.cells == 1 {
            return (number, 0);
        }
        let quotient = ((u128::from(number) * u128::from(self.reciprocal)) >> 64) as u64;
        (quotient, (number - quotient * self.cells) as usize)
    }

    #[inline]
    fn parts(&self, position: u64) -> (Side, usize, usize) {
        let (row, thief) = self.split(position);
        if row < self.cells {
            (Side::Police, row as usize, thief)
        } else {
            (Side::Thief, (row - self.cells) as usize, thief)
        }
    }

    #[inline]
    fn start_of(&self, turn: Side, police: usize, thief: usize, moves: usize) -> Start {
        let value = match self.terminal(police, thief) {
            Some(winner) => Value::terminal(winner, turn),
            None if moves == 0 => self.rules.stuck.value(),
            None => return Start::Moves(moves as u32),
        };
        if matches!(value, Value::Win(_)) { Start::Won } else { Start::Lost }
    }

    #[inline]
    fn for_each_neighbour(
        &self,
        position: u64,
        [of_police, of_thief]: [&MoveTable; 2],
        mover: impl Fn(Side) -> Side,
        mut each: impl FnMut(u64),
    ) {
        let (turn, police, thief) = self.parts(position);
        let other = turn.other() as u64 * self.cells;
        let (targets, first, step) = match mover(turn) {
            Side::Police => (of_police.of(police), other * self.cells + thief as u64, self.cells),
            Side::Thief => (of_thief.of(thief), (other + police as u64) * self.cells, 1),
        };
        // One loop for both sides, so that what `each` does is compiled into it.
        for &to in targets {
            each(first + u64::from(to) * step);
        }
    }
}

impl Game for Pursuit {
    fn positions(&self) -> u64 {
        2 * self.cells * self.cells
    }

    fn lanes(&self) -> usize {
        2 * LANES
    }

    /// With the police to move the thief has moved last: predecessors are in the same row of one police cell. With
    /// the thief to move they have the same thief cell. So lanes are ranges of police cells, and of thief cells.
    #[inline]
    fn lane(&self, position: u64) -> usize {
        let (turn, police, thief) = self.parts(position);
        let cell = if turn == Side::Police { police } else { thief };
        turn as usize * LANES + cell * LANES / self.cells as usize
    }

    fn start(&self, position: u64) -> Start {
        let (turn, police, thief) = self.parts(position);
        let moves = match turn {
            Side::Police => self.police.moves.of(police).len(),
            Side::Thief => self.thief.moves.of(thief).len(),
        };
        self.start_of(turn, police, thief, moves)
    }

    fn for_each_start(&self, range: Range<u64>, mut each: impl FnMut(u64, Start)) {
        let mut position = range.start;
        while position < range.end {
            let (turn, police, first) = self.parts(position);
            let last = (self.cells as usize).min(first + (range.end - position) as usize);
            let police_moves = self.police.moves.of(police).len();
            for thief in first..last {
                let moves =
                    if turn == Side::Police { police_moves } else { self.thief.moves.of(thief).len() };
                each(position, self.start_of(turn, police, thief, moves));
                position += 1;
            }
        }
    }

    #[inline]
    fn for_each_successor(&self, position: u64, each: impl FnMut(u64)) {
        self.for_each_neighbour(position, [&self.police.moves, &self.thief.moves], |turn| turn, each);
    }

    #[inline]
    fn for_each_predecessor(&self, position: u64, each: impl FnMut(u64)) {
        self.for_each_neighbour(
            position,
            [&self.police.moves_back, &self.thief.moves_back],
            Side::other,
            each,
        );
    }
}
