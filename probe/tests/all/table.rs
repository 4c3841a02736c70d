//! Opening, asking, and what is said when something is wrong.

use crate::support::{ask, board, positions};
use dragnet_formats::{
    board::BoardError,
    codec::{Encoded, Encoder, Favour},
    container::{Writer, index::IndexEntry},
    rules::{MoveSet, Movement, Stuck, Wrap},
    value::MAX_DTW,
};
use dragnet_generator::{Generator, Plan, encode::Encoding};
use dragnet_probe::{Board, Cache, Cell, Open, Position, ProbeError, Rules, Side, Table, TableError, Value};
use std::{
    io::Cursor,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

static SIZE: &[u8] = include_bytes!("../../../formats/tests/golden/v2-size.dtb");
static SPEED: &[u8] = include_bytes!("../../../formats/tests/golden/v2-speed.dtb");
static TEAM: &[u8] = include_bytes!("../../../formats/tests/golden/v2-team.dtb");
static GRAPH: &[u8] = include_bytes!("../../../formats/tests/golden/v2-cops.dtb");

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/golden").join(name)
}

/// The values in the dump of a golden table: rows of positions in the order of [`positions`].
fn dumped(dump: &str) -> Vec<Value> {
    let row = |line: &str| {
        let (name, values) = line.split_once(": ")?;
        (name.starts_with("police-") || name.starts_with("thief-")).then(|| values.to_owned())
    };
    let value = |word: &str| match word.split_at(1) {
        ("D", "") => Value::Draw,
        ("W", dtw) => Value::Win(dtw.parse().unwrap()),
        (_, dtw) => Value::Loss(dtw.parse().unwrap()),
    };
    let mut police = Vec::new();
    let mut thief = Vec::new();
    for line in dump.lines() {
        if let Some(values) = row(line) {
            let side = if line.starts_with("police-") { &mut police } else { &mut thief };
            side.push(values.split_whitespace().map(value).collect::<Vec<_>>());
        }
    }
    police.into_iter().chain(thief).flatten().collect()
}

#[test]
fn check_of_a_table_stops_when_it_is_told_to() {
    let path = golden("v2-size.dtb");
    for table in [Open::path(&path).pursuit().unwrap(), Open::whole(&path).pursuit().unwrap()] {
        let mut seen = Vec::new();
        let whole = table.check_sums_while(|done, blocks| {
            seen.push((done, blocks));
            ControlFlow::Continue(())
        });
        let blocks = whole.unwrap().blocks;
        assert!(blocks > 2);
        assert_eq!(seen, (1..=blocks).map(|done| (done, blocks)).collect::<Vec<_>>());
        let stopped = table.check_sums_while(|done, _| match done {
            2 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        });
        assert!(matches!(stopped, Err(ProbeError::Stopped { done: 2, blocks: all }) if all == blocks));
    }
}

#[test]
fn golden_tables_keep_their_values() {
    for (file, dump) in [
        (SIZE, include_str!("../../../formats/tests/golden/v2-size.txt")),
        (SPEED, include_str!("../../../formats/tests/golden/v2-speed.txt")),
        (TEAM, include_str!("../../../formats/tests/golden/v2-team.txt")),
        (GRAPH, include_str!("../../../formats/tests/golden/v2-cops.txt")),
    ] {
        let table = Open::bytes(file).pursuit().unwrap();
        let positions = positions(table.board(), table.officers());
        let expected = dumped(dump);
        assert_eq!(positions.len(), expected.len());
        for (&at, expected) in positions.iter().zip(expected) {
            assert_eq!(table.value(at).unwrap(), expected, "{at}");
        }
    }
}

#[test]
fn golden_tables_are_made_again_byte_by_byte() {
    let loops = Rules {
        police: Movement::new(MoveSet::Offsets(vec![(0, 1), (1, 0), (1, 1), (-1, 0)])).without_pass(),
        thief: Movement::new(MoveSet::King).without_pass(),
        corner_cutting: false,
        wrap: Wrap::Horizontal,
        stuck: Stuck::Wins,
        ..Rules::classic()
    };
    for (file, lines, rules, favour) in [
        (SIZE, "..#...##..##....#.\n.....#.#.E....#.#.\n", Rules::classic(), Favour::Size),
        (SPEED, "....#\n.##.E\n.#...\n...#.\n", loops, Favour::Speed),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("again.dtb");
        let encoding = Encoding { favour, level: 4 };
        let plan = Plan::new(board(lines), rules, encoding).unwrap();
        Generator::new(2).unwrap().generate(&plan, &path, &()).unwrap();
        let made = std::fs::read(&path).unwrap();
        // Under `size` the bytes are those of one version of zstd: a newer one may choose others, which is no
        // change of the format. The table must mean the same in any case.
        assert_eq!(
            Open::path(&path).pursuit().unwrap().header(),
            Open::bytes(file).pursuit().unwrap().header()
        );
        assert!(made == file, "other bytes than in the golden file");
    }
}

