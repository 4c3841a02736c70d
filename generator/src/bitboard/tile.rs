//! What is known so far of the positions with the police in one tile.

use super::grid::Grid;
use crate::pursuit::Pursuit;
use dragnet_formats::{
    cell::Side,
    value::{Plies, Value},
};

/// A set of decided positions. Only the next level of one set depends on another: police wins on thief loses, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// Police to move, won for it: some move into [`Set::ThiefLoses`].
    PoliceWins,
    /// Police to move, lost for it: every move into [`Set::ThiefWins`].
    PoliceLoses,
    /// Thief to move, won for it: some move into [`Set::PoliceLoses`].
    ThiefWins,
    /// Thief to move, lost for it: every move into [`Set::PoliceWins`].
    ThiefLoses,
}

impl Set {
    pub(super) const COUNT: usize = 4;
    pub(super) const ALL: [Set; Set::COUNT] =
        [Set::PoliceWins, Set::PoliceLoses, Set::ThiefWins, Set::ThiefLoses];

    /// The set into which the moves must lead.
    fn source(self) -> Set {
        match self {
            Set::PoliceWins => Set::ThiefLoses,
            Set::PoliceLoses => Set::ThiefWins,
            Set::ThiefWins => Set::PoliceLoses,
            Set::ThiefLoses => Set::PoliceWins,
        }
    }

    /// The other set with the same side to move.
    fn rival(self) -> Set {
        match self {
            Set::PoliceWins => Set::PoliceLoses,
            Set::PoliceLoses => Set::PoliceWins,
            Set::ThiefWins => Set::ThiefLoses,
            Set::ThiefLoses => Set::ThiefWins,
        }
    }

    fn mover(self) -> Side {
        match self {
            Set::PoliceWins | Set::PoliceLoses => Side::Police,
            Set::ThiefWins | Set::ThiefLoses => Side::Thief,
        }
    }

    /// Whether one move is enough, or all are needed.
    fn wins(self) -> bool {
        matches!(self, Set::PoliceWins | Set::ThiefWins)
    }
}

/// One bit per tile of the thief.
#[derive(Clone, Debug)]
struct Blocks(Vec<u64>);

impl Blocks {
    fn new(count: usize) -> Blocks {
        Blocks(vec![0; count.div_ceil(64)])
    }

    fn insert(&mut self, block: usize) {
        self.0[block / 64] |= 1 << (block % 64);
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..).step_by(64).zip(&self.0).flat_map(|(first, &word)| ones(word).map(move |bit| first + bit))
    }

    fn join(&mut self, other: &Blocks) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    fn subtract(&mut self, other: &Blocks) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }
}

/// The numbers of the bits that are set, rising.
#[inline]
fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        (word != 0).then(|| {
            word &= word - 1;
            bit as usize
        })
    })
}

/// All that is known of the positions with the police in one tile. A *block* is such a tile and one of the thief's; a row
/// is one police cell, a word the thief's cells.
#[derive(Debug)]
pub(super) struct PoliceTile {
    number: usize,
    rows: usize,
    /// By [`Set`]: block after block, a word per row.
    sets: [Vec<u64>; Set::COUNT],
    /// By [`Set`]: the blocks in which the last level put something.
    changed: [Blocks; Set::COUNT],
    /// By [`Side`]: the blocks with nothing left to decide.
    full: [Blocks; 2],
    /// Per position with the police to move, block after block, row after row, open thief cell after open thief cell, the low
    /// byte of its code's place in the block's palette. 0 is undecided.
    places: Vec<u8>,
    palettes: Vec<Palette>,
}

/// The codes of a block in the order in which they came up; place 0 is the draw.
#[derive(Debug, Default)]
struct Palette {
    codes: Vec<u32>,
    /// The high bytes of places, once there are more than 256 codes.
    high: Vec<u8>,
}

/// What one level adds to one police tile.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// The blocks and their sets; for each, as many words in `new` as the tile has rows.
    blocks: Vec<(Set, usize)>,
    new: Vec<u64>,
    /// The positions of a block that are not decided.
    left: Vec<u64>,
    /// The rows of all neighbours in one block, and one more.
    near: Vec<u64>,
    /// Blocks to look at.
    work: Option<Blocks>,
}

impl PoliceTile {
    /// What the palette of a block takes, a typical number of codes included.
    pub(super) const BYTES_PER_BLOCK: u64 = size_of::<Palette>() as u64 + 100;

