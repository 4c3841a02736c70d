//! Closed pipes, full disks and signals.

use super::{
    YARD, files, flipped,
    support::{Ran, run, run_arguments},
    yard,
};
use std::{
    fs,
    io::Read,
    path::Path,
    process::{Command, Stdio},
};

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
fn closed_pipe_is_no_error() {
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
fn tables_are_made_although_nobody_reads_the_output() {
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
fn full_disk_is_an_error() {
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
        Ran::new(line, output.status.code(), output.stdout, err)
            .failed(3, &["cannot write standard output: No space left"]);
    }
    let ran = run(folder.path(), "generate --size 3x3..5x5 --out . --log /dev/full");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.err.starts_with("warning: cannot write /dev/full: No space left"), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "told once: {}", ran.err);
}

#[cfg(unix)]
#[test]
fn closed_standard_streams_are_tolerated() {
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
fn signal_stops_the_work_and_leaves_no_partial_file() {
    let mut is_said = false;
    for (signal, status) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let folder = tempfile::tempdir().unwrap();
        // A test that is started by nohup would pass on that SIGHUP is ignored.
        let mut child = Command::new("env")
            .args([&format!("--default-signal={signal}"), env!("CARGO_BIN_EXE_dragnet")])
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
        let ran = Ran::new(signal, output.status.code(), output.stdout, err);
        assert_eq!(ran.status, Some(status), "{signal}: {}", ran.err);
        let again = if signal == "INT" { "Ctrl-C" } else { "signal" };
        let stopping =
            format!("note: stopping; a long solve writes a checkpoint first; another {again} ends at once");
        let expected = [
            "note: open-120x120: interrupted",
            "note: interrupted; 1 of 2 tables are finished, open-120x120 is not; the same command goes on",
        ];
        let mut lines: Vec<&str> = ran.err.lines().collect();
        // The work does not wait for this line before it stops, nor does the process before it ends.
        let before = lines.len();
        lines.retain(|line| *line != stopping);
        is_said |= lines.len() < before;
        assert_eq!(lines, expected, "{signal}");
        assert_eq!(files(folder.path()), ["open-03x03.dtb"], "after {signal}");
    }
    assert!(is_said, "nothing was said of any of the signals");
}

#[test]
fn quiet_leaves_errors_and_verbose_adds_what_each_table_does() {
    let folder = yard();
    let ran = run(folder.path(), "generate yard.txt --out . --verbose");
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), "note: yard: kept as it was\n"));
    let ran = run(folder.path(), "generate yard.txt --out . --force -v");
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), "note: yard: begun, 200 positions\n"));
    fs::write(folder.path().join("shut.txt"), "..\n..\n").unwrap();
    let ran = run(folder.path(), "generate -q shut.txt --out . --exit 0,7");
    ran.failed(2, &["shut.txt: --exit: "]);
    run(folder.path(), "generate -qv").misused(&["cannot stand beside"]);
}

#[test]
fn names_of_files_cannot_speak_to_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let name = "\u{1b}[31mred\nline";
    fs::write(folder.path().join(format!("{name}.txt")), YARD).unwrap();
    fs::write(folder.path().join("note"), "no table\n").unwrap();
    let (board, table) = (format!("{name}.txt"), format!("{name}.dtb"));
    for arguments in [
        &["generate", &board, "--out", "."][..],
        &["verify", &table],
        &["info", &table],
        &["verify", "none\n\u{202e}.dtb"],
        &["generate", &board, "--out", "note"],
        &["checkpoints", "no\u{7}folder"],
    ] {
        let ran = run_arguments(folder.path(), arguments, b"");
        let text = String::from_utf8_lossy(&ran.out).into_owned() + &ran.err;
        let obeyed = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!text.contains(obeyed), "{arguments:?}: {text:?}");
        assert!(!text.is_empty() && !text.contains("red\nline"), "{arguments:?}: {text:?}");
    }
}