#[test]
fn every_way_of_opening_gives_the_same_table() {
    for (name, bytes) in [("v2-size.dtb", SIZE), ("v2-speed.dtb", SPEED)] {
        let path = golden(name);
        let tables = [
            Open::path(&path).pursuit().unwrap(),
            Open::path(&path).cache(&Cache::new(0)).pursuit().unwrap(),
            Open::whole(&path).pursuit().unwrap(),
            Open::bytes(bytes).pursuit().unwrap(),
            Open::bytes(bytes.to_vec()).pursuit().unwrap(),
        ];
        let [first, others @ ..] = &tables;
        let statistics = first.check_sums(|_| {}).unwrap();
        for other in others {
            assert_eq!(other.header(), first.header());
            assert_eq!((other.file_len(), other.index_len()), (bytes.len() as u64, 512));
            assert_eq!(other.check_sums(|_| {}).unwrap(), statistics);
            for at in positions(first.board(), first.officers()) {
                assert_eq!(ask(other, at).unwrap(), ask(first, at).unwrap(), "{at}");
                assert_eq!(other.line(at).unwrap(), first.line(at).unwrap(), "{at}");
            }
        }
    }
}

#[test]
fn an_open_table_outlives_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.dtb");
    std::fs::write(&path, SIZE).unwrap();
    let table = Open::path(&path).pursuit().unwrap();
    let next = folder.path().join("next");
    std::fs::write(&next, SPEED).unwrap();
    std::fs::rename(&next, &path).unwrap();
    let whole = Open::bytes(SIZE).pursuit().unwrap();
    for at in positions(whole.board(), whole.officers()) {
        assert_eq!(ask(&table, at).unwrap(), ask(&whole, at).unwrap());
    }
    assert_eq!(Open::path(&path).pursuit().unwrap().board().height(), 4);
}

#[test]
fn pieces_off_the_board_or_on_walls_are_refused() {
    let table = Open::bytes(SPEED).pursuit().unwrap();
    let (open, wall) = (Cell::new(0, 0), Cell::new(1, 1));
    let beyond = [Cell::new(4, 0), Cell::new(0, 5), Cell::new(u16::MAX, u16::MAX), Cell::new(3, u16::MAX)];
    let refused = |police, thief, side: Side, says: &str| {
        for turn in Side::BOTH {
            let at = Position::new(police, thief, turn);
            let errors = [
                table.value(at).unwrap_err(),
                table.best_moves(at).unwrap_err(),
                table.line(at).unwrap_err(),
            ];
            for error in errors {
                assert_eq!(error.to_string(), says);
                assert!(matches!(error, ProbeError::Position { side: whose, .. } if whose == side));
            }
        }
    };
    refused(wall, open, Side::Police, "the police's cell 1,1 is a wall; expected an open cell");
    refused(open, wall, Side::Thief, "the thief's cell 1,1 is a wall; expected an open cell");
    refused(wall, wall, Side::Police, "the police's cell 1,1 is a wall; expected an open cell");
    for cell in beyond {
        let says = format!("cell {cell} is off the board, whose rows go from 0 to 3 and columns from 0 to 4");
        refused(cell, open, Side::Police, &format!("the police's {says}"));
        refused(open, cell, Side::Thief, &format!("the thief's {says}"));
    }
    let error = table.value(Position::new(beyond[0], open, Side::Police)).unwrap_err();
    assert!(matches!(error, ProbeError::Position { source: BoardError::OffBoard { .. }, .. }));
}

