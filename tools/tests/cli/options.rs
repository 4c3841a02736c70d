//! Options, rules files and help texts.

use super::{files, json, support::run, yard};
use std::fs;

#[test]
fn invalid_rules_file_is_refused() {
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
fn rules_file_that_spells_out_a_preset_makes_the_same_table() {
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
fn invalid_options_are_refused() {
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
    run(folder.path(), "generate yard.txt --out t --exit none --exit 0,0")
        .failed(2, &["--exit", "none cannot stand beside another exit"]);
    for command in ["", "frobnicate", "probe", "line", "info", "stats", "verify", "report", "dump", "board"] {
        let ran = run(folder.path(), command);
        assert_eq!((ran.status, ran.out.len()), (Some(2), 0), "{command}");
        assert!(ran.err.contains("Usage: dragnet"), "{command}: {}", ran.err);
    }
    assert_eq!(files(folder.path()), ["yard.dtb", "yard.txt"]);
}

#[test]
fn help_and_version_go_to_standard_output() {
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
