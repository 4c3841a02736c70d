//! The engine for boards: for each team of officers the thief's cells are bits, and one level of one side's moves is a
//! handful of word operations for 64 positions. How it works and why it is right is in `PROTOCOL.md` §8.

mod blocks;
mod grid;
mod lane;
mod level;
mod log;
mod losses;
mod overlay;
mod places;
mod police;
mod sets;
mod turn;

use crate::{
    checkpoint::{CheckpointError, Checkpoints, Frames, Keeper, Saved, Unrestored},
    engines::counters::SolveError,
    games::{pursuit::Pursuit, team::TeamSpace},
    lock::lock,
    memory::{Array, OutOfMemory, ask_for},
    observer::{Observer, Stage},
    solution::{BlockSink, BlockSource, Resumable, Solution, SourceError},
};
use blocks::Blocks;
use dragnet_formats::{
    cell::{Cell, Side},
    header::{Counts, Header, Longest, Summary},
    numbering::{Tiling, word_tile},
    pieces::{Pieces, multisets},
    value::{MAX_DTW, Plies, Value},
};
use grid::Grid;
use lane::{Changed, Joined, Lane, Own, ROWS};
use level::{Pass, Work};
use log::Log;
use overlay::{Overlays, Spot};
use rayon::{ThreadPool, prelude::*};
use sets::{Group, Set};
use std::{
    io,
    ops::RangeInclusive,
    sync::{Mutex, atomic::AtomicBool},
    thread,
};
pub(crate) use {sets::ones, turn::Turn};

/// Levels in which fewer blocks changed than this are left to one thread.
const SHARED_LEVEL: usize = 32;

/// Bytes that are asked for beside what grows with the board: for what changes in a level, the board's tables, and packing.
const BESIDE: u64 = 16 << 20;

/// A solved pursuit game: what was decided when.
#[derive(Debug)]
pub struct Bits {
    game: Pursuit,
    grid: Grid,
    /// By overlay, what was decided when.
    logs: Vec<Log>,
    /// How many positions are in each set.
    counts: [u64; Set::COUNT],
    /// The last level in which each set grew.
    last: [Plies; Set::COUNT],
}

/// Solves `game` on the threads of `pool`. Takes 32 bytes per team and 64 cells of the thief, on maps
/// whose tiles do not fit on one another well up to twice that, and for each position with the police to move 0.1 to 0.5 bytes, in mazes
/// with corridors one cell wide up to 2.
///
/// # Errors
/// See [`SolveError`].
pub fn solve(game: Pursuit, pool: &ThreadPool, observer: &dyn Observer) -> Result<Bits, SolveError> {
    solve_with(game, pool, None, observer)
}

/// The same with check-points: goes on from the last good one, and writes more.
pub(crate) fn solve_with(
    game: Pursuit,
    pool: &ThreadPool,
    checkpoints: Option<&Checkpoints>,
    observer: &dyn Observer,
) -> Result<Bits, SolveError> {
    pool.install(|| solve_here(game, checkpoints, observer))
}

fn solve_here(
    game: Pursuit,
    checkpoints: Option<&Checkpoints>,
    observer: &dyn Observer,
) -> Result<Bits, SolveError> {
    observer.stage(Stage::Solving { positions: 2 * game.side_positions() });
    let stuck = game.rules().stuck.value();
    let restored = match checkpoints {
        Some(checkpoints) => checkpoints.resume(observer, |saved| Solver::restored(&game, stuck, saved))?,
        None => None,
    };
    let mut solver = match restored {
        Some(solver) => {
            observer.resumed(solver.level, solver.counts.iter().sum());
            solver
        }
        None => Solver::started(&game, stuck)?,
    };
    thread::scope(|scope| {
        let mut keeper = Keeper::new(scope, checkpoints, observer);
        loop {
            observer.level(solver.level, solver.counts.iter().sum());
            let stop = observer.stop();
            if keeper.due(stop) {
                let state =
                    State::new(solver.lanes.par_iter().map(|lane| &lane.log), solver.counts, solver.last);
                keeper.save(solver.level, move |frames| state.save(frames));
            }
            if stop {
                return Err(SolveError::Stopped);
            }
            if solver.level == MAX_DTW {
                return Err(SolveError::TooLong);
            }
            if !solver.next_level()? {
                keeper.give_up();
                return Ok(());
            }
        }
    })?;
    let Solver { grid, lanes, counts, last, .. } = solver;
    let logs = lanes.into_iter().map(|lane| lane.log).collect();
    Ok(Bits { game, grid, logs, counts, last })
}

