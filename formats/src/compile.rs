//! From boards and rules to the game below them.

use crate::{
    board::{Board, Square},
    cell::Side,
    game::{MoveTable, Places, PursuitGame, terminal::TerminalRule},
    moves::{MoveTableError, Steps},
    rules::{PoliceOnExit, Rules},
    stop::StopCheck,
};

impl Board {
    /// Returns the open cells, exits included, as the places of pieces.
    #[must_use]
    pub fn places(&self) -> Places {
        let squares = self.squares().iter().map(|&square| square != Square::Wall);
        Places::new(self.height(), self.width(), squares.collect())
    }
}

impl TerminalRule {
    /// Creates the rule of the game of `rules` on `board`. Takes one byte of memory per open cell.
    #[must_use]
    pub fn on_board(board: &Board, rules: &Rules) -> TerminalRule {
        let open = board.squares().iter().filter(|&&square| square != Square::Wall);
        let exits: Vec<bool> = open.map(|&square| square == Square::Exit).collect();
        let arrivals = if rules.police_on_exit == PoliceOnExit::Wins { exits.clone() } else { Vec::new() };
        TerminalRule::new(exits, arrivals)
    }
}

impl PursuitGame {
    /// Compiles the game of `rules` on `board`, which [`Rules::check_on`] has checked, unless `check` says
    /// that the work is to stop: a board may have hundreds of millions of moves.
    ///
    /// # Errors
    /// When a side has more than 2^32 - 1 moves, or the work is to stop.
    pub fn compile(
        board: &Board,
        rules: &Rules,
        check: &mut StopCheck,
    ) -> Result<PursuitGame, MoveTableError> {
        let mut moves = |side| MoveTable::checked(board, &Steps::new(rules, side), u32::MAX, check);
        let places = board.places();
        Ok(PursuitGame {
            moves: [moves(Side::Police)?, moves(Side::Thief)?],
            places: [places.clone(), places],
            officers: rules.officers,
            team: rules.team,
            stuck: rules.stuck,
            ends: TerminalRule::on_board(board, rules),
        })
    }
}
