//! The turn of the police, officer by officer: with k officers of m moves each that is k·m moves for a
//! position instead of m^k (Petr, Portier and Versteegen, "A faster algorithm for Cops and Robbers", 2022).
//!
//! Between the teams that are to move and those that have moved stand *layers* of partial turns. In layer i
//! the last i officers have moved: a state is a pair of a multiset A of the officers who have not moved, and
//! a multiset B of those who have. The officer of A on the last cell moves next, so that each choice of moves
//! is made in one order only. Layer 0 and the last layer are the teams themselves. Cells are numbered kind by
//! kind of officers, so that A has the first officers in the order of kinds, and B the others.
//!
//! A police without officers moves as one on a single cell would.
//!
//! A state in a world has the number state · worlds + world, and an officer's place there place · worlds +
//! world. All moves of a turn lead to one world, which is entered with the last part of the turn.

use dragnet_formats::{
    game::{MoveRows, MoveTable, Team},
    numbering::{TeamList, TeamPlace, Teams},
    pieces::{Pieces, multisets, rank},
    stop::{StopCheck, Stopped},
    team_numbers::TeamNumbers,
};
use smallvec::SmallVec;
use std::sync::OnceLock;

/// Cells of some officers, numbered tile after tile, rising.
type Cells = SmallVec<[u32; Pieces::MAX]>;

/// All teams on a board, and the moves of their officers.
#[derive(Debug)]
pub struct TeamSpace {
    teams: Teams,
    list: TeamList,
    /// The number of teams, kept apart: engines ask for it at each position.
    len: u64,
    rule: Team,
    /// The number of officers who move in turn; 1 if there are none.
    officers: usize,
    /// For each layer between the first and the last the numbers of the officers who have not moved, and of
    /// those who have.
    partial: Vec<[TeamNumbers; 2]>,
    worlds: u64,
    /// An officer's moves between cells numbered tile after tile, world by world for each.
    moves: MoveTable,
    /// The reversed moves.
    moves_back: MoveTable,
    /// For each world the one to which turns of several officers lead who all move; none if no turn begins
    /// there.
    worlds_after: Vec<Option<u64>>,
    /// For each cell its number in reading order.
    reading: Vec<u32>,
    /// For each cell in reading order its number.
    numbers: Vec<u32>,
    /// For each cell its tile, its index in the tile, and the tile's number of cells.
    places: Vec<[u32; 3]>,
    /// Whether teams are pairs of one kind whose officers both move.
    has_pairs: bool,
    /// The cells of each pair. Looking up a pair's moves is most of the work of a solve by `counters`:
    /// without this, two officers on open-16 took 1.6 times as long. Created at the first use: `bitboard`
    /// needs none.
    pairs: OnceLock<Vec<[u32; 2]>>,
    /// Per layer from 1 on the predecessors of each state, if teams are larger than pairs and memory allows:
    /// without them, three officers on a board of 7x7 took 2.3 times as long. Created at the first use:
    /// checking values needs none.
    links: OnceLock<Vec<Links>>,
}

/// For each state of a layer its predecessors, states of the layer before.
#[derive(Debug)]
struct Links {
    starts: Vec<u32>,
    states: Vec<u32>,
}

/// Words of memory that are read and written to find a link, roughly.
const LINK: usize = 32;

/// The most links that are kept: half a GiB.
const MOST_LINKS: u64 = 1 << 27;

/// Returns the most links that turns of `parts` parts have, or `None` if they are too many to be kept. A
/// layer has `states` states, and an officer `moves` moves on the whole board of `cells` cells.
fn most_links(parts: usize, cells: u64, moves: u64, states: impl Fn(usize) -> u64) -> Option<u64> {
    let per_move = moves / cells.max(1) + 1;
    let most = |layer: usize| states(layer).saturating_mul(layer as u64 * per_move);
    let links = (1..=parts).map(most).fold(0, u64::saturating_add);
    (links <= MOST_LINKS).then_some(links)
}

