//! Game tables, as a user makes and asks them.

use super::support::{run, run_with};
use dragnet_formats::{
    codec::{Encoder, Favour, RawBlock},
    container::{BlockNumbering, Reader, Writer},
    digest::splitmix64,
    header::{GameHeader, GameSummary},
    value::Value,
};
use serde_json::{Value as Json, json};
use std::{fmt::Write, fs, io::Cursor, path::Path};
use tempfile::TempDir;

const GAME: &str = "start hall\nhall start\nhall yard\nyard gate\nyard hall\n";

/// A folder with a game of words and its table.
fn words() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("game.txt"), GAME).unwrap();
    run(folder.path(), "graph solve game.txt --names --out game.dtb").done();
    folder
}

/// A folder with a graph of many vertices and its table.
fn large() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::from("40000\n");
    for from in 0..39_000u64 {
        let draw = |salt: u64| splitmix64(4 * from + salt);
        for salt in 0..1 + draw(3) % 3 {
            writeln!(text, "{from} {}", (from + 1 + draw(salt) % 60) % 40_000).unwrap();
        }
    }
    fs::write(folder.path().join("net.txt"), text).unwrap();
    run(folder.path(), "graph solve net.txt --out net.dtb --no-sync --threads 1").done();
    folder
}

fn read(folder: &TempDir, name: &str) -> Vec<u8> {
    fs::read(folder.path().join(name)).unwrap()
}

