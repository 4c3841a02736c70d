//! The ways of a thief past guards on their rounds, without any officer.
//!
//! A thief whom a guard sees is captured, and a table says whether he can get through unseen. Here he goes
//! on: of all ways to an end that he has won, those are found on which he is seen the least, and the
//! quickest. This is Dijkstra's search (1959) for the least of two numbers, one after the other, over the
//! positions of the game in which guards see their own squares alone.

use dragnet_formats::{
    cell::{Cell, Side},
    game::{PursuitGame, Stuck, terminal::TerminalRule},
    guards::{Guard, GuardError},
    moves::MoveTableError,
    setting::Setting,
    stop::StopCheck,
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// A way of the thief to an end that he has won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The start, and the moment after each ply.
    pub moments: Vec<Moment>,
}

/// Where the thief is, and the world, at the start or after a ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The thief's cell.
    pub thief: Cell,
    /// The number of the world, which has the turn of the guards' clock in it.
    pub world: u32,
    /// The guards who see the thief, by their places in the list, rising.
    pub seen_by: Vec<usize>,
}

impl Way {
    /// Returns the number of plies.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.moments.len() as u32 - 1
    }

    /// Returns the number of moments at which a guard sees the thief.
    #[must_use]
    pub fn seen(&self) -> u32 {
        self.moments.iter().filter(|moment| !moment.seen_by.is_empty()).count() as u32
    }
}

/// The order of ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The fewest moments at which the thief is seen, and of those ways the fewest plies.
    Unseen,
    /// The fewest plies, and of those ways the fewest moments at which the thief is seen.
    Quick,
}

