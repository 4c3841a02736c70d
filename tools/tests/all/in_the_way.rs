//! What `generate` does where something stands already, and what the commands do with tables that no solver
//! made.

use crate::support::run;
use dragnet_formats::{
    board::{Scenario, make},
    cell::Cell,
    codec::{Encoded, Encoder},
    container::Writer,
    header::{Counts, Header, Longest, Summary},
    numbering::TileSize,
    rules::Rules,
    setting::Setting,
    stop::StopCheck,
    stored::StoredGame,
    value::{MAX_DTW, Value},
};
use std::{
    fs,
    io::{Cursor, Write as _},
    path::Path,
};

fn yard(folder: &Path) {
    fs::write(folder.join("yard.txt"), "E..\n.#.\n..P\n").unwrap();
}

/// A table of a 3x3 board on which the police, to move, wins every position in as many plies as a table can
/// hold.
fn forged() -> Vec<u8> {
    let board = make::open(3, 3).unwrap().with_exits(&[Cell::new(0, 0)]).unwrap();
    let tile = TileSize::new(8, 8).unwrap();
    let counts = Counts { police: 81, ..Counts::default() };
    let summary = Summary {
        police_to_move: counts,
        thief_to_move: counts,
        longest: Longest { police: MAX_DTW, thief: 0 },
        digest: 0,
    };
    let setting = Setting::new(Scenario::from_board(board), Rules::classic());
    let stored = StoredGame::of_setting(&setting, &mut StopCheck::never()).unwrap();
    let game = stored.pack([tile, tile]).unwrap();
    let header = Header { summary, ..game.header.clone() };
    let mut writer = Writer::new(Cursor::new(Vec::new()), &header).unwrap();
    writer.push(&Encoded::Constant(Value::Win(MAX_DTW).code())).unwrap();
    for section in game.blocks() {
        writer.push(&Encoder::for_speed().encode(&section)).unwrap();
    }
    writer.finish().unwrap().0.into_inner()
}

#[test]
fn a_table_of_something_else_is_replaced_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    yard(folder.path());
    let first = run(folder.path(), "generate yard.txt --out .").done();
    assert!(!first.contains("replaced"), "{first}");
    for (line, what) in [
        ("generate yard.txt --out . --rules chase", "replaced a table of other rules"),
        ("generate yard.txt --out . --rules chase --exit none", "replaced a table with other exits"),
        ("generate yard.txt --out . --rules chase --exit none --favour speed", "favours something else"),
    ] {
        let text = run(folder.path(), line).done();
        assert!(text.contains(what), "{text}");
        assert!(run(folder.path(), line).done().contains("as it was"));
    }
    let path = folder.path().join("yard.dtb");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let line = "generate yard.txt --out . --rules chase --exit none --favour speed --json";
    let json: serde_json::Value = serde_json::from_str(&run(folder.path(), line).done()).unwrap();
    assert_eq!(json["replaced"], "a damaged table");
}

#[test]
fn a_table_of_a_newer_version_is_not_replaced_unasked() {
    let folder = tempfile::tempdir().unwrap();
    yard(folder.path());
    run(folder.path(), "generate yard.txt --out .").done();
    let path = folder.path().join("yard.dtb");
    let mut bytes = fs::read(&path).unwrap();
    bytes[8] = 3;
    fs::write(&path, &bytes).unwrap();
    let line = "generate yard.txt --out .";
    run(folder.path(), line).failed(2, &["in the way", "version 2, found 3", "--force"]);
    assert_eq!(fs::read(&path).unwrap(), bytes);
    run(folder.path(), "generate yard.txt --out . --force").done();
    run(folder.path(), "verify yard.dtb").done();
}

#[test]
fn a_table_with_other_starts_or_of_another_game_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    yard(folder.path());
    run(folder.path(), "generate yard.txt --out .").done();
    fs::write(folder.path().join("yard.txt"), "E..\n.#P\n..T\n").unwrap();
    let text = run(folder.path(), "generate yard.txt --out .").done();
    assert!(text.contains("values as they were, replaced a table with other start cells"), "{text}");
    let given = include_bytes!("../../../formats/tests/golden/v2-board.dtb");
    fs::write(folder.path().join("yard.dtb"), given).unwrap();
    let text = run(folder.path(), "generate yard.txt --out .").done();
    assert!(text.contains("replaced a table of another board"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_way_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    yard(folder.path());
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("yard.dtb")).status();
    if !made.is_ok_and(|status| status.success()) {
        let mut stderr = std::io::stderr();
        writeln!(stderr, "skipped: no mkfifo").unwrap();
        return;
    }
    run(folder.path(), "generate yard.txt --out .").failed(3, &["yard.dtb", "expected a file", "pipe"]);
    run(folder.path(), "info yard.dtb").failed(3, &["yard.dtb", "expected a file", "pipe"]);
}

