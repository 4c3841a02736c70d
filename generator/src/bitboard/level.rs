//! One level of one set: which positions join it. All that is known is laid out by tiles of the thief, so that the police's
//! moves stay within what belongs to one of them.

use super::{
    grid::{Grid, King, NEAR, NEAR_SIDE, PoliceTile, Rows, ThiefTile},
    places::Log,
    sets::{Set, ones},
};
use dragnet_formats::{cell::Side, value::Plies};
use multiversion::multiversion;

/// Blocks in which this many rows are to be looked at are done as a whole: about where that takes as long as row by row.
const WHOLE: u32 = 8;

/// What the passes over one thief tile write, beside the sets' words.
#[derive(Debug)]
pub(super) struct Lane {
    /// By side to move and police tile, how many positions are not decided.
    undecided: [Vec<u16>; 2],
    /// By set, the rows to which this level has added something.
    pub(super) joined: [Vec<Rows>; Set::COUNT],
    pub(super) log: Log,
    /// What joins later in this level, because another pass still reads the set.
    held_back: Vec<(u32, [u64; 64])>,
}

/// One pass: `set` is to grow by what follows from its source.
pub(super) struct Pass<'a> {
    pub(super) grid: &'a Grid,
    pub(super) set: Set,
    pub(super) level: Plies,
    /// Words from one thief tile to the next.
    pub(super) stride: usize,
    /// The words of the set's source, thief tile after thief tile.
    pub(super) source: &'a [u64],
    /// By thief tile the rows of the source that the last level changed.
    pub(super) changed: &'a [Vec<Rows>],
    pub(super) rival: &'a [u64],
    /// Whether what is found must wait for [`Pass::join`].
    pub(super) hold_back: bool,
}

/// Scratch memory of a thread: which rows of which police tiles are to be looked at.
#[derive(Debug)]
pub(super) struct Work {
    rows: Vec<u64>,
    tiles: Vec<u32>,
}

impl Work {
    pub(super) fn new(grid: &Grid) -> Work {
        Work { rows: vec![0; grid.police.len()], tiles: Vec::new() }
    }

    #[inline(always)]
    fn add(&mut self, undecided: &[u16], tile: u32, rows: u64) {
        let at = tile as usize;
        if undecided[at] == 0 {
            return;
        }
        if self.rows[at] == 0 {
            self.tiles.push(tile);
        }
        self.rows[at] |= rows;
    }
}

impl Lane {
    pub(super) fn new(grid: &Grid, thief: &ThiefTile) -> Lane {
        let cells = thief.open.count_ones() as u16;
        let undecided: Vec<u16> = grid.police.iter().map(|tile| tile.rows as u16 * cells).collect();
        Lane {
            undecided: [undecided.clone(), undecided],
            joined: std::array::from_fn(|_| Vec::new()),
            log: Log::default(),
            held_back: Vec::new(),
        }
    }

    /// Puts new positions of police tile `tile` into the set, whose words of this thief tile are `own`. How many there are, and in
    /// which rows.
    #[inline(always)]
    fn join(&mut self, pass: &Pass, own: &mut [u64], tile: u32, new: &[u64; 64]) -> (u64, u64) {
        let (mut count, mut rows) = (0, 0);
        for (row, (word, new)) in own[pass.grid.police[tile as usize].range()].iter_mut().zip(new).enumerate() {
            *word |= new;
            count += new.count_ones();
            rows |= u64::from(*new != 0) << row;
        }
        if rows != 0 {
            self.undecided[pass.set.mover() as usize][tile as usize] -= count as u16;
            self.joined[pass.set as usize].push(Rows { tile, rows });
        }
        (count.into(), rows)
    }

    /// Notes the values of positions of police tile `tile`, if they are to be kept.
    #[inline(always)]
    fn note(&mut self, pass: &Pass, tile: u32, rows: u64, new: &[u64; 64]) {
        if rows != 0 && pass.set.mover() == Side::Police {
            self.log.push(tile, pass.set.code(pass.level), rows, new);
        }
    }

    #[inline(always)]
    fn join_and_note(&mut self, pass: &Pass, own: &mut [u64], tile: u32, new: &[u64; 64]) -> u64 {
        let (count, rows) = self.join(pass, own, tile, new);
        self.note(pass, tile, rows, new);
        count
    }
}

impl Pass<'_> {
    /// Whether there is anything to do for thief tile `thief`.
    pub(super) fn concerns(&self, thief: usize) -> bool {
        match self.set.mover() {
            Side::Police => !self.changed[thief].is_empty(),
            Side::Thief => {
                self.grid.thief[thief].targets.iter().any(|&there| !self.changed[there as usize].is_empty())
            }
        }
    }

    fn words<'a>(&self, words: &'a [u64], thief: usize) -> &'a [u64] {
        &words[thief * self.stride..(thief + 1) * self.stride]
    }
}

