//! The board of a game against a policy, with the moves of both sides.

use super::{error::PolicyError, team_turns::team_turns};
use dragnet_formats::{
    board::Board,
    cell::{Cell, Side},
    game::{MoveTable, PursuitGame},
    numbering::TileSize,
    pieces::Pieces,
    rules::Rules,
    stop::StopCheck,
};
use dragnet_generator::{GameSize, Observer, Pursuit, PursuitError, SolveError, StopRequest};

/// A board under rules, with the moves of both sides between their *places*.
///
/// A place is where all pieces of one side stand. Places are numbered from 0: cells in reading order over the
/// open cells, and teams of several officers as multisets of these.
///
/// ```
/// use dragnet_formats::{board::make, cell::{Cell, Side}, rules::Rules};
/// use dragnet_policy::Ground;
///
/// let ground = Ground::new(make::open(3, 3)?, Rules::classic())?;
/// let corner = ground.place(Side::Thief, &Cell::new(2, 2).into()).expect("an open cell");
/// assert_eq!((corner, ground.places(Side::Thief)), (8, 9));
/// assert_eq!(ground.moves(Side::Thief, corner), [5, 7, 8]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Ground {
    board: Board,
    rules: Rules,
    game: Pursuit,
    /// The open cells in reading order.
    cells: Vec<Cell>,
    /// The moves of an officer and of the thief.
    pieces: [MoveTable; 2],
    /// The moves of the police and of the thief.
    moves: [MoveTable; 2],
}

impl Ground {
    /// Creates the ground of `rules` on `board`.
    ///
    /// # Errors
    /// When the rules cannot be played there, the board has no open cell, or a side has too many places or
    /// moves.
    pub fn new(board: Board, rules: Rules) -> Result<Ground, PolicyError> {
        Ground::observed(board, rules, &())
    }

    /// Creates the ground of `rules` on `board`, unless the observer stops the work: teams may have hundreds
    /// of millions of turns.
    ///
    /// # Errors
    /// As for [`Ground::new`]; and [`PolicyError::Stopped`].
    pub fn observed(board: Board, rules: Rules, observer: &dyn Observer) -> Result<Ground, PolicyError> {
        // With tiles of one cell, cells and teams have their numbers in reading order.
        let tile = TileSize::ONE;
        rules.check_places_are_cells().map_err(PursuitError::from)?;
        Pursuit::check(&board, &rules, tile, tile)?;
        let stop = || observer.stop();
        let check = &mut StopCheck::new(&stop);
        let game = PursuitGame::compile(&board, &rules, check).map_err(PursuitError::from)?;
        let (pieces, cells) = (game.moves.clone(), game.places[0].cells().collect());
        let game = Pursuit::new(game, tile, tile, check)?;
        let [officer, thief] = pieces.clone();
        let police = if rules.officers == 1 { officer } else { team_turns(game.police(), check)? };
        Ok(Ground { cells, pieces, moves: [police, thief], game, board, rules })
    }

    /// Returns the most bytes of memory that the ground of `rules` on `board` takes: an estimate from above.
    #[must_use]
    pub fn memory_needed(board: &Board, rules: &Rules) -> u64 {
        // A turn of a team has at most as many targets as the product of its officers' moves, a king's on
        // average at most nine.
        let cells = board.open_count() as u64;
        let teams = dragnet_formats::pieces::multisets(cells, rules.officers.into());
        let turns = 9u64.saturating_pow(rules.officers.into());
        let places = if rules.officers == 1 { 0 } else { teams.saturating_mul(4 * turns) };
        GameSize::of(board, rules).memory_needed().saturating_mul(2).saturating_add(places)
    }

    /// Returns the game of perfect play on this ground.
    #[must_use]
    pub fn game(&self) -> &Pursuit {
        &self.game
    }

    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the number of places of a side.
    #[must_use]
    pub fn places(&self, side: Side) -> usize {
        self.moves[side as usize].places()
    }

    /// Returns the places to which a turn of `side` leads from `place`, rising; none if the side is stuck.
    ///
    /// # Panics
    /// If the side has no such place.
    #[must_use]
    #[inline]
    pub fn moves(&self, side: Side, place: u32) -> &[u32] {
        self.moves[side as usize].of(place as usize)
    }

    /// Returns the moves of a side taken back.
    ///
    /// # Errors
    /// When the work is to stop.
    pub(super) fn moves_back(&self, side: Side, stop: StopRequest) -> Result<MoveTable, SolveError> {
        let ask = || stop.ask();
        Ok(self.moves[side as usize].transposed_unless(&mut StopCheck::new(&ask))?)
    }

    /// Returns the moves of a single piece of a side.
    pub(super) fn piece_moves(&self, side: Side) -> &MoveTable {
        &self.pieces[side as usize]
    }

    /// Returns the cells of a side's pieces at `place`.
    ///
    /// # Panics
    /// If the side has no such place.
    #[must_use]
    pub fn pieces(&self, side: Side, place: u32) -> Pieces {
        match side {
            Side::Police => {
                let team = self.officers(place);
                let cells: Vec<Cell> = team.iter().map(|&cell| self.cells[cell as usize]).collect();
                Pieces::new(&cells).expect("a team of the game has a legal number of officers")
            }
            Side::Thief => self.cells[place as usize].into(),
        }
    }

    /// Returns the numbers of the cells of the officers at `place`, in reading order over the open cells.
    pub(super) fn officers(&self, place: u32) -> &[u32] {
        self.game.police().list().cells(place as usize)
    }

    /// Returns the place of a side whose pieces stand on these cells, or `None` if a cell is a wall or off
    /// the board, or the side has another number of pieces.
    #[must_use]
    pub fn place(&self, side: Side, pieces: &Pieces) -> Option<u32> {
        match side {
            Side::Police => self.game.police().find(pieces).map(|team| team as u32),
            Side::Thief => match pieces.cells() {
                [cell] => self.cells.binary_search(cell).ok().map(|number| number as u32),
                _ => None,
            },
        }
    }

    /// Returns the side that has won with the police and the thief at these places, or `None` if the position
    /// is not terminal.
    ///
    /// # Panics
    /// If a side has no such place.
    #[must_use]
    #[inline]
    pub fn winner(&self, police: u32, thief: u32) -> Option<Side> {
        self.game.terminal(0, police as usize, thief)
    }
}
