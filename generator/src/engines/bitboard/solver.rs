//! A solve: the sets, and how they grow level by level.

use super::{
    grid::Grid,
    level::{self, Scratch},
    log::{Log, LogMark, LogStore},
    memory,
    overlay::Overlays,
    overlay_set::OverlaySet,
    overlay_state::{GrowingSet, Joined, OverlayState},
    pass::{Changed, Pass},
    sets::{Group, Set},
    start::start,
};
use crate::{
    games::pursuit::Pursuit, lock::lock, log_error::LogError, memory::ask_for, solve_error::SolveError,
    stop::StopRequest,
};
use dragnet_formats::value::{Plies, Value};
use rayon::prelude::*;
use std::sync::{Arc, Mutex};

/// Levels in which fewer blocks than this have changed are left to one thread: waking the others takes
/// longer. With two threads 8 and 128 are as quick on arena and maze-65 (medians of 7 runs within 2 %).
const SHARED_LEVEL: usize = 32;

/// How many overlays a thread takes at once in a level that is shared. Large shares leave threads waiting for
/// the last one, and threads that wait fall asleep and take long to wake up.
const SHARE: usize = 2;

/// All that changes while solving.
pub(super) struct Solver<'a> {
    pub(super) game: &'a Pursuit,
    pub(super) grid: Grid,
    /// The sets, by [`Set`] and overlay.
    sets: [Vec<OverlaySet>; Set::COUNT],
    /// The growth of each set when it last grew, by [`Set`] and overlay.
    pub(super) changed: [Vec<Changed>; Set::COUNT],
    /// In how many blocks the last level has added positions, by [`Group`].
    pub(super) changed_blocks: [usize; 2],
    pub(super) overlays: Vec<OverlayState>,
    /// The part of the logs that all overlays share.
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
    stop: StopRequest<'a>,
}

/// The state at the end of a level, as far as it is needed to go back there from the middle of the next one.
#[derive(Debug, Default)]
pub(super) struct LevelEnd {
    pub(super) level: Plies,
    pub(super) counts: [u64; Set::COUNT],
    pub(super) last: [Plies; Set::COUNT],
    /// The ends of the logs, by overlay.
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
        let overlays = packed.count();
        ask_for(memory::least(game.police().len(), overlays as u64, game.side_positions()))?;
        let grid = Grid::new(game, &packed);
        let tiles = grid.police.len();
        let empty = || (0..overlays).map(|_| OverlaySet::new(tiles)).collect::<Result<Vec<_>, _>>();
        let sets = [empty()?, empty()?, empty()?, empty()?];
        let log = |lane: usize| Log::new(lane as u32, Arc::clone(store));
        let lanes = grid.overlays.par_iter().enumerate();
        let states = lanes.map(|(lane, overlay)| OverlayState::new(&grid, overlay, log(lane))).collect();
        let threads = rayon::current_num_threads();
        Ok(Solver {
            game,
            sets,
            changed: std::array::from_fn(|_| vec![Changed::default(); overlays]),
            changed_blocks: [0; 2],
            overlays: states,
            store: Arc::clone(store),
            scratch: (0..threads).map(|_| Mutex::new(Scratch::new(game, &grid))).collect(),
            grid,
            level: 0,
            counts: [0; Set::COUNT],
            last: [0; Set::COUNT],
            end: LevelEnd::default(),
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
        for group in Group::BOTH {
            solver.changed_blocks[group as usize] =
                solver.pass(group, false, true, |pass, _, overlay, growing, state| {
                    start(pass, stuck_wins, overlay, growing, state)
                })?;
        }
        Ok(solver)
    }

    /// Notes the end of the level that has just been solved.
    pub(super) fn end_level(&mut self) {
        let Solver { level, counts, last, .. } = *self;
        let mut logs = std::mem::take(&mut self.end.logs);
        logs.clear();
        logs.extend(self.overlays.iter().map(|state| state.log.mark()));
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
        self.level += 1;
        let shared = wins + losses >= SHARED_LEVEL;
        self.changed_blocks = [0; 2];
        // Wins follow from losses and losses from wins. If both grow, each must see the other as the last
        // level left it: the wins are found first but wait, the losses grow, and then the wins join.
        let both = wins > 0 && losses > 0;
        if losses > 0 {
            self.changed_blocks[Group::Wins as usize] = self.pass(Group::Wins, both, shared, level::grow)?;
        }
        if wins > 0 {
            self.changed_blocks[Group::Losses as usize] =
                self.pass(Group::Losses, false, shared, level::grow)?;
        }
        if both {
            self.changed_blocks[Group::Wins as usize] =
                self.pass(Group::Wins, false, shared, |pass, _, _, growing, state| {
                    level::join_held_back(pass, growing, state)
                })?;
        }
        Ok(true)
    }

    /// Calls `each` for all overlays, with the sets of `group` growing, on one thread unless `shared`.
    /// Returns in how many blocks they have grown.
    pub(super) fn pass(
        &mut self,
        group: Group,
        hold_back: bool,
        shared: bool,
        each: impl Fn(&Pass, &mut Scratch, usize, [GrowingSet; 2], &mut OverlayState) -> Joined + Sync,
    ) -> Result<usize, SolveError> {
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
            hold_back,
            stop: self.stop,
        };
        let scratch = &self.scratch;
        let overlays = (
            self.overlays.par_iter_mut(),
            police.par_iter_mut(),
            thief.par_iter_mut(),
            police_changed.par_iter_mut(),
            thief_changed.par_iter_mut(),
        );
        let share = if shared { SHARE } else { usize::MAX };
        let joined = (overlays.into_par_iter().enumerate())
            .with_min_len(share)
            .with_max_len(share)
            .map(|(overlay, (state, police, thief, police_changed, thief_changed))| {
                // What a pass that is stopped has left in the scratch memory must not be used.
                if pass.stop.is_received() {
                    return Joined::default();
                }
                let thread = rayon::current_thread_index().expect("a solve runs on the threads of a pool");
                let growing = [
                    GrowingSet::new(police, police_changed, hold_back),
                    GrowingSet::new(thief, thief_changed, hold_back),
                ];
                each(&pass, &mut lock(&scratch[thread]), overlay, growing, state)
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
        Ok(joined.blocks)
    }

    /// Returns why words or a log failed. A refusal of memory has the bytes of all sets and logs: what was
    /// refused is only the last piece of them.
    fn failure(&mut self) -> LogError {
        let logs: u64 = self.overlays.iter().map(|state| state.log.bytes()).sum();
        let sets: u64 = self.sets.iter().flatten().map(OverlaySet::bytes).sum();
        let mut failures = self.overlays.iter_mut().filter_map(|state| {
            let refused = state.refused.take().map(LogError::OutOfMemory);
            refused.or_else(|| state.log.take_failure())
        });
        let mut failure = failures.next().expect("words or a log have failed");
        if let LogError::OutOfMemory(refusal) = &mut failure {
            refusal.bytes += logs + sets;
        }
        failure
    }
}

/// Splits what belongs to the four sets: the two that grow, by side to move, then the two that stand.
fn by_role<T>(all: &mut [T; Set::COUNT], growing: [Set; 2], standing: [Set; 2]) -> [&mut T; Set::COUNT] {
    all.get_disjoint_mut([growing[0], growing[1], standing[0], standing[1]].map(|set| set as usize))
        .expect("four different sets")
}
