//! Where pieces stand: on the board, and in the numbering of its table.

use crate::{
    Position, ProbeError,
    effort::Effort,
    table_game::{TableGame, Targets},
};
use dragnet_formats::{
    cell::{Cell, Side},
    container::TableError,
    game::{ListsError, Team, terminal},
    header::{Header, Section},
    moves::TeamMoves,
    numbering::{Location, Numbering, Place, TeamPlace},
    pieces::Pieces,
};
use smallvec::SmallVec;

/// A cell where the thief stands or could stand in a world, with its place in the numbering.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedThief {
    pub(crate) world: u32,
    pub(crate) cell: Cell,
    pub(crate) place: Place,
    /// Whether the thief has escaped there.
    escaped: bool,
}

/// Where officers stand or could stand: a world, and the team's place in the numbering. Their cells are
/// not copied: each copy of so many bytes takes as long as a look into the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedTeam {
    pub(crate) world: u32,
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
    pub(crate) fn place(self, position: &Position) -> Result<(PlacedTeam, PlacedThief), ProbeError> {
        self.find(position).ok_or_else(|| self.misplaced(position))
    }

    /// Returns where all pieces of a position stand; `None` if [`Placement::misplaced`] can explain why not.
    /// For single values, which would wait for the memory through which a result with an error passes.
    #[inline(always)]
    pub(crate) fn find(self, position: &Position) -> Option<(PlacedTeam, PlacedThief)> {
        let &Position { world, ref police, thief, .. } = position;
        if world >= self.game.worlds() {
            return None;
        }
        Some((self.place_team(world, police)?, self.place_thief(world, thief)?))
    }

    /// Checks that the table has a world.
    #[inline(always)]
    pub(crate) fn require_world(self, found: u32) -> Result<(), ProbeError> {
        let worlds = self.game.worlds();
        if found < worlds { Ok(()) } else { Err(ProbeError::World { worlds, found }) }
    }

    /// Returns where the officers on these cells of a world stand.
    pub(crate) fn place_police(self, world: u32, officers: &Pieces) -> Result<PlacedTeam, ProbeError> {
        self.require_world(world)?;
        self.place_team(world, officers).ok_or_else(|| self.off_places(officers, None))
    }

    /// Returns where in the table the position with these pieces, in one world, and the police to move is
    /// stored.
    #[inline(always)]
    pub(crate) fn location(self, police: &PlacedTeam, thief: &PlacedThief) -> Location {
        debug_assert_eq!(police.world, thief.world, "all pieces are in one world");
        self.numbering.location(thief.world, police.place, thief.place)
    }

    /// Explains why pieces of a position have no places.
    #[cold]
    #[inline(never)]
    pub(crate) fn misplaced(self, position: &Position) -> ProbeError {
        match self.require_world(position.world) {
            Ok(()) => self.off_places(&position.police, Some(position.thief)),
            Err(error) => error,
        }
    }

    /// Explains why these pieces, or some of them, have no places.
    #[cold]
    fn off_places(self, officers: &Pieces, thief: Option<Cell>) -> ProbeError {
        let (expected, found) = (usize::from(self.header.officers()), officers.len());
        if expected != found {
            return ProbeError::Officers { expected, found };
        }
        let on_cells = officers.iter().map(|&cell| (Side::Police, cell));
        let mut pieces = on_cells.chain(thief.map(|cell| (Side::Thief, cell)));
        if let Some((side, cell)) = pieces.find(|&(side, cell)| !self.game.is_place(side, cell)) {
            return match self.game.board(self.header).require_open(cell) {
                Err(source) if self.header.layers(side).count() == 1 => ProbeError::Position { side, source },
                _ => ProbeError::NoPlace { side, cell },
            };
        }
        let found_of =
            |number| officers.iter().filter(|&&cell| self.game.kind_number(cell) == Some(number)).count();
        let (number, kind) = (self.header.kinds.iter().enumerate())
            .find(|&(number, kind)| found_of(number) != usize::from(kind.pieces))
            .expect("pieces on places have a place in the numbering");
        let (expected, found) = (kind.pieces.into(), found_of(number));
        ProbeError::OfficersOfKind { kind: kind.name.clone(), number, expected, found }
    }

    /// Returns the place of the thief on `cell` in a world; `None` where no place is.
    #[inline(always)]
    pub(crate) fn place_thief(self, world: u32, cell: Cell) -> Option<PlacedThief> {
        let place = self.numbering.thief().place(cell)?;
        Some(PlacedThief { world, cell, place, escaped: self.game.escaped(world, cell) })
    }

    /// Returns the place of the police in a world; `None` with an officer where no place is, or with too few
    /// or too many.
    #[inline(always)]
    fn place_team(self, world: u32, officers: &Pieces) -> Option<PlacedTeam> {
        let place = self.numbering.police().place(officers)?;
        Some(PlacedTeam { world, place, arrived: self.game.arrived(world, officers) })
    }

    /// Returns the team of these officers in another world.
    #[inline(always)]
    pub(crate) fn team_in_world(self, officers: &Pieces, team: &PlacedTeam, world: u32) -> PlacedTeam {
        if world == team.world {
            return *team;
        }
        PlacedTeam { world, arrived: self.game.arrived(world, officers), ..*team }
    }

    /// Returns the thief in another world.
    #[inline(always)]
    pub(crate) fn thief_in_world(self, thief: &PlacedThief, world: u32) -> PlacedThief {
        if world == thief.world {
            return *thief;
        }
        PlacedThief { world, escaped: self.game.escaped(world, thief.cell), ..*thief }
    }

    /// Returns the side that has won without a move, if the position is terminal. All pieces are in one
    /// world; `police` is the team of these officers.
    #[inline(always)]
    pub(crate) fn winner(self, officers: &Pieces, police: &PlacedTeam, thief: &PlacedThief) -> Option<Side> {
        debug_assert_eq!(police.world, thief.world, "all pieces are in one world");
        let captured = self.game.captured(thief.world, officers, thief.cell);
        terminal::winner(captured, thief.escaped, police.arrived)
    }

    /// Returns the winner as [`Placement::winner`] does, of a position after a move of the question that has
    /// taken `effort` so far.
    #[inline(always)]
    pub(crate) fn winner_within(
        self,
        officers: &Pieces,
        police: &PlacedTeam,
        thief: &PlacedThief,
        effort: &mut Effort,
    ) -> Result<Option<Side>, ProbeError> {
        if !self.game.captures_here() {
            effort.take_values(officers.len())?;
        }
        Ok(self.winner(officers, police, thief))
    }

    /// Returns where the thief may move from where he is, by worlds and in reading order.
    #[inline]
    pub(crate) fn thief_moves(
        self,
        from: &PlacedThief,
        effort: &mut Effort,
    ) -> Result<Placed<PlacedThief>, ProbeError> {
        let moves = self.game.moves_of(Side::Thief, from.world, from.cell, effort)?;
        Ok(moves.into_iter().filter_map(|to| self.place_thief(to.world, to.cell)).collect())
    }

    /// Returns where the police may move from where it is, by worlds and in reading order.
    #[inline]
    pub(crate) fn team_moves(
        self,
        world: u32,
        officers: &Pieces,
        effort: &mut Effort,
    ) -> Result<TeamTargets, ProbeError> {
        if officers.len() == 1 {
            let moves = self.game.moves_of(Side::Police, world, officers.cell(), effort)?;
            return Ok(TeamTargets::One(moves.into_iter()));
        }
        let mut moves: SmallVec<[Targets; Pieces::MAX]> = SmallVec::new();
        for &from in officers.iter() {
            moves.push(self.game.moves_of(Side::Police, world, from, effort)?);
        }
        let mut worlds: SmallVec<[u32; 2]> = SmallVec::new();
        if officers.is_empty() {
            worlds.push(world);
        }
        for to in moves.iter().flatten() {
            if !worlds.contains(&to.world) {
                worlds.push(to.world);
            }
        }
        worlds.sort_unstable();
        let team = self.header.team;
        if let (Team::All, &[_, other, ..]) = (team, &worlds[..])
            && moves.iter().all(|moves| !moves.is_empty())
        {
            let expected = "moves of one turn to one world";
            let source = ListsError::Field { expected, found: other.into() };
            return Err(TableError::Section { section: Section::OfficerMoves(0), source }.into());
        }
        let in_world = |world| {
            let to =
                |moves: &Targets| moves.iter().filter(|to| to.world == world).map(|to| to.cell).collect();
            (world, TeamMoves::new(team, officers, moves.iter().map(to).collect()))
        };
        Ok(TeamTargets::Several(worlds.into_iter().rev().map(in_world).collect()))
    }
}

/// Where the police may move, found one team at a time: the worlds and the officers' cells there.
#[expect(clippy::large_enum_variant, reason = "it lives as long as a question, and heap memory takes time")]
pub(crate) enum TeamTargets {
    One(<Targets as IntoIterator>::IntoIter),
    /// The worlds to which moves lead, the next one last, with the teams there.
    Several(SmallVec<[(u32, TeamMoves); 1]>),
}

impl Iterator for TeamTargets {
    type Item = (u32, Pieces);

    #[inline]
    fn next(&mut self) -> Option<(u32, Pieces)> {
        match self {
            TeamTargets::One(targets) => targets.next().map(|to| (to.world, to.cell.into())),
            TeamTargets::Several(worlds) => loop {
                let (world, teams) = worlds.last_mut()?;
                match teams.next() {
                    Some(to) => return Some((*world, to)),
                    None => worlds.pop(),
                };
            },
        }
    }
}
