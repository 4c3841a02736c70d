//! Work that is not a level of a solve asks the observer, too, whether it is to stop.

use dragnet_formats::{
    board::{Board, Scenario, make},
    numbering::TileSize,
    rules::{MoveSet, Movement, Rules},
};
use dragnet_generator::{
    Engine, Game, GenerateError, Generator, Observer, Plan, Pursuit, PursuitError, Start, encode::Encoding,
};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

const YARD: &[u8] = b"#########E##\n#..........#\n#.###.####.#\n#.#......#.#\n#.#.####.#.#\n#.........T#\n\
    #.###.####.#\n#P.........#\n############\n";

fn yard() -> Board {
    Scenario::parse(YARD).unwrap().board
}

/// Wants the work to stop from the first question on, and does not expect any level.
struct AtOnce;

impl Observer for AtOnce {
    fn level(&self, level: u32, _: u64) {
        panic!("level {level} was solved before the observer was asked");
    }

    fn stop(&self) -> bool {
        true
    }
}

/// Counts the questions before the first level.
#[derive(Default)]
struct Questions {
    before: AtomicU64,
    has_begun: AtomicBool,
}

impl Observer for Questions {
    fn level(&self, _: u32, _: u64) {
        self.has_begun.store(true, Relaxed);
    }

    fn stop(&self) -> bool {
        // What comes after the first level is of no interest.
        let has_begun = self.has_begun.load(Relaxed);
        self.before.fetch_add(u64::from(!has_begun), Relaxed);
        has_begun
    }
}

#[test]
fn the_first_pass_over_positions_of_teams_asks_whether_to_stop() {
    for engine in [Engine::Bitboard, Engine::Counters] {
        let rules = Rules { officers: 3, ..Rules::classic() };
        let plan = Plan::new(yard(), rules, Encoding::default()).unwrap().with_engine(engine);
        let questions = Questions::default();
        let solved = Generator::new(2).unwrap().solve(&plan, &questions);
        assert!(matches!(solved, Err(GenerateError::Stopped)));
        let asked = questions.before.into_inner();
        assert!(asked >= 20, "{engine:?}: {asked} questions before the first level");
    }
}

#[test]
fn a_game_with_many_moves_or_teams_is_not_made_for_an_observer_who_stops() {
    let far = Movement { steps: 255, reach: 255, ..Movement::new(MoveSet::King) };
    let far = Rules { police: far.clone(), thief: far, ..Rules::classic() };
    let many = Rules { officers: 5, ..Rules::classic() };
    for (board, rules) in [(make::open(100, 100).unwrap(), far), (yard(), many)] {
        let tile = TileSize::ONE;
        let made = Pursuit::compile(&board, &rules, tile, tile, &AtOnce);
        assert!(matches!(made, Err(PursuitError::Stopped(_))));
        let plan = Plan::new(board, rules, Encoding::default()).unwrap();
        for engine in [Engine::Bitboard, Engine::Counters] {
            let solved = Generator::new(2).unwrap().solve(&plan.clone().with_engine(engine), &AtOnce);
            assert!(matches!(solved, Err(GenerateError::Stopped)));
        }
    }
}

/// A game of many positions, which counts those that it is asked for.
struct Counted<'a>(&'a AtomicU64);

impl Game for Counted<'_> {
    fn positions(&self) -> u64 {
        1 << 22
    }

    fn start(&self, _: u64) -> Start {
        self.0.fetch_add(1, Relaxed);
        Start::Open
    }

    fn for_each_successor(&self, position: u64, mut each: impl FnMut(u64)) {
        each(position / 2);
    }
}

#[test]
fn the_positions_of_a_game_of_ones_own_are_not_all_looked_at_for_an_observer_who_stops() {
    let asked = AtomicU64::new(0);
    let solved = Generator::new(2).unwrap().solve_game(Counted(&asked), &AtOnce);
    assert!(matches!(solved, Err(GenerateError::Stopped)));
    assert!(asked.load(Relaxed) < 1 << 20, "{} positions were looked at", asked.load(Relaxed));
}
