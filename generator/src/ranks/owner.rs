//! Which rank owns which overlay.

use crate::observer::GridSquare;

/// So many regions a rank has in a row of them, if there are enough overlays. More regions share each level's
/// work more evenly, as waves of decisions, about as long as a row, pass over the board. Fewer have shorter
/// borders, over which ranks tell each other what they decide, and a rank reads less of what others own: with
/// two ranks an open board of 256×256 takes 0.84 of the time that regions of one square take.
const REGIONS: usize = 2;

/// Returns the one of `ranks` ranks that owns the overlay that lies in `square`, on a board with so many
/// `overlays`. Squares are joined to *regions* of equal height and width, which are dealt row by row
/// (`PROTOCOL.md` §13).
///
/// ```
/// use dragnet_generator::{GridSquare, ranks::owner_of};
///
/// let owner = |row, col| owner_of(GridSquare { row, col }, 16, 3);
/// assert_eq!([0, 1, 2, 3].map(|col| owner(0, col)), [0, 1, 2, 0]);
/// assert_eq!([0, 1, 2, 3].map(|col| owner(1, col)), [1, 2, 0, 1]);
/// ```
///
/// # Panics
/// If there are no ranks.
#[must_use]
pub fn owner_of(square: GridSquare, overlays: usize, ranks: usize) -> usize {
    let side = (overlays.isqrt() / (REGIONS * ranks)).max(1);
    let (row, col) = (usize::from(square.row) / side, usize::from(square.col) / side);
    // Each row begins about 0.38 of the ranks further, so that neither the columns of a board nor its
    // diagonals belong to few of them.
    (col + row * ((ranks * 8 + 10) / 21)) % ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_rank_has_an_equal_share_of_a_large_board_and_of_its_rows_and_columns() {
        for ranks in 1..20 {
            let side = u16::try_from(8 * ranks).unwrap();
            let owner = |row, col| owner_of(GridSquare { row, col }, usize::from(side).pow(2), ranks);
            let mut owned = vec![0; ranks];
            for row in 0..side {
                (0..side).for_each(|col| owned[owner(row, col)] += 1);
                let of_row: BTreeSet<usize> = (0..side).map(|col| owner(row, col)).collect();
                assert_eq!(of_row.len(), ranks);
                let of_column: BTreeSet<usize> = (0..side).map(|col| owner(col, row)).collect();
                assert!(4 * of_column.len() >= ranks, "{ranks} ranks");
            }
            assert!(owned.iter().all(|&owned| owned == 64 * ranks), "{ranks} ranks: {owned:?}");
        }
    }
}
