//! The solved game: its values, read from the logs.

use super::{
    board::{CellBit, Grid, Overlays},
    emit::{BlockMaker, Bundle},
    level::Progress,
    log::{Log, LogStore},
    resume::SavedState,
    sets::Set,
};
use crate::{
    budget::Part,
    checkpoint::Frames,
    games::pursuit::Pursuit,
    log_error::LogError,
    solution::{BlockBundles, BlockSink, BlockSource, Solution, SourceError},
};
use dragnet_formats::{
    cell::{Cell, Side},
    header::{Counts, Longest, Summary},
    pieces::Pieces,
    value::{Plies, Value},
};
use rayon::prelude::*;
use std::{io, ops::ControlFlow, sync::Arc};
use xxhash_rust::xxh3::Xxh3;

/// The expectation where a failure has no way to the caller.
const READABLE: &str = "there is memory to unpack the log of a slice";

/// A pursuit game that the engine has solved. It keeps the logs of what was decided when, not the values
/// themselves.
#[derive(Debug)]
pub struct BitboardSolution {
    game: Pursuit,
    grid: Grid,
    /// The log of each slice.
    logs: Vec<Log>,
    /// The positions that are decided after the last level.
    end: Progress,
    store: Arc<LogStore>,
}

impl BitboardSolution {
    pub(super) fn new(
        game: Pursuit,
        grid: Grid,
        logs: Vec<Log>,
        end: Progress,
        store: Arc<LogStore>,
    ) -> BitboardSolution {
        BitboardSolution { game, grid, logs, end, store }
    }

    /// Sums all values up, and hands the blocks to `sink` on the way if there is one.
    fn go_through(&self, sink: Option<BlockSink>) -> Result<Summary, SourceError> {
        let bundles = self.bundles();
        let make = |bundle: usize| bundles.maker.blocks(&bundles.bundles[bundle], sink);
        let digests =
            (&bundles as &dyn BlockBundles).in_parallel((0..bundles.bundles.len()).collect(), make)?;
        Ok(self.summary_with(digests.into_iter().fold(0, u64::wrapping_add)))
    }

    fn block_maker(&self) -> BlockMaker<'_> {
        let greatest = Value::Win(self.level()).code();
        let room = self.store.budget().left_for_sets() / 2 / rayon::current_num_threads() as u64;
        BlockMaker::new(&self.game, &self.grid, &self.logs, greatest, room)
    }

    /// Returns the summary, given the digest.
    pub(crate) fn summary_with(&self, digest: u64) -> Summary {
        let longest = |one: Set, other: Set| self.end.last[one as usize].max(self.end.last[other as usize]);
        Summary {
            police_to_move: self.counts(Set::PoliceWins, Set::PoliceLoses),
            thief_to_move: self.counts(Set::ThiefLoses, Set::ThiefWins),
            longest: Longest {
                police: longest(Set::PoliceWins, Set::ThiefLoses),
                thief: longest(Set::ThiefWins, Set::PoliceLoses),
            },
            digest,
        }
    }

    /// Returns the counts of one side to move, of which the police has won the positions of the first set and
    /// the thief those of the second.
    fn counts(&self, police: Set, thief: Set) -> Counts {
        let (police, thief) = (self.end.counts[police as usize], self.end.counts[thief as usize]);
        Counts { police, thief, draw: self.game.side_positions() - police - thief }
    }
}

/// The blocks of a table, in bundles that share logs.
pub(crate) struct Bundles<'a> {
    maker: BlockMaker<'a>,
    bundles: Vec<Bundle>,
}

impl BlockBundles for Bundles<'_> {
    fn count(&self) -> usize {
        self.bundles.len()
    }

    fn key(&self) -> u64 {
        let mut hash = Xxh3::new();
        for bundle in &self.bundles {
            for number in [bundle.len(), bundle.thief.len() as u64] {
                hash.update(&number.to_le_bytes());
            }
            bundle.thief.iter().for_each(|tile| hash.update(&tile.to_le_bytes()));
        }
        hash.digest()
    }

    fn len(&self, bundle: usize) -> u64 {
        self.bundles[bundle].len()
    }

    fn block(&self, bundle: usize, before: u64) -> Option<u64> {
        self.maker.block(&self.bundles[bundle], before)
    }

    fn work(&self, bundle: usize) -> u64 {
        self.maker.log_bytes(&self.bundles[bundle])
    }

    fn memory_needed(&self, bundle: usize) -> u64 {
        self.maker.memory_needed(&self.bundles[bundle])
    }

    fn make(&self, bundle: usize, sink: BlockSink) -> Result<u64, SourceError> {
        self.maker.blocks(&self.bundles[bundle], Some(sink))
    }
}

