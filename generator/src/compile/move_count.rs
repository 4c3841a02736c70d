//! An upper bound of the moves of a side, without a search.

use dragnet_formats::{
    board::Board,
    rules::{Movement, Rules, Way},
};

/// Returns an upper bound of the moves of a piece that moves like `movement`, summed over the open cells of
/// `board`.
pub(super) fn most_moves(board: &Board, rules: &Rules, movement: &Movement) -> u64 {
    let cells = board.open_count() as u64;
    let single = match board.graph() {
        Some(graph) => {
            let degree = |vertex| graph.successors(vertex).len() as u64;
            (0..graph.vertices()).map(degree).max().unwrap_or(0)
        }
        None => movement.most_targets() + most_ways(board, rules),
    };
    // A turn of several steps ends on at most as many cells as there are sequences of steps.
    let ways = single.saturating_add(1).saturating_pow(movement.steps.into());
    let by_ways = cells.saturating_mul(ways.min(cells));
    match board.graph() {
        Some(_) => by_ways,
        None if !rules.ways.is_empty() => by_ways,
        None => by_ways.min(within_windows(board, rules, movement)),
    }
}

/// Returns an upper bound of the ways from a square.
fn most_ways(board: &Board, rules: &Rules) -> u64 {
    let ends = |way: &Way| board.letters().filter(|&(_, letter)| letter == way.to).count() as u64;
    rules.ways.iter().map(ends).sum()
}

/// Returns how many pairs of squares are so near to each other that a piece may come from one to the other in
/// a turn.
fn within_windows(board: &Board, rules: &Rules, movement: &Movement) -> u64 {
    let (rows, cols) = movement.farthest();
    let rows = pairs_within(board.height().into(), rows, rules.wrap.vertical());
    let cols = pairs_within(board.width().into(), cols, rules.wrap.horizontal());
    rows.saturating_mul(cols)
}

/// Returns how many ordered pairs of places on a line of `length`, perhaps a ring, are at most `distance`
/// apart.
fn pairs_within(length: u64, distance: u64, ring: bool) -> u64 {
    if ring {
        return length * (2 * distance + 1).min(length);
    }
    let distance = distance.min(length.saturating_sub(1));
    // Each of the two ends cuts off 1 + 2 + … + distance places.
    length * (2 * distance + 1) - distance * (distance + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::{
        board::Square,
        cell::Side,
        game::MoveTable,
        moves::Steps,
        rules::{MoveSet, Wrap},
    };
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_board_has_more_moves_than_the_bound(
            walls in prop::collection::vec(any::<bool>(), 42),
            list in prop::collection::btree_set((-3i16..=3, -3i16..=3), 0..6),
            may_pass in any::<bool>(), reach in 1u8..4, steps in 1u8..4, glide in any::<bool>(),
            wrap in prop::sample::select(vec![Wrap::None, Wrap::Horizontal, Wrap::Vertical, Wrap::Both]),
        ) {
            let squares = walls.iter().map(|&wall| if wall { Square::Wall } else { Square::Open }).collect();
            let board = Board::new(6, 7, squares).unwrap();
            let list = list.into_iter().filter(|&offset| offset != (0, 0)).collect();
            let police = Movement { may_pass, reach, steps, glide, ..Movement::new(MoveSet::Offsets(list)) };
            let rules = Rules { police, wrap, ..Rules::classic() };
            let moves = MoveTable::new(&board, &Steps::new(&rules, Side::Police)).len() as u64;
            prop_assert!(moves <= most_moves(&board, &rules, &rules.police));
        }
    }

    #[test]
    fn an_open_board_has_as_many_moves_as_the_bound() {
        let board = Board::new(9, 13, vec![Square::Open; 9 * 13]).unwrap();
        for steps in 1..20 {
            let police = Movement { steps, ..Rules::classic().police };
            let rules = Rules { police, ..Rules::classic() };
            let moves = MoveTable::new(&board, &Steps::new(&rules, Side::Police)).len() as u64;
            assert_eq!(moves, most_moves(&board, &rules, &rules.police));
        }
    }
}
