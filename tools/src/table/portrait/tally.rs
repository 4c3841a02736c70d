//! Sums over all values of a table with the police to move. Reads each distinct block once.

use super::histogram::Histogram;
use crate::{failure::Failure, table::statistics::Reading};
use dragnet_formats::{
    numbering::Numbering,
    pieces::Pieces,
    value::{Plies, Value},
};
use dragnet_probe::{ProbeError, Scan, Table, scan::BlockKey};
use rayon::prelude::*;
use std::{collections::BTreeMap, ops::AddAssign};

/// The wins of the police from one cell, or one team of cells.
#[derive(Clone, Copy, Default)]
pub(super) struct Reach {
    /// The cells of the thief against which the police wins.
    pub(super) won: u64,
    /// The longest win, in plies.
    pub(super) longest: Plies,
    /// The sum of the plies of all wins.
    pub(super) plies: u64,
}

impl Reach {
    /// Returns a key that orders better cells first.
    pub(super) fn rank(&self) -> impl Ord + use<> {
        (std::cmp::Reverse(self.won), self.longest, self.plies)
    }

    pub(super) fn add(&mut self, other: &Reach, times: u64) {
        self.won += other.won * times;
        self.longest = self.longest.max(other.longest);
        self.plies += other.plies * times;
    }
}

/// Returns the reach of each of so many teams in a block, whose codes have a row of teams for each cell of
/// the thief. A list for each sum, and no branch, lets one instruction work on many teams.
fn reach_of(codes: &[u32], teams: usize) -> Vec<Reach> {
    let (mut won, mut longest, mut plies) = (vec![0u32; teams], vec![0; teams], vec![0u64; teams]);
    for row in codes.chunks_exact(teams) {
        for (team, &code) in row.iter().enumerate() {
            let (wins, dtw) = match Value::from_code(code) {
                Some(Value::Win(dtw)) => (1, dtw),
                _ => (0, 0),
            };
            won[team] += wins;
            longest[team] = dtw.max(longest[team]);
            plies[team] += u64::from(dtw);
        }
    }
    let sums = won.into_iter().zip(longest).zip(plies);
    sums.map(|((won, longest), plies)| Reach { won: won.into(), longest, plies }).collect()
}

/// Codes below this are counted in an array of 8 MiB; greater ones, of chases of half a million plies, in a
/// map.
const NEAR: usize = 1 << 20;

/// The number of positions with each code.
#[derive(Default)]
pub(super) struct CodeCounts {
    near: Vec<u64>,
    far: BTreeMap<u32, u64>,
}

