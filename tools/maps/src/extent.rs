//! Layers that are put together from parts at places of their own.

use super::limits::Budget;
use crate::error::MapError;

/// A rectangle of cells of a layer.
#[derive(Clone, Debug, Default)]
pub(super) struct Patch {
    /// Row and column of its first cell, in the map's own coordinates.
    pub(super) at: [i64; 2],
    pub(super) width: usize,
    /// A number for each cell in reading order; 0 is an empty cell.
    pub(super) cells: Vec<u32>,
}

/// The part of a map that becomes the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    /// Row and column of its first cell, in the map's own coordinates.
    pub(super) at: [i64; 2],
    pub(super) height: usize,
    pub(super) width: usize,
}

impl Patch {
    /// Returns each cell that is not empty: row and column in the map's own coordinates, and the number.
    fn filled(&self) -> impl Iterator<Item = ([i64; 2], u32)> + '_ {
        let width = self.width.max(1);
        let cells = self.cells.iter().enumerate().filter(|&(_, &number)| number != 0);
        cells.map(move |(i, &number)| {
            let [row, column] = [i / width, i % width].map(|step| i64::try_from(step).unwrap_or(i64::MAX));
            ([self.at[0].saturating_add(row), self.at[1].saturating_add(column)], number)
        })
    }
}

impl Extent {
    /// Returns the smallest extent around all cells that are not empty.
    ///
    /// # Errors
    /// When no cell is filled, or no board has the size of the extent.
    pub(super) fn around<'a>(patches: impl IntoIterator<Item = &'a Patch>) -> Result<Extent, MapError> {
        let mut ends: Option<[[i64; 2]; 2]> = None;
        for (at, _) in patches.into_iter().flat_map(Patch::filled) {
            let [first, last] = ends.get_or_insert([at, at]);
            for axis in 0..2 {
                first[axis] = first[axis].min(at[axis]);
                last[axis] = last[axis].max(at[axis]);
            }
        }
        let [first, last] =
            ends.ok_or_else(|| MapError::unusable("expected a map with a tile, found none"))?;
        let [height, width] = [0, 1].map(|axis| {
            let length = last[axis].saturating_sub(first[axis]).saturating_add(1);
            usize::try_from(length).unwrap_or(usize::MAX)
        });
        // Sides beyond those of a board are refused before they are multiplied.
        Budget::new()
            .take(height.min(1 << 20), width.min(1 << 20))
            .map_err(|error| error.about(format!("the tiles lie in {height} rows and {width} columns")))?;
        Ok(Extent { at: first, height, width })
    }

    /// Returns the cells of a layer within the extent, in reading order. Where patches overlap, the last one
    /// that is not empty counts.
    pub(super) fn gather(self, patches: &[Patch], budget: &mut Budget) -> Result<Vec<u32>, MapError> {
        let mut cells = vec![0; budget.take(self.height, self.width)?];
        for ([row, column], number) in patches.iter().flat_map(Patch::filled) {
            let row = usize::try_from(row.saturating_sub(self.at[0])).ok().filter(|&row| row < self.height);
            let column = usize::try_from(column.saturating_sub(self.at[1])).ok();
            if let (Some(row), Some(column)) = (row, column.filter(|&column| column < self.width)) {
                cells[row * self.width + column] = number;
            }
        }
        Ok(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_is_cropped_to_the_tiles_and_begins_where_they_do() {
        let patches = [
            Patch { at: [-16, -32], width: 2, cells: vec![0, 0, 0, 5] },
            Patch { at: [-14, -30], width: 1, cells: vec![7, 0] },
        ];
        let extent = Extent::around(&patches).unwrap();
        assert_eq!(extent, Extent { at: [-15, -31], height: 2, width: 2 });
        assert_eq!(extent.gather(&patches, &mut Budget::new()).unwrap(), [5, 0, 0, 7]);
    }

    #[test]
    fn tiles_that_lie_too_far_apart_are_refused() {
        let far = |row| Patch { at: [row, 0], width: 1, cells: vec![1] };
        assert!(Extent::around(&[far(i64::MIN), far(i64::MAX)]).is_err());
        assert!(Extent::around(&[far(0), far(70_000)]).is_err());
        assert!(Extent::around(&[Patch::default()]).is_err());
    }
}
