//! The end review: what the human's moves cost, in words.

use crate::words::move_name;
use dragnet_probe::opponent::Review;

/// The number of moves that the review of a game names.
const WORST: usize = 3;

/// Describes the human's moves: a sum, and the worst ones.
#[must_use]
pub(crate) fn lines(review: &Review) -> Vec<String> {
    review.lines(WORST, |before, choice| move_name(before, choice.position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game::Game, maps::Arena};
    use dragnet_probe::{Cell, Position, Side};

    #[test]
    fn a_review_names_the_worst_moves_with_what_they_cost() {
        let arenas = Arena::all().unwrap();
        // The position of the README, in which the police wins by a step to the south-west only.
        let start = Position::new(Cell::new(5, 15), Cell::new(9, 10), Side::Police);
        let mut game = Game::new(&arenas[1], Side::Police, start).unwrap();
        let wait = |game: &mut Game| assert!(game.play(game.position().mover()).unwrap());
        wait(&mut game);
        let of_game = |game: &Game| lines(&game.review().unwrap());
        let expected = [
            "Of 1 move 1 was not the best; 1 changed the outcome.",
            "  ply 1: stay instead of ↙, from won to lost",
        ];
        assert_eq!(of_game(&game), expected);
        game.undo().unwrap();
        assert_eq!(of_game(&game), [""; 0], "no move is left");
        for _ in 0..2 {
            let best = game.choices()[0].to;
            game.play(best).unwrap();
        }
        assert_eq!(of_game(&game), ["Your 1 move could not be bettered."]);
        // At the marked start three steps win in 59 plies, and waiting in 115.
        let mut game = Game::new(&arenas[1], Side::Police, arenas[1].marked).unwrap();
        wait(&mut game);
        assert_eq!(
            of_game(&game),
            ["1 of your 1 move lost 56 plies.", "  ply 1: stay instead of ↖, lost 56 plies"]
        );
    }
}
