//! From boards and rules to the game below them.

mod stage;

mod captures;

use crate::{
    board::{Board, Scenario, Square},
    cell::{Cell, Side},
    game::{
        MoveRows, MoveTable, Places, PursuitGame,
        kind_rows::{Targets, join, join_rows},
        terminal::TerminalRule,
    },
    look::Direction,
    moves::{MoveTableError, Moves, Steps},
    rules::{Ground, Limit, Loot, PoliceOnExit, Rules},
    setting::Setting,
    stop::{StopCheck, Stopped},
    worlds::{World, Worlds},
};
use captures::{BoardIn, CaptureRows, Captures, is_own_cell};
use smallvec::SmallVec;
use stage::numbers;
pub(crate) use stage::{Stage, StageKind};
use std::collections::{HashMap, hash_map::Entry};

impl Board {
    /// Returns the open cells, exits included, as the places of pieces.
    #[must_use]
    pub fn places(&self) -> Places {
        let squares = self.squares().iter().map(|&square| square != Square::Wall);
        Places::new(self.height(), self.width(), squares.collect())
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
        let scenario = Scenario::from_board(board.clone());
        PursuitGame::of_setting(&Setting::new(scenario, rules.clone()), check)
    }

    /// Compiles the game of a setting, whose rules have been checked on its board, like
    /// [`PursuitGame::compile`]. It has a world for each state of doors, guards and limit.
    ///
    /// # Errors
    /// As for [`PursuitGame::compile`].
    pub fn of_setting(setting: &Setting, check: &mut StopCheck) -> Result<PursuitGame, MoveTableError> {
        let Setting { rules, .. } = setting;
        let stage = Stage::new(setting);
        let worlds = setting.worlds().count() as u32;
        let numbers = crate::game::OfficerKind::team_numbers(&stage.officer_kinds(), &stage.officer_places());
        let moves = stage.officers.iter().map(|kind| moves(setting, kind, Side::Police, check));
        let moves = moves.collect::<Result<Vec<_>, _>>()?;
        let arrivals: Vec<Vec<bool>> = stage.officers.iter().map(|kind| arrivals(setting, kind)).collect();
        let arrivals = match arrivals.iter().flatten().any(|&arrived| arrived) {
            true => join(&numbers, worlds, &arrivals),
            false => Vec::new(),
        };
        let mut ends = TerminalRule::new(escapes(setting, &stage.thief), arrivals).with_worlds(worlds);
        if !is_own_cell(setting, &stage) {
            let captures = (0..stage.officers.len()).map(|kind| captures_of(setting, &stage, kind, check));
            let captures = captures.collect::<Result<Vec<_>, _>>()?;
            ends = ends.with_captures(join_rows(&numbers, worlds, Targets::Thief, captures));
        }
        Ok(PursuitGame {
            worlds,
            moves: [
                join_rows(&numbers, worlds, Targets::OwnKind, moves),
                self::moves(setting, &stage.thief, Side::Thief, check)?,
            ],
            kinds: stage.officer_kinds(),
            places: [stage.officer_places(), stage.thief.places],
            team: rules.team,
            stuck: rules.stuck,
            ends,
        })
    }
}

impl Setting {
    /// Returns the places of the start cells on the grids of the game, in their first layers: those of the
    /// officers of each kind, whose grids stand one below the other, and that of the thief.
    ///
    /// Officers of the kind of which the rules name no letter start on the cells marked for the police, and
    /// others on the squares with their letter. None start if one of them has no place there.
    #[must_use]
    pub fn starts(&self) -> (Vec<Cell>, Option<Cell>) {
        let stage = Stage::new(self);
        let (mut police, mut rows) = (Vec::new(), 0);
        for kind in &stage.officers {
            let letter = kind.movement.and_then(|movement| movement.start);
            let cells: Vec<Cell> = match (kind.movement, letter) {
                (None, _) => kind.places.cells().collect(),
                (_, None) => self.police.clone(),
                (_, Some(letter)) => self
                    .board
                    .letters()
                    .filter(|&(_, other)| other == letter.0)
                    .map(|(cell, _)| cell)
                    .collect(),
            };
            if cells.iter().any(|&cell| !kind.places.is_place(cell)) {
                return (Vec::new(), None);
            }
            police.extend(cells.into_iter().map(|cell| Cell::new(rows + cell.row, cell.col)));
            rows += kind.places.height();
        }
        (police, self.thief.filter(|&cell| stage.thief.places.is_place(cell)))
    }

