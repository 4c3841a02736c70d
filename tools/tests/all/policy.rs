//! Holds the best replies to policies against `policy/reference.py`, which knows only the board, the rules
//! and the definition of the policy.

use dragnet_formats::{
    board::{Board, Square},
    cell::{Cell, Side},
    digest::splitmix64,
    pieces::Pieces,
    rules::{MoveSet, Movement, PoliceOnExit, Rules, Stuck, Wrap},
    value::Value,
};
use dragnet_generator::{Generator, Plan, encode::Encoding};
use dragnet_policy::{
    Greedy, Ground, Interval, ListedMoves, Otherwise, Patrol, Policy, PolicyGame, PolicyPosition, Precision,
    RandomWalk, Recalling, best_reply, odds,
};
use dragnet_probe::{
    Open, Position,
    opponent::{Crew, Strength, Style},
};
use serde_json::{Value as Json, json};
use std::{
    io::{Cursor, Write},
    path::Path,
    process::{Command, Stdio},
};

const BOARDS: u64 = 200;
const WIDTH: f64 = 1e-7;

/// Random numbers from a seed.
struct Lots(u64);

impl Lots {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        (splitmix64(self.0) % count as u64) as usize
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

fn board(lots: &mut Lots) -> Board {
    loop {
        let (height, width) = (1 + lots.below(5), 2 + lots.below(4));
        let exits = lots.below(3);
        let squares = (0..height * width).map(|_| match lots.below(12) {
            0..3 => Square::Wall,
            3 if exits > 0 => Square::Exit,
            _ => Square::Open,
        });
        let board = Board::new(height, width, squares.collect()).unwrap();
        if board.open_count() >= 2 {
            return board;
        }
    }
}

fn rules(lots: &mut Lots) -> Rules {
    let movement = |lots: &mut Lots| {
        let moves = lots.one(&[
            MoveSet::King,
            MoveSet::King,
            MoveSet::Orthogonal,
            MoveSet::Diagonal,
            MoveSet::Knight,
        ]);
        Movement { may_pass: lots.below(4) > 0, ..Movement::new(moves) }
    };
    Rules {
        police: movement(lots),
        thief: movement(lots),
        corner_cutting: lots.below(2) > 0,
        wrap: lots.one(&[Wrap::None, Wrap::None, Wrap::Both]),
        stuck: lots.one(&[Stuck::Loses, Stuck::Wins]),
        police_on_exit: lots.one(&[PoliceOnExit::Allowed, PoliceOnExit::Barred, PoliceOnExit::Wins]),
        ..Rules::classic()
    }
}

fn text(board: &Board) -> String {
    let sign = |square: &Square| match square {
        Square::Wall => '#',
        Square::Open => '.',
        Square::Exit => 'E',
    };
    let rows = board.squares().chunks(board.width().into());
    rows.map(|row| row.iter().map(sign).collect::<String>()).collect::<Vec<_>>().join("\n")
}

fn rules_json(rules: &Rules) -> Json {
    json!({
        "police": rules.police.moves.offsets(),
        "thief": rules.thief.moves.offsets(),
        "police_passes": rules.police.may_pass,
        "thief_passes": rules.thief.may_pass,
        "corner_cutting": rules.corner_cutting,
        "wrap": rules.wrap == Wrap::Both,
        "stuck": if rules.stuck == Stuck::Loses { "loses" } else { "wins" },
        "police_on_exit": match rules.police_on_exit {
            PoliceOnExit::Allowed => "allowed",
            PoliceOnExit::Barred => "barred",
            PoliceOnExit::Wins => "wins",
        },
    })
}

/// The knowledge about a position: the probabilities of a win and of a loss, the plies, and the value if the
/// policy leaves nothing to chance.
type Found = (Interval, Interval, Option<Interval>, Option<Value>);

fn solve(ground: &Ground, policy: &impl Policy, generator: &Generator) -> Vec<Found> {
    let game = PolicyGame::new(ground, policy, generator, &()).unwrap();
    let precision = Precision { width: WIDTH, ..Precision::default() };
    let odds = odds(&game, precision, generator, &()).unwrap();
    assert!(odds.have_met());
    let reply = (!game.has_chance()).then(|| best_reply(&game, generator, &()).unwrap());
    let mut found = Vec::new();
    for turn in Side::BOTH {
        for post in 0..game.posts() as u32 {
            for place in 0..game.places() as u32 {
                let at = PolicyPosition { turn, post, place };
                let value = reply.as_ref().map(|reply| reply.value(at));
                // The free side wins or loses, as the value says.
                if let Some(value) = value {
                    let share = |side| f64::from(u8::from(value.outcome(turn).winner() == Some(side)));
                    assert_eq!(odds.win(at), Interval::exact(share(game.free_side())), "{at:?}");
                    assert_eq!(odds.loss(at), Interval::exact(share(game.fixed_side())), "{at:?}");
                }
                found.push((odds.win(at), odds.loss(at), odds.plies(at), value));
            }
        }
    }
    found
}

/// Returns a route that ends where it began, or `None` if the walk finds none.
fn route(ground: &Ground, side: Side, lots: &mut Lots) -> Option<Vec<Pieces>> {
    let start = lots.below(ground.places(side)) as u32;
    let mut route = vec![start];
    for _ in 0..40 {
        let here = route[route.len() - 1];
        let moves = ground.moves(side, here);
        if moves.is_empty() {
            return None;
        }
        let next = lots.one(moves);
        if next == start && lots.below(3) > 0 {
            return Some(route.into_iter().map(|place| ground.pieces(side, place)).collect());
        }
        route.push(next);
    }
    None
}

/// Returns the policy of an opponent for the reference, and what is found against it.
fn opponent(ground: &Ground, side: Side, strength: Strength, generator: &Generator) -> (Json, Vec<Found>) {
    let plan = Plan::new(ground.board().clone(), ground.rules().clone(), Encoding::default()).unwrap();
    let solution = generator.solve(&plan, &()).unwrap();
    let (header, blocks) = generator.encode(&*solution, &plan, &()).unwrap();
    let (bytes, _) = blocks.write(&header, Cursor::new(Vec::new())).unwrap();
    let table = Open::bytes(bytes.into_inner()).pursuit().unwrap();
    let crew = Crew::new(strength, Style::Longest).unwrap();
    let weights = |[police, thief]: [Pieces; 2], seen: &[Pieces]| {
        Ok(crew.weights(&table, Position::new(police, thief.cell(), side), seen)?)
    };
    let policy = Recalling::new(ground, side, strength.reaction, weights);
    let Strength { errors, blunders, plies, drop, .. } = strength;
    let policy_json =
        json!({ "kind": "opponent", "errors": errors, "blunders": blunders, "plies": plies, "drop": drop });
    (policy_json, solve(ground, &policy, generator))
}

/// Returns the task of a policy for the reference.
fn task_of(ground: &Ground, fixed: Side, policy: Json) -> Json {
    json!({
        "board": text(ground.board()),
        "rules": rules_json(ground.rules()),
        "fixed": fixed,
        "policy": policy,
    })
}

/// Makes a task for the reference, and solves it.
fn task(seed: u64, generator: &Generator) -> (Json, Vec<Found>) {
    let mut lots = Lots(seed << 32);
    loop {
        let lots = &mut lots;
        let ground = Ground::new(board(lots), rules(lots)).unwrap();
        let fixed = lots.one(&Side::BOTH);
        let pair = |cell: Cell| [cell.row, cell.col];
        let (policy, found) = match seed % 6 {
            0 => {
                let Some(route) = route(&ground, fixed, lots) else { continue };
                let patrol = Patrol::new(&ground, fixed, &route).unwrap();
                let route: Vec<_> = route.iter().map(|pieces| pair(pieces.cell())).collect();
                (json!({ "kind": "patrol", "route": route }), solve(&ground, &patrol, generator))
            }
            1 => {
                let greedy = Greedy::new(&ground, fixed);
                (json!({ "kind": "greedy" }), solve(&ground, &greedy, generator))
            }
            2 => {
                let walk = RandomWalk::new(&ground, fixed);
                (json!({ "kind": "random", "weights": [] }), solve(&ground, &walk, generator))
            }
            3 => {
                let offset = |lots: &mut Lots| (lots.below(3) as i32 - 1, lots.below(3) as i32 - 1);
                let weights = [(offset(lots), lots.below(5) as f64), ((0, 0), lots.below(2) as f64 / 2.0)];
                // Only offsets that moves have, and each once.
                let walk = RandomWalk::new(&ground, fixed).with_weights(&weights);
                let Ok(walk) = walk else { continue };
                (json!({ "kind": "random", "weights": weights }), solve(&ground, &walk, generator))
            }
            4 => {
                let level = lots.one(&[0, 0, 250, 500, 750, 999, 1000]);
                opponent(&ground, fixed, Strength::level(level).unwrap(), generator)
            }
            _ => {
                let (name, otherwise) = lots.one(&[
                    ("stay", Otherwise::Stay),
                    ("greedy", Otherwise::Greedy),
                    ("random", Otherwise::Random),
                ]);
                let movement = match fixed {
                    Side::Police => &ground.rules().police,
                    Side::Thief => &ground.rules().thief,
                };
                if otherwise == Otherwise::Stay && !movement.may_pass {
                    continue;
                }
                let mut moves = ListedMoves::new(&ground, fixed, otherwise);
                let mut rows = Vec::new();
                for _ in 0..lots.below(30) {
                    let own = lots.below(ground.places(fixed)) as u32;
                    let other = lots.below(ground.places(fixed.other()) + 3) as u32;
                    let other = Some(other).filter(|&other| (other as usize) < ground.places(fixed.other()));
                    let targets = ground.moves(fixed, own).to_vec();
                    if targets.is_empty() {
                        continue;
                    }
                    let (to, weight) = (lots.one(&targets), 1.0 + lots.below(3) as f64);
                    moves.add(own, other, to, weight).unwrap();
                    let cell = |side, place| pair(ground.pieces(side, place).cell());
                    let own = json!(cell(fixed, own));
                    let other = json!(other.map(|other| cell(fixed.other(), other)));
                    let (police, thief) = if fixed == Side::Police { (own, other) } else { (other, own) };
                    rows.push(json!([police, thief, cell(fixed, to), weight]));
                }
                let policy = json!({ "kind": "moves", "rows": rows, "otherwise": name });
                (policy, solve(&ground, &moves, generator))
            }
        };
        return (task_of(&ground, fixed, policy), found);
    }
}

/// Small boards on which an opponent that always errs never makes some best moves, so that ends are certain.
fn tasks_of_careless_opponents(generator: &Generator) -> Vec<(Json, Vec<Found>)> {
    let boards = ["#..\n..E\n", "...\n...\n", "#..E\n...#\n", "...E\n", "..\n.E\n"];
    let tasks = boards.into_iter().flat_map(|board| Side::BOTH.map(|fixed| (board, fixed)));
    let tasks = tasks.flat_map(|(board, fixed)| [0, 250, 500, 999, 1000].map(|level| (board, fixed, level)));
    tasks
        .map(|(board, fixed, level)| {
            let board = dragnet_formats::board::text::parse(board.as_bytes()).unwrap().board;
            let ground = Ground::new(board, Rules::classic()).unwrap();
            let (policy, found) = opponent(&ground, fixed, Strength::level(level).unwrap(), generator);
            (task_of(&ground, fixed, policy), found)
        })
        .collect()
}

/// Returns what the reference says of the tasks, or `None` if it cannot be run.
fn reference(tasks: &[Json]) -> Option<Vec<Json>> {
    let has_numpy = Command::new("python3").args(["-c", "import numpy"]).output();
    if !has_numpy.is_ok_and(|output| output.status.success()) {
        let mut stderr = std::io::stderr();
        writeln!(stderr, "skipped: no python3 with numpy").unwrap();
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/policy/reference.py");
    let mut process =
        Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = process.stdin.take().unwrap();
    let text = serde_json::to_vec(tasks).unwrap();
    let writer = std::thread::spawn(move || input.write_all(&text));
    let output = process.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "the reference failed");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn random_boards_agree_with_the_reference() {
    let generator = Generator::new(2).unwrap();
    let (tasks, found): (Vec<Json>, Vec<Vec<Found>>) =
        (0..BOARDS).map(|seed| task(seed, &generator)).chain(tasks_of_careless_opponents(&generator)).unzip();
    let Some(answers) = reference(&tasks) else { return };
    assert_eq!(answers.len(), tasks.len());
    let (mut uncertain, mut timed) = (0, 0);
    for ((task, found), answer) in tasks.iter().zip(&found).zip(&answers) {
        assert!(answer.is_object(), "the reference has not converged: {task}");
        let number = |list: &str, at: usize| answer[list][at].as_f64();
        // The reference stops when a round changes nothing that a double shows.
        let holds = |bounds: Interval, number: f64, share: f64| {
            let slack = 1e-9 * number.max(1.0);
            bounds.low <= number + slack
                && number <= bounds.high + slack
                && bounds.width() <= share * bounds.low.max(1.0) * 1.000_001
        };
        for (at, &(win, loss, plies, value)) in found.iter().enumerate() {
            assert!(holds(win, number("win", at).unwrap(), WIDTH), "win at {at}: {win:?} {answer} {task}");
            assert!(
                holds(loss, number("loss", at).unwrap(), WIDTH),
                "loss at {at}: {loss:?} {answer} {task}"
            );
            match (plies, number("plies", at)) {
                (Some(bounds), Some(number)) => {
                    assert!(holds(bounds, number, WIDTH), "plies at {at}: {bounds:?} {number} {task}");
                    timed += 1;
                }
                (None, None) => {}
                (bounds, number) => panic!("plies at {at}: {bounds:?}, the reference has {number:?}: {task}"),
            }
            let exact = value.and_then(Value::dtw).map(f64::from);
            assert!(value.is_none() || exact == number("plies", at), "{value:?} at {at}: {task}");
            uncertain += u64::from(win.low > 0.0 && win.low < 1.0);
        }
        assert_eq!(found.len(), answer["win"].as_array().unwrap().len());
    }
    assert!(
        uncertain > 1000 && timed > 1000,
        "{uncertain} chances and {timed} times are too few to say much"
    );
}