/// A log's chunk that is half full on the average, and what else belongs to one overlay.
const OVERLAY: u64 = 80 << 10;

/// Returns the most bytes of memory that solving and encoding the game of `header` takes, without what the teams' and the
/// encoder's own tables take. Measured on open boards, game maps, rooms, mazes and corridors.
pub(crate) fn memory_needed(header: &Header, threads: usize) -> u64 {
    let board = &header.board;
    let cells = board.open_count() as u64;
    let teams = multisets(cells, header.rules.officers.into());
    let positions = teams.saturating_mul(cells);
    let tiles = u64::from(Tiling::count(board, word_tile(board)));
    let overlays = Overlays::new(board).count() as u64;
    let planes = teams.saturating_add(63).saturating_mul(4 * 8 * overlays);
    // Hundredths of a byte of the log per position with the police to move: the fewer cells a tile has, the fewer positions
    // are decided at once.
    let log = match cells * 100 / (64 * tiles.max(1)) {
        90.. => 30,
        70.. => 45,
        30.. => 120,
        _ => 140,
    };
    let log = (positions / 100).saturating_mul(log).saturating_add(overlays * OVERLAY);
    let turn = TeamSpace::partial_turn_states(&header.rules, cells).saturating_mul(9 * threads as u64);
    // The file's contents come when the planes are gone.
    turn.saturating_add(log).saturating_add(planes.max(positions / 4))
}

/// What a check-point holds.
struct State {
    counts: [u64; Set::COUNT],
    last: [Plies; Set::COUNT],
    logs: Vec<log::Kept>,
}

impl State {
    fn new<'a>(
        logs: impl IndexedParallelIterator<Item = &'a Log>,
        counts: [u64; Set::COUNT],
        last: [Plies; Set::COUNT],
    ) -> State {
        State { counts, last, logs: logs.map(Log::kept).collect() }
    }

    fn save(&self, frames: &mut Frames) -> io::Result<()> {
        for (count, last) in self.counts.iter().zip(self.last) {
            frames.put(&count.to_le_bytes())?;
            frames.put(&last.to_le_bytes())?;
        }
        self.logs.iter().try_for_each(|log| log.save(frames))
    }
}

/// All that changes while solving.
struct Solver<'a> {
    game: &'a Pursuit,
    grid: Grid,
    /// See [`Pass::stride`].
    stride: usize,
    /// By [`Set`]: overlay after overlay, for each row of the police a word of thief cells.
    sets: Array<u64>,
    /// By [`Set`] and overlay: the rows to which the last level in which the set grew has added something.
    changed: [Vec<Changed>; Set::COUNT],
    /// By [`Group`]: in how many blocks the last level has added something.
    changed_blocks: [usize; 2],
    /// By overlay.
    lanes: Vec<Lane>,
    /// By thread.
    works: Vec<Mutex<Work>>,
    level: Plies,
    counts: [u64; Set::COUNT],
    /// The last level in which each set grew.
    last: [Plies; Set::COUNT],
}

/// Empty sets, `stride` words for each of `lanes` overlays, of which each page is there; if there will be memory for all else too.
fn empty_sets(game: &Pursuit, stride: usize, lanes: usize) -> Result<Array<u64>, OutOfMemory> {
    let words = stride as u64 * lanes as u64 * Set::COUNT as u64;
    // Logs of a quarter of a byte per position, which most boards come near.
    let logs = game.side_positions() / 4;
    ask_for(words * size_of::<u64>() as u64 + logs + BESIDE)?;
    // One array, so that small boards have huge pages too.
    let sets = Array::new(words)?;
    sets.populate();
    Ok(sets)
}

