//! Where pieces stand: on the board, and in the numbering of its table.

use crate::{Position, ProbeError, effort::Effort, table_game::TableGame};
use dragnet_formats::{
    cell::{Cell, Side},
    game::terminal,
    header::Header,
    moves::{Moves, TeamMoves},
    numbering::{Location, Numbering, Place, TeamPlace},
    pieces::Pieces,
};
use smallvec::SmallVec;

/// A cell where the thief stands or could stand, with its place in the numbering.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedThief {
    pub(crate) cell: Cell,
    pub(crate) place: Place,
    /// Whether the thief has escaped there.
    escaped: bool,
}

/// Cells where the officers stand or could stand, with the team's place in the numbering.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedTeam {
    pub(crate) officers: Pieces,
    pub(crate) place: TeamPlace,
    /// Whether an officer has arrived.
    arrived: bool,
}

/// Where a side may move to; for most rules without heap memory.
pub(crate) type Placed<P> = SmallVec<[P; 10]>;

/// Finds the places of pieces and of where they may move in one table.
#[derive(Clone, Copy)]
pub(crate) struct Placement<'a> {
    pub(crate) header: &'a Header,
    pub(crate) numbering: &'a Numbering,
    pub(crate) game: &'a TableGame,
}

impl<'a> Placement<'a> {
    /// Returns where all pieces of a position stand.
    #[inline(always)]
    pub(crate) fn place(self, position: Position) -> Result<(PlacedTeam, PlacedThief), ProbeError> {
        match (self.place_team(position.police), self.place_thief(position.thief)) {
            (Some(police), Some(thief)) => Ok((police, thief)),
            _ => Err(self.misplaced(position)),
        }
    }

    /// Returns where in the table the position with these pieces and the police to move is stored.
    #[inline(always)]
    pub(crate) fn location(self, police: &PlacedTeam, thief: &PlacedThief) -> Location {
        self.numbering.location(police.place, thief.place)
    }

    /// Explains why the pieces of a position have no places.
    #[cold]
    fn misplaced(self, position: Position) -> ProbeError {
        let (expected, found) = (usize::from(self.header.officers.pieces), position.police.len());
        if expected != found {
            return ProbeError::Officers { expected, found };
        }
        let officers = position.police.iter().map(|&cell| (Side::Police, cell));
        let mut pieces = officers.chain([(Side::Thief, position.thief)]);
        let (side, cell) = pieces
            .find(|&(side, cell)| !self.game.is_place(side, cell))
            .expect("pieces on places have a place in the numbering");
        match self.game.board(self.header).require_open(cell) {
            Err(source) if self.header.officers.layers.len() == 1 => ProbeError::Position { side, source },
            _ => ProbeError::NoPlace { side, cell },
        }
    }

    /// Returns the place of the thief on `cell`; `None` where no place is.
    #[inline(always)]
    pub(crate) fn place_thief(self, cell: Cell) -> Option<PlacedThief> {
        let place = self.numbering.thief().place(cell)?;
        Some(PlacedThief { cell, place, escaped: self.game.escaped(cell) })
    }

    /// Returns the place of the police; `None` with an officer where no place is, or with too few or too
    /// many.
    #[inline(always)]
    fn place_team(self, officers: Pieces) -> Option<PlacedTeam> {
        let place = self.numbering.police().place(&officers)?;
        let arrived = self.game.arrived(&officers);
        Some(PlacedTeam { officers, place, arrived })
    }

    /// Returns the side that has won without a move, if the position is terminal.
    #[inline(always)]
    pub(crate) fn winner(self, police: &PlacedTeam, thief: &PlacedThief) -> Option<Side> {
        let captured = self.game.captured(&police.officers, thief.cell);
        terminal::winner(captured, thief.escaped, police.arrived)
    }

    /// Returns where the thief may move from the open cell `from`, in reading order.
    #[inline]
    pub(crate) fn thief_moves(
        self,
        from: Cell,
        effort: &mut Effort,
    ) -> Result<Placed<PlacedThief>, ProbeError> {
        let moves = self.game.moves_of(Side::Thief, from, effort)?;
        Ok(moves.into_iter().filter_map(|to| self.place_thief(to)).collect())
    }

    /// Returns where the police may move from open cells, in reading order.
    #[inline]
    pub(crate) fn team_moves(
        self,
        officers: &Pieces,
        effort: &mut Effort,
    ) -> Result<PlacedTeams, ProbeError> {
        if officers.len() == 1 {
            let moves = self.game.moves_of(Side::Police, officers.cell(), effort)?;
            return Ok(PlacedTeams::One(moves.into_iter()));
        }
        let mut moves = SmallVec::new();
        for &from in officers.iter() {
            moves.push(self.game.moves_of(Side::Police, from, effort)?);
        }
        Ok(PlacedTeams::Several(TeamMoves::new(self.header.team, officers, moves)))
    }
}

/// Where the police may move, found one team at a time.
#[expect(clippy::large_enum_variant, reason = "it lives as long as a question, and heap memory takes time")]
pub(crate) enum PlacedTeams {
    One(<Moves as IntoIterator>::IntoIter),
    Several(TeamMoves),
}

impl PlacedTeams {
    /// Returns the next team. `placement` is that of the table of which the moves are.
    #[inline]
    pub(crate) fn next(&mut self, placement: Placement<'_>) -> Option<PlacedTeam> {
        loop {
            let to = match self {
                PlacedTeams::One(cells) => cells.next()?.into(),
                PlacedTeams::Several(teams) => teams.next()?,
            };
            if let Some(placed) = placement.place_team(to) {
                return Some(placed);
            }
        }
    }
}
