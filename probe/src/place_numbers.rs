//! The numbers of places among the squares of a grid.

use dragnet_formats::{cell::Cell, game::Places};

/// The places of a grid with their numbers, in 12 bytes for 64 squares.
#[derive(Debug)]
pub(crate) struct PlaceNumbers {
    rows: u16,
    columns: u16,
    /// A bit for each square in reading order: whether it is a place.
    words: Box<[u64]>,
    /// For each word the number of places before it.
    before: Box<[u32]>,
}

impl PlaceNumbers {
    pub(crate) fn new(places: &Places) -> PlaceNumbers {
        let word = |squares: &[bool]| squares.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
        let words: Box<[u64]> = places.squares().chunks(64).map(word).collect();
        let count = |sum: &mut u32, word: &u64| {
            let before = *sum;
            *sum += word.count_ones();
            Some(before)
        };
        let before = words.iter().scan(0, count).collect();
        PlaceNumbers { rows: places.height(), columns: places.width(), words, before }
    }

    /// Returns the number of squares of the grid.
    pub(crate) fn squares(&self) -> usize {
        usize::from(self.rows) * usize::from(self.columns)
    }

    /// Returns the number of places.
    pub(crate) fn count(&self) -> usize {
        match (self.words.last(), self.before.last()) {
            (Some(word), Some(before)) => (before + word.count_ones()) as usize,
            _ => 0,
        }
    }

    /// Returns the number of the square of a cell; `None` off the grid.
    #[inline]
    pub(crate) fn square(&self, Cell { row, col }: Cell) -> Option<u32> {
        let square = u32::from(row) * u32::from(self.columns) + u32::from(col);
        (row < self.rows && col < self.columns).then_some(square)
    }

    /// Returns the number of the square of a cell, and the number of its place; `None` if it is no place.
    #[inline]
    pub(crate) fn of(&self, cell: Cell) -> Option<(u32, usize)> {
        let square = self.square(cell)?;
        let (word, bit) = (square as usize / 64, square % 64);
        let is_place = self.words[word] >> bit & 1 == 1;
        is_place.then(|| {
            (square, (self.before[word] + (self.words[word] & !(u64::MAX << bit)).count_ones()) as usize)
        })
    }

    /// Returns the cell of a square, if it is a place.
    #[inline]
    pub(crate) fn cell(&self, square: i64) -> Option<Cell> {
        let square = u32::try_from(square).ok()?;
        let columns = u32::from(self.columns);
        let cell = Cell::new(u16::try_from(square / columns).ok()?, (square % columns) as u16);
        self.of(cell).map(|_| cell)
    }

    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.words) + size_of_val(&*self.before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_numbers_in_reading_order() {
        let squares: Vec<bool> = (0..7 * 31).map(|square| square % 3 != 1).collect();
        let places = Places::new(7, 31, squares);
        let numbers = PlaceNumbers::new(&places);
        assert_eq!(numbers.count(), places.count());
        for (number, (cell, square)) in places.cells().zip(places.square_numbers()).enumerate() {
            assert_eq!(numbers.of(cell), Some((square, number)));
            assert_eq!(numbers.cell(square.into()), Some(cell));
        }
        for cell in [(0, 1), (7, 0), (0, 31), (u16::MAX, u16::MAX)].map(|(row, col)| Cell::new(row, col)) {
            assert_eq!(numbers.of(cell), None);
        }
        assert_eq!((numbers.cell(-1), numbers.cell(1), numbers.cell(7 * 31)), (None, None, None));
    }
}
