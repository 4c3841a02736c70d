//! Games of all kinds through the public interface: random ones against the naive oracle, and games from
//! contests.

use crate::support::{Mirrored, mirrored};
use dragnet_formats::{rules::Stuck, value::Value};
use dragnet_generator::{
    Game, Generator, LineEnd, Reversible, Start, VertexStart, WithPredecessors,
    counters::{self, Tuning},
    explore, naive,
};
use proptest::prelude::*;
use std::{fs, io::Write as _, path::Path, sync::LazyLock};

static GENERATORS: LazyLock<Vec<Generator>> =
    LazyLock::new(|| [1, 2, 3, 8].map(|threads| Generator::new(threads).unwrap()).into());

/// A game that lists its predecessors by a search of all positions.
struct Backwards<'a>(&'a Mirrored);

impl Game for Backwards<'_> {
    fn positions(&self) -> u64 {
        self.0.positions()
    }

    fn start(&self, position: u64) -> Start {
        self.0.start(position)
    }

    fn for_each_successor(&self, position: u64, each: impl FnMut(u64)) {
        self.0.for_each_successor(position, each);
    }

    fn stuck(&self, position: u64) -> Value {
        self.0.stuck(position)
    }

    fn keeps_turn(&self, position: u64) -> bool {
        self.0.keeps_turn(position)
    }

    fn canonical(&self, position: u64) -> u64 {
        self.0.canonical(position)
    }
}

impl Reversible for Backwards<'_> {
    fn for_each_predecessor(&self, position: u64, mut each: impl FnMut(u64)) {
        for from in 0..self.0.starts.len() as u64 {
            self.for_each_successor(from, |to| {
                if self.canonical(to) == position {
                    each(from);
                }
            });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_game_agrees_with_naive(game in mirrored()) {
        let expected = naive::solve(&game);
        let longest = expected.iter().filter_map(|value| value.dtw()).max().unwrap_or(0);
        for generator in GENERATORS.iter() {
            let solution = generator.solve_game(game.clone(), &()).unwrap();
            prop_assert_eq!(solution.verify(), Ok(()));
            let backwards = generator.solve_reversible(Backwards(&game), &()).unwrap();
            for (position, &value) in (0..).zip(&expected) {
                let value = (game.start(position) != Start::Illegal).then_some(value);
                prop_assert_eq!(solution.value(position), value, "position {}", position);
                prop_assert_eq!(backwards.value(position), value, "position {}", position);
            }
            let (summary, illegal) = generator.install(|| (solution.summary(), solution.illegal()));
            let illegals = (0..game.positions()).filter(|&p| game.start(p) == Start::Illegal);
            prop_assert_eq!(illegal, illegals.count() as u64);
            prop_assert_eq!(summary.positions(), game.positions());
            prop_assert!(summary.longest() <= longest);
        }
    }

    #[test]
    fn levels_may_be_shared_out_in_any_game(game in mirrored()) {
        let expected = naive::solve(&game);
        let turned = WithPredecessors::new(game.clone()).unwrap();
        for threads in 1..=8 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let labels = counters::solve(&turned, &pool, Tuning { shared_level: 0 }, &()).unwrap();
            for position in (0..game.positions()).filter(|&p| game.start(p) != Start::Illegal) {
                prop_assert_eq!(labels.value(game.canonical(position)), expected[position as usize]);
            }
        }
    }

    #[test]
    fn lines_are_as_long_as_the_values_say(game in mirrored()) {
        let solution = GENERATORS[1].solve_game(game.clone(), &()).unwrap();
        for position in (0..game.positions()).filter(|&p| game.start(p) != Start::Illegal) {
            let value = solution.value(position).unwrap();
            let (line, end) = solution.line(position);
            let last = line.last().copied().unwrap_or(position);
            let dtw = match end {
                LineEnd::Known(end) => {
                    prop_assert_eq!(solution.value(last), Some(end));
                    end.dtw()
                }
                LineEnd::Repetition => None,
            };
            prop_assert_eq!(dtw.map(|dtw| dtw + line.len() as u32), value.dtw());
            prop_assert_eq!(solution.best(position), solution.moves(position).first().map(|best| best.0));
        }
    }
}