/// The reason why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StealthError {
    /// Officers play as well, whose moves are not fixed.
    #[error("expected no officer beside the guards, found {found}")]
    Officers {
        /// The number of officers.
        found: usize,
    },
    /// The board does not say where the thief starts.
    #[error("expected a start cell of the thief, T, found none")]
    NoThief,
    /// The board cannot have the guards that are left.
    #[error(transparent)]
    Guards(#[from] GuardError),
    /// The game is too large, or the work was stopped.
    #[error(transparent)]
    Moves(#[from] MoveTableError),
}

/// Returns the best way of the thief, who starts on the cell of the setting with `first` to move, or `None`
/// if no way leads past the guards, whose own squares he cannot pass. Of equally good ways always the same
/// one is chosen.
///
/// ```
/// use dragnet_formats::{board::Scenario, cell::{Cell, Side}, guards::Guard, rules::Rules, setting::Setting};
/// use dragnet_formats::stop::StopCheck;
/// use dragnet_generator::stealth::{Aim, way};
///
/// let rules = Rules { officers: 0, ..Rules::classic() };
/// let hall = Setting::new(Scenario::parse(b"T.E\n...\n")?, rules);
/// let hall = hall.with_guards(vec![Guard::standing(Cell::new(0, 1))])?;
/// let way = way(&hall, Side::Thief, Aim::Unseen, &mut StopCheck::never())?.expect("a way round");
/// assert_eq!((way.plies(), way.seen()), (7, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the setting has an officer or no start of the thief, when it is too large, or when the work
/// was stopped.
pub fn way(
    setting: &Setting,
    first: Side,
    aim: Aim,
    check: &mut StopCheck,
) -> Result<Option<Way>, StealthError> {
    if setting.rules.all_officers() > 0 {
        return Err(StealthError::Officers { found: setting.rules.all_officers() });
    }
    let start = setting.starts().1.ok_or(StealthError::NoThief)?;
    let blind = setting.guards.list().iter().map(|guard| Guard { sight: None, ..guard.clone() });
    let blind = setting.clone().with_guards(blind.collect())?;
    let search = Search {
        game: PursuitGame::of_setting(&blind, check)?,
        sees: PursuitGame::of_setting(setting, check)?.ends,
        aim,
    };
    let found = search.find(start, first, check)?;
    let moment = |(thief, world): (Cell, u32)| {
        let thief = Cell::new(thief.row % setting.board.height(), thief.col);
        let seen = setting.seen_by_guards(world);
        let sees = |guard: &usize| seen[*guard].binary_search(&thief).is_ok();
        Moment { thief, world, seen_by: (0..seen.len()).filter(sees).collect() }
    };
    Ok(found.map(|states| Way { moments: states.into_iter().map(moment).collect() }))
}

/// Returns the setting without one of its guards.
///
/// # Errors
/// When the board cannot have the others: never, if it can have all of them.
///
/// # Panics
/// If there is no such guard.
pub fn without(setting: &Setting, guard: usize) -> Result<Setting, GuardError> {
    let mut others = setting.guards.list().to_vec();
    others.remove(guard);
    setting.clone().with_guards(others)
}

/// A search for a way.
struct Search {
    /// The game in which guards see their own squares alone.
    game: PursuitGame,
    /// Where they see the thief in the game itself.
    sees: TerminalRule,
    aim: Aim,
}

/// No position.
const NONE: u32 = u32::MAX;

impl Search {
    /// Returns the thief's places and the worlds of the best way, one for the start and one for each ply.
    fn find(
        &self,
        start: Cell,
        first: Side,
        check: &mut StopCheck,
    ) -> Result<Option<Vec<(Cell, u32)>>, StealthError> {
        let Search { game, .. } = self;
        let cells: Vec<Cell> = game.places(Side::Thief).cells().collect();
        let places = cells.len() as u32;
        // A position is the world times the places plus the place, times 2 plus the side to move.
        let start = cells.binary_search(&start).map_err(|_| StealthError::NoThief)? as u32;
        let start = 2 * start + first as u32;
        let positions = 2 * cells.len() * game.worlds as usize;
        let mut before = vec![NONE; positions];
        let mut best = vec![u64::MAX; positions];
        let mut queue = BinaryHeap::new();
        if !self.is_caught(start / 2, places) {
            best[start as usize] = self.cost(start / 2, places) & !self.ply();
            queue.push(Reverse((best[start as usize], start)));
        }
        while let Some(Reverse((cost, position))) = queue.pop() {
            check.steps(64).map_err(MoveTableError::from)?;
            if cost > best[position as usize] {
                continue;
            }
            let (state, mover) = (position / 2, Side::BOTH[position as usize % 2]);
            let (world, thief) = (state / places, state % places);
            let moves = match mover {
                Side::Police => game.moves(mover).of_part(world, game.worlds, 0),
                Side::Thief => game.moves(mover).of_part(world, game.worlds, thief),
            };
            let stuck_wins = mover == Side::Thief && moves.is_empty() && game.stuck == Stuck::Wins;
            if stuck_wins || game.ends.winner(world, &[0], thief) == Some(Side::Thief) {
                let states = std::iter::successors(Some(position), |&position| {
                    Some(before[position as usize]).filter(|&before| before != NONE)
                });
                let mut way: Vec<_> = states
                    .map(|position| (cells[(position / 2 % places) as usize], position / 2 / places))
                    .collect();
                way.reverse();
                return Ok(Some(way));
            }
            for &to in moves {
                let state = if mover == Side::Police { to * places + thief } else { to };
                let next = 2 * state + mover.other() as u32;
                let cost = cost + self.cost(state, places);
                if cost < best[next as usize] && !self.is_caught(state, places) {
                    best[next as usize] = cost;
                    before[next as usize] = position;
                    queue.push(Reverse((cost, next)));
                }
            }
        }
        Ok(None)
    }

    /// Returns whether the police has won a state, so that no way leads through it.
    fn is_caught(&self, state: u32, places: u32) -> bool {
        self.game.ends.winner(state / places, &[0], state % places) == Some(Side::Police)
    }

    /// Returns the cost of one ply: costs are compared, the more important number first.
    fn ply(&self) -> u64 {
        match self.aim {
            Aim::Unseen => 1,
            Aim::Quick => 1 << 32,
        }
    }

    /// Returns the cost of a ply that leads to a state.
    fn cost(&self, state: u32, places: u32) -> u64 {
        let seen = match self.aim {
            Aim::Unseen => 1 << 32,
            Aim::Quick => 1,
        };
        let is_seen = self.sees.captured_from(state / places, &0).binary_search(&(state % places)).is_ok();
        self.ply() + if is_seen { seen } else { 0 }
    }
}
