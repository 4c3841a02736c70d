//! `generate` of manifests and of many boards, and `plan`, as a user runs them.

use crate::support::run;
use serde_json::{Value as Json, json};
use std::{fs, path::Path};

const YARD: &str = "E..\n.#.\n..P\n";

/// Writes the manifest `batch.toml` and some boards.
fn prepare(folder: &Path, manifest: &str) {
    fs::create_dir_all(folder.join("maps")).unwrap();
    fs::write(folder.join("maps/yard.txt"), YARD).unwrap();
    fs::write(folder.join("maps/lane.txt"), "E....\r\n").unwrap();
    fs::write(folder.join("batch.toml"), manifest).unwrap();
}

const SMALL: &str = r#"
out = "tables"

[rules.leapers]
thief = { moves = "knight" }

[[boards]]
files = ["maps/*.txt"]

[[boards]]
files = "maps/yard.txt"
rules = "leapers"
exit = ["first", "2,2"]
favour = "speed"
name = "{name}-{rules}"

[[boards]]
sizes = "1x1..4x3"

[[boards]]
make = "random"
size = "12x14"
seeds = "3..5"
density = 0.3
level = 19
"#;

fn lines(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_second_run_makes_only_missing_and_changed_tables() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, SMALL);
    let first = run(at, "generate batch.toml --threads 2");
    assert_eq!(first.status, Some(0), "{}", first.err);
    assert!(!first.err.contains("warning"), "{}", first.err);
    let tables = || {
        let mut names: Vec<String> = (fs::read_dir(at.join("tables")).unwrap())
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".dtb"))
            .collect();
        names.sort();
        names
    };
    let names = tables();
    assert_eq!(names.len(), 2 + 1 + 12 + 3, "{names:?}");
    for name in ["lane.dtb", "yard.dtb", "yard-leapers.dtb", "open-04x03.dtb", "random-12x14-5.dtb"] {
        assert!(names.iter().any(|known| known == name), "{name} in {names:?}");
    }
    run(at, "verify tables/yard.dtb tables/yard-leapers.dtb tables/random-12x14-3.dtb tables/open-01x01.dtb")
        .done();
    // Nothing is left to do, and the report still tells everything.
    let json = |line: &str| {
        let ran = run(at, line);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        lines(&String::from_utf8(ran.out).unwrap())
    };
    let again = json("generate batch.toml --json");
    assert!(again.iter().all(|entry| entry["status"] == "kept"), "{again:?}");
    let report: Json = serde_json::from_slice(&fs::read(at.join("tables/report.json")).unwrap()).unwrap();
    assert_eq!(report["totals"]["kept"], 18);
    assert!(report["entries"].as_array().unwrap().iter().all(|entry| entry["portrait"].is_object()));
    assert!(at.join("tables/report.html").exists());
    // One is gone, one is damaged, one board has changed.
    fs::remove_file(at.join("tables/lane.dtb")).unwrap();
    let damaged = at.join("tables/open-04x03.dtb");
    let whole = fs::read(&damaged).unwrap();
    fs::write(&damaged, &whole[..whole.len() - 1]).unwrap();
    fs::write(at.join("maps/yard.txt"), "E..\n...\n..P\n").unwrap();
    let made: Vec<String> = (json("generate batch.toml --json").iter())
        .filter(|entry| entry["status"] == "made")
        .map(|entry| entry["name"].as_str().unwrap().to_owned())
        .collect();
    for name in ["lane", "open-04x03", "yard", "yard-leapers"] {
        assert!(made.iter().any(|made| made == name), "{name} in {made:?}");
    }
    assert_eq!(made.len(), 4);
    assert_eq!(fs::read(&damaged).unwrap(), whole);
    // A journal that was cut short or is gone costs time, not tables.
    let journal = at.join("tables/.dragnet/journal.jsonl");
    let bytes = fs::read(&journal).unwrap();
    fs::write(&journal, &bytes[..bytes.len() / 2]).unwrap();
    let kept = json("generate batch.toml --json");
    assert!(kept.iter().all(|entry| entry["status"] == "kept"), "{kept:?}");
    assert_eq!(tables(), names);
}

#[test]
fn a_manifest_and_single_boards_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, SMALL);
    assert_eq!(run(at, "generate batch.toml").status, Some(0));
    run(at, "generate maps/yard.txt maps/lane.txt --size 1x1..4x3 --out single").done();
    for entry in fs::read_dir(at.join("single")).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with(".dragnet") {
            continue;
        }
        let other = at.join("tables").join(path.file_name().unwrap());
        assert_eq!(fs::read(&path).unwrap(), fs::read(other).unwrap(), "{}", path.display());
    }
}

