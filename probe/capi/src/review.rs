//! The rating of games: what each move cost, and the worst ones.

use crate::{
    border::{Handle, In, Out},
    convert::one_side,
    failure::guard,
    opening::pursuit,
    opponent::positions,
    opponent_types::{Review, ReviewedMove},
    types::{Position, Status},
};
use dragnet_probe::{AnyTable, opponent};
use std::cmp::Reverse;

/// Rates the moves of one side in a game.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_table_review(
    table: Handle<AnyTable>,
    game: In<Position>,
    count: usize,
    side: i32,
    review: Out<Review>,
    moves: Out<ReviewedMove>,
    capacity: usize,
) -> Status {
    guard(|| {
        let (table, review) = (pursuit(&table)?, review.single("review")?);
        let moves = moves.buffer(capacity, "moves")?;
        let side = one_side(side, "side")?;
        let game = positions(game.slice(count, "game")?, "position")?;
        let found = opponent::Review::new(table, &game, side)?;
        moves.fill(found.moves.iter().map(ReviewedMove::from));
        review.write(Review {
            moves: found.moves.len() as u64,
            errors: found.errors as u64,
            blunders: found.blunders as u64,
            drops: found.drops,
            plies_lost: found.plies_lost,
        });
        Ok(())
    })
}

/// Writes the worst of some reviewed moves.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_review_worst(
    moves: In<ReviewedMove>,
    count: usize,
    worst: Out<ReviewedMove>,
    capacity: usize,
    errors: Out<usize>,
) -> Status {
    guard(|| {
        let (worst, errors) = (worst.buffer(capacity, "worst")?, errors.single("errors")?);
        let is_error = |rated: &&ReviewedMove| (rated.drop, rated.plies) != (0, 0);
        let mut found: Vec<&ReviewedMove> = moves.slice(count, "moves")?.iter().filter(is_error).collect();
        found.sort_by_key(|rated| (Reverse((rated.drop, rated.plies)), rated.ply));
        errors.write(found.len());
        worst.fill(found.into_iter().copied());
        Ok(())
    })
}
