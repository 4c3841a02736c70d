//! A pursuit game below all boards and rules: places, moves between them, and ends.
//!
//! Boards, rules and graphs say what a game means to people, and are [compiled](crate::compile) to this once.
//! Who solves or verifies a game needs nothing else: a new kind of move or of terrain changes what is above,
//! and nothing that works on a [`PursuitGame`].

mod error;

mod move_table;

mod places;

mod lists;

pub mod kind_rows;

mod move_codes;

pub mod terminal;

pub use error::PursuitGameError;
pub use lists::{DifferenceLists, ListsError, Span};
pub use move_codes::{Differences, MAX_MOVES, MoveCodes};
pub use move_table::{MoveRows, MoveTable, TooManyMoves};
pub use places::Places;

use crate::{
    cell::Side,
    pieces::{Pieces, PiecesError},
    team_numbers::TeamNumbers,
};
use serde::{Deserialize, Serialize};
use terminal::TerminalRule;

/// The result for a side to move that has no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Stuck {
    /// The side loses at once.
    Loses,
    /// The side wins at once.
    Wins,
}

/// The number of officers that move in one turn of the police.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Team {
    /// Every officer.
    All,
    /// One officer.
    One,
}

/// The officers of one kind. They cannot be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfficerKind {
    /// The number of officers, at least 1.
    pub pieces: u8,
    /// The number of rows of their grid. Grids of kinds stand one below the other on that of all officers.
    pub rows: u16,
}

impl OfficerKind {
    /// Returns the numbers of the teams of these kinds on `places`, those of all kinds, in one world.
    ///
    /// # Panics
    /// If there are more rows than those of `places`.
    #[must_use]
    pub fn team_numbers<'a>(
        kinds: impl IntoIterator<Item = &'a OfficerKind>,
        places: &Places,
    ) -> TeamNumbers {
        let mut squares = places.squares();
        TeamNumbers::new(kinds.into_iter().map(|kind| {
            let (here, rest) = squares.split_at(usize::from(kind.rows) * usize::from(places.width()));
            squares = rest;
            (here.iter().filter(|&&is_place| is_place).count() as u32, kind.pieces)
        }))
    }
}

/// A pursuit game. The places of each side are numbered in reading order.
///
/// A place is a square of a grid, and may stand for more than where a piece is: pieces that look in one of
/// four directions have a grid of four boards, one below the other. If there are several kinds of officers,
/// each has a grid of its own, and those of all stand one below the other.
///
/// A game may have several *worlds*, for what changes about the whole board: which doors are open, or the
/// tick of a clock. Each has the same places, and moves and ends of its own: what has a row or an element for
/// each place has one for each place of each world, world after world, and a move leads to number world ·
/// places + place.
///
/// ```
/// use dragnet_formats::{board::make, cell::Side, game::PursuitGame, rules::Rules, stop::StopCheck};
///
/// let game = PursuitGame::compile(&make::open(1, 3)?, &Rules::classic(), &mut StopCheck::never())?;
/// assert_eq!(game.moves(Side::Thief).of(0), [0, 1]);
/// assert_eq!(game.ends.winner(0, &[2], 2), Some(Side::Police));
/// assert_eq!(game.check(), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PursuitGame {
    /// The kinds of officers, of whom there are at most [`Pieces::MAX`]. Without any the thief is alone.
    pub kinds: Vec<OfficerKind>,
    /// The number of officers that move in one turn.
    pub team: Team,
    /// The result for a side to move that has no move.
    pub stuck: Stuck,
    /// The number of worlds, at least 1.
    pub worlds: u32,
    /// The places of officers, and those of the thief, the same ones in every world.
    pub places: [Places; 2],
    /// The moves of officers, each between places of one kind, and those of the thief. If every one of
    /// several officers moves, those of one turn lead to one world, and so do all that begin in one.
    pub moves: [MoveTable; 2],
    /// The positions that are over.
    pub ends: TerminalRule,
}

impl PursuitGame {
    /// Returns the places of a piece of `side`.
    #[must_use]
    #[inline]
    pub fn places(&self, side: Side) -> &Places {
        &self.places[side as usize]
    }

    /// Returns the moves of a piece of `side`.
    #[must_use]
    #[inline]
    pub fn moves(&self, side: Side) -> &MoveTable {
        &self.moves[side as usize]
    }

    /// Returns the number of officers.
    #[must_use]
    pub fn officers(&self) -> u8 {
        self.kinds.iter().map(|kind| kind.pieces).sum()
    }

    /// Returns the numbers of teams in one world.
    #[must_use]
    pub fn team_numbers(&self) -> TeamNumbers {
        OfficerKind::team_numbers(&self.kinds, &self.places[0])
    }