#[test]
fn errors_in_a_manifest_name_line_and_key() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let cases: &[(&str, &[&str])] = &[
        ("", &["line 1, column 1: ", "missing field `out`"]),
        ("out = \"t\"\n", &["expected at least one [[boards]]"]),
        ("out = 1\n[[boards]]\nsizes = \"3x3\"\n", &["line 1", "out: ", "expected path string"]),
        ("out = \"t\"\n[limits]\nmemory = \"lots\"\n", &["line 3", "limits.memory", "12 GiB", "lots"]),
        ("out = \"t\"\n[limits]\nmemory = \"12\"\n", &["line 3", "limits.memory", "with its unit", "\"12\""]),
        (
            "out = \"t\"\nlimits = [2]\n",
            &["line 2, column 10: limits: ", "expected a section of keys and values"],
        ),
        ("out = \"t\"\nboards = [[\"a.txt\"]]\n", &["line 2", "boards[0]: ", "expected a section of keys"]),
        ("out = \"t\"\nrules.x = [2]\n", &["line 2, column 11: rules.x: ", "expected rules"]),
        (
            "out = \"t\"\n[rules.x]\npolice = [\"king\"]\n[[boards]]\nsizes = \"3x3\"\n",
            &["line 3, column 11: rules.x.police[0]: ", "expected the keys of a side"],
        ),
        (
            "out = \"t\"\n[[boards]]\nsizes = \"3x3\"\ndoors = [{ cell = [0, 1] }]\n",
            &["line 4, column 10: boards[0].doors[0]: ", "expected a key or a schedule"],
        ),
        ("out = \"t\"\n[limits]\nscratch = \"\"\n", &["line 3", "limits.scratch", "path of a folder"]),
        ("out = \"\"\n", &["line 1", "out", "path of a folder"]),
        ("out = \"t\"\n[limits]\ntime = 5\n", &["line 3", "limits.time"]),
        ("out = \"t\"\n[limits]\nthreads = 5000\n", &["line 3", "limits.threads", "1024"]),
        (
            "out = \"t\"\n[limits]\nmemroy = \"1 GiB\"\n",
            &["line 3", "limits.memroy: ", "; did you mean memory?"],
        ),
        ("out = \"t\"\n[[boards]]\n", &["line 2", "boards[0]", "files, graphs, sizes and make"]),
        ("out = \"t\"\n[[boards]]\nsizes = \"3x3\"\nfiles = \"a\"\n", &["line 2", "boards[0]"]),
        (
            "out = \"t\"\n[[boards]]\nsizes = \"5x5..3x3\"\n",
            &["line 3", "boards[0].sizes", "smaller size first"],
        ),
        ("out = \"t\"\n[[boards]]\nsizes = \"3x3\"\nseeds = 4\n", &["boards[0]", "seeds", "make"]),
        ("out = \"t\"\n[[boards]]\nmake = \"maze\"\n", &["boards[0]", "size"]),
        (
            "out = \"t\"\n[[boards]]\nmake = \"hedge\"\nsize = \"5x5\"\n",
            &["line 3", "boards[0].make", "maze"],
        ),
        (
            "out = \"t\"\n[[boards]]\nmake = \"maze\"\nsize = \"5x5\"\nseeds = \"9..1\"\n",
            &["line 5", "seeds", "9..1"],
        ),
        // Two slips that would fill the memory, and one that would take hours.
        (
            "out = \"t\"\n[[boards]]\nmake = \"maze\"\nsize = \"1x1\"\nseeds = \"0..18446744073709551615\"\n",
            &["line 2", "boards[0]", "at most 100000 tables", "18446744073709551615"],
        ),
        (
            "out = \"t\"\n[[boards]]\nsizes = \"1x1..1024x1024\"\n",
            &["boards[0]", "at most 100000", "1048576"],
        ),
        (
            "out = \"t\"\n[[boards]]\nmake = \"random\"\nsize = \"600x600..1024x1024\"\ndensity = 7.0\n",
            &["boards[0]", "at most 100000"],
        ),
        (
            "out = \"t\"\n[[boards]]\nmake = \"random\"\nsize = \"1x1..9x9\"\ndensity = 7.0\n",
            &["boards[0]", "share of walls", "7"],
        ),
        ("out = \"t\"\n[[boards]]\nfiles = \"none/*.map\"\n", &["boards[0]", "files", "none/*.map"]),
        ("out = \"t\"\n[[boards]]\nfiles = \"a[\"\n", &["boards[0]", "files", "a["]),
        (
            "out = \"t\"\n[[boards]]\nsizes = \"3x3\"\nrules = \"chess\"\n",
            &["boards[0]", "rules", "classic", "chess"],
        ),
        (
            "out = \"t\"\n[[boards]]\nsizes = \"3x3\"\nexit = \"1;1\"\n",
            &["line 4", "boards[0].exit", "ROW,COL"],
        ),
        ("out = \"t\"\n[[boards]]\nsizes = \"3x3\"\nlevel = 40\n", &["line 4", "boards[0].level", "22"]),
        ("out = \"t\"\n[[boards]]\nsizes = \"3x3\"\nname = \"{seed}\"\n", &["boards[0]", "name", "{seed}"]),
        ("out = \"t\"\n[[boards]]\nsizes = \"3x3\"\nname = \"../{name}\"\n", &["boards[0]", "name", "../"]),
        (
            &format!("out = \"t\"\n[[boards]]\nsizes = \"3x3\"\nname = \"{}\"\n", "n".repeat(252)),
            &["boards[0]", "name", "at most 231 bytes", "252"],
        ),
        ("out = \"t\"\n[[boards]]\nsizes = \"3x3..4x4\"\nname = \"same\"\n", &["same.dtb", "3x3", "3x4"]),
        (
            "out = \"t\"\n[rules.classic]\nofficers = 1\n[[boards]]\nsizes = \"3x3\"\n",
            &["rules.classic", "preset"],
        ),
        ("out = \"t\"\n[rules.x]\nofficers = 7\n[[boards]]\nsizes = \"3x3\"\n", &["rules.x"]),
        ("out = \"t\"\n[[boards]]\nfiles = \"maps/bad.txt\"\n", &["bad", "line 1"]),
        ("out = \"t\"\n[[boards]]\nfiles = \"maps/walls.txt\"\n", &["walls", "no open cell"]),
        ("out = \"t\"\n[[boards]]\nsizes = \"3x3\"\nexit = \"7,7\"\n", &["open-03x03", "7,7"]),
        ("out = \"t\n", &["line 1"]),
    ];
    for (manifest, parts) in cases {
        prepare(at, manifest);
        fs::write(at.join("maps/bad.txt"), "..?\n").unwrap();
        fs::write(at.join("maps/walls.txt"), "##\n").unwrap();
        for command in ["generate batch.toml", "plan batch.toml"] {
            let ran = run(at, command);
            ran.failed(2, parts);
            assert!(
                ran.err.contains("batch.toml") || ran.err.contains("maps/") || ran.err.contains("open-"),
                "{}",
                ran.err
            );
        }
        assert!(!at.join("t").exists(), "{manifest}: nothing is made before all is right");
    }
    fs::write(at.join("batch.toml"), [0xFF, b'=']).unwrap();
    run(at, "plan batch.toml").failed(2, &["batch.toml", "UTF-8"]);
    run(at, "plan nothing.toml").failed(3, &["nothing.toml"]);
    fs::create_dir(at.join("folder.toml")).unwrap();
    run(at, "generate folder.toml").failed(2, &["folder.toml", "expected a manifest, found a folder"]);
    prepare(at, SMALL);
    run(at, "generate batch.toml --level 3").failed(2, &["--level", "manifest"]);
    run(at, "generate batch.toml maps/yard.txt").failed(2, &["one manifest"]);
    run(at, "generate maps/yard.txt --checkpoints 0").misused(&["minutes", "0"]);
}