    /// Returns the cells on which each guard sees a thief in a world, rising.
    ///
    /// ```
    /// use dragnet_formats::{board::Scenario, cell::Cell, guards::Guard, rules::Rules, setting::Setting};
    ///
    /// let guard = Guard::standing(Cell::new(0, 1));
    /// let hall = Setting::new(Scenario::parse(b"...\n")?, Rules::classic()).with_guards(vec![guard])?;
    /// assert_eq!(hall.seen_by_guards(0), [[Cell::new(0, 1)]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn seen_by_guards(&self, world: u32) -> Vec<Vec<Cell>> {
        let World { doors, tick, .. } = self.worlds().get(world);
        let closed = self.doors.board_in(doors, &self.board);
        let board = BoardIn { closed: &closed, open: &self.board };
        captures::seen_by_guards(self, &board, tick).collect()
    }
}

/// Returns whether officers of a kind have arrived on each place of each world.
fn arrivals(setting: &Setting, kind: &StageKind<'_>) -> Vec<bool> {
    let Setting { board, rules, .. } = setting;
    let worlds = setting.worlds();
    let police_wins = |limit: Limit| limit.winner == Side::Police;
    let on_exit = kind.movement.is_some() && rules.police_on_exit == PoliceOnExit::Wins;
    let of_world = |world| {
        let over = worlds.is_over(world) && rules.limit.is_some_and(police_wins);
        kind.places.cells().map(move |cell| over || on_exit && board.is_exit(on_board(board, cell).1))
    };
    (0..worlds.count() as u32).flat_map(of_world).collect()
}

/// Returns whether a thief on each place of each world has escaped.
fn escapes(setting: &Setting, thief: &StageKind<'_>) -> Vec<bool> {
    let Setting { board, rules, .. } = setting;
    let worlds = setting.worlds();
    let thief_wins = |limit: Limit| limit.winner == Side::Thief;
    let has_enough = |state: u16| match &rules.loot {
        None => true,
        Some(loot) => {
            let all = if loot.in_order { loot.squares.iter().count() } else { rules.loot_on(board).count() };
            let found = if loot.in_order { state.into() } else { state.count_ones() };
            found >= loot.need.map_or(all as u32, u32::from)
        }
    };
    let of_world = |world| {
        let over = worlds.is_over(world) && rules.limit.is_some_and(thief_wins);
        thief.places.cells().map(move |cell| {
            let (layer, cell) = on_board(board, cell);
            over || board.is_exit(cell) && has_enough(thief.layers.of(layer).0)
        })
    };
    (0..worlds.count() as u32).flat_map(of_world).collect()
}

/// Returns the layer of a square of a grid, and its cell on the board.
fn on_board(board: &Board, place: Cell) -> (u16, Cell) {
    (place.row / board.height(), Cell::new(place.row % board.height(), place.col))
}

/// Calls `each` with the number of each world and the board in it, with walls for closed doors.
fn in_worlds<T>(
    setting: &Setting,
    mut each: impl FnMut(u32, &[Cell], &Board) -> Result<(), T>,
) -> Result<(), T> {
    let worlds = setting.worlds();
    // Worlds with the same doors stand one after the other, but for those of keys and phases.
    let mut last: Option<(Vec<Cell>, Board)> = None;
    for world in 0..worlds.count() as u32 {
        let closed: Vec<Cell> = setting.doors.closed(worlds.get(world).doors).collect();
        if last.as_ref().is_none_or(|(doors, _)| *doors != closed) {
            let board = setting.board.with_walls(closed.iter().copied());
            last = Some((closed, board));
        }
        let (closed, board) = last.as_ref().expect("a board was just made");
        each(world, closed, board)?;
    }
    Ok(())
}

