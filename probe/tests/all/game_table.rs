//! Game tables: every way of asking, the errors, and damage.

use dragnet_formats::{
    codec::Favour,
    container::TableError,
    digest::splitmix64,
    graph::{Graph, GraphBuilder},
    header::GameHeader,
    rules::Stuck,
};
use dragnet_generator::{
    Game, Generator, GraphGame, VertexStart, encode::Encoding, game_table::key, naive, verify::first_wrong,
};
use dragnet_probe::{
    AnyTable, Cache, Open, ProbeError, Rules, Scenario, Setting, TableKind, Tablebase, TablebaseError, Value,
};
use proptest::prelude::*;
use std::{
    path::{Path, PathBuf},
    sync::LazyLock,
};

static GOLDEN: &[u8] = include_bytes!("../../../formats/tests/golden/v2-graph.dtb");
static PURSUIT: &[u8] = include_bytes!("../../../formats/tests/golden/v2-size.dtb");

static GENERATOR: LazyLock<Generator> = LazyLock::new(|| Generator::new(2).unwrap().without_sync());

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/golden").join(name)
}

fn graph(vertices: u32, edges: impl IntoIterator<Item = (u64, u64)>) -> Graph {
    let mut builder = GraphBuilder::new();
    edges.into_iter().for_each(|(from, to)| builder.add(from, to).unwrap());
    builder.build_with(vertices)
}

/// The game of the golden table: two equal paths with a loop, a net, ends, a cycle.
fn golden_game() -> GraphGame {
    let path = |base: u64| (1..32).map(move |v| (base + v, base + v - 1)).chain([(base + 9, base + 9)]);
    let net = (32..64u64).flat_map(|v| {
        [
            Some((v, 32 + (v * 7 + 3) % 32)),
            v.is_multiple_of(3).then_some((v, 64 + v % 32)),
            v.is_multiple_of(5).then_some((v, v - 32)),
        ]
    });
    let cycle = [(128, 129), (129, 130), (130, 128)];
    let edges = path(0).chain(path(96)).chain(net.flatten()).chain(cycle);
    let labels = [(40, VertexStart::Drawn), (50, VertexStart::Won)];
    GraphGame::new(graph(131, edges), Stuck::Loses, labels)
}

fn table_of(game: &impl Game, favour: Favour) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.dtb");
    let encoding = Encoding { favour, level: 3 };
    GENERATOR.generate_game(game, "test", encoding, &path, &()).unwrap();
    std::fs::read(path).unwrap()
}