#[test]
fn tables_beyond_the_limit_are_marked_in_the_plan_and_left_out_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(
        at,
        "out = \"t\"\n[limits]\nmemory = \"8 MiB\"\n[[boards]]\nsizes = \"160x160\"\n[[boards]]\nsizes = \"3x3\"\n",
    );
    let refused = |line: &str| {
        let ran = run(at, line);
        ran.failed(3, &["1 table has no room and will be left out: open-160x160 needs about", "--memory"]);
        String::from_utf8(ran.out).unwrap()
    };
    let plan = lines(&refused("plan batch.toml --json"));
    assert_eq!(plan.len(), 2);
    let fits = |name: &str| plan.iter().find(|row| row["name"] == name).unwrap()["fits"].as_bool().unwrap();
    assert!(!fits("open-160x160") && fits("open-03x03"), "{plan:?}");
    let text = refused("plan batch.toml");
    assert!(text.contains("left out: no room") && text.contains("1 of 2 tables"), "{text}");
    let ran = run(at, "generate batch.toml");
    assert_eq!(ran.status, Some(3), "{}", ran.err);
    assert!(ran.err.contains("open-160x160") && ran.err.contains("8.00 MiB"), "{}", ran.err);
    assert!(at.join("t/open-03x03.dtb").exists() && !at.join("t/open-160x160.dtb").exists());
    let report: Json = serde_json::from_slice(&fs::read(at.join("t/report.json")).unwrap()).unwrap();
    assert_eq!((&report["totals"]["made"], &report["totals"]["skipped"]), (&1.into(), &1.into()));
    // The limits of time and disk leave out the rest in the same way.
    for (limit, what) in [("time = \"1ns\"", "time limit"), ("disk-free = \"1000 PiB\"", "free on the disk")]
    {
        prepare(at, &format!("out = \"u\"\n[limits]\n{limit}\n[[boards]]\nsizes = \"3x3\"\n"));
        let ran = run(at, "generate batch.toml");
        assert_eq!(ran.status, Some(3), "{}", ran.err);
        assert!(ran.err.contains(what), "{}", ran.err);
        assert!(!at.join("u/open-03x03.dtb").exists());
    }
}

