//! Saves the state of a solve in a checkpoint, and resumes a solve from one (`PROTOCOL.md` §9).

use super::{
    board::Grid,
    level::{Added, Changed, Progress, Step, grow_by_thief_moves},
    log::{Log, LogEnd, LogStore, SavedLog},
    sets::{Group, Set},
    solver::Solver,
    words::{ROWS, first_bits, ones},
};
use crate::{
    checkpoint::{Checkpoints, Frames, Mark, Saved, Unrestored},
    games::pursuit::Pursuit,
    ranks::Transport,
    solve_error::SolveError,
    stop::StopRequest,
    warning::CheckpointError,
};
use dragnet_formats::{
    cell::Side,
    value::{MAX_DTW, Plies, Value},
};
use rayon::prelude::*;
use std::{
    io,
    ops::{ControlFlow, RangeInclusive},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

/// The state of a solve between two levels, as a checkpoint holds it: the logs. The sets follow from them.
pub(super) struct SavedState {
    end: Progress,
    logs: Vec<SavedLog>,
    store: Arc<LogStore>,
}

impl SavedState {
    /// Copies the state at the `end` of a level: the logs of all slices as far as they went then.
    pub(super) fn new<'a>(
        logs: impl IndexedParallelIterator<Item = (&'a Log, LogEnd)>,
        end: Progress,
        store: &Arc<LogStore>,
    ) -> SavedState {
        let logs = logs.map(|(log, end)| log.snapshot(end)).collect();
        SavedState { end, logs, store: Arc::clone(store) }
    }

    /// Writes the state into a checkpoint: what is new to the file of the logs there, and then all else.
    pub(super) fn save(&self, frames: &mut Frames) -> io::Result<()> {
        let in_logs = |error| self.store.named(error);
        self.logs.iter().try_for_each(|log| log.put_in_file(frames)).map_err(in_logs)?;
        let end = self.store.keep().map_err(in_logs)?;
        for (count, last) in self.end.counts.iter().zip(self.end.last) {
            frames.put(&count.to_le_bytes())?;
            frames.put(&last.to_le_bytes())?;
        }
        frames.put(&end.bytes.to_le_bytes())?;
        frames.put(&end.chain.to_le_bytes())?;
        self.logs.iter().try_for_each(|log| log.save(frames))
    }
}

/// An order of the part of a board that has the checkpoints to the others, while it looks for one to go on
/// from.
#[derive(Clone, Copy)]
enum Order {
    /// To solve from level 0.
    Begin,
    /// To solve from the state that was restored last.
    GoOn,
    /// To restore the state that this belongs to.
    Restore,
}

impl Order {
    /// Returns the order, and the state that belongs to it, as numbers.
    fn with(self, end: Progress) -> [u64; Progress::NUMBERS + 1] {
        let mut numbers = [self as u64; Progress::NUMBERS + 1];
        numbers[1..].copy_from_slice(&end.numbers());
        numbers
    }
}

/// Returns the solver in the level of the newest good checkpoint, or else in level 0. `stuck` is the value of
/// a position whose side to move has no move. Of several `ranks` the first alone has `checkpoints`.
pub(super) fn begin<'a>(
    game: &'a Pursuit,
    stuck: Value,
    ranks: Option<&'a dyn Transport>,
    stop: StopRequest<'a>,
    store: &Arc<LogStore>,
    checkpoints: Option<&Checkpoints>,
) -> Result<Solver<'a>, SolveError> {
    let room = checkpoints.and_then(Checkpoints::set_room);
    let start = || Solver::started(game, stuck, ranks, stop, store, room.clone());
    let mut solver = start()?;
    // Whether the solver has left level 0.
    let mut is_used = false;
    let mut try_restore =
        |solver: &mut Solver<'a>, end: Progress, logs: Vec<Log>| -> Result<(), Unrestored> {
            if std::mem::replace(&mut is_used, true) {
                *solver = start()?;
            }
            restore(solver, end, logs)
        };
    let is_resumed = if solver.border.leads() {
        let resumed = checkpoints.map(|checkpoints| {
            checkpoints.resume(stop.observer(), |saved| {
                let (end, logs) = read(saved, &solver)?;
                solver.border.sum(&mut Order::Restore.with(end))?;
                try_restore(&mut solver, end, logs)
            })
        });
        let is_resumed = resumed.transpose()?.flatten().is_some();
        let order = if is_resumed { Order::GoOn } else { Order::Begin };
        solver.border.sum(&mut order.with(Progress::default()))?;
        is_resumed
    } else {
        loop {
            // Others add nothing to the numbers of the part that leads.
            let mut numbers = [0; Progress::NUMBERS + 1];
            solver.border.sum(&mut numbers)?;
            let [order, end @ ..] = numbers;
            if order != Order::Restore as u64 {
                break order == Order::GoOn as u64;
            }
            match try_restore(&mut solver, Progress::of_numbers(end), Vec::new()) {
                // The part that leads knows it too.
                Ok(()) | Err(Unrestored::Checkpoint(_)) => {}
                Err(Unrestored::Solve(error)) => return Err(error),
            }
        }
    };
    if is_resumed {
        stop.observer().resumed(solver.progress.level, solver.progress.decided());
    } else if is_used {
        solver = start()?;
    }
    Ok(solver)
}

