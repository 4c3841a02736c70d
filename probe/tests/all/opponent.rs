//! The moves of opponents, in positions whose values other tests hold.

use crate::support::{Solved, board, positions};
use dragnet_formats::codec::Favour;
use dragnet_probe::{
    Cell, Choice, Open, Position, Rules, Side, Table, Value,
    opponent::{Duel, Opponent, Replier, Strength, Style},
};
use std::path::Path;

const GOLDEN: [&str; 4] = ["v2-size.dtb", "v2-speed.dtb", "v2-team.dtb", "v2-cops.dtb"];

fn golden(name: &str) -> Table {
    Open::path(Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/golden").join(name))
        .pursuit()
        .unwrap()
}

fn all_positions(table: &Table) -> Vec<Position> {
    positions(table.board(), table.officers())
}

/// A table of a board of squares by the rules `classic`.
fn classic(lines: &str) -> Table {
    Open::bytes(Solved::new(board(lines), Rules::classic(), (4, 4), (4, 4)).table(Favour::Speed))
        .pursuit()
        .unwrap()
}

fn opponent(strength: Strength, seed: u64) -> Opponent {
    Opponent::new(strength, Style::Longest, seed).unwrap()
}

/// The share of replies that lose the win, as a fraction.
fn losing_replies(table: &Table, choice: &Choice) -> (usize, usize) {
    let replies = table.best_moves(choice.position).unwrap();
    let losing = replies.iter().filter(|reply| !matches!(reply.value, Value::Loss(_))).count();
    (losing, replies.len().max(1))
}

#[test]
fn a_parameter_out_of_its_range_is_refused_by_name() {
    let hard = Strength::HARD;
    let wrong = [
        (Strength { errors: 1001, ..hard }, "expected errors from 0 to 1000, found 1001"),
        (Strength { blunders: u16::MAX, ..hard }, "expected blunders from 0 to 1000, found 65535"),
        (Strength { plies: 1 << 30, ..hard }, "expected plies from 0 to 1073741823, found 1073741824"),
        (Strength { drop: 3, ..hard }, "expected drop from 0 to 2, found 3"),
        (Strength { horizon: u32::MAX, ..hard }, "expected horizon from 0 to 1073741823, found 4294967295"),
        (Strength { reaction: 9, ..hard }, "expected reaction from 0 to 8, found 9"),
    ];
    for (strength, message) in wrong {
        assert_eq!(strength.check().unwrap_err().to_string(), message);
        assert!(Opponent::new(strength, Style::Longest, 1).is_err());
        assert!(Opponent::new(hard, Style::Trickiest(Replier::Erring(strength)), 1).is_err());
    }
    assert_eq!(
        Strength::level(1001).unwrap_err().to_string(),
        "expected the level from 0 to 1000, found 1001"
    );
    for (name, preset) in Strength::PRESETS {
        assert_eq!((preset.check(), Strength::preset(name)), (Ok(()), Some(preset)));
    }
}

#[test]
fn a_higher_level_never_errs_more_nor_at_a_higher_cost() {
    let levels: Vec<Strength> = (0..=1000).map(|level| Strength::level(level).unwrap()).collect();
    for pair in levels.windows(2) {
        let parts = |s: &Strength| [s.errors.into(), s.blunders.into(), s.plies, u32::from(s.drop)];
        assert!(
            parts(&pair[0]).iter().zip(parts(&pair[1])).all(|(&weak, strong)| weak >= strong),
            "{pair:?}"
        );
        assert_eq!(pair[0].check(), Ok(()));
    }
    assert_eq!((levels[0].errors, levels[999].errors), (1000, 1));
    assert_eq!(levels[1000], Strength::PERFECT);
}

#[test]
fn perfect_opponents_play_every_best_move_and_no_other() {
    for name in GOLDEN {
        let table = golden(name);
        let mut perfect = Opponent::perfect(3);
        let (mut several, mut played) = (0, 0);
        for at in all_positions(&table) {
            let best = table.best_moves(at).unwrap();
            let choice = perfect.choose(&table, at).unwrap();
            assert_eq!(choice.map(|choice| choice.value), best.first().map(|best| best.value), "{name} {at}");
            let Some(choice) = choice else { continue };
            assert!(best.contains(&choice));
            several += usize::from(best.get(1).is_some_and(|second| second.value == choice.value));
            played += usize::from(choice != best[0]);
        }
        assert!(played * 4 > several && played < several, "{name}: {played} of {several} are not the first");
    }
}

#[test]
fn errors_have_their_share_and_their_weights() {
    let table = golden("v2-size.dtb");
    let limits = Strength { plies: Strength::UNLIMITED, drop: 0, ..Strength::PERFECT };
    let mut tempted = 0;
    for at in all_positions(&table) {
        let moves = table.best_moves(at).unwrap();
        let lost = |choice: &Choice| match (moves[0].value, choice.value) {
            (Value::Loss(best), Value::Loss(dtw)) => dtw - best,
            (Value::Win(best), Value::Win(dtw)) => best - dtw,
            _ => 0,
        };
        let weights: Vec<u32> = moves
            .iter()
            .map(|choice| Some(lost(choice)).filter(|&lost| lost > 0).map_or(0, |lost| 4000 / lost))
            .collect();
        let all: u32 = weights.iter().sum();
        if all < 1000 || weights.iter().filter(|&&weight| weight > 0).count() < 3 {
            continue;
        }
        tempted += 1;
        if tempted % 40 != 0 {
            continue;
        }
        let mut careless = opponent(Strength { errors: 300, ..limits }, 6);
        let mut counts = vec![0u32; moves.len()];
        for _ in 0..10_000 {
            let choice = careless.choose(&table, at).unwrap();
            counts[moves.iter().position(|other| Some(*other) == choice).unwrap()] += 1;
        }
        for (count, weight) in counts.iter().zip(&weights).filter(|(_, weight)| **weight > 0) {
            // Some four standard deviations.
            assert!(count.abs_diff(3000 * weight / all) < 190, "{at}: {counts:?} by {weights:?}");
        }
    }
    assert!(tempted >= 120, "{tempted}");
}

#[test]
fn no_error_costs_more_than_the_strength_allows() {
    let table = classic("E.....\n.##.#.\n...##.\n.#.#..\n......\n.#.##E\n");
    let wild = Strength { errors: 1000, blunders: 1000, ..Strength::PERFECT };
    let mut seen = [0; 3];
    for (plies, drop) in [(3, 0), (0, 1), (0, 2)] {
        let mut player = opponent(Strength { plies, drop, ..wild }, 8);
        for at in all_positions(&table) {
            let Some(best) = table.best_moves(at).unwrap().first().map(Choice::worth) else { continue };
            let worth = player.choose(&table, at).unwrap().unwrap().worth();
            let (kept, lost) = match (best, worth) {
                (Value::Win(quick), Value::Win(dtw)) | (Value::Loss(dtw), Value::Loss(quick)) => {
                    (0, dtw - quick)
                }
                (Value::Win(_), Value::Draw) | (Value::Draw, Value::Loss(_)) => (1, 0),
                (Value::Win(_), Value::Loss(_)) => (2, 0),
                _ => (0, 0),
            };
            assert!(kept <= drop && lost <= plies, "{at}: {best:?} to {worth:?} with {plies} and {drop}");
            seen[usize::from(drop)] += u32::from(kept == drop && worth != best);
        }
    }
    assert!(seen.iter().all(|&errors| errors > 20), "{seen:?}");
}

#[test]
fn a_seed_repeats_a_game_and_its_state_continues_it() {
    let table = golden("v2-size.dtb");
    let start =
        all_positions(&table).into_iter().find(|&at| table.value(at).unwrap() == Value::Win(13)).unwrap();
    let play = |seed, from| {
        Duel::play(&table, from, &mut opponent(Strength::EASY, seed), &mut opponent(Strength::EASY, 5))
            .unwrap()
    };
    assert_eq!(play(1, start), play(1, start));
    assert!((2..20).any(|seed| play(seed, start) != play(1, start)));

    let strength = Strength { reaction: 0, ..Strength::EASY };
    let mut whole = opponent(strength, 9);
    let mut parts = opponent(strength, 9);
    for at in all_positions(&table).into_iter().step_by(7) {
        assert_eq!(whole.choose(&table, at).unwrap(), parts.choose(&table, at).unwrap());
        parts = opponent(strength, parts.state());
    }
}

#[test]
fn a_slow_opponent_answers_where_the_enemy_stood() {
    let table = classic(".....\n.....\n.....\n");
    let strength = Strength { reaction: 1, ..Strength::PERFECT };
    let (officer, corners) = (Cell::new(1, 2), [Cell::new(0, 0), Cell::new(2, 4)]);
    let [first, second] = corners.map(|thief| Position::new(officer, thief, Side::Police));
    let near = |at: Position, to: Cell| {
        let best = table.best_moves(at).unwrap();
        best.iter().any(|choice| choice.to == to && choice.value == best[0].value)
    };
    for seed in 0..20 {
        let mut slow = opponent(strength, seed);
        slow.choose(&table, first).unwrap();
        let late = slow.choose(&table, second).unwrap().unwrap();
        assert!(near(first, late.to.cell()) && !near(second, late.to.cell()), "{}", late.to);
        assert_eq!(late.position.thief, corners[1]);
        slow.forget();
        let now = slow.choose(&table, second).unwrap().unwrap();
        assert!(near(second, now.to.cell()), "{}", now.to);
    }
}

#[test]
fn an_opponent_without_sight_runs_the_shortest_way() {
    let blind = Strength { horizon: 0, ..Strength::PERFECT };
    // The officer sees the thief through the wall and walks round it: nine steps.
    let table = classic("......\n.####.\n.####.\n......\n");
    let at = Position::new(Cell::new(0, 2), Cell::new(3, 2), Side::Police);
    let to = opponent(blind, 1).choose(&table, at).unwrap().unwrap().to;
    assert_eq!(to, Cell::new(0, 1));
    // The near exit is the officer's, the far one free; without it the thief goes away from the officer.
    for (lines, expected) in [("E..........E\n", 5), ("E..........#\n", 5)] {
        let table = classic(lines);
        let at = Position::new(Cell::new(0, 1), Cell::new(0, 4), Side::Thief);
        let to = opponent(blind, 1).choose(&table, at).unwrap().unwrap().to;
        assert_eq!(to, Cell::new(0, expected), "{lines}");
    }
    let table = classic("E..........#\n");
    let at = Position::new(Cell::new(0, 10), Cell::new(0, 4), Side::Thief);
    assert_eq!(opponent(blind, 1).choose(&table, at).unwrap().unwrap().to, Cell::new(0, 3));
}

#[test]
fn the_trickiest_move_has_the_most_losing_replies_and_then_the_longest_loss() {
    let (mut asked, mut shorter) = (0, 0);
    for name in GOLDEN {
        let table = golden(name);
        let mut tricky = Opponent::new(Strength::PERFECT, Style::Trickiest(Replier::Uniform), 4).unwrap();
        for at in all_positions(&table) {
            let moves = table.best_moves(at).unwrap();
            // Where draws count for a side, the outcome is another.
            let lost = moves.first().is_some_and(|best| matches!(best.worth(), Value::Loss(_)));
            if !lost || name == "v2-team.dtb" || name == "v2-cops.dtb" {
                continue;
            }
            let played = tricky.choose(&table, at).unwrap().unwrap();
            let (losing, replies) = losing_replies(&table, &played);
            for other in &moves {
                let (its_losing, its_replies) = losing_replies(&table, other);
                let order = (its_losing * replies).cmp(&(losing * its_replies));
                assert!(
                    order.then(other.value.dtw().cmp(&played.value.dtw())).is_le(),
                    "{name} {at}: {}",
                    other.to
                );
            }
            asked += 1;
            shorter += usize::from(played.value != moves[0].value);
        }
    }
    assert!(asked > 100 && shorter > 5, "{shorter} of {asked} lose earlier than they must");
}