#[test]
fn bytes_that_are_no_table_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("empty"), "").unwrap();
    std::fs::write(path("text"), "Not a table, but a letter.\n").unwrap();
    std::fs::write(path("short"), &SIZE[..5]).unwrap();
    std::fs::write(path("half"), &SIZE[..700]).unwrap();
    std::fs::write(path("png"), b"\x89PNG\r\n\x1A\n and so on").unwrap();
    let open: [fn(PathBuf) -> Result<Table, ProbeError>; 2] =
        [|path| Open::path(path).pursuit(), |path| Open::whole(path).pursuit()];
    for open in open {
        let error = |name| open(path(name)).unwrap_err();
        let missing = error("missing");
        assert!(matches!(&missing, ProbeError::File { path: p, source }
            if *p == path("missing") && source.kind() == std::io::ErrorKind::NotFound));
        assert!(missing.to_string().starts_with(&format!("cannot read {}: ", path("missing").display())));
        let at_folder = open(folder.path().to_owned()).unwrap_err();
        assert_eq!(
            at_folder.to_string(),
            format!("cannot read {}: expected a file, found a folder", folder.path().display())
        );
        for (name, says) in [("empty", "found []"), ("text", "found [4e, 6f"), ("png", "found [89, 50")] {
            let error = error(name);
            assert!(matches!(error, ProbeError::Table(TableError::Magic { .. })), "{error:?}");
            let message = error.to_string();
            assert!(message.starts_with("not a Dragnet table: ") && message.contains(says), "{message}");
        }
        for (name, found) in [("short", 5), ("half", 700)] {
            let error = error(name);
            assert!(
                matches!(error, ProbeError::Table(TableError::Truncated { found: f, .. }) if f == found),
                "{error:?}"
            );
        }
    }
    assert!(matches!(Open::bytes(vec![]).pursuit(), Err(ProbeError::Table(TableError::Magic { .. }))));
}

#[test]
fn blocks_that_are_not_there_are_errors() {
    let table = Open::bytes(SIZE).pursuit().unwrap();
    let blocks = table.numbering().block_count();
    let mut codes = vec![1, 2, 3];
    for block in 0..blocks {
        table.block_codes(block, &mut codes).unwrap();
        assert_eq!(codes.len(), table.numbering().slots(block) as usize);
        if let IndexEntry::Constant(code) = table.block_entry(block).unwrap() {
            assert!(codes.iter().all(|&other| other == code), "block {block}");
        }
    }
    for block in [table.header().block_count(), 62, 63, u64::MAX] {
        assert!(matches!(
            table.block_codes(block, &mut codes),
            Err(ProbeError::Table(TableError::Entry { .. }))
        ));
        assert!(matches!(table.block_entry(block), Err(ProbeError::Table(TableError::Entry { .. }))));
    }
}

const _: () = {
    const fn shared<T: Send + Sync + 'static>() {}
    shared::<Table>();
    shared::<ProbeError>();
};

#[test]
fn many_threads_get_the_same_answers() {
    let bytes = crate::support::Solved::new(walled(), Rules::classic(), (3, 4), (2, 3)).table(Favour::Size);
    let single = Open::bytes(bytes.clone()).pursuit().unwrap();
    let positions = positions(single.board(), single.officers());
    let expected: Vec<_> = positions.iter().map(|&at| ask(&single, at).unwrap()).collect();
    for _ in 0..5 {
        // A cold table each time, so that the threads meet at the first touch of each block.
        let table = Open::bytes(bytes.clone()).pursuit().unwrap();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (table, positions, expected) = (&table, &positions, &expected);
                scope.spawn(move || {
                    for i in 0..positions.len() {
                        let i = (i * 7 + thread * 31) % positions.len();
                        assert_eq!(ask(table, positions[i]).unwrap(), expected[i], "{}", positions[i]);
                    }
                    assert!(table.check_sums(|_| {}).is_ok());
                });
            }
        });
    }
}

fn walled() -> Board {
    board("......#.\n.##.....\n.#..#.#.\n...##..E\n.#......\n")
}

/// A table that is whole and gives every position with the police to move the same value.
fn forged(rows: &str, code: u32) -> Table {
    let solved = crate::support::Solved::new(board(rows), Rules::classic(), (1, 1), (1, 1));
    let header = solved.header();
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
    for _ in 0..header.numbering().positions().block_count() {
        writer.push(&Encoded::Constant(code)).unwrap();
    }
    for section in solved.packed().blocks() {
        writer.push(&Encoder::for_speed().encode(&section)).unwrap();
    }
    Open::bytes(writer.finish().unwrap().0.into_inner()).pursuit().unwrap()
}

#[test]
fn a_line_does_not_follow_values_that_contradict_each_other() {
    let at = Position::new(Cell::new(0, 0), Cell::new(0, 2), Side::Police);
    for value in [Value::Win(2), Value::Loss(7), Value::Win(MAX_DTW), Value::Loss(MAX_DTW)] {
        let table = forged("....\n", value.code());
        table.check_sums(|_| {}).unwrap();
        assert_eq!(table.value(at).unwrap(), value);
        let error = table.line(at).unwrap_err();
        assert!(matches!(error, ProbeError::Contradiction { .. }), "{error:?}");
    }
    // A draw that the police could win: the line would end.
    let error =
        forged("....\n", Value::Draw.code()).line(Position { thief: Cell::new(0, 1), ..at }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the table contradicts itself: the value of police 0,0, thief 0,1, police to move is not that of its moves"
    );
}
