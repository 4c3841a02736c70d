//! From boards and rules to the games that engines solve. What stands above this module in `lib.rs` knows
//! places, moves and ends, and neither boards nor rules.

mod move_count;

use crate::{
    games::{
        pursuit::{Pursuit, PursuitError},
        size::GameSize,
    },
    observer::Observer,
};
use dragnet_formats::{
    board::Board, cell::Side, game::PursuitGame, numbering::TileSize, rules::Rules, stop::StopCheck,
    team_numbers::TeamNumbers,
};
use move_count::most_moves;

impl GameSize {
    /// Returns the size of the game of `rules` on `board`: the number of moves is a bound, without a search.
    #[must_use]
    pub fn of(board: &Board, rules: &Rules) -> GameSize {
        GameSize {
            worlds: 1,
            numbers: TeamNumbers::new([(board.open_count() as u32, rules.officers)]),
            cells: board.open_count() as u64,
            team: rules.team,
            moves: Side::BOTH.map(|side| most_moves(board, rules, side)),
        }
    }
}

impl Pursuit {
    /// Checks that the game of `rules` on `board` can be solved and numbered in tiles of these sizes, as far
    /// as that is known before any move is found.
    ///
    /// # Errors
    /// When the rules cannot be played, the board has no open cell, or the game has too many positions.
    pub fn check(
        board: &Board,
        rules: &Rules,
        police_tile: TileSize,
        thief_tile: TileSize,
    ) -> Result<(), PursuitError> {
        rules.check_on(board)?;
        Pursuit::check_size(&GameSize::of(board, rules), police_tile, thief_tile)
    }

    /// Returns the game of `rules` on `board`, numbered in tiles of these sizes, unless the observer stops
    /// the work: a board may have millions of teams, and hundreds of millions of moves.
    ///
    /// # Errors
    /// When the rules cannot be played, the board has no open cell, the game has too many positions or moves,
    /// or the observer stops the work.
    pub fn compile(
        board: &Board,
        rules: &Rules,
        police_tile: TileSize,
        thief_tile: TileSize,
        observer: &dyn Observer,
    ) -> Result<Pursuit, PursuitError> {
        Pursuit::check(board, rules, police_tile, thief_tile)?;
        let stop = || observer.stop();
        let check = &mut StopCheck::new(&stop);
        Pursuit::new(PursuitGame::compile(board, rules, check)?, police_tile, thief_tile, check)
    }
}
