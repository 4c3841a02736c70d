//! Tables of games on graphs, and deriving values again, against the naive oracle.

#![allow(clippy::unwrap_used)]

mod support;

use dragnet_formats::{
    codec::Favour,
    container::{Reader, WriteError},
    digest::splitmix64,
    game_header::{GameHeader, GameHeaderError, GameSummary},
    rules::Stuck,
    value::{MAX_DTW, Value},
};
use dragnet_generator::{
    Game, GameIdentity, GameReport, GenerateError, Generator, GraphGame, GraphSolution, Observer,
    VertexStart, WrongValue,
    encode::Encoding,
    naive,
    numbered::{key, summary},
    verify::first_wrong,
};
use proptest::prelude::*;
use std::{convert::Infallible, fs, path::Path, sync::LazyLock};
use support::{graph, graph_game};

static GENERATORS: LazyLock<[Generator; 3]> =
    LazyLock::new(|| [1, 2, 5].map(|threads| Generator::new(threads).unwrap().without_sync()));

const ENCODINGS: [Encoding; 2] =
    [Encoding { favour: Favour::Speed, level: 4 }, Encoding { favour: Favour::Size, level: 4 }];

fn wrong(game: &impl Game, values: &[Value]) -> Option<WrongValue> {
    first_wrong(game, |position| Ok::<_, Infallible>(values[position as usize]))
        .unwrap_or_else(|e| match e {})
}

/// The game on the same graph, with the same starts.
fn again(game: &GraphGame) -> GraphGame {
    let starts = (0..game.graph().vertices()).map(|vertex| (vertex, game.start_of(vertex)));
    GraphGame::new(game.graph().clone(), Stuck::Loses, starts.collect::<Vec<_>>())
}

fn write(generator: &Generator, solution: &GraphSolution, encoding: Encoding, path: &Path) -> GameReport {
    let identity = generator.install(|| GameIdentity::new(solution.game(), GameHeader::GRAPH));
    generator.write_game(&identity, |vertex| solution.value(vertex as u32), encoding, path, &()).unwrap()
}

/// Checks the table in a file against the values of `game`.
fn check_table(game: &impl Game, expected: &[Value], path: &Path) {
    let bytes = fs::read(path).unwrap();
    let reader = Reader::<_, GameHeader>::open_as(&bytes[..]).unwrap();
    reader.check_all(|_| {}).unwrap();
    assert_eq!(reader.header().key, key(game));
    let mut sum = GameSummary::default();
    for (number, &value) in (0..).zip(expected) {
        let at = reader.numbering().locate(number).unwrap();
        assert_eq!(reader.block(at.block).unwrap().code(at.slot), Ok(value.code()), "position {number}");
        sum.add(number, value);
    }
    assert_eq!(reader.numbering().locate(expected.len() as u64), None);
    assert_eq!(reader.header().summary, sum);
    assert_eq!(summary(expected.len() as u64, |position| expected[position as usize]), sum);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_table_says_what_solution_and_oracle_say(game in graph(), speed in any::<bool>()) {
        let expected = naive::solve(&game);
        let folder = tempfile::tempdir().unwrap();
        let encoding = ENCODINGS[usize::from(speed)];
        let mut files = Vec::new();
        for (number, generator) in GENERATORS.iter().enumerate() {
            let path = folder.path().join(format!("{number}.dtb"));
            let solution = generator.solve_graph(again(&game), &()).unwrap();
            let report = write(generator, &solution, encoding, &path);
            prop_assert_eq!(report.header.summary, solution.summary());
            check_table(&game, &expected, &path);
            files.push(fs::read(path).unwrap());
        }
        // The whole job in one go.
        let path = folder.path().join("whole.dtb");
        GENERATORS[1].generate_game(&game, GameHeader::GRAPH, encoding, &path, &()).unwrap();
        files.push(fs::read(path).unwrap());
        prop_assert!(files.windows(2).all(|two| two[0] == two[1]));
    }

    #[test]
    fn the_first_wrong_value_is_found(game in graph(), at in any::<prop::sample::Index>(), by in 0usize..6) {
        let mut values = naive::solve(&game);
        prop_assert_eq!(wrong(&game, &values), None);
        let at = at.index(values.len());
        let other = [
            Value::Draw, Value::Win(0), Value::Loss(0), Value::Win(3), Value::Loss(2), Value::Win(MAX_DTW),
        ][by];
        prop_assume!(values[at] != other);
        values[at] = other;
        // The changed position, or the first that leads to it.
        let found = wrong(&game, &values).unwrap();
        let first = (0..values.len() as u64)
            .find(|&position| {
                let mut leads = position == at as u64;
                game.for_each_successor(position, |to| leads |= to == at as u64);
                leads && derived(&game, &values, position) != Some(values[position as usize])
            });
        prop_assert_eq!(Some(found.position), first);
        prop_assert_eq!(found.found, values[found.position as usize]);
        for generator in GENERATORS.iter() {
            prop_assert_eq!(generator.install(|| wrong(&game, &values)), Some(found));
        }
    }

    #[test]
    fn the_key_tells_graphs_apart(game in graph(), from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
        let vertices = game.graph().vertices() as usize;
        let mut edges: Vec<(usize, usize)> = (0..vertices)
            .flat_map(|from| game.graph().successors(from as u32).iter().map(move |&to| (from, to as usize)))
            .collect();
        let starts: Vec<_> = (0..vertices as u32).map(|vertex| (vertex, game.start_of(vertex))).collect();
        edges.reverse();
        let key_of = |edges: &[(usize, usize)]| {
            key(&graph_game(vertices, edges.iter().copied(), Stuck::Loses, &starts))
        };
        prop_assert_eq!(key_of(&edges), key(&game));
        prop_assert_eq!(key(&game), key_by_the_page(&game));
        let (from, to) = (from.index(vertices), to.index(vertices));
        edges.push((from, to));
        // What is decided at once stays so, whatever its edges.
        prop_assert_eq!(key_of(&edges) == key(&game), game.start_of(from as u32) != VertexStart::Open);
    }
}

