//! The engine for boards: for each police cell the thief's cells are bits, and one level of one side's moves is a
//! handful of word operations for 64 positions. How it works and why it is right is in `PROTOCOL.md` §8.

mod blocks;
mod grid;
mod level;
mod places;
mod sets;

use crate::{
    counters::SolveError,
    memory::{OutOfMemory, Words, ask_for},
    observer::{Observer, Stage},
    pursuit::Pursuit,
    solution::{BlockSource, Solution, SourceError},
};
use dragnet_formats::{
    cell::{Cell, Side},
    codec::RawBlock,
    header::{Counts, Longest, Summary},
    value::{MAX_DTW, Plies, Value},
};
use grid::{Grid, Rows};
use level::{Lane, Pass, Work};
use places::Places;
use rayon::{ThreadPool, prelude::*};
use sets::Set;

/// Levels in which fewer blocks changed than this are left to one thread.
const SHARED_LEVEL: usize = 32;

/// A solved pursuit game: each position's place in its block's palette, in planes of bits.
#[derive(Debug)]
pub struct Bits {
    game: Pursuit,
    grid: Grid,
    /// By thief tile.
    places: Vec<Places>,
    /// How many positions are in each set.
    counts: [u64; Set::COUNT],
    longest: Longest,
}

/// Solves `game` on the threads of `pool`. Takes about a byte per pair of a police cell and a square of a thief tile that has
/// an open cell: half a byte for the sets and a bit more than the logarithm of the number of different values in a block in bits.
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
    let mut solver = Solver::new(&grid)?;
    solver.start(game.rules().stuck.value())?;
    loop {
        observer.level(solver.level, solver.counts.iter().sum());
        if observer.stop() {
            return Err(SolveError::Stopped);
        }
        if solver.level == MAX_DTW {
            return Err(SolveError::TooLong);
        }
        if !solver.next_level()? {
            break;
        }
    }
    let Solver { lanes, counts, last, sets, .. } = solver;
    drop(sets);
    // A log is given back as soon as its places are made.
    let places = (lanes.into_par_iter())
        .map(|lane| Places::new(&grid, &lane.log))
        .collect::<Result<Vec<Places>, OutOfMemory>>()?;
    let longest = Longest {
        police: last[Set::PoliceWins as usize].max(last[Set::ThiefLoses as usize]),
        thief: last[Set::ThiefWins as usize].max(last[Set::PoliceLoses as usize]),
    };
    Ok(Bits { game, grid, places, counts, longest })
}

/// All that changes while solving.
struct Solver<'a> {
    grid: &'a Grid,
    /// Words from one thief tile to the next.
    stride: usize,
    /// By [`Set`]: thief tile after thief tile, for each police cell in tile order a word of thief cells.
    sets: [Words<u64>; Set::COUNT],
    /// By [`Set`] and thief tile: the rows to which the last level has added something.
    changed: [Vec<Vec<Rows>>; Set::COUNT],
    /// By thief tile.
    lanes: Vec<Lane>,
    level: Plies,
    counts: [u64; Set::COUNT],
    /// The last level in which each set grew.
    last: [Plies; Set::COUNT],
}

