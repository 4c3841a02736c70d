//! The rows of several officers: all teams, in tiles.
//!
//! The officers of a team stand in the order of the tiles of one officer's cells, and so kind by kind. Its
//! first officer is the *low* one. A police tile has the teams whose other officers stand on the same cells,
//! and whose low officer stands in one tile of cells: its rows are his cells. So a move of his leads to other
//! rows as a move of a single officer does.

use super::{
    super::words::ones,
    police::{OfficerTiles, PoliceRow},
    police_moves::OfficerMoves,
};
use crate::{memory::grow_exact, solve_error::SolveError};
use dragnet_formats::{
    game::Team,
    pieces::Pieces,
    stop::StopCheck,
    team_numbers::{KindPlaces, TeamNumbers},
};
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// Cells of some officers by their places in the order of all cells, rising.
pub(crate) type Places = SmallVec<[u32; Pieces::MAX]>;

/// The tiles of teams of several officers.
#[derive(Debug)]
pub(crate) struct TeamTiles {
    /// The tile of each cell's place.
    tile_of: Vec<u32>,
    /// For each number of other officers, from one on, and each place: the number of tiles of teams with so
    /// many others, all of them on places before it.
    before: Vec<Vec<u32>>,
    /// The places of the other officers of each tile, rising.
    others: Vec<u32>,
}

/// Places one of which an officer takes, by cell and by tile.
#[derive(Clone, Copy)]
struct Choice<'a> {
    places: &'a [u32],
    tiles: &'a [u32],
}

impl TeamTiles {
    /// Creates the tiles of these teams, of two officers or more.
    ///
    /// # Errors
    /// When the system refuses memory, or `check` says that the work is to stop.
    pub(crate) fn new(
        officer: &OfficerTiles,
        numbers: &TeamNumbers,
        check: &mut StopCheck,
    ) -> Result<TeamTiles, SolveError> {
        let officers = usize::from(numbers.officers());
        let tile_of: Vec<u32> = (0..officer.cell_count()).map(|place| officer.row_at(place).tile).collect();
        // For each officer but the low one the first and the last place.
        let ends: Vec<[u32; 2]> = (1..officers)
            .map(|at| numbers.kind_of(at))
            .map(|kind| [kind.first, kind.first + kind.places - 1])
            .collect();
        let low = numbers.kind_of(0);
        // The place up to which the officer before another one may stand: that of the other one, or the last
        // one of the kind.
        let up_to = |place: u32, kind: KindPlaces| place.min(kind.first + kind.places - 1);
        let lows = |place: u32| tile_of[up_to(place, low) as usize] + 1;
        // With one other officer on a place there is a tile for each tile of cells up to that place.
        let mut before: Vec<Vec<u32>> = Vec::new();
        for (others, [first, last]) in ends.iter().enumerate() {
            let tiles = |place: u32| match others.checked_sub(1) {
                None => lows(place),
                // The last of the others stands on a place, and the rest no further.
                Some(fewer) => before[fewer][up_to(place, numbers.kind_of(others)) as usize + 1],
            };
            let of_place = |place| if (first..=last).contains(&&place) { tiles(place) } else { 0 };
            before.push(sums((0..tile_of.len() as u32).map(of_place)));
        }
        let tiles = before[officers - 2].last().map_or(0, |&tiles| tiles as usize);
        let mut all = Vec::new();
        grow_exact(&mut all, tiles * (officers - 1))?;
        let mut others: Vec<u32> = ends.iter().map(|[first, _]| *first).collect();
        loop {
            for _ in 0..lows(others[0]) {
                check.steps(officers)?;
                all.extend_from_slice(&others);
            }
            // The next multiset: the first officer who has room before the next one steps on.
            let last = |at: usize| ends[at][1].min(*others.get(at + 1).unwrap_or(&u32::MAX));
            let Some(at) = (0..others.len()).find(|&at| others[at] < last(at)) else { break };
            others[at] += 1;
            others[..at].iter_mut().zip(&ends).for_each(|(place, [first, _])| *place = *first);
        }
        Ok(TeamTiles { others: all, tile_of, before })
    }

    /// Returns the number of tiles.
    pub(crate) fn len(&self) -> usize {
        self.others.len() / self.before.len()
    }

    /// Returns the places of the other officers of a tile, rising.
    #[inline(always)]
    pub(crate) fn others(&self, tile: u32) -> &[u32] {
        &self.others[tile as usize * self.before.len()..][..self.before.len()]
    }

    /// Returns the tile of cells in which the low officer of a tile stands.
    #[inline(always)]
    pub(crate) fn low(&self, tile: u32) -> u32 {
        tile - self.first(self.others(tile))
    }

    /// Returns the first tile whose other officers stand on these places, rising. The next ones are those of
    /// the low officer's next tiles, up to that of the first place.
    #[inline(always)]
    pub(crate) fn first(&self, others: &[u32]) -> u32 {
        others.iter().zip(&self.before).map(|(&place, before)| before[place as usize]).sum()
    }