impl<'a> Solver<'a> {
    /// A solver of which nothing is decided.
    fn new(game: &'a Pursuit) -> Result<Solver<'a>, OutOfMemory> {
        let overlays = Overlays::new(game.board());
        let lanes = overlays.count();
        let stride = (game.police().list().len() + ROWS - 1).next_multiple_of(8);
        // The grid is made while the system clears the sets' pages.
        let (grid, sets) = rayon::join(|| Grid::new(game, &overlays), || empty_sets(game, stride, lanes));
        let sets = sets?;
        Ok(Solver {
            game,
            stride,
            sets,
            changed: std::array::from_fn(|_| vec![Changed::default(); lanes]),
            changed_blocks: [0; 2],
            lanes: grid.thief.par_iter().map(|thief| Lane::new(&grid, thief)).collect(),
            works: (0..rayon::current_num_threads()).map(|_| Mutex::new(Work::new(game, &grid))).collect(),
            grid,
            level: 0,
            counts: [0; Set::COUNT],
            last: [0; Set::COUNT],
        })
    }

    /// A solver in level 0.
    fn started(game: &'a Pursuit, stuck: Value) -> Result<Solver<'a>, OutOfMemory> {
        let mut solver = Solver::new(game)?;
        solver.start(stuck)?;
        Ok(solver)
    }

    /// The solver whose [`State`] has been saved.
    fn restored(game: &'a Pursuit, stuck: Value, saved: &mut Saved) -> Result<Solver<'a>, Unrestored> {
        let wrong = |what| Err(CheckpointError::State { what }.into());
        let level = saved.level();
        let (mut counts, mut last) = ([0; Set::COUNT], [0; Set::COUNT]);
        for (count, last) in counts.iter_mut().zip(&mut last) {
            (*count, *last) = (saved.u64()?, saved.u32()?);
        }
        if level > MAX_DTW || last.iter().any(|&last| last > level) {
            return wrong("its levels");
        }
        let mut solver = Solver::started(game, stuck)?;
        let grid = &solver.grid;
        let mut chunks = Log::most_chunks(game.side_positions(), grid.thief.len());
        let mut starts = Vec::with_capacity(solver.lanes.len());
        for lane in &mut solver.lanes {
            let log = Log::restore(saved, chunks)?;
            chunks -= log.bytes() / Log::CHUNK as u64;
            starts.push(std::mem::replace(&mut lane.log, log));
        }
        let logs = solver.lanes.par_iter_mut().zip(&grid.thief).zip(&starts);
        if !logs.map(|((lane, thief), start)| lane.log.check(grid, thief, start, level)).all(|good| good) {
            return wrong("what was decided when");
        }
        solver.level = level;
        if !solver.put_back()? {
            return wrong("a position, twice");
        }
        if solver.counts != counts {
            return wrong("how many positions are decided");
        }
        solver.last = last;
        Ok(solver)
    }

    /// Lets the sets, and what the last level has changed, follow from the logs and level 0. Whether the logs decide no position twice.
    fn put_back(&mut self) -> Result<bool, OutOfMemory> {
        let wrong = AtomicBool::new(false);
        let thief = |solver: &mut Solver, group| solver.pass_of(Side::Thief, group, level::grow_thief);
        let police = |solver: &mut Solver, group, levels: RangeInclusive<Plies>, all| {
            solver.pass_of(Side::Police, group, |pass, _, thief, own, lane| {
                level::put_back(pass, thief, own, lane, levels.clone(), all, &wrong)
            })
        };
        let level = self.level;
        if level >= 2 {
            for group in Group::BOTH {
                police(self, group, 1..=level - 2, true)?;
            }
            for group in Group::BOTH {
                thief(self, group)?;
            }
            for group in Group::BOTH {
                police(self, group, level - 1..=level - 1, false)?;
            }
        }
        if level >= 1 {
            for group in Group::BOTH {
                self.changed_blocks[group as usize] = thief(self, group)?;
            }
            for group in Group::BOTH {
                self.changed_blocks[group as usize] += police(self, group, level..=level, false)?;
            }
        }
        Ok(!wrong.into_inner())
    }

    /// A pass in which the set of `side` alone grows; what is known of changes in the other stays.
    fn pass_of(
        &mut self,
        side: Side,
        group: Group,
        each: impl Fn(&Pass, &mut Work, usize, [Own; 2], &mut Lane) -> Joined + Sync,
    ) -> Result<usize, OutOfMemory> {
        let other = group.sets()[side.other() as usize] as usize;
        let none = vec![Changed::default(); self.grid.thief.len()];
        let changed = std::mem::replace(&mut self.changed[other], none);
        let blocks = self.pass(group, false, true, each);
        self.changed[other] = changed;
        blocks
    }

    /// Level 0.
    fn start(&mut self, stuck: Value) -> Result<(), OutOfMemory> {
        let stuck_wins = matches!(stuck, Value::Win(_));
        for group in Group::BOTH {
            self.changed_blocks[group as usize] =
                self.pass(group, false, true, |pass, _, thief, own, lane| {
                    level::start(pass, stuck_wins, thief, own, lane)
                })?;
        }
        Ok(())
    }

    /// The next level. Whether there is one.
    fn next_level(&mut self) -> Result<bool, OutOfMemory> {
        let [wins, losses] = self.changed_blocks;
        if wins + losses == 0 {
            return Ok(false);
        }
        self.level += 1;
        let shared = wins + losses >= SHARED_LEVEL;
        self.changed_blocks = [0; 2];
        // Wins follow from losses and losses from wins. If both grow, each from what the last level left of the other, the wins
        // must wait.
        let both = wins > 0 && losses > 0;
        if losses > 0 {
            self.changed_blocks[Group::Wins as usize] = self.pass(Group::Wins, both, shared, level::grow)?;
        }
        if wins > 0 {
            self.changed_blocks[Group::Losses as usize] =
                self.pass(Group::Losses, false, shared, level::grow)?;
        }
        if both {
            let join = |pass: &Pass, _: &mut Work, _, own: [Own; 2], lane: &mut Lane| {
                level::join_held_back(pass, own, lane)
            };
            self.changed_blocks[Group::Wins as usize] = self.pass(Group::Wins, false, shared, join)?;
        }
        Ok(true)
    }

    /// Does `each` for all overlays, with the sets of `group` growing. In how many blocks they have grown.
    fn pass(
        &mut self,
        group: Group,
        hold_back: bool,
        shared: bool,
        each: impl Fn(&Pass, &mut Work, usize, [Own; 2], &mut Lane) -> Joined + Sync,
    ) -> Result<usize, OutOfMemory> {
        let (growing, standing) = (group.sets(), group.other().sets());
        let mut sets = self.sets.get_mut().chunks_exact_mut(self.stride * self.grid.thief.len());
        let mut sets = std::array::from_fn(|_| sets.next().unwrap_or_default());
        let [police, thief, police_standing, thief_standing] = in_order(&mut sets, growing, standing);
        let [police_changed, thief_changed, police_before, thief_before] =
            in_order(&mut self.changed, growing, standing);
        let pass = Pass {
            game: self.game,
            grid: &self.grid,
            level: self.level,
            stride: self.stride,
            growing,
            standing: [police_standing, thief_standing],
            changed: [police_before, thief_before],
            hold_back,
        };
        let works = &self.works;
        let each = |(tile, (((lane, police), thief), (police_changed, thief_changed))): Tile| {
            let work = &works[rayon::current_thread_index().unwrap_or(0) % works.len()];
            let mut work = lock(work);
            let own =
                [Own::new(police, police_changed, hold_back), Own::new(thief, thief_changed, hold_back)];
            each(&pass, &mut work, tile, own, lane)
        };
        let changed = (police_changed.par_iter_mut()).zip(thief_changed.par_iter_mut());
        let all = (self.lanes.par_iter_mut())
            .zip(police.par_chunks_exact_mut(self.stride))
            .zip(thief.par_chunks_exact_mut(self.stride))
            .zip(changed)
            .enumerate();
        // In small shares: threads that wait for the last of a long row fall asleep, and take long to wake up.
        let grain = if shared { 2 } else { usize::MAX };
        let joined =
            all.with_min_len(grain).with_max_len(grain).map(each).reduce(Joined::default, Joined::and);
        for (set, positions) in growing.into_iter().zip(joined.positions) {
            self.counts[set as usize] += positions;
            if positions > 0 {
                self.last[set as usize] = self.level;
            }
        }
        match joined.refused.then(|| self.lanes.iter_mut().find_map(|lane| lane.log.take_refusal())).flatten()
        {
            // What was refused is only the last piece of it.
            Some(mut refusal) => {
                let logs: u64 = self.lanes.iter().map(|lane| lane.log.bytes()).sum();
                refusal.bytes += logs + size_of_val(self.sets.get()) as u64;
                Err(refusal)
            }
            None => Ok(joined.blocks),
        }
    }
}

/// What a pass works on for one overlay.
type Tile<'a> = (usize, (((&'a mut Lane, &'a mut [u64]), &'a mut [u64]), (&'a mut Changed, &'a mut Changed)));