/// Returns the moves of a kind of pieces, between its own places.
fn moves(
    setting: &Setting,
    kind: &StageKind<'_>,
    side: Side,
    check: &mut StopCheck,
) -> Result<MoveTable, MoveTableError> {
    let Setting { board, rules, .. } = setting;
    let worlds = setting.worlds();
    let places = kind.places.count() as u32;
    let Some(movement) = kind.movement else {
        let mut rows = MoveRows::new(worlds.count() as usize * kind.places.count(), u32::MAX);
        for world in 0..worlds.count() as u32 {
            for place in kind.places.cells() {
                rows.push([worlds.after(world, side, place, true)])?;
            }
        }
        return Ok(rows.finish());
    };
    let barred = side == Side::Police && rules.police_on_exit == PoliceOnExit::Barred;
    let steps = Steps::of(rules, movement, barred);
    let is_plain = worlds.count() == 1 && kind.layers.count() == 1 && setting.doors.is_empty();
    if is_plain && kind.places == board.places() {
        return MoveTable::checked(board, &steps, u32::MAX, check);
    }
    let numbers = numbers(&kind.places);
    let arrive = Arrival { setting, kind, side };
    let cells: Vec<Cell> = board.open_cells().collect();
    // The moves from each cell, by the doors that are closed: many worlds have the same.
    let mut known: HashMap<Vec<Cell>, Vec<Moves>> = HashMap::new();
    let mut rows = MoveRows::new(worlds.count() as usize * kind.places.count(), u32::MAX);
    let mut row = Vec::new();
    in_worlds(setting, |world, closed, board| {
        let moves = match known.entry(closed.to_vec()) {
            Entry::Occupied(moves) => moves.into_mut(),
            Entry::Vacant(place) => {
                let moves = cells.iter().map(|&from| {
                    let moves = steps.moves_from(board, from);
                    check.steps(64 * (1 + moves.len()))?;
                    Ok(moves)
                });
                place.insert(moves.collect::<Result<_, Stopped>>()?)
            }
        };
        for place in kind.places.cells() {
            let (layer, from) = on_board(board, place);
            let (state, wait) = kind.layers.of(layer);
            row.clear();
            let mut lead = |to: Cell, layer: u16| {
                let index = usize::from(layer) * board.squares().len() + board.index(to).expect("a cell");
                row.push(worlds.after(world, side, to, to == from) * places + numbers[index]);
            };
            if wait > 0 {
                arrive
                    .states(state, from, from)
                    .for_each(|state| lead(from, kind.layers.layer(state, wait - 1)));
            } else {
                let at = cells.binary_search(&from).expect("a place is an open cell");
                for &to in &moves[at] {
                    let wait = if to == from { 0 } else { arrive.wait(to) };
                    arrive.states(state, from, to).for_each(|state| lead(to, kind.layers.layer(state, wait)));
                }
            }
            check.steps(8 * row.len())?;
            row.sort_unstable();
            row.dedup();
            rows.push(row.iter().copied())?;
        }
        Ok::<(), MoveTableError>(())
    })?;
    Ok(rows.finish())
}

/// A piece of a kind that ends a move on a cell.
struct Arrival<'a> {
    setting: &'a Setting,
    kind: &'a StageKind<'a>,
    side: Side,
}

