//! One level of one group of sets, for one slice: which positions join the sets (`PROTOCOL.md` §8).
//!
//! [`grow`] first finds the *candidates*, police rows with a move into what the last level has changed, then
//! looks at these rows block by block, and lets the positions that are decided join their set.

use super::{
    super::{
        board::TeamTiles,
        sets::{Set, SliceWords},
        words::{ROWS, Words, first_bits, ones},
    },
    losses::{officer_block, officer_row, thief_block, thief_rows},
    pass::{Pass, Slice},
    slice_state::{GrowingSet, HeldBack, Joined, SliceState},
    team_turn::{TeamTurn, TurnTarget},
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

/// The scratch memory of one thread. It is empty between two slices.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Scratch {
    /// The candidate rows of each police tile of the slice, one bit each.
    rows: Vec<u64>,
    /// The tiles with candidate rows, counted from the slice's first one, in the order in which they were
    /// found.
    tiles: Vec<u32>,
    /// For each tile with candidate rows its place in `found`.
    places: Vec<u32>,
    /// Wins only: for the rows of each tile with candidate rows the candidate cells, those of the thief's
    /// cells with which a move leads into what the last level has changed. 0 except in candidate rows.
    found: Vec<Words>,
    /// The positions that join the set in the candidate rows of blocks with few of them, row after row.
    decided: Vec<u64>,
    /// The words half-way through a turn of several officers.
    turn: TeamTurn,
    /// Pieces of work since the observer was last asked whether to stop.
    pieces: u32,
}

impl Scratch {
    /// Creates the scratch memory for slices of so many police tiles.
    pub(crate) fn new(tiles: usize) -> Scratch {
        Scratch {
            rows: vec![0; tiles],
            tiles: Vec::new(),
            places: vec![0; tiles],
            found: Vec::new(),
            decided: Vec::new(),
            turn: TeamTurn::default(),
            pieces: 0,
        }
    }

    /// Returns whether the pass is to stop; called for each small piece of its work. The scratch memory of a
    /// pass that is stopped need not be empty: nobody uses it again.
    #[inline(always)]
    pub(crate) fn is_stopped(&mut self, pass: &Pass) -> bool {
        pass.stop.ask_at_times(&mut self.pieces)
    }