#[test]
fn one_bad_table_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, "out = \"t\"\n[[boards]]\nsizes = \"3x3..3x5\"\n");
    fs::create_dir_all(at.join("t/open-03x04.dtb/inside")).unwrap();
    fs::write(at.join("t/open-03x05.dtb"), "a letter").unwrap();
    let ran = run(at, "generate batch.toml --log events.log");
    assert!(matches!(ran.status, Some(2 | 3)), "{:?} {}", ran.status, ran.err);
    assert!(ran.err.contains("open-03x04") && ran.err.contains("open-03x05"), "{}", ran.err);
    assert!(at.join("t/open-03x03.dtb").exists());
    assert_eq!(fs::read(at.join("t/open-03x05.dtb")).unwrap(), b"a letter");
    let events = lines(&fs::read_to_string(at.join("events.log")).unwrap());
    for (event, board) in [("made", "open-03x03"), ("failed", "open-03x04"), ("failed", "open-03x05")] {
        assert!(
            events.iter().any(|e| e["event"] == event && e["board"] == board),
            "{event} {board}: {events:?}"
        );
    }
}

#[test]
fn a_run_waits_for_a_command_that_needs_the_folder_for_itself() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, "out = \"t\"\n[[boards]]\nsizes = \"3x3\"\n");
    assert_eq!(run(at, "generate batch.toml").status, Some(0));
    let held = fs::File::open(at.join("t/.dragnet/lock")).unwrap();
    held.lock().unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| run(at, "generate batch.toml"));
        std::thread::sleep(std::time::Duration::from_millis(500));
        held.unlock().unwrap();
        let ran = waiting.join().unwrap();
        assert_eq!(ran.status, Some(0));
        assert!(ran.err.contains("waiting"), "{}", ran.err);
    });
}

#[test]
fn estimates_are_of_the_right_size() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, SMALL);
    let rows = lines(&run(at, "plan --measure maps/yard.txt --size 40x40 --exit first --json").done());
    assert_eq!(rows[1]["positions"], 2 * 1600 * 1600);
    let bytes = rows[1]["bytes"].as_u64().unwrap();
    run(at, "generate --size 40x40 --out .").done();
    let real = fs::metadata(at.join("open-40x40.dtb")).unwrap().len();
    assert!(bytes * 3 > real && bytes < real * 3, "{bytes} for {real}");
    assert!(rows[1]["memory_bytes"].as_u64().unwrap() > 1_000_000);
    assert!(rows[1]["seconds"].as_f64().unwrap() > 0.0);
    let text = run(at, "plan batch.toml --measure").done();
    assert!(text.lines().count() == 1 + 18 + 1 && text.contains("18 of 18 tables into tables"), "{text}");
    assert!(text.lines().next().unwrap().contains("time"), "{text}");
    run(at, "plan --measure nothing.txt").failed(3, &["nothing.txt"]);
}

