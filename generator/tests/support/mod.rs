//! Games to test with.

#![allow(clippy::unwrap_used)]

use dragnet_formats::{
    board::{Board, Square},
    rules::{MoveSet, Movement, Rules, Stuck, Wrap},
};
use proptest::prelude::*;

fn movement() -> impl Strategy<Value = Movement> {
    let list = prop::collection::btree_set((-2i16..=2, -2i16..=2), 0..6)
        .prop_map(|list| MoveSet::Offsets(list.into_iter().filter(|&offset| offset != (0, 0)).collect()));
    let named = vec![MoveSet::King, MoveSet::Orthogonal, MoveSet::Diagonal, MoveSet::Knight];
    (prop_oneof![4 => prop::sample::select(named), 1 => list], any::<bool>())
        .prop_map(|(moves, may_pass)| Movement { moves, may_pass })
}

/// Rules of every kind.
pub(crate) fn rules() -> impl Strategy<Value = Rules> {
    let wrap = prop::sample::select(vec![Wrap::None, Wrap::Horizontal, Wrap::Vertical, Wrap::Both]);
    let stuck = prop::sample::select(vec![Stuck::Loses, Stuck::Wins]);
    (movement(), movement(), any::<bool>(), wrap, stuck).prop_map(
        |(police, thief, corner_cutting, wrap, stuck)| Rules {
            police,
            thief,
            corner_cutting,
            wrap,
            stuck,
            ..Rules::classic()
        },
    )
}

/// Boards of a few cells.
pub(crate) fn board() -> impl Strategy<Value = Board> {
    (1usize..6, 1usize..7).prop_flat_map(|(height, width)| {
        let square = prop_oneof![6 => Just(Square::Open), 2 => Just(Square::Wall), 1 => Just(Square::Exit)];
        prop::collection::vec(square, height * width).prop_map(move |mut squares| {
            squares[0] = Square::Open;
            Board::new(height, width, squares).unwrap()
        })
    })
}
