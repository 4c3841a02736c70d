//! How large a board is shown: the scale at which it fits the terminal.

use super::grid::Block;
use dragnet_formats::board::Board;

/// The space for the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) columns: usize,
    /// The lines, if they are limited.
    pub(super) lines: Option<usize>,
}

/// The form of a shown square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Two columns and a line, with room for a letter.
    Wide,
    /// A column and a line.
    Letter,
    /// A column and half a line.
    Half,
}

impl Form {
    /// Returns the columns of a shown square.
    pub(super) fn columns(self) -> usize {
        if self == Form::Wide { 2 } else { 1 }
    }

    /// Returns how many rows of shown squares a line holds.
    pub(super) fn rows_of_line(self) -> usize {
        if self == Form::Half { 2 } else { 1 }
    }
}

/// The form, the scale and the margin of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) form: Form,
    pub(super) block: Block,
    /// The columns for row numbers at the left; 0 if there is no room for them, nor for column numbers.
    pub(super) margin: usize,
}

impl Layout {
    /// Returns the largest layout that fits, with half lines if the output has `colours`.
    pub(super) fn new(board: &Board, colours: bool, room: Room) -> Layout {
        let margin = (board.height() - 1).to_string().len() + 1;
        let one = [(Form::Wide, Block::ONE)].into_iter();
        let scales = 1..=usize::from(board.height().max(board.width()));
        let all: Box<dyn Iterator<Item = (Form, Block)>> = if colours {
            Box::new(one.chain(scales.map(|k| (Form::Half, Block { rows: k, columns: k }))))
        } else {
            // A letter is about twice as high as wide.
            let scaled = scales.map(|k| (Form::Letter, Block { rows: 2 * k, columns: k }));
            Box::new(one.chain([(Form::Letter, Block::ONE)]).chain(scaled))
        };
        let mut smallest = Layout { form: Form::Letter, block: Block::ONE, margin: 0 };
        for (form, block) in all {
            for margin in [margin, 0] {
                smallest = Layout { form, block, margin };
                if smallest.fits(board, room) {
                    return smallest;
                }
            }
        }
        smallest
    }

    fn fits(&self, board: &Board, room: Room) -> bool {
        let columns = usize::from(board.width()).div_ceil(self.block.columns) * self.form.columns();
        let rows = usize::from(board.height()).div_ceil(self.block.rows);
        let lines = rows.div_ceil(self.form.rows_of_line()) + usize::from(self.margin > 0);
        self.margin + columns <= room.columns && room.lines.is_none_or(|most| lines <= most)
    }

    /// Returns the line of column numbers, as many as there is room for.
    pub(super) fn ruler(&self, board: &Board) -> String {
        const STEPS: [usize; 14] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000];
        let width = usize::from(board.width());
        let digits = (width - 1).to_string().len();
        let column = |cell: usize| cell / self.block.columns * self.form.columns();
        // Two digits fill a wide square; what is longer needs a space behind it.
        let needed = if digits <= self.form.columns() { digits } else { digits + 1 };
        let step = STEPS.into_iter().find(|&step| column(step) >= needed).unwrap_or(width);
        let mut line = " ".repeat(self.margin);
        for cell in (0..width).step_by(step) {
            let number = cell.to_string();
            if column(cell) + number.len() > column(width - 1) + self.form.columns() {
                break;
            }
            line.push_str(&" ".repeat((self.margin + column(cell)).saturating_sub(line.len())));
            line.push_str(&number);
        }
        line.truncate(line.trim_end().len());
        line
    }

    /// Returns the row number beside line number `line`, or spaces.
    pub(super) fn row_number(&self, line: usize) -> String {
        /// Lines between two numbers where a line does not stand for one row.
        const STEP: usize = 5;
        if self.margin == 0 {
            return String::new();
        }
        let row = line * self.form.rows_of_line() * self.block.rows;
        let shown = row == line || line.is_multiple_of(STEP);
        let number = if shown { row.to_string() } else { String::new() };
        format!("{number:>width$} ", width = self.margin - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::board::make;

    #[test]
    fn every_board_fits_every_room() {
        for (height, width) in [(1, 1), (1, 300), (300, 1), (9, 12), (40, 60), (256, 256), (200, 37)] {
            let board = make::open(height, width).unwrap();
            for colours in [false, true] {
                for columns in [20, 21, 40, 80, 132, 200] {
                    for lines in [None, Some(5), Some(12), Some(50)] {
                        let room = Room { columns, lines };
                        let layout = Layout::new(&board, colours, room);
                        assert!(layout.fits(&board, room), "{height}x{width} {room:?}: {layout:?}");
                        let ruler = layout.ruler(&board);
                        assert!(layout.margin == 0 || ruler.len() <= columns, "{room:?}: {ruler:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn small_boards_are_not_scaled_down() {
        let board = make::open(9, 12).unwrap();
        let layout = Layout::new(&board, true, Room { columns: 80, lines: Some(24) });
        assert_eq!(layout, Layout { form: Form::Wide, block: Block::ONE, margin: 2 });
        assert_eq!(layout.ruler(&board), "  0 1 2 3 4 5 6 7 8 9 1011");
        let board = make::open(60, 60).unwrap();
        let layout = Layout::new(&board, true, Room { columns: 80, lines: Some(40) });
        assert_eq!((layout.form, layout.block), (Form::Half, Block::ONE));
    }
}