#[test]
fn a_plan_without_measuring_has_rough_costs_and_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, SMALL);
    for line in ["plan --json", "plan maps/yard.txt --size 3x3..3x4 --json", "plan batch.toml --json"] {
        let rows = lines(&run(at, line).done());
        assert!(rows.iter().all(|row| row.get("seconds").is_none() && row["fits"] == true), "{rows:?}");
        let is_rough =
            |row: &Json| row["rough_seconds"].as_f64() > Some(0.0) && row["rough_bytes"].as_u64() > Some(0);
        assert!(rows.iter().all(is_rough), "{rows:?}");
        let expected = match line {
            "plan --json" => 112,
            "plan batch.toml --json" => 18,
            _ => 3,
        };
        assert_eq!(rows.len(), expected, "{line}");
    }
    let text = run(at, "plan batch.toml").done();
    assert!(text.lines().all(|line| line.contains(" ~") || line.starts_with("table ")), "{text}");
    run(at, "plan maps/yard.txt --exit 1,1").failed(2, &["yard.txt", "1,1 is a wall"]);
    run(at, "plan batch.toml --exit 1,1").failed(2, &["--exit", "manifest"]);
    assert!(!at.join("tables").exists());
}

/// Reads the log of a run: for each start of a table, how many others had been started and not ended.
fn beside(log: &Path) -> Vec<usize> {
    let mut running = 0;
    let mut beside = Vec::new();
    for event in lines(&fs::read_to_string(log).unwrap()) {
        match event["event"].as_str().unwrap() {
            "start" => {
                beside.push(running);
                running += 1;
            }
            "made" => running -= 1,
            _ => {}
        }
    }
    assert_eq!(running, 0, "every table that was started is made");
    beside
}

#[test]
fn many_small_boards_are_made_side_by_side_and_printed_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let line = "generate --size 20x20..24x24 --threads 3 --log events --out t";
    let text = run(at, line).done();
    let mut names: Vec<&str> = text.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(names.len(), 25);
    assert!(names.is_sorted(), "{names:?}");
    let beside = beside(&at.join("events"));
    assert_eq!(beside.len(), 25);
    assert!(beside.contains(&1), "{beside:?}");
    assert!(beside.iter().all(|&others| others < 3), "{beside:?}");
    // The journal knows all of them: nothing is read again, and nothing but tables and journal is in the
    // folder.
    let again = run(at, line).done();
    assert_eq!(again.matches("as it was").count(), 25, "{again}");
    names.push(".dragnet");
    names.sort_unstable();
    let found = fs::read_dir(at.join("t")).unwrap();
    let mut found: Vec<String> =
        found.map(|entry| entry.unwrap().file_name().to_str().unwrap().replace(".dtb", "")).collect();
    found.sort();
    assert_eq!(found, names);
}

#[test]
fn a_manifest_takes_over_the_tables_of_single_boards() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, SMALL);
    run(at, "generate maps/yard.txt maps/lane.txt --size 1x1..4x3").done();
    let ran = run(at, "generate batch.toml --json");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let entries = lines(&String::from_utf8(ran.out).unwrap());
    assert_eq!(entries.iter().filter(|entry| entry["status"] == "kept").count(), 2 + 12);
    assert!(entries.iter().all(|entry| entry["portrait"].is_object()), "{entries:?}");
    let again = run(at, "generate --size 1x1..4x3 --json").done();
    assert!(lines(&again).iter().all(|row| row["made"] == false && row["solve_seconds"].is_null()));
}

#[test]
fn a_killed_run_of_boards_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let generate =
        ["generate", "--size", "16x16..20x20", "--size", "100x100", "--out", "t", "--threads", "2"];
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .args(generate)
        .current_dir(at)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let journal = at.join("t/.dragnet/journal.jsonl");
    let known = || fs::read_to_string(&journal).unwrap_or_default().lines().count();
    while known() < 3 {
        assert!(child.try_wait().unwrap().is_none(), "the program ended before its third table");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!at.join("t/open-100x100.dtb").exists(), "the largest table comes last");
    // Progress lines may be on standard error.
    let ran = run(at, &[&generate[..], &["--json"]].concat().join(" "));
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let rows = lines(&String::from_utf8(ran.out).unwrap());
    assert_eq!(rows.len(), 26);
    let kept = rows.iter().filter(|row| row["made"] == false).count();
    assert!((3..26).contains(&kept), "{kept} tables are kept");
    assert_eq!(run(at, "generate --size 16x16..20x20 --size 100x100 --out calm").status, Some(0));
    for row in rows {
        let name = format!("{}.dtb", row["name"].as_str().unwrap());
        assert_eq!(
            fs::read(at.join("t").join(&name)).unwrap(),
            fs::read(at.join("calm").join(&name)).unwrap()
        );
    }
}

