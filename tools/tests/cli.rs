//! The real binary: what it prints, its exit status, and what it does with everything that can be wrong.
#![allow(clippy::unwrap_used)]

mod support;

use dragnet_formats::{
    codec::{Encoder, Favour, RawBlock},
    container::{Reader, Writer, index::Entry},
    header::Header,
};
use serde_json::{Value as Json, json};
use std::{
    collections::HashMap,
    fs,
    io::{Cursor, Read},
    path::Path,
    process::{Command, Stdio},
};
use support::{Ran, run, run_with};
use tempfile::TempDir;

/// A small board with an exit.
const YARD: &str = "E...\n.##.\n....\n";

/// A folder with `yard.txt` and its table `yard.dtb`.
fn yard() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.txt"), YARD).unwrap();
    run(folder.path(), "generate yard.txt --out .").done();
    folder
}

fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn keys(object: &Json) -> Vec<&str> {
    let mut keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// The names of the files in a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The command that asks a table something, for each command that takes one.
const ASK: [&str; 6] = [
    "probe FILE --police 2,3 --thief 2,0",
    "line FILE --police 2,3 --thief 2,0",
    "info FILE",
    "stats FILE",
    "verify FILE",
    "dump FILE --binary",
];

// ------------------------------------------------------------------------------------------------ generate

#[test]
fn generate_makes_one_table_per_board() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("yard.txt"), YARD).unwrap();
    let out = run(folder.path(), "generate yard.txt --size 3x3..3x4 --out new/tables").done();
    let names: Vec<&str> = out.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(names, ["yard", "open-03x03", "open-03x04"]);
    let tables = folder.path().join("new/tables");
    assert_eq!(files(&tables), ["open-03x03.dtb", "open-03x04.dtb", "yard.dtb"]);
    run(&tables, "verify open-03x03.dtb open-03x04.dtb yard.dtb").done();
}

#[test]
fn generate_tells_programs_about_each_table() {
    let folder = tempfile::tempdir().unwrap();
    let out = run(folder.path(), "generate --size 3x3..3x4 --json --out t").done();
    let rows: Vec<Json> = out.lines().map(json).collect();
    assert_eq!(rows.len(), 2);
    let row = &rows[0];
    assert_eq!(
        (&row["name"], &row["cells"], &row["positions"]),
        (&json!("open-03x03"), &json!(9), &json!(162))
    );
    assert_eq!((&row["path"], &row["made"]), (&json!("t/open-03x03.dtb"), &json!(true)));
    assert_eq!(row["police_to_move"], json!({ "police": 67, "thief": 14, "draw": 0 }));
    assert_eq!(row["thief_to_move"], json!({ "police": 48, "thief": 33, "draw": 0 }));
    assert_eq!(row["longest"], json!({ "police": 4, "thief": 3 }));
    assert_eq!(row["digest"], "b1a3a781b1558523");
    assert_eq!(row["bytes"], fs::metadata(folder.path().join("t/open-03x03.dtb")).unwrap().len());
}

#[test]
fn generate_without_a_board_makes_the_default_set() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "generate").done();
    let tables = files(&folder.path().join("tables"));
    assert!(tables.len() >= 100 && tables.contains(&"open-12x12.dtb".to_owned()), "{tables:?}");
    let list: Vec<String> = tables.iter().map(|name| format!("tables/{name}")).collect();
    run(folder.path(), &format!("verify {}", list.join(" "))).done();
}

#[test]
fn line_ends_make_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("lf", YARD.to_owned()), ("crlf", YARD.replace('\n', "\r\n"))] {
        fs::write(folder.path().join(format!("{name}.txt")), text).unwrap();
    }
    run(folder.path(), "generate lf.txt crlf.txt --out .").done();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(read("lf.dtb"), read("crlf.dtb"));
}

#[test]
fn tables_do_not_depend_on_threads_or_engine() {
    let folder = tempfile::tempdir().unwrap();
    let board = run(folder.path(), "board --make rooms --size 20x24 --exit first --to text").done();
    fs::write(folder.path().join("rooms.txt"), board).unwrap();
    for favour in ["speed", "size"] {
        let runs = [
            ("auto", 1),
            ("auto", 2),
            ("auto", 4),
            ("auto", 8),
            ("counters", 1),
            ("counters", 4),
            ("bitboard", 2),
        ];
        let tables = runs.map(|(engine, threads)| {
            let out = format!("{favour}-{engine}-{threads}");
            let options = format!("--favour {favour} --engine {engine} --threads {threads}");
            run(folder.path(), &format!("generate rooms.txt --out {out} {options}")).done();
            fs::read(folder.path().join(out).join("rooms.dtb")).unwrap()
        });
        assert!(tables.windows(2).all(|two| two[0] == two[1]), "--favour {favour}");
    }
}

