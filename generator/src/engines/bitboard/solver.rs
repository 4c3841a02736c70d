//! A solve: the sets, and how they grow level by level.

use super::{
    decided::Undecided,
    flags::Flags,
    grid::Grid,
    level::{self, Scratch},
    log::{Log, LogMark, LogStore},
    memory,
    overlay::Overlays,
    pass::{Changed, Pass, Slice},
    sets::{Group, Set},
    slice_set::SliceSet,
    slice_state::{GrowingSet, Joined, SliceState},
    start::{TileStart, start},
};
use crate::{
    games::pursuit::Pursuit,
    lock::lock,
    log_error::LogError,
    memory::{OutOfMemory, ask_for},
    observer::SliceWork,
    solve_error::SolveError,
    stop::StopRequest,
};
use dragnet_formats::value::{Plies, Value};
use rayon::prelude::*;
use std::sync::{Arc, Mutex};

/// Levels in which fewer blocks than this have changed are left to one thread: waking the others takes
/// longer. With two threads 8 and 128 are as quick on arena and maze-65 (medians of 7 runs within 2 %).
const SHARED_LEVEL: usize = 32;

/// Returns the bytes of sets from which on blocks are to be dropped again, when that has left `bytes`. Small
/// boards would only lose time. In unit tests each level drops what it can.
fn drop_from(bytes: u64) -> u64 {
    if cfg!(test) { 0 } else { (bytes / 8 * 9).max(8 << 20) }
}

/// All that changes while solving.
pub(super) struct Solver<'a> {
    pub(super) game: &'a Pursuit,
    pub(super) grid: Grid,
    /// The sets, by [`Set`] and slice.
    sets: [Vec<SliceSet>; Set::COUNT],
    /// The growth of each set when it last grew, by [`Set`] and slice.
    pub(super) changed: [Vec<Changed>; Set::COUNT],
    /// In how many blocks the last level has added positions, by [`Group`].
    pub(super) changed_blocks: [usize; 2],
    pub(super) slices: Vec<SliceState>,
    flags: Flags,
    /// The part of the logs that all slices share.
    pub(super) store: Arc<LogStore>,
    /// The scratch memory of each thread.
    scratch: Vec<Mutex<Scratch>>,
    /// The last level that is done.
    pub(super) level: Plies,
    /// The number of positions in each set.
    pub(super) counts: [u64; Set::COUNT],
    /// The last level in which each set grew.
    pub(super) last: [Plies; Set::COUNT],
    /// The state at the end of the level before the one that is being solved.
    end: LevelEnd,
    /// The bytes of the sets from which on it pays to drop blocks.
    drop_from: u64,
    stop: StopRequest<'a>,
}

/// The state at the end of a level, as far as it is needed to go back there from the middle of the next one.
#[derive(Debug, Default)]
pub(super) struct LevelEnd {
    pub(super) level: Plies,
    pub(super) counts: [u64; Set::COUNT],
    pub(super) last: [Plies; Set::COUNT],
    /// The ends of the logs, by slice.
    pub(super) logs: Vec<LogMark>,
}

