//! Boards with doors: a pursuit game whose board changes by keys and by schedules, as one game whose
//! positions are numbered. `FORMAT.md` §12 defines doors and the numbers.
//!
//! ```
//! use dragnet_formats::{board::text, cell::{Cell, Side}, doors::{DoorBoard, DoorPosition, DoorsText},
//! rules::Rules};
//!
//! let board = text::parse(b"P.#T\n....\n")?.board;
//! let doors: DoorsText = toml::from_str("[[doors]]\ncell = [1, 2]\nkey = [0, 1]\n")?;
//! let game = DoorBoard::new(board, Rules::classic(), doors.doors)?;
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
    game::terminal,
    moves::{Steps, TooManySteps},
    rules::{PoliceOnExit, Rules},
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

/// Games are equal if their boards, rules and doors are.
impl PartialEq for DoorBoard {
    fn eq(&self, other: &DoorBoard) -> bool {
        (&self.board, &self.rules, &self.doors) == (&other.board, &other.rules, &other.doors)
    }
}

impl Eq for DoorBoard {}

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
    /// The most squares of a board, times 2 for each door.
    pub const MAX_SQUARES: usize = error::MAX_SQUARES;
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
        rules.check_on(&board)?;
        if doors.is_empty() || doors.len() > DoorBoard::MAX_DOORS {
            return Err(DoorError::Count { found: doors.len() });
        }
        if board.squares().len() > DoorBoard::MAX_SQUARES >> doors.len() {
            return Err(DoorError::Squares { doors: doors.len(), found: board.squares().len() });
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
            numbers[board.index(cell).expect("a cell of the board")] = number;
        }
        let steps = Side::BOTH.map(|side| Steps::new(&rules, side));
        let boards = BTreeMap::new();
        let phases = phases as u32;
        let mut game = DoorBoard { board, rules, doors, keys, phases, cells, numbers, boards, steps };
        for state in 0..states {
            let (keys, phase) = ((state / u64::from(phases)) as u8, (state % u64::from(phases)) as u32);
            let closed = game.closed(keys, phase);
            if !game.boards.contains_key(&closed) {
                let board = game.with_walls(closed);
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

    /// Returns the bytes of memory that the game takes.
    #[must_use]
    pub fn memory(&self) -> usize {
        let squares = self.numbers.len() * (size_of::<Square>() * (1 + self.boards.len()) + size_of::<u32>());
        size_of::<DoorBoard>() + squares + self.cells.len() * size_of::<Cell>()
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        let open = self.cells.len() as u64;
        (u64::from(self.phases) << self.keys.len()) * 2 * open * open
    }

    /// Returns the number of moves of all positions together, also of terminal ones.
    #[must_use]
    pub fn moves(&self) -> u64 {
        let moves_on = |closed: u8| {
            let board = &self.boards[&closed];
            let of_cell =
                |&cell| self.steps.iter().map(move |steps| steps.moves_from(board, cell).len() as u64);
            self.cells.iter().flat_map(of_cell).sum::<u64>()
        };
        let on_boards: BTreeMap<u8, u64> =
            self.boards.keys().map(|&closed| (closed, moves_on(closed))).collect();
        let states = (0..=u8::MAX).take(1 << self.keys.len());
        let states = states.flat_map(|keys| (0..self.phases).map(move |phase| self.closed(keys, phase)));
        // The piece that does not move stands anywhere.
        self.cells.len() as u64 * states.map(|closed| on_boards[&closed]).sum::<u64>()
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

    /// Returns the side to move in the position with this number.
    #[must_use]
    pub fn turn(&self, number: u64) -> Side {
        let open = self.cells.len() as u64;
        if (number / (open * open)).is_multiple_of(2) { Side::Police } else { Side::Thief }
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
        let (state, phases) = (rest / 2, u64::from(self.phases));
        Some(DoorPosition {
            police,
            thief,
            turn: self.turn(number),
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
                let number = self.keys.binary_search(cell).expect("the key of each door is listed");
                *open != (keys >> number & 1 == 1)
            }
        })
    }

    /// Returns the side that has won the position without a move, if any.
    #[must_use]
    pub fn winner(&self, position: DoorPosition) -> Option<Side> {
        let is_exit = |cell| self.board.is_exit(cell);
        let arrived = self.rules.police_on_exit == PoliceOnExit::Wins && is_exit(position.police);
        terminal::winner(position.police == position.thief, is_exit(position.thief), arrived)
    }

    /// Returns the positions to which the moves of a position lead, one for each move. Terminal positions
    /// have moves here like any other.
    ///
    /// # Panics
    /// If the position has no [number](DoorBoard::number).
    pub fn successors(&self, position: DoorPosition) -> impl Iterator<Item = DoorPosition> + '_ {
        self.successors_within(position, &mut { u64::MAX }).expect("no board has so many steps")
    }

    /// Returns the positions to which the moves of a position lead, like [`DoorBoard::successors`], if they
    /// are found by trying at most `steps` single steps, and takes the steps tried off `steps`.
    ///
    /// # Errors
    /// When more steps are needed.
    ///
    /// # Panics
    /// If the position has no [number](DoorBoard::number).
    pub fn successors_within<'a>(
        &'a self,
        position: DoorPosition,
        steps: &mut u64,
    ) -> Result<impl Iterator<Item = DoorPosition> + use<'a>, TooManySteps> {
        let DoorPosition { police, thief, turn, keys, phase } = position;
        let (from, moves) = match turn {
            Side::Police => (police, &self.steps[0]),
            Side::Thief => (thief, &self.steps[1]),
        };
        let board = &self.boards[&self.closed(keys, phase)];
        let phase = (phase + 1) % self.phases;
        Ok(moves.moves_within(board, from, steps)?.into_iter().map(move |to| {
            let turned = self.keys.binary_search(&to).ok().filter(|_| to != from);
            let keys = turned.map_or(keys, |number| keys ^ 1 << number);
            let (police, thief) = if turn == Side::Police { (to, thief) } else { (police, to) };
            DoorPosition { police, thief, turn: turn.other(), keys, phase }
        }))
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
    fn with_walls(&self, closed: u8) -> Board {
        let mut squares = self.board.squares().to_vec();
        for (number, door) in self.doors.iter().enumerate() {
            if closed >> number & 1 == 1 {
                squares[self.board.index(door.cell).expect("a door is on the board")] = Square::Wall;
            }
        }
        let (height, width) = (self.board.height().into(), self.board.width().into());
        Board::new(height, width, squares).expect("walls do not change the size of the board")
    }
}

fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
