//! Where pieces stand: on the board, and in the numbering of its table.

use crate::{Position, ProbeError, effort::Effort};
use dragnet_formats::{
    board::Board,
    cell::{Cell, Side},
    game::terminal,
    header::Header,
    moves::{Moves, Steps, TeamMoves},
    numbering::{Location, Numbering, Place, TeamPlace},
    pieces::Pieces,
    rules::{PoliceOnExit, Rules},
};
use smallvec::SmallVec;

/// A cell where the thief stands or could stand, with its place in the numbering.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedThief {
    pub(crate) cell: Cell,
    pub(crate) place: Place,
    /// Whether the cell is an exit.
    escaped: bool,
}

/// Cells where the officers stand or could stand, with the team's place in the numbering.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedTeam {
    pub(crate) officers: Pieces,
    pub(crate) place: TeamPlace,
    /// Whether the police has won by an officer on an exit, unless the thief has escaped.
    arrived: bool,
}

/// Where a side may move to; for most rules without heap memory.
pub(crate) type Placed<P> = SmallVec<[P; 10]>;

/// The moves of both sides under a table's rules, and whether exits win for the police, ready to be asked for
/// any cell.
#[derive(Debug)]
pub(crate) struct Movements {
    police: Steps,
    thief: Steps,
    /// Whether the police wins with an officer on an exit.
    arrival_wins: bool,
}

impl Movements {
    pub(crate) fn new(rules: &Rules) -> Movements {
        Movements {
            police: Steps::new(rules, Side::Police),
            thief: Steps::new(rules, Side::Thief),
            arrival_wins: rules.police_on_exit == PoliceOnExit::Wins,
        }
    }
}

/// Finds the places of pieces and of where they may move in one table.
#[derive(Clone, Copy)]
pub(crate) struct Placement<'a> {
    pub(crate) header: &'a Header,
    pub(crate) numbering: &'a Numbering,
    pub(crate) movements: &'a Movements,
}

impl<'a> Placement<'a> {
    #[inline(always)]
    fn board(self) -> &'a Board {
        &self.header.board
    }

    /// Returns the rules.
    #[inline(always)]
    pub(crate) fn rules(self) -> &'a Rules {
        &self.header.rules
    }

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
        let (expected, found) = (usize::from(self.rules().officers), position.police.len());
        if expected != found {
            return ProbeError::Officers { expected, found };
        }
        let officers = position.police.iter().map(|&cell| (Side::Police, cell));
        for (side, cell) in officers.chain([(Side::Thief, position.thief)]) {
            if let Err(source) = self.board().require_open(cell) {
                return ProbeError::Position { side, source };
            }
        }
        unreachable!("every open cell has a place in the numbering, and {position} stands on open cells only")
    }

    /// Returns the place of the thief on `cell`; `None` on walls and off the board.
    #[inline(always)]
    pub(crate) fn place_thief(self, cell: Cell) -> Option<PlacedThief> {
        let place = self.numbering.thief().place(cell)?;
        Some(PlacedThief { cell, place, escaped: self.is_exit(cell) })
    }

    /// Returns the place of the police; `None` with an officer on a wall or off the board, or with too few or
    /// too many.
    #[inline(always)]
    fn place_team(self, officers: Pieces) -> Option<PlacedTeam> {
        let place = self.numbering.police().place(&officers)?;
        let arrived = self.movements.arrival_wins && officers.iter().any(|&cell| self.is_exit(cell));
        Some(PlacedTeam { officers, place, arrived })
    }

    #[inline(always)]
    fn is_exit(self, cell: Cell) -> bool {
        self.board().is_exit(cell)
    }

    /// Returns the cells to which a piece of a side may move from `from`.
    #[inline]
    pub(crate) fn moves_of(self, side: Side, from: Cell, effort: &mut Effort) -> Result<Moves, ProbeError> {
        let steps = match side {
            Side::Police => &self.movements.police,
            Side::Thief => &self.movements.thief,
        };
        Ok(steps.moves_within(self.board(), from, &mut effort.steps)?)
    }

    /// Returns where the thief may move from the open cell `from`, in reading order.
    #[inline]
    pub(crate) fn thief_moves(
        self,
        from: Cell,
        effort: &mut Effort,
    ) -> Result<Placed<PlacedThief>, ProbeError> {
        let moves = self.moves_of(Side::Thief, from, effort)?;
        Ok(moves.into_iter().filter_map(|to| self.place_thief(to)).collect())
    }

    /// Returns where the police may move from open cells, in reading order.
    #[inline]
    pub(crate) fn team_moves(
        self,
        officers: &Pieces,
        effort: &mut Effort,
    ) -> Result<PlacedTeams, ProbeError> {
        let (steps, board) = (&self.movements.police, self.board());
        if officers.len() == 1 {
            let moves = steps.moves_within(board, officers.cell(), &mut effort.steps)?;
            return Ok(PlacedTeams::One(moves.into_iter()));
        }
        let teams = steps.team_moves(self.rules().team, board, officers, &mut effort.steps)?;
        Ok(PlacedTeams::Several(teams))
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

/// Returns the side that has won without a move, if the position is terminal.
#[inline]
pub(crate) fn winner(police: &PlacedTeam, thief: &PlacedThief) -> Option<Side> {
    terminal::winner(police.officers.contains(&thief.cell), thief.escaped, police.arrived)
}
