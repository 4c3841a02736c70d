//! Which rank owns which overlay.

use crate::observer::GridSquare;

/// The number of strips of the board that a rank has, if there are enough overlays. With more strips each
/// level's work is shared more evenly, as waves of decisions pass over the board. With fewer the borders are
/// shorter, over which ranks tell each other what they decide, and a rank reads less of what others own.
const STRIPS: usize = 2;

/// Returns which of `ranks` ranks owns each overlay of a board, given the squares in which all overlays lie.
/// The board is cut across its longer side into *strips* of equally many overlays, which are dealt in turn
/// (`PROTOCOL.md` §13).
///
/// ```
/// use dragnet_generator::{GridSquare, ranks::owners_of};
///
/// // Two rows of six squares: two ranks have two strips each, of three squares.
/// let squares: Vec<_> = (0..2).flat_map(|row| (0..6).map(move |col| GridSquare { row, col })).collect();
/// let owners = owners_of(&squares, 2);
/// assert_eq!(owners[..6], [0, 0, 1, 0, 0, 1]);
/// assert_eq!(owners[6..], [0, 1, 1, 0, 1, 1]);
/// ```
///
/// # Panics
/// If there are no ranks.
#[must_use]
pub fn owners_of(squares: &[GridSquare], ranks: usize) -> Vec<usize> {
    assert!(ranks > 0, "expected at least one rank");
    let extent = |coordinate: fn(&GridSquare) -> u16| {
        let coordinates = squares.iter().map(coordinate);
        coordinates.clone().max().zip(coordinates.min()).map_or(0, |(last, first)| last - first)
    };
    let wide = extent(|square| square.col) >= extent(|square| square.row);
    let mut along: Vec<usize> = (0..squares.len()).collect();
    along.sort_by_key(|&overlay| {
        let GridSquare { row, col } = squares[overlay];
        if wide { (col, row) } else { (row, col) }
    });
    let strips = (STRIPS * ranks).min(squares.len());
    let mut owners = vec![0; squares.len()];
    for (place, overlay) in along.into_iter().enumerate() {
        owners[overlay] = place * strips / squares.len() % ranks;
    }
    owners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_own_equally_many_overlays_wherever_the_board_has_walls() {
        for ranks in 1..20 {
            for overlays in [1, 2, 5, 16, 63, 287, 1000] {
                // In each row the overlays are farther from each other.
                let square =
                    |at: usize| GridSquare { row: (at / 20) as u16, col: (at % 20 * (at / 20 + 1)) as u16 };
                let owners = owners_of(&(0..overlays).map(square).collect::<Vec<_>>(), ranks);
                let mut owned = vec![0; ranks];
                owners.iter().for_each(|&owner| owned[owner] += 1);
                let (least, most) = (owned.iter().min().unwrap(), owned.iter().max().unwrap());
                assert!(most - least <= STRIPS, "{overlays} overlays, {ranks} ranks: {owned:?}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "at least one rank")]
    fn overlays_have_owners_if_there_are_ranks() {
        assert!(owners_of(&[], 3).is_empty());
        let _ = owners_of(&[], 0);
    }

    #[test]
    fn strips_lie_across_the_longer_side() {
        let squares = |rows: u16, cols: u16| -> Vec<GridSquare> {
            // Walls before the first column are no part of the extent.
            let cols = 50..50 + cols;
            (0..rows).flat_map(|row| cols.clone().map(move |col| GridSquare { row, col })).collect()
        };
        let wide = squares(3, 8);
        let expected: Vec<usize> = wide.iter().map(|square| usize::from((square.col - 50) / 2) % 2).collect();
        assert_eq!(owners_of(&wide, 2), expected);
        let high = squares(12, 5);
        let expected: Vec<usize> = high.iter().map(|square| usize::from(square.row / 2) % 3).collect();
        assert_eq!(owners_of(&high, 3), expected);
    }
}
