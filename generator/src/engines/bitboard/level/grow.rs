//! One level of one group of sets, for one slice: which positions join the sets (`PROTOCOL.md` §8).
//!
//! [`grow`] first finds the *candidates*, police rows with a move into what the last level has changed, then
//! looks at these rows block by block, and lets the positions that are decided join their set.

use super::{
    super::{
        board::{SliceTile, TeamTiles},
        sets::Set,
        words::{ROWS, Words, first_bits, ones},
    },
    losses::{officer_block, officer_row, thief_block, thief_rows},
    pass::{Pass, Slice},
    slice_state::Deferred,
    step::Step,
    team_turn::TurnTarget,
};
use dragnet_formats::cell::Side;
use multiversion::multiversion;

/// Blocks with at least this many candidate rows are looked at as a whole, 64 words at a time, others row by
/// row. Together with [`WHOLE_THIEF`], 24 and 8 take 8 to 23 % off the solves of arena, room-64-64-8 and
/// AR0016SR against 8 and 4, and nothing off those of open-64, random-64 and maze-65 (least of 21 runs).
const WHOLE: u32 = 24;

/// Replaces [`WHOLE`] for losses of the thief. All of his moves are looked at there, which are many for a row
/// and few for a block, so that a block pays with fewer rows.
const WHOLE_THIEF: u32 = 8;

/// The pieces of work for which the turns of the teams of a tile count.
const PIECES_OF_TURNS: u32 = 31;

/// Flags the tiles from which a turn leads into what the last level has changed in a slice.
pub(crate) fn flag_dependents(pass: &Pass, slice: Slice) {
    let Some(teams) = &pass.grid.teams else { return };
    let (grid, rule) = (pass.grid, pass.game.team());
    let mut pieces = 0;
    for &before in &grid.overlays[slice.overlay].police_before {
        let moves = grid.moves(before as usize);
        for changed in pass.changed(Side::Thief, slice.overlay, slice.range) {
            // A team whose officers have long moves depends on millions of others.
            let stop = || pass.stop.ask_at_times(&mut pieces);
            let rows = (changed.tile, changed.rows);
            teams.for_each_dependent(&grid.officer, moves, rule, rows, stop, |tile| {
                pass.flags.set(grid.slice(before as usize, grid.cut.range_of(tile)), grid.cut.at(tile));
            });
            if pass.stop.is_received() {
                return;
            }
        }
    }
}

/// Finds which positions of a slice join the growing sets, and lets them join unless the pass defers that.
pub(crate) fn grow(step: &mut Step) {
    match &step.pass.grid.teams {
        None => grow_by_officer_moves(step),
        Some(teams) => grow_by_team_moves(step, teams),
    }
    grow_by_thief_moves(step);
}

/// Finds the positions that moves of a single officer decide. His move leads to another row of the overlay
/// that has the same cells in the world after the move.
fn grow_by_officer_moves(step: &mut Step) {
    let (pass, slice) = (step.pass, step.slice);
    let here = &pass.grid.overlays[slice.overlay];
    let (near, target) = (pass.grid.near(here.world, slice.range), here.police_target as usize);
    if near.iter().any(|&range| !pass.changed(Side::Thief, target, range as usize).is_empty()) {
        find_officer_moves(step);
    }
}

#[multiversion(targets = "simd")]
fn find_officer_moves(step: &mut Step) {
    let (pass, slice) = (step.pass, step.slice);
    let here = &pass.grid.overlays[slice.overlay];
    let target = here.police_target as usize;
    let source = pass.standing(Side::Thief, target);
    let wins = pass.growing[Side::Police].wins();
    let (officer, moves) = (&pass.grid.officer, pass.grid.moves_in(here.world));
    let near = pass.grid.near(here.world, slice.range).iter();
    for changed in near.flat_map(|&range| pass.changed(Side::Thief, target, range as usize)) {
        if step.is_stopped() {
            return;
        }
        let (scratch, undecided) = (&mut *step.scratch, &step.state.undecided[Side::Police][..]);
        step.state.work += u64::from(changed.rows.count_ones());
        // Losses of whole blocks: all rows of each tile around are candidates, for it is looked at as a whole
        // anyway.
        if !wins && changed.rows.count_ones() >= WHOLE {
            let dependents = moves.tiles[changed.tile as usize].dependents.iter();
            for from in dependents.filter(|from| from.rows & changed.rows != 0) {
                scratch.add(undecided, slice.at(from.tile), first_bits(pass.grid.rows(from.tile)));
            }
            continue;
        }
        let (words, first) = (source.block(changed.tile), officer.first(changed.tile));
        for row in ones(changed.rows) {
            let word = words[row];
            for from in moves.moves_back(first + row) {
                let at = slice.at(from.tile);
                if scratch.add(undecided, at, from.rows) && wins {
                    let found = scratch.found(at);
                    ones(from.rows).for_each(|row| found[row] |= word);
                }
            }
        }
    }
    decide_candidates(step, Side::Police);
}

