//! Guards who walk fixed rounds. `tools/docs/rules.md` defines what they do.

use crate::{
    board::Board,
    cell::{Cell, Side},
    doors::{CellText, lcm},
    look::Direction,
    moves::Steps,
    rules::{Lines, MoveSet, Movement, Rules, Sight, angle, radius},
};
use serde::{Deserialize, Deserializer, de::Error};
use std::fmt;

/// A guard who walks a fixed round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The squares where the guard turns.
    pub round: Vec<Cell>,
    /// Whether the guard goes back the way it came, instead of to the first square.
    pub back: bool,
    /// The turns for each step, at least 1.
    pub pace: u8,
    /// The turns that the guard stands on each square of the round.
    pub pause: u8,
    /// Where the guard looks while standing on each square of the round; empty if along the way.
    pub looks: Vec<Direction>,
    /// The guard's sight; it sees its own square alone without it.
    pub sight: Option<Sight>,
}

/// The guards of a file: a list `[[guards]]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "guards, [[guards]] with a round")]
pub struct GuardsText {
    /// The guards.
    #[serde(default)]
    pub guards: Vec<Guard>,
}

/// The keys of a guard.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GuardText {
    round: Vec<CellText>,
    #[serde(default)]
    back: bool,
    #[serde(default = "one")]
    pace: u8,
    #[serde(default)]
    pause: u8,
    #[serde(default)]
    looks: Vec<Direction>,
    #[serde(default, deserialize_with = "radius")]
    sight: Option<u16>,
    #[serde(default, deserialize_with = "angle")]
    angle: Option<u16>,
    lines: Option<Lines>,
    doors: Option<bool>,
}

fn one() -> u8 {
    1
}

impl<'de> Deserialize<'de> for Guard {
    fn deserialize<D: Deserializer<'de>>(guard: D) -> Result<Guard, D::Error> {
        let GuardText { round, back, pace, pause, looks, sight, angle, lines, doors } =
            GuardText::deserialize(guard)?;
        if pace == 0 {
            return Err(D::Error::custom("expected a pace of at least 1 turn for each step, found 0"));
        }
        let sight = Sight::of_keys(sight, angle, lines, doors).map_err(D::Error::custom)?;
        let round = round.into_iter().map(|CellText(cell)| cell).collect();
        Ok(Guard { round, back, pace, pause, looks, sight })
    }
}

impl fmt::Display for Guard {
    /// Writes the guard as a file of guards has it, from `[[guards]]` to the end of its last line.
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Guard { round, back, pace, pause, looks, sight } = self;
        let squares: Vec<String> = round.iter().map(|cell| format!("[{}, {}]", cell.row, cell.col)).collect();
        writeln!(text, "[[guards]]\nround = [{}]", squares.join(", "))?;
        if *back {
            writeln!(text, "back = true")?;
        }
        if *pace != 1 {
            writeln!(text, "pace = {pace}")?;
        }
        if *pause != 0 {
            writeln!(text, "pause = {pause}")?;
        }
        if !looks.is_empty() {
            writeln!(text, "looks = {:?}", looks.iter().map(|look| look.word()).collect::<Vec<_>>())?;
        }
        match sight {
            Some(sight) => text.write_str(&toml::to_string(sight).map_err(|_| fmt::Error)?),
            None => Ok(()),
        }
    }
}