/// What belongs to the two sets that grow and to the two that stand.
fn in_order<T>(all: &mut [T; Set::COUNT], growing: [Set; 2], standing: [Set; 2]) -> [&mut T; Set::COUNT] {
    all.get_disjoint_mut([growing[0], growing[1], standing[0], standing[1]].map(|set| set as usize))
        .expect("four different sets")
}

impl Solution for Bits {
    fn game(&self) -> &Pursuit {
        &self.game
    }

    fn summary(&self) -> Summary {
        // Without a sink nothing can go wrong.
        self.go_through(None).unwrap_or_default()
    }

    fn value(&self, officers: &Pieces, thief: Cell) -> Option<Value> {
        let team = self.game.police().find(officers)? as usize;
        let place = self.game.numbering().thief().place(thief)?;
        let thief_at = self.game.numbering().thief().range_of(place.tile).start + usize::from(place.rank);
        let number = self.game.thief_reading()[thief_at];
        if let Some(winner) = self.game.terminal(team, number) {
            return Some(Value::terminal(winner, Side::Police));
        }
        let Spot { overlay, bit } = self.grid.spots[number as usize];
        let row = self.grid.row(&self.game, team);
        let entry =
            self.logs[overlay as usize].entries().filter(|entry| entry.tile == row.tile).find(|entry| {
                let mut here = false;
                entry.for_each_row(|at, word| here |= at == row.at && word >> bit & 1 == 1);
                here
            });
        Value::from_code(entry.map_or(Value::Draw.code(), |entry| entry.code))
    }
}