/// Finds which positions with the thief in tile `thief` join the set, whose words there are `own`. How many have joined; 0 if they
/// are held back.
#[multiversion(targets = "simd")]
pub(super) fn find(pass: &Pass, work: &mut Work, thief: usize, own: &mut [u64], lane: &mut Lane) -> u64 {
    gather(pass, work, thief, &lane.undecided[pass.set.mover() as usize]);
    let rival = pass.words(pass.rival, thief);
    let mut count = 0;
    // In the order in which they stand in memory.
    let mut tiles = std::mem::take(&mut work.tiles);
    tiles.sort_unstable();
    for tile in tiles.drain(..) {
        let rows = std::mem::take(&mut work.rows[tile as usize]);
        let police = &pass.grid.police[tile as usize];
        let new = if rows.count_ones() < WHOLE {
            some_rows(pass, thief, police, rows, own, rival)
        } else {
            whole_block(pass, thief, police, own, rival)
        };
        if pass.hold_back {
            lane.held_back.push((tile, new));
        } else {
            count += lane.join_and_note(pass, own, tile, &new);
        }
    }
    work.tiles = tiles;
    count
}

/// Lets join what has been held back. How many positions that are.
pub(super) fn join_held_back(pass: &Pass, own: &mut [u64], lane: &mut Lane) -> u64 {
    let held_back = std::mem::take(&mut lane.held_back);
    held_back.iter().map(|(tile, new)| lane.join_and_note(pass, own, *tile, new)).sum()
}

/// Puts what is decided without a move into the set's words `own` of thief tile `thief`. How many positions that are.
pub(super) fn start(pass: &Pass, stuck_wins: bool, thief: usize, own: &mut [u64], lane: &mut Lane) -> u64 {
    let (set, here) = (pass.set, &pass.grid.thief[thief]);
    let mut count = 0;
    for (tile, police) in (0..).zip(&pass.grid.police) {
        let mut over = [0; 64];
        if matches!(set, Set::PoliceLoses | Set::ThiefWins) {
            over[..police.rows].fill(here.exits);
        }
        let mut new = over;
        if set.wins() == stuck_wins {
            for (row, new) in new[..police.rows].iter_mut().enumerate() {
                let stuck = match set.mover() {
                    Side::Police if police.stuck >> row & 1 == 1 => here.open,
                    Side::Police => 0,
                    Side::Thief => here.stuck,
                };
                *new |= stuck & !here.exits;
            }
        }
        if tile as usize == thief {
            for (row, &bit) in here.bits.iter().enumerate() {
                let captured = 1 << bit;
                let wins = matches!(set, Set::PoliceWins | Set::ThiefLoses);
                over[row] = over[row] & !captured | if wins { captured } else { 0 };
                new[row] = new[row] & !captured | over[row];
            }
        }
        count += lane.join(pass, own, tile, &new).0;
        // What is over needs no value.
        let kept = std::array::from_fn(|row| new[row] & !over[row]);
        let rows = (0..64).filter(|&row| kept[row] != 0).map(|row| 1 << row).sum();
        lane.note(pass, tile, rows, &kept);
    }
    count
}

/// Gathers the rows with a move into what has changed.
#[inline(always)]
fn gather(pass: &Pass, work: &mut Work, thief: usize, undecided: &[u16]) {
    match pass.set.mover() {
        Side::Police => {
            for changed in &pass.changed[thief] {
                let police = &pass.grid.police[changed.tile as usize];
                if changed.rows.count_ones() < WHOLE {
                    for row in ones(changed.rows) {
                        for from in pass.grid.moves_back(police.first + row) {
                            work.add(undecided, from.tile, from.rows);
                        }
                    }
                } else {
                    for from in police.dependents.iter().filter(|from| from.rows & changed.rows != 0) {
                        work.add(undecided, from.tile, pass.grid.police[from.tile as usize].all());
                    }
                }
            }
        }
        Side::Thief => {
            for &there in &pass.grid.thief[thief].targets {
                for changed in &pass.changed[there as usize] {
                    work.add(undecided, changed.tile, changed.rows);
                }
            }
        }
    }
}

/// What joins in some rows of a block.
#[inline(always)]
fn some_rows(
    pass: &Pass,
    thief: usize,
    police: &PoliceTile,
    rows: u64,
    own: &[u64],
    rival: &[u64],
) -> [u64; 64] {
    let here = &pass.grid.thief[thief];
    let source = pass.words(pass.source, thief);
    let mut new = [0; 64];
    for row in ones(rows) {
        let cell = police.first + row;
        let left = here.open & !own[cell] & !rival[cell];
        if left == 0 {
            continue;
        }
        let steps = pass.grid.steps.of(cell).iter().map(|&to| source[to as usize]);
        let groups = here.groups.iter();
        new[row] = match pass.set {
            Set::PoliceWins => left & steps.fold(0, |all, there| all | there),
            Set::PoliceLoses => steps.fold(left, |all, there| all & there),
            Set::ThiefWins => {
                let look = |all, group: &super::grid::Group| {
                    all | group.look(pass.source[group.tile as usize * pass.stride + cell]) & group.mask
                };
                left & groups.fold(0, look)
            }
            Set::ThiefLoses => {
                let look = |all, group: &super::grid::Group| {
                    all & (group.look(pass.source[group.tile as usize * pass.stride + cell]) | !group.mask)
                };
                groups.fold(left, look)
            }
        };
    }
    new
}

