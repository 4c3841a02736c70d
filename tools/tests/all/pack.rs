//! `dragnet pack`: other blocks, the same values.

use crate::support::run;
use dragnet_formats::{
    cell::{Cell, Side},
    codec::{Encoded, Encoder, RawBlock},
    container::Writer,
    stored::section_blocks,
};
use dragnet_probe::{Keep, Open, PartialTable, Position, Table, TableSection};
use std::{fs, io::Cursor};

#[test]
fn a_packed_table_is_the_one_that_generate_would_have_made() {
    let folder = tempfile::tempdir().unwrap();
    let board = run(folder.path(), "board --make rooms --size 20x27 --seed 3 --exit first --to text").done();
    fs::write(folder.path().join("rooms.txt"), board).unwrap();
    run(folder.path(), "generate rooms.txt --out size --favour size --level 4").done();
    run(folder.path(), "generate rooms.txt --out speed --favour speed").done();
    run(folder.path(), "pack size/rooms.dtb --out a/speed.dtb --favour speed").done();
    run(folder.path(), "pack speed/rooms.dtb --out a/size.dtb --level 4 --threads 1").done();
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(bytes("a/speed.dtb"), bytes("speed/rooms.dtb"));
    assert_eq!(bytes("a/size.dtb"), bytes("size/rooms.dtb"));
    let said = run(folder.path(), "pack speed/rooms.dtb --out speed/rooms.dtb --json").done();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert!(said["bytes"].as_u64() < said["bytes_before"].as_u64(), "{said}");
    assert!(bytes("speed/rooms.dtb").len() < bytes("size/rooms.dtb").len(), "a higher level is smaller");
    run(folder.path(), "verify a/speed.dtb a/size.dtb speed/rooms.dtb").done();
    let stats = |name: &str| {
        let text = run(folder.path(), &format!("stats {name} --json")).done();
        let mut stats: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(stats.as_object_mut().unwrap().remove("table"), Some(name.into()));
        stats
    };
    assert_eq!(stats("speed/rooms.dtb"), stats("size/rooms.dtb"));
}

/// Checks everything that a partial table answers against the pursuit table, whose moves it does not read.
fn assert_partial(partial: &PartialTable, full: &Table, name: &str) {
    let cells: Vec<Cell> = full.board().open_cells().collect();
    for team in full.header().team_numbers().teams(&cells) {
        for (&thief, turn) in cells.iter().flat_map(|thief| Side::BOTH.map(|turn| (thief, turn))) {
            let position = Position::new(team, thief, turn);
            match partial.keep() {
                Keep::Outcomes => {
                    let (found, expected) = (partial.outcome(position), full.outcome(position));
                    assert_eq!(found.unwrap(), expected.unwrap(), "{name} {position}");
                }
                Keep::MovesOf(side) if side == turn => {
                    let best = full.best_move(position).unwrap().map(|choice| choice.value);
                    let found = partial.best_move(position).unwrap().map(|to| {
                        full.moves(position)
                            .unwrap()
                            .map(Result::unwrap)
                            .find(|choice| choice.position == to)
                            .unwrap()
                            .value
                    });
                    assert_eq!(found, best, "{name} {position}");
                }
                Keep::MovesOf(_) => {}
            }
        }
    }
}

#[test]
fn partial_tables_of_all_sorts_of_games_keep_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let rules = [
        ("classic", "corner_cutting = false\n"),
        ("two", "officers = 2\n"),
        ("one-of-two", "officers = 2\nteam = \"one\"\n"),
        ("knight", "stuck = \"wins\"\n[police]\nmoves = \"knight\"\nmay_pass = false\n"),
        ("slides", "wrap = \"both\"\n[police]\nreach = 3\n[thief]\nsteps = 2\n"),
    ];
    for (name, text) in rules {
        fs::write(file(&format!("{name}.toml")), text).unwrap();
        let size = if name.contains("two") { "5x6" } else { "9x11" };
        let make =
            format!("board --make random --size {size} --density 0.25 --seed 5 --exit first --to text");
        fs::write(file(&format!("{name}.txt")), run(folder.path(), &make).done()).unwrap();
        run(folder.path(), &format!("generate {name}.txt --rules {name}.toml --out full")).done();
        let full = Open::path(file(&format!("full/{name}.dtb"))).pursuit().unwrap();
        for keep in ["outcome", "moves-of police", "moves-of-thief"] {
            for favour in ["size", "speed"] {
                let pack = format!("pack full/{name}.dtb --keep {keep} --favour {favour}");
                run(folder.path(), &format!("{pack} --out a.dtb --threads 1")).done();
                run(folder.path(), &format!("{pack} --out b.dtb --threads 3")).done();
                assert_eq!(fs::read(file("a.dtb")).unwrap(), fs::read(file("b.dtb")).unwrap());
                run(folder.path(), &format!("verify a.dtb --against full/{name}.dtb")).done();
                assert_partial(&Open::path(file("a.dtb")).partial().unwrap(), &full, name);
            }
        }
    }
}

/// Returns the bytes of a table with the header of `table`, these blocks of positions, and these sections.
fn forged(table: &PartialTable, block: impl Fn(u64) -> Encoded, sections: &[Vec<u8>]) -> Vec<u8> {
    let mut writer = Writer::new(Cursor::new(Vec::new()), table.header()).unwrap();
    for number in 0..table.header().game.numbering().positions().block_count() {
        writer.push(&block(number)).unwrap();
    }
    for block in sections.iter().flat_map(|bytes| section_blocks(bytes)) {
        writer.push(&Encoder::for_speed().encode(&block)).unwrap();
    }
    writer.finish().unwrap().0.into_inner()
}