impl TeamSpace {
    /// Returns the space of `teams` in so many worlds under the rule for teams, with these moves of an
    /// officer between cells in reading order, world after world, unless `check` says that the work is to
    /// stop.
    ///
    /// # Errors
    /// When the work is to stop.
    pub fn new(
        worlds: u32,
        teams: &Teams,
        rule: Team,
        moves: &MoveTable,
        check: &mut StopCheck,
    ) -> Result<TeamSpace, Stopped> {
        let tiling = teams.tiling();
        let reading = tiling.order();
        let mut numbers = vec![0; reading.len()];
        for (number, &cell) in (0..).zip(&reading) {
            numbers[cell as usize] = number;
        }
        let tile = |tile: u32| {
            let size = tiling.size_of(tile);
            (0..size).map(move |place| [tile, place, size])
        };
        let cells = reading.len() as u32;
        let order: Vec<u32> = match worlds {
            1 => reading.clone(),
            _ => {
                reading.iter().flat_map(|&cell| (0..worlds).map(move |world| world * cells + cell)).collect()
            }
        };
        let officers = usize::from(teams.officers()).max(1);
        let moves = match teams.officers() {
            0 => stay_in_each_world(worlds, rule),
            _ => moves.renumbered(&order, check)?,
        };
        let list = teams.list_unless(check)?;
        let worlds = u64::from(worlds);
        let after = |world| {
            let mut rows = (0..cells as usize).map(|cell| moves.of(cell * worlds as usize + world as usize));
            rows.find_map(|row| row.first()).map(|&to| u64::from(to) % worlds)
        };
        Ok(TeamSpace {
            has_pairs: rule == Team::All && officers == 2 && teams.numbers().kinds().len() == 1,
            partial: (1..officers).map(|layer| halves(teams.numbers(), officers, layer)).collect(),
            pairs: OnceLock::new(),
            links: OnceLock::new(),
            len: list.len() as u64 * worlds,
            worlds_after: (0..worlds).map(after).collect(),
            worlds,
            list,
            rule,
            officers,
            moves_back: moves.transposed_unless(check)?,
            moves,
            places: (0..tiling.tile_count()).flat_map(tile).collect(),
            reading,
            numbers,
            teams: teams.clone(),
        })
    }

    /// Returns the number of states of these teams half-way through a turn of the police.
    #[must_use]
    pub fn partial_turn_states(rule: Team, teams: &TeamNumbers) -> u64 {
        let officers = teams.officers().into();
        match rule {
            Team::All => (1..officers)
                .map(|layer| states_of(&halves(teams, officers, layer)))
                .fold(0, u64::saturating_add),
            Team::One => 0,
        }
    }

    /// Returns the bytes of memory of the cells of all these teams: none for one officer.
    pub(crate) fn memory_needed(teams: &TeamNumbers) -> u64 {
        match teams.officers() {
            0 | 1 => 0,
            officers => teams.count().saturating_mul(24 * u64::from(officers)),
        }
    }

    /// Returns the bytes of memory of the links, which are made when predecessors are first asked for. An
    /// officer has `moves` moves from all cells together.
    pub(crate) fn links_memory_needed(rule: Team, teams: &TeamNumbers, moves: u64) -> u64 {
        let officers = usize::from(teams.officers());
        if rule == Team::One || officers < 2 || officers == 2 && teams.kinds().len() == 1 {
            return 0;
        }
        let states = |layer: usize| states_of(&halves(teams, officers, layer));
        let starts = (1..=officers).map(states).fold(0, u64::saturating_add);
        let links = match most_links(officers, teams.places().into(), moves, states) {
            Some(links) => links + starts,
            // With fewer moves than at most there are perhaps fewer links.
            None if starts <= MOST_LINKS => MOST_LINKS + starts,
            None => 0,
        };
        links * size_of::<u32>() as u64
    }

    /// Returns the cells of all pairs.
    fn all_pairs(&self) -> Vec<[u32; 2]> {
        let pair = |team| [0, 1].map(|officer| self.numbers[self.list.cells(team)[officer] as usize]);
        (0..self.list.len()).map(pair).collect()
    }

    /// Finds the predecessors of all states for solves that ask for them again and again, unless the work is
    /// to stop. Otherwise they are found when the first one is asked for.
    pub(crate) fn link(&self, check: &mut StopCheck) -> Result<(), Stopped> {
        if !self.has_pairs && self.officers > 1 && self.links.get().is_none() {
            let links = self.all_links(check)?;
            self.links.get_or_init(|| links);
        }
        Ok(())
    }

