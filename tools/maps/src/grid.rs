//! The cells of a board, and where they lie in the plane.

use super::affine::Point;
use dragnet_formats::cell::Cell;

/// The neighbours that a cell has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lattice {
    /// Four neighbours along edges, four at corners.
    Squares,
    /// Six neighbours. Every second column, or row, is moved by half a cell.
    Hexagons {
        /// Whether columns are moved, not rows.
        columns: bool,
        /// Whether the columns or rows with odd numbers are moved, not those with even numbers.
        odd: bool,
        /// The length in pixels of the two sides that lie along the axis across the lines.
        side: u32,
    },
}

/// Cells of one size. Cells of a line are neighbours: a row, or a column where columns are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    /// Rows.
    pub(super) height: usize,
    /// Columns.
    pub(super) width: usize,
    /// Width and height of a cell in pixels, at least 1.
    pub(super) cell: [u32; 2],
    pub(super) lattice: Lattice,
}

impl Grid {
    /// Returns the number of cells.
    pub(super) fn cells(self) -> usize {
        self.height * self.width
    }

    fn has_columns(self) -> bool {
        matches!(self.lattice, Lattice::Hexagons { columns: true, .. })
    }

    /// Returns the number of lines, and of the cells in each.
    pub(super) fn lines(self) -> (usize, usize) {
        if self.has_columns() { (self.width, self.height) } else { (self.height, self.width) }
    }

    /// Returns the line of a cell and its place there.
    pub(super) fn line_of(self, index: usize) -> (usize, usize) {
        let (row, column) = (index / self.width, index % self.width);
        if self.has_columns() { (column, row) } else { (row, column) }
    }

    /// Returns the index of a cell.
    pub(super) fn index_of(self, line: usize, place: usize) -> usize {
        let (row, column) = if self.has_columns() { (place, line) } else { (line, place) };
        row * self.width + column
    }

    /// Returns row and column of a cell. The sides of a board fit into them.
    pub(super) fn cell(self, index: usize) -> Cell {
        Cell::new((index / self.width) as u16, (index % self.width) as u16)
    }

    /// Returns how far a line is moved, in cells.
    pub(super) fn moved_by(self, line: usize) -> f64 {
        match self.lattice {
            Lattice::Hexagons { odd, .. } if (line % 2 == 1) == odd => 0.5,
            _ => 0.0,
        }
    }

    /// Returns the distance from a cell to the next column and to the next row, in pixels, whole as Tiled has
    /// it.
    pub(super) fn step(self) -> Point {
        let mut step = self.cell.map(f64::from);
        if let Lattice::Hexagons { columns, side, .. } = self.lattice {
            let far = usize::from(!columns);
            let side = side.min(self.cell[far]);
            step[1 - far] = f64::from((self.cell[1 - far] / 2 * 2).max(1));
            step[far] = f64::from(((self.cell[far] - side) / 2 + side).max(1));
        }
        step
    }

    /// Returns the middle of the first cell of a line that is not moved, in pixels.
    fn first(self) -> Point {
        match self.lattice {
            Lattice::Squares => self.cell.map(|side| f64::from(side) / 2.0),
            Lattice::Hexagons { .. } => self.cell.map(|side| f64::from(side / 2)),
        }
    }

    /// Returns a point, in pixels from the corner of the board, as its place in a line that is not moved and
    /// its line. Cells have their middle at whole numbers.
    pub(super) fn in_steps(self, point: Point) -> Point {
        let [x, y] = [0, 1].map(|axis| snapped((point[axis] - self.first()[axis]) / self.step()[axis]));
        if self.has_columns() { [y, x] } else { [x, y] }
    }

    /// Returns the index of the cell at a point, in pixels from the corner of the board. Of hexagons this is
    /// the one whose middle is nearest.
    pub(super) fn index_at(self, point: Point) -> Option<usize> {
        let [near, far] = self.in_steps(point);
        let (lines, places) = self.lines();
        let number = |at: f64, count: usize| {
            let at = (at + 0.5).floor();
            (at >= 0.0 && at < count as f64).then_some(at as usize)
        };
        if self.lattice == Lattice::Squares {
            return Some(self.index_of(number(far, lines)?, number(near, places)?));
        }
        let guess = (far + 0.5).floor();
        let mut nearest = (f64::INFINITY, None);
        for line in [guess - 1.0, guess, guess + 1.0] {
            let moved = self.moved_by((line.rem_euclid(2.0)) as usize);
            let place = (near - moved + 0.5).floor();
            let step = self.step();
            let [near_step, far_step] = if self.has_columns() { [step[1], step[0]] } else { step };
            let distance = ((near - moved - place) * near_step).hypot((far - line) * far_step);
            if distance < nearest.0 {
                let cell = number(line, lines).zip(number(place, places));
                nearest = (distance, cell.map(|(line, place)| self.index_of(line, place)));
            }
        }
        nearest.1
    }

    /// Returns the point in the middle of the cell with this index.
    pub(super) fn middle(self, index: usize) -> Point {
        let (line, place) = self.line_of(index);
        let near = place as f64 + self.moved_by(line);
        let [x, y] = if self.has_columns() { [line as f64, near] } else { [near, line as f64] };
        [0, 1].map(|axis| self.first()[axis] + [x, y][axis] * self.step()[axis])
    }
}

/// Returns a number of steps without the rounding errors of turns and scales.
pub(super) fn snapped(steps: f64) -> f64 {
    (steps * 1024.0).round() / 1024.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn point_on_an_edge_belongs_to_the_cell_behind_it() {
        let grid = Grid { height: 2, width: 3, cell: [16, 8], lattice: Lattice::Squares };
        assert_eq!(grid.index_at([0.0, 0.0]), Some(0));
        assert_eq!(grid.index_at([16.0, 7.9]), Some(1));
        assert_eq!(grid.index_at([47.9, 8.0]), Some(5));
        assert_eq!(grid.index_at([48.0, 8.0]), None);
        assert_eq!(grid.index_at([-0.1, 8.0]), None);
        assert_eq!(grid.index_at([f64::NAN, 0.0]), None);
        assert_eq!(grid.index_at(grid.middle(4)), Some(4));
    }

    #[test]
    fn middle_of_a_hexagon_is_in_it() {
        for (columns, odd) in [(false, false), (false, true), (true, false), (true, true)] {
            let lattice = Lattice::Hexagons { columns, odd, side: 12 };
            let grid = Grid { height: 4, width: 3, cell: [28, 28], lattice };
            for index in 0..12 {
                assert_eq!(grid.index_at(grid.middle(index)), Some(index), "{columns} {odd}");
            }
        }
        // Rows are moved; a row is (28 + 12) / 2 = 20 pixels below the one before it.
        let lattice = Lattice::Hexagons { columns: false, odd: true, side: 12 };
        let grid = Grid { height: 4, width: 4, cell: [28, 28], lattice };
        assert_eq!([0, 4, 5].map(|index| grid.middle(index)), [[14.0, 14.0], [28.0, 34.0], [56.0, 34.0]]);
        assert_eq!(grid.index_at([16.0, 34.0]), Some(4));
        // The hexagon at the left of row 1, half a cell before it, is none of the map.
        assert_eq!(grid.index_at([2.0, 34.0]), None);
    }
}
