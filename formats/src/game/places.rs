//! The places of pieces.

use crate::cell::Cell;

/// The squares of a grid on which pieces may stand: their *places*, numbered in reading order. Takes one byte
/// of memory per square.
///
/// ```
/// use dragnet_formats::{board::text, cell::Cell};
///
/// let places = text::parse(b"..#\n.E.\n")?.board.places();
/// assert_eq!((places.height(), places.width(), places.count()), (2, 3, 5));
/// assert!(places.is_place(Cell::new(1, 1)) && !places.is_place(Cell::new(0, 2)));
/// # Ok::<(), dragnet_formats::board::ParseBoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Places {
    height: u16,
    width: u16,
    /// Whether each square is a place, in reading order.
    squares: Vec<bool>,
}

impl Places {
    /// Creates the places of a grid of these rows and columns from its squares in reading order.
    ///
    /// # Panics
    /// If `width` is 0 or `squares` has not `height * width` elements.
    #[must_use]
    pub fn new(height: u16, width: u16, squares: Vec<bool>) -> Places {
        assert!(width > 0, "a grid has columns");
        assert_eq!(squares.len(), usize::from(height) * usize::from(width), "the squares of the grid");
        Places { height, width, squares }
    }

    /// Returns the places of grids of so many columns that stand one below the other.
    ///
    /// # Panics
    /// If a grid has other columns, or all have more than 65,535 rows.
    #[must_use]
    pub fn stacked<'a>(width: u16, grids: impl IntoIterator<Item = &'a Places>) -> Places {
        let mut squares = Vec::new();
        for grid in grids {
            assert_eq!(grid.width, width, "the columns of the grids");
            squares.extend_from_slice(&grid.squares);
        }
        let height = squares.len() / usize::from(width);
        Places::new(height.try_into().expect("at most 65,535 rows"), width, squares)
    }

    /// Returns so many rows of the places.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn rows(&self, rows: std::ops::Range<u16>) -> Places {
        let width = usize::from(self.width);
        let squares = usize::from(rows.start) * width..usize::from(rows.end) * width;
        Places::new(rows.end - rows.start, self.width, self.squares[squares].to_vec())
    }

    /// Returns the number of rows: 0 on the grid of officers if there are none.
    #[must_use]
    #[inline]
    pub fn height(&self) -> u16 {
        self.height
    }

    /// Returns the number of columns, at least 1.
    #[must_use]
    #[inline]
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Returns whether each square is a place, in reading order.
    #[must_use]
    pub fn squares(&self) -> &[bool] {
        &self.squares
    }

    /// Returns whether a piece may stand on `cell`; `false` off the grid.
    #[must_use]
    #[inline]
    pub fn is_place(&self, cell: Cell) -> bool {
        cell.row < self.height
            && cell.col < self.width
            && self.squares[usize::from(cell.row) * usize::from(self.width) + usize::from(cell.col)]
    }

    /// Returns the cells of all places, in reading order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let width = usize::from(self.width);
        let is_place = |&(_, &is_place): &(usize, &bool)| is_place;
        let cell = move |(square, _)| Cell::new((square / width) as u16, (square % width) as u16);
        self.squares.iter().enumerate().filter(is_place).map(cell)
    }

    /// Returns the numbers of the squares that are places, rising: row · columns + column.
    pub fn square_numbers(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        (0..).zip(&self.squares).filter(|&(_, &is_place)| is_place).map(|(square, _)| square)
    }

    /// Returns the number of places.
    #[must_use]
    pub fn count(&self) -> usize {
        self.squares.iter().filter(|&&is_place| is_place).count()
    }

    /// Returns the number of pairs of places side by side in a row or a column.
    ///
    /// ```
    /// let board = dragnet_formats::board::make::open(2, 3)?;
    /// assert_eq!(board.places().neighbour_pairs(), 7);
    /// # Ok::<(), dragnet_formats::board::BoardError>(())
    /// ```
    #[must_use]
    pub fn neighbour_pairs(&self) -> u64 {
        let is_place = |row: u16, col: u16| u64::from(self.is_place(Cell::new(row, col)));
        let after =
            |Cell { row, col }| is_place(row.saturating_add(1), col) + is_place(row, col.saturating_add(1));
        self.cells().map(after).sum()
    }
}
