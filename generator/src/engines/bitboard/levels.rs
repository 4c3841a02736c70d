//! The levels of a solve.

use super::{
    level::{self, Added, Slice, TileStart, Undecided, start},
    log::LogStore,
    ranks::GrownLevel,
    sets::Group,
    solver::{Growing, Solver},
};
use crate::{
    checkpoint::SetRoom, games::pursuit::Pursuit, ranks::Transport, solve_error::SolveError,
    stop::StopRequest,
};
use dragnet_formats::value::Value;
use rayon::prelude::*;
use std::sync::Arc;

/// Levels in which fewer blocks than this have changed are left to one thread: waking the others takes
/// longer. With two threads 8 and 128 are as quick on arena and maze-65 (medians of 7 runs within 2 %).
const SHARED_LEVEL: u64 = 32;

/// Tiles of which one asks whether the work is to stop.
const TILES: usize = 64;

impl<'a> Solver<'a> {
    /// Creates a solver in level 0. `stuck` is the value of a position whose side to move has no move.
    pub(super) fn started(
        game: &'a Pursuit,
        stuck: Value,
        ranks: Option<&'a dyn Transport>,
        stop: StopRequest<'a>,
        store: &Arc<LogStore>,
        room: Option<SetRoom>,
    ) -> Result<Solver<'a>, SolveError> {
        let mut solver = Solver::new(game, ranks, stop, store, room)?;
        let stuck_wins = matches!(stuck, Value::Win(_));
        let count = solver.grid.tile_count();
        let tiles = (0..solver.grid.worlds() as usize * count).into_par_iter();
        let tile = |number: usize| {
            // To ask for each tile would take as long as to look at it.
            if number.is_multiple_of(TILES) && stop.ask() || stop.is_received() {
                return Err(SolveError::Stopped);
            }
            Ok(TileStart::new(game, &solver.grid, (number / count) as u32, (number % count) as u32))
        };
        let tiles = tiles.map(tile).collect::<Result<Vec<TileStart>, _>>();
        // Other parts of the board wait for this one even if it is to stop.
        let started = tiles.and_then(|tiles| {
            solver.pass_of_both(|solver, group| {
                solver.pass(group, false, true, |step| start(step, &tiles, stuck_wins))
            })
        });
        solver.finish_level(started, [true; 2])?;
        Ok(solver)
    }

    /// Calls `pass` for both groups. Returns what both have added.
    pub(super) fn pass_of_both(
        &mut self,
        mut pass: impl FnMut(&mut Solver<'a>, Group) -> Result<Added, SolveError>,
    ) -> Result<Added, SolveError> {
        let [wins, losses] = Group::BOTH;
        Ok(pass(self, wins)?.and(pass(self, losses)?))
    }

    /// Solves the next level, and returns whether a checkpoint is due then, which `is_due` says in some part
    /// of the board. Returns `None`, and does nothing, if the last level has decided nothing. A level that is
    /// stopped in its middle is left half solved: all that can be done then is to save what
    /// [`Solver::end_level`] has noted.
    ///
    /// # Errors
    /// See [`SolveError`]. If one part of the board is to stop, all are.
    pub(super) fn next_level(&mut self, is_due: impl Fn() -> bool) -> Result<Option<bool>, SolveError> {
        if self.changed_blocks == [0; 2] {
            return if self.border.any(self.stop.ask())? { Err(SolveError::Stopped) } else { Ok(None) };
        }
        let [wins, losses] = self.changed_blocks.map(|blocks| blocks > 0);
        let added = if self.stop.ask() { Err(SolveError::Stopped) } else { self.grow_both(wins, losses) };
        self.finish_level_with_flag(added, [losses, wins], is_due()).map(Some)
    }

    /// Returns whether the last level has changed so many blocks that all threads take part in what follows.
    fn is_shared(&self) -> bool {
        self.changed_blocks.iter().sum::<u64>() >= SHARED_LEVEL
    }

    /// Lets the sets grow that depend on those that the last level has changed: `wins` or `losses`. Returns
    /// what they have added.
    fn grow_both(&mut self, wins: bool, losses: bool) -> Result<Added, SolveError> {
        self.drop_decided()?;
        self.progress.level += 1;
        let shared = self.is_shared();
        let mut added = Added::default();
        // Wins follow from losses and losses from wins. If both grow, each must see the other as the last
        // level left it: the wins are found first but wait, the losses grow, and then the wins join.
        let both = wins && losses;
        if losses {
            added = self.grow(Group::Wins, both, shared)?;
        }
        if wins {
            added = added.and(self.grow(Group::Losses, false, shared)?);
        }
        if both {
            added = added.and(self.pass(Group::Wins, false, shared, level::join_deferred)?);
        }
        Ok(added)
    }

    /// Lets the sets of `group` grow by what the last level has changed.
    fn grow(&mut self, group: Group, defers: bool, shared: bool) -> Result<Added, SolveError> {
        if self.grid.teams.is_some() {
            let (Growing { threads, shares, .. }, pass) = self.parts(group, defers);
            let flag = |slice| level::flag_dependents(&pass, Slice::new(pass.grid, slice));
            threads.sum(shared, shares, 0..pass.grid.own_slices(), flag, |(), ()| ());
        }
        if self.stop.is_received() {
            return Err(SolveError::Stopped);
        }
        self.pass(group, defers, shared, level::grow)
    }

    /// Ends a level, or a replayed part of one: sums up what all parts of the board have added, and exchanges
    /// what has changed. `ran` are the groups that had a pass.
    ///
    /// # Errors
    /// When `added` is an error, another part is to stop or has ended, or the system refuses memory.
    pub(super) fn finish_level(
        &mut self,
        added: Result<Added, SolveError>,
        ran: [bool; 2],
    ) -> Result<(), SolveError> {
        self.finish_level_with_flag(added, ran, false).map(drop)
    }

    /// Ends a level as [`Solver::finish_level`] does, and returns whether `flag` is set in some part of the
    /// board.
    fn finish_level_with_flag(
        &mut self,
        added: Result<Added, SolveError>,
        ran: [bool; 2],
        flag: bool,
    ) -> Result<bool, SolveError> {
        let (added, stopped) = match added {
            Ok(added) => (added, false),
            Err(SolveError::Stopped) => (Added::default(), true),
            Err(error) => return Err(error),
        };
        let Added { blocks: [wins, losses], positions: [a, b, c, d], .. } = added;
        let mut sums = [wins, losses, a, b, c, d, u64::from(stopped), u64::from(flag)];
        self.border.sum(&mut sums)?;
        let [wins, losses, positions @ .., stopped, flags] = sums;
        if stopped > 0 {
            return Err(SolveError::Stopped);
        }
        self.changed_blocks = [wins, losses];
        self.progress.add(positions);
        if wins + losses > 0 {
            let shared = self.is_shared();
            self.border.exchange(GrownLevel {
                undecided: Undecided {
                    grid: &self.grid,
                    team: self.game.team(),
                    slices: &self.slices,
                    stop: self.stop,
                },
                level: self.progress.level,
                ran,
                shared,
                threads: &self.threads,
                sets: &mut self.sets,
                changed: &mut self.changed,
            })?;
        }
        Ok(flags > 0)
    }
}