    /// Returns the links of all layers, or none if they would take too much memory.
    fn all_links(&self, check: &mut StopCheck) -> Result<Vec<Links>, Stopped> {
        let (parts, moves) = (self.parts(), self.moves.len() as u64);
        if parts == 1 || most_links(parts, self.cells(), moves, |layer| self.states(layer)).is_none() {
            return Ok(Vec::new());
        }
        (1..=parts).map(|layer| self.links_of(layer, check)).collect()
    }

    fn links_of(&self, layer: usize, check: &mut StopCheck) -> Result<Links, Stopped> {
        let mut links = Links { starts: vec![0], states: Vec::new() };
        for state in 0..self.states(layer) {
            let before = links.states.len();
            self.derive_predecessors(layer, state, |from| links.states.push(from as u32));
            check.steps(LINK * (1 + links.states.len() - before))?;
            links.starts.push(links.states.len() as u32);
        }
        Ok(links)
    }

    /// Returns the teams in the order of a table's slots.
    #[must_use]
    pub fn list(&self) -> &TeamList {
        &self.list
    }

    /// Returns the number of states of teams: each team in each world.
    #[must_use]
    #[inline(always)]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether there is no team.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns for each cell of an officer, tile after tile, its number in reading order.
    pub(crate) fn reading(&self) -> &[u32] {
        &self.reading
    }

    /// Returns the place in the list of teams of a state of teams, and its world.
    #[must_use]
    #[inline(always)]
    pub fn team_in_world(&self, state: u64) -> (usize, u32) {
        let (team, world) = self.split(state);
        (team as usize, world as u32)
    }

    /// Returns the state of a team, given by its place in the list of teams, in a world.
    #[must_use]
    #[inline(always)]
    pub fn state_of_team(&self, team: usize, world: u32) -> u64 {
        team as u64 * self.worlds + u64::from(world)
    }

    /// Returns where the moves of an officer lead who stands on a cell in a world: the cells, numbered tile
    /// after tile, and their worlds.
    pub(crate) fn steps(&self, cell: u32, world: u32) -> impl Iterator<Item = (u32, u32)> {
        let places = self.row(&self.moves, cell, world.into()).iter();
        places.map(|&to| self.cell_and_world(to)).map(|(cell, world)| (cell, world as u32))
    }

    /// Returns an officer's moves between cells numbered tile after tile.
    #[inline(always)]
    pub(crate) fn moves(&self) -> &MoveTable {
        &self.moves
    }

    /// Returns an officer's reversed moves between cells numbered tile after tile.
    #[inline(always)]
    pub(crate) fn moves_back(&self) -> &MoveTable {
        &self.moves_back
    }

    /// Returns the number of the last layer, which is the number of parts of a turn.
    #[must_use]
    pub fn parts(&self) -> usize {
        match self.rule {
            Team::All => self.officers,
            Team::One => 1,
        }
    }

    /// Returns the number of states in a layer.
    #[must_use]
    pub fn states(&self, layer: usize) -> u64 {
        if layer == 0 || layer == self.parts() {
            return self.len();
        }
        states_of(&self.partial[layer - 1]) * self.worlds
    }

    /// Returns the cells of the officers who have not moved and of those who have, in a state without its
    /// world.
    #[inline]
    fn state(&self, layer: usize, state: u64) -> (Cells, Cells) {
        let team = || -> Cells {
            let cells = self.list.cells(state as usize);
            cells.iter().map(|&cell| self.numbers[cell as usize]).collect()
        };
        if layer == 0 {
            return (team(), Cells::new());
        }
        if layer == self.parts() {
            return (Cells::new(), team());
        }
        let [there, moved] = &self.partial[layer - 1];
        (there.team(state / moved.count()), moved.team(state % moved.count()))
    }

    /// Returns the number without a world of the state in which the officers of `there` have not moved and
    /// those of `moved` have.
    #[inline]
    fn number(&self, there: &[u32], moved: &[u32]) -> u64 {
        match (there, moved) {
            (team, []) | ([], team) => self.team(team),
            _ => {
                let [of_there, of_moved] = &self.partial[moved.len() - 1];
                of_there.number(there) * of_moved.count() + of_moved.number(moved)
            }
        }
    }

