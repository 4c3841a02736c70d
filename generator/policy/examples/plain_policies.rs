//! The yardstick for policies: what a capable programmer writes in an afternoon, beside the library, in one
//! run. The officer of the classic rules walks a route, runs straight at the thief, or walks at random; the
//! thief replies. The plain program keeps the moves in lists. Without chance it has a queue and a counter of
//! undecided moves; with chance it repeats the means until no probability changes by more than 10^-6, which
//! bounds nothing. It has one thread. Both must agree.
//!
//! ```text
//! cargo run --release -p dragnet-policy --example plain_policies -- open-32.txt
//! ```

#![allow(clippy::unwrap_used, reason = "a program to measure with, on boards that are right")]

use dragnet_formats::{board::Scenario, cell::Side, pieces::Pieces, rules::Rules, value::Value};
use dragnet_generator::Generator;
use dragnet_policy::{
    Greedy, Ground, Patrol, Policy, PolicyGame, PolicyMove, PolicyPosition, Precision, RandomWalk,
    best_reply, odds,
};
use std::{collections::VecDeque, time::Instant};

/// The game in lists: for each post and place of the thief the posts to which the officer goes, and the moves
/// of the thief.
struct Plain {
    posts: usize,
    cells: usize,
    choices: Vec<Vec<(usize, f64)>>,
    thief: Vec<Vec<usize>>,
    /// 1 if the thief has won, -1 if he has lost.
    ends: Vec<i8>,
}

impl Plain {
    fn new(ground: &Ground, policy: &impl Policy) -> Plain {
        let (posts, cells) = (policy.posts(ground) as usize, ground.places(Side::Thief));
        let (mut choices, mut ends) = (Vec::new(), Vec::new());
        for post in 0..posts as u32 {
            for thief in 0..cells as u32 {
                let mut chosen: Vec<PolicyMove> = Vec::new();
                policy.choose(post, thief, &mut chosen).unwrap();
                let sum: f64 = chosen.iter().map(|choice| choice.weight).sum();
                choices
                    .push(chosen.iter().map(|choice| (choice.post as usize, choice.weight / sum)).collect());
                ends.push(match ground.winner(policy.place(post), thief) {
                    Some(Side::Thief) => 1,
                    Some(Side::Police) => -1,
                    None => 0,
                });
            }
        }
        let moves = |cell| ground.moves(Side::Thief, cell).iter().map(|&to| to as usize).collect();
        let thief = (0..cells as u32).map(moves).collect();
        Plain { posts, cells, choices, thief, ends }
    }

    /// Returns the values with the thief to move, and then with the police to move, for the side to move.
    fn retrograde(&self) -> Vec<Value> {
        let pairs = self.posts * self.cells;
        let mut values = vec![Value::Draw; 2 * pairs];
        let mut left = vec![1u32; 2 * pairs];
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); pairs];
        let mut queue = VecDeque::new();
        for pair in 0..pairs {
            left[pair] = self.thief[pair % self.cells].len() as u32;
            match self.ends[pair] {
                0 => back[self.choices[pair][0].0 * self.cells + pair % self.cells].push(pair),
                end => {
                    (values[pair], values[pairs + pair]) = if end > 0 {
                        (Value::Win(0), Value::Loss(0))
                    } else {
                        (Value::Loss(0), Value::Win(0))
                    };
                    queue.extend([pair, pairs + pair]);
                }
            }
        }
        while let Some(at) = queue.pop_front() {
            let value = values[at];
            let mut tell = |before: usize| {
                if values[before] != Value::Draw {
                    return;
                }
                left[before] -= u32::from(matches!(value, Value::Win(_)));
                if matches!(value, Value::Loss(_)) || left[before] == 0 {
                    values[before] = value.one_ply_before();
                    queue.push_back(before);
                }
            };
            if at < pairs {
                back[at].iter().for_each(|&from| tell(pairs + from));
            } else {
                let (row, cell) = ((at - pairs) / self.cells, (at - pairs) % self.cells);
                // Classic steps of the thief lead both ways.
                self.thief[cell].iter().for_each(|&from| tell(row * self.cells + from));
            }
        }
        values
    }

    /// Returns the greatest probabilities of an escape, with the thief to move.
    fn means(&self) -> Vec<f64> {
        let pairs = self.posts * self.cells;
        let mut thief: Vec<f64> = self.ends.iter().map(|&end| f64::from(end.max(0))).collect();
        let mut police = thief.clone();
        loop {
            let mut step = 0.0f64;
            for pair in (0..pairs).filter(|&pair| self.ends[pair] == 0) {
                let cell = pair % self.cells;
                police[pair] = self.choices[pair]
                    .iter()
                    .map(|&(post, share)| share * thief[post * self.cells + cell])
                    .sum();
            }
            for pair in (0..pairs).filter(|&pair| self.ends[pair] == 0) {
                let (first, cell) = (pair - pair % self.cells, pair % self.cells);
                let best = self.thief[cell].iter().map(|&to| police[first + to]).fold(0.0, f64::max);
                step = step.max(best - thief[pair]);
                thief[pair] = best;
            }
            if step <= 1e-6 {
                return thief;
            }
        }
    }
}

