//! The things on which the operator of a long batch relies: its history and its status, limits of single
//! boards, finished tables that stay as they are, and damage that is found.

use crate::support::{run, run_with};
use dragnet_formats::{
    codec::{Encoder, Favour, RawBlock},
    container::Writer,
    header::{Counts, Summary},
};
use dragnet_probe::Open;
use serde_json::Value as Json;
use std::{fs, io::Cursor, path::Path, process::Command, thread, time::Duration};

const YARD: &str = "E..\n.#.\n..P\n";

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).unwrap();
}

fn report(folder: &Path) -> Json {
    serde_json::from_slice(&fs::read(folder.join("t/report.json")).unwrap()).unwrap()
}

/// Flips a bit in the middle of a file, and gives it the time of change that it had.
fn rot(path: &Path, at: usize) {
    let modified = fs::metadata(path).unwrap().modified().unwrap();
    let mut bytes = fs::read(path).unwrap();
    bytes[at] ^= 4;
    fs::write(path, bytes).unwrap();
    fs::File::options().append(true).open(path).unwrap().set_modified(modified).unwrap();
}

#[test]
fn the_report_remembers_who_was_made_and_who_failed_over_restarts() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "yard.txt", YARD);
    let manifest = |memory: &str| {
        format!(
            "out = \"t\"\n[limits]\nmemory = \"{memory}\"\n[[boards]]\nfiles = \"yard.txt\"\n[[boards]]\nsizes = \"60x60\"\n"
        )
    };
    write(at, "batch.toml", &manifest("5700 KiB"));
    assert_eq!(run(at, "generate batch.toml").status, Some(3));
    write(at, "batch.toml", &manifest("1 GiB"));
    assert_eq!(run(at, "generate batch.toml").status, Some(0));
    assert_eq!(run(at, "generate batch.toml").status, Some(0));
    let report = report(at);
    let runs: Vec<_> = report["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| {
            (run["status"].as_u64().unwrap(), run["made"].as_u64().unwrap(), run["kept"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(runs, [(3, 1, 0), (0, 1, 1), (0, 0, 2)]);
    let large = &report["entries"][1];
    assert_eq!((&large["status"], &large["name"]), (&"kept".into(), &"open-60x60".into()));
    let outcomes: Vec<&str> =
        large["history"].as_array().unwrap().iter().map(|event| event["status"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["skipped", "made"]);
    assert!(
        large["made_at"].as_str().unwrap().ends_with('Z') && large["solve_seconds"].as_f64().unwrap() > 0.0
    );
    assert!(report["machine"]["processors"].as_u64().unwrap() > 0);
}

#[test]
fn the_status_file_says_how_a_run_stands() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "yard.txt", YARD);
    write(
        at,
        "batch.toml",
        "out = \"t\"\n[[boards]]\nfiles = \"yard.txt\"\n[[boards]]\nsizes = \"150x150\"\n",
    );
    run(at, "batch status t").failed(2, &["no run has left its status in t"]);
    let mut batch = Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .args(["generate", "batch.toml", "--quiet"])
        .current_dir(at)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let status = || -> Option<Json> {
        serde_json::from_slice(&fs::read(at.join("t/.dragnet/worker-1.json")).ok()?).ok()
    };
    let at_work = loop {
        let found = status();
        // The small board may be at work before the large one, or beside it.
        let is_at_work = |status: &Json| {
            let tables = status["working"].as_array();
            tables.is_some_and(|tables| tables.iter().any(|table| table["name"] == "open-150x150"))
        };
        if let Some(status) = found.filter(|found| is_at_work(found) || found["status"].is_u64()) {
            break status;
        }
        thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(at_work["tables"], 2);
    // A quick machine may be done before the status says that it is at work.
    if at_work["status"].is_null() {
        let text = run(at, "batch status batch.toml").done();
        assert!(text.starts_with("batch.toml: "), "{text}");
    }
    assert!(batch.wait().unwrap().success());
    let text = run(at, "batch status t --watch").done();
    assert!(text.contains("batch.toml: finished after") && text.contains("2 of 2 tables done"), "{text}");
    // Whatever its clock says, a run that holds its lock is at work, and one that does not and writes nothing
    // any more has been killed.
    let lock = fs::File::open(at.join("t/.dragnet/worker-1.lock")).unwrap();
    let mut running = status().unwrap();
    running.as_object_mut().unwrap().remove("status");
    for updated in ["2020-01-01T00:00:00Z", "2100-01-01T00:00:00Z"] {
        running["updated"] = updated.into();
        write(at, "t/.dragnet/worker-1.json", &running.to_string());
        lock.lock().unwrap();
        assert!(run(at, "batch status t").done().contains("running for"), "{updated}");
        let json: Json = serde_json::from_str(&run(at, "batch status t --json").done()).unwrap();
        assert_eq!(json["workers"][0]["state"], "running");
        lock.unlock().unwrap();
        assert!(run(at, "batch status t --watch").done().contains("killed after"), "{updated}");
        let json: Json = serde_json::from_str(&run(at, "batch status t --json").done()).unwrap();
        assert_eq!(json["workers"][0]["state"], "killed");
    }
    // Where locks are not seen, one that writes anew is at work.
    let is_over = std::sync::atomic::AtomicBool::new(false);
    let over = &is_over;
    thread::scope(|scope| {
        scope.spawn(move || {
            for second in 0.. {
                running["seconds"] = f64::from(second).into();
                let text = running.to_string();
                write(at, "t/.dragnet/new", &text);
                fs::rename(at.join("t/.dragnet/new"), at.join("t/.dragnet/worker-1.json")).unwrap();
                thread::sleep(Duration::from_millis(300));
                if over.load(std::sync::atomic::Ordering::Relaxed) {
                    return;
                }
            }
        });
        let text = run(at, "batch status t").done();
        is_over.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(text.contains("running for"), "{text}");
    });
    write(at, "t/.dragnet/worker-1.json", "{}");
    run(at, "batch status t").failed(2, &["worker-1.json", "expected the status of a run"]);
}

#[test]
fn a_command_is_run_at_the_end_and_knows_how_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let manifest = |memory: &str, command: &str| {
        format!(
            "out = \"t\"\non-end = '{command}'\n[limits]\nmemory = \"{memory}\"\n[[boards]]\nsizes = \"3x3\"\n"
        )
    };
    let tell = "echo $DRAGNET_OUTCOME $DRAGNET_STATUS $DRAGNET_MADE > ended; test -f \"$DRAGNET_REPORT\"";
    for (memory, status, expected) in [("1 GiB", 0, "finished 0 1"), ("1 MiB", 3, "failed 3 0")] {
        fs::remove_dir_all(at.join("t")).ok();
        write(at, "batch.toml", &manifest(memory, tell));
        let ran = run(at, "generate batch.toml");
        assert_eq!((ran.status, ran.err.contains("warning: on-end")), (Some(status), false), "{}", ran.err);
        assert_eq!(fs::read_to_string(at.join("ended")).unwrap().trim(), expected);
    }
    write(at, "batch.toml", &manifest("1 GiB", "exit 7"));
    let ran = run(at, "generate batch.toml");
    assert_eq!(ran.status, Some(0));
    assert!(ran.err.contains("warning: on-end: \"exit 7\" ended with exit status: 7"), "{}", ran.err);
}

#[test]
fn a_board_that_takes_too_long_is_left_out_and_the_others_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(
        at,
        "batch.toml",
        "out = \"t\"\norder = \"largest-first\"\n[limits]\nboard-time = \"100ms\"\n[[boards]]\nsizes = \"250x250\"\n[[boards]]\nsizes = \"3x3\"\n",
    );
    let ran = run(at, "generate batch.toml --memory 64GiB");
    assert_eq!(ran.status, Some(3), "{}", ran.err);
    assert!(ran.err.contains("open-250x250: took longer than a board may take"), "{}", ran.err);
    assert!(at.join("t/open-03x03.dtb").exists());
    let report = report(at);
    assert_eq!((&report["totals"]["skipped"], &report["totals"]["made"]), (&1.into(), &1.into()));
}

