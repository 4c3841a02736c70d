//! One level of one group of sets, for one overlay: which positions join the sets (`PROTOCOL.md` §8).
//!
//! [`grow`] first finds the *candidates*, police rows with a move into what the last level has changed, then
//! looks at these rows block by block, and lets the positions that are decided join their set.

use super::{
    grid::Grid,
    losses::{police_block, police_row, thief_block, thief_rows},
    overlay_set::OverlaySet,
    overlay_state::{GrowingSet, HeldBack, Joined, OverlayState},
    pass::Pass,
    sets::Set,
    team_turn::TeamTurn,
    words::{ROWS, Words, ones},
};
use crate::games::pursuit::Pursuit;
use dragnet_formats::cell::Side;
use multiversion::multiversion;

/// Blocks with at least this many candidate rows are looked at as a whole, 64 words at a time, others row by
/// row. Together with [`WHOLE_THIEF`], 24 and 8 take 8 to 23 % off the solves of arena, room-64-64-8 and
/// AR0016SR against 8 and 4, and nothing off those of open-64, random-64 and maze-65 (least of 21 runs).
const WHOLE: u32 = 24;

/// Replaces [`WHOLE`] for losses of the thief. All of his moves are looked at there, which are many for a row
/// and few for a block, so that a block pays with fewer rows.
const WHOLE_THIEF: u32 = 8;

/// The scratch memory of one thread. It is empty between two overlays.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Scratch {
    /// The candidate rows of each police tile, one bit each.
    rows: Vec<u64>,
    /// The tiles with candidate rows, in the order in which they were found.
    tiles: Vec<u32>,
    /// For each tile with candidate rows its place in `found`.
    places: Vec<u32>,
    /// Wins only: for the rows of each tile with candidate rows the candidate cells, those of the thief's
    /// cells with which a move leads into what the last level has changed. 0 except in candidate rows.
    found: Vec<Words>,
    /// The states half-way through a turn of several officers.
    turn: TeamTurn,
    /// Pieces of work since the observer was last asked whether to stop.
    pieces: u32,
}

impl Scratch {
    /// Creates the scratch memory for a game.
    pub(super) fn new(game: &Pursuit, grid: &Grid) -> Scratch {
        Scratch {
            rows: vec![0; grid.police.len()],
            tiles: Vec::new(),
            places: vec![0; grid.police.len()],
            found: Vec::new(),
            turn: TeamTurn::new(game.police()),
            pieces: 0,
        }
    }

    /// Returns whether the pass is to stop; called for each small piece of its work. The scratch memory of a
    /// pass that is stopped need not be empty: nobody uses it again.
    #[inline(always)]
    pub(super) fn is_stopped(&mut self, pass: &Pass) -> bool {
        pass.stop.ask_at_times(&mut self.pieces)
    }

    /// Adds candidate rows of a police tile, unless `undecided` says that nothing is left to decide there.
    /// Returns whether something is.
    #[inline(always)]
    fn add(&mut self, undecided: &[u16], tile: u32, rows: u64) -> bool {
        let at = tile as usize;
        if undecided[at] == 0 {
            return false;
        }
        if self.rows[at] == 0 {
            self.places[at] = self.tiles.len() as u32;
            self.tiles.push(tile);
        }
        self.rows[at] |= rows;
        true
    }

    /// Returns the candidate cells of a tile with candidate rows.
    #[inline(always)]
    fn found(&mut self, tile: u32) -> &mut Words {
        let place = self.places[tile as usize] as usize;
        if place >= self.found.len() {
            self.found.resize(place + 1, [0; ROWS]);
        }
        &mut self.found[place]
    }
}

/// Finds which positions with the thief in `overlay` join the growing sets, and lets them join unless the
/// pass holds back.
pub(super) fn grow(
    pass: &Pass,
    scratch: &mut Scratch,
    overlay: usize,
    mut growing: [GrowingSet; 2],
    state: &mut OverlayState,
) -> Joined {
    let [police, thief] = &mut growing;
    if pass.concerns(Side::Police, overlay) {
        grow_by_police_moves(pass, scratch, overlay, police, state);
    }
    if pass.concerns(Side::Thief, overlay) {
        grow_by_thief_moves(pass, scratch, overlay, thief, state);
    }
    Joined::new(&growing, state)
}

