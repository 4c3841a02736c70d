//! A pursuit game as a [`Game`]: moves are implied by the pieces' moves, none is stored per position.

use super::size::GameSize;
use crate::{
    game::{Game, Reversible, Start},
    games::team::TeamSpace,
};
use dragnet_formats::{
    cell::{Cell, Side},
    game::{
        MoveTable, OfficerKind, Places, PursuitGame, PursuitGameError, Stuck, Team, TooManyMoves,
        terminal::{TeamTerminals, TerminalRule},
    },
    header::HeaderError,
    moves::MoveTableError,
    numbering::{Numbering, TileSize},
    pieces::Pieces,
    rules::RulesError,
    stop::{StopCheck, Stopped},
    stored::StoredGameError,
    value::{Plies, Value},
};
use smallvec::SmallVec;
use std::ops::Range;

/// A pursuit game.
///
/// The number of a position is row · cells + thief, where the thief's cells are numbered tile after tile.
/// Rows are the states of the police, which say the world as well: first the teams with the police to move,
/// then the teams with the thief to move, and then, if a turn of the police has several parts
/// ([`TeamSpace`]), layer after layer the partial turns.
///
/// Most programs need no more than a [`Plan`](crate::Plan). The game itself is for those who choose the tiles
/// or the engine:
///
/// ```
/// use dragnet_formats::{board::make, numbering::EIGHT, rules::Rules, value::Value};
/// use dragnet_generator::{Game, Pursuit, naive};
///
/// let board = make::open(2, 2)?;
/// let game = Pursuit::compile(&board, &Rules::classic(), EIGHT, EIGHT, &())?;
/// // Kings on four cells: the police captures in one move, wherever the two stand.
/// let values = naive::solve(&game);
/// assert_eq!(game.positions(), 32);
/// assert_eq!(values.iter().max_by_key(|value| value.dtw()), Some(&Value::Loss(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Pursuit {
    kinds: Vec<OfficerKind>,
    places: [Places; 2],
    team: Team,
    stuck: Stuck,
    numbering: Numbering,
    worlds: u64,
    /// The number of places of the thief.
    cells: u64,
    /// ⌈2^64 / cells⌉: multiplying by it and keeping the upper half divides exactly while
    /// dividend · cells < 2^64.
    reciprocal: u64,
    /// How many low bits of a team's number, and of a thief cell's, are dropped to get the number of its
    /// lane.
    lane_bits: [u32; 2],
    police: TeamSpace,
    /// The first row of each layer but the last, which follows layer 0; and the number of all rows.
    layers: Vec<u64>,
    /// The number in reading order of each cell of the thief.
    thief_reading: Vec<u32>,
    /// The moves from each cell of each world, world after world.
    thief_moves: MoveTable,
    /// The cells from which a move of the thief leads to each.
    thief_moves_back: MoveTable,
    /// The number among the thief's cells of each cell in reading order.
    thief_numbers: Vec<u32>,
    terminal_rule: TerminalRule,
    /// Whether turns of the police have one part, so that labels count plies.
    single_part_turns: bool,
}

/// The most lanes per side to move. More than half of them are used: enough for 16 threads to share a level
/// evenly. With 2 threads, the boards random-64 and arena take 12 to 25 % longer to solve with 8 lanes, 50 to
/// 70 % with one, and 9 to 20 % with 256.
const LANES: usize = 64;

/// The most positions with one side to move: more would not fit into any memory.
const MAX_POSITIONS: u64 = 1 << 43;