#[cfg(unix)]
#[test]
fn a_link_keeps_pointing_to_the_table() {
    let folder = tempfile::tempdir().unwrap();
    yard(folder.path());
    fs::create_dir(folder.path().join("big")).unwrap();
    run(folder.path(), "generate yard.txt --out big").done();
    std::os::unix::fs::symlink("big/yard.dtb", folder.path().join("yard.dtb")).unwrap();
    run(folder.path(), "generate yard.txt --out . --rules chase").done();
    assert!(folder.path().join("yard.dtb").is_symlink());
    let info = run(folder.path(), "info big/yard.dtb").done();
    assert!(info.contains("chase"), "{info}");
}

#[test]
fn distances_that_no_game_has_take_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("forged.dtb"), forged()).unwrap();
    let stats = run(folder.path(), "stats forged.dtb").done();
    assert!(stats.contains(&format!("longest win of the police: {MAX_DTW} plies")), "{stats}");
    run(folder.path(), "stats forged.dtb --json").done();
    run(folder.path(), "info forged.dtb").done();
    run(folder.path(), "verify forged.dtb").failed(1, &["police 0,0", "its successors say"]);
    // A line through it ends, whatever the table claims.
    run(folder.path(), "line forged.dtb --police 2,2 --thief 0,1")
        .failed(2, &["forged.dtb", "the table contradicts itself"]);
}

#[test]
fn a_range_of_sizes_is_not_held_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    // 160,000 boards; the exit is off the smallest.
    run(folder.path(), "generate --size 1x1..400x400 --exit 7,7 --out .").failed(2, &["open-01x01", "7,7"]);
}

#[cfg(unix)]
#[test]
fn the_sum_of_very_many_tables_is_said_before_they_are_made() {
    use std::io::BufRead;
    let folder = tempfile::tempdir().unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .args(["generate", "--size", "3x3..1000x1000", "--officers", "1", "--out", "t"])
        .current_dir(folder.path())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufReader::new(child.stderr.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let squares: u64 = (3..=1000_u64).map(|side| side * side).sum();
    assert_eq!(first.replace(',', ""), format!("note: 996004 tables {} positions", 2 * squares * squares));
}

#[test]
fn a_folder_in_the_place_of_a_table_is_named_with_a_file_in_it() {
    let folder = tempfile::tempdir().unwrap();
    yard(folder.path());
    run(folder.path(), "generate yard.txt --out .").done();
    fs::write(folder.path().join("graph.txt"), "0 1\n").unwrap();
    fs::create_dir(folder.path().join("deep")).unwrap();
    for line in
        ["pack yard.dtb --out deep", "graph solve graph.txt --out deep", "pack yard.dtb --out deep --force"]
    {
        run(folder.path(), line).failed(2, &["found the folder deep", "--out deep/NAME.dtb"]);
    }
}

/// A program that asks one position at a time gets its answer although the next question has begun.
#[test]
fn an_answer_does_not_wait_for_the_next_question() {
    use std::io::{BufRead, Write};
    let folder = tempfile::tempdir().unwrap();
    yard(folder.path());
    run(folder.path(), "generate yard.txt --out .").done();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_dragnet"))
        .args(["probe", "yard.dtb", "--stdin"])
        .current_dir(folder.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"2 2 0 1 police\n2 2 ").unwrap();
    input.flush().unwrap();
    let mut lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains('\t'));
    input.write_all(b"0 1 thief\n").unwrap();
    drop(input);
    assert!(lines.next().unwrap().unwrap().contains('\t'));
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_table_that_is_not_flushed_is_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    yard(folder.path());
    run(folder.path(), "generate yard.txt --out safe").done();
    run(folder.path(), "generate yard.txt --out scratch --no-sync").done();
    let bytes = |name: &str| fs::read(folder.path().join(name).join("yard.dtb")).unwrap();
    assert_eq!(bytes("safe"), bytes("scratch"));
}

/// Makes a pipe, which nobody writes to, in a folder.
#[cfg(unix)]
fn pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn pipes_and_folders_with_the_names_of_our_files_neither_hang_nor_end_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    yard(at);
    pipe(&at.join(".x.dtbAAAAAA.tmp"));
    fs::create_dir(at.join(".y.dtbAAAAAA.tmp")).unwrap();
    fs::write(at.join(".my.dtb.notes.tmp"), "mine").unwrap();
    fs::write(at.join(".old.dtbAAAAAA.tmp"), "left behind").unwrap();
    fs::write(at.join("..old.dtb.check-1AAAAAA.tmp"), "left behind").unwrap();
    let made = run(at, "generate yard.txt --out .").done();
    assert!(made.contains("128 positions"), "{made}");
    for (name, stays) in [
        (".x.dtbAAAAAA.tmp", true),
        (".y.dtbAAAAAA.tmp", true),
        (".my.dtb.notes.tmp", true),
        (".old.dtbAAAAAA.tmp", false),
        ("..old.dtb.check-1AAAAAA.tmp", false),
    ] {
        assert_eq!(at.join(name).exists(), stays, "{name}");
    }
    // A checkpoint that cannot be read causes a warning, and the table is made.
    pipe(&at.join(".open-03x03.dtb.check-1"));
    let ran = run(at, "generate --size 3x3 --out .");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.err.contains("open-03x03.dtb.check-1 is not used: expected a file"), "{}", ran.err);
    for name in ["journal.jsonl", "lock"] {
        let path = at.join(".dragnet").join(name);
        fs::remove_file(&path).unwrap();
        pipe(&path);
        run(at, "generate yard.txt --out .").failed(3, &[name, "expected a file"]);
        fs::remove_file(&path).unwrap();
    }
    pipe(&at.join("board.txt"));
    fs::write(at.join("batch.toml"), "out = \".\"\n[[boards]]\nfiles = [\"board.txt\"]\n").unwrap();
    run(at, "generate batch.toml").failed(2, &["board.txt", "expected a file with a board"]);
}