#[test]
fn officers_and_graphs_are_keys_of_a_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "yard.txt", YARD);
    write(at, "ring.txt", "0 1\n1 2\n2 3\n3 0\n");
    write(at, "two.txt", "P.P\n...\nE.T\n");
    write(
        at,
        "batch.toml",
        "out = \"t\"\norder = \"as-listed\"\n[[boards]]\nfiles = \"yard.txt\"\nofficers = 2\n\
        [[boards]]\ngraphs = \"ri*.txt\"\n[[boards]]\nfiles = \"two.txt\"\n",
    );
    let ran = run(at, "generate batch.toml");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.err.contains("note: two: 2 officers, as many as the board marks with P"), "{}", ran.err);
    let officers = |table: &str| {
        let info: Json =
            serde_json::from_str(&run(at, &format!("info t/{table}.dtb --json")).done()).unwrap();
        (info["rules"]["officers"].as_u64().unwrap(), info["preset"].as_str().map(str::to_owned))
    };
    assert_eq!((officers("yard").0, officers("two").0), (2, 2));
    assert_eq!(officers("ring"), (1, Some("cops".to_owned())));
    for (keys, what) in [
        ("files = \"yard.txt\"\nofficers = 7", "expected a number from 1 to 6, found 7"),
        ("files = \"yard.txt\"\ndirected = true", "directed needs graphs beside it"),
        ("graphs = \"none*\"", "graphs: expected a file, found none by \"none*\""),
        ("files = \"none.txt\"", "files: expected a file, found none by \"none.txt\""),
        ("files = \"yard.txt\"\nfavour = \"speed\"\nlevel = 3", "level needs favour = \"size\" beside it"),
        ("files = \"yard.txt\"\nexit = \"1,1\"", "line 2: boards[0]: exit: cell 1,1 is a wall"),
        (
            "files = \"yard.txt\"\nexit = \"2\"",
            "exit: expected ROW,COL on a board of squares, found the single number 2",
        ),
    ] {
        write(at, "batch.toml", &format!("out = \"t\"\n[[boards]]\n{keys}\n"));
        run(at, "generate batch.toml").failed(2, &[what]);
    }
}

