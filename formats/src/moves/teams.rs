//! The moves of a team of officers, found one at a time.

use super::{Moves, Steps, TooManySteps};
use crate::{board::Board, cell::Cell, pieces::Pieces, rules::Team};
use smallvec::SmallVec;

/// The teams that one turn of the police can make, each once, in order. If all officers must move and one
/// cannot, there is none.
///
/// Takes no memory for the teams, however many there are: the next one is found when it is asked for.
/// Officers who move by single steps of a king take no heap memory at all.
#[derive(Clone, Debug)]
pub struct TeamMoves(Found);

#[derive(Clone, Debug)]
enum Found {
    All(AllMove),
    One(OneMoves),
}

impl TeamMoves {
    /// Returns the teams that one turn of the police can make of `officers`, each of whom has these moves,
    /// rising. All officers move or one does, as `team` says.
    ///
    /// # Panics
    /// If there are not as many lists of moves as officers.
    #[must_use]
    pub fn new(team: Team, officers: &Pieces, moves: SmallVec<[Moves; Pieces::MAX]>) -> TeamMoves {
        assert_eq!(officers.len(), moves.len(), "a list of moves for each officer");
        TeamMoves(match team {
            Team::All => Found::All(AllMove::new(&moves)),
            Team::One => Found::One(OneMoves { officers: *officers, moves, next: [0; Pieces::MAX] }),
        })
    }
}

impl Steps {
    /// Returns the teams that one turn of the police can make of `officers`, if the officers' own moves are
    /// found by trying at most `steps` single steps, which are taken off `steps`. All officers move or one
    /// does, as `team` says. If one officer moves and may stay, the whole team may stay.
    ///
    /// ```
    /// use dragnet_formats::{board::make, cell::{Cell, Side}, moves::Steps, pieces::Pieces, rules::{Rules,
    /// Team}};
    ///
    /// let board = make::open(1, 3)?;
    /// let officers = Pieces::new(&[Cell::new(0, 0), Cell::new(0, 1)])?;
    /// let steps = Steps::new(&Rules::classic(), Side::Police);
    /// let teams: Vec<String> =
    ///     steps.team_moves(Team::All, &board, &officers, &mut 100)?.map(|team| team.to_string()).collect();
    /// assert_eq!(teams, ["0,0+0,0", "0,0+0,1", "0,0+0,2", "0,1+0,1", "0,1+0,2"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When more steps are needed.
    pub fn team_moves(
        &self,
        team: Team,
        board: &Board,
        officers: &Pieces,
        steps: &mut u64,
    ) -> Result<TeamMoves, TooManySteps> {
        let mut moves: SmallVec<[Moves; Pieces::MAX]> = SmallVec::new();
        for &from in officers.iter() {
            moves.push(self.moves_within(board, from, steps)?);
        }
        Ok(TeamMoves::new(team, officers, moves))
    }
}

impl Iterator for TeamMoves {
    type Item = Pieces;

    #[inline]
    fn next(&mut self) -> Option<Pieces> {
        match &mut self.0 {
            Found::All(teams) => teams.next(),
            Found::One(teams) => teams.next(),
        }
    }
}

/// The teams that arise if one officer moves. The teams of one officer rise as the officer's cells do, so
/// that the next one of all is the lowest among the next ones of each officer.
#[derive(Clone, Debug)]
struct OneMoves {
    officers: Pieces,
    /// The moves of each officer, rising.
    moves: SmallVec<[Moves; Pieces::MAX]>,
    /// How many moves of each officer have been taken.
    next: [usize; Pieces::MAX],
}

impl Iterator for OneMoves {
    type Item = Pieces;

    fn next(&mut self) -> Option<Pieces> {
        let officers = self.officers;
        let next =
            |officer: usize, moves: &Moves, next: usize| Some(officers.with(officer, *moves.get(next)?));
        let heads = self.moves.iter().zip(&self.next).enumerate();
        let lowest = heads.filter_map(|(officer, (moves, &taken))| next(officer, moves, taken)).min()?;
        for (officer, (moves, taken)) in self.moves.iter().zip(&mut self.next).enumerate() {
            *taken += usize::from(next(officer, moves, *taken) == Some(lowest));
        }
        Some(lowest)
    }
}

/// The teams that arise if every officer moves.
///
/// A team is a list of cells that do not fall, and several officers may reach one cell, so that the same team
/// can arise in many ways. The search extends a list cell by cell, and keeps for each length of the list all
/// sets of officers who can stand on its cells. A list of which no such set is left is given up. A set goes
/// when an officer outside it can reach no cell that is high enough; so every list that is kept can be
/// completed, and the search never looks in vain.
#[derive(Clone, Debug)]
struct AllMove {
    officers: usize,
    /// The cells that some officer can reach, rising, each with the officers who can, one bit each.
    cells: SmallVec<[(Cell, u8); 64]>,
    /// For each officer the place in `cells` of the last cell that the officer can reach.
    last: [usize; Pieces::MAX],
    /// The places in `cells` of the list's cells; the last one is where the search goes on.
    list: SmallVec<[usize; Pieces::MAX]>,
    /// For each length of the list, from 0, the sets of officers who can stand on its cells.
    sets: [OfficerSets; Pieces::MAX + 1],
}