/// Finds the positions that turns of several officers decide: looks at the tiles that are flagged.
#[multiversion(targets = "simd")]
fn grow_by_team_moves(step: &mut Step, teams: &TeamTiles) {
    let (pass, slice) = (step.pass, step.slice);
    let here = &pass.grid.overlays[slice.overlay];
    let source = pass.standing(Side::Thief, here.police_target as usize);
    let moves = pass.grid.moves_in(here.world);
    let target = TurnTarget { officer: &pass.grid.officer, moves, teams, rule: pass.game.team(), source };
    for at in pass.flags.take(pass.grid.slice(slice.overlay, slice.range)) {
        if step.state.undecided[Side::Police][at.index()] == 0 {
            continue;
        }
        // Partial turns of many officers with long moves take some milliseconds.
        step.scratch.pieces += PIECES_OF_TURNS;
        if step.is_stopped() {
            return;
        }
        let tile = slice.tile(at);
        step.state.work += pass.grid.rows(tile) as u64;
        let mut new = undecided_in_block(step, Side::Police, at);
        if pass.growing[Side::Police].wins() {
            step.scratch.turn.narrow::<true>(target, tile, &mut new);
        } else {
            step.scratch.turn.narrow::<false>(target, tile, &mut new);
        }
        step.commit_or_defer(Side::Police, tile, !0, &new);
    }
    step.scratch.turn.forget();
}

/// Finds the positions that moves of the thief decide. A move of the thief leads to the same row of an
/// overlay, his own or another.
pub(crate) fn grow_by_thief_moves(step: &mut Step) {
    let (pass, slice) = (step.pass, step.slice);
    let mut targets = pass.grid.overlays[slice.overlay].targets.iter();
    if targets.any(|target| !pass.changed(Side::Police, target.overlay as usize, slice.range).is_empty()) {
        find_thief_moves(step);
    }
}

#[multiversion(targets = "simd")]
fn find_thief_moves(step: &mut Step) {
    let (pass, slice) = (step.pass, step.slice);
    let wins = pass.growing[Side::Thief].wins();
    let here = &pass.grid.overlays[slice.overlay];
    for target in &here.targets {
        if step.is_stopped() {
            return;
        }
        let (scratch, undecided) = (&mut *step.scratch, &step.state.undecided[Side::Thief][..]);
        let shifts = &here.shifts[target.shifts.clone()];
        let source = pass.standing(Side::Police, target.overlay as usize);
        for changed in pass.changed(Side::Police, target.overlay as usize, slice.range) {
            // Moves lead to few cells of another overlay, so most of what changes there is out of reach.
            if !changed.cross.meets(target.cross) {
                continue;
            }
            let at = slice.at(changed.tile);
            step.state.work += u64::from(changed.rows.count_ones());
            if !scratch.add(undecided, at, changed.rows) || !wins {
                continue;
            }
            let (source, found) = (source.block(changed.tile), scratch.found(at));
            for shift in shifts {
                if changed.rows.count_ones() < WHOLE {
                    ones(changed.rows)
                        .for_each(|row| found[row] = shift.add::<true>(found[row], source[row]));
                } else {
                    // Rows that have not changed do no harm.
                    let rows = found.iter_mut().zip(source);
                    rows.for_each(|(found, &source)| *found = shift.add::<true>(*found, source));
                }
            }
        }
    }
    decide_candidates(step, Side::Thief);
}