#[test]
fn a_finished_table_is_left_alone() {
    let folder = yard();
    let table = folder.path().join("yard.dtb");
    // A file that is written anew is another file, even within one tick of the clock.
    let state = || {
        let meta = fs::metadata(&table).unwrap();
        #[cfg(unix)]
        let file = std::os::unix::fs::MetadataExt::ino(&meta);
        #[cfg(not(unix))]
        let file = 0;
        (meta.modified().unwrap(), file)
    };
    let good = fs::read(&table).unwrap();
    let first = state();
    let again = |options: &str| {
        json(&run(folder.path(), &format!("generate yard.txt --out . --json {options}")).done())
    };
    assert_eq!((&again("")["made"], state()), (&json!(false), first));
    assert_eq!((&again("--threads 2 --level 9")["made"], state()), (&json!(false), first));
    assert!(run(folder.path(), "generate yard.txt --out .").done().contains("as it was"));
    assert_eq!(again("--force")["made"], true);
    let forced = state();
    assert_ne!(forced, first);
    assert_eq!(again("--favour speed")["made"], true);
    assert_ne!(fs::read(&table).unwrap(), good);
    assert_eq!(again("--favour size")["made"], true);
    assert_eq!(fs::read(&table).unwrap(), good);
    assert_eq!(again("--exit 2,3")["made"], true);
    assert_eq!(again("--rules chase")["made"], true);
    assert_eq!(again("")["made"], true);
    for damaged in [&good[..good.len() - 9], &[&good[..], b"x"].concat(), &flipped(&good, good.len() - 9)] {
        fs::write(&table, damaged).unwrap();
        assert_eq!(again("")["made"], true);
        assert_eq!(fs::read(&table).unwrap(), good);
    }
}

fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 4;
    bytes
}

#[test]
fn a_file_that_is_no_table_is_not_overwritten_unasked() {
    let folder = yard();
    let table = folder.path().join("yard.dtb");
    fs::write(&table, "my diary").unwrap();
    run(folder.path(), "generate yard.txt --out .").failed(2, &["yard.dtb is in the way", "--force"]);
    assert_eq!(fs::read(&table).unwrap(), b"my diary");
    run(folder.path(), "generate yard.txt --out . --force").done();
    run(folder.path(), "verify yard.dtb").done();
    fs::remove_file(&table).unwrap();
    fs::create_dir(&table).unwrap();
    run(folder.path(), "generate yard.txt --out .").failed(3, &["yard.dtb", "folder"]);
}

#[test]
fn one_board_that_cannot_be_solved_does_not_stop_the_others() {
    let folder = yard();
    fs::create_dir(folder.path().join("open-03x03.dtb")).unwrap();
    let ran = run(folder.path(), "generate --size 3x3..3x4 --out .");
    assert_eq!(ran.status, Some(3));
    assert!(ran.err.contains("open-03x03") && ran.err.contains("1 of 2 tables"), "{}", ran.err);
    run(folder.path(), "verify open-03x04.dtb").done();
}

#[test]
fn unusable_boards_are_refused_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&str, &str, &[&str]); 8] = [
        ("empty.txt", "", &["line 1, column 1", "expected a row of squares", "an empty file"]),
        ("blank.txt", "\n\n", &["line 1, column 1", "an empty line"]),
        ("walls.txt", "##\n**\n", &["no open cell"]),
        ("ragged.txt", "...\n..\n", &["line 2, column 3", "expected 3 squares", "found 2"]),
        ("letter.txt", "...\n.x.\n", &["line 2, column 2", "expected one of", "'x'"]),
        ("thieves.txt", "T.T\n", &["line 1, column 3", "second 'T'"]),
        ("size.txt", "2 3\n...\n", &["line 3, column 1", "expected"]),
        ("cut.map", "type octile\nheight 2\nwidth 2\n", &["line 4, column 1", "map"]),
    ];
    for (name, text, parts) in cases {
        fs::write(folder.path().join(name), text).unwrap();
        run(folder.path(), &format!("generate {name}")).failed(2, &[&[name], parts].concat());
    }
    assert!(!folder.path().join("tables").exists(), "nothing was to be done");
    run(folder.path(), "generate missing.txt").failed(3, &["missing.txt", "No such file"]);
    run(folder.path(), "generate .").failed(3, &["cannot read ."]);
    run(folder.path(), "generate -").failed(2, &["expected a board file", "standard input"]);
}

#[test]
fn boards_of_one_cell_and_boards_without_exit_are_solved() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("one", "."), ("way-out", "E"), ("shut", "...\n.#.\n...\n")] {
        fs::write(folder.path().join(format!("{name}.txt")), text).unwrap();
    }
    let made = |line: &str| json(&run(folder.path(), line).done());
    for line in ["generate one.txt --exit none --out . --json", "generate way-out.txt --out . --json"] {
        let row = made(line);
        assert_eq!((&row["positions"], &row["police_to_move"]["police"]), (&json!(2), &json!(1)));
    }
    let ran = run(folder.path(), "generate shut.txt --out . --json");
    assert_eq!(ran.status, Some(0));
    assert!(
        ran.err.contains("shut.txt: the board has no exit") && ran.err.contains("--exit none"),
        "{}",
        ran.err
    );
    let row = json(&String::from_utf8(ran.out).unwrap());
    assert_eq!((&row["police_to_move"]["thief"], &row["longest"]["thief"]), (&json!(0), &json!(0)));
    for table in ["one", "way-out", "shut"] {
        for ask in ["verify", "stats", "info --board", "dump"] {
            run(folder.path(), &format!("{ask} {table}.dtb")).done();
        }
    }
    assert_eq!(run(folder.path(), "probe one.dtb --police 0,0 --thief 0,0").done().lines().count(), 1);
    assert!(
        run(folder.path(), "line one.dtb --police 0,0 --thief 0,0").done().ends_with("the police has won\n")
    );
}

