//! Saves the state of a solve in a checkpoint, and resumes a solve from one (`PROTOCOL.md` §9).

use super::{
    grid::Grid,
    level,
    log::{Log, LogMark, LogStore, SavedLog},
    pass::{Changed, Growth, Pass, Slice},
    sets::{Group, Set},
    slice_state::{GrowingSet, Joined, SliceState},
    solver::Solver,
    words::{Cross, ROWS, first_bits, rows_with_bits},
};
use crate::{
    checkpoint::{Frames, LogFileMark, Saved, Unrestored},
    games::pursuit::Pursuit,
    solve_error::SolveError,
    stop::StopRequest,
    warning::CheckpointError,
};
use dragnet_formats::{
    cell::Side,
    value::{MAX_DTW, Plies, Value},
};
use level::{Scratch, grow_by_thief_moves};
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
    counts: [u64; Set::COUNT],
    last: [Plies; Set::COUNT],
    logs: Vec<SavedLog>,
    store: Arc<LogStore>,
}

impl SavedState {
    /// Copies the state at the end of a level: the logs of all slices as far as they went then.
    pub(super) fn new<'a>(
        logs: impl IndexedParallelIterator<Item = (&'a Log, LogMark)>,
        counts: [u64; Set::COUNT],
        last: [Plies; Set::COUNT],
        store: &Arc<LogStore>,
    ) -> SavedState {
        let logs = logs.map(|(log, end)| log.snapshot(end)).collect();
        SavedState { counts, last, logs, store: Arc::clone(store) }
    }

    /// Writes the state into a checkpoint: what is new to the file of the logs there, and then all else.
    pub(super) fn save(&self, frames: &mut Frames) -> io::Result<()> {
        self.logs.iter().try_for_each(|log| log.put_in_file(frames))?;
        let end = self.store.keep()?;
        for (count, last) in self.counts.iter().zip(self.last) {
            frames.put(&count.to_le_bytes())?;
            frames.put(&last.to_le_bytes())?;
        }
        frames.put(&end.bytes.to_le_bytes())?;
        frames.put(&end.chain.to_le_bytes())?;
        self.logs.iter().try_for_each(|log| log.save(frames))
    }
}

/// Reads the state that [`SavedState::save`] has written, and returns the solver in its level. Nothing of it
/// is believed unchecked: the logs must be such as a solve could have written, and decide as many positions
/// as the checkpoint says, none of them twice.
pub(super) fn restore<'a>(
    game: &'a Pursuit,
    stuck: Value,
    saved: &mut Saved,
    stop: StopRequest<'a>,
    store: &Arc<LogStore>,
) -> Result<Solver<'a>, Unrestored> {
    let wrong = |what| Err(CheckpointError::State { what }.into());
    let level = saved.level();
    let (mut counts, mut last) = ([0; Set::COUNT], [0; Set::COUNT]);
    for (count, last) in counts.iter_mut().zip(&mut last) {
        (*count, *last) = (saved.u64()?, saved.u32()?);
    }
    if level > MAX_DTW || last.iter().any(|&last| last > level) {
        return wrong("its levels");
    }
    let mut solver = Solver::started(game, stuck, stop, store)?;
    let starts = restore_logs(&mut solver, saved)?;
    if !logs_are_possible(&mut solver, &starts, level)? {
        return wrong("what was decided when");
    }
    solver.level = level;
    if !replay(&mut solver)? {
        return wrong("a position, twice");
    }
    if solver.counts != counts {
        return wrong("how many positions are decided");
    }
    solver.last = last;
    Ok(solver)
}

/// Reads the logs of all slices. Returns those of level 0 that they replace.
fn restore_logs(solver: &mut Solver, saved: &mut Saved) -> Result<Vec<Log>, Unrestored> {
    let mut chunks = Log::most_chunks(solver.game.side_positions(), solver.slices.len());
    let end = LogFileMark { bytes: saved.u64()?, chain: saved.u64()? };
    // A frame takes more than a byte of the file, and a list of frames less than that for each.
    chunks = chunks.min(end.bytes + solver.slices.len() as u64);
    let mut found = Vec::with_capacity(solver.slices.len());
    let mut starts = Vec::with_capacity(solver.slices.len());
    for state in &mut solver.slices {
        let (log, frames) = state.log.restore(saved, chunks)?;
        chunks = chunks.saturating_sub(frames.count() + 1);
        found.push(frames);
        starts.push(std::mem::replace(&mut state.log, log));
    }
    solver.store.scan(end, |head, crc, at| {
        if let Some(frames) = found.get_mut(head.log as usize) {
            frames.take(head, crc, at);
        }
    })?;
    for (state, frames) in solver.slices.iter_mut().zip(found) {
        state.log.put_frames(frames)?;
    }
    Ok(starts)
}

/// Returns whether a solve up to `level` could have written the logs.
fn logs_are_possible(solver: &mut Solver, starts: &[Log], level: Plies) -> Result<bool, Unrestored> {
    let grid: &Grid = &solver.grid;
    Ok((solver.slices.par_iter_mut(), starts)
        .into_par_iter()
        .enumerate()
        .map(|(slice, (state, start))| {
            let ranges = grid.cut.count();
            let (overlay, tiles) = (&grid.overlays[slice / ranges], grid.cut.range(slice % ranges));
            let rows_of = |tile: u32| tiles.contains(&tile).then(|| first_bits(grid.rows(tile)));
            state.log.check(rows_of, overlay.open, start, level)
        })
        .try_reduce(|| true, |all, log| Ok(all && log))?)
}