/// Returns the error of a checkpoint that says something impossible.
fn wrong<T>(what: &'static str) -> Result<T, Unrestored> {
    Err(CheckpointError::State { what }.into())
}

/// Reads the state that [`SavedState::save`] has written: what it says of all slices, and their logs, by
/// their numbers. `solver` is one of the same game.
fn read(saved: &mut Saved, solver: &Solver) -> Result<(Progress, Vec<Log>), Unrestored> {
    let level = saved.level();
    let (mut counts, mut last) = ([0; Set::COUNT], [0; Set::COUNT]);
    for (count, last) in counts.iter_mut().zip(&mut last) {
        (*count, *last) = (saved.u64()?, saved.u32()?);
    }
    if level > MAX_DTW || last.iter().any(|&last| last > level) {
        return wrong("its levels");
    }
    let slices = solver.grid.slice_count();
    let mut chunks = Log::most_chunks(solver.game.side_positions(), slices);
    let end = Mark { bytes: saved.u64()?, chain: saved.u64()? };
    // A frame takes more than a byte of the file, and a list of frames less than that for each.
    chunks = chunks.min(end.bytes + slices as u64);
    let (mut logs, mut found) = (Vec::with_capacity(slices), Vec::with_capacity(slices));
    for slice in 0..slices as u32 {
        let (log, frames) = Log::restored(slice, &solver.store, saved, chunks)?;
        chunks = chunks.saturating_sub(frames.count() + 1);
        found.push(frames);
        logs.push(log);
    }
    solver.store.scan(end, |head, at| {
        if let Some(frames) = found.get_mut(head.about.log.get() as usize) {
            frames.take(head, at);
        }
    })?;
    for (log, frames) in logs.iter_mut().zip(found) {
        log.put_frames(frames)?;
    }
    Ok((Progress { level, counts, last }, logs))
}

/// Brings a solver from level 0 to the state that [`read`] has found. The part of the board that leads alone
/// has `logs`. Nothing of them is believed unchecked: they must be such as a solve could have written, and
/// decide as many positions as the checkpoint says, none of them twice. All parts have the same result.
fn restore(solver: &mut Solver, end: Progress, logs: Vec<Log>) -> Result<(), Unrestored> {
    let logs = solver.border.scatter(&solver.grid, logs)?;
    let swapped =
        solver.slices.iter_mut().zip(logs).map(|(state, log)| std::mem::replace(&mut state.log, log));
    let starts: Vec<Log> = swapped.collect();
    let possible = logs_are_possible(solver, &starts, end.level);
    if let Err(Unrestored::Solve(_)) = possible {
        return possible.map(drop);
    }
    if solver.border.any(!matches!(possible, Ok(true)))? {
        return possible.and_then(|_| wrong("what was decided when"));
    }
    solver.progress.level = end.level;
    let twice = match replay(solver) {
        // Other parts cannot know it.
        Err(SolveError::Log(error)) if solver.border.has_others() => {
            return Err(Unrestored::Solve(SolveError::Log(error)));
        }
        twice => twice?,
    };
    if solver.border.any(twice)? {
        return wrong("a position, twice");
    }
    if solver.progress.counts != end.counts {
        return wrong("how many positions are decided");
    }
    solver.progress.last = end.last;
    Ok(())
}

/// Returns whether a solve up to `level` could have written the logs.
fn logs_are_possible(solver: &mut Solver, starts: &[Log], level: Plies) -> Result<bool, Unrestored> {
    let grid: &Grid = &solver.grid;
    Ok((solver.slices.par_iter_mut(), starts)
        .into_par_iter()
        .enumerate()
        .map(|(slice, (state, start))| {
            let ranges = grid.cut.count();
            let (overlay, tiles) = (&grid.overlays[slice / ranges], grid.cut.tiles(slice % ranges));
            let rows_of = |tile: u32| tiles.contains(&tile).then(|| first_bits(grid.rows(tile)));
            state.log.check(rows_of, overlay.open, start, level)
        })
        .try_reduce(|| true, |all, log| Ok(all && log))?)
}

