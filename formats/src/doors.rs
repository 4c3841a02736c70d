//! Boards with doors: a pursuit game whose board changes by keys and by schedules, as one game whose
//! positions are numbered. `FORMAT.md` §12 defines doors and the numbers.
//!
//! ```
//! use dragnet_formats::{board::text, cell::{Cell, Side}, doors::{DoorBoard, DoorPosition, DoorsText},
//! rules::Rules};
//!
//! let board = text::parse(b"P.#T\n....\n")?.board;
//! let doors: DoorsText = toml::from_str("[[door]]\ncell = [1, 2]\nkey = [0, 1]\n")?;
//! let game = DoorBoard::new(board, Rules::classic(), doors.doors()?)?;
//! let start = DoorPosition::new(Cell::new(0, 0), Cell::new(0, 3), Side::Police);
//! assert!(!game.is_open(0, start.keys, start.phase));
//! let on_key = game.successors(start).find(|after| after.police == Cell::new(0, 1)).unwrap();
//! assert!(game.is_open(0, on_key.keys, on_key.phase), "the key has been stepped on");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;

mod definition;

pub use definition::{Door, DoorsText, Opening, Schedule};
pub use error::DoorError;

use crate::{
    board::{Board, Square},
    cell::{Cell, Side},
    moves::Steps,
    rules::{PoliceOnExit, Rules, terminal},
};
use std::collections::BTreeMap;

/// The number of a square without an open cell.
const WALL: u32 = u32::MAX;

/// A board with doors, and the rules of the game on it.
#[derive(Clone, Debug)]
pub struct DoorBoard {
    board: Board,
    rules: Rules,
    doors: Vec<Door>,
    /// The cells that are keys, in reading order, each once.
    keys: Vec<Cell>,
    /// The plies after which all schedules begin anew; 1 without a schedule.
    phases: u32,
    cells: Vec<Cell>,
    /// The number of each square's cell, or [`WALL`].
    numbers: Vec<u32>,
    /// The board with the closed doors as walls, by the set of closed doors, one bit each.
    boards: BTreeMap<u8, Board>,
    steps: [Steps; 2],
}

/// A position of the game on a board with doors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DoorPosition {
    /// The officer's cell.
    pub police: Cell,
    /// The thief's cell.
    pub thief: Cell,
    /// The side to move.
    pub turn: Side,
    /// The keys that have been stepped on an odd number of times: bit *i* for key number *i*.
    pub keys: u8,
    /// The number of plies since the schedules began, less than [`DoorBoard::phases`].
    pub phase: u32,
}

impl DoorPosition {
    /// Creates a position in which no key has been stepped on and the schedules begin.
    #[must_use]
    pub fn new(police: Cell, thief: Cell, turn: Side) -> DoorPosition {
        DoorPosition { police, thief, turn, keys: 0, phase: 0 }
    }
}

impl DoorBoard {
    /// The most doors of a board.
    pub const MAX_DOORS: usize = error::MAX_DOORS;
    /// The most states, combinations of keys and phase, of a board.
    pub const MAX_STATES: u64 = error::MAX_STATES;
    /// The most positions of a game.
    pub const MAX_POSITIONS: u64 = error::MAX_POSITIONS;

    /// Creates the game on `board` with these doors. Allocates nothing before all limits are known to hold.
    ///
    /// # Errors
    /// When the rules have several officers, the board is a graph, a door or a key is not on an open cell,
    /// two doors are on one cell, or a limit is exceeded.
    pub fn new(board: Board, rules: Rules, doors: Vec<Door>) -> Result<DoorBoard, DoorError> {
        if board.graph().is_some() {
            return Err(DoorError::Graph);
        }
        if rules.officers != 1 {
            return Err(DoorError::Officers { found: rules.officers });
        }
        rules.check().map_err(|error| DoorError::Rules { message: error.to_string() })?;
        if doors.is_empty() || doors.len() > DoorBoard::MAX_DOORS {
            return Err(DoorError::Count { found: doors.len() });
        }
        for (number, door) in doors.iter().enumerate() {
            if board.square(door.cell) != Some(Square::Open) {
                return Err(DoorError::Place { what: "a door", cell: door.cell });
            }
            if doors[..number].iter().any(|other| other.cell == door.cell) {
                return Err(DoorError::Twice { cell: door.cell });
            }
        }
        let mut keys: Vec<Cell> = doors.iter().filter_map(Door::key).collect();
        keys.sort_unstable();
        keys.dedup();
        if let Some(&cell) = keys.iter().find(|&&cell| board.square(cell) != Some(Square::Open)) {
            return Err(DoorError::Place { what: "a key", cell });
        }
        // The least common multiple of eight numbers up to 16 fits easily.
        let phases = doors.iter().filter_map(Door::schedule).map(|schedule| u64::from(schedule.period()));
        let phases = phases.fold(1, lcm);
        let states = phases << keys.len();
        if states > DoorBoard::MAX_STATES {
            return Err(DoorError::States { found: states });
        }
        let open = board.open_cells().count() as u64;
        let positions = u128::from(states) * 2 * u128::from(open) * u128::from(open);
        if positions > u128::from(DoorBoard::MAX_POSITIONS) {
            return Err(DoorError::Positions { found: positions });
        }
        let mut numbers = vec![WALL; board.squares().len()];
        let cells: Vec<Cell> = board.open_cells().collect();
        for (number, &cell) in (0..).zip(&cells) {
            if let Some(index) = board.index(cell) {
                numbers[index] = number;
            }
        }
        let steps = Side::BOTH.map(|side| Steps::new(&rules, side));
        let boards = BTreeMap::new();
        let phases = phases as u32;
        let mut game = DoorBoard { board, rules, doors, keys, phases, cells, numbers, boards, steps };
        for state in 0..states {
            let (keys, phase) = ((state / u64::from(phases)) as u8, (state % u64::from(phases)) as u32);
            let closed = game.closed(keys, phase);
            if !game.boards.contains_key(&closed) {
                let board = game.with_walls(closed)?;
                game.boards.insert(closed, board);
            }
        }
        Ok(game)
    }