    /// Level 0 of police tile `number`.
    pub(super) fn start(game: &Pursuit, grid: &Grid, number: usize) -> PoliceTile {
        let cells = grid.cells(number);
        let (rows, blocks) = (cells.len(), grid.thief.len());
        let mut tile = PoliceTile {
            number,
            rows,
            sets: std::array::from_fn(|_| vec![0; rows * blocks]),
            changed: std::array::from_fn(|_| Blocks::new(blocks)),
            full: std::array::from_fn(|_| Blocks::new(blocks)),
            places: vec![0; rows * grid.cell_count],
            palettes: (0..blocks).map(|_| Palette::default()).collect(),
        };
        let stuck_wins = matches!(game.rules().stuck.value(), Value::Win(_));
        let mut pending = Pending::default();
        for (block, thief) in grid.thief.iter().enumerate() {
            let captured: Vec<u64> = (cells.iter())
                .map(|&cell| {
                    let place = grid.places[cell as usize];
                    let here = place.tile as usize == block;
                    if here { 1 << grid.bits[cell as usize] } else { 0 }
                })
                .collect();
            let police_stuck = |row: usize| -> u64 { if grid.police[number].stuck(row) { !0 } else { 0 } };
            for set in Set::ALL {
                pending.blocks.push((set, block));
                for (row, &captured) in captured.iter().enumerate() {
                    let open = thief.open & !captured;
                    let stuck = match set.mover() {
                        Side::Police => police_stuck(row),
                        Side::Thief => thief.stuck,
                    } & open
                        & !thief.exits;
                    let stuck = if set.wins() == stuck_wins { stuck } else { 0 };
                    let over = match set {
                        Set::PoliceWins | Set::ThiefLoses => captured,
                        Set::PoliceLoses | Set::ThiefWins => thief.exits & !captured,
                    };
                    pending.new.push(over | stuck);
                }
            }
        }
        tile.keep(grid, &mut pending, 0);
        tile
    }

    /// Puts what `pending` found into the sets, as decided in `level` plies. How many positions that are, by set.
    pub(super) fn keep(&mut self, grid: &Grid, pending: &mut Pending, level: Plies) -> [u64; Set::COUNT] {
        self.changed.iter_mut().for_each(Blocks::clear);
        let mut counts = [0; Set::COUNT];
        for (&(set, block), new) in pending.blocks.iter().zip(pending.new.chunks_exact(self.rows)) {
            let count: u32 = new.iter().map(|word| word.count_ones()).sum();
            if count == 0 {
                continue;
            }
            counts[set as usize] += u64::from(count);
            self.changed[set as usize].insert(block);
            let range = block * self.rows..(block + 1) * self.rows;
            let rival = &self.sets[set.rival() as usize][range.clone()];
            let open = grid.thief[block].open;
            let mut left = 0;
            // The rival is looked at first: both are borrowed from the same array.
            let rival: [u64; 64] = std::array::from_fn(|row| rival.get(row).copied().unwrap_or(!0));
            for ((word, &new), rival) in self.sets[set as usize][range].iter_mut().zip(new).zip(rival) {
                *word |= new;
                left |= open & !*word & !rival;
            }
            if left == 0 {
                self.full[set.mover() as usize].insert(block);
            }
            if set.mover() == Side::Police {
                let value = if set.wins() { Value::Win(level) } else { Value::Loss(level) };
                self.write(grid, block, new, value.code());
            }
        }
        pending.blocks.clear();
        pending.new.clear();
        counts
    }

    /// Notes the code of newly decided positions of a block.
    fn write(&mut self, grid: &Grid, block: usize, new: &[u64], code: u32) {
        let thief = &grid.thief[block];
        let cells = thief.open.count_ones() as usize;
        let first = thief.cells_before * self.rows;
        let places = &mut self.places[first..first + cells * self.rows];
        let palette = &mut self.palettes[block];
        let place = palette.push(code, places.len());
        for (row, &word) in new.iter().enumerate() {
            for bit in ones(word) {
                let at = row * cells + usize::from(thief.rank[bit]);
                places[at] = place as u8;
                if let Some(high) = palette.high.get_mut(at) {
                    *high = (place >> 8) as u8;
                }
            }
        }
    }

    /// Blocks that the last level changed, counted once per set.
    pub(super) fn changed_blocks(&self) -> usize {
        self.changed.iter().map(Blocks::len).sum()
    }