/// What joins in a block.
#[inline(always)]
fn whole_block(pass: &Pass, thief: usize, police: &PoliceTile, own: &[u64], rival: &[u64]) -> [u64; 64] {
    let here = &pass.grid.thief[thief];
    let mut left = [0; 64];
    for (left, (own, rival)) in left.iter_mut().zip(own[police.range()].iter().zip(&rival[police.range()])) {
        *left = here.open & !own & !rival;
    }
    let source = pass.words(pass.source, thief);
    match (pass.set, &police.king) {
        (Set::PoliceWins, Some(king)) => king_moves::<true>(police, king, source, &left),
        (Set::PoliceLoses, Some(king)) => king_moves::<false>(police, king, source, &left),
        (Set::PoliceWins, None) => police_moves::<true>(pass.grid, police, source, &left),
        (Set::PoliceLoses, None) => police_moves::<false>(pass.grid, police, source, &left),
        (Set::ThiefWins, _) => thief_moves::<true>(pass, here, police, &left),
        (Set::ThiefLoses, _) => thief_moves::<false>(pass, here, police, &left),
    }
}

#[inline(always)]
fn either<const WINS: bool>(a: u64, b: u64) -> u64 {
    if WINS { a | b } else { a & b }
}

/// Of the positions `left`, those from which some step of one king, or every one, leads into the source.
#[inline(always)]
fn king_moves<const WINS: bool>(
    police: &PoliceTile,
    king: &King,
    source: &[u64],
    left: &[u64; 64],
) -> [u64; 64] {
    // Walls change nothing.
    let mut near = [if WINS { 0 } else { !0 }; NEAR];
    let inside = &source[police.range()];
    if let Ok(inside) = <&[u64; 64]>::try_from(inside) {
        for (to, from) in near[NEAR_SIDE..].chunks_exact_mut(NEAR_SIDE).zip(inside.as_chunks::<8>().0) {
            to[1..9].copy_from_slice(from);
        }
    } else {
        for (&word, &square) in inside.iter().zip(&king.squares) {
            let square = usize::from(square & 63);
            near[(square / 8 + 1) * NEAR_SIDE + square % 8 + 1] = word;
        }
    }
    for &(cell, square) in &king.around {
        near[usize::from(square)] = source[cell as usize];
    }
    let mut across = [[0; 8]; NEAR_SIDE];
    for (row, across) in across.iter_mut().enumerate() {
        for (col, word) in across.iter_mut().enumerate() {
            let at = row * NEAR_SIDE + col;
            *word = either::<WINS>(either::<WINS>(near[at], near[at + 1]), near[at + 2]);
        }
    }
    let mut all = [0; 64];
    for row in 0..8 {
        for col in 0..8 {
            let around = either::<WINS>(across[row][col], across[row + 2][col]);
            all[row * 8 + col] = either::<WINS>(around, across[row + 1][col]);
        }
    }
    if police.rows == 64 {
        std::array::from_fn(|row| left[row] & all[row])
    } else {
        let mut new = [0; 64];
        for ((new, left), &square) in new.iter_mut().zip(left).zip(&king.squares) {
            *new = left & all[usize::from(square & 63)];
        }
        new
    }
}

/// Of the positions `left`, those from which some police move, or every one, leads into the source.
#[inline(always)]
fn police_moves<const WINS: bool>(
    grid: &Grid,
    police: &PoliceTile,
    source: &[u64],
    left: &[u64; 64],
) -> [u64; 64] {
    let mut new = [0; 64];
    for ((new, &left), cell) in new.iter_mut().zip(left).zip(police.range()) {
        if left == 0 {
            continue;
        }
        let steps = grid.steps.of(cell).iter().map(|&to| source[to as usize]);
        *new = if WINS {
            left & steps.fold(0, |all, there| all | there)
        } else {
            steps.fold(left, |all, there| all & there)
        };
    }
    new
}

/// Of the positions `left`, those from which some thief move, or every one, leads into the source.
#[inline(always)]
fn thief_moves<const WINS: bool>(
    pass: &Pass,
    here: &ThiefTile,
    police: &PoliceTile,
    left: &[u64; 64],
) -> [u64; 64] {
    let mut all = if WINS { [0; 64] } else { *left };
    for group in &here.groups {
        let there = &pass.source[group.tile as usize * pass.stride..][police.range()];
        for (all, &there) in all.iter_mut().zip(there) {
            let look = group.look(there);
            if WINS {
                *all |= look & group.mask;
            } else {
                *all &= look | !group.mask;
            }
        }
    }
    if WINS { std::array::from_fn(|row| all[row] & left[row]) } else { all }
}
