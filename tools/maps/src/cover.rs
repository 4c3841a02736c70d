//! The cells that shapes cover.

use super::{
    affine::Point,
    grid::{Grid, Lattice, snapped},
    limits::Work,
    shape::{Outline, Shape, sides},
};
use crate::error::MapError;
use std::{collections::BTreeSet, ops::Range};

/// Points a cell at which a line is looked at.
const POINTS_A_CELL: f64 = 16.0;

/// Cells of a grid that are covered. The sum of the steps of all cells up to a line and a place is the number
/// of shapes above that cell.
pub(super) struct Cover<'a> {
    grid: Grid,
    steps: Vec<i32>,
    work: &'a mut Work,
}

impl Cover<'_> {
    /// Returns the cover of no cell.
    pub(super) fn new(grid: Grid, work: &mut Work) -> Cover<'_> {
        let (lines, places) = grid.lines();
        Cover { grid, steps: vec![0; (lines + 1) * (places + 1)], work }
    }

    /// Covers the cell with this index.
    pub(super) fn add_cell(&mut self, index: usize) {
        let (line, place) = self.grid.line_of(index);
        self.add_block(line..line + 1, place..place + 1);
    }

    /// Covers the cells at some places of some lines.
    fn add_block(&mut self, lines: Range<usize>, places: Range<usize>) {
        let (_, count) = self.grid.lines();
        for (line, step) in [(lines.start, 1), (lines.end, -1)] {
            let start = line * (count + 1);
            self.steps[start + places.start] += step;
            self.steps[start + places.end] -= step;
        }
    }

    /// Covers the cells whose middle is in an area, or through which a line runs. Returns whether there are
    /// some. A middle on the border of an area is in it at the left and at the top.
    ///
    /// # Errors
    /// When the shapes of a map cross too many rows of cells.
    pub(super) fn add(&mut self, shape: &Shape) -> Result<bool, MapError> {
        let points = shape.points();
        if !points.as_flattened().iter().all(|part| part.is_finite()) {
            return Ok(false);
        }
        if let Outline::Polyline(_) = shape.outline { self.add_line(&points) } else { self.add_area(&points) }
    }

    fn add_area(&mut self, corners: &[Point]) -> Result<bool, MapError> {
        let (lines, places) = self.grid.lines();
        let corners: Vec<Point> = corners.iter().map(|&corner| self.grid.in_steps(corner)).collect();
        let number = |at: f64, count: usize| at.ceil().clamp(0.0, count as f64) as usize;
        let between = |a: f64, b: f64, count: usize| number(a.min(b), count)..number(a.max(b), count);
        if let [a, b, c, d] = corners[..]
            && ([a[0], b[1], c[0], d[1]] == [b[0], c[1], d[0], a[1]]
                || [a[1], b[0], c[1], d[0]] == [b[1], c[0], d[1], a[0]])
            && self.grid.lattice == Lattice::Squares
        {
            // An upright rectangle, as most objects are.
            let block = (between(a[1], c[1], lines), between(a[0], c[0], places));
            let is_any = !block.0.is_empty() && !block.1.is_empty();
            self.add_block(block.0, block.1);
            return Ok(is_any);
        }
        let crossed = |from: Point, to: Point| between(from[1], to[1], lines);
        let count = sides(&corners).map(|(from, to)| crossed(from, to).len()).sum();
        self.work.take(count)?;
        let mut crossings = Vec::with_capacity(count);
        for (from, to) in sides(&corners) {
            for line in crossed(from, to) {
                let part = (line as f64 - from[1]) / (to[1] - from[1]);
                let place = snapped(from[0] + part * (to[0] - from[0]) - self.grid.moved_by(line));
                crossings.push((line as u32, number(place, places) as u32));
            }
        }
        crossings.sort();
        let mut is_any = false;
        for ends in crossings.chunks_exact(2) {
            let [line, from, to] = [ends[0].0, ends[0].1, ends[1].1].map(|number| number as usize);
            is_any |= from < to;
            self.add_block(line..line + 1, from..to);
        }
        Ok(is_any)
    }

    fn add_line(&mut self, points: &[Point]) -> Result<bool, MapError> {
        let (lines, places) = self.grid.lines();
        let mut is_any = false;
        for ends in points.windows(2) {
            let [from, to] = [0, 1].map(|end| self.grid.in_steps(ends[end]));
            // The part of the line that lies above the board.
            let (mut first, mut last) = (0.0f64, 1.0f64);
            for (axis, count) in [places, lines].into_iter().enumerate() {
                let end = |at: f64| (at - from[axis]) / (to[axis] - from[axis]);
                let [a, b] = [end(-1.0), end(count as f64 + 0.5)];
                if a != b {
                    (first, last) = (first.max(a.min(b)), last.min(a.max(b)));
                }
            }
            let length = (to[0] - from[0]).hypot(to[1] - from[1]) * (last - first);
            if !(length > 0.0 && length.is_finite()) {
                continue;
            }
            let count = (length * POINTS_A_CELL).ceil() as usize;
            self.work.take(count)?;
            for point in 0..count {
                let part = first + (point as f64 + 0.5) / count as f64 * (last - first);
                let at = [0, 1].map(|axis| ends[0][axis] + part * (ends[1][axis] - ends[0][axis]));
                if let Some(index) = self.grid.index_at(at) {
                    is_any = true;
                    self.add_cell(index);
                }
            }
        }
        Ok(is_any)
    }

    /// Returns the indices of the cells that are covered.
    pub(super) fn cells(&self) -> BTreeSet<usize> {
        let (lines, places) = self.grid.lines();
        let mut counts = vec![0; places];
        let mut cells = Vec::new();
        for (line, steps) in self.steps.chunks_exact(places + 1).take(lines).enumerate() {
            let mut step = 0;
            for (place, count) in counts.iter_mut().enumerate() {
                step += steps[place];
                *count += step;
                cells.extend((*count > 0).then(|| self.grid.index_of(line, place)));
            }
        }
        cells.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::Affine;

    fn cells(outline: Outline, place: Affine) -> Vec<usize> {
        let grid = Grid { height: 3, width: 4, cell: [10, 10], lattice: Lattice::Squares };
        let mut work = Work::new();
        let mut cover = Cover::new(grid, &mut work);
        cover.add(&Shape { outline, place }).unwrap();
        cover.cells().into_iter().collect()
    }

    fn rectangle(sides: [f64; 4]) -> Vec<usize> {
        cells(Outline::Box { sides, radii: [0.0, 0.0] }, Affine::IDENTITY)
    }

    #[test]
    fn rectangle_covers_the_cells_whose_middle_is_in_it() {
        assert_eq!(rectangle([10.0, 0.0, 30.0, 10.0]), [1, 2]);
        assert_eq!(rectangle([4.0, 6.0, 16.0, 26.0]), [4, 5, 8, 9]);
        assert_eq!(rectangle([5.0, 5.0, 15.0, 15.0]), [0]);
        assert_eq!(rectangle([6.0, 6.0, 14.0, 14.0]), [] as [usize; 0]);
        assert_eq!(rectangle([-1e300, -1e300, 1e300, 1e300]).len(), 12);
        assert_eq!(rectangle([f64::NAN, 0.0, 9.0, 9.0]).len(), 0);
        // Turned by a quarter around its upper left corner it lies at the left of it.
        let turned = Affine::shift([30.0, 0.0]).after(&Affine::rotation(90.0));
        assert_eq!(cells(Outline::rectangle([30.0, 10.0]), turned), [2, 6, 10]);
    }

    #[test]
    fn round_shapes_leave_out_the_corners() {
        let sides = [0.0, 0.0, 30.0, 30.0];
        assert_eq!(cells(Outline::Box { sides, radii: [15.0, 15.0] }, Affine::IDENTITY).len(), 9);
        let sides = [2.0, 2.0, 28.0, 28.0];
        assert_eq!(cells(Outline::Box { sides, radii: [13.0, 13.0] }, Affine::IDENTITY), [1, 4, 5, 6, 9]);
        let sides = [2.0, 2.0, 38.0, 28.0];
        assert_eq!(
            cells(Outline::Box { sides, radii: [13.0, 13.0] }, Affine::IDENTITY),
            [1, 2, 4, 5, 6, 7, 9, 10]
        );
    }

    #[test]
    fn line_covers_the_cells_through_which_it_runs() {
        let line = |points: &[Point]| cells(Outline::Polyline(points.to_vec()), Affine::IDENTITY);
        assert_eq!(line(&[[0.0, 15.0], [40.0, 15.0]]), [4, 5, 6, 7]);
        assert_eq!(line(&[[5.0, 5.0], [5.0, 25.0], [15.0, 25.0]]), [0, 4, 8, 9]);
        assert_eq!(line(&[[-1e9, 5.0], [1e9, 5.0]]), [0, 1, 2, 3]);
        assert_eq!(line(&[[5.0, f64::INFINITY], [f64::NAN, 5.0]]), [] as [usize; 0]);
        assert_eq!(line(&[[5.0, 5.0]]), [] as [usize; 0]);
    }
}
