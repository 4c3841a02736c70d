//! Limits of what a map may hold, which are checked before anything is allocated.

use crate::error::{MapError, count};
use dragnet_formats::board::Board;

/// The most bytes of a map, or of a file that belongs to it.
pub(crate) const MOST_BYTES: u64 = dragnet_formats::plain_text::MOST_BYTES as u64;

/// The most cells of all layers of a map together.
const MOST_CELLS: usize = 1 << 24;

/// The most tilesets, templates or scenes in files of their own.
const MOST_FILES: usize = 1 << 10;

/// The most objects of a map.
pub(super) const MOST_OBJECTS: usize = 1 << 16;

/// The most rows of cells that the border of a shape crosses.
const MOST_OF_A_SHAPE: usize = 1 << 20;

/// The most rows of cells that the borders of all shapes cross.
const MOST_WORK: usize = 1 << 23;

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
    pub(super) fn take(&mut self, height: usize, width: usize) -> Result<usize, MapError> {
        Board::check_size(height, width).map_err(MapError::unusable)?;
        let cells = height * width;
        self.left = self.left.checked_sub(cells).ok_or_else(|| {
            MapError::unusable(format!("expected layers of at most {} cells together", count(MOST_CELLS)))
        })?;
        Ok(cells)
    }
}

/// The rows of cells that shapes may still cross, and the points of lines that may still be looked at.
pub(super) struct Work {
    left: usize,
}

impl Work {
    /// Returns the work of finding the cells of one role.
    pub(super) fn new() -> Work {
        Work { left: MOST_WORK }
    }

    /// Takes the crossings of a shape off the work that is left.
    ///
    /// # Errors
    /// When less is left, or no shape may have as many.
    pub(super) fn take(&mut self, crossings: usize) -> Result<(), MapError> {
        let left = self.left.checked_sub(crossings).filter(|_| crossings <= MOST_OF_A_SHAPE);
        self.left = left.ok_or_else(|| {
            let [one, all] = [MOST_OF_A_SHAPE, MOST_WORK].map(count);
            MapError::unusable(format!(
                "expected shapes whose borders cross at most {one} rows of cells each and {all} together, found more"
            ))
        })?;
        Ok(())
    }
}

/// Returns an error if a map has more other files of one kind than one may have.
pub(super) fn check_files(found: usize) -> Result<(), MapError> {
    if found <= MOST_FILES {
        return Ok(());
    }
    Err(MapError::unusable(format!(
        "expected a map with at most {MOST_FILES} other files of a kind, found more"
    )))
}

/// Returns an error if a map has more objects than one may have.
pub(super) fn check_objects(found: usize) -> Result<(), MapError> {
    if found <= MOST_OBJECTS {
        return Ok(());
    }
    let most = count(MOST_OBJECTS);
    Err(MapError::unusable(format!("expected at most {most} objects, found {}", count(found))))
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