    /// Adds candidate rows of a police tile of the slice, unless `undecided` says that nothing is left to
    /// decide there. Returns whether something is.
    #[inline(always)]
    fn add(&mut self, undecided: &[u16], tile: u32, rows: u64) -> bool {
        let at = tile as usize;
        // A tile of another slice has no such number.
        if undecided.get(at).is_none_or(|&undecided| undecided == 0) {
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

/// Flags the tiles of a slice's overlay from which a turn leads into what the last level has changed in the
/// slice.
pub(crate) fn flag_dependents(pass: &Pass, slice: Slice) {
    let Some(teams) = &pass.grid.teams else { return };
    let rule = pass.game.rules().team;
    let mut pieces = 0;
    for changed in pass.changed(Side::Thief, slice.overlay, slice.range) {
        // A team whose officers have long moves depends on millions of others.
        let stop = || pass.stop.ask_at_times(&mut pieces);
        teams.for_each_dependent(&pass.grid.officer, rule, (changed.tile, changed.rows), stop, |tile| {
            let cut = pass.grid.cut;
            pass.flags.set(pass.grid.slice(slice.overlay, cut.range_of(tile)), cut.at(tile));
        });
        if pass.stop.is_received() {
            return;
        }
    }
}

/// Finds which positions of a slice join the growing sets, and lets them join unless the pass holds back.
pub(crate) fn grow(
    pass: &Pass,
    scratch: &mut Scratch,
    slice: Slice,
    mut growing: [GrowingSet; 2],
    state: &mut SliceState,
) -> Joined {
    let [police, thief] = &mut growing;
    match &pass.grid.teams {
        None => grow_by_officer_moves(pass, scratch, slice, police, state),
        Some(teams) => grow_by_team_moves(pass, scratch, slice, teams, police, state),
    }
    grow_by_thief_moves(pass, scratch, slice, thief, state);
    Joined::new(&growing, state)
}

/// Finds the positions that moves of a single officer decide. His move leads to another row of the same
/// overlay.
fn grow_by_officer_moves(
    pass: &Pass,
    scratch: &mut Scratch,
    slice: Slice,
    growing: &mut GrowingSet,
    state: &mut SliceState,
) {
    let near = &pass.grid.near[slice.range];
    if near.iter().any(|&range| !pass.changed(Side::Thief, slice.overlay, range as usize).is_empty()) {
        find_officer_moves(pass, scratch, slice, growing, state);
    }
}

#[multiversion(targets = "simd")]
fn find_officer_moves(
    pass: &Pass,
    scratch: &mut Scratch,
    slice: Slice,
    growing: &mut GrowingSet,
    state: &mut SliceState,
) {
    let undecided = &state.undecided[Side::Police as usize];
    let source = pass.standing(Side::Thief, slice.overlay);
    let wins = pass.growing[Side::Police as usize].wins();
    let officer = &pass.grid.officer;
    let near = pass.grid.near[slice.range].iter();
    for changed in near.flat_map(|&range| pass.changed(Side::Thief, slice.overlay, range as usize)) {
        if scratch.is_stopped(pass) {
            return;
        }
        let cells = &officer.tiles[changed.tile as usize];
        state.work += u64::from(changed.rows.count_ones());
        // Losses of whole blocks: all rows of each tile around are candidates, for it is looked at as a whole
        // anyway.
        if !wins && changed.rows.count_ones() >= WHOLE {
            for from in cells.dependents.iter().filter(|from| from.rows & changed.rows != 0) {
                let all = first_bits(pass.grid.rows(from.tile));
                scratch.add(undecided, from.tile.wrapping_sub(slice.first), all);
            }
            continue;
        }
        let words = source.block(changed.tile);
        for row in ones(changed.rows) {
            let there = words[row];
            for from in officer.moves_back(cells.first + row) {
                let tile = from.tile.wrapping_sub(slice.first);
                if scratch.add(undecided, tile, from.rows) && wins {
                    let found = scratch.found(tile);
                    ones(from.rows).for_each(|row| found[row] |= there);
                }
            }
        }
    }
    decide_candidates(pass, scratch, slice, Side::Police, growing, state);
}

/// Finds the positions that turns of several officers decide: looks at the tiles that are flagged.
#[multiversion(targets = "simd")]
fn grow_by_team_moves(
    pass: &Pass,
    scratch: &mut Scratch,
    slice: Slice,
    teams: &TeamTiles,
    growing: &mut GrowingSet,
    state: &mut SliceState,
) {
    let set = pass.growing[Side::Police as usize];
    let source = pass.standing(Side::Thief, slice.overlay);
    let target = TurnTarget { grid: pass.grid, teams, rule: pass.game.rules().team, source };
    for at in pass.flags.take(pass.grid.slice(slice.overlay, slice.range)) {
        if state.undecided[Side::Police as usize][at as usize] == 0 {
            continue;
        }
        // Partial turns of many officers with long moves take some milliseconds.
        scratch.pieces += PIECES_OF_TURNS;
        if scratch.is_stopped(pass) {
            return;
        }
        state.work += pass.grid.rows(slice.first + at) as u64;
        let mut new = undecided_in_block(pass, slice, set, at, &growing.set);
        if set.wins() {
            scratch.turn.narrow::<true>(target, slice.first + at, &mut new);
        } else {
            scratch.turn.narrow::<false>(target, slice.first + at, &mut new);
        }
        settle(pass, set, slice.first + at, !0, &new, growing, state);
    }
    scratch.turn.forget();
}

/// Finds the positions that moves of the thief decide. A move of the thief leads to the same row of an
/// overlay, his own or another.
pub(crate) fn grow_by_thief_moves(
    pass: &Pass,
    scratch: &mut Scratch,
    slice: Slice,
    growing: &mut GrowingSet,
    state: &mut SliceState,
) {
    let mut targets = pass.grid.overlays[slice.overlay].targets.iter();
    if targets.any(|target| !pass.changed(Side::Police, target.overlay as usize, slice.range).is_empty()) {
        find_thief_moves(pass, scratch, slice, growing, state);
    }
}

#[multiversion(targets = "simd")]
fn find_thief_moves(
    pass: &Pass,
    scratch: &mut Scratch,
    slice: Slice,
    growing: &mut GrowingSet,
    state: &mut SliceState,
) {
    let undecided = &state.undecided[Side::Thief as usize];
    let wins = pass.growing[Side::Thief as usize].wins();
    let here = &pass.grid.overlays[slice.overlay];
    for target in &here.targets {
        if scratch.is_stopped(pass) {
            return;
        }
        let shifts = &here.shifts[target.shifts.clone()];
        let source = pass.standing(Side::Police, target.overlay as usize);
        for changed in pass.changed(Side::Police, target.overlay as usize, slice.range) {
            // Moves lead to few cells of another overlay, so most of what changes there is out of reach.
            if !changed.cross.meets(target.cross) {
                continue;
            }
            let tile = changed.tile - slice.first;
            state.work += u64::from(changed.rows.count_ones());
            if !scratch.add(undecided, tile, changed.rows) || !wins {
                continue;
            }
            let (there, found) = (source.block(changed.tile), scratch.found(tile));
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
    decide_candidates(pass, scratch, slice, Side::Thief, growing, state);
}

/// Looks at the candidate rows, and lets the positions that are decided join the set. Leaves the scratch
/// memory empty.
///
/// Where few rows of a block are candidates, as in mazes, what takes the time are words that the caches do
/// not have. So these rows are looked at first, block after block: no branch waits for a word then, and the
/// processor fetches those of many blocks at once.
#[inline(always)]
fn decide_candidates(
    pass: &Pass,
    scratch: &mut Scratch,
    slice: Slice,
    mover: Side,
    growing: &mut GrowingSet,
    state: &mut SliceState,
) {
    let set = pass.growing[mover as usize];
    let whole = if set == Set::ThiefLoses { WHOLE_THIEF } else { WHOLE };
    // In the order in which the blocks stand in memory.
    let mut tiles = std::mem::take(&mut scratch.tiles);
    tiles.sort_unstable();
    let mut decided = std::mem::take(&mut scratch.decided);
    for &at in &tiles {
        if scratch.is_stopped(pass) {
            return;
        }
        let some = scratch.rows[at as usize];
        if some.count_ones() < whole {
            decide_rows(pass, scratch, slice, set, at, some, &growing.set, &mut decided);
        }
    }
    let mut words = decided.iter();
    for at in tiles.drain(..) {
        if scratch.is_stopped(pass) {
            return;
        }
        let some = std::mem::take(&mut scratch.rows[at as usize]);
        state.work += u64::from(some.count_ones());
        let tile = slice.first + at;
        if some.count_ones() >= whole {
            let new = decided_in_block(pass, scratch, slice, set, at, &growing.set);
            settle(pass, set, tile, if some.count_ones() >= WHOLE { !0 } else { some }, &new, growing, state);
            continue;
        }
        let (mut new, mut rows) = ([0; ROWS], 0);
        for (row, &word) in ones(some).zip(words.by_ref()) {
            new[row] = word;
            rows |= u64::from(word != 0) << row;
        }
        if rows != 0 {
            settle(pass, set, tile, rows, &new, growing, state);
        }
    }
    decided.clear();
    (scratch.tiles, scratch.decided) = (tiles, decided);
}

/// Lets the decided positions `new` of a police tile join their set, or holds them back. They are in the rows
/// of the mask `some` alone.
#[inline(always)]
fn settle(
    pass: &Pass,
    set: Set,
    tile: u32,
    some: u64,
    new: &Words,
    growing: &mut GrowingSet,
    state: &mut SliceState,
) {
    if pass.hold_back {
        if new.iter().any(|&word| word != 0) {
            state.held_back.push(HeldBack { set, tile, new: *new });
        }
        return;
    }
    let rows = if some == !0 {
        state.join(pass.grid, set, growing, tile, new)
    } else {
        state.join_rows(pass.grid, set, growing, tile, new, some)
    };
    state.note(pass.level, set, tile, rows, new);
}

/// Returns the undecided positions of a block of the slice. The growing set has the positions `own` so far.
#[inline(always)]
fn undecided_in_block(pass: &Pass, slice: Slice, set: Set, at: u32, own: &SliceWords) -> Words {
    let tile = slice.first + at;
    let (open, rows) = (pass.grid.overlays[slice.overlay].open, pass.grid.rows(tile));
    let mut left = [0; ROWS];
    let decided = own.block(at).iter().zip(pass.standing(set.mover(), slice.overlay).block(tile));
    for (row, (left, (own, rival))) in left.iter_mut().zip(decided).enumerate() {
        *left = if row < rows { open & !own & !rival } else { 0 };
    }
    left
}

/// Returns the undecided positions of a block of the slice that join `set`, which has the positions `own` so
/// far.
#[inline(always)]
fn decided_in_block(
    pass: &Pass,
    scratch: &mut Scratch,
    slice: Slice,
    set: Set,
    at: u32,
    own: &SliceWords,
) -> Words {
    let mut left = undecided_in_block(pass, slice, set, at, own);
    match set {
        Set::PoliceWins | Set::ThiefWins => {
            let found = scratch.found(at);
            left.iter_mut().zip(&*found).for_each(|(left, found)| *left &= found);
            found.fill(0);
        }
        Set::PoliceLoses => officer_block(pass, slice.overlay, slice.first + at, &mut left),
        Set::ThiefLoses => {
            thief_block(pass, &pass.grid.overlays[slice.overlay], slice.first + at, &mut left);
        }
    }
    left
}

/// Appends to `decided`, for each of the rows `some` of a block of the slice, the undecided positions that
/// join `set`, which has the positions `own` so far.
#[expect(clippy::too_many_arguments, reason = "the first five are those of any step of a pass")]
#[inline(always)]
fn decide_rows(
    pass: &Pass,
    scratch: &mut Scratch,
    slice: Slice,
    set: Set,
    at: u32,
    some: u64,
    own: &SliceWords,
    decided: &mut Vec<u64>,
) {
    let tile = slice.first + at;
    let here = &pass.grid.overlays[slice.overlay];
    let (own, rival) = (own.block(at), pass.standing(set.mover(), slice.overlay).block(tile));
    let undecided = |row: usize| here.open & !own[row] & !rival[row];
    match set {
        Set::PoliceWins | Set::ThiefWins => {
            let found = scratch.found(at);
            decided.extend(ones(some).map(|row| undecided(row) & std::mem::take(&mut found[row])));
        }
        Set::PoliceLoses => {
            let first = pass.grid.officer.tiles[tile as usize].first;
            decided
                .extend(ones(some).map(|row| officer_row(pass, slice.overlay, first + row, undecided(row))));
        }
        Set::ThiefLoses => {
            let first = decided.len();
            decided.extend(ones(some).map(undecided));
            thief_rows(pass, here, tile, some, &mut decided[first..]);
        }
    }
}

/// Lets the positions join that the wins' first pass of this level has held back.
pub(crate) fn join_held_back(pass: &Pass, mut growing: [GrowingSet; 2], state: &mut SliceState) -> Joined {
    // Frees the list, which few games need again.
    for HeldBack { set, tile, new } in std::mem::take(&mut state.held_back) {
        let rows = state.join(pass.grid, set, &mut growing[set.mover() as usize], tile, &new);
        state.note(pass.level, set, tile, rows, &new);
    }
    Joined::new(&growing, state)
}