#[test]
fn golden_game_table_agrees_with_naive() {
    let (game, table) = (golden_game(), Open::bytes(GOLDEN).game().unwrap());
    assert_eq!((table.header().name.as_str(), table.header().key), (GameHeader::GRAPH, key(&game)));
    let values = naive::solve(&game);
    for (number, &value) in (0..).zip(&values) {
        assert_eq!(table.value(number).unwrap(), value, "position {number}");
    }
    assert_eq!(first_wrong(&game, |number| table.value(number), &()).unwrap(), None);
    assert_eq!(table.summary(), &dragnet_generator::game_table::summary(131, |n| values[n as usize]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_question_gets_the_answer_of_the_oracle(
        vertices in 1u32..60, seed in any::<u64>(), favour in prop::sample::select(vec![Favour::Speed, Favour::Size]),
    ) {
        let draw = |i: u64| splitmix64(seed.wrapping_add(i)) % u64::from(vertices);
        let edges = (0..2 * u64::from(vertices)).map(|i| (draw(2 * i), draw(2 * i + 1)));
        let game = GraphGame::new(graph(vertices, edges), Stuck::Wins, []);
        let values = naive::solve(&game);
        let table = Open::bytes(table_of(&game, favour)).game().unwrap();
        table.check_sums(|_| {}).unwrap();
        let asked: Vec<u64> = (0..200).map(draw).collect();
        let expected: Vec<Value> = asked.iter().map(|&number| values[number as usize]).collect();
        prop_assert_eq!(table.values(&asked).unwrap(), expected);
        for vertex in 0..vertices {
            prop_assert_eq!(table.value(vertex.into()).unwrap(), values[vertex as usize]);
            let successors = game.graph().successors(vertex).iter().map(|&to| u64::from(to));
            let ranked = table.rank(successors.clone()).unwrap();
            prop_assert_eq!(ranked.len(), successors.len());
            prop_assert!(ranked.iter().all(|choice| choice.value == values[choice.position as usize]));
            prop_assert!(ranked.is_sorted_by(|a, b| a.value.compare_for_mover(b.value).is_le()));
            let best = table.best(successors).unwrap();
            prop_assert_eq!(best, ranked.first().copied());
            // The best move is worth what the position is.
            if let Some(best) = best {
                prop_assert_eq!(best.worth(), values[vertex as usize]);
            }
        }
    }
}

#[test]
fn every_way_of_opening_gives_the_same_table() {
    let path = golden("v2-graph.dtb");
    let AnyTable::Game(any) = Open::path(&path).any().unwrap() else { panic!("expected a game") };
    let tables = [
        std::sync::Arc::into_inner(any).expect("the only holder"),
        Open::path(&path).game().unwrap(),
        Open::path(&path).cache(&Cache::new(0)).game().unwrap(),
        Open::whole(&path).game().unwrap(),
        Open::bytes(GOLDEN).game().unwrap(),
        Open::bytes(GOLDEN.to_vec()).game().unwrap(),
    ];
    let [first, others @ ..] = &tables;
    let all: Vec<u64> = (0..first.positions()).collect();
    let statistics = first.check_sums(|_| {}).unwrap();
    let mut codes = Vec::new();
    for other in others {
        assert_eq!(other.header(), first.header());
        assert_eq!((other.file_len(), other.index_len()), (GOLDEN.len() as u64, 512));
        assert!(other.memory() > 0);
        assert_eq!(other.check_sums(|_| {}).unwrap(), statistics);
        let values = other.values(&all).unwrap();
        assert_eq!(values, first.values(&all).unwrap());
        for block in 0..other.numbering().block_count() {
            other.block_codes(block, &mut codes).unwrap();
            assert_eq!(other.block_entry(block).unwrap(), first.block_entry(block).unwrap());
            for (position, &code) in other.numbering().positions_of(block).zip(&codes) {
                assert_eq!(Some(values[position as usize]), Value::from_code(code));
            }
        }
    }
}

#[test]
fn numbers_that_no_position_has_are_refused() {
    let table = Open::bytes(GOLDEN).game().unwrap();
    for number in [131, 132, u64::MAX] {
        let says = format!("expected a position from 0 to 130, found {number}");
        let errors = [table.value(number).unwrap_err(), table.rank([3, number]).unwrap_err()];
        for error in errors {
            assert!(matches!(error, ProbeError::Number { positions: 131, .. }), "{error:?}");
            assert_eq!(error.to_string(), says);
        }
        let error = table.values(&[3, number, 5, 200]).unwrap_err();
        assert!(matches!(&error, ProbeError::InBatch { index: 1, .. }));
        assert!(error.to_string().ends_with(&says), "{error}");
    }
    assert_eq!(table.values(&[]).unwrap(), []);
    assert_eq!(table.rank([]).unwrap(), []);
    assert_eq!(table.best([]).unwrap(), None);
    let mut codes = Vec::new();
    for block in [5, u64::MAX / 512, u64::MAX] {
        assert!(table.block_codes(block, &mut codes).is_err() && table.block_entry(block).is_err());
    }
}

#[test]
fn table_of_the_other_kind_is_refused() {
    let error = Open::bytes(PURSUIT).game().unwrap_err();
    assert!(matches!(error, ProbeError::Table(TableError::Kind { found: TableKind::Pursuit, .. })));
    assert!(error.to_string().ends_with(": open it as a pursuit table"), "{error}");
    let error = Open::bytes(GOLDEN).pursuit().unwrap_err();
    assert!(matches!(error, ProbeError::Table(TableError::Kind { found: TableKind::Game, .. })));
    assert!(error.to_string().ends_with(": open it as a game table"), "{error}");
    assert!(matches!(Open::path(golden("v2-size.dtb")).any(), Ok(AnyTable::Pursuit(_))));
    assert!(matches!(
        Open::path(golden("v2-size.txt")).any(),
        Err(ProbeError::Table(TableError::Magic { .. }))
    ));
    // In a folder it is neither found nor missed.
    let tables = Tablebase::open([golden("")]).unwrap();
    assert_eq!((tables.paths().len(), tables.unreadable().len()), (11, 0));
    let board = Open::bytes(PURSUIT).pursuit().unwrap().board().clone();
    assert!(matches!(
        tables.table(&Setting::new(Scenario::from_board(board), Rules::chase())),
        Err(TablebaseError::Missing { .. })
    ));
}

/// Every bit, every length, every byte more: an error, or no other answer.
#[test]
fn every_damage_to_a_game_table_is_found() {
    let whole = Open::bytes(GOLDEN).game().unwrap();
    let all: Vec<u64> = (0..whole.positions()).collect();
    let answers = whole.values(&all).unwrap();
    let ask = |bytes: Vec<u8>| -> Result<(), ProbeError> {
        let table = Open::bytes(bytes.clone()).game()?;
        for (&number, expected) in all.iter().zip(&answers) {
            match table.value(number) {
                Ok(value) => assert_eq!(value, *expected),
                Err(error) => assert!(matches!(error, ProbeError::Table(_)), "{error:?}"),
            }
        }
        if let Ok(values) = table.values(&all) {
            assert_eq!(values, answers);
        }
        let found = table.check_sums(|_| {}).map(drop).map_err(|error| error.to_string());
        let fresh = Open::bytes(bytes).game().unwrap().check_sums(|_| {});
        assert_eq!(fresh.as_ref().map(drop).map_err(ToString::to_string), found);
        fresh.map(drop)
    };
    ask(GOLDEN.to_vec()).unwrap();
    for bit in 0..8 * GOLDEN.len() {
        let mut bad = GOLDEN.to_vec();
        bad[bit / 8] ^= 1 << (bit % 8);
        assert!(ask(bad).is_err(), "bit {} of byte {}", bit % 8, bit / 8);
    }
    for len in 0..GOLDEN.len() {
        assert!(ask(GOLDEN[..len].to_vec()).is_err(), "{len}");
    }
    assert!(matches!(ask([GOLDEN, &[0]].concat()), Err(ProbeError::Table(TableError::Trailing { .. }))));
}

/// Several blocks of every kind, asked by several threads at once.
#[test]
fn many_threads_get_the_same_answers() {
    let vertices = 100_000u32;
    let draw = |v: u64, salt: u64| splitmix64(v * 4 + salt) % 30;
    let edges = (1..u64::from(vertices)).flat_map(|v| {
        (0..2).map(move |salt| (v, v.saturating_sub(1 + draw(v, salt)))).filter(move |_| v % 31 != 0)
    });
    let game = GraphGame::new(graph(vertices, edges), Stuck::Loses, []);
    let solution = GENERATOR.solve_game(&game, &()).unwrap();
    for favour in [Favour::Speed, Favour::Size] {
        let bytes = table_of(&game, favour);
        let table = Open::bytes(bytes).cache(&Cache::new(1 << 17)).game().unwrap();
        std::thread::scope(|scope| {
            for seed in 0..4 {
                let (table, solution) = (&table, &solution);
                scope.spawn(move || {
                    let asked: Vec<u64> =
                        (0..20_000).map(|i| splitmix64(seed << 32 | i) % u64::from(vertices)).collect();
                    let values = table.values(&asked).unwrap();
                    for (&number, value) in asked.iter().zip(values) {
                        assert_eq!(solution.value(number), Some(value));
                        assert_eq!(table.value(number).unwrap(), value);
                    }
                });
            }
        });
    }
}