#[test]
fn distances_that_no_table_holds_are_refused() {
    let start = Start::Known(Value::Win(dragnet_formats::value::MAX_DTW + 1));
    let game =
        Mirrored { starts: vec![start], stuck: vec![Value::Draw], keeps: vec![false], moves: vec![vec![]] };
    let error = GENERATORS[0].solve_game(game, &()).unwrap_err();
    assert!(error.to_string().contains("wins of more than"), "{error}");
}

/// A sample of a contest's problem, from the folder of published answers.
fn sample(name: &str) -> Option<serde_json::Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/truth/judge_samples.json");
    let Ok(text) = fs::read_to_string(&path) else {
        let mut stderr = std::io::stderr();
        writeln!(stderr, "skipped: no {}", path.display()).unwrap();
        return None;
    };
    let all: serde_json::Value = serde_json::from_str(&text).unwrap();
    Some(all[name].clone())
}

/// "Berzerk" (Codeforces 786A): objects on a circle, the first of them a black hole. The player to move sends
/// the monster some steps on, as many as one of his cards says, and wins if it falls in.
struct Berzerk {
    objects: u64,
    cards: [Vec<u64>; 2],
}

impl Game for Berzerk {
    fn positions(&self) -> u64 {
        2 * self.objects
    }

    /// Position = side · objects + place of the monster.
    fn start(&self, position: u64) -> Start {
        if position.is_multiple_of(self.objects) { Start::Known(Value::Loss(0)) } else { Start::Open }
    }

    fn for_each_successor(&self, position: u64, mut each: impl FnMut(u64)) {
        let (side, place) = (position / self.objects, position % self.objects);
        for card in &self.cards[side as usize] {
            each((1 - side) * self.objects + (place + card) % self.objects);
        }
    }
}

#[test]
fn berzerk_is_answered_as_its_samples_say() {
    let Some(sample) = sample("CF787C_786A_berzerk") else { return };
    let samples = sample["samples"].as_array().unwrap();
    assert_eq!(samples.len(), 2);
    for sample in samples {
        let cards =
            |who: &str| sample[who].as_array().unwrap().iter().map(|card| card.as_u64().unwrap()).collect();
        let game = Berzerk { objects: sample["n"].as_u64().unwrap(), cards: [cards("rick"), cards("morty")] };
        let solution = GENERATORS[1].solve_game(game, &()).unwrap();
        let objects = solution.game().objects;
        for (side, expected) in (0..).zip(sample["out"].as_array().unwrap()) {
            let words: Vec<&str> = (1..objects)
                .map(|place| match solution.value(side * objects + place).unwrap() {
                    Value::Win(_) => "Win",
                    Value::Loss(_) => "Lose",
                    Value::Draw => "Loop",
                })
                .collect();
            assert_eq!(words.join(" "), expected.as_str().unwrap());
        }
    }
}

/// A game in which the player who completes a line wins, or loses.
#[test]
fn tic_tac_toe_is_drawn_in_normal_and_misere_play() {
    const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let three = |side: u16| LINES.iter().any(|line| side & line == *line);
    let found = explore([(0u16, 0u16)], |&(last, next), after| {
        if !three(last) {
            let free = (0..9).map(|square| 1 << square).filter(|square| (last | next) & square == 0);
            after.extend(free.map(|square| (next | square, last)));
        }
    })
    .unwrap();
    assert_eq!(found.states().len(), 5478);
    assert_eq!(found.number(&(0, 0o777)), None);
    for (stuck, corner) in [(Stuck::Loses, Value::Draw), (Stuck::Wins, Value::Loss(6))] {
        let game = found.game(stuck, |&(last, next)| match last | next {
            0o777 if !three(last) => VertexStart::Drawn,
            _ => VertexStart::Open,
        });
        let solution = GENERATORS[1].solve_graph(game, &()).unwrap();
        let value = |state| solution.value(found.number(&state).unwrap().into()).unwrap();
        assert_eq!(value((0, 0)), Value::Draw, "{stuck:?}");
        // In misère play only the centre holds the draw.
        let value = value((1, 0));
        assert_eq!(matches!(value, Value::Draw), matches!(corner, Value::Draw), "{stuck:?}: {value:?}");
    }
    let Some(sample) = sample("tic_tac_toe") else { return };
    assert_eq!(sample["reachable_positions"], 5478);
    assert_eq!((&sample["normal"], &sample["misere"]), (&"draw".into(), &"draw".into()));
}