    /// Returns the board with all doors open.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the doors.
    #[must_use]
    pub fn doors(&self) -> &[Door] {
        &self.doors
    }

    /// Returns the cells of the keys in reading order.
    #[must_use]
    pub fn keys(&self) -> &[Cell] {
        &self.keys
    }

    /// Returns the plies after which all schedules begin anew; 1 if no door has a schedule.
    #[must_use]
    pub fn phases(&self) -> u32 {
        self.phases
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        let open = self.cells.len() as u64;
        (u64::from(self.phases) << self.keys.len()) * 2 * open * open
    }

    /// Returns the number of a position; `None` if a piece stands on no open cell, or there are no such keys
    /// or phase.
    #[must_use]
    pub fn number(&self, position: DoorPosition) -> Option<u64> {
        let DoorPosition { police, thief, turn, keys, phase } = position;
        if phase >= self.phases || u32::from(keys) >> self.keys.len() != 0 {
            return None;
        }
        let open = self.cells.len() as u64;
        let state = u64::from(keys) * u64::from(self.phases) + u64::from(phase);
        let turn = u64::from(turn == Side::Thief);
        let [police, thief] = [self.cell_number(police)?, self.cell_number(thief)?];
        Some(((state * 2 + turn) * open + police) * open + thief)
    }

    /// Returns the position with this number; `None` if there is none.
    #[must_use]
    pub fn position(&self, number: u64) -> Option<DoorPosition> {
        if number >= self.positions() {
            return None;
        }
        let open = self.cells.len() as u64;
        let (rest, thief) = (number / open, self.cells[(number % open) as usize]);
        let (rest, police) = (rest / open, self.cells[(rest % open) as usize]);
        let turn = if rest % 2 == 0 { Side::Police } else { Side::Thief };
        let (state, phases) = (rest / 2, u64::from(self.phases));
        Some(DoorPosition {
            police,
            thief,
            turn,
            keys: (state / phases) as u8,
            phase: (state % phases) as u32,
        })
    }

    /// Returns whether door number `door` is open with these keys stepped on, in this phase; `false` if there
    /// is no such door.
    #[must_use]
    pub fn is_open(&self, door: usize, keys: u8, phase: u32) -> bool {
        self.doors.get(door).is_some_and(|door| match &door.opening {
            Opening::Schedule(schedule) => schedule.is_open(phase),
            Opening::Key { cell, open } => {
                let number = self.keys.binary_search(cell).unwrap_or(0);
                *open != (keys >> number & 1 == 1)
            }
        })
    }

    /// Returns the side that has won the position without a move, if any.
    #[must_use]
    pub fn winner(&self, position: DoorPosition) -> Option<Side> {
        let is_exit = |cell| self.board.square(cell) == Some(Square::Exit);
        let arrived = self.rules.police_on_exit == PoliceOnExit::Wins && is_exit(position.police);
        terminal::winner(position.police == position.thief, is_exit(position.thief), arrived)
    }

    /// Returns the positions to which the moves of a position lead, one for each move; the position must have
    /// a number, and terminal positions have moves here like any other.
    pub fn successors(&self, position: DoorPosition) -> impl Iterator<Item = DoorPosition> + '_ {
        let DoorPosition { police, thief, turn, keys, phase } = position;
        let (from, steps) = match turn {
            Side::Police => (police, &self.steps[0]),
            Side::Thief => (thief, &self.steps[1]),
        };
        let board = self.boards.get(&self.closed(keys, phase)).unwrap_or(&self.board);
        let phase = (phase + 1) % self.phases;
        steps.moves_from(board, from).into_iter().map(move |to| {
            let turned = self.keys.binary_search(&to).ok().filter(|_| to != from);
            let keys = turned.map_or(keys, |number| keys ^ 1 << number);
            let (police, thief) = if turn == Side::Police { (to, thief) } else { (police, to) };
            DoorPosition { police, thief, turn: turn.other(), keys, phase }
        })
    }

    fn cell_number(&self, cell: Cell) -> Option<u64> {
        let number = self.numbers[self.board.index(cell)?];
        (number != WALL).then_some(number.into())
    }

    /// Returns the closed doors, one bit each.
    fn closed(&self, keys: u8, phase: u32) -> u8 {
        let closed = (0..self.doors.len()).filter(|&door| !self.is_open(door, keys, phase));
        closed.fold(0, |closed, door| closed | 1 << door)
    }

    /// Returns the board with walls for some doors, one bit each.
    fn with_walls(&self, closed: u8) -> Result<Board, DoorError> {
        let mut squares = self.board.squares().to_vec();
        for (number, door) in self.doors.iter().enumerate() {
            if closed >> number & 1 == 1
                && let Some(index) = self.board.index(door.cell)
            {
                squares[index] = Square::Wall;
            }
        }
        Board::new(self.board.height().into(), self.board.width().into(), squares)
            .map_err(|error| DoorError::Rules { message: error.to_string() })
    }
}

fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