impl<'a> Solver<'a> {
    /// Creates a solver in which nothing is decided.
    fn new(
        game: &'a Pursuit,
        stop: StopRequest<'a>,
        store: &Arc<LogStore>,
    ) -> Result<Solver<'a>, SolveError> {
        let packed = Overlays::new(game.board());
        ask_for(memory::least(game.police().len(), packed.count() as u64, game.side_positions()))?;
        let grid = Grid::new(game, &packed)?;
        let slices = grid.slice_count();
        let ranges = grid.cut.count();
        let rows = grid.most_rows();
        let empty = || {
            let tiles = (0..slices).map(|slice| grid.cut.range(slice % ranges).len());
            tiles.map(|tiles| SliceSet::new(tiles, rows)).collect::<Result<Vec<_>, _>>()
        };
        let sets = [empty()?, empty()?, empty()?, empty()?];
        let states = (0..slices).into_par_iter().map(|slice| {
            let (overlay, tiles) = (&grid.overlays[slice / ranges], grid.cut.range(slice % ranges));
            SliceState::new(&grid, overlay, tiles, Log::new(slice as u32, Arc::clone(store)))
        });
        let states = states.collect();
        let longest = grid.cut.range(0).len();
        let threads = rayon::current_num_threads();
        Ok(Solver {
            game,
            sets,
            changed: std::array::from_fn(|_| vec![Changed::default(); slices]),
            changed_blocks: [0; 2],
            slices: states,
            flags: Flags::new(&grid)?,
            store: Arc::clone(store),
            scratch: (0..threads).map(|_| Mutex::new(Scratch::new(longest))).collect(),
            grid,
            level: 0,
            counts: [0; Set::COUNT],
            last: [0; Set::COUNT],
            end: LevelEnd::default(),
            drop_from: drop_from(0),
            stop,
        })
    }

    /// Creates a solver in level 0. `stuck` is the value of a position whose side to move has no move.
    pub(super) fn started(
        game: &'a Pursuit,
        stuck: Value,
        stop: StopRequest<'a>,
        store: &Arc<LogStore>,
    ) -> Result<Solver<'a>, SolveError> {
        let mut solver = Solver::new(game, stop, store)?;
        let stuck_wins = matches!(stuck, Value::Win(_));
        let tiles = (0..solver.grid.tile_count() as u32).into_par_iter();
        let tiles: Vec<TileStart> = tiles.map(|tile| TileStart::new(game, &solver.grid, tile)).collect();
        for group in Group::BOTH {
            solver.changed_blocks[group as usize] =
                solver.pass(group, false, true, |pass, _, slice, growing, state| {
                    start(pass, &tiles, stuck_wins, slice, growing, state)
                })?;
        }
        Ok(solver)
    }

    /// Notes the end of the level that has just been solved.
    pub(super) fn end_level(&mut self) {
        let Solver { level, counts, last, .. } = *self;
        let mut logs = std::mem::take(&mut self.end.logs);
        logs.clear();
        logs.extend(self.slices.iter().map(|state| state.log.mark()));
        self.end = LevelEnd { level, counts, last, logs };
    }

    /// Returns the end of the level that [`Solver::end_level`] has noted last.
    pub(super) fn last_end(&self) -> &LevelEnd {
        &self.end
    }

    /// Solves the next level. Returns false, and does nothing, if the last one has decided nothing. A level
    /// that is stopped in its middle is left half solved: all that can be done then is to save what
    /// [`Solver::end_level`] has noted.
    pub(super) fn next_level(&mut self) -> Result<bool, SolveError> {
        let [wins, losses] = self.changed_blocks;
        if wins + losses == 0 {
            return Ok(false);
        }
        self.drop_decided()?;
        self.level += 1;
        let shared = wins + losses >= SHARED_LEVEL;
        self.changed_blocks = [0; 2];
        // Wins follow from losses and losses from wins. If both grow, each must see the other as the last
        // level left it: the wins are found first but wait, the losses grow, and then the wins join.
        let both = wins > 0 && losses > 0;
        if losses > 0 {
            self.changed_blocks[Group::Wins as usize] = self.grow(Group::Wins, both, shared)?;
        }
        if wins > 0 {
            self.changed_blocks[Group::Losses as usize] = self.grow(Group::Losses, false, shared)?;
        }
        if both {
            self.changed_blocks[Group::Wins as usize] =
                self.pass(Group::Wins, false, shared, |pass, _, _, growing, state| {
                    level::join_held_back(pass, growing, state)
                })?;
        }
        Ok(true)
    }

    /// Drops the blocks that nobody will read any more, if the sets have grown much since that was done last.
    fn drop_decided(&mut self) -> Result<(), SolveError> {
        if self.set_bytes() < self.drop_from {
            return Ok(());
        }
        let undecided = Undecided { grid: &self.grid, team: self.game.rules().team, slices: &self.slices };
        let ranges = self.grid.cut.count();
        for set in [Set::PoliceWins, Set::PoliceLoses, Set::ThiefWins, Set::ThiefLoses] {
            let slices = self.sets[set as usize].par_iter_mut().enumerate();
            slices.try_for_each(|(number, words)| {
                let slice = Slice::new(&self.grid, number);
                for (at, tile) in (0..).zip(self.grid.cut.range(number % ranges)) {
                    if words.is_stored(at) && !undecided.is_read(set.mover(), slice, tile) {
                        words.drop_block(at)?;
                    }
                }
                Ok::<_, OutOfMemory>(())
            })?;
        }
        self.drop_from = drop_from(self.set_bytes());
        Ok(())
    }

    fn set_bytes(&self) -> u64 {
        self.sets.iter().flatten().map(SliceSet::bytes).sum()
    }

    /// Lets the sets of `group` grow by what the last level has changed.
    fn grow(&mut self, group: Group, hold_back: bool, shared: bool) -> Result<usize, SolveError> {
        if self.grid.teams.is_some() {
            let (_, pass) = self.parts(group, hold_back);
            let share = share(shared);
            let slices = (0..pass.grid.slice_count()).into_par_iter().with_min_len(share);
            slices
                .with_max_len(share)
                .for_each(|slice| level::flag_dependents(&pass, Slice::new(pass.grid, slice)));
        }
        self.pass(group, hold_back, shared, level::grow)
    }

    /// Splits the solver for a pass: what it changes, and what it reads.
    fn parts(&mut self, group: Group, hold_back: bool) -> (Growing<'_>, Pass<'_>) {
        let (growing, standing) = (group.sets(), group.other().sets());
        let [police, thief, police_standing, thief_standing] = by_role(&mut self.sets, growing, standing);
        let [police_changed, thief_changed, police_before, thief_before] =
            by_role(&mut self.changed, growing, standing);
        let pass = Pass {
            game: self.game,
            grid: &self.grid,
            level: self.level,
            growing,
            standing: [police_standing, thief_standing],
            changed: [police_before, thief_before],
            flags: &self.flags,
            hold_back,
            stop: self.stop,
        };
        let growing = Growing {
            slices: &mut self.slices,
            sets: [police, thief],
            changed: [police_changed, thief_changed],
            scratch: &self.scratch,
        };
        (growing, pass)
    }

    /// Calls `each` for all slices, with the sets of `group` growing, on one thread unless `shared`. Returns
    /// in how many blocks they have grown.
    pub(super) fn pass(
        &mut self,
        group: Group,
        hold_back: bool,
        shared: bool,
        each: impl Fn(&Pass, &mut Scratch, Slice, [GrowingSet; 2], &mut SliceState) -> Joined + Sync,
    ) -> Result<usize, SolveError> {
        let (
            Growing { slices, sets: [police, thief], changed: [police_changed, thief_changed], scratch },
            pass,
        ) = self.parts(group, hold_back);
        let (growing, share) = (pass.growing, share(shared));
        let slices = (
            slices.par_iter_mut(),
            police.par_iter_mut(),
            thief.par_iter_mut(),
            police_changed.par_iter_mut(),
            thief_changed.par_iter_mut(),
        );
        let joined = (slices.into_par_iter().enumerate())
            .with_min_len(share)
            .with_max_len(share)
            .map(|(slice, (state, police, thief, police_changed, thief_changed))| {
                // What a pass that is stopped has left in the scratch memory must not be used.
                if pass.stop.is_received() {
                    return Joined::default();
                }
                let thread = rayon::current_thread_index().expect("a solve runs on the threads of a pool");
                let growing = [
                    GrowingSet::new(police, police_changed, hold_back),
                    GrowingSet::new(thief, thief_changed, hold_back),
                ];
                state.work = 0;
                each(&pass, &mut lock(&scratch[thread]), Slice::new(pass.grid, slice), growing, state)
            })
            .reduce(Joined::default, Joined::and);
        for (set, positions) in growing.into_iter().zip(joined.positions) {
            self.counts[set as usize] += positions;
            if positions > 0 {
                self.last[set as usize] = self.level;
            }
        }
        if self.stop.is_received() {
            return Err(SolveError::Stopped);
        }
        if joined.failed {
            return Err(self.failure().into());
        }
        let ranges = self.grid.cut.count();
        let mut work = self.slices.iter().enumerate().map(|(slice, state)| SliceWork {
            overlay: (slice / ranges) as u32,
            range: (slice % ranges) as u32,
            rows: state.work,
        });
        self.stop.observer().pass(shared, &mut work);
        Ok(joined.blocks)
    }

    /// Returns why words or a log failed. A refusal of memory has the bytes of all sets and logs: what was
    /// refused is only the last piece of them.
    fn failure(&mut self) -> LogError {
        let logs: u64 = self.slices.iter().map(|state| state.log.bytes()).sum();
        let sets = self.set_bytes();
        let mut failures = self.slices.iter_mut().filter_map(|state| state.log.take_failure());
        let mut failure = failures.next().expect("words or a log have failed");
        if let LogError::OutOfMemory(refusal) = &mut failure {
            refusal.bytes += logs + sets;
        }
        failure
    }
}

/// The parts of a solver that a pass changes.
struct Growing<'a> {
    slices: &'a mut Vec<SliceState>,
    /// The growing sets, by side to move and slice.
    sets: [&'a mut Vec<SliceSet>; 2],
    /// Their growth, by side to move and slice.
    changed: [&'a mut Vec<Changed>; 2],
    scratch: &'a [Mutex<Scratch>],
}

/// Returns how many slices a thread takes at once. In a level that is shared it is one: larger shares leave
/// threads waiting for the last one, and threads that wait fall asleep and take long to wake up.
fn share(shared: bool) -> usize {
    if shared { 1 } else { usize::MAX }
}

/// Splits what belongs to the four sets: the two that grow, by side to move, then the two that stand.
fn by_role<T>(all: &mut [T; Set::COUNT], growing: [Set; 2], standing: [Set; 2]) -> [&mut T; Set::COUNT] {
    all.get_disjoint_mut([growing[0], growing[1], standing[0], standing[1]].map(|set| set as usize))
        .expect("four different sets")
}