    /// Returns the same as [`TeamTiles::first`] with a place added to the others.
    #[inline(always)]
    pub(crate) fn first_with(&self, others: &[u32], place: u32) -> u32 {
        let at = others.partition_point(|&other| other < place);
        let behind = others[at..].iter().zip(&self.before[at + 1..]);
        let behind: u32 = behind.map(|(&place, before)| before[place as usize]).sum();
        self.first(&others[..at]) + self.before[at][place as usize] + behind
    }

    /// Returns the row of a team of officers on these places, rising, and one more.
    #[inline(always)]
    pub(crate) fn row_with(&self, officer: &OfficerTiles, others: &[u32], place: u32) -> PoliceRow {
        if place <= others[0] {
            let low = officer.row_at(place as usize);
            return PoliceRow::new(self.first(others) + low.tile, low.at());
        }
        let low = officer.row_at(others[0] as usize);
        PoliceRow::new(self.first_with(&others[1..], place) + low.tile, low.at())
    }

    /// Returns the number of rows of a tile: the low officer stands on no place behind the others.
    pub(crate) fn rows(&self, officer: &OfficerTiles, tile: u32) -> usize {
        let (low, next) = (self.low(tile), self.others(tile)[0]);
        let cells = officer.range(low);
        cells.len().min(next as usize + 1 - cells.start)
    }

    /// Returns the row of a team of officers on these places, rising.
    #[inline(always)]
    pub(crate) fn row(&self, officer: &OfficerTiles, team: &[u32]) -> PoliceRow {
        let low = officer.row_at(team[0] as usize);
        PoliceRow::new(self.first(&team[1..]) + low.tile, low.at())
    }

    /// Calls `each` with all tiles that have a team from which a turn of these `moves` leads to one in the
    /// rows `rows` of a tile, and perhaps with a few others. Ends when `ends`, which is asked before every
    /// few of them, returns true.
    pub(crate) fn for_each_dependent(
        &self,
        officer: &OfficerTiles,
        moves: &OfficerMoves,
        rule: Team,
        (tile, rows): (u32, u64),
        mut ends: impl FnMut() -> bool,
        mut each: impl FnMut(u32),
    ) {
        let (low, others) = (self.low(tile), self.others(tile));
        let into_low = &moves.tiles[low as usize];
        let stepped: SmallVec<[u32; 16]> =
            (into_low.dependents.iter()).filter(|from| from.rows & rows != 0).map(|from| from.tile).collect();
        let stepped = Choice { places: &into_low.into, tiles: &stepped };
        match rule {
            Team::All => {
                let mut previous = Places::new();
                let _ = self.each_before((officer, moves), others, &mut Places::new(), &mut |others| {
                    if ends() {
                        return ControlFlow::Break(());
                    }
                    self.each_tile_of_low(others, stepped, &mut each);
                    // Others who differ in the low officer's place in one tile alone give the same tiles.
                    if !self.differ_within_tile(&previous, others) {
                        self.each_tile_of_other(others, stepped, &mut each);
                        previous = Places::from_slice(others);
                    }
                    ControlFlow::Continue(())
                });
            }
            Team::One => {
                self.each_tile_of_low(others, stepped, &mut each);
                self.each_tile_of_other(others, stepped, &mut each);
                let first = officer.first(low);
                let places: SmallVec<[u32; 64]> = ones(rows).map(|row| (first + row) as u32).collect();
                let stays = Choice { places: &places, tiles: &[low] };
                for at in 0..others.len() {
                    for from in moves.places_before(officer, others[at]) {
                        if ends() {
                            return;
                        }
                        let others = replaced(others, at, from);
                        self.each_tile_of_low(&others, stays, &mut each);
                        self.each_tile_of_other(&others, stays, &mut each);
                    }
                }
            }
        }
    }