    /// Returns the number of the team on `cells`, which must be sorted.
    #[inline]
    fn team(&self, cells: &[u32]) -> u64 {
        let place = |cell: u32| self.places[cell as usize];
        if let [one] = cells {
            return u64::from(*one);
        }
        let tiles: Cells = cells.iter().map(|&cell| place(cell)[0]).collect();
        let tile = self.teams.tile_of(&tiles);
        let (mut number, mut radix) = (0, 1);
        for same in cells.chunk_by(|&a, &b| place(a)[0] == place(b)[0]) {
            number += radix * rank(same.iter().map(|&cell| place(cell)[1].into()));
            radix *= multisets(place(same[0])[2].into(), same.len() as u32);
        }
        self.list.index(TeamPlace { tile, size: radix as u32, rank: number as u32 }) as u64
    }

    /// Returns a state without its world, and the world.
    #[inline(always)]
    fn split(&self, state: u64) -> (u64, u64) {
        if self.worlds == 1 { (state, 0) } else { (state / self.worlds, state % self.worlds) }
    }

    /// Returns the cell and the world of an officer's place.
    #[inline(always)]
    fn cell_and_world(&self, place: u32) -> (u32, u64) {
        let (cell, world) = self.split(place.into());
        (cell as u32, world)
    }

    /// Returns the row of a cell in a world.
    #[inline(always)]
    fn row<'a>(&self, moves: &'a MoveTable, cell: u32, world: u64) -> &'a [u32] {
        moves.of((u64::from(cell) * self.worlds + world) as usize)
    }

    /// Returns whether no move of the team begins in this state.
    #[must_use]
    pub fn stuck(&self, state: u64) -> bool {
        let (team, world) = self.split(state);
        let mut stuck = self.list.cells(team as usize).iter().map(|&cell| {
            let cell = self.numbers[cell as usize];
            self.row(&self.moves, cell, world).is_empty()
        });
        match self.rule {
            Team::All => stuck.any(|stuck| stuck),
            Team::One => stuck.all(|stuck| stuck),
        }
    }

    /// Returns the number of successors of a state in the next layer.
    #[must_use]
    pub fn successor_count(&self, layer: usize, state: u64) -> u32 {
        let mut count = 0;
        self.for_each_successor(layer, state, |_| count += 1);
        count
    }

    /// Calls `each` once for every successor of a state in the next layer.
    #[inline]
    pub fn for_each_successor(&self, layer: usize, state: u64, mut each: impl FnMut(u64)) {
        if self.officers == 1 {
            self.moves.of(state as usize).iter().for_each(|&to| each(to.into()));
            return;
        }
        let (state, world) = self.split(state);
        if self.rule == Team::One {
            self.for_each_of_one(&self.state(layer, state).0, world, &self.moves, each);
            return;
        }
        let is_last = layer + 1 == self.parts();
        let next_world = if is_last { self.worlds_after[world as usize].unwrap_or(world) } else { world };
        let mut each = |number: u64| each(number * self.worlds + next_world);
        let targets = |cell| self.row(&self.moves, cell, world).iter().map(|&to| self.cell_and_world(to).0);
        if self.has_pairs {
            let (here, to) = self.pair(layer, state);
            if layer == 0 {
                let first = u64::from(here) * self.cells();
                targets(to).for_each(|to| each(first + u64::from(to)));
            } else {
                targets(here).for_each(|from| each(self.team_of_two(from, to)));
            }
            return;
        }
        let (mut there, moved) = self.state(layer, state);
        let next = there.pop().expect("a layer before the last has an officer who has not moved");
        targets(next).for_each(|to| each(self.number(&there, &with(&moved, to))));
    }

    /// Calls `each` once for every predecessor of a state in the layer before.
    #[inline]
    pub fn for_each_predecessor(&self, layer: usize, state: u64, mut each: impl FnMut(u64)) {
        if self.has_pairs {
            let (state, world) = self.split(state);
            let (a, b) = self.pair(layer, state);
            if layer == 1 {
                self.for_each_origin(layer, b, world, a, |from, world| {
                    each(self.team_of_two(a, from) * self.worlds + world);
                });
                return;
            }
            let mut each_of = |moved: u32, other: u32| {
                self.for_each_origin(layer, moved, world, 0, |from, world| {
                    each((u64::from(from) * self.cells() + u64::from(other)) * self.worlds + world);
                });
            };
            each_of(a, b);
            if a != b {
                each_of(b, a);
            }
            return;
        }
        if let Some(links) = self.links().get(layer - 1) {
            let state = state as usize;
            let states = links.starts[state] as usize..links.starts[state + 1] as usize;
            links.states[states].iter().for_each(|&from| each(from.into()));
            return;
        }
        self.derive_predecessors(layer, state, each);
    }

    /// Calls `each` with the cells and worlds from which an officer may have come to the cell `to`, in a
    /// state of `layer` in this world in which several officers all move: cells from `least` on.
    #[inline(always)]
    fn for_each_origin(&self, layer: usize, to: u32, world: u64, least: u32, mut each: impl FnMut(u32, u64)) {
        let is_last = layer == self.parts();
        let arrival = if is_last { Some(world) } else { self.worlds_after[world as usize] };
        let Some(arrival) = arrival else { return };
        let froms = self.row(&self.moves_back, to, arrival);
        for &from in &froms[froms.partition_point(|&from| self.cell_and_world(from).0 < least)..] {
            let (cell, origin) = self.cell_and_world(from);
            if is_last || origin == world {
                each(cell, origin);
            }
        }
    }

    /// Calls `each` once for every predecessor of a state, for teams that are not pairs. Uses no links.
    fn derive_predecessors(&self, layer: usize, state: u64, mut each: impl FnMut(u64)) {
        if self.officers == 1 {
            self.moves_back.of(state as usize).iter().for_each(|&from| each(from.into()));
            return;
        }
        let (state, world) = self.split(state);
        let (there, moved) = self.state(layer, state);
        match self.rule {
            Team::One => self.for_each_of_one(&moved, world, &self.moves_back, each),
            Team::All => {
                // An officer moves before those on lower cells, so the one who has just moved came from the
                // last cell of all who had not moved.
                let last = there.last().copied().unwrap_or(0);
                // Of whichever kind the first of those is who have moved.
                let kind = self.teams.numbers().kind_of(there.len());
                for (i, &to) in moved.iter().enumerate() {
                    if i > 0 && moved[i - 1] == to || to - kind.first >= kind.places {
                        continue;
                    }
                    let mut before = moved.clone();
                    before.remove(i);
                    self.for_each_origin(layer, to, world, last, |from, world| {
                        let mut there = there.clone();
                        there.push(from);
                        each(self.number(&there, &before) * self.worlds + world);
                    });
                }
            }
        }
    }

    /// Returns the links of all layers.
    fn links(&self) -> &[Links] {
        self.links.get_or_init(|| self.all_links(&mut StopCheck::never()).expect("nobody stops this work"))
    }

    fn cells(&self) -> u64 {
        self.reading.len() as u64
    }

    /// Returns the two officers of a state; in the middle layer first the one who has not moved.
    #[inline(always)]
    fn pair(&self, layer: usize, state: u64) -> (u32, u32) {
        if layer == 1 {
            return ((state / self.cells()) as u32, (state % self.cells()) as u32);
        }
        let [a, b] = self.pairs.get_or_init(|| self.all_pairs())[state as usize];
        (a, b)
    }

    /// Returns the number of the team on two cells.
    #[inline(always)]
    fn team_of_two(&self, a: u32, b: u32) -> u64 {
        let (low, high) = (a.min(b) as usize, a.max(b) as usize);
        let ([tile, place, size], [high_tile, high_place, _]) = (self.places[low], self.places[high]);
        let triangle = |n: u32| u64::from(n) * (u64::from(n) + 1) / 2;
        let rows =
            if tile == high_tile { triangle(high_place) } else { u64::from(high_place) * u64::from(size) };
        let tile = u64::from(tile) + triangle(high_tile);
        self.list.range_of(tile).start as u64 + rows + u64::from(place)
    }

    /// Calls `each` once for every state of a team that one of `moves` of one officer leads to.
    fn for_each_of_one(&self, team: &[u32], world: u64, moves: &MoveTable, mut each: impl FnMut(u64)) {
        let mut found: SmallVec<[u64; 32]> = SmallVec::new();
        for (i, &from) in team.iter().enumerate() {
            let mut others = Cells::from_slice(team);
            others.remove(i);
            found.extend(self.row(moves, from, world).iter().map(|&to| {
                let (to, world) = self.cell_and_world(to);
                self.team(&with(&others, to)) * self.worlds + world
            }));
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().for_each(&mut each);
    }

    /// Returns the index of the team, or `None` if an officer stands on no open cell or the team has another
    /// size.
    #[must_use]
    pub fn find(&self, officers: &Pieces) -> Option<u64> {
        self.teams.place(officers).map(|place| self.list.index(place) as u64)
    }
}

