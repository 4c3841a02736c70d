//! Boards with doors: made, asked and verified like others.

use super::support::{run, run_with};
use dragnet_formats::{
    codec::{Encoder, Favour, RawBlock},
    container::Writer,
    stop::StopCheck,
    stored::StoredGame,
};
use dragnet_probe::Open;
use std::{fs, io::Cursor, path::Path};

/// Writes a level in which nobody can reach the thief in his corridor of six steps to the exit: a door on the
/// way with its key before it, and a door with a schedule where the police is.
fn level(folder: &Path) {
    fs::write(folder.join("bank.txt"), "T.....E\n#######\nP......\n").unwrap();
    fs::write(
        folder.join("bank.toml"),
        "[[doors]]\ncell = [0, 3]\nkey = [0, 1]\n\n[[doors]]\ncell = [2, 3]\nschedule = \"..##\"\n",
    )
    .unwrap();
}

#[test]
fn board_with_doors_is_made_asked_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    level(folder.path());
    let text = run(folder.path(), "generate bank.txt --doors bank.toml").done();
    // 14 by 14 cells, two sides to move, two states of the key and four plies.
    assert!(text.contains("bank          3,136 positions  police"), "{text}");
    let text = run(folder.path(), "generate bank.txt --doors bank.toml").done();
    assert!(text.contains("as it was"), "{text}");
    let text = run(folder.path(), "verify tables/bank.dtb").done();
    assert!(text.contains("right, 3,136 positions"), "{text}");
    let ask = |more: &str| run(folder.path(), &format!("probe tables/bank.dtb {more}")).done();
    // The key is on the way: six steps of the thief.
    let text = ask("--turn thief");
    assert!(text.contains("thief 0,0, thief to move: the thief wins in 11 plies\n"), "{text}");
    assert!(text.contains("\ndoor 0,3 is closed, door 2,3 is open\n"), "{text}");
    assert!(
        text.contains("  0,1       thief    10               5\n  0,0 pass  thief    12               1\n"),
        "{text}"
    );
    // If the door is open, the key on the way closes it, and he has to leave the key and come back: two steps
    // more. World 7 is that of the key stepped on, in the last of four plies.
    let text = ask("--turn thief --world 7");
    assert!(text.contains("thief 0,0, thief to move: the thief wins in 15 plies\n"), "{text}");
    assert!(text.contains("\ndoor 0,3 is open, door 2,3 is closed\n"), "{text}");
    // The police cannot pass its door in the third and the fourth ply.
    let beside = "--police 2,2 --thief 0,0";
    assert!(ask(beside).contains("  2,3 "));
    assert!(!ask(&format!("{beside} --world 2")).contains("  2,3 "));
    let json: serde_json::Value = serde_json::from_str(&ask("--turn thief --world 1 --json")).unwrap();
    assert_eq!((&json["dtw"], &json["outcome"]), (&serde_json::json!(11), &serde_json::json!("thief")));
    let worlds: Vec<&serde_json::Value> =
        json["moves"].as_array().unwrap().iter().map(|one| &one["world"]).collect();
    assert_eq!(
        (&json["world"], worlds),
        (&serde_json::json!(1), vec![&serde_json::json!(6), &serde_json::json!(2)])
    );
    let line = run(folder.path(), "line tables/bank.dtb --turn thief --board").done();
    assert!(line.contains("0 T··█··E"), "a closed door is a wall: {line}");
    run(folder.path(), "show tables/bank.dtb --world 3").done();
    let text = run(folder.path(), "info tables/bank.dtb --board").done();
    assert!(text.contains("0,3 by the key 0,1, closed first; 2,3 by ..##\n"), "{text}");
    assert!(
        text.contains("board        3x7, 14 open cells, exit 0,6\n") && text.contains("1 ███████"),
        "{text}"
    );
    run(folder.path(), "stats tables/bank.dtb").done();
    // Packing keeps board and doors, and so do tables that keep a part.
    run(folder.path(), "pack tables/bank.dtb --out small.dtb --favour speed").done();
    run(folder.path(), "verify small.dtb").done();
    for keep in ["outcome", "moves-of police", "moves-of thief"] {
        run(folder.path(), &format!("pack tables/bank.dtb --out part.dtb --force --keep {keep}")).done();
        run(folder.path(), "verify part.dtb --against tables/bank.dtb").done();
    }
}

