//! A solve: the sets, and a pass over all slices, in which they grow.

use super::{
    board::{Grid, Overlays},
    level::{Added, Changed, Flags, GrowingSet, Pass, Progress, Scratch, Slice, SliceState, Step, Undecided},
    log::{Log, LogStore},
    memory,
    ranks::{Border, LogsUntil, part_of},
    sets::{BySide, Group, PageStore, Set, SetWords, SharedBlocks, SliceWords, by_role, lines_of_page},
};
use crate::{
    budget::Part,
    checkpoint::SetRoom,
    games::pursuit::Pursuit,
    lock::with_own,
    log_error::LogError,
    memory::ask_for,
    observer::SliceWork,
    pass_threads::{PassThreads, WorkShares},
    ranks::Transport,
    solve_error::SolveError,
    stop::StopRequest,
    warning::Warning,
};
use dragnet_formats::{cell::Side, value::Plies};
use rayon::prelude::*;
use std::sync::{Arc, Mutex};

/// Returns the bytes of sets from which on blocks are to be dropped again, when that has left `bytes`. Small
/// boards would only lose time. In unit tests each level drops what it can.
fn drop_from(bytes: u64) -> u64 {
    if cfg!(test) { 0 } else { (bytes / 8 * 9).max(8 << 20) }
}

/// So many pairs of levels pass from one sharing-out of the slices to the next; a group mostly grows in one
/// level of each pair. By the times of lak303d's slices 16 threads wait 2 % longer with 4 than with 1. As
/// much is saved, because the thread that shares them out fetches their work from the others' caches.
const SHARED_ANEW: Plies = 4;

/// All that changes while solving.
pub(super) struct Solver<'a> {
    pub(super) game: &'a Pursuit,
    pub(super) grid: Grid,
    /// The border to the parts of the board that others solve.
    pub(super) border: Box<dyn Border + 'a>,
    /// The words of the sets.
    pub(super) sets: SetWords,
    /// The store of the sets' words, if they may leave memory.
    pages: Option<Arc<PageStore>>,
    /// The slice whose words were evicted last.
    evicted: usize,
    /// The growth of each set when it last grew, by [`Set`] and slice.
    pub(super) changed: [Vec<Changed>; Set::COUNT],
    /// In how many blocks of the whole board the last level has added positions, by [`Group`].
    pub(super) changed_blocks: [u64; 2],
    /// The states of the own slices.
    pub(super) slices: Vec<SliceState>,
    flags: Flags,
    /// The part of the logs that all slices share.
    pub(super) store: Arc<LogStore>,
    pub(super) threads: PassThreads,
    /// The own slices, most neighbours close together.
    near_slices: Vec<u32>,
    /// How the passes over each group share the slices out, by [`Group`].
    shares: [WorkShares; 2],
    /// The scratch memory of each thread.
    scratch: Vec<Mutex<Scratch>>,
    /// The positions that are decided, and the level that is being solved.
    pub(super) progress: Progress,
    /// The progress at the end of the level before that one, to which one can go back from its middle.
    pub(super) last_end: Progress,
    /// The bytes of the sets after their last passes, by [`Group`].
    set_bytes: [u64; 2],
    /// The bytes of these sets from which on it pays to drop blocks.
    drop_from: u64,
    pub(super) stop: StopRequest<'a>,
}