fn parsed(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

#[test]
fn graph_solve_writes_a_table_and_prints_its_size_and_path() {
    let folder = words();
    let said = run(folder.path(), "graph solve game.txt --names --out b.dtb --favour speed").done();
    assert!(said.contains("\n\nb.dtb: 1.02 KiB, "), "{said}");
    let said = run(folder.path(), "graph solve game.txt --names --out c.dtb --json").done();
    let told = &parsed(&said)["table"];
    assert_eq!(told["path"], "c.dtb");
    assert_eq!(told["bytes"], read(&folder, "c.dtb").len());
    assert_eq!(parsed(&run(folder.path(), "info c.dtb --json").done())["key"], told["key"]);
    let said = run(folder.path(), "graph solve game.txt --names --out d.dtb --json --vertex yard").done();
    assert_eq!(parsed(&said)["table"]["digest"], told["digest"]);
    // What goes to a program has nothing else in it.
    let said = run(folder.path(), "graph solve game.txt --names --out e.dtb --csv").done();
    assert_eq!(said.lines().count(), 5);
    assert_eq!(read(&folder, "c.dtb"), read(&folder, "e.dtb"));
}

#[test]
fn threads_and_pack_leave_every_value_as_it_is() {
    let folder = large();
    for threads in [2, 5] {
        let line = format!("graph solve net.txt --out again.dtb --no-sync --threads {threads}");
        run(folder.path(), &line).done();
        assert_eq!(read(&folder, "again.dtb"), read(&folder, "net.dtb"), "{threads} threads");
    }
    run(folder.path(), "graph solve net.txt --out speed.dtb --favour speed").done();
    run(folder.path(), "pack net.dtb --out packed.dtb --favour speed").done();
    assert_eq!(read(&folder, "packed.dtb"), read(&folder, "speed.dtb"));
    let said = run(folder.path(), "pack speed.dtb --out net2.dtb --level 4 --json").done();
    assert_eq!(read(&folder, "net2.dtb"), read(&folder, "net.dtb"));
    assert_eq!(parsed(&said)["bytes_before"], read(&folder, "speed.dtb").len());
    let dump = |name: &str| run(folder.path(), &format!("dump {name}")).done();
    assert_eq!(dump("net.dtb"), dump("speed.dtb"));
    for name in ["net.dtb", "speed.dtb"] {
        let said = run(folder.path(), &format!("verify {name} --graph net.txt")).done();
        assert!(said.starts_with(&format!("{name}: right, 40,000 positions")), "{said}");
    }
}

#[test]
fn dump_and_probe_agree_with_graph_solve() {
    let folder = large();
    let solved = run(folder.path(), "graph solve net.txt --csv").done();
    let mut expected = String::from("position,value,dtw\n");
    for row in solved.lines().skip(1) {
        writeln!(expected, "{}", row.rsplit_once(',').unwrap().0).unwrap();
    }
    assert_eq!(run(folder.path(), "dump net.dtb").done(), expected);
    let codes = run(folder.path(), "dump net.dtb --binary").out;
    assert_eq!(codes.len(), 4 * 40_000);
    let asked: String = (0..40_000u64).map(|i| format!("{}\n", splitmix64(i) % 40_000)).collect();
    let answers = run_with(folder.path(), "probe net.dtb --stdin", asked.as_bytes()).done();
    let rows: Vec<&str> = expected.lines().skip(1).collect();
    for (number, answer) in asked.lines().zip(answers.lines()) {
        let row: Vec<&str> = rows[number.parse::<usize>().unwrap()].split(',').collect();
        let dtw = if row[2].is_empty() { "-" } else { row[2] };
        assert_eq!(answer, format!("{}\t{dtw}", row[1]), "vertex {number}");
        assert_eq!(row[0], number);
    }
    assert_eq!(answers.lines().count(), 40_000);
}

#[test]
fn probe_prints_the_value_of_a_vertex_and_with_the_graph_its_moves() {
    let folder = words();
    let ask = |line: &str| run(folder.path(), &format!("probe game.dtb {line}")).done();
    assert_eq!(ask("--vertex 2"), "2: won in 1 ply\n");
    assert_eq!(ask("--vertex 0"), "0: drawn\n");
    assert_eq!(ask("--vertex 3"), "3: lost at once\n");
    assert_eq!(parsed(&ask("--vertex 2 --json")), json!({"vertex": "2", "value": "won", "dtw": 1}));
    let solved = |line: &str| run(folder.path(), &format!("graph solve game.txt --names {line}")).done();
    for vertex in ["start", "hall", "yard", "gate"] {
        for json in ["", "--json"] {
            let told = ask(&format!("--vertex {vertex} --graph game.txt --names {json}"));
            assert_eq!(told, solved(&format!("--vertex {vertex} {json}")));
        }
    }
    let answers =
        run_with(folder.path(), "probe game.dtb --stdin --graph game.txt --names", b"yard\n gate \r\n");
    assert_eq!(answers.done(), "won\t1\nlost\t0\n");
}

#[test]
fn vertices_of_lists_are_counted_from_1_in_the_file_and_from_0_in_the_table() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lists.txt"), "3 3  2 2 3  0  1 1").unwrap();
    fs::write(folder.path().join("labels"), "3 drawn\n").unwrap();
    let options = "--form lists --stuck wins --label labels";
    run(folder.path(), &format!("graph solve lists.txt {options} --out t.dtb")).done();
    // Written from 1, numbered from 0.
    assert_eq!(run(folder.path(), "dump t.dtb").done(), "position,value,dtw\n0,drawn,\n1,won,0\n2,drawn,\n");
    let told = run(folder.path(), &format!("probe t.dtb --vertex 2 --graph lists.txt {options}")).done();
    assert_eq!(told, "2: won at once\n");
    run(folder.path(), &format!("verify t.dtb --graph lists.txt {options}")).done();
    let other = "verify t.dtb --graph lists.txt --form lists --stuck wins";
    run(folder.path(), other).failed(1, &["t.dtb", "not of this graph", "key", "--label"]);
    fs::write(folder.path().join("more.txt"), "4 0\n0\n0\n0\n0\n").unwrap();
    let other = "verify t.dtb --graph more.txt --form lists";
    run(folder.path(), other).failed(1, &["t.dtb", "expected 4 positions, found 3"]);
}

#[test]
fn stats_and_info_describe_a_game_table() {
    let folder = words();
    let stats = run(folder.path(), "stats game.dtb").done();
    for part in [
        "4 positions of the game \"graph\"",
        "won                     1   25.0 %",
        "longest of a won position: 1 ply, from 2",
        "plies  won",
    ] {
        assert!(stats.contains(part), "{stats}");
    }
    let stats = parsed(&run(folder.path(), "stats game.dtb --json").done());
    assert_eq!((&stats["won"], &stats["lost"], &stats["drawn"]), (&json!(1), &json!(1), &json!(2)));
    assert_eq!(stats["histogram"], json!({"won": [[1, 1]], "lost": [[0, 1]]}));
    assert_eq!(stats["longest_examples"]["lost"], json!({"dtw": 0, "position": 3}));
    let info = run(folder.path(), "info game.dtb").done();
    assert!(info.starts_with("format       version 2\ngame         \"graph\", key "), "{info}");
    assert!(info.contains("\npositions    4, 16,384 to a block\n"), "{info}");
    let info = parsed(&run(folder.path(), "info game.dtb --json").done());
    assert_eq!((&info["game"], &info["blocks"]["total"]), (&json!("graph"), &json!(1)));
    assert_eq!(info["digest"], stats["digest"]);
    // A game without a loss, and one without a win.
    run_with(folder.path(), "graph solve --stuck wins --out wins.dtb", b"2\n").done();
    assert!(run(folder.path(), "stats wins.dtb").done().contains("no position is lost"));
}

