//! Which rank owns which overlay.

use crate::observer::GridSquare;

/// So many regions a rank has in a column of them, if the board is large enough, and half as many in a row.
/// More regions share each level's work more evenly, as waves of decisions, about as long as a row, pass over
/// the board. Fewer have shorter borders, over which ranks tell each other what they decide, and a rank reads
/// less of what others own.
const REGIONS: usize = 2;

/// Returns which of `ranks` ranks owns each overlay of a board, given the squares in which all overlays lie.
/// Squares are joined to *regions*, about twice as wide as high, which are dealt row by row (`PROTOCOL.md`
/// §13).
///
/// ```
/// use dragnet_generator::{GridSquare, ranks::owners_of};
///
/// let squares: Vec<_> = (0..4).flat_map(|row| (0..4).map(move |col| GridSquare { row, col })).collect();
/// let owners = owners_of(&squares, 3);
/// assert_eq!(owners[..4], [0, 1, 2, 0]);
/// assert_eq!(owners[4..8], [1, 2, 0, 1]);
/// ```
///
/// # Panics
/// If there are no ranks.
#[must_use]
pub fn owners_of(squares: &[GridSquare], ranks: usize) -> Vec<usize> {
    // The rows or the columns up to the last overlay.
    let extent = |coordinate: fn(&GridSquare) -> u16| {
        squares.iter().map(|square| usize::from(coordinate(square)) + 1).max().unwrap_or(0)
    };
    let shorter = extent(|square| square.row).min(extent(|square| square.col));
    // With two ranks and square regions the two halves of a wave from a corner, one along rows and one along
    // columns, would reach regions of the same rank at the same time.
    let (height, width) = ((shorter / (REGIONS * ranks)).max(1), (2 * shorter / (REGIONS * ranks)).max(1));
    let owner = |square: &GridSquare| {
        let (row, col) = (usize::from(square.row) / height, usize::from(square.col) / width);
        // Each row begins about 0.38 of the ranks further, so that neither the columns of a board nor its
        // diagonals belong to few of them.
        (col + row * ((ranks * 8 + 10) / 21)) % ranks
    };
    squares.iter().map(owner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_rank_has_an_equal_share_of_a_large_board_and_of_its_rows_and_columns() {
        for ranks in 1..20 {
            let side = 8 * ranks;
            let square = |at| GridSquare { row: (at / side) as u16, col: (at % side) as u16 };
            let owners = owners_of(&(0..side * side).map(square).collect::<Vec<_>>(), ranks);
            let mut owned = vec![0; ranks];
            owners.iter().for_each(|&owner| owned[owner] += 1);
            assert!(owned.iter().all(|&owned| owned == 64 * ranks), "{ranks} ranks: {owned:?}");
            for at in 0..side {
                let of_row: BTreeSet<_> = owners[at * side..][..side].iter().collect();
                assert_eq!(of_row.len(), ranks);
                let of_column: BTreeSet<_> = owners[at..].iter().step_by(side).collect();
                assert!(4 * of_column.len() >= ranks, "{ranks} ranks");
            }
        }
    }

    #[test]
    fn gaps_between_the_overlays_of_a_board_leave_its_regions_as_they_are() {
        let squares: Vec<_> = (0..24).map(|at| GridSquare { row: at, col: 23 - at }).collect();
        let owners = owners_of(&squares, 2);
        // Two regions in a row, and four in a column.
        let expected: Vec<_> = squares.iter().map(|at| usize::from(at.row / 6 + at.col / 12) % 2).collect();
        assert_eq!(owners, expected);
    }
}