/// Returns the numbers of the officers who have not moved in a layer, and of those who have.
fn halves(teams: &TeamNumbers, officers: usize, layer: usize) -> [TeamNumbers; 2] {
    let moved = officers - layer;
    [teams.of_officers(0..moved), teams.of_officers(moved..officers)]
}

/// Returns the number of states with officers who have not moved, and others who have.
fn states_of([there, moved]: &[TeamNumbers; 2]) -> u64 {
    there.count().saturating_mul(moved.count())
}

/// Returns the moves of a police without officers: none, or if all of them move, one that changes nothing.
fn stay_in_each_world(worlds: u32, rule: Team) -> MoveTable {
    let mut rows = MoveRows::new(worlds as usize, worlds);
    for world in 0..worlds {
        rows.push((rule == Team::All).then_some(world)).expect("one move in each world");
    }
    rows.finish()
}

/// Returns `cells`, which are sorted, with one more cell.
#[inline]
fn with(cells: &[u32], cell: u32) -> Cells {
    let mut all = Cells::from_slice(cells);
    all.insert(cells.partition_point(|&other| other < cell), cell);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::{
        board::{Board, Square},
        cell::{Cell, Side},
        game::OfficerKind,
        moves::Steps,
        numbering::{Numbering, TileSize},
        rules::{MoveSet, Movement, Rules},
    };
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        /// The layers in sequence make the moves of a team, and predecessors are dual to successors.
        #[test]
        fn a_turn_is_all_choices_of_moves(
            walls in prop::collection::vec(any::<bool>(), 12), officers in 1u8..4, all in any::<bool>(),
            offsets in prop::collection::btree_set((-1i16..=1, -2i16..=2), 0..4), may_pass in any::<bool>(),
        ) {
            let square = |&wall: &bool| if wall { Square::Wall } else { Square::Open };
            let board = Board::new(3, 4, walls.iter().map(square).collect()).unwrap();
            let team = if all { Team::All } else { Team::One };
            let offsets = offsets.into_iter().filter(|&offset| offset != (0, 0)).collect();
            let police = Movement { may_pass, ..Movement::new(MoveSet::Offsets(offsets)) };
            let rules = Rules { officers, police, team, ..Rules::classic() };
            let tile = TileSize::new(2, 2).unwrap();
            let places = board.places();
            let kind = OfficerKind { pieces: officers, rows: places.height() };
            let numbering = Numbering::new(1, [&places, &places], &[(kind, tile)], tile);
            let steps = Steps::new(&rules, Side::Police);
            let moves = MoveTable::new(&board, &steps);
            let space =
                TeamSpace::new(1, numbering.police(), team, &moves, &mut StopCheck::never()).unwrap();
            let cells: Vec<Cell> = board.open_cells().collect();
            for layer in 0..space.parts() {
                for state in 0..space.states(layer) {
                    let mut seen = BTreeSet::new();
                    space.for_each_successor(layer, state, |next| {
                        assert!(next < space.states(layer + 1) && seen.insert(next));
                        let mut back = 0;
                        space.for_each_predecessor(layer + 1, next, |from| back += u32::from(from == state));
                        assert_eq!(back, 1);
                    });
                    prop_assert_eq!(seen.len(), space.successor_count(layer, state) as usize);
                }
            }
            for team in 0..space.len() {
                let mut states = BTreeSet::from([team]);
                for layer in 0..space.parts() {
                    let mut next = BTreeSet::new();
                    states.iter().for_each(|&state| space.for_each_successor(layer, state, |to| { next.insert(to); }));
                    states = next;
                }
                let at = |team: u64| {
                    let team: Vec<Cell> =
                        space.list().cells(team as usize).iter().map(|&cell| cells[cell as usize]).collect();
                    Pieces::new(&team).unwrap()
                };
                prop_assert_eq!(space.find(&at(team)), Some(team));
                let moves = steps.team_moves(rules.team, &board, &at(team), &mut { u64::MAX });
                let expected: Vec<Pieces> = moves.unwrap().collect();
                let mut found: Vec<Pieces> = states.into_iter().map(at).collect();
                found.sort_unstable();
                prop_assert_eq!(&found, &expected);
                prop_assert_eq!(space.stuck(team), expected.is_empty());
            }
        }
    }
}
