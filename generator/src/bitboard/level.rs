//! One level: which positions join the sets of wins, or those of losses. All that is known is laid out by tiles of the thief,
//! so that the police's moves stay within what belongs to one of them.

use super::{
    grid::{Cross, Grid, King, NEAR, NEAR_SIDE, PoliceTile, Shift, ThiefTile},
    log::Log,
    sets::{Set, ones},
    turn::Turn,
};
use crate::pursuit::Pursuit;
use dragnet_formats::{cell::Side, value::Plies};
use multiversion::multiversion;
use std::{
    ops::RangeInclusive,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// Words of a block as it is worked on, whether it has as many rows or not: loops of a fixed length are vectors.
pub(super) const ROWS: usize = 64;
/// One set in one block, a word for each row.
pub(super) type Words = [u64; ROWS];

/// Blocks in which this many rows are to be looked at are done as a whole: about where that takes as long as row by row.
const WHOLE: u32 = 8;

/// The same for losses of the thief, all of whose moves are looked at, many for a row and few for a block.
const WHOLE_THIEF: u32 = 4;

/// What belongs to one thief tile beside the sets' words. Lanes of different threads share no cache line.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Lane {
    /// By side to move and police tile, how many positions are not decided.
    undecided: [Vec<u16>; 2],
    pub(super) log: Log,
    /// What joins later in this level, because another pass still reads the set.
    held_back: Vec<(Set, u32, Words)>,
}

/// One pass: the sets of wins, or those of losses, are to grow by what follows from the other two.
pub(super) struct Pass<'a> {
    pub(super) game: &'a Pursuit,
    pub(super) grid: &'a Grid,
    pub(super) level: Plies,
    /// Words from one thief tile to the next: one per row of the police, and room for the last block to be read as
    /// a whole.
    pub(super) stride: usize,
    /// By side to move, the set that grows.
    pub(super) growing: [Set; 2],
    /// By side to move, the set that does not: the rival of one that grows and the source of the other. Thief tile after thief
    /// tile.
    pub(super) standing: [&'a [u64]; 2],
    /// By side to move and thief tile, the rows of the standing set that the last level changed.
    pub(super) changed: [&'a [Changed]; 2],
    /// Whether what is found must wait for [`join_held_back`].
    pub(super) hold_back: bool,
}

/// The rows of one set in one thief tile to which a level has added something.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub(super) struct Changed(Vec<Growth>);

/// What a level has added to one set in a block. There are as many as blocks: it takes 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Growth {
    /// The police tile.
    tile: u32,
    /// Where the thief stands.
    cross: Cross,
    /// The rows of the police with new positions.
    rows: u64,
}

/// The growing set with one side to move, in one thief tile.
pub(super) struct Own<'a> {
    words: &'a mut [u64],
    changed: &'a mut Changed,
    /// How many positions have joined.
    positions: u64,
    /// In how many blocks.
    blocks: usize,
}

impl<'a> Own<'a> {
    /// Forgets what an earlier level has changed, unless that is still read: then nothing may join.
    pub(super) fn new(words: &'a mut [u64], changed: &'a mut Changed, hold_back: bool) -> Own<'a> {
        if !hold_back {
            changed.0.clear();
        }
        Own { words, changed, positions: 0, blocks: 0 }
    }
}

/// What a pass has done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Joined {
    /// By side to move, how many positions have joined.
    pub(super) positions: [u64; 2],
    /// In how many blocks, once for each side.
    pub(super) blocks: usize,
    /// Whether the system refused the memory to note them.
    pub(super) refused: bool,
}

impl Joined {
    fn new(own: &[Own; 2], lane: &Lane) -> Joined {
        Joined {
            positions: own.each_ref().map(|own| own.positions),
            blocks: own.iter().map(|own| own.blocks).sum(),
            refused: lane.log.refused(),
        }
    }

