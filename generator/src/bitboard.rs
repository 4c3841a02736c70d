//! The engine for boards: for each police cell the thief's cells are bits, and one level of one side's moves is a
//! handful of word operations for 64 positions. How it works and why it is right is in `PROTOCOL.md` §8.

mod grid;
mod tile;

use crate::{
    counters::SolveError,
    observer::{Observer, Stage},
    pursuit::Pursuit,
    solution::{Solution, gather_block},
};
use dragnet_formats::{
    cell::Cell,
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

/// Solves `game` on the threads of `pool`. Takes one byte per position with the police to move, and half a byte per pair
/// of a police cell and a square of a thief tile that has an open cell.
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
            for (row, &police) in self.grid.cells(number).iter().enumerate() {
                let first = u64::from(police) * cells;
                for block in 0..self.grid.thief.len() {
                    let codes = tile.row_codes(&self.grid, block, row);
                    for (&thief, code) in self.grid.cells(block).iter().zip(codes) {
                        digest = digest.wrapping_add(digest_term(first + u64::from(thief), code));
                    }
                }
            }
            digest
        };
        let digest = self
            .tiles
            .par_iter()
            .enumerate()
            .map(|(number, tile)| digest((number, tile)))
            .reduce(|| 0, u64::wrapping_add);
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
        let number = |cell| board.is_open(cell).then(|| self.grid.number(cell)).flatten();
        Value::from_code(self.code(number(police)?, number(thief)?))
    }

    fn block_codes(&self, block: u64, codes: &mut Vec<u32>) {
        let (police_reading, thief_reading) = (self.game.police_reading(), self.game.thief_reading());
        gather_block(&self.game, block, codes, |police, thief| {
            self.code(police_reading[police], thief_reading[thief])
        });
    }
}

impl Bits {
    /// The code of a position with the police to move; cells by their numbers in reading order.
    #[inline]
    fn code(&self, police: u32, thief: u32) -> u32 {
        let (p, t) = (self.grid.places[police as usize], self.grid.places[thief as usize]);
        self.tiles[p.tile as usize].code(&self.grid, t.tile as usize, p.rank.into(), t.rank.into())
    }
}
