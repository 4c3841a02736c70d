//! The size of a pursuit game.

use super::team::TeamSpace;
use dragnet_formats::{
    game::{PursuitGame, Team},
    team_numbers::TeamNumbers,
};

/// The numbers on which the memory of a solve depends. [`GameSize::of`] bounds it before any move is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSize {
    /// The number of worlds.
    pub(crate) worlds: u32,
    /// The teams of one world.
    pub(crate) numbers: TeamNumbers,
    /// The number of places of the thief in each world.
    pub(crate) cells: u64,
    /// The number of officers that move in one turn.
    pub(crate) team: Team,
    /// The moves of an officer from all places together, and those of the thief.
    pub(crate) moves: [u64; 2],
}

/// Bytes of memory that a move takes: 4 in each table that has it. A solve of the open 64x64 board with kings
/// of 24 steps was measured to take 14.6.
const MOVE: u64 = 16;

impl GameSize {
    /// Returns the size of a compiled game.
    pub(crate) fn of_game(game: &PursuitGame) -> GameSize {
        GameSize {
            worlds: game.worlds,
            numbers: game.team_numbers(),
            cells: game.places[1].count() as u64,
            team: game.team,
            moves: game.moves.each_ref().map(|moves| moves.len() as u64),
        }
    }

    /// Returns the number of teams in all worlds together, or `u64::MAX` if it is greater than that.
    pub(crate) fn teams(&self) -> u64 {
        self.numbers.count().saturating_mul(self.worlds.into())
    }

    /// Returns the bytes of memory that the game's tables take: those of all teams, and the moves of both
    /// sides. The engine `counters` needs links as well.
    #[must_use]
    pub fn memory_needed(&self) -> u64 {
        let [police, thief] = self.moves;
        TeamSpace::memory_needed(&self.numbers)
            .saturating_add(police.saturating_add(thief).saturating_mul(MOVE))
    }

    /// Returns the bytes of memory that the links of teams take.
    pub(crate) fn links_memory_needed(&self) -> u64 {
        let in_one = TeamSpace::links_memory_needed(self.team, &self.numbers, self.moves[0]);
        in_one.saturating_mul(self.worlds.into())
    }
}
