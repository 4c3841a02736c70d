//! Game tables and the verification of values, against the naive oracle.

use crate::support::{graph, graph_game, mirrored};
use dragnet_formats::container::WriteError;
use dragnet_formats::{
    codec::Favour,
    container::Reader,
    digest::splitmix64,
    header::{GameHeader, GameHeaderError, GameSummary},
    rules::Stuck,
    value::{MAX_DTW, Value},
};
use dragnet_generator::{
    Game, GameReport, GameSolution, GenerateError, Generator, GraphGame, Observer, Start, VertexStart,
    WrongValue,
    encode::Encoding,
    game_table::{key, summary},
    naive,
    verify::first_wrong,
};
use proptest::prelude::*;
use std::{convert::Infallible, fs, path::Path, sync::LazyLock};

/// The encoded blocks of one generator wait in a file.
static GENERATORS: LazyLock<[Generator; 3]> = LazyLock::new(|| {
    let generator = |threads| Generator::new(threads).unwrap().without_sync();
    [generator(1), generator(2).with_memory(0), generator(5)]
});

const ENCODINGS: [Encoding; 2] =
    [Encoding { favour: Favour::Speed, level: 4 }, Encoding { favour: Favour::Size, level: 4 }];

fn wrong(game: &impl Game, values: &[Value]) -> Option<WrongValue> {
    first_wrong(game, |position| Ok::<_, Infallible>(values[position as usize]), &())
        .unwrap_or_else(|e| match e {})
}

/// Returns a copy of the game.
fn again(game: &GraphGame) -> GraphGame {
    let starts = (0..game.graph().vertices()).map(|vertex| (vertex, game.start_of(vertex)));
    GraphGame::new(game.graph().clone(), Stuck::Loses, starts.collect::<Vec<_>>())
}

fn write(
    generator: &Generator,
    solution: &GameSolution<impl Game>,
    encoding: Encoding,
    path: &Path,
) -> GameReport {
    generator.write_game(solution, GameHeader::GRAPH, encoding, path, &()).unwrap()
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
    fn a_table_agrees_with_solution_and_oracle(game in graph(), speed in any::<bool>()) {
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
    fn tables_of_any_game_have_its_values(game in mirrored(), speed in any::<bool>(), at in any::<prop::sample::Index>()) {
        let mut expected = naive::solve(&game);
        let folder = tempfile::tempdir().unwrap();
        let encoding = ENCODINGS[usize::from(speed)];
        let paths = ["whole", "written"].map(|name| folder.path().join(name));
        GENERATORS[1].generate_game(&game, GameHeader::GRAPH, encoding, &paths[0], &()).unwrap();
        check_table(&game, &expected, &paths[0]);
        let solution = GENERATORS[2].solve_game(game.clone(), &()).unwrap();
        let report = write(&GENERATORS[2], &solution, encoding, &paths[1]);
        prop_assert_eq!(report.header.summary, solution.summary());
        let files = paths.map(|path| fs::read(path).unwrap());
        prop_assert_eq!(&files[0], &files[1]);
        prop_assert_eq!(key(&game), key_by_the_page(&game));
        prop_assert_eq!(wrong(&game, &expected), None);
        let at = at.index(expected.len());
        expected[at] = if expected[at] == Value::Draw { Value::Loss(1) } else { Value::Draw };
        prop_assert!(wrong(&game, &expected).is_some());
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
                leads && wrong_alone(&game, &values, position)
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

/// Returns whether the value of this one position fails to follow from the values of its successors.
fn wrong_alone(game: &GraphGame, values: &[Value], position: u64) -> bool {
    let solution = naive_step(game, values, position);
    solution != Some(values[position as usize])
}

/// Returns the value that follows from the successors, computed as plainly as possible.
fn naive_step(game: &GraphGame, values: &[Value], position: u64) -> Option<Value> {
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

/// Returns the key, computed from the text of `FORMAT.md` §9.
fn key_by_the_page(game: &impl Game) -> u64 {
    let mut key = 0u64;
    for u in 0..game.positions() {
        let here = splitmix64(u);
        let mut moves = Vec::new();
        if game.start(u) == Start::Open {
            game.for_each_successor(u, |v| moves.push(v));
            moves.retain(|&v| game.start(v) != Start::Illegal);
        }
        let known = |value| {
            let s = match value {
                Value::Win(0) => 1,
                Value::Loss(0) => 2,
                Value::Draw => 3,
                Value::Loss(d) => 3 + 2 * u64::from(d),
                Value::Win(d) => 4 + 2 * u64::from(d),
            };
            splitmix64(here.wrapping_sub(1)).wrapping_mul(s)
        };
        let of_move = |v| match game.keeps_turn(v) {
            true => splitmix64(here.wrapping_sub(2 + v)),
            false => splitmix64(here.wrapping_add(v)),
        };
        key = key.wrapping_add(match game.start(u) {
            Start::Known(value) => known(value),
            Start::Illegal => splitmix64(here.wrapping_sub(1)).wrapping_mul(4),
            Start::Open if moves.is_empty() => known(game.stuck(u)),
            Start::Open => moves.into_iter().map(of_move).fold(0, u64::wrapping_add),
        });
    }
    key
}

#[test]
fn a_cycle_of_distances_at_the_limit_is_refused() {
    let game = graph_game(2, [(0, 1), (1, 0)], Stuck::Loses, &[]);
    let values = [Value::Win(MAX_DTW), Value::Loss(MAX_DTW)];
    let expected = WrongValue { position: 0, found: values[0], expected: None };
    assert_eq!(wrong(&game, &values), Some(expected));
}

#[test]
fn an_error_of_the_values_is_returned() {
    let game = graph_game(9, [(0, 8)], Stuck::Loses, &[]);
    let value = |position| if position == 8 { Err("no value") } else { Ok(Value::Loss(0)) };
    assert_eq!(first_wrong(&game, value, &()), Err("no value"));
    let game = graph_game(9, [(1, 8)], Stuck::Wins, &[]);
    assert_eq!(
        first_wrong(&game, value, &()).unwrap().unwrap().position,
        0,
        "what is wrong before the error"
    );
}

/// A game with many blocks, so that threads have work to share, and distances of every length.
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
fn impossible_names_are_refused_before_the_solve() {
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
