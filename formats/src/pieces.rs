//! The pieces of a side, and the numbers of multisets.
//!
//! The pieces of a side are the thief alone, or officers. Officers of a kind cannot be told apart, so that a
//! team is a multiset of cells.

use crate::cell::{Cell, ParseCellError};
use std::{fmt, ops::Deref, str::FromStr};

/// The cells of all pieces of a side, in reading order, and so kind by kind; none if there are no officers.
/// Two lists of the same cells in different orders are the same team.
///
/// ```
/// use dragnet_formats::{cell::Cell, pieces::Pieces};
///
/// let team = Pieces::new(&[Cell::new(3, 12), Cell::new(0, 7)])?;
/// assert_eq!(team.cells(), [Cell::new(0, 7), Cell::new(3, 12)]);
/// assert_eq!("3,12+0,7".parse(), Ok(team));
/// # Ok::<(), dragnet_formats::pieces::PiecesError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pieces {
    /// The cells, rising; [`NOWHERE`] from index `count` on.
    cells: [Cell; Pieces::MAX],
    count: u8,
}

/// A number of pieces that no side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 1 to {} officers, found {found}", Pieces::MAX)]
pub struct PiecesError {
    /// The number that was given.
    pub found: usize,
}

const NOWHERE: Cell = Cell::new(u16::MAX, u16::MAX);

impl Pieces {
    /// The most pieces of a side.
    pub const MAX: usize = 6;

    /// Creates the pieces on these cells, in any order.
    ///
    /// # Errors
    /// When there are more than [`Pieces::MAX`] cells.
    pub fn new(cells: &[Cell]) -> Result<Pieces, PiecesError> {
        if cells.len() > Pieces::MAX {
            return Err(PiecesError { found: cells.len() });
        }
        let mut team = Pieces { cells: [NOWHERE; Pieces::MAX], count: cells.len() as u8 };
        team.cells[..cells.len()].copy_from_slice(cells);
        team.cells[..cells.len()].sort_unstable();
        Ok(team)
    }

    /// Creates a single piece.
    #[must_use]
    #[inline(always)]
    pub const fn one(cell: Cell) -> Pieces {
        let mut cells = [NOWHERE; Pieces::MAX];
        cells[0] = cell;
        Pieces { cells, count: 1 }
    }

    /// Returns the pieces' cells, rising.
    #[must_use]
    #[inline(always)]
    pub fn cells(&self) -> &[Cell] {
        &self.cells[..usize::from(self.count)]
    }

    /// Returns the first piece's cell: the cell of the thief, or of a single officer. There must be one.
    #[must_use]
    #[inline(always)]
    pub fn cell(&self) -> Cell {
        self.cells[0]
    }

    /// Returns the pieces after number `piece` of them, counted from 0 in reading order, has moved to `cell`.
    ///
    /// # Panics
    /// If there is no such piece.
    #[must_use]
    pub fn with(mut self, piece: usize, cell: Cell) -> Pieces {
        let cells = &mut self.cells[..usize::from(self.count)];
        cells[piece] = cell;
        cells.sort_unstable();
        self
    }
}

impl Deref for Pieces {
    type Target = [Cell];

    #[inline(always)]
    fn deref(&self) -> &[Cell] {
        self.cells()
    }
}

impl PartialEq<Cell> for Pieces {
    fn eq(&self, cell: &Cell) -> bool {
        self.cells() == [*cell]
    }
}

impl From<Cell> for Pieces {
    fn from(cell: Cell) -> Pieces {
        Pieces::one(cell)
    }
}

impl<const N: usize> From<[Cell; N]> for Pieces {
    /// Creates the pieces on these cells, in any order. A number of pieces that no side has is refused by the
    /// compiler.
    ///
    /// ```
    /// use dragnet_formats::{cell::Cell, pieces::Pieces};
    ///
    /// let team = Pieces::from([Cell::new(3, 12), Cell::new(0, 7)]);
    /// assert_eq!(team.cells(), [Cell::new(0, 7), Cell::new(3, 12)]);
    /// ```
    ///
    /// ```compile_fail
    /// # use dragnet_formats::{cell::Cell, pieces::Pieces};
    /// let team = Pieces::from([Cell::new(0, 0); 7]);
    /// ```
    fn from(cells: [Cell; N]) -> Pieces {
        const { assert!(N <= Pieces::MAX, "expected at most 6 officers") };
        Pieces::new(&cells).expect("as many as a side may have")
    }
}

impl TryFrom<&[Cell]> for Pieces {
    type Error = PiecesError;

    fn try_from(cells: &[Cell]) -> Result<Pieces, PiecesError> {
        Pieces::new(cells)
    }
}

impl fmt::Debug for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pieces({self})")
    }
}

impl fmt::Display for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, cell) in self.iter().enumerate() {
            write!(f, "{}{cell}", if i == 0 { "" } else { "+" })?;
        }
        Ok(())
    }
}