    pub(super) fn and(self, other: Joined) -> Joined {
        Joined {
            positions: [0, 1].map(|side| self.positions[side] + other.positions[side]),
            blocks: self.blocks + other.blocks,
            refused: self.refused || other.refused,
        }
    }
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

impl Lane {
    pub(super) fn new(grid: &Grid, thief: &ThiefTile) -> Lane {
        let cells = thief.open.count_ones() as u16;
        let undecided: Vec<u16> = grid.police.iter().map(|tile| tile.rows as u16 * cells).collect();
        Lane { undecided: [undecided.clone(), undecided], log: Log::default(), held_back: Vec::new() }
    }

    /// Puts new positions of police tile `tile` into `set`. In which rows there are some.
    #[inline(always)]
    fn join(&mut self, grid: &Grid, set: Set, own: &mut Own, tile: u32, new: &Words) -> u64 {
        let (mut count, mut rows, mut cells) = (0, 0u64, 0);
        let words = block_mut(own.words, &grid.police[tile as usize]);
        for (row, (word, new)) in words.iter_mut().zip(new).enumerate() {
            *word |= new;
            count += u64::from(new.count_ones());
            rows |= u64::from(*new != 0) << row;
            cells |= new;
        }
        self.joined(set, own, Growth { tile, cross: Cross::of(cells), rows }, count)
    }

    /// The same, of `some` rows.
    #[inline(always)]
    fn join_rows(&mut self, grid: &Grid, set: Set, own: &mut Own, tile: u32, new: &Words, some: u64) -> u64 {
        let (mut count, mut rows, mut cells) = (0, 0u64, 0);
        let first = grid.police[tile as usize].first;
        for row in ones(some) {
            if new[row] != 0 {
                own.words[first + row] |= new[row];
                count += u64::from(new[row].count_ones());
                rows |= 1 << row;
                cells |= new[row];
            }
        }
        self.joined(set, own, Growth { tile, cross: Cross::of(cells), rows }, count)
    }

    #[inline(always)]
    fn joined(&mut self, set: Set, own: &mut Own, growth: Growth, count: u64) -> u64 {
        if growth.rows != 0 {
            self.undecided[set.mover() as usize][growth.tile as usize] -= count as u16;
            own.changed.0.push(growth);
            own.positions += count;
            own.blocks += 1;
        }
        growth.rows
    }

    /// Notes the values of positions of police tile `tile` that join `set`, if they are to be kept.
    #[inline(always)]
    fn note(&mut self, pass: &Pass, set: Set, tile: u32, rows: u64, new: &Words) {
        if rows != 0 && set.mover() == Side::Police {
            let height = pass.grid.police[tile as usize].rows;
            self.log.push(tile, height, set.code(pass.level), rows, new);
        }
    }
}

/// The words of a police tile among those of a thief tile, and what follows them.
#[inline(always)]
fn block<'a>(words: &'a [u64], police: &PoliceTile) -> &'a Words {
    words[police.first..].first_chunk().expect("the stride leaves room behind the last tile")
}

#[inline(always)]
fn block_mut<'a>(words: &'a mut [u64], police: &PoliceTile) -> &'a mut Words {
    words[police.first..].first_chunk_mut().expect("the stride leaves room behind the last tile")
}

impl<'a> Pass<'a> {
    /// Whether there is anything to do for thief tile `thief` and the moves of `side`.
    fn concerns(&self, side: Side, thief: usize) -> bool {
        let changed = self.changed[side.other() as usize];
        match side {
            Side::Police => !changed[thief].0.is_empty(),
            Side::Thief => {
                self.grid.thief[thief].targets.iter().any(|there| !changed[there.tile as usize].0.is_empty())
            }
        }
    }

    /// The words of the standing set with `side` to move in one thief tile.
    #[inline(always)]
    fn standing(&self, side: Side, thief: usize) -> &'a [u64] {
        &self.standing[side as usize][thief * self.stride..(thief + 1) * self.stride]
    }
}

