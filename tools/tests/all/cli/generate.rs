//! `dragnet generate` of boards.

#[cfg(target_os = "linux")]
use super::support::Ran;
use super::{
    YARD, files, flipped, json,
    support::{run, run_with},
    yard,
};
use serde_json::{Value as Json, json};
use std::{
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

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
fn json_of_generate_describes_each_table() {
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
    let printed = run(folder.path(), "generate").done();
    let next = "\n'dragnet view tables' shows them, 'dragnet play tables/random-32x32.dtb' is a game\n";
    assert!(printed.ends_with(next), "{printed}");
    let entries = run(folder.path(), "generate --json").done();
    let sum = |key: &str| entries.lines().map(|line| json(line)[key].as_u64().unwrap()).sum::<u64>();
    let told = printed.split("\n112 tables in tables, ").nth(1).unwrap();
    let told: String = told.split(" positions").next().unwrap().replace(',', "");
    assert_eq!(told.parse(), Ok(sum("positions")));
    for command in ["probe", "line", "show", "play"] {
        for table in ["open-03x03", "maze-31x31", "random-16x16"] {
            run_with(folder.path(), &format!("{command} tables/{table}.dtb"), b"quit\n").done();
        }
    }
    run(folder.path(), "generate --officers 2 --out teams --quiet").done();
    let text = run(folder.path(), "probe teams/open-03x03.dtb").done();
    assert!(text.starts_with("police 1,0+2,0, thief 2,2, "), "{text}");
    let tables = files(&folder.path().join("tables"));
    assert!(tables.len() >= 100 && tables.contains(&"open-12x12.dtb".to_owned()), "{tables:?}");
    let list: Vec<String> = tables.iter().map(|name| format!("tables/{name}")).collect();
    run(folder.path(), &format!("verify {}", list.join(" "))).done();
}

#[test]
fn line_ends_of_a_board_do_not_change_its_table() {
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
fn finished_table_is_kept_unless_something_changed() {
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
    assert_eq!(again("--favour speed")["made"], false);
    assert_ne!(fs::read(&table).unwrap(), good);
    assert_eq!(again("--favour size")["made"], false);
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

#[test]
fn file_that_is_no_table_is_replaced_only_by_force() {
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
fn failed_board_does_not_stop_the_others() {
    let folder = yard();
    fs::create_dir(folder.path().join("open-03x03.dtb")).unwrap();
    let ran = run(folder.path(), "generate --size 3x3..3x4 --out .");
    assert_eq!(ran.status, Some(3));
    assert!(ran.err.contains("open-03x03") && ran.err.contains("1 of 2 tables"), "{}", ran.err);
    run(folder.path(), "verify open-03x04.dtb").done();
}

#[test]
fn unusable_board_is_refused_with_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&str, &str, &[&str]); 8] = [
        ("empty.txt", "", &["line 1, column 1", "expected a row of squares", "an empty file"]),
        ("blank.txt", "\n\n", &["line 1, column 1", "an empty line"]),
        ("walls.txt", "##\n**\n", &["no open cell"]),
        ("ragged.txt", "...\n..\n", &["line 2, column 3", "expected 3 squares", "found 2"]),
        ("letter.txt", "...\n.?.\n", &["line 2, column 2", "expected one of", "'?'"]),
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
    run(folder.path(), "generate .").failed(2, &["./blank.txt: line 1, column 1"]);
    run(folder.path(), "generate -").failed(2, &["standard input", "an empty file"]);
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
        ran.err.contains("warning: shut: the board has no exit") && ran.err.contains("--exit"),
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
fn different_boards_of_one_name_are_refused() {
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
fn unusable_output_folder_is_refused() {
    let folder = yard();
    run(folder.path(), "generate yard.txt --out yard.txt").failed(3, &["cannot make the folder yard.txt"]);
    run(folder.path(), "generate yard.txt --out yard.txt/in")
        .failed(3, &["cannot make the folder yard.txt/in"]);
    if Path::new("/proc/self").exists() {
        run(folder.path(), "generate yard.txt --out /proc/self/new").failed(3, &["/proc/self/new"]);
        run(folder.path(), "generate yard.txt --out /proc/self")
            .failed(3, &["cannot make the folder /proc/self/.dragnet"]);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let shut = folder.path().join("shut");
        fs::create_dir(&shut).unwrap();
        fs::set_permissions(&shut, fs::Permissions::from_mode(0o555)).unwrap();
        if fs::write(shut.join("probe"), "").is_ok() {
            let mut stderr = std::io::stderr();
            writeln!(stderr, "skipped in part: this user may write into a read-only folder").unwrap();
        } else {
            run(folder.path(), "generate yard.txt --out shut")
                .failed(3, &["cannot make shut/.dragnet/lock", "denied"]);
        }
    }
}

/// Asks for a table far beyond the memory, in a process that may have 6 GiB of addresses: so nothing depends
/// on how much the system has or promises, and an engine that does not see its limit harms nobody else.
#[cfg(target_os = "linux")]
fn beyond_the_memory(engine: &str) {
    let folder = tempfile::tempdir().unwrap();
    // Quietly, for a machine with much memory says first that its sets go to scratch files.
    let line = format!("generate --size 1024x1024 --out . --threads 2 --engine {engine} --quiet");
    let begin = std::time::Instant::now();
    let output = Command::new("sh")
        .args(["-c", &format!("ulimit -v 6291456; exec '{}' {line}", env!("CARGO_BIN_EXE_dragnet"))])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    Ran::new(&line, output.status.code(), output.stdout, err).failed(3, &["open-1024x1024", "memory"]);
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
fn two_runs_in_one_folder_wait_for_each_other() {
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