#[test]
fn two_boards_of_one_name_must_be_the_same() {
    let folder = yard();
    for (name, text) in [("a", "..E"), ("b", "E.."), ("c", "..E\n")] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("yard.txt"), text).unwrap();
    }
    run(folder.path(), "generate a/yard.txt b/yard.txt --out t")
        .failed(2, &["two different boards", "yard.dtb"]);
    assert!(!folder.path().join("t").exists());
    assert_eq!(run(folder.path(), "generate a/yard.txt c/yard.txt --out t").done().lines().count(), 1);
}

#[test]
fn output_folders_that_cannot_be_are_refused() {
    let folder = yard();
    run(folder.path(), "generate yard.txt --out yard.txt").failed(3, &["cannot make the folder yard.txt"]);
    run(folder.path(), "generate yard.txt --out yard.txt/in")
        .failed(3, &["cannot make the folder yard.txt/in"]);
    if Path::new("/proc/self").exists() {
        run(folder.path(), "generate yard.txt --out /proc/self/new").failed(3, &["/proc/self/new"]);
        run(folder.path(), "generate yard.txt --out /proc/self")
            .failed(3, &["cannot write /proc/self/yard.dtb"]);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let shut = folder.path().join("shut");
        fs::create_dir(&shut).unwrap();
        fs::set_permissions(&shut, fs::Permissions::from_mode(0o555)).unwrap();
        if fs::write(shut.join("probe"), "").is_ok() {
            println!("skipped: this user may write into a read-only folder");
        } else {
            run(folder.path(), "generate yard.txt --out shut")
                .failed(3, &["cannot write shut/yard.dtb", "denied"]);
        }
    }
}

#[test]
fn wrong_rules_are_refused() {
    let folder = yard();
    let cases: [(&str, &[&str]); 7] = [
        ("officers = 7\n", &["expected 1 to 6 officers, found 7"]),
        ("officers = 0\n", &["expected 1 to 6 officers, found 0"]),
        (
            "wrap = \"both\"\ncorner_cuting = true\n",
            &["line 2, column 1", "corner_cuting", "`corner_cutting`"],
        ),
        ("\n  wrap = \"bth\"\n", &["line 2, column 10", "bth", "`both`"]),
        ("[thief\n", &["line 1, column 7"]),
        ("[thief]\nmay_pass = true\n", &["line 1, column 1", "moves"]),
        ("[police]\nmoves = { offsets = [[0, 0]] }\nmay_pass = true\n", &["[0, 0]", "may_pass"]),
    ];
    for (text, parts) in cases {
        fs::write(folder.path().join("rules.toml"), text).unwrap();
        run(folder.path(), "generate yard.txt --out t --rules rules.toml")
            .failed(2, &[&["rules.toml"], parts].concat());
    }
    fs::write(folder.path().join("rules.toml"), [0xFF, 0xFE]).unwrap();
    run(folder.path(), "generate yard.txt --out t --rules rules.toml").failed(2, &["rules.toml", "UTF-8"]);
    run(folder.path(), "generate yard.txt --out t --rules chess")
        .failed(2, &["chess", "expected classic or chase or cops"]);
    run(folder.path(), "generate yard.txt --out t --rules .").failed(3, &["cannot read ."]);
    assert!(!folder.path().join("t").exists());
}

#[test]
fn rules_files_are_followed() {
    let folder = yard();
    fs::write(
        folder.path().join("rules.toml"),
        "corner_cutting = false\n[thief]\nmoves = \"king\"\nmay_pass = true\n",
    )
    .unwrap();
    run(folder.path(), "generate yard.txt --out file --rules rules.toml").done();
    run(folder.path(), "generate yard.txt --out preset --rules chase").done();
    let read = |name: &str| fs::read(folder.path().join(name).join("yard.dtb")).unwrap();
    assert_eq!(read("file"), read("preset"));
    assert_eq!(json(&run(folder.path(), "info file/yard.dtb --json").done())["preset"], "chase");
}

#[test]
fn wrong_options_are_refused() {
    let folder = yard();
    for size in
        ["0x0", "3x0", "70000x1", "1x70000", "3", "axb", "3x3x3", "3x3..", "..3x3", "-3x3", "+3x3", ""]
    {
        let ran = run(folder.path(), &format!("generate --size={size}"));
        ran.misused(&["--size", "HEIGHTxWIDTH"]);
    }
    run(folder.path(), "generate --size 5x5..3x3").misused(&["smaller size first", "5x5..3x3"]);
    run(folder.path(), "generate --size 65535x65535").misused(&["at most 1048576 squares"]);
    run(folder.path(), "generate --threads 100000").misused(&["--threads", "from 0 to"]);
    run(folder.path(), "generate --threads -1").misused(&[]);
    run(folder.path(), "generate --level 23").misused(&["--level", "22"]);
    run(folder.path(), "generate --engine steam").misused(&["--engine", "counters"]);
    run(folder.path(), "generate --favour beauty").misused(&["--favour", "speed"]);
    run(folder.path(), "generate --exit here").misused(&["--exit", "ROW,COL"]);
    run(folder.path(), "generate yard.txt --out t --exit 1,1").failed(2, &["yard.txt", "1,1 is a wall"]);
    run(folder.path(), "generate yard.txt --out t --exit 3,0")
        .failed(2, &["yard.txt", "3,0 is off the board"]);
    run(folder.path(), "generate yard.txt --out t --exit none --exit 0,0").failed(2, &["--exit none"]);
    for command in ["", "frobnicate", "probe", "line", "info", "stats", "verify", "report", "dump", "board"] {
        let ran = run(folder.path(), command);
        assert_eq!((ran.status, ran.out.len()), (Some(2), 0), "{command}");
        assert!(ran.err.contains("Usage: dragnet"), "{command}: {}", ran.err);
    }
    assert_eq!(files(folder.path()), ["yard.dtb", "yard.txt"]);
}

