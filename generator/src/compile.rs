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
    board::{Board, Scenario},
    game::PursuitGame,
    header::{Header, Kind},
    numbering::TileSize,
    rules::{Movement, Rules},
    setting::Setting,
    stop::StopCheck,
    team_numbers::TeamNumbers,
};
use move_count::most_moves;

impl GameSize {
    /// Returns the size of the game of `rules` on `board`, of which each place is a cell: the number of moves
    /// is a bound, without a search.
    #[must_use]
    pub fn of(board: &Board, rules: &Rules) -> GameSize {
        GameSize {
            worlds: 1,
            numbers: TeamNumbers::new([(board.open_count() as u32, rules.officers)]),
            cells: board.open_count() as u64,
            team: rules.team,
            moves: [&rules.police, &rules.thief].map(|movement| most_moves(board, rules, movement)),
        }
    }

    /// Returns the size of the game of a setting, whose table has this header: the number of moves is a
    /// bound, too.
    #[must_use]
    pub fn of_setting(setting: &Setting, header: &Header) -> GameSize {
        let Setting { board, rules, .. } = setting;
        let bound = |movement: &Movement, kind: &Kind| {
            let layers = kind.layers.len() as u64;
            // Who stays turns to either side, and a step may leave two directions.
            let turns = if movement.look.is_some() { 3 } else { 1 };
            most_moves(board, rules, movement).saturating_mul(layers * turns)
        };
        let of_officers = rules.kinds().zip(&header.kinds).map(|((_, movement), kind)| bound(movement, kind));
        let moves = [of_officers.fold(0, u64::saturating_add), bound(&rules.thief, &header.thief)];
        GameSize {
            worlds: header.worlds,
            numbers: header.team_numbers(),
            cells: header.thief.places.count() as u64,
            team: rules.team,
            moves: moves.map(|moves| moves.saturating_mul(header.worlds.into())),
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
        let setting = Setting::new(Scenario::from_board(board.clone()), rules.clone());
        let header = Header::of_setting(&setting, [police_tile, thief_tile])?;
        Pursuit::check_size(&GameSize::of_setting(&setting, &header), police_tile, thief_tile)
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