    /// Checks that the parts of the game fit together. Takes a look at each move.
    ///
    /// # Errors
    /// Names the first part that does not fit.
    pub fn check(&self) -> Result<(), PursuitGameError> {
        self.check_kinds()?;
        let worlds = self.worlds as usize;
        if worlds == 0 || worlds != self.ends.worlds() as usize {
            return Err(PursuitGameError::Worlds { expected: self.worlds, found: self.ends.worlds() });
        }
        let of_one = [&self.places[0], &self.places[1]].map(Places::count);
        let [police, thief] = of_one.map(|places| worlds * places);
        let rows = |what, expected: usize, found: usize| match found == expected {
            true => Ok(()),
            false => Err(PursuitGameError::Rows { what, expected, found }),
        };
        rows("moves of an officer", police, self.moves[0].places())?;
        rows("moves of the thief", thief, self.moves[1].places())?;
        rows("escapes", thief, self.ends.escapes().len())?;
        if !self.ends.arrivals().is_empty() {
            rows("arrivals", police, self.ends.arrivals().len())?;
        }
        targets("moves of an officer", &self.moves[0], police)?;
        targets("moves of the thief", &self.moves[1], thief)?;
        match self.ends.captures() {
            None if self.kinds.len() != 1 => {
                return Err(PursuitGameError::Captures { kinds: self.kinds.len() });
            }
            None => rows("places of the thief, who is captured on those of officers,", police, thief)?,
            Some(captures) => {
                rows("captures", police, captures.places())?;
                targets("captures", captures, of_one[1])?;
            }
        }
        match self.team == Team::All && self.officers() > 1 {
            true => (0..self.worlds).try_for_each(|world| self.world_after(world).map(drop)),
            false => Ok(()),
        }
    }

    /// Checks that the kinds have as many officers as may be, and all rows of the officers' grid, and that no
    /// move leads from one kind to another.
    fn check_kinds(&self) -> Result<(), PursuitGameError> {
        let found = self.kinds.iter().map(|kind| usize::from(kind.pieces)).sum();
        if found > Pieces::MAX || self.kinds.iter().any(|kind| kind.pieces == 0) {
            return Err(PiecesError { found }.into());
        }
        let rows: usize = self.kinds.iter().map(|kind| usize::from(kind.rows)).sum();
        let places = &self.places[0];
        let expected = places.height().into();
        if rows != expected {
            return Err(PursuitGameError::Kinds { expected, found: rows });
        }
        if self.kinds.len() < 2 {
            return Ok(());
        }
        let (all, numbers) = (places.count() as u32, self.team_numbers());
        for (place, row) in (0..).zip((0..self.moves[0].places()).map(|place| self.moves[0].of(place))) {
            let kind = |place: u32| {
                numbers.kinds().iter().position(|kind| (place % all).wrapping_sub(kind.first) < kind.places)
            };
            if let Some(&found) = row.iter().find(|&&to| kind(to) != kind(place)) {
                return Err(PursuitGameError::OtherKind { place, found });
            }
        }
        Ok(())
    }

    /// Returns the world to which the moves of officers from a world lead, or `None` if there is no such
    /// move. In a game with a clock they lead from each world to one.
    ///
    /// ```
    /// use dragnet_formats::{board::make, game::PursuitGame, rules::Rules, stop::StopCheck};
    ///
    /// let game = PursuitGame::compile(&make::open(1, 3)?, &Rules::classic(), &mut StopCheck::never())?;
    /// assert_eq!(game.world_after(0), Ok(Some(0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When they lead to several worlds.
    ///
    /// # Panics
    /// If there is no such world.
    pub fn world_after(&self, world: u32) -> Result<Option<u32>, PursuitGameError> {
        let places = self.places[0].count();
        let rows = world as usize * places..(world as usize + 1) * places;
        let mut worlds = rows.flat_map(|place| self.moves[0].of(place)).map(|&to| to / places as u32);
        let Some(first) = worlds.next() else { return Ok(None) };
        match worlds.find(|&other| other != first) {
            Some(other) => Err(PursuitGameError::Turn { world, first, other }),
            None => Ok(Some(first)),
        }
    }
}

/// Checks that each row of `table` rises and has none but `places` places.
fn targets(what: &'static str, table: &MoveTable, places: usize) -> Result<(), PursuitGameError> {
    for place in 0..table.places() {
        let mut least = 0;
        for &found in table.of(place) {
            if found < least || found as usize >= places {
                return Err(PursuitGameError::Target { what, place: place as u32, found, places });
            }
            least = found + 1;
        }
    }
    Ok(())
}
