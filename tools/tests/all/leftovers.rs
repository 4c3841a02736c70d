//! Files that killed processes leave behind: the next run removes them, and nothing else.

use crate::support::run;
use std::{
    fs,
    hash::{BuildHasher, RandomState},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Starts `dragnet` in a folder with the words of `line` as its arguments.
fn start(folder: &Path, line: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .args(line.split_whitespace())
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Returns the hidden files in a folder and below it, but for those that runs keep in `.dragnet`.
fn hidden(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.starts_with('.') && name != ".dragnet" {
            found.push(path);
        } else if path.is_dir() {
            found.extend(hidden(&path));
        }
    }
    found
}

/// A folder with a board and its table, a table of a game on a graph, and the graph.
fn ground() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("yard.txt"), "E...\n.##.\n.P.T\n").unwrap();
    fs::write(at.join("game.txt"), "0 1\n0 2\n1 3\n2 1\n2 4\n4 2\n").unwrap();
    run(at, "generate yard.txt --out tables").done();
    folder
}

#[test]
fn every_command_removes_what_was_left_beside_the_file_that_it_writes() {
    let folder = ground();
    let at = folder.path();
    for (line, left, foreign) in [
        ("pack tables/yard.dtb --out p/yard.dtb", "p/.yard.dtbAAAAAA.tmp", "p/.yard.dtb.notes.tmp"),
        ("pack tables/yard.dtb --out p/yard.dtb", "p/.other.dtbAAAAAA.tmp", "p/.notes.txtAAAAAA.tmp"),
        ("graph solve game.txt --out g/game.dtb", "g/.game.dtbAAAAAA.tmp", "g/.game.txtAAAAAA.tmp"),
        ("report tables --out r", "r/.report.htmlAAAAAA.tmp", "r/.report.htmlAAAAAA.bak"),
        ("report tables --out r", "r/.report.jsonAAAAAA.tmp", "r/.other.jsonAAAAAA.tmp"),
        ("line tables/yard.dtb --svg l/chase.svg", "l/.chase.svgAAAAAA.tmp", "l/.other.svgAAAAAA.tmp"),
        ("generate yard.txt --out tables", "tables/.yard.dtbAAAAAA.tmp", "tables/.yardAAAAAA.tmp"),
        ("generate yard.txt --out tables", "tables/.report.htmlAAAAAA.tmp", "tables/.a.tmp"),
        ("generate yard.txt --out tables", "tables/.dragnet/.journal.jsonlAAAAAA.tmp", "tables/.b.tmp"),
    ] {
        for name in [left, foreign] {
            fs::create_dir_all(at.join(name).parent().unwrap()).unwrap();
            fs::write(at.join(name), "half").unwrap();
        }
        assert_eq!(run(at, line).status, Some(0), "{line}");
        assert!(!at.join(left).exists(), "{line} leaves {left}");
        assert!(at.join(foreign).exists(), "{line} removes {foreign}");
    }
    // A process that is at work holds the lock of its file.
    let at_work = at.join("p/.yard.dtbBBBBBB.tmp");
    let held = fs::File::create(&at_work).unwrap();
    held.lock().unwrap();
    run(at, "pack tables/yard.dtb --out p/yard.dtb").done();
    assert!(at_work.exists());
}

#[test]
fn a_site_that_was_killed_is_made_whole_by_the_next_run() {
    let folder = ground();
    let at = folder.path();
    // Killed before anything but a part of the catalogue was there, and later.
    fs::create_dir_all(at.join("www")).unwrap();
    fs::write(at.join("www/.catalogue.jsonAAAAAA.tmp"), "{").unwrap();
    run(at, "site --out www tables").done();
    for name in ["www/.app.jsAAAAAA.tmp", "www/tables/.yard.dtbAAAAAA.tmp"] {
        fs::write(at.join(name), "half").unwrap();
    }
    for line in ["site --out www tables --link", "site --out www tables"] {
        run(at, line).done();
        assert_eq!(hidden(&at.join("www")), [""; 0].map(PathBuf::from));
    }
    run(at, "verify www/tables/yard.dtb").done();
}