#[test]
fn verify_finds_what_a_partial_table_keeps_wrongly() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    for seed in [1, 2] {
        let make = format!("board --make rooms --size 9x9 --seed {seed} --exit first --to text");
        fs::write(file(&format!("rooms{seed}.txt")), run(folder.path(), &make).done()).unwrap();
        run(folder.path(), &format!("generate rooms{seed}.txt --out .")).done();
    }
    for keep in ["outcome", "moves-of-police", "moves-of-thief"] {
        run(folder.path(), &format!("pack rooms1.dtb --keep {keep} --out a.dtb")).done();
        let told = run(folder.path(), "verify a.dtb").done();
        assert!(told.contains("whole") && told.contains("--against"), "{told}");
        run(folder.path(), "verify a.dtb --against rooms2.dtb").failed(1, &["another board"]);
        run(folder.path(), "verify a.dtb --against a.dtb").failed(2, &["a partial table"]);
        // A table all of whose slots keep the code 1: that the police loses, or the first move.
        let table = Open::path(file("a.dtb")).partial().unwrap();
        let mut sections: Vec<Vec<u8>> =
            table.header().game.sections().map(|section| table.section(section).unwrap()).collect();
        fs::write(file("forged.dtb"), forged(&table, |_| Encoded::Constant(1), &sections)).unwrap();
        run(folder.path(), "verify forged.dtb").done();
        run(folder.path(), "verify forged.dtb --against rooms1.dtb").failed(1, &["forged.dtb", "police 0,"]);
        // The blocks of the table, in one of a game in which the thief has other moves on its last place.
        let moves = &mut sections[TableSection::ThiefMoves.index(1)];
        let (first, last) = (moves[moves.len() - table.header().game.thief.places.count()], moves.len() - 1);
        assert_ne!(moves[last], first);
        moves[last] = first;
        let kept = |block| {
            let mut codes = Vec::new();
            table.block_codes(block, &mut codes).unwrap();
            Encoder::for_speed().encode(&RawBlock::new(&codes))
        };
        fs::write(file("moved.dtb"), forged(&table, kept, &sections)).unwrap();
        run(folder.path(), "verify moved.dtb").done();
        run(folder.path(), "verify moved.dtb --against rooms1.dtb").failed(1, &["other rules"]);
    }
    run(folder.path(), "verify rooms1.dtb --against rooms1.dtb")
        .failed(1, &["--against is for partial tables"]);
}

#[test]
fn partial_tables_are_shown_and_asked_and_refused_where_values_are_needed() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "generate --size 5x5 --out .").done();
    run(folder.path(), "pack open-05x05.dtb --keep outcome --out outcome.dtb").done();
    run(folder.path(), "pack open-05x05.dtb --keep moves-of-police --out moves.dtb").done();
    let told = run(folder.path(), "info outcome.dtb").done();
    assert!(told.contains("keeps        who wins"), "{told}");
    let json =
        |line: &str| serde_json::from_str::<serde_json::Value>(&run(folder.path(), line).done()).unwrap();
    assert_eq!(json("info moves.dtb --json")["keeps"], "the moves of the police");
    assert_eq!(json("info open-05x05.dtb --json")["keeps"], "all values");
    let at = "--police 0,0 --thief 4,4";
    let full = json(&format!("probe open-05x05.dtb {at} --json"));
    assert_eq!(json(&format!("probe outcome.dtb {at} --json"))["outcome"], full["outcome"]);
    let best = json(&format!("probe moves.dtb {at} --json"))["best_move"].clone();
    let moves = full["moves"].as_array().unwrap();
    let found = moves.iter().find(|choice| choice["to"] == best).unwrap();
    assert_eq!((&found["outcome"], &found["dtw"]), (&moves[0]["outcome"], &moves[0]["dtw"]));
    run(folder.path(), &format!("probe moves.dtb {at} --turn thief")).failed(2, &["the moves of the thief"]);
    for command in
        ["dump", "stats", "show", "site --out s", "pack --out p.dtb", "line --police 0,0 --thief 4,4"]
    {
        run(folder.path(), &format!("{command} outcome.dtb")).failed(2, &["outcome.dtb", "a partial table"]);
    }
}

#[test]
fn what_cannot_be_packed_or_replaced_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "generate --size 4x4 --out .").done();
    let table = folder.path().join("open-04x04.dtb");
    fs::write(folder.path().join("letter.txt"), "Dear reader").unwrap();
    run(folder.path(), "pack open-04x04.dtb --out letter.txt").failed(2, &["letter.txt", "--force"]);
    assert_eq!(fs::read(folder.path().join("letter.txt")).unwrap(), b"Dear reader");
    run(folder.path(), "pack letter.txt --out new.dtb").failed(2, &["letter.txt", "not a Dragnet table"]);
    let mut bytes = fs::read(&table).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&table, bytes).unwrap();
    run(folder.path(), "pack open-04x04.dtb --out new.dtb").failed(2, &["open-04x04.dtb", "damaged"]);
    assert!(!folder.path().join("new.dtb").exists());
}