impl<'a> Solver<'a> {
    /// Creates the solver of a board, or of the part of it that belongs to this one of `ranks`, in which
    /// nothing is decided. The words of its sets stay in memory unless there is another `room` for them.
    pub(super) fn new(
        game: &'a Pursuit,
        ranks: Option<&'a dyn Transport>,
        stop: StopRequest<'a>,
        store: &Arc<LogStore>,
        room: Option<SetRoom>,
    ) -> Result<Solver<'a>, SolveError> {
        let packed = Overlays::new(&game.places()[1], game.officers(), game.numbering().worlds());
        let (threads, budget) = (PassThreads::new(), store.budget());
        budget.set(Part::Fixed, memory::fixed(game, threads.count() as u64));
        let words = budget.left();
        let (rows, overlays) = (game.police().list().len() as u64, packed.count() as u64);
        let least = memory::least(rows, overlays, game.side_positions(), words);
        ask_for(least / ranks.map_or(1, Transport::ranks) as u64)?;
        let (grid, border) = part_of(game, &packed, ranks, stop, store)?;
        let room = room.filter(|_| memory::most_of_sets(&grid) > budget.left());
        let pages = room.map(|room| Arc::new(PageStore::new(room, lines_of_page(grid.most_rows()))));
        let (own, ranges) = (grid.own_slices(), grid.cut.count());
        let held = grid.held_slices();
        // Moves of the police stay on the cells of an overlay, so that nobody reads the thief's sets in a
        // ghost.
        let slices_of = |set: Set| if set.mover() == Side::Police { held } else { own };
        let empty = |set: Set| -> Result<Vec<SharedBlocks>, SolveError> {
            (0..slices_of(set))
                .into_par_iter()
                .map(|slice| {
                    if !border.has_others() {
                        stop.check()?;
                    }
                    let tiles = grid.cut.tiles(slice % ranges).len();
                    Ok(SharedBlocks::new(tiles, grid.most_rows(), pages.as_ref())?)
                })
                .collect()
        };
        let dense = if pages.is_none() { SetWords::dense(&grid)? } else { None };
        let sets = match dense {
            Some(dense) => dense,
            None => {
                let [police_wins, police_loses, thief_wins, thief_loses] = Set::ALL.map(empty);
                SetWords::Shared([police_wins?, police_loses?, thief_wins?, thief_loses?])
            }
        };
        let states = (0..own).into_par_iter().map(|slice| {
            let tiles = grid.cut.tiles(slice % ranges);
            let log = Log::new(grid.log_number(slice) as u32, Arc::clone(store));
            SliceState::new(&grid, slice / ranges, tiles, log)
        });
        let states = states.collect();
        let longest = grid.cut.tiles(0).len();
        let near_slices = grid.near_slices();
        let equal_shares = |slices: &[u32]| WorkShares::new(slices, threads.count(), |_| 0);
        Ok(Solver {
            game,
            border,
            changed: Set::ALL.map(|set| vec![Changed::default(); slices_of(set)]),
            sets,
            pages,
            evicted: 0,
            changed_blocks: [0; 2],
            slices: states,
            flags: Flags::new(&grid)?,
            store: Arc::clone(store),
            shares: Group::BOTH.map(|_| equal_shares(&near_slices)),
            near_slices,
            scratch: (0..threads.count()).map(|_| Mutex::new(Scratch::new(longest))).collect(),
            threads,
            grid,
            progress: Progress::default(),
            last_end: Progress::default(),
            set_bytes: [0; 2],
            drop_from: drop_from(0),
            stop,
        })
    }

    /// Notes the end of the level that has just been solved.
    pub(super) fn end_level(&mut self) {
        self.last_end = self.progress;
    }

    /// Brings the logs of all parts of the board, up to the level that [`Solver::end_level`] has noted last,
    /// to the part that has the checkpoints. Returns them there.
    pub(super) fn gather_logs(&mut self) -> Result<Option<LogsUntil<'_>>, SolveError> {
        let level = self.last_end.level;
        let own = self.slices.iter().map(|state| (&state.log, state.end_of(level))).collect();
        self.border.gather(&self.grid, own)
    }

    /// Returns the grid and the logs of the whole board, as far as this part of it knows them, when the solve
    /// is at its end.
    pub(super) fn into_logs(mut self) -> Result<(Grid, Vec<Log>), SolveError> {
        let own = self.slices.into_iter().map(|state| state.log).collect();
        self.border.join_parts(self.game, self.grid, own)
    }

    /// Drops the blocks that nobody will read any more, if the sets have grown much since that was done last.
    pub(super) fn drop_decided(&mut self) -> Result<(), SolveError> {
        if self.set_bytes.iter().sum::<u64>() < self.drop_from {
            return Ok(());
        }
        for set in Set::ALL {
            let slices = self.sets.shared().map_or(0, |sets| sets[set as usize].len());
            self.in_rounds(slices, |solver, waiting| solver.drop_decided_of(set, waiting))?;
        }
        self.set_bytes = Group::BOTH.map(|group| self.bytes_of(group, self.grid.own_slices()));
        self.account();
        self.drop_from = drop_from(self.set_bytes.iter().sum());
        Ok(())
    }

    /// Drops the blocks of a set that nobody will read any more, in a round of the slices.
    fn drop_decided_of(&mut self, set: Set, waiting: &mut [bool]) -> Result<(), SolveError> {
        let undecided =
            Undecided { grid: &self.grid, team: self.game.team(), slices: &self.slices, stop: self.stop };
        let ranges = self.grid.cut.count();
        let Some(sets) = self.sets.shared() else { return Ok(()) };
        let slices = sets[set as usize].par_iter_mut().zip(waiting).enumerate();
        slices.try_for_each(|(number, (words, waits))| {
            if !begin_if_room(waits, self.pages.as_deref()) {
                return Ok(());
            }
            let (slice, mut pieces) = (Slice::new(&self.grid, number), 0);
            for (at, tile) in (0..).zip(self.grid.cut.tiles(number % ranges)) {
                if self.stop.ask_at_times(&mut pieces) {
                    return Err(SolveError::Stopped);
                }
                if words.is_stored(at) && !undecided.is_read(set.mover(), slice, tile) {
                    words.drop_block(at)?;
                }
            }
            Ok(())
        })
    }

    /// Returns the bytes of the sets of a group in so many slices.
    fn bytes_of(&self, group: Group, slices: usize) -> u64 {
        group.sets().0.map(|set| self.sets.bytes_of(set, slices)).iter().sum()
    }

    /// Calls `round` until none of `slices` slices waits any more, and evicts words after each round if too
    /// many are in memory. `round` must work on exactly the slices for which [`begin_if_room`] returns true.
    fn in_rounds(
        &mut self,
        slices: usize,
        mut round: impl FnMut(&mut Solver<'a>, &mut [bool]) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let mut waiting = vec![true; slices];
        while waiting.contains(&true) {
            round(self, &mut waiting)?;
            if let Some(failure) = self.pages.as_ref().and_then(|pages| pages.take_failure()) {
                return Err(failure.into());
            }
            self.make_room();
        }
        Ok(())
    }

    /// Lets the logs leave memory if too much of it is taken, and then the words of one slice after another.
    fn make_room(&mut self) {
        if self.store.is_past_limit()
            && let Err(error) = self.slices.par_iter().try_for_each(|state| state.log.leave_memory())
        {
            self.store.refuse(error);
        }
        let Some(pages) = self.pages.as_ref().filter(|pages| pages.must_evict()) else { return };
        let slices = self.grid.held_slices();
        for _ in 0..slices {
            self.evicted = (self.evicted + 1) % slices;
            let sets = self.sets.shared().into_iter().flatten();
            sets.filter_map(|sets| sets.get_mut(self.evicted)).for_each(SharedBlocks::evict);
            if pages.has_evicted_enough() {
                break;
            }
        }
    }

    /// Takes the warning that words which were to leave memory stay there, once.
    pub(super) fn take_warning(&self) -> Option<Warning> {
        self.pages.as_ref()?.take_warning()
    }

    /// Splits the solver for a pass: what it changes, and what it reads.
    pub(super) fn parts(&mut self, group: Group, defers: bool) -> (Growing<'_>, Pass<'_>) {
        let (growing, standing) = (group.sets(), group.other().sets());
        let (sets, standing_words) = self.sets.split(&self.grid, growing.0, standing.0);
        let [police_changed, thief_changed, police_before, thief_before] =
            by_role(&mut self.changed, growing.0, standing.0);
        let pass = Pass {
            game: self.game,
            grid: &self.grid,
            level: self.progress.level,
            group,
            growing,
            standing: BySide(standing_words),
            changed: BySide([police_before, thief_before]),
            flags: &self.flags,
            defers,
            stop: self.stop,
        };
        let growing = Growing {
            slices: &mut self.slices,
            sets,
            changed: [police_changed, thief_changed],
            scratch: &self.scratch,
            threads: &self.threads,
            shares: &self.shares[group as usize],
        };
        (growing, pass)
    }

    /// Calls `each` for all own slices, with the sets of `group` growing, on one thread unless `shared`.
    /// Returns what they have added.
    pub(super) fn pass(
        &mut self,
        group: Group,
        defers: bool,
        shared: bool,
        each: impl Fn(&mut Step) + Sync,
    ) -> Result<Added, SolveError> {
        let mut added = Added::default();
        self.in_rounds(self.slices.len(), |solver, waiting| {
            added = added.and(solver.pass_round(group, defers, shared, waiting, &each)?);
            Ok(())
        })?;
        self.set_bytes[group as usize] = added.set_bytes;
        self.account();
        if shared && (self.progress.level / 2).is_multiple_of(SHARED_ANEW) {
            self.share_out(group);
        }
        let ranges = self.grid.cut.count();
        let mut work = self.slices.iter().enumerate().map(|(slice, state)| SliceWork {
            square: self.grid.order.squares[slice / ranges],
            range: (slice % ranges) as u32,
            rows: state.work,
        });
        self.stop.observer().pass(shared, &mut work);
        Ok(added)
    }

    /// Tells the budget what the sets take, beside words that may leave memory.
    fn account(&self) {
        let (bytes, budget) = (self.set_bytes.iter().sum(), self.store.budget());
        let (slices, threads) = (self.slices.len() as u64, self.threads.count() as u64);
        let taken = match (&self.pages, &self.sets) {
            // Half of what the sets may have is for words that stay between two slices.
            (Some(_), _) => memory::beside_words(bytes, slices, threads).min(budget.left_for_sets() / 2),
            (None, SetWords::Dense(_)) => bytes,
            (None, SetWords::Shared(_)) => memory::of_sets(&self.grid, bytes),
        };
        budget.set(Part::Beside, taken);
    }

    /// Shares the slices out anew for the next passes over `group`, by the rows that the last one has looked
    /// at.
    fn share_out(&mut self, group: Group) {
        let (slices, threads) = (&self.slices, self.threads.count());
        if threads > 1 && slices.iter().any(|state| state.work > 0) {
            let work = |slice: u32| slices[slice as usize].work;
            self.shares[group as usize] = WorkShares::new(&self.near_slices, threads, work);
        }
    }

    /// Calls `each` in a round of the slices of a pass. See [`Solver::pass`].
    fn pass_round(
        &mut self,
        group: Group,
        defers: bool,
        shared: bool,
        waiting: &mut [bool],
        each: impl Fn(&mut Step) + Sync,
    ) -> Result<Added, SolveError> {
        let pages = self.pages.clone();
        let (
            Growing {
                slices,
                sets: [police, thief],
                changed: [police_changed, thief_changed],
                scratch,
                threads,
                shares,
            },
            pass,
        ) = self.parts(group, defers);
        let growing_sets = police.into_iter().zip(thief).zip(police_changed.iter_mut().zip(thief_changed));
        let slices = slices.iter_mut().zip(waiting).zip(growing_sets).enumerate();
        let work = |(slice, ((state, waits), ((police, thief), (police_changed, thief_changed))))| {
            // What a pass that is stopped has left in the scratch memory must not be used.
            if pass.stop.is_received() || !begin_if_room(waits, pages.as_deref()) {
                return Added::default();
            }
            let growing = BySide([
                GrowingSet { words: police, changed: police_changed },
                GrowingSet { words: thief, changed: thief_changed },
            ]);
            with_own(scratch, |scratch| {
                let mut step = Step::new(&pass, Slice::new(pass.grid, slice), scratch, growing, state);
                each(&mut step);
                step.finish()
            })
        };
        let added = threads.sum(shared, shares, slices, work, Added::and);
        if self.stop.is_received() {
            return Err(SolveError::Stopped);
        }
        if added.failed {
            return Err(self.failure().into());
        }
        Ok(added)
    }

    /// Returns why words or a log failed. A refusal of memory has the bytes of all sets and logs: what was
    /// refused is only the last piece of them.
    fn failure(&mut self) -> LogError {
        let logs: u64 = self.slices.iter().map(|state| state.log.bytes()).sum();
        let sets: u64 = Group::BOTH.map(|group| self.bytes_of(group, usize::MAX)).iter().sum();
        let mut failures = self.slices.iter_mut().filter_map(SliceState::take_failure);
        let mut failure = failures.next().expect("words or a log have failed");
        if let LogError::OutOfMemory(refusal) = &mut failure {
            refusal.bytes += logs + sets;
        }
        failure
    }
}

/// Returns whether work on a slice begins in this round: it waits, and the words in memory are within their
/// limit. Then it waits no more.
fn begin_if_room(waits: &mut bool, pages: Option<&PageStore>) -> bool {
    let begins = *waits && !pages.is_some_and(PageStore::must_evict);
    *waits &= !begins;
    begins
}

/// The parts of a solver that a pass changes.
pub(super) struct Growing<'a> {
    slices: &'a mut Vec<SliceState>,
    /// The growing sets, by side to move and slice.
    sets: [Vec<SliceWords<'a>>; 2],
    /// Their growth, by side to move and slice.
    changed: [&'a mut Vec<Changed>; 2],
    scratch: &'a [Mutex<Scratch>],
    pub(super) threads: &'a PassThreads,
    pub(super) shares: &'a WorkShares,
}