#[test]
fn checkpoints_that_a_kill_left_beside_a_finished_table_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let line = "generate --size 100x100 --out t --checkpoints 0.0001";
    let mut child = start(at, line);
    let begin = Instant::now();
    while !hidden(&at.join("t")).iter().any(|path| path.to_str().unwrap().ends_with(".dtb.check-2")) {
        assert!(begin.elapsed() < Duration::from_secs(60), "no checkpoint");
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept: Vec<(PathBuf, Vec<u8>)> = hidden(&at.join("t"))
        .into_iter()
        .filter(|path| !path.to_str().unwrap().ends_with(".tmp"))
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    assert!(kept.len() >= 2, "{kept:?}");
    assert_eq!(run(at, line).status, Some(0));
    // As if the run had been killed between the naming of the table and the removal. The journal may know
    // the table or not.
    for journal in [true, false] {
        kept.iter().for_each(|(path, bytes)| fs::write(path, bytes).unwrap());
        if !journal {
            fs::remove_file(at.join("t/.dragnet/journal.jsonl")).unwrap();
        }
        let ran = run(at, line);
        assert!(String::from_utf8_lossy(&ran.out).contains("as it was"), "{}", ran.err);
        assert_eq!(hidden(&at.join("t")), [""; 0].map(PathBuf::from));
    }
    // They are of another game than that of the table: an interrupted solve.
    run(at, "generate --size 100x100 --out t --exit none").done();
    kept.iter().for_each(|(path, bytes)| fs::write(path, bytes).unwrap());
    run(at, "generate --size 100x100 --out t --exit none").done();
    assert_eq!(hidden(&at.join("t")).len(), kept.len());
}

#[test]
fn checkpoints_are_removed_when_asked_twice_and_while_no_run_needs_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    run(at, "generate --size 3x3 --out t").done();
    let files = [".big.dtb.check-1", ".big.dtb.check-2", ".big.dtb.log"].map(|name| at.join("t").join(name));
    files.iter().for_each(|path| fs::write(path, "of a solve").unwrap());
    let are_there = || files.iter().all(|path| path.exists());
    assert!(run(at, "checkpoints t").done().ends_with("2 checkpoints, 30 B\n"));
    assert!(run(at, "checkpoints t --clear").done().ends_with("2 checkpoints, 30 B; --yes removes them\n"));
    run(at, "checkpoints t --yes").misused(&["--clear"]);
    let held = fs::File::open(at.join("t/.dragnet/lock")).unwrap();
    held.lock().unwrap();
    for line in ["checkpoints t --clear", "checkpoints t --clear --yes", "checkpoints t --clear --yes --json"]
    {
        run(at, line).failed(3, &["another run is working in t"]);
        assert!(are_there(), "{line}");
    }
    run(at, "checkpoints t").done();
    held.unlock().unwrap();
    assert!(run(at, "checkpoints t --clear --yes").done().ends_with("2 checkpoints removed, 30 B\n"));
    assert!(files.iter().all(|path| !path.exists()));
    assert_eq!(run(at, "checkpoints t --clear --yes").done(), "0 checkpoints, 0 B\n");
}

/// Kills of each command.
const KILLS: u32 = 20;

#[test]
#[ignore = "takes minutes"]
fn commands_that_are_killed_leave_nothing_behind_their_next_run() {
    let folder = ground();
    let at = folder.path();
    run(at, "generate --size 60x60 --out tables");
    run(at, "generate --size 12x12..16x16 --out small");
    let mut edges = String::new();
    (0..400_000).for_each(|from| edges += &format!("{from} {}\n{from} {}\n", from * 7 % 399_989, from + 1));
    fs::write(at.join("large.txt"), edges).unwrap();
    let random = RandomState::new();
    for line in [
        "pack tables/open-60x60.dtb --out p/open-60x60.dtb --favour speed",
        "pack tables/open-60x60.dtb --out tables/open-60x60.dtb --favour speed",
        "graph solve large.txt --out g/large.dtb",
        "report small --out r",
        "site small --out www",
        "generate --size 90x90 --out big --checkpoints 0.001",
    ] {
        let begin = Instant::now();
        assert!(start(at, line).wait().unwrap().success(), "{line}");
        let whole = begin.elapsed();
        let mut left = 0;
        for kill in 0..KILLS {
            if line.starts_with("generate") {
                let _ = fs::remove_file(at.join("big/open-90x90.dtb"));
            }
            let mut child = start(at, line);
            // Files are written at the end.
            let share = random.hash_one((line, kill)) as f64 / u64::MAX as f64;
            thread::sleep(whole.mul_f64(share.sqrt()));
            child.kill().unwrap();
            child.wait().unwrap();
            left += usize::from(!hidden(at).is_empty());
        }
        println!("{line}: {left} of {KILLS} kills left something, {whole:.2?} undisturbed");
        assert_eq!(run(at, line).status, Some(0), "{line}");
        assert_eq!(hidden(at), [""; 0].map(PathBuf::from), "{line}");
        let _ = fs::remove_dir_all(at.join("big"));
    }
}