#[test]
fn help_and_version_are_on_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let help = run(folder.path(), "--help").done();
    for command in
        ["generate", "probe", "line", "info", "stats", "verify", "report", "dump", "answer", "board"]
    {
        assert!(help.contains(command), "{command}");
        let own = run(folder.path(), &format!("{command} --help")).done();
        assert!(own.contains("Example"), "{command} --help has no example");
    }
    assert!(help.contains("Exit status"));
    assert_eq!(run(folder.path(), "--version").done(), format!("dragnet {}\n", env!("CARGO_PKG_VERSION")));
}

/// Asks for a table far beyond the memory, in a process that may have 6 GiB of addresses: so nothing depends on how much
/// the system has or promises, and an engine that does not see its limit harms nobody else.
#[cfg(target_os = "linux")]
fn beyond_the_memory(engine: &str) {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("generate --size 512x512 --out . --threads 2 --engine {engine}");
    let begin = std::time::Instant::now();
    let output = Command::new("sh")
        .args(["-c", &format!("ulimit -v 6291456; exec '{}' {line}", env!("CARGO_BIN_EXE_dragnet"))])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    Ran::new(&line, output.status.code(), output.stdout, err).failed(3, &["open-512x512", "memory"]);
    assert!(begin.elapsed().as_secs() < 20);
    assert!(files(folder.path()).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn boards_beyond_the_memory_are_refused_at_once() {
    for engine in ["auto", "counters", "bitboard"] {
        beyond_the_memory(engine);
    }
}

#[test]
fn two_generators_may_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let start = || {
        Command::new(env!("CARGO_BIN_EXE_dragnet"))
            .args(["generate", "--size", "3x3..9x9", "--force", "--out", "."])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    for mut child in [start(), start()] {
        assert!(child.wait().unwrap().success());
    }
    let tables = files(folder.path());
    assert_eq!(tables.len(), 49, "{tables:?}");
    run(folder.path(), &format!("verify {}", tables.join(" "))).done();
}

// ------------------------------------------------------------------------------------------------ asking

#[test]
fn probe_tells_value_and_moves() {
    let folder = yard();
    let text = run(folder.path(), "probe yard.dtb --police 2,3 --thief 2,0 --turn thief").done();
    assert!(text.starts_with("police 2,3, thief 2,0, thief to move: the thief wins in 3 plies\n"), "{text}");
    assert!(text.contains("2,0 pass"), "{text}");
    let value =
        json(&run(folder.path(), "probe yard.dtb --police 2,3 --thief 2,0 --turn thief --json").done());
    assert_eq!(keys(&value), ["dtw", "moves", "outcome", "police", "thief", "turn"]);
    assert_eq!(
        (&value["outcome"], &value["dtw"], &value["turn"]),
        (&json!("thief"), &json!(3), &json!("thief"))
    );
    assert_eq!((&value["police"], &value["thief"]), (&json!([2, 3]), &json!([2, 0])));
    assert_eq!(value["moves"][0], json!({ "to": [1, 0], "outcome": "thief", "dtw": 2 }));
    let moves = value["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 3);
    assert!(moves.iter().all(|m| keys(m) == ["dtw", "outcome", "to"]));
    // The police moves first unless told otherwise.
    let police = json(&run(folder.path(), "probe yard.dtb --police 2,3 --thief 2,0 --json").done());
    assert_eq!(police["turn"], "police");
    let over = json(&run(folder.path(), "probe yard.dtb --police 2,3 --thief 0,0 --json").done());
    assert_eq!((&over["outcome"], &over["dtw"], &over["moves"]), (&json!("thief"), &json!(0), &json!([])));
}

#[test]
fn draws_have_no_distance() {
    let folder = tempfile::tempdir().unwrap();
    // Two halves: nobody can reach anybody.
    fs::write(folder.path().join("halves.txt"), ".#.\n").unwrap();
    run(folder.path(), "generate halves.txt --exit none --out .").done();
    let value = json(&run(folder.path(), "probe halves.dtb --police 0,0 --thief 0,2 --json").done());
    assert_eq!((&value["outcome"], &value["dtw"]), (&json!("draw"), &Json::Null));
    assert_eq!(run_with(folder.path(), "probe halves.dtb --stdin", b"0 0 0 2 thief\n").done(), "draw\t-\n");
    let line = json(&run(folder.path(), "line halves.dtb --police 0,0 --thief 0,2 --json").done());
    assert_eq!((&line["outcome"], &line["end"]), (&json!("draw"), &json!("repetition")));
    assert!(run(folder.path(), "line halves.dtb --police 0,0 --thief 0,2").done().contains("repeats"));
    assert!(run(folder.path(), "dump halves.dtb").done().contains("police,0,0,0,2,draw,\n"));
    assert_eq!(json(&run(folder.path(), "stats halves.dtb --json").done())["thief_to_move"]["draw"], 2);
}

#[test]
fn probe_answers_a_stream() {
    let folder = yard();
    let ask = |input: &str| run_with(folder.path(), "probe yard.dtb --stdin", input.as_bytes());
    assert_eq!(ask("").done(), "");
    assert_eq!(ask("2 3 2 0 thief\n").done(), "thief\t3\n");
    assert_eq!(ask("  2\t3 2 0   thief\r\n2 3 2 3 police").done(), "thief\t3\npolice\t0\n");
    let cases: [(&str, &[&str]); 8] = [
        ("garbage\n", &["expected police_row", "\"garbage\""]),
        ("2 3 2 0\n", &["expected police_row"]),
        ("2 3 2 0 nobody\n", &["police or thief"]),
        ("2 3 2 0 thief twice\n", &["expected police_row"]),
        ("-1 3 2 0 thief\n", &["expected police_row"]),
        ("99999 3 2 0 thief\n", &["expected police_row"]),
        ("1 1 2 0 thief\n", &["the police's cell 1,1 is a wall"]),
        ("2 3 2 9 thief\n", &["the thief's cell 2,9 is off the board", "0 to 3"]),
    ];
    for (bad, parts) in cases {
        let ran = ask(&format!("2 3 2 0 thief\n2 3 2 3 police\n{bad}2 3 2 0 thief\n"));
        ran.failed(2, &[&["standard input, line 3"], parts].concat());
        assert_eq!(
            String::from_utf8_lossy(&ran.out),
            "thief\t3\npolice\t0\n",
            "what came before is answered"
        );
    }
    let ran = run_with(folder.path(), "probe yard.dtb --stdin", &[0xFF; 100_000]);
    ran.failed(2, &["line 1"]);
    assert!(ran.err.len() < 1000, "the message is as long as the garbage");
}

#[test]
fn impossible_positions_are_refused() {
    let folder = yard();
    for command in ["probe", "line"] {
        let ask = |position: &str| run(folder.path(), &format!("{command} yard.dtb {position}"));
        ask("--police 1,1 --thief 0,0").failed(2, &["the police's cell 1,1 is a wall"]);
        ask("--police 0,1 --thief 3,0").failed(2, &["the thief's cell 3,0 is off the board", "0 to 2"]);
        ask("--police 0,1").failed(2, &["expected --thief"]);
        ask("").failed(2, &["expected --police"]);
        ask("--police 0;1 --thief 0,0").misused(&["--police", "ROW,COL", "\"0;1\""]);
        ask("--police 0,1 --thief 0,70000").misused(&["--thief", "65535"]);
        ask("--police 0,1 --thief 0,0 --turn white").misused(&["--turn", "police or thief"]);
    }
    run(folder.path(), "probe yard.dtb --stdin --police 0,1").failed(2, &["--stdin"]);
    run(folder.path(), "probe yard.dtb --stdin --json").misused(&["--json"]);
}

#[test]
fn line_plays_to_the_end() {
    let folder = yard();
    let text = run(folder.path(), "line yard.dtb --police 2,3 --thief 2,0 --turn thief").done();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    assert!(lines[1].starts_with("1. thief  1,0") && lines[1].ends_with("2 to go"), "{text}");
    assert_eq!(lines[4], "the thief has won");
    let drawn = run(folder.path(), "line yard.dtb --police 2,3 --thief 2,0 --turn thief --board").done();
    assert_eq!(drawn.matches("  0123\n").count(), 4, "{drawn}");
    assert!(drawn.contains("0 E···\n1 ·██·\n2 T··P\n"), "{drawn}");
    let value =
        json(&run(folder.path(), "line yard.dtb --police 2,3 --thief 2,0 --turn thief --json").done());
    assert_eq!(
        (&value["outcome"], &value["dtw"], &value["end"]),
        (&json!("thief"), &json!(3), &json!("thief"))
    );
    assert_eq!(value["moves"].as_array().unwrap().len(), 3);
    assert_eq!(value["moves"][0], json!({ "side": "thief", "to": [1, 0], "outcome": "thief", "dtw": 2 }));
}

#[test]
fn info_and_stats_tell_what_the_table_is() {
    let folder = yard();
    let text = run(folder.path(), "info yard.dtb --board").done();
    assert!(text.contains("3x4, 10 open cells, exit 0,0") && text.contains("1 ·██·"), "{text}");
    assert!(text.contains("classic: police king or pass, thief orthogonal or pass"), "{text}");
    let info = json(&run(folder.path(), "info yard.dtb --json").done());
    assert_eq!((&info["height"], &info["width"], &info["cells"]), (&json!(3), &json!(4), &json!(10)));
    assert_eq!((&info["exits"], &info["preset"]), (&json!([[0, 0]]), &json!("classic")));
    let stats = json(&run(folder.path(), "stats yard.dtb --json").done());
    for key in ["cells", "positions", "police_to_move", "thief_to_move", "longest", "digest"] {
        assert!(stats.get(key).is_some(), "{key}");
    }
    assert_eq!(keys(&stats["police_to_move"]), ["draw", "police", "thief"]);
    assert_eq!(keys(&stats["longest"]), ["police", "thief"]);
    assert_eq!((&stats["cells"], &stats["positions"]), (&json!(10), &json!(200)));
    assert_eq!(stats["digest"], info["digest"]);
    // The histogram adds up to the counts, and ends at the longest win.
    for side in ["police", "thief"] {
        let bars: Vec<(u64, u64)> = serde_json::from_value(stats["histogram"][side].clone()).unwrap();
        let won = |turn: &str| stats[turn][side].as_u64().unwrap();
        let sum: u64 = bars.iter().map(|(_, count)| count).sum();
        assert_eq!(sum, won("police_to_move") + won("thief_to_move"));
        assert_eq!(json!(bars.last().unwrap().0), stats["longest"][side]);
        // The example is as long as it is said to be.
        let example = &stats["longest_examples"][side];
        let cell = |who: &str| format!("{},{}", example[who][0], example[who][1]);
        let turn = example["turn"].as_str().unwrap();
        let probe = format!(
            "probe yard.dtb --police {} --thief {} --turn {turn} --json",
            cell("police"),
            cell("thief")
        );
        let value = json(&run(folder.path(), &probe).done());
        assert_eq!((&value["outcome"], &value["dtw"]), (&json!(side), &stats["longest"][side]));
    }
    let text = run(folder.path(), "stats yard.dtb").done();
    assert!(text.contains("200 positions on 10 open cells"), "{text}");
    assert!(text.lines().all(|line| line.trim_end() == line), "{text}");
}

#[test]
fn dump_writes_every_position() {
    let folder = yard();
    let csv = run(folder.path(), "dump yard.dtb").done();
    assert_eq!(csv.lines().count(), 201);
    assert!(csv.contains("\nthief,2,3,2,0,thief,3\n"), "{csv}");
    let binary = run(folder.path(), "dump yard.dtb --binary");
    assert_eq!((binary.status, binary.out.len()), (Some(0), 800));
}

#[test]
fn answer_says_exactly_one_of_three_sentences() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |board: &str| run_with(folder.path(), "answer", board.as_bytes());
    assert_eq!(ask("3 3\nP.E\n..T\n...\n").done(), "The thief escapes\n");
    assert_eq!(ask("3 3\r\nP.E\r\n..T\r\n...\r\n").done(), "The thief escapes\n");
    assert_eq!(ask("PT.\n***\n..E").done(), "Police catches the thief\n");
    assert_eq!(ask("P*T\n").done(), "Draw\n");
    let cases: [(&str, &[&str]); 6] = [
        ("", &["an empty file"]),
        ("3 3\n...\n...\n...\n", &["expected one police officer 'P', found 0"]),
        ("PP\nT.\n", &["expected one police officer 'P', found 2"]),
        ("P.\n", &["expected a thief 'T'"]),
        ("TPT\n", &["line 1, column 3", "second 'T'"]),
        ("3 3\nP.E\n", &["line 3, column 1"]),
    ];
    for (board, parts) in cases {
        ask(board).failed(2, &[&["standard input"], parts].concat());
    }
    fs::write(folder.path().join("b.txt"), "P*T\n").unwrap();
    assert_eq!(run(folder.path(), "answer b.txt").done(), "Draw\n");
    fs::write(folder.path().join("rules.toml"), "officers = 2\nundecided = \"thief\"\n").unwrap();
    let two = |board: &str| run_with(folder.path(), "answer --rules rules.toml", board.as_bytes());
    assert_eq!(two("PP*T\n").done(), "The thief escapes\n");
    assert_eq!(two("P..\n.*.\nT.P\n").done(), "Police catches the thief\n");
    two("P.T\n").failed(2, &["expected 2 police officers 'P', found 1"]);
}

#[test]
fn board_draws_converts_and_makes() {
    let folder = yard();
    assert_eq!(run(folder.path(), "board yard.txt").done(), "  0123\n0 E···\n1 ·██·\n2 ····\n");
    assert_eq!(run(folder.path(), "board yard.txt --to text").done(), YARD);
    assert_eq!(
        run_with(folder.path(), "board - --to contest", YARD.as_bytes()).done(),
        format!("3 4\n{YARD}")
    );
    let map = run(folder.path(), "board yard.txt --to movingai").done();
    assert!(map.starts_with("type octile\nheight 3\nwidth 4\nmap\n"), "{map}");
    for kind in ["open", "random", "maze", "rooms"] {
        let make = |seed| {
            run(folder.path(), &format!("board --make {kind} --size 9x11 --seed {seed} --to text")).done()
        };
        assert_eq!(make(1), make(1));
        assert_eq!(make(1) == make(2), kind == "open", "{kind}");
        assert_eq!((make(1).lines().count(), make(1).lines().all(|line| line.len() == 11)), (9, true));
    }
    run(folder.path(), "board --make random --size 3x3 --density 2").failed(2, &["from 0 to 1", "found 2"]);
    run(folder.path(), "board --make maze").misused(&["--size"]);
    run(folder.path(), "board yard.txt --make maze --size 3x3").misused(&["cannot be used with"]);
    run(folder.path(), "board missing.txt").failed(3, &["missing.txt"]);
    run(folder.path(), "board yard.dtb").failed(2, &["yard.dtb", "line 1, column 1"]);
}

// ------------------------------------------------------------------------------------------------ damage

#[test]
fn no_command_takes_anything_but_a_whole_table() {
    let folder = yard();
    let good = fs::read(folder.path().join("yard.dtb")).unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("empty", b"");
    write("text", b"This is no table, but it is long enough to be one.");
    write("short", &good[..20]);
    write("cut", &good[..good.len() - 1]);
    write("long", &[&good[..], b"\0"].concat());
    write("header", &flipped(&good, 40));
    write("index", &flipped(&good, 513));
    write("block", &flipped(&good, good.len() - 9));
    write("version", &flipped(&good, 8));
    let files: [(&str, &[&str]); 9] = [
        ("empty", &["not a Dragnet table"]),
        ("text", &["not a Dragnet table"]),
        ("short", &["cut short"]),
        ("cut", &["cut short", "expected", "found"]),
        ("long", &["expected", "found", "follows the table's end"]),
        ("header", &["header is damaged"]),
        ("index", &["index is damaged"]),
        ("block", &["block 0 is damaged", "checksum"]),
        ("version", &["format version", "found 5"]),
    ];
    for ask in ASK {
        for (file, parts) in files {
            let ran = run(folder.path(), &ask.replace("FILE", file));
            ran.failed(if ask.starts_with("verify") { 1 } else { 2 }, &[&[file], parts].concat());
            // A dump is a stream: it has written what came before the damage.
            let most = if ask.starts_with("dump") { 799 } else { 0 };
            assert!(ran.out.len() <= most, "{ask} of {file} answered");
        }
        run(folder.path(), &ask.replace("FILE", "missing"))
            .failed(3, &["cannot read missing", "No such file"]);
        run(folder.path(), &ask.replace("FILE", ".")).failed(3, &["cannot read .", "folder"]);
    }
}

#[test]
fn no_flipped_bit_goes_unseen() {
    let folder = yard();
    let good = fs::read(folder.path().join("yard.dtb")).unwrap();
    let mut line = String::from("verify --json");
    let mut count = 0;
    for at in (0..good.len()).step_by(3) {
        fs::write(folder.path().join(format!("f{at}")), flipped(&good, at)).unwrap();
        line += &format!(" f{at}");
        count += 1;
    }
    let ran = run(folder.path(), &line);
    assert_eq!(ran.status, Some(1));
    let reports: Vec<Json> = String::from_utf8(ran.out).unwrap().lines().map(json).collect();
    assert_eq!(reports.len(), count);
    for report in reports {
        assert_eq!(report["ok"], false, "{report}");
    }
}

/// The table with the header and the codes that `alter` makes of its own, and every checksum right.
fn forged(table: &[u8], header: &Header, alter: impl Fn(u64, u32, &mut Vec<u32>)) -> Vec<u8> {
    let reader = Reader::open(table).unwrap();
    let mut writer = Writer::new(Cursor::new(Vec::new()), header).unwrap();
    let mut encoder = Encoder::new(Favour::Size, Encoder::DEFAULT_LEVEL);
    let mut codes = Vec::new();
    let mut known: HashMap<Vec<u32>, Entry> = HashMap::new();
    for block in 0..reader.numbering().block_count() {
        let slots = reader.numbering().slots(block);
        reader.block(block).unwrap().codes(slots, &mut codes).unwrap();
        alter(block, slots, &mut codes);
        if let Some(entry) = known.get(&codes) {
            writer.push_entry(*entry);
        } else {
            let entry = writer.push(&encoder.encode(&RawBlock::new(&codes))).unwrap();
            known.insert(codes.clone(), entry);
        }
    }
    writer.finish().unwrap().0.into_inner()
}

#[test]
fn verify_finds_one_wrong_value_behind_right_checksums() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "generate --size 18x17 --out .").done();
    let good = fs::read(folder.path().join("open-18x17.dtb")).unwrap();
    let reader = Reader::open(&good[..]).unwrap();
    let header = reader.header().clone();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("copied.dtb", &forged(&good, &header, |_, _, _| ()));
    run(folder.path(), "verify copied.dtb").done();
    let cell = |row, col| dragnet_formats::cell::Cell::new(row, col);
    let place = reader.numbering().locate(cell(17, 3), cell(9, 12)).unwrap();
    // A plausible neighbour of the right value, a draw, the other winner.
    for (number, change) in [|code: u32| code + 2, |_| 0, |code: u32| code ^ 3].into_iter().enumerate() {
        let bytes = forged(&good, &header, |block, slots, codes| {
            if block == place.block {
                assert!(place.slot < slots);
                codes[place.slot as usize] = change(codes[place.slot as usize]);
            }
        });
        write(&format!("wrong-{number}.dtb"), &bytes);
        let ran = run(folder.path(), &format!("verify wrong-{number}.dtb"));
        ran.failed(1, &[&format!("wrong-{number}.dtb"), "successors say", "the table that"]);
        run(folder.path(), &format!("info wrong-{number}.dtb")).done();
    }
    // The thief is in the first tile that has anything wrong: the position itself, or one that leads to it.
    run(folder.path(), "verify wrong-1.dtb").failed(1, &["police to move"]);
}