/// Finds the positions that moves of the police decide. A move of the police leads to another row of the same
/// overlay.
#[multiversion(targets = "simd")]
fn grow_by_police_moves(
    pass: &Pass,
    scratch: &mut Scratch,
    overlay: usize,
    growing: &mut GrowingSet,
    state: &mut OverlayState,
) {
    let undecided = &state.undecided[Side::Police as usize];
    let source = pass.standing(Side::Thief, overlay);
    let wins = pass.growing[Side::Police as usize].wins();
    let Some(single) = &pass.grid.single else {
        add_team_candidates(pass, scratch, undecided, overlay);
        decide_candidates(pass, scratch, overlay, Side::Police, growing, state);
        scratch.turn.forget();
        return;
    };
    for changed in &pass.changed[Side::Thief as usize][overlay].0 {
        let police = &pass.grid.police[changed.tile as usize];
        // Losses of whole blocks: all rows of each tile around are candidates, for it is looked at as a whole
        // anyway.
        if !wins && changed.rows.count_ones() >= WHOLE {
            for from in police.dependents.iter().filter(|from| from.rows & changed.rows != 0) {
                scratch.add(undecided, from.tile, pass.grid.police[from.tile as usize].all());
            }
            continue;
        }
        let words = source.block(changed.tile);
        for row in ones(changed.rows) {
            let there = words[row];
            for from in single.moves_back(police.first + row) {
                if scratch.add(undecided, from.tile, from.rows) && wins {
                    let found = scratch.found(from.tile);
                    ones(from.rows).for_each(|row| found[row] |= there);
                }
            }
        }
    }
    decide_candidates(pass, scratch, overlay, Side::Police, growing, state);
}

/// Adds the candidate rows of several officers: teams that can reach a changed row in one turn.
#[inline(always)]
fn add_team_candidates(pass: &Pass, scratch: &mut Scratch, undecided: &[u16], overlay: usize) {
    let source = pass.standing(Side::Thief, overlay);
    let space = pass.game.police();
    let wins = pass.growing[Side::Police as usize].wins();
    let mut turn = std::mem::take(&mut scratch.turn);
    for changed in &pass.changed[Side::Thief as usize][overlay].0 {
        let first = pass.grid.police[changed.tile as usize].first;
        let words = source.block(changed.tile);
        for row in ones(changed.rows) {
            turn.back_from(space, (first + row) as u64, words[row]);
        }
        if scratch.is_stopped(pass) {
            break;
        }
    }
    turn.back(space, &pass.stop, |team, there| {
        let row = pass.grid.team_row(team);
        if scratch.add(undecided, row.tile(), 1 << row.at()) && wins {
            scratch.found(row.tile())[row.at()] |= there;
        }
    });
    scratch.turn = turn;
}

/// Finds the positions that moves of the thief decide. A move of the thief leads to the same row of an
/// overlay, its own or another.
#[multiversion(targets = "simd")]
pub(super) fn grow_by_thief_moves(
    pass: &Pass,
    scratch: &mut Scratch,
    overlay: usize,
    growing: &mut GrowingSet,
    state: &mut OverlayState,
) {
    let undecided = &state.undecided[Side::Thief as usize];
    let wins = pass.growing[Side::Thief as usize].wins();
    let here = &pass.grid.overlays[overlay];
    for target in &here.targets {
        let shifts = &here.shifts[target.shifts.clone()];
        let source = pass.standing(Side::Police, target.overlay as usize);
        for changed in &pass.changed[Side::Police as usize][target.overlay as usize].0 {
            // Moves lead to few cells of another overlay, so most of what changes there is out of reach.
            if !changed.cross.meets(target.cross) {
                continue;
            }
            if !scratch.add(undecided, changed.tile, changed.rows) || !wins {
                continue;
            }
            let (there, found) = (source.block(changed.tile), scratch.found(changed.tile));
            for shift in shifts {
                if changed.rows.count_ones() < WHOLE {
                    ones(changed.rows).for_each(|row| found[row] = shift.add::<true>(found[row], there[row]));
                } else {
                    // Rows that have not changed do no harm.
                    let rows = found.iter_mut().zip(there);
                    rows.for_each(|(found, &there)| *found = shift.add::<true>(*found, there));
                }
            }
        }
    }
    decide_candidates(pass, scratch, overlay, Side::Thief, growing, state);
}

