//! One level: which positions join the sets of wins, or those of losses. All that is known is laid out by overlays of the thief,
//! so that the police's moves stay within what belongs to one of them.

use super::{
    grid::{Cross, Grid},
    lane::{Changed, Growth, Joined, Lane, Own, ROWS, block, block_mut},
    losses::{police_moves, police_row, thief_moves, thief_row},
    sets::{Set, ones},
    turn::Turn,
};
use crate::games::pursuit::Pursuit;
use dragnet_formats::{cell::Side, value::Plies};
use multiversion::multiversion;
use std::{
    ops::RangeInclusive,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// Blocks in which this many rows are to be looked at are done as a whole: about where that takes as long as row by row.
const WHOLE: u32 = 8;

/// The same for losses of the thief, all of whose moves are looked at, many for a row and few for a block.
const WHOLE_THIEF: u32 = 4;

/// One pass: the sets of wins, or those of losses, are to grow by what follows from the other two.
pub(super) struct Pass<'a> {
    pub(super) game: &'a Pursuit,
    pub(super) grid: &'a Grid,
    pub(super) level: Plies,
    /// Words from one overlay to the next: one per row of the police, and room for the last block to be read as
    /// a whole. Whole lines of a cache, so that blocks of 64 rows are some.
    pub(super) stride: usize,
    /// By side to move, the set that grows.
    pub(super) growing: [Set; 2],
    /// By side to move, the set that does not: the rival of one that grows and the source of the other. Overlay after
    /// overlay.
    pub(super) standing: [&'a [u64]; 2],
    /// By side to move and overlay, the rows of the standing set that the last level changed.
    pub(super) changed: [&'a [Changed]; 2],
    /// Whether what is found must wait for [`join_held_back`].
    pub(super) hold_back: bool,
}

/// Scratch memory of a thread.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Work {
    /// By police tile, the rows to be looked at.
    rows: Vec<u64>,
    /// The tiles that have some.
    tiles: Vec<u32>,
    /// By row of the police, the thief cells from which, or with which, a move leads into what the last level has
    /// changed. 0 but in rows to be looked at.
    found: Vec<u64>,
    /// For the turn of several officers.
    turn: Turn,
}

impl Work {
    pub(super) fn new(game: &Pursuit, grid: &Grid) -> Work {
        let found = vec![0; grid.rows + ROWS - 1];
        Work { rows: vec![0; grid.police.len()], tiles: Vec::new(), found, turn: Turn::new(game.police()) }
    }

    /// Adds rows to be looked at, if something is left to decide there. Whether it is.
    #[inline(always)]
    fn add(&mut self, undecided: &[u16], tile: u32, rows: u64) -> bool {
        let at = tile as usize;
        if undecided[at] == 0 {
            return false;
        }
        if self.rows[at] == 0 {
            self.tiles.push(tile);
        }
        self.rows[at] |= rows;
        true
    }
}

impl<'a> Pass<'a> {
    /// Whether there is anything to do for overlay `thief` and the moves of `side`.
    fn concerns(&self, side: Side, thief: usize) -> bool {
        let changed = self.changed[side.other() as usize];
        match side {
            Side::Police => !changed[thief].0.is_empty(),
            Side::Thief => self.grid.thief[thief]
                .targets
                .iter()
                .any(|there| !changed[there.overlay as usize].0.is_empty()),
        }
    }

    /// The words of the standing set with `side` to move in one overlay.
    #[inline(always)]
    pub(super) fn standing(&self, side: Side, thief: usize) -> &'a [u64] {
        &self.standing[side as usize][thief * self.stride..(thief + 1) * self.stride]
    }
}

/// Finds which positions with the thief in overlay `thief` join the growing sets, and lets them join if they need not be held back.
pub(super) fn grow(pass: &Pass, work: &mut Work, thief: usize, mut own: [Own; 2], lane: &mut Lane) -> Joined {
    let [police, of_thief] = &mut own;
    if pass.concerns(Side::Police, thief) {
        find_police(pass, work, thief, police, lane);
    }
    if pass.concerns(Side::Thief, thief) {
        find_thief(pass, work, thief, of_thief, lane);
    }
    Joined::new(&own, lane)
}

/// What the moves of the police add.
#[multiversion(targets = "simd")]
fn find_police(pass: &Pass, work: &mut Work, thief: usize, own: &mut Own, lane: &mut Lane) {
    let undecided = &lane.undecided[Side::Police as usize];
    let source = pass.standing(Side::Thief, thief);
    let wins = pass.growing[Side::Police as usize].wins();
    let Some(single) = &pass.grid.single else {
        find_team(pass, work, undecided, thief);
        find(pass, work, thief, Side::Police, own, lane);
        work.turn.forget();
        return;
    };
    for changed in &pass.changed[Side::Thief as usize][thief].0 {
        let police = &pass.grid.police[changed.tile as usize];
        if !wins && changed.rows.count_ones() >= WHOLE {
            for from in police.dependents.iter().filter(|from| from.rows & changed.rows != 0) {
                work.add(undecided, from.tile, pass.grid.police[from.tile as usize].all());
            }
            continue;
        }
        for row in ones(changed.rows) {
            let there = source[police.first + row];
            for from in single.moves_back(police.first + row) {
                if work.add(undecided, from.tile, from.rows) && wins {
                    let found = block_mut(&mut work.found, &pass.grid.police[from.tile as usize]);
                    ones(from.rows).for_each(|row| found[row] |= there);
                }
            }
        }
    }
    find(pass, work, thief, Side::Police, own, lane);
}

