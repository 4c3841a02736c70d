//! How many positions have which distance.

use crate::output::draw;
use dragnet_formats::value::Plies;
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// The number of positions at each distance, in two groups, and an example of the longest distance of each
/// group: the position with the smallest key `K`.
pub(crate) struct DistanceHistogram<K> {
    counts: [BTreeMap<Plies, u64>; 2],
    longest: [Option<(Plies, K)>; 2],
}

impl<K> Default for DistanceHistogram<K> {
    fn default() -> DistanceHistogram<K> {
        DistanceHistogram { counts: Default::default(), longest: [const { None }; 2] }
    }
}

/// A distance and the positions that have it, in JSON.
#[derive(Serialize, JsonSchema)]
#[schemars(inline, title = "`[plies, positions]`")]
pub(super) struct DistanceCount(Plies, u64);

/// Most rows of a histogram on a terminal; with more distances, a row stands for several.
const ROWS: Plies = 24;
const BAR: usize = 32;

impl<K: Copy + Ord> DistanceHistogram<K> {
    /// Adds a position.
    pub(crate) fn add(&mut self, group: usize, dtw: Plies, key: K) {
        *self.counts[group].entry(dtw).or_default() += 1;
        self.lengthen(group, dtw, key);
    }

    fn lengthen(&mut self, group: usize, dtw: Plies, key: K) {
        let longest = &mut self.longest[group];
        if longest.is_none_or(|(old, old_key)| dtw > old || dtw == old && key < old_key) {
            *longest = Some((dtw, key));
        }
    }

    /// Returns the histogram of both sets of positions.
    pub(crate) fn merge(mut self, other: DistanceHistogram<K>) -> DistanceHistogram<K> {
        for group in 0..2 {
            for (&dtw, &count) in &other.counts[group] {
                *self.counts[group].entry(dtw).or_default() += count;
            }
            if let Some((dtw, key)) = other.longest[group] {
                self.lengthen(group, dtw, key);
            }
        }
        self
    }

    /// Returns the longest distance of a group and its example.
    pub(crate) fn longest(&self, group: usize) -> Option<(Plies, K)> {
        self.longest[group]
    }

    /// Returns pairs of distance and count. A list indexed by distance could be made too long by a forged
    /// table.
    pub(super) fn pairs(&self, group: usize) -> Vec<DistanceCount> {
        self.counts[group].iter().map(|(&dtw, &count)| DistanceCount(dtw, count)).collect()
    }

    /// Writes an empty line, the headings, and bars of both groups side by side.
    pub(crate) fn write(&self, headings: [&str; 2], output: &mut impl Write) -> io::Result<()> {
        let deepest =
            self.counts.iter().filter_map(|counts| Some(counts.last_key_value()?.0 + 1)).max().unwrap_or(0);
        let step = deepest.div_ceil(ROWS).max(1);
        let sum = |counts: &BTreeMap<Plies, u64>, from| {
            counts.range(from..from + step).map(|(_, count)| count).sum()
        };
        let rows: Vec<(Plies, [u64; 2])> = (0..deepest)
            .step_by(step as usize)
            .map(|from| (from, [sum(&self.counts[0], from), sum(&self.counts[1], from)]))
            .collect();
        let most = rows.iter().flat_map(|(_, counts)| counts).copied().max().unwrap_or(0);
        if !rows.is_empty() {
            writeln!(output, "\n{:>11}  {:<BAR$}  {}", "plies", headings[0], headings[1])?;
        }
        for (from, counts) in rows {
            let label = if step == 1 { from.to_string() } else { format!("{from}-{}", from + step - 1) };
            let [first, second] = counts.map(|count| draw::bar(count, most, BAR));
            writeln!(output, "{}", format!("{label:>11}  {first:<BAR$}  {second}").trim_end())?;
        }
        Ok(())
    }
}