/// Looks at the candidate rows, and lets the positions that are decided join the set. Leaves the scratch
/// memory empty.
#[inline(always)]
fn decide_candidates(
    pass: &Pass,
    scratch: &mut Scratch,
    overlay: usize,
    mover: Side,
    growing: &mut GrowingSet,
    state: &mut OverlayState,
) {
    let set = pass.growing[mover as usize];
    // In the order in which the blocks stand in memory.
    let mut tiles = std::mem::take(&mut scratch.tiles);
    tiles.sort_unstable();
    for tile in tiles.drain(..) {
        if scratch.is_stopped(pass) {
            break;
        }
        let some = std::mem::take(&mut scratch.rows[tile as usize]);
        let whole = some.count_ones() >= WHOLE;
        let new = if whole || set == Set::ThiefLoses && some.count_ones() >= WHOLE_THIEF {
            decided_in_block(pass, scratch, overlay, set, tile, growing.set)
        } else {
            decided_in_rows(pass, scratch, overlay, set, tile, some, growing.set)
        };
        if pass.hold_back {
            if new.iter().any(|&word| word != 0) {
                state.held_back.push(HeldBack { set, tile, new });
            }
            continue;
        }
        let rows = if whole {
            state.join(pass.grid, set, growing, tile, &new)
        } else {
            state.join_rows(pass.grid, set, growing, tile, &new, some)
        };
        state.note(pass.level, set, tile, rows, &new);
    }
    scratch.tiles = tiles;
}

/// Returns the undecided positions of a block that join `set`, which has the positions `own` so far.
#[inline(always)]
fn decided_in_block(
    pass: &Pass,
    scratch: &mut Scratch,
    overlay: usize,
    set: Set,
    tile: u32,
    own: &OverlaySet,
) -> Words {
    let police = &pass.grid.police[tile as usize];
    let here = &pass.grid.overlays[overlay];
    let mut left = [0; ROWS];
    let decided = own.block(tile).iter().zip(pass.standing(set.mover(), overlay).block(tile));
    for (row, (left, (own, rival))) in left.iter_mut().zip(decided).enumerate() {
        *left = if row < police.rows { here.open & !own & !rival } else { 0 };
    }
    match set {
        Set::PoliceWins | Set::ThiefWins => {
            let found = scratch.found(tile);
            left.iter_mut().zip(&*found).for_each(|(left, found)| *left &= found);
            found.fill(0);
        }
        Set::PoliceLoses => police_block(pass, &mut scratch.turn, overlay, tile, &mut left),
        Set::ThiefLoses => thief_block(pass, here, tile, &mut left),
    }
    left
}

/// Returns the undecided positions of the rows `some` of a block that join `set`, which has the positions
/// `own` so far.
#[inline(always)]
fn decided_in_rows(
    pass: &Pass,
    scratch: &mut Scratch,
    overlay: usize,
    set: Set,
    tile: u32,
    some: u64,
    own: &OverlaySet,
) -> Words {
    let first = pass.grid.police[tile as usize].first;
    let here = &pass.grid.overlays[overlay];
    let (own, rival) = (own.block(tile), pass.standing(set.mover(), overlay).block(tile));
    let mut new = [0; ROWS];
    match set {
        Set::PoliceWins | Set::ThiefWins => {
            let found = scratch.found(tile);
            for row in ones(some) {
                new[row] = here.open & !own[row] & !rival[row] & std::mem::take(&mut found[row]);
            }
        }
        Set::PoliceLoses => {
            for row in ones(some) {
                let left = here.open & !own[row] & !rival[row];
                new[row] = police_row(pass, &mut scratch.turn, overlay, first + row, left);
            }
        }
        Set::ThiefLoses => {
            let mut undecided = 0;
            for row in ones(some) {
                new[row] = here.open & !own[row] & !rival[row];
                undecided |= u64::from(new[row] != 0) << row;
            }
            if undecided != 0 {
                thief_rows(pass, here, tile, undecided, &mut new);
            }
        }
    }
    new
}

/// Lets the positions join that the wins' first pass of this level has held back.
pub(super) fn join_held_back(pass: &Pass, mut growing: [GrowingSet; 2], state: &mut OverlayState) -> Joined {
    // Frees the list, which few games need again.
    for HeldBack { set, tile, new } in std::mem::take(&mut state.held_back) {
        let rows = state.join(pass.grid, set, &mut growing[set.mover() as usize], tile, &new);
        state.note(pass.level, set, tile, rows, &new);
    }
    Joined::new(&growing, state)
}
