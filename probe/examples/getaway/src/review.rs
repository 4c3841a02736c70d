//! The end review: what the human's moves cost, in words.

use crate::words::{count, plies, step};
use dragnet_probe::{
    Value,
    opponent::{Review, ReviewedMove},
};

/// The number of moves that the review of a game names.
const WORST: usize = 3;

/// Describes the human's moves: a sum, and the worst ones.
#[must_use]
pub(crate) fn lines(review: &Review) -> Vec<String> {
    let moves = review.moves.len();
    let sum = match (review.errors, review.blunders) {
        _ if moves == 0 => return Vec::new(),
        (0, _) => format!("Your {} could not be bettered.", count(moves, "move")),
        (errors, 0) => {
            format!("{errors} of your {} lost {}.", count(moves, "move"), plies(review.plies_lost as usize))
        }
        (errors, blunders) => {
            let verb = if errors == 1 { "was" } else { "were" };
            format!(
                "Of {} {errors} {verb} not the best; {blunders} changed the outcome.",
                count(moves, "move")
            )
        }
    };
    let mut lines = vec![sum];
    lines.extend(review.worst(WORST).iter().map(worst));
    lines
}

/// Describes a move that was not the best. Plies are counted from 1.
fn worst(rated: &ReviewedMove) -> String {
    let from = rated.before.mover().cell();
    let [made, better] = [rated.played, rated.best].map(|choice| step(from, choice.to.cell()));
    let cost = match (rated.best.worth(), rated.played.worth()) {
        (Value::Win(_), Value::Draw) => "from won to drawn".to_owned(),
        (Value::Win(_), Value::Loss(_)) => "from won to lost".to_owned(),
        (Value::Draw, Value::Loss(_)) => "from drawn to lost".to_owned(),
        _ => format!("lost {}", plies(rated.cost.plies as usize)),
    };
    format!("  ply {}: {made} instead of {better}, {cost}", rated.ply + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game::Game, maps::Arena};
    use dragnet_probe::{Cell, Side};

    #[test]
    fn a_review_names_the_worst_moves_with_what_they_cost() {
        let arenas = Arena::all().unwrap();
        // The position of the README, in which the police wins by a step to the south-west only.
        let start = dragnet_probe::Position::new(Cell::new(5, 15), Cell::new(9, 10), Side::Police);
        let mut game = Game::new(&arenas[1], Side::Police, start).unwrap();
        let wait = |game: &mut Game| assert!(game.play(game.position().mover().cell()).unwrap());
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
            let best = game.choices()[0].to.cell();
            game.play(best).unwrap();
        }
        assert_eq!(of_game(&game), ["Your 1 move could not be bettered."]);
        // At the marked start three steps win in 59 plies, and waiting in 67.
        let mut game = Game::new(&arenas[1], Side::Police, arenas[1].marked).unwrap();
        wait(&mut game);
        assert_eq!(
            of_game(&game),
            ["1 of your 1 move lost 8 plies.", "  ply 1: stay instead of ↖, lost 8 plies"]
        );
    }
}
