//! Sight from a cell of a board. `tools/docs/rules.md` defines both ways of it.

use crate::{
    board::Board,
    cell::Cell,
    look::Direction,
    rules::{Letters, Lines, Sight},
};

/// Sight on a board, on which closed doors that bar it are walls.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    board: &'a Board,
    opaque: &'a Letters,
}

impl<'a> View<'a> {
    /// Creates the view of `board`, where squares with these letters bar sight.
    #[must_use]
    pub const fn new(board: &'a Board, opaque: &'a Letters) -> View<'a> {
        View { board, opaque }
    }

    /// Returns the cells that are seen from `from` by who looks in this direction, if any, rising; `from` is
    /// among them.
    ///
    /// ```
    /// use dragnet_formats::board::text;
    /// use dragnet_formats::{cell::Cell, rules::{Letters, Lines, Sight}, sight::View};
    ///
    /// let board = text::parse(b"...\n.#.\n...\n")?.board;
    /// let sight = Sight { sight: 2, angle: None, lines: Lines::Shadows, doors: true };
    /// let seen = View::new(&board, &Letters::default()).seen(Cell::new(1, 0), sight, None);
    /// assert!(seen.contains(&Cell::new(0, 1)) && !seen.contains(&Cell::new(1, 2)));
    /// # Ok::<(), dragnet_formats::board::ParseBoardError>(())
    /// ```
    #[must_use]
    pub fn seen(self, from: Cell, sight: Sight, look: Option<Direction>) -> Vec<Cell> {
        let radius = i32::from(sight.sight);
        // The rectangle of cells that are not too far, which are marked and then read in order.
        let around = |at: u16, first: u16, count: u16| {
            at.saturating_sub(sight.sight).max(first)..=at.saturating_add(sight.sight).min(first + count - 1)
        };
        let floor = self.board.floor_height();
        let rows = around(from.row, from.row / floor * floor, floor);
        let cols = around(from.col, 0, self.board.width());
        let mut seen = vec![false; rows.len() * cols.len()];
        let index = |cell: Cell| {
            usize::from(cell.row - rows.start()) * cols.len() + usize::from(cell.col - cols.start())
        };
        seen[index(from)] = true;
        let mut see = |down: i32, right: i32| {
            let near = down * down + right * right <= radius * radius;
            let ahead =
                sight.angle.is_none_or(|angle| look.is_some_and(|look| look.sees(angle, down, right)));
            if near
                && ahead
                && let Some(cell) = self.cell(from, down, right)
            {
                seen[index(cell)] = true;
            }
        };
        match sight.lines {
            Lines::Shadows => self.shadows(from, radius, &mut see),
            Lines::Supercover => {
                let apart = |from: u16, to: u16| i32::from(to) - i32::from(from);
                for down in rows.clone().map(|row| apart(from.row, row)) {
                    for right in cols.clone().map(|col| apart(from.col, col)) {
                        let far = down * down + right * right > radius * radius;
                        if (down, right) != (0, 0) && !far && self.supercover(from, down, right) {
                            see(down, right);
                        }
                    }
                }
            }
        }
        let cells = rows.flat_map(|row| cols.clone().map(move |col| Cell::new(row, col)));
        cells.zip(seen).filter(|&(_, is_seen)| is_seen).map(|(cell, _)| cell).collect()
    }

    /// Returns the cell so far from another, if it is on the same floor.
    fn cell(self, from: Cell, down: i32, right: i32) -> Option<Cell> {
        let row = u16::try_from(i32::from(from.row) + down).ok()?;
        let col = u16::try_from(i32::from(from.col) + right).ok().filter(|&col| col < self.board.width())?;
        let floor = self.board.floor_height();
        (row / floor == from.row / floor).then_some(Cell::new(row, col))
    }

    /// Returns whether sight passes a cell.
    fn is_clear(self, cell: Option<Cell>) -> bool {
        cell.is_some_and(|cell| self.board.is_open(cell) && !self.opaque.contains(self.board.letter(cell)))
    }

    /// Returns whether the line to the cell so far away touches nothing that bars sight.
    fn supercover(self, from: Cell, down: i32, right: i32) -> bool {
        let (below, beside) = (down.signum(), right.signum());
        let (rows, cols) = (down.abs(), right.abs());
        let thin = self.board.thin_walls();
        let at = |row: i32, col: i32| self.cell(from, row * below, col * beside);
        let wall = |one: Option<Cell>, other: Option<Cell>| {
            !thin.is_empty() && one.zip(other).is_some_and(|(one, other)| thin.between(one, other))
        };
        let (mut row, mut col) = (0, 0);
        while (row, col) != (rows, cols) {
            let here = at(row, col);
            let side = (1 + 2 * col) * rows - (1 + 2 * row) * cols;
            if side == 0 {
                let [aside, under, next] = [at(row, col + 1), at(row + 1, col), at(row + 1, col + 1)];
                let walls = [(here, aside), (here, under), (under, next), (aside, next)];
                let free = self.is_clear(aside) && self.is_clear(under);
                if !free || walls.into_iter().any(|(one, other)| wall(one, other)) {
                    return false;
                }
                (row, col) = (row + 1, col + 1);
            } else {
                let (next_row, next_col) = if side < 0 { (row, col + 1) } else { (row + 1, col) };
                if wall(here, at(next_row, next_col)) {
                    return false;
                }
                (row, col) = (next_row, next_col);
            }
            if (row, col) != (rows, cols) && !self.is_clear(at(row, col)) {
                return false;
            }
        }
        true
    }

    /// Calls `see` with the offset of each cell but `from` that the shadows leave, at most so many rows or
    /// columns away; perhaps more than once.
    fn shadows(self, from: Cell, radius: i32, see: &mut impl FnMut(i32, i32)) {
        // Rows and columns of a step outwards, and of one along the row that is looked at.
        for ((out_down, out_right), (down, right)) in
            [((-1, 0), (0, 1)), ((1, 0), (0, 1)), ((0, 1), (1, 0)), ((0, -1), (1, 0))]
        {
            let offset =
                |depth: i32, col: i32| (out_down * depth + down * col, out_right * depth + right * col);
            let is_clear = |depth: i32, col: i32| {
                let (down, right) = offset(depth, col);
                self.is_clear(self.cell(from, down, right))
            };
            // Sectors that are still open: their depth, and the slopes at their ends, as fractions.
            let mut sectors = vec![(1, (-1, 1), (1, 1))];
            while let Some((depth, mut start, end)) = sectors.pop() {
                if depth > radius {
                    continue;
                }
                // Halves are rounded into the sector.
                let first = (2 * depth * start.0 + start.1).div_euclid(2 * start.1);
                let last = -(-(2 * depth * end.0 - end.1)).div_euclid(2 * end.1);
                let mut before = None;
                for col in first..=last {
                    let clear = is_clear(depth, col);
                    let inside = depth * start.0 <= col * start.1 && col * end.1 <= depth * end.0;
                    if clear && inside {
                        let (down, right) = offset(depth, col);
                        see(down, right);
                    }
                    let edge = (2 * col - 1, 2 * depth);
                    match (before, clear) {
                        (Some(false), true) => start = edge,
                        (Some(true), false) => sectors.push((depth + 1, start, edge)),
                        _ => {}
                    }
                    before = Some(clear);
                }
                if before == Some(true) {
                    sectors.push((depth + 1, start, end));
                }
            }
        }
    }
}
