//! `dragnet verify` against a derivation that looks at one position after the other.

#[path = "../../../generator/tests/all/support/random.rs"]
mod random;

mod claims;

use crate::support::run;
use claims::Claims;
use dragnet_formats::{
    board::{Board, Square, make},
    cell::Cell,
    codec::Favour,
    numbering::{Numbering, TileSize},
    pieces::Pieces,
    rules::Rules,
    value::{MAX_DTW, Value},
};
use proptest::prelude::*;
use serde_json::Value as Json;

/// Returns a value other than `value`, of one of these kinds.
fn changed(value: Value, kind: u8) -> Value {
    let shifted = |by: i32| {
        // Two plies before it are still within the limit.
        let plies = |dtw: u32| dtw.saturating_add_signed(by).min(MAX_DTW - 7);
        match value {
            Value::Draw => Value::Win(4 + by.unsigned_abs()),
            Value::Win(dtw) => Value::Win(plies(dtw)),
            Value::Loss(dtw) => Value::Loss(plies(dtw)),
        }
    };
    match kind {
        0 => Value::Draw,
        1 => shifted(1),
        2 => shifted(2),
        3 => shifted(-1),
        4 => value.for_other_side(),
        5 => shifted(32_500),
        _ => Value::Loss(MAX_DTW - 7),
    }
}

fn tile_sizes() -> impl Strategy<Value = (TileSize, TileSize)> {
    let tile = |most: u8| (1..=most, 1..=most).prop_map(|(rows, cols)| TileSize::new(rows, cols).unwrap());
    (tile(4), prop_oneof![tile(4), tile(15)])
}

/// A sentence as `verify` reports it of the table `t.dtb`.
fn reported(claims: &Claims, order: &[(Pieces, Cell)]) -> Option<String> {
    let wrong = claims.first_wrong(order)?;
    Some(format!("t.dtb: {}", wrong.message(&claims.setting.board)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// `verify` finds the first wrong value, whatever the game, the tiles, the codec and the number of
    /// threads; so does a sample of all positions, in its own order.
    #[test]
    fn every_wrong_value_is_found(
        (board, rules) in random::pursuit(), tiles in tile_sizes(), speed in any::<bool>(), threads in 1..=4,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0u8..7), 0..6), seed in any::<u64>(),
    ) {
        let Some(mut claims) = Claims::right(&board, &rules) else { return Ok(()) };
        if Numbering::check([(rules.officers, tiles.0)], tiles.1).is_ok() {
            claims.retile(tiles.0, tiles.1);
        }
        let (by_tile, by_digest) = (claims.by_tile(), claims.by_digest());
        for (place, kind) in changes {
            // What is stored of a terminal position has no meaning, whatever it is.
            let value = claims.values.get_mut(place.get(&by_tile)).unwrap();
            *value = changed(*value, kind);
        }
        let folder = tempfile::tempdir().unwrap();
        let favour = if speed { Favour::Speed } else { Favour::Size };
        claims.write(&folder.path().join("t.dtb"), favour);
        let asks = [
            (format!("verify t.dtb --threads {threads}"), reported(&claims, &by_tile)),
            (format!("verify t.dtb --sample 99999999 --seed {seed} -j {threads}"), reported(&claims, &by_digest)),
        ];
        for (ask, expected) in asks {
            let ran = run(folder.path(), &ask);
            prop_assert_eq!(ran.status, Some(i32::from(expected.is_some())), "{}", ran.err);
            prop_assert_eq!(ran.err.contains("its successors say"), expected.is_some(), "{}", ran.err);
            prop_assert!(ran.err.contains(&expected.unwrap_or_default()), "{}", ran.err);
        }
    }
}

/// An open board that does not fill its last tiles, with an exit in a corner.
fn open_board() -> Claims {
    let board = make::open(18, 17).unwrap().with_exits(&[Cell::new(0, 0)]).unwrap();
    Claims::right(&board, &Rules::classic()).unwrap()
}

#[test]
fn one_wrong_value_is_found_on_every_edge_of_the_tiles() {
    let folder = tempfile::tempdir().unwrap();
    let right = open_board();
    let order = right.by_tile();
    // Corners and edges of tiles of 16×16 and of 8×8 cells, the first cell and the last one.
    let cells = [(0, 1), (7, 7), (7, 8), (8, 7), (15, 15), (16, 15), (15, 16), (16, 16), (17, 16), (9, 3)];
    for (number, (row, col)) in cells.into_iter().enumerate() {
        for (other, kind) in [(3, 0), (5, 1), (7, 2), (8, 4), (9, 5)] {
            let (police, thief) = (cells[(number + other) % cells.len()], (row, col));
            let position = (Cell::new(police.0, police.1).into(), Cell::new(thief.0, thief.1));
            let mut claims = right.clone();
            let value = claims.values.get_mut(&position).unwrap();
            *value = changed(*value, kind);
            claims.write(&folder.path().join("t.dtb"), Favour::Size);
            let near = order.iter().copied().filter(|(team, thief)| {
                let far = |a: Cell, b: Cell| a.row.abs_diff(b.row).max(a.col.abs_diff(b.col));
                far(team.cells()[0], position.0.cells()[0]) <= 2 && far(*thief, position.1) <= 2
            });
            let expected = reported(&claims, &near.collect::<Vec<_>>()).unwrap();
            run(folder.path(), "verify t.dtb").failed(1, &[&expected]);
        }
    }
}