#[test]
fn verify_finds_a_wrong_header_behind_right_values() {
    let folder = yard();
    let good = fs::read(folder.path().join("yard.dtb")).unwrap();
    let right = Reader::open(&good[..]).unwrap().header().clone();
    let check = |parts: &[&str], change: fn(&mut Header)| {
        let mut header = right.clone();
        change(&mut header);
        fs::write(folder.path().join("forged.dtb"), forged(&good, &header, |_, _, _| ())).unwrap();
        run(folder.path(), "verify forged.dtb")
            .failed(1, &[&["forged.dtb", "not the header"], parts].concat());
    };
    check(&["police wins with the police to move"], |header| {
        header.summary.police_to_move.police -= 1;
        header.summary.police_to_move.draw += 1;
    });
    check(&["thief wins with the thief to move"], |header| {
        header.summary.thief_to_move.thief -= 1;
        header.summary.thief_to_move.draw += 1;
    });
    check(&["longest win of the police"], |header| header.summary.longest.police += 1);
    check(&["longest win of the thief"], |header| header.summary.longest.thief = 0);
    check(&["digest"], |header| header.summary.digest ^= 1);
}

#[test]
fn verify_goes_on_after_a_bad_table() {
    let folder = yard();
    run(folder.path(), "generate --size 3x3 --out .").done();
    let good = fs::read(folder.path().join("yard.dtb")).unwrap();
    fs::write(folder.path().join("bad.dtb"), flipped(&good, good.len() - 9)).unwrap();
    let ran = run(folder.path(), "verify yard.dtb bad.dtb open-03x03.dtb");
    ran.failed(1, &["bad.dtb"]);
    let out = String::from_utf8_lossy(&ran.out).into_owned();
    assert!(out.contains("yard.dtb: right, 200 positions") && out.contains("open-03x03.dtb: right"), "{out}");
    let ran = run(folder.path(), "verify --json yard.dtb bad.dtb open-03x03.dtb");
    assert_eq!((ran.status, ran.err.as_str()), (Some(1), ""));
    let reports: Vec<Json> = String::from_utf8(ran.out).unwrap().lines().map(json).collect();
    let ok: Vec<&Json> = reports.iter().map(|report| &report["ok"]).collect();
    assert_eq!(ok, [true, false, true]);
    assert!(reports[1]["error"].as_str().unwrap().contains("block 0 is damaged"));
}