/// Makes the sets, what the last level has changed, and the counts follow from the logs and level 0. Returns
/// whether the logs of own slices decide a position twice.
///
/// The logs have the police's sets. The thief's sets of level *d* follow from the police's of level *d* - 1,
/// since each move of the thief leads to a position with the police to move. So the thief's sets are found
/// twice, each time in one pass for his wins and one for his losses: first from all that is set in the levels
/// before the last, then from what the last level has changed.
fn replay(solver: &mut Solver) -> Result<bool, SolveError> {
    let twice = AtomicBool::new(false);
    let police = |solver: &mut Solver, levels: RangeInclusive<Plies>, all_changed| {
        solver.pass_of_both(|solver, group| replay_police(solver, group, levels.clone(), all_changed, &twice))
    };
    let both = |solver: &mut Solver, level| -> Result<Added, SolveError> {
        Ok(solver.pass_of_both(replay_thief)?.and(police(solver, level..=level, false)?))
    };
    let level = solver.progress.level;
    if level >= 2 {
        let added = police(solver, 1..=level - 2, true);
        solver.finish_level(added, [true; 2])?;
        let added = both(solver, level - 1);
        solver.finish_level(added, [true; 2])?;
    }
    if level >= 1 {
        let added = both(solver, level);
        solver.finish_level(added, [true; 2])?;
    }
    Ok(twice.into_inner())
}

/// Lets the police's set of `group` grow by the log's entries of `levels`. See [`join_logged`].
fn replay_police(
    solver: &mut Solver,
    group: Group,
    levels: RangeInclusive<Plies>,
    all_changed: bool,
    twice: &AtomicBool,
) -> Result<Added, SolveError> {
    pass_of(solver, Side::Police, group, |step| join_logged(step, levels.clone(), all_changed, twice))
}

/// Lets the thief's set of `group` grow by what has changed in the police's sets of the other group.
fn replay_thief(solver: &mut Solver, group: Group) -> Result<Added, SolveError> {
    pass_of(solver, Side::Thief, group, grow_by_thief_moves)
}

/// Runs a pass in which the set of `side` alone grows. A pass forgets what has changed in both growing sets;
/// here that of the other side stays.
fn pass_of(
    solver: &mut Solver,
    side: Side,
    group: Group,
    each: impl Fn(&mut Step) + Sync,
) -> Result<Added, SolveError> {
    let other = group.sets()[side.other()] as usize;
    let none = vec![Changed::default(); solver.changed[other].len()];
    let changed = std::mem::replace(&mut solver.changed[other], none);
    let blocks = solver.pass(group, false, true, each);
    solver.changed[other] = changed;
    blocks
}

/// Lets the positions join the police's growing set that the slice's log has for `levels`, none of them 0.
/// Marks these as changed or, with `all_changed`, the whole set. Sets `twice` if the log has a
/// position that is already decided.
fn join_logged(step: &mut Step, levels: RangeInclusive<Plies>, all_changed: bool, twice: &AtomicBool) {
    let (pass, slice) = (step.pass, step.slice);
    let set = pass.growing[Side::Police];
    let rival = pass.standing(Side::Police, slice.overlay);
    // The codes of wins are odd and those of losses even, or the other way round: both rise with the level.
    let wanted = set.code(*levels.start())..=set.code(*levels.end());
    // Without a log while it is read, the state can change.
    let nothing = Log::new(0, Arc::clone(step.state.log.store()));
    let log = std::mem::replace(&mut step.state.log, nothing);
    let visited = log.visit_entries(*levels.start(), |entry| {
        if step.is_stopped() {
            return ControlFlow::Break(());
        }
        if !wanted.contains(&entry.code) || entry.code % 2 != wanted.start() % 2 {
            return ControlFlow::Continue(());
        }
        let (before, other) =
            (step.growing[Side::Police].words.block(slice.at(entry.tile)), rival.block(entry.tile));
        let mut new = [0; ROWS];
        entry.for_each_run(|rows, word| {
            for row in ones(rows) {
                new[row] = word & !before[row] & !other[row];
                if new[row] != word {
                    twice.store(true, Relaxed);
                }
            }
        });
        step.join(Side::Police, entry.tile, entry.rows, &new);
        if all_changed {
            // What has changed is found below, once for each block.
            step.growing[Side::Police].changed.0.clear();
        }
        ControlFlow::Continue(())
    });
    step.state.log = log;
    if let Err(error) = visited {
        step.state.fail(error);
    }
    if all_changed {
        let growing = &mut step.growing[Side::Police];
        growing.changed.mark_all(pass.grid, slice, |at| growing.words.block(at));
    }
}
