//! From boards and rules to the game below them.

use crate::{
    board::{Board, Square},
    cell::{Cell, Side},
    doors::Doors,
    game::{MoveRows, MoveTable, OfficerKind, Places, PursuitGame, terminal::TerminalRule},
    moves::{MoveTableError, Moves, Steps},
    rules::{Capture, Movement, PoliceOnExit, Rules},
    stop::{StopCheck, Stopped},
};
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
        PursuitGame::compile_with_doors(board, rules, &Doors::default(), check)
    }

    /// Compiles the game of `rules` on `board` with these doors, like [`PursuitGame::compile`]. It has a
    /// world for each state of the doors.
    ///
    /// # Errors
    /// As for [`PursuitGame::compile`].
    pub fn compile_with_doors(
        board: &Board,
        rules: &Rules,
        doors: &Doors,
        check: &mut StopCheck,
    ) -> Result<PursuitGame, MoveTableError> {
        let worlds = doors.worlds();
        let mut moves = |side, rules: &Rules, after: WorldAfter| match doors.is_empty() {
            true => MoveTable::checked(board, &Steps::new(rules, side), u32::MAX, check),
            false => door_moves(board, &Steps::new(rules, side), doors, after, check),
        };
        let places = board.places();
        let exits: Vec<bool> = board.open_cells().map(|cell| board.is_exit(cell)).collect();
        let arrivals = if rules.police_on_exit == PoliceOnExit::Wins { &exits[..] } else { &[] };
        let [escapes, arrivals] = [&exits[..], arrivals].map(|of_one| of_one.repeat(worlds as usize));
        let mut ends = TerminalRule::new(escapes, arrivals).with_worlds(worlds);
        if let Some(Capture { by }) = &rules.capture {
            // An officer captures where a step of these leads, which exits do not bar, in the same world.
            let police_on_exit = PoliceOnExit::Allowed;
            let captures = Rules { police: Movement::new(by.clone()), police_on_exit, ..rules.clone() };
            ends = ends.with_captures(moves(Side::Police, &captures, |_, _, _, _| 0)?);
        }
        Ok(PursuitGame {
            worlds,
            moves: [
                moves(Side::Police, rules, Doors::world_after)?,
                moves(Side::Thief, rules, Doors::world_after)?,
            ],
            kinds: vec![OfficerKind { pieces: rules.officers, rows: places.height() }],
            places: [places.clone(), places],
            team: rules.team,
            stuck: rules.stuck,
            ends,
        })
    }
}

/// The world to which a move leads: from this world, to this cell, where it began or not.
type WorldAfter = fn(&Doors, u32, Cell, bool) -> u32;

/// Returns the moves between the open cells of each world, into the worlds that `after` says. A closed door
/// is a wall for every move, but who stands there may leave it.
fn door_moves(
    board: &Board,
    steps: &Steps,
    doors: &Doors,
    after: WorldAfter,
    check: &mut StopCheck,
) -> Result<MoveTable, MoveTableError> {
    let cells: Vec<Cell> = board.open_cells().collect();
    // The moves from each cell, by the doors that are closed: many worlds have the same.
    let mut known: HashMap<Vec<Cell>, Vec<Moves>> = HashMap::new();
    let mut rows = MoveRows::new(doors.worlds() as usize * cells.len(), u32::MAX);
    let mut row = Vec::new();
    for world in 0..doors.worlds() {
        let closed: Vec<Cell> = doors.closed(world).collect();
        let moves = match known.entry(closed) {
            Entry::Occupied(moves) => moves.into_mut(),
            Entry::Vacant(place) => {
                let board = doors.board_in(world, board);
                let moves = cells.iter().map(|&from| {
                    let moves = steps.moves_from(&board, from);
                    check.steps(64 * (1 + moves.len()))?;
                    Ok(moves)
                });
                place.insert(moves.collect::<Result<_, Stopped>>()?)
            }
        };
        for (&from, moves) in cells.iter().zip(&*moves) {
            check.steps(8 * moves.len())?;
            row.clear();
            row.extend(moves.iter().map(|&to| {
                let place = cells.binary_search(&to).expect("pieces move to open cells");
                after(doors, world, to, to == from) * cells.len() as u32 + place as u32
            }));
            row.sort_unstable();
            rows.push(row.iter().copied())?;
        }
    }
    Ok(rows.finish())
}