#[test]
fn boards_beyond_the_memory_of_the_machine_are_left_out_and_the_others_made() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(folder.path(), "generate --size 160x160 --size 3x3 --officers 2 --out .");
    assert_eq!(ran.status, Some(3), "{}", ran.err);
    for part in ["open-160x160: needs about", "three quarters", "--memory SIZE", "1 of 2 tables"] {
        assert!(ran.err.contains(part), "{}", ran.err);
    }
    assert!(String::from_utf8(ran.out).unwrap().starts_with("open-03x03"));
}

/// A manifest of one board that takes long to solve.
const LONG: &str =
    "out = \"t\"\n[limits]\ncheckpoints = \"50ms\"\n[[boards]]\nmake = \"random\"\nsize = \"100x100\"\n";

#[cfg(unix)]
#[test]
fn signals_leave_a_checkpoint_from_which_the_next_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at, LONG);
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let _ = fs::remove_file(at.join("events"));
        fs::write(at.join("events"), "{\"event\":\"of an earlier run\"}\n").unwrap();
        let child = std::process::Command::new(env!("CARGO_BIN_EXE_dragnet"))
            .args(["generate", "batch.toml", "--log", "events"])
            .current_dir(at)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // Not before it has written one by itself.
        let begin = std::time::Instant::now();
        let checkpoints = || {
            let names = fs::read_dir(at.join("t")).ok().into_iter().flatten();
            names
                .filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().contains(".check-"))
                .count()
        };
        let at_work =
            || fs::read_to_string(at.join("events")).is_ok_and(|events| events.contains("checkpoint"));
        while (checkpoints() == 0 || !at_work()) && begin.elapsed().as_secs() < 60 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let kill =
            std::process::Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(status));
        assert!(checkpoints() > 0);
        assert!(!at.join("t/random-100x100-1.dtb").exists());
        // The log is appended to, and agrees with the status.
        let events = lines(&fs::read_to_string(at.join("events")).unwrap());
        let [earlier, begin, .., stopped, end] = &events[..] else { panic!("{events:?}") };
        assert_eq!((&earlier["event"], &begin["event"]), (&json!("of an earlier run"), &json!("begin")));
        assert!(begin["run"].is_u64() && begin["run"] == end["run"], "{begin} {end}");
        assert_eq!((&end["event"], &end["status"]), (&json!("end"), &json!(status)));
        let message = stopped["message"].as_str().unwrap();
        assert!(message.starts_with("the checkpoint of level"), "{message}");
        let said = String::from_utf8(ended.stderr).unwrap();
        let once = "[1/1] interrupted random-100x100-1: the checkpoint of level";
        assert!(said.lines().any(|line| line.starts_with(once)), "{said}");
        let again =
            if signal == "INT" { "another Ctrl-C ends at once" } else { "another signal ends at once" };
        assert!(said.contains(again), "{said}");
        let report: Json =
            serde_json::from_str(&fs::read_to_string(at.join("t/report.json")).unwrap()).unwrap();
        assert_eq!(report["entries"][0]["message"], message);
    }
    let ran = run(at, "generate batch.toml --log events");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let events = lines(&fs::read_to_string(at.join("events")).unwrap());
    assert!(events.iter().any(|event| event["event"] == "resumed"), "{events:?}");
    let text = run(at, "board --make random --size 100x100 --exit first --to text").done();
    fs::write(at.join("maps/whole.txt"), text).unwrap();
    assert_eq!(run(at, "generate maps/whole.txt --out .").status, Some(0));
    let (broken, whole) = (fs::read(at.join("t/random-100x100-1.dtb")), fs::read(at.join("whole.dtb")));
    assert_eq!(broken.unwrap(), whole.unwrap());
    let left: Vec<_> = (fs::read_dir(at.join("t")).unwrap())
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.to_str().unwrap().starts_with('.') && name != ".dragnet")
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn boards_without_an_exit_are_warned_of_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let manifest = "out = \"t\"\n[[boards]]\nfiles = [\"maps/shut.txt\"]\n\
        [[boards]]\nfiles = [\"maps/shut.txt\"]\nname = \"meant\"\nexit = \"none\"\n\
        [[boards]]\nfiles = [\"maps/shut.txt\"]\nname = \"chase\"\nrules = \"chase\"\n";
    prepare(at, manifest);
    fs::write(at.join("maps/shut.txt"), "...\n.#.\n...\n").unwrap();
    let warning = "the board has no exit, so the thief cannot win";
    for line in ["plan batch.toml", "plan batch.toml --json", "generate batch.toml --log events"] {
        let ran = run(at, line);
        assert_eq!(ran.status, Some(0), "{line}: {}", ran.err);
        let warned: Vec<&str> = ran.err.lines().filter(|line| line.contains("warning: ")).collect();
        assert_eq!(warned.len(), 1, "{line}: {}", ran.err);
        assert!(warned[0].starts_with(&format!("warning: shut: {warning}")), "{line}: {}", ran.err);
    }
    for file in ["events", "t/report.json", "t/report.html"] {
        assert!(fs::read_to_string(at.join(file)).unwrap().contains(warning), "{file}");
    }
}

