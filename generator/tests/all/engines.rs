//! The engine against the naive oracle, on random graphs, boards and rules, with several numbers of threads.

use crate::support::{Plain, graph, graph_game, pursuit, rules};
use dragnet_formats::{
    board::{Board, Square, make},
    cell::Side,
    codec::RawBlock,
    header::Counts,
    numbering::TileSize,
    pieces::Pieces,
    rules::{Rules, Stuck, Wrap},
    value::Value,
};
use dragnet_generator::{
    Game, GraphGame, LabelledPursuit, Observer, Pursuit, Reversible, SliceWork, Start, VertexStart,
    WithPredecessors, bitboard,
    counters::{self, Tuning},
    naive,
    solution::{BlockSource, Solution},
};
use proptest::prelude::*;
use rayon::ThreadPool;
use std::{
    collections::BTreeMap,
    sync::{LazyLock, Mutex},
};

pub(crate) static POOLS: LazyLock<Vec<ThreadPool>> = LazyLock::new(|| {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    [1, 2, 4, 8].map(pool).into()
});

/// Returns all values by `counters`, on each pool, with every level shared out and with none.
fn check_against_naive(game: &impl Reversible) -> Result<(), TestCaseError> {
    let expected = naive::solve(game);
    let longest = expected.iter().filter_map(|value| value.dtw()).max().unwrap_or(0);
    for pool in POOLS.iter() {
        for shared_level in [0, 20, u64::MAX] {
            let labels = counters::solve(game, pool, Tuning { shared_level }, &()).unwrap();
            for (position, &value) in (0..).zip(&expected) {
                prop_assert_eq!(labels.value(position), value, "position {}", position);
            }
            prop_assert_eq!(labels.longest(), longest);
        }
    }
    Ok(())
}

/// Returns all blocks of a table by their numbers, each of which must come once.
pub(crate) fn blocks(source: &dyn BlockSource) -> BTreeMap<u64, RawBlock> {
    let blocks = Mutex::new(BTreeMap::new());
    let sink = |number, block| {
        assert_eq!(blocks.lock().unwrap().insert(number, block), None, "block {number} twice");
        Ok(())
    };
    source.blocks(&sink).unwrap();
    blocks.into_inner().unwrap()
}

/// Compares all that the writer of a table reads of a solution by `bitboard`, on each pool, with that of
/// `counters` and with the values by `naive`.
fn check_engines(board: &Board, rules: &Rules, tiles: [TileSize; 2]) -> Result<(), TestCaseError> {
    let game = || Pursuit::compile(board, rules, tiles[0], tiles[1], &()).unwrap();
    let plain = Plain::new(board, rules);
    let expected = naive::solve(&plain);
    let labels = counters::solve(&game(), &POOLS[0], Tuning::default(), &()).unwrap();
    let counted = LabelledPursuit::new(game(), labels);
    let blocks = blocks(&counted);
    for pool in POOLS.iter() {
        let bits = bitboard::solve(game(), pool, &()).unwrap();
        for (officers, thief) in plain.police_to_move() {
            let expected = Some(expected[plain.position(officers, thief)]);
            prop_assert_eq!(
                counted.value(0, &officers, thief),
                expected,
                "police {}, thief {}",
                officers,
                thief
            );
            prop_assert_eq!(
                bits.value(0, &officers, thief),
                expected,
                "police {}, thief {}",
                officers,
                thief
            );
        }
        prop_assert_eq!(bits.summary(), counted.summary());
        prop_assert_eq!(&pool.install(|| self::blocks(&bits)), &blocks);
    }
    let turns = Side::BOTH.map(|turn| {
        let mut counts = Counts::default();
        let values = expected.chunks_exact(expected.len() / 2).nth(turn as usize).unwrap();
        values.iter().for_each(|value| counts.add(value.outcome(turn), 1));
        counts
    });
    let summary = counted.summary();
    prop_assert_eq!([summary.police_to_move, summary.thief_to_move], turns);
    Ok(())
}