#[test]
fn names_too_long_for_the_files_beside_a_table_are_refused_before_work_begins() {
    let folder = tempfile::tempdir().unwrap();
    let [fits, long] = [231, 232].map(|len| format!("{}.txt", "n".repeat(len)));
    for name in [&fits, &long] {
        fs::write(folder.path().join(name), "E..\n...\n").unwrap();
    }
    run(folder.path(), &format!("generate {fits} --out .")).done();
    run(folder.path(), &format!("generate {long} --out .")).failed(2, &["at most 231 bytes, found 232"]);
}

/// A file system of the size that a text says, in a folder; unmounted when this is dropped.
#[cfg(target_os = "linux")]
struct SmallDisk(tempfile::TempDir);

#[cfg(target_os = "linux")]
impl SmallDisk {
    /// Mounts the file system, if this process may.
    fn mount(size: &str) -> Option<SmallDisk> {
        let disk = SmallDisk(tempfile::tempdir().unwrap());
        let done = disk.call("mount", &["-t", "tmpfs", "-o", &format!("size={size}"), "small"]);
        if !done {
            println!("skipped: only root can mount a small file system");
        }
        done.then_some(disk)
    }

    fn grow(&self, size: &str) {
        assert!(self.call("mount", &["-o", &format!("remount,size={size}")]));
    }

    fn call(&self, program: &str, arguments: &[&str]) -> bool {
        let done = std::process::Command::new(program).args(arguments).arg(self.0.path()).output();
        done.is_ok_and(|output| output.status.success())
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        self.call("umount", &[]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_no_work_and_its_message_names_the_checkpoints() {
    let Some(disk) = SmallDisk::mount("600k") else { return };
    let folder = tempfile::tempdir().unwrap();
    let board =
        run(folder.path(), "board --make random --density 0.05 --size 35x35 --seed 1 --to text").done();
    fs::write(folder.path().join("field.txt"), board).unwrap();
    let out = disk.0.path().display();
    let line = format!("generate field.txt --exit first --favour speed --checkpoints 0.00001 --out {out}");
    let full = run(folder.path(), &line);
    assert_eq!(full.status, Some(3), "{}", full.err);
    for part in
        ["cannot write", "field.dtb: the table has ", "No space left", "run it again", ".field.dtb.check-"]
    {
        assert!(full.err.contains(part), "expected {part:?} in {}", full.err);
    }
    disk.grow("4m");
    let again = run(folder.path(), &line);
    assert_eq!(again.status, Some(0), "{}", again.err);
    assert!(again.err.contains("going on from the checkpoint"), "{}", again.err);
    let names = fs::read_dir(disk.0.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.collect();
    names.sort();
    assert_eq!(names, [".dragnet", "field.dtb"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_the_disk_has_no_room_for_is_told_before_it_is_solved() {
    let Some(disk) = SmallDisk::mount("64k") else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = disk.0.path().display();
    // About a second of work, and half a megabyte.
    let line = format!("--size 120x120 --size 3x3 --out {out}");
    for plan in ["plan", "plan --measure"] {
        let ran = run(folder.path(), &format!("{plan} {line}"));
        assert_eq!(ran.status, Some(3), "{}", ran.err);
        assert!(
            ran.err.contains("error: the tables need about ") && ran.err.contains("free on the disk"),
            "{}",
            ran.err
        );
    }
    let ran = run(folder.path(), &format!("generate {line}"));
    assert_eq!(ran.status, Some(3), "{}", ran.err);
    assert!(
        ran.err.contains("open-120x120: needs about ") && ran.err.contains("on the disk, and"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("cannot write"), "{}", ran.err);
    assert!(disk.0.path().join("open-03x03.dtb").exists());
    disk.grow("4m");
    run(folder.path(), &format!("plan {line}")).done();
    assert_eq!(run(folder.path(), &format!("generate {line}")).status, Some(0));
    let text = run(folder.path(), &format!("plan {line}")).done();
    assert_eq!(text.matches("made already").count(), 3, "{text}");
}