/// Solves the game against a policy both ways, and prints how long each took.
fn compare(name: &str, ground: &Ground, policy: &impl Policy, generator: &Generator) {
    let begin = Instant::now();
    let game = PolicyGame::new(ground, policy, generator, &()).unwrap();
    let position = |turn, pair: usize| {
        let cells = ground.places(Side::Thief);
        PolicyPosition { turn, post: (pair / cells) as u32, place: (pair % cells) as u32 }
    };
    let (library, plain, rounds) = if game.has_chance() {
        let odds = odds(&game, Precision::default(), generator, &()).unwrap();
        let library = begin.elapsed();
        assert!(odds.have_met());
        let begin = Instant::now();
        let plain = Plain::new(ground, policy).means();
        let time = begin.elapsed();
        for (pair, &mean) in plain.iter().enumerate() {
            let win = odds.win(position(Side::Thief, pair));
            assert!(mean <= win.high + 1e-9 && mean >= win.low - 1e-2, "{win:?}, {mean}");
        }
        (library, time, "bounds of wins and losses, and expected plies")
    } else {
        let reply = best_reply(&game, generator, &()).unwrap();
        let library = begin.elapsed();
        let begin = Instant::now();
        let plain = Plain::new(ground, policy).retrograde();
        let time = begin.elapsed();
        for (number, &value) in plain.iter().enumerate() {
            let pairs = plain.len() / 2;
            let turn = if number < pairs { Side::Thief } else { Side::Police };
            assert_eq!(reply.value(position(turn, number % pairs)), value);
        }
        (library, time, "values")
    };
    let [library, plain] = [library, plain].map(|time| time.as_secs_f64());
    println!("{name}: {library:.3} s for {rounds}; plain program {plain:.3} s");
}

/// Returns a route of `steps` steps that goes to and fro, from the first open cell.
fn route(ground: &Ground, steps: usize) -> Vec<Pieces> {
    let mut there = vec![0];
    while there.len() <= steps / 2 {
        let last = there[there.len() - 1];
        let next = ground.moves(Side::Police, last).iter().find(|to| !there.contains(to));
        there.push(next.copied().unwrap_or(last));
    }
    let back: Vec<u32> = there[1..steps / 2].iter().rev().copied().collect();
    there.into_iter().chain(back).map(|place| ground.pieces(Side::Police, place)).collect()
}

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let board = Scenario::parse(&std::fs::read(path).unwrap()).unwrap().board;
    let ground = Ground::new(board, Rules::classic()).unwrap();
    let generator = Generator::new(0).unwrap();
    let patrol = Patrol::new(&ground, Side::Police, &route(&ground, 12)).unwrap();
    compare("patrol of 12 steps", &ground, &patrol, &generator);
    compare("greedy", &ground, &Greedy::new(&ground, Side::Police), &generator);
    compare("random walk", &ground, &RandomWalk::new(&ground, Side::Police), &generator);
}