/// The reason why a text does not name a team.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParsePiecesError {
    /// A part of the text is not a cell.
    #[error(transparent)]
    Cell(#[from] ParseCellError),
    /// There are too many cells.
    #[error(transparent)]
    Count(#[from] PiecesError),
}

impl FromStr for Pieces {
    type Err = ParsePiecesError;

    /// Reads cells joined by `+`, for example `3,12+0,0`.
    fn from_str(text: &str) -> Result<Pieces, ParsePiecesError> {
        let cells = text.split('+').map(str::parse).collect::<Result<Vec<Cell>, _>>()?;
        Ok(Pieces::new(&cells)?)
    }
}

/// Returns `n` over `k`, the number of ways to choose `k` of `n`, or `u64::MAX` if it is greater than that.
#[must_use]
#[inline]
pub fn binomial(n: u64, k: u32) -> u64 {
    match k {
        0 => 1,
        1 => n,
        2 if n < 1 << 32 => n * n.saturating_sub(1) / 2,
        _ if n < u64::from(k) => 0,
        _ => {
            let mut ways = 1u128;
            // Up to half of n the partial results rise, so that none is greater than the last.
            for i in 0..u64::from(k).min(n - u64::from(k)) {
                // Exact: a product of i + 1 consecutive numbers has the divisor i + 1.
                match ways.checked_mul(u128::from(n - i)) {
                    Some(product) => ways = product / u128::from(i + 1),
                    None => return u64::MAX,
                }
            }
            u64::try_from(ways).unwrap_or(u64::MAX)
        }
    }
}

/// Returns the number of multisets of `size` elements out of `n`, or `u64::MAX` if it is greater than that.
#[must_use]
#[inline]
pub fn multisets(n: u64, size: u32) -> u64 {
    if n == 0 { u64::from(size == 0) } else { binomial((n - 1).saturating_add(size.into()), size) }
}

/// Returns the number, from 0, of the multiset of these elements, which must not fall: Σ binomial(x_j + j −
/// 1, j). It is below [`multisets`] for any n above the last element.
#[must_use]
#[inline]
pub fn rank(elements: impl IntoIterator<Item = u64>) -> u64 {
    (1..).zip(elements).fold(0u64, |rank, (j, x)| rank.saturating_add(binomial(x + u64::from(j) - 1, j)))
}

/// Writes the elements of the multiset with this [`rank`], which is at most 2⁶², to `elements`, rising.
pub fn unrank(mut rank: u64, elements: &mut [u64]) {
    for j in (1..=elements.len() as u32).rev() {
        // The greatest x with binomial(x + j - 1, j) <= rank, which is at most rank.
        if j == 1 {
            elements[0] = rank;
            return;
        }
        let below = |x: u64| binomial(x + u64::from(j) - 1, j) <= rank;
        if j == 2 && rank < 1 << 50 {
            // The root is off by one at most.
            let root = ((8.0 * rank as f64 + 1.0).sqrt() as u64).saturating_sub(1) / 2;
            let low = if below(root + 1) {
                root + 1
            } else if below(root) {
                root
            } else {
                root - 1
            };
            elements[1] = low;
            rank -= binomial(low + 1, 2);
            continue;
        }
        let (mut low, mut high) = (0, 1);
        while high <= rank && below(high) {
            (low, high) = (high, high.saturating_mul(2));
        }
        high = high.min(rank.saturating_add(1));
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if below(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        elements[j as usize - 1] = low;
        rank -= binomial(low + u64::from(j) - 1, j);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn teams_of_the_same_cells_in_any_order_are_equal() {
        let (a, b) = (Cell::new(3, 12), Cell::new(0, 7));
        let team = Pieces::new(&[a, b]).unwrap();
        assert_eq!(team, Pieces::new(&[b, a]).unwrap());
        assert_eq!(team.cells(), [b, a]);
        assert_eq!(team.with(0, Cell::new(9, 9)).cells(), [a, Cell::new(9, 9)]);
        assert_eq!(team.to_string(), "0,7+3,12");
        assert_eq!("3,12+0,7".parse(), Ok(team));
        assert_eq!("3,12".parse::<Pieces>().map(|one| one.len()), Ok(1));
        assert_eq!(Pieces::new(&[a; 7]), Err(PiecesError { found: 7 }));
        assert!(matches!("0,0+1".parse::<Pieces>(), Err(ParsePiecesError::Cell(_))));
        assert!(matches!(
            "0,0".repeat(7).replace("00", "0+0").parse::<Pieces>(),
            Err(ParsePiecesError::Count(_))
        ));
    }

    #[test]
    fn ranks_number_all_multisets_without_a_gap() {
        for size in 1..=4usize {
            let n = 7;
            let count = multisets(n, size as u32);
            let mut before: Option<Vec<u64>> = None;
            for number in 0..count {
                let mut elements = vec![0; size];
                unrank(number, &mut elements);
                assert!(elements.is_sorted() && elements[size - 1] < n, "{elements:?}");
                assert_eq!(rank(elements.iter().copied()), number);
                let reversed = |v: &Vec<u64>| v.iter().rev().copied().collect::<Vec<_>>();
                assert!(before.as_ref().is_none_or(|before| reversed(before) < reversed(&elements)));
                before = Some(elements);
            }
        }
        assert_eq!(multisets(576, 2), 166_176);
        assert_eq!(multisets(1 << 20, 6), u64::MAX);
        assert_eq!((binomial(5, 3), binomial(2, 3), binomial(0, 0)), (10, 0, 1));
        assert_eq!((binomial(257, 255), multisets(2, 255), multisets(300, 255)), (32_896, 256, u64::MAX));
        for (size, far) in [(2, (1 << 60) - 1), (2, 1 << 45), (3, 1 << 60), (6, 1 << 60), (40, 1 << 60)] {
            let mut elements = vec![0; size];
            unrank(far, &mut elements);
            assert_eq!(rank(elements), far);
        }
    }
}