#[test]
fn distances_beyond_the_limit_do_not_confirm_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let mut claims = Claims::right(&make::open(1, 5).unwrap(), &Rules::classic()).unwrap();
    for limit in [Value::Win(MAX_DTW), Value::Loss(MAX_DTW)] {
        claims.values.values_mut().for_each(|value| *value = limit);
        claims.write(&folder.path().join("t.dtb"), Favour::Size);
        run(folder.path(), "verify t.dtb").failed(1, &["its successors say that"]);
        run(folder.path(), "verify t.dtb --sample 99").failed(1, &["its successors say that"]);
    }
}

#[test]
fn claims_of_endless_distances_are_too_far_from_their_end() {
    let folder = tempfile::tempdir().unwrap();
    // Two rooms: nobody is ever caught, and every position with the pieces apart is a draw.
    let squares = (0..10).map(|square| if square % 5 == 2 { Square::Wall } else { Square::Open });
    let board = Board::new(2, 5, squares.collect()).unwrap();
    let mut claims = Claims::right(&board, &Rules::classic()).unwrap();
    assert!(claims.values.values().any(|value| *value == Value::Draw));
    for limit in [Value::Win(MAX_DTW), Value::Loss(MAX_DTW)] {
        for value in claims.values.values_mut().filter(|value| **value != Value::Win(0)) {
            let draw = matches!(value, Value::Draw | Value::Win(MAX_DTW) | Value::Loss(MAX_DTW));
            *value = if draw { limit } else { *value };
        }
        claims.write(&folder.path().join("t.dtb"), Favour::Size);
        for ask in ["verify t.dtb", "verify t.dtb --sample 64"] {
            run(folder.path(), ask).failed(1, &["its successors say that it is too far from its end"]);
        }
    }
}

#[test]
fn header_with_long_distances_changes_nothing_but_the_verdict_on_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut claims = open_board();
    claims.header.summary.longest.thief = 1 << 20;
    claims.write(&folder.path().join("t.dtb"), Favour::Size);
    run(folder.path(), "verify t.dtb")
        .failed(1, &["every value is right, but not the header", "of the thief"]);
}

#[test]
fn sample_says_what_it_has_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let claims = open_board();
    claims.write(&folder.path().join("t.dtb"), Favour::Size);
    let said = run(folder.path(), "verify t.dtb --sample 1000").done();
    let expected =
        "t.dtb: a sample, no wrong value in 1,000 of 93,636 positions with the police to move (1.1 %)";
    assert_eq!(said.trim_end(), expected);
    let said = run(folder.path(), "verify t.dtb --sample 100000 --seed 7 --json").done();
    let report: Json = serde_json::from_str(&said).unwrap();
    assert_eq!((&report["ok"], &report["derived"]), (&Json::from(true), &Json::from(false)));
    assert_eq!(report["sample"], serde_json::json!({"positions": 93_636, "of": 93_636, "seed": 7}));
    assert_eq!(report["positions"], 2 * 93_636);
}

#[test]
fn sample_is_drawn_by_its_seed_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut claims = open_board();
    let order = claims.by_tile();
    // Few enough that some small samples have one and others have none.
    for position in order.iter().step_by(40) {
        let value = claims.values.get_mut(position).unwrap();
        *value = changed(*value, 4);
    }
    claims.write(&folder.path().join("t.dtb"), Favour::Speed);
    let ask = |seed: u32, threads: u32| {
        let ran = run(folder.path(), &format!("verify t.dtb --sample 8 --seed {seed} --threads {threads}"));
        (ran.status, ran.err)
    };
    let results: Vec<_> = (0..16).map(|seed| ask(seed, 1)).collect();
    assert!((0..16).all(|seed| ask(seed, 4) == results[seed as usize]));
    assert!(results.iter().any(|(status, _)| *status == Some(1)));
    assert!(results.iter().any(|(status, _)| *status == Some(0)));
}

#[test]
fn sample_is_refused_where_it_has_no_meaning() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.txt"), "0 1\n1 2\n").unwrap();
    run(folder.path(), "graph solve game.txt --out game.dtb").done();
    open_board().write(&folder.path().join("t.dtb"), Favour::Size);
    run(folder.path(), "pack t.dtb --out part.dtb --keep outcome").done();
    for table in ["game.dtb", "part.dtb"] {
        run(folder.path(), &format!("verify {table} --sample 9")).failed(2, &[table, "verify it without"]);
    }
    let said = run(folder.path(), "verify t.dtb game.dtb --sample 9");
    assert_eq!(said.status, Some(2));
    let out = String::from_utf8(said.out).unwrap();
    assert!(out.ends_with("1 without a wrong value in the sample, 1 not checked: game.dtb\n"), "{out}");
    for others in ["--quick", "--graph game.txt", "--against t.dtb"] {
        run(folder.path(), &format!("verify t.dtb --sample 9 {others}")).failed(2, &["takes no --quick"]);
    }
    for words in ["--sample 0", "--sample -1", "--sample many", "--seed 3"] {
        let ran = run(folder.path(), &format!("verify t.dtb {words}"));
        assert_eq!((ran.status, ran.out.is_empty()), (Some(2), true), "{words}");
        assert!(ran.err.contains("--sample"), "{}", ran.err);
    }
}