impl CodeCounts {
    /// Counts each of `codes` `times` times.
    pub(super) fn add(&mut self, codes: &[u32], times: u64) {
        let highest = codes.iter().copied().max().unwrap_or(0) as usize;
        self.near.resize(self.near.len().max(NEAR.min(highest + 1)), 0);
        for &code in codes {
            match self.near.get_mut(code as usize) {
                Some(near) => *near += times,
                None => *self.far.entry(code).or_default() += times,
            }
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (u32, u64)> {
        let near = (0..).zip(&self.near).filter(|&(_, &count)| count > 0);
        near.map(|(code, &count)| (code, count)).chain(self.far.iter().map(|(&code, &count)| (code, count)))
    }

    pub(super) fn histogram(&self) -> Histogram {
        let values = || self.pairs().filter_map(|(code, count)| Some((Value::from_code(code)?, count)));
        let deepest = values().filter_map(|(value, _)| value.dtw()).max().unwrap_or(0);
        let step = Histogram::step_for(deepest);
        let buckets = (deepest / step) as usize + 1;
        let mut histogram = Histogram { step, police: vec![0; buckets], thief: vec![0; buckets], draws: 0 };
        for (value, count) in values() {
            match value {
                Value::Win(dtw) => histogram.police[(dtw / step) as usize] += count,
                Value::Loss(dtw) => histogram.thief[(dtw / step) as usize] += count,
                Value::Draw => histogram.draws += count,
            }
        }
        histogram
    }
}

impl AddAssign<CodeCounts> for CodeCounts {
    fn add_assign(&mut self, other: CodeCounts) {
        if self.near.len() < other.near.len() {
            self.near.resize(other.near.len(), 0);
        }
        self.near.iter_mut().zip(other.near).for_each(|(sum, count)| *sum += count);
        for (code, count) in other.far {
            *self.far.entry(code).or_default() += count;
        }
    }
}

/// The shares of the blocks for each thread.
const SHARES: u64 = 8;

/// Sums over all positions with the police to move.
pub(super) struct Tally {
    pub(super) codes: CodeCounts,
    /// The wins from each team of the police, tile after tile.
    reach: Vec<Reach>,
}

impl Tally {
    fn new(teams: usize) -> Tally {
        Tally { codes: CodeCounts::default(), reach: vec![Reach::default(); teams] }
    }

    /// Returns the bytes of memory that [`Tally::of`] takes on the threads of the current pool.
    pub(super) fn memory_needed(table: &Table) -> u64 {
        let (numbering, threads) = (table.numbering(), rayon::current_num_threads() as u64);
        let sums = numbering.police().count().saturating_mul(size_of::<Reach>() as u64);
        let keys = numbering.block_count().saturating_mul(size_of::<(BlockKey, u64)>() as u64);
        // The sums of a block stand twice for a moment, as lists and put together.
        let block = Numbering::MAX_SLOTS * (size_of::<u32>() + 2 * size_of::<Reach>()) as u64;
        // Sums of shares that wait to be added, and the thread's own.
        let of_thread = sums.saturating_mul(SHARES + 1).saturating_add(block);
        // Sorting takes as much again.
        of_thread.saturating_mul(threads).saturating_add(keys.saturating_mul(2))
    }

    /// Returns the sums over a table. Works on the threads of the current pool.
    pub(super) fn of(scan: &Scan, reading: Reading) -> Result<Tally, Failure> {
        let teams = scan.teams().len();
        let keys = (0..scan.table().numbering().block_count()).into_par_iter();
        let mut keys: Vec<(BlockKey, u64)> =
            keys.map(|block| Ok((scan.block_key(block)?, block))).collect::<Result<_, ProbeError>>()?;
        keys.par_sort_unstable();
        let groups: Vec<&[(BlockKey, u64)]> = keys.chunk_by(|a, b| a.0 == b.0).collect();
        // A few shares per thread even out the work, and there are no more sums than these.
        let share = groups.len().div_ceil(SHARES as usize * rayon::current_num_threads()).max(1);
        groups
            .par_chunks(share)
            .map(|groups| {
                let mut tally = Tally::new(teams);
                let mut codes = Vec::new();
                for group in groups {
                    reading.go_on()?;
                    tally.add(scan, group, &mut codes)?;
                }
                Ok(tally)
            })
            .try_reduce_with(|mut sum, part| {
                sum.codes += part.codes;
                sum.reach.iter_mut().zip(&part.reach).for_each(|(sum, part)| sum.add(part, 1));
                Ok(sum)
            })
            .unwrap_or_else(|| Ok(Tally::new(teams)))
    }

    /// Adds the blocks of `group`, which have the same codes.
    fn add(
        &mut self,
        scan: &Scan,
        group: &[(BlockKey, u64)],
        codes: &mut Vec<u32>,
    ) -> Result<(), ProbeError> {
        let Some(&(key, first)) = group.first() else { return Ok(()) };
        scan.block_codes(first, codes)?;
        self.codes.add(codes, group.len() as u64);
        let reach = reach_of(codes, key.teams() as usize);
        let tile = |&(_, block): &(BlockKey, u64)| scan.table().numbering().tiles(block).police;
        for same_tile in group.chunk_by(|a, b| tile(a) == tile(b)) {
            let sums = &mut self.reach[scan.teams().range_of(tile(&same_tile[0]))];
            sums.iter_mut().zip(&reach).for_each(|(sum, part)| sum.add(part, same_tile.len() as u64));
        }
        Ok(())
    }

    /// Returns the best cells for the police; of equals the first in reading order.
    pub(super) fn best(&self, scan: &Scan) -> Option<Pieces> {
        let number = |&team: &usize| scan.teams().number(team);
        let best = (0..self.reach.len()).min_by_key(|team| (self.reach[*team].rank(), number(team)))?;
        Some(scan.officers(number(&best)))
    }
}