/// What the successors make of a position, reckoned as plainly as can be.
fn derived(game: &GraphGame, values: &[Value], position: u64) -> Option<Value> {
    match game.start_of(position as u32) {
        VertexStart::Won => return Some(Value::Win(0)),
        VertexStart::Lost => return Some(Value::Loss(0)),
        VertexStart::Drawn => return Some(Value::Draw),
        VertexStart::Open => {}
    }
    let after: Vec<Value> =
        game.graph().successors(position as u32).iter().map(|&to| values[to as usize]).collect();
    let longer = |dtw: u32| (dtw < MAX_DTW).then_some(dtw + 1);
    if after.is_empty() {
        return Some(Value::Draw);
    }
    let lost = after.iter().filter_map(|value| if let Value::Loss(dtw) = value { Some(*dtw) } else { None });
    if let Some(least) = lost.min() {
        return longer(least).map(Value::Win);
    }
    if after.contains(&Value::Draw) {
        return Some(Value::Draw);
    }
    longer(after.iter().filter_map(|value| value.dtw()).max().unwrap()).map(Value::Loss)
}

/// The key, written from `FORMAT.md` §9.
fn key_by_the_page(game: &GraphGame) -> u64 {
    let mut key = 0u64;
    for u in 0..game.graph().vertices() {
        let here = splitmix64(u.into());
        let decided = splitmix64(here.wrapping_sub(1));
        let edges = game.graph().successors(u);
        let term = match game.start_of(u) {
            VertexStart::Won => decided,
            VertexStart::Lost => decided.wrapping_mul(2),
            VertexStart::Drawn => decided.wrapping_mul(3),
            VertexStart::Open if edges.is_empty() => decided.wrapping_mul(3),
            VertexStart::Open => {
                edges.iter().fold(0, |sum: u64, &v| sum.wrapping_add(splitmix64(here.wrapping_add(v.into()))))
            }
        };
        key = key.wrapping_add(term);
    }
    key
}

#[test]
fn a_cycle_cannot_vouch_for_itself_with_distances_at_the_limit() {
    let game = graph_game(2, [(0, 1), (1, 0)], Stuck::Loses, &[]);
    let values = [Value::Win(MAX_DTW), Value::Loss(MAX_DTW)];
    let expected = WrongValue { position: 0, found: values[0], expected: None };
    assert_eq!(wrong(&game, &values), Some(expected));
}

#[test]
fn an_error_of_the_values_is_told() {
    let game = graph_game(9, [(0, 8)], Stuck::Loses, &[]);
    let value = |position| if position == 8 { Err("no value") } else { Ok(Value::Loss(0)) };
    assert_eq!(first_wrong(&game, value), Err("no value"));
    let game = graph_game(9, [(1, 8)], Stuck::Wins, &[]);
    assert_eq!(first_wrong(&game, value).unwrap().unwrap().position, 0, "what is wrong before the error");
}

/// Many blocks, so that threads have something to share, and distances of every length.
#[test]
fn threads_change_no_byte() {
    let vertices = 200_000;
    let draw = |v: usize, salt: u64| splitmix64(v as u64 * 8 + salt) as usize;
    let edges =
        |v: usize| (0..1 + draw(v, 0) % 3).map(move |i| (v, (v + 1 + draw(v, i as u64 + 1) % 40) % vertices));
    let game =
        || graph_game(vertices, (0..vertices).filter(|v| v % 97 != 0).flat_map(edges), Stuck::Loses, &[]);
    let folder = tempfile::tempdir().unwrap();
    for encoding in ENCODINGS {
        let mut files = Vec::new();
        for generator in GENERATORS.iter() {
            let path = folder.path().join("table.dtb");
            let solution = generator.solve_graph(game(), &()).unwrap();
            let report = write(generator, &solution, encoding, &path);
            assert!(report.written.distinct > 5, "{report:?}");
            files.push(fs::read(path).unwrap());
        }
        assert!(files.windows(2).all(|two| two[0] == two[1]));
    }
}

#[test]
fn what_no_table_can_have_is_refused_before_the_solve() {
    struct Never;
    impl Observer for Never {
        fn level(&self, _: u32, _: u64) {
            panic!("solved");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.dtb");
    let one = graph_game(1, [], Stuck::Loses, &[]);
    let none = graph_game(0, [], Stuck::Loses, &[]);
    for (game, name, expected) in [
        (&one, "two\nlines", GameHeaderError::NameCharacter { found: 10 }),
        (&none, "empty", GameHeaderError::NoPosition),
    ] {
        let error = GENERATORS[0].generate_game(game, name, Encoding::default(), &path, &Never).unwrap_err();
        let GenerateError::Write(WriteError::GameHeader(error)) = error else { panic!("{error:?}") };
        assert_eq!(error, expected);
    }
    assert!(!path.exists());
}
