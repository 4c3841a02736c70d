//! The engine for boards: for each police cell the thief's cells are bits, and one level of one side's moves is a
//! handful of word operations for 64 positions. How it works and why it is right is in `PROTOCOL.md` §8.

mod grid;
mod tile;

use crate::{
    counters::SolveError,
    memory::ask_for,
    observer::{Observer, Stage},
    pursuit::Pursuit,
    solution::{BlockSource, Solution, SourceError},
};
use dragnet_formats::{
    cell::Cell,
    codec::ANY_CODE,
    digest::digest_term,
    header::{Counts, Longest, Summary},
    value::{MAX_DTW, Plies, Value},
};
use grid::Grid;
use rayon::{ThreadPool, prelude::*};
use tile::{Pending, PoliceTile, Set};

/// Levels in which fewer blocks changed than this are left to one thread.
const SHARED_LEVEL: usize = 32;

/// A solved pursuit game, as sets of bits and one byte for each position with the police to move.
#[derive(Debug)]
pub struct Bits {
    game: Pursuit,
    grid: Grid,
    tiles: Vec<PoliceTile>,
    longest: Longest,
}

/// Solves `game` on the threads of `pool`. Takes one byte per position with the police to move, half a byte per pair of
/// a police cell and a square of a thief tile that has an open cell, and some 150 bytes per pair of tiles.
///
/// # Errors
/// See [`SolveError`].
pub fn solve(game: Pursuit, pool: &ThreadPool, observer: &dyn Observer) -> Result<Bits, SolveError> {
    pool.install(|| solve_here(game, observer))
}

fn solve_here(game: Pursuit, observer: &dyn Observer) -> Result<Bits, SolveError> {
    let cells = game.cell_count();
    observer.stage(Stage::Solving { positions: 2 * cells * cells });
    let grid = Grid::new(&game);
    ask_for(memory(&grid))?;
    let mut tiles: Vec<PoliceTile> = (0..grid.police.len())
        .into_par_iter()
        .map(|number| PoliceTile::start(&game, &grid, number))
        .collect();
    let mut pending: Vec<Pending> = tiles.iter().map(|_| Pending::default()).collect();
    let mut decided: u64 = tiles.iter().flat_map(|tile| Set::ALL.map(|set| tile.count(set))).sum();
    let mut last_new = [0; Set::COUNT];
    let mut level: Plies = 0;
    loop {
        observer.level(level, decided);
        if observer.stop() {
            return Err(SolveError::Stopped);
        }
        if level == MAX_DTW {
            return Err(SolveError::TooLong);
        }
        let changed: usize = tiles.iter().map(PoliceTile::changed_blocks).sum();
        if changed == 0 {
            break;
        }
        level += 1;
        let find = |(number, pending): (usize, &mut Pending)| pending.find(&grid, &tiles, number);
        if changed < SHARED_LEVEL {
            pending.iter_mut().enumerate().for_each(find);
        } else {
            pending.par_iter_mut().enumerate().for_each(find);
        }
        let keep = |(tile, pending): (&mut PoliceTile, &mut Pending)| tile.keep(&grid, pending, level);
        let new = if changed < SHARED_LEVEL {
            tiles.iter_mut().zip(&mut pending).map(keep).fold([0; Set::COUNT], sum)
        } else {
            tiles.par_iter_mut().zip(&mut pending).map(keep).reduce(|| [0; Set::COUNT], sum)
        };
        for (last, new) in last_new.iter_mut().zip(new) {
            if new > 0 {
                *last = level;
            }
            decided += new;
        }
    }
    let longest = Longest {
        police: last_new[Set::PoliceWins as usize].max(last_new[Set::ThiefLoses as usize]),
        thief: last_new[Set::ThiefWins as usize].max(last_new[Set::PoliceLoses as usize]),
    };
    Ok(Bits { game, grid, tiles, longest })
}

/// About how many bytes a solve takes: places and sets of all positions, and a palette for each block.
fn memory(grid: &Grid) -> u64 {
    let (cells, tiles) = (grid.cell_count as u64, grid.thief.len() as u64);
    let sets = cells * tiles * (size_of::<u64>() * Set::COUNT) as u64;
    cells * cells + sets + tiles * tiles * PoliceTile::BYTES_PER_BLOCK
}

