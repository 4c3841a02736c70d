//! Positions whose values are known before any move is looked at. Each waits for the level of its distance.

use super::frontier::{FrontierShape, Part};
use dragnet_formats::value::Plies;
use std::collections::BTreeMap;

/// Known positions by level, in parts of one thread each.
#[derive(Debug)]
pub(super) struct KnownPositions {
    shape: FrontierShape,
    levels: BTreeMap<Plies, Vec<Part>>,
}

impl KnownPositions {
    /// Creates an empty list.
    pub(super) fn new(shape: FrontierShape) -> KnownPositions {
        KnownPositions { shape, levels: BTreeMap::new() }
    }

    /// Adds a position that is decided in `distance` plies.
    pub(super) fn push(&mut self, distance: Plies, position: u64, lane: usize, wins: bool) {
        let parts = self.levels.entry(distance).or_insert_with(|| vec![Part::new(self.shape)]);
        parts[0].push(position, lane, wins);
    }

    /// Joins the lists of several threads.
    pub(super) fn gathered(
        shape: FrontierShape,
        all: impl Iterator<Item = KnownPositions>,
    ) -> KnownPositions {
        let mut gathered = KnownPositions::new(shape);
        for known in all {
            for (level, parts) in known.levels {
                gathered.levels.entry(level).or_default().extend(parts);
            }
        }
        gathered
    }

    /// Removes and returns the positions of `level`.
    pub(super) fn take(&mut self, level: Plies) -> Vec<Part> {
        self.levels.remove(&level).unwrap_or_default()
    }

    /// Returns the lowest level that has a position.
    pub(super) fn first_level(&self) -> Option<Plies> {
        self.levels.keys().next().copied()
    }

    /// Returns the highest level that has a position.
    pub(super) fn last_level(&self) -> Option<Plies> {
        self.levels.keys().next_back().copied()
    }

    /// Returns the positions of `level` and above, each with its level.
    pub(super) fn at_least(&self, level: Plies) -> impl Iterator<Item = (Plies, u64)> + '_ {
        let lanes = self.shape.lanes();
        self.levels.range(level..).flat_map(move |(&level, parts)| {
            let slices = parts.iter().flat_map(move |part| (0..lanes).flat_map(|lane| part.slices(lane)));
            slices.flat_map(move |slice| slice.positions().map(move |position| (level, position)))
        })
    }
}