/// The reason why a board cannot have these guards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GuardError {
    /// The board is a graph.
    #[error("expected a board of squares, found a graph, which has no guards")]
    Graph,
    /// More guards than a board may have.
    #[error("expected at most {} guards, found {found}", Guards::MAX)]
    Count {
        /// The number of guards.
        found: usize,
    },
    /// A round of no square, or of too many.
    #[error("guard {guard}: expected a round of 1 to {} squares, found {found}", Guards::MAX_ROUND)]
    Round {
        /// The number of the guard, from 1.
        guard: usize,
        /// The number of squares.
        found: usize,
    },
    /// A square of a round that is a wall or off the board.
    #[error("guard {guard}: expected a round over open squares, found {cell}")]
    Place {
        /// The number of the guard, from 1.
        guard: usize,
        /// The square.
        cell: Cell,
    },
    /// Two squares of a round between which no straight way leads.
    #[error(
        "guard {guard}: expected a straight way over open squares from {from} to {to}, in a row, a column or a \
         diagonal past no wall"
    )]
    Leg {
        /// The number of the guard, from 1.
        guard: usize,
        /// The square where the leg begins.
        from: Cell,
        /// The square where it ends.
        to: Cell,
    },
    /// Directions that are not one for each square.
    #[error("guard {guard}: expected a direction in looks for each of the {expected} squares, found {found}")]
    Looks {
        /// The number of the guard, from 1.
        guard: usize,
        /// The number of squares.
        expected: usize,
        /// The number of directions.
        found: usize,
    },
    /// A cone of a guard that never goes anywhere.
    #[error("guard {guard}: expected looks for a guard that stands still and sees at an angle")]
    Direction {
        /// The number of the guard, from 1.
        guard: usize,
    },
    /// Shadows on a board with thin walls.
    #[error("guard {guard}: expected lines = \"supercover\" on a board with thin walls, found shadows")]
    ThinShadows {
        /// The number of the guard, from 1.
        guard: usize,
    },
    /// Worlds that are too many, or too many squares for them.
    #[error(
        "expected at most 4096 worlds, the states of doors times turns of guards times plies of a limit, and {} \
         squares in all of them; found {worlds} worlds of {squares} squares",
        Guards::MAX_SQUARES
    )]
    Worlds {
        /// The number of worlds.
        worlds: u64,
        /// The squares of one of them, in all layers.
        squares: u64,
    },
    /// Rounds that take too long together.
    #[error(
        "expected rounds that begin anew together after at most {} turns, found {found}: the least common multiple \
         of the turns of all rounds, {}",
        Guards::MAX_TICKS,
        periods.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
    )]
    Ticks {
        /// The number of turns.
        found: u64,
        /// The turns of each round.
        periods: Vec<usize>,
    },
}

/// Where a guard stands and looks in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Post {
    /// The square.
    pub cell: Cell,
    /// The direction, if the guard has one.
    pub look: Option<Direction>,
}

/// The guards of a board, or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guards {
    guards: Vec<Guard>,
    /// The posts of each guard, turn after turn, up to where the round begins anew.
    posts: Vec<Vec<Post>>,
}

impl Guards {
    /// The most guards of a board.
    pub const MAX: usize = 64;
    /// The most squares of a round.
    pub const MAX_ROUND: usize = 1024;
    /// The most squares in all worlds together, layers included.
    pub const MAX_SQUARES: u64 = 1 << 22;
    /// The most turns after which all guards begin anew.
    pub const MAX_TICKS: u64 = 4096;

    /// Returns these guards of `board`, or none.
    ///
    /// # Errors
    /// Names the first guard who cannot walk, or the turns that all rounds take together.
    pub fn new(guards: Vec<Guard>, board: &Board) -> Result<Guards, GuardError> {
        if guards.len() > Guards::MAX {
            return Err(GuardError::Count { found: guards.len() });
        }
        if !guards.is_empty() && board.graph().is_some() {
            return Err(GuardError::Graph);
        }
        let posts = (1..).zip(&guards).map(|(number, guard)| guard.posts(number, board));
        let posts = posts.collect::<Result<Vec<_>, _>>()?;
        let periods: Vec<usize> = posts.iter().map(Vec::len).collect();
        let found = periods.iter().fold(1, |all, &period| lcm(all, period as u64));
        match found <= Guards::MAX_TICKS {
            true => Ok(Guards { guards, posts }),
            false => Err(GuardError::Ticks { found, periods }),
        }
    }

    /// Returns the guards.
    #[must_use]
    pub fn list(&self) -> &[Guard] {
        &self.guards
    }

    /// Returns the turns after which all guards begin anew; 1 without guards.
    #[must_use]
    pub fn ticks(&self) -> u32 {
        self.posts.iter().fold(1, |all, posts| lcm(all, posts.len() as u64)) as u32
    }

    /// Returns where each guard is after so many turns.
    pub fn at(&self, tick: u32) -> impl Iterator<Item = (&Guard, Post)> {
        self.guards
            .iter()
            .zip(&self.posts)
            .map(move |(guard, posts)| (guard, posts[tick as usize % posts.len()]))
    }
}

impl Guard {
    /// Returns a guard who stands on a square, and sees it alone.
    #[must_use]
    pub fn standing(square: Cell) -> Guard {
        Guard { round: vec![square], back: false, pace: 1, pause: 0, looks: Vec::new(), sight: None }
    }