#[test]
fn a_costly_table_of_other_settings_is_not_replaced_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "yard.txt", YARD);
    run(at, "generate yard.txt --out .").done();
    let journal = at.join(".dragnet/journal.jsonl");
    let mut record: Json = serde_json::from_slice(&fs::read(&journal).unwrap()).unwrap();
    record["entry"]["solve_seconds"] = 7200.0.into();
    fs::write(&journal, format!("{record}\n")).unwrap();
    let before = fs::read(at.join("yard.dtb")).unwrap();
    run(at, "generate yard.txt --out . --exit none").failed(
        2,
        &[
            "yard.dtb is in the way",
            "exit 0,0 instead of no exit",
            "took 2 h 0 min to make",
            "--force replaces it",
        ],
    );
    run(at, "generate yard.txt --out . --officers 2").failed(2, &["2 officers", "instead of"]);
    assert_eq!(fs::read(at.join("yard.dtb")).unwrap(), before);
    let text = run(at, "generate yard.txt --out . --exit none --force").done();
    assert!(!text.contains("as it was"), "{text}");
    // One that took a moment is replaced as before.
    assert!(run(at, "generate yard.txt --out .").done().contains("replaced a table with other exits"));
}

#[test]
fn the_values_of_a_costly_table_are_kept_where_marks_rules_or_favour_change_and_the_game_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let journal = at.join(".dragnet/journal.jsonl");
    let make_costly = || {
        let mut record: Json = serde_json::from_slice(&fs::read(&journal).unwrap()).unwrap();
        record["entry"]["solve_seconds"] = 7200.0.into();
        fs::write(&journal, format!("{record}\n")).unwrap();
    };
    write(at, "yard.txt", "E..\n.#.\n..P\n");
    write(at, "last.toml", "undecided = \"thief\"\n");
    run(at, "generate yard.txt --out .").done();
    make_costly();
    for (board, options, what) in [
        ("E..\n.#P\n..T\n", "", "a table with other start cells"),
        ("E..\n.#P\n..T\n", "--rules last.toml", "a table of other rules"),
        ("E..\n.#P\n..T\n", "--rules last.toml --favour speed", "a table that favours something else"),
        ("E..\nT#.\n...\n", "--favour size", "a table of other rules"),
    ] {
        write(at, "yard.txt", board);
        let text = run(at, &format!("generate yard.txt --out . {options}")).done();
        assert!(text.contains(&format!("values as they were, replaced {what}")), "{options}: {text}");
        // The file is that of a solve, and it still counts as one that took long.
        run(at, &format!("generate yard.txt --out fresh --force {options}")).done();
        let bytes = |name: &str| fs::read(at.join(name)).unwrap();
        assert!(bytes("yard.dtb") == bytes("fresh/yard.dtb"), "{options}");
        let costly = ["yard.dtb is in the way", "took 2 h 0 min to make"];
        run(at, &format!("generate yard.txt --out . {options} --exit none")).failed(2, &costly);
        assert!(run(at, &format!("generate yard.txt --out . {options}")).done().contains("as it was\n"));
    }
    // Damaged values are not kept.
    let path = at.join("yard.dtb");
    let mut bytes = fs::read(&path).unwrap();
    let data = u64::from_le_bytes(bytes[0x10..0x18].try_into().unwrap()) as usize;
    let values = bytes.len() - data;
    bytes[values] ^= 1;
    fs::write(&path, bytes).unwrap();
    write(at, "yard.txt", "E..\n.#.\nT..\n");
    run(at, "generate yard.txt --out .").failed(2, &["yard.dtb is in the way", "took 2 h 0 min to make"]);
    let json = run(at, "generate yard.txt --out . --force --json").done();
    assert_eq!(serde_json::from_str::<Json>(&json).unwrap()["made"], true);
}