/// A set of sets of officers: bit number s is the set whose officers are the bits of s.
type OfficerSets = u64;

/// For each officer the sets that contain the officer.
const WITH: [OfficerSets; Pieces::MAX] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

impl AllMove {
    fn new(moves: &[Moves]) -> AllMove {
        let mut cells: SmallVec<[(Cell, u8); 64]> = SmallVec::new();
        for (officer, moves) in moves.iter().enumerate() {
            cells.extend(moves.iter().map(|&to| (to, 1 << officer)));
        }
        cells.sort_unstable();
        cells.dedup_by(|again, first| {
            let same = again.0 == first.0;
            if same {
                first.1 |= again.1;
            }
            same
        });
        let mut last = [0; Pieces::MAX];
        for (place, &(_, who)) in cells.iter().enumerate() {
            (0..moves.len())
                .filter(|officer| who >> officer & 1 == 1)
                .for_each(|officer| last[officer] = place);
        }
        let mut sets = [0; Pieces::MAX + 1];
        // The empty list, and nobody to stand on it. No list can begin if an officer has no move.
        sets[0] = u64::from(moves.iter().all(|moves| !moves.is_empty()));
        AllMove { officers: moves.len(), cells, last, list: SmallVec::from_slice(&[0]), sets }
    }

    /// Returns the sets of officers who can stand on a list of cells and on the one at `place` after it,
    /// given those who can stand on the list; without the sets that leave out an officer who can reach none
    /// of the cells from `place` on. `None` if the list has too few cells for the officers who must be in it
    /// by then.
    fn extended(&self, sets: OfficerSets, place: usize, length: usize) -> Option<OfficerSets> {
        let (_, who) = self.cells[place];
        let (mut extended, mut kept) = (0, u64::MAX);
        let mut due = 0;
        for (officer, with) in WITH.iter().enumerate().take(self.officers) {
            if who >> officer & 1 == 1 {
                extended |= (sets & !with) << (1 << officer);
            }
            if self.last[officer] <= place {
                // An officer whose last cell this is may also stand on another cell of the list.
                if self.last[officer] < place {
                    kept &= with;
                    due += 1;
                }
            }
        }
        (due <= length).then_some(extended & kept)
    }
}

impl Iterator for AllMove {
    type Item = Pieces;

    fn next(&mut self) -> Option<Pieces> {
        if self.officers == 0 {
            // The one move of a police without officers changes nothing.
            self.list.pop()?;
            return Some(Pieces::new(&[]).expect("no officers are not too many"));
        }
        loop {
            let length = self.list.len();
            let place = *self.list.last()?;
            let extended = (place < self.cells.len())
                .then(|| self.extended(self.sets[length - 1], place, length))
                .flatten();
            match extended {
                // No cell from here on can follow: the cell before is replaced by the next one.
                None => {
                    self.list.pop();
                    *self.list.last_mut()? += 1;
                }
                Some(0) => self.list[length - 1] += 1,
                Some(sets) if length < self.officers => {
                    self.sets[length] = sets;
                    self.list.push(place);
                }
                Some(_) => {
                    let mut team = [Cell::new(0, 0); Pieces::MAX];
                    for (cell, &place) in team.iter_mut().zip(&self.list) {
                        *cell = self.cells[place].0;
                    }
                    self.list[length - 1] += 1;
                    return Some(Pieces::new(&team[..length]).expect("as many officers as before"));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn all_teams_are_found_once_and_in_order(
            moves in prop::collection::vec(prop::collection::btree_set(0u16..9, 0..6), 0..=Pieces::MAX),
        ) {
            let list = |cells: &BTreeSet<u16>| cells.iter().map(|&col| Cell::new(0, col)).collect::<Moves>();
            let lists: Vec<Moves> = moves.iter().map(list).collect();
            let mut expected = BTreeSet::from([Vec::new()]);
            for cells in &lists {
                let with = |team: &Vec<Cell>, to: Cell| {
                    let mut team = team.clone();
                    team.push(to);
                    team.sort_unstable();
                    team
                };
                expected = expected.iter().flat_map(|team| cells.iter().map(|&to| with(team, to))).collect();
            }
            let found: Vec<Vec<Cell>> = AllMove::new(&lists).map(|team| team.cells().to_vec()).collect();
            prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
            let officers: Vec<Cell> = (0..lists.len() as u16).map(|i| Cell::new(0, i * i % 7)).collect();
            let officers = Pieces::new(&officers).unwrap();
            let moved = |i: usize| lists[i].iter().map(move |&to| officers.with(i, to));
            let expected: BTreeSet<Pieces> = (0..lists.len()).flat_map(moved).collect();
            let found: Vec<Pieces> =
                OneMoves { officers, moves: lists.iter().cloned().collect(), next: [0; Pieces::MAX] }.collect();
            prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
        }
    }
}