    /// Returns the posts of the round.
    fn posts(&self, guard: usize, board: &Board) -> Result<Vec<Post>, GuardError> {
        let squares = self.round.len();
        if squares == 0 || squares > Guards::MAX_ROUND {
            return Err(GuardError::Round { guard, found: squares });
        }
        if let Some(&cell) = self.round.iter().find(|&&cell| !board.is_open(cell)) {
            return Err(GuardError::Place { guard, cell });
        }
        if !self.looks.is_empty() && self.looks.len() != squares {
            return Err(GuardError::Looks { guard, expected: squares, found: self.looks.len() });
        }
        if self.sight.is_some_and(|sight| sight.lines == Lines::Shadows) && !board.thin_walls().is_empty() {
            return Err(GuardError::ThinShadows { guard });
        }
        // The squares of the round by number, there and perhaps back.
        let back = (1..squares.saturating_sub(1)).rev().filter(|_| self.back);
        let stops: Vec<usize> = (0..squares).chain(back).collect();
        let king = Rules { police: Movement::new(MoveSet::King), corner_cutting: false, ..Rules::classic() };
        let steps = Steps::new(&king, Side::Police);
        // A round that takes too many turns is refused before they are held.
        let mut turns = 0;
        let legs = (0..stops.len()).map(|at| {
            let [from, to] = [at, (at + 1) % stops.len()].map(|at| self.round[stops[at]]);
            let leg = straight(board, &steps, from, to).ok_or(GuardError::Leg { guard, from, to })?;
            turns += usize::from(self.pause) + usize::from(self.pace) * (leg.len() - 1);
            match turns as u64 <= Guards::MAX_TICKS {
                true => Ok(leg),
                false => Err(GuardError::Ticks { found: turns as u64, periods: vec![turns] }),
            }
        });
        let legs = legs.collect::<Result<Vec<Vec<Cell>>, _>>()?;
        let direction = |leg: &Vec<Cell>| {
            let (from, to) = (leg.first()?, leg.get(1)?);
            let apart = |from: u16, to: u16| i32::from(to) - i32::from(from);
            Direction::along(apart(from.row, to.row), apart(from.col, to.col))
        };
        let mut posts = Vec::new();
        for (at, leg) in legs.iter().enumerate() {
            let ahead = || legs.iter().cycle().skip(at).take(legs.len()).find_map(direction);
            let look = self.looks.get(stops[at]).copied().or_else(ahead);
            let pause = usize::from(self.pause);
            posts.extend(std::iter::repeat_n(Post { cell: leg[0], look }, pause));
            for &cell in &leg[..leg.len() - 1] {
                let look = direction(leg);
                posts.extend(std::iter::repeat_n(Post { cell, look }, self.pace.into()));
            }
        }
        if posts.is_empty() {
            posts.push(Post { cell: self.round[0], look: self.looks.first().copied() });
        }
        let at_angle = self.sight.is_some_and(|sight| sight.angle.is_some());
        match at_angle && posts.iter().any(|post| post.look.is_none()) {
            true => Err(GuardError::Direction { guard }),
            false => Ok(posts),
        }
    }
}

/// Returns the squares of the straight way from one square to another, both among them.
fn straight(board: &Board, steps: &Steps, from: Cell, to: Cell) -> Option<Vec<Cell>> {
    let apart = |from: u16, to: u16| i32::from(to) - i32::from(from);
    let mut way = vec![from];
    let mut here = from;
    while here != to {
        let (down, right) = Direction::along(apart(here.row, to.row), apart(here.col, to.col))?.offset();
        let next =
            Cell::new(here.row.checked_add_signed(down as i16)?, here.col.checked_add_signed(right as i16)?);
        if !steps.moves_from(board, here).contains(&next) {
            return None;
        }
        way.push(next);
        here = next;
    }
    Some(way)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::make;

    #[test]
    fn guards_come_back_from_their_text() {
        let texts = [
            "[[guards]]\nround = [[0, 0]]\n",
            "[[guards]]\nround = [[0, 0], [0, 9]]\nback = true\npace = 2\npause = 1\nlooks = [\"north\", \"southwest\"]\n\
             sight = 4\nangle = 90\nlines = \"supercover\"\ndoors = false\n",
        ];
        let GuardsText { guards } = toml::from_str(&texts.concat()).unwrap();
        assert_eq!(guards.iter().map(Guard::to_string).collect::<Vec<_>>(), texts);
    }

    #[test]
    fn round_of_too_many_turns_is_refused_at_the_first_of_them() {
        let board = make::open(1, 1000).unwrap();
        let round = [Cell::new(0, 0), Cell::new(0, 999)].repeat(Guards::MAX_ROUND / 2);
        let guard = Guard { round, back: false, pace: 255, pause: 0, looks: Vec::new(), sight: None };
        let refused = Guards::new(vec![guard], &board).unwrap_err();
        assert_eq!(refused, GuardError::Ticks { found: 999 * 255, periods: vec![999 * 255] });
    }
}