#[test]
fn bit_rot_is_found_by_samples_by_a_recheck_and_by_a_quick_verification() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "batch.toml", "out = \"t\"\n[[boards]]\nsizes = \"64x64\"\n[[boards]]\nsizes = \"9x9\"\n");
    assert_eq!(run(at, "generate batch.toml").status, Some(0));
    let table = at.join("t/open-64x64.dtb");
    let good = fs::read(&table).unwrap();
    assert_eq!(run(at, "verify --quick t").done().lines().last(), Some("2 whole"));
    // In a small table every block is looked at.
    rot(&at.join("t/open-09x09.dtb"), fs::metadata(at.join("t/open-09x09.dtb")).unwrap().len() as usize - 9);
    let ran = run(at, "generate batch.toml");
    assert!(
        ran.err.contains("made open-09x09") && ran.err.contains("replaced a damaged table"),
        "{}",
        ran.err
    );
    rot(&table, good.len() - 9);
    let ran = run(at, "verify --quick t");
    assert_eq!(ran.status, Some(1));
    let text = String::from_utf8(ran.out).unwrap();
    assert_eq!(text.lines().last(), Some("1 whole, 1 damaged: t/open-64x64.dtb"));
    let ran = run(at, "verify t");
    let text = String::from_utf8(ran.out).unwrap();
    assert_eq!((ran.status, text.lines().last()), (Some(1), Some("1 right, 1 damaged: t/open-64x64.dtb")));
    let ran = run(at, "generate batch.toml --recheck");
    assert!(
        ran.err.contains("made open-64x64") && ran.err.contains("replaced a damaged table"),
        "{}",
        ran.err
    );
    assert_eq!(fs::read(&table).unwrap(), good);
    assert_eq!(run(at, "verify t").done().lines().last(), Some("2 right"));
    run(at, "verify .dragnet").failed(3, &["No such file"]);
    fs::create_dir(at.join("empty")).unwrap();
    run(at, "verify empty").failed(2, &["expected a folder with tables"]);
}

/// Writes the table `path` anew with another header, whose checksum is right: what no flip of a bit does.
fn forge(path: &Path, change: impl FnOnce(&mut Summary)) {
    let table = Open::path(path).pursuit().unwrap();
    let mut header = table.header().clone();
    change(&mut header.summary);
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
    let (mut encoder, mut codes) = (Encoder::new(Favour::Size, Encoder::DEFAULT_LEVEL), Vec::new());
    for block in 0..header.block_count() {
        table.block_codes(block, &mut codes).unwrap();
        writer.push(&encoder.encode(&RawBlock::new(&codes))).unwrap();
    }
    drop(table);
    fs::write(path, writer.finish().unwrap().0.into_inner()).unwrap();
}

#[test]
fn a_table_whose_values_are_not_those_in_the_journal_is_replaced_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "yard.txt", YARD);
    write(at, "batch.toml", "out = \"t\"\n[[boards]]\nfiles = \"yard.txt\"\n");
    assert_eq!(run(at, "generate batch.toml").status, Some(0));
    let table = at.join("t/yard.dtb");
    let good = fs::read(&table).unwrap();
    let digest = |summary: &mut Summary| summary.digest += 1;
    let counts = |summary: &mut Summary| {
        let Counts { police, thief, .. } = &mut summary.police_to_move;
        (*police, *thief) = (*police + *thief, 0);
    };
    let longest = |summary: &mut Summary| summary.longest.police += 2;
    let forgeries: [fn(&mut Summary); 3] = [digest, counts, longest];
    for forgery in forgeries {
        for line in ["generate batch.toml", "generate batch.toml --recheck", "generate yard.txt --out t"] {
            forge(&table, forgery);
            assert_ne!(fs::read(&table).unwrap(), good);
            let ran = run(at, line);
            let text = String::from_utf8(ran.out).unwrap() + &ran.err;
            assert_eq!(ran.status, Some(0), "{text}");
            assert!(text.contains("replaced a table whose values are not those in the journal"), "{text}");
            assert_eq!(fs::read(&table).unwrap(), good, "{line}");
        }
    }
    // The same values in another encoding are no contradiction.
    run(at, "pack t/yard.dtb --out t/yard.dtb --level 1").done();
    let ran = run(at, "generate batch.toml --recheck");
    assert!(ran.status == Some(0) && !ran.err.contains("replaced"), "{}", ran.err);
    // Nor are other values of another game, which its rules tell.
    let text = run(at, "generate yard.txt --out t --rules chase").done();
    assert!(text.contains("replaced a table of other rules"), "{text}");
}