/// Looks from where several officers can get to what has changed.
#[inline(always)]
fn find_team(pass: &Pass, work: &mut Work, undecided: &[u16], thief: usize) {
    let source = pass.standing(Side::Thief, thief);
    let space = pass.game.police();
    let wins = pass.growing[Side::Police as usize].wins();
    let mut turn = std::mem::take(&mut work.turn);
    for changed in &pass.changed[Side::Thief as usize][thief].0 {
        let first = pass.grid.police[changed.tile as usize].first;
        for row in ones(changed.rows) {
            turn.back_from(space, (first + row) as u64, source[first + row]);
        }
    }
    turn.back(space, |row, there| {
        let row = row as usize;
        let tile = pass.grid.tile_of(row);
        let bit = 1 << (row - pass.grid.police[tile as usize].first);
        if work.add(undecided, tile, bit) && wins {
            work.found[row] |= there;
        }
    });
    work.turn = turn;
}

/// What the moves of the thief add.
#[multiversion(targets = "simd")]
fn find_thief(pass: &Pass, work: &mut Work, thief: usize, own: &mut Own, lane: &mut Lane) {
    let undecided = &lane.undecided[Side::Thief as usize];
    let wins = pass.growing[Side::Thief as usize].wins();
    let here = &pass.grid.thief[thief];
    for target in &here.targets {
        let shifts = &here.shifts[target.shifts.clone()];
        let source = pass.standing(Side::Police, target.overlay as usize);
        for changed in &pass.changed[Side::Police as usize][target.overlay as usize].0 {
            // Most of what changes there is out of reach.
            if !changed.cross.meets(target.cross) {
                continue;
            }
            if !work.add(undecided, changed.tile, changed.rows) || !wins {
                continue;
            }
            let police = &pass.grid.police[changed.tile as usize];
            let (there, found) = (block(source, police), block_mut(&mut work.found, police));
            for shift in shifts {
                if changed.rows.count_ones() < WHOLE {
                    ones(changed.rows).for_each(|row| found[row] = shift.add::<true>(found[row], there[row]));
                } else {
                    // Rows that have not changed do no harm, but those of the next tile are not to be looked at.
                    let rows = found[..police.rows].iter_mut().zip(there);
                    rows.for_each(|(found, &there)| *found = shift.add::<true>(*found, there));
                }
            }
        }
    }
    find(pass, work, thief, Side::Thief, own, lane);
}

/// Looks at the rows of `work`.
#[inline(always)]
fn find(pass: &Pass, work: &mut Work, thief: usize, mover: Side, own: &mut Own, lane: &mut Lane) {
    let set = pass.growing[mover as usize];
    let rival = pass.standing(mover, thief);
    let here = &pass.grid.thief[thief];
    // In the order in which they stand in memory.
    let mut tiles = std::mem::take(&mut work.tiles);
    tiles.sort_unstable();
    for tile in tiles.drain(..) {
        let some = std::mem::take(&mut work.rows[tile as usize]);
        let police = &pass.grid.police[tile as usize];
        let whole = some.count_ones() >= WHOLE;
        let new = if whole || set == Set::ThiefLoses && some.count_ones() >= WHOLE_THIEF {
            let mut left = [0; ROWS];
            let decided = block(own.words, police).iter().zip(block(rival, police));
            for (row, (left, (own, rival))) in left.iter_mut().zip(decided).enumerate() {
                *left = if row < police.rows { here.open & !own & !rival } else { 0 };
            }
            match set {
                Set::PoliceWins | Set::ThiefWins => {
                    let found = block_mut(&mut work.found, police);
                    left.iter_mut().zip(&*found).for_each(|(left, found)| *left &= found);
                    found[..police.rows].fill(0);
                }
                Set::PoliceLoses => police_moves(pass, &mut work.turn, thief, police, &mut left),
                Set::ThiefLoses => thief_moves(pass, here, police, &mut left),
            }
            left
        } else {
            let mut new = [0; ROWS];
            for row in ones(some) {
                let cell = police.first + row;
                let found = std::mem::take(&mut work.found[cell]);
                let left = here.open & !own.words[cell] & !rival[cell];
                new[row] = match set {
                    Set::PoliceWins | Set::ThiefWins => left & found,
                    Set::PoliceLoses => police_row(pass, &mut work.turn, thief, cell, left),
                    Set::ThiefLoses => thief_row(pass, here, cell, left),
                };
            }
            new
        };
        if pass.hold_back {
            if new.iter().any(|&word| word != 0) {
                lane.held_back.push((set, tile, new));
            }
            continue;
        }
        let rows = if whole {
            lane.join(pass.grid, set, own, tile, &new)
        } else {
            lane.join_rows(pass.grid, set, own, tile, &new, some)
        };
        lane.note(pass, set, tile, rows, &new);
    }
    work.tiles = tiles;
}

