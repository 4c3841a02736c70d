//! Observers that stop, limits of memory, and tables of games that programs give, which the command `dragnet
//! verify` cannot show.

#![allow(clippy::unwrap_used)]

mod naive;

mod doors;
mod given;
mod squares;

use dragnet_formats::{
    board::make,
    graph::GraphBuilder,
    rules::{Rules, Stuck},
};
use dragnet_generator::{Generator, GraphGame, Observer, Plan, Stage, encode::Encoding};
use dragnet_probe::{GameTable, Open, Table};
use dragnet_verify::{VerifyError, check_game, verify, verify_game, verify_sample};
use std::{
    io::Cursor,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// Returns the table of a board of 12×12 cells.
fn table() -> Table {
    let plan = Plan::new(make::open(12, 12).unwrap(), Rules::classic(), Encoding::default()).unwrap();
    let generator = Generator::new(1).unwrap();
    let solution = generator.solve(&plan, &()).unwrap();
    let (header, blocks) = generator.encode(&*solution, &plan, &()).unwrap();
    Open::bytes(blocks.write(&header, Cursor::new(Vec::new())).unwrap().0.into_inner()).pursuit().unwrap()
}

/// Returns the game on a path of so many edges.
fn path(edges: u64) -> GraphGame {
    let mut path = GraphBuilder::new();
    (0..edges).for_each(|vertex| path.add(vertex, vertex + 1).unwrap());
    GraphGame::new(path.build(), Stuck::Loses, [])
}

fn game_table(game: GraphGame) -> GameTable {
    let generator = Generator::new(1).unwrap();
    let solution = generator.solve_graph(game, &()).unwrap();
    let (header, blocks) = generator.encode_game(&solution, "path", Encoding::default(), &()).unwrap();
    Open::bytes(blocks.write(&header, Cursor::new(Vec::new())).unwrap().0.into_inner()).game().unwrap()
}

/// Keeps what it hears of, and asks to stop if it shall.
#[derive(Default)]
struct Seen {
    total: AtomicU64,
    done: AtomicU64,
    stops: bool,
}

impl Observer for Seen {
    fn stage(&self, stage: Stage) {
        if let Stage::Verifying { positions } = stage {
            self.total.store(positions, Relaxed);
        }
    }

    fn verified(&self, positions: u64) {
        self.done.fetch_max(positions, Relaxed);
    }

    fn stop(&self) -> bool {
        self.stops
    }
}

#[test]
fn an_observer_sees_all_positions_and_may_stop_each_check() {
    let (table, game) = (table(), game_table(path(9)));
    let [whole, sample, of_game] = [(); 3].map(|()| Seen::default());
    verify(&table, u64::MAX, &whole).unwrap();
    verify_sample(&table, 100, 1, &sample).unwrap();
    verify_game(&game, &path(9), u64::MAX, &of_game).unwrap();
    for (seen, positions) in [(whole, table.header().positions()), (sample, 100), (of_game, 10)] {
        assert_eq!((seen.total.into_inner(), seen.done.into_inner()), (positions, positions));
    }
    let stops = Seen { stops: true, ..Seen::default() };
    assert!(matches!(verify(&table, u64::MAX, &stops), Err(VerifyError::Stopped)));
    assert!(matches!(verify_sample(&table, 100, 1, &stops), Err(VerifyError::Stopped)));
    assert!(matches!(verify_game(&game, &path(9), u64::MAX, &stops), Err(VerifyError::Stopped)));
}

#[test]
fn a_thread_without_room_is_refused_with_the_bytes_that_it_needs() {
    let table = table();
    let Err(VerifyError::Memory { needed, limit: 1 }) = verify(&table, 1, &()) else {
        panic!("one byte is enough")
    };
    verify(&table, needed, &()).unwrap();
}

#[test]
fn a_table_of_another_game_is_told_by_its_positions_or_its_key() {
    let table = game_table(path(9));
    assert_eq!(
        verify_game(&table, &path(8), u64::MAX, &()).unwrap_err().to_string(),
        "the table is of another game: expected 9 positions, found 10"
    );
    let mut ring = GraphBuilder::new();
    (0..10).for_each(|vertex| ring.add(vertex, (vertex + 1) % 10).unwrap());
    let ring = GraphGame::new(ring.build(), Stuck::Loses, []);
    assert!(check_game(table.header(), &ring).unwrap_err().to_string().contains("expected key "));
}