/// Why a game cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PursuitError {
    /// The rules cannot be played.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The game contradicts itself.
    #[error(transparent)]
    Game(#[from] PursuitGameError),
    /// Board and rules cannot stand in a table.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// A side has too many moves.
    #[error(transparent)]
    Moves(#[from] TooManyMoves),
    /// A table cannot hold the game.
    #[error(transparent)]
    Table(#[from] StoredGameError),
    /// The observer asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// No piece can stand anywhere.
    #[error("the board has no open cell, so there is no position to solve")]
    NoOpenCell,
}

impl From<MoveTableError> for PursuitError {
    fn from(error: MoveTableError) -> PursuitError {
        match error {
            MoveTableError::TooMany(error) => error.into(),
            MoveTableError::Stopped(error) => error.into(),
        }
    }
}

impl Pursuit {
    /// Returns the game, numbered in tiles of these sizes, unless `check` says that the work is to stop.
    ///
    /// # Errors
    /// When the game contradicts itself, a side has no place, there are too many positions, or the work is to
    /// stop.
    pub fn new(
        game: PursuitGame,
        police_tile: TileSize,
        thief_tile: TileSize,
        check: &mut StopCheck,
    ) -> Result<Pursuit, PursuitError> {
        game.check()?;
        let size = GameSize::of_game(&game);
        let PursuitGame { worlds, kinds, team, stuck, places, moves, ends } = game;
        let cells = size.cells;
        Pursuit::check_size(&size, police_tile, thief_tile)?;
        let tiles: Vec<_> = kinds.iter().map(|&kind| (kind, police_tile)).collect();
        let numbering = Numbering::new(worlds, places.each_ref(), &tiles, thief_tile);
        let [police_moves, thief_moves] = moves;
        let police = TeamSpace::new(worlds, numbering.police(), team, &police_moves, check)?;
        drop(police_moves);
        let thief_reading = numbering.thief().order();
        let firsts = (0..worlds).map(|world| world * cells as u32);
        let order: Vec<u32> =
            firsts.flat_map(|first| thief_reading.iter().map(move |&cell| first + cell)).collect();
        let thief_moves = thief_moves.renumbered(&order, check)?;
        let mut thief_numbers = vec![0; cells as usize];
        for (number, &reading) in (0..).zip(&thief_reading) {
            thief_numbers[reading as usize] = number;
        }
        let mut layers = vec![0, 2 * police.len()];
        for layer in 1..police.parts() {
            layers.push(layers[layer] + police.states(layer));
        }
        let rows = layers[police.parts()];
        if rows > MAX_POSITIONS / cells || rows > u32::MAX.into() {
            return Err(HeaderError::TooManyPositions { teams: police.len(), cells }.into());
        }
        let reciprocal = if cells == 1 { 0 } else { u64::MAX / cells + 1 };
        let single_part_turns = police.parts() == 1;
        Ok(Pursuit {
            thief_moves_back: thief_moves.transposed_unless(check)?,
            kinds,
            places,
            team,
            stuck,
            numbering,
            worlds: worlds.into(),
            cells,
            reciprocal,
            lane_bits: [police.len(), cells].map(lane_bits),
            police,
            layers,
            thief_reading,
            thief_moves,
            thief_numbers,
            terminal_rule: ends,
            single_part_turns,
        })
    }

    /// Checks that a game of this size can be solved and numbered in tiles of these sizes.
    pub(crate) fn check_size(
        size: &GameSize,
        police_tile: TileSize,
        thief_tile: TileSize,
    ) -> Result<(), PursuitError> {
        let kinds = size.numbers.kinds().iter();
        Numbering::check(kinds.map(|kind| (kind.officers, police_tile)), thief_tile)
            .map_err(HeaderError::from)?;
        let (teams, cells) = (size.teams(), size.cells);
        if teams == 0 || cells == 0 {
            return Err(PursuitError::NoOpenCell);
        }
        if teams > MAX_POSITIONS / cells {
            return Err(HeaderError::TooManyPositions { teams, cells }.into());
        }
        Ok(())
    }

    /// Returns the kinds of officers.
    pub(crate) fn kinds(&self) -> &[OfficerKind] {
        &self.kinds
    }

    /// Returns the places of officers, and those of the thief.
    pub(crate) fn places(&self) -> &[Places; 2] {
        &self.places
    }

    /// Returns the number of officers.
    pub(crate) fn officers(&self) -> u8 {
        self.numbering.police().officers()
    }

    /// Returns the number of officers that move in one turn.
    pub(crate) fn team(&self) -> Team {
        self.team
    }

    /// Returns the value of a position whose side to move has no move.
    #[must_use]
    pub fn value_if_stuck(&self) -> Value {
        self.stuck.value()
    }

    /// Returns the size of the game.
    pub(crate) fn size(&self) -> GameSize {
        let moves = [self.police.moves().len(), self.thief_moves.len()];
        GameSize {
            worlds: self.numbering.worlds(),
            numbers: *self.numbering.police().numbers(),
            cells: self.cells,
            team: self.team,
            moves: moves.map(|moves| moves as u64),
        }
    }

    /// Returns the numbering of the table's blocks and slots.
    #[must_use]
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// Returns the number of places of the thief.
    #[must_use]
    pub fn cell_count(&self) -> u64 {
        self.cells
    }

    /// Returns the number in the digest of the first position of a world.
    #[inline]
    pub(crate) fn first_number(&self, world: u32) -> u64 {
        u64::from(world) * self.police.list().len() as u64 * self.cells
    }

    /// Returns the number of positions with one side to move.
    #[must_use]
    pub fn side_positions(&self) -> u64 {
        self.police.len() * self.cells
    }

    /// Returns the teams of officers and their moves.
    #[must_use]
    pub fn police(&self) -> &TeamSpace {
        &self.police
    }

    /// Returns for each thief cell, in the order of position numbers, its number in reading order.
    #[must_use]
    pub fn thief_reading(&self) -> &[u32] {
        &self.thief_reading
    }

    /// Returns the moves of the thief between cells that are numbered in reading order, world after world.
    ///
    /// # Errors
    /// When `check` says that the work is to stop.
    pub(crate) fn thief_moves_in_reading_order(&self, check: &mut StopCheck) -> Result<MoveTable, Stopped> {
        let firsts = (0..self.numbering.worlds()).map(|world| world * self.cells as u32);
        let order = firsts.flat_map(|first| self.thief_numbers.iter().map(move |&number| first + number));
        self.thief_moves.renumbered(&order.collect::<Vec<u32>>(), check)
    }

    /// Returns the rule that says which positions are terminal. Cells are numbered in reading order.
    pub(crate) fn terminal_rule(&self) -> &TerminalRule {
        &self.terminal_rule
    }

    /// Returns the winner of a terminal position, or `None` if the position is not terminal. The thief is on
    /// the cell with this number in reading order.
    #[must_use]
    pub fn terminal(&self, world: u32, team: usize, thief: u32) -> Option<Side> {
        self.terminals(world, team).winner(thief)
    }

    /// Returns the terminal rule for one team in a world, to be asked about many thief cells.
    #[inline]
    pub(crate) fn terminals(&self, world: u32, team: usize) -> TeamTerminals<'_> {
        self.terminal_rule.of_team(world, self.police.list().cells(team))
    }

    /// Returns the world of a row of teams.
    #[inline(always)]
    fn world_of(&self, row: u64) -> u64 {
        if self.worlds == 1 { 0 } else { row % self.worlds }
    }

    /// Returns the number of the position, or `None` if there is no such world, or a cell is a wall or off
    /// the board.
    #[must_use]
    pub fn position(&self, world: u32, officers: &Pieces, thief: Cell, turn: Side) -> Option<u64> {
        if u64::from(world) >= self.worlds {
            return None;
        }
        let team = self.police.state_of_team(self.police.find(officers)? as usize, world);
        let place = self.numbering.thief().place(thief)?;
        let thief = self.numbering.thief().range_of(place.tile).start as u64 + u64::from(place.rank);
        Some((turn as u64 * self.police.len() + team) * self.cells + thief)
    }

    /// Returns the DTW in plies of a position that is decided in `parts` parts of turns. A turn of the police
    /// has one part or more, a turn of the thief has one.
    #[inline(always)]
    fn plies(&self, parts: Plies) -> Plies {
        if self.single_part_turns {
            return parts;
        }
        let round = self.police.parts() as u32 + 1;
        2 * (parts / round) + Plies::from(!parts.is_multiple_of(round))
    }

    /// Returns the value in plies of a position whose label counts parts of turns.
    #[must_use]
    #[inline(always)]
    pub fn in_plies(&self, label: Value) -> Value {
        match label {
            Value::Win(parts) => Value::Win(self.plies(parts)),
            Value::Loss(parts) => Value::Loss(self.plies(parts)),
            Value::Draw => Value::Draw,
        }
    }

    /// Returns the row and the thief's cell of a position.
    #[inline]
    pub(super) fn split(&self, number: u64) -> (u64, usize) {
        if self.cells == 1 {
            return (number, 0);
        }
        let quotient = ((u128::from(number) * u128::from(self.reciprocal)) >> 64) as u64;
        (quotient, (number - quotient * self.cells) as usize)
    }

    /// Returns the layer of a row, and its state there. In the last layer the thief is to move.
    #[inline]
    fn layer(&self, row: u64) -> (usize, u64) {
        let teams = self.police.len();
        if row < teams {
            (0, row)
        } else if row < 2 * teams {
            (self.police.parts(), row - teams)
        } else {
            let layer = self.layers.partition_point(|&first| first <= row) - 1;
            (layer, row - self.layers[layer])
        }
    }

    /// Returns the first row of a layer.
    #[inline]
    fn first_row(&self, layer: usize) -> u64 {
        if layer == self.police.parts() { self.police.len() } else { self.layers[layer] }
    }

    /// Returns the number of moves that the next part of the police's turn has in a state; 0 if the turn
    /// cannot be completed.
    fn police_moves(&self, layer: usize, state: u64) -> u32 {
        if layer == self.police.parts() || layer == 0 && self.police.stuck(state) {
            return 0;
        }
        self.police.successor_count(layer, state)
    }

    /// Calls `each` for the thief on each cell of `thieves` and the police in this state, with the start of
    /// the position and the number of its moves.
    #[inline(always)]
    fn for_each_start_of(
        &self,
        (layer, state): (usize, u64),
        thieves: Range<usize>,
        mut each: impl FnMut(usize, Start, u32),
    ) {
        let (last, police_moves) = (self.police.parts(), self.police_moves(layer, state));
        let turn = if layer == last { Side::Thief } else { Side::Police };
        // No partial turn is terminal. It has no move only if the turn cannot be completed, and then no
        // position leads to it.
        let is_team = layer == 0 || layer == last;
        let (team, world) = if is_team { self.police.team_in_world(state) } else { (0, 0) };
        let terminals = is_team.then(|| self.terminals(world, team));
        let first = world as usize * self.cells as usize;
        let stuck = if terminals.is_some() { self.value_if_stuck() } else { Value::Draw };
        for thief in thieves {
            let moves = match turn {
                Side::Police => police_moves,
                Side::Thief => self.thief_moves.of(first + thief).len() as u32,
            };
            let winner = terminals.and_then(|terminals| terminals.winner(self.thief_reading[thief]));
            let start = match winner {
                Some(winner) => Start::Known(Value::terminal(winner, turn)),
                None if moves == 0 => Start::Known(stuck),
                None => Start::Open,
            };
            each(thief, start, moves);
        }
    }

    /// Returns the predecessors of a position with the police to move, or of any position if there is one
    /// officer: numbers to be multiplied by a step, the third item, and added to the first predecessor, the
    /// second.
    #[inline(always)]
    pub(super) fn predecessors_of_one(&self, row: u64, thief: usize) -> (&[u32], u64, u64) {
        if row < self.police.len() {
            // All rows of a team follow each other, world after world, as the cells of the thief do.
            let world = self.world_of(row);
            let cell = world * self.cells + thief as u64;
            let first = (self.police.len() + row - world) * self.cells;
            (self.thief_moves_back.of(cell as usize), first, 1)
        } else {
            (self.police.moves_back().of((row - self.police.len()) as usize), thief as u64, self.cells)
        }
    }

    /// Returns whether the police has one officer, so that teams are cells, or none.
    #[inline]
    pub(crate) fn single(&self) -> bool {
        self.officers() <= 1
    }
}

/// Returns how many low bits of the numbers below `count` must be dropped to leave at most [`LANES`]
/// different ones.
fn lane_bits(count: u64) -> u32 {
    (count.saturating_sub(1) >> LANES.ilog2()).checked_ilog2().map_or(0, |bits| bits + 1)
}

impl Game for Pursuit {
    fn positions(&self) -> u64 {
        self.layers[self.police.parts()] * self.cells
    }

    /// Returns whether the move into `position` kept the turn. In all layers but the first the police has
    /// moved last, and in all of these but the last it is still to move.
    #[inline]
    fn keeps_turn(&self, position: u64) -> bool {
        !self.single() && position >= self.layers[1] * self.cells
    }

    fn start(&self, position: u64) -> Start {
        let (row, thief) = self.split(position);
        let mut found = Start::Illegal;
        self.for_each_start_of(self.layer(row), thief..thief + 1, |_, start, _| found = start);
        found
    }

    #[inline]
    fn for_each_successor(&self, position: u64, mut each: impl FnMut(u64)) {
        let (row, thief) = self.split(position);
        let (layer, state) = self.layer(row);
        if layer == self.police.parts() {
            let world = self.world_of(state);
            let (cell, first) = (world * self.cells + thief as u64, (state - world) * self.cells);
            self.thief_moves.of(cell as usize).iter().for_each(|&to| each(first + u64::from(to)));
        } else if self.single() {
            let first = self.police.len() * self.cells + thief as u64;
            let moves = self.police.moves().of(state as usize);
            moves.iter().for_each(|&to| each(first + u64::from(to) * self.cells));
        } else {
            let first = self.first_row(layer + 1);
            self.police.for_each_successor(layer, state, |to| each((first + to) * self.cells + thief as u64));
        }
    }
}

impl Reversible for Pursuit {
    #[inline]
    fn has_kept_turns(&self) -> bool {
        !self.single_part_turns
    }

    fn lanes(&self) -> usize {
        2 * LANES
    }

    /// Returns the range of teams or of thief cells that `position` is in. With the police to move the thief
    /// has moved last: predecessors are in the same row of one team. In all
    /// other layers they have the same thief cell. So lanes are ranges of teams, and of thief cells.
    #[inline]
    fn lane(&self, position: u64) -> usize {
        let (row, thief) = self.split(position);
        if row < self.police.len() {
            (row >> self.lane_bits[0]) as usize
        } else {
            LANES + (thief >> self.lane_bits[1])
        }
    }

    fn for_each_start(&self, range: Range<u64>, mut each: impl FnMut(u64, Start, u32)) {
        let mut position = range.start;
        while position < range.end {
            let (row, first) = self.split(position);
            let last = (self.cells as usize).min(first + (range.end - position) as usize);
            let row_start = position - first as u64;
            self.for_each_start_of(self.layer(row), first..last, |thief, start, moves| {
                each(row_start + thief as u64, start, moves);
            });
            position = row_start + last as u64;
        }
    }

    #[inline]
    fn for_each_predecessor(&self, position: u64, mut each: impl FnMut(u64)) {
        let (row, thief) = self.split(position);
        let states: SmallVec<[u32; 64]>;
        let (targets, first, step) = if row < self.police.len() || self.single() {
            self.predecessors_of_one(row, thief)
        } else {
            let (layer, state) = self.layer(row);
            let mut found = SmallVec::new();
            self.police.for_each_predecessor(layer, state, |from| found.push(from as u32));
            states = found;
            (&states[..], self.first_row(layer - 1) * self.cells + thief as u64, self.cells)
        };
        // One loop for all and in one place, so that what `each` does is compiled into it.
        for &to in targets {
            each(first + u64::from(to) * step);
        }
    }
}
