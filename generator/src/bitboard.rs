//! The engine for boards: for each police cell the thief's cells are bits, and one level of one side's moves is a
//! handful of word operations for 64 positions. How it works and why it is right is in `PROTOCOL.md` §8.

mod blocks;
mod grid;
mod level;
mod log;
mod places;
mod sets;

use crate::{
    counters::SolveError,
    memory::{Array, OutOfMemory, ask_for},
    observer::{Observer, Stage},
    pursuit::Pursuit,
    solution::{BlockSink, BlockSource, Solution, SourceError},
};
use dragnet_formats::{
    cell::{Cell, Side},
    header::{Counts, Longest, Summary},
    value::{MAX_DTW, Plies, Value},
};
use grid::{Grid, Rows};
use log::{Log, Sorted};
use level::{Joined, Lane, Own, Pass, ROWS, Work};
use rayon::{ThreadPool, prelude::*};
use sets::Set;

/// Levels in which fewer blocks changed than this are left to one thread.
const SHARED_LEVEL: usize = 32;

/// The sets that one pass lets grow, by side to move. They read only the other two.
const WINS: [Set; 2] = [Set::PoliceWins, Set::ThiefWins];
const LOSSES: [Set; 2] = [Set::PoliceLoses, Set::ThiefLoses];

/// A solved pursuit game: each position's place in its block's palette, in planes of bits.
#[derive(Debug)]
pub struct Bits {
    game: Pursuit,
    grid: Grid,
    /// By thief tile, what was decided when.
    logs: Vec<Log>,
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
    let Solver { lanes, counts, last, .. } = solver;
    let longest = Longest {
        police: last[Set::PoliceWins as usize].max(last[Set::ThiefLoses as usize]),
        thief: last[Set::ThiefWins as usize].max(last[Set::PoliceLoses as usize]),
    };
    let logs = lanes.into_iter().map(|lane| lane.log).collect();
    Ok(Bits { game, grid, logs, counts, longest })
}

/// All that changes while solving.
struct Solver<'a> {
    grid: &'a Grid,
    /// See [`Pass::stride`].
    stride: usize,
    /// By [`Set`]: thief tile after thief tile, for each police cell in tile order a word of thief cells.
    sets: [Array<u64>; Set::COUNT],
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
        let stride = grid.cell_count() + ROWS - 1;
        let tiles = grid.thief.len();
        let words = (stride * tiles) as u64;
        // The sets, and as much again for planes and palettes.
        ask_for(words * (2 * Set::COUNT * size_of::<u64>()) as u64)?;
        let sets = [Array::new(words)?, Array::new(words)?, Array::new(words)?, Array::new(words)?];
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
        for sets in [WINS, LOSSES] {
            self.pass(sets, false, true, |pass, _, thief, own, lane| {
                level::start(pass, stuck_wins, thief, own, lane)
            });
        }
        self.turn_over()
    }

    /// The next level. Whether there is one.
    fn next_level(&mut self) -> Result<bool, OutOfMemory> {
        let changed = |sets: [Set; 2]| -> usize {
            sets.iter().flat_map(|&set| &self.changed[set as usize]).map(Vec::len).sum()
        };
        let (wins, losses) = (changed(LOSSES), changed(WINS));
        if wins + losses == 0 {
            return Ok(false);
        }
        self.level += 1;
        let shared = wins + losses >= SHARED_LEVEL;
        // If both grow, each reads the other as the last level left it: the first must wait.
        let both = wins > 0 && losses > 0;
        if wins > 0 {
            self.pass(WINS, both, shared, level::grow);
        }
        if losses > 0 {
            self.pass(LOSSES, false, shared, level::grow);
        }
        if both {
            self.pass(WINS, false, shared, |pass, _, _, own, lane| level::join_held_back(pass, own, lane));
        }
        self.turn_over()?;
        Ok(true)
    }

    /// Does `each` for all thief tiles, with the sets `growing`.
    fn pass(
        &mut self,
        growing: [Set; 2],
        hold_back: bool,
        shared: bool,
        each: impl Fn(&Pass, &mut Work, usize, Own, &mut Lane) -> Joined + Sync,
    ) {
        let standing = growing.map(Set::rival);
        let [police, thief, police_standing, thief_standing] = match self
            .sets
            .get_disjoint_mut([growing[0], growing[1], standing[0], standing[1]].map(|set| set as usize))
        {
            Ok(sets) => sets,
            // Impossible: four different sets.
            Err(_) => return,
        };
        let pass = Pass {
            grid: self.grid,
            level: self.level,
            stride: self.stride,
            growing,
            standing: [police_standing.get(), thief_standing.get()],
            changed: standing.map(|set| &self.changed[set as usize][..]),
            hold_back,
        };
        let (police, thief) = (police.get_mut(), thief.get_mut());
        let joined: Joined = if shared {
            (police.par_chunks_exact_mut(self.stride))
                .zip(thief.par_chunks_exact_mut(self.stride))
                .zip(&mut self.lanes)
                .enumerate()
                .map_init(
                    || Work::new(self.grid),
                    |work, (tile, ((police, thief), lane))| each(&pass, work, tile, [police, thief], lane),
                )
                .reduce(|| [0; 2], sum)
        } else {
            let mut work = Work::new(self.grid);
            (police.chunks_exact_mut(self.stride))
                .zip(thief.chunks_exact_mut(self.stride))
                .zip(&mut self.lanes)
                .enumerate()
                .map(|(tile, ((police, thief), lane))| each(&pass, &mut work, tile, [police, thief], lane))
                .fold([0; 2], sum)
        };
        for (set, joined) in growing.into_iter().zip(joined) {
            self.counts[set as usize] += joined;
            if joined > 0 {
                self.last[set as usize] = self.level;
            }
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

fn sum(a: Joined, b: Joined) -> Joined {
    [a[0] + b[0], a[1] + b[1]]
}

impl Solution for Bits {
    fn game(&self) -> &Pursuit {
        &self.game
    }

    fn summary(&self) -> Summary {
        // Without a sink nothing can go wrong.
        self.go_through(None).unwrap_or_default()
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
        let decided = Sorted::new(&self.grid, &self.logs[thief_at.tile as usize]);
        let here = |words: &[u64]| words[usize::from(police_at.rank)] >> bit & 1 == 1;
        decided.of(tile).find(|(_, new)| here(new)).map_or(Some(Value::Draw), |(code, _)| Value::from_code(code))
    }
}

impl BlockSource for Bits {
    fn blocks(&self, sink: BlockSink) -> Result<Summary, SourceError> {
        self.go_through(Some(sink))
    }
}

impl Bits {
    /// Sums all values up, and hands the blocks to `sink` on the way.
    fn go_through(&self, sink: Option<BlockSink>) -> Result<Summary, SourceError> {
        let digest = (0..self.game.numbering().thief().tile_count())
            .into_par_iter()
            .map(|tile| blocks::column(&self.game, &self.grid, |tile| &self.logs[tile], tile, sink))
            .try_reduce(|| 0, |a, b| Ok(a.wrapping_add(b)))?;
        let positions = self.game.cell_count().pow(2);
        let counts = |police: Set, thief: Set| {
            let (police, thief) = (self.counts[police as usize], self.counts[thief as usize]);
            Counts { police, thief, draw: positions - police - thief }
        };
        Ok(Summary {
            police_to_move: counts(Set::PoliceWins, Set::PoliceLoses),
            thief_to_move: counts(Set::ThiefLoses, Set::ThiefWins),
            longest: self.longest,
            digest,
        })
    }
}