/// Makes the sets, what the last level has changed, and the counts follow from the logs and level 0. Returns
/// whether the logs decide no position twice.
///
/// The logs have the police's sets. The thief's sets of level *d* follow from the police's of level *d* - 1,
/// since each move of the thief leads to a position with the police to move. So the thief's sets are found
/// twice, each time in one pass for his wins and one for his losses: first from all that is set in the levels
/// before the last, then from what the last level has changed.
fn replay(solver: &mut Solver) -> Result<bool, SolveError> {
    let twice = AtomicBool::new(false);
    let level = solver.level;
    if level >= 2 {
        for group in Group::BOTH {
            replay_police(solver, group, 1..=level - 2, true, &twice)?;
        }
        for group in Group::BOTH {
            replay_thief(solver, group)?;
        }
        for group in Group::BOTH {
            replay_police(solver, group, level - 1..=level - 1, false, &twice)?;
        }
    }
    if level >= 1 {
        for group in Group::BOTH {
            solver.changed_blocks[group as usize] = replay_thief(solver, group)?;
        }
        for group in Group::BOTH {
            solver.changed_blocks[group as usize] +=
                replay_police(solver, group, level..=level, false, &twice)?;
        }
    }
    Ok(!twice.into_inner())
}

/// Lets the police's set of `group` grow by the log's entries of `levels`. See [`join_logged`].
fn replay_police(
    solver: &mut Solver,
    group: Group,
    levels: RangeInclusive<Plies>,
    all_changed: bool,
    twice: &AtomicBool,
) -> Result<usize, SolveError> {
    pass_of(solver, Side::Police, group, |pass, scratch, slice, growing, state| {
        join_logged(pass, scratch, slice, growing, state, levels.clone(), all_changed, twice)
    })
}

/// Lets the thief's set of `group` grow by what has changed in the police's sets of the other group.
fn replay_thief(solver: &mut Solver, group: Group) -> Result<usize, SolveError> {
    pass_of(solver, Side::Thief, group, |pass, scratch, slice, mut growing, state| {
        grow_by_thief_moves(pass, scratch, slice, &mut growing[Side::Thief as usize], state);
        Joined::new(&growing, state)
    })
}

/// Runs a pass in which the set of `side` alone grows. A pass forgets what has changed in both growing sets;
/// here that of the other side stays.
fn pass_of(
    solver: &mut Solver,
    side: Side,
    group: Group,
    each: impl Fn(&Pass, &mut Scratch, Slice, [GrowingSet; 2], &mut SliceState) -> Joined + Sync,
) -> Result<usize, SolveError> {
    let other = group.sets()[side.other() as usize] as usize;
    let none = vec![Changed::default(); solver.slices.len()];
    let changed = std::mem::replace(&mut solver.changed[other], none);
    let blocks = solver.pass(group, false, true, each);
    solver.changed[other] = changed;
    blocks
}

/// Lets the positions join the police's growing set that the slice's log has for `levels`, none of them 0.
/// Marks these as changed or, with `all_changed`, the whole set. Sets `twice` if the log has a
/// position that is already decided.
#[expect(clippy::too_many_arguments, reason = "the first five are those of any step of a pass")]
fn join_logged(
    pass: &Pass,
    scratch: &mut Scratch,
    slice: Slice,
    mut growing: [GrowingSet; 2],
    state: &mut SliceState,
    levels: RangeInclusive<Plies>,
    all_changed: bool,
    twice: &AtomicBool,
) -> Joined {
    let set = pass.growing[Side::Police as usize];
    let rival = pass.standing(Side::Police, slice.overlay);
    let own = &mut growing[Side::Police as usize];
    // The codes of wins are odd and those of losses even, or the other way round: both rise with the level.
    let wanted = set.code(*levels.start())..=set.code(*levels.end());
    // Without a log while it is read, the state can change.
    let nothing = Log::new(0, Arc::clone(state.log.store()));
    let log = std::mem::replace(&mut state.log, nothing);
    let visited = log.visit_entries(*levels.start(), |entry| {
        if scratch.is_stopped(pass) {
            return ControlFlow::Break(());
        }
        if !wanted.contains(&entry.code) || entry.code % 2 != wanted.start() % 2 {
            return ControlFlow::Continue(());
        }
        let (before, other) = (own.set.block(entry.tile - slice.first), rival.block(entry.tile));
        let mut new = [0; ROWS];
        entry.for_each_row(|at, word| {
            new[at] = word & !before[at] & !other[at];
            if new[at] != word {
                twice.store(true, Relaxed);
            }
        });
        state.join_rows(pass.grid, set, own, entry.tile, &new, entry.rows);
        if all_changed {
            // What has changed is found below, once for each block.
            own.changed.0.clear();
        }
        ControlFlow::Continue(())
    });
    state.log = log;
    if let Err(error) = visited {
        state.log.fail(error);
    }
    if all_changed {
        for tile in pass.grid.cut.range(slice.range) {
            let words = &own.set.block(tile - slice.first)[..pass.grid.rows(tile)];
            let rows = rows_with_bits(words);
            if rows != 0 {
                let cells = words.iter().fold(0, |cells, word| cells | word);
                own.changed.0.push(Growth { tile, cross: Cross::of(cells), rows });
            }
        }
    }
    Joined::new(&growing, state)
}