/// Lets join what has been held back.
pub(super) fn join_held_back(pass: &Pass, mut own: [Own; 2], lane: &mut Lane) -> Joined {
    // Few games need it later: its memory goes.
    for (set, tile, new) in std::mem::take(&mut lane.held_back) {
        let rows = lane.join(pass.grid, set, &mut own[set.mover() as usize], tile, &new);
        lane.note(pass, set, tile, rows, &new);
    }
    Joined::new(&own, lane)
}

/// Puts what is decided without a move into the growing sets. `stuck_wins` is what the rules say of it.
pub(super) fn start(
    pass: &Pass,
    stuck_wins: bool,
    thief: usize,
    mut own: [Own; 2],
    lane: &mut Lane,
) -> Joined {
    let here = &pass.grid.thief[thief];
    for (tile, police) in (0..).zip(&pass.grid.police) {
        let stands = police.stands.binary_search(&(thief as u32)).is_ok();
        if !stands && here.exits | here.stuck | police.stuck | police.arrived == 0 {
            continue;
        }
        for mover in Side::BOTH {
            let set = pass.growing[mover as usize];
            let (mut over, mut new) = ([0; ROWS], [0; ROWS]);
            for row in 0..police.rows {
                let captured =
                    if stands { pass.grid.captured(pass.game, police.first + row, thief) } else { 0 };
                let escaped = here.exits & !captured;
                let arrived = if police.arrived >> row & 1 == 1 { here.open & !here.exits } else { 0 };
                let caught = captured | arrived;
                let stuck = match mover {
                    Side::Police if police.stuck >> row & 1 == 1 => here.open,
                    Side::Police => 0,
                    Side::Thief => here.stuck,
                };
                let police_wins = matches!(set, Set::PoliceWins | Set::ThiefLoses);
                over[row] = if police_wins { caught } else { escaped };
                new[row] = over[row];
                if set.wins() == stuck_wins {
                    new[row] |= stuck & !caught & !escaped;
                }
            }
            lane.join(pass.grid, set, &mut own[mover as usize], tile, &new);
            // What is over needs no value.
            let kept = std::array::from_fn(|row| new[row] & !over[row]);
            let rows = (0..ROWS).filter(|&row| kept[row] != 0).map(|row| 1 << row).sum();
            lane.note(pass, set, tile, rows, &kept);
        }
    }
    Joined::new(&own, lane)
}

/// Puts what the lane's log says of `levels`, none of them 0, into the growing set of the police. `all`: as if all that is in the set
/// had changed, and not that alone. Sets `wrong` if the log decides a position twice.
pub(super) fn put_back(
    pass: &Pass,
    thief: usize,
    mut own: [Own; 2],
    lane: &mut Lane,
    levels: RangeInclusive<Plies>,
    all: bool,
    wrong: &AtomicBool,
) -> Joined {
    let set = pass.growing[Side::Police as usize];
    let rival = pass.standing(Side::Police, thief);
    let [police_own, _] = &mut own;
    let log = std::mem::take(&mut lane.log);
    let wanted = set.code(*levels.start())..=set.code(*levels.end());
    for entry in log.entries_from(*levels.start()) {
        if !wanted.contains(&entry.code) || entry.code % 2 != wanted.start() % 2 {
            continue;
        }
        let police = &pass.grid.police[entry.tile as usize];
        let mut new = [0; ROWS];
        entry.for_each_row(|row, word| {
            let cell = police.first + row;
            new[row] = word & !police_own.words[cell] & !rival[cell];
            if new[row] != word {
                wrong.store(true, Relaxed);
            }
        });
        lane.join_rows(pass.grid, set, police_own, entry.tile, &new, entry.rows());
        if all {
            police_own.changed.0.clear();
        }
    }
    lane.log = log;
    if all {
        for (tile, police) in (0..).zip(&pass.grid.police) {
            let words = &police_own.words[police.range()];
            let rows = (words.iter().enumerate()).map(|(row, &word)| u64::from(word != 0) << row).sum();
            if rows != 0 {
                let cells = words.iter().fold(0, |cells, word| cells | word);
                police_own.changed.0.push(Growth { tile, cross: Cross::of(cells), rows });
            }
        }
    }
    Joined::new(&own, lane)
}

/// The same as [`grow`] of the thief's set alone.
pub(super) fn grow_thief(
    pass: &Pass,
    work: &mut Work,
    thief: usize,
    mut own: [Own; 2],
    lane: &mut Lane,
) -> Joined {
    if pass.concerns(Side::Thief, thief) {
        find_thief(pass, work, thief, &mut own[Side::Thief as usize], lane);
    }
    Joined::new(&own, lane)
}
