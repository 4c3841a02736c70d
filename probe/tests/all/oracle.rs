//! Every answer of a table against the oracle, on random boards and rules.

use crate::support::{Solved, positions, rules, solved};
use dragnet_formats::rules::Stuck;
use dragnet_generator::{Generator, Plan, encode::Encoding};
use dragnet_probe::{Cache, Cell, Choice, LineEnd, Open, Outcome, Position, ProbeError, Side, Table, Value};
use proptest::prelude::*;
use std::{collections::HashSet, io::Cursor};

/// The line from `at` must be legal, optimal, as long as the DTW says, and end as the value says.
fn check_line(table: &Table, solved: &Solved, at: Position) -> Result<(), TestCaseError> {
    let line = table.line(at).unwrap();
    let value = solved.value(at);
    prop_assert_eq!((line.start, line.value), (at, value));
    let mut here = at;
    let mut seen = HashSet::from([at]);
    for (ply, step) in line.moves.iter().enumerate() {
        let best = solved.choices(here)[0];
        prop_assert_eq!((step.to, step.position, step.value), (best.to, best.position, best.value));
        prop_assert_eq!(step.side, here.turn);
        here = step.position;
        match value {
            Value::Draw => prop_assert_eq!(step.value, Value::Draw),
            _ => prop_assert_eq!(
                step.value.dtw().unwrap() as usize,
                line.value.dtw().unwrap() as usize - ply - 1
            ),
        }
        let repeated = !seen.insert(here);
        prop_assert_eq!(repeated, value == Value::Draw && ply + 1 == line.moves.len());
    }
    match value.outcome(at.turn) {
        Outcome::Draw => prop_assert_eq!(line.end, LineEnd::Repetition),
        outcome => {
            let winner = if outcome == Outcome::Police { Side::Police } else { Side::Thief };
            prop_assert_eq!(line.moves.len(), value.dtw().unwrap() as usize);
            prop_assert_eq!(line.end.winner(), Some(winner));
            prop_assert_eq!(line.end == LineEnd::Caught, solved.captured(here));
            match solved.terminal(here) {
                Some(over) => {
                    prop_assert_eq!(over, winner);
                    prop_assert!(!matches!(line.end, LineEnd::Stuck(_)));
                }
                None => {
                    prop_assert_eq!(line.end, LineEnd::Stuck(winner));
                    prop_assert!(solved.choices(here).is_empty(), "stuck");
                    let stuck_wins = solved.rules.stuck == Stuck::Wins;
                    prop_assert_eq!(stuck_wins, here.turn == winner);
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tables_agree_with_naive((board, rules, police, thief, favour) in solved()) {
        let solved = Solved::new(board, rules, police, thief);
        let table = Open::bytes(solved.table(favour)).pursuit().unwrap();
        prop_assert_eq!(table.header(), &solved.header());
        for at in solved.positions() {
            prop_assert_eq!(table.value(at).unwrap(), solved.value(at), "{}", at);
            let choices = solved.choices(at);
            prop_assert_eq!(table.best_moves(at).unwrap(), &choices[..], "{}", at);
            prop_assert_eq!(table.best_move(at).unwrap(), choices.first().copied(), "{}", at);
            let mut in_order: Vec<Choice> = table.moves(at).unwrap().collect::<Result<_, _>>().unwrap();
            prop_assert!(in_order.is_sorted_by_key(|choice| choice.to), "{}", at);
            in_order.sort_by(|a, b| a.value.compare_for_mover(b.value));
            prop_assert_eq!(in_order, choices, "{}", at);
            let value = solved.value(at);
            for plies in [0, 3, 8] {
                let caught = value.outcome(at.turn) == Outcome::Police && value.dtw().unwrap() <= plies;
                prop_assert_eq!(table.is_caught_within(at, plies).unwrap(), caught, "{} in {}", at, plies);
            }
        }
        for at in solved.positions() {
            check_line(&table, &solved, at)?;
            prop_assert_eq!(table.winner(at).unwrap(), solved.terminal(at), "{}", at);
            if let Some(best) = table.best_moves(at).unwrap().first() {
                prop_assert_eq!(best.worth(), solved.value(at), "{}", at);
            }
        }
        let statistics = table.check_sums(|_| {}).unwrap();
        prop_assert_eq!(statistics.blocks, table.header().block_count());
    }

    #[test]
    fn generated_tables_agree_with_naive(
        (board, rules, .., favour) in solved(), level in 1i32..6, threads in 1usize..3,
    ) {
        let encoding = Encoding { favour, level };
        let [police, thief] = dragnet_formats::header::tile_sizes(board.height(), rules.officers, encoding.favour);
        let tile = |size: dragnet_formats::numbering::TileSize| (size.rows(), size.cols());
        let solved = Solved::new(board.clone(), rules.clone(), tile(police), tile(thief));
        let generator = Generator::new(threads).unwrap();
        let plan = Plan::new(board, rules, encoding).unwrap();
        let solution = generator.solve(&plan, &()).unwrap();
        let (header, blocks) = generator.encode(&*solution, &plan, &()).unwrap();
        prop_assert_eq!(&header, &solved.header());
        let (output, _) = blocks.write(&header, Cursor::new(vec![])).unwrap();
        let table = Open::bytes(output.into_inner()).pursuit().unwrap();
        for at in positions(table.board(), table.officers()) {
            prop_assert_eq!(table.value(at).unwrap(), solved.value(at), "{}", at);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_size_of_the_cache_changes_no_answer(
        rules in rules(), seed in any::<u64>(), cache_bytes in prop::sample::select(vec![0u64, 1, 300, 4000, 1 << 24]),
    ) {
        let board = dragnet_formats::board::make::random(7, 9, 0.2, seed).unwrap();
        prop_assume!(board.open_count() > 0);
        let solved = Solved::new(board, rules, (3, 4), (2, 3));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.dtb");
        std::fs::write(&path, solved.table(dragnet_formats::codec::Favour::Size)).unwrap();
        let table = Open::path(&path).cache(&Cache::new(cache_bytes)).pursuit().unwrap();
        for at in solved.positions() {
            prop_assert_eq!(table.value(at).unwrap(), solved.value(at), "{}", at);
        }
    }

    #[test]
    fn many_positions_at_once_get_the_values_of_each(
        (board, rules, police, thief, favour) in solved(),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..300),
        bad in any::<prop::sample::Index>(),
    ) {
        let solved = Solved::new(board, rules, police, thief);
        let table = Open::bytes(solved.table(favour)).pursuit().unwrap();
        let all: Vec<Position> = solved.positions().into_iter().collect();
        let mut asked: Vec<Position> = picks.iter().map(|pick| all[pick.index(all.len())]).collect();
        let expected: Vec<Value> = asked.iter().map(|&at| solved.value(at)).collect();
        prop_assert_eq!(table.values(&asked).unwrap(), expected);
        // The first position off the board is named, whatever stands behind it.
        let at = bad.index(asked.len() + 1);
        let off = Position { thief: Cell::new(u16::MAX, 0), ..all[0] };
        asked.insert(at, off);
        asked.push(off);
        let error = table.values(&asked).unwrap_err();
        prop_assert!(matches!(error, ProbeError::InBatch { index, .. } if index == at), "{}", error);
    }
}

#[test]
fn a_cache_larger_than_any_memory_is_not_taken_at_once() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/golden/v2-size.dtb");
    let whole = Open::path(&path).pursuit().unwrap();
    for cache_bytes in [1 << 40, 1 << 62, u64::MAX] {
        let table = Open::path(&path).cache(&Cache::new(cache_bytes)).pursuit().unwrap();
        for at in positions(table.board(), table.officers()) {
            assert_eq!(table.value(at).unwrap(), whole.value(at).unwrap());
        }
    }
}