#[test]
fn a_board_that_changes_while_the_batch_runs_counts_in_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // Small boards come before large ones, of which the first is long enough to change the second meanwhile.
    prepare(
        at,
        &format!("{LONG}[[boards]]\nfiles = [\"maps/later.txt\", \"maps/gone.txt\"]\nexit = \"first\"\n"),
    );
    let text = run(at, "board --make open --size 40x40 --to text").done();
    fs::write(at.join("maps/later.txt"), &text).unwrap();
    fs::write(at.join("maps/gone.txt"), &text).unwrap();
    std::thread::scope(|scope| {
        let batch = scope.spawn(|| run(at, "generate batch.toml"));
        while !at.join("t/.dragnet/journal.jsonl").exists() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
        fs::write(at.join("maps/later.txt"), text.replacen('.', "#", 1)).unwrap();
        fs::remove_file(at.join("maps/gone.txt")).unwrap();
        let ran = batch.join().unwrap();
        assert_eq!(ran.status, Some(0), "{}", ran.err);
    });
    let read = |name: &str| fs::read(at.join("t").join(name)).unwrap();
    assert_eq!(read("later.dtb"), read("gone.dtb"), "made as they were at the beginning");
    fs::write(at.join("maps/gone.txt"), &text).unwrap();
    let ran = run(at, "generate batch.toml");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(
        ran.err.contains("made later: ") && ran.err.contains("replaced a table of another board"),
        "{}",
        ran.err
    );
    assert_ne!(read("later.dtb"), read("gone.dtb"));
}

#[cfg(target_os = "linux")]
#[test]
fn limits_of_the_system_fail_single_tables_and_the_next_run_makes_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(
        at,
        "out = \"t\"\n[[boards]]\nmake = \"maze\"\nsize = \"45x45\"\n[[boards]]\nsizes = \"3x3..4x4\"\n",
    );
    // Files of at most 64 KiB; and less memory than a large board takes.
    for (limit, what) in [("ulimit -f 64", "File too large"), ("ulimit -v 90000", "memory")] {
        if limit.contains("-v") {
            prepare(at, "out = \"t\"\n[[boards]]\nsizes = \"160x160\"\n[[boards]]\nsizes = \"3x3..4x4\"\n");
        }
        let shell = format!("{limit}; exec \"$0\" generate batch.toml --threads 1");
        let ran = std::process::Command::new("sh")
            .args(["-c", &shell, env!("CARGO_BIN_EXE_dragnet")])
            // Each further arena would take 64 MiB of addresses, and they are made when threads meet.
            .env("MALLOC_ARENA_MAX", "1")
            .current_dir(at)
            .output()
            .unwrap();
        let said = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(3), "{limit}: {said}");
        assert!(said.contains("failed") && said.contains(what), "{limit}: {said}");
        assert!(at.join("t/open-04x04.dtb").exists(), "{limit}: {said}");
        let ran = run(at, "generate batch.toml");
        assert_eq!(ran.status, Some(0), "{}", ran.err);
    }
    for entry in fs::read_dir(at.join("t")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "dtb") {
            let ran = run(at, &format!("verify {}", path.display()));
            assert_eq!(ran.status, Some(0), "{}", ran.err);
        }
    }
}