impl Solution for BitboardSolution {
    fn game(&self) -> &Pursuit {
        &self.game
    }

    fn summary(&self) -> Summary {
        self.go_through(None).expect(READABLE)
    }

    fn value(&self, world: u32, officers: &Pieces, thief: Cell) -> Option<Value> {
        if world >= self.grid.worlds() {
            return None;
        }
        let team = self.game.police().find(officers)? as usize;
        let place = self.game.numbering().thief().place(thief)?;
        let thief_at = self.game.numbering().thief().range_of(place.tile).start + usize::from(place.rank);
        let number = self.game.thief_reading()[thief_at];
        if let Some(winner) = self.game.terminal(world, team, number) {
            return Some(Value::terminal(winner, Side::Police));
        }
        let CellBit { overlay, bit } = self.grid.bit(world, number);
        let row = self.grid.row(&self.game, team);
        let slice = self.grid.slice(overlay as usize, self.grid.cut.range_of(row.tile));
        let mut code = Value::Draw.code();
        let visited = self.logs[slice].visit_entries(0, |entry| {
            let mut found = false;
            if entry.tile == row.tile {
                entry.for_each_run(|rows, word| found |= rows >> row.at() & word >> bit & 1 == 1);
            }
            if !found {
                return ControlFlow::Continue(());
            }
            code = entry.code;
            ControlFlow::Break(())
        });
        visited.expect(READABLE);
        Value::from_code(code)
    }
}

impl BlockSource for BitboardSolution {
    fn blocks(&self, sink: BlockSink) -> Result<Summary, SourceError> {
        self.go_through(Some(sink))
    }
}

impl BitboardSolution {
    /// Returns the last level.
    pub(crate) fn level(&self) -> Plies {
        self.end.last.into_iter().max().expect("there are four sets")
    }

    /// Returns the blocks of the table in bundles. Works on the threads of the current pool.
    pub(crate) fn bundles(&self) -> Bundles<'_> {
        let maker = self.block_maker();
        Bundles { bundles: maker.bundles(), maker }
    }

    /// Returns for each bundle the one of `ranks` ranks that owns all overlays of its blocks, or else rank 0.
    pub(crate) fn bundle_owners(&self, ranks: usize) -> Vec<usize> {
        let [_, places] = self.game.places();
        let owners = Overlays::new(places, self.game.officers(), self.grid.worlds()).owners(places, ranks);
        let maker = self.block_maker();
        let owner = |bundle: &Bundle| {
            let mut owners = maker.overlays_of(bundle).into_iter().map(|overlay| owners[overlay as usize]);
            let first = owners.next().unwrap_or(0);
            if owners.all(|owner| owner == first) { first } else { 0 }
        };
        maker.bundles().iter().map(owner).collect()
    }

    /// Lets logs leave memory if there is not enough of it beside `fixed` bytes for encoding. Returns how
    /// much of it is left.
    pub(crate) fn make_room(&self, fixed: u64) -> u64 {
        self.store.budget().set(Part::Fixed, fixed);
        if self.store.is_past_limit()
            && let Err(error) = self.logs.par_iter().try_for_each(Log::leave_memory)
        {
            self.store.refuse(error);
        }
        self.store.budget().left()
    }

    /// Takes what the file of the logs has into memory.
    pub(crate) fn take_back(&self) -> Result<(), LogError> {
        self.logs.par_iter().try_for_each(Log::take_back)
    }

    /// Returns what writes the state after the last level into a checkpoint. Copies, on the threads of the
    /// current pool, what it does not share with the solution.
    pub(crate) fn saved_state(&self) -> impl Fn(&mut Frames) -> io::Result<()> + Send + use<> {
        let logs = self.logs.par_iter().map(|log| (log, log.end()));
        let state = SavedState::new(logs, self.end, &self.store);
        move |frames| state.save(frames)
    }
}