/// Finds which positions with the thief in tile `thief` join the growing sets, and lets them join if they need not be held back.
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
        let source = pass.standing(Side::Police, target.tile as usize);
        for changed in &pass.changed[Side::Police as usize][target.tile as usize].0 {
            // Most of what changes in the tiles around is out of reach.
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
        entry.for_each_row(police.rows, |row, word| {
            let cell = police.first + row;
            new[row] = word & !police_own.words[cell] & !rival[cell];
            if new[row] != word {
                wrong.store(true, Relaxed);
            }
        });
        lane.join_rows(pass.grid, set, police_own, entry.tile, &new, entry.rows(police.rows));
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

/// Of the thief cells `left`, those with which every move of the police from row `row` leads into the source.
#[inline(always)]
fn police_row(pass: &Pass, turn: &mut Turn, thief: usize, row: usize, left: u64) -> u64 {
    if left == 0 {
        return 0;
    }
    let source = pass.standing(Side::Thief, thief);
    match &pass.grid.single {
        Some(single) => single.steps.of(row).iter().fold(left, |all, &to| all & source[to as usize]),
        None => left & turn.all(pass.game.police(), source, 0, row as u64),
    }
}

/// Of the thief cells `left`, those from which every move leads into the source, with the police in row `cell`.
#[inline(always)]
fn thief_row(pass: &Pass, here: &ThiefTile, cell: usize, left: u64) -> u64 {
    if left == 0 {
        return 0;
    }
    let source = pass.standing[Side::Police as usize];
    let there = |shift: &Shift| source[shift.tile as usize * pass.stride + cell];
    here.shifts.iter().fold(left, |all, shift| shift.add::<false>(all, there(shift)))
}

/// Leaves of the positions `left` those from which every move of the police leads into the source.
#[inline(always)]
fn police_moves(pass: &Pass, turn: &mut Turn, thief: usize, police: &PoliceTile, left: &mut Words) {
    match &police.king {
        Some(king) => king_moves(police, king, pass.standing(Side::Thief, thief), left),
        None => {
            for (left, cell) in left.iter_mut().zip(police.range()) {
                *left = police_row(pass, turn, thief, cell, *left);
            }
        }
    }
}

/// The same for a tile of kings.
#[inline(always)]
fn king_moves(police: &PoliceTile, king: &King, source: &[u64], left: &mut Words) {
    // Walls change nothing.
    let mut near = [!0; NEAR];
    let inside = block(source, police);
    if police.rows == ROWS {
        for (to, from) in near[NEAR_SIDE..].chunks_exact_mut(NEAR_SIDE).zip(inside.as_chunks::<8>().0) {
            to[1..9].copy_from_slice(from);
        }
    } else {
        for (&word, &square) in inside.iter().zip(&king.squares) {
            near[usize::from(square)] = word;
        }
    }
    for &(cell, square) in &king.around {
        near[usize::from(square)] = source[cell as usize];
    }
    let mut across = [[0; 8]; NEAR_SIDE];
    for (row, across) in across.iter_mut().enumerate() {
        for (col, word) in across.iter_mut().enumerate() {
            let at = row * NEAR_SIDE + col;
            *word = near[at] & near[at + 1] & near[at + 2];
        }
    }
    // Square by square, laid out as the squares of `near`.
    let mut all = [0; NEAR];
    for row in 0..8 {
        for col in 0..8 {
            all[(row + 1) * NEAR_SIDE + col + 1] =
                across[row][col] & across[row + 1][col] & across[row + 2][col];
        }
    }
    for (left, &square) in left.iter_mut().zip(&king.squares) {
        *left &= all[usize::from(square)];
    }
}

/// Leaves of the positions `left` those from which every move of the thief leads into the source.
#[inline(always)]
fn thief_moves(pass: &Pass, here: &ThiefTile, police: &PoliceTile, left: &mut Words) {
    for shift in &here.shifts {
        let there = block(pass.standing(Side::Police, shift.tile as usize), police);
        left.iter_mut().zip(there).for_each(|(left, &there)| *left = shift.add::<false>(*left, there));
    }
}
