//! Limits of what a map may hold, which are checked before anything is allocated.

use crate::{failure::Failure, output::human::count};
use dragnet_formats::board::Board;

/// The most bytes of a map, or of a file that belongs to it.
pub(crate) const MOST_BYTES: u64 = 64 << 20;

/// The most cells of all layers of a map together.
const MOST_CELLS: usize = 1 << 24;

/// The most objects of a map.
pub(super) const MOST_OBJECTS: usize = 1 << 16;

/// The number of cells that layers may still have.
pub(super) struct Budget {
    left: usize,
}

impl Budget {
    /// Returns the budget of a whole map.
    pub(super) fn new() -> Budget {
        Budget { left: MOST_CELLS }
    }

    /// Returns the number of cells of a part of a layer, and takes it off the budget.
    ///
    /// # Errors
    /// When no board has that size, or the layers have too many cells together.
    pub(super) fn take(&mut self, height: usize, width: usize) -> Result<usize, Failure> {
        Board::check_size(height, width).map_err(|error| Failure::Input(error.into()))?;
        let cells = height * width;
        self.left = self.left.checked_sub(cells).ok_or_else(|| {
            Failure::input(format!("expected layers of at most {} cells together", count(MOST_CELLS as u64)))
        })?;
        Ok(cells)
    }
}

/// Returns an error if a map has more objects than one may have.
pub(super) fn check_objects(found: usize) -> Result<(), Failure> {
    if found <= MOST_OBJECTS {
        return Ok(());
    }
    let most = count(MOST_OBJECTS as u64);
    Err(Failure::input(format!("expected at most {most} objects, found {}", count(found as u64))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_share_one_budget() {
        let mut budget = Budget::new();
        for _ in 0..16 {
            assert_eq!(budget.take(1024, 1024).ok(), Some(1 << 20));
        }
        assert!(budget.take(1, 1).is_err());
        assert!(Budget::new().take(1025, 1024).is_err());
        assert!(Budget::new().take(0, 4).is_err());
    }
}