fn sum(a: [u64; Set::COUNT], b: [u64; Set::COUNT]) -> [u64; Set::COUNT] {
    std::array::from_fn(|i| a[i] + b[i])
}

impl Solution for Bits {
    fn game(&self) -> &Pursuit {
        &self.game
    }

    fn summary(&self) -> Summary {
        let cells = self.grid.cell_count as u64;
        let digest = |(number, tile): (usize, &PoliceTile)| {
            let mut digest = 0u64;
            let mut codes = Vec::new();
            for (row, &police) in self.grid.cells(number).iter().enumerate() {
                let first = u64::from(police) * cells;
                for block in 0..self.grid.thief.len() {
                    tile.row_codes(&self.grid, block, row, &mut codes);
                    for (&thief, &code) in self.grid.cells(block).iter().zip(&codes) {
                        digest = digest.wrapping_add(digest_term(first + u64::from(thief), code));
                    }
                }
            }
            digest
        };
        let digest = self.tiles.par_iter().enumerate().map(digest).reduce(|| 0, u64::wrapping_add);
        let counts = |police: Set, thief: Set| {
            let count = |set| self.tiles.iter().map(|tile| tile.count(set)).sum::<u64>();
            let (police, thief) = (count(police), count(thief));
            Counts { police, thief, draw: cells * cells - police - thief }
        };
        Summary {
            police_to_move: counts(Set::PoliceWins, Set::PoliceLoses),
            thief_to_move: counts(Set::ThiefLoses, Set::ThiefWins),
            longest: self.longest,
            digest,
        }
    }

    fn value(&self, police: Cell, thief: Cell) -> Option<Value> {
        let board = self.game.board();
        let place = |cell| board.is_open(cell).then(|| self.grid.place(cell)).flatten();
        let (police, thief) = (place(police)?, place(thief)?);
        let mut codes = Vec::new();
        self.tiles[police.tile as usize].row_codes(
            &self.grid,
            thief.tile as usize,
            police.rank.into(),
            &mut codes,
        );
        Value::from_code(*codes.get(usize::from(thief.rank))?)
    }
}

impl BlockSource for Bits {
    fn block_codes(&self, block: u64, codes: &mut Vec<u32>) -> Result<(), SourceError> {
        let numbering = self.game.numbering();
        let tiles = numbering.tiles(block);
        let police = numbering.police().cells_of(tiles.police);
        let thief = numbering.thief().cells_of(tiles.thief);
        let place = |number: u32| self.grid.places[number as usize];
        // Thief cells that stand side by side in our tiles too: all of them, if the tiles are the same.
        let next = |a: &u32, b: &u32| {
            let (a, b) = (place(*a), place(*b));
            a.tile == b.tile && u16::from(a.rank) + 1 == u16::from(b.rank)
        };
        let runs: Vec<&[u32]> = thief.chunk_by(next).collect();
        codes.clear();
        codes.resize(police.len() * thief.len(), ANY_CODE);
        let mut row = Vec::new();
        for (rank, &number) in police.iter().enumerate() {
            let at = place(number);
            let mut slots = codes[rank..].iter_mut().step_by(police.len());
            for run in &runs {
                let first = place(run[0]);
                self.tiles[at.tile as usize].row_codes(
                    &self.grid,
                    first.tile as usize,
                    at.rank.into(),
                    &mut row,
                );
                // The codes first: when they run out no slot has been taken.
                row[first.rank.into()..][..run.len()]
                    .iter()
                    .zip(&mut slots)
                    .for_each(|(&code, slot)| *slot = code);
            }
        }
        for (slots, &thief) in codes.chunks_exact_mut(police.len()).zip(thief) {
            if self.grid.is_exit(thief) {
                slots.fill(ANY_CODE);
            } else if let Some(captured) = police.iter().position(|&police| police == thief) {
                slots[captured] = ANY_CODE;
            }
        }
        Ok(())
    }
}