#[test]
fn doors_of_a_manifest_make_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    level(folder.path());
    let manifest = "out = \"night\"\n[[boards]]\nfiles = \"bank.txt\"\nname = \"{name}-doors\"\n\
        doors = [{ cell = [0, 3], key = [0, 1] }, { cell = [2, 3], schedule = \"..##\" }]\n\
        [[boards]]\nfiles = \"bank.txt\"\n";
    fs::write(folder.path().join("batch.toml"), manifest).unwrap();
    run(folder.path(), "generate bank.txt --doors bank.toml").done();
    run(folder.path(), "generate -q batch.toml").done();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(read("night/bank-doors.dtb"), read("tables/bank.dtb"));
    let report: serde_json::Value = serde_json::from_slice(&read("night/report.json")).unwrap();
    let made =
        report["entries"].as_array().unwrap().iter().find(|table| table["name"] == "bank-doors").unwrap();
    assert_eq!((&made["positions"], &made["engine"]), (&3136.into(), &"counters".into()));
    // Who wins is what the verified values say, added up over both sides to move.
    let counts = |side: &str| {
        [&made["police_to_move"][side], &made["thief_to_move"][side]].map(|n| n.as_u64().unwrap())
    };
    let total: u64 = ["police", "thief", "draw"].iter().flat_map(|side| counts(side)).sum();
    assert_eq!(total, 3136);
    assert_eq!(counts("draw").iter().sum::<u64>(), 960, "as many draws as the table has");
    let text = run(folder.path(), "plan batch.toml").done();
    assert!(text.contains("bank-doors"), "{text}");
    let text = run(folder.path(), "plan --measure batch.toml").done();
    assert!(text.contains("2 of 2 tables into night, 2 made already"), "{text}");
    for (from, to, told) in [
        ("key = [0, 1]", "key = [0, 9]", "line 2: boards[0]: doors: expected a key on an open cell"),
        ("key = [0, 1]", "lock = 1", "lock: unknown field `lock`, expected one of `cell`, `key`"),
        ("..##", "..x#", "boards[0].doors[1].schedule: expected a schedule of 1 to 16 characters"),
        ("[2, 3]", "[2, 3, 4]", "boards[0].doors[1].cell: expected a cell [ROW, COLUMN], found a list of 3"),
        (
            "doors = ",
            "engine = \"bitboard\"\ndoors = ",
            "boards[0]: doors: expected the engine counters, which alone solves boards with keys",
        ),
        ("doors = ", "officers = 2\ndoors = ", "boards[0]: doors: expected 1 officer, or rules by"),
    ] {
        fs::write(folder.path().join("wrong.toml"), manifest.replace(from, to)).unwrap();
        run(folder.path(), "generate wrong.toml").failed(2, &[told]);
    }
}

#[test]
fn table_with_doors_and_one_without_replace_each_other_and_say_so() {
    let folder = tempfile::tempdir().unwrap();
    level(folder.path());
    run(folder.path(), "generate bank.txt").done();
    let text = run(folder.path(), "generate bank.txt --doors bank.toml").done();
    assert!(text.contains("replaced a table of other doors"), "{text}");
    fs::write(folder.path().join("bank.toml"), "[[doors]]\ncell = [0, 4]\nkey = [0, 1]\n").unwrap();
    let text = run(folder.path(), "generate bank.txt --doors bank.toml").done();
    assert!(text.contains("replaced a table of other doors"), "{text}");
    let text = run(folder.path(), "generate bank.txt").done();
    assert!(text.contains("replaced a table of other doors"), "{text}");
}

#[test]
fn wrong_doors_and_questions_are_told() {
    let folder = tempfile::tempdir().unwrap();
    level(folder.path());
    run(folder.path(), "generate bank.txt --doors bank.toml").done();
    for (toml, told) in [
        (
            "[[doors]]\ncell = [0, 6]\nkey = [0, 1]\n",
            "--doors: expected a door on an open cell that is no exit, found 0,6",
        ),
        ("[[doors]]\ncell = [0, 1]\nkey = 3\n", "wrong.toml: line 3, column 7"),
        (
            "[[doors]]\ncell = [0, 1]\nkey = [0, 1, 2]\n",
            "wrong.toml: line 3, column 7: doors[0].key: expected a cell [ROW, COLUMN], found a list of 3",
        ),
        (
            "[[doors]]\ncell = [0, 1]\nschedule = \".x\"\n",
            "wrong.toml: line 3, column 12: doors[0].schedule: expected a schedule of 1 to 16 characters",
        ),
        ("[[doors]]\ncell = [0, 1]\n", "expected a key or a schedule for the door on 0,1, found neither"),
        ("", "wrong.toml: expected 1 to 8 doors, found 0"),
    ] {
        fs::write(folder.path().join("wrong.toml"), toml).unwrap();
        run(folder.path(), "generate bank.txt --doors wrong.toml --out wrong").failed(2, &[told]);
        assert!(!folder.path().join("wrong/bank.dtb").exists());
    }
    run(folder.path(), "generate --doors bank.toml").failed(2, &["expected a board beside --doors"]);
    for (question, told) in [
        ("--world 8", "expected a world below 8, found 8"),
        ("--world x", "--world"),
        ("--vertex 3", "expected --police and --thief"),
        ("--thief 1,1", "1,1"),
    ] {
        run(folder.path(), &format!("probe tables/bank.dtb {question}")).failed(2, &[told]);
    }
    let asked = run_with(folder.path(), "probe tables/bank.dtb --stdin", b"2 0 0 0 thief 7\n2 0 0 0 thief\n");
    assert_eq!(asked.done(), "thief\t15\nthief\t11\n");
}