impl Arrival<'_> {
    /// Returns the turns that a piece waits which comes to a cell.
    fn wait(&self, to: Cell) -> u16 {
        let Setting { board, rules, .. } = self.setting;
        let movement = self.kind.movement.expect("a kind that moves");
        match rules.ground_of(movement, board.letter(to)) {
            Ground::Turns(turns) => u16::from(turns) - 1,
            Ground::Barred => unreachable!("no step leads to a square that is barred"),
        }
    }

    /// Returns the states of a piece after a move.
    fn states(&self, state: u16, from: Cell, to: Cell) -> impl Iterator<Item = u16> {
        let states: SmallVec<[u16; 3]> = match (self.kind.layers.states, self.side) {
            (1, _) => SmallVec::from_slice(&[0]),
            (directions, Side::Police) => self.directions(directions, state, from, to),
            (_, Side::Thief) => SmallVec::from_slice(&[self.taken(state, to)]),
        };
        states.into_iter()
    }

    /// Returns the directions in which an officer looks after a move.
    fn directions(&self, directions: u16, look: u16, from: Cell, to: Cell) -> SmallVec<[u16; 3]> {
        if from == to {
            return [directions - 1, 0, 1].into_iter().map(|turn| (look + turn) % directions).collect();
        }
        let floor = i32::from(self.setting.board.floor_height());
        let down = i32::from(to.row) % floor - i32::from(from.row) % floor;
        let right = i32::from(to.col) - i32::from(from.col);
        let nearest = Direction::nearest(directions as u8, down, right).map(u16::from);
        let nearest: SmallVec<[u16; 3]> = nearest.collect();
        if nearest.is_empty() { SmallVec::from_slice(&[look]) } else { nearest }
    }

    /// Returns what a thief has of the loot after a move.
    fn taken(&self, state: u16, to: Cell) -> u16 {
        let Setting { board, rules, .. } = self.setting;
        let letter = board.letter(to);
        match &rules.loot {
            Some(Loot { squares, in_order: true, .. }) => {
                let next = squares.iter().nth(state.into());
                state + u16::from(letter.is_some() && letter == next)
            }
            Some(Loot { squares, .. }) if squares.contains(letter) => {
                let number = rules.loot_on(board).position(|(cell, _)| cell == to);
                state | number.map_or(0, |number| 1 << number)
            }
            _ => state,
        }
    }
}

/// Returns the captures of a kind of officers: for each of its places in each world places of the thief. What
/// guards see counts for the first kind.
fn captures_of(
    setting: &Setting,
    stage: &Stage<'_>,
    number: usize,
    check: &mut StopCheck,
) -> Result<MoveTable, MoveTableError> {
    let (kind, board) = (&stage.officers[number], &setting.board);
    let worlds: Worlds<'_> = setting.worlds();
    let captures = Captures::new(setting, kind);
    let states = kind.layers.states;
    // The cells captured from each cell and direction, by the doors that are closed.
    let mut known: HashMap<Vec<Cell>, Vec<Vec<Cell>>> = HashMap::new();
    let mut rows = CaptureRows::new(setting, stage, kind, worlds.count() as u32);
    in_worlds(setting, |world, doors, closed| {
        let board_in = BoardIn { closed, open: board };
        let guards = match number {
            0 => captures.of_guards(&board_in, worlds.get(world).tick),
            _ => Vec::new(),
        };
        if kind.movement.is_none() {
            return rows.push(&sorted(guards), check);
        }
        let cells = match known.entry(doors.to_vec()) {
            Entry::Occupied(cells) => cells.into_mut(),
            Entry::Vacant(place) => {
                let mut all = Vec::with_capacity(board.squares().len() * usize::from(states));
                for state in 0..states {
                    for (from, square) in board.cells() {
                        let cells = match square {
                            Square::Wall => Vec::new(),
                            _ => captures.of_officer(&board_in, from, state),
                        };
                        check.steps(64 * (1 + cells.len()))?;
                        all.push(cells);
                    }
                }
                place.insert(all)
            }
        };
        for place in kind.places.cells() {
            let (layer, from) = on_board(board, place);
            let (state, _) = kind.layers.of(layer);
            let at = usize::from(state) * board.squares().len() + board.index(from).expect("a cell");
            match guards.is_empty() {
                true => rows.push(&cells[at], check)?,
                false => rows.push(&sorted([&cells[at][..], &guards].concat()), check)?,
            }
        }
        Ok(())
    })?;
    Ok(rows.finish())
}

fn sorted(mut cells: Vec<Cell>) -> Vec<Cell> {
    cells.sort_unstable();
    cells.dedup();
    cells
}