// ------------------------------------------------------------------------------------------------ pipes, signals

/// Runs with a standard output that is closed after `bytes` bytes.
fn run_and_leave(folder: &Path, line: &str, bytes: usize) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .args(line.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = vec![0; bytes];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut start).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    Ran::new(line, output.status.code(), start, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_reader_who_leaves_early_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "generate --size 16x16 --out .").done();
    for line in ["dump open-16x16.dtb", "dump open-16x16.dtb --binary"] {
        assert_eq!(run_and_leave(folder.path(), line, 10).done().len(), 10);
    }
    for line in ["info open-16x16.dtb", "stats open-16x16.dtb", "board --make open --size 300x300"] {
        run_and_leave(folder.path(), line, 0).done();
    }
}

#[test]
fn work_is_done_although_nobody_reads() {
    let folder = tempfile::tempdir().unwrap();
    run_and_leave(folder.path(), "generate --size 3x3..8x8 --out .", 0).done();
    let tables = files(folder.path());
    assert_eq!(tables.len(), 36);
    let last = folder.path().join("open-08x08.dtb");
    fs::write(&last, flipped(&fs::read(&last).unwrap(), 600)).unwrap();
    run_and_leave(folder.path(), &format!("verify {}", tables.join(" ")), 0).failed(1, &["open-08x08.dtb"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let folder = yard();
    for line in
        ["dump yard.dtb", "info yard.dtb", "stats yard.dtb --json", "board yard.txt", "verify yard.dtb"]
    {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_dragnet"))
            .args(line.split_whitespace())
            .current_dir(folder.path())
            .stdout(full)
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        Ran::new(line, output.status.code(), output.stdout, err).failed(3, &["No space left"]);
    }
}

#[cfg(unix)]
#[test]
fn closed_outputs_are_borne() {
    let folder = yard();
    for (line, status) in [
        ("probe missing.dtb --police 0,0 --thief 0,1 2>&-", 3),
        ("probe yard.dtb --frob 2>&-", 2),
        ("verify yard.dtb 2>&-", 0),
        ("generate yard.txt --force --out . 2>&- >&-", 0),
        ("info yard.dtb >&- 2>&- <&-", 0),
    ] {
        let found = Command::new("sh")
            .args(["-c", &format!("'{}' {line}", env!("CARGO_BIN_EXE_dragnet"))])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(found.status.code(), Some(status), "{line}");
    }
    run(folder.path(), "verify yard.dtb").done();
}

#[cfg(unix)]
#[test]
fn a_signal_stops_the_work_and_leaves_nothing_behind() {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_dragnet"))
            .args(["generate", "--size", "3x3", "--size", "120x120", "--out", "."])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The first table is there: signals are watched, and the second board has been begun.
        while !folder.path().join("open-03x03.dtb").exists() {
            assert!(child.try_wait().unwrap().is_none(), "the program ended before its first table");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        std::thread::sleep(std::time::Duration::from_millis(300));
        let sent =
            Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
        assert!(sent.success(), "the work was done before the signal came");
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        Ran::new(signal, output.status.code(), output.stdout, err)
            .failed(status, &["interrupted; 1 of 2 tables", "open-120x120 is not"]);
        assert_eq!(files(folder.path()), ["open-03x03.dtb"], "after {signal}");
    }
}
