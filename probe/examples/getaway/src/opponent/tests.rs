//! The perfect opponent against chance, and the errors of the others in numbers.

use super::*;
use crate::{
    game::End,
    maps::{Arena, MAPS},
};
use dragnet_probe::{Cell, Outcome, Side};

/// Draws positions that are not terminal.
fn positions(arena: &Arena, count: usize, rng: &mut Rng) -> Vec<Position> {
    let open: Vec<Cell> = arena.table.board().open_cells().collect();
    let mut positions = Vec::new();
    while positions.len() < count {
        let (police, thief) = (rng.choice(&open).copied().unwrap(), rng.choice(&open).copied().unwrap());
        let position = Position::new(police, thief, Side::BOTH[rng.usize(..2)]);
        if arena.table.value(position).unwrap().dtw() != Some(0) {
            positions.push(position);
        }
    }
    positions
}

#[test]
fn the_perfect_opponent_wins_every_won_position_in_time_and_loses_no_drawn_one() {
    let mut rng = Rng::with_seed(2);
    for arena in Arena::all().unwrap() {
        for start in positions(&arena, 150, &mut rng) {
            for machine in Side::BOTH {
                let mut game = Game::new(&arena, machine.other(), start).unwrap();
                let (outcome, dtw) = game.par();
                while game.end().is_none() {
                    let choice = if game.position().turn == machine {
                        choose(&game, Difficulty::Perfect, &mut rng).unwrap()
                    } else {
                        rng.choice(game.choices().to_vec())
                    };
                    assert!(game.play(choice.unwrap().to.cell()).unwrap());
                }
                if outcome == Outcome::from(machine) {
                    assert_eq!(game.end(), Some(End::Won(machine)), "{start}");
                    assert!(game.plies() <= dtw.unwrap() as usize, "{start}: {} plies", game.plies());
                } else if outcome == Outcome::Draw {
                    assert_ne!(game.end(), Some(End::Won(machine.other())), "{start}");
                } else if game.end() == Some(End::Won(machine.other())) {
                    assert!(game.plies() >= dtw.unwrap() as usize, "{start}: {} plies", game.plies());
                }
            }
        }
    }
}

#[test]
fn two_perfect_players_need_the_plies_of_the_table() {
    let mut rng = Rng::with_seed(3);
    for arena in Arena::all().unwrap() {
        for start in positions(&arena, 100, &mut rng) {
            let mut game = Game::new(&arena, Side::Thief, start).unwrap();
            let (outcome, dtw) = game.par();
            let Some(dtw) = dtw else { continue };
            while game.end().is_none() {
                let choice = choose(&game, Difficulty::Perfect, &mut rng).unwrap().unwrap();
                assert!(game.play(choice.to.cell()).unwrap());
            }
            assert_eq!(game.plies(), dtw as usize, "{start}");
            assert_eq!(game.value().outcome(game.position().turn), outcome);
        }
    }
}

/// Counts the opponent's moves in positions where it can slip and blunder: all, errors, blunders.
fn count(arena: &Arena, difficulty: Difficulty, rng: &mut Rng) -> [u32; 3] {
    let mut counts = [0; 3];
    while counts[0] < 10_000 {
        for position in positions(arena, 20, rng) {
            let game = Game::new(arena, Side::Police, position).unwrap();
            let best = game.choices()[0].worth();
            let has = |weight: fn(Value, Value) -> f64| {
                game.choices().iter().any(|choice| weight(best, choice.worth()) > 0.0)
            };
            if !has(slip_weight) || !has(blunder_weight) {
                continue;
            }
            for _ in 0..20 {
                let worth = choose(&game, difficulty, rng).unwrap().unwrap().worth();
                counts[0] += 1;
                counts[1] += u32::from(worth != best);
                counts[2] += u32::from(blunder_weight(best, worth) > 0.0);
            }
        }
    }
    counts
}

#[test]
fn errors_and_blunders_have_their_shares() {
    let mut rng = Rng::with_seed(4);
    let arena = Arena::open(&MAPS[1]).unwrap();
    for difficulty in Difficulty::ALL {
        let [moves, errors, blunders] = count(&arena, difficulty, &mut rng).map(f64::from);
        let (share, of_errors) =
            (f64::from(difficulty.errors()) / 100.0, f64::from(difficulty.blunders()) / 100.0);
        // Some four standard deviations of 10,000 moves.
        assert!((errors / moves - share).abs() < 0.02, "{difficulty:?}: {errors} of {moves}");
        assert!(
            (blunders / moves - share * of_errors).abs() < 0.014,
            "{difficulty:?}: {blunders} of {moves}"
        );
    }
}

/// Returns a move of this worth to the player who makes it; where it goes does not matter here.
fn choice(col: u16, worth: Value) -> Choice {
    let value = match worth {
        Value::Win(dtw) => Value::Loss(dtw - 1),
        Value::Draw => Value::Draw,
        Value::Loss(dtw) => Value::Win(dtw - 1),
    };
    let to = Cell::new(0, col);
    Choice { to: to.into(), position: Position::new(to, to, Side::Thief), value }
}

/// Returns how often each choice is drawn as an error, in ten thousandths.
fn shares(worths: &[Value], blunder: bool) -> Vec<u32> {
    let choices: Vec<Choice> = worths.iter().zip(0..).map(|(&worth, col)| choice(col, worth)).collect();
    let mut counts = vec![0; worths.len()];
    let mut rng = Rng::with_seed(5);
    for _ in 0..10_000 {
        if let Some(error) = draw_error(&choices, blunder, &mut rng) {
            counts[usize::from(error.to.cell().col)] += 1;
        }
    }
    counts
}

fn assert_near(found: &[u32], expected: &[u32]) {
    assert_eq!(found.len(), expected.len());
    for (&found_one, &expected_one) in found.iter().zip(expected) {
        let slack = if expected_one == 0 { 0 } else { 200 };
        assert!(found_one.abs_diff(expected_one) <= slack, "{found:?}, expected {expected:?}");
    }
}

#[test]
fn errors_are_drawn_by_their_weights() {
    use Value::{Draw, Loss, Win};
    let winning = [Win(9), Win(9), Win(11), Win(13), Draw, Loss(60), Loss(40)];
    assert_near(&shares(&winning, false), &[0, 0, 6667, 3333, 0, 0, 0]);
    assert_near(&shares(&winning, true), &[0, 0, 0, 0, 5000, 3000, 2000]);
    let drawn = [Draw, Draw, Loss(300), Loss(50)];
    assert_near(&shares(&drawn, false), &[0; 4]);
    assert_near(&shares(&drawn, true), &[0, 0, 6667, 3333]);
    let lost = [Loss(20), Loss(18), Loss(12)];
    assert_near(&shares(&lost, false), &[0, 8000, 2000]);
    assert_near(&shares(&lost, true), &[0; 3]);
    assert_near(&shares(&[], true), &[]);
}