/// Writes the table of a level again with the source that `change` makes of its own, under right checksums.
fn forge(folder: &Path, change: impl FnOnce(String) -> String) {
    let table = Open::path(folder.join("tables/bank.dtb")).pursuit().unwrap();
    let stored = table.game(&mut StopCheck::never()).unwrap();
    let stored = StoredGame { source: change(stored.source.clone()), ..stored };
    let found = table.header();
    let packed = stored.pack(found.tiles()).unwrap();
    let mut header = packed.header.clone();
    header.summary = found.summary;
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
    let mut codes = Vec::new();
    for block in 0..table.numbering().block_count() {
        table.block_codes(block, &mut codes).unwrap();
        writer.push(&Encoder::new(Favour::Size, 4).encode(&RawBlock::new(&codes))).unwrap();
    }
    for block in packed.blocks() {
        writer.push(&Encoder::new(Favour::Size, 4).encode(&block)).unwrap();
    }
    fs::write(folder.join("forged.dtb"), writer.finish().unwrap().0.into_inner()).unwrap();
}

#[test]
fn table_whose_doors_were_changed_does_not_pass() {
    let folder = tempfile::tempdir().unwrap();
    level(folder.path());
    run(folder.path(), "generate bank.txt --doors bank.toml").done();
    forge(folder.path(), |source| source);
    run(folder.path(), "verify forged.dtb").done();
    forge(folder.path(), |source| source.replace("..##", ".#.#"));
    run(folder.path(), "verify forged.dtb").failed(1, &["the game in the table is not that of its source"]);
}

/// A key turns when a piece stops on it, and not when a longer move passes it; a key on a door, its own one
/// even, works like others.
#[test]
fn keys_turn_where_moves_end() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lane.txt"), "T....E\n######\nP.....\n").unwrap();
    fs::write(folder.path().join("lane.toml"), "[[doors]]\ncell = [0, 3]\nkey = [0, 1]\n").unwrap();
    fs::write(folder.path().join("own.toml"), "[[doors]]\ncell = [0, 3]\nkey = [0, 3]\nopen = true\n")
        .unwrap();
    fs::write(folder.path().join("fast.toml"), "thief = { steps = 2 }\n").unwrap();
    let ask = |more: &str| run(folder.path(), &format!("probe {more}")).done();
    run(folder.path(), "generate lane.txt --doors lane.toml --rules fast.toml").done();
    // From 0,0 he goes to 0,2 past the key on 0,1: the door on 0,3 stays closed, and he cannot go on.
    assert!(ask("tables/lane.dtb --police 2,0 --thief 0,0 --turn thief").contains("\n  0,2 "));
    let passed = ask("tables/lane.dtb --police 2,0 --thief 0,2 --turn thief");
    assert!(passed.contains("\ndoor 0,3 is closed\n") && !passed.contains("\n  0,3 "), "{passed}");
    let stopped = ask("tables/lane.dtb --police 2,0 --thief 0,1 --turn thief --world 1");
    assert!(stopped.contains("\n  0,3 "), "{stopped}");
    run(folder.path(), "generate lane.txt --doors own.toml --out own").done();
    // He steps onto the open door, closes it behind himself, and leaves it.
    let on_door = ask("own/lane.dtb --police 2,0 --thief 0,3 --turn thief --world 1");
    assert!(on_door.contains("\ndoor 0,3 is closed\n") && on_door.contains("\n  0,4 "), "{on_door}");
}

#[test]
fn faults_of_a_doors_file_have_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    level(at);
    let right = "[[doors]]\ncell = [0, 3]\nkey = [0, 1]\n\n";
    for (wrong, place, told) in [
        (
            "[[doors]]\ncell = [2, 3]\nschedule = \"..x\"\n",
            "line 7, column 12",
            "doors[1].schedule: expected a schedule of 1 to 16 characters",
        ),
        (
            "[[doors]]\ncell = [2, 3]\nkey = [0, 1]\nschedule = \".\"\n",
            "line 5, column 1",
            "doors[1]: expected a key or a schedule",
        ),
        ("[[doors]]\ncell = [2, 3]\n", "line 5, column 1", "doors[1]: expected a key or a schedule"),
    ] {
        fs::write(at.join("bank.toml"), format!("{right}{wrong}")).unwrap();
        run(at, "generate bank.txt --doors bank.toml").failed(2, &["bank.toml", place, told]);
    }
    fs::write(at.join("bank.toml"), "doors = [[[0, 3], [0, 1]]]\n").unwrap();
    run(at, "generate bank.txt --doors bank.toml").failed(2, &["line 1", "expected a door"]);
}