impl<'a> Solver<'a> {
    fn new(grid: &'a Grid) -> Result<Solver<'a>, SolveError> {
        let stride = grid.cell_count();
        let tiles = grid.thief.len();
        let words = (stride * tiles) as u64;
        // The sets, and as much again for planes and palettes.
        ask_for(words * (2 * Set::COUNT * size_of::<u64>()) as u64)?;
        let sets = [Words::new(words)?, Words::new(words)?, Words::new(words)?, Words::new(words)?];
        Ok(Solver {
            grid,
            stride,
            sets,
            changed: std::array::from_fn(|_| vec![Vec::new(); tiles]),
            lanes: grid.thief.par_iter().map(|thief| Lane::new(grid, thief)).collect(),
            level: 0,
            counts: [0; Set::COUNT],
            last: [0; Set::COUNT],
        })
    }

    /// Level 0.
    fn start(&mut self, stuck: Value) -> Result<(), OutOfMemory> {
        let stuck_wins = matches!(stuck, Value::Win(_));
        for set in Set::ALL {
            self.pass(set, false, true, |pass, _, thief, own, lane| {
                level::start(pass, stuck_wins, thief, own, lane)
            });
        }
        self.turn_over()
    }

    /// The next level. Whether there is one.
    fn next_level(&mut self) -> Result<bool, OutOfMemory> {
        let changed = |set: Set| self.changed[set as usize].iter().map(Vec::len).sum::<usize>();
        let work = Set::ALL.map(|set| changed(set.source()));
        if work == [0; Set::COUNT] {
            return Ok(false);
        }
        self.level += 1;
        let shared = work.iter().sum::<usize>() >= SHARED_LEVEL;
        // Two sets that are each other's source: the first must wait until the second has been found.
        for [first, second] in [[Set::PoliceWins, Set::ThiefLoses], [Set::ThiefWins, Set::PoliceLoses]] {
            let (one, two) = (work[first as usize] > 0, work[second as usize] > 0);
            let find = |pass: &Pass, work: &mut Work, thief: usize, own: &mut [u64], lane: &mut Lane| {
                if pass.concerns(thief) { level::find(pass, work, thief, own, lane) } else { 0 }
            };
            if one {
                self.pass(first, two, shared, find);
            }
            if two {
                self.pass(second, false, shared, find);
            }
            if one && two {
                self.pass(first, false, shared, |pass, _, _, own, lane| {
                    level::join_held_back(pass, own, lane)
                });
            }
        }
        self.turn_over()?;
        Ok(true)
    }

    /// Does `each` for all thief tiles.
    fn pass(
        &mut self,
        set: Set,
        hold_back: bool,
        shared: bool,
        each: impl Fn(&Pass, &mut Work, usize, &mut [u64], &mut Lane) -> u64 + Sync,
    ) {
        let [own, source, rival] =
            match self.sets.get_disjoint_mut([set as usize, set.source() as usize, set.rival() as usize]) {
                Ok(sets) => sets,
                // Impossible: three different sets.
                Err(_) => return,
            };
        let pass = Pass {
            grid: self.grid,
            set,
            level: self.level,
            stride: self.stride,
            source: source.get(),
            changed: &self.changed[set.source() as usize],
            rival: rival.get(),
            hold_back,
        };
        let own = own.get_mut();
        let count: u64 = if shared {
            (own.par_chunks_exact_mut(self.stride).zip(&mut self.lanes).enumerate())
                .map_init(
                    || Work::new(self.grid),
                    |work, (thief, (own, lane))| each(&pass, work, thief, own, lane),
                )
                .sum()
        } else {
            let mut work = Work::new(self.grid);
            (own.chunks_exact_mut(self.stride).zip(&mut self.lanes).enumerate())
                .map(|(thief, (own, lane))| each(&pass, &mut work, thief, own, lane))
                .sum()
        };
        self.counts[set as usize] += count;
        if count > 0 {
            self.last[set as usize] = self.level;
        }
    }

    /// Makes what has joined what has changed.
    fn turn_over(&mut self) -> Result<(), OutOfMemory> {
        for (changed, set) in self.changed.iter_mut().zip(Set::ALL) {
            for (changed, lane) in changed.iter_mut().zip(&mut self.lanes) {
                changed.clear();
                std::mem::swap(changed, &mut lane.joined[set as usize]);
            }
        }
        self.lanes.iter_mut().try_for_each(|lane| lane.log.refused())
    }
}

impl Solution for Bits {
    fn game(&self) -> &Pursuit {
        &self.game
    }

    fn summary(&self) -> Summary {
        let positions = self.game.cell_count().pow(2);
        let digest = (self.places.par_iter().enumerate())
            .map(|(thief, places)| blocks::digest(&self.grid, places, thief))
            .reduce(|| 0, u64::wrapping_add);
        let counts = |police: Set, thief: Set| {
            let (police, thief) = (self.counts[police as usize], self.counts[thief as usize]);
            Counts { police, thief, draw: positions - police - thief }
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
        let (police_at, thief_at) = (place(police)?, place(thief)?);
        let here = &self.grid.thief[thief_at.tile as usize];
        let bit = u32::from(here.bits[usize::from(thief_at.rank)]);
        if police == thief {
            return Some(Value::terminal(Side::Police, Side::Police));
        }
        if here.exits >> bit & 1 == 1 {
            return Some(Value::terminal(Side::Thief, Side::Police));
        }
        let tile = police_at.tile as usize;
        let places = &self.places[thief_at.tile as usize];
        Value::from_code(places.code(tile, police_at.rank.into(), self.grid.police[tile].rows, bit))
    }
}

impl BlockSource for Bits {
    fn block(&self, block: u64, _: &mut Vec<u32>) -> Result<RawBlock, SourceError> {
        Ok(blocks::block(&self.game, &self.grid, |thief| &self.places[thief], block))
    }
}
