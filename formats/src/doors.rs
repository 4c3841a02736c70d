//! Doors of a board, which keys and schedules open and close: a game with doors has a world for each state
//! of theirs. `tools/docs/rules.md` defines what they mean.
//!
//! ```
//! use dragnet_formats::{board::text, cell::Cell, doors::{Doors, DoorsText}, rules::Rules};
//!
//! let board = text::parse(b"P.#T\n....\n")?.board;
//! let text: DoorsText = toml::from_str("[[doors]]\ncell = [1, 2]\nkey = [0, 1]\n")?;
//! let doors = Doors::new(text.doors, &board, &Rules::classic())?;
//! // Closed at the start, and open when the key has been stepped on.
//! assert_eq!((doors.worlds(), doors.is_open(0, 0), doors.is_open(0, 1)), (2, false, true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;

mod definition;

pub(crate) use definition::CellText;
pub use definition::{Door, DoorsText, Opening, Schedule};
pub use error::DoorError;

use crate::{
    board::{Board, Square},
    cell::Cell,
    rules::{Rules, Team},
};

/// The doors of a board, or none.
///
/// A *world* is a state of the doors. Its number is keys · phases + phase: bit *i* of keys is 1 if key number
/// *i* has been stepped on an odd number of times, and the phase is the number of plies since the schedules
/// began, less than [`Doors::phases`]. The game begins in world 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doors {
    doors: Vec<Door>,
    /// The cells that are keys, in reading order, each once.
    keys: Vec<Cell>,
    /// The plies after which all schedules begin anew; 1 without a schedule.
    phases: u32,
}

impl Default for Doors {
    /// Returns no doors: one world.
    fn default() -> Doors {
        Doors { doors: Vec::new(), keys: Vec::new(), phases: 1 }
    }
}

impl Doors {
    /// The most doors of a board.
    pub const MAX_DOORS: usize = error::MAX_DOORS;
    /// The most worlds of a board: combinations of keys and phase.
    pub const MAX_WORLDS: u32 = error::MAX_WORLDS;

    /// Returns these doors of `board`, on which these rules have been checked; or no doors.
    ///
    /// # Errors
    /// When the board is a graph, a door or a key is not on an open cell, two doors are on one cell, several
    /// officers who all move could step on keys, or a limit is exceeded.
    pub fn new(doors: Vec<Door>, board: &Board, rules: &Rules) -> Result<Doors, DoorError> {
        if doors.is_empty() {
            return Ok(Doors::default());
        }
        if board.graph().is_some() {
            return Err(DoorError::Graph);
        }
        if doors.len() > Doors::MAX_DOORS {
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
        let turns_both = |&&cell: &&Cell| turns(&doors, cell, true) && turns(&doors, cell, false);
        if let Some(&cell) = keys.iter().find(turns_both) {
            return Err(DoorError::Once { cell });
        }
        let found = rules.all_officers();
        if !keys.is_empty() && found > 1 && rules.team == Team::All {
            return Err(DoorError::Officers { found });
        }
        // The least common multiple of eight numbers up to 16 fits easily.
        let phases = doors.iter().filter_map(Door::schedule).map(|schedule| u64::from(schedule.period()));
        let phases = phases.fold(1, lcm);
        let worlds = phases << keys.len();
        if worlds > Doors::MAX_WORLDS.into() {
            return Err(DoorError::Worlds { found: worlds });
        }
        let squares = board.squares().len() as u64;
        if worlds * squares > error::MAX_SQUARES {
            return Err(DoorError::Squares { worlds, found: squares });
        }
        Ok(Doors { doors, keys, phases: phases as u32 })
    }

    /// Returns the doors.
    #[must_use]
    pub fn list(&self) -> &[Door] {
        &self.doors
    }

    /// Returns whether there is no door.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.doors.is_empty()
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

    /// Returns the number of worlds, at least 1.
    #[must_use]
    pub fn worlds(&self) -> u32 {
        self.phases << self.keys.len()
    }

    /// Returns whether door number `door` is open in a world; `false` if there is no such door.
    #[must_use]
    pub fn is_open(&self, door: usize, world: u32) -> bool {
        let (keys, phase) = (world / self.phases, world % self.phases);
        self.doors.get(door).is_some_and(|door| match &door.opening {
            Opening::Schedule(schedule) => schedule.is_open(phase),
            Opening::Key { cell, open, .. } => {
                let number = self.keys.binary_search(cell).expect("the key of each door is listed");
                *open != (keys >> number & 1 == 1)
            }
        })
    }

    /// Returns the cells of the doors that are closed in a world.
    pub fn closed(&self, world: u32) -> impl Iterator<Item = Cell> + '_ {
        let closed = move |&(number, _): &(usize, &Door)| !self.is_open(number, world);
        self.doors.iter().enumerate().filter(closed).map(|(_, door)| door.cell)
    }

    /// Returns the board in a world: with walls for the doors that are closed.
    ///
    /// # Panics
    /// If the doors are not those of this board.
    #[must_use]
    pub fn board_in(&self, world: u32, board: &Board) -> Board {
        board.with_walls(self.closed(world))
    }

    /// Returns the world after a move in `world` that ends on the cell `to`, where it did not begin unless
    /// `stays`.
    #[must_use]
    pub fn world_after(&self, world: u32, to: Cell, stays: bool) -> u32 {
        let (keys, phase) = (world / self.phases, world % self.phases);
        let turned = self.keys.binary_search(&to).ok().filter(|_| !stays);
        let keys = match turned {
            None => keys,
            Some(number) if turns(&self.doors, to, true) => keys | 1 << number,
            Some(number) => keys ^ 1 << number,
        };
        keys * self.phases + (phase + 1) % self.phases
    }
}

/// Returns whether a door has the key `cell`, of which only the first step counts, or each.
fn turns(doors: &[Door], cell: Cell, only_once: bool) -> bool {
    let turns = |door: &Door| matches!(door.opening, Opening::Key { cell: key, once, .. } if key == cell && once == only_once);
    doors.iter().any(turns)
}

/// Returns the least common multiple, or a greater number if that is beyond 64 bits.
pub(crate) fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).saturating_mul(b)
}
