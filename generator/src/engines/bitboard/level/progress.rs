//! How far a solve is, and by how much a level grows the sets.

use super::super::sets::Set;
use dragnet_formats::value::Plies;

/// The counts of the whole board at the end of a level.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    /// The last level that is done.
    pub(crate) level: Plies,
    /// The number of positions in each set.
    pub(crate) counts: [u64; Set::COUNT],
    /// The last level in which each set grew.
    pub(crate) last: [Plies; Set::COUNT],
}

impl Progress {
    /// Adds the positions that have joined each set in the level.
    pub(crate) fn add(&mut self, positions: [u64; Set::COUNT]) {
        for ((count, last), positions) in self.counts.iter_mut().zip(&mut self.last).zip(positions) {
            *count += positions;
            if positions > 0 {
                *last = self.level;
            }
        }
    }

    /// How many numbers it has.
    pub(crate) const NUMBERS: usize = 1 + 2 * Set::COUNT;

    /// Returns its numbers: the level, the counts, and the last levels.
    pub(crate) fn numbers(&self) -> [u64; Progress::NUMBERS] {
        let [a, b, c, d] = self.counts;
        let [e, f, g, h] = self.last.map(u64::from);
        [self.level.into(), a, b, c, d, e, f, g, h]
    }

    /// Returns the progress with these numbers, which are those of another one.
    pub(crate) fn of_numbers(numbers: [u64; Progress::NUMBERS]) -> Progress {
        let [level, a, b, c, d, last @ ..] = numbers;
        Progress { level: level as Plies, counts: [a, b, c, d], last: last.map(|last| last as Plies) }
    }

    /// Returns the number of positions that are decided.
    pub(crate) fn decided(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// The growth of the sets in some passes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Added {
    /// The number of blocks with new positions, by [`Group`](super::super::sets::Group).
    pub(crate) blocks: [u64; 2],
    /// The number of positions that have joined each set.
    pub(crate) positions: [u64; Set::COUNT],
    /// The bytes of the growing sets after the passes.
    pub(crate) set_bytes: u64,
    /// Whether the system refused memory for words, or a log could not be written or read.
    pub(crate) failed: bool,
}

impl Added {
    /// Returns the sum of both.
    pub(crate) fn and(self, other: Added) -> Added {
        Added {
            blocks: [0, 1].map(|group| self.blocks[group] + other.blocks[group]),
            positions: Set::ALL.map(|set| self.positions[set as usize] + other.positions[set as usize]),
            set_bytes: self.set_bytes + other.set_bytes,
            failed: self.failed || other.failed,
        }
    }
}
