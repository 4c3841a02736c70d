//! The mapping of the cells of a board to the screen.

use dragnet_formats::{board::Board, cell::Cell};
use ratatui::layout::{Position as Place, Rect};

/// The part of a board that is on the screen. A cell has twice as many columns as rows, which is nearly
/// square on most terminals, and is as large as fits. If the board does not fit at all, the part follows a
/// cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableView {
    area: Rect,
    /// The rows of a cell on the screen.
    scale: u16,
    /// The upper left cell.
    first: Cell,
}

impl TableView {
    /// Puts the board, or the part around `focus`, into the middle of `area`.
    pub(super) fn new(area: Rect, board: &Board, focus: Cell) -> TableView {
        let fitting = (area.height / board.height()).min(area.width / 2 / board.width());
        let scale = fitting.max(1);
        let (rows, columns) = (area.height / scale, area.width / 2 / scale);
        let first = |focus: u16, length: u16, shown: u16| {
            focus.saturating_sub(shown / 2).min(length.saturating_sub(shown))
        };
        let first =
            Cell::new(first(focus.row, board.height(), rows), first(focus.col, board.width(), columns));
        let height = scale * rows.min(board.height());
        let width = 2 * scale * columns.min(board.width());
        let (left, top) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
        TableView { area: Rect::new(left, top, width, height), scale, first }
    }

    /// Returns the place of a cell, if it is in sight.
    pub(super) fn place(&self, cell: Cell) -> Option<Rect> {
        let row = cell.row.checked_sub(self.first.row)?;
        let col = cell.col.checked_sub(self.first.col)?;
        let in_sight = row < self.area.height / self.scale && col < self.area.width / (2 * self.scale);
        in_sight.then(|| {
            let (x, y) = (self.area.x + 2 * self.scale * col, self.area.y + self.scale * row);
            Rect::new(x, y, 2 * self.scale, self.scale)
        })
    }

    /// Returns the cell at a place of the screen.
    pub(super) fn cell_at(&self, place: Place) -> Option<Cell> {
        self.area.contains(place).then(|| {
            let row = (place.y - self.area.y) / self.scale;
            let col = (place.x - self.area.x) / (2 * self.scale);
            Cell::new(self.first.row + row, self.first.col + col)
        })
    }

    /// Returns the cells in sight.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (rows, columns) = (self.area.height / self.scale, self.area.width / (2 * self.scale));
        let first = self.first;
        (0..rows)
            .flat_map(move |row| (0..columns).map(move |col| Cell::new(first.row + row, first.col + col)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::board::make;

    #[test]
    fn focus_is_in_sight_on_every_screen() {
        for (height, width) in [(1, 1), (9, 12), (300, 5), (5, 300), (120, 200)] {
            let board = make::open(height, width).unwrap();
            for (columns, rows) in [(2, 1), (40, 6), (80, 20), (81, 21), (300, 90)] {
                let area = Rect::new(0, 1, columns, rows);
                for focus in board.open_cells().step_by(7) {
                    let view = TableView::new(area, &board, focus);
                    let place = view.place(focus).unwrap();
                    assert_eq!(area.intersection(place), place, "{focus} {area}");
                    assert_eq!(view.cell_at(Place::new(place.x, place.y)), Some(focus));
                    assert!(view.cells().all(|cell| board.square(cell).is_some()), "{focus} {area}");
                }
            }
        }
    }
}