    /// How many positions are in `set`.
    pub(super) fn count(&self, set: Set) -> u64 {
        self.sets[set as usize].iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Puts the codes of one row of a block into `codes`, in the order of the thief's open cells.
    pub(super) fn row_codes(&self, grid: &Grid, block: usize, row: usize, codes: &mut Vec<u32>) {
        let thief = &grid.thief[block];
        let cells = thief.open.count_ones() as usize;
        let first = thief.cells_before * self.rows + row * cells;
        let places = &self.places[first..first + cells];
        let palette = &self.palettes[block];
        codes.clear();
        if palette.high.is_empty() {
            codes.extend(places.iter().map(|&low| palette.code(low, 0)));
        } else {
            let high = &palette.high[row * cells..];
            codes.extend(places.iter().zip(high).map(|(&low, &high)| palette.code(low, high)));
        }
    }

    fn block(&self, set: Set, block: usize) -> &[u64] {
        &self.sets[set as usize][block * self.rows..(block + 1) * self.rows]
    }
}

impl Palette {
    /// The place of a new code, in a block of `positions` positions.
    fn push(&mut self, code: u32, positions: usize) -> usize {
        if self.codes.is_empty() {
            self.codes.push(Value::Draw.code());
        }
        self.codes.push(code);
        let place = self.codes.len() - 1;
        if place > usize::from(u8::MAX) && self.high.is_empty() {
            self.high = vec![0; positions];
        }
        place
    }

    #[inline]
    fn code(&self, low: u8, high: u8) -> u32 {
        self.codes.get(usize::from(u16::from_le_bytes([low, high]))).copied().unwrap_or(Value::Draw.code())
    }
}

impl Pending {
    /// Finds what the next level adds to police tile `number`, from what the last one changed in `tiles`.
    pub(super) fn find(&mut self, grid: &Grid, tiles: &[PoliceTile], number: usize) {
        let tile = &tiles[number];
        let mut work = self.work.take().unwrap_or_else(|| Blocks::new(grid.thief.len()));
        for set in Set::ALL {
            work.clear();
            match set.mover() {
                Side::Police => {
                    for &neighbour in &grid.police[number].neighbours {
                        work.join(&tiles[neighbour as usize].changed[set.source() as usize]);
                    }
                }
                Side::Thief => {
                    for block in tile.changed[set.source() as usize].iter() {
                        grid.thief[block].dependents.iter().for_each(|&other| work.insert(other as usize));
                    }
                }
            }
            work.subtract(&tile.full[set.mover() as usize]);
            for block in work.iter() {
                let begin = self.new.len();
                let open = grid.thief[block].open;
                let decided = tile.block(set, block).iter().zip(tile.block(set.rival(), block));
                self.left.clear();
                self.left.extend(decided.map(|(own, rival)| open & !own & !rival));
                match set.mover() {
                    Side::Police => self.police_moves(grid, tiles, tile, set, block),
                    Side::Thief => self.thief_moves(grid, tile, set, block),
                }
                let any = self.new[begin..].iter().fold(0, |any, new| any | new);
                if any == 0 {
                    self.new.truncate(begin);
                } else {
                    self.blocks.push((set, block));
                }
            }
        }
        self.work = Some(work);
    }

    /// Appends the positions of a block, among those left, from which some police move, or every one, leads into the source of `set`.
    fn police_moves(&mut self, grid: &Grid, tiles: &[PoliceTile], tile: &PoliceTile, set: Set, block: usize) {
        let police = &grid.police[tile.number];
        self.near.clear();
        for &neighbour in &police.neighbours {
            self.near.extend_from_slice(tiles[neighbour as usize].block(set.source(), block));
        }
        if police.width == 0 {
            self.new.resize(self.new.len() + tile.rows, 0);
            return;
        }
        // What cells with fewer moves are filled up with changes nothing.
        self.near.push(if set.wins() { 0 } else { !0 });
        let near = |&place: &u32| self.near[place as usize];
        let rows = police.steps.chunks_exact(police.width).zip(&self.left);
        self.new.extend(rows.map(|(steps, &left)| match left {
            0 => 0,
            _ if set.wins() => left & steps.iter().map(near).fold(0, |all, word| all | word),
            _ => steps.iter().map(near).fold(left, |all, word| all & word),
        }));
    }

    /// Appends the positions of a block, among those left, from which some thief move, or every one, leads into the source of `set`.
    fn thief_moves(&mut self, grid: &Grid, tile: &PoliceTile, set: Set, block: usize) {
        let begin = self.new.len();
        if set.wins() {
            self.new.resize(begin + tile.rows, 0);
        } else {
            self.new.extend_from_slice(&self.left);
        }
        let rows = &mut self.new[begin..];
        for group in &grid.thief[block].groups {
            let there = tile.block(set.source(), group.tile as usize);
            if set.wins() {
                rows.iter_mut().zip(there).for_each(|(row, &there)| *row |= group.look(there) & group.mask);
            } else {
                rows.iter_mut().zip(there).for_each(|(row, &there)| *row &= group.look(there) | !group.mask);
            }
        }
        if set.wins() {
            rows.iter_mut().zip(&self.left).for_each(|(row, left)| *row &= left);
        }
    }
}