    /// Calls `each` with the places, rising, from which one move of each officer leads to the places of
    /// `moved`, beside those of `before`, until `each` breaks it off.
    fn each_before(
        &self,
        (officer, moves): (&OfficerTiles, &OfficerMoves),
        moved: &[u32],
        before: &mut Places,
        each: &mut impl FnMut(&[u32]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some((&last, rest)) = moved.split_last() else { return each(before) };
        moves.places_before(officer, last).try_for_each(|from| {
            let at = before.partition_point(|&place| place < from);
            before.insert(at, from);
            let ends = self.each_before((officer, moves), rest, before, each);
            before.remove(at);
            ends
        })
    }

    /// Returns whether the first of the `others` has stepped on in his tile since `before`, and the rest
    /// stand where they stood.
    fn differ_within_tile(&self, before: &[u32], others: &[u32]) -> bool {
        let Some((&first, rest)) = before.split_first() else { return false };
        let tile = |place: u32| self.tile_of[place as usize];
        rest == &others[1..] && first <= others[0] && tile(first) == tile(others[0])
    }

    /// Calls `each` with the tiles of teams whose low officer takes a place of `choice`, while the rest stand
    /// on `others`, rising.
    #[inline(always)]
    fn each_tile_of_low(&self, others: &[u32], choice: Choice, each: &mut impl FnMut(u32)) {
        let (first, most) = (self.first(others), self.tile_of[others[0] as usize]);
        choice.tiles.iter().filter(|&&low| low <= most).for_each(|&low| each(first + low));
    }

    /// Calls `each` with the tiles of teams whose low officer is the first of the `others`, rising, and of
    /// whom one behind him takes a place of `choice`.
    #[inline(always)]
    fn each_tile_of_other(&self, others: &[u32], choice: Choice, each: &mut impl FnMut(u32)) {
        let low = self.tile_of[others[0] as usize];
        let behind = choice.places.partition_point(|&place| place <= others[0]);
        for &place in &choice.places[behind..] {
            each(self.first_with(&others[1..], place) + low);
        }
    }
}

/// Returns the places, rising, with `place` instead of that at `at`.
#[inline(always)]
pub(crate) fn replaced(places: &[u32], at: usize, place: u32) -> Places {
    let mut all = Places::from_slice(places);
    all.remove(at);
    all.insert(all.partition_point(|&other| other < place), place);
    all
}

/// Returns the places, rising, with one more.
#[inline(always)]
pub(crate) fn with(places: &[u32], place: u32) -> Places {
    let mut all = Places::from_slice(places);
    all.insert(all.partition_point(|&other| other < place), place);
    all
}

/// Returns the sum of all numbers before each, and of all.
fn sums(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut sums = vec![0];
    let mut sum = 0u32;
    for number in numbers {
        sum += number;
        sums.push(sum);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::{
        super::{grid::Grid, overlay::Overlays},
        *,
    };
    use crate::{plan::Plan, stop::StopRequest, table::encode::Encoding};
    use dragnet_formats::{
        board::make,
        cell::Side,
        moves::Steps,
        rules::{MoveSet, Movement, Rules},
        setting::Setting,
        stop::StopCheck,
    };
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn each_team_has_a_row_and_its_tile_depends_on_those_of_its_moves(
            height in 3usize..8, width in 3usize..8, walls in 0.0..0.6f64, seed in any::<u64>(),
            officers in 2u8..4, all in any::<bool>(), may_pass in any::<bool>(),
            offsets in prop::collection::btree_set((-2i16..=2, -2i16..=2), 1..4),
        ) {
            let board = make::random(height, width, walls, seed).unwrap();
            let offsets = offsets.into_iter().filter(|&offset| offset != (0, 0)).collect();
            let police = Movement { may_pass, ..Movement::new(MoveSet::Offsets(offsets)) };
            let team = if all { Team::All } else { Team::One };
            let rules = Rules { officers, police, team, ..Rules::classic() };
            let plan = Plan::new(board, rules, Encoding::default());
            prop_assume!(plan.is_ok());
            let plan = plan.unwrap();
            let Setting { board, rules, .. } = plan.setting().unwrap().clone();
            let (game, _) = plan.compile(&mut StopCheck::never()).unwrap();
            prop_assume!(game.police().len() < 3000);
            let overlays = Overlays::new(&board.places(), rules.officers, 1);
            let grid = Grid::new(&game, &overlays, |_| true, StopRequest::never()).unwrap();
            let (teams, officer, moves) = (grid.teams.as_ref().unwrap(), &grid.officer, grid.moves_in(0));
            let list = game.police().list();
            let mut rows = BTreeSet::new();
            let steps = Steps::new(&rules, Side::Police);
            let cells: Vec<_> = board.open_cells().collect();
            for number in 0..list.len() {
                let row = grid.row(&game, number);
                prop_assert!(row.at() < grid.rows(row.tile) && rows.insert(row));
                let mut found = grid.officers(row).to_vec();
                found.sort_unstable();
                let mut expected = list.cells(number).to_vec();
                expected.sort_unstable();
                prop_assert_eq!(found, expected);
                let at: Vec<_> = list.cells(number).iter().map(|&cell| cells[cell as usize]).collect();
                let at = Pieces::new(&at).unwrap();
                for moved in steps.team_moves(rules.team, &board, &at, &mut { u64::MAX }).unwrap() {
                    let to = grid.row(&game, game.police().find(&moved).unwrap() as usize);
                    let mut marked = false;
                    let rows = (to.tile, 1 << to.at());
                    teams.for_each_dependent(officer, moves, rules.team, rows, || false, |tile| {
                        marked |= tile == row.tile;
                    });
                    prop_assert!(marked);
                }
            }
            let all: usize = (0..teams.len() as u32).map(|tile| grid.rows(tile)).sum();
            prop_assert_eq!((rows.len(), rows.len()), (list.len(), all));
        }
    }
}
