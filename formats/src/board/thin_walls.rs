//! Walls between two squares.

use crate::cell::Cell;
use std::collections::BTreeSet;

/// Walls without a square of their own: each stands between two squares beside each other on a floor.
///
/// ```
/// use dragnet_formats::{board::ThinWalls, cell::Cell};
///
/// let (left, right) = (Cell::new(0, 0), Cell::new(0, 1));
/// let mut walls = ThinWalls::default();
/// walls.insert(left, right);
/// assert!(walls.between(right, left));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ThinWalls(BTreeSet<(Cell, Cell)>);

impl ThinWalls {
    /// Puts a wall between two squares.
    ///
    /// # Panics
    /// If they are not beside each other.
    pub fn insert(&mut self, one: Cell, other: Cell) {
        let apart = one.row.abs_diff(other.row) + one.col.abs_diff(other.col);
        assert_eq!(apart, 1, "expected squares beside each other");
        self.0.insert((one.min(other), one.max(other)));
    }

    /// Returns whether there is no wall.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a wall stands between two squares.
    #[must_use]
    #[inline]
    pub fn between(&self, one: Cell, other: Cell) -> bool {
        !self.0.is_empty() && self.0.contains(&(one.min(other), one.max(other)))
    }

    /// Returns the two squares of each wall, in reading order.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, Cell)> + '_ {
        self.0.iter().copied()
    }
}