/// The table with these codes in place of its own, and a header that fits them or is as it was.
fn forged(table: &[u8], fitting: bool, alter: impl Fn(&mut Vec<u32>)) -> Vec<u8> {
    let reader = Reader::<_, GameHeader>::open_as(table).unwrap();
    let mut all = Vec::new();
    let mut codes = Vec::new();
    for block in 0..reader.header().numbering.block_count() {
        let slots = reader.numbering().slots(block);
        reader.block(block).unwrap().codes(slots, &mut codes).unwrap();
        all.extend_from_slice(&codes);
    }
    alter(&mut all);
    let mut header = reader.header().clone();
    if fitting {
        header.summary = GameSummary::default();
        for (number, &code) in (0..).zip(&all) {
            header.summary.add(number, Value::from_code(code).unwrap());
        }
    }
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
    let mut encoder = Encoder::new(Favour::Size, 4);
    for codes in all.chunks(header.numbering.slots_per_block() as usize) {
        writer.push(&encoder.encode(&RawBlock::new(codes))).unwrap();
    }
    writer.finish().unwrap().0.into_inner()
}

#[test]
fn verify_finds_wrong_values_behind_right_checksums() {
    let folder = large();
    let good = read(&folder, "net.dtb");
    let write = |bytes: &[u8]| fs::write(folder.path().join("forged.dtb"), bytes).unwrap();
    write(&forged(&good, true, |_| ()));
    run(folder.path(), "verify forged.dtb --graph net.txt").done();
    for (at, change) in [(17, 0u32), (20_000, 7), (39_999, 4)] {
        write(&forged(&good, true, |codes| {
            assert_ne!(codes[at], change);
            codes[at] = change;
        }));
        assert!(
            run(folder.path(), "verify forged.dtb").done().contains("forged.dtb: whole, 40,000 positions")
        );
        let ran = run(folder.path(), "verify forged.dtb --graph net.txt");
        ran.failed(1, &["forged.dtb", "its successors say that it is", "the table that it is"]);
    }
    // Values that are not those of the header.
    write(&forged(&good, false, |codes| codes[17] ^= 3));
    run(folder.path(), "verify forged.dtb").failed(1, &["the header does not agree with the values"]);
    // A header that is not that of the values.
    let mut header = Reader::<_, GameHeader>::open_as(&good[..]).unwrap().header().clone();
    header.summary.digest ^= 1;
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
    let reader = Reader::<_, GameHeader>::open_as(&good[..]).unwrap();
    let mut encoder = Encoder::new(Favour::Size, 4);
    let mut codes = Vec::new();
    for block in 0..reader.header().numbering.block_count() {
        reader.block(block).unwrap().codes(reader.numbering().slots(block), &mut codes).unwrap();
        writer.push(&encoder.encode(&RawBlock::new(&codes))).unwrap();
    }
    write(&writer.finish().unwrap().0.into_inner());
    let ran = run(folder.path(), "verify forged.dtb --graph net.txt");
    ran.failed(1, &["every value is right, but not the header", "expected digest"]);
    let told = run(folder.path(), "verify net.dtb forged.dtb --json");
    let told: Vec<Json> = String::from_utf8(told.out).unwrap().lines().map(parsed).collect();
    assert_eq!(
        (&told[0]["ok"], &told[0]["derived"], &told[1]["ok"]),
        (&json!(true), &json!(false), &json!(false))
    );
}