/// Returns the number of reachable positions of Connect-4 on a board of this size. A state has the stones of
/// the player who has just moved and of the other, in columns of `height` + 1 bits.
fn connect_four(height: u32, width: u32) -> usize {
    let four = |stones: u64| {
        [1, height, height + 1, height + 2].iter().any(|&step| {
            let pairs = stones & stones >> step;
            pairs & pairs >> (2 * step) != 0
        })
    };
    let found = explore([(0u64, 0u64)], |&(last, next), after| {
        if !four(last) {
            let stones = last | next;
            for column in 0..width {
                let bottom = 1 << (column * (height + 1));
                let free = (stones + bottom) & (((1 << height) - 1) * bottom);
                if free != 0 {
                    after.push((next | free & free.wrapping_neg(), last));
                }
            }
        }
    });
    found.unwrap().states().len()
}

fn check_connect_four(sizes: &[(u32, u32)]) {
    let Some(sample) = sample("connect_k_reachable_positions") else { return };
    for &(height, width) in sizes {
        let expected = &sample["counts"][format!("{height}x{width}")];
        assert_eq!(connect_four(height, width) as u64, expected.as_u64().unwrap(), "{height}x{width}");
    }
}

#[test]
fn connect_four_has_the_published_numbers_of_positions() {
    check_connect_four(&[(3, 3), (3, 4), (4, 3), (4, 4)]);
}

#[test]
#[ignore = "takes a gigabyte of memory"]
fn connect_four_has_the_published_number_of_positions_on_four_by_five() {
    check_connect_four(&[(4, 5)]);
}

/// "Cat and Mouse" (LeetCode 913): the mouse begins on 1 and moves first, the cat on 2, the hole is 0, and
/// the cat may not enter it.
#[test]
fn cat_and_mouse_is_answered_as_its_samples_say() {
    let Some(sample) = sample("LC913_cat_and_mouse") else { return };
    for sample in sample["samples"].as_array().unwrap() {
        let graph: Vec<Vec<u8>> = serde_json::from_value(sample["graph"].clone()).unwrap();
        let over = |&(mouse, cat, _): &(u8, u8, bool)| mouse == 0 || mouse == cat;
        let found = explore([(1u8, 2u8, true)], |state, after| {
            let &(mouse, cat, mouse_moves) = state;
            if over(state) {
            } else if mouse_moves {
                after.extend(graph[mouse as usize].iter().map(|&to| (to, cat, false)));
            } else {
                let allowed = graph[cat as usize].iter().filter(|&&to| to != 0);
                after.extend(allowed.map(|&to| (mouse, to, true)));
            }
        })
        .unwrap();
        let start = |state: &(u8, u8, bool)| match *state {
            (mouse, cat, mouse_moves) if over(state) => {
                // In the hole the mouse has won, elsewhere the cat, whoever has run into the other.
                let mouse_wins = mouse == 0 && cat != 0;
                if mouse_wins == mouse_moves { VertexStart::Won } else { VertexStart::Lost }
            }
            _ => VertexStart::Open,
        };
        let solution = GENERATORS[1].solve_graph(found.game(Stuck::Loses, start), &()).unwrap();
        let winner = match solution.value(0).unwrap() {
            Value::Win(_) => 1,
            Value::Loss(_) => 2,
            Value::Draw => 0,
        };
        assert_eq!(sample["out"], winner);
    }
}