impl BlockSource for Bits {
    fn blocks(&self, sink: BlockSink) -> Result<Summary, SourceError> {
        self.go_through(Some(sink))
    }
}

impl Resumable for Bits {
    fn level(&self) -> Plies {
        self.last.into_iter().max().unwrap_or(0)
    }

    fn save(&self, frames: &mut Frames) -> io::Result<()> {
        State::new(self.logs.par_iter(), self.counts, self.last).save(frames)
    }
}

impl Bits {
    /// Sums all values up, and hands the blocks to `sink` on the way.
    fn go_through(&self, sink: Option<BlockSink>) -> Result<Summary, SourceError> {
        let greatest = Value::Win(self.level()).code();
        let blocks = Blocks::new(&self.game, &self.grid, &self.logs, greatest);
        let digest = (blocks.together().par_iter())
            // One by one: what a thread has in a row nobody can take from it when he is idle.
            .with_max_len(1)
            .map(|tiles| blocks.columns(tiles, sink))
            .try_reduce(|| 0, |a, b| Ok(a.wrapping_add(b)))?;
        let positions = self.game.side_positions();
        let counts = |police: Set, thief: Set| {
            let (police, thief) = (self.counts[police as usize], self.counts[thief as usize]);
            Counts { police, thief, draw: positions - police - thief }
        };
        let last = |one: Set, other: Set| self.last[one as usize].max(self.last[other as usize]);
        Ok(Summary {
            police_to_move: counts(Set::PoliceWins, Set::PoliceLoses),
            thief_to_move: counts(Set::ThiefLoses, Set::ThiefWins),
            longest: Longest {
                police: last(Set::PoliceWins, Set::ThiefLoses),
                thief: last(Set::ThiefWins, Set::PoliceLoses),
            },
            digest,
        })
    }
}