#[test]
fn every_command_refuses_a_damaged_table() {
    let folder = words();
    let good = read(&folder, "game.dtb");
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 4;
        bytes
    };
    let files: [(&str, Vec<u8>, &str); 5] = [
        ("cut", good[..good.len() - 1].to_vec(), "cut short"),
        ("long", [&good[..], b"\0"].concat(), "follows the table's end"),
        ("header", flipped(40), "header is damaged"),
        ("index", flipped(513), "index is damaged"),
        ("block", flipped(good.len() - 9), "block 0 is damaged"),
    ];
    for (name, bytes, part) in &files {
        fs::write(folder.path().join(name), bytes).unwrap();
        for ask in [
            "probe FILE --vertex 1",
            "probe FILE --vertex yard --graph game.txt --names",
            "stats FILE",
            "info FILE",
            "dump FILE",
            "pack FILE --out new.dtb",
        ] {
            run(folder.path(), &ask.replace("FILE", name)).failed(2, &[name, part]);
        }
        run(folder.path(), &format!("verify {name} --graph game.txt --names")).failed(1, &[name, part]);
    }
    assert!(!folder.path().join("new.dtb").exists());
    for at in 0..good.len() {
        fs::write(folder.path().join("bad"), flipped(at)).unwrap();
        assert_eq!(run(folder.path(), "verify bad").status, Some(1), "byte {at}");
    }
}

#[test]
fn commands_refuse_tables_of_the_other_kind_and_options_of_it() {
    let folder = words();
    run(folder.path(), "generate --size 3x3 --out .").done();
    let said = |line: &str, status, parts: &[&str]| run(folder.path(), line).failed(status, parts);
    let kind = ["game.dtb", "expected a pursuit table", "found a game table"];
    said("line game.dtb --police 1,1 --thief 0,0", 2, &kind);
    said("bench --table game.dtb", 2, &kind);
    said("probe game.dtb --police 1,1 --thief 0,0", 2, &["game.dtb", "expected --vertex"]);
    said("probe game.dtb", 2, &["game.dtb", "expected --vertex"]);
    said("probe game.dtb --vertex 4", 2, &["--vertex: expected a position from 0 to 3, found \"4\""]);
    said("probe game.dtb --vertex yard", 2, &["expected a position from 0 to 3"]);
    said("probe game.dtb --vertex 1 --names", 2, &["--graph FILE"]);
    said("probe game.dtb --vertex up --graph game.txt --names", 2, &["expected a vertex of the graph"]);
    said("probe game.dtb --vertex 1 --graph no.txt", 3, &["no.txt"]);
    said("probe open-03x03.dtb --vertex 4", 2, &["open-03x03.dtb", "expected --police and --thief"]);
    said("info game.dtb --board", 2, &["game.dtb", "--board"]);
    said("verify open-03x03.dtb --graph game.txt --names", 1, &["open-03x03.dtb", "--graph is for"]);
    said("verify game.dtb game.dtb --graph game.txt --names", 2, &["one table"]);
    said("verify game.dtb --graph game.dtb", 2, &["game.dtb"]);
    run(folder.path(), "probe game.dtb --vertex 1 --turn police").misused(&["cannot stand beside"]);
    run(folder.path(), "graph solve game.txt --names --level 3").misused(&["--out"]);
    let wrong = run_with(folder.path(), "probe game.dtb --stdin", b"1\n2\n4\n");
    wrong.failed(2, &["standard input, line 3", "expected a position from 0 to 3, found \"4\""]);
    assert_eq!(wrong.out, b"drawn\t-\nwon\t1\n");
}

#[test]
fn a_file_that_is_no_table_is_replaced_with_force_only() {
    let folder = words();
    let line = "graph solve game.txt --names --out game.txt";
    run(folder.path(), line).failed(2, &["game.txt is in the way", "--force"]);
    assert_eq!(read(&folder, "game.txt"), GAME.as_bytes());
    run(folder.path(), "pack game.dtb --out game.txt").failed(2, &["game.txt is in the way"]);
    // A table of either kind is.
    run(folder.path(), "generate --size 3x3 --out .").done();
    run(folder.path(), "graph solve game.txt --names --out open-03x03.dtb").done();
    assert_eq!(read(&folder, "open-03x03.dtb"), read(&folder, "game.dtb"));
    let said = run(folder.path(), "generate --size 3x3 --out .").done();
    assert!(said.ends_with("replaced a table of another game\n"), "{said}");
    run(folder.path(), "pack game.dtb --out game.txt --force").done();
    assert!(Reader::<_, GameHeader>::open_as(&read(&folder, "game.txt")[..]).is_ok());
    run_with(Path::new("."), "graph solve --out none.dtb", b"0\n").failed(2, &["--out", "no vertex"]);
}