/// Looks at the candidate rows, and lets the positions that are decided join the set. Leaves the scratch
/// memory empty.
///
/// Where few rows of a block are candidates, as in mazes, what takes the time are words that the caches do
/// not have. So these rows are looked at first, block after block: no branch waits for a word then, and the
/// processor fetches those of many blocks at once.
#[inline(always)]
fn decide_candidates(step: &mut Step, mover: Side) {
    let whole = if step.pass.growing[mover] == Set::ThiefLoses { WHOLE_THIEF } else { WHOLE };
    // In the order in which the blocks stand in memory.
    let mut tiles = std::mem::take(&mut step.scratch.tiles);
    tiles.sort_unstable();
    let mut decided = std::mem::take(&mut step.scratch.decided);
    for &at in &tiles {
        if step.is_stopped() {
            return;
        }
        let row_mask = step.scratch.rows[at.index()];
        if row_mask.count_ones() < whole {
            decide_rows(step, mover, at, row_mask, &mut decided);
        }
    }
    let mut words = decided.iter();
    for at in tiles.drain(..) {
        if step.is_stopped() {
            return;
        }
        let row_mask = std::mem::take(&mut step.scratch.rows[at.index()]);
        let count = row_mask.count_ones();
        step.state.work += u64::from(count);
        let tile = step.slice.tile(at);
        if count >= whole {
            let new = decide_block(step, mover, at);
            step.commit_or_defer(mover, tile, if count >= WHOLE { !0 } else { row_mask }, &new);
            continue;
        }
        let (mut new, mut rows) = ([0; ROWS], 0);
        for (row, &word) in ones(row_mask).zip(words.by_ref()) {
            new[row] = word;
            rows |= u64::from(word != 0) << row;
        }
        if rows != 0 {
            step.commit_or_defer(mover, tile, rows, &new);
        }
    }
    decided.clear();
    (step.scratch.tiles, step.scratch.decided) = (tiles, decided);
}

/// Returns the undecided positions of a block with `mover` to move.
#[inline(always)]
fn undecided_in_block(step: &Step, mover: Side, at: SliceTile) -> Words {
    let (pass, slice) = (step.pass, step.slice);
    let tile = slice.tile(at);
    let (open, rows) = (pass.grid.overlays[slice.overlay].open, pass.grid.rows(tile));
    let own = step.growing[mover].words.block(at);
    let rival = pass.standing(mover, slice.overlay).block(tile);
    let mut undecided = [0; ROWS];
    for (row, (undecided, (own, rival))) in undecided.iter_mut().zip(own.iter().zip(rival)).enumerate() {
        *undecided = if row < rows { open & !own & !rival } else { 0 };
    }
    undecided
}

/// Returns the undecided positions of a block with `mover` to move that join the growing set.
#[inline(always)]
fn decide_block(step: &mut Step, mover: Side, at: SliceTile) -> Words {
    let (pass, slice) = (step.pass, step.slice);
    let mut undecided = undecided_in_block(step, mover, at);
    match pass.growing[mover] {
        Set::PoliceWins | Set::ThiefWins => {
            let found = step.scratch.found(at);
            undecided.iter_mut().zip(&*found).for_each(|(undecided, found)| *undecided &= found);
            found.fill(0);
        }
        Set::PoliceLoses => officer_block(pass, slice.overlay, slice.tile(at), &mut undecided),
        Set::ThiefLoses => {
            thief_block(pass, &pass.grid.overlays[slice.overlay], slice.tile(at), &mut undecided);
        }
    }
    undecided
}

/// Appends to `decided`, for each of the rows `row_mask` of a block, the undecided positions with `mover` to
/// move that join the growing set.
#[inline(always)]
fn decide_rows(step: &mut Step, mover: Side, at: SliceTile, row_mask: u64, decided: &mut Vec<u64>) {
    let (pass, slice) = (step.pass, step.slice);
    let tile = slice.tile(at);
    let here = &pass.grid.overlays[slice.overlay];
    let own = step.growing[mover].words.block(at);
    let rival = pass.standing(mover, slice.overlay).block(tile);
    let undecided = |row: usize| here.open & !own[row] & !rival[row];
    match pass.growing[mover] {
        Set::PoliceWins | Set::ThiefWins => {
            let found = step.scratch.found(at);
            decided.extend(ones(row_mask).map(|row| undecided(row) & std::mem::take(&mut found[row])));
        }
        Set::PoliceLoses => {
            let (moves, first) = (pass.grid.moves_in(here.world), pass.grid.officer.first(tile));
            let source = pass.standing(Side::Thief, here.police_target as usize);
            let rows = ones(row_mask);
            decided.extend(rows.map(|row| officer_row(moves, source, first + row, undecided(row))));
        }
        Set::ThiefLoses => {
            let first = decided.len();
            decided.extend(ones(row_mask).map(undecided));
            thief_rows(pass, here, tile, row_mask, &mut decided[first..]);
        }
    }
}

/// Lets the positions join that the wins' first pass of this level has deferred.
pub(crate) fn join_deferred(step: &mut Step) {
    // Frees the list, which few games need again.
    for Deferred { mover, tile, new } in std::mem::take(&mut step.state.deferred) {
        step.commit(mover, tile, !0, &new);
    }
}
