//! The levels of a solve, each of which ends with what the ranks tell each other.

use super::{
    level::{self, Slice, TileStart, Undecided, start},
    log::LogStore,
    ranks::{GrownLevel, POLICE_SETS},
    sets::Group,
    solver::{Growing, Solver},
};
use crate::{
    checkpoint::SetRoom,
    games::pursuit::Pursuit,
    ranks::{Transport, any_rank},
    solve_error::SolveError,
    stop::StopRequest,
};
use dragnet_formats::value::Value;
use rayon::prelude::*;
use std::sync::Arc;

/// Levels in which fewer blocks than this have changed are left to one thread: waking the others takes
/// longer. With two threads 8 and 128 are as quick on arena and maze-65 (medians of 7 runs within 2 %).
const SHARED_LEVEL: usize = 32;

/// Tiles of which one asks whether the work is to stop.
const TILES: u32 = 64;

impl<'a> Solver<'a> {
    /// Creates a solver in level 0. `stuck` is the value of a position whose side to move has no move.
    pub(super) fn started(
        game: &'a Pursuit,
        stuck: Value,
        ranks: &'a dyn Transport,
        stop: StopRequest<'a>,
        store: &Arc<LogStore>,
        room: Option<SetRoom>,
    ) -> Result<Solver<'a>, SolveError> {
        let mut solver = Solver::new(game, ranks, stop, store, room)?;
        let stuck_wins = matches!(stuck, Value::Win(_));
        let tiles = (0..solver.grid.tile_count() as u32).into_par_iter();
        let tile = |tile: u32| {
            // To ask for each tile would take as long as to look at it.
            if tile.is_multiple_of(TILES) && stop.ask() || stop.is_received() {
                return Err(SolveError::Stopped);
            }
            Ok(TileStart::new(game, &solver.grid, tile))
        };
        let tiles = tiles.map(tile).collect::<Result<Vec<TileStart>, _>>();
        // Other ranks wait for this one even if it is to stop.
        let started = tiles.and_then(|tiles| {
            solver.pass_of_both(|solver, group| {
                solver.pass(group, false, true, |pass, scratch, slice, growing, state| {
                    start(pass, scratch, &tiles, stuck_wins, slice, growing, state)
                })
            })
        });
        solver.sum_and_exchange(started, [true; 2])?;
        Ok(solver)
    }

    /// Calls `pass` for both groups. Returns in how many blocks of this rank each has grown.
    pub(super) fn pass_of_both(
        &mut self,
        mut pass: impl FnMut(&mut Solver<'a>, Group) -> Result<usize, SolveError>,
    ) -> Result<[usize; 2], SolveError> {
        let [wins, losses] = Group::BOTH;
        Ok([pass(self, wins)?, pass(self, losses)?])
    }

    /// Solves the next level, and returns whether a checkpoint is due then, which `is_due` says on some rank.
    /// Returns `None`, and does nothing, if the last level has decided nothing. A level that is stopped in
    /// its middle is left half solved: all that can be done then is to save what [`Solver::end_level`] has
    /// noted.
    ///
    /// # Errors
    /// See [`SolveError`]. If one rank is to stop, all are.
    pub(super) fn next_level(&mut self, is_due: impl Fn() -> bool) -> Result<Option<bool>, SolveError> {
        if self.changed_blocks == [0; 2] {
            return if any_rank(self.ranks, self.stop.ask())? { Err(SolveError::Stopped) } else { Ok(None) };
        }
        let [wins, losses] = self.changed_blocks.map(|blocks| blocks > 0);
        let grown = if self.stop.ask() { Err(SolveError::Stopped) } else { self.grow_both(wins, losses) };
        self.sum_and_exchange_with_flag(grown, [losses, wins], is_due()).map(Some)
    }

    /// Returns whether the last level has changed so many blocks that all threads take part in what follows.
    fn is_shared(&self) -> bool {
        self.changed_blocks.iter().sum::<usize>() >= SHARED_LEVEL
    }

    /// Lets the sets grow that depend on those that the last level has changed: `wins` or `losses`. Returns
    /// in how many blocks of this rank each group has grown.
    fn grow_both(&mut self, wins: bool, losses: bool) -> Result<[usize; 2], SolveError> {
        self.drop_decided()?;
        self.level += 1;
        let shared = self.is_shared();
        let mut grown = [0; 2];
        // Wins follow from losses and losses from wins. If both grow, each must see the other as the last
        // level left it: the wins are found first but wait, the losses grow, and then the wins join.
        let both = wins && losses;
        if losses {
            grown[Group::Wins as usize] = self.grow(Group::Wins, both, shared)?;
        }
        if wins {
            grown[Group::Losses as usize] = self.grow(Group::Losses, false, shared)?;
        }
        if both {
            grown[Group::Wins as usize] =
                self.pass(Group::Wins, false, shared, |pass, _, _, growing, state| {
                    level::join_held_back(pass, growing, state)
                })?;
        }
        Ok(grown)
    }

    /// Lets the sets of `group` grow by what the last level has changed.
    fn grow(&mut self, group: Group, hold_back: bool, shared: bool) -> Result<usize, SolveError> {
        if self.grid.teams.is_some() {
            let (Growing { threads, shares, .. }, pass) = self.parts(group, hold_back);
            let flag = |slice| level::flag_dependents(&pass, Slice::new(pass.grid, slice));
            threads.sum(shared, shares, 0..pass.grid.own_slices(), flag, |(), ()| ());
        }
        if self.stop.is_received() {
            return Err(SolveError::Stopped);
        }
        self.pass(group, hold_back, shared, level::grow)
    }

    /// Ends a level, or a part of one that is solved anew, in which the groups of `ran` have grown in so many
    /// blocks of this rank: adds up what all ranks have done, and tells them what has changed.
    ///
    /// # Errors
    /// When `grown` is an error, another rank is to stop or has ended, or the system refuses memory.
    pub(super) fn sum_and_exchange(
        &mut self,
        grown: Result<[usize; 2], SolveError>,
        ran: [bool; 2],
    ) -> Result<(), SolveError> {
        self.sum_and_exchange_with_flag(grown, ran, false).map(drop)
    }

    /// Ends a level as [`Solver::sum_and_exchange`] does, and returns whether `flag` is set on some rank.
    fn sum_and_exchange_with_flag(
        &mut self,
        grown: Result<[usize; 2], SolveError>,
        ran: [bool; 2],
        flag: bool,
    ) -> Result<bool, SolveError> {
        let (grown, stopped) = match grown {
            Ok(grown) => (grown, false),
            Err(SolveError::Stopped) => ([0; 2], true),
            Err(error) => return Err(error),
        };
        let [wins, losses] = grown.map(|blocks| blocks as u64);
        let [a, b, c, d] = self.own_counts;
        let sent = std::mem::take(&mut self.sent);
        let mut sums = [wins, losses, a, b, c, d, u64::from(stopped), u64::from(flag), sent];
        self.ranks.sum(&mut sums)?;
        let [wins, losses, counts @ .., stopped, flags, sent] = sums;
        if self.ranks.ranks() > 1 {
            self.stop.observer().exchanged(sent);
        }
        if stopped > 0 {
            return Err(SolveError::Stopped);
        }
        self.changed_blocks = [wins as usize, losses as usize];
        for (set, (count, before)) in counts.into_iter().zip(self.counts).enumerate() {
            if count > before {
                self.last[set] = self.level;
            }
        }
        self.counts = counts;
        if self.ranks.ranks() > 1 && wins + losses > 0 {
            self.exchange(ran)?;
        }
        Ok(flags > 0)
    }

    /// Tells the other ranks how the police-to-move sets of the groups of `ran` have grown, and lets the
    /// ghosts grow by what they tell.
    fn exchange(&mut self, ran: [bool; 2]) -> Result<(), SolveError> {
        let grown = GrownLevel { grid: &self.grid, level: self.level, ran, shared: self.is_shared() };
        let messages = grown.messages(self.ranks.ranks(), &mut self.slices);
        self.sent = messages.iter().map(|message| message.len() as u64).sum();
        let messages = self.ranks.exchange(messages)?;
        let own = self.grid.own_slices();
        let undecided = Undecided {
            grid: &self.grid,
            team: self.game.rules().team,
            slices: &self.slices,
            stop: self.stop,
        };
        let [wins, losses] = POLICE_SETS.map(|set| set as usize);
        let sets = self.sets.shared().expect("several ranks share blocks");
        let sets = sets.get_disjoint_mut([wins, losses]).expect(TWO_SETS);
        let changed = self.changed.get_disjoint_mut([wins, losses]).expect(TWO_SETS);
        grown.take(
            &self.threads,
            &self.ghost_shares,
            &messages,
            undecided,
            sets.map(|sets| &mut sets[own..]),
            changed.map(|changed| &mut changed[own..]),
        )
    }

    /// Makes all that is in the ghosts what the last level has changed there.
    pub(super) fn mark_ghosts_changed(&mut self) {
        let Some(sets) = self.sets.shared() else { return };
        for set in POLICE_SETS.map(|set| set as usize) {
            let ghosts = sets[set].iter().zip(&mut self.changed[set]).enumerate();
            for (slice, (blocks, changed)) in ghosts.skip(self.grid.own_slices()) {
                changed.mark_all(&self.grid, Slice::new(&self.grid, slice), |tile| blocks.block(tile));
            }
        }
    }
}

/// The police's two sets are different ones.
const TWO_SETS: &str = "two different sets";
