//! Positions whose values are known before any move is looked at. Each waits for the level of its distance.

use super::frontier::{Part, Shape};
use dragnet_formats::value::Plies;
use std::{collections::BTreeMap, sync::Mutex};

/// Known positions by level, in parts of one thread each.
#[derive(Debug)]
pub(super) struct Known {
    shape: Shape,
    levels: BTreeMap<Plies, Vec<Part>>,
}

impl Known {
    pub(super) fn new(shape: Shape) -> Known {
        Known { shape, levels: BTreeMap::new() }
    }

    /// Adds a position of this distance.
    pub(super) fn push(&mut self, distance: Plies, position: u64, lane: usize, wins: bool) {
        let parts = self.levels.entry(distance).or_insert_with(|| vec![Part::new(self.shape)]);
        parts[0].push(position, lane, wins);
    }

    /// All that these hold.
    pub(super) fn gathered(shape: Shape, all: Vec<Mutex<Known>>) -> Known {
        let mut gathered = Known::new(shape);
        for known in all {
            // A panic that has poisoned it is on its way up anyhow.
            let known = known.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
            for (level, parts) in known.levels {
                gathered.levels.entry(level).or_default().extend(parts);
            }
        }
        gathered
    }

    /// Takes out the positions of this level.
    pub(super) fn take(&mut self, level: Plies) -> Vec<Part> {
        self.levels.remove(&level).unwrap_or_default()
    }

    /// The first level of which there are some.
    pub(super) fn first_level(&self) -> Option<Plies> {
        self.levels.keys().next().copied()
    }

    /// The last level of which there are some.
    pub(super) fn last_level(&self) -> Option<Plies> {
        self.levels.keys().next_back().copied()
    }

    /// The positions of `level` and above, with their levels.
    pub(super) fn at_least(&self, level: Plies) -> impl Iterator<Item = (Plies, u64)> + '_ {
        let lanes = self.shape.lanes;
        self.levels.range(level..).flat_map(move |(&level, parts)| {
            let slices = parts.iter().flat_map(move |part| (0..lanes).flat_map(|lane| part.slices(lane)));
            slices.flat_map(move |slice| slice.positions().map(move |position| (level, position)))
        })
    }
}