#[test]
fn prune_lists_what_a_manifest_no_longer_names_and_removes_it_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "batch.toml", "out = \"t\"\n[[boards]]\nsizes = \"3x3..3x5\"\n");
    assert_eq!(run(at, "generate batch.toml").status, Some(0));
    // Not made there, so not removed.
    fs::copy(at.join("t/open-03x03.dtb"), at.join("t/theirs.dtb")).unwrap();
    write(at, "t/notes.txt", "mine");
    write(at, "batch.toml", "out = \"t\"\n[[boards]]\nsizes = \"3x4\"\n");
    let text = run(at, "batch prune batch.toml").done();
    let expected = "2 files that the manifest does not name; --yes removes them\n1 table is left alone: generate has not made them here\n";
    assert!(text.contains("open-03x03.dtb") && text.ends_with(expected), "{text}");
    assert!(at.join("t/open-03x03.dtb").exists());
    assert!(run(at, "batch prune batch.toml --yes").done().contains("2 files removed"));
    let left: Vec<bool> = ["open-03x03.dtb", "open-03x04.dtb", "open-03x05.dtb", "theirs.dtb", "notes.txt"]
        .map(|name| at.join("t").join(name).exists())
        .into();
    assert_eq!(left, [false, true, false, true, true]);
    assert!(run(at, "batch prune batch.toml").done().starts_with("0 files; nothing to remove"));
}

#[test]
fn a_board_at_which_the_system_does_not_let_anybody_look_is_trouble_with_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let long = "n".repeat(300);
    write(at, "batch.toml", &format!("out = \"t\"\n[[boards]]\nfiles = \"{long}.txt\"\n"));
    run(at, "generate batch.toml").failed(3, &["files: cannot read ", "name too long"]);
}

#[test]
fn a_board_that_is_gone_from_a_glob_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for name in ["town-1", "town-2", "town-3"] {
        write(at, &format!("{name}.txt"), YARD);
    }
    write(at, "batch.toml", "out = \"t\"\n[[boards]]\nfiles = \"town-*.txt\"\n");
    let ran = run(at, "generate batch.toml");
    assert!(ran.status == Some(0) && !ran.err.contains("note:"), "{}", ran.err);
    assert!(report(at).get("not_named").is_none());
    fs::remove_file(at.join("town-2.txt")).unwrap();
    let ran = run(at, "generate batch.toml");
    assert_eq!(ran.status, Some(0));
    let note = "note: 1 table in the folder is not named any more: town-2; 'dragnet batch prune batch.toml' lists them";
    assert!(ran.err.lines().any(|line| line == note), "{}", ran.err);
    assert_eq!(report(at)["not_named"], serde_json::json!(["town-2"]));
    let page = fs::read_to_string(at.join("t/report.html")).unwrap();
    assert!(page.contains("1 table in the folder is not named any more: town-2"), "{page}");
    run(at, "batch prune batch.toml --yes").done();
    assert!(!run(at, "generate batch.toml").err.contains("note:"));
}

#[test]
fn a_plan_says_what_disk_and_folder_cannot_serve() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "file", "");
    for (text, what) in [
        ("out = \"file\"\n", "expected an output folder, found a file"),
        ("out = \"file/deeper\"\n", "expected an output folder, found a file"),
        ("out = \"t\"\n[limits]\ndisk-free = \"1000 PiB\"\n", "are free on the disk"),
    ] {
        write(at, "batch.toml", &format!("{text}[[boards]]\nsizes = \"3x3\"\n"));
        run(at, "plan batch.toml").failed(3, &[what]);
    }
    assert!(!at.join("t").exists());
}

#[test]
fn a_board_on_standard_input_has_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    run_with(at, "generate - --out .", YARD.as_bytes()).done();
    run_with(at, "generate - --name yard -o . -j 1", YARD.as_bytes()).done();
    assert_eq!(fs::read(at.join("board.dtb")).unwrap(), fs::read(at.join("yard.dtb")).unwrap());
    run_with(at, "generate - --name a/b", YARD.as_bytes()).failed(2, &["expected a file name"]);
    run(at, "generate --size 3x3 --name a").failed(2, &["--name is for the board on standard input"]);
}