fn tile() -> impl Strategy<Value = TileSize> {
    (1u8..5, 1u8..5).prop_map(|(rows, cols)| TileSize::new(rows, cols).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn graphs_agree_with_naive(graph in graph()) {
        check_against_naive(&WithPredecessors::new(graph).unwrap())?;
    }

    #[test]
    fn a_graph_lists_the_open_vertices_before_each(graph in graph()) {
        let (mut there, mut back) = (Vec::new(), Vec::new());
        let turned = WithPredecessors::new(graph).unwrap();
        for position in 0..turned.positions() {
            turned.for_each_predecessor(position, |from| back.push((from, position)));
        }
        let graph = turned.into_game();
        for position in 0..graph.positions() {
            if graph.start_of(position as u32) == VertexStart::Open {
                graph.for_each_successor(position, |to| there.push((position, to)));
            }
        }
        there.sort_unstable();
        back.sort_unstable();
        prop_assert_eq!(there, back);
    }

    #[test]
    fn boards_agree_with_naive((board, rules) in pursuit(), police in tile(), thief in tile()) {
        check_against_naive(&Pursuit::compile(&board, &rules, police, thief, &()).unwrap())?;
    }

    #[test]
    fn engines_agree_with_naive((board, rules) in pursuit(), police in tile(), thief in tile()) {
        check_engines(&board, &rules, [police, thief])?;
    }

    #[test]
    fn the_pursuit_game_keeps_its_promises((board, rules) in pursuit(), police in tile(), thief in tile()) {
        let game = Pursuit::compile(&board, &rules, police, thief, &()).unwrap();
        let mut edges = Vec::new();
        let mut back = Vec::new();
        for position in 0..game.positions() {
            game.for_each_predecessor(position, |p| {
                if game.start(p) == Start::Open {
                    back.push((p, position));
                }
            });
            let mut moves = 0;
            game.for_each_successor(position, |s| {
                if game.start(position) == Start::Open {
                    edges.push((position, s));
                }
                moves += 1;
            });
            if game.start(position) == Start::Open {
                game.for_each_start(position..position + 1, |_, _, counted| assert_eq!(counted, moves));
            }
        }
        back.sort_unstable();
        edges.sort_unstable();
        prop_assert_eq!(&edges, &back, "predecessors are dual to successors");
        let mut lane_of = std::collections::HashMap::new();
        for (predecessor, position) in back {
            let lane = game.lane(position);
            prop_assert!(lane < game.lanes());
            prop_assert_eq!(*lane_of.entry(predecessor).or_insert(lane), lane, "a predecessor in two lanes");
        }
        let mut starts = Vec::new();
        let half = game.positions() / 3;
        game.for_each_start(0..half, |p, start, _| starts.push((p, start)));
        game.for_each_start(half..game.positions(), |p, start, _| starts.push((p, start)));
        prop_assert_eq!(starts, (0..game.positions()).map(|p| (p, game.start(p))).collect::<Vec<_>>());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Boards of several tiles, full ones among them, and the tiles of real tables.
    #[test]
    fn engines_agree_on_boards_of_several_tiles(
        (rows, cols) in (1usize..28, 1usize..28), walls in prop::sample::select(vec![0.0, 0.02, 0.2, 0.5]),
        seed in any::<u64>(), exits in 0usize..4, rules in prop_oneof![Just(Rules::classic()), Just(Rules::chase()), rules()],
        police in prop::sample::select(vec![8, 16]), threads in 0usize..4,
    ) {
        let board = make::random(rows, cols, walls, seed).unwrap();
        prop_assume!(board.open_count() > 0);
        let step = board.open_count().div_ceil(exits + 1);
        let exits: Vec<_> = board.open_cells().step_by(step).take(exits).collect();
        let board = board.with_exits(&exits).unwrap();
        let tile = |side| TileSize::new(side, side).unwrap();
        let game = || Pursuit::compile(&board, &rules, tile(police), tile(8), &()).unwrap();
        let labels = counters::solve(&game(), &POOLS[0], Tuning::default(), &()).unwrap();
        let counted = LabelledPursuit::new(game(), labels);
        let bits = bitboard::solve(game(), &POOLS[threads], &()).unwrap();
        prop_assert_eq!(bits.summary(), counted.summary());
        prop_assert_eq!(blocks(&bits), blocks(&counted));
        let cells: Vec<_> = board.open_cells().collect();
        for &police in cells.iter().step_by(7) {
            for &thief in &cells {
                let police = Pieces::one(police);
                prop_assert_eq!(bits.value(0, &police, thief), counted.value(0, &police, thief));
            }
        }
    }
}

/// Boards of several tiles, which the random ones above are too small for.
#[test]
fn bitboards_agree_with_naive_across_tiles() {
    for (rows, cols, rules) in [
        (9, 11, Rules::classic()),
        (10, 9, Rules { wrap: Wrap::Both, ..Rules::chase() }),
        (1, 40, Rules::classic()),
    ] {
        let board = make::random(rows, cols, 0.2, 7).unwrap();
        let exits: Vec<_> = board.open_cells().step_by(31).collect();
        let board = board.with_exits(&exits).unwrap();
        let tile = TileSize::new(8, 8).unwrap();
        check_engines(&board, &rules, [tile, tile]).unwrap();
    }
}

/// Coordinates up to the last that a board can have.
#[test]
fn boards_may_be_as_long_as_coordinates_go() {
    for (rows, cols) in [(65_535, 1), (1, 65_535)] {
        let open = [0, 1, 5, 65_530, 65_533, 65_534];
        let squares = (0..65_535).map(|i| if open.contains(&i) { Square::Open } else { Square::Wall });
        let board = Board::new(rows, cols, squares.collect()).unwrap();
        for rules in [Rules::classic(), Rules { wrap: Wrap::Both, ..Rules::classic() }] {
            let tile = TileSize::new(16, 16).unwrap();
            check_engines(&board, &rules, [tile, tile]).unwrap();
        }
    }
}

/// In a corridor of 300 cells a block has more than 256 different values.
#[test]
fn blocks_have_palettes_of_any_length() {
    let board = make::maze(41, 41, 3, 1).unwrap();
    let board = board.with_exits(&[board.open_cells().next().unwrap()]).unwrap();
    let tile = TileSize::new(16, 16).unwrap();
    let game = || Pursuit::compile(&board, &Rules::classic(), tile, tile, &()).unwrap();
    let labels = counters::solve(&game(), &POOLS[1], Tuning::default(), &()).unwrap();
    let counted = LabelledPursuit::new(game(), labels);
    let bits = bitboard::solve(game(), &POOLS[1], &()).unwrap();
    assert_eq!(bits.summary(), counted.summary());
    let expected = blocks(&counted);
    assert_eq!(blocks(&bits), expected);
    let longest_palette = expected.values().map(|block| block.palette().len()).max().unwrap();
    assert!(longest_palette > 256, "{longest_palette}");
}

#[test]
fn distances_pass_16_bits() {
    // A corridor with one sink: DTW rises by one a vertex.
    let vertices = 70_000;
    let graph = graph_game(vertices, (1..vertices).map(|v| (v, v - 1)), Stuck::Loses, &[]);
    let graph = WithPredecessors::new(graph).unwrap();
    for pool in POOLS.iter() {
        let labels = counters::solve(&graph, pool, Tuning { shared_level: 0 }, &()).unwrap();
        for v in 0..vertices as u32 {
            let expected = if v % 2 == 0 { Value::Loss(v) } else { Value::Win(v) };
            assert_eq!(labels.value(v.into()), expected);
        }
        assert_eq!(labels.longest(), 69_999);
    }
}

/// A vertex with many edges to vertices from which an edge leads to the end, and one edge that leads
/// elsewhere.
fn star(edges: usize, elsewhere: VertexStart) -> GraphGame {
    let (end, other) = (edges + 1, edges + 2);
    let there = (1..=edges).flat_map(|v| [(0, v), (v, end)]);
    let labels = [(other as u32, elsewhere)];
    graph_game(edges + 3, there.chain([(0, other), (other, other)]), Stuck::Loses, &labels)
}

#[test]
fn positions_may_have_more_moves_than_a_word_counts() {
    let most = 32_766;
    for pool in POOLS.iter() {
        for (edges, elsewhere, expected) in [
            (most - 1, VertexStart::Won, Value::Loss(2)),
            (most, VertexStart::Won, Value::Loss(2)),
            (most + 1, VertexStart::Won, Value::Loss(2)),
            (3 * most, VertexStart::Won, Value::Loss(2)),
            (3 * most, VertexStart::Lost, Value::Win(1)),
            (3 * most, VertexStart::Open, Value::Draw),
        ] {
            for shared_level in [0, u64::MAX] {
                let star = WithPredecessors::new(star(edges, elsewhere)).unwrap();
                let labels = counters::solve(&star, pool, Tuning { shared_level }, &()).unwrap();
                assert_eq!(labels.value(0), expected, "{edges} edges");
                assert_eq!(labels.value(1), Value::Win(1));
            }
        }
    }
    // Parallel edges are moves of their own.
    let parallel = WithPredecessors::new(graph_game(2, vec![(0, 1); 100_000], Stuck::Wins, &[])).unwrap();
    let labels = counters::solve(&parallel, &POOLS[1], Tuning { shared_level: 0 }, &()).unwrap();
    assert_eq!(labels.value(0), Value::Loss(1));
}

#[derive(Default)]
struct Passes(Mutex<Vec<Vec<SliceWork>>>);

impl Observer for Passes {
    fn pass(&self, _shared: bool, work: &mut dyn Iterator<Item = SliceWork>) {
        self.0.lock().unwrap().push(work.collect());
    }
}

/// The work of each slice in each pass depends on the board alone.
#[test]
fn work_is_counted_alike_by_any_number_of_threads() {
    for officers in [1, 2] {
        let passes = POOLS.iter().map(|pool| {
            let rules = Rules { officers, ..Rules::classic() };
            let tile = TileSize::new(8, 8).unwrap();
            let tile = if officers == 1 { tile } else { TileSize::new(4, 4).unwrap() };
            let game = Pursuit::compile(&make::open(12, 20).unwrap(), &rules, tile, tile, &()).unwrap();
            let passes = Passes::default();
            bitboard::solve(game, pool, &passes).unwrap();
            passes.0.into_inner().unwrap()
        });
        let passes: Vec<_> = passes.collect();
        assert!(passes.iter().all(|other| *other == passes[0]));
        let rows = passes[0].iter().flatten().map(|work| work.rows);
        assert!(rows.clone().sum::<u64>() > 1_000 && rows.clone().any(|rows| rows == 0));
        let places: Vec<_> = passes[0][0].iter().map(|work| (work.square, work.range)).collect();
        assert!(places.is_sorted() && places.len() > 3);
    }
}
